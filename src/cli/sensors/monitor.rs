//! What is known of the squares' contacts while somebody looks at them: raw, debounced, and how they bounce.

use std::collections::BTreeMap;

use draughtsd_core::event::ContactFault;
use draughtsd_core::moment::Moment;
use draughtsd_core::rules::Variant;
use draughtsd_core::sensing::{Contact, Flip, Sensing, faults};
use draughtsd_core::settings::Settings;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{Input, TimedInput};

/// How a contact has behaved so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Behaviour {
    /// How often a disc came, bounce taken out.
    pub(super) closures: u32,
    /// Every raw change.
    pub(super) changes: u32,
    /// How many changes of state bounced.
    pub(super) bounced: u32,
    /// The longest bounce, from its first raw change to its last.
    pub(super) longest_ms: u64,
    /// The bounce that is under way: first and last change.
    burst: Option<(Moment, Moment)>,
}

impl Behaviour {
    fn change(&mut self, at: Moment, bounce_ms: u64) {
        self.changes += 1;
        let Some((first, last)) = self.burst.filter(|burst| at.since(burst.1) <= bounce_ms) else {
            self.burst = Some((at, at));
            return;
        };
        if first == last {
            self.bounced += 1;
        }
        self.longest_ms = self.longest_ms.max(at.since(first));
        self.burst = Some((first, at));
    }
}

/// The contacts under the squares.
#[derive(Debug)]
pub(super) struct Monitor {
    variant: Variant,
    bounce_ms: u64,
    sensing: Sensing,
    watch: faults::Watch,
    raw: SquareSet,
    steady: SquareSet,
    behaviour: BTreeMap<Square, Behaviour>,
    faults: BTreeMap<Square, ContactFault>,
}

impl Monitor {
    /// A board whose contacts of `closed` are closed.
    pub(super) fn new(variant: Variant, settings: Settings, closed: SquareSet) -> Self {
        Self {
            variant,
            bounce_ms: settings.bounce_ms,
            sensing: Sensing::new(settings, SquareSet::all(variant), closed, SquareSet::EMPTY),
            watch: faults::Watch::new(variant, None, closed),
            raw: closed,
            steady: closed,
            behaviour: BTreeMap::new(),
            faults: BTreeMap::new(),
        }
    }

    pub(super) const fn variant(&self) -> Variant {
        self.variant
    }

    /// The squares whose contact is closed at this moment.
    pub(super) const fn raw(&self) -> SquareSet {
        self.raw
    }

    /// The same with the bounce taken out.
    pub(super) const fn steady(&self) -> SquareSet {
        self.steady
    }

    /// How a square's contact has behaved.
    pub(super) fn behaviour(&self, square: Square) -> Behaviour {
        self.behaviour.get(&square).copied().unwrap_or_default()
    }

    /// Contacts that chatter or follow a neighbour.
    pub(super) fn faults(&self) -> impl Iterator<Item = (Square, ContactFault)> {
        self.faults.iter().map(|(square, fault)| (*square, *fault))
    }

    /// Forgets what was seen so far, but not how the contacts stand.
    pub(super) fn clear(&mut self) {
        self.behaviour.clear();
        self.faults.clear();
        self.watch = faults::Watch::new(self.variant, None, self.raw);
    }

    /// Takes in what the board had to say, and lets time pass to `now`. Returns what changed, bounce taken out.
    pub(super) fn take(&mut self, inputs: &[TimedInput], now: Moment) -> Vec<Flip> {
        let mut flips = Vec::new();
        for TimedInput { at, input } in inputs {
            let Input::Contact { square, closed } = *input else { continue };
            self.advance(*at, &mut flips);
            self.change(*at, square, closed);
        }
        self.advance(now, &mut flips);
        flips
    }

    fn change(&mut self, at: Moment, square: Square, closed: bool) {
        if closed {
            self.raw.insert(square);
        } else {
            self.raw.remove(square);
        }
        self.sensing.change(at, Contact::Square(square), closed);
        self.behaviour.entry(square).or_default().change(at, self.bounce_ms);
        self.faults.extend(self.watch.change(at, square, closed).and_then(|finding| finding.fault()));
    }

    fn advance(&mut self, now: Moment, flips: &mut Vec<Flip>) {
        while let Some(due) = self.sensing.deadline().filter(|&due| due <= now) {
            for flip in self.sensing.step(due).flips {
                let Contact::Square(square) = flip.contact else { continue };
                if flip.closed {
                    self.steady.insert(square);
                    self.behaviour.entry(square).or_default().closures += 1;
                } else {
                    self.steady.remove(square);
                }
                flips.push(flip);
            }
        }
    }
}

/// A fault of one contact in words, with its likely cause.
pub(super) fn in_words(square: Square, fault: ContactFault) -> String {
    match fault {
        ContactFault::Chattering => format!(
            "Square {square} opens and closes all the time: a loose joint, or a magnet at the edge of the switch's reach."
        ),
        ContactFault::Coupled => format!(
            "Square {square} closes with a neighbour: its switch is too sensitive, or lies too close to the neighbour's."
        ),
        ContactFault::StuckOpen => format!("Square {square} does not close: a broken switch or joint."),
        ContactFault::StuckClosed => {
            format!("Square {square} does not open: a switch that sticks, or a bridge across it.")
        }
        ContactFault::Ghost => {
            format!(
                "The contact of square {square} makes others read closed: its diode is missing or bridged."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    fn contact(ms: u64, number: u8, closed: bool) -> TimedInput {
        TimedInput { at: Moment::from_millis(ms), input: Input::Contact { square: square(number), closed } }
    }

    #[test]
    fn bounce_is_measured_and_taken_out() {
        let mut monitor = Monitor::new(Variant::International, Settings::default(), SquareSet::EMPTY);
        let bouncing =
            [contact(10, 7, true), contact(11, 7, false), contact(13, 7, true), contact(900, 7, false)];
        assert_eq!(monitor.take(&bouncing[..3], Moment::from_millis(15)), []);
        assert_eq!((monitor.raw().len(), monitor.steady().len()), (1, 0));
        let flips = monitor.take(&[], Moment::from_millis(30));
        assert_eq!(flips.len(), 1);
        assert_eq!((flips[0].at, flips[0].closed), (Moment::from_millis(10), true));
        assert_eq!(monitor.take(&bouncing[3..], Moment::from_millis(1000)).len(), 1);
        let behaviour = monitor.behaviour(square(7));
        let Behaviour { closures, changes, bounced, longest_ms, .. } = behaviour;
        assert_eq!((closures, changes, bounced, longest_ms), (1, 4, 1, 3));
        assert!(monitor.steady().is_empty());
        monitor.clear();
        assert_eq!(monitor.behaviour(square(7)), Behaviour::default());
    }

    #[test]
    fn a_contact_that_never_rests_is_a_fault() {
        let mut monitor = Monitor::new(Variant::International, Settings::default(), SquareSet::EMPTY);
        let restless: Vec<TimedInput> = (1..160).map(|k| contact(k * 150, 9, k % 2 == 1)).collect();
        monitor.take(&restless, Moment::from_millis(25_000));
        let faults: Vec<_> = monitor.faults().collect();
        assert_eq!(faults, [(square(9), ContactFault::Chattering)]);
        assert!(in_words(square(9), faults[0].1).starts_with("Square 9 opens and closes"));
    }
}
