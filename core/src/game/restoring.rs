//! What has to be put right on the board before moves are read again, or for the position to stand: the guide for
//! whoever restores it (CN100 7.3, 7.5).

use crate::event::EventBody;
use crate::reading::Hypothesis;
use crate::square::SquareSet;

/// What was last told of discs that are not where they belong.
#[derive(Clone, Debug, Default)]
pub(super) struct Restoring {
    told: Option<(SquareSet, SquareSet)>,
}

impl Restoring {
    /// Compares the board with what the chosen reading says should stand there. Returns what is new: which discs
    /// are missing and which too many, until none is.
    ///
    /// - `standing`: the squares whose contact is closed, noise filtered out.
    /// - `masked`: the squares whose contact says nothing.
    pub(super) fn update(
        &mut self,
        chosen: &Hypothesis,
        standing: SquareSet,
        masked: SquareSet,
    ) -> Option<EventBody> {
        let wanted = if chosen.disturbed().is_some() {
            let should = chosen.occupied();
            Some((should - standing - masked, standing - should - masked))
        } else {
            let amiss = chosen.amiss();
            let (missing, extra) = (amiss - standing, amiss & standing);
            (!amiss.is_empty()).then_some((missing, extra))
        };
        if wanted == self.told {
            return None;
        }
        self.told = wanted;
        Some(match wanted {
            Some((missing, extra)) => EventBody::Disturbed { missing, extra },
            None => EventBody::Restored,
        })
    }
}
