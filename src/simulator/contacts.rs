//! What real contacts make of the hands' acts: bounce, flicker, dropouts, nudges, low passes.
//!
//! The input is the ideal timeline of each contact; noise is put into it where there is room for it,
//! so that one kind does not lengthen another past its limit, and an opening or closure of noise
//! never touches an act. What falls into a lost stretch is not seen at all.

use std::collections::BTreeMap;

use draughtsd_core::square::Square;

use super::noise::Noise;
use super::random::Random;
use super::script::{Edge, Lead, Pass, Touch};

/// Between two disturbances of a contact, or one and an act, it is quiet for at least this long:
/// closer together they would read as one longer disturbance, which nobody has promised to bear.
const QUIET: u64 = 200;
/// As [`QUIET`], around a low pass over an empty square. Soon after a disc has left it, the pass would
/// make of that a dropout with the disc leaving later; soon before one lands, a landing that dropped out.
const QUIET_AROUND_PASS: u64 = 420;

/// A raw contact changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub at: u64,
    pub lead: Lead,
    pub closed: bool,
}

/// The contacts of a board over a whole game.
#[derive(Clone, Debug)]
pub(super) struct Contacts {
    lines: BTreeMap<Lead, Line>,
    /// Stretches that the scanner loses.
    lost: Vec<(u64, u64)>,
    end: u64,
}

/// One contact over a whole game.
#[derive(Clone, Debug, Default)]
struct Line {
    initially: bool,
    edges: Vec<Edge>,
}

impl Contacts {
    /// - `initially`: every contact the board has, and whether it is closed at the beginning.
    /// - `edges`: ideal changes in order of time.
    /// - `lost`: stretches of which the scanner sees nothing.
    /// - `end`: when the recording stops.
    pub(super) fn new(
        initially: impl IntoIterator<Item = (Lead, bool)>,
        edges: &[Edge],
        lost: Vec<(u64, u64)>,
        end: u64,
    ) -> Self {
        let mut lines: BTreeMap<Lead, Line> = BTreeMap::new();
        for (lead, initially) in initially {
            lines.insert(lead, Line { initially, edges: Vec::new() });
        }
        for &edge in edges {
            let line = lines.get_mut(&edge.lead).expect("hands touch only contacts that the board has");
            debug_assert_ne!(line.state_after(edge.at), edge.closed, "{edge:?} changes nothing");
            line.edges.push(edge);
        }
        Self { lines, lost, end }
    }

    /// Carries a disc low over empty squares.
    pub(super) fn add_passes(&mut self, passes: &[Pass]) {
        for pass in passes {
            self.disturb(
                pass.at,
                Lead::Contact(pass.square),
                pass.lasts,
                QUIET_AROUND_PASS,
                Disturbance::Closure,
            );
        }
    }

    /// Adds what discs and contacts do of themselves, in proportion to the length of the game.
    pub(super) fn add_noise(&mut self, noise: &Noise, plies: usize, random: &mut Random) {
        self.add_flicker(noise, random);
        for _ in 0..plies {
            if random.chance(noise.nudge.odds(80)) {
                self.nudge(noise, random);
            }
            if random.chance(noise.dropout.odds(100)) {
                self.drop_out(noise, random);
            }
            if random.chance(noise.dropout.odds(12)) {
                self.knock(noise, random);
            }
        }
    }

    /// The raw changes in order of time, each bouncing.
    pub(super) fn changes(&self, noise: &Noise, random: &mut Random) -> Vec<Change> {
        let mut changes = Vec::new();
        for (&lead, line) in &self.lines {
            for (index, edge) in line.edges.iter().enumerate() {
                let next = line.edges.get(index + 1).map_or(u64::MAX, |next| next.at);
                changes.push(Change { at: edge.at, lead, closed: edge.closed });
                if edge.touch != Touch::Lost {
                    bounce(edge, next, noise, random, &mut changes);
                }
            }
        }
        changes.sort_by_key(|change| (change.at, change.lead));
        changes
    }

    /// Discs put down off-centre.
    fn add_flicker(&mut self, noise: &Noise, random: &mut Random) {
        let settling = noise.flicker.duration(1000);
        let longest = noise.flicker.duration(120).saturating_sub(5).max(5);
        if settling < 100 {
            return;
        }
        for line in self.lines.values_mut() {
            let mut added = Vec::new();
            for (index, edge) in line.edges.iter().enumerate() {
                let lands = edge.closed && edge.touch == Touch::Landing;
                if !lands || !random.chance(noise.flicker.odds(130)) {
                    continue;
                }
                let until = edge.at + random.within((100, settling));
                if line.edges.get(index + 1).is_some_and(|next| next.at < until + QUIET) {
                    continue;
                }
                let mut at = edge.at + random.within((10, 90));
                loop {
                    let lasts = random.within((5, longest));
                    if at + lasts > until {
                        break;
                    }
                    added.push(Edge { at, closed: false, touch: Touch::Hand, ..*edge });
                    added.push(Edge { at: at + lasts, closed: true, touch: Touch::Hand, ..*edge });
                    at += lasts + random.within((15, 150));
                }
            }
            line.edges.extend(added);
            line.edges.sort_by_key(|edge| edge.at);
        }
    }

