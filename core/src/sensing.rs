//! Sensing: raw contact changes in, signs of what hands did out.
//!
//! Each contact has a [`filter::Filter`] that takes out bounce, knocks, nudges, flickering landings
//! and discs passing in the hand. What is left are [`Sign`]s, each with the moment it *began*.
//! Since a filter needs time to make up its mind, and different times for closing and opening,
//! signs wait here until nothing that began earlier can still turn up: they leave in the order in
//! which they began, presses and buttons among them.

pub mod faults;
pub mod filter;

use std::collections::BTreeMap;

use crate::moment::Moment;
use crate::piece::Side;
use crate::settings::Settings;
use crate::square::{Square, SquareSet};

use filter::Filter;

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
    /// A spare disc of this colour left its well.
    TakeSpare(Side),
    /// A spare disc of this colour came back to a well.
    ReturnSpare(Side),
    /// A player pressed the clock.
    Press(Side),
    /// A player announced adjusting.
    Adjust(Side),
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
        }
    }

    /// The squares whose contact is closed now, noise filtered out.
    #[must_use]
    pub fn standing(&self) -> SquareSet {
        self.standing
    }

    /// Takes a raw change of a contact in. Contacts the board does not have are ignored.
    ///
    /// The caller has brought sensing to `at` with [`Sensing::step`] before.
    pub fn change(&mut self, at: Moment, contact: Contact, closed: bool) {
        if !self.squares.contains(contact.square()) {
            return;
        }
        let filter = &mut self.filters[contact.index()];
        filter.change(at, closed);
        if filter.deadline(&self.settings).is_some() && !self.busy.contains(&contact) {
            self.busy.push(contact);
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
        self.busy.iter().filter_map(|contact| self.filters[contact.index()].deadline(&self.settings)).min()
    }

    /// The moment before which nothing that began is undecided any more, at `now` the latest.
    #[must_use]
    pub fn horizon(&self, now: Moment) -> Moment {
        self.undecided_since().map_or(now, |began| began.min(now))
    }

    fn undecided_since(&self) -> Option<Moment> {
        self.busy.iter().filter_map(|contact| self.filters[contact.index()].undecided_since()).min()
    }

    /// Lets time pass up to `now`, which is not after [`Sensing::deadline`], and returns what became
    /// certain.
    pub fn step(&mut self, now: Moment) -> Sensed {
        let mut sensed = Sensed::default();
        let mut certain = Vec::new();
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
                certain.push((began, contact.sign(closed)));
            }
            filter.deadline(&self.settings).is_some()
        });
        sensed.flips.sort_by_key(|flip| (flip.at, flip.contact));
        certain.sort_unstable();
        for (began, act) in certain {
            self.wait(began, act);
        }
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
}
