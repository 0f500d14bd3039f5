//! Diagnosis: which contact must be faulty for what the hands did to make sense.
//!
//! A contact that is stuck looks like one over which nothing happens, so nothing but the reading of moves
//! can find it. When the signs since a moment at which all was clear have become dear to explain, they are
//! read once more for each contact that may be stuck, without believing that contact. If one of these
//! readings is clean where the trusting one is not, and no other contact would do as well, the contact is
//! faulty, and that reading is taken over.

use std::collections::{BTreeMap, VecDeque};

use super::suspicion::{Reread, Suspicion};
use crate::alert::{Alert, AlertCode};
use crate::event::ContactFault;
use crate::moment::Moment;
use crate::piece::Side;
use crate::reading::{Hypothesis, Incident, Ply, Reader};
use crate::sensing::{Act, Sign};
use crate::square::{Square, SquareSet};

/// So many quiet moments are remembered, one per ply.
const MOST_POINTS: usize = 10;
/// The most signs that are kept to be read once more, in batches.
const MOST_STEPS: usize = 240;
/// What signs must cost before anybody doubts a contact.
const DEAR: u32 = 8;
/// A contact may change so long before or after the move that it belongs to was told by the others.
const SIGN_MS: u64 = 150;
/// By so much must a reading without a contact be better.
const BETTER: u32 = 6;
/// So many batches of signs must have come since all was clear.
const UNCLEAR_FOR: usize = 5;
/// After so many looks in vain it takes that much; before, anything odd will do.
const EAGER_LOOKS: u32 = 2;
/// So many batches of signs lie between two looks.
const BETWEEN_LOOKS: usize = 4;
/// A contact that differs from the start position is faulty when so many moves were made regardless.
const PLIES_REGARDLESS: u32 = 4;
/// A disc missing that long was never gone.
const PLIES_WITHOUT: u32 = 10;
/// A contact that was faulty works again when it was right so often, a disc coming or going in between.
const OFTEN_RIGHT: u32 = 3;
/// One of so many contacts may be stuck; with more, something else is wrong.
const MOST_SUSPECTED: usize = 4;
/// And when it has not chattered for so long.
const QUIET_MS: u64 = 20_000;

/// A contact that is faulty, or one of several, and the game as it reads without it.
#[derive(Debug)]
pub(super) struct Found {
    /// `None` where it may be either of several.
    pub(super) fault: Option<(Square, ContactFault)>,
    pub(super) reread: Reread,
}

/// A faulty contact.
#[derive(Clone, Copy, Debug)]
struct Faulty {
    fault: ContactFault,
    /// Whether a disc stood there when it was last compared, and how often it has been right since it was
    /// wrong.
    occupied: Option<bool>,
    right: u32,
    /// The number of the move under way when it was last compared.
    ply: u32,
    /// When it was last seen to be faulty.
    last: Moment,
}

/// The reading that believes all contacts, and what goes with it.
struct Trusting<'a> {
    best: &'a Hypothesis,
    /// What it costs, all told.
    cost: u32,
    /// The contacts that are closed now.
    standing: SquareSet,
    /// The irregular acts that were told.
    alerts: &'a [Alert],
}

/// A quiet moment.
#[derive(Clone, Debug)]
struct Point {
    reader: Reader,
    /// The signs that came after it begin with this batch.
    step: usize,
}

/// What is known of faulty contacts, and what is needed to find more.
#[derive(Clone, Debug, Default)]
pub(super) struct Diagnosis {
    faulty: BTreeMap<Square, Faulty>,
    points: VecDeque<Point>,
    steps: VecDeque<(Vec<Sign>, Moment)>,
    /// So many batches are no longer kept.
    forgotten: usize,
    /// The batch after which nothing was unexplained and every disc was where it belongs.
    clear: usize,
    looked: usize,
    /// How often it was looked in vain: after a few times it waits twice as long each time, so that a game in which nothing
    /// makes sense is not read over and over.
    in_vain: u32,
    /// Contacts of which one is stuck.
    suspicion: Option<Suspicion>,
    /// Since which ply the discs of these squares have been missing, or too many.
    amiss: BTreeMap<Square, u32>,
}

/// How a contact is stuck.
fn stuck(square: Square, standing: SquareSet) -> ContactFault {
    if standing.contains(square) { ContactFault::StuckClosed } else { ContactFault::StuckOpen }
}

