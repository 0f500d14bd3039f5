//! Legal moves: quiet moves, and captures.
//!
//! Terms: a *landing* is a square on which a capturing piece can be set down after taking something. A landing
//! *goes on* if from there another piece can be taken; a capture is *done* where it does not.
//!
//! Most captures take one piece. An [`Outline`] therefore first tells, by masks for all pieces at once, which
//! captures are done after one piece; a [`CaptureWalk`] follows the others piece by piece.

use super::bitboard::{Board, Game, Mover, each_bit};
use crate::geometry::Direction;
use crate::moves::Move;
use crate::square::SquareSet;

/// The squares from which an enemy piece next to it can be jumped, by direction, whoever may stand there.
#[derive(Clone, Copy)]
struct Jumps([u64; 4]);

impl Jumps {
    #[inline(always)]
    fn find<G: Game>(board: &Board, empty: u64) -> Self {
        Self(Direction::ALL.map(|direction| {
            let back = direction.back();
            G::GRID.step(G::GRID.step(empty, back) & board.theirs, back)
        }))
    }

    #[inline(always)]
    const fn along(&self, direction: Direction) -> u64 {
        self.0[direction as usize]
    }

    #[inline(always)]
    const fn anywhere(&self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    /// The squares where a man that came along `direction` can go on.
    ///
    /// Its second jump is judged by the board as it stands: without turning back it meets no piece it has
    /// taken, and it cannot come back to its origin so soon.
    #[inline(always)]
    const fn man_goes_on(&self, direction: Direction) -> u64 {
        let [left, right] = direction.across();
        self.along(direction) | self.along(left) | self.along(right)
    }

    /// The squares in `landings` where a king that came along `direction` can go on; the same reasoning holds.
    #[inline(always)]
    fn king_goes_on<G: Game>(&self, landings: u64, direction: Direction, empty: u64) -> bool {
        let can_take = |next| (landings | G::GRID.slide(landings, next, empty)) & self.along(next) != 0;
        let [left, right] = direction.across();
        landings & self.along(direction) != 0 || can_take(left) || can_take(right)
    }
}

/// The legal moves as far as they can be told without following a capture beyond its first piece.
///
/// Landings are given by direction, in the order of [`Direction::ALL`]; each bit is one capture, since two
/// pieces cannot take the same way onto the same square.
pub(crate) struct Outline {
    /// Landings of men that are done after one piece.
    men_done: [u64; 4],
    /// Landings of men that go on.
    men_going_on: [u64; 4],
    /// Landings of kings that are done after one piece.
    kings_done: [u64; 4],
    /// The squares directly behind victims of kings that go on, from there or from a square beyond.
    kings_going_on: [u64; 4],
}

impl Outline {
    /// None if nothing can be taken, so that quiet moves are legal (CN100 6.2).
    #[inline(always)]
    pub(crate) fn find<G: Game, S: Mover>(board: &Board) -> Option<Self> {
        let empty = board.empty(G::GRID);
        let men = board.mine & !board.kings;
        let kings = board.mine & board.kings;
        let jumps = Jumps::find::<G>(board, empty);
        let men_take = men & jumps.anywhere() != 0;
        if !men_take && kings == 0 {
            return None;
        }
        let mut outline =
            Self { men_done: [0; 4], men_going_on: [0; 4], kings_done: [0; 4], kings_going_on: [0; 4] };
        let kings_take = kings != 0 && outline.add_kings::<G>(kings, &jumps, empty);
        if men_take {
            outline.add_men::<G, S>(men, &jumps);
        } else if !kings_take {
            return None;
        }
        if G::MAJORITY && !outline.is_done() {
            // Whoever goes on takes more than one (CN100 6.13).
            outline.men_done = [0; 4];
            outline.kings_done = [0; 4];
        }
        Some(outline)
    }

