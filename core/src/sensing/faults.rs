//! Faulty contacts, as far as raw changes alone give them away: those that chatter, and those that
//! follow others.
//!
//! A missing diode is among them where the matrix is known (`ghosts.rs`). A contact that no longer changes looks like
//! one over which nothing happens; only the reading of moves finds those out (`game/diagnosis.rs`).

use std::collections::{BTreeMap, VecDeque};

use super::SCAN_MS;
use super::ghosts::Ghosts;
use super::shadow::Shadow;
use crate::event::ContactFault;
use crate::geometry::{Direction, neighbour};
use crate::matrix::Matrix;
use crate::moment::Moment;
use crate::rules::Variant;
use crate::square::{Square, SquareSet};

/// Changes are looked at this many seconds back.
const WINDOW_S: u64 = 20;
/// So many changes within [`WINDOW_S`], bounce counted once. Kings that shuttle over a square in a scramble, each landing
/// flickering, make about fifty; a contact that chatters makes hundreds.
const MOST_CHANGES: u32 = 80;
/// So many of those seconds with a change in them. A landing that flickers takes two, a lift one.
const MOST_SECONDS: usize = 10;
/// A change that comes this soon after another of its contact is bounce (promised: up to 5 ms).
const BOUNCE_MS: u64 = 8;
/// Changes of two contacts closer together than this may be one, bouncing.
const APART_MS: u64 = 250;
/// So much must speak for one contact following its neighbour: closing with it for two, since no two hands do that,
/// opening with it for one.
const ENOUGH: u32 = 3;
/// A fault that was found is gone when contacts have said so this often.
const OFTEN_REFUTED: u32 = 3;

/// A fault that raw changes gave away, or one that they no longer show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// This contact changes without end. May be found again and again.
    Chattering(Square),
    /// Contacts are in the shadow of another, and have been since this moment at the latest.
    Shadow(Shadow, Moment),
    /// One of these shadows would explain what changed, and so would hands.
    Suspects(Vec<(Shadow, Moment)>),
    /// Contacts are no longer in this shadow.
    Gone(Shadow),
}

impl Finding {
    /// The faulty square and its fault, if one is certain.
    #[must_use]
    pub const fn fault(&self) -> Option<(Square, ContactFault)> {
        match self {
            Self::Chattering(square) => Some((*square, ContactFault::Chattering)),
            Self::Shadow(shadow, _) => Some((shadow.square(), shadow.fault())),
            Self::Suspects(_) | Self::Gone(_) => None,
        }
    }
}

/// How two neighbours have changed, seen from the one that may be following.
#[derive(Clone, Copy, Debug, Default)]
struct Following {
    /// What its changes with its neighbour and in the same direction weigh.
    weight: u32,
    /// When it first and last changed with it.
    first: Moment,
    last: Moment,
    /// It was open though its neighbour was closed.
    refuted: bool,
}

/// A fault that was found, and how often contacts have said that it is gone.
#[derive(Clone, Copy, Debug)]
struct Known {
    shadow: Shadow,
    refuted: u32,
    last: Moment,
}

/// Watches raw changes of the squares' contacts.
#[derive(Clone, Debug)]
pub struct Watch {
    variant: Variant,
    closed: SquareSet,
    /// The seconds in which a contact changed of late, and how often.
    recent: BTreeMap<Square, VecDeque<(u64, u32)>>,
    /// When a contact changed last.
    changed: BTreeMap<Square, Moment>,
    following: BTreeMap<(Square, Square), Following>,
    ghosts: Option<Ghosts>,
    known: Vec<Known>,
    /// The contacts before the changes of the last scan, and when those began.
    before: SquareSet,
    scan: Moment,
    /// Whether they have been looked at.
    compared: bool,
    /// The contacts that changed since all were last compared at rest.
    stirred: SquareSet,
    last: Moment,
}

