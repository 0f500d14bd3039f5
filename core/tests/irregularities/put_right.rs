//! What becomes of acts that were put right, when the same discs or others are handled again soon after.

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};

use crate::table::Table;

fn table() -> Table {
    Table::start(International)
}

/// Discs that a sleeve sweeps off their squares, and squares on which others come to rest.
fn swept(mut table: Table, off: &[u8], on: &[u8]) -> Table {
    for &number in off {
        table = table.lift(number).after(40);
    }
    for &number in on {
        table = table.place(number).after(50);
    }
    table
}

/// And what puts it right, a disc every second.
fn restored(mut table: Table, off: &[u8], on: &[u8]) -> Table {
    for &number in on {
        table = table.after(1000).lift(number);
    }
    for &number in off {
        table = table.after(1000).place(number);
    }
    table.after(1000)
}

#[test]
fn a_disc_that_had_gone_astray_is_lifted_again() {
    Table::of(Russian, "W:W23,25,29:B7")
        .lift(23)
        .after(200)
        .lift(29)
        .after(450)
        .place(19)
        .after(600)
        .press(White)
        .after(4200)
        .place(29)
        .after(1600)
        .lift_for(29, 2900)
        .after(1000)
        .black("7-11")
        .expect("23-19 7-11", &["piece-missing 1 none corrected", "unexplained-lift 2 none accepted"]);
}

#[test]
fn a_disc_taken_off_by_mistake_is_lifted_again() {
    Table::of(International, "B:WK9,10,11,13:B7,27,43,45,K47")
        .hand("7x16*11")
        .off(&[9])
        .after(450)
        .press(Black)
        .after(5500)
        .place(9)
        .after(1600)
        .lift_for(9, 700)
        .after(3000)
        .white("13-8")
        .expect("7x16*11 13-8", &["removed-unjumped-piece 1 black corrected", "touch-move 2 white open"]);
}

#[test]
fn a_sleeve_after_a_disc_was_put_back() {
    let (off, on) = ([3, 21, 8, 30, 1, 9], [25, 11]);
    let table = Table::of(Russian, "W:W19,20,21,22,26,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,16")
        .hand("19x12*16")
        .off(&[26])
        .after(800)
        .press(White)
        .after(5600)
        .place(26)
        .after(5000);
    restored(swept(table, &off, &on).after(5000), &off, &on).black("9-13").expect(
        "19x12*16 9-13",
        &["removed-own-piece 1 white corrected", "board-disturbed 2 none corrected"],
    );
}

#[test]
fn a_disc_of_a_sleeve_goes_wrong_later_and_is_put_right() {
    let (off, on) = ([31, 40, 15, 33, 3], [43, 14, 27]);
    let table = Table::of(International, "W:W6,15,K25,31,47:B1,3,33,K40").after(1000);
    restored(swept(table, &off, &on).after(4500), &off, &on)
        .white("25-14")
        .black("1-7")
        .after(1000)
        .carry(3, 23)
        .after(2500)
        .carry(23, 3)
        .white("14-5")
        .expect(
            "25-14 1-7 14-5",
            &["board-disturbed 1 none corrected", "moved-opponent-piece 3 white corrected"],
        );
}

#[test]
fn the_clock_is_pressed_after_a_sleeve() {
    let (off, on) = ([41, 42, 46, 47, 36], [26, 27]);
    restored(
        swept(table().hand("32-28").after(300), &off, &on).after(400).press(White).after(4000),
        &off,
        &on,
    )
    .black("20-25")
    .white("31-27")
    .expect("32-28 20-25 31-27", &["board-disturbed 2 none corrected"]);
}

