//! Irregular acts one after another, on top of each other, and next to what is regular.

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};
use draughtsd_core::trace::Crowning::{Reserve, Stack};
use draughtsd_core::trace::{ArbiterInput, Button, Decision, GameResult};

use crate::table::Table;

fn table() -> Table {
    Table::start(International)
}

fn one_to_take() -> Table {
    table().white("32-28").black("19-23")
}

/// 32x23x12 takes two.
const TWO: &str = "W:W32,37:B10,18,28";

/// A ring of four round 33.
const RING: &str = "W:W33,50:B5,18,19,28,29";

#[test]
fn both_sides_move_against_the_rules() {
    table()
        .white("32-26")
        .after(1500)
        .black("20-30")
        .after(1500)
        .white("35x24*30")
        .expect("32-26 20-30 35x24*30", &["illegal-move 1 white accepted", "illegal-move 2 black accepted"]);
}

#[test]
fn both_sides_touch() {
    table()
        .lift_for(33, 900)
        .white("32-28")
        .lift_for(19, 900)
        .black("20-25")
        .white("31-27")
        .expect("32-28 20-25 31-27", &["touch-move 1 white accepted", "touch-move 2 black accepted"]);
    Table::start(Russian)
        .white("22-18")
        .lift_for(11, 800)
        .black("9-13")
        .white("18-14")
        .after(500)
        .black("10x17*14")
        .expect("22-18 9-13 18-14 10x17*14", &["touch-move 2 black accepted"]);
}

#[test]
fn two_pieces_touched_are_two_acts() {
    table()
        .lift_for(33, 800)
        .after(500)
        .lift_for(34, 800)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"; 2]);
    table()
        .lift_for(19, 900)
        .after(700)
        .lift_for(18, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 1 none accepted"; 2]);
}

#[test]
fn a_capture_is_missed_twice_before_it_is_made() {
    one_to_take()
        .white("34-30")
        .after(1500)
        .carry(30, 34)
        .white("33-29")
        .after(1500)
        .carry(29, 33)
        .white("28x19*23")
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["capture-missed 3 white corrected"; 2]);
}

#[test]
fn a_capture_missed_and_put_right_without_a_press() {
    one_to_take()
        .hand("34-30")
        .after(2500)
        .carry(30, 34)
        .white("28x19*23")
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["capture-missed 3 white corrected"]);
    // Put right before the hand counts as off, it was nothing but a touch of a piece that cannot move.
    one_to_take()
        .hand("34-30")
        .after(700)
        .carry(30, 34)
        .white("28x19*23")
        .black("14x23*19")
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn a_capture_missed_and_then_taken_from() {
    one_to_take().hand("34-30").after(2000).black("23x32*28").white("37x28*32").expect(
        "32-28 19-23 34-30 23x32*28 37x28*32",
        &["capture-missed 3 white accepted", "press-forgotten 4 white open"],
    );
}

#[test]
fn a_touched_piece_that_the_compulsion_forbids_to_move() {
    one_to_take()
        .lift_for(33, 900)
        .white("28x19*23")
        .black("14x23*19")
        .silent("32-28 19-23 28x19*23 14x23*19");
}

#[test]
fn a_move_given_up_before_the_hand_was_off_is_a_touch() {
    table()
        .hand("32-28")
        .after(700)
        .carry(28, 32)
        .after(800)
        .white("33-29")
        .black("20-25")
        .expect("33-29 20-25", &["touch-move 1 white accepted"]);
    table()
        .after(1000)
        .lift(32)
        .after(400)
        .place_for(27, 1000)
        .after(400)
        .place(32)
        .white("33-29")
        .black("20-25")
        .expect("33-29 20-25", &["touch-move 1 white accepted"]);
}

#[test]
fn a_disc_held_long_or_put_back_often_and_then_moved() {
    table()
        .after(1000)
        .lift(32)
        .after(25_000)
        .place(28)
        .after(500)
        .press(White)
        .black("20-25")
        .silent("32-28 20-25");
    table()
        .lift_for(32, 800)
        .after(500)
        .lift_for(32, 1500)
        .after(500)
        .lift_for(32, 4000)
        .white("32-27")
        .black("20-25")
        .silent("32-27 20-25");
}

