//! Reading moves: from signs of hands to the moves they made.
//!
//! Presence contacts do not say which disc, whose hand, or whether it was let go. So a [`Reader`]
//! keeps several [`Hypothesis`]es of what the hands are doing and asks which explains the signs at
//! the lowest cost. The mechanism, its invariants and the reasons are in `ARCHITECTURE.md`,
//! "Reading moves"; in short:
//!
//! - a hypothesis is a row of moves, the captured discs they leave standing, and the signs that it
//!   does not explain yet;
//! - a new sign is taken in by each; where its signs now hold the whole trip of a disc, a further
//!   hypothesis begins in which that move was made. The parent lives on, for the disc may not have
//!   been let go;
//! - they are ranked by cost plus what they leave unexplained, and dropped when far behind the best;
//! - signs that arrive all at once after a lost stretch are matched by position, two moves deep.

mod hypothesis;
mod trip;

use crate::moment::Moment;
use crate::moves::Move;
use crate::position::Position;
use crate::sensing::{Act, Sign};
use crate::settings::Settings;
use crate::square::{Square, SquareSet};

pub use hypothesis::{Hypothesis, Ply};
use trip::{MOST_OPEN, Trip};

/// What things cost. Only the order matters: a legal move seen whole is free, anything allowed that
/// hands rarely do is cheap, and each costs more than the sign it explains saves elsewhere.
pub(crate) mod cost {
    use crate::sensing::Act;

    /// A lift or landing that nothing explains.
    const CONTACT: u32 = 2;
    /// A press that nothing explains.
    const PRESS: u32 = 1;
    /// A captured disc that still stands though its captor has pressed or was replied to.
    pub(crate) const OVERDUE: u32 = 1;
    /// The disc was set down on another legal square on its way, and not let go (CN100 5.12).
    pub(crate) const LEGAL_STOP: u32 = 1;
    /// As before, but it rested there for as long as a disc that was let go.
    pub(crate) const LONG_STOP: u32 = 8;
    /// The disc was set down where it may not go, and carried on.
    pub(crate) const ILLEGAL_STOP: u32 = 3;
    /// The disc was put back on its own square first.
    pub(crate) const RETURN: u32 = 1;
    /// A captured disc was taken off before the captor stood on its last square.
    pub(crate) const EARLY_REMOVAL: u32 = 4;
    /// Two moves deduced from the position after a lost stretch.
    pub(crate) const LOST_STRETCH: u32 = 4;
    /// A hypothesis this far behind the best is dropped: the price of a dozen unexplained signs.
    pub(crate) const MARGIN: u32 = 24;

    /// What a sign costs while nothing explains it.
    pub(crate) const fn unexplained(act: Act) -> u32 {
        match act {
            Act::Lift(_) | Act::Place(_) => CONTACT,
            Act::Press(_) => PRESS,
            Act::Stack(_) | Act::Unstack(_) | Act::TakeSpare(_) | Act::ReturnSpare(_) | Act::Adjust(_) => 0,
        }
    }
}

/// The most hypotheses that are kept after each batch of signs.
const MOST_HYPOTHESES: usize = 48;

/// Keeps the hypotheses and ranks them.
#[derive(Clone, Debug)]
pub struct Reader {
    settings: Settings,
    /// Best first; never empty.
    hypotheses: Vec<Hypothesis>,
    /// The squares on which discs stand, by the signs.
    board: SquareSet,
}

impl Reader {
    /// A reader of a game that goes on from `position`, which stands on the board.
    #[must_use]
    pub fn new(settings: Settings, position: Position) -> Self {
        Self { settings, hypotheses: vec![Hypothesis::quiet(position)], board: position.occupied() }
    }

