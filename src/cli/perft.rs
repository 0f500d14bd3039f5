//! `draughtsd perft`: counts the move sequences of a given length and says how fast.

use std::io::{self, Write as _};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use draughtsd_core::notation::fen;
use draughtsd_core::position::Position;
use draughtsd_core::rules::{Variant, perft};
use serde::Serialize;

use super::{Failure, exit};

/// Counts the move sequences of a given length from a position, as one line of JSON.
///
/// Two captures of one piece with the same origin, target, promotion and set of captured pieces are one move.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd perft --board international --depth 9\n  \
    draughtsd perft --board russian --depth 5 --fen 'W:Wc3,Ka1:Bf6,h8'")]
pub(super) struct Arguments {
    /// The game: international, brazilian or russian.
    #[arg(long, value_name = "BOARD", default_value_t = Variant::International)]
    board: Variant,
    /// How many plies; each one more takes about five to seven times as long.
    #[arg(long, value_name = "N")]
    depth: u32,
    /// The position to start from instead of the start position, as FEN.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

#[derive(Serialize)]
struct Report {
    board: Variant,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

/// Runs the command.
///
/// # Errors
/// When the FEN cannot be read or shows no position the rules accept, or standard output cannot be written.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = match &arguments.fen {
        None => Position::start(arguments.board),
        Some(text) => fen::parse_position(text, arguments.board)
            .with_context(|| format!("--fen {text}"))
            .map_err(|error| Failure::new(exit::USAGE, error))?,
    };
    let start = Instant::now();
    let nodes = perft(&position, arguments.depth);
    let seconds = start.elapsed().as_secs_f64();
    let report = Report {
        board: arguments.board,
        depth: arguments.depth,
        nodes,
        seconds,
        nodes_per_second: per_second(nodes, seconds),
    };
    let line = serde_json::to_string(&report).map_err(|error| Failure::internal(error.into()))?;
    writeln!(io::stdout().lock(), "{line}").map_err(Failure::output)
}

/// Whole nodes per second; a run too short to be measured counts as one nanosecond.
#[expect(clippy::cast_precision_loss, reason = "a rate needs no more than 15 digits")]
fn per_second(nodes: u64, seconds: f64) -> f64 {
    (nodes as f64 / seconds.max(1e-9)).round()
}
