//! Reading moves: from signs of hands to the moves they made.
//!
//! Presence contacts do not say which disc, whose hand, or whether it was let go. So a [`Reader`]
//! keeps several [`Hypothesis`]es of what the hands are doing and asks which explains the signs at
//! the lowest cost. The mechanism, its invariants and the reasons are in `ARCHITECTURE.md`,
//! "Reading moves"; in short:
//!
//! - a hypothesis is a row of moves, how things stand after them (position, captured discs not yet
//!   taken off, irregular acts), and the signs that it does not explain yet;
//! - a new sign is taken in by each; where its signs now hold the whole trip of a disc, a further
//!   hypothesis begins in which that move was made, legal or not. The parent lives on, for the disc
//!   may not have been let go;
//! - they are ranked by cost plus what they leave unexplained, and dropped when far behind the best;
//! - signs that arrive all at once after a lost stretch are matched by position, two moves deep.

pub(crate) mod alike;
mod completing;
mod crowning;
mod hypothesis;
mod incident;
mod irregular;
mod masking;
mod removal;
mod shared;
mod touching;
mod trip;
mod waiting;

use std::cmp::Reverse;
use std::sync::Arc;

use crate::alert::AlertCode;
use crate::moment::Moment;
use crate::position::Position;
use crate::sensing::{Act, Sign};
use crate::settings::Settings;
use crate::square::{Square, SquareSet};
use crate::trace::{ClockLink, Crowning};

pub use alike::Explained;
use completing::{Balance, Candidate};
use hypothesis::Circumstances;
pub use hypothesis::{Hypothesis, Ply};
pub use incident::Incident;
use shared::Shared;
use trip::MOST_OPEN;

/// A captured disc may be taken off this long after the opponent's disc came to rest.
pub(crate) const LATE_UNDER_REPLY_MS: u64 = 1500;

