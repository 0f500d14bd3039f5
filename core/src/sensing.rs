//! Sensing: raw contact changes in, signs of what hands did out.
//!
//! Each contact has a [`filter::Filter`] that takes out bounce, knocks, nudges, flickering landings
//! and discs passing in the hand. What is left are [`Sign`]s, each with the moment it *began*.
//! Since a filter needs time to make up its mind, and different times for closing and opening,
//! signs wait here until nothing that began earlier can still turn up: they leave in the order in
//! which they began, presses and buttons among them.

pub mod faults;
pub mod filter;
mod ghosts;
pub mod shadow;

use std::collections::BTreeMap;

use crate::matrix::Matrix;
use crate::moment::Moment;
use crate::piece::Side;
use crate::settings::Settings;
use crate::square::{Square, SquareSet};

use filter::Filter;
use shadow::Shadow;

/// A square out of the shadow is told when it has been so for longer than the contacts around it bounce.
const OUT_OF_SHADOW_MS: u64 = 12;
/// Contacts that are read in the same scan change within this time.
pub(crate) const SCAN_MS: u64 = 2;

/// One thing that hands did, as far as contacts can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// A disc left its square for longer than a knock.
    Lift(Square),
    /// A disc came to stand on a square for longer than a passing hand.
    Place(Square),
    /// A second disc came to stand on the disc of a far-row square.
    Stack(Square),
    /// Two discs no longer stand on a far-row square.
    Unstack(Square),
    /// From now on nothing follows from the stack contact of a square, or it can be believed again.
    CrownSensor {
        /// The square.
        square: Square,
        /// Whether it can be believed.
        works: bool,
    },
    /// A spare disc of this colour left its well.
    TakeSpare(Side),
    /// A spare disc of this colour came back to a well.
    ReturnSpare(Side),
    /// A player pressed the clock.
    Press(Side),
    /// A player announced adjusting.
    Adjust(Side),
    /// From now on the contact of a square says nothing: a [`Shadow`] lies on it.
    Hide(Square),
    /// It can be believed again.
    Reveal {
        /// The square.
        square: Square,
        /// Whether a disc stands there.
        closed: bool,
    },
}

/// An [`Act`] and when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// When it began.
    pub at: Moment,
    /// What it is.
    pub act: Act,
}

/// A contact change with the bounce taken out and nothing else: what spectators see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// When the change began.
    pub at: Moment,
    /// Which contact.
    pub contact: Contact,
    /// Its new state.
    pub closed: bool,
}

/// A contact of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contact {
    /// Under a square.
    Square(Square),
    /// The stack contact of a far-row square.
    Crown(Square),
}

impl Contact {
    const fn square(self) -> Square {
        let (Self::Square(square) | Self::Crown(square)) = self;
        square
    }

    /// Where its filter is kept.
    const fn index(self) -> usize {
        match self {
            Self::Square(square) => 2 * square.index(),
            Self::Crown(square) => 2 * square.index() + 1,
        }
    }

    fn sign(self, closed: bool) -> Act {
        match (self, closed) {
            (Self::Square(square), true) => Act::Place(square),
            (Self::Square(square), false) => Act::Lift(square),
            (Self::Crown(square), true) => Act::Stack(square),
            (Self::Crown(square), false) => Act::Unstack(square),
        }
    }
}

/// What sensing has to say after a step in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sensed {
    /// Debounced changes, for spectators.
    pub flips: Vec<Flip>,
    /// Signs in the order in which they began.
    pub signs: Vec<Sign>,
}

/// The filters of all contacts and the queue that puts their signs in order.
#[derive(Clone, Debug)]
pub struct Sensing {
    settings: Settings,
    /// By [`Contact::index`].
    filters: Vec<Filter>,
    squares: SquareSet,
    /// Signs that are certain but may not yet leave, by when they began and came.
    waiting: BTreeMap<(Moment, u64), Act>,
    arrivals: u64,
    /// The squares on which discs stand as far as is certain.
    standing: SquareSet,
    /// Contacts whose filter has something pending; few at a time, so that a step looks at those only.
    busy: Vec<Contact>,
    matrix: Option<Matrix>,
    /// The squares whose contacts are closed at this moment.
    raw: SquareSet,
    shadows: Vec<Shadow>,
    /// What changed within one scan, with the moment of the first; only while there are shadows.
    scan: Vec<(Moment, Square, bool)>,
    /// The squares in a shadow at this moment, and those that left it of late and when.
    hidden: SquareSet,
    leaving: Vec<(Square, Moment)>,
    /// What becomes certain in a step; empty between steps, kept for its room.
    certain: Vec<(Moment, Act)>,
}

