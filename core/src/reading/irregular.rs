//! What else hands may have done: the acts of the contract's table, as further hypotheses.
//!
//! Each function here looks at one kind of act and proposes hypotheses in which it happened. None
//! decides; costs do.

use std::sync::Arc;

use super::completing::{Balance, Candidate, Kind, squares_on_the_way};
use super::cost;
use super::hypothesis::{Circumstances, Hypothesis, Ply, Standing, Touch, count};
use super::incident::{Incident, changes_position};
use super::trip::{Trip, Visit};
use crate::alert::policy::TouchPolicy;
use crate::alert::{AlertCode, AlertState};
use crate::moment::Moment;
use crate::moves::{Irregularity, Move};
use crate::piece::Side;
use crate::position::Position;
use crate::sensing::{Act, Sign};
use crate::square::{Square, SquareSet};

/// So many signs within [`BURST_MS`] are no act of a hand.
const BURST_SIGNS: usize = 5;
/// A sleeve or a fall moves its discs within this time.
const BURST_MS: u64 = 600;
/// So many open signs are a disturbance, however slowly they came.
const MANY_SIGNS: usize = 9;

impl Hypothesis {
    /// Adds to `found` all hypotheses in which something irregular was just done with the disc that left or
    /// came to the square of `sign`.
    pub(super) fn irregular_continuations(&self, sign: Sign, now: &Circumstances, found: &mut Vec<Self>) {
        let balance = Balance::of(&self.open);
        if let Act::Place(square) = sign.act {
            found.extend(self.put_back_where_it_was(square, now));
            for from in balance.lifted.iter().filter(|&from| from != square) {
                self.displaced(from, square, now, found);
            }
            found.extend(self.with_disc_put_back(sign));
            found.extend(self.with_captured_disc_back(sign));
            found.extend(self.regularised(square, now));
            found.extend(self.with_discs_left(now));
        }
        if let Act::Lift(square) = sign.act {
            // A man slid to its next square closes it before its own opens.
            for to in balance.placed.iter().filter(|&to| to != square) {
                self.displaced(square, to, now, found);
            }
            found.extend(self.with_extra_removal(sign, now));
            found.extend(self.with_late_removal(sign));
        }
        if let Act::Press(_) = sign.act {
            found.extend(self.with_discs_missing(sign, now));
        }
        found.extend(self.undone(sign, now));
    }

    /// The hypothesis in which this lift takes up a captured disc that was left standing: the opponent
    /// replies with it.
    pub(super) fn with_captured_disc_moving(&self, sign: Sign, now: &Circumstances) -> Option<Self> {
        let Act::Lift(square) = sign.act else { return None };
        if self.disturbed.is_some() || !self.state.standing.contains(square) {
            return None;
        }
        let mut child = self.with_discs_left(now)?;
        child.open.push(sign);
        Some(child)
    }

    /// The hypothesis in which the disc that now stands on `square` again was only lifted.
    fn put_back_where_it_was(&self, square: Square, now: &Circumstances) -> Option<Self> {
        let piece = self.state.position.piece_at(square)?;
        let trip = Trip::read(&self.open, square, square, self.occupied())?;
        if trip.returns > 0 {
            // Each time it was lifted is an act of its own, and the first was read when it came back.
            return None;
        }
        let settings = &now.settings;
        let mut child = self.clone();
        let number = self.next_ply();
        child.state.handled = self.state.handled.max(trip.lifted);
        child.open = unused(&self.open, trip.used);
        let pressed_meanwhile = self
            .plies
            .last()
            .and_then(|last| last.pressed)
            .is_some_and(|at| at > trip.lifted && at < trip.landed);
        child.cost += self.detours(&trip, now);
        if pressed_meanwhile {
            child.cost += cost::LIFT_ACROSS_PRESS;
        }
        // A disc taken off with a capture by mistake and put back before the press is no touch, as long as
        // it was done at once.
        let lift = Sign { at: trip.lifted, act: Act::Lift(square) };
        let with_capture = self.is_with_capture(lift, settings);
        let at_once = trip.landed.since(trip.lifted) < settings.release_ms && !pressed_meanwhile;
        let by_mistake = with_capture && at_once;
        if with_capture && !at_once {
            child.cost += cost::LONG_IN_HAND;
        }
        let belongs = self.state.incidents.iter().any(|incident| {
            incident.is_open()
                && incident.squares.contains(&square)
                && (changes_position(incident.code)
                    || incident.code == AlertCode::TookBack && incident.ply == number)
        });
        let crowning = self.is_crowning(square, piece.side, &trip);
        if piece.side == self.turn() {
            child.cost += cost::TOUCH;
            let first = self.open.iter().find(|sign| sign.act == Act::Lift(square));
            let announced = |&(side, at): &(Side, Moment)| {
                side == piece.side && first.is_some_and(|first| at <= first.at)
            };
            if !by_mistake && !belongs && !crowning && !self.state.adjusting.as_ref().is_some_and(announced) {
                child.state.touched.push(Touch { square, side: piece.side });
            }
        } else {
            child.cost += cost::UNEXPLAINED_LIFT;
            if self.plies.last().is_some_and(|last| last.may_go_on_from(square)) {
                child.cost += cost::WENT_ROUND;
            }
            if !by_mistake && !belongs && !crowning {
                let due = trip.landed;
                child.raise(Incident::new(AlertCode::UnexplainedLift, number, None, vec![square], due));
                if settings.touch_policy == TouchPolicy::StrictLadder {
                    child.state.touched.push(Touch { square, side: piece.side });
                }
            }
        }
        Some(child)
    }

