//! Readings that nothing can tell apart any more: their moves differ, and things stand the same.
//!
//! Two moves made in the dark in either order lead to one position. Whatever happens then costs both readings the same,
//! so one of them goes on for both and keeps the other's moves. They stay in doubt, for which it was nobody can know; but
//! they do not take the room of readings between which the board may still decide.

use std::sync::Arc;

use super::hypothesis::{Hypothesis, Ply};
use super::{CLEARLY_BETTER, Reader, common_plies};

/// So many explanations are told. Nobody chooses from more.
pub(crate) const MOST_TOLD: usize = 12;

/// The moves of a reading that explains all as well as the best.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'r> {
    /// The reading that goes on for it.
    pub reading: &'r Hypothesis,
    /// The moves in which it differs from that one, from the first in doubt on.
    row: &'r [Arc<Ply>],
}

impl<'r> Explained<'r> {
    /// Its moves since the last position that is certain, oldest first.
    pub fn plies(self) -> impl Iterator<Item = &'r Arc<Ply>> {
        self.row.iter().chain(self.reading.plies().iter().skip(self.row.len()))
    }

    /// Whether one of them has the moves of the other, and perhaps more.
    pub(super) fn has_moves_of(self, other: Self) -> bool {
        self.plies().zip(other.plies()).all(|(one, other)| one.mv == other.mv && one.side == other.side)
    }
}

impl Hypothesis {
    /// Its moves, and those of the readings for which it goes on.
    pub(super) fn explained(&self) -> impl Iterator<Item = Explained<'_>> {
        let rows = self.alike.iter().map(Vec::as_slice);
        std::iter::once([].as_slice()).chain(rows).map(|row| Explained { reading: self, row })
    }

    /// Whether nothing that may still happen tells the other, which has the same prospects, from this one.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.cost == other.cost && self.plies.len() == other.plies.len() && self.state == other.state
    }

    /// Goes on for the other as well, which is alike.
    pub(super) fn go_on_for(&mut self, other: &Self) {
        for explained in other.explained() {
            if self.alike.len() + 1 >= MOST_TOLD {
                return;
            }
            if self.explained().any(|known| known.has_moves_of(explained)) {
                continue;
            }
            let mut row: Vec<Arc<Ply>> = explained.plies().cloned().collect();
            let differs = |(one, other): (&Arc<Ply>, &Arc<Ply>)| one.mv != other.mv || one.side != other.side;
            let last = row.iter().zip(&self.plies).rposition(differs).unwrap_or_default();
            row.truncate(last + 1);
            self.alike.push(row);
        }
    }

    /// How many moves these have in common with all for which it goes on.
    pub(super) fn common_with(&self, plies: &[Arc<Ply>]) -> usize {
        let rows = self.alike.iter().map(|row| (common_plies(plies, row), row.len()));
        let apart = rows.filter(|&(common, length)| common < length).map(|(common, _)| common);
        apart.chain([common_plies(plies, &self.plies)]).min().unwrap_or_default()
    }

    /// Forgets the oldest `count` moves of those for which it goes on.
    pub(super) fn drop_rows(&mut self, count: usize) {
        if self.alike.is_empty() {
            return;
        }
        self.alike.retain(|row| row.len() > count);
        for row in &mut *self.alike {
            row.drain(..count);
        }
    }
}

impl Reader {
    /// The number of the first move in which hypotheses from this one on differ from the best that are as good, or nearly.
    /// For them there is no room, and whether one of them was right nobody will know.
    pub(super) fn first_apart(&self, from: usize) -> Option<u32> {
        let best = self.best();
        let as_good = |other: &&Hypothesis| other.ranked <= best.ranked + 2 * CLEARLY_BETTER;
        let dropped = self.hypotheses().skip(from).take_while(as_good);
        let apart = dropped.map(|other| common_plies(&best.plies, &other.plies)).min()?;
        Some(best.first_ply + u32::try_from(apart).unwrap_or(u32::MAX))
    }

    /// Whether what is read of this move may be wrong for want of room.
    pub(super) fn is_in_doubt(&self, ply: u32) -> bool {
        self.crowded.is_some_and(|first| ply >= first)
    }

    /// How many moves of this hypothesis come before those that may be wrong for want of room.
    pub(super) fn certain(&self, hypothesis: &Hypothesis) -> usize {
        let before =
            |first: u32| usize::try_from(first.saturating_sub(hypothesis.first_ply)).unwrap_or(usize::MAX);
        self.crowded.map_or(usize::MAX, before)
    }
}