impl Sensing {
    /// Sensing of a board whose contacts of `closed` are closed, and stack contacts of `stacked`.
    #[must_use]
    pub fn new(settings: Settings, squares: SquareSet, closed: SquareSet, stacked: SquareSet) -> Self {
        let filters = Square::ALL
            .iter()
            .flat_map(|&s| [Filter::new(closed.contains(s)), Filter::new(stacked.contains(s))])
            .collect();
        Self {
            settings,
            filters,
            squares,
            waiting: BTreeMap::new(),
            arrivals: 0,
            standing: squares & closed,
            busy: Vec::new(),
            matrix: None,
            raw: closed,
            shadows: Vec::new(),
            scan: Vec::new(),
            hidden: SquareSet::EMPTY,
            leaving: Vec::new(),
            certain: Vec::new(),
        }
    }

    /// How the contacts are wired, where that is known.
    #[must_use]
    pub fn wired(mut self, matrix: Option<Matrix>) -> Self {
        self.matrix = matrix;
        self
    }

    /// The squares whose contact is closed now, noise filtered out.
    #[must_use]
    pub fn standing(&self) -> SquareSet {
        self.standing
    }

    /// The squares whose contact is closed now, bounce taken out: what spectators have been told.
    #[must_use]
    pub fn steady(&self) -> SquareSet {
        let closed = |&square: &Square| self.filters[Contact::Square(square).index()].is_steadily_closed();
        self.squares.iter().filter(closed).collect()
    }

    /// How the contacts are wired, where that is known.
    pub(crate) const fn matrix(&self) -> Option<&Matrix> {
        self.matrix.as_ref()
    }

    /// The squares whose contacts are closed at this moment, bounce and shadows included.
    pub(crate) const fn raw(&self) -> SquareSet {
        self.raw
    }

    /// The squares of which nothing can be felt now, or could not until a moment ago.
    #[must_use]
    pub fn hidden(&self) -> SquareSet {
        self.leaving.iter().fold(self.hidden, |hidden, &(square, _)| hidden.with(square))
    }

    /// Takes a raw change of a contact in. Contacts the board does not have are ignored.
    ///
    /// The caller has brought sensing to `at` with [`Sensing::step`] before.
    pub fn change(&mut self, at: Moment, contact: Contact, closed: bool) {
        let Contact::Square(square) = contact else { return self.feed(at, contact, closed) };
        if !self.shadows.is_empty() {
            let &(first, ..) = self.scan.first().unwrap_or(&(at, square, closed));
            self.scan.push((first, square, closed));
            return;
        }
        self.note_raw(square, closed);
        self.feed(at, contact, closed);
    }

    const fn note_raw(&mut self, square: Square, closed: bool) {
        if closed {
            self.raw.insert(square);
        } else {
            self.raw.remove(square);
        }
    }

    /// A shadow and what casts it change in the same scan, in any order, so the whole scan is taken in at once.
    fn take_scan_in(&mut self) {
        let scan = std::mem::take(&mut self.scan);
        let Some(&(at, ..)) = scan.first() else { return };
        let mut changed = SquareSet::EMPTY;
        for (_, square, closed) in scan {
            self.note_raw(square, closed);
            changed.insert(square);
        }
        self.move_shadows(at, changed);
    }

    fn feed(&mut self, at: Moment, contact: Contact, closed: bool) {
        if !self.squares.contains(contact.square()) {
            return;
        }
        let filter = &mut self.filters[contact.index()];
        filter.change(at, closed);
        if filter.deadline(&self.settings).is_some() && !self.busy.contains(&contact) {
            self.busy.push(contact);
        }
    }

    /// From `at` on these and no others cast shadows.
    pub fn cast(&mut self, at: Moment, shadows: Vec<Shadow>) {
        self.take_scan_in();
        self.shadows = shadows;
        self.move_shadows(at, SquareSet::EMPTY);
    }

    /// A contact in a shadow counts as what it was before, whatever it says: the contacts of `changed` have changed, and
    /// with them, perhaps, the shadows.
    fn move_shadows(&mut self, at: Moment, changed: SquareSet) {
        let over = |shadow: &Shadow| shadow.over(self.raw, self.matrix.as_ref());
        let hidden = self.shadows.iter().map(over).fold(SquareSet::EMPTY, |all, squares| all | squares);
        let before = std::mem::replace(&mut self.hidden, hidden);
        for square in (before - hidden).iter() {
            self.leaving.push((square, at));
        }
        for square in (hidden - before).iter() {
            let left = self.leaving.len();
            self.leaving.retain(|&(other, _)| other != square);
            if self.leaving.len() == left {
                self.wait(at, Act::Hide(square));
            }
        }
        for square in (changed | (before ^ hidden)).iter() {
            let source = if hidden.contains(square) { self.standing } else { self.raw };
            self.feed(at, Contact::Square(square), source.contains(square));
        }
    }

