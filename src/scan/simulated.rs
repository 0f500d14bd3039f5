//! A matrix without copper: switches, diodes and wires as a circuit that can be broken on request.
//!
//! It is scanned like a real one, wire by wire, so that whatever a real matrix can do wrong reaches the
//! same code in the same form. Where discs come from is not its business: a played-back recording, simulated
//! hands or a test close and open its contacts.

use super::ScanError;
use std::str::FromStr;

use thiserror::Error;

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

/// Why a fault was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no fault of a wire; there are row-low:N, row-high:N, row-broken:N, rows-joined:N/N, column-low:N, \
     column-broken:N and no-diode:ROW/COLUMN, wires counted from 1"
)]
pub struct WireFaultError(pub String);

impl FromStr for WireFault {
    type Err = WireFaultError;

    fn from_str(text: &str) -> Result<Self, WireFaultError> {
        let refused = || WireFaultError(text.to_owned());
        let wire = |number: &str| -> Result<usize, WireFaultError> {
            let number: usize = number.parse().map_err(|_| refused())?;
            number.checked_sub(1).filter(|&wire| wire < MOST_WIRES).ok_or_else(refused)
        };
        let (name, wires) = text.split_once(':').ok_or_else(refused)?;
        match (name, wires.split_once('/')) {
            ("row-low", None) => Ok(Self::RowLow(wire(wires)?)),
            ("row-high", None) => Ok(Self::RowHigh(wire(wires)?)),
            ("row-broken", None) => Ok(Self::RowBroken(wire(wires)?)),
            ("column-low", None) => Ok(Self::ColumnLow(wire(wires)?)),
            ("column-broken", None) => Ok(Self::ColumnBroken(wire(wires)?)),
            ("rows-joined", Some((one, other))) => Ok(Self::RowsJoined(wire(one)?, wire(other)?)),
            ("no-diode", Some((row, column))) => {
                Place::new(wire(row)?, wire(column)?).map(Self::NoDiode).ok_or_else(refused)
            }
            _ => Err(refused()),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named_with_their_wires() {
        assert_eq!("row-low:3".parse(), Ok(WireFault::RowLow(2)));
        assert_eq!("rows-joined:1/16".parse(), Ok(WireFault::RowsJoined(0, 15)));
        assert_eq!("no-diode:6/4".parse(), Ok(WireFault::NoDiode(Place::new(5, 3).unwrap())));
        for refused in ["", "row-low", "row-low:0", "row-low:17", "row-low:1/2", "no-diode:3", "row-lo:1"] {
            assert_eq!(refused.parse::<WireFault>(), Err(WireFaultError(refused.to_owned())));
        }
    }
}
