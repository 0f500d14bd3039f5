//! Acts just inside and just outside of a limit of time.

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::International;
use draughtsd_core::trace::Crowning::Stack;

use crate::table::Table;

fn table() -> Table {
    Table::start(International)
}

fn one_to_take() -> Table {
    table().white("32-28").black("19-23")
}

/// What is read where nothing but the capture and its answer counts.
const TAKEN: &str = "32-28 19-23 28x19*23 14x23*19";

#[test]
fn an_own_disc_lifted_with_the_capture_or_after_it() {
    let lifted = |millis| one_to_take().hand("28x19*23").after(millis).lift(33);
    lifted(1400)
        .after(500)
        .press(White)
        .after(2000)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23,33 14x23*19", &["removed-own-piece 3 white accepted"]);
    lifted(1700)
        .after(500)
        .press(White)
        .after(2000)
        .place(33)
        .black("14x23*19")
        .expect(TAKEN, &["piece-missing 3 none corrected"]);
    lifted(1700)
        .after(800)
        .place(33)
        .after(500)
        .press(White)
        .black("14x23*19")
        .expect(TAKEN, &["unexplained-lift 4 none accepted"]);
}

#[test]
fn a_pause_of_just_ten_seconds() {
    Table::of(International, "W:W32,37:B10,18,28")
        .hand("32x23x12*28")
        .after(10_000)
        .lift(18)
        .after(500)
        .press(White)
        .black("10-14")
        .silent("32x12*18,28 10-14");
}

#[test]
fn a_removal_just_40_ms_before_the_landing() {
    one_to_take()
        .after(1000)
        .lift(28)
        .after(600)
        .lift(23)
        .after(40)
        .place(19)
        .after(600)
        .press(White)
        .black("14x23*19")
        .silent(TAKEN);
}

#[test]
fn a_reply_lifted_as_the_clock_is_pressed() {
    table()
        .hand("32-28")
        .after(400)
        .press(White)
        .lift(20)
        .after(400)
        .place(25)
        .after(300)
        .press(Black)
        .silent("32-28 20-25");
}

#[test]
fn the_clock_pressed_twice() {
    table().hand("32-28").after(300).press(White).after(60).press(White).black("20-25").silent("32-28 20-25");
}

#[test]
fn a_disc_back_on_its_origin_for_a_little_less_than_the_release_time() {
    table()
        .white("32-28")
        .after(600)
        .lift(28)
        .after(500)
        .place_for(32, 1400)
        .after(500)
        .place(28)
        .after(1600)
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 2 none accepted"]);
}

#[test]
fn captured_and_capturing_discs_nudged() {
    one_to_take()
        .hand("28x19")
        .after(300)
        .lift_for(23, 250)
        .after(500)
        .lift(23)
        .after(300)
        .lift_for(19, 200)
        .after(400)
        .press(White)
        .black("14x23*19")
        .silent(TAKEN);
}

#[test]
fn two_pieces_uncrowned() {
    Table::of(International, "W:W7,11,50:B15,26")
        .crowning(Stack)
        .white("7-2")
        .black("26-31")
        .white("11-7")
        .black("31-36")
        .white("7-1")
        .black("36-41")
        .after(500)
        .stack(1)
        .after(500)
        .stack(2)
        .white("50-45")
        .black("15-20")
        .expect(
            "7-2 26-31 11-7 31-36 7-1 36-41 50-45 15-20",
            &["not-crowned 2 white corrected", "not-crowned 6 white corrected"],
        );
    Table::of(International, "W:W7,50:B15,41")
        .crowning(Stack)
        .white("7-2")
        .black("41-46")
        .white("50-45")
        .black("15-20")
        .expect("7-2 41-46 50-45 15-20", &["not-crowned 2 white open", "not-crowned 3 black open"]);
}

#[test]
fn long_thoughts() {
    table()
        .white("32-28")
        .after(600_000)
        .black("20-25")
        .after(900_000)
        .white("31-27")
        .silent("32-28 20-25 31-27");
}

#[test]
fn a_press_as_the_disc_lands() {
    table()
        .after(500)
        .lift(32)
        .after(500)
        .place(28)
        .press(White)
        .after(700)
        .lift(20)
        .after(400)
        .place(25)
        .press(Black)
        .silent("32-28 20-25");
}

#[test]
fn a_press_less_than_40_ms_before_the_disc_lands() {
    table()
        .after(500)
        .lift(32)
        .after(500)
        .press(White)
        .after(30)
        .place(28)
        .after(700)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn a_captured_disc_lifted_and_put_back_before_it_comes_off() {
    one_to_take()
        .hand("28x19")
        .after(300)
        .lift_for(23, 600)
        .after(500)
        .lift(23)
        .after(400)
        .press(White)
        .black("14x23*19")
        .silent(TAKEN);
}
