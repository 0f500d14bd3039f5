//! Reading around masked squares, whose contacts say nothing that can be believed.
//!
//! A move from a masked square is complete when its disc lands; one to a masked square when its disc is
//! lifted and what happens next leaves no better reading. Their missing signs are supplied here, at a
//! price, so that everything else about such a move is read as about any other.

use std::sync::Arc;

use super::completing::Candidate;
use super::cost;
use super::hypothesis::{Circumstances, Hypothesis};
use super::incident::Incident;
use super::{Reader, Sign};
use crate::alert::AlertCode;
use crate::sensing::Act;
use crate::square::{Square, SquareSet};

impl Reader {
    /// From now on the contacts of these squares, and no others, are no evidence.
    pub(crate) fn mask(&mut self, masked: SquareSet) {
        self.now.masked = masked;
        self.stirred = true;
        for hypothesis in &mut self.hypotheses {
            hypothesis.forget(masked);
        }
        self.prune();
    }

    /// How many moves of the game came before those that this reader has in doubt.
    pub(crate) fn settled(&self) -> usize {
        usize::try_from(self.best().first_ply.saturating_sub(1)).unwrap_or(usize::MAX)
    }

    /// Whether every hypothesis but the best is behind it, and that one leaves nothing unexplained.
    pub(crate) fn is_quiet(&self) -> bool {
        let best = self.best();
        let behind = self.hypotheses.get(1).is_none_or(|other| self.rank(other) > self.rank(best));
        behind && best.open.is_empty() && best.disturbed.is_none() && best.state.standing.is_empty()
    }

    /// A reader that knows the best hypothesis only.
    pub(crate) fn of_best(&self) -> Self {
        Self { now: self.now.clone(), hypotheses: vec![Box::new(self.best().clone())], stirred: true }
    }

    /// The hypotheses that explain all as well as the best, if what they lead to differs and none leaves
    /// anything unexplained; empty where the best stands alone.
    #[must_use]
    pub fn tied(&self) -> Vec<&Hypothesis> {
        let best = self.best();
        let rank = self.rank(best);
        let mut tied: Vec<&Hypothesis> = Vec::new();
        for other in self.hypotheses.iter().take_while(|other| self.rank(other) == rank) {
            let at_rest = other.disturbed.is_none()
                && other.state.standing.is_empty()
                && !other.open.iter().any(|sign| matches!(sign.act, Act::Lift(_) | Act::Place(_)));
            if !at_rest {
                // The hand is still about it.
                return Vec::new();
            }
            let same = |known: &&Hypothesis| {
                let common = super::common_plies(&known.plies, &other.plies);
                known.position() == other.position()
                    || common == known.plies.len()
                    || common == other.plies.len()
            };
            if !tied.iter().any(same) {
                tied.push(other);
            }
        }
        if tied.len() > 1 { tied } else { Vec::new() }
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

    /// Drops what rests on the contacts of these squares alone.
    fn forget(&mut self, masked: SquareSet) {
        let of_masked =
            |act: Act| matches!(act, Act::Lift(square) | Act::Place(square) if masked.contains(square));
        self.open.retain(|sign| !of_masked(sign.act));
        let state = &mut *self.state;
        state.standing -= masked;
        state.touched.retain(|touch| !masked.contains(touch.square));
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
                    // It was lifted at some time since the last move came to rest.
                    let first = self.open.first().map_or(sign.at, |first| first.at);
                    let lifted = self.plies.last().map_or(first, |last| last.landed);
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
            child.cost += cost::UNSEEN_END;
            if let Some(last) = child.plies.last_mut().map(Arc::make_mut) {
                last.deduced = true;
                last.prior = self.state.clone();
            }
            found.push(child);
        }
        found
    }

    /// Whether a disc lifted from `square` may be one on its way from `origin`.
    fn is_way(&self, square: Square, origin: Square) -> bool {
        square == origin || !self.occupied().contains(square)
    }
}
