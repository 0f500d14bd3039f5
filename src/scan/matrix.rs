//! How a diode matrix is scanned: rows driven low one at a time, the others high-impedance, columns pulled up.
//!
//! What sets and reads single wires is a [`Lines`]; the order of events, the waiting and the self-test are
//! here, once, for every kind of line.
//!
//! ```text
//!   column (pulled up) ──/ contact ──▶|── row (low, or high-impedance with a weak pull-up)
//! ```
//!
//! The self-test costs little and tells much. Before the first row is driven nothing may read low. A driven row must
//! read low, or its wire is held high or its pin is broken. No other row may follow it: one that does is
//! joined to it, by a solder bridge or through contacts whose diode is missing. To save accesses, the other rows are
//! looked at for one driven row in each frame, in turn.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use super::frame::{Closed, Low, MOST_WIRES, ScanFrame, SelfTest, Wires, first_wires};
use super::{ScanError, Scanner};

/// The wires of a matrix, one by one.
pub trait Lines: Send {
    /// How many rows there are, at most [`MOST_WIRES`].
    fn row_count(&self) -> usize;

    /// Drives a row low, counted from 0, after letting go of the one that was driven before.
    ///
    /// # Errors
    /// When the system refuses.
    fn drive(&mut self, row: usize) -> Result<(), ScanError>;

    /// Lets go of the row that is driven, if one is.
    ///
    /// # Errors
    /// When the system refuses.
    fn release(&mut self) -> Result<(), ScanError>;

    /// Reads all columns, and those of `rows`.
    ///
    /// # Errors
    /// When the system refuses.
    fn read(&mut self, rows: Wires) -> Result<Low, ScanError>;
}

/// A matrix behind some lines.
#[derive(Debug)]
pub struct Matrix<L> {
    lines: L,
    settle: Duration,
    /// The row whose effect on the others the next frame looks at.
    checked: usize,
}

impl<L: Lines> Matrix<L> {
    /// A matrix.
    ///
    /// - `settle`: how long the columns take to follow a row, above all to rise again after the row before.
    #[must_use]
    pub const fn new(lines: L, settle: Duration) -> Self {
        Self { lines, settle, checked: 0 }
    }

    /// The lines, to do something to them that a scan does not.
    pub const fn lines_mut(&mut self) -> &mut L {
        &mut self.lines
    }

    fn scan_rows(&mut self) -> Result<ScanFrame, ScanError> {
        let rows = self.lines.row_count().min(MOST_WIRES);
        let mut closed = Closed::NONE;
        let mut test = SelfTest {
            idle: self.lines.read(first_wires(rows))?,
            checked: self.checked,
            ..SelfTest::default()
        };
        for row in 0..rows {
            self.lines.drive(row)?;
            wait(self.settle);
            let driven: Wires = 1 << row;
            let asked = if row == self.checked { first_wires(rows) } else { driven };
            let low = self.lines.read(asked)?;
            closed.set_row(row, low.columns);
            test.not_driven |= driven & !low.rows;
            test.joined |= low.rows & !driven;
        }
        self.checked = (self.checked + 1) % rows.max(1);
        Ok(ScanFrame { closed, self_test: test })
    }
}

impl<L: Lines> Scanner for Matrix<L> {
    fn scan(&mut self) -> Result<ScanFrame, ScanError> {
        let frame = self.scan_rows();
        // Also after an error: a row that stays driven would warm up a faulty wire.
        let released = self.lines.release();
        frame.and_then(|frame| released.map(|()| frame))
    }
}

/// Waits a few microseconds. Sleeping would take longer than the wait.
fn wait(duration: Duration) {
    if duration.is_zero() {
        return;
    }
    let began = Instant::now();
    while began.elapsed() < duration {
        spin_loop();
    }
}
