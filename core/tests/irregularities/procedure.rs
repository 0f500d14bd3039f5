//! The start, the clock, the state of the board (CN100 5.3, 7.2, 7.3, 7.5, 8.2.2, 8.2.3).

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};

use crate::table::Table;

fn table() -> Table {
    Table::start(International)
}

// 5.3: White moves first.

#[test]
fn black_moved_first_5_3_accepted() {
    table()
        .black("20-25")
        .after(1500)
        .white("32-28")
        .expect("20-25 32-28", &["black-moved-first 1 black accepted"])
        .article("CN100 5.3");
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .black("11-16")
            .after(1500)
            .white("22-18")
            .expect("11-16 22-18", &["black-moved-first 1 black accepted"])
            .article("CN64 5.3");
    }
}

#[test]
fn black_moved_first_5_3_corrected() {
    table()
        .hand("20-25")
        .after(2500)
        .carry(25, 20)
        .white("32-28")
        .black("20-24")
        .expect("32-28 20-24", &["black-moved-first 1 black corrected"]);
}

#[test]
fn black_moved_first_5_3_not_where_black_is_on_turn() {
    Table::of(International, "B:W32,33:B10,19").black("10-15").white("32-28").silent("10-15 32-28");
}

// 7.2: the start position.

#[test]
fn start_position_wrong_7_2_with_a_disc_missing() {
    table()
        .open_at_start(50)
        .after(4000)
        .place(50)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["start-position-wrong 1 none corrected"])
        .article("CN100 7.2");
}

#[test]
fn start_position_wrong_7_2_with_a_disc_too_many() {
    table()
        .closed_at_start(28)
        .after(4000)
        .lift(28)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["start-position-wrong 1 none corrected"]);
}

// 7.3: a disc on no dark square.

#[test]
fn piece_missing_7_3_brushed_off_during_the_move() {
    table()
        .after(1000)
        .lift(32)
        .after(300)
        .lift(37)
        .after(300)
        .place(28)
        .after(600)
        .press(White)
        .after(4000)
        .place(37)
        .black("20-25")
        .expect("32-28 20-25", &["piece-missing 1 none corrected"])
        .article("CN100 7.3")
        .about(37);
}

#[test]
fn piece_missing_7_3_the_moved_disc_is_nowhere_3_s_after_the_press() {
    table()
        .after(1000)
        .lift(32)
        .after(600)
        .mark("press")
        .press(White)
        .after(5000)
        .place(28)
        .after(500)
        .black("20-25")
        .expect("32-28 20-25", &["clock-pressed-early 1 white accepted", "piece-missing 1 none corrected"])
        .opens_within("piece-missing", "press", 3400);
}

#[test]
fn piece_missing_7_3_not_within_3_s_of_the_press() {
    table()
        .after(1000)
        .lift(32)
        .after(600)
        .press(White)
        .after(2800)
        .place(28)
        .after(500)
        .black("20-25")
        .expect("32-28 20-25", &["clock-pressed-early 1 white accepted"]);
}

// 7.5: the board disturbed.

/// A sleeve takes discs along, one every `step` milliseconds, and leaves three of them elsewhere; later the
/// position is restored.
fn sleeve(step: u64, taken: &[u8], left: [u8; 3]) -> Table {
    let mut table = table().white("32-28").black("20-25").after(2000);
    for &number in taken {
        table = table.lift(number).after(step);
    }
    for number in left {
        table = table.place(number).after(step);
    }
    table = table.after(6000);
    for number in left {
        table = table.lift(number).after(900);
    }
    for &number in taken {
        table = table.place(number).after(900);
    }
    table.after(3000).white("31-27").black("15-20")
}

#[test]
fn board_disturbed_7_5_goes_on_by_itself_when_restored() {
    sleeve(20, &[41, 42, 44, 46, 47, 50], [21, 22, 23])
        .expect("32-28 20-25 31-27 15-20", &["board-disturbed 3 none corrected"])
        .article("CN100 7.5");
}

#[test]
fn board_disturbed_7_5_by_a_slow_sleeve() {
    sleeve(65, &[41, 42, 44, 46, 47, 50], [21, 22, 23])
        .expect("32-28 20-25 31-27 15-20", &["board-disturbed 3 none corrected"]);
}

#[test]
fn board_disturbed_7_5_also_where_two_of_its_changes_would_be_a_move() {
    sleeve(20, &[33, 34, 38, 39, 40, 43], [23, 30, 29])
        .expect("32-28 20-25 31-27 15-20", &["board-disturbed 3 none corrected"]);
}

#[test]
fn board_disturbed_7_5_not_by_a_knock_on_the_table() {
    let mut table = table().white("32-28").after(2000);
    let shaken = [33, 34, 38, 39, 40, 43];
    for number in shaken {
        table = table.lift(number).after(10);
    }
    table = table.after(150);
    for number in shaken {
        table = table.place(number).after(10);
    }
    table.black("20-25").silent("32-28 20-25");
}

// 8.2.2: pressed before the move was made.

#[test]
fn clock_pressed_early_8_2_2_with_the_disc_in_the_air() {
    table()
        .after(1000)
        .lift(32)
        .after(500)
        .press(White)
        .after(600)
        .place(28)
        .after(800)
        .black("20-25")
        .expect("32-28 20-25", &["clock-pressed-early 1 white accepted"])
        .article("CN100 8.2.2");
}

#[test]
fn clock_pressed_early_8_2_2_without_a_move() {
    table()
        .white("32-28")
        .black("20-25")
        .after(1000)
        .press(White)
        .after(2000)
        .press(Black)
        .white("31-27")
        .black("15-20")
        .expect("32-28 20-25 31-27 15-20", &["clock-pressed-early 3 white accepted"]);
}

#[test]
fn clock_pressed_early_8_2_2_not_when_the_arbiter_starts_blacks_clock() {
    // Black is absent at the set time: his clock runs before White has moved (9.1, 9.2).
    table()
        .after(500)
        .arbiter(draughtsd_core::trace::ArbiterInput::Start)
        .after(500)
        .press(White)
        .after(30_000)
        .press(Black)
        .white("32-28")
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn clock_pressed_early_8_2_2_not_by_a_side_whose_clock_stands() {
    table()
        .white("32-28")
        .after(900)
        .press(White)
        .black("20-25")
        .after(900)
        .press(Black)
        .white("31-27")
        .silent("32-28 20-25 31-27");
}

#[test]
fn clock_pressed_early_8_2_2_not_when_the_disc_has_just_landed() {
    table().hand("32-28").after(20).press(White).black("20-25").silent("32-28 20-25");
}

// 8.2.3: the press forgotten. Nobody may remind the player, so it is for the log only.

#[test]
fn press_forgotten_8_2_3() {
    let reading = table()
        .hand("32-28")
        .after(2000)
        .black("20-25")
        .white("31-27")
        .expect("32-28 20-25 31-27", &["press-forgotten 2 white open"])
        .article("CN100 8.2.3");
    assert_eq!(reading.summary.alerts[0].addressee, draughtsd_core::alert::Addressee::Nobody);
}

#[test]
fn press_forgotten_8_2_3_not_when_he_presses_before_the_reply_is_complete() {
    table()
        .hand("32-28")
        .after(2000)
        .lift(20)
        .after(300)
        .press(White)
        .after(300)
        .place(25)
        .after(500)
        .press(Black)
        .silent("32-28 20-25");
}

#[test]
fn press_forgotten_8_2_3_not_without_a_linked_clock() {
    table().without_clock().hand("32-28").after(2000).hand("20-25").silent("32-28 20-25");
}
