//! Moves out of turn, against the rules, taken back; touches (CN100 7.4.1 to 7.4.7).

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};
use draughtsd_core::trace::Decision;

use crate::table::Table;

fn table() -> Table {
    Table::start(International)
}

// 7.4.1: two moves in a row.

#[test]
fn moved_twice_7_4_1_accepted_is_a_ply_of_its_own() {
    table()
        .white("32-28")
        .white("31-27")
        .after(1500)
        .black("20-25")
        .expect("32-28 31-27 20-25", &["moved-twice 2 white accepted"])
        .article("CN100 7.4.1");
}

#[test]
fn moved_twice_7_4_1_leaves_nothing_to_press() {
    // White pressed after his first move, and his clock stands since.
    table()
        .white("32-28")
        .hand("31-27")
        .after(1500)
        .black("20-25")
        .expect("32-28 31-27 20-25", &["moved-twice 2 white accepted"]);
}

#[test]
fn moved_twice_7_4_1_corrected_is_no_ply() {
    table()
        .white("32-28")
        .hand("31-27")
        .after(2500)
        .carry(27, 31)
        .black("20-25")
        .expect("32-28 20-25", &["moved-twice 2 white corrected"]);
}

#[test]
fn moved_twice_7_4_1_with_the_same_disc() {
    table()
        .white("31-26")
        .white("26-21")
        .after(1500)
        .black("17x26*21")
        .expect("31-26 26-21 17x26*21", &["moved-twice 2 white accepted"]);
}

#[test]
fn moved_twice_7_4_1_by_black_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .white("22-18")
            .black("11-16")
            .black("8-11")
            .after(1500)
            .white("24-20")
            .expect("22-18 11-16 8-11 24-20", &["moved-twice 3 black accepted"])
            .article("CN64 7.4.1");
    }
}

#[test]
fn moved_twice_7_4_1_not_when_the_hand_goes_on_within_the_release_time() {
    // The disc stops on 27, which is legal, and goes back and on to 26.
    table()
        .hand("31-27")
        .after(1400)
        .carry(27, 26)
        .after(400)
        .press(White)
        .black("20-25")
        .silent("31-26 20-25");
}

// 7.4.2: a piece moved against the rules.

#[test]
fn illegal_move_7_4_2_accepted_stays_in_the_record() {
    table()
        .white("32-26")
        .after(1500)
        .black("20-25")
        .expect("32-26 20-25", &["illegal-move 1 white accepted"])
        .article("CN100 7.4.2");
}

#[test]
fn illegal_move_7_4_2_accepted_on_the_far_row_promotes() {
    Table::of(International, "W:W12,50:B15,26")
        .white("12-2")
        .after(1500)
        .black("26-31")
        .expect("12-2 26-31", &["illegal-move 1 white accepted"])
        .fen("W:WK2,50:B15,31");
}

#[test]
fn illegal_move_7_4_2_corrected_by_going_back() {
    table()
        .white("32-26")
        .after(1500)
        .carry(26, 32)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["illegal-move 1 white corrected"]);
}

#[test]
fn illegal_move_7_4_2_corrected_by_going_on_to_a_legal_square() {
    table()
        .white("32-26")
        .after(1500)
        .carry(26, 28)
        .after(400)
        .press(White)
        .black("20-25")
        .expect("32-28 20-25", &["illegal-move 1 white corrected"]);
}

#[test]
fn illegal_move_7_4_2_corrected_by_way_of_a_wrong_square() {
    table()
        .white("32-26")
        .after(1500)
        .carry(26, 22)
        .after(2500)
        .carry(22, 32)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["illegal-move 1 white corrected"]);
}

#[test]
fn illegal_move_7_4_2_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .white("22-19")
            .after(1500)
            .black("10-14")
            .expect("22-19 10-14", &["illegal-move 1 white accepted"])
            .article("CN64 7.4.2");
    }
}

// 7.4.3, 5.11: one piece touched, another moved.

#[test]
fn touch_move_7_4_3_accepted() {
    table()
        .lift_for(33, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"])
        .article("CN100 7.4.3, 5.11")
        .about(33);
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .lift_for(23, 900)
            .white("22-18")
            .black("11-16")
            .expect("22-18 11-16", &["touch-move 1 white accepted"])
            .article("CN64 7.4.3, 5.8");
    }
}

#[test]
fn touch_move_7_4_3_stays_open_without_a_reply() {
    table().lift_for(33, 900).white("32-28").expect("32-28", &["touch-move 1 white open"]);
}

#[test]
fn touch_move_7_4_3_corrected_when_redone() {
    table()
        .lift_for(33, 900)
        .white("32-28")
        .after(1500)
        .carry(28, 32)
        .white("33-28")
        .black("20-25")
        .expect("33-28 20-25", &["touch-move 1 white corrected"]);
}

