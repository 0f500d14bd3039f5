//! What went wrong on other people's boards: field reports on electronic boards, as tests. The numbers are those
//! of `docs/field-reports.md`, which also says which reports other tests answer, and which do not apply.

mod table;

use draughtsd_core::event::{EventBody, MoveStatus};
use draughtsd_core::piece::PieceKind;
use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::International;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{ArbiterInput, Crowning, GameResult};
use table::{Reading, Table};

fn table() -> Table {
    Table::start(International)
}

/// White's king on 46 sees the whole of its diagonal.
fn king() -> Table {
    Table::of(International, "W:WK46,50:B6,16")
}

/// 32x23x12 takes two.
fn two() -> Table {
    Table::of(International, "W:W32,37:B10,18,28")
}

impl Reading {
    /// The moves that were told as final, in the order in which they were told.
    fn finals(&self) -> Vec<String> {
        let told = self.events.iter().filter_map(|event| match &event.body {
            EventBody::Move { status: MoveStatus::Final, record, .. } => Some(record.text.clone()),
            _ => None,
        });
        told.collect()
    }

    /// How often anything was told of a move, withdrawals included.
    fn tellings(&self) -> usize {
        let of_moves =
            |body: &EventBody| matches!(body, EventBody::Move { .. } | EventBody::Withdrawn { .. });
        self.events.iter().filter(|event| of_moves(&event.body)).count()
    }
}

#[test]
fn report_01_a_slid_piece_is_one_move() {
    let mut table = king().after(500).lift(46);
    for number in [41, 37, 32, 28] {
        table = table.after(20).place(number).after(80).lift(number);
    }
    let reading = table.after(20).place(23).after(500).press(White).silent("46-23");
    assert_eq!(reading.finals(), ["46-23"]);
}

#[test]
fn report_02_a_slow_slide_is_not_booked_short() {
    // Every square on the way is a legal move by itself.
    let reading = king()
        .after(500)
        .lift(46)
        .after(300)
        .place_for(41, 900)
        .after(200)
        .place_for(32, 1300)
        .after(200)
        .place(23)
        .after(500)
        .press(White)
        .silent("46-23");
    assert_eq!(reading.finals(), ["46-23"]);
}

#[test]
fn report_03_a_man_carried_on_has_not_moved_twice() {
    let reading = table()
        .hand("32-27")
        .after(1200)
        .carry(27, 28)
        .after(500)
        .press(White)
        .black("20-25")
        .silent("32-28 20-25");
    assert_eq!(reading.finals(), ["32-28", "20-25"]);
}

#[test]
fn report_04_a_reply_within_400_ms_is_seen() {
    table()
        .after(1000)
        .lift(32)
        .after(300)
        .place(28)
        .after(30)
        .press(White)
        .after(20)
        .lift(20)
        .after(250)
        .place(25)
        .after(60)
        .press(Black)
        .silent("32-28 20-25");
}

#[test]
fn report_05_quick_repetition_is_no_take_back() {
    let mut table = Table::of(International, "W:WK50:BK6").after(1000);
    let mut read = Vec::new();
    for number in 0..4 {
        let (white, black) = if number % 2 == 0 { ((50, 45), (6, 1)) } else { ((45, 50), (1, 6)) };
        for ((from, to), side) in [(white, White), (black, Black)] {
            table = table.lift(from).after(420).place(to).after(200).press(side).after(150);
            read.push(format!("{from}-{to}"));
        }
    }
    table.silent(&read.join(" "));
}

#[test]
fn report_06_pieces_in_the_hand_are_no_moves() {
    let reading = table().after(1000).lift(32).after(700).lift(20).after(4000).end().read();
    assert_eq!(reading.summary.moves, []);
    assert_eq!(reading.tellings(), 0);
}

#[test]
fn report_07_a_piece_first_on_the_wrong_square_replaces_the_move() {
    let reading = table().hand("32-27").after(1000).carry(27, 28).after(500).press(White).silent("32-28");
    assert_eq!(reading.summary.moves.len(), 1);
    assert_eq!(reading.finals(), ["32-28"]);
}

#[test]
fn report_08_a_victim_may_come_off_at_any_time() {
    let prelude = || table().white("32-28").black("19-23").after(1000);
    let read = "32-28 19-23 28x19*23";
    let early = ["removed-too-early 3 white open"];
    let orders: [(Table, &[&str]); 3] = [
        (prelude().lift(23).after(600).lift(28).after(600).place(19), &early),
        (prelude().lift(28).after(600).lift(23).after(600).place(19), &early),
        (prelude().lift(28).after(600).place(19).after(600).lift(23), &[]),
    ];
    for (table, alerts) in orders {
        table.after(500).press(White).expect(read, alerts);
    }
}

#[test]
fn report_09_the_arbiter_hears_of_a_wrong_square_though_it_was_put_right() {
    table()
        .white("32-26")
        .after(1500)
        .carry(26, 32)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["illegal-move 1 white corrected"]);
}

