//! `draughtsd simulate`: a game carried out by simulated hands, as a contact trace.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use draughtsd_core::moves::Move;
use draughtsd_core::notation::{fen, pdn};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::{ClockLink, Crowning};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::{Failure, exit};
use crate::simulator::{Fault, HandOptions, Noise, Planned, Style, random_game, simulate};

/// Carries a game out with simulated hands and writes the contact trace to standard output.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd simulate game.pdn --seed 7 --style blitz --noise 1\n  \
    draughtsd simulate games.pdn.gz --game 12 --irregular 6 --truth game.truth.json\n  \
    draughtsd simulate --board russian --seed 7 --style scramble\n  \
    draughtsd simulate --seed 3 --noise bounce=1,dropout=0.5 --fault stuck-closed:23@60000 \\\n    \
      --gzip > game.jsonl.gz\n  \
    draughtsd simulate --seed 7 | draughtsd replay -\n\n\
    The same arguments give the same trace, byte for byte. Exit code: 65 for a game that cannot be read,\n\
    66 for a file that cannot be opened.")]
pub(super) struct Arguments {
    /// A PDN file, plain or gzip, `-` is standard input; without it a game is made up from the seed.
    #[arg(value_name = "GAME.pdn")]
    file: Option<PathBuf>,
    /// Which game of the file, from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// International, brazilian or russian: the game to make up, or that of a file that does not say it.
    #[arg(long, value_name = "BOARD")]
    board: Option<Variant>,
    /// The position from which to make a game up, as FEN.
    #[arg(long, value_name = "FEN", conflicts_with = "file")]
    start: Option<String>,
    /// The longest game to make up, in plies; of a game in a file, play only so many.
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
    /// Let the players think so many seconds longer before each move than the style has it.
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=3600))]
    think: u64,
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
    let (start, moves) = match &arguments.file {
        Some(path) => game_of_file(path, arguments)?,
        None => {
            let start = start_position(arguments)?;
            (start, random_game(&start, arguments.plies, arguments.seed))
        }
    };
    check_squares(arguments, start.variant())?;
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
        think_ms: arguments.think * 1000,
        gaps: arguments.gap.map_or(0, |every| 1000 / every),
        faults: arguments.faults.clone(),
        plan: plan(arguments, moves.len()),
    };
    let simulated = simulate(&moves, &start, &options, arguments.seed);
    if let Some(path) = &arguments.truth {
        let mut text = serde_json::to_string(&simulated.truth).context("truth").map_err(Failure::internal)?;
        text.push('\n');
        fs::write(path, text)
            .with_context(|| path.display().to_string())
            .map_err(|error| Failure::new(exit::IO, error))?;
    }
    if !arguments.acts.is_empty() {
        warn_of(&simulated.not_planted);
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

/// Says which acts asked for one by one did not come to pass.
fn warn_of(not_planted: &[Planned]) {
    for act in not_planted {
        // Where nobody reads it, there is nobody to tell that.
        let _ = writeln!(
            io::stderr(),
            "draughtsd: no position of this game allowed {act}; try another --seed or an earlier ply"
        );
    }
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
    let board = arguments.board.unwrap_or(Variant::International);
    let Some(text) = &arguments.start else { return Ok(Position::start(board)) };
    fen::parse_position(text, board)
        .with_context(|| format!("--start {text}"))
        .map_err(|error| Failure::new(exit::USAGE, error))
}

/// The game asked for: where it starts and its moves, up to the first position set up between them.
fn game_of_file(path: &Path, arguments: &Arguments) -> Result<(Position, Vec<Move>), Failure> {
    let name = path.display().to_string();
    let unreadable =
        |error: io::Error| Failure::new(exit::NO_INPUT, anyhow::Error::new(error).context(name.clone()));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut input = BufReader::new(input);
    let zipped = input.fill_buf().map_err(unreadable)?.starts_with(&[0x1f, 0x8b]);
    let input: Box<dyn Read> = if zipped { Box::new(MultiGzDecoder::new(input)) } else { Box::new(input) };
    let reader = pdn::Reader::new(input).named(name.clone()).assuming(arguments.board);
    let mut found = 0;
    for game in reader {
        found += 1;
        if found < arguments.game {
            continue;
        }
        let game = game.map_err(|error| Failure::new(exit::DATA, error))?;
        let whole = game.setups.first().map_or(game.moves.len(), |setup| setup.before_ply);
        let plies = whole.min(arguments.plies);
        let moves = game.moves.iter().take(plies).map(|played| played.mv);
        return Ok((game.start, moves.collect()));
    }
    let error = anyhow!("{name}: there is no game {}; the file has {found}", arguments.game);
    Err(Failure::new(exit::DATA, error))
}

fn check_squares(arguments: &Arguments, board: Variant) -> Result<(), Failure> {
    let named = arguments.faults.iter().flat_map(|fault| fault.squares());
    match named.into_iter().find(|square| !square.is_on(board)) {
        None => Ok(()),
        Some(square) => Err(Failure::new(
            exit::USAGE,
            anyhow!(
                "--fault names square {square}; the {board} board has squares 1 to {}",
                board.square_count()
            ),
        )),
    }
}
