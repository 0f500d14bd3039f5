//! `draughtsd ctl`: what an arbiter or an operator enters at a running daemon.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand};
use draughtsd_core::event::EndReason;
use draughtsd_core::piece::Side;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{AdjournEntry, ClockEntry, ClockReport, Decision, DrawClaim, GameResult};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;

use super::{Failure, exit};
use crate::control::{Answer, Command, socket};
use crate::feeds::board_state::About;

/// Where the service has its socket.
const SERVICE_SOCKET: &str = "/run/draughtsd/control.sock";

/// How long to wait for an answer: longer than a slow card takes, and no longer than the watchdog waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// Enters something at a running daemon: what the arbiter decides, and what the operator does.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd ctl alerts\n  \
    draughtsd ctl rule 12-touch-move-1 stands\n  \
    draughtsd ctl result 1-1\n  \
    draughtsd ctl about --white 'Surname, First name' --round 3\n  \
    draughtsd ctl --socket /run/board-7/control.sock pause\n\n\
    The answer is JSON on stdout. Who may enter something is whoever may write to the socket; each command is kept\n\
    in the journal with the user who gave it.\n\n\
    Exit code: 0 if it was carried out, 65 if the daemon refused, 69 if no daemon listens, or none answers\n\
    within 10 s.")]
pub(super) struct Arguments {
    /// The daemon's socket; without it, the service's, or the one in this folder.
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,
    #[command(subcommand)]
    command: Entry,
}

#[derive(Debug, Subcommand)]
enum Entry {
    /// How the daemon is: game, journal, feeds.
    Status,
    /// The alerts of the game under way.
    Alerts,
    /// You have seen an alert.
    Seen {
        /// Its id.
        alert: String,
    },
    /// You decide about an alert.
    Rule {
        /// Its id.
        alert: String,
        /// corrected, stands or board-error.
        #[arg(value_parser = word::<Decision>)]
        decision: Decision,
    },
    /// The explanations among which nothing decides.
    Explanations,
    /// You say which explanation is right.
    Choose {
        /// Its number in the list of explanations, from 1, or the position that it leads to as FEN.
        explanation: String,
    },
    /// The position that stands on the board.
    Position {
        /// As FEN, such as W:W31,32:B1,K2.
        fen: String,
    },
    /// A man has been crowned, and no contact felt it.
    Crowned {
        /// The square on which it stands.
        #[arg(value_parser = square)]
        square: Square,
    },
    /// The game starts.
    Start,
    /// Moves are not read until the game is resumed.
    Pause,
    /// The game goes on.
    Resume,
    /// A step of an adjournment; the answer has what goes onto the envelope.
    #[command(subcommand)]
    Adjourn(AdjournStep),
    /// The game has a result.
    Result {
        /// White's points first: 2-0, 1-1, 0-2, 0-0 (lost for both), or * for none.
        #[arg(value_parser = word::<GameResult>)]
        result: GameResult,
        /// How it came about: agreed, rule-draw, flag, forfeit, late, resigned; without it, it is your word.
        #[arg(long, value_parser = word::<EndReason>)]
        reason: Option<EndReason>,
        /// The number of a game that is over already; without it, the one under way.
        #[arg(long, value_name = "N")]
        game: Option<u64>,
    },
    /// Something is done to the clock.
    #[command(subcommand)]
    Clock(ClockStep),
    /// A claim of a draw is before you, or no longer.
    DrawClaim {
        /// white, black, or decided.
        #[arg(value_parser = word::<DrawClaim>)]
        claim: DrawClaim,
    },
    /// Names and the like; what is left out stays as it is, an empty text takes it away.
    About {
        /// Tournament or occasion.
        #[arg(long)]
        event: Option<String>,
        /// Where it is played.
        #[arg(long)]
        site: Option<String>,
        /// The date as PDN writes it, 2026.11.29.
        #[arg(long)]
        date: Option<String>,
        /// Round.
        #[arg(long)]
        round: Option<String>,
        /// White's name.
        #[arg(long)]
        white: Option<String>,
        /// Black's name.
        #[arg(long)]
        black: Option<String>,
    },
    /// White sits at the other end than was thought: the game is read again with the squares numbered from there.
    SwapSides,
    /// Something to be kept with the game.
    Note {
        /// The text.
        text: String,
    },
    /// The game under way is done with; the next one begins.
    NextGame,
}

