//! Reading around masked squares, whose contacts say nothing that can be believed.
//!
//! A move from a masked square is complete when its disc lands; one to a masked square when its disc is
//! lifted and what happens next leaves no better reading. Their missing signs are supplied here, at a
//! price, so that everything else about such a move is read as about any other.

use std::sync::Arc;

use super::alike::{Explained, MOST_TOLD};
use super::completing::Candidate;
use super::cost;
use super::hypothesis::{Circumstances, Hypothesis};
use super::incident::Incident;
use super::{Reader, Sign};
use crate::alert::AlertCode;
use crate::moment::Moment;
use crate::sensing::Act;
use crate::square::{Square, SquareSet};

impl Reader {
    /// From now on the contacts of these squares, and no others, are no evidence.
    pub(crate) fn mask(&mut self, masked: SquareSet) {
        self.now.faulty = masked;
        self.now.masked = masked | self.now.hidden;
        for hypothesis in &mut self.hypotheses {
            hypothesis.forget_signs(masked);
            hypothesis.forget_discs(masked);
        }
        self.rank_all();
        self.prune();
    }

    /// The squares whose contacts are no evidence now.
    pub(crate) fn masked(&self) -> SquareSet {
        self.now.masked
    }

    /// Shadows lie on these squares.
    pub(crate) fn hide_all(&mut self, hidden: SquareSet) {
        for square in hidden.iter() {
            self.hide(square);
        }
    }

    /// A shadow falls on this square. What was seen there before stays seen.
    pub(super) fn hide(&mut self, square: Square) {
        self.now.hidden.insert(square);
        self.now.masked.insert(square);
        for hypothesis in &mut self.hypotheses {
            hypothesis.forget_discs(square.into());
        }
        self.rank_all();
    }

    /// The shadow has gone from this square, and a disc stands there or none. Where a hypothesis has it otherwise, the
    /// disc came or went by now.
    pub(super) fn reveal(&mut self, square: Square, closed: bool, at: Moment) {
        self.now.hidden.remove(square);
        self.now.revealed.retain(|&(other, _)| other != square);
        self.now.revealed.push((square, at));
        if closed {
            self.now.board.insert(square);
        } else {
            self.now.board.remove(square);
        }
        if self.now.faulty.contains(square) || !self.now.masked.remove(square) {
            return;
        }
        let act = if closed { Act::Place(square) } else { Act::Lift(square) };
        self.interpret(Sign { at, act }, |hypothesis| hypothesis.is_surprised_by(square, closed));
    }

    /// How many moves of the game came before those that this reader has in doubt.
    pub(crate) fn settled(&self) -> usize {
        usize::try_from(self.best().first_ply.saturating_sub(1)).unwrap_or(usize::MAX)
    }

    /// No hypothesis will come to cost less than this: what it costs by now, unless a press turns out to be none too early.
    pub(crate) fn least_to_come(&self) -> u32 {
        let least = self.hypotheses().map(Hypothesis::cost).min();
        least.unwrap_or_default().saturating_sub(cost::PRESS_EARLY)
    }

    /// Whether every hypothesis but the best is behind it, and that one leaves nothing unexplained.
    pub(crate) fn is_quiet(&self) -> bool {
        let best = self.best();
        let behind = self.hypotheses.get(1).is_none_or(|other| self.rank(other) > self.rank(best));
        let certain = behind && best.alike.is_empty() && self.crowded.is_none();
        certain && best.open.is_empty() && best.disturbed.is_none() && best.state.standing.is_empty()
    }

    /// A reader that knows the best hypothesis only.
    pub(crate) fn of_best(&self) -> Self {
        Self { now: self.now.clone(), hypotheses: vec![Box::new(self.best().clone())], crowded: self.crowded }
    }

    /// What explains all as well as the best, if the moves differ, not more than can be told; empty where the best stands
    /// alone, `None` while one of them leaves something unexplained, for then a hand is still about it.
    #[must_use]
    pub fn tied(&self) -> Option<Vec<Explained<'_>>> {
        let at_rest = self.as_good_as(self.best()).all(Hypothesis::is_at_rest);
        (at_rest || self.crowded.is_some()).then(|| self.equals())
    }

    /// What explains all as well as the best, if the moves differ, whatever hands are about; empty where the best stands
    /// alone.
    pub(crate) fn equals(&self) -> Vec<Explained<'_>> {
        let mut equals: Vec<Explained<'_>> = Vec::new();
        for other in self.as_good_as(self.best()).flat_map(Hypothesis::explained) {
            if equals.len() < MOST_TOLD && !equals.iter().any(|known| known.has_moves_of(other)) {
                equals.push(other);
            }
        }
        if equals.len() > 1 || self.crowded.is_some() { equals } else { Vec::new() }
    }

    /// The one of those that leads to this position.
    pub(crate) fn tied_reading(&self, fen: &str) -> Option<&Hypothesis> {
        self.tied().filter(|tied| !tied.is_empty())?;
        self.as_good_as(self.best()).find(|reading| reading.position().fen() == fen)
    }
}

impl Hypothesis {
    /// What its moves and their handling cost, unexplained signs apart.
    pub(crate) fn cost(&self) -> u32 {
        self.cost
    }

    /// The squares whose disc is known to be missing, or to be one too many.
    pub(crate) fn amiss(&self) -> SquareSet {
        self.state.missing | self.state.extra
    }

    /// Whether it may have come of what was read earlier, as far as moves are still in doubt.
    pub(crate) fn goes_on_from(&self, earlier: &Self) -> bool {
        let number = earlier.next_ply();
        let Some(count) = number.checked_sub(self.first_ply).and_then(|count| usize::try_from(count).ok())
        else {
            return true;
        };
        match count.checked_sub(1) {
            Some(last) => self.plies.get(last).is_some_and(|ply| ply.after == earlier.position()),
            None => true,
        }
    }

