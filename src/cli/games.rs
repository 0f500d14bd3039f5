//! `draughtsd games`: the games in a journal. The daemon may be at work meanwhile.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use draughtsd_core::trace::Input;
use serde_json::json;

use super::{Failure, exit};
use crate::config::Config;
use crate::daemon;
use crate::feeds::board_state::BoardState;
use crate::feeds::envelope::{Audience, Sequencer};
use crate::feeds::game_record::{self, Irregular};
use crate::journal::archive::{Archive, StoredGame, Verdict};
use crate::journal::{Entry, JournalError, Kind};
use crate::stored_game::{Rerun, rerun};

/// Where the service has its journal.
const SERVICE_JOURNAL: &str = "/var/lib/draughtsd/draughtsd.db";

/// Lists, shows, exports and checks the games in a journal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd games list\n  \
    draughtsd games export 17 --output pdn\n  \
    draughtsd games export 17 --output trace > game.jsonl\n  \
    draughtsd games verify\n  \
    draughtsd games --journal old.db re-read 17\n\n\
    Exit code: 0, or 65 when a chain does not hold or a game is read otherwise now, 66 when the journal cannot be\n\
    read.")]
pub(super) struct Arguments {
    /// The journal; without it, the service's, or the one in this folder.
    #[arg(long, value_name = "FILE", conflicts_with = "config")]
    journal: Option<PathBuf>,
    /// The configuration that names the journal.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// One line a game: number, board, beginning, end, moves, result, names.
    List,
    /// Everything about one game as JSON: moves, alerts, result, who entered what.
    Show {
        /// Its number.
        game: u64,
    },
    /// One game for other programs.
    Export {
        /// Its number.
        game: u64,
        /// In which form.
        #[arg(long, value_enum, default_value_t = Output::Pdn)]
        output: Output,
    },
    /// Follows the hash chains: whether a game was changed after it was written.
    Verify {
        /// Its number; without it, all games.
        game: Option<u64>,
    },
    /// Reads a game with the present version of the program, and shows what it reads otherwise.
    ReRead {
        /// Its number; without it, all games.
        game: Option<u64>,
    },
}

/// The form of an exported game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A contact trace: docs/trace.md.
    Trace,
    /// A PDN game, as the public saw it.
    Pdn,
    /// Every entry of the journal, one JSON object a line.
    Json,
}

/// Runs the command.
///
/// # Errors
/// When the journal or a game cannot be read, a chain does not hold, or a game is read otherwise.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let archive = Archive::open(&journal(arguments)?)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match arguments.what {
        What::List => list(&archive, &mut out),
        What::Show { game } => show(&archive, game, &mut out),
        What::Export { game, output } => export(&archive, game, output, &mut out),
        What::Verify { game } => verify(&archive, game, &mut out),
        What::ReRead { game } => re_read(&archive, game, &mut out),
    };
    out.flush().map_err(Failure::output)?;
    done
}

fn journal(arguments: &Arguments) -> Result<PathBuf, Failure> {
    if let Some(journal) = &arguments.journal {
        return Ok(journal.clone());
    }
    if let Some(config) = &arguments.config {
        return Ok(daemon::journal_path(&Config::read(config)?));
    }
    let service = PathBuf::from(SERVICE_JOURNAL);
    // An error is a folder that this user may not look into, which is worth a word.
    Ok(if service.try_exists().unwrap_or(true) { service } else { PathBuf::from("draughtsd.db") })
}

/// A game with its entries, run again.
fn load(archive: &Archive, game: u64) -> Result<(StoredGame, Vec<Entry>, Rerun), Failure> {
    let stored = archive.game(game)?;
    let entries = archive.entries(game)?;
    let rerun = rerun(&stored, &entries).map_err(|error| Failure::new(exit::DATA, error))?;
    Ok((stored, entries, rerun))
}

/// What the public saw of a game, folded.
fn public_state(stored: &StoredGame, rerun: &Rerun) -> BoardState {
    let number = stored.number.to_string();
    let mut sequencer = Sequencer::new(&stored.game.board, &number, 0, Audience::Public);
    let about = rerun.about.clone();
    let mut state = BoardState::new(&stored.game.board, &number, rerun.header.board, about, sequencer.last());
    for (event, at) in &rerun.told {
        if let Some(envelope) = sequencer.wrap(event, Some(*at)) {
            state.apply(&envelope);
        }
    }
    state
}

fn list(archive: &Archive, out: &mut impl Write) -> Result<(), Failure> {
    let games = archive.games()?;
    for stored in games {
        let (_, _, rerun) = load(archive, stored.number)?;
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        let ended = stored.ended_at.map_or_else(|| "under way".to_owned(), |at| at.to_string());
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{} moves\t{}\t{} - {}",
            stored.number,
            stored.game.board,
            stored.game.began_at,
            ended,
            rerun.game.moves().count(),
            rerun.game.summary().result.text(),
            name(&rerun.about.white),
            name(&rerun.about.black),
        )
        .map_err(Failure::output)?;
    }
    Ok(())
}

