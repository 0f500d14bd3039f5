//! What reading costs: per contact change, and for two hours of blitz.
//!
//! `cargo bench --bench reading` prints it; `docs/performance.md`, "Reading", says how to read the figures. Not one
//! of the usual harnesses, which tell how long something takes on average: a change that takes too long once in a
//! thousand is what would let a scan be missed, so each change is timed by itself.
//!
//! Every bench asserts what it times: games are read exactly, and the hypotheses stay within their bound.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use draughtsd::simulator::{
    HandOptions, Noise, Purpose, Random, SimulatedGame, Style, random_game, simulate,
};
use draughtsd_core::game::{Game, GameSetup};
use draughtsd_core::moment::Moment;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockLink, Input, TimedInput};

/// The time of a change is the least of so many runs: what other programs do meanwhile is not ours.
const RUNS: usize = 7;
/// Hypotheses kept between two inputs, at the most.
const MOST_HYPOTHESES: usize = 48;
/// Blitz games are played one after the other until this much time has passed at the board.
const TWO_HOURS_MS: u64 = 2 * 60 * 60 * 1000;
/// The board is scanned every two milliseconds (`docs/trace.md` allows one to five).
const SCAN: Duration = Duration::from_millis(2);

#[expect(clippy::print_stdout, reason = "the figures are what this program is for")]
fn main() -> ExitCode {
    println!(
        "what                                        changes    median       99 %      worst  hypotheses"
    );
    for variant in Variant::ALL {
        let game = blitz(variant, 3);
        println!("{}", costs(&format!("noisy blitz, {variant}"), &setup_of(&game), &game.events));
    }
    for variant in Variant::ALL {
        let setup = GameSetup { clock: ClockLink::Linked, ..GameSetup::new(variant) };
        println!("{}", costs(&format!("40 random changes a second, {variant}"), &setup, &storm(variant)));
    }
    let games = two_hours();
    let moves: usize = games.iter().map(|game| game.truth.moves.len()).sum();
    let inputs: usize = games.iter().map(|game| game.events.len()).sum();
    let times = (0..RUNS).map(|_| games.iter().map(read_exactly).sum());
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    let (least, median) = (times[0], times[RUNS / 2]);
    println!(
        "two hours of noisy blitz: {} games, {moves} moves, {inputs} inputs: {:.1} ms at least, {:.1} ms median",
        games.len(),
        least.as_secs_f64() * 1e3,
        median.as_secs_f64() * 1e3,
    );
    ExitCode::SUCCESS
}

/// A blitz game with as much noise as has to be read.
fn blitz(variant: Variant, seed: u64) -> SimulatedGame {
    let start = Position::start(variant);
    let noise = "1".parse::<Noise>().expect("a level of noise");
    let options = HandOptions { style: Style::Blitz, noise, ..HandOptions::default() };
    simulate(&random_game(&start, 300, seed), &start, &options, seed)
}

fn setup_of(game: &SimulatedGame) -> GameSetup {
    GameSetup::try_from(&game.header).expect("a simulated game can be read")
}

fn two_hours() -> Vec<SimulatedGame> {
    let mut games = Vec::new();
    let mut played_ms = 0;
    for seed in 1.. {
        if played_ms >= TWO_HOURS_MS {
            break;
        }
        let game = blitz(Variant::International, seed);
        played_ms += game.events.last().map_or(0, |event| event.at.millis());
        games.push(game);
    }
    games
}

/// Contacts that change at random, forty times a second for a minute.
fn storm(variant: Variant) -> Vec<TimedInput> {
    let mut random = Random::new(1, Purpose::Contacts);
    let mut closed = Position::start(variant).occupied();
    let squares: Vec<Square> = SquareSet::all(variant).iter().collect();
    let mut inputs = Vec::new();
    for n in 0..40 * 60 {
        let square = squares[random.index(squares.len())];
        if !closed.remove(square) {
            closed.insert(square);
        }
        let input = Input::Contact { square, closed: closed.contains(square) };
        inputs.push(TimedInput { at: Moment::from_millis(1000 + n * 25), input });
    }
    inputs
}

/// Reads a game and returns what it took.
fn read_exactly(game: &SimulatedGame) -> Duration {
    let (mut reading, _) = Game::new(setup_of(game));
    let began = Instant::now();
    for event in &game.events {
        let _ = reading.handle(event.at, event.input.clone());
    }
    let took = began.elapsed();
    let read = reading.summary().moves.into_iter().map(|mv| (mv.from, mv.to));
    assert!(read.eq(game.truth.moves.iter().map(|mv| (mv.from, mv.to))), "a game was not read exactly");
    took
}

/// A line of the table: what each contact change costs, with all that time alone brings about before it.
fn costs(name: &str, setup: &GameSetup, events: &[TimedInput]) -> String {
    let is_contact = |event: &&TimedInput| matches!(event.input, Input::Contact { .. } | Input::Crown { .. });
    let mut least = vec![Duration::MAX; events.iter().filter(is_contact).count()];
    let mut most_hypotheses = 0;
    for _ in 0..RUNS {
        let (mut game, _) = Game::new(setup.clone());
        let mut changes = least.iter_mut();
        for event in events {
            let began = Instant::now();
            let effects = game.handle(event.at, event.input.clone());
            let took = began.elapsed();
            drop(effects);
            if is_contact(&event) {
                let change = changes.next().expect("as many changes as counted");
                *change = took.min(*change);
            }
            most_hypotheses = most_hypotheses.max(game.reader().hypotheses().count());
        }
    }
    assert!(most_hypotheses <= MOST_HYPOTHESES, "{most_hypotheses} hypotheses");
    least.sort();
    let at = |percent: usize| micros(least[(least.len() - 1) * percent / 100]);
    let beyond = least.iter().filter(|&&took| took > SCAN).count();
    assert!(beyond * 100 <= least.len(), "{beyond} changes take longer than a scan");
    let (count, median, high, worst) = (least.len(), at(50), at(99), at(100));
    format!("{name:<42} {count:>8} {median:>7.1} µs {high:>7.1} µs {worst:>7.1} µs {most_hypotheses:>11}")
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
