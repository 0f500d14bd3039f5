//! The routes of a capture whose origin, target and captured set are known.

use super::bitboard::{Board, Game, Mover};
use crate::geometry::Direction;
use crate::moves::{Move, Route};

/// All routes of `mv`, in ascending order; none if the piece cannot make that move.
///
/// Whether the move is legal does not matter: the routes of a capture that stops short, or takes too few, are
/// found too. The order in which pieces are taken tells routes apart, not where a king is set down between two
/// victims on one line.
pub(crate) fn routes<G: Game, S: Mover>(board: &Board, mv: &Move) -> Vec<Route> {
    let from = G::GRID.bit(mv.from);
    let to = G::GRID.bit(mv.to);
    let is_king = board.kings & from != 0;
    if board.mine & from == 0 || to == 0 {
        return Vec::new();
    }
    let victims = G::GRID.pad(mv.captured);
    if victims & !board.theirs != 0 {
        return Vec::new();
    }
    let mut search = RouteSearch {
        to,
        empty: board.empty(G::GRID) | from,
        promotes: mv.promotes,
        was_king: is_king,
        route: Route { from: mv.from, landings: Vec::new(), captures: Vec::new() },
        found: Vec::new(),
    };
    if victims == 0 {
        if is_quiet_move::<G, S>(board, from, to) {
            search.route.landings.push(mv.to);
            search.found.push(search.route.clone());
        }
    } else if is_king {
        search.king::<G>(from, victims, &Direction::ALL);
    } else {
        search.man::<G, S>(from, victims);
    }
    search.found.sort_unstable();
    search.found.dedup();
    search.found
}

fn is_quiet_move<G: Game, S: Mover>(board: &Board, from: u64, to: u64) -> bool {
    let mut found = false;
    let piece = Board { mine: from, theirs: board.theirs | (board.mine & !from), kings: board.kings };
    super::movegen::for_each_quiet::<G, S>(&piece, |_, target| found |= target == to);
    found
}

struct RouteSearch {
    to: u64,
    /// Without the squares of captured pieces: these stay on the board and block (CN100 6.12).
    empty: u64,
    promotes: bool,
    was_king: bool,
    route: Route,
    found: Vec<Route>,
}

impl RouteSearch {
    /// Follows the jumps of a man at `at` over the pieces in `left`.
    fn man<G: Game, S: Mover>(&mut self, at: u64, left: u64) {
        for direction in Direction::ALL {
            let victim = G::GRID.step(at, direction) & left;
            let landing = G::GRID.step(victim, direction) & self.empty;
            if landing == 0 {
                continue;
            }
            let left = left & !victim;
            let on_far_row = landing & G::GRID.far_row(S::SIDE) != 0;
            self.push::<G>(victim, landing);
            if left == 0 {
                self.finish(landing, on_far_row);
            } else if G::PROMOTES_IN_PASSING && on_far_row {
                self.king::<G>(landing, left, &Direction::ALL);
            } else {
                self.man::<G, S>(landing, left);
            }
            self.pop();
        }
    }

    /// Follows the jumps of a king at `at` along `directions` over the pieces in `left`.
    fn king<G: Game>(&mut self, at: u64, left: u64, directions: &[Direction]) {
        for &direction in directions {
            let mut next = G::GRID.step(at, direction);
            while next & self.empty != 0 {
                next = G::GRID.step(next, direction);
            }
            let victim = next & left;
            let behind = G::GRID.step(victim, direction) & self.empty;
            if behind == 0 {
                continue;
            }
            let left = left & !victim;
            if left != 0 {
                self.push::<G>(victim, behind);
                self.king::<G>(behind, left, &[direction]);
                self.pop();
            }
            let mut landing = behind;
            while landing != 0 {
                self.push::<G>(victim, landing);
                if left == 0 {
                    self.finish(landing, !self.was_king);
                } else {
                    self.king::<G>(landing, left, &direction.across());
                }
                self.pop();
                landing = G::GRID.step(landing, direction) & self.empty;
            }
        }
    }

    fn push<G: Game>(&mut self, victim: u64, landing: u64) {
        self.route.captures.push(G::GRID.square(victim));
        self.route.landings.push(G::GRID.square(landing));
    }

    fn pop(&mut self) {
        self.route.captures.pop();
        self.route.landings.pop();
    }

    fn finish(&mut self, landing: u64, promotes: bool) {
        if landing == self.to && promotes == self.promotes {
            self.found.push(self.route.clone());
        }
    }
}
