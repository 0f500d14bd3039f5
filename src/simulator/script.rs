//! What the hands do, as a timeline: discs lifted, carried, set down, removed, crowned, the clock
//! pressed; and what ideal contacts would show of it.
//!
//! Acts are written down in the order in which they matter to the discs, with their times given;
//! the times of the two players' acts may interleave. [`Script::finish`] sorts them out.

use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{Button, ClockLink, Crowning, Input, TimedInput};

use super::path;
use super::table::{Stack, Table};

/// A contact under the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lead {
    /// A square's own.
    Contact(Square),
    /// A far-row square's stack contact.
    Crown(Square),
}

/// How a change of a contact comes about, which decides what noise it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// A disc is lifted, or touches down for a moment.
    Hand,
    /// A disc is put down to stay.
    Landing,
    /// The scanner comes back and finds it changed.
    Lost,
}

/// An ideal contact changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub at: u64,
    pub lead: Lead,
    pub closed: bool,
    pub touch: Touch,
}

/// A disc in the hand passes low over a square that is empty at that time, or nothing comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub at: u64,
    pub square: Square,
    pub lasts: u64,
}

/// The timeline of a game.
#[derive(Clone, Debug)]
pub(super) struct Script {
    table: Table,
    crowning: Crowning,
    clock: ClockLink,
    /// Whether reserve events name the well.
    names_wells: bool,
    edges: Vec<Edge>,
    passes: Vec<Pass>,
    inputs: Vec<TimedInput>,
    /// Squares that should be occupied at the beginning and are not.
    missing: SquareSet,
    /// When each square was last left, for acts that must not follow too closely.
    left: Vec<Option<u64>>,
}

/// A finished timeline: ideal contacts and everything else.
#[derive(Clone, Debug)]
pub(super) struct Performed {
    /// In order of time.
    pub edges: Vec<Edge>,
    /// Passes asked for, not yet fitted between the edges.
    pub passes: Vec<Pass>,
    /// What does not come from under the board, in order of time.
    pub inputs: Vec<TimedInput>,
    /// Squares that should be occupied at the beginning and are not.
    pub missing: SquareSet,
}

impl Script {
    /// An empty timeline from `position`.
    pub(super) fn new(position: &Position, crowning: Crowning, clock: ClockLink, names_wells: bool) -> Self {
        let squares = usize::from(position.variant().square_count());
        Self {
            table: Table::new(position),
            crowning,
            clock,
            names_wells,
            edges: Vec::new(),
            passes: Vec::new(),
            inputs: Vec::new(),
            missing: SquareSet::EMPTY,
            left: vec![None; squares],
        }
    }

    /// When the disc last on `square` left it.
    pub(super) fn left(&self, square: Square) -> Option<u64> {
        self.left[square.index()]
    }

    /// Lifts what stands on `square`.
    pub(super) fn lift(&mut self, at: u64, square: Square) -> Stack {
        let stack = self.table.lift(square);
        self.left[square.index()] = Some(at);
        self.mark(at, square, stack, false, Touch::Hand);
        stack
    }

    /// Sets a disc down, to stay ([`Touch::Landing`]) or for a moment.
    pub(super) fn set_down(&mut self, at: u64, square: Square, stack: Stack, touch: Touch) {
        self.table.set_down(square, stack);
        self.mark(at, square, stack, true, touch);
    }

    /// Takes the disc on `square` off the board.
    pub(super) fn remove(&mut self, at: u64, square: Square) {
        let stack = self.lift(at, square);
        self.table.lay_beside(stack);
    }

    /// Puts a removed disc back on `square`.
    pub(super) fn bring_back(&mut self, at: u64, square: Square, stack: Stack) {
        self.table.take_up(stack);
        self.set_down(at, square, stack, Touch::Landing);
    }

    /// Lets `square` be empty from the beginning; what should have stood there.
    pub(super) fn begin_without(&mut self, square: Square) -> Stack {
        self.missing = self.missing.with(square);
        self.table.lift(square)
    }

    /// What stands on `square`.
    pub(super) fn at(&self, square: Square) -> Option<Stack> {
        self.table.at(square)
    }

