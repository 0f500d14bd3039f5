//! Legal moves: quiet moves, and captures with the walk that finds them.
//!
//! Terms: a *landing* is a square on which a capturing piece can be set down after taking something. A landing
//! *goes on* if from there another piece can be taken; a capture is *whole* where it does not.

use super::bitboard::{Board, Game, Mover, each_bit};
use crate::geometry::Direction;
use crate::moves::Move;
use crate::square::SquareSet;

/// Calls `visit(from, to)` for every quiet move, as if no capture were compulsory.
#[inline(always)]
pub(crate) fn for_each_quiet<G: Game, S: Mover>(board: &Board, mut visit: impl FnMut(u64, u64)) {
    let empty = board.empty(G::GRID);
    for direction in S::FORWARD {
        for to in each_bit(G::GRID.step(board.mine & !board.kings, direction) & empty) {
            visit(G::GRID.step(to, direction.back()), to);
        }
    }
    for from in each_bit(board.mine & board.kings) {
        for direction in Direction::ALL {
            let mut to = G::GRID.step(from, direction) & empty;
            while to != 0 {
                visit(from, to);
                to = G::GRID.step(to, direction) & empty;
            }
        }
    }
}

/// A square on which a capturing piece can be set down, and what it means to stop there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landing {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) captured: u64,
    /// A man became a king on the way or, where it stops on the far row, becomes one by stopping here.
    pub(crate) promotes: bool,
    /// Another piece can be taken from here.
    pub(crate) goes_on: bool,
    /// Another piece can be taken from here or from another square behind the same victim; a king has to
    /// choose a square from which it can go on.
    pub(crate) has_to_go_on: bool,
}

/// The squares from which some piece can take something.
#[inline(always)]
pub(crate) fn capturing_pieces<G: Game>(board: &Board) -> u64 {
    let empty = board.empty(G::GRID);
    let men = board.mine & !board.kings;
    let mut capturing = 0;
    for direction in Direction::ALL {
        let victims = board.theirs & G::GRID.step(men, direction) & G::GRID.step(empty, direction.back());
        capturing |= men & G::GRID.step(victims, direction.back());
    }
    for king in each_bit(board.mine & board.kings) {
        let takes = |direction| {
            let victim = first_piece::<G>(king, direction, empty) & board.theirs;
            G::GRID.step(victim, direction) & empty != 0
        };
        if Direction::ALL.into_iter().any(takes) {
            capturing |= king;
        }
    }
    capturing
}

/// The first square from `at` along `direction` that is not empty, be it a piece, a ghost or nothing.
#[inline(always)]
fn first_piece<G: Game>(at: u64, direction: Direction, empty: u64) -> u64 {
    let mut next = G::GRID.step(at, direction);
    while next & empty != 0 {
        next = G::GRID.step(next, direction);
    }
    next
}

/// Calls `visit` for every landing of every capture of the pieces in `pieces`, legal or not.
///
/// Landings that differ only in their route are visited once for each.
pub(crate) fn for_each_landing<G: Game, S: Mover>(
    board: &Board,
    pieces: u64,
    visit: &mut impl FnMut(Landing),
) {
    for from in each_bit(pieces) {
        // The origin counts as empty: the piece may pass or end there (CN100 6.9).
        let empty = board.empty(G::GRID) | from;
        let mut walk = CaptureWalk { from, theirs: board.theirs, empty, visit: &mut *visit };
        if board.kings & from != 0 {
            walk.king::<G>(from, 0, false, &Direction::ALL);
        } else {
            walk.man::<G, S>(from, 0);
        }
    }
}

struct CaptureWalk<'a, V> {
    from: u64,
    theirs: u64,
    empty: u64,
    visit: &'a mut V,
}