/// What things cost. Only the order matters: a legal move seen whole is free; what is allowed but rare
/// is cheap; an irregular act costs more than the signs of a legal one that is still under way, and
/// less than what those signs cost once the hand has let go.
pub(crate) mod cost {
    /// A lift or landing that nothing explains.
    pub(crate) const CONTACT: u32 = 2;
    /// On top: a disc has rested for `release-ms` where it explains nothing.
    pub(crate) const AT_REST: u32 = 2;
    /// On top: a disc of the side not on turn has been in the air for `release-ms`.
    pub(crate) const LONG_IN_HAND: u32 = 4;
    /// On top: a further disc of the side on turn is in the air.
    pub(crate) const SECOND_IN_HAND: u32 = 4;
    /// A disc was in the air since before another of its side moved.
    pub(crate) const STRANDED: u32 = 4;
    /// A press by a player who has not moved.
    pub(crate) const PRESS_EARLY: u32 = 4;
    /// A captured disc that still stands though its captor has pressed or was replied to.
    pub(crate) const OVERDUE: u32 = 1;
    /// The disc was set down on another legal square on its way, and not let go (CN100 5.12).
    pub(crate) const LEGAL_STOP: u32 = 1;
    /// As before, but it rested there for as long as a disc that was let go. Dearer than any act that
    /// this could hide.
    pub(crate) const LONG_STOP: u32 = 9;
    /// The disc was set down where it may not go, and carried on.
    pub(crate) const ILLEGAL_STOP: u32 = 3;
    /// The disc was put back on its own square first.
    pub(crate) const RETURN: u32 = 1;
    /// An own disc was lifted and put back.
    pub(crate) const TOUCH: u32 = 2;
    /// On top: and another moved.
    pub(crate) const TOUCH_MOVE: u32 = 1;
    /// A disc of the side not on turn was lifted and put back.
    pub(crate) const UNEXPLAINED_LIFT: u32 = 3;
    /// On top: it had just captured, and its way there passes that square, so that it may only have gone on. Dearer
    /// than what may be wrong with a capture that went on.
    pub(crate) const WENT_ROUND: u32 = 2;
    /// On top, for either and for a disc in the air: the clock was pressed meanwhile.
    pub(crate) const LIFT_ACROSS_PRESS: u32 = 3;
    /// A captured disc was taken off before the captor stood on its last square.
    pub(crate) const EARLY_REMOVAL: u32 = 4;
    /// A capturing disc was left on its way and then went on.
    pub(crate) const STOPPED_AND_WENT_ON: u32 = 4;
    /// A captured disc was put back on its square and has to be taken off again. Dearer than a stop of the reply there.
    pub(crate) const REMOVED_TWICE: u32 = 4;
    /// A captured disc was left standing.
    pub(crate) const LEFT_STANDING: u32 = 4;
    /// A disc that was not captured was taken off with the capture.
    pub(crate) const EXTRA_REMOVAL: u32 = 5;
    /// The side on turn moved one of its pieces against the rules.
    pub(crate) const IRREGULAR: u32 = 5;
    /// The side not on turn moved.
    pub(crate) const OUT_OF_TURN: u32 = 6;
    /// On top: the very disc that moved last, though it had not been let go: it only went on.
    pub(crate) const NOT_LET_GO: u32 = 3;
    /// A piece of the side not on turn was moved where it may not go.
    pub(crate) const WRONG_PIECE: u32 = 7;
    /// A move was taken back.
    pub(crate) const TOOK_BACK: u32 = 3;
    /// An irregular move was put right.
    pub(crate) const CORRECTION: u32 = 1;
    /// On top: a legal move that undoes an irregular one against which the opponent may still protest.
    pub(crate) const UNDOING: u32 = 4;
    /// A disc went astray.
    pub(crate) const MISSING: u32 = 4;
    /// The board was disturbed.
    pub(crate) const DISTURBED: u32 = 8;
    /// A sign that a disturbed board swallows and that puts nothing right, so that a disturbance that ends explains
    /// more than one that does not.
    pub(crate) const UNREAD: u32 = 1;
    /// Two moves deduced from the position after a lost stretch.
    pub(crate) const LOST_STRETCH: u32 = 4;
    /// One end of a move lies on a masked square. Dearer than the lift or landing at its other end, so
    /// that it is told only when nothing else explains that.
    pub(crate) const UNSEEN_END: u32 = 3;
    /// One end of a move lies on a square in a shadow, which is known to hide it.
    pub(crate) const HIDDEN_END: u32 = 2;
    /// On top: the disc would have landed there before it was seen to leave.
    pub(crate) const LANDED_AT_ONCE: u32 = 2;
    /// Both ends of a move are masked, and the opponent acts or the clock was pressed. Less than a move out of turn or
    /// a press too early, more than a touch.
    pub(crate) const UNSEEN_MOVE: u32 = 3;
    /// A hypothesis this far behind the best is dropped: the price of a dozen unexplained signs.
    pub(crate) const MARGIN: u32 = 24;
    /// A hypothesis this far behind the best begets legal moves only.
    pub(crate) const FERTILE: u32 = 12;
}

/// A reading must be better by more than this to overthrow moves told as final.
pub(crate) const CLEARLY_BETTER: u32 = 2;
/// So many of the last moves may still be undone, or come to be seen otherwise.
const RECENT: usize = 2;

/// The most hypotheses that are kept after each sign.
const MOST_HYPOTHESES: usize = 48;
/// And where squares are hidden.
const MOST_WHERE_HIDDEN: usize = 144;
/// The most hypotheses that one sign may beget.
const MOST_CHILDREN: usize = 192;

/// Keeps the hypotheses and ranks them.
#[derive(Clone, Debug)]
pub struct Reader {
    now: Circumstances,
    /// Best first; never empty. Boxed, for they are sorted far more often than looked into.
    #[expect(clippy::vec_box, reason = "sorting moves them; measured")]
    hypotheses: Vec<Box<Hypothesis>>,
    /// The number of the first move in which others differed that were as good and for which there was no room.
    crowded: Option<u32>,
}

