//! Completing a move: the hypothesis in which one was just made by the open signs.

use std::sync::Arc;

use super::LATE_UNDER_REPLY_MS;
use super::cost;
use super::hypothesis::{Circumstances, Hypothesis, Ply};
use super::incident::{Incident, changes_position};
use super::trip::{SLIDE_MS, Trip, Visit};
use crate::alert::{AlertCode, AlertState};
use crate::moment::Moment;
use crate::moves::Move;
use crate::piece::Side;
use crate::position::Position;
use crate::sensing::{Act, Sign};
use crate::square::{Square, SquareSet};
use crate::trace::ClockLink;

/// A disc that rests on its way for `release-ms` may just have begun to be taken up again.
pub(super) const LETTING_GO_MS: u64 = 150;

/// What kind of move it is that a hypothesis completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A legal move of the side on turn.
    Legal,
    /// A move of the side on turn, or with one of its opponent's pieces, that breaks this rule.
    Irregular(AlertCode),
    /// A move of the side not on turn, legal if it were.
    OutOfTurn(AlertCode),
}

/// A move that hands may have made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) kind: Kind,
    /// The position it is made in, with the owner of the moved piece on turn.
    pub(super) before: Position,
    pub(super) mv: Move,
    /// Whose move it is in the record.
    pub(super) side: Side,
    /// The position it leads to.
    pub(super) after: Position,
}

impl Candidate {
    /// A legal move of the side on turn.
    pub(super) fn legal(position: Position, mv: Move) -> Self {
        Self { kind: Kind::Legal, before: position, mv, side: position.turn(), after: position.play(mv) }
    }
}

impl Hypothesis {
    /// The trip of a disc among the open signs, if there is one that may be the next move.
    pub(super) fn trip(&self, from: Square, to: Square) -> Option<Trip> {
        let trip = Trip::read(&self.open, from, to, self.occupied())?;
        // Whatever overlaps, the reply does not come to rest before the move it answers.
        let answers =
            self.plies.last().is_none_or(|last| trip.landed >= last.landed && trip.lifted >= last.lifted);
        (answers && trip.landed >= self.state.handled).then_some(trip)
    }

