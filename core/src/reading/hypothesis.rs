//! One hypothesis: what the hands may have done since the last position that is certain.

use crate::moment::Moment;
use crate::moves::Move;
use crate::piece::Side;
use crate::position::Position;
use crate::sensing::{Act, Sign};
use crate::square::{Square, SquareSet};

/// A move as a hypothesis has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The position it was made in; its side on turn is the mover.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// The position it led to.
    pub after: Position,
    /// When its disc left the origin.
    pub lifted: Moment,
    /// When its disc came to rest on the target.
    pub landed: Moment,
    /// Captured discs taken off so far, in order of time.
    pub removals: Vec<(Square, Moment)>,
    /// When the mover pressed the clock.
    pub pressed: Option<Moment>,
    /// Whether it was deduced from the position alone.
    pub deduced: bool,
}

impl Ply {
    /// Who moved.
    #[must_use]
    pub fn side(&self) -> Side {
        self.before.turn()
    }

    /// When the last thing that belongs to this move happened, the press included.
    #[must_use]
    pub fn complete(&self) -> Moment {
        let off = self.removals.last().map_or(self.landed, |&(_, at)| at.max(self.landed));
        self.pressed.map_or(off, |at| at.max(off))
    }
}

/// What the hands may have done: moves, captured discs that still stand, and signs not yet explained.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    /// Moves since the last position that is certain.
    pub plies: Vec<Ply>,
    /// The position after them.
    pub position: Position,
    /// Captured discs of these moves that were not yet taken off.
    pub standing: SquareSet,
    /// Signs that belong to nothing yet, in order of time.
    pub open: Vec<Sign>,
    /// What the moves and their handling cost; see the table in [`super::cost`].
    pub cost: u32,
    /// The legal moves of `position`.
    pub(crate) legal: Vec<Move>,
}

impl Hypothesis {
    /// The hypothesis that nothing has happened since `position`.
    #[must_use]
    pub fn quiet(position: Position) -> Self {
        Self {
            plies: Vec::new(),
            position,
            standing: SquareSet::EMPTY,
            open: Vec::new(),
            cost: 0,
            legal: position.legal_moves(),
        }
    }

    /// Squares on which discs stood before the open signs.
    #[must_use]
    pub fn occupied(&self) -> SquareSet {
        self.position.occupied() | self.standing
    }

    /// What it costs with the signs it does not explain and the discs it says should be gone.
    #[must_use]
    pub fn rank(&self) -> u32 {
        let open: u32 = self.open.iter().map(|sign| super::cost::unexplained(sign.act)).sum();
        let overdue = match self.plies.last() {
            Some(last) if last.pressed.is_none() => self.standing.len() - self.standing_of_last(),
            Some(_) | None => self.standing.len(),
        };
        self.cost + open + overdue as u32 * super::cost::OVERDUE
    }

    fn standing_of_last(&self) -> usize {
        self.plies.last().map_or(0, |ply| (self.standing & ply.mv.captured).len())
    }

    /// Takes a sign in: a captured disc taken off or the mover's press belongs to a move at once,
    /// anything else stays open.
    ///
    /// Returns whether it stayed open.
    pub(crate) fn absorb(&mut self, sign: Sign) -> bool {
        match sign.act {
            Act::Lift(square) if self.standing.contains(square) => {
                self.standing.remove(square);
                let ply = self.plies.iter_mut().rev().find(|ply| ply.mv.captured.contains(square));
                if let Some(ply) = ply {
                    ply.removals.push((square, sign.at));
                }
                false
            }
            Act::Press(side) => match self.plies.last_mut() {
                Some(last) if last.side() == side && last.pressed.is_none() => {
                    last.pressed = Some(sign.at);
                    false
                }
                Some(_) | None => {
                    self.open.push(sign);
                    false
                }
            },
            Act::Lift(_) | Act::Place(_) => {
                self.open.push(sign);
                true
            }
            Act::Stack(_) | Act::Unstack(_) | Act::TakeSpare(_) | Act::ReturnSpare(_) | Act::Adjust(_) => {
                false
            }
        }
    }
}
