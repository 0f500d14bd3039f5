//! Moves that are not legal but that the rules name: the compulsion or the majority rule broken, or a capture
//! left half-way. They are what a reader of the board has to recognise besides the legal moves.

use super::bitboard::{Board, Game, Mover};
use super::movegen::{
    capturing_pieces, for_each_landing, for_each_quiet, landing_move, legal_moves_into, quiet_move,
};
use crate::moves::{ConceivableMove, Irregularity};

/// All conceivable moves in ascending order, each once and none of them legal.
///
/// Without a capture on the board there are none.
pub(crate) fn conceivable_moves<G: Game, S: Mover>(board: &Board) -> Vec<ConceivableMove> {
    let capturing = capturing_pieces::<G>(board);
    if capturing == 0 {
        return Vec::new();
    }
    let mut conceivable = Vec::new();
    for_each_quiet::<G, S>(board, |from, to| {
        let mv = quiet_move::<G, S>(board, from, to);
        conceivable.push(ConceivableMove { mv, why: Irregularity::CaptureMissed });
    });
    for_each_landing::<G, S>(board, capturing, &mut |landing| {
        // Without a majority rule there is no wrong count: a king that stops behind its victim where it
        // cannot go on, although another square there lets it, has stopped short.
        let why = if landing.goes_on || (landing.has_to_go_on && !G::MAJORITY) {
            Irregularity::StoppedShort
        } else {
            Irregularity::WrongCount
        };
        conceivable.push(ConceivableMove { mv: landing_move::<G>(&landing), why });
    });
    let mut legal = Vec::new();
    legal_moves_into::<G, S>(board, &mut legal);
    conceivable.retain(|irregular| legal.binary_search(&irregular.mv).is_err());
    conceivable.sort_unstable();
    conceivable.dedup();
    conceivable
}
