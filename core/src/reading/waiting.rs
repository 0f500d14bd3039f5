//! What time alone does to a hypothesis: the hand lets go, a pause becomes too long, a disc counts as
//! left or lost.

use super::LATE_UNDER_REPLY_MS;
use super::hypothesis::{Circumstances, Hypothesis};
use super::incident::Incident;
use crate::alert::AlertCode;
use crate::moment::Moment;
use crate::sensing::Act;
use crate::square::Square;
use crate::trace::ClockLink;

/// A moved disc that is nowhere this long after the press has gone astray (CN100 7.3).
const NOWHERE_MS: u64 = 3000;

impl Hypothesis {
    /// The next moment after `since` at which time alone changes something.
    pub(super) fn deadline(&self, since: Moment, now: &Circumstances) -> Option<Moment> {
        let mut next: Option<Moment> = None;
        let mut consider = |due: Moment| {
            if due > since && next.is_none_or(|next| due < next) {
                next = Some(due);
            }
        };
        for sign in &self.open {
            match sign.act {
                Act::Lift(_) | Act::Place(_) => consider(sign.at.after(now.settings.release_ms)),
                Act::Press(_) => consider(sign.at.after(NOWHERE_MS)),
                _ => {}
            }
        }
        for incident in self.state.incidents.iter() {
            consider(incident.due);
        }
        if !self.state.standing.is_empty() {
            let landed = self.plies.last().map(|last| last.landed.after(LATE_UNDER_REPLY_MS));
            [self.left_due(now), self.pause_due(now), landed].into_iter().flatten().for_each(consider);
        }
        next
    }

    /// When the pause between two removals becomes too long.
    fn pause_due(&self, now: &Circumstances) -> Option<Moment> {
        let last = self.plies.last()?;
        let pending = !(self.state.standing & last.mv.captured).is_empty();
        let begun = !last.removals.is_empty();
        let watched = now.clock == ClockLink::Linked && pending && begun && last.pressed.is_none();
        watched.then_some(last.off().after(now.settings.removal_pause_ms + 1))
    }

    /// Does what is due by now. Returns whether that costs anything.
    pub(super) fn pass_time(&mut self, now: &Circumstances) -> bool {
        if self.disturbed.is_some() {
            return false;
        }
        let left = self.left_due(now).filter(|&due| due <= now.now);
        if let Some(due) = left {
            self.leave_standing(due);
        }
        if self.pause_due(now).is_some_and(|due| due <= now.now) {
            self.name_pause(now.now);
        }
        self.name_disc_in_the_air(now);
        left.is_some()
    }

    fn name_pause(&mut self, at: Moment) {
        let number = self.next_ply() - 1;
        let named =
            |incident: &Incident| incident.code == AlertCode::RemovalInterrupted && incident.ply == number;
        if self.state.incidents.iter().any(named) {
            return;
        }
        if let Some(last) = self.plies.last() {
            let squares: Vec<Square> = (self.state.standing & last.mv.captured).iter().collect();
            let side = last.side;
            self.raise(Incident::new(AlertCode::RemovalInterrupted, number, side, squares, at));
        }
    }

    /// The clock was pressed with the disc in the air, and it still is nowhere (CN100 7.3).
    fn name_disc_in_the_air(&mut self, now: &Circumstances) {
        let overdue = self.open.iter().find_map(|sign| match sign.act {
            Act::Press(_) if sign.at.after(NOWHERE_MS) <= now.now => Some(sign.at),
            _ => None,
        });
        let Some(pressed) = overdue else { return };
        let due = pressed.after(NOWHERE_MS);
        let turn = self.turn();
        let in_hand = self.open.iter().find_map(|sign| match sign.act {
            Act::Lift(square) if !now.board.contains(square) && sign.at <= pressed => {
                self.state.position.piece_at(square).filter(|piece| piece.side == turn).map(|_| square)
            }
            _ => None,
        });
        let anywhere = self.open.iter().any(|sign| {
            matches!(sign.act, Act::Place(square)
                if now.board.contains(square) && !self.state.position.occupied().contains(square))
        });
        if let (Some(square), false) = (in_hand, anywhere) {
            let number = self.next_ply();
            self.raise(Incident::new(AlertCode::PieceMissing, number, None, vec![square], due));
        }
    }

    /// The hypothesis in which the captured discs that still stand were left by their captor, now that
    /// the opponent acts (CN100 7.4.11).
    pub(super) fn with_discs_left(&self, now: &Circumstances) -> Option<Self> {
        let last = self.plies.last()?;
        let of_last = self.state.standing & last.mv.captured;
        if of_last.is_empty() || self.state.standing != of_last {
            return None;
        }
        let mut child = self.clone();
        // The reply, once it has come to rest, brings this forward.
        let due = self.left_due(now).unwrap_or(Moment::LAST);
        child.leave_standing(due);
        Some(child)
    }
}
