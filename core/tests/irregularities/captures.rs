//! Captures of too few pieces, left half-way, or cleared away wrongly (CN100 7.4.8 to 7.4.12, 7.4.14).

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};

use crate::table::Table;

/// 32x23x12 takes two; 36x27 takes one and is whole in itself.
const TWO_OR_ONE: &str = "W:W32,36,37:B10,18,28,31";

/// 32x23x12 takes two, and nothing else can be done.
const TWO: &str = "W:W32,37:B10,18,28";

fn one_taken() -> Table {
    Table::start(International).white("32-28").black("19-23")
}

// 7.4.8, 6.13: fewer than the majority rule requires.

#[test]
fn wrong_capture_count_7_4_8_accepted() {
    Table::of(International, TWO_OR_ONE)
        .white("36x27*31")
        .after(1500)
        .black("10-14")
        .expect("36x27*31 10-14", &["wrong-capture-count 1 white accepted"])
        .article("CN100 7.4.8, 6.13")
        .fen("W:W27,32,37:B14,18,28");
}

#[test]
fn wrong_capture_count_7_4_8_corrected() {
    Table::of(International, TWO_OR_ONE)
        .white("36x27*31")
        .after(1500)
        .place(31)
        .after(600)
        .carry(27, 36)
        .white("32x23x12*28,18")
        .black("31x42*37")
        .expect("32x12*18,28 31x42*37", &["wrong-capture-count 1 white corrected"]);
}

#[test]
fn wrong_capture_count_7_4_8_on_64_squares_only_where_there_is_a_majority_rule() {
    let fen = "W:W21,22,23,25,27:B4,11,17,18";
    Table::of(Brazilian, fen)
        .white("21x14*17")
        .after(1500)
        .black("18x9*14")
        .expect("21x14*17 18x9*14", &["wrong-capture-count 1 white accepted"])
        .article("CN64 7.4.8, 6.12.1.2");
    Table::of(Russian, fen).white("21x14*17").after(1500).black("18x9*14").silent("21x14*17 18x9*14");
}

#[test]
fn wrong_capture_count_7_4_8_not_between_equals() {
    let fen = "W:W32,36,37:B10,28,31";
    for (mv, read) in [("36x27*31", "36x27*31"), ("32x23*28", "32x23*28")] {
        Table::of(International, fen).white(mv).silent(read);
    }
}

#[test]
fn wrong_capture_count_7_4_8_and_the_piece_touched_before() {
    Table::of(International, TWO_OR_ONE)
        .lift_for(32, 900)
        .white("36x27*31")
        .after(1500)
        .black("10-14")
        .expect("36x27*31 10-14", &["touch-move 1 white accepted", "wrong-capture-count 1 white accepted"]);
}

#[test]
fn wrong_capture_count_7_4_8_by_a_king_that_stops_at_the_shorter_end() {
    // The king on 46 takes 37 and 19 on one line, or 37 alone with 19 still before it: that is stopping short.
    Table::of(International, "W:WK46,50:B6,19,37")
        .white("46x28*37")
        .after(1500)
        .black("6-11")
        .expect("46x28*37 6-11", &["capture-stopped-short 1 white accepted"]);
}

// 7.4.9, 6.11: left before the end of the sequence.

#[test]
fn capture_stopped_short_7_4_9_accepted() {
    Table::of(International, TWO)
        .white("32x23*28")
        .after(1500)
        .black("18x29*23")
        .expect("32x23*28 18x29*23", &["capture-stopped-short 1 white accepted"])
        .article("CN100 7.4.9, 6.11")
        .about(23);
}

#[test]
fn capture_stopped_short_7_4_9_corrected_by_going_on() {
    Table::of(International, TWO)
        .white("32x23*28")
        .after(1500)
        .hand("23x12*18")
        .after(400)
        .press(White)
        .black("10-14")
        .expect("32x12*18,28 10-14", &["capture-stopped-short 1 white corrected"]);
}

