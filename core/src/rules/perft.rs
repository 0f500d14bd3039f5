//! Counts the move sequences of a given length, the usual proof that a generator is right, and quickly.
//!
//! The last ply is counted, not played: quiet moves, and captures that are done after one piece, are bits of a
//! mask. Only captures that may take several are walked through one by one.

use super::bitboard::{Board, Game, Mover, specialised};
use super::movegen::{Landing, Majority, Outline, Verdict, count_quiet, for_each_quiet};
use crate::position::Position;

/// How many different sequences of `depth` moves there are from `position`.
///
/// Two captures of one piece with the same origin, target, captured set and promotion count as one move. Draw
/// rules play no part. The number of sequences must fit into 64 bits, as it does for every depth that can be
/// waited for.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    specialised!(position.variant(), position.turn(), count_sequences(position.board(), depth))
}

fn count_sequences<G: Game, S: Mover>(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves::<G, S>(board),
        _ => {
            let mut sequences = 0;
            for_each_successor::<G, S>(board, |successor| {
                sequences += if depth == 2 {
                    count_moves::<G, S::Opponent>(successor)
                } else {
                    count_sequences::<G, S::Opponent>(successor, depth - 1)
                };
            });
            sequences
        }
    }
}

/// The last ply. Kept apart from the recursion, most of whose registers it does not need.
#[inline(never)]
fn count_moves<G: Game, S: Mover>(board: &Board) -> u64 {
    let Some(outline) = Outline::find::<G, S>(board) else {
        return count_quiet::<G, S>(board).into();
    };
    let done = u64::from(outline.count_done());
    if outline.is_done() { done } else { done + walked::<G, S>(board, &outline).len() as u64 }
}

/// Calls `visit` for the board after every legal move, seen from the other side.
#[inline(always)]
fn for_each_successor<G: Game, S: Mover>(board: &Board, mut visit: impl FnMut(&Board)) {
    let Some(outline) = Outline::find::<G, S>(board) else {
        for_each_quiet::<G, S>(board, |from, to| {
            visit(&successor(board, from, to, 0, to & G::GRID.far_row(S::SIDE) != 0));
        });
        return;
    };
    let mut visit_landing = |Landing { from, to, captured, promotes, .. }| {
        visit(&successor(board, from, to, captured, promotes));
    };
    outline.for_each_done::<G, S>(board, &mut visit_landing);
    if !outline.is_done() {
        walked::<G, S>(board, &outline).into_iter().for_each(visit_landing);
    }
}

/// The board after a move, seen from the other side.
#[inline(always)]
fn successor(board: &Board, from: u64, to: u64, captured: u64, promotes: bool) -> Board {
    let king = if promotes || board.kings & from != 0 { to } else { 0 };
    // A capture may end where it began, so the origin is cleared before the target is set.
    Board {
        mine: board.theirs & !captured,
        theirs: board.mine & !from | to,
        kings: board.kings & !(from | captured) | king,
    }
}

/// The legal captures that go on beyond one piece, each once.
fn walked<G: Game, S: Mover>(board: &Board, outline: &Outline) -> Vec<Landing> {
    let mut walked = Vec::new();
    let mut majority = Majority::default();
    outline.for_each_walked::<G, S>(board, |landing| {
        match majority.judge::<G>(landing.captured) {
            Verdict::TooFew => return,
            Verdict::AsManyAsOthers => {}
            Verdict::MoreThanOthers => walked.clear(),
        }
        walked.push(landing);
    });
    if walked.len() > 1 {
        walked.sort_unstable();
        walked.dedup();
    }
    walked
}
