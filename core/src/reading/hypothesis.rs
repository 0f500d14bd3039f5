//! One hypothesis: what the hands may have done since the last position that is certain.

use std::sync::{Arc, OnceLock};

use super::incident::Incident;
use super::shared::Shared;
use super::{CLEARLY_BETTER, cost};
use crate::alert::{AlertCode, AlertState};
use crate::moment::Moment;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind, Side};
use crate::position::{Position, Setup};
use crate::sensing::{Act, Sign};
use crate::settings::Settings;
use crate::square::{Square, SquareSet};
use crate::trace::{ClockLink, Crowning};

/// What holds for all hypotheses at a moment.
#[derive(Clone, Debug)]
pub(crate) struct Circumstances {
    pub(crate) settings: Settings,
    pub(crate) crowning: Crowning,
    pub(crate) clock: ClockLink,
    pub(crate) now: Moment,
    /// Whether the arbiter started the game.
    pub(crate) started: bool,
    /// The squares on which discs stand, by the signs.
    pub(crate) board: SquareSet,
    /// The far-row squares on which two discs stand, by the signs.
    pub(crate) stacked: SquareSet,
    /// The far-row squares whose stack contact says nothing, since its sensor is faulty.
    pub(crate) unsensed: SquareSet,
    /// The squares whose contact is faulty: what it says is no evidence.
    pub(crate) faulty: SquareSet,
    /// The squares in a shadow: what their contact says is no evidence for the time being.
    pub(crate) hidden: SquareSet,
    /// Either.
    pub(crate) masked: SquareSet,
    /// The squares that have left a shadow, and when they last did.
    pub(crate) revealed: Vec<(Square, Moment)>,
}

impl Circumstances {
    /// Whether discs stand on these squares and no others, as far as contacts can be trusted.
    pub(crate) fn shows(&self, occupied: SquareSet) -> bool {
        ((self.board ^ occupied) - self.masked).is_empty()
    }

    /// By how much readings may differ in cost and be as good: where shadows lie, or have lain, an end seen or not seen
    /// says little about what was done.
    pub(super) fn says_little(&self) -> u32 {
        if self.hidden.is_empty() && self.revealed.is_empty() { 0 } else { CLEARLY_BETTER }
    }

    /// Whether what changed on this square was not seen at `at`: by then it had happened.
    pub(super) fn was_revealed(&self, square: Square, at: Moment) -> bool {
        self.revealed.contains(&(square, at))
    }
}

/// A move as a hypothesis has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Who moved.
    pub side: Side,
    /// The position it was made in, the mover on turn.
    pub before: Position,
    /// The move. For an irregular one, `captured` is what left the board with it.
    pub mv: Move,
    /// The position it led to.
    pub after: Position,
    /// When its disc left the origin.
    pub lifted: Moment,
    /// When its disc came to rest on the target.
    pub landed: Moment,
    /// Captured discs taken off so far, in order of time.
    pub removals: Vec<(Square, Moment)>,
    /// Discs that were taken off with the capture though they were not captured.
    pub(crate) extra_removals: Vec<(Square, Piece)>,
    /// Captured discs that were left standing, and so are still in the game.
    pub(crate) left: Vec<(Square, Piece)>,
    /// When the mover pressed the clock.
    pub pressed: Option<Moment>,
    /// Whether it was deduced from the position alone.
    pub deduced: bool,
    /// How things stood before.
    pub(crate) prior: Shared<Standing>,
}

impl Ply {
    /// When the last thing that belongs to this move happened, the press included.
    #[must_use]
    pub fn complete(&self) -> Moment {
        let off = self.off();
        self.pressed.map_or(off, |at| at.max(off))
    }

    /// Whether it was complete when something else was lifted at `lifted`: pressed, or the hand had let go.
    pub(super) fn was_complete(&self, lifted: Moment, settings: &Settings) -> bool {
        self.pressed.is_some_and(|at| at <= lifted) || lifted.since(self.off()) >= settings.release_ms
    }

    /// The position that stood on the board before it, whoever was on turn.
    #[must_use]
    pub fn prior_position(&self) -> Position {
        self.prior.position
    }

    /// When both its ends were as they are: a disc that slides may close its target before it opens its origin.
    pub(super) fn made(&self) -> Moment {
        self.landed.max(self.lifted)
    }

    /// When its disc had come to rest and its last removal was done.
    pub(crate) fn off(&self) -> Moment {
        self.removals.last().map_or(self.landed, |&(_, at)| at.max(self.landed))
    }
}