    /// Carries a disc low over `square` for a moment.
    pub(super) fn pass(&mut self, at: u64, square: Square, lasts: u64) {
        self.passes.push(Pass { at, square, lasts });
    }

    /// Puts a second disc on the one on `square`.
    pub(super) fn crown(&mut self, at: u64, square: Square) {
        self.table.crown(square);
        if self.has_crown_contact(square) {
            self.edges.push(Edge { at, lead: Lead::Crown(square), closed: true, touch: Touch::Hand });
        }
    }

    /// Takes a spare disc of `side` out of its well; `pause` before it one is put in if none is there.
    pub(super) fn take_spare(&mut self, at: u64, side: Side, pause: u64) {
        let well = self.table.take_from_well(side);
        let well = well.or_else(|| {
            let filled = self.table.return_to_well(side).or_else(|| self.table.fill_well(side));
            self.reserve(at.saturating_sub(pause), side, true, filled);
            self.table.take_from_well(side)
        });
        self.reserve(at, side, false, well);
    }

    /// Puts a captured disc of `side` into a free well, if there is one of either.
    pub(super) fn return_spare(&mut self, at: u64, side: Side) {
        if let Some(well) = self.table.return_to_well(side) {
            self.reserve(at, side, true, Some(well));
        }
    }

    fn reserve(&mut self, at: u64, side: Side, closed: bool, well: Option<u8>) {
        if self.crowning == Crowning::Reserve {
            let well = well.filter(|_| self.names_wells);
            self.input(at, Input::Reserve { side, closed, well });
        }
    }

    /// Presses the clock, if one is linked; whether it is.
    pub(super) fn press(&mut self, at: u64, side: Side) -> bool {
        let linked = self.clock == ClockLink::Linked;
        if linked {
            self.input(at, Input::Press { side });
        }
        linked
    }

    /// Presses a button.
    pub(super) fn button(&mut self, at: u64, button: Button, side: Side) {
        self.input(at, Input::Button { button, side });
    }

    /// Writes down what comes from elsewhere than the board.
    pub(super) fn input(&mut self, at: u64, input: Input) {
        self.inputs.push(TimedInput { at: Moment::from_millis(at), input });
    }

    /// Lets `act` happen while the scanner is away: what it changed is found at `back`, all at once.
    pub(super) fn lose(&mut self, back: u64, act: impl FnOnce(&mut Self)) {
        let known = self.edges.len();
        let before: Vec<_> = self.table.squares().collect();
        act(self);
        self.edges.truncate(known);
        for (square, old) in before {
            let new = self.table.at(square);
            let mut found = |lead, was: bool, is: bool| {
                if was != is {
                    self.edges.push(Edge { at: back, lead, closed: is, touch: Touch::Lost });
                }
            };
            found(Lead::Contact(square), old.is_some(), new.is_some());
            if old.is_some() && new.is_none() {
                self.left[square.index()] = Some(back);
            }
            if self.crowning == Crowning::Stack && path::is_far_row(self.table.variant(), square) {
                let crowned = |stack: Option<Stack>| stack.is_some_and(|s| s.crowned);
                found(Lead::Crown(square), crowned(old), crowned(new));
            }
        }
    }

    /// The timeline in order of time.
    pub(super) fn finish(mut self) -> Performed {
        self.edges.sort_by_key(|edge| (edge.at, edge.lead));
        self.inputs.sort_by_key(|input| input.at);
        self.passes.sort_by_key(|pass| (pass.at, pass.square));
        let Self { edges, passes, inputs, missing, .. } = self;
        Performed { edges, passes, inputs, missing }
    }

    fn has_crown_contact(&self, square: Square) -> bool {
        self.crowning == Crowning::Stack && path::is_far_row(self.table.variant(), square)
    }

    fn mark(&mut self, at: u64, square: Square, stack: Stack, closed: bool, touch: Touch) {
        self.edges.push(Edge { at, lead: Lead::Contact(square), closed, touch });
        if stack.crowned && self.has_crown_contact(square) {
            self.edges.push(Edge { at, lead: Lead::Crown(square), closed, touch: Touch::Hand });
        }
    }
}