    /// The hypotheses, best first.
    #[must_use]
    pub fn hypotheses(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// The best hypothesis.
    #[must_use]
    pub fn best(&self) -> &Hypothesis {
        &self.hypotheses[0]
    }

    /// The squares on which discs stand, by the signs.
    #[must_use]
    pub fn board(&self) -> SquareSet {
        self.board
    }

    /// How many of the best hypothesis's moves all hypotheses share that rank as high.
    #[must_use]
    pub fn agreed(&self) -> usize {
        let best = self.best();
        let rank = best.rank();
        self.hypotheses[1..]
            .iter()
            .take_while(|other| other.rank() == rank)
            .map(|other| common_plies(&best.plies, &other.plies))
            .min()
            .unwrap_or(best.plies.len())
    }

    /// Hands out the moves on which every hypothesis agrees, oldest first; they are no longer in doubt
    /// and no longer kept. The last move of each stays: its press and its removals may still come.
    pub fn take_agreed(&mut self) -> Vec<Ply> {
        let best = self.best();
        let agree = |other: &Hypothesis| {
            common_plies(&best.plies, &other.plies).min(other.plies.len().saturating_sub(1))
        };
        let count = self.hypotheses.iter().map(agree).min().unwrap_or_default();
        let taken = best.plies[..count].to_vec();
        for hypothesis in &mut self.hypotheses {
            hypothesis.plies.drain(..count);
        }
        taken
    }

    /// Hands out all moves of the best hypothesis and goes on from the position after them with the
    /// signs that they leave open.
    pub fn take_all(&mut self) -> Vec<Ply> {
        let mut best = self.hypotheses.swap_remove(0);
        let plies = std::mem::take(&mut best.plies);
        self.hypotheses = vec![best];
        plies
    }

    /// Takes in signs that left sensing together, in order.
    pub fn observe(&mut self, signs: &[Sign]) {
        let mut rest = signs;
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|sign| sign.at == first.at).count();
            let (together, later) = rest.split_at(count);
            rest = later;
            for &sign in together {
                self.take_in(sign);
            }
            let contacts = |sign: &&Sign| matches!(sign.act, Act::Lift(_) | Act::Place(_));
            if together.iter().filter(contacts).count() >= 2 {
                self.bridge_lost_stretch(first.at);
            }
            self.prune();
        }
    }

    fn take_in(&mut self, sign: Sign) {
        match sign.act {
            Act::Lift(square) => _ = self.board.remove(square),
            Act::Place(square) => _ = self.board.insert(square),
            _ => {}
        }
        let mut children = Vec::new();
        for hypothesis in &mut self.hypotheses {
            if hypothesis.absorb(sign) {
                if let Act::Lift(square) | Act::Place(square) = sign.act {
                    children.extend(continuations(hypothesis, Some(square), &self.settings));
                }
            }
        }
        // A child's open signs may hold the reply already: both players had a disc in the air.
        while let Some(child) = children.pop() {
            children.extend(continuations(&child, None, &self.settings));
            self.hypotheses.push(child);
        }
    }

    /// Matches the position two moves deep: after a lost stretch only the net change is there.
    fn bridge_lost_stretch(&mut self, at: Moment) {
        let mut found = Vec::new();
        for hypothesis in &self.hypotheses {
            let has_contacts =
                hypothesis.open.iter().any(|sign| matches!(sign.act, Act::Lift(_) | Act::Place(_)));
            if !has_contacts {
                continue;
            }
            for &first in &hypothesis.legal {
                let between = hypothesis.position.play(first);
                for second in between.legal_moves() {
                    let after = between.play(second);
                    if after.occupied() != self.board {
                        continue;
                    }
                    let mut child = hypothesis.clone();
                    child.open.clear();
                    child.standing = SquareSet::EMPTY;
                    child.cost += cost::LOST_STRETCH;
                    for (before, mv, after) in
                        [(hypothesis.position, first, between), (between, second, after)]
                    {
                        let removals = mv.captured.iter().map(|square| (square, at)).collect();
                        child.plies.push(Ply {
                            before,
                            mv,
                            after,
                            lifted: at,
                            landed: at,
                            removals,
                            pressed: None,
                            deduced: true,
                        });
                    }
                    child.position = after;
                    child.legal = after.legal_moves();
                    found.push(child);
                }
            }
        }
        self.hypotheses.append(&mut found);
    }

    fn prune(&mut self) {
        self.hypotheses.retain(|hypothesis| hypothesis.open.len() < MOST_OPEN);
        self.hypotheses.sort_by_key(|hypothesis| {
            (hypothesis.rank(), hypothesis.open.len(), std::cmp::Reverse(hypothesis.plies.len()))
        });
        let mut kept: Vec<Hypothesis> = Vec::with_capacity(self.hypotheses.len());
        let worst = self.hypotheses[0].rank() + cost::MARGIN;
        for hypothesis in self.hypotheses.drain(..) {
            if kept.len() == MOST_HYPOTHESES || hypothesis.rank() > worst {
                break;
            }
            let told_before = kept.iter().any(|other| {
                other.position == hypothesis.position
                    && other.open == hypothesis.open
                    && other.standing == hypothesis.standing
                    && other.plies.len() == hypothesis.plies.len()
                    && common_plies(&other.plies, &hypothesis.plies) == other.plies.len()
            });
            if !told_before {
                kept.push(hypothesis);
            }
        }
        self.hypotheses = kept;
    }
}

