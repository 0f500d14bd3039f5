//! What a game does with its clock: what it tells it and when, what the arbiter may do, outages, adjournment
//! (CN100 8.2, 9, 10.5, 11).

use draughtsd_core::clock::{ClockCommand, ClockConnection, ClockTrouble, TimeMode};
use draughtsd_core::event::{AdviceArticle, ClockSetReason, EventBody, TimeMark};
use draughtsd_core::piece::Side::{self, Black, White};
use draughtsd_core::rules::Variant::International;
use draughtsd_core::time_control::Bonus;
use draughtsd_core::trace::{
    AdjournEntry, ArbiterInput, ClockEntry, ClockReport, DrawClaim, GameResult, Input,
};

mod table;

use table::{Reading, Table};

/// A table with a clock linked, at 1 s; the game has not been started.
fn table(control: &str) -> Table {
    Table::start(International).time_control(control)
}

fn started(control: &str) -> Table {
    table(control).arbiter(ArbiterInput::Start)
}

impl Table {
    fn clock(self, entry: ClockEntry) -> Self {
        self.arbiter(ArbiterInput::Clock(entry))
    }

    fn adjourn(self, entry: AdjournEntry) -> Self {
        self.arbiter(ArbiterInput::Adjourn(entry))
    }

    fn reports(self, white_ms: u64, black_ms: u64, running: Option<Side>) -> Self {
        self.input(Input::Clock(ClockReport { white_ms, black_ms, running, flag: None }))
    }

    fn connection(self, connection: ClockConnection) -> Self {
        self.input(Input::ClockConnection(connection))
    }
}

/// A setting as a test writes it: both times in milliseconds and who runs.
type Set = (u64, u64, Option<Side>);

impl Reading {
    fn sets(&self) -> Vec<Set> {
        let set = |command: &ClockCommand| match command {
            ClockCommand::Set(setting) => {
                Some((setting.white.left_ms, setting.black.left_ms, setting.running()))
            }
            _ => None,
        };
        self.commands.iter().filter_map(set).collect()
    }

    fn reasons(&self) -> Vec<ClockSetReason> {
        let reason = |body: &EventBody| match body {
            EventBody::ClockSet { reason } => Some(*reason),
            _ => None,
        };
        self.events.iter().filter_map(|event| reason(&event.body)).collect()
    }

    fn refusals(&self) -> Vec<String> {
        let problem = |body: &EventBody| match body {
            EventBody::Refused { problem, .. } => Some(problem.clone()),
            _ => None,
        };
        self.events.iter().filter_map(|event| problem(&event.body)).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.summary.alerts.iter().map(|alert| alert.code.name()).collect()
    }

    fn moments_of(&self, wanted: impl Fn(&EventBody) -> bool) -> Vec<u64> {
        self.events.iter().filter(|event| wanted(&event.body)).map(|event| event.t.millis()).collect()
    }
}

// 8.2.1: the arbiter starts White's clock.

#[test]
fn the_clock_is_set_at_once_and_started_by_the_arbiter_8_2_1() {
    let reading = started("300+3").white("32-28").black("20-25").read();
    assert_eq!(reading.sets(), [(300_000, 300_000, None), (300_000, 300_000, Some(White))]);
    assert_eq!(reading.reasons(), [ClockSetReason::Start, ClockSetReason::Start]);
    let ClockCommand::Set(setting) = &reading.commands[1] else { panic!("{:?}", reading.commands) };
    assert_eq!(setting.white.bonus, Bonus::Fischer { ms: 3000 });
    assert_eq!((setting.white.mode, setting.black.mode), (TimeMode::Down, TimeMode::Stopped));
}

#[test]
fn without_a_time_control_the_clock_is_told_nothing() {
    for table in [Table::start(International), table("80 minutes"), table("300").without_clock()] {
        let reading = table.arbiter(ArbiterInput::Start).white("32-28").arbiter(ArbiterInput::Pause).read();
        assert_eq!(reading.commands, []);
    }
}

