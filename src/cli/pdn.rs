//! `draughtsd pdn`: checks, converts, splits and counts files of games.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use draughtsd_core::notation::pdn::{PdnError, PdnProblem, Reader};
use draughtsd_core::rules::Variant;

use super::{Failure, exit};
use crate::input_file::{InputFile, Progress};

mod check;
mod convert;
mod count;
mod json;
mod split;

/// Checks, converts, splits and counts files of games in PDN.
///
/// Files may be compressed with gzip; `-` is standard input. What is read and what is tolerated is described in
/// docs/pdn.md. Exit codes: 0 all games right, 64 wrong use, 65 a game that cannot be read, 66 a file that cannot
/// be opened, 74 an output that cannot be written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd pdn check round3.pdn archive.pdn.gz\n  \
    draughtsd pdn convert --to json round3.pdn | jq .result\n  \
    draughtsd pdn split round3.pdn --into boards/\n  \
    draughtsd pdn count *.pdn.gz")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Convert(convert::Arguments),
    Split(split::Arguments),
    Count(count::Arguments),
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be opened, a game cannot be read, or an output cannot be written. Games and files after it
/// are still read where that is possible.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Split(arguments) => split::run(arguments),
        Command::Count(arguments) => count::run(arguments),
    }
}

/// The files that a command reads.
#[derive(Debug, Args)]
struct Input {
    /// The files, plain or compressed with gzip; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game where a file does not say: international, brazilian or russian. Without it squares and moves
    /// tell.
    #[arg(long, value_name = "BOARD")]
    board: Option<Variant>,
    /// Say nothing on stderr about progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Goes through files one after the other, and remembers what went wrong.
struct Files<'a> {
    input: &'a Input,
    /// The exit code so far; the first failure decides.
    code: Option<u8>,
}

/// A file being read.
struct OpenFile<'a> {
    /// The name as it was given.
    path: &'a Path,
    reader: Reader<InputFile>,
    meter: Meter,
}

impl<'a> Files<'a> {
    fn new(input: &'a Input) -> Self {
        Self { input, code: None }
    }

    /// Opens each file in turn and hands it to `work`; one that cannot be opened is told and passed over.
    fn each(
        &mut self,
        mut work: impl FnMut(&mut Self, OpenFile<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for path in &self.input.files {
            let name = path.display().to_string();
            match InputFile::open(path) {
                Ok(file) => {
                    let meter = Meter::new(name.clone(), file.progress(), self.input.quiet);
                    let reader = Reader::new(file).named(name).assuming(self.input.board);
                    work(self, OpenFile { path, reader, meter })?;
                }
                Err(error) => {
                    say(&format!("draughtsd: {name}: {error}"));
                    self.failed(exit::NO_INPUT);
                }
            }
        }
        match self.code {
            None => Ok(()),
            Some(code) => Err(Failure::told(code)),
        }
    }

    fn failed(&mut self, code: u8) {
        self.code.get_or_insert(code);
    }

    /// Remembers that a game could not be read.
    fn bad_game(&mut self, error: &PdnError) {
        // A damaged archive is wrong data; a disk that fails is not the file's fault.
        let is_disk = matches!(&error.problem, PdnProblem::Unreadable { kind, .. }
            if !matches!(kind, io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof));
        self.failed(if is_disk { exit::IO } else { exit::DATA });
    }
}

/// Says how far a long file has been read.
struct Meter {
    name: String,
    progress: Progress,
    quiet: bool,
    began: Instant,
    looked: u32,
    told: Option<Instant>,
    is_terminal: bool,
}

/// How long a file may take without a word.
const SILENCE: Duration = Duration::from_secs(2);

impl Meter {
    fn new(name: String, progress: Progress, quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { name, progress, quiet, began: Instant::now(), looked: 0, told: None, is_terminal }
    }

    /// Tells the progress, if it is time to; to be called after each game.
    fn game(&mut self, games: u64) {
        self.looked += 1;
        // The clock is not asked for each of a million games.
        if self.quiet || !self.looked.is_multiple_of(64) {
            return;
        }
        let pause = if self.is_terminal { Duration::from_millis(500) } else { Duration::from_secs(10) };
        let is_time = match self.told {
            None => self.began.elapsed() > SILENCE,
            Some(told) => told.elapsed() > pause,
        };
        if is_time {
            self.told = Some(Instant::now());
            let done = match self.progress.size() {
                Some(size) if size > 0 => format!("{} %", self.progress.read() * 100 / size),
                _ => format!("{} MB", self.progress.read() / 1_000_000),
            };
            let line = format!("{}: {done}, {games} games", self.name);
            if self.is_terminal {
                write_err(&format!("\r{line}\x1b[K"));
            } else {
                say(&line);
            }
        }
    }

    /// Makes room for other words on the terminal.
    fn clear(&mut self) {
        if self.told.is_some() && self.is_terminal {
            write_err("\r\x1b[K");
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Says a line on stderr; that nobody listens is no failure.
fn say(line: &str) {
    write_err(&format!("{line}\n"));
}

fn write_err(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// `1 game`, `2 games`.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