/// Whether nothing irregular was done but the acts of `known`, and nothing stands where it explains nothing.
pub(super) fn is_regular(hypothesis: &Hypothesis, known: &[Incident]) -> bool {
    let handling = |incident: &Incident| {
        matches!(incident.code, AlertCode::PressForgotten | AlertCode::ClockPressedEarly)
    };
    let irregular = hypothesis
        .incidents()
        .iter()
        .any(|incident| !handling(incident) && !known.iter().any(|old| old.is_same_act(incident)));
    let placed = hypothesis.open().iter().any(|sign| matches!(sign.act, Act::Place(_)));
    !irregular && !placed && hypothesis.disturbed().is_none()
}

/// So many signs without an explanation for so long are more than a hand that is taking its time.
const MANY_STALE: usize = 2;
const STALE_MS: u64 = 1000;

impl Diagnosis {
    /// The squares whose contacts are no evidence.
    pub(super) fn masked(&self) -> SquareSet {
        let suspected = self.suspicion.as_ref().map_or(SquareSet::EMPTY, Suspicion::squares);
        self.faulty.keys().copied().collect::<SquareSet>() | suspected
    }

    /// The squares whose contacts were taken for stuck, or may be.
    pub(super) fn stuck(&self) -> SquareSet {
        let stuck =
            |faulty: &Faulty| matches!(faulty.fault, ContactFault::StuckOpen | ContactFault::StuckClosed);
        let certain = self.faulty.iter().filter(|(_, faulty)| stuck(faulty)).map(|(&square, _)| square);
        certain.collect::<SquareSet>() | self.suspicion.as_ref().map_or(SquareSet::EMPTY, Suspicion::squares)
    }

    /// Believes the contacts again that were taken for stuck, and returns them.
    pub(super) fn acquit(&mut self) -> SquareSet {
        let acquitted = self.stuck();
        let told = self.faulty.keys().copied().collect::<SquareSet>() & acquitted;
        self.faulty.retain(|&square, _| !acquitted.contains(square));
        self.suspicion = None;
        told
    }

    /// Forgets the signs: a new reader begins.
    pub(super) fn start_over(&mut self) {
        *self = Self { faulty: std::mem::take(&mut self.faulty), ..Self::default() };
    }

    /// Keeps signs that were read together.
    pub(super) fn note(&mut self, signs: &[Sign], horizon: Moment) {
        if signs.is_empty() {
            return;
        }
        if let Some(suspicion) = &mut self.suspicion {
            suspicion.note(signs, horizon);
        }
        if self.points.is_empty() {
            return;
        }
        self.steps.push_back((signs.to_vec(), horizon));
        if self.steps.len() > MOST_STEPS {
            self.steps.pop_front();
            self.forgotten += 1;
            self.points.retain(|point| point.step >= self.forgotten);
        }
    }

    /// Keeps this moment if it is a quiet one after a new move.
    pub(super) fn remember(&mut self, reader: &Reader) {
        let ply = reader.best().next_ply();
        while self.points.back().is_some_and(|point| !reader.best().goes_on_from(point.reader.best())) {
            self.points.pop_back();
        }
        if !reader.is_quiet() {
            return;
        }
        let step = self.forgotten + self.steps.len();
        if reader.best().amiss().is_empty() {
            self.clear = step;
        }
        if self.points.back().is_some_and(|point| point.reader.best().next_ply() >= ply) {
            return;
        }
        self.points.push_back(Point { reader: reader.of_best(), step });
        if self.points.len() > MOST_POINTS {
            self.points.pop_front();
        }
        while self.points.front().is_some_and(|point| point.step > self.forgotten) {
            self.steps.pop_front();
            self.forgotten += 1;
        }
    }

    /// The signs since this moment, read without believing these contacts.
    fn reread(&self, point: &Point, masked: SquareSet) -> Reader {
        Reread::of(&point.reader, self.steps.iter().skip(point.step - self.forgotten), masked).reader
    }

    /// As [`Diagnosis::reread`]; `None` once it cannot come to cost as little as `most`.
    fn reread_for(&self, point: &Point, masked: SquareSet, most: u32) -> Option<Reader> {
        let mut reread = Reread::of(&point.reader, [], masked);
        for (signs, horizon) in self.steps.iter().skip(point.step - self.forgotten) {
            reread.read(signs, *horizon);
            if reread.reader.least_to_come() > most {
                return None;
            }
        }
        Some(reread.reader)
    }