#[test]
fn touch_move_7_4_3_not_for_a_piece_that_cannot_move() {
    table().lift_for(38, 900).white("32-28").black("20-25").silent("32-28 20-25");
}

#[test]
fn touch_move_7_4_3_not_for_the_piece_that_then_moves() {
    table().lift_for(32, 900).white("32-28").black("20-25").silent("32-28 20-25");
}

#[test]
fn touch_move_7_4_3_not_for_a_nudge() {
    table().lift_for(33, 250).white("32-28").black("20-25").silent("32-28 20-25");
    table()
        .lift_for(33, 400)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"]);
}

#[test]
fn touch_move_7_4_3_not_when_adjusting_was_announced() {
    table()
        .adjust(White)
        .after(800)
        .lift_for(33, 900)
        .after(800)
        .lift_for(34, 900)
        .white("32-28")
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn touch_move_7_4_3_announced_adjusting_ends_with_the_move() {
    table()
        .adjust(White)
        .white("32-28")
        .black("20-25")
        .after(800)
        .lift_for(33, 900)
        .white("31-27")
        .black("15-20")
        .expect("32-28 20-25 31-27 15-20", &["touch-move 3 white accepted"]);
}

#[test]
fn touch_move_7_4_3_announcing_after_the_touch_excuses_nothing() {
    table()
        .lift_for(33, 900)
        .after(500)
        .adjust(White)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"]);
}

#[test]
fn touch_move_7_4_3_ruled() {
    table()
        .lift_for(33, 900)
        .white("32-28")
        .after(2000)
        .rule("1-touch-move-1", Decision::Stands)
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white ruled"]);
}

// 7.4.4: a move taken back.

#[test]
fn took_back_7_4_4_accepted_with_another_move() {
    table()
        .white("32-28")
        .after(600)
        .carry(28, 32)
        .after(2000)
        .white("33-29")
        .black("20-25")
        .expect("33-29 20-25", &["took-back 1 white accepted"])
        .article("CN100 7.4.4");
}

#[test]
fn took_back_7_4_4_corrected_when_made_again() {
    table()
        .white("32-28")
        .after(600)
        .carry(28, 32)
        .after(2000)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["took-back 1 white corrected"]);
}

#[test]
fn took_back_7_4_4_at_once_when_another_piece_is_moved() {
    table()
        .white("32-28")
        .after(600)
        .carry(28, 32)
        .after(500)
        .lift(33)
        .after(600)
        .place(29)
        .after(400)
        .press(White)
        .black("20-25")
        .expect("33-29 20-25", &["took-back 1 white accepted"]);
}

#[test]
fn took_back_7_4_4_without_a_clock_from_the_release_time_on() {
    // Picked up again before the hand counts as off: the disc may go elsewhere (5.12).
    table()
        .without_clock()
        .hand("32-28")
        .after(1400)
        .carry(28, 32)
        .after(300)
        .carry(32, 27)
        .after(1600)
        .hand("20-25")
        .silent("32-27 20-25");
    table()
        .without_clock()
        .hand("32-28")
        .after(1600)
        .carry(28, 32)
        .after(1600)
        .hand("32-27")
        .after(1600)
        .hand("20-25")
        .expect("32-27 20-25", &["took-back 1 white accepted"]);
}

#[test]
fn took_back_7_4_4_of_a_capture() {
    table()
        .white("32-28")
        .black("19-23")
        .white("28x19*23")
        .after(1000)
        .carry(19, 28)
        .after(800)
        .place(23)
        .after(2000)
        .white("28x19*23")
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["took-back 3 white corrected"]);
}

#[test]
fn took_back_7_4_4_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .white("22-18")
            .after(600)
            .carry(18, 22)
            .after(2000)
            .white("23-19")
            .black("11-16")
            .expect("23-19 11-16", &["took-back 1 white accepted"])
            .article("CN64 7.4.4");
    }
}

#[test]
fn took_back_7_4_4_not_for_a_stop_shorter_than_the_release_time() {
    // Back on its origin for a second and then where it was: passage. The lift itself had no reason.
    table()
        .white("32-28")
        .after(600)
        .lift(28)
        .after(500)
        .place_for(32, 1000)
        .after(500)
        .place(28)
        .after(1600)
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 2 none accepted"]);
}

// 7.4.5: an opponent's piece moved.

#[test]
fn moved_opponent_piece_7_4_5_accepted() {
    table()
        .white("20-30")
        .after(1500)
        .black("15-20")
        .expect("20-30 15-20", &["moved-opponent-piece 1 white accepted"])
        .article("CN100 7.4.5");
}

#[test]
fn moved_opponent_piece_7_4_5_corrected_when_put_back() {
    table()
        .hand("20-30")
        .after(2500)
        .carry(30, 20)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["moved-opponent-piece 1 white corrected"]);
}

