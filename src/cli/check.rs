//! `draughtsd check`: says whether a configuration is in order, its pin map and calibration included. Opens no device and no port.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;

use super::{Failure, exit};
use crate::config::{Config, ConfigError};
use crate::scan;

/// Checks a configuration file, and the pin map and calibration that it names; opens no device and no port.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd check --config /etc/draughtsd.toml\n  \
    draughtsd config > board.toml && draughtsd check --config board.toml\n\n\
    Exit code: 0 if all is in order, 78 if something is wrong, 66 if the file cannot be read.")]
pub(super) struct Arguments {
    /// The configuration file.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read, or something is wrong with it.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::read(&arguments.config)?;
    let pin_map = scan::pin_map(&config.scan, &config.board)?;
    scan::stack::calibration(&config.scan, &config.board, &pin_map)?;
    let (path, board) = (arguments.config.display(), &config.board);
    writeln!(io::stdout().lock(), "{path}: in order (board {}, {})", board.id, board.game)
        .map_err(Failure::output)
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let code = match &error {
            ConfigError::Read { .. } => exit::NO_INPUT,
            ConfigError::Form { .. } | ConfigError::Problems { .. } => exit::CONFIG,
        };
        Self::new(code, error)
    }
}
