//! Crowning: which promoted pieces still lack their second disc (CN100 5.5 to 5.8).
//!
//! The rules alone decide what a piece is. Contacts only say whether a promoted piece has been
//! crowned, and where they cannot, nothing is claimed.

use super::Reader;
use super::hypothesis::{Circumstances, Hypothesis, Uncrowned};
use super::incident::Incident;
use super::trip::Trip;
use crate::alert::{AlertCode, AlertState};
use crate::moment::Moment;
use crate::moves::Move;
use crate::piece::Side;
use crate::square::{Square, SquareSet};
use crate::trace::Crowning;

/// A piece lifted this long before or after its second disc was sensed is lifted to crown it.
const CROWNING_MS: u64 = 4000;

impl Reader {
    /// The sensor behind the stack contact of a square is faulty, or works again.
    ///
    /// About a piece that was promoted meanwhile nothing is claimed, also when the sensor works again.
    pub(super) fn trust_crown_sensor(&mut self, square: Square, works: bool) {
        if works {
            self.now.unsensed.remove(square);
            return;
        }
        self.now.unsensed.insert(square);
        for hypothesis in &mut self.hypotheses {
            hypothesis.claim_no_crowning(square);
        }
        self.rank_all();
    }

    /// The squares whose stack contact says nothing, since its sensor is faulty.
    pub(crate) const fn unsensed(&self) -> SquareSet {
        self.now.unsensed
    }

    /// The sensors of these squares are faulty.
    pub(crate) fn distrust_crown_sensors(&mut self, squares: SquareSet) {
        for square in squares.iter() {
            self.trust_crown_sensor(square, false);
        }
    }
}

impl Hypothesis {
    /// Nobody can tell any more whether a piece on this square is crowned. What was raised before stays.
    fn claim_no_crowning(&mut self, square: Square) {
        for piece in self.state.uncrowned.iter_mut().filter(|piece| piece.square == square) {
            piece.sensed = false;
        }
    }

    /// The stack contact of a square closed: what stands there is crowned.
    pub(super) fn crown(&mut self, square: Square, at: Moment) {
        if let Some(piece) = self.state.uncrowned.iter().find(|piece| piece.square == square).copied() {
            self.state.crowned = Some((piece.side, Some(square), at));
        }
        self.state.uncrowned.retain(|piece| piece.square != square);
        self.close_crowned();
    }

    /// Whether this lift was made to crown the piece: it still lacks its second disc, or has just got it.
    pub(super) fn is_crowning(&self, square: Square, side: Side, trip: &Trip) -> bool {
        let near = |at: Moment| at.after(CROWNING_MS) >= trip.lifted && trip.landed.after(CROWNING_MS) >= at;
        self.state.uncrowned.iter().any(|piece| piece.square == square)
            || self.state.crowned.is_some_and(|(owner, crowned, at)| {
                let may_be =
                    crowned.map_or_else(|| self.is_king_of(square, side), |crowned| crowned == square);
                near(at) && owner == side && may_be
            })
    }

    fn is_king_of(&self, square: Square, side: Side) -> bool {
        self.state.position.kings(side).contains(square)
    }

    /// A spare disc left its well: it crowns the piece that is due. Where two are due, the one that
    /// moves next, else the older.
    pub(super) fn take_spare(&mut self, side: Side, at: Moment) {
        self.state.crowned = Some((side, None, at));
        let mut due = self.state.uncrowned.iter().filter(|piece| piece.side == side);
        match (due.next().copied(), due.next()) {
            (Some(only), None) => {
                self.state.crowned = Some((side, Some(only.square), at));
                self.state.crowned_by_spare = Some(only);
                self.state.uncrowned.retain(|piece| *piece != only);
                self.close_crowned();
            }
            (None, _) => {
                // It may be taken while the man is still on its way.
                self.state.early_spares[side as usize] = Some(at);
            }
            (Some(_), Some(_)) => {
                let spares = &mut self.state.spares[side as usize];
                *spares = spares.saturating_add(1);
            }
        }
    }

    /// A spare disc came back to its well. Given back at once, it has crowned nothing; later it is a
    /// captured disc that is put away.
    pub(super) fn return_spare(&mut self, side: Side, at: Moment) {
        let just_taken = self.state.crowned.is_some_and(|(.., taken)| at.since(taken) <= CROWNING_MS);
        if !just_taken {
            return;
        }
        if self.state.early_spares[side as usize].take().is_some() {
            // Two were taken by mistake, and this is the one too many.
            return;
        }
        match self.state.crowned_by_spare.take() {
            Some(piece) if piece.side == side => self.state.uncrowned.push(piece),
            other => {
                self.state.crowned_by_spare = other;
                let spares = &mut self.state.spares[side as usize];
                *spares = spares.saturating_sub(1);
            }
        }
    }

