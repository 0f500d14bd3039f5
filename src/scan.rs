//! The board itself: its contacts scanned, frame by frame.
//!
//! Real, simulated and recorded boards are one trait, [`Scanner`]: one call reads every contact once. What happens
//! then is the same for all of them:
//!
//! ```text
//!  Scanner ── ScanFrame ──→ Changes ── TimedInput ──→ channel ──→ ScannedBoard (the live loop's board)
//!     │  every millisecond,      │ frames to inputs
//!     │  in a thread of its own  └→ Watch: faults of the wiring, in words
//!     └ Matrix (drive a row, wait, read the columns) over Lines: rppal, gpiocdev, simulated
//! ```
//!
//! Beside it, where crownings are sensed by Hall sensors, a slower thread of its own reads those ([`stack`]).
//!
//! **Invariant:** nothing outside `scan/rppal.rs` knows of `rppal`, and nothing outside `scan/gpiocdev.rs` of `gpiocdev`:
//! the first is no longer maintained, and either may have to be replaced. The same holds for `spidev`.

pub mod board;
pub mod changes;
pub mod diagnosis;
pub mod frame;
mod gpiocdev;
pub mod matrix;
pub mod meter;
pub mod pace;
pub mod played;
mod rppal;
pub mod simulated;
pub mod stack;
pub mod thread;
pub mod time_line;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use draughtsd_core::rules::Variant;
use draughtsd_core::trace::Crowning;
use thiserror::Error;

use self::changes::Roles;
use self::stack::Sensors;
use self::stack::calibration::{Calibration, CalibrationError};
use self::stack::simulated::SimulatedSensors;
use self::thread::{StartError, Started};
use crate::config::{Backend, Board, Scan};
use crate::pinmap::{BoardSize, PinMap, PinMapError};

pub use board::ScannedBoard;
pub use frame::ScanFrame;
pub use words::Words;

/// A board whose contacts can be scanned.
pub trait Scanner: Send {
    /// Reads every contact once.
    ///
    /// # Errors
    /// [`ScanError`] when the system refuses; the next scan may succeed.
    fn scan(&mut self) -> Result<ScanFrame, ScanError>;
}

impl Scanner for Box<dyn Scanner> {
    fn scan(&mut self) -> Result<ScanFrame, ScanError> {
        self.as_mut().scan()
    }
}

/// Why a scan failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{device}: {reason}")]
pub struct ScanError {
    /// What was asked.
    pub device: String,
    /// What it said.
    pub reason: String,
}

/// Why the wires of a board could not be taken over.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// `rppal` does not know this machine.
    #[error(
        "this machine is no Raspberry Pi that the backend `rppal` knows; set `backend` in [scan] to \"gpiocdev\" for \
         another Linux board or a newer Pi, or to \"simulated\" to go without hardware"
    )]
    NotAPi,
    /// The system does not let us.
    #[error("{device}: permission denied; is the user in the group `gpio`?")]
    Denied {
        /// What was to be opened.
        device: String,
    },
    /// There is no such chip.
    #[error("{}: {reason}; `gpiodetect` lists the chips of this machine, and `chip` in [scan] chooses one", path.display())]
    Chip {
        /// The path of the chip.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The lines could not be had.
    #[error("{device}: {reason}; is another program using these lines?")]
    Lines {
        /// What was asked for them.
        device: String,
        /// What it said.
        reason: String,
    },
    /// A converter of the Hall sensors could not be had.
    #[error("{}: {reason}; {advice}", device.display())]
    Spi {
        /// The device.
        device: PathBuf,
        /// What the system said.
        reason: String,
        /// What to look at.
        advice: &'static str,
    },
}

