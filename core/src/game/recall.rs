//! Recall: what contacts said of late, to be sensed and read once more when it turns out that some of it was a shadow.
//!
//! A shadow is found by what contacts do, and later than it began. What was read in the meantime rests on discs that
//! were never there. So inputs are kept, and with them moments at which all was clear: from the last of these before the
//! shadow began, sensing and reading are run again with the shadow known.

use std::collections::VecDeque;

use super::diagnosis::is_regular;
use super::suspicion::Reread;
use crate::moment::Moment;
use crate::reading::{Incident, Reader};
use crate::sensing::shadow::Shadow;
use crate::sensing::{Act, Contact, Sensed, Sensing};
use crate::square::SquareSet;

/// So many inputs are kept, a blitz game of 300 plies with all its bounce twice over.
const MOST_INPUTS: usize = 8192;
/// So many clear moments are kept, and at least so many plies lie between two of them.
const MOST_ANCHORS: usize = 16;
const PLIES_APART: u32 = 4;
/// Contacts that have not changed for so long are at rest.
const RESTING_MS: u64 = 8;
/// What must have been read at so high a cost before anybody looks for a shadow, and by so much must it be better then.
const DEAR: u32 = 8;
const BETTER: u32 = 6;
/// So many shadows are tried at a time, and so often before it takes longer and longer until the next try.
const MOST_SUSPECTS: usize = 6;
const EAGER_LOOKS: u32 = 12;
/// Whether a coincidence makes no sense comes out within so many batches of signs.
const MOST_LOOKS: u32 = 8;

/// What sensing was told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Felt {
    /// A raw change.
    Change(Contact, bool),
    /// Something certain.
    Certain(Act),
}

/// A moment at which all was clear.
#[derive(Clone, Debug)]
struct Anchor {
    at: Moment,
    sensing: Sensing,
    reader: Reader,
    /// The inputs after it begin with this one.
    input: usize,
}

/// Sensing and reading run again.
#[derive(Debug)]
pub(super) struct Again {
    pub(super) sensing: Sensing,
    pub(super) reread: Reread,
    /// The irregular acts before.
    known: Vec<Incident>,
}

/// Inputs of late and clear moments among them.
#[derive(Clone, Debug, Default)]
pub(super) struct Recall {
    anchors: VecDeque<Anchor>,
    inputs: VecDeque<(Moment, Felt)>,
    /// So many inputs are no longer kept.
    forgotten: usize,
    /// How often it was looked for a shadow in vain, and how many occasions are passed over before the next look.
    in_vain: u32,
    pass_over: u32,
    /// Shadows that would explain a coincidence, and how often they have been looked at.
    suspects: Vec<(Shadow, Moment)>,
    looks: u32,
}

impl Recall {
    /// Forgets all: a new reader begins.
    pub(super) fn start_over(&mut self) {
        *self = Self::default();
    }

    /// Keeps an input.
    pub(super) fn note(&mut self, at: Moment, felt: Felt) {
        if self.anchors.is_empty() {
            return;
        }
        self.inputs.push_back((at, felt));
        if self.inputs.len() > MOST_INPUTS {
            self.anchors.pop_front();
            let first =
                self.anchors.front().map_or(self.forgotten + self.inputs.len(), |anchor| anchor.input);
            self.inputs.drain(..first - self.forgotten);
            self.forgotten = first;
        }
    }

    /// Keeps this moment if all is clear.
    pub(super) fn remember(&mut self, sensing: &Sensing, reader: &Reader, at: Moment) {
        let ply = reader.best().next_ply();
        while self.anchors.back().is_some_and(|anchor| !reader.best().goes_on_from(anchor.reader.best())) {
            self.anchors.pop_back();
        }
        let early = |anchor: &Anchor| ply < anchor.reader.best().next_ply() + PLIES_APART;
        if self.anchors.back().is_some_and(early) || !reader.is_quiet() {
            return;
        }
        let input = self.forgotten + self.inputs.len();
        self.anchors.push_back(Anchor { at, sensing: sensing.clone(), reader: reader.of_best(), input });
        if self.anchors.len() > MOST_ANCHORS {
            // The first stays, and every other one after it.
            let mut stays = false;
            self.anchors.retain(|_| {
                stays = !stays;
                stays
            });
        }
    }

    /// Runs sensing and reading again from the clear moment from which on the last of the shadows has lain.
    ///
    /// - `since`: when it lay at the latest.
    /// - `shadows`: those that are known now.
    /// - `masked`: the contacts that are no evidence.
    pub(super) fn again(
        &self,
        since: Moment,
        now: Moment,
        shadows: &[Shadow],
        masked: SquareSet,
    ) -> Option<Again> {
        let anchor = self.anchor(since, *shadows.last()?)?;
        let mut again = Again {
            sensing: anchor.sensing.clone(),
            reread: Reread::from(anchor.reader.clone()),
            known: anchor.reader.best().incidents().to_vec(),
        };
        again.sensing.cast(anchor.at, shadows.to_vec());
        again.reread.reader.mask(masked);
        for &(at, felt) in self.inputs.iter().skip(anchor.input - self.forgotten) {
            again.pass_time(at);
            match felt {
                Felt::Change(contact, closed) => again.sensing.change(at, contact, closed),
                Felt::Certain(act) => again.sensing.certain(at, act),
            }
            again.sense(at);
        }
        again.pass_time(now);
        Some(again)
    }