#[test]
fn a_pause_stops_the_clock_and_the_result_is_shown() {
    let reading = started("300")
        .white("32-28")
        .after(10_000)
        .arbiter(ArbiterInput::Pause)
        .after(60_000)
        .arbiter(ArbiterInput::Resume)
        .after(1000)
        .black("20-25")
        .result(GameResult::Draw)
        .read();
    assert_eq!(
        reading.reasons(),
        [
            ClockSetReason::Start,
            ClockSetReason::Start,
            ClockSetReason::Stop,
            ClockSetReason::GoOn,
            ClockSetReason::Stop
        ]
    );
    let sets = reading.sets();
    assert_eq!(sets[2].2, None);
    assert_eq!(sets[3], (sets[2].0, sets[2].1, Some(Black)), "the pause counts for nobody");
    assert_eq!(reading.commands.last(), Some(&ClockCommand::Text("1-1".to_owned())));
    assert!(!reading.codes().contains(&"clock-stopped"));
}

// 8.2.6: moves are counted by press; a new period begins with the press that completes the old one.

#[test]
fn a_period_begins_with_the_press_that_completes_the_one_before() {
    let reading = started("2/300:1/60")
        .white("32-28")
        .black("20-25")
        .white("31-27")
        .black("15-20")
        .white("37-31")
        .read();
    let periods: Vec<Set> = reading.sets().into_iter().skip(2).collect();
    let [first, second, third] = periods[..] else { panic!("{periods:?}") };
    assert!(first.0 > 350_000 && first.1 < 300_000 && first.2 == Some(Black), "{first:?}");
    assert!(second.1 > 350_000 && second.2 == Some(White), "{second:?}");
    assert!(third.0 > first.0 + 50_000 && third.2 == Some(Black), "the last period repeats: {third:?}");
    assert_eq!(reading.reasons()[2..], [ClockSetReason::Period; 3]);
}

#[test]
fn a_period_that_ends_by_time_begins_the_next_before_the_flag_falls_8_1_3() {
    let reading = started("60:30+10").after(59_000).reports(1000, 60_000, Some(White)).after(2000).read();
    assert_eq!(reading.sets().last(), Some(&(30_000, 60_000, Some(White))));
    let set = |body: &EventBody| matches!(body, EventBody::ClockSet { reason: ClockSetReason::Period });
    assert_eq!(reading.moments_of(set), [61_000]);
    assert!(reading.codes().is_empty(), "{:?}", reading.codes());
}

/// A report that was sent before the clock heard of the setting says nothing any more.
#[test]
fn reports_on_their_way_when_the_clock_is_set_are_no_change_of_times() {
    let reading = |first: Option<Side>| {
        let table = started("1/300:60").reports(300_000, 300_000, Some(White)).after(5000);
        // The report that shows the press comes before the press or after it.
        let table = match first {
            Some(side) => table.press(side).after(30).reports(295_000, 300_000, Some(Black)),
            None => table.reports(295_000, 300_000, Some(Black)).after(30).press(White),
        };
        table.after(200).reports(355_000, 299_800, Some(Black)).after(5000).read()
    };
    for reading in [reading(Some(White)), reading(None)] {
        assert!(!reading.codes().contains(&"clock-times-changed"), "{:?}", reading.codes());
        let Some((white_ms, _, Some(Black))) = reading.sets().last().copied() else {
            panic!("{:?}", reading.sets())
        };
        assert!(white_ms.abs_diff(355_000) < 100, "{white_ms}");
    }
}

// 8.2.6, 8.2.7: what the arbiter has to know when a flag falls.

#[test]
fn flag_fell_names_the_last_counted_move_and_a_claim_8_2_7() {
    let flag = |table: Table| {
        let report = ClockReport { white_ms: 0, black_ms: 290_000, running: Some(White), flag: Some(White) };
        table.input(Input::Clock(report)).after(1000).read()
    };
    let played = || started("300").white("32-28").black("20-25").white("31-27").black("15-20");
    let reading = flag(played().after(300_000));
    let alert = reading.summary.alerts.iter().find(|alert| alert.code.name() == "flag-fell");
    let note = alert.and_then(|alert| alert.flag).expect("what is to be known");
    assert_eq!((note.counted_ply, note.counted_moves, note.draw_claim), (Some(3), 2, None));

    let claimed = flag(played().arbiter(ArbiterInput::DrawClaim(DrawClaim::White)).after(300_000));
    assert_eq!(claimed.summary.alerts[0].flag.expect("a note").draw_claim, Some(White));
    let decided = played()
        .arbiter(ArbiterInput::DrawClaim(DrawClaim::White))
        .after(1000)
        .arbiter(ArbiterInput::DrawClaim(DrawClaim::Decided));
    assert_eq!(flag(decided.after(300_000)).summary.alerts[0].flag.expect("a note").draw_claim, None);
    // A move that is made and not pressed does not count.
    let unpressed = flag(started("300").hand("32-28").after(300_000));
    assert_eq!(unpressed.summary.alerts[0].flag.expect("a note").counted_ply, None);
}

