//! What an event may lay down: rule book, profile, single codes, touching, draws, and what an alert carries along.

use draughtsd_core::alert::policy::{Profile, RuleBook, TouchPolicy, Treatment};
use draughtsd_core::alert::{Addressee, Alert, AlertCode, Evidence, Grade};
use draughtsd_core::event::{EndReason, EventBody};
use draughtsd_core::piece::Side::White;
use draughtsd_core::rules::Variant::International;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ArbiterInput, GameResult};

use crate::table::{Reading, Table};

fn table() -> Table {
    Table::start(International)
}

fn squares(numbers: &[u8]) -> SquareSet {
    numbers.iter().map(|&number| Square::new(number).expect("a square")).collect()
}

fn alert(reading: &Reading, code: AlertCode) -> &Alert {
    reading.summary.alerts.iter().find(|alert| alert.code == code).expect("the alert was told")
}

/// 32 has to take 28, and White plays 31-26 instead.
fn capture_missed(of: Table) -> Table {
    of.white("31-26").black("1-7")
}

const WITH_A_CAPTURE: &str = "W:W31,32,37,50:B1,28";

#[test]
fn articles_are_those_of_the_rule_book_of_the_event() {
    let cited = |book: RuleBook| {
        let table = Table::of(International, WITH_A_CAPTURE).settings(|settings| settings.rule_book = book);
        let reading = capture_missed(table).expect("31-26 1-7", &["capture-missed 1 white accepted"]);
        reading.summary.alerts[0].article.clone()
    };
    assert_eq!(cited(RuleBook::ByGame), "CN100 7.4.2");
    assert_eq!(cited(RuleBook::Cn64), "CN64 7.4.2");
    assert_eq!(cited(RuleBook::Fmjd), "FMJD, article not verified");
}

#[test]
fn a_missed_capture_is_7_4_6_for_the_piece_that_could_capture_and_7_4_2_for_another() {
    Table::of(International, WITH_A_CAPTURE)
        .white("32-27")
        .black("1-7")
        .expect("32-27 1-7", &["capture-missed 1 white accepted"])
        .article("CN100 7.4.6");
    Table::of(International, WITH_A_CAPTURE)
        .white("31-26")
        .black("1-7")
        .expect("31-26 1-7", &["capture-missed 1 white accepted"])
        .article("CN100 7.4.2");
}

#[test]
fn a_club_only_notes_how_discs_were_handled_and_is_not_told_of_early_presses() {
    let game =
        |table: Table| table.after(800).press(White).white("32-28").after(600).carry(28, 32).after(1800);
    let script = |table: Table| game(table).white("31-27").black("20-25");
    let early = "clock-pressed-early 1 white accepted";
    let strict = script(table()).expect("31-27 20-25", &[early, "took-back 1 white accepted"]);
    assert_eq!(alert(&strict, AlertCode::TookBack).grade, Grade::Alert);
    let club = script(table().settings(|settings| settings.profile = Profile::Club));
    let club = club.expect("31-27 20-25", &["took-back 1 white accepted"]);
    assert_eq!(alert(&club, AlertCode::TookBack).grade, Grade::Note);
}

#[test]
fn a_code_can_be_switched_off_or_told_otherwise() {
    let with = |treatment: Treatment| {
        let table = Table::of(International, WITH_A_CAPTURE);
        capture_missed(table.settings(|settings| {
            settings.alerts.insert(AlertCode::CaptureMissed, treatment);
        }))
    };
    let off = with(Treatment { off: true, ..Treatment::default() }).silent("31-26 1-7");
    assert!(off.summary.moves.iter().all(|record| record.irregular.is_empty()), "and nothing is marked");
    let told = with(Treatment {
        grade: Some(Grade::Note),
        addressee: Some(Addressee::Arbiter),
        ..Treatment::default()
    });
    let told = told.expect("31-26 1-7", &["capture-missed 1 white accepted"]);
    let alert = alert(&told, AlertCode::CaptureMissed);
    assert_eq!((alert.grade, alert.addressee), (Grade::Note, Addressee::Arbiter));
}

#[test]
fn a_code_that_the_profile_leaves_out_is_told_where_it_is_configured() {
    table()
        .settings(|settings| {
            settings.profile = Profile::Club;
            settings.alerts.insert(AlertCode::ClockPressedEarly, Treatment::default());
        })
        .after(800)
        .press(White)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["clock-pressed-early 1 white accepted"]);
}

