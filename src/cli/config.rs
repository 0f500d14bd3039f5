//! `draughtsd config`: prints the configuration file to start from.

use std::io::{self, Write as _};

use clap::Args;

use super::Failure;
use crate::config;

/// Prints a configuration file that shows every key with its default, as comments.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  draughtsd config > board.toml")]
pub(super) struct Arguments {}

/// Runs the command.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn run(_: &Arguments) -> Result<(), Failure> {
    io::stdout().lock().write_all(config::DEFAULT.as_bytes()).map_err(Failure::output)
}
