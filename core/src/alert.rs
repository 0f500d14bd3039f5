//! Alerts: what the arbiter is told about an irregular act, and the rule book's articles behind it.
//!
//! An alert says which article, what was seen, and who may act: the arbiter, only the opponent
//! (CN100 7.4, 7.7), or nobody (8.2.3). It never stops the game.

pub mod articles;
pub mod policy;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::piece::Side;
use crate::square::Square;
use crate::trace::Decision;

/// The kinds of irregular act. The names are stable; feeds and journals rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlertCode {
    /// The side that has just completed a move moved again (CN100 7.4.1).
    MovedTwice,
    /// An own piece was put where it cannot go, and no other code fits (7.4.2).
    IllegalMove,
    /// An own piece that can move was lifted and put back, and another piece moved (7.4.3, 5.11).
    TouchMove,
    /// A completed move was taken back (7.4.4).
    TookBack,
    /// A piece of the side not on turn was put on another square (7.4.5).
    MovedOpponentPiece,
    /// A quiet move was completed while a capture was compulsory (7.4.6, 7.4.2).
    CaptureMissed,
    /// A disc of the side not on turn was lifted and put back (7.4.7, 5.14).
    UnexplainedLift,
    /// A whole capture took fewer pieces than the majority rule requires (7.4.8, 6.13).
    WrongCaptureCount,
    /// A capture was left before its end (7.4.9, 6.11).
    CaptureStoppedShort,
    /// A captured disc was removed before the capture was finished (7.4.10, 6.12).
    RemovedTooEarly,
    /// A captured disc still stands (7.4.11).
    LeftCapturedPiece,
    /// An enemy disc that was not jumped was removed (7.4.12).
    RemovedUnjumpedPiece,
    /// There was a long pause between two removals (7.4.13, 6.12).
    RemovalInterrupted,
    /// An own disc was removed with a capture (7.4.14).
    RemovedOwnPiece,
    /// Captured discs were removed in no permitted order (6.6, 6.7, 6.12).
    RemovalOutOfOrder,
    /// A promoted piece that was never crowned was moved (7.4.15, 5.7).
    MovedUncrownedKing,
    /// A promoted piece still is not crowned after the opponent's move (5.6).
    NotCrowned,
    /// Black made the first act of the game (5.3).
    BlackMovedFirst,
    /// The contacts differ from the start position when the game starts (7.2).
    StartPositionWrong,
    /// A disc is on no dark square (7.3).
    PieceMissing,
    /// Changes that no single act explains (7.5).
    BoardDisturbed,
    /// The clock was pressed before a move was made (8.2.2).
    ClockPressedEarly,
    /// The clock was not pressed before the opponent replied (8.2.3).
    PressForgotten,
    /// A flag fell (8.2.6).
    FlagFell,
    /// A move was completed after the flag fell (8.2.6).
    MovedAfterFlag,
    /// The clock stands and the arbiter did not stop it (9.1, 14.3.5).
    ClockStopped,
    /// A time changed by other than running (9.1, 14.3.4).
    ClockTimesChanged,
    /// No act by a side within the limit (8.3.2).
    LateArrival,
    /// A draw was offered before it may be (12.4).
    DrawOfferTooEarly,
    /// A new start position stands and the last game has no result.
    ResultMissing,
}

impl AlertCode {
    /// The code as it is written, kebab-case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MovedTwice => "moved-twice",
            Self::IllegalMove => "illegal-move",
            Self::TouchMove => "touch-move",
            Self::TookBack => "took-back",
            Self::MovedOpponentPiece => "moved-opponent-piece",
            Self::CaptureMissed => "capture-missed",
            Self::UnexplainedLift => "unexplained-lift",
            Self::WrongCaptureCount => "wrong-capture-count",
            Self::CaptureStoppedShort => "capture-stopped-short",
            Self::RemovedTooEarly => "removed-too-early",
            Self::LeftCapturedPiece => "left-captured-piece",
            Self::RemovedUnjumpedPiece => "removed-unjumped-piece",
            Self::RemovalInterrupted => "removal-interrupted",
            Self::RemovedOwnPiece => "removed-own-piece",
            Self::RemovalOutOfOrder => "removal-out-of-order",
            Self::MovedUncrownedKing => "moved-uncrowned-king",
            Self::NotCrowned => "not-crowned",
            Self::BlackMovedFirst => "black-moved-first",
            Self::StartPositionWrong => "start-position-wrong",
            Self::PieceMissing => "piece-missing",
            Self::BoardDisturbed => "board-disturbed",
            Self::ClockPressedEarly => "clock-pressed-early",
            Self::PressForgotten => "press-forgotten",
            Self::FlagFell => "flag-fell",
            Self::MovedAfterFlag => "moved-after-flag",
            Self::ClockStopped => "clock-stopped",
            Self::ClockTimesChanged => "clock-times-changed",
            Self::LateArrival => "late-arrival",
            Self::DrawOfferTooEarly => "draw-offer-too-early",
            Self::ResultMissing => "result-missing",
        }
    }
}

impl fmt::Display for AlertCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How loudly the arbiter is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Pushed.
    Alert,
    /// Listed and kept, not pushed.
    Note,
}

/// Who may act on an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Addressee {
    /// The opponent alone may claim it (CN100 7.4, 7.7).
    Opponent,
    /// The arbiter has to act or to know.
    Arbiter,
    /// Kept in the log only (8.2.3).
    Nobody,
}

/// How far an alert has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlertState {
    /// Nothing has come of it yet.
    Open,
    /// The irregular part was undone in time.
    Corrected,
    /// The opponent completed a move: the position stands (7.7).
    Accepted,
    /// The arbiter decided.
    Ruled,
}

/// What counts when a flag has fallen (CN100 8.2.6, 8.2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagNote {
    /// The last move that the side completed with a press before the fall, by its ply; null: none.
    pub counted_ply: Option<u32>,
    /// How many moves the side had completed so.
    pub counted_moves: u32,
    /// Whose claim of a draw was before the arbiter.
    pub draw_claim: Option<Side>,
}

/// What an alert rests on, for whoever has to judge it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The position before the act, as FEN.
    pub before: String,
    /// The position after it as far as it was read, as FEN; the same as before where nothing moved.
    pub after: String,
    /// The moves that were legal before the act, as a score sheet has them.
    pub legal: Vec<String>,
    /// The contact changes since the move before was complete, bounce taken out, oldest first.
    pub contacts: Vec<ContactChange>,
}

/// A contact that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactChange {
    /// When.
    pub t: Moment,
    /// The square.
    pub square: Square,
    /// A disc came to stand on it.
    pub closed: bool,
}

/// One irregular act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// `PLY-CODE-N`, stable across versions of the program.
    pub id: String,
    /// What kind of act.
    pub code: AlertCode,
    /// The article it rests on, as it is cited: `CN100 7.4.6`.
    pub article: String,
    /// The ply under way, or that of the act at fault; 1 is the first recorded move.
    pub ply: u32,
    /// The side at fault, where the contacts show it.
    pub side: Option<Side>,
    /// The squares; the first is the one the act is about.
    pub squares: Vec<Square>,
    /// How loudly it is told.
    pub grade: Grade,
    /// Who may act.
    pub addressee: Addressee,
    /// How far it has come.
    pub state: AlertState,
    /// When it opened.
    pub t: Moment,
    /// What the arbiter has to know about a fallen flag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<FlagNote>,
    /// What it rests on. Told with the alert's event; a summary is shorter without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The arbiter's decision, once `state` is [`AlertState::Ruled`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}