    /// Whether it leaves nothing unexplained and no disc to be taken off.
    fn is_at_rest(&self) -> bool {
        self.disturbed.is_none()
            && self.state.standing.is_empty()
            && !self.open.iter().any(|sign| matches!(sign.act, Act::Lift(_) | Act::Place(_)))
    }

    /// Drops the signs of these squares.
    fn forget_signs(&mut self, masked: SquareSet) {
        let of_masked =
            |act: Act| matches!(act, Act::Lift(square) | Act::Place(square) if masked.contains(square));
        self.open.retain(|sign| !of_masked(sign.act));
        self.state.touched.retain(|touch| !masked.contains(touch.square));
    }

    /// Drops what is known of the discs on these squares and would have to be seen.
    fn forget_discs(&mut self, masked: SquareSet) {
        let state = &mut *self.state;
        state.standing -= masked;
        state.missing -= masked;
        state.extra -= masked;
        let about_masked = |incident: &Incident| match incident.code {
            AlertCode::StartPositionWrong => incident.squares.iter().all(|&square| masked.contains(square)),
            AlertCode::PieceMissing | AlertCode::UnexplainedLift | AlertCode::TouchMove => {
                incident.squares.first().is_some_and(|&square| masked.contains(square))
            }
            _ => false,
        };
        state.incidents.retain(|incident| !(incident.is_open() && about_masked(incident)));
    }

    /// The hypotheses in which a move that has one end on a masked square was just made.
    pub(super) fn unseen_continuations(&self, sign: Sign, now: &Circumstances) -> Vec<Self> {
        if self.disturbed.is_some() {
            return Vec::new();
        }
        let position = self.position();
        let mut found = Vec::new();
        for mv in self.legal() {
            let supplied = match sign.act {
                Act::Place(square) if square == mv.to && now.masked.contains(mv.from) => {
                    // It was lifted at some time since the last move was made.
                    let first = self.open.first().map_or(sign.at, |first| first.at);
                    let lifted = self.plies.last().map_or(first, |last| last.made());
                    Sign { at: lifted, act: Act::Lift(mv.from) }
                }
                Act::Lift(square) if now.masked.contains(mv.to) && self.is_way(square, mv.from) => {
                    Sign { at: sign.at.after(1), act: Act::Place(mv.to) }
                }
                _ => continue,
            };
            let mut helped = self.clone();
            match supplied.act {
                Act::Lift(_) => helped.open.insert(0, supplied),
                _ => helped.open.push(supplied),
            }
            let Some(mut child) = helped.completed(&Candidate::legal(position, *mv), now) else { continue };
            let of_shadow = matches!(
                supplied.act,
                Act::Lift(square) | Act::Place(square) if !now.faulty.contains(square)
            );
            child.cost += if of_shadow { cost::HIDDEN_END } else { cost::UNSEEN_END };
            self.mark_deduced(&mut child);
            found.push(child);
        }
        found
    }

    /// Whether this is not how things stand on a square that was hidden. A captured disc that is seen to stand still
    /// is no surprise.
    fn is_surprised_by(&mut self, square: Square, closed: bool) -> bool {
        let last = self.open.iter().rev().find_map(|sign| match sign.act {
            Act::Lift(other) if other == square => Some(false),
            Act::Place(other) if other == square => Some(true),
            _ => None,
        });
        if last.unwrap_or(self.occupied().contains(square)) == closed {
            return false;
        }
        let captured = self.plies.last().is_some_and(|last| last.mv.captured.contains(square));
        if closed && captured {
            self.state.standing.insert(square);
            return false;
        }
        true
    }

    /// The hypotheses in which a move was made with both ends on masked squares: the clock was pressed for no move
    /// that can be seen, or the opponent acts as if there had been one.
    pub(super) fn hidden_continuations(&self, sign: Sign, now: &Circumstances) -> Vec<Self> {
        let turn = self.turn();
        let betrays = match sign.act {
            Act::Press(side) => side == turn,
            Act::Lift(square) => self.state.position.piece_at(square).is_some_and(|piece| piece.side != turn),
            _ => false,
        };
        if !betrays || self.disturbed.is_some() {
            return Vec::new();
        }
        let position = self.position();
        let mut found = Vec::new();
        for mv in self.legal().iter().filter(|mv| now.masked.contains(mv.from) && now.masked.contains(mv.to))
        {
            let mut helped = self.clone();
            let lifted = self.plies.last().map_or(Moment::ZERO, |last| last.made());
            // It had come to rest when the first captured disc was taken off, at the latest.
            let removed = self
                .open
                .iter()
                .find(|sign| matches!(sign.act, Act::Lift(square) if mv.captured.contains(square)));
            let landed = removed.map_or(sign.at, |removed| removed.at);
            helped.open.insert(0, Sign { at: lifted, act: Act::Lift(mv.from) });
            helped.open.push(Sign { at: landed, act: Act::Place(mv.to) });
            let Some(mut child) = helped.completed(&Candidate::legal(position, *mv), now) else { continue };
            child.cost += cost::UNSEEN_MOVE;
            self.mark_deduced(&mut child);
            found.push(child);
        }
        found
    }

    fn mark_deduced(&self, child: &mut Self) {
        if let Some(last) = child.plies.last_mut().map(Arc::make_mut) {
            last.deduced = true;
            last.prior = self.state.clone();
        }
    }

    /// Whether a disc lifted from `square` may be one on its way from `origin`.
    fn is_way(&self, square: Square, origin: Square) -> bool {
        square == origin || !self.occupied().contains(square)
    }
}
