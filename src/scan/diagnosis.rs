//! What is wrong with the wires of a matrix, as its frames tell.
//!
//! The core finds contacts that cannot be right, but does not know which of them share a wire. Here the
//! wiring is known: a [`Watch`] looks at frame after frame and says which [`Fault`] explains what the self-test
//! saw, and [`dead_wires`] compares contacts with discs that are known to stand there.
//!
//! How a missing diode shows: row A is driven, the closed contact at A, column c pulls c low, and from there
//! the closed contact at B, c pulls row B low as well, since nothing stops the current that way. So row B reads low
//! though nobody drives it, and every closed contact of B shows as a ghost in row A. The diode that is
//! missing is that of B, at a column which is closed in both.

use std::collections::BTreeMap;

use super::frame::{Closed, MOST_WIRES, ScanFrame, Wires, wires};

/// So many frames in a row must show a fault before it is told: a quarter of a second at the usual rate, since
/// a plug that is being pushed in shows all faults there are for a moment.
const FRAMES_TO_TELL: u32 = 250;
/// So many sound frames take it back.
const FRAMES_TO_CLEAR: u32 = 1000;
/// A wire counts as dead only where so many discs stand on it.
const DISCS_ON_A_DEAD_WIRE: u32 = 2;

/// What is wrong with the wiring. Wires are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The row does not go low when it is driven.
    RowHeldHigh {
        /// Which.
        row: usize,
    },
    /// The row is low though nobody drives it.
    RowHeldLow {
        /// Which.
        row: usize,
    },
    /// The column is low though no row is driven.
    ColumnHeldLow {
        /// Which.
        column: usize,
    },
    /// Two rows are joined, whatever the contacts do.
    RowsJoined {
        /// The lower one.
        one: usize,
        /// The higher one.
        other: usize,
    },
    /// A diode of this row is missing or bridged: contacts of other rows read closed that are not.
    NoDiode {
        /// The row.
        row: usize,
        /// The columns at which it may be: fewer and fewer as discs come and go.
        suspects: Wires,
    },
    /// Discs stand on several squares of this row, and none of its contacts reads closed.
    DeadRow {
        /// Which.
        row: usize,
    },
    /// Discs stand on several squares of this column, and none of its contacts reads closed.
    DeadColumn {
        /// Which.
        column: usize,
    },
}

/// What was seen of a fault so far.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Frames that showed it since one last did not, or frames that did not since it was told.
    frames: u32,
    told: bool,
}

/// Looks at the frames of a matrix and keeps the list of its faults.
#[derive(Clone, Debug)]
pub struct Watch {
    rows: usize,
    /// For each driven row, the rows that followed it when it was last looked at.
    joined: [Wires; MOST_WIRES],
    /// For each driven row, the rows that once did not follow it: these two are not soldered together.
    apart: [Wires; MOST_WIRES],
    /// Where a diode has proved that it is there.
    proven: Closed,
    /// For each row, the columns at which a diode may be missing.
    suspects: [Wires; MOST_WIRES],
    seen: BTreeMap<Fault, Seen>,
    told: Vec<Fault>,
}

impl Watch {
    /// The watch of a matrix with so many rows, of which nothing is known yet.
    #[must_use]
    pub const fn new(rows: usize) -> Self {
        Self {
            rows,
            joined: [0; MOST_WIRES],
            apart: [0; MOST_WIRES],
            proven: Closed::NONE,
            suspects: [0; MOST_WIRES],
            seen: BTreeMap::new(),
            told: Vec::new(),
        }
    }

