//! Irregular acts with a single disc: touched, taken back, moved twice, moved where it cannot go.

use draughtsd_core::alert::{AlertCode, AlertState};
use draughtsd_core::geometry::far_row;
use draughtsd_core::moves::{Irregularity, Move};
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::square::{Square, SquareSet};

use super::super::path;
use super::super::plan::Outcome;
use super::irregular::{Planting, Played, Turn, edited};
use super::{Hands, Press};

/// After this long at rest a move is complete without a press (`release-ms`, 1500, and some more).
const AT_REST: (u64, u64) = (2000, 4000);

impl Hands {
    /// An own piece that can move is lifted and put back, and then another one moved.
    pub(super) fn touch_move(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let movable: SquareSet = turn.position.legal_moves().iter().map(|mv| mv.from).collect();
        let others: Vec<Square> = movable.without(turn.mv.from).iter().collect();
        let touched = *self.random.pick(&others)?;
        let at = self.calm(turn);
        let back = self.lift_and_return(at, touched);
        self.planted_by(turn, AlertCode::TouchMove);
        Some(self.before(back + 400))
    }

    /// A disc of the side not on turn is lifted and put back; not the one that has just moved.
    pub(super) fn unexplained_lift(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mut others = turn.position.pieces(turn.side.opponent()) - turn.mv.captured;
        if let Some(last) = self.moves.last() {
            others = others.without(last.to);
        }
        let others: Vec<Square> = others.iter().collect();
        let lifted = *self.random.pick(&others)?;
        let at = self.calm(turn);
        let back = self.lift_and_return(at, lifted);
        let ply = self.ply();
        self.planted(AlertCode::UnexplainedLift, ply, None, Some(AlertState::Accepted), ply);
        Some(self.before(back + 600))
    }

    /// A completed move is taken back; then it is made again (corrected), or another one is made.
    pub(super) fn take_back(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let quiet = |mv: &Move| !mv.is_capture() && !mv.promotes;
        let first = match turn.outcome {
            Outcome::Corrected => Some(turn.mv).filter(quiet)?,
            Outcome::Accepted => {
                let others: Vec<Move> = turn
                    .position
                    .legal_moves()
                    .into_iter()
                    .filter(|mv| quiet(mv) && *mv != turn.mv)
                    .collect();
                *self.random.pick(&others)?
            }
        };
        let at = self.calm(turn);
        let landed = self.walk(at, first.from, first.to);
        let back_at = self.complete(turn.side, landed);
        let back = self.walk(back_at, first.to, first.from);
        self.planted_by(turn, AlertCode::TookBack);
        let rested = back + self.random.within(AT_REST);
        Some(self.before(rested))
    }

    /// The side that has just moved moves again.
    pub(super) fn move_twice(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mover = turn.side.opponent();
        let last = self.moves.last()?;
        let (left, stands) = (last.from, last.to);
        let again = turn.position.with_turn(mover);
        let fits = |mv: &Move| {
            let takes_back = mv.from == stands && mv.to == left;
            let after = again.play(*mv);
            !mv.is_capture() && !mv.promotes && !takes_back && after.has_legal_move()
        };
        let seconds: Vec<Move> = again.legal_moves().into_iter().filter(fits).collect();
        let second = *self.random.pick(&seconds)?;
        // The mark that somebody may still want to crown comes first, as in every turn.
        self.calm(turn);
        let at =
            (self.now + self.random.within((600, 2500))).max(self.back(mover)).max(self.completed() + 700);
        let landed = self.walk(at, second.from, second.to);
        let ply = self.ply();
        if turn.outcome == Outcome::Corrected {
            self.planted(AlertCode::MovedTwice, ply, Some(mover), Some(AlertState::Corrected), 0);
            let wait = landed + self.random.within(AT_REST);
            let back = self.walk(wait, second.to, second.from);
            return Some(self.before(back + 1000));
        }
        self.planted(AlertCode::MovedTwice, ply, Some(mover), Some(AlertState::Accepted), ply + 1);
        let played = Played {
            from: second.from,
            to: second.to,
            captures: SquareSet::EMPTY,
            irregular: Some(true),
            landed,
            finished: landed + 1600,
            press: Press::Never,
        };
        let by_mover = Turn { side: mover, ..turn };
        Some(self.played(by_mover, played, again.play(second)))
    }