/// A piece that was promoted and not crowned yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Uncrowned {
    pub(crate) square: Square,
    pub(crate) side: Side,
    /// The ply that promoted it.
    pub(crate) ply: u32,
    /// Whether a contact could tell that it is crowned; else nothing is claimed about it.
    pub(crate) sensed: bool,
}

/// A disc that was lifted and put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) square: Square,
    pub(crate) side: Side,
}

/// How things stand after some moves: all that a further move builds on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) position: Position,
    /// Captured discs that were not yet taken off.
    pub(crate) standing: SquareSet,
    /// Discs of the position that are off the board.
    pub(crate) missing: SquareSet,
    /// Discs on the board that do not belong to the position.
    pub(crate) extra: SquareSet,
    pub(crate) incidents: Shared<Vec<Incident>>,
    pub(crate) uncrowned: Vec<Uncrowned>,
    /// Spare discs that crowned a piece not yet known, White's and Black's.
    pub(crate) spares: [u8; 2],
    /// When a spare disc was last taken with nothing to crown, White's and Black's.
    pub(crate) early_spares: [Option<Moment>; 2],
    /// When a second disc was last sensed, for which side, and on which square if that is known.
    pub(crate) crowned: Option<(Side, Option<Square>, Moment)>,
    /// The piece that the last spare disc crowned, until the next move.
    pub(crate) crowned_by_spare: Option<Uncrowned>,
    pub(crate) touched: Vec<Touch>,
    /// When the last disc was lifted that was put back; no later act happened before.
    pub(crate) handled: Moment,
    /// Who has announced adjusting (CN100 5.13).
    pub(crate) adjusting: Option<(Side, Moment)>,
}

impl Standing {
    /// Squares on which discs should stand.
    pub(crate) fn occupied(&self) -> SquareSet {
        (self.position.occupied() | self.standing | self.extra) - self.missing
    }
}

/// What the hands may have done: moves, how things stand after them, and signs not yet explained.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    /// The number of the first of `plies`.
    pub(crate) first_ply: u32,
    /// Moves since the last position that is certain.
    pub(crate) plies: Vec<Arc<Ply>>,
    /// Other moves that led to how things stand and cost as much, each row up to the last in which it differs.
    pub(super) alike: Shared<Vec<Vec<Arc<Ply>>>>,
    pub(crate) state: Shared<Standing>,
    /// Signs that belong to nothing yet, in order of time.
    pub(crate) open: Vec<Sign>,
    /// The board is disturbed since then: signs mean nothing until the position stands again.
    pub(crate) disturbed: Option<Moment>,
    /// When anybody last pressed though his clock did not run: no act, and yet whoever presses has let go of his
    /// disc.
    pub(super) idle_press: Option<Moment>,
    /// What the moves and their handling cost; see the table in [`cost`].
    pub(crate) cost: u32,
    /// The legal moves of the position, once anybody asked.
    legal: OnceLock<Arc<[Move]>>,
    /// Its rank, reckoned when it last changed or time last passed.
    pub(super) ranked: u32,
    /// When time alone changes its rank.
    rank_until: Moment,
}

impl Hypothesis {
    /// The hypothesis that nothing has happened since `position`, the next move being number `ply`.
    pub(crate) fn quiet(position: Position, ply: u32) -> Self {
        Self {
            first_ply: ply,
            plies: Vec::new(),
            alike: Shared::from(Vec::new()),
            state: Shared::from(Standing {
                position,
                standing: SquareSet::EMPTY,
                missing: SquareSet::EMPTY,
                extra: SquareSet::EMPTY,
                incidents: Shared::from(Vec::new()),
                uncrowned: Vec::new(),
                spares: [0; 2],
                early_spares: [None; 2],
                crowned: None,
                crowned_by_spare: None,
                touched: Vec::new(),
                handled: Moment::ZERO,
                adjusting: None,
            }),
            open: Vec::new(),
            disturbed: None,
            idle_press: None,
            cost: 0,
            legal: OnceLock::new(),
            ranked: 0,
            rank_until: Moment::ZERO,
        }
    }

    /// A hypothesis of the same past that has no signs to explain yet, with room for one more move.
    pub(super) fn child(&self) -> Self {
        let mut plies = Vec::with_capacity(self.plies.len() + 1);
        plies.extend_from_slice(&self.plies);
        Self {
            first_ply: self.first_ply,
            plies,
            alike: self.alike.clone(),
            state: self.state.clone(),
            open: Vec::new(),
            disturbed: None,
            idle_press: None,
            cost: self.cost,
            legal: OnceLock::new(),
            ranked: 0,
            rank_until: Moment::ZERO,
        }
    }