#[derive(Debug, Subcommand)]
enum AdjournStep {
    /// The position is recorded; the clock stands.
    Position,
    /// A side confirms what was recorded.
    Confirmed {
        /// white or black.
        #[arg(value_parser = word::<Side>)]
        side: Side,
    },
    /// The player on turn thinks about the move that he seals.
    Sealing,
    /// The move is in the envelope.
    Sealed,
    /// The envelope is opened.
    Opened {
        /// The move in it, such as 32-28.
        sealed_move: String,
    },
}

#[derive(Debug, Subcommand)]
enum ClockStep {
    /// Starts a side's time.
    Run {
        /// white or black.
        #[arg(value_parser = word::<Side>)]
        side: Side,
    },
    /// Stops both times.
    Stop,
    /// Sets both times, such as 1:20:00 4:35.5.
    Set {
        /// White's.
        #[arg(value_parser = time)]
        white: u64,
        /// Black's.
        #[arg(value_parser = time)]
        black: u64,
    },
    /// The time that a correction took falls to the offender.
    Correction {
        /// white or black.
        #[arg(value_parser = word::<Side>)]
        offender: Side,
        /// How long it took, such as 1:30.
        #[arg(value_parser = time)]
        took: u64,
        /// Whose time ran meanwhile, if any did.
        #[arg(long, value_parser = word::<Side>)]
        ran: Option<Side>,
    },
    /// White's time ran while both were absent, and this side has come: it is split.
    Split {
        /// white or black.
        #[arg(value_parser = word::<Side>)]
        side: Side,
    },
    /// The two ends of the clock are exchanged.
    Swap,
    /// What a clock shows that is not linked.
    Shows {
        /// White's time.
        #[arg(value_parser = time)]
        white: u64,
        /// Black's time.
        #[arg(value_parser = time)]
        black: u64,
        /// Whose time runs, if any does.
        #[arg(long, value_parser = word::<Side>)]
        running: Option<Side>,
    },
}

/// A word as the feeds and traces write it.
fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(Value::from(text)).map_err(|error| error.to_string())
}

fn square(text: &str) -> Result<Square, String> {
    let number = text.parse().ok().and_then(Square::new);
    number.ok_or_else(|| format!("`{text}` is no square; squares are 1 to 50, or 1 to 32"))
}

/// Hours, minutes and seconds to milliseconds: `1:20:00`, `4:35.5`, `45`.
fn time(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no time; write it like 1:20:00, 4:35.5 or 45");
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| part.parse::<u64>().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()));
    let mut seconds = 0_u64;
    let parts: Vec<&str> = whole.split(':').collect();
    if parts.len() > 3 {
        return Err(wrong());
    }
    for (index, part) in parts.iter().enumerate() {
        let number = digits(part).filter(|&number| index == 0 || number < 60).ok_or_else(wrong)?;
        seconds = seconds.checked_mul(60).and_then(|sum| sum.checked_add(number)).ok_or_else(wrong)?;
    }
    let tenths = digits(fraction).filter(|_| fraction.len() == 1).ok_or_else(wrong)?;
    seconds.checked_mul(1000).and_then(|ms| ms.checked_add(tenths * 100)).ok_or_else(wrong)
}

/// Runs the command.
///
/// # Errors
/// When no daemon listens, or it refuses.
pub(super) fn run(arguments: Arguments) -> Result<(), Failure> {
    let path = arguments.socket.unwrap_or_else(usual_socket);
    let answer = runtime()?.block_on(async {
        let command = command(arguments.command, &path).await?;
        ask(&path, &command).await
    })?;
    let text = serde_json::to_string_pretty(&answer).context("answer").map_err(Failure::internal)?;
    writeln!(io::stdout().lock(), "{text}").map_err(Failure::output)
}

/// Asks the daemon one thing.
///
/// # Errors
/// When no daemon listens, or it refuses.
pub(super) fn ask_now(socket: Option<PathBuf>, command: &Command) -> Result<Value, Failure> {
    runtime()?.block_on(ask(&socket.unwrap_or_else(usual_socket), command))
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the connection to the daemon")
        .map_err(|error| Failure::new(exit::UNAVAILABLE, error))
}

/// The service's socket if there is one, else that of a daemon that was started in this folder.
fn usual_socket() -> PathBuf {
    let service = PathBuf::from(SERVICE_SOCKET);
    // An error is a folder that this user may not look into, which is worth a word.
    if service.try_exists().unwrap_or(true) { service } else { PathBuf::from("control.sock") }
}