fn show(archive: &Archive, game: u64, out: &mut impl Write) -> Result<(), Failure> {
    let (stored, entries, rerun) = load(archive, game)?;
    let summary = rerun.game.summary();
    let entered: Vec<_> = entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::Audit | Kind::Gap))
        .map(|entry| json!({ "at": entry.at, "kind": entry.kind.name(), "entry": entry_json(entry) }))
        .collect();
    let shown = json!({
        "game": stored.number,
        "board": stored.game.board,
        "began_at": stored.game.began_at,
        "ended_at": stored.ended_at,
        "about": rerun.about,
        "moves": summary.moves,
        "alerts": summary.alerts,
        "result": summary.result,
        "reason": summary.reason,
        "fen": rerun.game.position().fen(),
        "entered": entered,
        "entries": entries.len(),
        "hash": stored.last_hash.map(|hash| hash.to_string()),
    });
    let text = serde_json::to_string_pretty(&shown).context("game").map_err(Failure::internal)?;
    writeln!(out, "{text}").map_err(Failure::output)
}

/// The body of an entry as JSON where it is some, else as text.
fn entry_json(entry: &Entry) -> serde_json::Value {
    serde_json::from_str(&entry.body).unwrap_or_else(|_| json!(entry.body))
}

fn export(archive: &Archive, game: u64, output: Output, out: &mut impl Write) -> Result<(), Failure> {
    let (stored, entries, rerun) = load(archive, game)?;
    match output {
        Output::Pdn => {
            let pdn = game_record::pdn(&public_state(&stored, &rerun), Irregular::SetUp);
            out.write_all(pdn.as_bytes()).map_err(Failure::output)
        }
        Output::Trace => {
            writeln!(out, "{}", rerun.header.to_line()).map_err(Failure::output)?;
            for (_, input) in &rerun.inputs {
                writeln!(out, "{}", input.to_line()).map_err(Failure::output)?;
            }
            let ends = rerun.inputs.last().is_some_and(|(_, input)| input.input == Input::End);
            if !ends && stored.ended_at.is_some() {
                let t = rerun.game.now().millis();
                writeln!(out, "{}", json!({ "t": t, "end": true })).map_err(Failure::output)?;
            }
            Ok(())
        }
        Output::Json => {
            for (number, entry) in (1_u64..).zip(&entries) {
                let line = json!({
                    "number": number, "at": entry.at, "kind": entry.kind.name(), "body": entry_json(entry),
                });
                writeln!(out, "{line}").map_err(Failure::output)?;
            }
            Ok(())
        }
    }
}

fn numbers(archive: &Archive, game: Option<u64>) -> Result<Vec<u64>, Failure> {
    match game {
        Some(game) => Ok(vec![archive.game(game)?.number]),
        None => Ok(archive.games()?.iter().map(|stored| stored.number).collect()),
    }
}

fn verify(archive: &Archive, game: Option<u64>, out: &mut impl Write) -> Result<(), Failure> {
    let mut broken = 0;
    for number in numbers(archive, game)? {
        match archive.verify(number)? {
            Verdict::Holds { entries, hash } => {
                writeln!(out, "game {number}: holds, {entries} entries, {hash}").map_err(Failure::output)?;
            }
            Verdict::Broken { entry, problem } => {
                broken += 1;
                writeln!(out, "game {number}: does not hold at entry {entry}: {problem}")
                    .map_err(Failure::output)?;
            }
        }
    }
    if broken == 0 { Ok(()) } else { Err(Failure::new(exit::DATA, anyhow!("{broken} chains do not hold"))) }
}

fn re_read(archive: &Archive, game: Option<u64>, out: &mut impl Write) -> Result<(), Failure> {
    let mut others = 0;
    for number in numbers(archive, game)? {
        let (_, _, rerun) = load(archive, number)?;
        if rerun.has_gap {
            writeln!(out, "game {number}: entries are missing").map_err(Failure::output)?;
        }
        if rerun.differences.is_empty() {
            writeln!(out, "game {number}: read as it was").map_err(Failure::output)?;
            continue;
        }
        others += 1;
        writeln!(out, "game {number}: {} differences", rerun.differences.len()).map_err(Failure::output)?;
        for difference in &rerun.differences {
            let or_nothing = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
            let (then, now) = (or_nothing(&difference.then), or_nothing(&difference.now));
            writeln!(out, "  before entry {}:\n    then {then}\n    now  {now}", difference.entry)
                .map_err(Failure::output)?;
        }
    }
    if others == 0 {
        Ok(())
    } else {
        Err(Failure::new(exit::DATA, anyhow!("{others} games are read otherwise")))
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self::new(exit::NO_INPUT, error)
    }
}
