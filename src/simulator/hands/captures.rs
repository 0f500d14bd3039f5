//! Irregular captures and removals.

use draughtsd_core::alert::AlertCode;
use draughtsd_core::moves::{Irregularity, Move, Route};
use draughtsd_core::square::{Square, SquareSet};

use super::super::plan::Outcome;
use super::super::script::Touch;
use super::super::table::Stack;
use super::irregular::{Planting, Played, Turn, without};
use super::{Hands, Press};

/// Until the opponent notices and objects.
const OBJECTION: (u64, u64) = (2000, 5000);

impl Hands {
    /// A whole capture takes fewer pieces than it must.
    pub(super) fn capture_too_few(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let conceivable = turn.position.conceivable_moves().into_iter();
        let few: Vec<Move> = conceivable
            .filter(|c| c.why == Irregularity::WrongCount && !c.mv.promotes)
            .map(|c| c.mv)
            .filter(|mv| turn.position.play(*mv).has_legal_move() && !turn.is_part_of_legal_capture(mv))
            .collect();
        let mv = *self.random.pick(&few)?;
        let route = self.route(turn.position, mv);
        let at = self.calm(turn);
        let flight = self.carry(turn.position, mv, &route, at, true);
        let (taken, finished) = self.take_off_in_order(&route.captures, flight.landed);
        self.planted_by(turn, AlertCode::WrongCaptureCount);
        if turn.outcome == Outcome::Accepted {
            let played = Played {
                from: mv.from,
                to: mv.to,
                captures: mv.captured,
                irregular: Some(true),
                landed: flight.landed,
                finished,
                press: self.press_after(finished),
            };
            return Some(self.played(turn, played, turn.position.play(mv)));
        }
        let pressed = if self.random.chance(500) { self.press_now(finished, turn.side) } else { finished };
        Some(self.undo(mv, taken, pressed))
    }

    /// Puts everything back after a capture that the opponent objects to, in any order.
    fn undo(&mut self, mv: Move, taken: Vec<(Square, Stack)>, finished: u64) -> Planting {
        let mut back = finished + self.random.within(OBJECTION);
        let mut undone: Vec<_> = taken.into_iter().map(Some).chain([None]).collect();
        self.random.shuffle(&mut undone);
        for step in undone {
            match step {
                Some((square, stack)) => {
                    back = self.vacant(square, back);
                    self.script.bring_back(back, square, stack);
                }
                None if mv.to != mv.from => back = self.walk(back, mv.to, mv.from),
                None => {}
            }
            back += self.random.within((500, 1500));
        }
        self.before(back)
    }

