//! Irregular acts planted between the moves of a game, each with the truth about it.
//!
//! An act is written with the same lifts, flights and removals as a legal move, and it is kept apart
//! from what goes before and after: the move before it is over and pressed, the move after it waits.
//! The acts themselves stand in `moving`, `captures`, `crowning` and `table_acts`.

use draughtsd_core::alert::{AlertCode, AlertState};
use draughtsd_core::moves::Move;
use draughtsd_core::piece::Side;
use draughtsd_core::position::{Position, Setup};
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::ClockLink;

use super::super::plan::{Outcome, Planned};
use super::super::script::Touch;
use super::super::table::Stack;
use super::super::truth::{TruthAlert, TruthMove};
use super::{Hands, Pending, Planted, Press};

/// What has come of an act that was to be planted.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulator) enum Planting {
    /// It is done and the position is as it was: the move is still to be played.
    Before,
    /// It took one or more plies; this is the position after them.
    Played(Position),
}

/// The turn in which an act is to be planted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<'a> {
    /// What stands on the board.
    pub position: &'a Position,
    /// Who is to move.
    pub side: Side,
    /// The legal move that is to be made.
    pub mv: Move,
    /// The legal move that is to follow it, where that is known.
    pub reply: Option<Move>,
    /// What is to become of the act.
    pub outcome: Outcome,
}

impl Hands {
    /// Does an irregular act in the turn of `position`, if it allows that.
    ///
    /// - `rest`: the moves to be made next, of which there is one at least.
    pub(in crate::simulator) fn plant(
        &mut self,
        position: &Position,
        rest: &[Move],
        act: &Planned,
    ) -> Option<Planting> {
        let turn = Turn {
            position,
            side: position.turn(),
            mv: *rest.first()?,
            reply: rest.get(1).copied(),
            outcome: act.outcome,
        };
        match act.code {
            AlertCode::TouchMove => self.touch_move(turn),
            AlertCode::UnexplainedLift => self.unexplained_lift(turn),
            AlertCode::TookBack => self.take_back(turn),
            AlertCode::MovedTwice => self.move_twice(turn),
            AlertCode::IllegalMove => self.move_illegally(turn),
            AlertCode::MovedOpponentPiece => self.move_opponent_piece(turn),
            AlertCode::CaptureMissed => self.miss_capture(turn),
            AlertCode::WrongCaptureCount => self.capture_too_few(turn),
            AlertCode::CaptureStoppedShort => self.stop_short(turn),
            AlertCode::RemovedTooEarly => self.remove_too_early(turn),
            AlertCode::LeftCapturedPiece => self.leave_captured_piece(turn),
            AlertCode::RemovedUnjumpedPiece => self.remove_unjumped_piece(turn),
            AlertCode::RemovedOwnPiece => self.remove_own_piece(turn),
            AlertCode::RemovalOutOfOrder => self.remove_out_of_order(turn),
            AlertCode::RemovalInterrupted => self.interrupt_removal(turn),
            AlertCode::MovedUncrownedKing => self.move_uncrowned_king(turn),
            AlertCode::NotCrowned => self.crown_late(turn),
            AlertCode::PieceMissing => self.brush_off(turn),
            AlertCode::BoardDisturbed => self.disturb_board(turn),
            AlertCode::BlackMovedFirst => self.move_first_as_black(turn),
            AlertCode::StartPositionWrong => self.set_up_wrongly(turn),
            AlertCode::ClockPressedEarly => self.press_before_move(turn),
            AlertCode::PressForgotten => self.forget_press(turn),
            AlertCode::DrawOfferTooEarly => self.offer_draw_early(turn),
            AlertCode::FlagFell
            | AlertCode::MovedAfterFlag
            | AlertCode::ClockStopped
            | AlertCode::ClockTimesChanged
            | AlertCode::LateArrival
            | AlertCode::ResultMissing => None,
        }
    }

    /// Ends the move before, and lets the player think; when the act may begin.
    pub(super) fn calm(&mut self, turn: Turn<'_>) -> u64 {
        let uncrowned = self.pending.as_ref().and_then(|pending| pending.uncrowned);
        // A press counts only while the own clock runs: the move before must have been pressed.
        if let Some(pending) = &mut self.pending
            && matches!(pending.press, Press::Late | Press::Never)
        {
            let span = self.manner.press;
            pending.press = Press::At(pending.finished.max(pending.clear) + self.random.within(span));
        }
        self.end_pending(None);
        if let Some(square) = uncrowned {
            self.crown_for_opponent(square, turn.side.opponent());
        }
        self.plainly = true;
        let think = self.random.within((1500, 4500));
        (self.now + think).max(self.back(turn.side))
    }

    /// The act is over at `at`, and everything is as it was.
    pub(super) fn before(&mut self, at: u64) -> Planting {
        self.now = at;
        self.free = [at; 2];
        self.plainly = true;
        Planting::Before
    }