#[test]
fn report_10_half_way_squares_and_standing_victims_are_no_illegal_acts() {
    two()
        .hand("32x23x12")
        .after(2500)
        .off(&[28, 18])
        .after(400)
        .press(White)
        .black("10-14")
        .silent("32x12*18,28 10-14");
}

#[test]
fn report_11_the_squares_between_jumps_may_be_touched_or_not() {
    for mv in ["32x12*28,18", "32x23x12*28,18"] {
        two().white(mv).silent("32x12*18,28");
    }
}

#[test]
fn report_12_the_discs_that_vanish_decide_between_two_routes() {
    let fen = "W:W43,50:B5,8,9,18,28,29,38,39";
    let left = ("43x32x23x12x3x14*38,28,18,8,9", "43x14*8,9,18,28,38");
    let right = ("43x34x23x12x3x14*39,29,18,8,9", "43x14*8,9,18,29,39");
    for (mv, read) in [left, right] {
        let reading = Table::of(International, fen).white(mv).silent(read);
        let text = &reading.summary.moves[0].text;
        assert!(text.len() > "43x14".len(), "ambiguous: {text}");
    }
    // Carried in one go, only the removals tell.
    Table::of(International, fen).white("43x14*39,29,18,8,9").silent("43x14*8,9,18,29,39");
}

#[test]
fn report_13_a_promotion_needs_no_sensor() {
    let reading = Table::of(International, "W:W7,50:B15,26")
        .crowning(Crowning::None)
        .white("7-2")
        .black("26-31")
        .white("2-19")
        .silent("7-2 26-31 2-19");
    let piece = Square::new(19).and_then(|square| reading.position().piece_at(square));
    assert_eq!(piece.map(|piece| piece.kind), Some(PieceKind::King));
}

#[test]
fn report_14_a_fast_capture_is_not_recorded_half() {
    let mut table = Table::of(International, "W:W42,50:B5,17,28,38").after(1000).lift(42);
    for number in [33, 22] {
        table = table.after(150).place(number).after(150).lift(number);
    }
    table
        .after(150)
        .place(11)
        .after(100)
        .lift(38)
        .after(150)
        .lift(28)
        .after(150)
        .lift(17)
        .after(150)
        .press(White)
        .silent("42x11*17,28,38");
}

#[test]
fn report_15_a_move_run_backwards_is_a_take_back() {
    table().white("32-28").after(700).carry(28, 32).after(2500).expect("", &["took-back 1 white open"]);
}

#[test]
fn report_16_the_board_goes_on_after_a_take_back() {
    table()
        .white("32-28")
        .black("20-25")
        .after(700)
        .carry(25, 20)
        .after(2500)
        .black("19-23")
        .white("28x19*23")
        .black("14x23*19")
        .expect("32-28 19-23 28x19*23 14x23*19", &["took-back 2 black accepted"]);
}

#[test]
fn report_17_several_take_backs_leave_record_and_board_together() {
    let mut table = table();
    for to in [28, 27, 28] {
        table = table.white(&format!("32-{to}")).after(800).carry(to, 32).after(2200);
    }
    let reading = table.white("33-29").black("20-25").read();
    let moves: Vec<&str> = reading.summary.moves.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(moves, ["33-29", "20-25"]);
    assert!(reading.summary.alerts.iter().all(|alert| alert.code.name() == "took-back"));
    assert_eq!(reading.summary.alerts.len(), 3);
}

#[test]
fn report_18_a_move_taken_back_is_not_in_the_record() {
    let reading = table().white("32-28").after(800).carry(28, 32).after(2200).white("33-29").read();
    assert_eq!(reading.summary.moves.len(), 1);
    assert_eq!(reading.summary.moves[0].text, "33-29");
}

#[test]
fn report_19_hands_on_the_board_after_the_result_are_no_game() {
    let played = || table().white("32-28").black("20-25").after(1000).result(GameResult::Draw);
    let reading = played()
        .white("31-27")
        .after(500)
        .carry(5, 23)
        .after(900)
        .carry(50, 24)
        .after(4000)
        .silent("32-28 20-25");
    assert_eq!(reading.summary.result, GameResult::Draw);
}

#[test]
fn report_20_a_result_entered_again_counts() {
    let reading = table()
        .white("32-28")
        .after(1000)
        .result(GameResult::Draw)
        .after(3000)
        .result(GameResult::WhiteWins)
        .silent("32-28");
    assert_eq!(reading.summary.result, GameResult::WhiteWins);
}

#[test]
fn report_21_a_game_may_start_from_any_position() {
    Table::of(International, "B:W28,33,41:B12,18,K40").black("18-22").read();
    // And where a disc is missing at the start, the arbiter is told and the game can be played.
    table()
        .open_at_start(46)
        .white("32-28")
        .black("20-25")
        .after(500)
        .place(46)
        .white("31-27")
        .expect("32-28 20-25 31-27", &["start-position-wrong 1 none corrected"]);
}

