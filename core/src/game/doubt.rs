//! Doubt: several readings that lead to different positions, and nothing that decides between them.

use crate::event::{EventBody, Explanation};
use crate::moment::Moment;
use crate::notation::movetext;
use crate::reading::Explained;

/// Whether there is doubt, and what was told of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt {
    since: Option<Moment>,
    /// What was told last, empty when there is no doubt that was told.
    told: Vec<Explanation>,
}

impl Doubt {
    /// When doubt is to be told, should it last.
    pub(super) fn due(&self, release_ms: u64) -> Option<Moment> {
        self.since.map(|since| since.after(release_ms))
    }

    /// Takes in the readings that are tied, and returns what is to be told.
    ///
    /// - `tied`: none if one is ahead; `None` while a hand is still about it, so that nobody can say.
    pub(super) fn update(
        &mut self,
        tied: Option<Vec<Explained<'_>>>,
        now: Moment,
        release_ms: u64,
    ) -> Option<EventBody> {
        let Some(tied) = tied else {
            self.since = None;
            return None;
        };
        let explanations = explanations(tied);
        if explanations == self.told {
            self.since = None;
            return None;
        }
        if explanations.is_empty() {
            self.since = None;
            self.told.clear();
            return Some(EventBody::Cleared);
        }
        if now < self.since.get_or_insert(now).after(release_ms) {
            return None;
        }
        self.tell_explanations(explanations)
    }

    /// Tells at once that these readings are tied, unless that was told.
    pub(super) fn tell(&mut self, tied: Vec<Explained<'_>>) -> Option<EventBody> {
        self.tell_explanations(explanations(tied))
    }

    fn tell_explanations(&mut self, explanations: Vec<Explanation>) -> Option<EventBody> {
        self.since = None;
        if explanations == self.told {
            return None;
        }
        self.told.clone_from(&explanations);
        Some(EventBody::Unclear { explanations })
    }
}

fn explanations(tied: Vec<Explained<'_>>) -> Vec<Explanation> {
    let mut explanations: Vec<Explanation> = tied.into_iter().map(explanation).collect();
    // None is better than the others; in a fixed order, the same doubt is told once.
    explanations.sort_by(|one, other| one.moves.cmp(&other.moves));
    explanations
}

fn explanation(explained: Explained<'_>) -> Explanation {
    let reading = explained.reading;
    Explanation {
        moves: explained.plies().map(|ply| movetext::score_sheet(&ply.before, ply.mv)).collect(),
        fen: reading.position().fen(),
        irregular: reading
            .incidents()
            .iter()
            .filter(|incident| incident.is_open())
            .map(|incident| incident.code)
            .collect(),
    }
}