#[test]
fn capture_stopped_short_7_4_9_corrected_by_starting_again() {
    Table::of(International, TWO)
        .white("32x23*28")
        .after(1500)
        .carry(23, 32)
        .after(500)
        .place(28)
        .white("32x23x12*28,18")
        .black("10-14")
        .expect("32x12*18,28 10-14", &["capture-stopped-short 1 white corrected"]);
}

#[test]
fn capture_stopped_short_7_4_9_not_for_a_long_rest_with_nothing_removed() {
    Table::of(International, TWO)
        .hand("32-23")
        .after(2200)
        .carry(23, 12)
        .off(&[28, 18])
        .after(400)
        .press(White)
        .black("10-14")
        .silent("32x12*18,28 10-14");
}

#[test]
fn capture_stopped_short_7_4_9_left_without_a_press_with_a_removal() {
    // The jumped disc comes off and the captor rests longer than the hand may stay; then it goes on.
    Table::of(International, TWO)
        .hand("32x23*28")
        .after(1700)
        .hand("23x12*18")
        .after(400)
        .press(White)
        .black("10-14")
        .expect("32x12*18,28 10-14", &["capture-stopped-short 1 white corrected"]);
}

#[test]
fn capture_stopped_short_7_4_9_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::of(variant, "W:W22,25:B4,11,18")
            .white("22x15*18")
            .after(1500)
            .black("11x18*15")
            .expect("22x15*18 11x18*15", &["capture-stopped-short 1 white accepted"])
            .article("CN64 7.4.9, 6.10");
    }
}

// 7.4.10, 6.12: removed before the captor stood on its final square.

#[test]
fn removed_too_early_7_4_10_while_the_captor_is_in_the_air() {
    Table::of(International, TWO)
        .after(1000)
        .lift(32)
        .after(600)
        .lift(28)
        .after(600)
        .place(12)
        .off(&[18])
        .after(400)
        .press(White)
        .black("10-14")
        .expect("32x12*18,28 10-14", &["removed-too-early 1 white accepted"])
        .article("CN100 7.4.10, 6.12")
        .about(28);
}

#[test]
fn removed_too_early_7_4_10_between_two_jumps() {
    Table::of(International, TWO)
        .after(1000)
        .carry(32, 23)
        .after(300)
        .lift(28)
        .after(400)
        .carry(23, 12)
        .off(&[18])
        .after(400)
        .press(White)
        .black("10-14")
        .expect("32x12*18,28 10-14", &["removed-too-early 1 white accepted"]);
}

#[test]
fn removed_too_early_7_4_10_before_the_captor_is_even_lifted() {
    one_taken()
        .after(1000)
        .lift(23)
        .after(700)
        .carry(28, 19)
        .after(400)
        .press(White)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["removed-too-early 3 white accepted"]);
}

#[test]
fn removed_too_early_7_4_10_not_within_40_ms_of_the_landing() {
    for (early, alerts) in [(35, &[][..]), (80, &["removed-too-early 3 white accepted"][..])] {
        one_taken()
            .after(1000)
            .lift(28)
            .after(600)
            .lift(23)
            .after(early)
            .place(19)
            .after(600)
            .press(White)
            .black("14x23*19")
            .expect("32-28 19-23 28x19*23 14x23*19", alerts);
    }
}

#[test]
fn removed_too_early_7_4_10_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::of(variant, "W:W22,25:B4,11,18")
            .after(1000)
            .lift(22)
            .after(600)
            .lift(18)
            .after(600)
            .place(8)
            .off(&[11])
            .after(400)
            .press(White)
            .after(1500)
            .hand("4x11*8")
            .after(400)
            .press(Black)
            .expect("22x8*11,18 4x11*8", &["removed-too-early 1 white accepted"])
            .article("CN64 7.4.10, 6.11");
    }
}

// 7.4.11: a captured disc left standing.

#[test]
fn left_captured_piece_7_4_11_accepted() {
    one_taken()
        .hand("28x19")
        .after(500)
        .mark("press")
        .press(White)
        .after(5000)
        .black("13x24*19")
        .expect("32-28 19-23 28-19 13x24*19", &["left-captured-piece 3 white accepted"])
        .opens_within("left-captured-piece", "press", 3000)
        .article("CN100 7.4.11")
        .about(23);
}