#[test]
fn other_discs_are_lifted_after_an_illegal_move_was_put_right() {
    let put_right = || {
        Table::of(International, "B:W28,38,43:B9,13,19")
            .without_clock()
            .after(1000)
            .carry(19, 29)
            .after(3400)
            .carry(29, 19)
            .after(5500)
    };
    put_right()
        .lift_for(13, 900)
        .after(400)
        .lift_for(19, 1000)
        .after(700)
        .carry(19, 24)
        .after(6000)
        .white("38-33")
        .expect("19-24 38-33", &["illegal-move 1 black corrected", "touch-move 1 black accepted"]);
    put_right()
        .adjust(Black)
        .after(500)
        .lift_for(13, 900)
        .after(400)
        .lift_for(19, 600)
        .after(700)
        .carry(19, 24)
        .after(6000)
        .white("38-33")
        .expect("19-24 38-33", &["illegal-move 1 black corrected"]);
    put_right()
        .adjust(Black)
        .after(500)
        .lift_for(19, 1000)
        .after(400)
        .lift_for(13, 900)
        .after(700)
        .carry(9, 14)
        .after(6000)
        .white("38-33")
        .expect("9-14 38-33", &["illegal-move 1 black corrected"]);
}

#[test]
fn a_move_by_another_piece_than_the_one_touched_is_taken_back() {
    let taken_back = || {
        table().lift_for(33, 900).after(1000).hand("32-28").after(400).press(White).after(2000).carry(28, 32)
    };
    taken_back()
        .after(4000)
        .white("31-27")
        .black("20-25")
        .expect("31-27 20-25", &["touch-move 1 white accepted", "took-back 1 white accepted"]);
    taken_back()
        .after(4000)
        .white("33-28")
        .black("20-25")
        .expect("33-28 20-25", &["touch-move 1 white corrected"]);
}

#[test]
fn a_man_slid_behind_a_king_that_missed_its_capture() {
    Table::of(Russian, "B:W6:BK4,7,K15")
        .after(1000)
        .carry(15, 11)
        .after(6000)
        .place(1)
        .after(30)
        .lift(6)
        .after(300)
        .press(White)
        .expect("15-11 6-1", &["capture-missed 1 black accepted", "press-forgotten 2 black open"]);
}

#[test]
fn a_king_lifted_with_the_capture_before_stops_on_its_way() {
    Table::of(Brazilian, "W:WK1,K4,K10,K13,15,27:BK8,12,K14,K17,18")
        .hand("13x26*17")
        .after(500)
        .lift(14)
        .after(600)
        .place_for(3, 1100)
        .after(900)
        .place(7)
        .off(&[10])
        .after(900)
        .lift(4)
        .after(1400)
        .place_for(11, 1000)
        .after(1300)
        .place(2)
        .off(&[8, 7])
        .hand("18x11*15")
        .expect("13x26*17 14x7*10 4x2*7,8 18x11*15", &["press-forgotten 2 white accepted"]);
}

#[test]
fn a_disc_that_was_taken_back_is_lifted_after_another_moved() {
    table()
        .white("32-28")
        .after(2000)
        .carry(28, 32)
        .after(2500)
        .white("31-27")
        .after(1000)
        .lift_for(32, 900)
        .after(1000)
        .black("20-25")
        .expect("31-27 20-25", &["took-back 1 white accepted", "unexplained-lift 2 none accepted"]);
}

#[test]
fn no_contact_is_blamed_for_a_disc_that_is_still_in_the_air() {
    Table::of(Russian, "W:WK24:B15,18,25,K29")
        .after(1000)
        .lift(15)
        .after(350)
        .lift(24)
        .after(850)
        .place(10)
        .after(500)
        .press(White)
        .black("18-23")
        .white("10-1")
        .black("23-27")
        .white("1-19")
        .black("27-32")
        .after(1900)
        .lift(19)
        .after(600)
        .press(White)
        .after(150)
        .place(30)
        .expect(
            "24x10*15 18-23 10-1 23-27 1-19 27-32 19-30",
            &["removed-too-early 1 white accepted", "clock-pressed-early 7 white open"],
        );
}
