//! Faulty contacts, as far as raw changes alone give them away: those that chatter, and those that follow a
//! neighbour.
//!
//! A contact that no longer changes looks like one over which nothing happens; only the reading of moves
//! finds those out (`game/diagnosis.rs`). A ghost (a closed contact where a diode is missing) depends on
//! which contacts share wires, which is known to the shell and not here: it is found as a contact that
//! cannot be right, not as what it is.

use std::collections::{BTreeMap, VecDeque};

use crate::event::ContactFault;
use crate::geometry::{Direction, neighbour};
use crate::moment::Moment;
use crate::rules::Variant;
use crate::square::Square;

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
/// A neighbour is followed within this time. The contacts are read in one scan; a hand that takes two discs
/// at once does not open both within it every time.
const FOLLOWS_MS: u64 = 2;
/// So often does one contact follow another before it is no accident.
const OFTEN: u32 = 3;

/// How two neighbours have changed, seen from the one that may be following.
#[derive(Clone, Copy, Debug, Default)]
struct Following {
    /// How often it changed with its neighbour and in the same direction.
    together: u32,
    /// When it last did.
    last: Moment,
    /// It stayed open though its neighbour closed.
    refuted: bool,
}

/// Watches raw changes of the squares' contacts.
#[derive(Clone, Debug)]
pub struct Watch {
    variant: Variant,
    state: BTreeMap<Square, bool>,
    /// The seconds in which a contact changed of late, and how often.
    recent: BTreeMap<Square, VecDeque<(u64, u32)>>,
    /// When a contact changed last.
    changed: BTreeMap<Square, Moment>,
    following: BTreeMap<(Square, Square), Following>,
    /// What changed last, all at about the same time: a scan's worth.
    together: Vec<(Square, bool)>,
    at: Moment,
}

impl Watch {
    /// The watch of a board, these contacts closed.
    #[must_use]
    pub fn new(variant: Variant, closed: crate::square::SquareSet) -> Self {
        Self {
            variant,
            state: closed.iter().map(|square| (square, true)).collect(),
            recent: BTreeMap::new(),
            changed: BTreeMap::new(),
            following: BTreeMap::new(),
            together: Vec::new(),
            at: Moment::ZERO,
        }
    }

    /// Takes in a raw change and returns a fault that it gives away. The same fault may be given again.
    pub fn change(&mut self, at: Moment, square: Square, closed: bool) -> Option<(Square, ContactFault)> {
        let state = self.state.entry(square).or_insert(false);
        if *state == closed {
            return None;
        }
        *state = closed;
        if self.chatters(at, square) {
            return Some((square, ContactFault::Chattering));
        }
        let mut found = None;
        if at.since(self.at) > FOLLOWS_MS {
            found = self.compare();
            self.at = at;
        }
        self.together.push((square, closed));
        found.map(|square| (square, ContactFault::Coupled))
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

    /// Looks at the changes of the last scan: two neighbours and nothing else, or one alone.
    fn compare(&mut self) -> Option<Square> {
        let together = std::mem::take(&mut self.together);
        match together[..] {
            [(one, closed)] if closed => {
                for other in self.neighbours(one) {
                    if self.state.get(&other) != Some(&true) {
                        self.following.entry((other, one)).or_default().refuted = true;
                    }
                }
                None
            }
            [(one, one_closed), (other, other_closed)] if one_closed == other_closed => {
                if !self.neighbours(one).contains(&other) {
                    return None;
                }
                let at = self.at;
                for pair in [(one, other), (other, one)] {
                    let following = self.following.entry(pair).or_default();
                    // Bounce is one change.
                    if at.since(following.last) > APART_MS {
                        following.together += 1;
                    }
                    following.last = at;
                }
                [(one, other), (other, one)].into_iter().find_map(|(follower, leader)| {
                    let followed = self.following[&(follower, leader)];
                    let follows_back = !self.following[&(leader, follower)].refuted;
                    (followed.together >= OFTEN && !followed.refuted && !follows_back).then_some(follower)
                })
            }
            _ => None,
        }
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        Direction::ALL
            .into_iter()
            .filter_map(|direction| neighbour(square, direction, self.variant))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::SquareSet;

    /// A contact changes every `apart` milliseconds for half a minute, each time bouncing twice: is it told to chatter?
    fn is_told_to_chatter(apart: impl Fn(u64) -> u64) -> bool {
        let square = Square::new(28).expect("a square");
        let mut watch = Watch::new(Variant::International, SquareSet::EMPTY);
        let (mut at, mut closed, mut change) = (1000, false, 0);
        while at < 31_000 {
            for bounce in 0..3 {
                closed = !closed;
                let moment = Moment::from_millis(at + 2 * bounce);
                if watch.change(moment, square, closed) == Some((square, ContactFault::Chattering)) {
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
