//! Suspicion: one of several contacts is stuck, and each of them would explain what was read.
//!
//! None of them is believed for the time being, so that the readings that they lead to are tied and told as doubt. The
//! first that changes as a disc makes it change is not stuck; and when the readings have come apart by themselves, the
//! contact that is still wrong is.

use std::sync::Arc;

use crate::moment::Moment;
use crate::reading::{Hypothesis, Ply, Reader};
use crate::sensing::{Act, SCAN_MS, Sign};
use crate::square::SquareSet;

/// So many batches of signs are kept, a whole game's; a doubt that lasts longer is not read again.
const MOST_STEPS: usize = 1500;
/// So many moves later the readings have come apart for good.
const PLIES_AFTER: u32 = 4;

/// Signs read once more.
#[derive(Clone, Debug)]
pub(super) struct Reread {
    pub(super) reader: Reader,
    /// So many moves came before, and these after them are no longer in doubt.
    pub(super) first: usize,
    pub(super) settled: Vec<Arc<Ply>>,
}

impl Reread {
    /// What is read from this moment on.
    pub(super) fn from(reader: Reader) -> Self {
        Self { first: reader.settled(), reader, settled: Vec::new() }
    }

    /// The signs after this moment, read without believing these contacts.
    pub(super) fn of<'s>(
        reader: &Reader,
        steps: impl IntoIterator<Item = &'s (Vec<Sign>, Moment)>,
        masked: SquareSet,
    ) -> Self {
        let mut reread = Self::from(reader.clone());
        reread.reader.mask(masked);
        for (signs, horizon) in steps {
            reread.read(signs, *horizon);
        }
        reread
    }

    /// Reads signs that left sensing together, when nothing before `horizon` was undecided any more.
    pub(super) fn read(&mut self, signs: &[Sign], horizon: Moment) {
        let begin = signs.first().map_or(horizon, |sign| sign.at);
        while let Some(due) = self.reader.deadline().filter(|&due| due < begin) {
            self.reader.pass_time(due);
        }
        self.reader.observe(signs);
        self.reader.pass_time(horizon);
    }

    /// Takes out the moves that are no longer in doubt.
    pub(super) fn settle(&mut self) {
        self.settled.extend(self.reader.take_agreed());
    }
}

/// Contacts of which one is stuck.
#[derive(Clone, Debug)]
pub(super) struct Suspicion {
    squares: SquareSet,
    /// The last moment at which all was clear, and the signs since.
    reader: Reader,
    steps: Vec<(Vec<Sign>, Moment)>,
    /// The number of the move under way when the suspicion arose.
    ply: u32,
}

impl Suspicion {
    pub(super) fn new(squares: SquareSet, reader: Reader, steps: Vec<(Vec<Sign>, Moment)>, ply: u32) -> Self {
        Self { squares, reader, steps, ply }
    }

    /// The contacts of which one is stuck.
    pub(super) const fn squares(&self) -> SquareSet {
        self.squares
    }

    /// Keeps signs.
    pub(super) fn note(&mut self, signs: &[Sign], horizon: Moment) {
        if self.steps.len() < MOST_STEPS {
            self.steps.push((signs.to_vec(), horizon));
        }
    }

    /// Those of the contacts that can no longer be stuck.
    ///
    /// - `signs`: the newest.
    /// - `best`: what is read; `alone`: nothing is as good.
    pub(super) fn cleared(&self, signs: &[Sign], best: &Hypothesis, alone: bool) -> SquareSet {
        let touched = |sign: &Sign| match sign.act {
            Act::Lift(square) | Act::Place(square) => Some(square),
            _ => None,
        };
        // What changes together with another may only have followed it.
        let alone_at = |sign: &Sign| {
            let near = |other: &&Sign| other.at.since(sign.at).max(sign.at.since(other.at)) <= SCAN_MS;
            signs.iter().filter(near).filter_map(touched).count() == 1
        };
        let changed: SquareSet = signs.iter().filter(|sign| alone_at(sign)).filter_map(touched).collect();
        let changed = changed & self.squares;
        if !changed.is_empty() || !alone || best.first_ply() < self.ply + PLIES_AFTER {
            return changed;
        }
        let used = self.first_used();
        if used.len() == 1 { self.squares - used } else { SquareSet::EMPTY }
    }

    /// The contacts on which the first move rests that was not seen, now that only one reading is left.
    fn first_used(&self) -> SquareSet {
        let Some(Reread { reader, settled, .. }) = self.reread(self.squares) else { return SquareSet::EMPTY };
        let touched = |ply: &Arc<Ply>| ply.mv.squares() & self.squares;
        let unseen = settled.iter().chain(reader.best().plies()).filter(|ply| ply.deduced);
        unseen.map(touched).find(|squares| !squares.is_empty()).unwrap_or(SquareSet::EMPTY)
    }

    /// These are not stuck. Returns those that are left.
    pub(super) fn clear(&mut self, squares: SquareSet) -> SquareSet {
        self.squares -= squares;
        self.squares
    }

    /// The signs since all was clear, read without believing these contacts; `None` when not all are kept.
    pub(super) fn reread(&self, masked: SquareSet) -> Option<Reread> {
        if self.steps.len() >= MOST_STEPS {
            return None;
        }
        let mut reread = Reread::from(self.reader.clone());
        reread.reader.mask(masked);
        for (signs, horizon) in &self.steps {
            reread.read(signs, *horizon);
            reread.settle();
        }
        Some(reread)
    }
}