impl<V: FnMut(Landing)> CaptureWalk<'_, V> {
    /// Takes all that a man at `at` can take; says whether there was anything.
    fn man<G: Game, S: Mover>(&mut self, at: u64, captured: u64) -> bool {
        let far_row = G::GRID.far_row(S::SIDE);
        let mut takes = false;
        for direction in Direction::ALL {
            // Captured pieces stay on the board and are jumped only once (CN100 6.9, 6.12).
            let victim = G::GRID.step(at, direction) & self.theirs & !captured;
            let to = G::GRID.step(victim, direction) & self.empty;
            if to == 0 {
                continue;
            }
            takes = true;
            let captured = captured | victim;
            let promotes = to & far_row != 0;
            let goes_on = if G::PROMOTES_IN_PASSING && promotes {
                self.king::<G>(to, captured, true, &Direction::ALL)
            } else {
                self.man::<G, S>(to, captured)
            };
            let from = self.from;
            (self.visit)(Landing { from, to, captured, promotes, goes_on, has_to_go_on: goes_on });
        }
        takes
    }

    /// Takes all that a king at `at` can take along `directions`; says whether there was anything.
    fn king<G: Game>(&mut self, at: u64, captured: u64, promotes: bool, directions: &[Direction]) -> bool {
        directions
            .iter()
            .fold(false, |takes, &direction| self.king_along::<G>(at, captured, promotes, direction) | takes)
    }

    /// Takes the first enemy piece along `direction` and goes on from every square behind it.
    fn king_along<G: Game>(&mut self, at: u64, captured: u64, promotes: bool, direction: Direction) -> bool {
        let victim = first_piece::<G>(at, direction, self.empty) & self.theirs & !captured;
        let behind = G::GRID.step(victim, direction) & self.empty;
        if behind == 0 {
            return false;
        }
        let captured = captured | victim;
        // Straight on is tried once, not from every square on the line: where the king is set down between
        // two victims on one line makes no difference.
        let straight_on = self.king_along::<G>(behind, captured, promotes, direction);
        let mut landings = 0;
        let mut turning = 0;
        let mut to = behind;
        while to != 0 {
            landings |= to;
            if self.king::<G>(to, captured, promotes, &direction.across()) {
                turning |= to;
            }
            to = G::GRID.step(to, direction) & self.empty;
        }
        let has_to_go_on = straight_on || turning != 0;
        for to in each_bit(landings) {
            let goes_on = straight_on || turning & to != 0;
            (self.visit)(Landing { from: self.from, to, captured, promotes, goes_on, has_to_go_on });
        }
        true
    }
}

/// Replaces the content of `moves` by the legal moves in ascending order, each once.
pub(crate) fn legal_moves_into<G: Game, S: Mover>(board: &Board, moves: &mut Vec<Move>) {
    moves.clear();
    let capturing = capturing_pieces::<G>(board);
    if capturing != 0 {
        captures_into::<G, S>(board, capturing, moves);
    } else {
        for_each_quiet::<G, S>(board, |from, to| moves.push(quiet_move::<G, S>(board, from, to)));
    }
    moves.sort_unstable();
    moves.dedup();
}

/// Adds the legal captures of the pieces in `capturing`, once for each route.
fn captures_into<G: Game, S: Mover>(board: &Board, capturing: u64, moves: &mut Vec<Move>) {
    let mut most = 0;
    for_each_landing::<G, S>(board, capturing, &mut |landing| {
        if landing.has_to_go_on {
            return;
        }
        if G::MAJORITY {
            // A king counts as one piece (CN100 6.13); between equals the choice is free (6.14).
            let count = landing.captured.count_ones();
            if count < most {
                return;
            }
            if count > most {
                most = count;
                moves.clear();
            }
        }
        moves.push(landing_move::<G>(&landing));
    });
}

/// A quiet move in the form the rest of the program uses.
#[inline(always)]
pub(crate) fn quiet_move<G: Game, S: Mover>(board: &Board, from: u64, to: u64) -> Move {
    Move {
        from: G::GRID.square(from),
        to: G::GRID.square(to),
        captured: SquareSet::EMPTY,
        promotes: board.kings & from == 0 && to & G::GRID.far_row(S::SIDE) != 0,
    }
}

/// A capture that ends at `landing`, in the form the rest of the program uses.
pub(crate) fn landing_move<G: Game>(landing: &Landing) -> Move {
    Move {
        from: G::GRID.square(landing.from),
        to: G::GRID.square(landing.to),
        captured: G::GRID.unpad(landing.captured),
        promotes: landing.promotes,
    }
}

/// Whether the side to move has a legal move.
///
/// A piece can move if a neighbouring square it may go to is empty or it can take a neighbour. A king that
/// takes at a distance has an empty neighbour, so kings need no closer look.
pub(crate) fn has_legal_move<G: Game, S: Mover>(board: &Board) -> bool {
    let empty = board.empty(G::GRID);
    let kings = board.mine & board.kings;
    Direction::ALL.into_iter().any(|direction| {
        let walkers = if S::FORWARD.contains(&direction) { board.mine } else { kings };
        let victims = G::GRID.step(board.mine, direction) & board.theirs;
        (G::GRID.step(walkers, direction) | G::GRID.step(victims, direction)) & empty != 0
    })
}
