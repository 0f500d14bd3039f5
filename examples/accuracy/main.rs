//! Measures how exactly games are read: the tables and the picture of `docs/accuracy.md`.
//!
//! Games made up from seeds are carried out by simulated hands in every style, at several levels of
//! noise, and read twice: by the program's own core, and by the method most boards use (see
//! `baseline`). A game counts as exact when every move, in order, and the last position are right.
//!
//! `just accuracy` writes `docs/accuracy.md` and
//! `docs/accuracy.svg`; the numbers depend on nothing but `--seed`.

mod acts;
mod baseline;
mod plot;
mod report;

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Context as _;
use clap::Parser;
use draughtsd::simulator::{HandOptions, Level, Noise, SimulatedGame, Style, random_game, simulate};
use draughtsd_core::game::{Game, GameSetup, Summary};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::Crowning;

/// Levels of noise in the table, in hundredths.
const TABLE_LEVELS: [u32; 3] = [0, 50, 100];
/// Levels of noise in the plot, in hundredths: 100 is the most that must be read.
const PLOT_LEVELS: [u32; 11] = [0, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400];

/// Measures how exactly simulated games are read.
#[derive(Debug, Parser)]
struct Arguments {
    /// Games for each board, style and level of noise in the table.
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// Games for each board, style and level of noise in the plot.
    #[arg(long, default_value_t = 200)]
    plot_games: u32,
    /// Games with irregular acts for each board, style and level of noise.
    #[arg(long, default_value_t = 200)]
    act_games: u32,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The longest game, in plies.
    #[arg(long, default_value_t = 120)]
    plies: usize,
    /// Lose one or two plies about once in N.
    #[arg(long)]
    gap: Option<u32>,
    /// Write `accuracy.md` and `accuracy.svg` into this folder; without it the table goes to stdout.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write traces within the limits that were not read exactly, or raised a false alert, into this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// One row of the measurement: games of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    board: Variant,
    style: Style,
    level: u32,
}

impl Kind {
    /// How a game of this kind is to be handled; every way of sensing a crowning has its share.
    fn options(self, seed: u64) -> HandOptions {
        let crowning = match seed % 3 {
            0 => Crowning::None,
            1 => Crowning::Stack,
            _ => Crowning::Reserve,
        };
        HandOptions {
            style: self.style,
            noise: Noise::of(Level::from_hundredths(self.level)),
            crowning,
            ..HandOptions::default()
        }
    }
}

/// What came of games.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u32,
    plies: u64,
    /// Games of which every move and the last position were read right.
    exact: u32,
    /// Plies read right from the beginning of the game on.
    plies_right: u64,
    /// Alerts raised; none of the games deserves one.
    false_alerts: u32,
    /// As `exact`, by the method to compare with.
    baseline_exact: u32,
    /// As `plies_right`, by the method to compare with.
    baseline_plies_right: u64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.exact += other.exact;
        self.plies_right += other.plies_right;
        self.false_alerts += other.false_alerts;
        self.baseline_exact += other.baseline_exact;
        self.baseline_plies_right += other.baseline_plies_right;
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    for folder in [&arguments.out, &arguments.keep].into_iter().flatten() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let table = measure(&TABLE_LEVELS, arguments.games, &arguments)?;
    let plot = measure(&PLOT_LEVELS, arguments.plot_games, &arguments)?;
    let acts = acts::measure(&arguments)?;
    let text = report::markdown(&table, &acts, &arguments);
    match &arguments.out {
        Some(folder) => {
            write(&folder.join("accuracy.md"), &text)?;
            write(&folder.join("accuracy.svg"), &plot::svg(&plot))
        }
        None => io::stdout().write_all(text.as_bytes()).context("standard output"),
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// Simulates and reads `games` games of every board and style at each of `levels`.
fn measure(levels: &[u32], games: u32, arguments: &Arguments) -> anyhow::Result<Vec<(Kind, Tally)>> {
    for_each_kind(levels, games, |kind| measure_kind(kind, games, arguments))
}

/// Does `work` for every board and style at each of `levels`, on all processors; what came of it, in order.
fn for_each_kind<T: Send>(
    levels: &[u32],
    games: u32,
    work: impl Fn(Kind) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<(Kind, T)>> {
    if games == 0 {
        return Ok(Vec::new());
    }
    let mut kinds = Vec::new();
    for board in Variant::ALL {
        for style in Style::ALL {
            kinds.extend(levels.iter().map(|&level| Kind { board, style, level }));
        }
    }
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (send, receive) = mpsc::channel();
    let mut done = thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next, kinds, work) = (send.clone(), &next, &kinds, &work);
            scope.spawn(move || {
                while let Some(&kind) = kinds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if send.send(work(kind).map(|result| (kind, result))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        receive.into_iter().collect::<anyhow::Result<Vec<_>>>()
    })?;
    done.sort_by_key(|(kind, _)| *kind);
    Ok(done)
}

fn measure_kind(kind: Kind, games: u32, arguments: &Arguments) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for seed in (arguments.seed..).take(games as usize) {
        let start = Position::start(kind.board);
        let moves = random_game(&start, arguments.plies, seed);
        let options =
            HandOptions { gaps: arguments.gap.map_or(0, |every| 1000 / every.max(1)), ..kind.options(seed) };
        let simulated = simulate(&moves, &start, &options, seed);
        let one = measure_game(&simulated)?;
        let is_wrong = kind.level <= 100 && (one.exact == 0 || one.false_alerts > 0);
        if let (Some(folder), true) = (&arguments.keep, is_wrong) {
            keep(folder, kind, seed, &simulated)?;
        }
        tally.add(&one);
    }
    Ok(tally)
}

fn measure_game(simulated: &SimulatedGame) -> anyhow::Result<Tally> {
    let truth: Vec<PlyRead> = simulated
        .truth
        .moves
        .iter()
        .map(|mv| (mv.from, mv.to, mv.captures.iter().copied().collect()))
        .collect();
    let comparison = simulated.truth.compare(&read(simulated)?);
    let baseline = baseline::read(simulated)?;
    let baseline_right = truth.iter().zip(&baseline).take_while(|(a, b)| a == b).count();
    Ok(Tally {
        games: 1,
        plies: comparison.plies as u64,
        exact: u32::from(comparison.is_exact()),
        plies_right: comparison.plies_right as u64,
        false_alerts: u32::try_from(comparison.false_alerts.len())?,
        baseline_exact: u32::from(baseline == truth),
        baseline_plies_right: baseline_right as u64,
    })
}

/// A move as far as contacts can tell it. The last position follows from all of them.
type PlyRead = (Square, Square, SquareSet);

fn read(simulated: &SimulatedGame) -> anyhow::Result<Summary> {
    let (mut game, _) = Game::new(GameSetup::try_from(&simulated.header)?);
    for timed in &simulated.events {
        game.handle(timed.at, timed.input.clone());
    }
    Ok(game.summary())
}

fn keep(folder: &Path, kind: Kind, seed: u64, simulated: &SimulatedGame) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let name = format!("{}-{}-{}-{seed}", kind.style, kind.board, kind.level);
    write(&folder.join(format!("{name}.jsonl")), &simulated.trace())?;
    write(&folder.join(format!("{name}.truth.json")), &serde_json::to_string(&simulated.truth)?)
}