impl Reader {
    /// A reader of a game that goes on from `position` with move number `ply`.
    ///
    /// - `board`: the squares on which discs stand; where they are not those of the position, the
    ///   difference is known and no act.
    #[must_use]
    pub fn new(
        settings: Settings,
        crowning: Crowning,
        clock: ClockLink,
        position: Position,
        ply: u32,
        board: SquareSet,
    ) -> Self {
        let mut hypothesis = Hypothesis::quiet(position, ply);
        hypothesis.state.missing = position.occupied() - board;
        hypothesis.state.extra = board - position.occupied();
        let now = Circumstances {
            settings,
            crowning,
            clock,
            now: Moment::ZERO,
            started: false,
            board,
            stacked: SquareSet::EMPTY,
            unsensed: SquareSet::EMPTY,
            faulty: SquareSet::EMPTY,
            hidden: SquareSet::EMPTY,
            masked: SquareSet::EMPTY,
            revealed: Vec::new(),
        };
        Self { now, hypotheses: vec![Box::new(hypothesis)], crowded: None }
    }

    /// Names it if the discs on the board are not those of the position (CN100 7.2).
    pub(crate) fn name_wrong_start(&mut self) {
        let at = self.now.now;
        for hypothesis in &mut self.hypotheses {
            let wrong = hypothesis.state.missing | hypothesis.state.extra;
            if !wrong.is_empty() {
                let ply = hypothesis.next_ply();
                let squares = wrong.iter().collect();
                hypothesis.raise(Incident::new(AlertCode::StartPositionWrong, ply, None, squares, at));
            }
        }
    }

    /// The arbiter has started the game.
    pub(crate) fn note_start(&mut self) {
        self.now.started = true;
    }

    /// Takes over what is known of irregular acts from a reader that this one follows.
    pub(crate) fn keep_incidents(&mut self, incidents: Vec<Incident>) {
        for hypothesis in &mut self.hypotheses {
            hypothesis.state.incidents = Shared::from(incidents.clone());
        }
    }

    /// The hypotheses, best first.
    pub fn hypotheses(&self) -> impl Iterator<Item = &Hypothesis> {
        self.hypotheses.iter().map(Box::as_ref)
    }

    /// The best hypothesis.
    #[must_use]
    pub fn best(&self) -> &Hypothesis {
        &self.hypotheses[0]
    }

    /// The squares on which discs stand, by the signs.
    #[must_use]
    pub fn board(&self) -> SquareSet {
        self.now.board
    }

    /// Whether the last thing that nothing explains yet is a disc lifted just now: it may still come to make sense.
    #[must_use]
    pub(crate) fn is_hand_under_way(&self) -> bool {
        let contact = |sign: &&Sign| matches!(sign.act, Act::Lift(_) | Act::Place(_));
        self.best().open.iter().rev().find(contact).is_some_and(|last| {
            matches!(last.act, Act::Lift(_)) && self.now.now.since(last.at) < self.now.settings.release_ms
        })
    }

