//! Faulty contacts: what a broken, stuck, over-sensitive or wrongly wired switch makes of a game.
//!
//! A fault changes the finished stream of raw changes, so that everything before it stays the same.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use thiserror::Error;

use super::contacts::Change;
use super::path;
use super::random::Random;
use super::script::Lead;

/// A fault of one contact, or of the diode beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The contact stays open from a moment on.
    StuckOpen {
        /// Which.
        square: Square,
        /// From when on, in milliseconds; 0 is before the game.
        from: u64,
    },
    /// The contact stays closed from a moment on.
    StuckClosed {
        /// Which.
        square: Square,
        /// From when on.
        from: u64,
    },
    /// The contact no longer changes: it stays as it is at that moment.
    Dead {
        /// Which.
        square: Square,
        /// From when on.
        from: u64,
    },
    /// The contact opens and closes by itself all the time.
    Chattering {
        /// Which.
        square: Square,
        /// From when on.
        from: u64,
    },
    /// The contact also closes for a disc on the square beside it.
    Coupled {
        /// Which.
        square: Square,
        /// The square it also hears.
        neighbour: Square,
    },
    /// The diode of a contact is missing: where it and two others close three corners of a rectangle of
    /// the matrix, the fourth reads closed as well. Rows and columns of the board stand for the matrix's.
    MissingDiode {
        /// Beside which contact.
        square: Square,
    },
}

impl Fault {
    /// The squares that the fault names.
    #[must_use]
    pub fn squares(self) -> Vec<Square> {
        match self {
            Self::StuckOpen { square, .. }
            | Self::StuckClosed { square, .. }
            | Self::Dead { square, .. }
            | Self::Chattering { square, .. }
            | Self::MissingDiode { square } => vec![square],
            Self::Coupled { square, neighbour } => vec![square, neighbour],
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, square, from) = match *self {
            Self::StuckOpen { square, from } => ("stuck-open", square, from),
            Self::StuckClosed { square, from } => ("stuck-closed", square, from),
            Self::Dead { square, from } => ("dead", square, from),
            Self::Chattering { square, from } => ("chattering", square, from),
            Self::Coupled { square, neighbour } => return write!(f, "coupled:{square}/{neighbour}"),
            Self::MissingDiode { square } => ("missing-diode", square, 0),
        };
        write!(f, "{name}:{square}")?;
        if from > 0 { write!(f, "@{from}") } else { Ok(()) }
    }
}

/// Not a fault.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a fault: stuck-open:SQUARE, stuck-closed:SQUARE, dead:SQUARE or chattering:SQUARE, each \
     with @MILLISECONDS for a later beginning; coupled:SQUARE/NEIGHBOUR; missing-diode:SQUARE"
)]
pub struct FaultError(pub String);

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        parse(text).ok_or_else(|| FaultError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Fault> {
    let (name, rest) = text.split_once(':')?;
    let timed = || -> Option<(Square, u64)> {
        let (square, from) = rest.split_once('@').unwrap_or((rest, "0"));
        Some((square.parse().ok()?, from.parse().ok()?))
    };
    Some(match name {
        "stuck-open" => timed().map(|(square, from)| Fault::StuckOpen { square, from })?,
        "stuck-closed" => timed().map(|(square, from)| Fault::StuckClosed { square, from })?,
        "dead" => timed().map(|(square, from)| Fault::Dead { square, from })?,
        "chattering" => timed().map(|(square, from)| Fault::Chattering { square, from })?,
        "missing-diode" => Fault::MissingDiode { square: rest.parse().ok()? },
        "coupled" => {
            let (square, neighbour) = rest.split_once('/')?;
            Fault::Coupled { square: square.parse().ok()?, neighbour: neighbour.parse().ok()? }
        }
        _ => return None,
    })
}

/// The squares that read closed at the beginning, and the changes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    pub closed: SquareSet,
    pub changes: Vec<Change>,
}