#[test]
fn an_alert_carries_what_it_rests_on() {
    let reading = capture_missed(Table::of(International, WITH_A_CAPTURE)).read();
    let evidence: Vec<Evidence> = reading
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::Alert { alert } => alert.evidence.clone(),
            _ => None,
        })
        .collect();
    let Evidence { before, after, legal, contacts } = &evidence[0];
    assert_eq!(before, "W:W31,32,37,50:B1,28");
    assert_eq!(after, "B:W26,32,37,50:B1,28");
    assert_eq!(legal, &["32x23"]);
    let changed: Vec<(u8, bool)> = contacts.iter().map(|c| (c.square.number(), c.closed)).collect();
    assert_eq!(changed, [(31, false), (26, true)]);
    // The summary names the act; who wants to judge it reads the events.
    assert!(reading.summary.alerts.iter().all(|alert| alert.evidence.is_none()));
}

// Touching, CNXQ 1.1 to 1.6. The ladder itself has its tests where it stands.

#[test]
fn touch_move_cnxq_1_2_an_enemy_piece_touched_has_to_be_taken() {
    let script = |policy| {
        Table::of(International, "W:W31,33,36,47:B1,27,28")
            .settings(|settings| settings.touch_policy = policy)
            .lift_for(27, 900)
            .white("33x22*28")
            .black("27x18*22")
    };
    let lift = "unexplained-lift 1 none accepted";
    script(TouchPolicy::Draughts).expect("33x22*28 27x18*22", &[lift]);
    script(TouchPolicy::StrictLadder)
        .expect("33x22*28 27x18*22", &[lift, "touch-move 1 white accepted"])
        .about_of(AlertCode::TouchMove, 27);
}

#[test]
fn touch_move_cnxq_1_2_an_enemy_piece_that_nothing_can_take_binds_to_nothing() {
    table()
        .settings(|settings| settings.touch_policy = TouchPolicy::StrictLadder)
        .lift_for(20, 900)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["unexplained-lift 1 none accepted"]);
}

// 7.5: what has to be put right.

#[test]
fn a_disturbed_board_is_told_with_what_is_missing_and_too_many_until_all_is_right() {
    let mut table = table().white("32-28").black("19-23").after(3000);
    for number in [31, 36, 37, 41, 42, 46] {
        table = table.lift(number).after(40);
    }
    table = table.place(27).after(4000);
    for number in [31, 36, 37, 41, 42] {
        table = table.place(number).after(700);
    }
    table = table.lift(27).after(800).place(46).after(3000);
    let reading = table.white("28x19*23").black("14x23*19").read();
    let guide: Vec<Option<(SquareSet, SquareSet)>> = reading
        .events
        .iter()
        .filter_map(|event| match event.body {
            EventBody::Disturbed { missing, extra } => Some(Some((missing, extra))),
            EventBody::Restored => Some(None),
            _ => None,
        })
        .collect();
    let all = squares(&[31, 36, 37, 41, 42, 46]);
    assert!(guide.contains(&Some((all, squares(&[27])))), "{guide:?}");
    assert!(guide.contains(&Some((squares(&[46]), squares(&[27])))), "{guide:?}");
    assert_eq!(guide.last(), Some(&None), "{guide:?}");
    let sizes: Vec<usize> = guide.iter().flatten().map(|(m, e)| m.len() + e.len()).collect();
    let most = sizes.iter().position(|&size| size == 7).unwrap();
    assert!(sizes[most..].is_sorted_by(|a, b| a > b), "it converges: {sizes:?}");
}

#[test]
fn a_clean_game_needs_no_guide() {
    let reading = table().white("32-28").black("19-23").white("28x19*23").black("14x23*19").read();
    assert!(!reading.events.iter().any(|event| matches!(event.body, EventBody::Disturbed { .. })));
}

// 12.3: draws by rule.

#[test]
fn a_complete_draw_rule_ends_the_game_only_where_that_is_laid_down() {
    let play = |declare: bool| {
        let mut table = Table::of(International, "W:WK50:BK5").settings(|s| s.declare_draws = declare);
        for _ in 0..3 {
            table = table.white("50-45").black("5-10").white("45-50").black("10-5");
        }
        table.read().summary
    };
    let announced = play(false);
    assert!(!announced.draws.is_empty());
    assert_eq!(announced.result, GameResult::Unknown);
    let declared = play(true);
    assert_eq!((declared.result, declared.reason), (GameResult::Draw, Some(EndReason::RuleDraw)));
}

// Results the arbiter enters.

#[test]
fn a_result_comes_with_its_reason() {
    for (result, reason) in [
        (GameResult::BothLose, EndReason::Forfeit),
        (GameResult::Draw, EndReason::Agreed),
        (GameResult::BlackWins, EndReason::Flag),
        (GameResult::WhiteWins, EndReason::Late),
    ] {
        let entry = ArbiterInput::Result { result, reason: Some(reason) };
        let summary = table().white("32-28").arbiter(entry).read().summary;
        assert_eq!((summary.result, summary.reason), (result, Some(reason)));
    }
    let summary = table().white("32-28").result(GameResult::Draw).read().summary;
    assert_eq!(summary.reason, Some(EndReason::Arbiter));
}