    /// The moment up to which time has passed for the reader.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now.now
    }

    /// What a hypothesis costs now, all told.
    #[must_use]
    pub fn rank(&self, hypothesis: &Hypothesis) -> u32 {
        hypothesis.ranked
    }

    /// How many moves of this hypothesis all share that rank as high as it or higher.
    #[must_use]
    pub fn agreed_with(&self, hypothesis: &Hypothesis) -> usize {
        self.as_good_as(hypothesis)
            .map(|other| other.common_with(&hypothesis.plies))
            .min()
            .unwrap_or_default()
            .min(self.certain(hypothesis))
    }

    /// Whether all that rank as high as this hypothesis or higher know of this act.
    #[must_use]
    pub fn all_have(&self, hypothesis: &Hypothesis, incident: &Incident) -> bool {
        !self.is_in_doubt(incident.ply)
            && self
                .as_good_as(hypothesis)
                .all(|other| other.state.incidents.iter().any(|known| known.is_alike(incident)))
    }

    fn as_good_as(&self, hypothesis: &Hypothesis) -> impl Iterator<Item = &Hypothesis> {
        let rank = self.rank(hypothesis) + self.now.says_little();
        self.hypotheses().take_while(move |other| self.rank(other) <= rank)
    }

    /// Hands out the moves on which every hypothesis agrees, oldest first; they are no longer in doubt
    /// and no longer kept. The last move of each stays: its press and its removals may still come.
    pub fn take_agreed(&mut self) -> Vec<Arc<Ply>> {
        let best = self.best();
        let agree = |other: &Hypothesis| {
            let moves = common_plies(&best.plies, &other.plies);
            let led_to_the_same = |(one, other): &(&Arc<Ply>, &Arc<Ply>)| one.after == other.after;
            let alike = best.plies.iter().zip(&other.plies).take(moves).take_while(led_to_the_same).count();
            alike.min(other.plies.len().saturating_sub(1)).min(other.common_with(&best.plies))
        };
        let count = self.hypotheses().map(agree).min().unwrap_or_default().min(self.certain(best));
        if count == 0 {
            return Vec::new();
        }
        let taken = best.plies[..count].to_vec();
        for hypothesis in &mut self.hypotheses {
            hypothesis.drop_plies(count);
        }
        taken
    }

    /// Hands out the incidents that are closed in every hypothesis and of which nothing more can come.
    pub fn take_closed(&mut self) -> Vec<Incident> {
        let Some(oldest) = self.hypotheses.iter().map(|hypothesis| hypothesis.first_ply).min() else {
            return Vec::new();
        };
        let closed = |incident: &Incident| {
            !incident.is_open()
                && incident.ply < oldest
                && self.hypotheses.iter().all(|other| other.state.incidents.contains(incident))
        };
        let taken: Vec<Incident> =
            self.best().state.incidents.iter().filter(|incident| closed(incident)).cloned().collect();
        if !taken.is_empty() {
            for hypothesis in &mut self.hypotheses {
                hypothesis.state.incidents.retain(|incident| !taken.contains(incident));
            }
        }
        taken
    }

    /// Hands out all moves of this hypothesis and goes on from the position after them with the signs
    /// that they leave open.
    pub fn take_all(&mut self, mut hypothesis: Hypothesis) -> Vec<Arc<Ply>> {
        let plies = hypothesis.plies.clone();
        hypothesis.drop_plies(plies.len());
        self.hypotheses = vec![Box::new(hypothesis)];
        self.crowded = None;
        plies
    }

    /// The next moment at which time alone changes the ranking.
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        self.hypotheses
            .iter()
            .take(16)
            .filter_map(|hypothesis| hypothesis.deadline(self.now.now, &self.now))
            .min()
    }

    /// Lets time pass up to `now`.
    pub fn pass_time(&mut self, now: Moment) {
        self.now.now = self.now.now.max(now);
        let mut changed = false;
        for hypothesis in &mut self.hypotheses {
            if hypothesis.pass_time(&self.now) {
                hypothesis.rank_now(&self.now);
                changed = true;
            } else {
                changed |= hypothesis.rank_if_due(&self.now);
            }
        }
        // As long as none costs more than before, those that are left stay left, in their order.
        if changed {
            self.prune();
        }
    }

    /// Takes in signs that left sensing together, in order.
    pub fn observe(&mut self, signs: &[Sign]) {
        let mut rest = signs;
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|sign| sign.at == first.at).count();
            let (together, later) = rest.split_at(count);
            rest = later;
            let contacts = |sign: &&Sign| matches!(sign.act, Act::Lift(_) | Act::Place(_));
            let lost = together.iter().filter(contacts).count() >= 2;
            // Sign by sign, what is explained all at once may fall behind and be dropped.
            let before = if lost { self.hypotheses.clone() } else { Vec::new() };
            for &sign in together {
                self.take_in(sign);
                self.prune();
            }
            if lost {
                self.bridge_lost_stretch(before, together);
                self.prune();
            }
        }
    }

    fn take_in(&mut self, sign: Sign) {
        match sign.act {
            Act::Lift(square) => _ = self.now.board.remove(square),
            Act::Place(square) => _ = self.now.board.insert(square),
            Act::Stack(square) => _ = self.now.stacked.insert(square),
            Act::Unstack(square) => _ = self.now.stacked.remove(square),
            Act::Press(_) | Act::TakeSpare(_) | Act::ReturnSpare(_) | Act::Adjust(_) => {}
            Act::CrownSensor { square, works } => return self.trust_crown_sensor(square, works),
            Act::Hide(square) => return self.hide(square),
            Act::Reveal { square, closed } => return self.reveal(square, closed, sign.at),
        }
        if matches!(sign.act, Act::Lift(square) | Act::Place(square) if self.now.masked.contains(square)) {
            return;
        }
        self.interpret(sign, |_| true);
    }

    /// Lets the hypotheses for which a sign is news take it in, and begets those that it gives rise to.
    fn interpret(&mut self, sign: Sign, is_news: impl Fn(&mut Hypothesis) -> bool) {
        let fertile = self.rank(self.best()) + cost::FERTILE;
        let mut children = Vec::new();
        let now = &self.now;
        for hypothesis in &mut self.hypotheses {
            if !is_news(hypothesis) {
                hypothesis.rank_now(now);
                continue;
            }
            if hypothesis.is_fertile(fertile) {
                children.extend(hypothesis.with_captured_disc_moving(sign, now));
            }
            let stays_open = hypothesis.absorb(sign, now);
            hypothesis.rank_now(now);
            if stays_open {
                let irregular = hypothesis.is_fertile(fertile);
                continuations(hypothesis, sign, irregular, now, &mut children);
            }
        }
        // A child's open signs may hold the reply already: both players had a disc in the air. Those for which there is
        // no room are the least likely, lest one of two that are tied be dropped by chance.
        let mut left = MOST_CHILDREN;
        while !children.is_empty() && left > 0 {
            let mut younger = Vec::new();
            children.iter_mut().for_each(|child| child.rank_now(now));
            if children.len() > left {
                children.sort_by_key(|child| child.ranked);
            }
            for child in children.drain(..).take(left) {
                left -= 1;
                if let Some(&last) = child.open.last() {
                    let irregular = child.is_fertile(fertile);
                    for &sign in child.open.iter().filter(|sign| matches!(sign.act, Act::Place(_))) {
                        continuations(&child, sign, irregular && sign == last, now, &mut younger);
                    }
                }
                self.hypotheses.push(Box::new(child));
            }
            children = younger;
        }
    }

    /// Matches the position two moves deep: after a lost stretch only the net change is there. `hypotheses` are those
    /// before it, `lost` the signs that came at once.
    #[expect(clippy::vec_box, reason = "as they are kept")]
    fn bridge_lost_stretch(&mut self, hypotheses: Vec<Box<Hypothesis>>, lost: &[Sign]) {
        let Some(at) = lost.first().map(|sign| sign.at) else { return };
        let mut found = Vec::new();
        let has_passed = |wait, since| self.now.now.since(since) >= wait;
        for mut hypothesis in hypotheses {
            // What was unexplained before is not made good by it.
            hypothesis.cost += hypothesis.unexplained(&hypothesis.open, &self.now.settings, has_passed);
            for &sign in lost {
                hypothesis.absorb(sign, &self.now);
            }
            let touched = hypothesis.touched();
            if touched.is_empty() || hypothesis.disturbed.is_some() {
                continue;
            }
            let position = hypothesis.state.position;
            for &first in hypothesis.legal() {
                let between = position.play(first);
                for second in between.legal_moves() {
                    let after = between.play(second);
                    let accounted = first.squares() | second.squares();
                    if self.now.shows(after.occupied()) && (touched - accounted).is_empty() {
                        let moves = [Candidate::legal(position, first), Candidate::legal(between, second)];
                        let mut child = hypothesis.deduced(&moves, at, &self.now);
                        child.rank_now(&self.now);
                        found.push(Box::new(child));
                    }
                }
            }
        }
        self.hypotheses.append(&mut found);
    }

    fn rank_all(&mut self) {
        for hypothesis in &mut self.hypotheses {
            hypothesis.rank_now(&self.now);
        }
    }

    /// Sorts the hypotheses by their ranks and drops those that cannot become the best any more.
    fn prune(&mut self) {
        self.hypotheses.sort_by_key(|hypothesis| {
            (hypothesis.ranked, hypothesis.open.len(), Reverse(hypothesis.next_ply()))
        });
        // Where much is hidden, much is possible until it is seen.
        let most = if self.now.hidden.is_empty() { MOST_HYPOTHESES } else { MOST_WHERE_HIDDEN };
        let says_little = self.now.says_little();
        let mut kept = 1;
        let mut crowd = None;
        for index in 1..self.hypotheses.len() {
            let (better, hypothesis) = (&self.hypotheses[..kept], &self.hypotheses[index]);
            let best = &better[0];
            if hypothesis.ranked > best.ranked + cost::MARGIN {
                break;
            }
            if kept == most {
                crowd = self.first_apart(index);
                break;
            }
            // Where several are as good as the best, what is close to any of them has its chance.
            let hopeless = better
                .iter()
                .take_while(|other| other.ranked <= best.ranked + says_little)
                .all(|other| hypothesis.ranked > other.ranked + hypothesis.chance_against(other));
            if hopeless || hypothesis.open.len() >= MOST_OPEN {
                continue;
            }
            match better
                .iter()
                .enumerate()
                .find_map(|(at, other)| Some((at, hypothesis.made_idle_by(other)?)))
            {
                None => {
                    self.hypotheses.swap(kept, index);
                    kept += 1;
                }
                Some((_, Idle::Outdone)) => {}
                Some((at, Idle::Alike)) => {
                    let (better, others) = self.hypotheses.split_at_mut(index);
                    better[at].go_on_for(&others[0]);
                }
            }
        }
        self.hypotheses.truncate(kept);
        self.crowded = self.crowded.into_iter().chain(crowd).min();
        if let [only] = &mut self.hypotheses[..] {
            // Nothing else is left, and this one explains nothing any more: keep the newest signs.
            let excess = only.open.len().saturating_sub(MOST_OPEN);
            only.open.drain(..excess);
        }
    }
}