// 8.2.8: the time of a correction.

#[test]
fn correction_time_falls_to_the_offender_8_2_8() {
    let correction = |ran| {
        let entry = ClockEntry::Correction { offender: White, ms: 60_000, ran };
        let reading = started("300").clock(ClockEntry::Stop).clock(entry).read();
        *reading.sets().last().expect("a setting")
    };
    assert_eq!(correction(None), (240_000, 300_000, None));
    assert_eq!(correction(Some(White)), (300_000, 300_000, None), "he has borne it already");
    assert_eq!(correction(Some(Black)), (240_000, 360_000, None), "the other gets it back");
}

// 9.1, 9.2: absent players.

#[test]
fn blacks_clock_is_run_where_black_is_absent_9_1() {
    let reading = started("300").after(500).clock(ClockEntry::Run(Black)).after(30_000).read();
    assert_eq!(reading.sets().last(), Some(&(299_500, 300_000, Some(Black))));
    assert_eq!(reading.summary.alerts, []);
}

#[test]
fn the_time_of_both_absent_players_is_split_9_2() {
    let reading = started("3600").after(600_001).clock(ClockEntry::Split(White)).read();
    // White has come: ten minutes are split, and absent Black's time runs.
    assert_eq!(reading.sets().last(), Some(&(3_299_999, 3_300_000, Some(Black))));
    let reading = started("3600").after(600_000).clock(ClockEntry::Split(Black)).read();
    assert_eq!(reading.sets().last(), Some(&(3_300_000, 3_300_000, Some(White))));
    let refused = started("3600").white("32-28").clock(ClockEntry::Split(White)).read();
    assert_eq!(refused.refusals().len(), 1);
}

// 9.1, 14.3.5: only the arbiter stops the clock.

#[test]
fn a_clock_that_the_arbiter_stopped_is_no_alert_and_one_that_a_player_stopped_is() {
    let playing = || started("300").after(1000).reports(299_000, 300_000, Some(White)).after(1000);
    let by_him = playing().clock(ClockEntry::Stop).after(100).reports(298_000, 300_000, None).after(2000);
    assert_eq!(by_him.read().codes(), Vec::<&str>::new());
    let by_a_player = playing().reports(298_000, 300_000, None).after(2000).read();
    assert_eq!(by_a_player.codes(), ["clock-stopped"]);
}

#[test]
fn the_arbiter_sets_the_times_and_that_is_no_change_of_times() {
    let entry = ClockEntry::Set { white_ms: 120_000, black_ms: 90_000 };
    let reading = started("300")
        .after(1000)
        .reports(299_000, 300_000, Some(White))
        .after(1000)
        .clock(entry)
        .after(50)
        .reports(298_000, 300_000, Some(White))
        .after(1000)
        .reports(119_000, 90_000, Some(White))
        .after(2000)
        .read();
    assert_eq!(reading.codes(), Vec::<&str>::new());
    assert_eq!(reading.sets().last(), Some(&(120_000, 90_000, Some(White))));
    let refused = started("300").clock(ClockEntry::Set { white_ms: 36_000_000, black_ms: 1 }).read();
    assert_eq!(refused.refusals(), ["a time is at most 9:59:59, in milliseconds"]);
    let unknown = Table::start(International).clock(ClockEntry::Stop).read();
    assert_eq!(
        unknown.refusals(),
        ["no clock is linked or no time control is set, so the times are not known"]
    );
}