async fn ask(path: &Path, command: &Command) -> Result<Value, Failure> {
    let asking = timeout(PATIENCE, socket::send(path, command));
    let answered = asking.await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    let answer = answered.map_err(|error| {
        let advice = match error.kind() {
            io::ErrorKind::PermissionDenied => "; is the user in the group `draughtsd`?",
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
                "; does the daemon run, and is this its socket (--socket)?"
            }
            io::ErrorKind::TimedOut => {
                "; the daemon starts, or its board loop stands (see /readyz); a command may still be carried out"
            }
            _ => "",
        };
        Failure::new(exit::UNAVAILABLE, anyhow!("{}: {error}{advice}", path.display()))
    })?;
    match answer {
        Answer::Ok(value) => Ok(value),
        Answer::Refused(refusal) => Err(Failure::new(exit::DATA, anyhow!("{}", refusal.message))),
    }
}

async fn command(entry: Entry, path: &Path) -> Result<Command, Failure> {
    Ok(match entry {
        Entry::Status => Command::Status {},
        Entry::Alerts => Command::Alerts {},
        Entry::Seen { alert } => Command::Seen { alert },
        Entry::Rule { alert, decision } => Command::Rule { alert, decision },
        Entry::Explanations => Command::Explanations {},
        Entry::Choose { explanation } => Command::Choose { fen: explained(&explanation, path).await? },
        Entry::Position { fen } => Command::Position { fen },
        Entry::Crowned { square } => Command::Crowned { square },
        Entry::Start => Command::Start {},
        Entry::Pause => Command::Pause {},
        Entry::Resume => Command::Resume {},
        Entry::Adjourn(step) => Command::Adjourn { step: step.into() },
        Entry::Result { result, reason, game } => Command::Result { result, reason, game },
        Entry::Clock(step) => step.into(),
        Entry::DrawClaim { claim } => Command::DrawClaim { claim },
        Entry::About { event, site, date, round, white, black } => {
            Command::About { about: About { event, site, date, round, white, black } }
        }
        Entry::SwapSides => Command::SwapSides {},
        Entry::Note { text } => Command::Note { text },
        Entry::NextGame => Command::NextGame {},
    })
}

/// The position to which an explanation leads that is named by its number.
async fn explained(explanation: &str, path: &Path) -> Result<String, Failure> {
    let Ok(number) = explanation.parse::<usize>() else { return Ok(explanation.to_owned()) };
    let list = ask(path, &Command::Explanations {}).await?;
    let chosen = number.checked_sub(1).and_then(|index| list.get(index));
    chosen.and_then(|chosen| chosen["fen"].as_str()).map(str::to_owned).ok_or_else(|| {
        let message = format!("there is no explanation {number}; `draughtsd ctl explanations` lists them");
        Failure::new(exit::DATA, anyhow!(message))
    })
}

impl From<AdjournStep> for AdjournEntry {
    fn from(step: AdjournStep) -> Self {
        match step {
            AdjournStep::Position => Self::Position,
            AdjournStep::Confirmed { side } => Self::Confirmed(side),
            AdjournStep::Sealing => Self::Sealing,
            AdjournStep::Sealed => Self::Sealed,
            AdjournStep::Opened { sealed_move } => Self::Opened(sealed_move),
        }
    }
}

impl From<ClockStep> for Command {
    fn from(step: ClockStep) -> Self {
        let entry = match step {
            ClockStep::Run { side } => ClockEntry::Run(side),
            ClockStep::Stop => ClockEntry::Stop,
            ClockStep::Set { white, black } => ClockEntry::Set { white_ms: white, black_ms: black },
            ClockStep::Correction { offender, took, ran } => {
                ClockEntry::Correction { offender, ms: took, ran }
            }
            ClockStep::Split { side } => ClockEntry::Split(side),
            ClockStep::Swap => ClockEntry::Swap,
            ClockStep::Shows { white, black, running } => {
                let report = ClockReport { white_ms: white, black_ms: black, running, flag: None };
                return Self::ClockShows { report };
            }
        };
        Self::Clock { entry }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_clocks_show_them() {
        assert_eq!(time("1:20:00"), Ok(4_800_000));
        assert_eq!(time("4:35.5"), Ok(275_500));
        assert_eq!(time("45"), Ok(45_000));
        for wrong in ["", "1:60", "1:2:3:4", "-1", "1.25", "1:", "99999999999999999999", "1:+2"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_are_those_of_the_feeds() {
        assert_eq!(word("1-1"), Ok(GameResult::Draw));
        assert_eq!(word("board-error"), Ok(Decision::BoardError));
        assert!(word::<GameResult>("3-1").is_err());
    }
}