    /// The hypothesis in which the candidate was made by the open signs, if they hold its trip.
    pub(super) fn completed(&self, candidate: &Candidate, now: &Circumstances) -> Option<Self> {
        let Candidate { mv, side, .. } = *candidate;
        let trip = self.trip(mv.from, mv.to)?;
        let mut child = self.child();
        child.cost += candidate.kind.cost() + trip.returns * cost::RETURN + unseen_ends(mv, &trip, now);
        let goes_on = |last: &Ply| {
            matches!(candidate.kind, Kind::OutOfTurn(_))
                && last.mv.to == mv.from
                && !last.was_complete(trip.lifted, &now.settings)
        };
        if self.plies.last().is_some_and(|last| goes_on(last)) {
            child.cost += cost::NOT_LET_GO;
        }
        if trip.returns > 0 && self.returned_late(mv.from, now) {
            child.cost += cost::LONG_IN_HAND + cost::TOUCH;
        }
        let lift = Sign { at: trip.lifted, act: Act::Lift(mv.from) };
        if self.is_with_capture(lift, &now.settings) && trip.in_hand() >= now.settings.release_ms {
            child.cost += cost::LONG_IN_HAND;
        }
        let number = self.next_ply();
        let mut used = trip.used;
        let mut removals = Vec::new();
        for (index, sign) in self.open.iter().enumerate() {
            if let Act::Lift(square) = sign.act
                && mv.captured.contains(square)
                && !removals.iter().any(|&(taken, _)| taken == square)
            {
                used |= 1 << index;
                removals.push((square, sign.at));
            }
        }
        if mv.from == mv.to && removals.is_empty() {
            // A disc put back on its square has not captured anything as long as nothing was taken off.
            return None;
        }
        let stops = Stops::of(self, candidate, &trip, &removals, now);
        child.cost += stops.cost;
        if self.undoes_irregular(mv) {
            child.cost += cost::UNDOING;
        }
        child.settle_accounts(candidate, number, &trip, now);
        match stops.handling {
            Some(Handling::Stopped(square)) => {
                let mut incident =
                    Incident::new(AlertCode::CaptureStoppedShort, number, side, vec![square], trip.landed);
                incident.state = AlertState::Corrected;
                child.raise(incident);
            }
            Some(Handling::TooEarly(square)) => {
                child.raise(Incident::new(
                    AlertCode::RemovedTooEarly,
                    number,
                    side,
                    vec![square],
                    trip.landed,
                ));
            }
            None => {}
        }
        if let Some(code) = candidate.kind.code() {
            let mut squares = vec![mv.from, mv.to];
            if matches!(code, AlertCode::CaptureStoppedShort) {
                squares.reverse();
            }
            let correcting = matches!(candidate.kind, Kind::OutOfTurn(_)) && self.moves_irregular_disc(mv);
            let due = if self.already_in_reply(side, trip.landed) {
                trip.landed
            } else if correcting {
                // Moving the disc of an open act is its correction, even onto a wrong square first.
                Moment::LAST
            } else if code == AlertCode::CaptureStoppedShort && removals.is_empty() {
                // A disc may rest on its way as long as it likes (CN100 6.10, 6.11).
                Moment::LAST
            } else {
                trip.landed.after(now.settings.release_ms)
            };
            child.raise(Incident::new(code, number, side, squares, due));
        }
        // Changes this close to each other carry no order, nor do those of a lost stretch.
        child.forgive_presses(&self.open, |sign| trip.press_may_follow(sign.at, &now.settings));
        let taken: SquareSet = removals.iter().map(|&(square, _)| square).collect();
        // Whether a disc on a masked square was taken off nobody can see.
        child.state.standing |= mv.captured - taken - now.masked;
        child.state.position = candidate.after;
        child.state.missing -= mv.captured;
        let off = removals.last().map_or(trip.landed, |&(_, at)| at.max(trip.landed));
        let ply = Ply {
            side,
            before: candidate.before,
            mv,
            after: candidate.after,
            lifted: trip.lifted,
            landed: trip.landed,
            removals,
            extra_removals: Vec::new(),
            left: Vec::new(),
            pressed: self.pressed_in_flight(side, &trip),
            deduced: trip.is_lost(),
            prior: self.state.clone(),
        };
        child.check_order(&ply, number, off, now.settings.simultaneous_ms);
        child.plies.push(Arc::new(ply));
        for (index, &sign) in self.open.iter().enumerate() {
            let belongs = used & (1 << index) != 0;
            match sign.act {
                Act::Lift(_) | Act::Place(_) if belongs => {}
                Act::Lift(_) | Act::Place(_) => {
                    // Lost with it and yet no part of it: two moves explain a lost stretch better.
                    let lost_too = trip.is_lost() && sign.at == trip.landed;
                    if sign.at < trip.lifted || lost_too || self.is_in_the_way(sign, &trip, now) {
                        child.cost += cost::STRANDED;
                    }
                    if self.is_with_capture(sign, &now.settings) {
                        // Taken off with the capture before, it has not gone astray since.
                        child.cost += cost::LONG_IN_HAND;
                    }
                    child.open.push(sign);
                }
                // Presses and announcements before the move are part of it.
                Act::Press(presser) if presser == side => {}
                _ => {}
            }
        }
        Some(child)
    }

    /// Whether the disc of this square was lifted before the last press and put back after it, or taken
    /// off with the last capture and not put back at once.
    fn returned_late(&self, square: Square, now: &Circumstances) -> bool {
        let of_square = |act: Act| self.open.iter().find(|sign| sign.act == act);
        let (Some(&lift), Some(back)) = (of_square(Act::Lift(square)), of_square(Act::Place(square))) else {
            return false;
        };
        let pressed = self.plies.last().and_then(|last| last.pressed);
        let pressed_meanwhile = pressed.is_some_and(|at| at > lift.at && at < back.at);
        let at_once = back.at.since(lift.at) < now.settings.release_ms;
        pressed_meanwhile || self.is_with_capture(lift, &now.settings) && !at_once
    }

    /// Whether this disc came to stand where it explains nothing before that one came to rest: the opponent's reply
    /// does not.
    fn is_in_the_way(&self, sign: Sign, trip: &Trip, now: &Circumstances) -> bool {
        matches!(sign.act, Act::Place(square)
            if now.board.contains(square) && !self.occupied().contains(square))
            && trip.landed.since(sign.at) > now.settings.simultaneous_ms
    }

    /// Whether this would be the last move run backwards, that move being irregular and not accepted.
    fn undoes_irregular(&self, mv: Move) -> bool {
        self.plies.last().is_some_and(|last| last.mv.from == mv.to) && self.moves_irregular_disc(mv)
    }

    /// Whether this moves the disc that was moved last, that move being irregular and not accepted.
    fn moves_irregular_disc(&self, mv: Move) -> bool {
        let number = self.next_ply().saturating_sub(1);
        self.plies.last().is_some_and(|last| last.mv.to == mv.from)
            && self.state.incidents.iter().any(|incident| {
                incident.is_open() && incident.ply == number && changes_position(incident.code)
            })
    }

    /// Whether the opponent of `side` has a disc in the air since before `landed`.
    fn already_in_reply(&self, side: Side, landed: Moment) -> bool {
        self.open.iter().any(|sign| match sign.act {
            Act::Lift(square) => {
                sign.at > landed
                    && self.state.position.piece_at(square).is_some_and(|piece| piece.side != side)
            }
            _ => false,
        })
    }