    /// The disc is left on a square from which the capture had to go on.
    pub(super) fn stop_short(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 2)?;
        let route = self.route(turn.position, mv);
        let count = 1 + self.random.index(route.landings.len() - 1);
        let captured: SquareSet = route.captures[..count].iter().copied().collect();
        let to = *route.landings.get(count - 1)?;
        let short = turn
            .position
            .conceivable_moves()
            .into_iter()
            .find(|c| (c.mv.from, c.mv.to, c.mv.captured) == (mv.from, to, captured))
            .filter(|c| c.why == Irregularity::StoppedShort && !c.mv.promotes && to != mv.from)
            .filter(|c| !turn.is_part_of_legal_capture(&c.mv))?
            .mv;
        let after = turn.position.play(short);
        if !after.has_legal_move() {
            return None;
        }
        let begun = Route {
            from: mv.from,
            landings: route.landings[..count].to_vec(),
            captures: route.captures[..count].to_vec(),
        };
        let at = self.calm(turn);
        let flight = self.carry(turn.position, short, &begun, at, true);
        // In order of capture, or the discs of the rest could not follow in any order.
        let (taken, finished) = self.take_off(&begun.captures, flight.landed);
        self.planted_by(turn, AlertCode::CaptureStoppedShort);
        if turn.outcome == Outcome::Accepted {
            let finished = finished.max(flight.landed + 1700);
            let played = Played {
                from: mv.from,
                to,
                captures: captured,
                irregular: Some(true),
                landed: flight.landed,
                finished,
                press: self.press_after(finished),
            };
            return Some(self.played(turn, played, after));
        }
        let left = finished.max(flight.landed + 1700);
        if self.random.chance(500) {
            let pressed = if self.random.chance(500) { self.press_now(left, turn.side) } else { left };
            return Some(self.undo(short, taken, pressed));
        }
        // It goes on after all.
        let lifted = left + self.random.within((400, 2500));
        let goes_on = Route {
            from: to,
            landings: route.landings[count..].to_vec(),
            captures: route.captures[count..].to_vec(),
        };
        let step = Move { from: to, ..mv };
        let flight = self.carry(turn.position, step, &goes_on, lifted, true);
        let (_, finished) = self.take_off(&goes_on.captures, flight.landed);
        let press = self.press_after(finished);
        Some(self.regular(turn, mv, flight.landed, finished, press))
    }

    /// A captured disc is removed while the capturing one is in the air or on its way.
    pub(super) fn remove_too_early(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 1)?;
        let route = self.route(turn.position, mv);
        let stops = route.landings.len() > 1 && self.random.chance(500);
        let at = self.calm(turn);
        let stack = self.script.lift(at, mv.from);
        let landed = if stops {
            let first = route.landings[0];
            let touched = self.hop(mv.from, &[first], at, stack, Touch::Hand);
            let removed = touched + self.random.within((200, 450));
            self.script.remove(removed, route.captures[0]);
            let lifted = removed + self.random.within((200, 450));
            let stack = self.script.lift(lifted, first);
            self.hop(first, &route.landings[1..], lifted, stack, Touch::Landing)
        } else {
            let removed = at + self.random.within((350, 700));
            self.script.remove(removed, route.captures[0]);
            let onwards = removed + self.random.within((150, 300));
            self.hop(mv.from, &route.landings, onwards, stack, Touch::Landing)
        };
        let (_, finished) = self.take_off(&route.captures[1..], landed);
        self.planted_by(turn, AlertCode::RemovedTooEarly);
        let press = self.press_after(finished);
        Some(self.handled(turn, mv, landed, finished, press))
    }

    /// A captured disc is left on the board.
    pub(super) fn leave_captured_piece(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 1)?;
        let route = self.route(turn.position, mv);
        let order = self.in_order(&route.captures);
        let (&left, removed) = order.split_last()?;
        let short = Move { captured: mv.captured.without(left), ..mv };
        let after = turn.position.play(short);
        if !after.has_legal_move() {
            return None;
        }
        let at = self.calm(turn);
        let flight = self.carry(turn.position, mv, &route, at, true);
        let (_, finished) = self.take_off(removed, flight.landed);
        self.planted_by(turn, AlertCode::LeftCapturedPiece);
        if turn.outcome == Outcome::Accepted {
            let played = Played {
                from: mv.from,
                to: mv.to,
                captures: short.captured,
                irregular: Some(true),
                landed: flight.landed,
                finished,
                press: self.press_after(finished),
            };
            return Some(self.played(turn, played, after));
        }
        // With a clock it is late 3 s after the press, without one 10 s after the last change.
        let pressed = self.press_now(finished, turn.side);
        let late = if self.is_linked() { (3500, 6000) } else { (10_500, 13_000) };
        let off = pressed + self.random.within(late);
        self.script.remove(off, left);
        Some(self.handled(turn, mv, flight.landed, off, Press::Made(pressed)))
    }

    /// With a capture an enemy disc comes off that was not jumped.
    pub(super) fn remove_unjumped_piece(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 1)?;
        let others = turn.position.pieces(turn.side.opponent()) - mv.captured;
        self.remove_another(turn, mv, others, AlertCode::RemovedUnjumpedPiece)
    }

    /// With a capture an own disc comes off.
    pub(super) fn remove_own_piece(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 1)?;
        let others = turn.position.pieces(turn.side).without(mv.from);
        self.remove_another(turn, mv, others, AlertCode::RemovedOwnPiece)
    }

    fn remove_another(
        &mut self,
        turn: Turn<'_>,
        mv: Move,
        others: SquareSet,
        code: AlertCode,
    ) -> Option<Planting> {
        let regular = turn.position.play(mv);
        let others: Vec<Square> = others
            .iter()
            .filter(|&other| !turn.is_conceivable(mv.from, mv.to, mv.captured.with(other)))
            .filter(|&other| without(&regular, other).is_some())
            .collect();
        let other = *self.random.pick(&others)?;
        let after = without(&regular, other)?;
        let route = self.route(turn.position, mv);
        let at = self.calm(turn);
        let flight = self.carry(turn.position, mv, &route, at, true);
        let (_, finished) = self.take_off_in_order(&route.captures, flight.landed);
        let stack = self.script.at(other)?;
        let off = finished + self.random.within((400, 1100));
        self.script.remove(off, other);
        self.planted_by(turn, code);
        if turn.outcome == Outcome::Accepted {
            let played = Played {
                from: mv.from,
                to: mv.to,
                captures: mv.captured.with(other),
                irregular: Some(true),
                landed: flight.landed,
                finished: off,
                press: self.press_after(off),
            };
            return Some(self.played(turn, played, after));
        }
        let pressed = self.press_now(off, turn.side);
        let back = pressed.max(off + 600) + self.random.within(OBJECTION);
        self.script.bring_back(back, other, stack);
        Some(self.handled(turn, mv, flight.landed, back, Press::Made(pressed)))
    }

    /// Three or more captured discs come off in an order that no route explains.
    pub(super) fn remove_out_of_order(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 3)?;
        let routes = turn.position.routes(mv);
        let mut order: Vec<Square> = mv.captured.iter().collect();
        let explained = |order: &[Square]| {
            routes
                .iter()
                .any(|route| order.iter().eq(&route.captures) || order.iter().eq(route.captures.iter().rev()))
        };
        for _ in 0..20 {
            self.random.shuffle(&mut order);
            if !explained(&order) {
                break;
            }
        }
        if explained(&order) {
            return None;
        }
        let route = self.route(turn.position, mv);
        let at = self.calm(turn);
        let flight = self.carry(turn.position, mv, &route, at, true);
        let (_, finished) = self.take_off(&order, flight.landed);
        self.planted_by(turn, AlertCode::RemovalOutOfOrder);
        let press = self.press_after(finished);
        Some(self.handled(turn, mv, flight.landed, finished, press))
    }

    /// More than ten seconds lie between two removals. Without a clock such a disc is a left one.
    pub(super) fn interrupt_removal(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let mv = capture_of(turn, 2)?;
        if !self.is_linked() {
            return None;
        }
        let route = self.route(turn.position, mv);
        let order = self.in_order(&route.captures);
        let count = 1 + self.random.index(order.len() - 1);
        let at = self.calm(turn);
        let flight = self.carry(turn.position, mv, &route, at, true);
        let (_, paused) = self.take_off(&order[..count], flight.landed);
        let resumed = paused + self.random.within((10_500, 14_000));
        let (_, finished) = self.take_off(&order[count..], resumed);
        self.planted_by(turn, AlertCode::RemovalInterrupted);
        let press = self.press_after(finished);
        Some(self.handled(turn, mv, flight.landed, finished, press))
    }

    /// As [`Hands::take_off`], in the order of capture or its reverse.
    fn take_off_in_order(&mut self, captures: &[Square], after: u64) -> (Vec<(Square, Stack)>, u64) {
        let order = self.in_order(captures);
        self.take_off(&order, after)
    }

    /// The order of capture or its reverse.
    fn in_order(&mut self, captures: &[Square]) -> Vec<Square> {
        let mut order = captures.to_vec();
        if self.random.chance(self.manner.reverse) {
            order.reverse();
        }
        order
    }

    /// The position is what the legal move gives, whose handling was irregular.
    fn handled(&mut self, turn: Turn<'_>, mv: Move, landed: u64, finished: u64, press: Press) -> Planting {
        let (from, to, captures) = (mv.from, mv.to, mv.captured);
        let played = Played { from, to, captures, irregular: None, landed, finished, press };
        self.played(turn, played, turn.position.play(mv))
    }

    /// The position is what the legal move gives.
    fn regular(&mut self, turn: Turn<'_>, mv: Move, landed: u64, finished: u64, press: Press) -> Planting {
        let (from, to, captures) = (mv.from, mv.to, mv.captured);
        let played = Played { from, to, captures, irregular: Some(false), landed, finished, press };
        self.played(turn, played, turn.position.play(mv))
    }
}

/// The legal move of this turn, if it captures at least so many and does not promote.
fn capture_of(turn: Turn<'_>, at_least: usize) -> Option<Move> {
    let after = turn.position.play(turn.mv);
    Some(turn.mv)
        .filter(|mv| mv.captured.len() >= at_least && !mv.promotes)
        .filter(|_| after.has_legal_move())
}