    /// The legal moves of the position.
    pub(super) fn legal(&self) -> &[Move] {
        self.legal.get_or_init(|| self.state.position.legal_moves().into())
    }

    /// The position is another one.
    pub(super) fn forget_legal_moves(&mut self) {
        self.legal = OnceLock::new();
    }

    /// Moves since the last position that is certain, oldest first.
    #[must_use]
    pub fn plies(&self) -> &[Arc<Ply>] {
        &self.plies
    }

    /// The number of the first of [`Hypothesis::plies`].
    #[must_use]
    pub fn first_ply(&self) -> u32 {
        self.first_ply
    }

    /// The position after the moves.
    #[must_use]
    pub fn position(&self) -> Position {
        self.state.position
    }

    /// Captured discs that were not yet taken off.
    #[must_use]
    pub fn standing(&self) -> SquareSet {
        self.state.standing
    }

    /// Squares on which discs should stand, apart from what the open signs say.
    #[must_use]
    pub fn occupied(&self) -> SquareSet {
        self.state.occupied()
    }

    /// Signs that nothing explains yet.
    #[must_use]
    pub fn open(&self) -> &[Sign] {
        &self.open
    }

    /// The irregular acts in it.
    #[must_use]
    pub fn incidents(&self) -> &[Incident] {
        &self.state.incidents
    }

    /// Since when the board is disturbed.
    #[must_use]
    pub fn disturbed(&self) -> Option<Moment> {
        self.disturbed
    }

    /// Forgets the oldest `count` moves, which are no longer in doubt.
    pub(super) fn drop_plies(&mut self, count: usize) {
        self.first_ply += u32::try_from(count).unwrap_or(u32::MAX);
        self.plies.drain(..count);
        self.drop_rows(count);
        self.rank_until = Moment::ZERO;
    }

    /// The number of the move under way.
    pub(crate) fn next_ply(&self) -> u32 {
        self.first_ply + u32::try_from(self.plies.len()).unwrap_or(u32::MAX)
    }

    /// The side on turn.
    pub(crate) fn turn(&self) -> Side {
        self.state.position.turn()
    }

    /// Reckons its rank: what it costs with the signs it does not explain and the discs it says should be gone.
    pub(super) fn rank_now(&mut self, now: &Circumstances) {
        let mut until = Moment::LAST;
        let has_passed = |wait: u64, since: Moment| {
            let passed = now.now.since(since) >= wait;
            if !passed {
                until = until.min(since.after(wait));
            }
            passed
        };
        self.ranked = self.rank(&now.settings, has_passed);
        self.rank_until = until;
    }

    /// Reckons its rank if time alone has changed it; says whether it is another one.
    pub(super) fn rank_if_due(&mut self, now: &Circumstances) -> bool {
        let before = self.ranked;
        if self.rank_until <= now.now {
            self.rank_now(now);
        }
        self.ranked != before
    }

    fn rank(&self, settings: &Settings, mut has_passed: impl FnMut(u64, Moment) -> bool) -> u32 {
        self.cost + self.unexplained(&self.open, settings, &mut has_passed) + self.overdue(has_passed)
    }