    /// A contact gave itself away by its raw changes.
    pub(super) fn knows(
        &mut self,
        square: Square,
        fault: ContactFault,
        reader: &Reader,
        now: Moment,
    ) -> Option<Found> {
        if let Some(known) = self.faulty.get_mut(&square) {
            known.last = now;
            return None;
        }
        let masked = self.masked().with(square);
        let reread = match self.points.front() {
            Some(point) => self.reread(point, masked),
            None => {
                let mut reader = reader.clone();
                reader.mask(masked);
                reader
            }
        };
        Some(self.adopt(square, fault, reread, now))
    }

    fn adopt(&mut self, square: Square, fault: ContactFault, reread: Reader, now: Moment) -> Found {
        self.faulty.insert(square, Faulty { fault, occupied: None, right: 0, ply: 0, last: now });
        // The later points rest on the reading that believed the contact.
        self.points.truncate(1);
        let masked = self.masked();
        for point in &mut self.points {
            point.reader.mask(masked);
        }
        self.amiss.remove(&square);
        Found { fault: Some((square, fault)), reread: Reread::from(reread) }
    }

    /// Looks for a contact that must be stuck. `standing` are the contacts that are closed now.
    ///
    /// With one faulty contact known, the others are believed: readings around two leave so much freedom
    /// that a slip of the hand would pass for a second stuck contact.
    pub(super) fn look(&mut self, reader: &Reader, standing: SquareSet, alerts: &[Alert]) -> Option<Found> {
        if !self.masked().is_empty() {
            return None;
        }
        if let Some(square) = self.amiss_for_long(reader.best()) {
            let mut masked = reader.clone();
            masked.mask(square.into());
            // What was read since it went wrong may rest on it.
            if let Some(first) = self.points.front() {
                let reread = self.reread(first, square.into());
                if reread.rank(reread.best()) <= masked.rank(masked.best()) {
                    masked = reread;
                }
            }
            return Some(self.adopt(square, stuck(square, standing), masked, reader.now()));
        }
        let end = self.forgotten + self.steps.len();
        if end < self.looked + (BETWEEN_LOOKS << self.in_vain.saturating_sub(4).min(10)) {
            return None;
        }
        // An odd act of a hand is soon over, and all is clear again; a faulty contact stays in the way.
        let unclear_for = if self.in_vain < EAGER_LOOKS { 1 } else { UNCLEAR_FOR };
        if end < self.clear + unclear_for {
            return None;
        }
        let best = reader.best();
        if reader.is_hand_under_way() {
            return None;
        }
        let trusting = Trusting { best, cost: reader.rank(best), standing, alerts };
        // A disc held for long is dear for as long as it is held, and no sign of a faulty contact.
        let paid = |point: &Point| best.cost().saturating_sub(point.reader.best().cost()) >= DEAR;
        let stale = |sign: &&Sign| reader.now().since(sign.at) >= STALE_MS;
        if best.open().iter().filter(stale).count() < MANY_STALE && !self.points.iter().any(paid) {
            return None;
        }
        let dear = |point: &&Point| trusting.cost.saturating_sub(point.reader.best().cost()) >= DEAR;
        let points: Vec<&Point> = self.points.iter().rev().filter(dear).collect();
        if points.is_empty() {
            return None;
        }
        self.looked = end;
        self.in_vain += 1;
        let mut one_of = None;
        for point in points.into_iter().step_by(2).take(3) {
            let mut stuck_since = self.stuck_since(point, &trusting);
            match stuck_since.len() {
                0 => {}
                1 => {
                    let (square, reread) = stuck_since.remove(0);
                    return Some(self.adopt(square, stuck(square, standing), reread, reader.now()));
                }
                _ if one_of.is_none() => {
                    let squares = stuck_since.iter().map(|(square, _)| *square).collect();
                    one_of = Some((squares, point));
                }
                _ => {}
            }
        }
        let (squares, point) = one_of?;
        self.suspect(squares, &point.clone(), reader)
    }