/// How many moves the rows have in common at their beginning.
fn common_plies(one: &[Ply], other: &[Ply]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a.mv == b.mv).count()
}

/// The hypotheses in which one of the legal moves was just completed: one whose whole trip is among
/// the open signs and has to do with `square`, if that is given.
fn continuations(hypothesis: &Hypothesis, square: Option<Square>, settings: &Settings) -> Vec<Hypothesis> {
    let mut lifted = SquareSet::EMPTY;
    let mut placed = SquareSet::EMPTY;
    for sign in &hypothesis.open {
        match sign.act {
            Act::Lift(square) => {
                lifted.insert(square);
                placed.remove(square);
            }
            Act::Place(square) => _ = placed.insert(square),
            _ => {}
        }
    }
    let concerns = |mv: &Move| {
        square.is_none_or(|square| {
            square == mv.from || square == mv.to || mv.from == mv.to && mv.captured.contains(square)
        })
    };
    hypothesis
        .legal
        .iter()
        .filter(|mv| lifted.contains(mv.from) && placed.contains(mv.to) && concerns(mv))
        .filter_map(|&mv| complete(hypothesis, mv, settings))
        .collect()
}

/// The hypothesis in which `mv` was made by the open signs, if they hold its trip.
fn complete(hypothesis: &Hypothesis, mv: Move, settings: &Settings) -> Option<Hypothesis> {
    let trip = Trip::read(&hypothesis.open, mv.from, mv.to, hypothesis.occupied())?;
    // Whatever overlaps, the reply does not come to rest before the move it answers.
    if hypothesis.plies.last().is_some_and(|last| trip.landed < last.landed || trip.lifted < last.lifted) {
        return None;
    }
    let mut used = trip.used;
    let mut cost = hypothesis.cost + trip.returns * cost::RETURN;
    let mut removals = Vec::new();
    for (index, sign) in hypothesis.open.iter().enumerate() {
        if let Act::Lift(square) = sign.act {
            if mv.captured.contains(square) && removals.iter().all(|&(taken, _)| taken != square) {
                used |= 1 << index;
                removals.push((square, sign.at));
                if trip.landed.since(sign.at) > settings.simultaneous_ms {
                    cost += cost::EARLY_REMOVAL;
                }
            }
        }
    }
    if mv.from == mv.to && removals.is_empty() {
        // A disc put back on its square has not captured anything as long as nothing was taken off.
        return None;
    }
    if !trip.visits.is_empty() {
        cost += stops_cost(hypothesis, mv, &trip, settings);
    }
    let after = hypothesis.position.play(mv);
    let taken: SquareSet = removals.iter().map(|&(square, _)| square).collect();
    let mut plies = Vec::with_capacity(hypothesis.plies.len() + 1);
    plies.extend_from_slice(&hypothesis.plies);
    plies.push(Ply {
        before: hypothesis.position,
        mv,
        after,
        lifted: trip.lifted,
        landed: trip.landed,
        removals,
        pressed: None,
        deduced: false,
    });
    let open = hypothesis.open.iter().enumerate().filter(|(index, _)| used & (1 << index) == 0);
    Some(Hypothesis {
        plies,
        position: after,
        standing: hypothesis.standing | (mv.captured - taken),
        open: open.map(|(_, &sign)| sign).collect(),
        cost,
        legal: after.legal_moves(),
    })
}

/// What the stops of a disc on its way cost; those on the landing squares of its capture are free.
fn stops_cost(hypothesis: &Hypothesis, mv: Move, trip: &Trip, settings: &Settings) -> u32 {
    let landings: SquareSet = if mv.is_capture() {
        hypothesis.position.routes(mv).into_iter().flat_map(|route| route.landings).collect()
    } else {
        SquareSet::EMPTY
    };
    let legal: SquareSet =
        hypothesis.legal.iter().filter(|other| other.from == mv.from).map(|other| other.to).collect();
    let one = |visit: &trip::Visit| {
        if landings.contains(visit.square) && visit.square != mv.to {
            0
        } else if !legal.contains(visit.square) {
            cost::ILLEGAL_STOP
        } else if visit.lifted.since(visit.placed) < settings.release_ms {
            cost::LEGAL_STOP
        } else {
            cost::LONG_STOP
        }
    };
    trip.visits.iter().map(one).sum()
}
