//! `draughtsd pdn check`: which games of a file cannot be read, and why.

use std::io::{self, BufWriter, Write as _};

use clap::Args;

use super::{Files, Input, counted, say};
use crate::cli::Failure;

/// Replays every game and tells those that cannot be read: file, line, game, move, reason, and what was legal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd pdn check round3.pdn\n  \
    zcat archive.pdn.gz | draughtsd pdn check -\n\n\
    What is found goes to standard output, a line for each game; the summary goes to stderr.")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Tell no more than this many games of a file; all are counted.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    most: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    Files::new(&arguments.input).each(|files, mut file| {
        let (mut right, mut wrong, mut plies) = (0_u64, 0_u64, 0_u64);
        for game in file.reader.by_ref() {
            match game {
                Ok(game) => {
                    right += 1;
                    plies += game.moves.len() as u64;
                }
                Err(error) => {
                    files.bad_game(&error);
                    wrong += 1;
                    if wrong <= arguments.most {
                        file.meter.clear();
                        writeln!(out, "{error}").map_err(Failure::output)?;
                    }
                }
            }
            file.meter.game(right + wrong);
        }
        out.flush().map_err(Failure::output)?;
        file.meter.clear();
        if !arguments.input.quiet {
            let unsaid = wrong.saturating_sub(arguments.most);
            let more = if unsaid > 0 { format!(", {unsaid} of them not told") } else { String::new() };
            say(&format!(
                "{}: {}, {wrong} wrong{more}; {plies} plies in the others",
                file.path.display(),
                counted(right + wrong, "game")
            ));
        }
        Ok(())
    })
}