#[test]
fn a_capture_taken_back_whatever_comes_first() {
    one_to_take()
        .white("28x19*23")
        .after(900)
        .place(23)
        .after(700)
        .carry(19, 28)
        .after(2500)
        .white("28x19*23")
        .black("13x24*19")
        .expect("32-28 19-23 28x19*23 13x24*19", &["took-back 3 white corrected"]);
}

#[test]
fn an_illegal_move_accepted_many_moves_ago() {
    let mut table = table().white("32-26").after(1500).black("20-25");
    for (white, black) in [("31-27", "15-20"), ("37-31", "10-15"), ("41-37", "5-10")] {
        table = table.white(white).black(black);
    }
    table.expect("32-26 20-25 31-27 15-20 37-31 10-15 41-37 5-10", &["illegal-move 1 white accepted"]);
}

#[test]
fn a_man_moved_backwards() {
    let table = || table().white("32-28").black("20-25").white("28-32").after(1500);
    table().black("15-20").expect("32-28 20-25 28-32 15-20", &["illegal-move 3 white accepted"]);
    table()
        .carry(32, 28)
        .white("31-27")
        .black("15-20")
        .expect("32-28 20-25 31-27 15-20", &["illegal-move 3 white corrected"]);
}

#[test]
fn the_wrong_disc_taken_off() {
    // 18 instead of 23: never put right, and put right in time for 23.
    one_to_take().hand("28x19*18").after(400).press(White).after(5000).black("13x24*19").expect(
        "32-28 19-23 28x19*18 13x24*19",
        &["left-captured-piece 3 white accepted", "removed-unjumped-piece 3 white accepted"],
    );
    one_to_take()
        .hand("28x19*18")
        .after(400)
        .press(White)
        .after(2000)
        .place(18)
        .after(400)
        .lift(23)
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["removed-unjumped-piece 3 white corrected"]);
}

#[test]
fn a_capture_left_and_undone_slowly() {
    Table::of(International, TWO)
        .white("32x23*28")
        .after(1500)
        .carry(23, 32)
        .after(4000)
        .place(28)
        .white("32x23x12*28,18")
        .black("10-14")
        .expect("32x12*18,28 10-14", &["capture-stopped-short 1 white corrected"]);
}

#[test]
fn a_wrong_count_put_right_on_64_squares() {
    Table::of(Brazilian, "W:W21,22,23,25,27:B4,11,17,18")
        .white("21x14*17")
        .after(1500)
        .carry(14, 21)
        .after(700)
        .place(17)
        .white("22x15x8*18,11")
        .after(1500)
        .black("4x11*8")
        .expect("22x8*11,18 4x11*8", &["wrong-capture-count 1 white corrected"]);
}

#[test]
fn a_capture_all_round_ends_where_it_began() {
    Table::of(International, RING)
        .white("33x22x13x24x33*28,18,19,29")
        .black("5-10")
        .silent("33x33*18,19,28,29 5-10");
    // Carried in one go, only the removals tell that it was no touch.
    Table::of(International, RING)
        .after(1000)
        .lift_for(33, 1500)
        .off(&[28, 18, 19, 29])
        .after(400)
        .press(White)
        .black("5-10")
        .silent("33x33*18,19,28,29 5-10");
    Table::of(International, RING)
        .white("33x22x13*28,18")
        .after(1500)
        .black("19x8*13")
        .expect("33x13*18,28 19x8*13", &["capture-stopped-short 1 white accepted"]);
}

#[test]
fn a_king_slides_over_its_victim() {
    let mut table = Table::of(International, "W:WK46,50:B6,19").after(1000).lift(46);
    for number in [41, 37, 32, 28, 23, 14] {
        table = table.after(20).place(number).after(70).lift(number);
    }
    table.after(30).place(10).off(&[19]).after(400).press(White).black("6-11").silent("46x10*19 6-11");
}

#[test]
fn discs_missing_for_good_or_put_back_by_the_other_player() {
    let brushed = |number: u8| {
        table()
            .after(1000)
            .lift(32)
            .after(300)
            .lift(number)
            .after(300)
            .place(28)
            .after(600)
            .press(White)
            .after(4000)
    };
    brushed(19).place(19).black("20-25").expect("32-28 20-25", &["piece-missing 1 none corrected"]);
    brushed(37).black("20-25").white("31-27").expect("32-28 20-25 31-27", &["piece-missing 1 none open"]);
}

