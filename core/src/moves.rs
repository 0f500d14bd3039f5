//! Moves, the routes by which a capture may be carried out, and what a hand might do against the rules.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::square::{Square, SquareSet};

/// A whole move of one piece.
///
/// Two captures with the same origin, target, captured set and promotion are one move, whatever the route:
/// nothing on the board tells them apart afterwards. [`Position::routes`](crate::position::Position::routes)
/// gives the routes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it stands afterwards; may be `from` again after a capture that runs in a circle.
    pub to: Square,
    /// The enemy pieces taken; empty for a quiet move.
    pub captured: SquareSet,
    /// Whether a man became a king (CN100 5.5; in Russian draughts also by passing the far row).
    pub promotes: bool,
}

impl Move {
    /// Whether the move takes anything.
    #[must_use]
    pub const fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }

    /// The squares whose occupancy it may change: origin, target and those of the pieces taken.
    #[must_use]
    pub const fn squares(&self) -> SquareSet {
        self.captured.with(self.from).with(self.to)
    }
}

impl fmt::Display for Move {
    /// Prints origin and target (`32-28`, `26x37`), which may leave the captured set open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.is_capture() { 'x' } else { '-' }, self.to)
    }
}

/// One way of carrying a move out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Route {
    /// Where the piece starts.
    pub from: Square,
    /// The squares it is set down on after `from`, the last being the target; one per piece taken.
    ///
    /// A king that goes straight on is set down directly behind the piece just taken, as the written
    /// notation has it; the hand may choose any empty square up to the next piece.
    pub landings: Vec<Square>,
    /// The pieces taken, in order.
    pub captures: Vec<Square>,
}

/// Which rule a conceivable move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Irregularity {
    /// A quiet move although a capture is compulsory (CN100 6.2, 7.4.2, 7.4.6).
    CaptureMissed,
    /// A capture whole in itself that takes fewer pieces than the majority rule demands (CN100 6.13, 7.4.8).
    WrongCount,
    /// A capture left where the same sequence had to go on (CN100 6.6, 7.4.9).
    StoppedShort,
}

/// A move that is not legal but that the rules name, see
/// [`Position::conceivable_moves`](crate::position::Position::conceivable_moves).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConceivableMove {
    /// The move as carried out; [`Position::play`](crate::position::Position::play) takes it.
    pub mv: Move,
    /// What is wrong with it.
    pub why: Irregularity,
}
