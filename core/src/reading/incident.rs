//! Incidents: irregular acts as a hypothesis has them.

use crate::alert::{AlertCode, AlertState, FlagNote};
use crate::moment::Moment;
use crate::piece::Side;
use crate::square::Square;

/// An irregular act that a hypothesis contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// What kind of act.
    pub code: AlertCode,
    /// The ply at fault, or the one under way.
    pub ply: u32,
    /// The side at fault.
    pub side: Option<Side>,
    /// The squares; the first is the one the act is about.
    pub squares: Vec<Square>,
    /// When the act was done, or when it would have counted had nothing else happened; with the code,
    /// ply and square this tells acts apart.
    pub at: Moment,
    /// When it counts: before, the hand may still make it good unnoticed.
    pub due: Moment,
    /// How far it has come.
    pub state: AlertState,
    /// What else there is to know about a fallen flag.
    pub flag: Option<FlagNote>,
}

impl Incident {
    /// An incident that has just opened and counts from `due`.
    pub(crate) fn new(
        code: AlertCode,
        ply: u32,
        side: impl Into<Option<Side>>,
        squares: Vec<Square>,
        due: Moment,
    ) -> Self {
        Self { code, ply, side: side.into(), squares, at: due, due, state: AlertState::Open, flag: None }
    }

    /// Whether it is not known yet that it counts.
    pub(crate) fn is_pending(&self, now: Moment) -> bool {
        self.is_open() && self.due > now && self.code != AlertCode::LeftCapturedPiece
    }

    /// Whether it is open and the position is not what the rules would have led to.
    pub(crate) fn disputes_position(&self) -> bool {
        self.is_open() && changes_position(self.code)
    }

    /// Whether nothing has come of it yet.
    pub(crate) fn is_open(&self) -> bool {
        self.state == AlertState::Open
    }

    /// Whether it is the same kind of act with the same disc in the same ply, if perhaps read otherwise.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.code == other.code && self.ply == other.ply && self.squares.first() == other.squares.first()
    }

    /// Whether it is the same act, whatever its state.
    pub(crate) fn is_same_act(&self, other: &Self) -> bool {
        self.is_alike(other) && self.at == other.at
    }
}

/// Whether an act of this kind leaves a position that the rules would not have led to, so that it is
/// corrected by putting the position right.
pub(crate) const fn changes_position(code: AlertCode) -> bool {
    matches!(
        code,
        AlertCode::MovedTwice
            | AlertCode::IllegalMove
            | AlertCode::MovedOpponentPiece
            | AlertCode::CaptureMissed
            | AlertCode::WrongCaptureCount
            | AlertCode::CaptureStoppedShort
            | AlertCode::LeftCapturedPiece
            | AlertCode::RemovedUnjumpedPiece
            | AlertCode::RemovedOwnPiece
            | AlertCode::BlackMovedFirst
            | AlertCode::MovedUncrownedKing
    )
}
