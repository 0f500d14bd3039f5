//! Hall sensors under the far rows, which tell whether a second disc stands on a piece (`crowning = "stack"`).
//!
//! ```text
//!  StackReader ── Reading of each sensor ──→ Judge ── closed? works? ──→ channel ──→ ScannedBoard
//!     │  every 20 ms, in a thread of its own,    │ thresholds of the calibration
//!     │  which the scan thread knows nothing of  └→ faults of the sensors, in words
//!     └ MCP3208 converters behind spidev, or simulated ones
//! ```
//!
//! Readings are *steps* of a 12-bit converter, 0 to 4095 for 0 to 3.3 V. What they mean is in the *calibration*, a file that
//! `draughtsd sensors --calibrate` writes; how sensors are wired and calibrated is told in `hardware/crowning.md`.
//!
//! **Invariant:** a sensor that is faulty claims nothing: neither that a piece is crowned nor that it is not.

pub mod calibration;
pub mod judge;
mod mcp3208;
pub mod simulated;
mod spidev;
pub mod thread;
mod words;

use std::path::Path;

use draughtsd_core::square::Square;
use draughtsd_core::trace::Crowning;

use self::calibration::{Calibration, Points};
use super::{BringUpError, OpenError};
use crate::config::{Backend, Board, Scan, Source};
use crate::pinmap::{BoardSize, ContactId, PinMap, Role, StackSensor, Wiring};

pub use mcp3208::FULL_SCALE;
pub use words::StackWords;

/// What a sensor gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Its voltage in steps of the converter, 0 to [`FULL_SCALE`].
    Level(u16),
    /// Nothing: its converter does not answer.
    Silent,
}

impl Reading {
    /// The steps, if there are any.
    #[must_use]
    pub const fn level(self) -> Option<u16> {
        match self {
            Self::Level(level) => Some(level),
            Self::Silent => None,
        }
    }
}

/// The sensors of a board, however they are reached.
pub trait StackReader: Send {
    /// Reads every sensor once, in the order of [`Wiring::stack`]. What fails reads [`Reading::Silent`].
    fn read(&mut self) -> Vec<Reading>;
}

/// A sensor, where it is, and how it was calibrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wired {
    /// The sensor as the pin map has it.
    pub sensor: StackSensor,
    /// The square of the game above it, which depends on where White sits.
    pub square: Square,
    /// What it reads with and without discs; `None` before it was calibrated.
    pub points: Option<Points>,
}

/// The sensors of a board, ready to be read.
pub struct Sensors {
    pub(super) reader: Box<dyn StackReader>,
    pub(super) wired: Vec<Wired>,
}

impl std::fmt::Debug for Sensors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sensors").field("wired", &self.wired).finish_non_exhaustive()
    }
}

impl Sensors {
    /// The sensors that `reader` reads, which are those of this wiring in its order.
    #[must_use]
    pub fn new(
        reader: Box<dyn StackReader>,
        wiring: &Wiring,
        board: &Board,
        calibration: Option<&Calibration>,
    ) -> Self {
        let wired = |sensor: &StackSensor| Wired {
            sensor: sensor.clone(),
            square: square_of(sensor, board),
            points: calibration.and_then(|calibration| calibration.points(sensor.square)),
        };
        Self { reader, wired: wiring.stack().iter().map(wired).collect() }
    }

    /// The sensors in their order.
    #[must_use]
    pub fn wired(&self) -> &[Wired] {
        &self.wired
    }
}

/// The square of the game above a sensor.
#[must_use]
pub fn square_of(sensor: &StackSensor, board: &Board) -> Square {
    match ContactId::Square(sensor.square).role(board.game, board.white_side) {
        Role::Square(square) => square,
        Role::Well { .. } | Role::Press { .. } | Role::Button { .. } => sensor.square,
    }
}

/// The wiring of a board that has sensors.
///
/// # Errors
/// [`BringUpError`] when the pin map has none for it.
pub fn wiring<'a>(pin_map: &'a PinMap, board: &Board) -> Result<&'a Wiring, BringUpError> {
    let game = board.game;
    let wiring = pin_map.wiring(BoardSize::of(game)).ok_or(BringUpError::NoWiring { game })?;
    if wiring.stack().is_empty() { Err(BringUpError::NoSensors { game }) } else { Ok(wiring) }
}

/// The calibration of a board whose crownings are sensed by Hall sensors; `None` where nothing is to be read.
///
/// The simulated sensors have a calibration of their own, unless another is named.
///
/// # Errors
/// [`BringUpError`] when the pin map has no sensors, or the file cannot be used.
pub fn calibration(
    scan: &Scan,
    board: &Board,
    pin_map: &PinMap,
) -> Result<Option<Calibration>, BringUpError> {
    if board.crowning != Crowning::Stack || board.source != Source::Gpio {
        return Ok(None);
    }
    let wiring = wiring(pin_map, board)?;
    let file = Some(scan.stack_calibration.as_path()).filter(|path| !path.as_os_str().is_empty());
    Ok(Some(match (file, scan.backend) {
        (None, Backend::Simulated) => simulated::calibration(wiring),
        (file, _) => Calibration::read(file.unwrap_or_else(|| Path::new("")), wiring)?,
    }))
}

/// Takes over the converters of a board.
///
/// # Errors
/// [`OpenError`]: what is missing, and what to do about it.
pub fn open(scan: &Scan, wiring: &Wiring) -> Result<Box<dyn StackReader>, OpenError> {
    Ok(Box::new(spidev::Converters::open(&scan.stack_bus, wiring.stack())?))
}