    /// What these signs cost if nothing explains them.
    pub(super) fn unexplained<'s>(
        &self,
        signs: impl IntoIterator<Item = &'s Sign>,
        settings: &Settings,
        mut has_passed: impl FnMut(u64, Moment) -> bool,
    ) -> u32 {
        let release = settings.release_ms;
        let mut rank = 0;
        let mut in_hand = 0;
        let pressed = self.plies.last().and_then(|last| last.pressed);
        for sign in signs {
            match sign.act {
                Act::Place(_) => {
                    rank += cost::CONTACT;
                    if has_passed(release, sign.at) {
                        rank += cost::AT_REST;
                    }
                }
                Act::Lift(square) => {
                    rank += cost::CONTACT;
                    let long = has_passed(release, sign.at);
                    let own = self.state.position.piece_at(square).map(|piece| piece.side == self.turn());
                    if own == Some(true) {
                        in_hand += 1;
                    }
                    if long && own.is_some_and(|own| !own || self.is_with_capture(*sign, settings)) {
                        rank += cost::LONG_IN_HAND;
                    } else if long && pressed.is_some_and(|pressed| pressed > sign.at) {
                        rank += cost::LIFT_ACROSS_PRESS;
                    }
                }
                _ => {}
            }
        }
        if in_hand > 1 {
            rank += (in_hand - 1) * cost::SECOND_IN_HAND;
        }
        rank
    }

    /// What the discs that should be gone cost.
    fn overdue(&self, mut has_passed: impl FnMut(u64, Moment) -> bool) -> u32 {
        let state = &self.state;
        if state.standing.is_empty() {
            return 0;
        }
        let Some((last, earlier)) = self.plies.split_last() else { return 0 };
        let of_last = state.standing & last.mv.captured;
        let older = count(state.standing - of_last);
        let late = !earlier.is_empty() && has_passed(super::LATE_UNDER_REPLY_MS, last.landed);
        let mut sum = older * if late { cost::LEFT_STANDING + 1 } else { cost::OVERDUE };
        if last.pressed.is_some() {
            sum += count(of_last) * cost::OVERDUE;
        }
        sum
    }

    /// Opens an incident unless this very act has been named already.
    pub(crate) fn raise(&mut self, incident: Incident) {
        if !self.state.incidents.iter().any(|other| other.is_same_act(&incident)) {
            self.state.incidents.push(incident);
        }
    }

    /// Closes the open incidents that `which` picks.
    pub(crate) fn close(&mut self, state: AlertState, which: impl Fn(&Incident) -> bool) {
        self.change_incidents(
            |incident| incident.is_open() && which(incident),
            |incident| incident.state = state,
        );
    }

    /// What counts only when the hand has let go counts from `at`: the clock was pressed, or the other
    /// side acted.
    pub(crate) fn ripen(&mut self, at: Moment, which: impl Fn(&Incident) -> bool) {
        let ripens = |incident: &Incident| incident.is_open() && incident.due > at && which(incident);
        self.change_incidents(ripens, |incident| incident.due = at);
    }

    /// Changes the incidents that `which` picks. Where it picks none, how things stand stays shared.
    fn change_incidents(&mut self, which: impl Fn(&Incident) -> bool, change: impl Fn(&mut Incident)) {
        if self.state.incidents.iter().any(&which) {
            self.state.incidents.iter_mut().filter(|incident| which(incident)).for_each(change);
        }
    }

    /// Puts a piece into the position, or takes it out.
    pub(crate) fn edit(&mut self, edit: impl Fn(&mut Setup)) {
        self.state.position = edited(&self.state.position, edit);
        self.forget_legal_moves();
    }

    /// Takes a sign in. A captured disc taken off, a disc that comes back, the mover's press: these
    /// belong to something at once. Anything else stays open.
    ///
    /// Returns whether it stayed open.
    pub(crate) fn absorb(&mut self, sign: Sign, now: &Circumstances) -> bool {
        if self.disturbed.is_some() {
            if let Act::Press(side) = sign.act {
                self.press(side, sign, now);
            }
            let astray = match sign.act {
                Act::Lift(square) => self.occupied().contains(square),
                Act::Place(square) => !self.occupied().contains(square),
                _ => false,
            };
            if astray {
                self.cost += if now.hidden.is_empty() { cost::UNREAD } else { cost::UNSEEN_MOVE };
            }
            self.wait_for_order(now);
            return false;
        }
        match sign.act {
            Act::Lift(square) if self.state.standing.contains(square) => {
                self.remove_captured(square, sign.at, now);
                false
            }
            Act::Lift(square) if self.state.extra.contains(square) => {
                self.state.extra.remove(square);
                self.close_start_if_right();
                false
            }
            Act::Place(square) if self.state.missing.contains(square) && !self.has_open(square) => {
                self.state.missing.remove(square);
                self.close(AlertState::Corrected, |incident| {
                    incident.code == AlertCode::PieceMissing && incident.squares.contains(&square)
                });
                self.close_start_if_right();
                false
            }
            Act::Lift(square) => {
                let side = self.state.position.piece_at(square).map(|piece| piece.side);
                self.resume_taking_back(square, sign.at);
                self.ripen(sign.at, |incident| {
                    incident.side.is_some() && incident.side != side && side.is_some()
                });
                self.open.push(sign);
                true
            }
            Act::Place(_) => {
                self.open.push(sign);
                true
            }
            Act::Press(side) => {
                self.press(side, sign, now);
                true
            }
            Act::Stack(square) => {
                self.crown(square, sign.at);
                false
            }
            Act::TakeSpare(side) => {
                self.take_spare(side, sign.at);
                false
            }
            Act::Adjust(side) => {
                if side == self.turn() {
                    self.state.adjusting = Some((side, sign.at));
                }
                false
            }
            Act::ReturnSpare(side) => {
                self.return_spare(side, sign.at);
                false
            }
            Act::Unstack(_) | Act::CrownSensor { .. } | Act::Hide(_) | Act::Reveal { .. } => false,
        }
    }

    /// A disc that was set back on its origin leaves it again before it was let go: that was passage.
    fn resume_taking_back(&mut self, square: Square, at: Moment) {
        let is_passage = |incident: &Incident| {
            let taking_back = incident.code == AlertCode::TookBack && incident.is_open();
            taking_back && incident.squares.first() == Some(&square) && incident.due > at
        };
        self.change_incidents(is_passage, |incident| incident.due = Moment::LAST);
    }

    /// Whether anybody pressed between these moments, by the open signs.
    pub(super) fn pressed_between(&self, from: Moment, to: Moment) -> bool {
        let of_clocks = self.open.iter().filter(|sign| matches!(sign.act, Act::Press(_))).map(|sign| sign.at);
        of_clocks.chain(self.idle_press).any(|at| at >= from && at <= to)
    }

    /// Whether a lift or landing on this square is open.
    pub(crate) fn has_open(&self, square: Square) -> bool {
        self.open.iter().any(|sign| matches!(sign.act, Act::Lift(s) | Act::Place(s) if s == square))
    }

    fn close_start_if_right(&mut self) {
        if self.state.missing.is_empty() && self.state.extra.is_empty() {
            self.close(AlertState::Corrected, |incident| incident.code == AlertCode::StartPositionWrong);
        }
    }

    fn press(&mut self, side: Side, sign: Sign, now: &Circumstances) {
        if self.state.adjusting.is_some_and(|(announcer, _)| announcer == side) {
            self.state.adjusting = None;
        }
        if let Some(last) = self.plies.last_mut()
            && last.side == side
            && last.pressed.is_none()
            && side != self.state.position.turn()
        {
            let landed = last.mv.to;
            Arc::make_mut(last).pressed = Some(sign.at);
            if self.open.iter().any(|sign| sign.act == Act::Lift(landed)) {
                // With that disc in the air again it is no more the press of this move than that of one under way.
                self.cost += cost::PRESS_EARLY;
            }
            self.ripen(sign.at, |incident| incident.side == Some(side));
            return;
        }
        if let Some((last, earlier)) = self.plies.split_last_mut()
            && last.side != side
            && last.pressed.is_none()
        {
            // The opponent's clock still runs, so this press is no act, or the late one of his own move.
            if let Some(own) = earlier.last_mut().filter(|own| own.side == side && own.pressed.is_none()) {
                Arc::make_mut(own).pressed = Some(sign.at);
            }
            self.idle_press = Some(sign.at);
            return;
        }
        if side != self.turn() {
            // None of a clock that runs.
            self.idle_press = Some(sign.at);
            return;
        }
        // The arbiter may start Black's clock for an absent player (CN100 9.1).
        let for_absent = now.started && self.next_ply() == 1 && self.open.is_empty();
        if !for_absent {
            // The press may still turn out to be that of a move which other hypotheses see completed.
            self.cost += cost::PRESS_EARLY;
            if self.disturbed.is_some() {
                // Nobody makes moves on a disturbed board.
                return;
            }
            self.open.push(sign);
            if now.clock == ClockLink::Linked {
                let ply = self.next_ply();
                self.raise(Incident::new(AlertCode::ClockPressedEarly, ply, side, Vec::new(), sign.at));
            }
        }
    }

    /// The position stands again after a disturbance.
    pub(crate) fn wait_for_order(&mut self, now: &Circumstances) {
        if now.shows(self.occupied()) {
            self.disturbed = None;
            self.close(AlertState::Corrected, |incident| incident.code == AlertCode::BoardDisturbed);
        }
    }
}

/// The position with its pieces changed; as it was where the change makes no position.
pub(crate) fn edited(position: &Position, edit: impl Fn(&mut Setup)) -> Position {
    let mut setup = position.to_setup();
    edit(&mut setup);
    Position::from_setup(&setup).unwrap_or(*position)
}

/// Puts a piece on a square of a setup.
pub(crate) fn put(setup: &mut Setup, square: Square, piece: Piece) {
    match piece.side {
        Side::White => setup.white.insert(square),
        Side::Black => setup.black.insert(square),
    };
    if piece.kind == PieceKind::King {
        setup.kings.insert(square);
    }
}

/// Takes a piece off a square of a setup.
pub(crate) fn take(setup: &mut Setup, square: Square) {
    setup.white.remove(square);
    setup.black.remove(square);
    setup.kings.remove(square);
}

/// How many squares a set has, as a number to reckon costs with.
pub(crate) fn count(squares: SquareSet) -> u32 {
    u32::try_from(squares.len()).unwrap_or(u32::MAX)
}
