//! Sensors without copper: what they would read under the discs of a simulated board, and what can be wrong with them.
//!
//! Where discs come from is not their business: a played-back recording, simulated hands or the guided calibration
//! put them down.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use draughtsd_core::square::{Square, SquareSet};
use thiserror::Error;

use super::calibration::{Calibration, Points};
use super::{FULL_SCALE, Reading, StackReader, square_of};
use crate::config::Board;
use crate::pinmap::Wiring;

/// 1.65 V: no field.
const EMPTY: u16 = 2048;
/// 54 mV, as 25 mm below a magnet of 10 x 1 mm; the centre of the square.
const MAN: u16 = 67;
/// 80 mV: two of them.
const KING: u16 = 100;
/// What a second disc adds where the sensor lies too near to the surface.
const SHALLOW: u16 = 10;
/// So many steps less are read when the discs stand off centre.
const OFF_CENTRE: u16 = 2;

/// What is wrong with a simulated sensor. Squares as they are wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensorFault {
    /// Its converter does not answer.
    Silent(Square),
    /// Its output touches ground.
    Low(Square),
    /// It lies too near to the surface: a second disc adds next to nothing.
    Shallow(Square),
}

/// Why a fault was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no fault of a Hall sensor; there are sensor-silent:N, sensor-low:N and sensor-shallow:N, N the square"
)]
pub struct SensorFaultError(pub String);

impl FromStr for SensorFault {
    type Err = SensorFaultError;

    fn from_str(text: &str) -> Result<Self, SensorFaultError> {
        let refused = || SensorFaultError(text.to_owned());
        let (name, square) = text.split_once(':').ok_or_else(refused)?;
        let square = square.parse().ok().and_then(Square::new).ok_or_else(refused)?;
        match name {
            "sensor-silent" => Ok(Self::Silent(square)),
            "sensor-low" => Ok(Self::Low(square)),
            "sensor-shallow" => Ok(Self::Shallow(square)),
            _ => Err(refused()),
        }
    }
}

/// The discs above the sensors, by the squares of the game. Cheap to clone: all clones are of the same discs.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    discs: Arc<AtomicU64>,
    seconds: Arc<AtomicU64>,
    off_centre: Arc<AtomicU64>,
}

impl Pieces {
    /// A disc stands on a square, or none.
    pub fn set_disc(&self, square: Square, stands: bool) {
        set(&self.discs, square, stands);
    }

    /// A second disc stands on that of a square, or none.
    pub fn set_second(&self, square: Square, stands: bool) {
        set(&self.seconds, square, stands);
    }

    /// What stands on a square stands off its centre, or not.
    pub fn set_off_centre(&self, square: Square, stands: bool) {
        set(&self.off_centre, square, stands);
    }

    /// Second discs stand on these squares and no others.
    pub fn set_seconds(&self, squares: SquareSet) {
        let bits = squares.iter().fold(0, |bits, square| bits | bit(square));
        self.seconds.store(bits, Ordering::Relaxed);
    }
}

fn bit(square: Square) -> u64 {
    1 << square.index()
}

fn set(squares: &AtomicU64, square: Square, is_in: bool) {
    if is_in {
        squares.fetch_or(bit(square), Ordering::Relaxed);
    } else {
        squares.fetch_and(!bit(square), Ordering::Relaxed);
    }
}

/// The sensors under such discs.
#[derive(Clone, Debug)]
pub struct SimulatedSensors {
    pieces: Pieces,
    /// Each sensor's square, as it is wired and in the game.
    squares: Vec<(Square, Square)>,
    faults: Vec<SensorFault>,
    noise: u32,
}

impl SimulatedSensors {
    /// The sensors of a board.
    #[must_use]
    pub fn new(wiring: &Wiring, board: &Board, pieces: Pieces, faults: &[SensorFault]) -> Self {
        let squares = wiring.stack().iter().map(|sensor| (sensor.square, square_of(sensor, board)));
        Self { pieces, squares: squares.collect(), faults: faults.to_vec(), noise: 1 }
    }

    /// A step more or less, as every converter has it.
    fn noisy(&mut self, level: u16) -> u16 {
        self.noise = self.noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = [0, 1, 1, 2][(self.noise >> 30) as usize];
        (level + noise).saturating_sub(1).min(FULL_SCALE)
    }

    fn of(&mut self, (wired, square): (Square, Square)) -> Reading {
        if self.faults.contains(&SensorFault::Silent(wired)) {
            return Reading::Silent;
        }
        if self.faults.contains(&SensorFault::Low(wired)) {
            return Reading::Level(0);
        }
        let has = |squares: &AtomicU64| squares.load(Ordering::Relaxed) & bit(square) != 0;
        let is_shallow = self.faults.contains(&SensorFault::Shallow(wired));
        let pulled = match (has(&self.pieces.discs), has(&self.pieces.seconds)) {
            (false, false) => 0,
            (true, false) => MAN,
            (_, true) if is_shallow => MAN + SHALLOW,
            (_, true) => KING,
        };
        let off_centre = if has(&self.pieces.off_centre) { OFF_CENTRE } else { 0 };
        let level = EMPTY + pulled.saturating_sub(off_centre);
        Reading::Level(self.noisy(level))
    }
}

impl StackReader for SimulatedSensors {
    fn read(&mut self) -> Vec<Reading> {
        let squares = self.squares.clone();
        squares.into_iter().map(|square| self.of(square)).collect()
    }
}

/// The calibration of simulated sensors.
#[must_use]
pub fn calibration(wiring: &Wiring) -> Calibration {
    let points = Points { empty: EMPTY, man: EMPTY + MAN, king: EMPTY + KING - OFF_CENTRE };
    Calibration::of(wiring.stack().iter().map(|sensor| (sensor.square, points)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::WhiteSide;
    use crate::pinmap::{BoardSize, PinMap};

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    #[test]
    fn sensors_feel_what_stands_on_their_squares_wherever_white_sits() {
        let map = PinMap::shipped();
        let wiring = map.wiring(BoardSize::Hundred).unwrap();
        assert_eq!(calibration(wiring).points(square(46)).unwrap().check(), Ok(()));
        for (white_side, felt) in [(WhiteSide::Near, 2), (WhiteSide::Far, 7)] {
            let board = Board { white_side, ..Board::default() };
            let pieces = Pieces::default();
            let mut sensors = SimulatedSensors::new(wiring, &board, pieces.clone(), &[]);
            pieces.set_disc(square(3), true);
            pieces.set_second(square(3), true);
            let levels: Vec<u16> =
                sensors.read().into_iter().map(|reading| reading.level().unwrap()).collect();
            for (index, level) in levels.into_iter().enumerate() {
                let expected = if index == felt { EMPTY + KING } else { EMPTY };
                assert!(level.abs_diff(expected) <= 1, "{white_side:?} {index} {level}");
            }
        }
    }

    #[test]
    fn faults_are_named_with_their_squares() {
        assert_eq!("sensor-low:46".parse(), Ok(SensorFault::Low(square(46))));
        assert_eq!("sensor-shallow:1".parse(), Ok(SensorFault::Shallow(square(1))));
        for refused in ["", "sensor-low", "sensor-low:0", "sensor-low:51", "sensor-lo:1"] {
            assert_eq!(refused.parse::<SensorFault>(), Err(SensorFaultError(refused.to_owned())));
        }
    }
}
