//! How a reading compares with what really happened.

use draughtsd_core::alert::{Alert, AlertCode, AlertState};
use draughtsd_core::event::MoveRecord;
use draughtsd_core::game::Summary;
use draughtsd_core::notation::fen;
use draughtsd_core::square::{Square, SquareSet};

use super::truth::{Truth, TruthAlert, TruthMove};

/// An alert may open this long after the reply that ends the right to claim it, which is when the last
/// contact of that reply has bounced.
const GRACE_MS: u64 = 50;
/// A captured disc left standing may be told this much later: 1500 ms after the replying disc rests.
const LEFT_GRACE_MS: u64 = 1600;

/// What a reading got right and wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How many plies were played.
    pub plies: usize,
    /// How many of them were read right, from the first on.
    pub plies_right: usize,
    /// The first difference in moves or position, in words; none if all is right.
    pub difference: Option<String>,
    /// Planted acts that were told.
    pub found: Vec<TruthAlert>,
    /// Planted acts that were not told, or of the wrong side.
    pub missed: Vec<TruthAlert>,
    /// Alerts that nothing deserved. Forgotten presses count only where each is planted.
    pub false_alerts: Vec<Alert>,
    /// Planted acts that ended in another state than was read.
    pub wrong_states: Vec<(TruthAlert, AlertState)>,
    /// Alerts told when nobody could claim any more.
    pub late: Vec<Alert>,
}

impl Comparison {
    /// Whether every move, in order, and the last position were read right.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.difference.is_none()
    }
}

impl Truth {
    /// Compares a reading of the trace with what really happened.
    #[must_use]
    pub fn compare(&self, summary: &Summary) -> Comparison {
        let right = self.moves.iter().zip(&summary.moves).take_while(|(played, read)| is_right(played, read));
        let plies_right = right.count();
        let mut comparison = Comparison {
            plies: self.moves.len(),
            plies_right,
            difference: self.difference(summary, plies_right),
            found: Vec::new(),
            missed: Vec::new(),
            false_alerts: Vec::new(),
            wrong_states: Vec::new(),
            late: Vec::new(),
        };
        let judges_presses = self.kind == "procedure";
        let mut open: Vec<&Alert> = summary
            .alerts
            .iter()
            .filter(|alert| judges_presses || alert.code != AlertCode::PressForgotten)
            .collect();
        for planted in &self.alerts {
            let is_told = |alert: &&Alert| {
                (alert.code, alert.ply) == (planted.code, planted.ply)
                    && (planted.side.is_none() || alert.side == planted.side)
            };
            let Some(index) = open.iter().position(is_told) else {
                comparison.missed.push(*planted);
                continue;
            };
            let alert = open.remove(index);
            comparison.found.push(*planted);
            if planted.state.is_some_and(|state| state != alert.state) {
                comparison.wrong_states.push((*planted, alert.state));
            }
            if self.is_late(alert) {
                comparison.late.push(alert.clone());
            }
        }
        comparison.false_alerts = open.into_iter().cloned().collect();
        comparison
    }

    fn difference(&self, summary: &Summary, plies_right: usize) -> Option<String> {
        match (self.moves.get(plies_right), summary.moves.get(plies_right)) {
            (Some(played), Some(read)) => {
                return Some(format!("ply {} is {played:?}, read as {read:?}", played.ply));
            }
            (Some(played), None) => return Some(format!("ply {} was not read: {played:?}", played.ply)),
            (None, Some(read)) => return Some(format!("a move was read that nobody made: {read:?}")),
            (None, None) => {}
        }
        let [played, read] = [&self.fen, &summary.fen].map(|text| fen::parse(text, self.board));
        (played != read).then(|| format!("the position is {}, read as {}", self.fen, summary.fen))
    }

    /// Whether `alert` opened after the right to claim it had ended with a move.
    fn is_late(&self, alert: &Alert) -> bool {
        let ending = match alert.code {
            AlertCode::PressForgotten | AlertCode::UnexplainedLift => return false,
            AlertCode::NotCrowned => alert.ply,
            _ => alert.ply + 1,
        };
        let grace = if alert.code == AlertCode::LeftCapturedPiece { LEFT_GRACE_MS } else { GRACE_MS };
        let ended = self.moves.iter().find(|mv| mv.ply == ending);
        ended.is_some_and(|mv| alert.t.millis() > mv.t1 + grace)
    }
}

/// Of an irregular move that stood, what left the board is told by the position.
fn is_right(played: &TruthMove, read: &MoveRecord) -> bool {
    let set = |squares: &[Square]| squares.iter().copied().collect::<SquareSet>();
    (played.from, played.to) == (read.from, read.to)
        && (played.irregular == Some(true) || set(&played.captures) == set(&read.captures))
}