/// How many moves the rows have in common at their beginning.
fn common_plies(one: &[Arc<Ply>], other: &[Arc<Ply>]) -> usize {
    let same = |a: &Arc<Ply>, b: &Arc<Ply>| Arc::ptr_eq(a, b) || a.mv == b.mv && a.side == b.side;
    one.iter().zip(other).take_while(|(a, b)| same(a, b)).count()
}

/// Adds to `found` the hypotheses in which a move was just completed: one whose whole trip is among the open
/// signs and has to do with this one.
fn continuations(
    hypothesis: &Hypothesis,
    sign: Sign,
    irregular: bool,
    now: &Circumstances,
    found: &mut Vec<Hypothesis>,
) {
    let balance = Balance::of(&hypothesis.open);
    let Balance { lifted, placed } = balance;
    if let Act::Lift(square) | Act::Place(square) = sign.act
        && hypothesis.may_complete_legal(square, balance)
    {
        let concerned = |square: Square, from: Square, to: Square, captured: SquareSet| {
            square == from || square == to || from == to && captured.contains(square)
        };
        for mv in hypothesis.legal() {
            if lifted.contains(mv.from)
                && placed.contains(mv.to)
                && concerned(square, mv.from, mv.to, mv.captured)
            {
                let candidate = Candidate::legal(hypothesis.state.position, *mv);
                found.extend(hypothesis.completed(&candidate, now));
            }
        }
    }
    if irregular {
        hypothesis.irregular_continuations(sign, now, found);
    }
    // However dear it has become to explain them one by one.
    found.extend(hypothesis.disturbed_from(sign, now));
    if !now.masked.is_empty() {
        found.extend(hypothesis.unseen_continuations(sign, now));
        found.extend(hypothesis.hidden_continuations(sign, now));
    }
}