/// Applies `faults` one after the other.
///
/// - `end`: when the recording stops.
pub(super) fn apply(
    faults: &[Fault],
    variant: Variant,
    mut stream: Stream,
    end: u64,
    random: &mut Random,
) -> Stream {
    for fault in faults {
        stream =
            match *fault {
                Fault::StuckOpen { square, from } => held(stream, square, from, Some(false)),
                Fault::StuckClosed { square, from } => held(stream, square, from, Some(true)),
                Fault::Dead { square, from } => held(stream, square, from, None),
                Fault::Chattering { square, from } => chattering(stream, square, from, end, random),
                Fault::Coupled { square, neighbour } => read_through(stream, |magnets| {
                    if magnets.contains(neighbour) { magnets.with(square) } else { magnets }
                }),
                Fault::MissingDiode { square } => {
                    read_through(stream, |magnets| with_ghosts(variant, magnets, square))
                }
            };
    }
    stream
}

/// From `from` on the contact reads `value`, or what it read then.
fn held(mut stream: Stream, square: Square, from: u64, value: Option<bool>) -> Stream {
    let lead = Lead::Contact(square);
    let before = stream.changes.iter().rfind(|c| c.lead == lead && c.at < from);
    let was = before.map_or(stream.closed.contains(square), |change| change.closed);
    stream.changes.retain(|c| c.lead != lead || c.at < from);
    let value = value.unwrap_or(was);
    if from == 0 {
        stream.closed = if value { stream.closed.with(square) } else { stream.closed.without(square) };
    } else if value != was {
        stream.changes.push(Change { at: from, lead, closed: value });
        stream.changes.sort_by_key(|change| (change.at, change.lead));
    }
    stream
}

/// From `from` on the contact changes every few milliseconds, bursts and rests alternating.
fn chattering(mut stream: Stream, square: Square, from: u64, end: u64, random: &mut Random) -> Stream {
    stream = held(stream, square, from, None);
    let lead = Lead::Contact(square);
    let last = stream.changes.iter().rfind(|c| c.lead == lead);
    let mut closed = last.map_or(stream.closed.contains(square), |change| change.closed);
    let mut at = from;
    loop {
        at += if random.chance(30) { random.within((300, 2500)) } else { random.within((3, 40)) };
        if at >= end {
            break;
        }
        closed = !closed;
        stream.changes.push(Change { at, lead, closed });
    }
    stream.changes.sort_by_key(|change| (change.at, change.lead));
    stream
}

/// Replaces what the contacts read at each moment by `reading` of where the magnets are.
fn read_through(stream: Stream, reading: impl Fn(SquareSet) -> SquareSet) -> Stream {
    let mut magnets = stream.closed;
    let closed = reading(magnets);
    let mut shown = closed;
    let mut changes = Vec::new();
    let mut by_moment: BTreeMap<u64, Vec<Change>> = BTreeMap::new();
    for change in stream.changes {
        by_moment.entry(change.at).or_default().push(change);
    }
    for (at, together) in by_moment {
        for change in together {
            match change.lead {
                Lead::Contact(square) if change.closed => magnets = magnets.with(square),
                Lead::Contact(square) => magnets = magnets.without(square),
                Lead::Crown(_) => changes.push(change),
            }
        }
        let now = reading(magnets);
        let changed = (now - shown) | (shown - now);
        for square in changed {
            changes.push(Change { at, lead: Lead::Contact(square), closed: now.contains(square) });
        }
        shown = now;
    }
    changes.sort_by_key(|change| (change.at, change.lead));
    Stream { closed, changes }
}

