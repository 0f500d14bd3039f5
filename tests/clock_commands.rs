//! What the clock is told gives nothing away: it shows no player that something could be claimed (CN100 7.4, 13.1.2),
//! and reminds nobody to press (8.2.3).
//!
//! Every trace with irregular acts is read twice: as it is, and with all contacts left out. A clock that is told the
//! same both times cannot have been told anything that the hands did.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use draughtsd::simulator::{HandOptions, Noise, Planned, Style, random_game, simulate};
use draughtsd::trace_file::TraceFile;
use draughtsd_core::clock::ClockCommand;
use draughtsd_core::event::EventBody;
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::moment::Moment;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::{ArbiterInput, ClockLink, Header, Input, TimedInput};

/// Short periods, so that the clock is told something in mid-game as well.
const CONTROL: &str = "10/600+5:5/300+5";

/// What the clock was told, with the result of the game if there was one.
#[derive(Debug, Default)]
struct Told {
    commands: Vec<(Moment, ClockCommand)>,
    result_at: Option<Moment>,
}

fn read(header: &Header, inputs: &[TimedInput]) -> Told {
    let header =
        Header { clock: ClockLink::Linked, time_control: Some(CONTROL.to_owned()), ..header.clone() };
    let (mut game, effects) = Game::new(GameSetup::try_from(&header).unwrap());
    let mut told = Told::default();
    let mut take = |effects: Vec<Effect>, now: Moment| {
        for effect in effects {
            match effect {
                Effect::Clock(command) => told.commands.push((now, command)),
                Effect::Publish(event) => {
                    if matches!(event.body, EventBody::Result { .. }) {
                        told.result_at = told.result_at.or(Some(now));
                    }
                }
            }
        }
    };
    take(effects, Moment::ZERO);
    let started = Input::Arbiter(ArbiterInput::Start);
    take(game.handle(Moment::ZERO, started), Moment::ZERO);
    for TimedInput { at, input } in inputs {
        while let Some(due) = game.next_wake().filter(|due| due < at) {
            take(game.advance(due), due);
        }
        take(game.handle(*at, input.clone()), *at);
    }
    told
}

/// Returns how much the clock was told before the result.
#[track_caller]
fn check(name: &str, header: &Header, inputs: &[TimedInput]) -> usize {
    let told = read(header, inputs);
    let not_by_hand = |timed: &&TimedInput| {
        !matches!(timed.input, Input::Contact { .. } | Input::Crown { .. } | Input::Reserve { .. })
    };
    let without_contacts: Vec<TimedInput> = inputs.iter().filter(not_by_hand).cloned().collect();
    let blind = read(header, &without_contacts);
    let over = told.result_at.unwrap_or(Moment::LAST);
    let before = |told: &Told| -> Vec<(Moment, ClockCommand)> {
        told.commands.iter().filter(|(at, _)| *at < over).cloned().collect()
    };
    assert_eq!(before(&told), before(&blind), "{name}: the clock was told what the contacts said");
    for (at, command) in &told.commands {
        match command {
            ClockCommand::Set(_) => {}
            ClockCommand::Text(text) => {
                let results = ["2-0", "1-1", "0-2", "0-0"];
                assert!(*at >= over && results.contains(&text.as_str()), "{name}: {text} at {at}");
            }
            ClockCommand::EndText | ClockCommand::Beep(_) => panic!("{name}: {command:?} at {at}"),
        }
    }
    before(&told).len()
}

#[test]
fn clock_is_told_nothing_of_irregular_acts_by_simulated_hands() {
    let mut most = 0;
    for variant in Variant::ALL {
        let start = Position::start(variant);
        for (number, act) in (0..).zip(Planned::all()) {
            for seed in 0..2 {
                let seed = 100 * seed + number;
                let options = HandOptions {
                    style: Style::Pairs,
                    noise: "0.5".parse::<Noise>().unwrap(),
                    plan: vec![act, Planned { from_ply: 9, ..act }],
                    ..HandOptions::default()
                };
                let simulated = simulate(&random_game(&start, 40, seed), &start, &options, seed);
                let name = format!("{variant} {act} {seed}");
                most = most.max(check(&name, &simulated.header, &simulated.events));
            }
        }
    }
    assert!(most > 4, "the clock should be told of periods: {most}");
}

fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    std::env::var_os("DRAUGHTSD_SHARED").map_or_else(beside, PathBuf::from).join("traces")
}

#[test]
fn clock_is_told_nothing_of_irregular_acts_in_example_traces() {
    let folder = folder();
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: no example traces in {}", folder.display());
        return;
    };
    let mut walked = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.to_string_lossy().into_owned();
        if !name.ends_with(".jsonl.gz") && !name.ends_with(".jsonl") {
            continue;
        }
        let mut file = TraceFile::open(&path).unwrap();
        let header = file.header().clone();
        let inputs: Vec<TimedInput> = std::iter::from_fn(|| file.next_input().unwrap()).collect();
        check(&name, &header, &inputs);
        walked += 1;
    }
    assert!(walked > 0, "no traces in {}", folder.display());
}