    /// What it costs that a disc which came back was set down elsewhere before.
    fn detours(&self, trip: &Trip, now: &Circumstances) -> u32 {
        let resting_long =
            trip.visits.iter().any(|visit| visit.lifted.since(visit.placed) >= now.settings.release_ms);
        let let_go = resting_long || self.pressed_between(trip.lifted, trip.landed);
        stops_on(&trip.visits) + if let_go { cost::LONG_STOP } else { 0 }
    }

    /// Adds to `found` the hypotheses in which a disc went from one square to another against the rules.
    fn displaced(&self, from: Square, to: Square, now: &Circumstances, found: &mut Vec<Self>) {
        let position = self.state.position;
        let Some(piece) = position.piece_at(from) else { return };
        if position.piece_at(to).is_some() && !self.open.iter().any(|sign| sign.act == Act::Lift(to)) {
            return;
        }
        if self.trip(from, to).is_none() {
            return;
        }
        let turn = position.turn();
        if piece.side == turn {
            self.against_the_rules(from, to, now, found);
            return;
        }
        let owner = piece.side;
        let turned = position.with_turn(owner);
        let first = self.first_ply == 1 && self.plies.is_empty() && owner == Side::Black;
        let code = if first { AlertCode::BlackMovedFirst } else { AlertCode::MovedTwice };
        let legal: Vec<Move> =
            turned.legal_moves().into_iter().filter(|mv| mv.from == from && mv.to == to).collect();
        let just_moved = self.plies.last().is_some_and(|last| last.side == owner && last.mv.to == from);
        if legal.is_empty() {
            let mv = Move { from, to, captured: SquareSet::EMPTY, promotes: false };
            let (kind, side, after) = if just_moved {
                // The same piece again, and where it may not go: the second move is the offence.
                (Kind::OutOfTurn(AlertCode::MovedTwice), owner, turned.play(mv))
            } else {
                let after = turned.play(mv).with_turn(owner);
                (Kind::Irregular(AlertCode::MovedOpponentPiece), turn, after)
            };
            let candidate = Candidate { kind, before: turned, mv, side, after };
            found.extend(self.completed(&candidate, now));
        }
        for mv in legal {
            let after = turned.play(mv);
            let candidate = Candidate { kind: Kind::OutOfTurn(code), before: turned, mv, side: owner, after };
            found.extend(self.completed(&candidate, now));
        }
    }

    /// Moves of the side on turn that break the compulsion, the majority, or simply the rules.
    fn against_the_rules(&self, from: Square, to: Square, now: &Circumstances, found: &mut Vec<Self>) {
        let position = self.state.position;
        let mut named = self.legal().iter().any(|mv| mv.from == from && mv.to == to);
        for conceivable in position.conceivable_moves() {
            let mv = conceivable.mv;
            if mv.from != from || mv.to != to {
                continue;
            }
            named = true;
            let code = match conceivable.why {
                Irregularity::CaptureMissed => AlertCode::CaptureMissed,
                Irregularity::WrongCount => AlertCode::WrongCaptureCount,
                Irregularity::StoppedShort => AlertCode::CaptureStoppedShort,
            };
            found.extend(self.irregular_move(position, code, mv, now));
        }
        if !named && from != to {
            // Whatever enemy discs were taken off on the way went with it.
            let taken: SquareSet = self
                .open
                .iter()
                .filter_map(|sign| match sign.act {
                    Act::Lift(square) => Some(square),
                    _ => None,
                })
                .filter(|&square| !now.board.contains(square))
                .filter(|&square| {
                    position.piece_at(square).is_some_and(|piece| piece.side != position.turn())
                })
                .collect();
            let plain = Move { from, to, captured: SquareSet::EMPTY, promotes: false };
            found.extend(self.irregular_move(position, AlertCode::IllegalMove, plain, now));
            if !taken.is_empty() {
                let mv = Move { captured: taken, ..plain };
                found.extend(self.irregular_move(position, AlertCode::IllegalMove, mv, now));
            }
        }
    }

