//! What an alert rests on: positions, what was legal, and the contact changes since the move before.

use std::collections::VecDeque;

use super::telling::Told;
use crate::alert::{AlertCode, ContactChange, Evidence};
use crate::moment::Moment;
use crate::notation::movetext;
use crate::position::Position;
use crate::reading::{Hypothesis, Incident, Ply};
use crate::sensing::{Contact, Flip};

/// So many contact changes are kept; more belong to no one act.
const MOST_CHANGES: usize = 64;

/// The contact changes of late.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes(VecDeque<ContactChange>);

impl Changes {
    pub(super) fn note(&mut self, flip: &Flip) {
        let Contact::Square(square) = flip.contact else { return };
        if self.0.len() == MOST_CHANGES {
            self.0.pop_front();
        }
        self.0.push_back(ContactChange { t: flip.at, square, closed: flip.closed });
    }

    fn since(&self, moment: Moment) -> Vec<ContactChange> {
        self.0.iter().filter(|change| change.t > moment).copied().collect()
    }
}

/// The scene of an act: what stood before it and what it made of that.
pub(super) struct Scene {
    before: Position,
    after: Position,
    /// When the move before it was complete.
    since: Moment,
}

impl Scene {
    /// Where the incident took place, by the moves told so far and the hypothesis that is told. `start` is the
    /// position before the first move.
    pub(super) fn of(incident: &Incident, told: &[Told], chosen: &Hypothesis, start: Position) -> Self {
        let at = |ply: u32| match ply.checked_sub(chosen.first_ply()) {
            Some(index) => chosen.plies().get(usize::try_from(index).ok()?).map(AsRef::as_ref),
            None => told.get(usize::try_from(ply).ok()?.checked_sub(1)?).map(|told| &*told.ply),
        };
        let previous = incident.ply.checked_sub(1).and_then(at);
        let standing = || previous.map_or(start, |ply| ply.after);
        let before = at(incident.ply).map_or_else(standing, Ply::prior_position);
        Self {
            before,
            after: at(incident.ply).map_or(before, |ply| ply.after),
            since: previous.map_or(Moment::ZERO, Ply::complete),
        }
    }

    /// Whether the incident is a quiet move of a piece that could not have captured (CN100 7.4.2, not 7.4.6).
    pub(super) fn another_had_to_capture(&self, incident: &Incident) -> bool {
        let origin = incident.squares.first();
        incident.code == AlertCode::CaptureMissed
            && !self.before.legal_moves().iter().any(|mv| Some(&mv.from) == origin)
    }

    pub(super) fn evidence(&self, changes: &Changes) -> Evidence {
        let legal = self.before.legal_moves();
        Evidence {
            before: self.before.fen(),
            after: self.after.fen(),
            legal: legal.into_iter().map(|mv| movetext::score_sheet(&self.before, mv)).collect(),
            contacts: changes.since(self.since),
        }
    }
}