#[test]
fn times_set_by_hand_are_an_alert_and_are_believed() {
    let reading = started("600")
        .after(1000)
        .reports(599_000, 600_000, Some(White))
        .after(2000)
        .reports(900_000, 600_000, Some(White))
        .after(2000)
        .clock(ClockEntry::Stop)
        .read();
    assert_eq!(reading.codes(), ["clock-times-changed"]);
    assert_eq!(
        reading.sets().last(),
        Some(&(898_000, 600_000, None)),
        "the players see what the clock shows"
    );
}

// 10.5; CNXQ 3.2: marks of remaining time, for the record.

#[test]
fn five_and_three_minutes_are_facts_for_the_record_10_5() {
    let marks = |control: &str, seconds: u64| -> Vec<(TimeMark, u64)> {
        let reading = started(control).after(seconds * 1000).read();
        let mark = |event: &draughtsd_core::event::Event| match event.body {
            EventBody::TimeMark { side: White, mark } => Some((mark, event.t.millis())),
            _ => None,
        };
        reading.events.iter().filter_map(mark).collect()
    };
    // The game was started at one second.
    let both = [(TimeMark::FiveMinutes, 301_000), (TimeMark::ThreeMinutes, 421_000)];
    assert_eq!(marks("600", 500), both);
    assert_eq!(marks("600", 200), []);
    assert_eq!(marks("600+5", 500), both[1..], "with a bonus there is no time trouble");
    assert_eq!(marks("180", 100), [], "a game that begins with less has no such mark");
}

#[test]
fn without_a_linked_clock_nothing_is_known_of_time() {
    let reading = table("600").without_clock().arbiter(ArbiterInput::Start).after(500_000).read();
    assert!(!reading.events.iter().any(|event| matches!(event.body, EventBody::TimeMark { .. })));
}

#[test]
fn marks_and_claims_are_the_arbiters_alone() {
    let reading = started("600").arbiter(ArbiterInput::DrawClaim(DrawClaim::White)).after(500_000).read();
    let of_him = |body: &EventBody| {
        matches!(body, EventBody::TimeMark { .. } | EventBody::DrawClaim { .. } | EventBody::ClockSet { .. })
    };
    assert!(reading.events.iter().any(|event| of_him(&event.body)));
    assert!(!reading.events.iter().any(|event| of_him(&event.body) && event.for_public().is_some()));
}

// Outages.

#[test]
fn the_game_goes_on_without_its_clock_and_takes_its_times_when_it_is_back() {
    let reading = started("600")
        .connection(ClockConnection::Kept)
        .after(1000)
        .reports(599_000, 600_000, Some(White))
        .after(500)
        .connection(ClockConnection::Lost)
        .white("32-28")
        .black("20-25")
        .after(30_000)
        .connection(ClockConnection::Kept)
        .reports(570_000, 580_000, Some(White))
        .after(1000)
        .clock(ClockEntry::Stop)
        .read();
    assert_eq!(reading.codes(), Vec::<&str>::new(), "a press that nobody could hear is not forgotten");
    assert_eq!(reading.sets().last(), Some(&(569_000, 580_000, None)));
}

#[test]
fn a_clock_that_brought_no_bonus_is_given_what_it_owes() {
    let reading = started("600+10")
        .connection(ClockConnection::Kept)
        .after(1000)
        .reports(599_000, 600_000, Some(White))
        .connection(ClockConnection::Lost)
        .hand("32-28")
        .after(3000)
        .connection(ClockConnection::KeptWithoutBonus)
        .reports(595_000, 599_000, Some(Black))
        .read();
    assert_eq!(reading.sets().last(), Some(&(605_000, 599_000, Some(Black))));
    assert_eq!(reading.reasons().last(), Some(&ClockSetReason::Reconciled));
}

#[test]
fn a_clock_that_was_off_is_told_the_times() {
    let reading = started("600")
        .connection(ClockConnection::Kept)
        .after(1000)
        .reports(599_000, 600_000, Some(White))
        .connection(ClockConnection::Lost)
        .after(20_000)
        .connection(ClockConnection::Reset)
        .reports(0, 0, None)
        .after(1000)
        .reports(578_000, 600_000, Some(White))
        .after(1000)
        .read();
    assert_eq!(reading.sets().last(), Some(&(579_000, 600_000, Some(White))));
    assert_eq!(reading.codes(), Vec::<&str>::new());
}