    /// Takes in something that is certain at once: a press, a button, a spare disc.
    pub fn certain(&mut self, at: Moment, act: Act) {
        self.wait(at, act);
    }

    fn wait(&mut self, began: Moment, act: Act) {
        self.arrivals += 1;
        self.waiting.insert((began, self.arrivals), act);
    }

    /// The next moment at which [`Sensing::step`] has something to do.
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        let filters =
            self.busy.iter().filter_map(|contact| self.filters[contact.index()].deadline(&self.settings));
        let leaving = self.leaving.iter().map(|&(square, at)| self.revealed(square, at));
        let scan = self.scan.first().map(|&(at, ..)| at.after(SCAN_MS));
        filters.chain(leaving).chain(scan).min()
    }

    /// When it can be told what stands on a square that left a shadow at `at`, unless its filter needs longer.
    fn revealed(&self, square: Square, at: Moment) -> Moment {
        let filter = &self.filters[Contact::Square(square).index()];
        let rest = at.after(OUT_OF_SHADOW_MS);
        match filter.undecided_since() {
            Some(began) if began <= rest => filter.deadline(&self.settings).map_or(rest, |due| due.max(rest)),
            _ => rest,
        }
    }

    /// The moment before which nothing that began is undecided any more, at `now` the latest.
    #[must_use]
    pub fn horizon(&self, now: Moment) -> Moment {
        self.undecided_since().map_or(now, |began| began.min(now))
    }

    fn undecided_since(&self) -> Option<Moment> {
        let filters = self.busy.iter().filter_map(|contact| self.filters[contact.index()].undecided_since());
        let leaving = self.leaving.iter().map(|&(_, at)| at);
        filters.chain(leaving).chain(self.scan.first().map(|&(at, ..)| at)).min()
    }

    /// Lets time pass up to `now`, which is not after [`Sensing::deadline`], and returns what became
    /// certain.
    pub fn step(&mut self, now: Moment) -> Sensed {
        let mut sensed = Sensed::default();
        let mut certain = std::mem::take(&mut self.certain);
        if self.scan.first().is_some_and(|&(at, ..)| at.after(SCAN_MS) <= now) {
            self.take_scan_in();
        }
        self.busy.retain(|contact| {
            let filter = &mut self.filters[contact.index()];
            let verdict = filter.step(now, &self.settings);
            if let Some((began, closed)) = verdict.steady {
                sensed.flips.push(Flip { at: began, contact: *contact, closed });
            }
            if let Some((began, closed)) = verdict.meant {
                if let Contact::Square(square) = *contact {
                    self.standing =
                        if closed { self.standing.with(square) } else { self.standing.without(square) };
                }
                // What it felt when the shadow went is told as what stands there.
                let left = self.leaving.iter().any(|&(square, at)| {
                    Contact::Square(square) == *contact && began <= at.after(OUT_OF_SHADOW_MS)
                });
                if !left {
                    certain.push((began, contact.sign(closed)));
                }
            }
            filter.deadline(&self.settings).is_some()
        });
        sensed.flips.sort_by_key(|flip| (flip.at, flip.contact));
        certain.sort_unstable();
        for (began, act) in certain.drain(..) {
            self.wait(began, act);
        }
        self.certain = certain;
        self.reveal(now);
        let undecided = self.undecided_since();
        while let Some(entry) = self.waiting.first_entry() {
            let (at, _) = *entry.key();
            if undecided.is_some_and(|began| at >= began) {
                break;
            }
            sensed.signs.push(Sign { at, act: entry.remove() });
        }
        sensed
    }

    /// Tells what stands on the squares that have left a shadow, once that is certain.
    fn reveal(&mut self, now: Moment) {
        let leaving = std::mem::take(&mut self.leaving);
        for (square, at) in leaving {
            let rest = at.after(OUT_OF_SHADOW_MS);
            let filter = &self.filters[Contact::Square(square).index()];
            if rest > now || filter.undecided_since().is_some_and(|began| began <= rest) {
                self.leaving.push((square, at));
            } else {
                self.wait(at, Act::Reveal { square, closed: self.standing.contains(square) });
            }
        }
    }
}
