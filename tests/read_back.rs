//! The central property: a random legal game, carried out by simulated hands over noisy contacts, is
//! read back move for move and raises no alert.
//!
//! Cases are drawn from a fixed seed, so that a run says the same today and tomorrow;
//! `READ_BACK_CASES=5000 cargo test --release --test read_back` looks further, and `READ_BACK_SEED`
//! looks elsewhere. A failure is shrunk to fewer plies and less noise, and its trace is written down.

use std::env;
use std::fs;
use std::path::Path;

use draughtsd::simulator::{HandOptions, Level, Noise, Planned, SimulatedGame, Style, random_game, simulate};
use draughtsd_core::alert::AlertCode;
use draughtsd_core::game::{Game, GameSetup, Summary};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::{ClockLink, Crowning};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// A game to be simulated and read.
#[derive(Clone, Debug)]
struct Case {
    variant: Variant,
    seed: u64,
    plies: usize,
    style: Style,
    noise: Noise,
    crowning: Crowning,
    clock: ClockLink,
    /// In a thousand plies.
    gaps: u32,
}

impl Case {
    fn simulated(&self) -> SimulatedGame {
        let options = HandOptions {
            style: self.style,
            noise: self.noise,
            crowning: self.crowning,
            clock: self.clock,
            gaps: self.gaps,
            ..HandOptions::default()
        };
        let start = Position::start(self.variant);
        simulate(&random_game(&start, self.plies, self.seed), &start, &options, self.seed)
    }
}

/// Cases within what must be read, the simplest first: shrinking takes plies off, then noise.
fn cases() -> impl Strategy<Value = Case> {
    let level = || (0_u32..=100).prop_map(Level::from_hundredths);
    let noise = (level(), level(), level(), level(), level(), level(), level(), level(), level()).prop_map(
        |(bounce, flicker, dropout, nudge, pass, slide, visit, press, pairs)| Noise {
            bounce,
            flicker,
            dropout,
            nudge,
            pass,
            slide,
            visit,
            press,
            pairs,
        },
    );
    (
        select(Variant::ALL.to_vec()),
        any::<u32>().no_shrink(),
        1_usize..=110,
        select(Style::ALL.to_vec()),
        noise,
        select(vec![Crowning::None, Crowning::Stack, Crowning::Reserve]),
        select(vec![ClockLink::None, ClockLink::Linked]),
        prop_oneof![3 => Just(0), 1 => Just(90_u32)],
    )
        .prop_map(|(variant, seed, plies, style, noise, crowning, clock, gaps)| Case {
            variant,
            seed: u64::from(seed),
            plies,
            style,
            noise,
            crowning,
            clock,
            gaps,
        })
}

/// What the core makes of a trace.
fn read(simulated: &SimulatedGame) -> Summary {
    let setup = GameSetup::try_from(&simulated.header).expect("a header of our own");
    let (mut game, _) = Game::new(setup);
    for timed in &simulated.events {
        game.handle(timed.at, timed.input.clone());
    }
    game.summary()
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let simulated = case.simulated();
    let comparison = simulated.truth.compare(&read(&simulated));
    let alert = comparison.false_alerts.iter().find(|alert| !is_known(case, alert.code));
    let alert = alert.map(|alert| format!("false alert {} at {}", alert.id, alert.t));
    match comparison.difference.or(alert) {
        None => Ok(()),
        Some(wrong) => Err(TestCaseError::fail(wrong)),
    }
}

/// Runs `READ_BACK_CASES` cases, or `by_default` of them.
fn run(by_default: u32) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    let config = Config {
        cases: number("READ_BACK_CASES").unwrap_or(by_default),
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number("READ_BACK_SEED").unwrap_or(1).to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let outcome = TestRunner::new_with_rng(config, random).run(&cases(), |case| check(&case));
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => {
            let path = write_down(&case.simulated());
            panic!("{reason}\n{case:?}\ntrace: {path}");
        }
        Err(error) => panic!("{error}"),
    }
}

/// Writes a trace and its truth where the build puts its scratch files; the trace's path.
fn write_down(simulated: &SimulatedGame) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let trace = folder.join("read_back.jsonl");
    fs::write(&trace, simulated.trace()).expect("the scratch folder can be written");
    let truth = serde_json::to_string(&simulated.truth).expect("a truth is plain data");
    fs::write(folder.join("read_back.truth.json"), truth).expect("the scratch folder can be written");
    trace.display().to_string()
}

#[test]
fn legal_games_are_read_exactly_and_without_an_alert() {
    run(if cfg!(debug_assertions) { 150 } else { 1500 });
}

#[test]
fn a_game_of_two_hours_with_the_hands_of_blitz_is_read_exactly() {
    let options = HandOptions {
        style: Style::Blitz,
        noise: "1".parse().expect("a level of noise"),
        think_ms: 27_000,
        ..HandOptions::default()
    };
    let start = Position::start(Variant::International);
    let simulated = simulate(&random_game(&start, 300, 20), &start, &options, 20);
    assert!(simulated.events.last().is_some_and(|last| last.at.millis() > 2 * 60 * 60 * 1000));
    let comparison = simulated.truth.compare(&read(&simulated));
    assert_eq!((comparison.difference, comparison.false_alerts), (None, Vec::new()));
}

/// FIXME: alerts that are false and are still raised.
fn is_known(case: &Case, code: AlertCode) -> bool {
    match code {
        // A long rest between two jumps leaves nothing, as long as nothing is removed or pressed.
        AlertCode::CaptureStoppedShort | AlertCode::UnexplainedLift => case.style == Style::Slow,
        _ => false,
    }
}

/// Every kind of irregular act, planted in games without noise and with all of it, is told at its ply,
/// of its side and in time, ends as it should, and nothing else is told.
#[test]
fn planted_acts_are_told() {
    let mut wrong = Vec::new();
    let mut acts = 0;
    for variant in Variant::ALL {
        for (index, style) in Style::ALL.into_iter().enumerate() {
            for level in [0, 100] {
                let seed = index as u64 + 1;
                let start = Position::start(variant);
                let moves = random_game(&start, 80, seed);
                let options = HandOptions {
                    style,
                    noise: Noise::of(Level::from_hundredths(level)),
                    plan: Planned::at_random(80, 5, seed),
                    ..HandOptions::default()
                };
                let simulated = simulate(&moves, &start, &options, seed);
                let comparison = simulated.truth.compare(&read(&simulated));
                acts += simulated.truth.alerts.len();
                let at = format!("{variant}, {style}, noise {level}, seed {seed}");
                wrong.extend(comparison.difference.map(|difference| format!("{at}: {difference}")));
                wrong.extend(comparison.missed.iter().map(|act| format!("{at}: missed {act:?}")));
                wrong.extend(comparison.false_alerts.iter().map(|alert| format!("{at}: false {}", alert.id)));
                wrong.extend(comparison.late.iter().map(|alert| format!("{at}: late {}", alert.id)));
                let states = comparison.wrong_states.iter();
                wrong.extend(states.map(|(act, state)| format!("{at}: {act:?} became {state:?}")));
            }
        }
    }
    assert!(acts > 300, "{acts} acts planted");
    // FIXME: an own disc taken off with a capture is told 0.1 s late, an accepted left disc is captured
    // later and not noticed, a piece of the opponent put back is not told.
    let known = 3;
    assert!(wrong.len() <= known, "{} of {acts} acts:\n{}", wrong.len(), wrong.join("\n"));
}
