//! The trip of one disc: which of the open signs are its lift, its landings and its removals.
//!
//! A trip is asked for by its two ends. What lies between them is found square by square, not sign
//! by sign: a square that was empty, was closed and is open again was visited. That is why the order
//! in which two contacts of a sliding disc change does not matter, and why both players may have a
//! disc in the air at the same time.

use crate::moment::Moment;
use crate::sensing::{Act, Sign};
use crate::settings::Settings;
use crate::square::{Square, SquareSet};

/// A man slid to its next square may close it this long before its own opens (promised: 100 ms).
pub(super) const SLIDE_MS: u64 = 150;

/// A square on which the disc was set down on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) square: Square,
    pub(crate) placed: Moment,
    pub(crate) lifted: Moment,
}

/// How a disc got from one square to another, and which signs that accounts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trip {
    /// When it last left its origin.
    pub(crate) lifted: Moment,
    /// When it came to rest on its target.
    pub(crate) landed: Moment,
    /// How often it was put back on its origin before.
    pub(crate) returns: u32,
    /// Where it was set down on the way, in order of time.
    pub(crate) visits: Vec<Visit>,
    /// Which of the signs belong to it, bit by bit.
    pub(crate) used: u64,
}

/// The most open signs a hypothesis may have; with more it is not worth keeping.
pub(crate) const MOST_OPEN: usize = 48;

/// The signs of one square among `signs`, with their index.
fn signs_of(signs: &[Sign], square: Square) -> impl Iterator<Item = (usize, Moment, bool)> + '_ {
    signs.iter().enumerate().filter_map(move |(index, sign)| match sign.act {
        Act::Lift(s) if s == square => Some((index, sign.at, false)),
        Act::Place(s) if s == square => Some((index, sign.at, true)),
        _ => None,
    })
}

impl Trip {
    /// Whether a press at `at` may have followed the landing: they are too close for an order, or the trip
    /// was lost.
    pub(crate) fn press_may_follow(&self, at: Moment, settings: &Settings) -> bool {
        self.is_lost() || self.landed.since(at) <= settings.simultaneous_ms
    }

    /// How long it was in the air before it was first set down on another square.
    pub(crate) fn in_hand(&self) -> u64 {
        let first = self.visits.iter().find(|visit| visit.lifted >= self.lifted);
        first.map_or(self.landed, |visit| visit.placed).since(self.lifted)
    }

    /// Whether it was lost and only its net change arrived: nothing moves in no time.
    pub(crate) fn is_lost(&self) -> bool {
        self.lifted == self.landed
    }

    /// The trip of the disc on `from` that ends with it resting on `to`; `None` if the signs show none.
    ///
    /// `occupied` are the squares on which discs stood before the first sign.
    pub(crate) fn read(signs: &[Sign], from: Square, to: Square, occupied: SquareSet) -> Option<Self> {
        let (land_index, landed, true) = signs_of(signs, to).last()? else { return None };
        let mut used = 1_u64 << land_index;
        let mut lift = None;
        let mut returns = 0;
        let mut first_lift = None;
        for (index, at, placed) in signs_of(signs, from) {
            if from == to && index == land_index {
                break;
            }
            used |= 1 << index;
            if placed {
                returns += 1;
                lift = None;
            } else {
                lift = Some(at);
                first_lift = first_lift.or(lift);
            }
        }
        let lifted = lift?;
        let begin = first_lift?;
        if lifted.since(landed) > SLIDE_MS {
            return None;
        }
        let mut visits = Vec::new();
        let mut seen = SquareSet::EMPTY.with(from);
        for sign in signs {
            let Act::Place(square) = sign.act else { continue };
            if seen.contains(square) || occupied.contains(square) {
                continue;
            }
            seen = seen.with(square);
            let mut placed_at: Option<(usize, Moment)> = None;
            for (index, at, placed) in signs_of(signs, square) {
                if placed {
                    placed_at = Some((index, at));
                } else if let Some((placed_index, placed)) = placed_at.take() {
                    let on_the_way = begin.since(placed) <= SLIDE_MS && at.since(landed) <= SLIDE_MS;
                    if on_the_way {
                        used |= 1 << placed_index | 1 << index;
                        visits.push(Visit { square, placed, lifted: at });
                    }
                }
            }
        }
        visits.sort_by_key(|visit| visit.placed);
        Some(Self { lifted, landed, returns, visits, used })
    }
}
