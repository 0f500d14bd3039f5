//! What has been told of the moves, and what is new: early as provisional, late as final.
//!
//! The best hypothesis may change its mind. As long as another one that agrees with every move told as
//! final is about as good, that one is told; a final move is withdrawn only for a clearly better reading.

use std::sync::Arc;

use crate::event::MoveStatus;
use crate::moment::Moment;
use crate::reading::{CLEARLY_BETTER, Hypothesis, Ply, Reader};
use crate::sensing::Act;

/// A move as it was last told.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) ply: Arc<Ply>,
    pub(super) status: MoveStatus,
}

/// Something new about the moves.
#[derive(Clone, Copy, Debug)]
pub(super) enum News {
    /// The move with this index was read, or is final now.
    Move(usize),
    /// The moves from this one on no longer stand.
    Withdrawn(usize),
}

/// The moves as they were last told.
#[derive(Clone, Debug, Default)]
pub(super) struct Telling {
    told: Vec<Told>,
    /// So many of them are no longer in doubt.
    settled: usize,
}

impl Telling {
    /// The moves as they were last told, oldest first.
    pub(super) fn told(&self) -> &[Told] {
        &self.told
    }

    /// The hypothesis to tell: the best, or one about as good that agrees with what was told as final.
    pub(super) fn choose<'r>(&self, reader: &'r Reader) -> &'r Hypothesis {
        let finals = self.finals();
        let good_enough = reader.rank(reader.best()) + CLEARLY_BETTER;
        reader
            .hypotheses()
            .take_while(|hypothesis| reader.rank(hypothesis) <= good_enough)
            .find(|hypothesis| agrees(hypothesis, finals))
            .unwrap_or_else(|| reader.best())
    }

    /// Moves told as final that are still in doubt.
    fn finals(&self) -> &[Told] {
        let open = &self.told[self.settled..];
        let count = open.iter().take_while(|told| told.status == MoveStatus::Final).count();
        &open[..count]
    }

    /// Takes in moves that are no longer in doubt and what `chosen` says of the others. Returns what is
    /// new, in the order in which it is to be told.
    pub(super) fn update(
        &mut self,
        settled: Vec<Arc<Ply>>,
        reader: &Reader,
        chosen: &Hypothesis,
        release_ms: u64,
    ) -> Vec<News> {
        let finals = if agrees(chosen, self.finals()) { self.finals().len() } else { 0 };
        let finals = finals.saturating_sub(settled.len());
        let agreed = reader.agreed_with(chosen).max(finals.min(chosen.plies().len()));
        let in_doubt = chosen.plies()[..agreed].iter().enumerate().map(|(index, ply)| {
            let is_final = is_final(chosen, index, reader.now(), release_ms);
            let status = if is_final { MoveStatus::Final } else { MoveStatus::Provisional };
            Told { ply: Arc::clone(ply), status }
        });
        let beyond_doubt = settled.len();
        let settled = settled.into_iter().map(|ply| Told { ply, status: MoveStatus::Final });
        let news = self.replace(settled.chain(in_doubt));
        self.settled += beyond_doubt;
        news
    }

    /// Replaces all that was in doubt.
    fn replace(&mut self, new: impl Iterator<Item = Told>) -> Vec<News> {
        let mut news = Vec::new();
        let mut new = new.peekable();
        let mut changed = self.settled;
        // What is kept comes first, so that a withdrawal goes back to a position that was told.
        while let Some(old) = self.told.get(changed)
            && let Some(next) = new.next_if(|next| old.ply.mv == next.ply.mv && old.ply.side == next.ply.side)
        {
            news.extend(self.keep(changed, next));
            changed += 1;
        }
        if changed < self.told.len() {
            // One provisional move that gives way to another is simply told anew.
            let gives_way = changed + 1 == self.told.len()
                && self.told[changed].status == MoveStatus::Provisional
                && new.peek().is_some();
            if !gives_way {
                news.push(News::Withdrawn(changed));
            }
            self.told.truncate(changed);
        }
        for next in new {
            news.push(News::Move(self.told.len()));
            self.told.push(next);
        }
        news
    }

    /// All moves but the first `settled` are in doubt again.
    pub(super) fn reopen(&mut self, settled: usize) {
        self.settled = self.settled.min(settled);
    }

    /// Takes over what is new about a move that stays.
    fn keep(&mut self, index: usize, mut next: Told) -> Option<News> {
        let old = &mut self.told[index];
        let becomes_final = old.status == MoveStatus::Provisional && next.status == MoveStatus::Final;
        // More discs came off with it than were captured: the position is another one.
        let position_changes = old.ply.after != next.ply.after;
        // What was final stays so, whatever happens to the disc now: that is another act.
        if old.status == MoveStatus::Final {
            next.status = MoveStatus::Final;
        }
        *old = next;
        (becomes_final || position_changes).then_some(News::Move(index))
    }

    /// When the last move becomes final by time alone.
    pub(super) fn release_due(&self, release_ms: u64) -> Option<Moment> {
        let last = self.told.last().filter(|told| told.status == MoveStatus::Provisional)?;
        Some(last.ply.complete().after(release_ms))
    }
}

/// Whether the hypothesis has the same discs moved; which captured ones came off may still change.
fn agrees(hypothesis: &Hypothesis, finals: &[Told]) -> bool {
    let plies = hypothesis.plies();
    let same = |told: &Told, ply: &Ply| {
        (told.ply.mv.from, told.ply.mv.to, told.ply.side) == (ply.mv.from, ply.mv.to, ply.side)
    };
    plies.len() >= finals.len() && finals.iter().zip(plies).all(|(told, ply)| same(told, ply))
}

/// Whether the move `index` of the hypothesis can no longer be changed by its player: he pressed, the
/// opponent moved, or the hand has let go.
fn is_final(hypothesis: &Hypothesis, index: usize, now: Moment, release_ms: u64) -> bool {
    let plies = hypothesis.plies();
    let Some(ply) = plies.get(index) else { return false };
    if index + 1 < plies.len() {
        return true;
    }
    let disc_in_hand = hypothesis.open().iter().any(|sign| sign.act == Act::Lift(ply.mv.to));
    if disc_in_hand {
        return false;
    }
    // What would be irregular if the hand had let go is not over before that is known.
    if hypothesis.incidents().iter().any(|incident| incident.is_pending(now)) {
        return false;
    }
    let all_off = (hypothesis.standing() & ply.mv.captured).is_empty();
    let released = ply.complete().after(release_ms) <= now;
    if all_off { ply.pressed.is_some() || released } else { released && ply.after.ending().is_some() }
}