    /// Alerts about pieces that are crowned by now are corrected.
    fn close_crowned(&mut self) {
        let uncrowned = self.state.uncrowned.clone();
        self.close(AlertState::Corrected, |incident| {
            incident.code == AlertCode::NotCrowned
                && !uncrowned.iter().any(|piece| incident.squares.first() == Some(&piece.square))
        });
    }

    /// Keeps the account of crownings when a move is completed. `number` is its ply, `at` when.
    pub(super) fn account_for_crowning(
        &mut self,
        side: Side,
        mv: Move,
        number: u32,
        at: Moment,
        now: &Circumstances,
    ) {
        if now.crowning == Crowning::None {
            return;
        }
        self.state.crowned_by_spare = None;
        let captured = |piece: &Uncrowned| piece.side != side && mv.captured.contains(piece.square);
        let moved = |piece: &Uncrowned| piece.side == side && piece.square == mv.from;
        let moving = self.state.uncrowned.iter().copied().find(|piece| moved(piece));
        if moving.is_none() && self.state.spares[side as usize] > 0 {
            // None of those that are due moves next, so the spare disc crowned the older.
            if let Some(index) = self.state.uncrowned.iter().position(|piece| piece.side == side) {
                self.state.spares[side as usize] -= 1;
                self.state.uncrowned.remove(index);
                self.close_crowned();
            }
        }
        if let Some(piece) = moving {
            let spares = &mut self.state.spares[side as usize];
            if now.crowning == Crowning::Reserve && *spares > 0 {
                *spares -= 1;
                self.close(AlertState::Corrected, |incident| {
                    incident.code == AlertCode::NotCrowned && incident.squares.first() == Some(&piece.square)
                });
            } else if piece.sensed {
                let squares = vec![mv.from, mv.to];
                self.raise(Incident::new(AlertCode::MovedUncrownedKing, number, side, squares, at));
            }
        }
        let gone: Vec<Square> = self
            .state
            .uncrowned
            .iter()
            .filter(|piece| captured(piece) || moved(piece))
            .map(|piece| piece.square)
            .collect();
        self.state.uncrowned.retain(|piece| !captured(piece) && !moved(piece));
        self.close(AlertState::Accepted, |incident| {
            incident.code == AlertCode::NotCrowned
                && incident.squares.first().is_some_and(|square| gone.contains(square))
        });
        self.name_uncrowned(side, number, at);
        if mv.promotes && !now.stacked.contains(mv.to) {
            self.promote(side, mv.to, number, at, now);
        }
    }

    /// The reply is complete, and the promoted piece is not crowned (CN100 5.6).
    fn name_uncrowned(&mut self, replying: Side, number: u32, at: Moment) {
        let owner = replying.opponent();
        let due: Vec<Uncrowned> = self
            .state
            .uncrowned
            .iter()
            .copied()
            .filter(|piece| piece.side == owner && piece.sensed)
            .collect();
        // A spare disc that was taken crowned the oldest of them.
        let crowned = usize::from(self.state.spares[owner as usize]);
        for piece in due.into_iter().skip(crowned) {
            let named = self.state.incidents.iter().any(|i| {
                i.code == AlertCode::NotCrowned
                    && i.squares.first() == Some(&piece.square)
                    && i.ply > piece.ply
            });
            if !named {
                self.raise(Incident::new(AlertCode::NotCrowned, number, owner, vec![piece.square], at));
            }
        }
    }

    fn promote(&mut self, side: Side, square: Square, number: u32, at: Moment, now: &Circumstances) {
        let variant = self.state.position.variant();
        let (row, _) = square.row_column(variant);
        let on_far_row = row == 0 || row + 1 == variant.rows();
        if now.crowning == Crowning::Stack && !on_far_row {
            // Promoted in mid-capture and gone on: there is no contact that could tell.
            return;
        }
        let early = self.state.early_spares[side as usize].take();
        if now.crowning == Crowning::Reserve && early.is_some_and(|taken| at.since(taken) <= CROWNING_MS) {
            return;
        }
        let sensed = now.crowning != Crowning::Stack || !now.unsensed.contains(square);
        self.state.uncrowned.push(Uncrowned { square, side, ply: number, sensed });
    }
}