    fn irregular_move(
        &self,
        position: Position,
        code: AlertCode,
        mv: Move,
        now: &Circumstances,
    ) -> Option<Self> {
        let candidate = Candidate {
            kind: Kind::Irregular(code),
            before: position,
            mv,
            side: position.turn(),
            after: position.play(mv),
        };
        self.completed(&candidate, now)
    }

    /// The hypothesis in which the last move was undone: put right if it was irregular, taken back
    /// (CN100 7.4.4) if it was not.
    fn undone(&self, sign: Sign, now: &Circumstances) -> Option<Self> {
        let last = self.plies.last()?;
        let prior = &last.prior;
        let contact = matches!(sign.act, Act::Lift(_) | Act::Place(_));
        if !contact || self.open.is_empty() || !now.shows(prior.occupied()) {
            return None;
        }
        let number = self.next_ply() - 1;
        let of_this_act = |incident: &&Incident| {
            incident.ply == number && !prior.incidents.iter().any(|p| p.is_same_act(incident))
        };
        // Captured discs that may still be taken off are no wrong.
        let counts =
            |incident: &&Incident| incident.code != AlertCode::LeftCapturedPiece || incident.due <= sign.at;
        let wrong: Vec<Incident> =
            self.state.incidents.iter().filter(of_this_act).filter(counts).cloned().collect();
        let irregular = wrong.iter().any(|incident| changes_position(incident.code) && incident.is_open());
        // An irregular handling is put right by doing it again.
        let mishandled = wrong.iter().any(|incident| {
            incident.is_open()
                && incident.side == Some(last.side)
                && matches!(
                    incident.code,
                    AlertCode::TouchMove
                        | AlertCode::RemovedTooEarly
                        | AlertCode::RemovalInterrupted
                        | AlertCode::RemovalOutOfOrder
                )
        });
        let act = last.mv.squares() | last.taken();
        if let Act::Lift(square) | Act::Place(square) = sign.act
            && !act.contains(square)
        {
            // Whatever happens to other discs is another act.
            return None;
        }
        let mut child = self.clone();
        if let Some(trip) = Trip::read(&self.open, last.mv.to, last.mv.from, self.occupied()) {
            child.cost += if irregular { last.wanderings(&trip)? } else { self.detours(&trip, now) };
        }
        child.plies.pop();
        // What happened before this act is not explained by its being undone.
        let of_this_act = |sign: &Sign| match sign.act {
            Act::Lift(square) | Act::Place(square) => {
                act.contains(square) || !prior.occupied().contains(square)
            }
            _ => true,
        };
        child.open.retain(|sign| sign.at < last.landed || !of_this_act(sign));
        child.state = prior.clone();
        child.state.spares = self.state.spares;
        child.keep_later_handling(&self.state, number);
        child.forget_legal_moves();
        for mut incident in wrong {
            // What was merely seen on the way, and counts only later, has not happened.
            if irregular && changes_position(incident.code) && incident.due > sign.at {
                continue;
            }
            if incident.code == AlertCode::TouchMove && incident.is_open() {
                // What was touched before binds all the same; the next move redoes it, or does not.
                child.state.touched.retain(|touch| !incident.squares.contains(&touch.square));
            } else {
                incident.state = AlertState::Corrected;
            }
            child.state.incidents.push(incident);
        }
        let lifted = self.open.iter().find_map(|sign| match sign.act {
            Act::Lift(square) if square == last.mv.to => Some(sign.at),
            _ => None,
        });
        let was_complete = lifted.is_some_and(|lifted| last.was_complete(lifted, &now.settings));
        let squares = vec![last.mv.from, last.mv.to];
        if irregular || mishandled {
            child.cost += cost::CORRECTION;
            if was_complete && !irregular && child.has_to_move_another() {
                // Unless it does so next, the move was taken back and no more.
                child.raise(Incident::new(AlertCode::TookBack, number, last.side, squares, Moment::LAST));
            }
            return Some(child);
        }
        if !was_complete {
            return None;
        }
        child.cost += cost::TOOK_BACK;
        if last.pressed.is_some() && !self.state.standing.is_empty() {
            // Nor was it whole: its captured discs were left when the clock was pressed.
            child.cost += cost::LEFT_STANDING;
        }
        let due = sign.at.after(now.settings.release_ms);
        child.raise(Incident::new(AlertCode::TookBack, number, last.side, squares, due));
        Some(child)
    }

