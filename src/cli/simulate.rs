//! `draughtsd simulate`: a game carried out by simulated hands, as a contact trace.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use draughtsd_core::notation::fen;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::{ClockLink, Crowning};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Failure, exit};
use crate::simulator::{Fault, HandOptions, Noise, Planned, Style, random_game, simulate};

/// Carries a game out with simulated hands and writes the contact trace to standard output.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd simulate --board russian --seed 7 --style blitz --noise 1\n  \
    draughtsd simulate --seed 3 --noise bounce=1,dropout=0.5 --fault stuck-closed:23@60000 \\\n    \
      --truth game.truth.json --gzip > game.jsonl.gz\n  \
    draughtsd simulate --seed 7 | draughtsd replay -\n\n\
    The same arguments give the same trace, byte for byte.")]
pub(super) struct Arguments {
    /// The game to make up: international, brazilian or russian.
    #[arg(long, value_name = "BOARD", default_value_t = Variant::International)]
    board: Variant,
    /// The position to start from, as FEN.
    #[arg(long, value_name = "FEN")]
    start: Option<String>,
    /// The longest game to make up, in plies.
    #[arg(long, value_name = "N", default_value_t = 300)]
    plies: usize,
    /// Everything left to chance follows from this number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the players handle the discs: book, direct, pairs, blitz, slow, sloppy, scramble, sweep,
    /// both-hands or parked.
    #[arg(long, default_value_t = Style::Book)]
    style: Style,
    /// How noisy contacts and hands are: a level, where 1 is the most that must be read and more goes
    /// beyond it, or a list of kinds with their levels (bounce, flicker, dropout, nudge, pass, slide,
    /// visit, press, pairs).
    #[arg(long, value_name = "LEVEL|KIND=LEVEL,…", default_value_t = Noise::NONE)]
    noise: Noise,
    /// How a crowning is sensed.
    #[arg(long, value_enum, default_value_t = CrowningArgument::Stack)]
    crowning: CrowningArgument,
    /// Whether a clock is linked.
    #[arg(long, value_enum, default_value_t = ClockArgument::Linked)]
    clock: ClockArgument,
    /// Let the scanner lose one or two plies, about once in N plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    gap: Option<u32>,
    /// A faulty contact: stuck-open:SQUARE, stuck-closed:SQUARE, dead:SQUARE, chattering:SQUARE, each
    /// with @MILLISECONDS for a later beginning, coupled:SQUARE/NEIGHBOUR, missing-diode:SQUARE. May be
    /// given several times.
    #[arg(long = "fault", value_name = "FAULT")]
    faults: Vec<Fault>,
    /// Plant an irregular act: its code (touch-move, took-back, ...), then :corrected or :accepted for
    /// what becomes of it, then @PLY for the first ply at which it may happen. May be given several times.
    #[arg(long = "act", value_name = "CODE[:OUTCOME][@PLY]")]
    acts: Vec<Planned>,
    /// Plant irregular acts of all kinds, about one in N plies.
    #[arg(long, value_name = "N", conflicts_with = "acts", value_parser = clap::value_parser!(u32).range(2..=1000))]
    irregular: Option<u32>,
    /// Write what really happened to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Compress the trace.
    #[arg(long)]
    gzip: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CrowningArgument {
    /// A contact per far-row square, closed while two discs stand on it.
    Stack,
    /// Contacts under the spare discs.
    Reserve,
    /// Not sensed.
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ClockArgument {
    /// Presses are in the trace.
    Linked,
    /// There is no linked clock.
    None,
}

/// Runs the command.
///
/// # Errors
/// When an argument does not fit the board, or an output cannot be written.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let start = start_position(arguments)?;
    check_squares(arguments)?;
    let game = random_game(&start, arguments.plies, arguments.seed);
    let options = HandOptions {
        style: arguments.style,
        noise: arguments.noise,
        crowning: match arguments.crowning {
            CrowningArgument::Stack => Crowning::Stack,
            CrowningArgument::Reserve => Crowning::Reserve,
            CrowningArgument::None => Crowning::None,
        },
        clock: match arguments.clock {
            ClockArgument::Linked => ClockLink::Linked,
            ClockArgument::None => ClockLink::None,
        },
        gaps: arguments.gap.map_or(0, |every| 1000 / every),
        faults: arguments.faults.clone(),
        plan: plan(arguments, game.len()),
    };
    let simulated = simulate(&game, &start, &options, arguments.seed);
    if let Some(path) = &arguments.truth {
        let mut text = serde_json::to_string(&simulated.truth).context("truth").map_err(Failure::internal)?;
        text.push('\n');
        fs::write(path, text)
            .with_context(|| path.display().to_string())
            .map_err(|error| Failure::new(exit::IO, error))?;
    }
    let trace = simulated.trace();
    let out = io::stdout().lock();
    write_trace(out, trace.as_bytes(), arguments.gzip).map_err(Failure::output)
}

/// The acts to be planted in a game of `plies`, in order of ply.
fn plan(arguments: &Arguments, plies: usize) -> Vec<Planned> {
    let plies = u32::try_from(plies).unwrap_or(u32::MAX);
    let mut plan = match arguments.irregular {
        Some(every) => Planned::at_random(plies, every, arguments.seed),
        None => arguments.acts.clone(),
    };
    plan.sort_by_key(|act| act.from_ply);
    plan
}

fn write_trace(mut out: impl Write, trace: &[u8], gzip: bool) -> io::Result<()> {
    if gzip {
        let mut encoder = GzEncoder::new(out, Compression::default());
        encoder.write_all(trace)?;
        encoder.finish()?.flush()
    } else {
        out.write_all(trace)?;
        out.flush()
    }
}

fn start_position(arguments: &Arguments) -> Result<Position, Failure> {
    let Some(text) = &arguments.start else { return Ok(Position::start(arguments.board)) };
    fen::parse_position(text, arguments.board)
        .with_context(|| format!("--start {text}"))
        .map_err(|error| Failure::new(exit::USAGE, error))
}

fn check_squares(arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments.faults.iter().flat_map(|fault| fault.squares());
    match named.into_iter().find(|square| !square.is_on(arguments.board)) {
        None => Ok(()),
        Some(square) => Err(Failure::new(
            exit::USAGE,
            anyhow::anyhow!(
                "--fault names square {square}; the {} board has squares 1 to {}",
                arguments.board,
                arguments.board.square_count()
            ),
        )),
    }
}
