//! Games made up from a seed: legal, without an engine, but with some sense, so that they have
//! exchanges, promotions and an end.

use draughtsd_core::moves::Move;
use draughtsd_core::position::Position;

use super::random::Random;

/// A game is broken off when nothing but kings has moved, and nothing was captured, for this many plies.
const IDLE: usize = 40;

/// Plays from `start` until a side has lost, for at most `plies`.
pub(super) fn play(start: &Position, plies: usize, random: &mut Random) -> Vec<Move> {
    let mut position = *start;
    let mut moves = Vec::new();
    let mut idle = 0;
    while moves.len() < plies && idle < IDLE {
        let Some(mv) = choose(&position, random) else { break };
        let is_progress = mv.is_capture() || position.men(position.turn()).contains(mv.from);
        idle = if is_progress { 0 } else { idle + 1 };
        position = position.play(mv);
        moves.push(mv);
    }
    moves
}

/// A legal move with a mild preference for keeping discs and for the far row; none if there is none.
pub(super) fn choose(position: &Position, random: &mut Random) -> Option<Move> {
    let legal = position.legal_moves();
    if legal.len() < 2 || random.chance(150) {
        return random.pick(&legal).copied();
    }
    let mut best = None;
    for mv in legal {
        let after = position.play(mv);
        let lost = after.legal_moves().iter().map(|reply| reply.captured.len()).max().unwrap_or(0);
        let taken = mv.captured.len();
        let gain = i64::try_from(taken).unwrap_or(0) - i64::try_from(lost).unwrap_or(0);
        let worth = 30 * gain + if mv.promotes { 40 } else { 0 } + i64::from(random.below(45));
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, mv));
        }
    }
    best.map(|(_, mv)| mv)
}