/// Why a board of a configuration could not be brought up.
#[derive(Debug, Error)]
pub enum BringUpError {
    /// The pin map cannot be used.
    #[error(transparent)]
    PinMap(#[from] PinMapError),
    /// The pin map describes the other size of board only.
    #[error("the pin map describes no board for {game}; it needs the table [{}.contacts]", BoardSize::of(*game).table())]
    NoWiring {
        /// The game that is to be played.
        game: Variant,
    },
    /// The pin map has no Hall sensors for the board.
    #[error(
        "the pin map has no Hall sensors for {game}; board.crowning = \"stack\" needs the table [{}.stack]",
        BoardSize::of(*game).table()
    )]
    NoSensors {
        /// The game that is to be played.
        game: Variant,
    },
    /// The calibration of the Hall sensors cannot be used.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The wires cannot be had.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Scanning did not begin.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// The pin map of a configuration.
///
/// # Errors
/// [`BringUpError`] when it cannot be read, or is not for the configured game.
pub fn pin_map(scan: &Scan, board: &Board) -> Result<PinMap, BringUpError> {
    let own = Some(scan.pin_map.as_path()).filter(|path| !path.as_os_str().is_empty());
    let pin_map = own.map_or_else(|| Ok(PinMap::shipped()), PinMap::read)?;
    match pin_map.wiring(BoardSize::of(board.game)) {
        Some(_) => Ok(pin_map),
        None => Err(BringUpError::NoWiring { game: board.game }),
    }
}

/// Brings the board of a configuration up, and begins to scan it for a game.
///
/// # Errors
/// [`BringUpError`]: what is missing, and what to do about it.
pub fn bring_up(scan: &Scan, board: &Board, pin_map: &PinMap) -> Result<Started, BringUpError> {
    let roles = Roles::new(pin_map, board).ok_or(BringUpError::NoWiring { game: board.game })?;
    let calibration = stack::calibration(scan, board, pin_map)?;
    let (scanner, sensors) = open_with_sensors(scan, board, pin_map, calibration.as_ref())?;
    let mut started = thread::start(scanner, roles, scan)?;
    if let Some(sensors) = sensors {
        started.sense_crownings(sensors)?;
    }
    Ok(started)
}

/// Takes over the wires of a board and, where crownings are sensed by them, its Hall sensors.
///
/// - `calibration`: that of the sensors, where there is one already.
///
/// # Errors
/// [`BringUpError`]: what is missing, and what to do about it.
pub fn open_with_sensors(
    scan: &Scan,
    board: &Board,
    pin_map: &PinMap,
    calibration: Option<&Calibration>,
) -> Result<(Box<dyn Scanner>, Option<Sensors>), BringUpError> {
    if board.crowning != Crowning::Stack {
        return Ok((open(scan, board, pin_map)?, None));
    }
    let wiring = stack::wiring(pin_map, board)?;
    if scan.backend == Backend::Simulated {
        let played = played::Played::hands(pin_map, board, played::LifeTime::default());
        let reader = SimulatedSensors::new(wiring, board, played.pieces(), &[]);
        let sensors = Sensors::new(Box::new(reader), wiring, board, calibration);
        return Ok((Box::new(played), Some(sensors)));
    }
    let scanner = open(scan, board, pin_map)?;
    let sensors = Sensors::new(stack::open(scan, wiring)?, wiring, board, calibration);
    Ok((scanner, Some(sensors)))
}

/// Takes over the wires of a board, all rows released.
///
/// # Errors
/// [`OpenError`]: what is missing, and what to do about it.
pub fn open(scan: &Scan, board: &Board, pin_map: &PinMap) -> Result<Box<dyn Scanner>, OpenError> {
    let settle = Duration::from_micros(scan.settle_us);
    let rows: Vec<u8> = pin_map.rows().map(|(_, line)| line.pin.bcm).collect();
    let columns: Vec<u8> = pin_map.columns().map(|(_, line)| line.pin.bcm).collect();
    Ok(match scan.backend {
        Backend::Rppal => Box::new(matrix::Matrix::new(rppal::PiLines::open(&rows, &columns)?, settle)),
        Backend::Gpiocdev => {
            let lines = gpiocdev::ChipLines::open(&scan.chip, &rows, &columns)?;
            Box::new(matrix::Matrix::new(lines, settle))
        }
        Backend::Simulated => Box::new(played::Played::hands(pin_map, board, played::LifeTime::default())),
    })
}