    #[inline(always)]
    fn add_men<G: Game, S: Mover>(&mut self, men: u64, jumps: &Jumps) {
        // A man that becomes a king in passing may go on at a distance, which needs a closer look.
        let promoted = if G::PROMOTES_IN_PASSING { G::GRID.far_row(S::SIDE) } else { 0 };
        let landings = Direction::ALL.map(|direction| G::GRID.leap(men & jumps.along(direction), direction));
        for direction in Direction::ALL {
            let landings = landings[direction as usize];
            let going_on = landings & (jumps.man_goes_on(direction) | promoted);
            self.men_going_on[direction as usize] = going_on;
            self.men_done[direction as usize] = landings & !going_on;
        }
    }

    /// Says whether there was anything to add. Not inlined: most positions have no kings.
    #[inline(never)]
    fn add_kings<G: Game>(&mut self, kings: u64, jumps: &Jumps, empty: u64) -> bool {
        let mut takes = false;
        for direction in Direction::ALL {
            let reached = kings | G::GRID.slide(kings, direction, empty);
            let behind = G::GRID.leap(reached & jumps.along(direction), direction);
            if behind == 0 {
                continue;
            }
            takes = true;
            let landings = |behind| behind | G::GRID.slide(behind, direction, empty);
            let goes_on = |landings| jumps.king_goes_on::<G>(landings, direction, empty);
            let mut done = landings(behind);
            if goes_on(done) {
                let going_on = each_bit(behind).filter(|&behind| goes_on(landings(behind))).sum();
                self.kings_going_on[direction as usize] = going_on;
                done &= !landings(going_on);
            }
            self.kings_done[direction as usize] = done;
        }
        takes
    }

    /// Whether all legal captures are done after one piece.
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        let any = |[a, b, c, d]: [u64; 4]| a | b | c | d;
        any(self.men_going_on) | any(self.kings_going_on) == 0
    }

    /// How many captures are done after one piece.
    #[inline(always)]
    pub(crate) fn count_done(&self) -> u32 {
        count_each(self.men_done) + count_each(self.kings_done)
    }

    /// Calls `visit` for every capture that is done after one piece.
    #[inline(always)]
    pub(crate) fn for_each_done<G: Game, S: Mover>(&self, board: &Board, mut visit: impl FnMut(Landing)) {
        let empty = board.empty(G::GRID);
        for direction in Direction::ALL {
            let back = direction.back();
            for to in each_bit(self.men_done[direction as usize]) {
                let captured = G::GRID.step(to, back);
                let promotes = to & G::GRID.far_row(S::SIDE) != 0;
                visit(Landing::done(G::GRID.step(captured, back), to, captured, promotes));
            }
            for to in each_bit(self.kings_done[direction as usize]) {
                let captured = G::GRID.first_not_empty(to, back, empty);
                let from = G::GRID.first_not_empty(captured, back, empty);
                visit(Landing::done(from, to, captured, false));
            }
        }
    }

    /// Calls `visit` for every capture that goes on beyond its first piece to an end, or may do so, once for
    /// each route and whatever number it takes.
    pub(crate) fn for_each_walked<G: Game, S: Mover>(&self, board: &Board, mut visit: impl FnMut(Landing)) {
        let empty = board.empty(G::GRID);
        let mut visit_end = |landing: Landing| {
            if !landing.has_to_go_on {
                visit(landing);
            }
        };
        for direction in Direction::ALL {
            let back = direction.back();
            for to in each_bit(self.men_going_on[direction as usize]) {
                let captured = G::GRID.step(to, back);
                CaptureWalk::new::<G>(board, G::GRID.step(captured, back), &mut visit_end)
                    .man_landed::<G, S>(to, captured);
            }
            for behind in each_bit(self.kings_going_on[direction as usize]) {
                let from = G::GRID.first_not_empty(G::GRID.step(behind, back), back, empty);
                CaptureWalk::new::<G>(board, from, &mut visit_end).king_along::<G>(from, 0, false, direction);
            }
        }
    }
}

