//! `draughtsd status`: how a running daemon is, in a few lines for people.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::{Failure, ctl};
use crate::control::Command;

/// Says how a running daemon is.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  draughtsd status\n  draughtsd status --socket /run/board-7/control.sock\n\n\
    Exit code: 0 if the daemon is well, 65 if its journal cannot keep what happens, 69 if no daemon listens, or none answers.\n\
    `draughtsd ctl status` says the same and more as JSON."
)]
pub(super) struct Arguments {
    /// The daemon's socket; without it, the service's, or the one in this folder.
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When no daemon listens, or its journal is in trouble.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let status = ctl::ask_now(arguments.socket.clone(), &Command::Status {})?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let problem = status["journal"]["problem"].as_str();
    let (game, feeds) = (&status["game"], &status["feeds"]);
    writeln!(
        io::stdout().lock(),
        "board {} ({}), draughtsd {}\n\
         game {}: {}, {} moves, {} open alerts\n\
         position {}\n\
         journal {}: {}\n\
         spectators {}, arbiters {}",
        text(&status["board"]),
        text(&status["variant"]),
        text(&status["version"]),
        game["number"],
        text(&game["phase"]),
        game["moves"],
        game["open_alerts"],
        text(&game["fen"]),
        text(&status["journal"]["file"]),
        problem.unwrap_or("everything is kept"),
        feeds["public"]["listeners"],
        feeds["arbiter"]["listeners"],
    )
    .map_err(Failure::output)?;
    match problem {
        Some(_) => Err(Failure::told(super::exit::DATA)),
        None => Ok(()),
    }
}