/// Why there is no use for a hypothesis beside another with the same prospects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Idle {
    /// The other is clearly better, or has the same past.
    Outdone,
    /// The other costs the same, and goes on for both.
    Alike,
}

impl Hypothesis {
    /// Whether a sign of this square may complete a legal move at all: one of the discs on turn is off its square,
    /// a disc stands elsewhere, and the square is one of both. Most signs complete none, and then nobody need know
    /// the legal moves.
    fn may_complete_legal(&self, square: Square, Balance { lifted, placed }: Balance) -> bool {
        let origins = lifted & self.state.position.pieces(self.turn());
        let goes_round = !(origins & placed).is_empty();
        !origins.is_empty() && !placed.is_empty() && (goes_round || (origins | placed).contains(square))
    }

    /// The hypothesis in which these moves were made unseen, at `at` the latest.
    fn deduced(&self, moves: &[Candidate], at: Moment, now: &Circumstances) -> Self {
        let mut child = self.clone();
        child.forgive_presses(&self.open, |_| true);
        child.open.clear();
        child.idle_press = None;
        child.cost += cost::LOST_STRETCH;
        for candidate in moves {
            let number = child.next_ply();
            let prior = child.state.clone();
            child.state.standing = SquareSet::EMPTY;
            child.account_for_crowning(candidate.side, candidate.mv, number, at, now);
            child.state.position = candidate.after;
            child.plies.push(Arc::new(Ply {
                side: candidate.side,
                before: candidate.before,
                mv: candidate.mv,
                after: candidate.after,
                lifted: at,
                landed: at,
                removals: candidate.mv.captured.iter().map(|square| (square, at)).collect(),
                extra_removals: Vec::new(),
                left: Vec::new(),
                pressed: None,
                deduced: true,
                prior,
            }));
        }
        child.forget_legal_moves();
        child
    }