/// How many bits there are in the four sets together.
#[inline(always)]
fn count_each([a, b, c, d]: [u64; 4]) -> u32 {
    let shared = a & b | c & d | (a | b) & (c | d);
    if shared == 0 {
        // Usually so, and counting is dear where the processor has no instruction for it.
        return (a | b | c | d).count_ones();
    }
    a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
}

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
            for to in each_bit(G::GRID.slide(from, direction, empty)) {
                visit(from, to);
            }
        }
    }
}

/// How many quiet moves there are, as if no capture were compulsory.
#[inline(always)]
pub(crate) fn count_quiet<G: Game, S: Mover>(board: &Board) -> u32 {
    let empty = board.empty(G::GRID);
    let men = board.mine & !board.kings;
    let kings = board.mine & board.kings;
    let [left, right] = S::FORWARD.map(|direction| (G::GRID.step(men, direction) & empty).count_ones());
    if kings == 0 {
        return left + right;
    }
    // Kings bar each other's way, so the squares they reach in one direction are different ones.
    let slides = Direction::ALL.map(|direction| G::GRID.slide(kings, direction, empty).count_ones());
    left + right + slides.into_iter().sum::<u32>()
}

/// A square on which a capturing piece can be set down, and what it means to stop there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

impl Landing {
    #[inline(always)]
    const fn done(from: u64, to: u64, captured: u64, promotes: bool) -> Self {
        Self { from, to, captured, promotes, goes_on: false, has_to_go_on: false }
    }
}

/// The squares from which some piece can take something.
pub(crate) fn capturing_pieces<G: Game>(board: &Board) -> u64 {
    let empty = board.empty(G::GRID);
    let jumps = Jumps::find::<G>(board, empty);
    let takes = |king: &u64| {
        let takes_along =
            |direction| (king | G::GRID.slide(*king, direction, empty)) & jumps.along(direction) != 0;
        Direction::ALL.into_iter().any(takes_along)
    };
    let kings: u64 = each_bit(board.mine & board.kings).filter(takes).sum();
    board.mine & !board.kings & jumps.anywhere() | kings
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
        let mut walk = CaptureWalk::new::<G>(board, from, visit);
        if board.kings & from != 0 {
            walk.king::<G>(from, 0, false, &Direction::ALL);
        } else {
            walk.man::<G, S>(from, 0);
        }
    }
}

/// Follows the captures of one piece.
struct CaptureWalk<'a, V> {
    from: u64,
    theirs: u64,
    empty: u64,
    /// Captured pieces are still among them.
    jumps: Jumps,
    visit: &'a mut V,
}

impl<'a, V: FnMut(Landing)> CaptureWalk<'a, V> {
    fn new<G: Game>(board: &Board, from: u64, visit: &'a mut V) -> Self {
        // The origin counts as empty: the piece may pass or end there (CN100 6.9).
        let empty = board.empty(G::GRID) | from;
        Self { from, theirs: board.theirs, empty, jumps: Jumps::find::<G>(board, empty), visit }
    }

    /// Takes all that a man at `at` can take; says whether there was anything.
    fn man<G: Game, S: Mover>(&mut self, at: u64, captured: u64) -> bool {
        if at & self.jumps.anywhere() == 0 {
            return false;
        }
        let mut takes = false;
        for direction in Direction::ALL {
            // Captured pieces stay on the board and are jumped only once (CN100 6.9, 6.12).
            let victim = G::GRID.step(at & self.jumps.along(direction), direction) & !captured;
            if victim != 0 {
                takes = true;
                self.man_landed::<G, S>(G::GRID.step(victim, direction), captured | victim);
            }
        }
        takes
    }