impl Watch {
    /// The watch of a board, these contacts closed.
    ///
    /// - `matrix`: how the contacts are wired; where that is not known, a missing diode cannot be found.
    #[must_use]
    pub fn new(variant: Variant, matrix: Option<Matrix>, closed: SquareSet) -> Self {
        Self {
            variant,
            closed,
            recent: BTreeMap::new(),
            changed: BTreeMap::new(),
            following: BTreeMap::new(),
            ghosts: matrix.map(|matrix| Ghosts::new(matrix, variant)),
            known: Vec::new(),
            before: closed,
            scan: Moment::ZERO,
            compared: true,
            stirred: closed,
            last: Moment::ZERO,
        }
    }

    /// Takes in a raw change and returns what it gives away.
    pub fn change(&mut self, at: Moment, square: Square, closed: bool) -> Option<Finding> {
        if self.closed.contains(square) == closed {
            return None;
        }
        let mut found = self.settle(at);
        if at.since(self.scan) > SCAN_MS {
            if at.since(self.last) > BOUNCE_MS {
                found = found.or_else(|| self.rest(at));
            }
            self.before = self.closed;
            self.scan = at;
            self.compared = false;
        }
        if closed {
            self.closed.insert(square);
        } else {
            self.closed.remove(square);
        }
        self.stirred.insert(square);
        self.last = at;
        // Chattering goes on and is found again; a shadow is found once.
        let chatters = self.chatters(at, square).then_some(Finding::Chattering(square));
        found.or(chatters)
    }

    /// Looks at the changes of the last scan, once it is over, and returns what it gives away.
    pub fn settle(&mut self, now: Moment) -> Option<Finding> {
        if self.compared || now.since(self.scan) <= SCAN_MS {
            return None;
        }
        self.compared = true;
        self.compare()
    }

    fn chatters(&mut self, at: Moment, square: Square) -> bool {
        let before = self.changed.insert(square, at);
        if before.is_some_and(|before| at.since(before) <= BOUNCE_MS) {
            return false;
        }
        let second = at.millis() / 1000;
        let recent = self.recent.entry(square).or_default();
        match recent.back_mut() {
            Some((last, changes)) if *last == second => *changes += 1,
            _ => recent.push_back((second, 1)),
        }
        recent.retain(|&(then, _)| then + WINDOW_S > second);
        let changes: u32 = recent.iter().map(|&(_, changes)| changes).sum();
        changes > MOST_CHANGES && recent.len() > MOST_SECONDS
    }

    /// Looks at the changes of the last scan.
    fn compare(&mut self) -> Option<Finding> {
        let (before, after, at) = (self.before, self.closed, self.scan);
        if (before ^ after).len() < 2 {
            return None;
        }
        let mut suspects = self.neighbours_together(before, after, at);
        if let Some(ghosts) = &mut self.ghosts {
            suspects.extend(ghosts.changed(before, after, at));
        }
        suspects.retain(|&(shadow, _)| !self.is_known(shadow));
        let ghost = self.ghosts.as_ref().and_then(Ghosts::found);
        if let Some((shadow, since)) = self.follower(&suspects).or(ghost)
            && self.know(shadow)
        {
            return Some(Finding::Shadow(shadow, since));
        }
        (!suspects.is_empty()).then_some(Finding::Suspects(suspects))
    }

    /// The contact for which it is certain that it follows its neighbour.
    fn follower(&self, suspects: &[(Shadow, Moment)]) -> Option<(Shadow, Moment)> {
        suspects.iter().copied().find(|&(shadow, _)| match shadow {
            Shadow::Neighbour { square, heard } => {
                let follows_back =
                    self.following.get(&(heard, square)).is_none_or(|following| !following.refuted);
                !follows_back && self.following[&(square, heard)].weight >= ENOUGH
            }
            Shadow::Diode { .. } => false,
        })
    }