#[test]
fn a_clock_that_comes_back_with_times_of_another_game_is_told_its_own() {
    for odd in [(0, 0, None), (1_800_000, 1_800_000, None)] {
        let reading = started("600")
            .connection(ClockConnection::Kept)
            .after(1000)
            .reports(599_000, 600_000, Some(White))
            .connection(ClockConnection::Lost)
            .after(1000)
            .connection(ClockConnection::Kept)
            .reports(odd.0, odd.1, odd.2)
            .read();
        assert_eq!(reading.sets().last(), Some(&(598_000, 600_000, Some(White))), "{odd:?}");
    }
}

#[test]
fn what_the_arbiter_did_in_an_outage_is_told_afterwards() {
    let reading = started("600")
        .connection(ClockConnection::Kept)
        .connection(ClockConnection::Lost)
        .after(1000)
        .clock(ClockEntry::Set { white_ms: 60_000, black_ms: 50_000 })
        .after(1000)
        .connection(ClockConnection::Kept)
        .read();
    assert_eq!(reading.sets().last(), Some(&(59_000, 50_000, Some(White))));
}

#[test]
fn each_presses_the_others_side_and_the_arbiter_puts_that_right() {
    // White sits where the clock's right end is: his presses are told as Black's.
    let crossed = || {
        started("600")
            .reports(600_000, 600_000, Some(Black))
            .hand("32-28")
            .press(Black)
            .hand("20-25")
            .press(White)
            .after(500)
    };
    let trouble =
        |body: &EventBody| matches!(body, EventBody::ClockTrouble { trouble: ClockTrouble::SidesSwapped });
    let reading = crossed().hand("31-27").after(500).read();
    assert_eq!(reading.moments_of(trouble).len(), 1);
    let reading = crossed().clock(ClockEntry::Swap).white("31-27").read();
    let presses: Vec<Side> = reading
        .events
        .iter()
        .filter_map(|event| match event.body {
            EventBody::Press { side } => Some(side),
            _ => None,
        })
        .collect();
    assert_eq!(presses, [Black, White, Black], "the last one came in as White's");
    let ordinary = started("600").white("32-28").black("20-25").white("31-27").black("15-20").read();
    assert!(ordinary.moments_of(trouble).is_empty());
}

// 11: adjournment.

#[test]
fn adjournment_and_resumption_11_3_and_11_4() {
    let sealed = || {
        started("600")
            .white("32-28")
            .black("20-25")
            .after(10_000)
            .adjourn(AdjournEntry::Position)
            .after(60_000)
            .adjourn(AdjournEntry::Confirmed(White))
            .adjourn(AdjournEntry::Confirmed(Black))
            .adjourn(AdjournEntry::Sealing)
            .after(20_000)
            .adjourn(AdjournEntry::Sealed)
            .after(7_200_000)
            // Somebody sets the sealed move out on the board and takes it back.
            .lift(31)
            .after(600)
            .place(27)
            .after(5000)
            .lift(27)
            .after(600)
            .place(31)
            .after(5000)
    };
    let adjourned = sealed().read();
    assert_eq!(adjourned.summary.moves.len(), 2, "what is set out on the board is no move");
    let sets = adjourned.sets();
    let [recorded, sealing, stopped] = sets[2..] else { panic!("{sets:?}") };
    assert_eq!((recorded.2, sealing.2, stopped.2), (None, Some(White), None));
    assert_eq!(sealing.0, recorded.0, "recording the position counts for nobody (11.3.1)");
    assert_eq!(stopped.0, recorded.0 - 20_000, "the move is sealed on his own time (11.3.3)");
    let reading = sealed()
        .adjourn(AdjournEntry::Confirmed(White))
        .adjourn(AdjournEntry::Confirmed(Black))
        .adjourn(AdjournEntry::Opened("31-27".to_owned()))
        .after(1000)
        .arbiter(ArbiterInput::Resume)
        .white("31-27")
        .black("15-20")
        .read();
    let read: Vec<&str> = reading.summary.moves.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(read, ["32-28", "20-25", "31-27", "15-20"]);
    assert_eq!(reading.sets().last(), Some(&(stopped.0, stopped.1, Some(White))));
    assert_eq!(reading.summary.alerts, []);
    let opened =
        |body: &EventBody| matches!(body, EventBody::SealedMove { side: White, text } if text == "31-27");
    assert_eq!(reading.moments_of(opened).len(), 1);
}