    /// Goes on with a man that has just landed on `to`.
    fn man_landed<G: Game, S: Mover>(&mut self, to: u64, captured: u64) {
        let promotes = to & G::GRID.far_row(S::SIDE) != 0;
        let goes_on = if G::PROMOTES_IN_PASSING && promotes {
            self.king::<G>(to, captured, true, &Direction::ALL)
        } else {
            self.man::<G, S>(to, captured)
        };
        let from = self.from;
        (self.visit)(Landing { from, to, captured, promotes, goes_on, has_to_go_on: goes_on });
    }

    /// Takes all that a king at `at` can take along `directions`; says whether there was anything.
    fn king<G: Game>(&mut self, at: u64, captured: u64, promotes: bool, directions: &[Direction]) -> bool {
        let along = |takes, &direction| self.king_along::<G>(at, captured, promotes, direction) | takes;
        directions.iter().fold(false, along)
    }

    /// Takes the first enemy piece along `direction` and goes on from every square behind it.
    fn king_along<G: Game>(&mut self, at: u64, captured: u64, promotes: bool, direction: Direction) -> bool {
        let victim = G::GRID.first_not_empty(at, direction, self.empty) & self.theirs & !captured;
        let behind = G::GRID.step(victim, direction) & self.empty;
        if behind == 0 {
            return false;
        }
        let captured = captured | victim;
        // Straight on is tried once, not from every square on the line: where the king is set down between
        // two victims on one line makes no difference.
        let straight_on = self.king_along::<G>(behind, captured, promotes, direction);
        let landings = behind | G::GRID.slide(behind, direction, self.empty);
        let mut turning = 0;
        for turn in direction.across() {
            let reached = landings | G::GRID.slide(landings, turn, self.empty);
            if reached & self.jumps.along(turn) == 0 {
                continue; // mostly so, and cheaper to see for all squares at once
            }
            for to in each_bit(landings) {
                if self.king_along::<G>(to, captured, promotes, turn) {
                    turning |= to;
                }
            }
        }
        let has_to_go_on = straight_on || turning != 0;
        for to in each_bit(landings) {
            let goes_on = straight_on || turning & to != 0;
            (self.visit)(Landing { from: self.from, to, captured, promotes, goes_on, has_to_go_on });
        }
        true
    }
}

/// Keeps the sequences that take the most pieces; between equal ones the choice is free.
///
/// Source: CN100 6.13, 6.14; a king counts as one piece.
#[derive(Default)]
pub(crate) struct Majority {
    most: u32,
}

/// What is to be done with a capture and with those kept before it.
pub(crate) enum Verdict {
    TooFew,
    AsManyAsOthers,
    MoreThanOthers,
}

impl Majority {
    #[inline(always)]
    pub(crate) fn judge<G: Game>(&mut self, captured: u64) -> Verdict {
        let count = captured.count_ones();
        if !G::MAJORITY || count == self.most {
            Verdict::AsManyAsOthers
        } else if count < self.most {
            Verdict::TooFew
        } else {
            self.most = count;
            Verdict::MoreThanOthers
        }
    }
}

/// Replaces the content of `moves` by the legal moves in ascending order, each once.
pub(crate) fn legal_moves_into<G: Game, S: Mover>(board: &Board, moves: &mut Vec<Move>) {
    moves.clear();
    if let Some(outline) = Outline::find::<G, S>(board) {
        outline.for_each_done::<G, S>(board, |landing| moves.push(landing_move::<G>(&landing)));
        let mut majority = Majority::default();
        outline.for_each_walked::<G, S>(board, |landing| {
            match majority.judge::<G>(landing.captured) {
                Verdict::TooFew => return,
                Verdict::AsManyAsOthers => {}
                Verdict::MoreThanOthers => moves.clear(),
            }
            moves.push(landing_move::<G>(&landing));
        });
    } else {
        for_each_quiet::<G, S>(board, |from, to| moves.push(quiet_move::<G, S>(board, from, to)));
    }
    moves.sort_unstable();
    moves.dedup();
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