    /// Whether a piece was touched that the move under way has to be made with, as it was not before.
    fn has_to_move_another(&self) -> bool {
        let number = self.next_ply();
        self.state.incidents.iter().any(|incident| {
            incident.code == AlertCode::TouchMove && incident.is_open() && incident.ply == number
        })
    }

    /// Move `number` was undone, but discs that were lifted and put back after it, by `later`, were lifted all the same.
    fn keep_later_handling(&mut self, later: &Standing, number: u32) {
        if later.handled <= self.state.handled {
            return;
        }
        self.state.handled = later.handled;
        self.state.touched.clone_from(&later.touched);
        let lifts = later.incidents.iter().filter(|incident| {
            incident.code == AlertCode::UnexplainedLift && incident.is_open() && incident.ply == number + 1
        });
        for lift in lifts {
            let Some(&square) = lift.squares.first() else { continue };
            match self.state.position.piece_at(square).map(|piece| piece.side) {
                Some(side) if side == self.turn() => self.state.touched.push(Touch { square, side }),
                _ => self.raise(Incident { ply: number, ..lift.clone() }),
            }
        }
    }

    /// The hypotheses in which the last move, irregular, was turned into a regular one without being
    /// undone first: the disc went on to where it had to go.
    fn regularised(&self, square: Square, now: &Circumstances) -> Vec<Self> {
        let Some(last) = self.plies.last() else { return Vec::new() };
        let number = self.next_ply() - 1;
        let irregular = self
            .state
            .incidents
            .iter()
            .any(|incident| incident.ply == number && incident.is_open() && is_wrong_move(incident.code));
        if !irregular || last.prior.position.turn() != last.side {
            return Vec::new();
        }
        let position = last.prior.position;
        let Some(trip) = Trip::read(&self.open, last.mv.to, square, self.occupied()) else {
            return Vec::new();
        };
        let Some(wanderings) = last.wanderings(&trip) else { return Vec::new() };
        let mut found = Vec::new();
        for mv in position.legal_moves() {
            if mv.from != last.mv.from || mv.to != square {
                continue;
            }
            let after = position.play(mv);
            let standing = (mv.captured & now.board) - now.masked;
            let discs = after.occupied() | standing | last.prior.standing | last.prior.extra;
            if !now.shows(discs - last.prior.missing) {
                continue;
            }
            let mut child = self.clone();
            // Whatever happened to other discs is another act.
            let taken = mv.captured | last.taken();
            child.open = unused(&self.open, trip.used);
            child.open.retain(|sign| {
                sign.at < last.landed
                    || !matches!(sign.act, Act::Lift(s) | Act::Place(s) if taken.contains(s))
            });
            child.cost += cost::CORRECTION + wanderings;
            for incident in child.state.incidents.iter_mut() {
                if incident.ply == number && incident.is_open() {
                    incident.state = AlertState::Corrected;
                }
            }
            child.state.incidents.retain(|incident| {
                incident.ply != number || !changes_position(incident.code) || incident.due <= trip.landed
            });
            child.state.standing = last.prior.standing | standing;
            child.state.position = after;
            child.forget_legal_moves();
            if let Some(ply) = child.plies.last_mut().map(Arc::make_mut) {
                ply.mv = mv;
                ply.after = after;
                ply.landed = trip.landed;
                ply.pressed = None;
                ply.extra_removals.clear();
                ply.left.clear();
                let gone = (mv.captured - standing)
                    .iter()
                    .filter(|&s| !ply.removals.iter().any(|&(r, _)| r == s))
                    .collect::<Vec<_>>();
                // One that was put back is not taken off.
                let off = mv.captured - standing;
                ply.removals.retain(|&(removed, _)| off.contains(removed));
                for removed in gone {
                    ply.removals.push((removed, trip.landed));
                }
            }
            found.push(child);
        }
        found
    }