    /// An own piece is put where it cannot go.
    pub(super) fn move_illegally(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let legal = turn.position.legal_moves();
        if legal.iter().any(Move::is_capture) {
            return None;
        }
        let (from, to) = self.astray(turn, turn.side, &legal)?;
        let mv = Move { from, to, captured: SquareSet::EMPTY, promotes: false };
        let after = turn.position.play(mv);
        self.put_astray(turn, AlertCode::IllegalMove, (from, to), after)
    }

    /// A piece of the side not on turn is put where it could not go either.
    pub(super) fn move_opponent_piece(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let owner = turn.side.opponent();
        let legal = turn.position.with_turn(owner).legal_moves();
        let (from, to) = self.astray(turn, owner, &legal)?;
        let after = edited(turn.position, |setup| {
            setup.turn = owner;
            for set in [&mut setup.white, &mut setup.black, &mut setup.kings] {
                if set.remove(from) {
                    set.insert(to);
                }
            }
        })?;
        // Moved back by its owner it would be put right, not answered.
        let goes_back = |mv: &Move| (mv.from, mv.to) == (to, from);
        if after.legal_moves().iter().any(goes_back) && turn.outcome == Outcome::Accepted {
            return None;
        }
        self.put_astray(turn, AlertCode::MovedOpponentPiece, (from, to), after)
    }

    /// A quiet move is made though a capture is compulsory.
    pub(super) fn miss_capture(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let missed: Vec<Move> = turn
            .position
            .conceivable_moves()
            .into_iter()
            .filter(|c| c.why == Irregularity::CaptureMissed && !c.mv.promotes)
            .map(|c| c.mv)
            .collect();
        let mv = *self.random.pick(&missed)?;
        let after = turn.position.play(mv);
        self.put_astray(turn, AlertCode::CaptureMissed, (mv.from, mv.to), after)
    }

    /// A disc of `owner` that did not move last, and an empty square beyond its reach but near it.
    fn astray(&mut self, turn: Turn<'_>, owner: Side, legal: &[Move]) -> Option<(Square, Square)> {
        let variant = turn.position.variant();
        let empty = SquareSet::all(variant) - turn.position.occupied() - far_row(owner, variant);
        let mut found = Vec::new();
        let mut movable = turn.position.pieces(owner);
        if let Some(last) = self.moves.last() {
            movable = movable.without(last.to);
        }
        for from in movable {
            let (row, column) = path::place(variant, from);
            for to in empty {
                let (r, c) = path::place(variant, to);
                let is_near = (r - row).abs() <= 2 && (c - column).abs() <= 2;
                let is_legal = legal.iter().any(|mv| (mv.from, mv.to) == (from, to));
                // Two rows along a diagonal would be a jump.
                let is_jump = (r - row).abs() == 2 && (c - column).abs() == 2;
                if is_near && !is_legal && !is_jump {
                    found.push((from, to));
                }
            }
        }
        self.random.pick(&found).copied()
    }

    /// Puts a disc where it may not go, and either back again or not.
    fn put_astray(
        &mut self,
        turn: Turn<'_>,
        code: AlertCode,
        (from, to): (Square, Square),
        after: Position,
    ) -> Option<Planting> {
        if !after.has_legal_move() {
            return None;
        }
        let at = self.calm(turn);
        let landed = self.walk(at, from, to);
        self.planted_by(turn, code);
        match turn.outcome {
            Outcome::Corrected => {
                let noticed = self.complete(turn.side, landed).max(landed + AT_REST.0);
                let back_at = noticed + self.random.within((0, 2000));
                let back = self.walk(back_at, to, from);
                Some(self.before(back + 800))
            }
            Outcome::Accepted => {
                let press = self.press_after(landed);
                let played = Played {
                    from,
                    to,
                    captures: SquareSet::EMPTY,
                    irregular: Some(true),
                    landed,
                    finished: landed,
                    press,
                };
                Some(self.played(turn, played, after))
            }
        }
    }

    /// Lets a move of `side` become complete, by its press or by time; a moment after that.
    fn complete(&mut self, side: Side, landed: u64) -> u64 {
        if self.is_linked() && self.random.chance(700) {
            let pressed = self.press_now(landed, side);
            pressed + self.random.within((600, 3000))
        } else {
            landed + self.random.within(AT_REST)
        }
    }

    /// When the last recorded move has been complete for certain.
    fn completed(&self) -> u64 {
        let last = self.moves.last().map_or(0, |last| last.t1);
        if self.is_linked() { last } else { last + 1500 }
    }
}