#[test]
fn report_22_a_board_connected_turned_round_shows_with_the_first_move() {
    // White's 32-28 on a board turned round closes 23 and opens 19.
    table().hand("19-23").after(1700).expect("19-23", &["black-moved-first 1 black open"]);
}

#[test]
fn report_23_a_finished_game_on_the_board_is_not_gone_on_with() {
    let reading = Table::of(International, "W:W32:B28")
        .white("32x23*28")
        .after(5000)
        .carry(23, 19)
        .after(3000)
        .place(40)
        .after(2000)
        .silent("32x23*28");
    assert_eq!(reading.summary.result, GameResult::WhiteWins);
}

#[test]
fn report_24_an_adjourned_game_is_heard_again() {
    table()
        .white("32-28")
        .black("20-25")
        .after(1000)
        .arbiter(ArbiterInput::Pause)
        .after(60_000)
        .arbiter(ArbiterInput::Resume)
        .white("31-27")
        .black("15-20")
        .silent("32-28 20-25 31-27 15-20");
}

#[test]
fn report_26_a_knock_at_the_start_is_no_wrong_position() {
    let mut table = table().after(200);
    for number in [1, 2, 45, 50] {
        table = table.lift(number).after(5);
    }
    table = table.after(220);
    for number in [1, 2, 45, 50] {
        table = table.place(number).after(5);
    }
    table.white("32-28").silent("32-28");
}

#[test]
fn report_27_clearing_the_board_after_the_last_move_is_no_game() {
    let mut table = Table::of(International, "W:W32,37,41:B28").white("32x23*28").after(4000);
    for number in [23, 37, 41] {
        table = table.lift(number).after(300);
    }
    for number in [31, 32, 33, 34, 35, 20, 19, 18] {
        table = table.place(number).after(250);
    }
    let reading = table.after(3000).silent("32x23*28");
    assert_eq!(reading.summary.result, GameResult::WhiteWins);
}

#[test]
fn report_28_an_illegal_move_that_nobody_noticed_stays_in_the_record_marked() {
    let reading = table()
        .white("32-26")
        .after(1500)
        .black("20-25")
        .white("31-27")
        .black("15-20")
        .expect("32-26 20-25 31-27 15-20", &["illegal-move 1 white accepted"]);
    let marked: Vec<bool> = reading.summary.moves.iter().map(|record| !record.irregular.is_empty()).collect();
    assert_eq!(marked, [true, false, false, false]);
}

#[test]
fn report_39_a_lever_touched_by_a_side_whose_clock_stands_is_nothing() {
    table()
        .white("32-28")
        .after(700)
        .press(White)
        .after(900)
        .press(White)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn report_41_the_clock_may_be_pressed_before_the_disc_is_down_or_never() {
    table()
        .after(1000)
        .lift(32)
        .after(400)
        .press(White)
        .after(400)
        .place(28)
        .black("20-25")
        .expect("32-28 20-25", &["clock-pressed-early 1 white accepted"]);
    table()
        .hand("32-28")
        .hand("20-25")
        .after(400)
        .press(Black)
        .expect("32-28 20-25", &["press-forgotten 2 white open"]);
}

#[test]
fn report_45_a_weak_magnet_that_flickers_on_its_square_is_no_move() {
    let mut table = table().after(1000);
    for _ in 0..40 {
        table = table.lift_for(33, 90).after(130);
    }
    table.white("32-28").black("20-25").silent("32-28 20-25");
}

#[test]
fn report_47_flicker_while_sliding_is_no_move() {
    let mut table = king().after(500).lift(46);
    for number in [41, 37, 32] {
        for _ in 0..3 {
            table = table.after(15).place(number).after(15).lift(number);
        }
    }
    table.after(40).place(28).after(500).press(White).silent("46-28");
}

#[test]
fn report_48_a_contact_that_opens_with_the_disc_dead_centre() {
    // It closes as the disc comes near, opens for a quarter of a second over the centre, and closes.
    table()
        .after(1000)
        .lift(32)
        .after(500)
        .place_for(28, 150)
        .after(240)
        .place(28)
        .after(500)
        .press(White)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn report_49_a_disc_felt_by_a_square_it_only_passes() {
    table()
        .after(1000)
        .lift(32)
        .after(300)
        .place_for(27, 95)
        .after(50)
        .place_for(22, 95)
        .after(200)
        .place(28)
        .after(500)
        .press(White)
        .silent("32-28");
}

#[test]
fn the_page_names_the_tests_of_this_file() {
    let page = include_str!("../../docs/field-reports.md");
    let tests = include_str!("field_reports.rs");
    let numbers = |text: &str, before: &str| -> Vec<String> {
        let mut found: Vec<String> =
            text.split(before).skip(1).map(|rest| rest.chars().take(2).collect()).collect();
        found.sort();
        found.dedup();
        found.retain(|number| number.chars().all(|digit| digit.is_ascii_digit()));
        found
    };
    assert_eq!(numbers(page, "`report_"), numbers(tests, "\nfn report_"));
}