#[test]
fn a_stack_moved_with_both_its_discs() {
    Table::of(International, "W:WK2,50:B15,26")
        .crowning(Stack)
        .after(1000)
        .unstack(2)
        .after(15)
        .lift(2)
        .after(600)
        .place(24)
        .after(500)
        .press(White)
        .black("26-31")
        .white("24-2")
        .after(30)
        .stack(2)
        .black("31-36")
        .silent("2-24 26-31 24-2 31-36");
}

#[test]
fn a_stack_contact_that_bounces_and_drops_out() {
    Table::of(International, "W:W7,50:B15,26")
        .crowning(Stack)
        .white("7-2")
        .after(500)
        .stack(2)
        .after(30)
        .unstack(2)
        .after(100)
        .stack(2)
        .black("26-31")
        .after(800)
        .unstack(2)
        .after(200)
        .stack(2)
        .white("50-45")
        .silent("7-2 26-31 50-45");
}

#[test]
fn the_opponent_crowns_on_his_turn() {
    Table::of(International, "W:W7,50:B15,26")
        .crowning(Reserve)
        .white("7-2")
        .after(500)
        .spare(White)
        .after(300)
        .lift_for(2, 500)
        .black("26-31")
        .silent("7-2 26-31");
}

#[test]
fn black_adjusts_on_his_turn() {
    table()
        .white("32-28")
        .after(400)
        .adjust(Black)
        .after(400)
        .lift_for(19, 900)
        .after(300)
        .lift_for(14, 900)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn the_other_players_button_pressed_first() {
    // White's clock runs until White presses: Black's press is no act.
    table()
        .hand("32-28")
        .after(400)
        .press(Black)
        .after(500)
        .press(White)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn alerts_when_the_game_ends() {
    table()
        .white("32-26")
        .after(2000)
        .result(GameResult::BlackWins)
        .expect("32-26", &["illegal-move 1 white open"]);
    let reading = table()
        .white("32-28")
        .after(500)
        .lift(20)
        .after(500)
        .button(Button::Resign, Black)
        .after(500)
        .place(20)
        .read();
    assert_eq!(reading.summary.result, GameResult::WhiteWins);
    assert_eq!(reading.summary.alerts, []);
}

#[test]
fn the_arbiter_sets_the_position() {
    // White is to move again.
    let white = (31..=50).filter(|&number| number != 32).map(|number| number.to_string());
    let black = (1..=20).map(|number| number.to_string());
    let fen =
        format!("W:W28,{}:B{}", white.collect::<Vec<_>>().join(","), black.collect::<Vec<_>>().join(","));
    let reading = table()
        .white("32-28")
        .after(1000)
        .arbiter(ArbiterInput::Position(fen))
        .white("31-27")
        .black("20-25")
        .read();
    let moves: Vec<&str> = reading.summary.moves.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(moves, ["32-28", "31-27", "20-25"]);
    assert_eq!(reading.summary.alerts, []);
}

#[test]
fn a_capture_out_of_turn() {
    Table::of(International, "W:W28,38,50:B5,14,19")
        .white("50-45")
        .black("14-20")
        .after(500)
        .hand("19-23")
        .after(1500)
        .white("28x19*23")
        .expect("50-45 14-20 19-23 28x19*23", &["moved-twice 3 black accepted"]);
}

#[test]
fn a_capture_missed_by_a_promotion() {
    Table::of(International, "W:W7,33,50:B15,16,28")
        .white("7-2")
        .after(1500)
        .black("28x39*33")
        .expect("7-2 28x39*33", &["capture-missed 1 white accepted"])
        .fen("W:WK2,50:B15,16,39");
}

#[test]
fn a_promotion_taken_back() {
    Table::of(International, "W:W7,50:B15,26")
        .crowning(Stack)
        .hand("7-2")
        .after(500)
        .stack(2)
        .after(500)
        .press(White)
        .after(800)
        .unstack(2)
        .after(20)
        .lift(2)
        .after(600)
        .place(7)
        .after(2000)
        .white("50-45")
        .black("26-31")
        .expect("50-45 26-31", &["took-back 1 white accepted"]);
}

/// 42x33x22x11 takes three.
const THREE: &str = "W:W42,50:B5,17,28,38";

#[test]
fn one_capture_is_one_act_however_often_it_is_handled_wrongly() {
    Table::of(International, THREE)
        .after(1000)
        .carry(42, 33)
        .after(300)
        .lift(38)
        .after(400)
        .carry(33, 22)
        .after(300)
        .lift(28)
        .after(400)
        .carry(22, 11)
        .off(&[17])
        .after(400)
        .press(White)
        .after(1500)
        .black("5-10")
        .expect("42x11*17,28,38 5-10", &["removed-too-early 1 white accepted"]);
    Table::of(International, THREE)
        .hand("42x33x22x11*38")
        .after(11_000)
        .lift(28)
        .after(12_000)
        .lift(17)
        .after(500)
        .press(White)
        .black("5-10")
        .expect("42x11*17,28,38 5-10", &["removal-interrupted 1 white accepted"]);
}

#[test]
fn captured_discs_that_come_off_all_at_once() {
    for press_first in [false, true] {
        let mut table = Table::of(International, THREE).hand("42x33x22x11").after(500);
        if press_first {
            table = table.press(White).after(500);
        }
        table = table.lift(38).lift(28).lift(17).after(500);
        if !press_first {
            table = table.press(White);
        }
        table.black("5-10").silent("42x11*17,28,38 5-10");
    }
}

#[test]
fn nobody_presses_without_a_clock() {
    let mut quick = table().without_clock().after(1000);
    for (from, to) in [(32, 28), (20, 25), (31, 27), (15, 20), (37, 31), (10, 15)] {
        quick = quick.after(150).lift(from).after(330).place(to);
    }
    quick.silent("32-28 20-25 31-27 15-20 37-31 10-15");
    table()
        .without_clock()
        .hand("32-28")
        .after(2000)
        .hand("31-27")
        .after(2000)
        .hand("20-25")
        .after(2000)
        .expect("32-28 31-27 20-25", &["moved-twice 2 white accepted"]);
}

#[test]
fn a_king_moved_against_the_rules() {
    Table::of(International, "W:WK46,50:B6,16")
        .white("46-36")
        .after(1500)
        .black("16-21")
        .expect("46-36 16-21", &["illegal-move 1 white accepted"]);
}

#[test]
fn a_king_let_go_on_its_way() {
    Table::of(International, "W:WK46,50:B6,16")
        .after(500)
        .lift(46)
        .after(400)
        .place_for(37, 1700)
        .after(400)
        .place(23)
        .after(500)
        .press(White)
        .after(1500)
        .black("16-21")
        .expect("46-37 37-23 16-21", &["moved-twice 2 white accepted"]);
}

#[test]
fn an_enemy_disc_taken_off_with_a_quiet_move() {
    table()
        .hand("32-28")
        .after(600)
        .lift(18)
        .after(500)
        .press(White)
        .after(4000)
        .place(18)
        .black("20-25")
        .expect("32-28 20-25", &["piece-missing 1 none corrected"]);
}

#[test]
fn the_next_disc_is_up_before_the_opponents_is_down() {
    table()
        .white("32-28")
        .after(600)
        .lift(20)
        .after(300)
        .lift(31)
        .after(200)
        .place(25)
        .after(200)
        .press(Black)
        .after(300)
        .place(27)
        .after(300)
        .press(White)
        .silent("32-28 20-25 31-27");
}

#[test]
fn discs_of_both_colours_lifted_or_two_at_once() {
    table()
        .lift_for(33, 900)
        .after(500)
        .lift_for(19, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted", "unexplained-lift 1 none accepted"]);
    table()
        .after(500)
        .lift(33)
        .after(300)
        .lift(34)
        .after(500)
        .place(33)
        .after(300)
        .place(34)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"; 2]);
}

#[test]
fn a_captured_disc_given_to_its_well_and_a_spare_one_taken() {
    Table::of(International, "W:W12,50:B8,15,26")
        .crowning(Reserve)
        .hand("12x3*8")
        .after(600)
        .give_back(Black)
        .after(300)
        .spare(White)
        .after(500)
        .press(White)
        .black("26-31")
        .white("3-9")
        .black("31-36")
        .silent("12x3*8 26-31 3-9 31-36");
}

#[test]
fn a_capture_left_with_nothing_removed() {
    Table::of(International, TWO)
        .white("32x23")
        .after(2000)
        .black("18x29*23")
        .expect("32-23 18x29*23", &["capture-stopped-short 1 white accepted"]);
}

#[test]
fn a_press_just_after_the_reply_came_to_rest() {
    let reading = Table::of(International, TWO)
        .hand("32x23x12*28")
        .after(100)
        .lift(10)
        .after(400)
        .place(14)
        .after(100)
        .lift(18)
        .after(200)
        .press(White)
        .after(300)
        .press(Black)
        .read();
    let codes: Vec<&str> = reading.summary.alerts.iter().map(|alert| alert.code.name()).collect();
    assert!(codes.iter().all(|&code| code == "press-forgotten"), "{codes:?}");
}

#[test]
fn a_disc_left_standing_is_captured_later() {
    Table::of(International, "W:W32,33,39:B10,18,28")
        .hand("32x23x12*18")
        .after(400)
        .press(White)
        .after(4000)
        .black("10-14")
        .white("33x22*28")
        .expect("32x12*18 10-14 33x22*28", &["left-captured-piece 1 white accepted"]);
}

#[test]
fn a_touch_and_then_an_illegal_move() {
    table()
        .lift_for(33, 900)
        .white("32-26")
        .after(1500)
        .black("20-25")
        .expect("32-26 20-25", &["illegal-move 1 white accepted", "touch-move 1 white accepted"]);
}

#[test]
fn a_disc_of_the_opponent_lifted_before_a_capture() {
    // One that has nothing to do with it, and the very one that is then captured.
    for number in [14, 23] {
        one_to_take()
            .after(500)
            .lift_for(number, 900)
            .white("28x19*23")
            .black("14x23*19")
            .expect("32-28 19-23 28x19*23 14x23*19", &["unexplained-lift 3 none accepted"]);
    }
}

#[test]
fn a_move_not_pressed_is_taken_back() {
    table()
        .white("32-28")
        .hand("20-25")
        .after(1700)
        .carry(25, 20)
        .after(1700)
        .black("20-24")
        .white("31-27")
        .expect("32-28 20-24 31-27", &["took-back 2 black accepted"]);
}

#[test]
fn the_arbiter_has_a_move_put_right() {
    table()
        .white("32-26")
        .after(1800)
        .rule("1-illegal-move-1", Decision::Corrected)
        .after(2000)
        .carry(26, 32)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["illegal-move 1 white ruled"]);
}

#[test]
fn discs_lifted_while_the_game_is_paused() {
    table()
        .white("32-28")
        .black("20-25")
        .arbiter(ArbiterInput::Pause)
        .after(5000)
        .lift_for(33, 900)
        .after(3000)
        .arbiter(ArbiterInput::Resume)
        .white("31-27")
        .black("15-20")
        .silent("32-28 20-25 31-27 15-20");
}

#[test]
fn captures_blow_by_blow_on_the_small_boards() {
    for variant in [Brazilian, Russian] {
        let moves = "22-18 11-15 18x11*15 8x15*11 24-20 15-18 23x14*18 9x18*14 21-17".split(' ');
        let mut table = Table::start(variant);
        for (ply, mv) in moves.clone().enumerate() {
            table = if ply % 2 == 0 { table.white(mv) } else { table.black(mv) };
        }
        table.silent(&moves.collect::<Vec<_>>().join(" "));
    }
}

#[test]
fn a_capture_that_goes_round_over_its_target_is_one_capture() {
    // 16x23 over 19, round, and over 18, 17, 25 and 26 to 23 again; 19 is taken off at the first halt on 23.
    let circle = "B:W17,18,19,22,24,25,26,27,28,29,31,32:B2,3,4,5,6,7,8,9,10,12,13,16";
    Table::of(Brazilian, circle)
        .after(1000)
        .lift(16)
        .after(430)
        .place(23)
        .after(410)
        .lift(19)
        .after(390)
        .lift(23)
        .after(1430)
        .place(23)
        .off(&[18, 17, 25, 26])
        .after(400)
        .press(Black)
        .white("27x18*23")
        .expect("16x23*17,18,19,25,26 27x18*23", &["removed-too-early 1 black accepted"]);
}

#[test]
fn discs_in_the_air_for_long_after_a_sleeve_are_still_one_disturbance() {
    let mut table = Table::start(Russian).after(3000).lift(22);
    table =
        table.after(95).lift(25).after(66).lift(30).after(26).place(18).after(12).lift(24).after(7).lift(12);
    table = table.after(7700).lift(18).after(640).place(12).after(870).place(24).after(850).place(30);
    table
        .after(1340)
        .place(22)
        .after(1240)
        .place(25)
        .after(3000)
        .white("21-17")
        .black("9-13")
        .expect("21-17 9-13", &["board-disturbed 1 none corrected"]);
}

#[test]
fn a_disc_left_standing_may_be_captured_by_the_next_move_but_one() {
    // Black leaves 28 standing, which White accepts; then the king takes it on its way back.
    Table::of(International, "B:W28,50:BK41,26")
        .hand("41x10")
        .after(400)
        .press(Black)
        .after(1000)
        .carry(50, 45)
        .after(400)
        .press(White)
        .after(600)
        .carry(10, 41)
        .after(560)
        .lift(28)
        .after(400)
        .press(Black)
        .expect("41-10 50-45 10x41*28", &["left-captured-piece 1 black accepted"]);
}

#[test]
fn a_man_captures_as_only_a_king_may() {
    Table::of(International, "W:W32,50:B10,23")
        .white("32x19*23")
        .after(1500)
        .black("10-15")
        .expect("32x19*23 10-15", &["illegal-move 1 white accepted"]);
}

#[test]
fn an_act_that_was_put_right_is_not_forgotten_when_two_contacts_change_at_once() {
    table()
        .white("31-27")
        .black("20-25")
        .hand("16-26")
        .after(300)
        .press(White)
        .after(4000)
        .carry(26, 16)
        .white("33-29")
        .after(900)
        .lift(19)
        .place(23)
        .after(300)
        .press(Black)
        .expect("31-27 20-25 33-29 19-23", &["moved-opponent-piece 3 white corrected"]);
}

#[test]
fn whoever_presses_has_let_go_though_the_opponent_forgot_to_press() {
    table()
        .white("32-28")
        .hand("20-25")
        .white("31-27")
        .after(700)
        .carry(27, 22)
        .after(3500)
        .carry(22, 27)
        .black("15-20")
        .expect(
            "32-28 20-25 31-27 15-20",
            &["moved-twice 4 white corrected", "press-forgotten 3 black open"],
        );
}

#[test]
fn a_wrong_count_of_five_set_down_on_each_square() {
    Table::of(International, "B:W16,19,21,29,31,32,33,34,35,42,43:B7,11,17,18,22,25")
        .black("17x26x37x28x39x30*34,33,32,31,21")
        .after(1500)
        .white("35x24*30")
        .expect("17x30*21,31,32,33,34 35x24*30", &["wrong-capture-count 1 black accepted"]);
}

#[test]
fn a_quiet_move_of_a_king_that_is_put_right_was_no_capture() {
    // The king could have taken three on its way to 9.
    Table::of(Russian, "W:WK1,K2,5,20:B8,10,11,K14,19")
        .white("2-9")
        .after(2000)
        .carry(9, 2)
        .after(3300)
        .carry(2, 9)
        .off(&[14, 19, 11])
        .after(400)
        .press(White)
        .black("10-15")
        .expect("2x9*11,14,19 10-15", &["capture-missed 1 white corrected"]);
}

#[test]
fn a_removal_that_was_put_back_begins_no_pause() {
    Table::of(Brazilian, "B:W9,16,24:B5,11")
        .hand("11x20*16")
        .after(4000)
        .lift(20)
        .after(600)
        .place(11)
        .after(500)
        .place(16)
        .after(5500)
        .black("11x27*16,24")
        .white("9-6")
        .expect("11x27*16,24 9-6", &["capture-stopped-short 1 black corrected"]);
}

#[test]
fn a_disc_taken_off_with_the_capture_has_not_gone_astray() {
    // With 33 gone Black has to take 28, and does not.
    Table::of(International, "W:W26,28,33,40:B6,11,21,22,32")
        .hand("28x17*22")
        .after(800)
        .lift(33)
        .after(400)
        .press(White)
        .after(1000)
        .black("11x22*17")
        .expect("28x17*22,33 11x22*17", &["removed-own-piece 1 white accepted"]);
}

#[test]
fn a_touch_after_a_take_back() {
    table()
        .white("32-28")
        .black("20-25")
        .white("31-27")
        .after(600)
        .carry(27, 31)
        .after(2000)
        .lift_for(33, 900)
        .white("37-32")
        .black("15-20")
        .expect("32-28 20-25 37-32 15-20", &["took-back 3 white accepted", "touch-move 3 white accepted"]);
}

#[test]
fn a_touch_after_an_act_that_was_put_right() {
    table()
        .hand("20-30")
        .after(2500)
        .carry(30, 20)
        .after(800)
        .lift_for(33, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["moved-opponent-piece 1 white corrected", "touch-move 1 white accepted"]);
}

#[test]
fn the_wrong_disc_taken_off_and_put_right_too_late_for_the_other() {
    one_to_take()
        .hand("28x19*18")
        .after(400)
        .press(White)
        .after(2500)
        .place(18)
        .after(700)
        .lift(23)
        .black("14x23*19")
        .expect(
            "32-28 19-23 28x19*23 14x23*19",
            &["left-captured-piece 3 white corrected", "removed-unjumped-piece 3 white corrected"],
        );
}

#[test]
fn a_capture_that_went_on_begins_its_removals_anew() {
    Table::of(International, TWO)
        .lift(32)
        .after(400)
        .place(23)
        .after(3000)
        .lift(28)
        .after(8500)
        .lift(23)
        .after(800)
        .place(12)
        .after(1500)
        .lift(18)
        .after(400)
        .press(White)
        .black("10-15")
        .expect("32x12*18,28 10-15", &["capture-stopped-short 1 white corrected"]);
}

#[test]
fn a_king_that_only_passed_a_square_moves_there_in_a_second_move() {
    Table::of(Brazilian, "B:WK12,22:BK9,13")
        .lift(9)
        .after(400)
        .place(23)
        .after(650)
        .lift(23)
        .after(600)
        .place(5)
        .after(500)
        .press(Black)
        .after(2500)
        .carry(5, 23)
        .after(4000)
        .white("12x30*23")
        .expect("9-5 5-23 12x30*23", &["moved-twice 2 black accepted"]);
}

#[test]
fn a_press_in_the_air_between_two_jumps_leaves_no_disc_behind() {
    Table::of(Brazilian, "B:WK2,K5,15,27,29,30:B6,K12,25,K31")
        .lift(31)
        .after(750)
        .place(24)
        .after(800)
        .lift(24)
        .after(500)
        .press(Black)
        .after(400)
        .place(10)
        .off(&[15, 27])
        .after(2000)
        .white("29x22*25")
        .expect("31x10*15,27 29x22*25", &["clock-pressed-early 1 black accepted"]);
}

#[test]
fn a_piece_touched_before_an_act_that_was_put_right_binds_once() {
    let touched = || {
        table().lift_for(33, 900).after(800).hand("34-24").after(400).press(White).after(2500).carry(24, 34)
    };
    touched()
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted", "illegal-move 1 white corrected"]);
    touched()
        .white("33-28")
        .black("20-25")
        .expect("33-28 20-25", &["touch-move 1 white corrected", "illegal-move 1 white corrected"]);
}

#[test]
fn adjusting_excuses_no_earlier_touch() {
    table()
        .lift_for(33, 900)
        .after(1000)
        .adjust(White)
        .after(500)
        .lift_for(33, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"]);
}

#[test]
fn what_is_wrong_with_the_last_capture_of_a_game_is_told() {
    Table::of(International, "W:W32,50:B28")
        .hand("32x23")
        .after(400)
        .press(White)
        .after(5000)
        .lift(28)
        .after(4000)
        .expect("32x23*28", &["left-captured-piece 1 white corrected"]);
    Table::of(International, "W:W32,50:B28")
        .without_clock()
        .hand("32x23*28")
        .off(&[50])
        .after(8000)
        .place(50)
        .expect("32x23*28", &["removed-own-piece 1 white corrected"]);
}
