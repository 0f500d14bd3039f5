//! What the clock's reports, the draw button and a new start position tell (CN100 8.2.6, 8.3.2, 9.1, 12.4).

use draughtsd_core::piece::Side::{self, Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International};
use draughtsd_core::trace::{ArbiterInput, Button, ClockReport, GameResult, Input};

use crate::table::Table;

impl Table {
    /// The clock reports both times in seconds, whose time runs, and whose flag has fallen.
    fn clock(self, white_s: u64, black_s: u64, running: Option<Side>, flag: Option<Side>) -> Self {
        let report = ClockReport { white_ms: white_s * 1000, black_ms: black_s * 1000, running, flag };
        self.input(Input::Clock(report))
    }
}

fn table() -> Table {
    Table::start(International)
}

#[test]
fn flag_fell_8_2_6_and_a_move_after_it() {
    table()
        .white("32-28")
        .black("20-25")
        .after(1000)
        .clock(0, 300, Some(White), Some(White))
        .after(1000)
        .white("31-27")
        .expect("32-28 20-25 31-27", &["flag-fell 3 white open", "moved-after-flag 3 white open"])
        .article("CN100 8.2.6");
}

#[test]
fn clock_stopped_9_1_but_not_by_the_arbiter() {
    table()
        .white("32-28")
        .clock(300, 300, Some(Black), None)
        .after(2000)
        .clock(300, 298, Option::None, None)
        .expect("32-28", &["clock-stopped 2 none open"])
        .article("CN100 9.1, 14.3.5");
    table()
        .white("32-28")
        .clock(300, 300, Some(Black), None)
        .after(2000)
        .arbiter(ArbiterInput::Pause)
        .clock(300, 298, Option::None, None)
        .silent("32-28");
}

#[test]
fn clock_times_changed_9_1_by_more_than_a_second() {
    for (seconds, alerts) in [(298, &[][..]), (297, &[][..]), (240, &["clock-times-changed 2 none open"][..])]
    {
        table()
            .white("32-28")
            .clock(300, 300, Some(Black), None)
            .after(2000)
            .clock(300, seconds, Some(Black), None)
            .expect("32-28", alerts);
    }
}

#[test]
fn late_arrival_8_3_2() {
    let reading = table().after(3_600_000 + 5000).read();
    let codes: Vec<&str> = reading.summary.alerts.iter().map(|alert| alert.code.name()).collect();
    assert!(codes.contains(&"late-arrival"), "{codes:?}");
    table().after(3_500_000).white("32-28").black("20-25").silent("32-28 20-25");
}

/// Kings that shuffle for so many moves of each side.
fn shuffled(moves: usize) -> (Table, String) {
    let mut table = Table::of(Brazilian, "W:WK32:BK1");
    let mut read = Vec::new();
    for number in 0..moves {
        let (white, black) = if number % 2 == 0 { ("32-28", "1-5") } else { ("28-32", "5-1") };
        table = table.white(white).black(black);
        read.extend([white, black]);
    }
    (table, read.join(" "))
}

#[test]
fn draw_offer_too_early_12_4() {
    table()
        .white("32-28")
        .after(500)
        .button(Button::Draw, White)
        .black("20-25")
        .expect("32-28 20-25", &["draw-offer-too-early 2 white open"])
        .article("CN100 12.4");
    for (moves, alerts) in [(19, &["draw-offer-too-early 39 white open"][..]), (20, &[][..])] {
        let (table, read) = shuffled(moves);
        table.after(500).button(Button::Draw, White).expect(&read, alerts);
    }
}

#[test]
fn draw_offer_too_early_12_4_again_after_a_refusal() {
    let (table, read) = shuffled(20);
    table
        .after(500)
        .button(Button::Draw, White)
        .white("32-28")
        .black("1-5")
        .after(500)
        .button(Button::Draw, White)
        .expect(&format!("{read} 32-28 1-5"), &["draw-offer-too-early 43 white open"]);
}

