//! Lines of a Raspberry Pi through its registers, by the crate `rppal`.
//!
//! `rppal` was retired by its author in July 2025: it knows the Pis up to the 5 family, and no later ones. It is
//! used here and nowhere else, so that it can be replaced; `rpi-pal` is a fork with the same interface.
//!
//! Lines have the numbers of the chip ("BCM"). Rows hold a low in their output latch for good: driving one is
//! making it an output, letting go of it is making it an input again. Pull-ups are on for rows as well, so that a row
//! which nobody drives reads high unless something pulls it down. Dropping the lines gives all of them back as
//! they were; a program that is killed leaves them as they are.
//!
//! Troubleshooting: `permission denied` means that the user is not in the group `gpio`, or that the service's list
//! of devices lacks `/dev/gpiomem`, `/dev/gpiomem0` (Pi 5) or one of the `/dev/gpiochip*`, which `rppal` opens as
//! well, in order, until it finds its own.

use rppal::gpio::{Bias, Error, Gpio, InputPin, IoPin, Mode};

use super::frame::{Low, Wires};
use super::matrix::Lines;
use super::{OpenError, ScanError};

/// The lines of a matrix on a Raspberry Pi.
#[derive(Debug)]
pub(super) struct PiLines {
    rows: Vec<IoPin>,
    columns: Vec<InputPin>,
    driven: Option<usize>,
}

impl PiLines {
    /// Takes lines over by their numbers.
    pub(super) fn open(rows: &[u8], columns: &[u8]) -> Result<Self, OpenError> {
        let gpio = Gpio::new().map_err(|error| refused(error, "the GPIO registers"))?;
        let pin = |number: &u8| gpio.get(*number).map_err(|error| refused(error, &format!("GPIO {number}")));
        let rows = rows
            .iter()
            .map(|number| {
                let mut row = pin(number)?.into_io(Mode::Input);
                row.set_bias(Bias::PullUp);
                // Into the latch; nothing is driven as long as the line is an input.
                row.set_low();
                Ok(row)
            })
            .collect::<Result<_, OpenError>>()?;
        let columns = columns
            .iter()
            .map(|number| Ok(pin(number)?.into_input_pullup()))
            .collect::<Result<_, OpenError>>()?;
        Ok(Self { rows, columns, driven: None })
    }
}

fn refused(error: Error, device: &str) -> OpenError {
    match error {
        Error::UnknownModel => OpenError::NotAPi,
        Error::PermissionDenied(device) => OpenError::Denied { device },
        Error::Io(reason) if reason.kind() == std::io::ErrorKind::PermissionDenied => {
            OpenError::Denied { device: device.to_owned() }
        }
        other => OpenError::Lines { device: device.to_owned(), reason: other.to_string() },
    }
}

impl Lines for PiLines {
    fn row_count(&self) -> usize {
        self.rows.len()
    }

    fn drive(&mut self, row: usize) -> Result<(), ScanError> {
        self.release()?;
        self.rows[row].set_mode(Mode::Output);
        self.driven = Some(row);
        Ok(())
    }

    fn release(&mut self) -> Result<(), ScanError> {
        if let Some(row) = self.driven.take() {
            self.rows[row].set_mode(Mode::Input);
        }
        Ok(())
    }

    fn read(&mut self, rows: Wires) -> Result<Low, ScanError> {
        let mut low = Low::default();
        for (index, row) in self.rows.iter().enumerate() {
            // The level at the pin, not what is in the latch.
            if rows >> index & 1 == 1 && row.is_low() {
                low.rows |= 1 << index;
            }
        }
        for (index, column) in self.columns.iter().enumerate() {
            low.columns |= Wires::from(column.is_low()) << index;
        }
        Ok(low)
    }
}