    /// Whether it is near enough to the best to beget irregular moves, which may rank as high as `fertile`.
    fn is_fertile(&self, fertile: u32) -> bool {
        self.ranked <= fertile || self.ranked.saturating_sub(self.on_the_way()) <= fertile
    }

    /// What the squares cost on which a disc was set down and from which it went on, if nothing else happened: a
    /// capture that is still under way, however long, explains them all once it ends.
    fn on_the_way(&self) -> u32 {
        let occupied = self.occupied();
        let (mut lifted, mut left) = (0, 0);
        for sign in &self.open {
            match sign.act {
                Act::Lift(square) if occupied.contains(square) => lifted += 1,
                Act::Lift(_) => left += 1,
                Act::Place(square) if occupied.contains(square) => return 0,
                _ => {}
            }
        }
        if lifted == 1 { left * 2 * cost::CONTACT } else { 0 }
    }

    /// The squares on which something happened that nothing explains yet.
    fn touched(&self) -> SquareSet {
        let contacts = self.open.iter().filter_map(|sign| match sign.act {
            Act::Lift(square) | Act::Place(square) => Some(square),
            _ => None,
        });
        contacts.collect()
    }

    /// How far behind the best it may be and yet overtake it. Evidence about a move comes within the next
    /// few; who has been behind for longer stays behind.
    fn chance_against(&self, best: &Self) -> u32 {
        let alike = |(one, other): &(&Arc<Ply>, &Arc<Ply>)| {
            Arc::ptr_eq(one, other) || one.mv == other.mv && one.after == other.after
        };
        let common = self.plies.iter().zip(&best.plies).take_while(alike).count();
        match best.plies.len() - common {
            0..=3 => cost::MARGIN,
            4..=6 => cost::MARGIN / 3,
            _ => CLEARLY_BETTER,
        }
    }

    /// Why there is no use for it beside the other, ranked no lower, if there is none.
    fn made_idle_by(&self, other: &Self) -> Option<Idle> {
        if !self.has_same_prospects(other) {
            None
        } else if self.ranked > other.ranked + CLEARLY_BETTER || self.has_same_moves(other) {
            Some(Idle::Outdone)
        } else {
            self.is_alike(other).then_some(Idle::Alike)
        }
    }

    /// Whether whatever happens next costs both the same: things stand alike, and the moves that hands may
    /// still undo are the same.
    fn has_same_prospects(&self, other: &Self) -> bool {
        let (one, two) = (&self.state, &other.state);
        self.open.len() == other.open.len()
            && one.position == two.position
            && self.open == other.open
            && self.disturbed.is_some() == other.disturbed.is_some()
            && (one.standing, one.missing, one.extra) == (two.standing, two.missing, two.extra)
            && one.touched == two.touched
            && self.idle_press == other.idle_press
            && {
                let recent = self.plies.len().min(other.plies.len()).min(RECENT);
                let (one, two) =
                    (&self.plies[self.plies.len() - recent..], &other.plies[other.plies.len() - recent..]);
                let all_told = recent == RECENT || self.plies.len() == other.plies.len();
                all_told && common_plies(one, two) == recent
            }
    }

    fn has_same_moves(&self, other: &Self) -> bool {
        self.plies.len() == other.plies.len() && common_plies(&self.plies, &other.plies) == self.plies.len()
    }
}
