//! Captured discs coming off the board: in which order, when, and which ones (CN100 6.6, 6.7, 6.12,
//! 7.4.10 to 7.4.14).

use std::sync::Arc;

use super::completing::LETTING_GO_MS;
use super::cost;
use super::hypothesis::{Circumstances, Hypothesis, Ply, edited, put, take};
use super::incident::Incident;
use crate::alert::{AlertCode, AlertState};
use crate::moment::Moment;
use crate::sensing::{Act, Sign};
use crate::settings::Settings;
use crate::square::{Square, SquareSet};
use crate::trace::ClockLink;

impl Hypothesis {
    /// A captured disc comes off after its captor has come to rest.
    pub(super) fn remove_captured(&mut self, square: Square, at: Moment, now: &Circumstances) {
        self.state.standing.remove(square);
        let number = self.first_ply;
        let Some(index) = self.plies.iter().rposition(|ply| ply.mv.captured.contains(square)) else { return };
        let ply = Arc::make_mut(&mut self.plies[index]);
        // A disc that went on after the first ones were taken off begins anew.
        let pause = ply.removals.last().map(|_| at.since(ply.off()));
        ply.removals.push((square, at));
        let ply = self.plies[index].clone();
        let number = number + u32::try_from(index).unwrap_or(u32::MAX);
        if pause.is_some_and(|pause| pause > now.settings.removal_pause_ms) {
            self.interrupt(&ply, number, at);
        }
        self.check_order(&ply, number, at, now.settings.simultaneous_ms);
        // With a jumped disc taken off, the captor that rests on its way is left there (CN100 6.11).
        let let_go = ply.landed.after(now.settings.release_ms + LETTING_GO_MS);
        self.ripen(let_go.max(at), |incident| {
            incident.code == AlertCode::CaptureStoppedShort && incident.ply == number
        });
    }

    /// More than the permitted pause lies between two removals (CN100 7.4.13). Without a linked clock
    /// it is the disc left standing that was named.
    fn interrupt(&mut self, ply: &Ply, number: u32, at: Moment) {
        let squares = ply.mv.captured.iter().filter(|&s| !ply.removals.iter().any(|&(r, _)| r == s));
        let left: Vec<Square> = squares.collect();
        let about = ply.removals.last().map(|&(square, _)| square);
        let squares = if left.is_empty() { about.into_iter().collect() } else { left };
        let named = |incident: &Incident| {
            incident.ply == number
                && matches!(incident.code, AlertCode::LeftCapturedPiece | AlertCode::RemovalInterrupted)
        };
        if !self.state.incidents.iter().any(named) {
            self.raise(Incident::new(AlertCode::RemovalInterrupted, number, ply.side, squares, at));
        }
    }

    /// Names an order of removal that fits no route, once all discs are off (CN100 6.6, 6.7, 6.12).
    pub(super) fn check_order(&mut self, ply: &Ply, number: u32, at: Moment, simultaneous: u64) {
        let removals = &ply.removals;
        if ply.mv.captured.len() < 3 || removals.len() < ply.mv.captured.len() || ply.deduced {
            return;
        }
        let fits = |captures: &[Square], reverse: bool| {
            // Each disc came off when the one before it in the route did, or later, give or take
            // what carries no order.
            let mut latest = Moment::ZERO;
            let mut in_route = (0..captures.len())
                .map(|k| if reverse { captures[captures.len() - 1 - k] } else { captures[k] });
            in_route.all(|square| {
                let Some(&(_, at)) = removals.iter().find(|&&(removed, _)| removed == square) else {
                    return false;
                };
                let in_order = latest.since(at) <= simultaneous;
                latest = latest.max(at);
                in_order
            })
        };
        let routes = ply.before.routes(ply.mv);
        let in_order = routes.iter().any(|route| fits(&route.captures, false) || fits(&route.captures, true));
        if !in_order {
            let squares = removals.iter().map(|&(square, _)| square).collect();
            self.raise(Incident::new(AlertCode::RemovalOutOfOrder, number, ply.side, squares, at));
        }
    }

