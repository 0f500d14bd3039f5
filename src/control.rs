//! What people enter at a running daemon: the arbiter's and the operator's commands, and the answers.
//!
//! Commands are data. Whoever takes them in (the Unix socket in [`socket`]; a page, later) hands them to the board
//! loop as a [`Request`]; [`Session::answer`](crate::session::Session::answer) carries them out, and leaves an
//! entry in the journal of who asked for what. An answer is given after what was decided is durable.

pub mod socket;

use draughtsd_core::event::EndReason;
use draughtsd_core::settings::Settings;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{AdjournEntry, ClockEntry, ClockReport, Decision, DrawClaim, GameResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::feeds::board_state::About;

/// What can be asked for. Commands without keys have braces, since serde ignores unknown keys beside a bare word. On the wire one JSON object, `{"do":"rule","alert":"12-touch-move-1","decision":"stands"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// How the daemon is: board, game, journal, feeds.
    Status {},
    /// The alerts of the game under way.
    Alerts {},
    /// The arbiter has seen an alert.
    Seen {
        /// Its id.
        alert: String,
    },
    /// The arbiter decides about an alert.
    Rule {
        /// Its id.
        alert: String,
        /// What he decides.
        decision: Decision,
    },
    /// The explanations among which nothing decides.
    Explanations {},
    /// The arbiter says which explanation is right.
    Choose {
        /// The position that it leads to, as FEN.
        fen: String,
    },
    /// The position that stands on the board.
    Position {
        /// As FEN.
        fen: String,
    },
    /// A man has been crowned, and no contact felt it.
    Crowned {
        /// Where it stands.
        square: Square,
    },
    /// The game starts.
    Start {},
    /// Moves are not read until the game is resumed.
    Pause {},
    /// A step of an adjournment; the answer has the position and the times for the envelope.
    Adjourn {
        /// Which step.
        step: AdjournEntry,
    },
    /// The game goes on.
    Resume {},
    /// The game has a result; also afterwards.
    Result {
        /// White's points first.
        result: GameResult,
        /// How it came about; left out, it is the arbiter's word.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<EndReason>,
        /// A game that is over already, by its number in the journal; left out, the one under way.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<u64>,
    },
    /// Something is done to the linked clock.
    Clock {
        /// What.
        entry: ClockEntry,
    },
    /// What a clock shows that is not linked.
    ClockShows {
        /// Times, who runs, whose flag fell.
        report: ClockReport,
    },
    /// A claim of a draw is before the arbiter, or no longer.
    DrawClaim {
        /// Whose.
        claim: DrawClaim,
    },
    /// White sits at the other end than was thought: the squares are numbered from there, and the game is read again.
    SwapSides {},
    /// Names and the like. What is left out stays as it is; an empty text takes it away.
    About {
        /// What is to change.
        about: About,
    },
    /// Something to be kept with the game.
    Note {
        /// The text.
        text: String,
    },
    /// The game under way is done with; the next one begins.
    NextGame {},
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// By which way: `socket`.
    pub via: String,
    /// The user's number, where the way tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// The process, where the way tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<i32>,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Stable, for programs.
    pub error: String,
    /// For people: what is wrong and what to do.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    #[must_use]
    pub fn new(error: &str, message: impl Into<String>) -> Self {
        Self { error: error.to_owned(), message: message.into() }
    }
}

/// What came of a command: on the wire `{"ok":…}` or `{"refused":…}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// It was carried out; what it gave.
    Ok(Value),
    /// It was not.
    Refused(Refusal),
}

/// What is on its way to the board loop.
#[derive(Debug)]
pub enum Request {
    /// Somebody asks for something.
    Command {
        /// What is asked for.
        command: Command,
        /// Who asks.
        who: Who,
        /// Where the answer goes.
        answer: oneshot::Sender<Answer>,
    },
    /// The configuration was read again.
    Reload {
        /// Names and the like, if they changed: of the game under way as well.
        about: Option<About>,
        /// Thresholds, for the games to come.
        settings: Settings,
    },
}
