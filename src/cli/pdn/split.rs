//! `draughtsd pdn split`: one file for each game, or for each value of a tag.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use draughtsd_core::notation::pdn::{Game, write};

use super::{Files, Input, counted, say};
use crate::cli::{Failure, exit};

/// Writes each game to a file of its own, in strict PDN 3.0.
///
/// Games that cannot be read are told on stderr and left out. The names of the files are written to standard
/// output.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd pdn split round3.pdn --into boards/          boards/game-1.pdn, boards/game-2.pdn, …\n  \
    draughtsd pdn split year.pdn.gz --by Round --into out/  out/1.pdn, out/2.pdn, …")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The folder for the files; made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
    /// Put the games with the same value of this tag into one file, named after the value.
    #[arg(long, value_name = "TAG")]
    by: Option<String>,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.into;
    fs::create_dir_all(folder)
        .with_context(|| folder.display().to_string())
        .map_err(|error| Failure::new(exit::IO, error))?;
    let mut splitter = Splitter { arguments, begun: HashSet::new(), games: 0 };
    let mut out = io::stdout().lock();
    Files::new(&arguments.input).each(|files, mut file| {
        let mut games = 0_u64;
        for game in file.reader.by_ref() {
            match game {
                Ok(game) => {
                    games += 1;
                    if let Some(path) = splitter.add(&game)? {
                        writeln!(out, "{}", path.display()).map_err(Failure::output)?;
                    }
                }
                Err(error) => {
                    // The number stays free, so that the others keep the number of their board.
                    splitter.games += 1;
                    files.bad_game(&error);
                    file.meter.clear();
                    say(&error.to_string());
                }
            }
            file.meter.game(games);
        }
        file.meter.clear();
        if !arguments.input.quiet {
            say(&format!("{}: {}", file.path.display(), counted(games, "game")));
        }
        Ok(())
    })
}

struct Splitter<'a> {
    arguments: &'a Arguments,
    /// The names of the files begun by this run.
    begun: HashSet<String>,
    games: u64,
}

impl Splitter<'_> {
    /// Writes a game to its file; returns the path of a file that this begins.
    fn add(&mut self, game: &Game) -> Result<Option<PathBuf>, Failure> {
        self.games += 1;
        let name = match &self.arguments.by {
            None => format!("game-{}.pdn", self.games),
            Some(tag) => format!("{}.pdn", file_name(game.tag(tag).unwrap_or_default())),
        };
        let path = self.arguments.into.join(&name);
        let is_new = self.begun.insert(name);
        let text = write(game);
        let written = if is_new { self.begin(&path, &text) } else { append(&path, &text) };
        written.with_context(|| path.display().to_string()).map_err(|error| Failure::new(exit::IO, error))?;
        Ok(is_new.then_some(path))
    }

    fn begin(&self, path: &Path, text: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true);
        if self.arguments.force {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        options.open(path)?.write_all(text.as_bytes())
    }
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(format!("\n{text}").as_bytes())
}

/// A name for a file that stays within its folder: letters, digits and a few signs.
fn file_name(value: &str) -> String {
    let mut name: String = value
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    // Long names are refused by file systems, and a point at the beginning hides a file.
    while name.len() > 100 {
        name.pop();
    }
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_their_folder() {
        for (value, name) in [
            ("3", "3"),
            ("../../etc/passwd", "etc-passwd"),
            ("", "unknown"),
            ("?", "unknown"),
            ("Open d'Avignon, ronde 2", "Open-d-Avignon--ronde-2"),
            ("Чемпионат", "Чемпионат"),
            ("a\0b\n", "a-b"),
        ] {
            assert_eq!(file_name(value), name);
        }
        assert!(file_name(&"ж".repeat(300)).len() <= 100);
    }
}
