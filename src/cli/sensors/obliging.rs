//! A simulated board on which a disc comes down wherever the guided test asks for one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::Duration;

use draughtsd_core::square::{Square, SquareSet};

use crate::config::Board;
use crate::pinmap::PinMap;
use crate::scan::changes::places_of;
use crate::scan::frame::Closed;
use crate::scan::matrix::Matrix;
use crate::scan::simulated::{Circuit, WireFault};
use crate::scan::{ScanError, ScanFrame, Scanner};

/// Scans from one disc taken away to the next put down: a tenth of a second.
const IN_HAND: u32 = 100;
/// The contact bounces in the scans after it: closed, open, and closed for good.
const BOUNCE: [bool; 3] = [true, false, true];

/// The square that is asked for; none of them: no disc is put down.
#[derive(Clone, Debug, Default)]
pub(super) struct Wish(Arc<AtomicU8>);

impl Wish {
    pub(super) fn set(&self, square: Option<Square>) {
        self.0.store(square.map_or(0, Square::number), Relaxed);
    }

    fn square(&self) -> Option<Square> {
        Square::new(self.0.load(Relaxed))
    }
}

/// The board.
pub(super) struct Obliging {
    matrix: Matrix<Circuit>,
    pin_map: PinMap,
    board: Board,
    wish: Wish,
    /// Where the disc is or will be, and how many scans ago it was asked for there.
    disc: (Option<Square>, u32),
}

impl Obliging {
    pub(super) fn new(pin_map: &PinMap, board: &Board, faults: &[WireFault], wish: Wish) -> Self {
        let mut circuit = Circuit::new(pin_map.rows().len(), pin_map.columns().len());
        faults.iter().for_each(|&fault| circuit.add_fault(fault));
        let matrix = Matrix::new(circuit, Duration::ZERO);
        Self { matrix, pin_map: pin_map.clone(), board: board.clone(), wish, disc: (None, 0) }
    }

    fn place_disc(&mut self, square: Square, closed: bool) {
        let squares: SquareSet = [square].into_iter().collect();
        let places: Closed = places_of(&self.pin_map, self.board.game, self.board.white_side, squares);
        places.places().for_each(|place| self.matrix.lines_mut().set(place, closed));
    }
}

impl Scanner for Obliging {
    fn scan(&mut self) -> Result<ScanFrame, ScanError> {
        let wanted = self.wish.square();
        let (square, scans) = self.disc;
        if wanted != square {
            if let Some(square) = square {
                self.place_disc(square, false);
            }
            self.disc = (wanted, 0);
        } else if let Some(square) = square {
            let bounce = scans.checked_sub(IN_HAND).and_then(|since| BOUNCE.get(since as usize));
            if let Some(&closed) = bounce {
                self.place_disc(square, closed);
            }
            self.disc.1 = scans.saturating_add(1);
        }
        self.matrix.scan()
    }
}