    /// The contacts without each of which all since this moment reads clean, and about as well as with any other.
    fn stuck_since(&self, point: &Point, trusting: &Trusting<'_>) -> Vec<(Square, Reader)> {
        let mut clean: Vec<(u32, Square, Reader)> = Vec::new();
        let most = trusting.cost.saturating_sub(BETTER);
        for square in self.suspects(point, trusting.best).iter() {
            if self.signs_of(point, square).count() > 1 {
                continue;
            }
            let Some(reread) = self.reread_for(point, square.into(), most) else { continue };
            let dear = reread.rank(reread.best());
            if dear <= most && self.is_clean(point, &reread, trusting, square) {
                clean.push((dear, square, reread));
            }
        }
        // A contact that was wrong before, and a disc where none can be is, explains itself.
        let known = point.reader.best().amiss();
        if clean.iter().filter(|(_, square, _)| known.contains(*square)).count() == 1 {
            clean.retain(|(_, square, _)| known.contains(*square));
        }
        let least = clean.iter().map(|(dear, ..)| *dear).min().unwrap_or_default();
        clean.retain(|(dear, ..)| *dear <= least + 1);
        clean.into_iter().map(|(_, square, reread)| (square, reread)).collect()
    }

    /// One of these is stuck.
    fn suspect(&mut self, squares: SquareSet, point: &Point, reader: &Reader) -> Option<Found> {
        if squares.len() > MOST_SUSPECTED {
            return None;
        }
        let steps: Vec<_> = self.steps.iter().skip(point.step - self.forgotten).cloned().collect();
        let suspicion = Suspicion::new(squares, point.reader.clone(), steps, reader.best().next_ply());
        let reread = suspicion.reread(squares)?;
        // Without all of them something else may make sense.
        if !is_regular(reread.reader.best(), point.reader.best().incidents()) {
            return None;
        }
        self.suspicion = Some(suspicion);
        self.points.clear();
        Some(Found { fault: None, reread })
    }

    /// Looks whether it has come out which of several contacts is stuck.
    ///
    /// - `signs`: the newest.
    pub(super) fn resolve(&mut self, signs: &[Sign], reader: &Reader, standing: SquareSet) -> Option<Found> {
        let suspicion = self.suspicion.as_mut()?;
        let alone = reader.tied().is_some_and(|tied| tied.is_empty());
        let cleared = suspicion.cleared(signs, reader.best(), alone);
        if cleared.is_empty() {
            return None;
        }
        let left = suspicion.clear(cleared);
        let kept = self.suspicion.take()?;
        let others: SquareSet = self.faulty.keys().copied().collect();
        let fault = left.first().filter(|_| left.len() == 1).map(|square| (square, stuck(square, standing)));
        let reread = kept.reread(others | left).unwrap_or_else(|| {
            let mut reader = reader.clone();
            reader.mask(others | left);
            Reread::from(reader)
        });
        if let Some((square, fault)) = fault {
            let faulty = Faulty { fault, occupied: None, right: 0, ply: 0, last: reader.now() };
            self.faulty.insert(square, faulty);
        } else if left.len() > 1 {
            self.suspicion = Some(kept);
        }
        self.points.clear();
        Some(Found { fault, reread })
    }

    /// The squares whose contact a move since this moment may have missed: those at the other end of a move
    /// that touched a contact which did change, or captured on it, and those that changed for no reason.
    fn suspects(&self, point: &Point, trusting: &Hypothesis) -> SquareSet {
        let signs = self.steps.iter().skip(point.step - self.forgotten).flat_map(|(signs, _)| signs);
        let touched: SquareSet = signs
            .filter_map(|sign| match sign.act {
                Act::Lift(square) | Act::Place(square) => Some(square),
                _ => None,
            })
            .collect();
        let known = point.reader.best().next_ply();
        let later = trusting.plies().iter().zip(trusting.first_ply()..).filter(|&(_, ply)| ply >= known);
        let positions = later.map(|(ply, _)| ply.after).chain([point.reader.best().position()]);
        let mut suspects = touched;
        for position in positions {
            for mv in Side::ALL.into_iter().flat_map(|side| position.with_turn(side).legal_moves()) {
                if touched.contains(mv.from) || touched.contains(mv.to) {
                    suspects |= mv.squares();
                }
            }
        }
        suspects
    }

