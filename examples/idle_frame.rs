//! The software's share of scanning a board on which nothing happens, for counting instructions: see
//! `benches/idle-frame.sh` and `docs/performance.md`.
//!
//! The discs stand in the start position of the game on 50 squares. Everything is done that the scan thread does
//! for a frame but sleeping; the lines are answered from a table, so that no access to a pin is counted.
//!
//!     cargo run --release --example idle_frame -- FRAMES

use std::process::ExitCode;
use std::time::Duration;

use draughtsd::config::Board;
use draughtsd::pinmap::PinMap;
use draughtsd::scan::ScanError;
use draughtsd::scan::changes::{Roles, places_of};
use draughtsd::scan::frame::{Closed, Low, Wires};
use draughtsd::scan::matrix::{Lines, Matrix};
use draughtsd::scan::thread::tread;
use draughtsd_core::position::Position;

/// Lines that cost nothing.
struct Table {
    rows: usize,
    closed: Closed,
    driven: Option<usize>,
}

impl Lines for Table {
    fn row_count(&self) -> usize {
        self.rows
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
        Ok(match self.driven {
            Some(row) => Low { rows: rows & 1 << row, columns: self.closed.in_row(row) },
            None => Low::default(),
        })
    }
}

#[expect(clippy::print_stderr, reason = "a measuring program of the developer's")]
fn main() -> ExitCode {
    let Some(frames) = std::env::args().nth(1).and_then(|text| text.parse().ok()) else {
        eprintln!("usage: idle_frame FRAMES");
        return ExitCode::from(64);
    };
    let (board, map) = (Board::default(), PinMap::shipped());
    let discs = Position::start(board.game).occupied();
    let closed = places_of(&map, board.game, board.white_side, discs);
    let lines = Table { rows: map.rows().len(), closed, driven: None };
    let Some(roles) = Roles::new(&map, &board) else { return ExitCode::FAILURE };
    match tread(Box::new(Matrix::new(lines, Duration::ZERO)), roles, frames) {
        Ok(counts) if counts.completed == frames && counts.deferred == 0 => ExitCode::SUCCESS,
        other => {
            eprintln!("{frames} frames were asked for: {other:?}");
            ExitCode::FAILURE
        }
    }
}