    /// The act is over and was a move: it is recorded, and the reply waits for its press.
    pub(super) fn played(&mut self, turn: Turn<'_>, played: Played, after: Position) -> Planting {
        let Played { from, to, captures, irregular, landed, finished, press } = played;
        let mut captures: Vec<Square> = captures.iter().collect();
        captures.sort_unstable();
        let ply = self.ply();
        self.moves.push(TruthMove { ply, from, to, captures, irregular, t1: 0 });
        self.now = self.now.max(finished);
        self.plainly = false;
        self.pending = Some(Pending {
            side: turn.side,
            landed,
            finished,
            last_removed: None,
            press,
            clear: 0,
            overlaps: false,
            waits: true,
            uncrowned: None,
        });
        Planting::Played(after)
    }

    /// Notes the truth about an act of this ply or of one near it.
    ///
    /// - `plies`: how many plies must be complete for `state` to hold; before that it is open.
    pub(super) fn planted(
        &mut self,
        code: AlertCode,
        ply: u32,
        side: Option<Side>,
        state: Option<AlertState>,
        plies: u32,
    ) {
        self.alerts.push(Planted { alert: TruthAlert { code, ply, side, state }, plies });
    }

    /// Notes an act of the side on turn which `outcome` tells the end of: accepted acts by the reply.
    pub(super) fn planted_by(&mut self, turn: Turn<'_>, code: AlertCode) {
        let ply = self.ply();
        let (state, plies) = match turn.outcome {
            Outcome::Corrected => (AlertState::Corrected, 0),
            Outcome::Accepted => (AlertState::Accepted, ply + 1),
        };
        self.planted(code, ply, Some(turn.side), Some(state), plies);
    }

    /// A press soon after `after`, to be made before the next move.
    pub(super) fn press_after(&mut self, after: u64) -> Press {
        Press::At(after + self.random.within(self.manner.press))
    }

    /// Presses soon after `after`, if a clock is linked; when, or `after`.
    pub(super) fn press_now(&mut self, after: u64, side: Side) -> u64 {
        let at = after + self.random.within(self.manner.press);
        if self.script.press(at, side) { at } else { after }
    }

    pub(super) fn is_linked(&self) -> bool {
        self.setting.clock == ClockLink::Linked
    }

    /// Carries what stands on `from` to `to`; when it stands there.
    pub(super) fn walk(&mut self, at: u64, from: Square, to: Square) -> u64 {
        let stack = self.script.lift(at, from);
        self.hop(from, &[to], at, stack, Touch::Landing)
    }

    /// Lifts the disc on `square` for a while and puts it back; when it stands again.
    pub(super) fn lift_and_return(&mut self, at: u64, square: Square) -> u64 {
        let stack = self.script.lift(at, square);
        let back = at + self.random.within((450, 1500));
        self.script.set_down(back, square, stack, Touch::Landing);
        back
    }

    /// Takes discs off one by one, beginning a while after `after`; what was taken, and when it was done.
    pub(super) fn take_off(&mut self, squares: &[Square], after: u64) -> (Vec<(Square, Stack)>, u64) {
        let mut at = after;
        let mut taken = Vec::new();
        for &square in squares {
            at += self.random.within(self.manner.removal);
            taken.extend(self.script.at(square).map(|stack| (square, stack)));
            self.script.remove(at, square);
        }
        (taken, at)
    }
}

/// A move that was made irregularly, or a regular one whose handling was irregular.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    pub from: Square,
    pub to: Square,
    /// What left the board.
    pub captures: SquareSet,
    /// As [`TruthMove::irregular`].
    pub irregular: Option<bool>,
    pub landed: u64,
    pub finished: u64,
    pub press: Press,
}

impl Turn<'_> {
    /// Whether a legal capture ends on the same square and takes more: then discs were left, not spared.
    pub(super) fn is_part_of_legal_capture(&self, mv: &Move) -> bool {
        self.position
            .legal_moves()
            .iter()
            .any(|legal| (legal.from, legal.to) == (mv.from, mv.to) && mv.captured.is_subset(legal.captured))
    }

    /// Whether `mv` would be legal or is named by the rules, so that it would mean something else.
    pub(super) fn is_conceivable(&self, from: Square, to: Square, captured: SquareSet) -> bool {
        let same = |mv: &Move| (mv.from, mv.to, mv.captured) == (from, to, captured);
        let conceivable = self.position.conceivable_moves();
        self.position.legal_moves().iter().any(same) || conceivable.iter().any(|c| same(&c.mv))
    }
}

/// The position after `edit`, if the rules accept it and the side to move can move.
pub(super) fn edited(position: &Position, edit: impl FnOnce(&mut Setup)) -> Option<Position> {
    let mut setup = position.to_setup();
    edit(&mut setup);
    Position::from_setup(&setup).ok().filter(Position::has_legal_move)
}

/// The position without what stands on `square`.
pub(super) fn without(position: &Position, square: Square) -> Option<Position> {
    edited(position, |setup| {
        for set in [&mut setup.white, &mut setup.black, &mut setup.kings] {
            set.remove(square);
        }
    })
}