#[test]
fn moved_opponent_piece_7_4_5_corrected_even_where_going_back_is_a_legal_move() {
    // 19-14 runs Black's piece backwards; from 14 it may move to 19.
    Table::of(International, "W:W32,33,38:B5,10,19")
        .hand("19-14")
        .after(2500)
        .carry(14, 19)
        .white("32-28")
        .black("10-15")
        .expect("32-28 10-15", &["moved-opponent-piece 1 white corrected"]);
}

#[test]
fn moved_opponent_piece_7_4_5_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .white("10-18")
            .after(1500)
            .black("11-16")
            .expect("10-18 11-16", &["moved-opponent-piece 1 white accepted"]);
    }
}

// 7.4.6: a capture missed.

#[test]
fn capture_missed_7_4_6_accepted() {
    table()
        .white("32-28")
        .black("19-23")
        .white("34-30")
        .after(1500)
        .black("23x32*28")
        .expect("32-28 19-23 34-30 23x32*28", &["capture-missed 3 white accepted"])
        .article("CN100 7.4.2");
}

#[test]
fn capture_missed_7_4_6_accepted_with_nobody_pressing() {
    table()
        .without_clock()
        .hand("32-28")
        .hand("19-23")
        .hand("34-30")
        .after(2500)
        .hand("23x32*28")
        .expect("32-28 19-23 34-30 23x32*28", &["capture-missed 3 white accepted"]);
}

#[test]
fn capture_missed_7_4_6_stays_open_without_a_reply() {
    table()
        .white("32-28")
        .black("19-23")
        .white("34-30")
        .expect("32-28 19-23 34-30", &["capture-missed 3 white open"]);
}

#[test]
fn capture_missed_7_4_6_not_when_the_hand_goes_on_to_capture() {
    // 28-22 is set down, not let go, and the disc goes on to where it has to.
    table()
        .white("32-28")
        .black("19-23")
        .after(1000)
        .lift(28)
        .after(400)
        .place_for(22, 900)
        .after(500)
        .place(19)
        .off(&[23])
        .after(400)
        .press(White)
        .black("14x23*19")
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn capture_missed_7_4_6_ruled() {
    for decision in [Decision::Stands, Decision::BoardError] {
        table()
            .white("32-28")
            .black("19-23")
            .white("34-30")
            .after(3000)
            .rule("3-capture-missed-1", decision)
            .after(3000)
            .black("23x32*28")
            .expect("32-28 19-23 34-30 23x32*28", &["capture-missed 3 white ruled"]);
    }
}

#[test]
fn capture_missed_7_4_6_corrected() {
    table()
        .white("32-28")
        .black("19-23")
        .white("34-30")
        .after(1500)
        .carry(30, 34)
        .white("28x19*23")
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["capture-missed 3 white corrected"]);
}

#[test]
fn capture_missed_7_4_6_by_the_piece_that_could_capture() {
    table()
        .white("32-28")
        .black("19-23")
        .white("28-22")
        .after(1500)
        .black("17x28*22")
        .expect("32-28 19-23 28-22 17x28*22", &["capture-missed 3 white accepted"])
        .article("CN100 7.4.6");
}

#[test]
fn capture_missed_7_4_6_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .white("22-18")
            .black("11-15")
            .white("24-20")
            .after(1500)
            .black("15x22*18")
            .expect("22-18 11-15 24-20 15x22*18", &["capture-missed 3 white accepted"]);
    }
}

// 7.4.7, 5.14: a piece lifted for no reason by the side not on turn, or one of the other colour.

#[test]
fn unexplained_lift_7_4_7_accepted_when_the_side_on_turn_moves() {
    table()
        .lift_for(19, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 1 none accepted"])
        .article("CN100 7.4.7, 5.14")
        .about(19);
    for variant in [Brazilian, Russian] {
        Table::start(variant)
            .lift_for(11, 900)
            .white("22-18")
            .black("11-16")
            .expect("22-18 11-16", &["unexplained-lift 1 none accepted"])
            .article("CN64 7.4.7, 5.11");
    }
}

#[test]
fn unexplained_lift_7_4_7_of_the_disc_just_moved() {
    table()
        .white("32-28")
        .after(1000)
        .lift_for(28, 900)
        .after(600)
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 2 none accepted"]);
}

#[test]
fn unexplained_lift_7_4_7_not_for_a_knock() {
    table().lift_for(19, 250).white("32-28").black("20-25").silent("32-28 20-25");
    table()
        .lift_for(19, 400)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 1 none accepted"]);
}

#[test]
fn unexplained_lift_7_4_7_adjusting_is_only_for_own_pieces_on_turn() {
    // White announces and lifts a black disc; Black announces while White is on turn.
    for side in [White, Black] {
        table()
            .adjust(side)
            .after(600)
            .lift_for(19, 900)
            .white("32-28")
            .black("20-25")
            .expect("32-28 20-25", &["unexplained-lift 1 none accepted"]);
    }
}