/// Eight plies, and the discs are set up anew; `between` is what the arbiter enters before that.
fn set_up_anew(between: Option<ArbiterInput>) -> Table {
    let mut table = table();
    for (white, black) in [("32-28", "20-25"), ("31-27", "15-20"), ("37-31", "10-15"), ("41-37", "5-10")] {
        table = table.white(white).black(black);
    }
    if let Some(entry) = between {
        table = table.after(1000).arbiter(entry);
    }
    table = table.after(5000);
    for (from, to) in [(10, 5), (15, 10), (20, 15), (25, 20), (37, 41), (31, 37), (27, 31), (28, 32)] {
        table = table.after(700).carry(from, to);
    }
    table.after(15_000)
}

#[test]
fn result_missing_where_the_start_position_stands_again() {
    let reading = set_up_anew(Option::None).read();
    assert!(reading.summary.alerts.iter().any(|alert| alert.code.name() == "result-missing"));
}

#[test]
fn result_missing_not_where_the_result_was_entered() {
    set_up_anew(Some(ArbiterInput::Result { result: GameResult::Draw, reason: None }))
        .silent("32-28 20-25 31-27 15-20 37-31 10-15 41-37 5-10");
}

#[test]
fn result_missing_also_while_the_game_is_paused() {
    let reading = set_up_anew(Some(ArbiterInput::Pause)).read();
    assert!(reading.summary.alerts.iter().any(|alert| alert.code.name() == "result-missing"));
}

/// Two plies; then the clock stands though White's time should run, and nobody has entered anything.
fn standing() -> Table {
    table().white("32-28").black("20-25").clock(298, 297, Some(White), None).after(2000).clock(
        296,
        297,
        Option::None,
        None,
    )
}

const STOPPED: &str = "clock-stopped 3 none open";

#[test]
fn what_hands_show_while_the_clock_stands_is_no_move() {
    standing()
        .after(3000)
        .carry(31, 27)
        .after(2000)
        .carry(18, 23)
        .after(2000)
        .lift(37)
        .after(3000)
        .expect("32-28 20-25", &[STOPPED]);
}

#[test]
fn the_game_goes_on_from_where_the_clock_was_stopped() {
    standing()
        .after(3000)
        .carry(31, 27)
        .after(2000)
        .carry(18, 23)
        .after(4000)
        .carry(23, 18)
        .after(900)
        .carry(27, 31)
        .after(2000)
        .clock(296, 297, Some(White), None)
        .white("33-29")
        .expect("32-28 20-25 33-29", &[STOPPED]);
}

#[test]
fn moves_made_while_the_clock_stood_are_read_when_it_goes_on() {
    standing()
        .hand("31-27")
        .after(1500)
        .hand("18-23")
        .after(2000)
        .clock(296, 297, Some(White), None)
        .white("33-29")
        .expect("32-28 20-25 31-27 18-23 33-29", &[STOPPED]);
    // A press is a sign that the game goes on, whatever the clock said last.
    standing().after(2000).white("31-27").black("18-23").expect("32-28 20-25 31-27 18-23", &[STOPPED]);
}

#[test]
fn a_move_completed_as_the_clock_was_stopped_counts() {
    table()
        .white("32-28")
        .black("20-25")
        .clock(298, 297, Some(White), None)
        .hand("31-27")
        .after(300)
        .clock(296, 297, Option::None, None)
        .after(4000)
        .carry(18, 23)
        .after(3000)
        .expect("32-28 20-25 31-27", &["clock-stopped 4 none open"]);
}

#[test]
fn an_act_for_which_the_clock_was_stopped_is_put_right_while_it_stands() {
    table()
        .white("32-28")
        .black("20-25")
        .clock(298, 297, Some(White), None)
        .white("31-22")
        .after(2000)
        .clock(296, 297, Option::None, None)
        .after(2000)
        .carry(22, 31)
        .after(3000)
        .expect("32-28 20-25", &["illegal-move 3 white corrected", "clock-stopped 4 none open"]);
}

#[test]
fn discs_set_up_anew_while_the_clock_stands_raise_result_missing() {
    let mut table = table();
    for (white, black) in [("32-28", "20-25"), ("31-27", "15-20")] {
        table = table.white(white).black(black);
    }
    table = table.clock(298, 297, Some(White), None).after(2000).clock(296, 297, Option::None, None);
    for (from, to) in [(20, 15), (25, 20), (27, 31), (28, 32)] {
        table = table.after(700).carry(from, to);
    }
    table
        .after(15_000)
        .expect("32-28 20-25 31-27 15-20", &["clock-stopped 5 none open", "result-missing 5 none open"]);
}
