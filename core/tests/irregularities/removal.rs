//! The removal of captured discs: without a pause, and in the order of a route or its reverse (CN100 7.4.13,
//! 6.6, 6.7, 6.12).

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};

use crate::table::Table;

/// 32x23x12 takes two.
const TWO: &str = "W:W32,37:B10,18,28";

/// 42x33x22x11 takes 38, 28 and 17.
const THREE: &str = "W:W42,50:B5,17,28,38";

/// From 33 round a ring of four, either way, and on to 44.
const RING_AND_TAIL: &str = "W:W33,50:B5,18,19,28,29,39";

// 7.4.13, 6.12: a pause between two removals.

#[test]
fn removal_interrupted_7_4_13_accepted() {
    Table::of(International, TWO)
        .hand("32x23x12*28")
        .after(10_100)
        .lift(18)
        .after(500)
        .press(White)
        .black("10-14")
        .expect("32x12*18,28 10-14", &["removal-interrupted 1 white accepted"])
        .article("CN100 7.4.13, 6.12");
}

#[test]
fn removal_interrupted_7_4_13_not_at_the_limit() {
    Table::of(International, TWO)
        .hand("32x23x12*28")
        .after(9900)
        .lift(18)
        .after(500)
        .press(White)
        .black("10-14")
        .silent("32x12*18,28 10-14");
}

#[test]
fn removal_interrupted_7_4_13_is_told_while_the_disc_still_stands() {
    Table::of(International, TWO)
        .hand("32x23x12*28")
        .mark("pause")
        .after(15_000)
        .lift(18)
        .after(500)
        .press(White)
        .black("10-14")
        .expect("32x12*18,28 10-14", &["removal-interrupted 1 white accepted"])
        .opens_within("removal-interrupted", "pause", 10_500);
}

#[test]
fn removal_interrupted_7_4_13_not_before_the_first_removal() {
    // The pause is one between removals; how long a player looks at the board before is his own time.
    Table::of(International, TWO)
        .hand("32x23x12")
        .after(12_000)
        .lift(28)
        .off(&[18])
        .after(500)
        .press(White)
        .black("10-14")
        .silent("32x12*18,28 10-14");
}

#[test]
fn removal_interrupted_7_4_13_without_a_clock_it_is_a_disc_left_standing() {
    Table::of(International, TWO)
        .without_clock()
        .hand("32x23x12*28")
        .after(12_000)
        .lift(18)
        .after(2000)
        .hand("10-14")
        .expect("32x12*18,28 10-14", &["left-captured-piece 1 white corrected"]);
}

#[test]
fn removal_interrupted_7_4_13_on_64_squares() {
    for variant in [Brazilian, Russian] {
        Table::of(variant, "W:W22,25:B1,11,18")
            .hand("22x15x8*18")
            .after(10_200)
            .lift(11)
            .after(500)
            .press(White)
            .black("1-5")
            .expect("22x8*11,18 1-5", &["removal-interrupted 1 white accepted"])
            .article("CN64 7.4.13, 6.11");
    }
}

// 6.6, 6.7, 6.12: the order of removal.

/// Plays `landings` in [`THREE`] or another position, takes the discs off in this order, and expects the alert
/// or none.
#[track_caller]
fn check_order(fen: &str, landings: &str, order: &[u8], in_order: bool) {
    let captured = {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
    };
    let (from, _) = landings.split_once('x').expect("a capture");
    let (_, to) = landings.rsplit_once('x').expect("a capture");
    let alerts: &[&str] = if in_order { &[] } else { &["removal-out-of-order 1 white accepted"] };
    Table::of(International, fen)
        .hand(landings)
        .off(order)
        .after(500)
        .press(White)
        .after(1500)
        .black("5-10")
        .expect(&format!("{from}x{to}*{captured} 5-10"), alerts);
}

#[test]
fn removal_out_of_order_6_7_of_three() {
    let orders: [(&[u8], bool); 6] = [
        (&[38, 28, 17], true),
        (&[17, 28, 38], true),
        (&[28, 38, 17], false),
        (&[38, 17, 28], false),
        (&[17, 38, 28], false),
        (&[28, 17, 38], false),
    ];
    for (order, in_order) in orders {
        check_order(THREE, "42x33x22x11", order, in_order);
        // Whether the disc is set down on the way or not.
        check_order(THREE, "42x11", order, in_order);
    }
}

#[test]
fn removal_out_of_order_6_7_not_of_two() {
    check_order("W:W32,37:B5,18,28", "32x23x12", &[18, 28], true);
    check_order("W:W32,37:B5,18,28", "32x23x12", &[28, 18], true);
}

#[test]
fn removal_out_of_order_6_7_by_any_route_with_the_same_captures() {
    let orders: [(&[u8], bool); 7] = [
        (&[28, 18, 19, 29, 39], true),
        (&[29, 19, 18, 28, 39], true),
        (&[39, 29, 19, 18, 28], true),
        (&[39, 28, 18, 19, 29], true),
        (&[28, 29, 18, 19, 39], false),
        (&[39, 18, 19, 28, 29], false),
        (&[18, 19, 29, 28, 39], false),
    ];
    for (order, in_order) in orders {
        check_order(RING_AND_TAIL, "33x22x13x24x33x44", order, in_order);
    }
}

#[test]
fn removal_out_of_order_6_7_changes_within_40_ms_carry_no_order() {
    for (gap, alerts) in [(30, &[][..]), (400, &["removal-out-of-order 1 white accepted"][..])] {
        Table::of(International, THREE)
            .hand("42x33x22x11")
            .after(500)
            .lift(28)
            .after(gap)
            .lift(38)
            .off(&[17])
            .after(500)
            .press(White)
            .after(1500)
            .black("5-10")
            .expect("42x11*17,28,38 5-10", alerts);
    }
}

#[test]
fn removal_out_of_order_6_7_two_at_a_time() {
    Table::of(International, RING_AND_TAIL)
        .hand("33x22x13x24x33x44")
        .after(500)
        .lift(18)
        .after(25)
        .lift(28)
        .after(600)
        .lift(29)
        .after(30)
        .lift(19)
        .after(500)
        .lift(39)
        .after(500)
        .press(White)
        .black("5-10")
        .silent("33x44*18,19,28,29,39 5-10");
}

#[test]
fn removal_out_of_order_6_7_may_accompany_a_pause() {
    Table::of(International, THREE)
        .hand("42x33x22x11*28,38")
        .after(10_500)
        .lift(17)
        .after(500)
        .press(White)
        .black("5-10")
        .expect(
            "42x11*17,28,38 5-10",
            &["removal-interrupted 1 white accepted", "removal-out-of-order 1 white accepted"],
        );
}

#[test]
fn removal_out_of_order_6_7_by_black_on_64_squares() {
    // Black's 3x10x19x26 takes 7, 15 and 23.
    for variant in [Brazilian, Russian] {
        Table::of(variant, "B:W7,15,23,29:B3,1")
            .hand("3x10x19x26*15,7,23")
            .after(500)
            .press(Black)
            .after(1500)
            .white("29-25")
            .expect("3x26*7,15,23 29-25", &["removal-out-of-order 1 black accepted"])
            .article("CN64 6.5, 6.6, 6.11");
    }
}
