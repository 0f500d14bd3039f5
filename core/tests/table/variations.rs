//! A script again with what must change nothing: contacts that bounce, discs that drop out for a moment, and the
//! players' colours and ends of the board exchanged.

use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::position::{Position, Setup};
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockReport, Input, TimedInput};

use super::{Table, square};

/// The same hands on contacts that bounce for four milliseconds after every change.
pub(super) fn bouncing(mut table: Table) -> Table {
    let mut bounced = Vec::new();
    for timed in std::mem::take(&mut table.inputs) {
        let at = timed.at;
        let contact = match timed.input {
            Input::Contact { square, closed } => Some((square, closed)),
            _ => None,
        };
        bounced.push(timed);
        if let Some((square, closed)) = contact {
            let changes = [(1, !closed), (2, closed), (3, !closed), (4, closed)];
            bounced.extend(changes.map(|(millis, closed)| TimedInput {
                at: at.after(millis),
                input: Input::Contact { square, closed },
            }));
        }
    }
    bounced.sort_by_key(|timed| timed.at);
    table.inputs = bounced;
    table
}

/// A little chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The same hands, and every second or so a disc that nobody handles at that time drops out for up to a quarter
/// of a second.
pub(super) fn knocked(mut table: Table, seed: u64) -> Table {
    let changes: Vec<(u64, Square, bool)> = table
        .inputs
        .iter()
        .filter_map(|timed| match timed.input {
            Input::Contact { square, closed } => Some((timed.at.millis(), square, closed)),
            _ => None,
        })
        .collect();
    let handled = |square: Square, t: u64| {
        changes.iter().any(|&(at, other, _)| other == square && at.abs_diff(t) < 1500)
    };
    let mut chance = Chance(seed);
    let mut standing = table.setup.closed;
    let mut coming = changes.iter().peekable();
    let mut knocks = Vec::new();
    let mut t = 300 + chance.below(900);
    while t < table.now.min(60_000) {
        while let Some(&(_, square, closed)) = coming.next_if(|&&(at, ..)| at <= t) {
            if closed {
                standing.insert(square)
            } else {
                standing.remove(square)
            };
        }
        let quiet: Vec<Square> = standing.iter().filter(|&square| !handled(square, t)).collect();
        let wanted = chance.below(50);
        if let Some(&square) = quiet.iter().cycle().nth(usize::try_from(wanted).expect("a small number")) {
            let back = t + 60 + chance.below(190);
            for (at, closed) in [(t, false), (back, true)] {
                let input = Input::Contact { square, closed };
                knocks.push(TimedInput { at: Moment::from_millis(at), input });
            }
        }
        t += 350 + chance.below(1200);
    }
    table.inputs.extend(knocks);
    table.inputs.sort_by_key(|timed| timed.at);
    table
}

fn turned(square_of: Square, variant: Variant) -> Square {
    square(variant.square_count() + 1 - square_of.number())
}

/// The same hands with White and Black exchanged, and the board turned with them; none where the script is
/// about White's moving first.
pub(super) fn turned_round(mut table: Table, alerts: &[&str]) -> Option<Table> {
    if alerts.iter().any(|alert| alert.starts_with("black-moved-first")) {
        return None;
    }
    let variant = table.setup.start.variant();
    let set = |squares: SquareSet| -> SquareSet { squares.iter().map(|s| turned(s, variant)).collect() };
    let start = Setup::from(table.setup.start);
    let start = Setup {
        variant,
        turn: start.turn.opponent(),
        white: set(start.black),
        black: set(start.white),
        kings: set(start.kings),
    };
    table.setup.start = Position::try_from(start).expect("a position turned round is one");
    table.setup.closed = set(table.setup.closed);
    table.closed = set(table.closed);
    for timed in &mut table.inputs {
        timed.input = match timed.input.clone() {
            Input::Contact { square, closed } => Input::Contact { square: turned(square, variant), closed },
            Input::Crown { square, closed } => Input::Crown { square: turned(square, variant), closed },
            Input::Reserve { side, closed, well } => Input::Reserve { side: side.opponent(), closed, well },
            Input::Press { side } => Input::Press { side: side.opponent() },
            Input::Button { button, side } => Input::Button { button, side: side.opponent() },
            Input::Clock(report) => Input::Clock(ClockReport {
                white_ms: report.black_ms,
                black_ms: report.white_ms,
                running: report.running.map(Side::opponent),
                flag: report.flag.map(Side::opponent),
            }),
            other @ (Input::Arbiter(_) | Input::End) => other,
        };
    }
    Some(table)
}

/// The expected moves for [`turned_round`].
pub(super) fn moves_turned_round(moves: &str, variant: Variant) -> String {
    let turn = |number: &str| -> u8 {
        let number: u8 = number.parse().expect("a square");
        variant.square_count() + 1 - number
    };
    let turn_move = |mv: &str| {
        let (path, captures) = mv.split_once('*').unwrap_or((mv, ""));
        let (from, to) = path.split_once(['-', 'x']).expect("a move");
        let mut captures: Vec<u8> = captures.split(',').filter(|c| !c.is_empty()).map(turn).collect();
        captures.sort_unstable();
        let captures: Vec<String> = captures.iter().map(u8::to_string).collect();
        let sign = if captures.is_empty() { "-" } else { "x" };
        let star = if captures.is_empty() { "" } else { "*" };
        format!("{}{sign}{}{star}{}", turn(from), turn(to), captures.join(","))
    };
    moves.split_whitespace().map(turn_move).collect::<Vec<_>>().join(" ")
}

/// The expected alerts for [`turned_round`].
pub(super) fn alerts_turned_round(alerts: &[&str]) -> Vec<String> {
    alerts
        .iter()
        .map(|alert| match alert.split_once(" white ") {
            Some((before, after)) => format!("{before} black {after}"),
            None => alert.replace(" black ", " white "),
        })
        .collect()
}
