//! What hands do while the linked clock stands is no part of the game until it goes on.
//!
//! Players agree on a result by word of mouth, stop the clock, and then show each other what might have been. So moves
//! are not read while the clock stands although the arbiter did not stop it; what the contacts say is kept, and is
//! read, nothing lost, when the clock goes on and the position is not the one that stood before. A clock that was
//! stopped for an irregular act suspends nothing: what follows puts that act right.

use super::Game;
use crate::alert::AlertCode;
use crate::moment::Moment;
use crate::reading::Incident;
use crate::sensing::Sign;

/// So many batches of signs are kept; more are nobody's next move.
const MOST_KEPT: usize = 256;

/// The reading of moves is suspended.
#[derive(Clone, Debug)]
pub(super) struct Suspension {
    since: Moment,
    kept: Vec<(Vec<Sign>, Moment)>,
    too_many: bool,
}

impl Suspension {
    /// The clock has stood since then.
    pub(super) fn new(since: Moment) -> Self {
        Self { since, kept: Vec::new(), too_many: false }
    }

    /// Until when time passes for what was under way as the clock was stopped: a hand that has let go has moved.
    pub(super) fn frozen_from(&self, release_ms: u64) -> Moment {
        self.since.after(release_ms)
    }

    /// Keeps those of these signs, read up to `horizon`, that began while the clock stood, and returns the others.
    pub(super) fn keep<'s>(&mut self, signs: &'s [Sign], horizon: Moment) -> &'s [Sign] {
        let (before, later) = signs.split_at(signs.partition_point(|sign| sign.at <= self.since));
        match later {
            [] => {}
            _ if self.kept.len() == MOST_KEPT => self.too_many = true,
            _ => self.kept.push((later.to_vec(), horizon)),
        }
        before
    }

    /// Nothing of what happened while the clock stood counts: the arbiter has set the position.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
        self.too_many = false;
    }

    /// What was kept, in batches with the moment up to which they were complete; `None` where that was too much
    /// to be read.
    pub(super) fn into_kept(self) -> Option<Vec<(Vec<Sign>, Moment)>> {
        (!self.too_many).then_some(self.kept)
    }
}

impl Game {
    /// The linked clock stands, and the arbiter did not stop it: no moves are read until it goes on, unless there
    /// is an irregular act that may have been the reason.
    pub(super) fn suspend_reading(&mut self) {
        let to_be_put_right = |incident: &Incident| {
            incident.disputes_position() || incident.is_open() && incident.code == AlertCode::TookBack
        };
        if !self.telling.choose(&self.reader).incidents().iter().any(to_be_put_right) {
            self.suspension.get_or_insert_with(|| Suspension::new(self.now));
        }
    }

    /// The clock goes on. What happened while it stood is read now, unless all stands as it did.
    pub(super) fn go_on_reading(&mut self) {
        let Some(suspension) = self.suspension.take() else { return };
        let frozen = suspension.frozen_from(self.setup.settings.release_ms) <= self.now;
        let stood = self.telling.choose(&self.reader).occupied();
        let as_before = ((stood ^ self.sensing.standing()) - self.reader.masked()).is_empty();
        self.timekeeping.stood(suspension.since, self.now);
        match suspension.into_kept() {
            Some(kept) if !(frozen && as_before) => {
                for (signs, horizon) in kept {
                    self.observe(&signs, horizon);
                    self.tell();
                }
            }
            Some(kept) if kept.is_empty() => {}
            _ => {
                self.settle();
                self.go_on_from(self.position());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensing::Act;
    use crate::square::Square;

    #[test]
    fn only_signs_fill_it() {
        let mut suspension = Suspension::new(Moment::ZERO);
        let sign = Sign { at: Moment::from_millis(1), act: Act::Lift(Square::ALL[0]) };
        for _ in 0..MOST_KEPT {
            assert!(suspension.keep(&[sign], sign.at).is_empty());
        }
        suspension.keep(&[], sign.at);
        assert_eq!(suspension.clone().into_kept().map(|kept| kept.len()), Some(MOST_KEPT));
        suspension.keep(&[sign], sign.at);
        assert!(suspension.into_kept().is_none());
    }
}