    fn signs_of<'s>(&'s self, point: &Point, square: Square) -> impl Iterator<Item = &'s Sign> {
        let of_square = move |sign: &&Sign| matches!(sign.act, Act::Lift(s) | Act::Place(s) if s == square);
        self.steps.iter().skip(point.step - self.forgotten).flat_map(|(signs, _)| signs).filter(of_square)
    }

    /// Whether the reading without this contact is one to believe: regular, and moves went there, came from
    /// there or captured there, or many were made while it was wrong.
    fn is_clean(&self, point: &Point, reread: &Reader, trusting: &Trusting<'_>, square: Square) -> bool {
        let best = reread.best();
        if !is_regular(best, point.reader.best().incidents()) {
            return false;
        }
        let known = point.reader.best().plies().len();
        let plies = best.plies().get(known..).unwrap_or_default();
        // That a captured disc was left standing explains a contact that stays closed as well.
        let left = |ply: u32| {
            trusting.alerts.iter().any(|alert| {
                alert.code == AlertCode::LeftCapturedPiece
                    && alert.ply == ply
                    && alert.squares.contains(&square)
            })
        };
        let since = self.signs_of(point, square).last().map_or(Moment::ZERO, |sign| sign.at);
        // A move during which the contact changed is one that it has seen.
        let seen = |ply: &Ply| since.after(SIGN_MS) >= ply.lifted && since <= ply.landed.after(SIGN_MS);
        let numbered = plies.iter().zip(point.reader.best().next_ply()..);
        let first_use = numbered
            .map(|(ply, number)| ply.mv.squares().contains(square) && !seen(ply) && !left(number))
            .position(|used| used);
        let replied = first_use.is_some_and(|index| plies.len() > index + 1);
        let after = plies.iter().filter(|ply| ply.landed > since).count();
        // A disc that a hand took off or put there by an act that has a name is no fault of the contact.
        let wrong = best.position().occupied().contains(square) != trusting.standing.contains(square)
            && trusting.best.amiss().contains(square);
        replied || wrong && after >= 6
    }

    /// A square whose disc has been missing, or too many, while the game went on.
    fn amiss_for_long(&mut self, best: &Hypothesis) -> Option<Square> {
        let amiss = best.amiss();
        if amiss.is_empty() {
            self.amiss.clear();
            return None;
        }
        let ply = best.next_ply();
        self.amiss.retain(|&square, _| amiss.contains(square));
        for square in amiss.iter() {
            self.amiss.entry(square).or_insert(ply);
        }
        let wrong_start =
            |incident: &Incident| incident.code == AlertCode::StartPositionWrong && incident.is_open();
        let from_start = best.incidents().iter().any(wrong_start);
        let long = if from_start { PLIES_REGARDLESS } else { PLIES_WITHOUT };
        // A disc on a wrong square is two squares amiss, and no fault.
        let only = amiss.first().filter(|_| amiss.len() == 1)?;
        (best.disturbed().is_none() && ply >= self.amiss[&only] + long).then_some(only)
    }

    /// The contacts that have been right so often that they work again; they are believed from now on.
    ///
    /// - `hidden`: the squares in a shadow, of which nothing can be said.
    pub(super) fn works_again(
        &mut self,
        best: &Hypothesis,
        standing: SquareSet,
        hidden: SquareSet,
        now: Moment,
    ) -> SquareSet {
        let at_rest = best.disturbed().is_none()
            && !best.open().iter().any(|sign| matches!(sign.act, Act::Lift(_) | Act::Place(_)));
        if self.faulty.is_empty() || !at_rest {
            return SquareSet::EMPTY;
        }
        let discs = best.occupied();
        let mut works = SquareSet::EMPTY;
        let ply = best.next_ply();
        for (&square, faulty) in self.faulty.iter_mut().filter(|(square, _)| !hidden.contains(**square)) {
            // A disc that leaves is not seen before it lands, so they are compared once a move.
            if std::mem::replace(&mut faulty.ply, ply) == ply {
                continue;
            }
            let occupied = discs.contains(square);
            if occupied != standing.contains(square) {
                faulty.right = 0;
                faulty.occupied = None;
            } else if faulty.occupied != Some(occupied) {
                faulty.right += 1;
                faulty.occupied = Some(occupied);
            }
            let of_itself = faulty.fault == ContactFault::Chattering;
            if faulty.right >= OFTEN_RIGHT && (!of_itself || now.since(faulty.last) >= QUIET_MS) {
                works.insert(square);
            }
        }
        self.faulty.retain(|&square, _| !works.contains(square));
        if !works.is_empty() {
            self.start_over();
        }
        works
    }
}
