//! Doubt: several readings that lead to different positions, and nothing that decides between them.

use std::sync::Arc;

use crate::event::{EventBody, Explanation};
use crate::moment::Moment;
use crate::notation::movetext;
use crate::reading::{Hypothesis, Ply};

/// Whether there is doubt, and what was told of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt {
    since: Option<Moment>,
    told: bool,
}

impl Doubt {
    /// When doubt is to be told, should it last.
    pub(super) fn due(&self, release_ms: u64) -> Option<Moment> {
        self.since.filter(|_| !self.told).map(|since| since.after(release_ms))
    }

    /// Takes in the readings that are tied, none if one is ahead, and returns what is to be told.
    pub(super) fn update(&mut self, tied: &[&Hypothesis], now: Moment, release_ms: u64) -> Option<EventBody> {
        if tied.is_empty() {
            self.since = None;
            return std::mem::take(&mut self.told).then_some(EventBody::Cleared);
        }
        let since = *self.since.get_or_insert(now);
        if self.told || now < since.after(release_ms) {
            return None;
        }
        self.told = true;
        Some(EventBody::Unclear {
            explanations: tied.iter().map(|hypothesis| explanation(hypothesis)).collect(),
        })
    }
}

fn explanation(hypothesis: &Hypothesis) -> Explanation {
    let text = |ply: &Arc<Ply>| movetext::score_sheet(&ply.before, ply.mv);
    Explanation {
        moves: hypothesis.plies().iter().map(text).collect(),
        fen: hypothesis.position().fen(),
        irregular: hypothesis
            .incidents()
            .iter()
            .filter(|incident| incident.is_open())
            .map(|incident| incident.code)
            .collect(),
    }
}