    /// A disc is pushed straight in its square; the upper disc of a stack goes with it.
    fn nudge(&mut self, noise: &Noise, random: &mut Random) {
        let lasts = random.within(longer(60, noise.nudge.duration(250)));
        if let Some((at, square)) = self.standing(lasts, random) {
            self.disturb(at, Lead::Contact(square), lasts, QUIET, Disturbance::Opening);
            let upper = Lead::Crown(square);
            self.disturb(
                at + random.within((0, 3)),
                upper,
                lasts.saturating_sub(3),
                QUIET,
                Disturbance::Opening,
            );
        }
    }

    /// The contact of a standing disc drops out; now and then its stack contact instead.
    fn drop_out(&mut self, noise: &Noise, random: &mut Random) {
        let lasts = random.within(longer(10, noise.dropout.duration(250)));
        if let Some((at, square)) = self.standing(lasts, random) {
            let upper = Lead::Crown(square);
            if random.chance(250) && self.disturb(at, upper, lasts, QUIET, Disturbance::Opening) {
                return;
            }
            self.disturb(at, Lead::Contact(square), lasts, QUIET, Disturbance::Opening);
        }
    }

    /// A knock on the table: several discs drop out together.
    fn knock(&mut self, noise: &Noise, random: &mut Random) {
        let Some((at, _)) = self.standing(0, random) else { return };
        let count = random.within((2, 4));
        let mut squares = self.closed_squares(at);
        random.shuffle(&mut squares);
        let mut struck = 0;
        for square in squares {
            let lasts = random.within(longer(10, noise.dropout.duration(250)));
            let begins = at + random.within((0, 20));
            if self.disturb(begins, Lead::Contact(square), lasts, QUIET, Disturbance::Opening) {
                struck += 1;
            }
            if struck == count {
                return;
            }
        }
    }

    /// A moment and a square on which a disc stands undisturbed for `lasts` from then.
    fn standing(&self, lasts: u64, random: &mut Random) -> Option<(u64, Square)> {
        for _ in 0..12 {
            let at = random.within((QUIET, self.end.saturating_sub(QUIET)));
            if let Some(&square) = random.pick(&self.closed_squares(at))
                && self.has_room(at, Lead::Contact(square), lasts, QUIET, Disturbance::Opening)
            {
                return Some((at, square));
            }
        }
        None
    }

    fn closed_squares(&self, at: u64) -> Vec<Square> {
        let closed = self.lines.iter().filter(|(_, line)| line.state_after(at));
        closed
            .filter_map(|(lead, _)| match lead {
                Lead::Contact(square) => Some(*square),
                Lead::Crown(_) => None,
            })
            .collect()
    }

    /// Opens or closes a contact for a while, if it is quiet around; whether it did.
    fn disturb(&mut self, at: u64, lead: Lead, lasts: u64, quiet: u64, what: Disturbance) -> bool {
        if lasts == 0 || !self.has_room(at, lead, lasts, quiet, what) {
            return false;
        }
        let Some(line) = self.lines.get_mut(&lead) else { return false };
        let closed = what == Disturbance::Closure;
        let place = line.edges.partition_point(|edge| edge.at < at);
        let edge = |at, closed| Edge { at, lead, closed, touch: Touch::Hand };
        line.edges.splice(place..place, [edge(at, closed), edge(at + lasts, !closed)]);
        true
    }

    fn has_room(&self, at: u64, lead: Lead, lasts: u64, quiet: u64, what: Disturbance) -> bool {
        let Some(line) = self.lines.get(&lead) else { return false };
        let (from, to) = (at.saturating_sub(quiet), at + lasts + quiet);
        let first = line.edges.partition_point(|edge| edge.at < from);
        let undisturbed = line.edges.get(first).is_none_or(|edge| edge.at > to);
        let seen = !self.lost.iter().any(|lost| from <= lost.1 && lost.0 <= to);
        let fits = line.state_after(at) == (what == Disturbance::Opening);
        undisturbed && seen && fits && to <= self.end
    }
}

impl Line {
    /// Whether the contact is closed at `at`, changes of that moment done.
    fn state_after(&self, at: u64) -> bool {
        let done = self.edges.partition_point(|edge| edge.at <= at);
        done.checked_sub(1).map_or(self.initially, |last| self.edges[last].closed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disturbance {
    /// An occupied square reads empty.
    Opening,
    /// An empty square reads occupied.
    Closure,
}

/// From `shortest`, but no longer than `longest`, to `longest`.
fn longer(shortest: u64, longest: u64) -> (u64, u64) {
    (shortest.min(longest), longest)
}

/// After a change the contact goes back and forth up to twice and ends as the change left it.
fn bounce(edge: &Edge, next: u64, noise: &Noise, random: &mut Random, changes: &mut Vec<Change>) {
    let room = noise.bounce.duration(5).min(next.saturating_sub(edge.at + 1));
    if noise.bounce.hundredths() == 0 || !random.chance(750) {
        return;
    }
    let mut offsets: Vec<u64> = (1..=room).collect();
    random.shuffle(&mut offsets);
    offsets.truncate(2 * random.index(3));
    // An odd number of them would leave the contact wrong.
    offsets.truncate(offsets.len() / 2 * 2);
    offsets.sort_unstable();
    for (index, offset) in offsets.into_iter().enumerate() {
        let back = index % 2 == 0;
        changes.push(Change { at: edge.at + offset, lead: edge.lead, closed: edge.closed != back });
    }
}