#[test]
fn no_feed_knows_the_sealed_move_before_the_envelope_is_opened_11_4() {
    let reading = started("600")
        .white("32-28")
        .adjourn(AdjournEntry::Position)
        .adjourn(AdjournEntry::Confirmed(White))
        .adjourn(AdjournEntry::Confirmed(Black))
        .adjourn(AdjournEntry::Sealing)
        .adjourn(AdjournEntry::Sealed)
        .read();
    let times: Vec<_> = reading
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::Adjourned { white_ms, black_ms, .. } => Some((*white_ms, *black_ms)),
            _ => None,
        })
        .collect();
    assert_eq!(times.len(), 1);
    assert!(times[0].0.is_some() && times[0].1.is_some());
    assert!(!reading.events.iter().any(|event| matches!(event.body, EventBody::SealedMove { .. })));
}

#[test]
fn the_steps_of_an_adjournment_have_an_order_and_a_sealed_move_has_to_be_legal_11_3_6() {
    let adjourned = || {
        started("600")
            .adjourn(AdjournEntry::Position)
            .adjourn(AdjournEntry::Confirmed(White))
            .adjourn(AdjournEntry::Confirmed(Black))
            .adjourn(AdjournEntry::Sealing)
            .adjourn(AdjournEntry::Sealed)
    };
    let refusals = |table: Table| table.read().refusals().len();
    assert_eq!(refusals(started("600").adjourn(AdjournEntry::Sealing)), 1);
    assert_eq!(refusals(started("600").adjourn(AdjournEntry::Position).adjourn(AdjournEntry::Sealing)), 1);
    assert_eq!(refusals(started("600").adjourn(AdjournEntry::Position).adjourn(AdjournEntry::Position)), 1);
    assert_eq!(refusals(adjourned().adjourn(AdjournEntry::Opened("32-28".to_owned()))), 1, "not confirmed");
    let confirmed =
        || adjourned().adjourn(AdjournEntry::Confirmed(White)).adjourn(AdjournEntry::Confirmed(Black));
    assert_eq!(refusals(confirmed().adjourn(AdjournEntry::Opened("32-28".to_owned()))), 0);
    let illegal = confirmed().adjourn(AdjournEntry::Opened("32-23".to_owned())).read();
    assert!(illegal.refusals()[0].contains("11.3.6"), "{:?}", illegal.refusals());
    let over = started("600").result(GameResult::Draw).adjourn(AdjournEntry::Position);
    assert_eq!(refusals(over), 1);
}

/// What the arbiter was advised of: article, ply and side.
fn advice(reading: &Reading) -> Vec<(AdviceArticle, u32, Option<Side>)> {
    let advice = reading.events.iter().filter_map(|event| match event.body {
        EventBody::Advice { article, ply, side } => Some((article, ply, side)),
        _ => None,
    });
    advice.collect()
}

#[test]
fn theoretical_draws_8_1_3_1_a_are_advised_of_in_sudden_death() {
    let few = |control: &str| {
        Table::of(International, "W:WK46,K47,48:BK1,19")
            .time_control(control)
            .white("46x14*19")
            .black("1-6")
            .white("48-43")
            .read()
    };
    // Two kings and a man against one king; once, not at each move.
    assert_eq!(advice(&few("3600")), [(AdviceArticle::TheoreticalDraw, 1, None)]);
    assert_eq!(few("3600").summary.result, GameResult::Unknown);
    assert_eq!(advice(&few("3600+5")), []);
    assert_eq!(advice(&few("45/3600")), []);
}

#[test]
fn a_player_short_of_time_8_1_3_1_b_is_told_with_few_pieces_only() {
    let short = |fen: &str| {
        Table::of(International, fen).time_control("61").white("48-43").black("12-18").white("43-38").read()
    };
    let seven = advice(&short("W:W46,47,48:BK1,2,3,12"));
    assert_eq!(seven, [(AdviceArticle::ShortOfTime, 1, Some(Black))]);
    assert_eq!(advice(&short("W:W45,46,47,48,49:BK1,2,3,12")), []);
}
