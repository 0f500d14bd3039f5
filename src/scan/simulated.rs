//! A matrix without copper: switches, diodes and wires as a circuit that can be broken on request.
//!
//! It is scanned like a real one, wire by wire, so that whatever a real matrix can do wrong reaches the
//! same code in the same form. Where discs come from is not its business: a played-back recording, simulated
//! hands or a test close and open its contacts.

use super::ScanError;
use super::frame::{Closed, Low, MOST_WIRES, Place, Wires, first_wires, wires};
use super::matrix::Lines;

/// What is wrong with the wires of a simulated matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFault {
    /// The row is held low: joined to ground.
    RowLow(usize),
    /// The row cannot be pulled low: held high, or its pin is broken.
    RowHigh(usize),
    /// The row's wire is broken: its pin is driven, the contacts are not reached.
    RowBroken(usize),
    /// Two rows are joined.
    RowsJoined(usize, usize),
    /// The column is held low.
    ColumnLow(usize),
    /// The column's wire is broken: it always reads high.
    ColumnBroken(usize),
    /// The diode at this place is bridged or was forgotten.
    NoDiode(Place),
}

/// The circuit.
#[derive(Clone, Debug)]
pub struct Circuit {
    rows: usize,
    columns: usize,
    closed: Closed,
    driven: Option<usize>,
    /// Places without a diode.
    bare: Closed,
    rows_low: Wires,
    rows_high: Wires,
    rows_broken: Wires,
    columns_low: Wires,
    columns_broken: Wires,
    /// Pairs of rows.
    joined: Vec<Wires>,
}

impl Circuit {
    /// A sound matrix with all contacts open.
    #[must_use]
    pub const fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            closed: Closed::NONE,
            driven: None,
            bare: Closed::NONE,
            rows_low: 0,
            rows_high: 0,
            rows_broken: 0,
            columns_low: 0,
            columns_broken: 0,
            joined: Vec::new(),
        }
    }

    /// Closes or opens a contact, as a disc above it does.
    pub const fn set(&mut self, place: Place, closed: bool) {
        self.closed.set(place, closed);
    }

    /// Breaks something.
    pub fn add_fault(&mut self, fault: WireFault) {
        match fault {
            WireFault::RowLow(row) => self.rows_low |= 1 << row,
            WireFault::RowHigh(row) => self.rows_high |= 1 << row,
            WireFault::RowBroken(row) => self.rows_broken |= 1 << row,
            WireFault::RowsJoined(one, other) => self.joined.push(1 << one | 1 << other),
            WireFault::ColumnLow(column) => self.columns_low |= 1 << column,
            WireFault::ColumnBroken(column) => self.columns_broken |= 1 << column,
            WireFault::NoDiode(place) => self.bare.set(place, true),
        }
    }

    /// Takes every diode out.
    pub fn remove_diodes(&mut self) {
        (0..self.rows).for_each(|row| self.bare.set_row(row, first_wires(self.columns)));
    }

    /// Everything that is low: lows spread from rows to columns through closed contacts, and back where there
    /// is no diode, until nothing changes.
    fn low(&self) -> Low {
        let driven = self.driven.map_or(0, |row| 1 << row) & !self.rows_high;
        let mut low = Low { rows: self.rows_low | driven, columns: self.columns_low };
        loop {
            let before = low;
            self.spread(&mut low);
            if low == before {
                return low;
            }
        }
    }

    fn spread(&self, low: &mut Low) {
        for &both in &self.joined {
            if low.rows & both != 0 {
                low.rows |= both;
            }
        }
        for row in wires(first_wires(self.rows) & !self.rows_broken) {
            let reached = self.closed.in_row(row) & !self.columns_broken;
            if low.rows >> row & 1 == 1 {
                low.columns |= reached;
            } else if low.columns & reached & self.bare.in_row(row) != 0 {
                low.rows |= 1 << row & !self.rows_high;
            }
        }
    }
}

impl Lines for Circuit {
    fn row_count(&self) -> usize {
        self.rows.min(MOST_WIRES)
    }

    fn drive(&mut self, row: usize) -> Result<(), ScanError> {
        self.driven = Some(row);
        Ok(())
    }

    fn release(&mut self) -> Result<(), ScanError> {
        self.driven = None;
        Ok(())
    }

    fn read(&mut self, rows: Wires) -> Result<Low, ScanError> {
        let low = self.low();
        Ok(Low { rows: low.rows & rows, ..low })
    }
}