    /// The hypothesis in which a captured disc that was taken off stands on its square again, before the press: it is
    /// still to be taken off.
    pub(super) fn with_captured_disc_back(&self, sign: Sign) -> Option<Self> {
        let Act::Place(square) = sign.act else { return None };
        let last = self.plies.last()?;
        if last.pressed.is_some() || !last.removals.iter().any(|&(removed, _)| removed == square) {
            return None;
        }
        let mut child = self.clone();
        child.open.retain(|other| *other != sign);
        child.cost += cost::REMOVED_TWICE;
        child.state.standing.insert(square);
        let last = Arc::make_mut(child.plies.last_mut()?);
        last.removals.retain(|&(removed, _)| removed != square);
        Some(child)
    }

    /// The hypothesis in which the disc that was wrongly taken off with the last capture has come back.
    pub(super) fn with_disc_put_back(&self, sign: Sign) -> Option<Self> {
        let Act::Place(square) = sign.act else { return None };
        let (_, piece) =
            *self.plies.last()?.extra_removals.iter().find(|&&(removed, _)| removed == square)?;
        let mut child = self.clone();
        child.open.retain(|other| *other != sign);
        let last = Arc::make_mut(child.plies.last_mut()?);
        last.extra_removals.retain(|&(removed, _)| removed != square);
        last.after = edited(&last.after, |setup| put(setup, square, piece));
        child.edit(|setup| put(setup, square, piece));
        let number = child.next_ply() - 1;
        child.close(AlertState::Corrected, |incident| {
            incident.ply == number
                && incident.squares.first() == Some(&square)
                && matches!(incident.code, AlertCode::RemovedUnjumpedPiece | AlertCode::RemovedOwnPiece)
        });
        Some(child)
    }

    /// The hypothesis in which a captured disc that was left standing comes off after all.
    pub(super) fn with_late_removal(&self, sign: Sign) -> Option<Self> {
        let Act::Lift(square) = sign.act else { return None };
        let recent = self.plies.len().saturating_sub(2);
        let index = (recent..self.plies.len())
            .find(|&index| self.plies[index].left.iter().any(|&(left, _)| left == square))?;
        let mut child = self.clone();
        child.open.retain(|other| *other != sign);
        if index + 1 < child.plies.len() {
            // After a reply, a capture of that disc explains better why it comes off.
            child.cost += cost::CORRECTION;
        }
        let ply = Arc::make_mut(&mut child.plies[index]);
        ply.left.retain(|&(left, _)| left != square);
        ply.mv.captured.insert(square);
        ply.removals.push((square, sign.at));
        for later in child.plies[index..].iter_mut().map(Arc::make_mut) {
            later.after = edited(&later.after, |setup| take(setup, square));
        }
        child.edit(|setup| take(setup, square));
        let number = self.first_ply + u32::try_from(index).unwrap_or(u32::MAX);
        let about = |incident: &Incident| {
            incident.code == AlertCode::LeftCapturedPiece
                && incident.ply == number
                && incident.squares.contains(&square)
        };
        // Before it counts, nothing has happened; after the reply it stays what it was.
        child.state.incidents.retain(|incident| !(about(incident) && incident.due > sign.at));
        if child.plies[index].left.is_empty() {
            // A partial correction is none (CN100 7.8).
            child.close(AlertState::Corrected, about);
        }
        Some(child)
    }

    /// Whether the last move is an irregular one of this kind that may still be put right.
    fn has_open_act(&self, code: AlertCode) -> bool {
        let number = self.next_ply().saturating_sub(1);
        self.state
            .incidents
            .iter()
            .any(|incident| incident.code == code && incident.ply == number && incident.is_open())
    }

    /// Takes it that the captured discs which still stand were left, and so are in the game again
    /// (CN100 7.4.11). `due` is when that counts.
    pub(super) fn leave_standing(&mut self, due: Moment) {
        let standing = self.state.standing;
        self.state.standing = SquareSet::EMPTY;
        self.cost += cost::LEFT_STANDING;
        let first = self.first_ply;
        let mut named: Vec<(u32, usize, Vec<Square>)> = Vec::new();
        for square in standing.iter() {
            let Some(index) = self.plies.iter().rposition(|ply| ply.mv.captured.contains(square)) else {
                continue;
            };
            let before = self.plies[index].before;
            let Some(piece) = before.piece_at(square) else { continue };
            for (at, later) in self.plies.iter_mut().enumerate().skip(index) {
                let later = Arc::make_mut(later);
                later.after = edited(&later.after, |setup| put(setup, square, piece));
                if at > index {
                    later.before = edited(&later.before, |setup| put(setup, square, piece));
                }
            }
            let ply = Arc::make_mut(&mut self.plies[index]);
            ply.mv.captured.remove(square);
            ply.left.push((square, piece));
            self.edit(|setup| put(setup, square, piece));
            let number = first + u32::try_from(index).unwrap_or(u32::MAX);
            match named.iter_mut().find(|(ply, ..)| *ply == number) {
                Some((_, _, squares)) => squares.push(square),
                None => named.push((number, index, vec![square])),
            }
        }
        for (number, index, squares) in named {
            let side = self.plies[index].side;
            let mut incident = Incident::new(AlertCode::LeftCapturedPiece, number, side, squares, due);
            if index + 1 < self.plies.len() {
                incident.state = AlertState::Accepted;
            }
            self.state
                .incidents
                .retain(|other| !(other.code == AlertCode::RemovalInterrupted && other.ply == number));
            // One act, one code: a capture that stopped short had not come to its end.
            let stopped =
                |other: &Incident| other.code == AlertCode::CaptureStoppedShort && other.ply == number;
            if !self.state.incidents.iter().any(stopped) {
                self.raise(incident);
            }
        }
    }