    /// The faults that are certain, in the order of [`Fault`].
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.told
    }

    /// Takes a frame in. Returns whether [`Watch::faults`] has changed.
    pub fn look(&mut self, frame: &ScanFrame) -> bool {
        self.learn(frame);
        // A sound board, frame after frame: nothing to do, and this is what it costs.
        if frame.self_test.passed() && self.seen.is_empty() && self.joined[..] == [0; MOST_WIRES] {
            return false;
        }
        let shown = self.shown_by(frame);
        for &fault in &shown {
            self.seen.entry(fault).or_default();
        }
        self.seen.retain(|fault, seen| {
            let is_shown = shown.contains(fault);
            if is_shown == seen.told {
                seen.frames = 0;
                return seen.told;
            }
            seen.frames += 1;
            let enough = if is_shown { FRAMES_TO_TELL } else { FRAMES_TO_CLEAR };
            if seen.frames >= enough {
                *seen = Seen { frames: 0, told: is_shown };
            }
            seen.told || is_shown
        });
        let told =
            self.seen.iter().filter(|(_, seen)| seen.told).map(|(fault, _)| self.with_suspects(*fault));
        let told: Vec<Fault> = told.collect();
        let changed = told != self.told;
        self.told = told;
        changed
    }

    /// Faults are counted without suspects, or each new disc would begin a new fault.
    const fn with_suspects(&self, fault: Fault) -> Fault {
        match fault {
            Fault::NoDiode { row, .. } => Fault::NoDiode { row, suspects: self.suspects[row] },
            other => other,
        }
    }

    /// Takes in what the frame says of the row that was checked in it.
    fn learn(&mut self, frame: &ScanFrame) {
        let test = &frame.self_test;
        let driven = test.checked;
        if driven >= self.rows {
            return;
        }
        let joined = test.joined & !test.idle.rows;
        self.joined[driven] = joined;
        if test.not_driven >> driven & 1 == 1 {
            return;
        }
        let closed = frame.closed.in_row(driven);
        for other in 0..self.rows {
            if other == driven || joined >> other & 1 == 1 {
                continue;
            }
            self.apart[driven] |= 1 << other;
            let proven = self.proven.in_row(other) | closed & frame.closed.in_row(other);
            self.proven.set_row(other, proven);
        }
    }

    /// The faults that explain this frame.
    fn shown_by(&mut self, frame: &ScanFrame) -> Vec<Fault> {
        let test = &frame.self_test;
        let mut faults = Vec::new();
        faults.extend(wires(test.not_driven).map(|row| Fault::RowHeldHigh { row }));
        faults.extend(wires(test.idle.rows).map(|row| Fault::RowHeldLow { row }));
        // A row that is held low pulls down the columns of its closed contacts.
        let explained = wires(test.idle.rows).fold(0, |all, row| all | frame.closed.in_row(row));
        let columns = wires(test.idle.columns & !explained);
        faults.extend(columns.map(|column| Fault::ColumnHeldLow { column }));
        let mut suspects = [0; MOST_WIRES];
        for driven in 0..self.rows {
            for other in wires(self.joined[driven]) {
                faults.push(match self.suspects_of(driven, other, frame) {
                    0 => Fault::RowsJoined { one: driven.min(other), other: driven.max(other) },
                    columns => {
                        suspects[other] |= columns;
                        Fault::NoDiode { row: other, suspects: 0 }
                    }
                });
            }
        }
        // A fault that shows only now and then is told with what it last showed.
        self.suspects.iter_mut().zip(suspects).filter(|(_, new)| *new != 0).for_each(|(old, new)| *old = new);
        faults.sort_unstable();
        faults.dedup();
        faults
    }

    /// The columns at which a missing diode would let row `other` follow row `driven`; none where nothing but a
    /// bridge between the two explains it.
    fn suspects_of(&self, driven: usize, other: usize, frame: &ScanFrame) -> Wires {
        let never_apart = self.apart[driven] >> other & 1 == 0 && self.apart[other] >> driven & 1 == 0;
        let both_ways = self.joined[other] >> driven & 1 == 1;
        let alone = self.joined[driven].count_ones() == 1;
        let common = frame.closed.in_row(driven) & frame.closed.in_row(other);
        let unproven = common & !self.proven.in_row(other);
        // A bridge between two rows joins these two both ways and at all times. Missing diodes join as many
        // rows as have discs above each other.
        if never_apart && both_ways && (alone || unproven == 0) {
            return 0;
        }
        // A diode that was good before may have failed since; then all of them are suspects again.
        if unproven == 0 { common } else { unproven }
    }
}

