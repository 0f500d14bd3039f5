//! Where the boards differ: the small ones, majority or free choice, promotion in passing.

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};
use draughtsd_core::trace::Crowning::{Reserve, Stack};

use crate::table::Table;

#[test]
fn the_smaller_capture_is_wrong_only_under_the_majority_rule() {
    let fen = "W:W21,22,23,25,27:B4,11,17,18";
    Table::of(Brazilian, fen)
        .white("23x14*18")
        .after(1500)
        .black("17x10*14")
        .expect("23x14*18 17x10*14", &["wrong-capture-count 1 white accepted"]);
    Table::of(Russian, fen).white("23x14*18").black("17x10*14").silent("23x14*18 17x10*14");
}

#[test]
fn a_russian_king_that_stops_where_it_cannot_go_on_has_stopped_short() {
    // Behind 25 the king may stop anywhere from 22 to 4, but only from 15 does it go on, over 19.
    let fen = "W:WK29,32:B1,19,25";
    Table::of(Russian, fen)
        .white("29x22*25")
        .after(1500)
        .black("1-5")
        .expect("29x22*25 1-5", &["capture-stopped-short 1 white accepted"]);
    Table::of(Russian, fen).white("29x15x24*25,19").black("1-5").silent("29x24*19,25 1-5");
}

#[test]
fn a_russian_man_promoted_in_passing_goes_on_as_a_king() {
    // 11 takes 7, is promoted on 2, and takes 9 as a king.
    for mv in ["11x2x13*7,9", "11x13*9,7"] {
        Table::of(Russian, "W:W11,32:B7,9,20")
            .white(mv)
            .black("20-24")
            .silent("11x13*7,9 20-24")
            .fen("W:WK13,32:B24");
    }
    // On the Brazilian board the capture ends on the far row.
    Table::of(Brazilian, "W:W11,32:B7,9,20")
        .white("11x2*7")
        .black("20-24")
        .silent("11x2*7 20-24")
        .fen("W:WK2,32:B9,24");
}

#[test]
fn a_russian_man_that_stops_on_the_far_row_in_mid_capture_has_stopped_short() {
    Table::of(Russian, "W:W11,32:B7,9,20")
        .white("11x2*7")
        .after(1500)
        .black("20-24")
        .expect("11x2*7 20-24", &["capture-stopped-short 1 white accepted"]);
}

#[test]
fn a_russian_man_passing_the_far_row_is_crowned_where_it_stops() {
    // It stops on 1, a far-row square with a stack contact, or on 13 without one.
    Table::of(Russian, "W:W11,32:B7,9,20")
        .crowning(Reserve)
        .hand("11x2x13*7,9")
        .after(500)
        .spare(White)
        .after(500)
        .press(White)
        .black("20-24")
        .white("13-17")
        .silent("11x13*7,9 20-24 13-17");
    Table::of(Russian, "W:W11,32:B7,9,20")
        .crowning(Stack)
        .white("11x2x13*7,9")
        .black("20-24")
        .white("13-17")
        .silent("11x13*7,9 20-24 13-17");
    Table::of(Russian, "W:W11,32:B7,9,20")
        .crowning(Reserve)
        .white("11x2x13*7,9")
        .black("20-24")
        .white("13-17")
        .expect(
            "11x13*7,9 20-24 13-17",
            &["moved-uncrowned-king 3 white open", "not-crowned 2 white accepted"],
        );
}

#[test]
fn an_uncrowned_piece_on_each_board() {
    for (variant, fen, moves) in [
        (International, "W:W7,50:B15,26", ["7-2", "26-31", "2-8", "31-36"]),
        (Brazilian, "W:W5,32:B12,13", ["5-1", "13-17", "1-6", "17-21"]),
        (Russian, "W:W5,32:B12,13", ["5-1", "13-17", "1-6", "17-21"]),
    ] {
        let [promotes, reply, moves_on, last] = moves;
        Table::of(variant, fen)
            .crowning(Reserve)
            .white(promotes)
            .black(reply)
            .white(moves_on)
            .after(1500)
            .black(last)
            .expect(
                &moves.join(" "),
                &["moved-uncrowned-king 3 white accepted", "not-crowned 2 white accepted"],
            );
    }
}

#[test]
fn acts_of_black_on_the_small_boards() {
    for variant in [Brazilian, Russian] {
        // Black's capture left standing, a wrong disc taken off, a take-back.
        let captured = || Table::start(variant).white("22-18").black("9-13").white("18-14");
        captured()
            .hand("10x17")
            .after(400)
            .press(Black)
            .after(3500)
            .lift(14)
            .white("21x14*17")
            .expect("22-18 9-13 18-14 10x17*14 21x14*17", &["left-captured-piece 4 black corrected"]);
        captured()
            .black("10x17*14,27")
            .after(2000)
            .white("21x14*17")
            .expect("22-18 9-13 18-14 10x17*14,27 21x14*17", &["removed-unjumped-piece 4 black accepted"]);
        captured()
            .black("10x17*14,1")
            .after(2000)
            .place(1)
            .white("21x14*17")
            .expect("22-18 9-13 18-14 10x17*14 21x14*17", &["removed-own-piece 4 black corrected"]);
        captured()
            .black("11-15")
            .after(2000)
            .carry(15, 11)
            .black("10x17*14")
            .white("21x14*17")
            .expect("22-18 9-13 18-14 10x17*14 21x14*17", &["capture-missed 4 black corrected"]);
    }
}