    /// What was taken for an early press may have followed the landing after all.
    pub(super) fn forgive_presses(&mut self, open: &[Sign], may_follow: impl Fn(&Sign) -> bool) {
        for sign in open {
            if matches!(sign.act, Act::Press(_)) && may_follow(sign) {
                self.cost = self.cost.saturating_sub(cost::PRESS_EARLY);
                self.state.incidents.retain(|incident| {
                    incident.code != AlertCode::ClockPressedEarly || incident.at != sign.at
                });
            }
        }
    }

    /// The mover's press while his disc was in the air.
    fn pressed_in_flight(&self, side: Side, trip: &Trip) -> Option<Moment> {
        self.open.iter().find_map(|sign| match sign.act {
            Act::Press(presser) if presser == side && (sign.at >= trip.lifted || trip.is_lost()) => {
                Some(sign.at)
            }
            _ => None,
        })
    }

    /// What the completion of a move by `side` means for what happened before it.
    fn settle_accounts(&mut self, candidate: &Candidate, number: u32, trip: &Trip, now: &Circumstances) {
        let Candidate { mv, side, .. } = *candidate;
        let at = trip.landed;
        let out_of_turn = matches!(candidate.kind, Kind::OutOfTurn(_));
        if self.state.adjusting.is_some_and(|(announcer, _)| announcer == side) {
            self.state.adjusting = None;
        }
        if out_of_turn {
            if !self.state.touched.is_empty() {
                self.state.touched.clear();
            }
        } else {
            self.judge_touches(candidate, number, trip.lifted, now);
        }
        // The move taken back is made again; any other move leaves it taken back.
        let again = |incident: &Incident| {
            incident.code == AlertCode::TookBack
                && incident.ply == number
                && incident.side == Some(side)
                && incident.squares == [mv.from, mv.to]
        };
        let passage = |incident: &Incident| {
            incident.is_open() && incident.code == AlertCode::TookBack && incident.due == Moment::LAST
        };
        let redone = |incident: &Incident| {
            incident.is_open()
                && incident.code == AlertCode::TouchMove
                && incident.ply == number
                && incident.side == Some(side)
                && incident.squares.first() == Some(&mv.from)
        };
        if self.state.incidents.iter().any(redone) {
            // It was for this that the move was taken back.
            self.state.incidents.retain(|incident| !passage(incident));
        }
        if self.state.incidents.iter().any(passage) {
            // The disc only passed its origin; the lift of a disc that had moved explains that better.
            self.cost += cost::UNEXPLAINED_LIFT;
        }
        self.close(AlertState::Corrected, again);
        self.close(AlertState::Corrected, redone);
        self.close(AlertState::Corrected, |incident| {
            incident.code == AlertCode::PieceMissing && incident.squares.first() == Some(&mv.from)
        });
        self.ripen(at, |incident| incident.code == AlertCode::TookBack && incident.side == Some(side));
        if !out_of_turn {
            // A captured disc may be taken off for a while under the reply; then it counts as left.
            self.ripen(at.after(LATE_UNDER_REPLY_MS), |incident| {
                incident.code == AlertCode::LeftCapturedPiece && incident.side == Some(side.opponent())
            });
            // The opponent has moved: what stood open against the other side is accepted (CN100 7.7).
            self.close(AlertState::Accepted, |incident| match incident.side {
                Some(at_fault) => at_fault != side && incident.code != AlertCode::NotCrowned,
                None => incident.code == AlertCode::UnexplainedLift,
            });
        }
        if let Some((last, earlier)) = self.plies.split_last() {
            // Whose own clock still stands, since the opponent forgot to press, has nothing to press.
            let clock_ran = match earlier.last() {
                // It moved twice; if it pressed after the first move, its clock stands.
                Some(before) if before.side == last.side => before.pressed.is_none(),
                Some(before) => before.pressed.is_some() || before.deduced,
                None => true,
            };
            let seen = !last.deduced && !trip.is_lost();
            let linked = now.clock == ClockLink::Linked;
            if linked && clock_ran && seen && last.side != side && last.pressed.is_none() {
                self.raise(Incident::new(AlertCode::PressForgotten, number, last.side, Vec::new(), at));
            }
        }
        self.account_for_crowning(side, mv, number, at, now);
    }
}

impl Kind {
    const fn cost(self) -> u32 {
        match self {
            Self::Legal => 0,
            Self::Irregular(AlertCode::MovedOpponentPiece) => cost::WRONG_PIECE,
            Self::Irregular(_) => cost::IRREGULAR,
            Self::OutOfTurn(_) => cost::OUT_OF_TURN,
        }
    }