/// The rows and columns that are dead: discs are known to stand on several of their squares, and not one of
/// their contacts is closed, while contacts on other wires are.
///
/// - `closed`: the contacts that read closed.
/// - `expected`: those under the discs.
#[must_use]
pub fn dead_wires(closed: &Closed, expected: &Closed) -> Vec<Fault> {
    let mut counts = [(0_u32, 0_u32); MOST_WIRES];
    let mut faults = Vec::new();
    for row in 0..MOST_WIRES {
        let wanted = expected.in_row(row);
        let found = wanted & closed.in_row(row);
        if wanted.count_ones() >= DISCS_ON_A_DEAD_WIRE && found == 0 {
            faults.push(Fault::DeadRow { row });
        }
        for column in wires(wanted) {
            counts[column].0 += 1;
            counts[column].1 += u32::from(found >> column & 1);
        }
    }
    let columns = counts.iter().enumerate().filter(|(_, counts)| {
        let (wanted, found) = **counts;
        wanted >= DISCS_ON_A_DEAD_WIRE && found == 0
    });
    faults.extend(columns.map(|(column, _)| Fault::DeadColumn { column }));
    // An empty board, or one without power, has no dead wire: all of them are.
    let any_found = counts.iter().any(|&(_, found)| found > 0);
    if any_found { faults } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Scanner as _;
    use crate::scan::frame::Place;
    use crate::scan::matrix::Matrix;
    use crate::scan::simulated::{Circuit, WireFault};
    use std::time::Duration;

    fn place(row: usize, column: usize) -> Place {
        Place::new(row, column).unwrap()
    }

    /// Scans a board of 8 by 8 with these contacts closed until faults can be told, and expects these.
    #[track_caller]
    fn check(prepare: impl Fn(&mut Circuit), closed: &[(usize, usize)], expected: &[Fault]) {
        let mut circuit = Circuit::new(8, 8);
        for &(row, column) in closed {
            circuit.set(place(row, column), true);
        }
        prepare(&mut circuit);
        let mut matrix = Matrix::new(circuit, Duration::ZERO);
        let mut watch = Watch::new(8);
        for _ in 0..FRAMES_TO_TELL + 20 {
            watch.look(&matrix.scan().unwrap());
        }
        assert_eq!(watch.faults(), expected);
    }

    const RECTANGLE: [(usize, usize); 3] = [(1, 2), (1, 5), (6, 5)];

    #[test]
    fn a_sound_board_has_no_faults() {
        check(|_| {}, &[], &[]);
        check(|_| {}, &[(1, 2), (1, 5), (6, 5), (6, 2), (7, 0), (0, 0)], &[]);
    }

    #[test]
    fn wires_that_are_held() {
        check(|c| c.add_fault(WireFault::RowLow(3)), &RECTANGLE, &[Fault::RowHeldLow { row: 3 }]);
        check(|c| c.add_fault(WireFault::RowLow(1)), &RECTANGLE, &[Fault::RowHeldLow { row: 1 }]);
        check(|c| c.add_fault(WireFault::RowHigh(1)), &RECTANGLE, &[Fault::RowHeldHigh { row: 1 }]);
        check(|c| c.add_fault(WireFault::ColumnLow(5)), &RECTANGLE, &[Fault::ColumnHeldLow { column: 5 }]);
    }

    #[test]
    fn joined_rows_are_told_from_missing_diodes() {
        let joined = WireFault::RowsJoined(2, 6);
        check(|c| c.add_fault(joined), &[], &[Fault::RowsJoined { one: 2, other: 6 }]);
        check(|c| c.add_fault(joined), &RECTANGLE, &[Fault::RowsJoined { one: 2, other: 6 }]);
    }

    #[test]
    fn a_missing_diode_is_found_at_its_place() {
        let missing = WireFault::NoDiode(place(6, 5));
        check(|c| c.add_fault(missing), &RECTANGLE, &[Fault::NoDiode { row: 6, suspects: 1 << 5 }]);
        // Without a second contact in its column it does no harm and cannot be seen.
        check(|c| c.add_fault(missing), &[(6, 5), (1, 2)], &[]);
    }

    #[test]
    fn without_any_diode_the_places_that_make_ghosts_are_named() {
        let mut circuit = Circuit::new(8, 8);
        let mut matrix = Matrix::new(circuit.clone(), Duration::ZERO);
        let mut watch = Watch::new(8);
        // The rows are seen apart while the board is empty.
        for _ in 0..8 {
            watch.look(&matrix.scan().unwrap());
        }
        circuit.remove_diodes();
        RECTANGLE.iter().for_each(|&(row, column)| circuit.set(place(row, column), true));
        *matrix.lines_mut() = circuit;
        let mut ghosts = 0;
        for _ in 0..FRAMES_TO_TELL + 20 {
            let frame = matrix.scan().unwrap();
            ghosts += u32::from(frame.closed.contains(place(6, 2)));
            watch.look(&frame);
        }
        assert!(ghosts > FRAMES_TO_TELL);
        // While all four corners read closed, any of the four diodes may be the one that lets the ghost in.
        let suspects = 1 << 2 | 1 << 5;
        assert_eq!(watch.faults(), [1, 6].map(|row| Fault::NoDiode { row, suspects }));
    }

    #[test]
    fn a_fault_that_is_gone_is_taken_back() {
        let mut circuit = Circuit::new(8, 8);
        circuit.add_fault(WireFault::RowHigh(0));
        let mut matrix = Matrix::new(circuit, Duration::ZERO);
        let mut watch = Watch::new(8);
        let mut changes = 0;
        for _ in 0..FRAMES_TO_TELL {
            changes += u32::from(watch.look(&matrix.scan().unwrap()));
        }
        assert_eq!((changes, watch.faults()), (1, &[Fault::RowHeldHigh { row: 0 }][..]));
        *matrix.lines_mut() = Circuit::new(8, 8);
        for _ in 0..FRAMES_TO_CLEAR {
            changes += u32::from(watch.look(&matrix.scan().unwrap()));
        }
        assert_eq!((changes, watch.faults()), (2, &[][..]));
    }

    #[track_caller]
    fn check_dead(fault: Option<WireFault>, expected: &[Fault]) {
        let mut discs = Closed::NONE;
        let mut circuit = Circuit::new(8, 8);
        for (row, column) in (0..8).flat_map(|row| (0..4).map(move |column| (row, column))) {
            if !(3..5).contains(&row) {
                discs.set(place(row, column), true);
                circuit.set(place(row, column), true);
            }
        }
        fault.into_iter().for_each(|fault| circuit.add_fault(fault));
        let frame = Matrix::new(circuit, Duration::ZERO).scan().unwrap();
        assert_eq!(dead_wires(&frame.closed, &discs), expected);
    }

    #[test]
    fn dead_wires_show_in_the_start_position() {
        check_dead(None, &[]);
        check_dead(Some(WireFault::ColumnBroken(2)), &[Fault::DeadColumn { column: 2 }]);
        check_dead(Some(WireFault::RowBroken(6)), &[Fault::DeadRow { row: 6 }]);
        assert_eq!(dead_wires(&Closed::NONE, &Closed::NONE), []);
    }
}
