//! Lines of any Linux board through the kernel's GPIO character device, by the crate `gpiocdev`.
//!
//! All lines are taken in one request, so that no other program can have them, and one call reads all of them. Rows are
//! open-drain outputs: a low is driven, a high lets go, and the pull-up takes over. Where the chip has no open
//! drain the kernel makes the line an input for it, which is the same.
//!
//! Lines have the chip's own offsets; on a Raspberry Pi these are the BCM numbers, on the chip named
//! `pinctrl-bcm2835`, `pinctrl-bcm2711` or `pinctrl-rp1`.

use std::path::Path;

use gpiocdev::Request;
use gpiocdev::line::{Bias, Drive, Offset, Value, Values};

use super::frame::{Low, Wires};
use super::matrix::Lines;
use super::{OpenError, ScanError};

/// The lines of a matrix on a chip.
#[derive(Debug)]
pub(super) struct ChipLines {
    request: Request,
    chip: String,
    rows: Vec<Offset>,
    columns: Vec<Offset>,
    values: Values,
    driven: Option<usize>,
}

impl ChipLines {
    /// Takes lines over by their offsets.
    pub(super) fn open(chip: &Path, rows: &[u8], columns: &[u8]) -> Result<Self, OpenError> {
        let name = chip.display().to_string();
        if let Err(reason) = std::fs::File::open(chip) {
            return Err(match reason.kind() {
                std::io::ErrorKind::PermissionDenied => OpenError::Denied { device: name },
                _ => OpenError::Chip { path: chip.to_owned(), reason: reason.to_string() },
            });
        }
        let [rows, columns]: [Vec<Offset>; 2] =
            [rows, columns].map(|lines| lines.iter().map(|&line| Offset::from(line)).collect());
        let request = Request::builder()
            .on_chip(chip)
            .with_consumer("draughtsd")
            .with_lines(&rows)
            .as_output(Value::Active)
            .with_drive(Drive::OpenDrain)
            .with_bias(Bias::PullUp)
            .with_lines(&columns)
            .as_input()
            .with_bias(Bias::PullUp)
            .request()
            .map_err(|error| match error {
                gpiocdev::Error::GpioChip(path, kind) => OpenError::Chip { path, reason: kind.to_string() },
                other => OpenError::Lines { device: name.clone(), reason: other.to_string() },
            })?;
        Ok(Self { request, chip: name, rows, columns, values: Values::default(), driven: None })
    }

    fn refused(&self, error: &gpiocdev::Error) -> ScanError {
        ScanError { device: self.chip.clone(), reason: error.to_string() }
    }

    fn set(&self, values: &Values) -> Result<(), ScanError> {
        self.request.set_values(values).map_err(|error| self.refused(&error))
    }

    fn is_low(&self, line: Offset) -> bool {
        self.values.get(line) == Some(Value::Inactive)
    }
}

impl Lines for ChipLines {
    fn row_count(&self) -> usize {
        self.rows.len()
    }

    fn drive(&mut self, row: usize) -> Result<(), ScanError> {
        let mut values = Values::default();
        if let Some(before) = self.driven {
            values.set(self.rows[before], Value::Active);
        }
        values.set(self.rows[row], Value::Inactive);
        self.set(&values)?;
        self.driven = Some(row);
        Ok(())
    }

    fn release(&mut self) -> Result<(), ScanError> {
        let Some(row) = self.driven else { return Ok(()) };
        let mut values = Values::default();
        values.set(self.rows[row], Value::Active);
        self.set(&values)?;
        self.driven = None;
        Ok(())
    }

    fn read(&mut self, rows: Wires) -> Result<Low, ScanError> {
        if let Err(error) = self.request.values(&mut self.values) {
            return Err(self.refused(&error));
        }
        let lows = |lines: &[Offset]| {
            let low = lines.iter().enumerate().filter(|(_, line)| self.is_low(**line));
            low.fold(0, |all, (index, _)| all | 1 << index)
        };
        Ok(Low { rows: lows(&self.rows) & rows, columns: lows(&self.columns) })
    }
}
