//! Counts the move sequences of a given length, the usual proof that a generator is right.

use crate::position::Position;

/// How many different sequences of `depth` moves there are from `position`.
///
/// Two captures of one piece with the same origin, target, captured set and promotion count as one move. Draw
/// rules play no part. The number of sequences must fit into 64 bits, as it does for every depth that can be
/// waited for.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position.legal_moves().into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum(),
    }
}