    /// When discs that still stand count as left, by what has happened so far.
    pub(super) fn left_due(&self, now: &Circumstances) -> Option<Moment> {
        if self.state.standing.is_empty() {
            return None;
        }
        let (last, earlier) = self.plies.split_last()?;
        let settings = &now.settings;
        if (self.state.standing & last.mv.captured).is_empty() {
            let captor = earlier.last()?;
            let by_reply = last.landed.after(super::LATE_UNDER_REPLY_MS);
            let by_press = captor.pressed.map(|at| at.after(settings.late_removal_ms));
            let by_answer = last.pressed;
            return [Some(by_reply), by_press, by_answer].into_iter().flatten().min();
        }
        match (now.clock, last.pressed) {
            (_, Some(pressed)) => Some(pressed.max(last.landed).after(settings.late_removal_ms)),
            (ClockLink::None, None) => Some(last.off().after(settings.removal_pause_ms)),
            (ClockLink::Linked, None) => None,
        }
    }

    /// Whether this lift belongs to the last capture: made after the captor stood on its final square,
    /// before its press, and soon after its last removal.
    pub(super) fn is_with_capture(&self, sign: Sign, settings: &Settings) -> bool {
        let (Some(last), Act::Lift(square)) = (self.plies.last(), sign.act) else { return false };
        (last.mv.is_capture() || !last.left.is_empty())
            && square != last.mv.to
            && sign.at.since(last.off()) <= settings.release_ms
            && last.pressed.is_none_or(|pressed| pressed > sign.at)
            && sign.at > last.landed.after(settings.simultaneous_ms)
    }

    /// With the capture, this disc was taken off though it was not captured: an own one, or an enemy
    /// one that was not jumped (CN100 7.4.12, 7.4.14). `None` where the lift has other reasons.
    pub(super) fn with_extra_removal(&self, sign: Sign, now: &Circumstances) -> Option<Self> {
        let Act::Lift(square) = sign.act else { return None };
        let last = self.plies.last()?;
        let piece = self.state.position.piece_at(square)?;
        if piece.side != last.side && self.has_open_act(AlertCode::IllegalMove) {
            // What leaves the board with an illegal move belongs to it.
            let mut child = self.clone();
            child.open.retain(|other| *other != sign);
            child.cost += cost::CORRECTION;
            let last = Arc::make_mut(child.plies.last_mut()?);
            last.mv.captured.insert(square);
            last.removals.push((square, sign.at));
            last.after = edited(&last.after, |setup| take(setup, square));
            child.edit(|setup| take(setup, square));
            return Some(child);
        }
        if !self.is_with_capture(sign, &now.settings) {
            return None;
        }
        let code = if piece.side == last.side {
            AlertCode::RemovedOwnPiece
        } else {
            AlertCode::RemovedUnjumpedPiece
        };
        let mut child = self.clone();
        child.open.retain(|other| *other != sign);
        child.cost += cost::EXTRA_REMOVAL;
        let number = child.next_ply() - 1;
        let side = last.side;
        let last = Arc::make_mut(child.plies.last_mut()?);
        last.extra_removals.push((square, piece));
        last.after = edited(&last.after, |setup| take(setup, square));
        child.edit(|setup| take(setup, square));
        let due = sign.at.after(now.settings.release_ms);
        child.raise(Incident::new(code, number, side, vec![square], due));
        Some(child)
    }
}