    const fn code(self) -> Option<AlertCode> {
        match self {
            Self::Legal => None,
            Self::Irregular(code) | Self::OutOfTurn(code) => Some(code),
        }
    }
}

/// What was wrong with the handling of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handling {
    /// The disc was left on this landing square before it went on (CN100 6.11).
    Stopped(Square),
    /// This disc was taken off before the captor stood on its final square (CN100 6.12).
    TooEarly(Square),
}

/// What the stops of a disc on its way cost, and what they say about its handling.
struct Stops {
    cost: u32,
    handling: Option<Handling>,
}

impl Stops {
    fn of(
        hypothesis: &Hypothesis,
        candidate: &Candidate,
        trip: &Trip,
        removals: &[(Square, Moment)],
        now: &Circumstances,
    ) -> Self {
        let mv = candidate.mv;
        let mut stops = Self { cost: 0, handling: None };
        let early =
            removals.iter().find(|&&(_, at)| trip.landed.since(at) > now.settings.simultaneous_ms).copied();
        let pressed = |visit: &Visit| hypothesis.pressed_between(visit.placed, visit.lifted);
        let landings = if mv.is_capture() && !trip.visits.is_empty() {
            squares_on_the_way(&candidate.before, mv)
        } else {
            SquareSet::EMPTY
        };
        let legal = || hypothesis.legal().iter().filter(|other| other.from == mv.from);
        for visit in &trip.visits {
            let long = visit.lifted.since(visit.placed) >= now.settings.release_ms;
            let on_its_way = visit.lifted >= trip.lifted;
            if on_its_way && landings.contains(visit.square) {
                let let_go = visit.lifted.since(visit.placed) >= now.settings.release_ms + LETTING_GO_MS;
                let removed = removals.iter().any(|&(_, at)| at >= visit.placed && at <= visit.lifted);
                if pressed(visit) || (let_go && removed) {
                    stops.handling = Some(Handling::Stopped(visit.square));
                    stops.cost += cost::STOPPED_AND_WENT_ON;
                }
            } else if pressed(visit) {
                stops.cost += cost::LONG_STOP;
            } else if legal().any(|other| other.to == visit.square) {
                stops.cost += if long { cost::LONG_STOP } else { cost::LEGAL_STOP };
            } else {
                stops.cost += if long { cost::LONG_STOP } else { cost::ILLEGAL_STOP };
            }
        }
        if let Some((square, _)) = early
            && stops.handling.is_none()
        {
            stops.handling = Some(Handling::TooEarly(square));
            stops.cost += cost::EARLY_REMOVAL;
        }
        stops
    }
}

/// What the ends of a trip cost that were not seen when they happened, but revealed later. As much as if they had been
/// supplied at once, lest a reading be better for having been wrong in the dark.
fn unseen_ends(mv: Move, trip: &Trip, now: &Circumstances) -> u32 {
    let mut sum = 0;
    if now.was_revealed(mv.from, trip.lifted) {
        sum += cost::HIDDEN_END;
    }
    if now.was_revealed(mv.to, trip.landed) {
        sum += cost::HIDDEN_END;
        if trip.landed.since(trip.lifted) <= SLIDE_MS {
            sum += cost::LANDED_AT_ONCE;
        }
    }
    sum
}

/// The squares on which the disc may be set down on its way through a capture. A king may choose any
/// empty square behind each piece that it takes (CN100 6.3), so all that lie on its lines count.
pub(super) fn squares_on_the_way(before: &Position, mv: Move) -> SquareSet {
    let variant = before.variant();
    let mut squares = SquareSet::EMPTY;
    for route in before.routes(mv) {
        let mut here = mv.from;
        for (index, &landing) in route.landings.iter().enumerate() {
            let (row, column) = here.row_column(variant);
            let (to_row, to_column) = landing.row_column(variant);
            let towards = |from: u8, to: u8, step: u8| if from < to { from + step } else { from - step };
            // The target itself counts only where the route touches it before its end.
            let last = index + 1 == route.landings.len();
            for step in 1..=row.abs_diff(to_row) - u8::from(last) {
                let square = Square::from_row_column(
                    towards(row, to_row, step),
                    towards(column, to_column, step),
                    variant,
                );
                squares.extend(square);
            }
            here = landing;
        }
    }
    squares
}

/// The squares that the open signs leave empty and occupied.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    /// Discs were lifted from here.
    pub(super) lifted: SquareSet,
    /// A disc was set down here and stands.
    pub(super) placed: SquareSet,
}

impl Balance {
    pub(super) fn of(open: &[Sign]) -> Self {
        let mut balance = Self::default();
        for sign in open {
            match sign.act {
                Act::Lift(square) => {
                    balance.lifted.insert(square);
                    balance.placed.remove(square);
                }
                Act::Place(square) => _ = balance.placed.insert(square),
                _ => {}
            }
        }
        balance
    }
}