#[test]
fn left_captured_piece_7_4_11_corrected_late() {
    one_taken()
        .hand("28x19")
        .after(500)
        .press(White)
        .after(3500)
        .lift(23)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["left-captured-piece 3 white corrected"]);
}

#[test]
fn left_captured_piece_7_4_11_not_within_3_s_of_the_press() {
    one_taken()
        .hand("28x19")
        .after(500)
        .press(White)
        .after(2900)
        .lift(23)
        .black("14x23*19")
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn left_captured_piece_7_4_11_one_of_two() {
    Table::of(International, TWO)
        .hand("32x23x12*18")
        .after(500)
        .mark("press")
        .press(White)
        .after(5000)
        .black("10-14")
        .expect("32x12*18 10-14", &["left-captured-piece 1 white accepted"])
        .opens_within("left-captured-piece", "press", 3000)
        .fen("W:W12,37:B14,28");
}

#[test]
fn left_captured_piece_7_4_11_not_when_taken_off_within_1500_ms_after_the_reply_came_to_rest() {
    for millis in [0, 700, 1400] {
        Table::of(International, TWO)
            .hand("32x23x12*18")
            .after(400)
            .press(White)
            .after(300)
            .carry(10, 14)
            .after(millis)
            .lift(28)
            .after(400)
            .press(Black)
            .white("37-31")
            .silent("32x12*18,28 10-14 37-31");
    }
}

#[test]
fn left_captured_piece_7_4_11_at_the_latest_1500_ms_after_the_reply_came_to_rest() {
    Table::of(International, TWO)
        .hand("32x23x12*18")
        .after(400)
        .press(White)
        .after(300)
        .carry(10, 14)
        .mark("reply")
        .after(2500)
        .press(Black)
        .white("37-31")
        .expect("32x12*18 10-14 37-31", &["left-captured-piece 1 white accepted"])
        .opens_within("left-captured-piece", "reply", 1500);
}

#[test]
fn left_captured_piece_7_4_11_when_the_opponent_presses() {
    Table::of(International, TWO)
        .hand("32x23x12*18")
        .after(400)
        .press(White)
        .after(300)
        .carry(10, 14)
        .after(500)
        .mark("press")
        .press(Black)
        .white("37-31")
        .expect("32x12*18 10-14 37-31", &["left-captured-piece 1 white accepted"])
        .opens_within("left-captured-piece", "press", 500);
}

#[test]
fn left_captured_piece_7_4_11_without_a_clock_after_the_removal_pause() {
    let table = || Table::of(International, TWO).without_clock().hand("32x23x12*18").mark("last");
    table().after(9500).lift(28).after(2000).hand("10-14").silent("32x12*18,28 10-14");
    table()
        .after(11_000)
        .lift(28)
        .after(2000)
        .hand("10-14")
        .expect("32x12*18,28 10-14", &["left-captured-piece 1 white corrected"])
        .opens_within("left-captured-piece", "last", 10_500);
    table().after(12_000).hand("10-14").expect("32x12*18 10-14", &["left-captured-piece 1 white accepted"]);
}

#[test]
fn left_captured_piece_7_4_11_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::of(variant, "W:W22,25:B11,18,1")
            .hand("22x15x8*11")
            .after(400)
            .press(White)
            .after(5000)
            .black("1-5")
            .expect("22x8*11 1-5", &["left-captured-piece 1 white accepted"]);
    }
}

#[test]
fn left_captured_piece_7_4_11_partly_corrected_stays_open() {
    Table::of(International, "W:W42,50:B5,17,28,38")
        .hand("42x33x22x11*17")
        .after(400)
        .press(White)
        .after(3500)
        .lift(28)
        .after(2000)
        .black("5-10")
        .expect("42x11*17,28 5-10", &["left-captured-piece 1 white accepted"]);
}

