//! The filter of one contact: what of its flutter was meant.
//!
//! Short openings are dropped before short closures. The other order would lose a disc that is set
//! down off-centre: its landing is a row of short closures, and only with the openings between them
//! taken out does it become one long one.

use crate::moment::Moment;
use crate::settings::Settings;

/// A landing disc that flickers is open for no longer than this at a time (promised: up to 120 ms).
const FLICKER_MS: u64 = 160;

/// What a step in time made certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The contact rests in a new state, bounce taken out: since when, and closed or open.
    pub steady: Option<(Moment, bool)>,
    /// A disc came or went for good: since when, and came (true) or went.
    pub meant: Option<(Moment, bool)>,
}

/// One contact's filter.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    raw: bool,
    /// The state after bounce, and the first and last raw change since it was true.
    steady: bool,
    bouncing: Option<(Moment, Moment)>,
    /// The state after everything that was not meant.
    told: bool,
    doubt: Doubt,
}

/// A change that may or may not have been meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    None,
    /// A disc stands; its contact is open since then.
    Open {
        began: Moment,
    },
    /// The square is empty; its contact is closed. `again` is when it last closed.
    Closed {
        began: Moment,
        again: Moment,
    },
    /// As `Closed`, but open again since then.
    Flickering {
        began: Moment,
        open: Moment,
    },
}

impl Filter {
    /// The filter of a contact at rest.
    #[must_use]
    pub fn new(closed: bool) -> Self {
        Self { raw: closed, steady: closed, bouncing: None, told: closed, doubt: Doubt::None }
    }

    /// Takes in a raw change; a report of the state it already has is no change.
    pub fn change(&mut self, at: Moment, closed: bool) {
        if closed == self.raw {
            return;
        }
        self.raw = closed;
        self.bouncing = match self.bouncing {
            Some((first, _)) => Some((first, at)),
            None => Some((at, at)),
        };
        self.doubt = match (self.doubt, closed) {
            (Doubt::None, false) => Doubt::Open { began: at },
            (Doubt::None, true) => Doubt::Closed { began: at, again: at },
            (Doubt::Open { .. }, _) => Doubt::None,
            (Doubt::Closed { began, .. }, _) => Doubt::Flickering { began, open: at },
            (Doubt::Flickering { began, .. }, _) => Doubt::Closed { began, again: at },
        };
    }

    /// Whether the contact rests closed, bounce taken out.
    pub(super) const fn is_steadily_closed(&self) -> bool {
        self.steady
    }

    /// Since when there is something undecided.
    #[must_use]
    pub const fn undecided_since(&self) -> Option<Moment> {
        match self.doubt {
            Doubt::None => None,
            Doubt::Open { began } | Doubt::Closed { began, .. } | Doubt::Flickering { began, .. } => {
                Some(began)
            }
        }
    }

    /// When the next step is due.
    #[must_use]
    pub fn deadline(&self, settings: &Settings) -> Option<Moment> {
        let steady = self.bouncing.map(|(_, last)| last.after(settings.bounce_ms));
        let meant = match self.doubt {
            Doubt::None => None,
            Doubt::Open { began } => Some(began.after(settings.dropout_ms)),
            Doubt::Closed { began, again } => Some(began.after(settings.pass_ms).max(again)),
            Doubt::Flickering { open, .. } => Some(open.after(FLICKER_MS)),
        };
        match (steady, meant) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Decides what is due at `now`.
    pub fn step(&mut self, now: Moment, settings: &Settings) -> Verdict {
        let mut verdict = Verdict::default();
        if let Some((first, last)) = self.bouncing
            && last.after(settings.bounce_ms) <= now
        {
            self.bouncing = None;
            if self.raw != self.steady {
                self.steady = self.raw;
                verdict.steady = Some((first, self.raw));
            }
        }
        match self.doubt {
            Doubt::Open { began } if began.after(settings.dropout_ms) <= now => {
                self.doubt = Doubt::None;
                self.told = false;
                verdict.meant = Some((began, false));
            }
            Doubt::Closed { began, .. } if began.after(settings.pass_ms) <= now => {
                self.doubt = Doubt::None;
                self.told = true;
                verdict.meant = Some((began, true));
            }
            Doubt::Flickering { open, .. } if open.after(FLICKER_MS) <= now => self.doubt = Doubt::None,
            Doubt::None | Doubt::Open { .. } | Doubt::Closed { .. } | Doubt::Flickering { .. } => {}
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds raw changes `(ms, closed)` to a contact that begins `closed`, lets two seconds pass, and
    /// expects these meant changes `(began, closed)`.
    #[track_caller]
    fn check(closed: bool, changes: &[(u64, bool)], expected: &[(u64, bool)]) {
        let settings = Settings::default();
        let mut filter = Filter::new(closed);
        let mut meant = Vec::new();
        let mut run_to = |filter: &mut Filter, end: Moment| {
            while let Some(due) = filter.deadline(&settings).filter(|&due| due <= end) {
                meant.extend(filter.step(due, &settings).meant.map(|(m, c)| (m.millis(), c)));
            }
        };
        let mut last = Moment::ZERO;
        for &(at, closed) in changes {
            last = Moment::from_millis(at);
            run_to(&mut filter, last);
            filter.change(last, closed);
        }
        run_to(&mut filter, last.after(2000));
        assert_eq!(meant, expected);
    }

    #[test]
    fn bounce_of_5_ms_is_one_change() {
        check(true, &[(10, false), (11, true), (12, false), (14, true), (15, false)], &[(15, false)]);
        check(false, &[(10, true), (12, false), (15, true)], &[(10, true)]);
    }

    #[test]
    fn an_opening_of_250_ms_is_a_knock_and_one_of_400_ms_a_lift() {
        check(true, &[(1000, false), (1250, true)], &[]);
        check(true, &[(1000, false), (1400, true)], &[(1000, false), (1400, true)]);
    }

    #[test]
    fn a_closure_of_100_ms_is_a_passing_hand_and_one_of_150_ms_a_landing() {
        check(false, &[(1000, true), (1100, false)], &[]);
        check(false, &[(1000, true), (1150, false)], &[(1000, true), (1150, false)]);
    }

    #[test]
    fn a_landing_that_flickers_for_a_second_began_at_its_first_closure() {
        let mut changes = vec![(1000, true)];
        for k in 0..7 {
            changes.push((1020 + 140 * k, false));
            changes.push((1140 + 140 * k, true));
        }
        check(false, &changes, &[(1000, true)]);
    }

    #[test]
    fn two_passes_with_a_gap_are_no_landing() {
        check(false, &[(1000, true), (1080, false), (1300, true), (1380, false)], &[]);
    }

    #[test]
    fn a_disc_that_drops_out_while_it_lands_has_landed() {
        check(false, &[(1000, true), (1200, false), (1450, true)], &[(1000, true)]);
    }
}