    /// The hypotheses in which a disc that is in the air at a press has fallen off the board (CN100 7.3).
    fn with_discs_missing(&self, press: Sign, now: &Circumstances) -> Vec<Self> {
        let Some(last) = self.plies.last() else { return Vec::new() };
        if last.pressed != Some(press.at) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for sign in &self.open {
            let Act::Lift(square) = sign.act else { continue };
            let explained = square == last.mv.to || self.is_with_capture(*sign, &now.settings);
            if now.board.contains(square) || explained || sign.at > press.at {
                continue;
            }
            found.extend(self.without(square, press.at));
        }
        found
    }

    /// The hypothesis in which the disc of this square has gone astray.
    pub(super) fn without(&self, square: Square, due: Moment) -> Option<Self> {
        self.state.position.piece_at(square)?;
        let mut child = self.clone();
        child.open.retain(|sign| !matches!(sign.act, Act::Lift(s) | Act::Place(s) if s == square));
        child.state.missing.insert(square);
        child.cost += cost::MISSING;
        let number = child.next_ply() - u32::from(!child.plies.is_empty());
        child.raise(Incident::new(AlertCode::PieceMissing, number, None, vec![square], due));
        Some(child)
    }

    /// The hypothesis in which something swept over the board (CN100 7.5).
    pub(super) fn disturbed_from(&self, sign: Sign, now: &Circumstances) -> Option<Self> {
        if self.open.len() < BURST_SIGNS {
            return None;
        }
        let contacts = self.open.iter().filter(|sign| matches!(sign.act, Act::Lift(_) | Act::Place(_)));
        let (burst, before): (Vec<&Sign>, Vec<&Sign>) =
            contacts.partition(|other| sign.at.since(other.at) <= BURST_MS);
        if burst.len() < BURST_SIGNS && burst.len() + before.len() < MANY_SIGNS {
            return None;
        }
        let mut child = self.clone();
        child.open.clear();
        // What was unexplained before the burst is not made good by it.
        let has_passed = |wait, since| now.now.since(since) >= wait;
        child.cost += cost::DISTURBED + self.unexplained(before, &now.settings, has_passed);
        child.disturbed = Some(sign.at);
        let number = child.next_ply();
        child.raise(Incident::new(AlertCode::BoardDisturbed, number, None, Vec::new(), sign.at));
        Some(child)
    }
}

impl Ply {
    /// The squares of the discs that were taken off with it or should have been.
    fn taken(&self) -> SquareSet {
        let others = self.left.iter().chain(&self.extra_removals).map(|&(square, _)| square);
        self.mv.captured | others.collect::<SquareSet>()
    }

    /// What it costs that its disc was set down elsewhere, for however long, before it went where it belongs. `None` if
    /// it was back on its origin, and the move undone by that, before it went on.
    fn wanderings(&self, trip: &Trip) -> Option<u32> {
        let undone = self.taken().is_empty() && trip.visits.iter().any(|visit| visit.square == self.mv.from);
        (!undone).then(|| stops_on(&trip.visits))
    }

    /// Whether the capture passes its target before it ends there, so that its disc may be lifted from there to go on.
    fn may_go_on_from(&self, square: Square) -> bool {
        self.mv.to == square
            && self.pressed.is_none()
            && self.mv.captured.len() > 2
            && squares_on_the_way(&self.before, self.mv).contains(square)
    }
}

/// Whether in an act of this kind it was the moved disc that went wrong, so that its going on can put it
/// right.
const fn is_wrong_move(code: AlertCode) -> bool {
    matches!(
        code,
        AlertCode::IllegalMove
            | AlertCode::CaptureMissed
            | AlertCode::WrongCaptureCount
            | AlertCode::CaptureStoppedShort
    )
}

/// What it costs that a disc was set down on these squares before it went where it belongs.
fn stops_on(visits: &[Visit]) -> u32 {
    count(visits.iter().map(|visit| visit.square).collect()) * cost::LEGAL_STOP
}

/// The signs whose bit is not set.
fn unused(open: &[Sign], used: u64) -> Vec<Sign> {
    open.iter().enumerate().filter(|(index, _)| used & (1 << index) == 0).map(|(_, &sign)| sign).collect()
}
