//! Accidents at the table, and what goes wrong with the clock and at the beginning.

use draughtsd_core::alert::{AlertCode, AlertState};
use draughtsd_core::moves::Move;
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::Button;

use super::super::path;
use super::super::script::Touch;
use super::irregular::{Planting, Played, Turn};
use super::{Hands, Press};

impl Hands {
    /// A disc beside the moving one is brushed off its square and put back after the press.
    pub(super) fn brush_off(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = turn.mv;
        let after = turn.position.play(mv);
        if mv.is_capture() || mv.promotes || !self.is_linked() || !after.has_legal_move() {
            return None;
        }
        let (row, column) = path::place(self.variant, mv.to);
        let beside: Vec<Square> = turn
            .position
            .occupied()
            .without(mv.from)
            .iter()
            .filter(|&square| {
                let (r, c) = path::place(self.variant, square);
                (r - row).abs() <= 2 && (c - column).abs() <= 2
            })
            .filter(|&square| !turn.is_conceivable(mv.from, mv.to, SquareSet::from(square)))
            .collect();
        let brushed = *self.random.pick(&beside)?;
        let at = self.calm(turn);
        let landed = self.walk(at, mv.from, mv.to);
        let off = landed + self.random.within((0, 60));
        let stack = self.script.lift(off, brushed);
        let pressed = self.press_now(landed.max(off), turn.side);
        let ply = self.ply();
        self.planted(AlertCode::PieceMissing, ply, None, Some(AlertState::Corrected), 0);
        let back = pressed + self.random.within((3000, 6000));
        self.script.set_down(back, brushed, stack, Touch::Landing);
        let played = Played {
            from: mv.from,
            to: mv.to,
            captures: SquareSet::EMPTY,
            irregular: None,
            landed,
            finished: back,
            press: Press::Made(pressed),
        };
        Some(self.played(turn, played, after))
    }

    /// A sleeve sweeps discs off their squares; they are put back one by one.
    pub(super) fn disturb_board(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mut swept: Vec<Square> = turn.position.occupied().iter().collect();
        if swept.len() < 8 {
            return None;
        }
        let at = self.calm(turn);
        self.random.shuffle(&mut swept);
        swept.truncate(5 + self.random.index(4));
        let sides = Side::ALL.map(|side| turn.position.with_turn(side));
        let moves: Vec<(Square, Square)> =
            sides.iter().flat_map(Position::legal_moves).map(|mv| (mv.from, mv.to)).collect();
        let mut empty: Vec<Square> =
            (SquareSet::all(self.variant) - turn.position.occupied()).iter().collect();
        self.random.shuffle(&mut empty);
        let mut away = Vec::new();
        for square in swept {
            let lifted = at + self.random.within((0, 250));
            let stack = self.script.lift(lifted, square);
            // Where it could have gone by a move, it would seem to have been moved.
            let falls = !stack.crowned && self.random.chance(250);
            let falls_on = empty.pop_if(|elsewhere| falls && !moves.contains(&(square, *elsewhere)));
            if let Some(elsewhere) = falls_on {
                let down = lifted + self.random.within((60, 200));
                self.script.set_down(down, elsewhere, stack, Touch::Landing);
            }
            away.push((square, stack, falls_on));
        }
        let ply = self.ply();
        self.planted(AlertCode::BoardDisturbed, ply, None, Some(AlertState::Corrected), 0);
        let mut back = at + self.random.within((4500, 8000));
        for (_, _, falls_on) in &away {
            if let Some(elsewhere) = falls_on {
                self.script.lift(back, *elsewhere);
                back += self.random.within((400, 1000));
            }
        }
        for (square, stack, _) in away {
            self.script.set_down(back, square, stack, Touch::Landing);
            back += self.random.within((500, 1500));
        }
        Some(self.before(back + 2000))
    }

    /// Black makes the first move of the game, and takes it back.
    pub(super) fn move_first_as_black(&mut self, turn: Turn<'_>) -> Option<Planting> {
        if !self.moves.is_empty() || *turn.position != Position::start(self.variant) {
            return None;
        }
        let black: Vec<Move> = turn.position.with_turn(Side::Black).legal_moves();
        let mv = *self.random.pick(&black)?;
        let at = self.calm(turn);
        let landed = self.walk(at, mv.from, mv.to);
        self.planted(AlertCode::BlackMovedFirst, 1, Some(Side::Black), Some(AlertState::Corrected), 0);
        let wait = landed + self.random.within((2500, 6000));
        let back = self.walk(wait, mv.to, mv.from);
        Some(self.before(back + 2000))
    }

    /// A disc is missing when the game starts, and is set up before the first move.
    pub(super) fn set_up_wrongly(&mut self, turn: Turn<'_>) -> Option<Planting> {
        if !self.moves.is_empty() || *turn.position != Position::start(self.variant) {
            return None;
        }
        let discs: Vec<Square> = turn.position.occupied().iter().collect();
        let missing = *self.random.pick(&discs)?;
        let at = self.calm(turn) + self.random.within((1000, 5000));
        let stack = self.script.begin_without(missing);
        self.script.set_down(at, missing, stack, Touch::Landing);
        self.planted(AlertCode::StartPositionWrong, 1, None, Some(AlertState::Corrected), 0);
        Some(self.before(at + 1500))
    }

    /// The clock is pressed before a move is made, or with the disc in the air.
    pub(super) fn press_before_move(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = turn.mv;
        let after = turn.position.play(mv);
        if !self.is_linked() || !after.has_legal_move() {
            return None;
        }
        let at = self.calm(turn);
        let ply = self.ply();
        self.planted(AlertCode::ClockPressedEarly, ply, Some(turn.side), None, 0);
        if mv.is_capture() || mv.promotes || self.random.chance(500) {
            self.script.press(at, turn.side);
            return Some(self.before(at + 2500));
        }
        let stack = self.script.lift(at, mv.from);
        let pressed = at + self.random.within((250, 600));
        self.script.press(pressed, turn.side);
        let landed = self.hop(mv.from, &[mv.to], pressed + 100, stack, Touch::Landing);
        let played = Played {
            from: mv.from,
            to: mv.to,
            captures: SquareSet::EMPTY,
            irregular: None,
            landed,
            finished: landed,
            press: self.press_after(landed),
        };
        Some(self.played(turn, played, after))
    }

    /// A move is not pressed.
    pub(super) fn forget_press(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let after = turn.position.play(turn.mv);
        if !self.is_linked() || !after.has_legal_move() {
            return None;
        }
        self.calm(turn);
        let ply = self.ply();
        self.planted(AlertCode::PressForgotten, ply, Some(turn.side), None, 0);
        self.play(turn.position, turn.mv, false);
        if let Some(pending) = &mut self.pending {
            pending.press = Press::Never;
        }
        Some(Planting::Played(after))
    }

    /// A draw is offered before it may be (CN100 12.4).
    pub(super) fn offer_draw_early(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let own_moves = self.moves.len() / 2;
        let limit = if self.variant == Variant::International { 40 } else { 20 };
        if own_moves + 1 >= limit {
            return None;
        }
        let at = self.calm(turn);
        self.script.button(at, Button::Draw, turn.side);
        let ply = self.ply();
        self.planted(AlertCode::DrawOfferTooEarly, ply, Some(turn.side), None, 0);
        Some(self.before(at + 2000))
    }
}
