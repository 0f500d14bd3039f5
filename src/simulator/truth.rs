//! What really happened in a simulated game, to compare a reading with.

use draughtsd_core::alert::{AlertCode, AlertState};
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use serde::{Deserialize, Serialize};

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// What the game is an example of: `clean`, `noisy`, `gap`, `irregular`, `fault`.
    pub kind: String,
    /// Which game.
    pub board: Variant,
    /// The seed that made it.
    pub seed: u64,
    /// The hands' style.
    pub style: String,
    /// The moves in order.
    pub moves: Vec<TruthMove>,
    /// The irregular acts that were planted, in order of ply.
    pub alerts: Vec<TruthAlert>,
    /// The position at the end.
    pub fen: String,
    /// Whether a clock was linked.
    pub clock: bool,
}

/// A move as it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthMove {
    /// Counted from 1.
    pub ply: u32,
    /// Where the disc stood.
    pub from: Square,
    /// Where it stands afterwards.
    pub to: Square,
    /// The discs that left the board, in ascending order.
    pub captures: Vec<Square>,
    /// True for an accepted irregular move; none where the move was regular and its handling was not.
    pub irregular: Option<bool>,
    /// When the move was complete, its press included, in milliseconds.
    pub t1: u64,
}

/// An irregular act as it was planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthAlert {
    /// What kind of act.
    pub code: AlertCode,
    /// The ply at fault.
    pub ply: u32,
    /// The side at fault, where the contacts show it.
    pub side: Option<Side>,
    /// What becomes of it; none where that is not to be judged.
    pub state: Option<AlertState>,
}
