//! What is done about contacts that cannot be right: the game reads on, and reads again, as they have it.

use super::diagnosis::Found;
use super::recall::Again;
use super::suspicion::Reread;
use super::{Game, record};
use crate::event::{ContactFault, EventBody};
use crate::moment::Moment;
use crate::sensing::Sign;
use crate::sensing::faults::Finding;
use crate::sensing::shadow::Shadow;
use crate::square::Square;

impl Game {
    /// Raw changes gave away a fault.
    pub(super) fn draw_conclusions(&mut self, finding: Finding) {
        match finding {
            Finding::Chattering(square) => self.mask(square, ContactFault::Chattering),
            Finding::Shadow(shadow, since) => self.fall_into_shadow(shadow, since),
            Finding::Suspects(suspects) => {
                self.recall.keep_suspects(suspects);
                self.find_shadow();
            }
            Finding::Gone(shadow) => self.leave_shadow(shadow),
        }
    }

    /// Looks whether a contact must be faulty, or works again.
    pub(super) fn diagnose(&mut self, signs: &[Sign]) {
        self.remember();
        let standing = self.sensing.standing();
        self.find_shadow();
        if let Some(found) = self.diagnosis.resolve(signs, &self.reader, standing) {
            self.take_over(found);
        }
        if self.shadows.is_empty()
            && let Some(found) = self.diagnosis.look(&self.reader, standing, self.alerts.all())
        {
            self.take_over(found);
        }
        let hidden = self.sensing.hidden();
        for square in self.diagnosis.works_again(self.reader.best(), standing, hidden, self.now).iter() {
            self.publish(EventBody::FaultCleared { square });
            self.reader.mask(self.diagnosis.masked());
        }
    }

    /// The contact of a square gave itself away as faulty.
    fn mask(&mut self, square: Square, fault: ContactFault) {
        if let Some(found) = self.diagnosis.knows(square, fault, &self.reader, self.now) {
            self.take_over(found);
        }
    }

    /// Keeps this moment, if all is clear, for a second look at what comes after it.
    pub(super) fn remember(&mut self) {
        self.diagnosis.remember(&self.reader);
        self.recall.remember(&self.sensing, &self.reader, self.now);
    }

    /// No second look goes back beyond now.
    pub(super) fn forget_signs(&mut self) {
        self.diagnosis.start_over();
        self.recall.start_over();
    }

    /// Contacts have been in a shadow since this moment at the latest.
    fn fall_into_shadow(&mut self, shadow: Shadow, since: Moment) {
        let masked = self.diagnosis.masked() - self.diagnosis.stuck();
        let shadows: Vec<Shadow> = self.shadows.iter().copied().chain([shadow]).collect();
        let again = self.recall.again(since, self.now, &shadows, masked);
        self.read_with(shadow, again);
    }

    /// Looks whether a shadow is what made no sense of late.
    fn find_shadow(&mut self) {
        if !self.is_reading() || !self.recall.has_suspects() {
            return;
        }
        let stuck = self.diagnosis.stuck();
        let masked = self.diagnosis.masked() - stuck;
        let cost = self.reader.rank(self.reader.best());
        let found = self.recall.find_shadow(self.now, &self.shadows, masked, cost, stuck);
        if let Some((shadow, again)) = found {
            self.watch.know(shadow);
            self.read_with(shadow, Some(again));
        }
    }

    /// Reads on as this shadow has it.
    fn read_with(&mut self, shadow: Shadow, again: Option<Again>) {
        self.publish(EventBody::Fault { square: shadow.square(), fault: shadow.fault() });
        self.shadows.push(shadow);
        // What seemed stuck was in the shadow.
        for square in self.diagnosis.acquit().iter() {
            self.publish(EventBody::FaultCleared { square });
        }
        let shown = self.sensing.steady();
        let Some(again) = again else {
            self.sensing.cast(self.now, self.shadows.clone());
            return;
        };
        self.sensing = again.sensing;
        let steady = self.sensing.steady();
        for square in (shown ^ steady).iter() {
            self.publish(EventBody::Contact { square, closed: steady.contains(square) });
        }
        self.diagnosis.start_over();
        self.read_instead(again.reread);
        self.diagnosis.remember(&self.reader);
    }

    /// What was read since a moment at which all was clear was wrong, and this is right.
    fn read_instead(&mut self, reread: Reread) {
        self.reader = reread.reader;
        if self.result.is_none() && !self.paused {
            self.telling.reopen(reread.first);
            self.alerts.reopen(record::ply_number(reread.first) - 1);
            let chosen = self.telling.choose(&self.reader);
            let release_ms = self.setup.settings.release_ms;
            let news = self.telling.update(reread.settled, &self.reader, chosen, release_ms);
            self.publish_news(news);
            self.tell();
        }
        self.unread = true;
    }

    /// Contacts are no longer in this shadow.
    fn leave_shadow(&mut self, shadow: Shadow) {
        self.shadows.retain(|&other| other != shadow);
        self.sensing.cast(self.now, self.shadows.clone());
        self.publish(EventBody::FaultCleared { square: shadow.square() });
    }

    /// Reads on as a contact being faulty has it.
    fn take_over(&mut self, found: Found) {
        if let Some((square, fault)) = found.fault {
            self.publish(EventBody::Fault { square, fault });
        }
        self.read_instead(found.reread);
    }
}