    /// The clear moment from which on this shadow has lain.
    fn anchor(&self, since: Moment, shadow: Shadow) -> Option<&Anchor> {
        let absent = self.last_without(shadow);
        let lain = self.anchors.iter().find(|anchor| anchor.at >= absent && anchor.at < since);
        let before = || self.anchors.iter().rev().find(|anchor| anchor.at < since);
        lain.or_else(before).or(self.anchors.front())
    }

    /// One of these shadows may be what makes no sense from now on.
    pub(super) fn keep_suspects(&mut self, suspects: Vec<(Shadow, Moment)>) {
        if self.pass_over > 0 {
            self.pass_over -= 1;
        } else {
            self.suspects = suspects;
            self.looks = 0;
        }
    }

    /// Whether there are any.
    pub(super) fn has_suspects(&self) -> bool {
        !self.suspects.is_empty()
    }

    /// The shadow of the suspects that makes sense of what was read at so high a cost, if just one does, and what is read
    /// with it.
    ///
    /// - `cost`: of what is read without it.
    /// - `stuck`: contacts that were thought to be stuck; a shadow over one of them need not be better.
    pub(super) fn find_shadow(
        &mut self,
        now: Moment,
        shadows: &[Shadow],
        masked: SquareSet,
        cost: u32,
        stuck: SquareSet,
    ) -> Option<(Shadow, Again)> {
        self.looks += 1;
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.truncate(MOST_SUSPECTS);
        let mut best: Option<(u32, Shadow, Again)> = None;
        let mut next_best = u32::MAX;
        let mut read = false;
        for &(shadow, since) in &suspects {
            let instead = stuck.contains(shadow.square());
            let base = self.anchor(since, shadow).map(|anchor| anchor.reader.rank(anchor.reader.best()));
            if !instead && base.is_none_or(|base| cost < base + DEAR) {
                continue;
            }
            let with: Vec<Shadow> = shadows.iter().copied().chain([shadow]).collect();
            let Some(again) = self.again(since, now, &with, masked) else { continue };
            read = true;
            let reader = &again.reread.reader;
            let rank = reader.rank(reader.best());
            let good = if instead { rank <= cost + 1 } else { rank + BETTER <= cost };
            if !good || !is_regular(reader.best(), &again.known) {
                continue;
            }
            if best.as_ref().is_some_and(|(least, ..)| *least <= rank) {
                // One contact that hears its neighbour is likelier than a diode that has never shown before.
                let likelier = best.as_ref().is_some_and(|(_, likely, _)| is_likelier(*likely, shadow));
                next_best = if likelier { next_best } else { next_best.min(rank) };
            } else if let Some((worse, ..)) = best.replace((rank, shadow, again)) {
                next_best = next_best.min(worse);
            }
        }
        match best {
            Some((rank, shadow, again)) if next_best > rank + 1 => Some((shadow, again)),
            _ => {
                if self.looks < MOST_LOOKS {
                    self.suspects = suspects;
                }
                if read {
                    self.in_vain += 1;
                    self.pass_over = (1 << self.in_vain.saturating_sub(EAGER_LOOKS).min(12)) - 1;
                    if self.pass_over > 0 {
                        self.suspects.clear();
                    }
                }
                None
            }
        }
    }

    /// When contacts at rest last showed that this shadow did not lie yet.
    fn last_without(&self, shadow: Shadow) -> Moment {
        let mut absent = Moment::ZERO;
        let Some(first) = self.anchors.front() else { return absent };
        let (matrix, mut closed) = (first.sensing.matrix(), first.sensing.raw());
        let mut last = first.at;
        for &(at, felt) in &self.inputs {
            let Felt::Change(Contact::Square(square), now_closed) = felt else { continue };
            if at.since(last) > RESTING_MS && !shadow.over(closed, matrix).is_subset(closed) {
                absent = at;
            }
            last = at;
            if now_closed {
                closed.insert(square);
            } else {
                closed.remove(square);
            }
        }
        absent
    }
}

/// Whether a shadow is likelier than another that explains the same.
const fn is_likelier(one: Shadow, other: Shadow) -> bool {
    matches!((one, other), (Shadow::Neighbour { .. }, Shadow::Diode { .. }))
}

impl Again {
    fn pass_time(&mut self, to: Moment) {
        while let Some(due) = self.sensing.deadline().filter(|&due| due <= to) {
            self.sense(due);
        }
    }

    fn sense(&mut self, now: Moment) {
        let Sensed { signs, .. } = self.sensing.step(now);
        if !signs.is_empty() {
            self.reread.read(&signs, self.sensing.horizon(now));
            self.reread.settle();
        }
    }
}