/// The contacts that read closed where `magnets` close and the diode beside `missing` is missing:
/// current finds its way from a driven row through a closed contact into the column of `missing`,
/// backwards through that contact, and out by any other closed contact of its row.
fn with_ghosts(variant: Variant, magnets: SquareSet, missing: Square) -> SquareSet {
    let mut read = magnets;
    if !magnets.contains(missing) {
        return read;
    }
    let (back_row, back_column) = path::place(variant, missing);
    for first in magnets {
        let (row, column) = path::place(variant, first);
        if column / 2 != back_column / 2 || row == back_row {
            continue;
        }
        for second in magnets {
            let (other_row, other_column) = path::place(variant, second);
            if other_row != back_row || other_column / 2 == back_column / 2 {
                continue;
            }
            read.extend(SquareSet::all(variant).iter().filter(|&square| {
                let (r, c) = path::place(variant, square);
                r == row && c / 2 == other_column / 2
            }));
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::super::random::Purpose;
    use super::*;

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    fn set(numbers: &[u8]) -> SquareSet {
        numbers.iter().map(|&n| square(n)).collect()
    }

    fn change(at: u64, number: u8, closed: bool) -> Change {
        Change { at, lead: Lead::Contact(square(number)), closed }
    }

    #[track_caller]
    fn check(fault: &str, expected_closed: &[u8], expected: &[Change]) {
        let stream = Stream {
            closed: set(&[28, 32]),
            changes: vec![change(100, 32, false), change(500, 27, true), change(900, 28, false)],
        };
        let mut random = Random::new(1, Purpose::Faults);
        let faults = [fault.parse().unwrap()];
        let faulty = apply(&faults, Variant::International, stream, 1000, &mut random);
        assert_eq!(faulty, Stream { closed: set(expected_closed), changes: expected.to_vec() });
    }

    #[test]
    fn contacts_that_stick() {
        check("stuck-open:32", &[28], &[change(500, 27, true), change(900, 28, false)]);
        check("stuck-closed:32", &[28, 32], &[change(500, 27, true), change(900, 28, false)]);
        check(
            "stuck-open:28@600",
            &[28, 32],
            &[change(100, 32, false), change(500, 27, true), change(600, 28, false)],
        );
        check("dead:28@600", &[28, 32], &[change(100, 32, false), change(500, 27, true)]);
        check(
            "dead:27@600",
            &[28, 32],
            &[change(100, 32, false), change(500, 27, true), change(900, 28, false)],
        );
    }

    #[test]
    fn a_contact_that_hears_its_neighbour() {
        check(
            "coupled:32/27",
            &[28, 32],
            &[change(100, 32, false), change(500, 27, true), change(500, 32, true), change(900, 28, false)],
        );
    }

    /// Squares 6, 7, 16 and 17 are the corners of a rectangle.
    #[test]
    fn a_missing_diode_shows_the_fourth_corner() {
        let ghosts = |closed: &[u8], missing| {
            with_ghosts(Variant::International, set(closed), square(missing)) - set(closed)
        };
        assert_eq!(ghosts(&[7, 16, 17], 17), set(&[6]));
        assert_eq!(ghosts(&[7, 16, 17], 16), SquareSet::EMPTY);
        assert_eq!(ghosts(&[7, 17], 17), SquareSet::EMPTY);
    }

    #[test]
    fn a_chattering_contact_never_repeats_itself() {
        let stream = Stream { closed: set(&[28]), changes: Vec::new() };
        let mut random = Random::new(1, Purpose::Faults);
        let faults = ["chattering:28@100".parse().unwrap()];
        let faulty = apply(&faults, Variant::International, stream, 3000, &mut random);
        assert!(faulty.changes.len() > 20);
        assert!(faulty.changes.iter().enumerate().all(|(index, c)| c.closed == (index % 2 == 1)));
        assert!(faulty.changes.iter().all(|c| (100..3000).contains(&c.at)));
    }

    #[test]
    fn faults_are_written_and_read_back() {
        for text in ["stuck-open:23", "stuck-closed:23@60000", "dead:1", "chattering:50@1", "coupled:23/28"] {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }
        for text in ["stuck:23", "dead", "dead:51", "dead:0", "coupled:23", "dead:3@x", ""] {
            assert_eq!(text.parse::<Fault>(), Err(FaultError(text.to_owned())));
        }
    }
}
