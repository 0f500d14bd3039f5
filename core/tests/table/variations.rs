//! A script again with what must change nothing: contacts that bounce and flicker, discs that drop out for a moment,
//! hands that pass low over other squares, and the players' colours and ends of the board exchanged.

use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::position::{Position, Setup};
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockReport, Input, Restart, TimedInput};

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
    table.inputs = bounced;
    table.in_order()
}

/// When which contact changed, and to what.
fn changes(table: &Table) -> Vec<(u64, Square, bool)> {
    let contact = |timed: &TimedInput| match timed.input {
        Input::Contact { square, closed } => Some((timed.at.millis(), square, closed)),
        _ => None,
    };
    table.inputs.iter().filter_map(contact).collect()
}

impl Table {
    /// The contact changes and is back later, beside what the script has.
    fn twitch(&mut self, square: Square, closed: bool, begin: u64, back: u64) {
        for (at, closed) in [(begin, closed), (back, !closed)] {
            let input = Input::Contact { square, closed };
            self.inputs.push(TimedInput { at: Moment::from_millis(at), input });
        }
    }

    fn in_order(mut self) -> Self {
        self.inputs.sort_by_key(|timed| timed.at);
        self
    }
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
    let changes = changes(&table);
    let handled = |square: Square, t: u64| {
        changes.iter().any(|&(at, other, _)| other == square && at.abs_diff(t) < 1500)
    };
    let mut chance = Chance(seed);
    let mut standing = table.setup.closed;
    let mut coming = changes.iter().peekable();
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
            table.twitch(square, false, t, back);
        }
        t += 350 + chance.below(1200);
    }
    table.in_order()
}

/// The same hands, whose discs land off-centre: each contact flickers for up to a second after it closed, open
/// for up to 120 ms at a time, unless the disc is lifted before.
pub(super) fn flickering(mut table: Table, seed: u64) -> Table {
    let contacts = changes(&table);
    let mut chance = Chance(seed);
    for (index, &(landed, square, closed)) in contacts.iter().enumerate() {
        let next = contacts[index + 1..].iter().find(|&&(_, other, _)| other == square);
        let free = next.map_or(u64::MAX, |&(at, ..)| at - landed);
        if !closed || free < 1300 {
            continue;
        }
        let mut t = landed + 20 + chance.below(100);
        while t < landed + 850 {
            let back = t + 15 + chance.below(105);
            table.twitch(square, false, t, back);
            t = back + 25 + chance.below(150);
        }
    }
    table.in_order()
}

/// The same hands, whose discs pass low over two empty squares each time they are in the air for long enough.
pub(super) fn passing_low(mut table: Table, seed: u64) -> Table {
    let contacts = changes(&table);
    let board = SquareSet::all(table.setup.start.variant());
    let touched: SquareSet = contacts.iter().map(|&(_, square, _)| square).collect();
    let never: Vec<Square> =
        board.iter().filter(|&s| !touched.contains(s) && !table.setup.closed.contains(s)).collect();
    let mut chance = Chance(seed);
    for pair in contacts.windows(2) {
        let [(lifted, _, false), (placed, _, true)] = *pair else { continue };
        if never.len() < 2 || placed - lifted < 380 {
            continue;
        }
        let first = usize::try_from(chance.below(1000)).expect("a small number") % never.len();
        for (begin, square) in [(lifted + 30, never[first]), (lifted + 190, never[(first + 1) % never.len()])]
        {
            table.twitch(square, true, begin, begin + 40 + chance.below(60));
        }
    }
    table.in_order()
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
            Input::CrownSensor { square, works } => {
                Input::CrownSensor { square: turned(square, variant), works }
            }
            Input::Reserve { side, closed, well } => Input::Reserve { side: side.opponent(), closed, well },
            Input::Press { side } => Input::Press { side: side.opponent() },
            Input::Button { button, side } => Input::Button { button, side: side.opponent() },
            Input::Clock(report) => Input::Clock(ClockReport {
                white_ms: report.black_ms,
                black_ms: report.white_ms,
                running: report.running.map(Side::opponent),
                flag: report.flag.map(Side::opponent),
            }),
            Input::Restart(restart) => Input::Restart(Restart { changed: set(restart.changed), ..restart }),
            other @ (Input::ClockConnection(_) | Input::ClockTrouble(_) | Input::Arbiter(_) | Input::End) => {
                other
            }
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
