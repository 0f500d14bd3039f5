//! A switch matrix on the machine's pins, scanned; and what is wrong with its wires, in the log.

use draughtsd_core::position::Position;

use super::{NextGame, Source, next_game};
use crate::config::Config;
use crate::pinmap::{BoardSize, PinMap};
use crate::scan::changes::{matrix_of, places_of};
use crate::scan::diagnosis::{Fault, dead_wires};
use crate::scan::frame::Closed;
use crate::scan::stack::StackWords;
use crate::scan::stack::thread::Sensing;
use crate::scan::thread::{Scanning, Started};
use crate::scan::{self, BringUpError, Words};

/// Takes the wires over and begins to scan. What is wrong with them is told from then on.
pub(super) fn open(config: &Config) -> Result<(Source, NextGame), BringUpError> {
    let pin_map = scan::pin_map(&config.scan, &config.board)?;
    let Started { board, first, scanning, warnings, .. } =
        scan::bring_up(&config.scan, &config.board, &pin_map)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    tell_dead_wires(config, &pin_map, &first.closed);
    let mut next = next_game(config);
    next.header.matrix = matrix_of(&pin_map, &config.board);
    if let Some(sensing) = scanning.crownings() {
        tokio::spawn(tell_sensor_faults(sensing.clone(), pin_map.clone()));
    }
    tokio::spawn(tell_faults(scanning, pin_map, BoardSize::of(config.board.game)));
    Ok((Source::Scanned(board), next))
}

/// A wire that is dead shows when the discs stand in their start position. Whether they do is a guess until most of
/// them are there.
fn tell_dead_wires(config: &Config, pin_map: &PinMap, closed: &Closed) {
    let board = &config.board;
    let discs = places_of(pin_map, board.game, board.white_side, Position::start(board.game).occupied());
    let standing = discs.places().filter(|&place| closed.contains(place)).count();
    if standing * 2 < discs.places().count() {
        return;
    }
    let words = Words::new(pin_map, BoardSize::of(board.game));
    for fault in dead_wires(closed, &discs) {
        tracing::warn!(?fault, "{}", words.fault(fault));
    }
}

/// Tells of each fault when it appears and when it is gone, until the board is no longer scanned.
async fn tell_faults(scanning: Scanning, pin_map: PinMap, size: BoardSize) {
    let words = Words::new(&pin_map, size);
    let mut faults = scanning.faults();
    let mut known: Vec<Fault> = Vec::new();
    while faults.changed().await.is_ok() {
        let now = faults.borrow_and_update().clone();
        for &fault in now.iter().filter(|fault| !known.contains(fault)) {
            tracing::warn!(?fault, "{}", words.fault(fault));
        }
        for fault in known.iter().filter(|fault| !now.contains(fault)) {
            tracing::info!(?fault, "this fault no longer shows");
        }
        known = now;
    }
    if let Some(failure) = scanning.failure() {
        tracing::error!(%failure, "the board can no longer be read");
    }
}

/// The same for the Hall sensors.
async fn tell_sensor_faults(sensing: Sensing, pin_map: PinMap) {
    let words = StackWords::new(&pin_map, sensing.wired());
    let mut faults = sensing.faults();
    faults.mark_changed();
    let mut known: Vec<String> = Vec::new();
    while faults.changed().await.is_ok() {
        let now = words.faults(&faults.borrow_and_update());
        for fault in now.iter().filter(|fault| !known.contains(fault)) {
            tracing::warn!("{fault}");
        }
        for fault in known.iter().filter(|fault| !now.contains(fault)) {
            tracing::info!(fault, "this fault of a Hall sensor no longer shows");
        }
        known = now;
    }
}