    /// Two neighbours and nothing else changed in the same scan: one of them may follow the other.
    fn neighbours_together(
        &mut self,
        before: SquareSet,
        after: SquareSet,
        at: Moment,
    ) -> Vec<(Shadow, Moment)> {
        let changed = before ^ after;
        let closing = changed.is_subset(after);
        let mut squares = changed.iter();
        let (Some(one), Some(other), None) = (squares.next(), squares.next(), squares.next()) else {
            return Vec::new();
        };
        let same = closing || changed.is_subset(before);
        if !same || !self.neighbours(one).contains(other) {
            return Vec::new();
        }
        for pair in [(one, other), (other, one)] {
            let following = self.following.entry(pair).or_default();
            if following.weight == 0 {
                following.first = at;
            }
            // Bounce is one change.
            if following.weight == 0 || at.since(following.last) > APART_MS {
                following.weight += if closing { 2 } else { 1 };
            }
            following.last = at;
        }
        [(one, other), (other, one)]
            .into_iter()
            .filter_map(|(square, heard)| {
                let followed = self.following[&(square, heard)];
                (!followed.refuted).then_some((Shadow::Neighbour { square, heard }, followed.first))
            })
            .collect()
    }

    fn is_known(&self, shadow: Shadow) -> bool {
        self.known.iter().any(|known| known.shadow == shadow)
    }

    /// From now on it is watched whether this shadow is gone. Returns whether that is new.
    pub fn know(&mut self, shadow: Shadow) -> bool {
        let new = !self.is_known(shadow);
        if new {
            self.known.push(Known { shadow, refuted: 0, last: Moment::ZERO });
        }
        new
    }

    /// The contacts have rested for longer than bounce lasts: what should be in a shadow and is open was not.
    fn rest(&mut self, at: Moment) -> Option<Finding> {
        let closed = self.closed;
        if let Some(ghosts) = &mut self.ghosts {
            ghosts.at_rest(closed);
        }
        for one in std::mem::take(&mut self.stirred).iter() {
            let neighbours = self.neighbours(one);
            if closed.contains(one) {
                for other in (neighbours - closed).iter() {
                    self.following.entry((other, one)).or_default().refuted = true;
                }
            } else {
                for other in (neighbours & closed).iter() {
                    self.following.entry((one, other)).or_default().refuted = true;
                }
            }
        }
        let matrix = self.ghosts.as_ref().map(Ghosts::matrix);
        let gone = self.known.iter_mut().position(|known| {
            let wrong = !known.shadow.over(closed, matrix).is_subset(closed);
            if wrong && at.since(known.last) > APART_MS {
                known.refuted += 1;
                known.last = at;
            }
            known.refuted >= OFTEN_REFUTED
        })?;
        Some(Finding::Gone(self.known.remove(gone).shadow))
    }

    fn neighbours(&self, square: Square) -> SquareSet {
        Direction::ALL
            .into_iter()
            .filter_map(|direction| neighbour(square, direction, self.variant))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contact changes every `apart` milliseconds for half a minute, each time bouncing twice: is it told to chatter?
    fn is_told_to_chatter(apart: impl Fn(u64) -> u64) -> bool {
        let square = Square::new(28).expect("a square");
        let mut watch = Watch::new(Variant::International, None, SquareSet::EMPTY);
        let (mut at, mut closed, mut change) = (1000, false, 0);
        while at < 31_000 {
            for bounce in 0..3 {
                closed = !closed;
                let moment = Moment::from_millis(at + 2 * bounce);
                if watch.change(moment, square, closed) == Some(Finding::Chattering(square)) {
                    return true;
                }
            }
            at += apart(change);
            change += 1;
        }
        false
    }

    #[test]
    fn a_square_in_the_middle_of_a_scramble_does_not_chatter() {
        // A king lands or leaves twice a second, and every other landing flickers.
        assert!(!is_told_to_chatter(|_| 400));
        assert!(!is_told_to_chatter(|change| if change % 5 < 2 { 120 } else { 500 }));
    }

    #[test]
    fn a_contact_that_changes_ten_times_a_second_chatters() {
        assert!(is_told_to_chatter(|_| 100));
        assert!(is_told_to_chatter(|change| if change % 10 == 0 { 1500 } else { 30 }));
    }
}