#[test]
fn left_captured_piece_7_4_11_rather_than_a_wrong_count() {
    // 46x32x21x12x23 takes four; with 37 alone off the board, three were left or only one was taken.
    Table::of(International, "W:WK46,50:B6,17,18,27,37")
        .white("46x23*37")
        .after(4000)
        .black("18x29*23")
        .expect("46x23*37 18x29*23", &["left-captured-piece 1 white accepted"]);
}

// 7.4.12: an enemy disc removed that was not jumped.

#[test]
fn removed_unjumped_piece_7_4_12_accepted() {
    one_taken()
        .hand("28x19*23,18")
        .after(400)
        .press(White)
        .after(2000)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*18,23 14x23*19", &["removed-unjumped-piece 3 white accepted"])
        .article("CN100 7.4.12")
        .about(18);
}

#[test]
fn removed_unjumped_piece_7_4_12_corrected_after_the_press() {
    one_taken()
        .hand("28x19*23,18")
        .after(400)
        .press(White)
        .after(2000)
        .place(18)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["removed-unjumped-piece 3 white corrected"]);
}

#[test]
fn removed_unjumped_piece_7_4_12_not_when_put_back_at_once_before_the_press() {
    one_taken()
        .hand("28x19*23,18")
        .after(700)
        .place(18)
        .after(500)
        .press(White)
        .black("14x23*19")
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn removed_unjumped_piece_7_4_12_not_when_the_lift_becomes_the_reply() {
    // Black's hand takes the capturing disc up before White presses.
    one_taken()
        .hand("28x19*23")
        .after(300)
        .lift(14)
        .after(300)
        .press(White)
        .after(300)
        .place(23)
        .off(&[19])
        .after(400)
        .press(Black)
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn removed_unjumped_piece_7_4_12_only_with_the_capture() {
    // Long after the last removal the lift is an act of its own: the disc is missing.
    one_taken()
        .hand("28x19*23")
        .after(1700)
        .lift(18)
        .after(800)
        .press(White)
        .after(3000)
        .place(18)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["piece-missing 3 none corrected"]);
}

#[test]
fn removed_unjumped_piece_7_4_12_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::of(variant, "W:W22,25,30:B1,7,18")
            .hand("22x15*18,7")
            .after(400)
            .press(White)
            .after(2000)
            .black("1-5")
            .expect("22x15*7,18 1-5", &["removed-unjumped-piece 1 white accepted"]);
    }
}

// 7.4.14: an own disc removed.

#[test]
fn removed_own_piece_7_4_14_accepted() {
    one_taken()
        .hand("28x19*23,33")
        .after(400)
        .press(White)
        .after(2000)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23,33 14x23*19", &["removed-own-piece 3 white accepted"])
        .article("CN100 7.4.14")
        .about(33);
}

#[test]
fn removed_own_piece_7_4_14_corrected_after_the_press() {
    one_taken()
        .hand("28x19*23,33")
        .after(400)
        .press(White)
        .after(2000)
        .place(33)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["removed-own-piece 3 white corrected"]);
}

#[test]
fn removed_own_piece_7_4_14_not_when_put_back_at_once_before_the_press() {
    one_taken()
        .hand("28x19*23,33")
        .after(700)
        .place(33)
        .after(500)
        .press(White)
        .black("14x23*19")
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn removed_own_piece_7_4_14_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::of(variant, "W:W22,25,30:B1,18")
            .hand("22x15*18,30")
            .after(400)
            .press(White)
            .after(2000)
            .black("1-5")
            .expect("22x15*18,30 1-5", &["removed-own-piece 1 white accepted"]);
    }
}

#[test]
fn left_captured_piece_7_4_11_not_when_taken_off_in_time_under_a_capturing_reply() {
    // Black's 8x17 takes the captor; the disc that is still to go is not Black's own disc removed.
    for (first, last) in [(28, 18), (18, 28)] {
        Table::of(International, "W:W32,37,47:B3,8,18,28")
            .hand("32x23x12")
            .off(&[first])
            .after(400)
            .press(White)
            .after(300)
            .carry(8, 17)
            .after(500)
            .lift(12)
            .after(400)
            .lift(last)
            .after(400)
            .press(Black)
            .white("37-31")
            .silent("32x12*18,28 8x17*12 37-31");
    }
}
