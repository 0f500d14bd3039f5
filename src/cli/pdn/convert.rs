//! `draughtsd pdn convert`: games in strict PDN, in another notation, or as JSON.

use std::io::{self, BufWriter, Write as _};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use draughtsd_core::notation::movetext::{CaptureSign, Notation};
use draughtsd_core::notation::pdn::{WriteOptions, write_with};

use super::{Files, Input, counted, json, say};
use crate::cli::Failure;

/// Writes games again, in strict PDN 3.0 or as JSON, a line for each game.
///
/// Games that cannot be read are told on stderr and left out. Variations are not kept.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd pdn convert old.pdn > strict.pdn\n  \
    draughtsd pdn convert --notation numeric --capture colon russian.pdn\n  \
    draughtsd pdn convert --to json archive.pdn.gz | jq -r '.tags.White'")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Format::Pdn)]
    to: Format,
    /// How squares are named.
    #[arg(long, value_enum, default_value_t = NotationArgument::Usual)]
    notation: NotationArgument,
    /// The sign of a capture in PDN. The colon is usual in Russian draughts, but not every program reads it.
    #[arg(long, value_enum, default_value_t = CaptureArgument::Cross)]
    capture: CaptureArgument,
    /// Leave comments, clock times and glyphs out.
    #[arg(long)]
    bare: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// PDN 3.0.
    Pdn,
    /// JSON Lines: one object for each game.
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum NotationArgument {
    /// Numbers on 100 squares, letters on 64.
    Usual,
    /// `32-28`, `22-18`.
    Numeric,
    /// `d4-e5`, `c3-d4`.
    Algebraic,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CaptureArgument {
    /// `c3xe5`.
    Cross,
    /// `c3:e5`.
    Colon,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = WriteOptions {
        notation: match arguments.notation {
            NotationArgument::Usual => None,
            NotationArgument::Numeric => Some(Notation::Numeric),
            NotationArgument::Algebraic => Some(Notation::Algebraic),
        },
        capture: match arguments.capture {
            CaptureArgument::Cross => CaptureSign::Cross,
            CaptureArgument::Colon => CaptureSign::Colon,
        },
        bare: arguments.bare,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = 0_u64;
    Files::new(&arguments.input).each(|files, mut file| {
        let mut left_out = 0_u64;
        for game in file.reader.by_ref() {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    files.bad_game(&error);
                    file.meter.clear();
                    say(&error.to_string());
                    continue;
                }
            };
            left_out += u64::from(game.variations_left_out);
            match arguments.to {
                Format::Pdn => {
                    let parted = if written > 0 { "\n" } else { "" };
                    write!(out, "{parted}{}", write_with(&game, &options)).map_err(Failure::output)?;
                }
                Format::Json => {
                    let shown = json::Game::new(&game, file.path, &options);
                    let line = serde_json::to_string(&shown).context("game").map_err(Failure::internal)?;
                    writeln!(out, "{line}").map_err(Failure::output)?;
                }
            }
            written += 1;
            file.meter.game(game.number);
        }
        file.meter.clear();
        if left_out > 0 && !arguments.input.quiet {
            say(&format!("{}: {} left out", file.path.display(), counted(left_out, "variation")));
        }
        out.flush().map_err(Failure::output)
    })
}
