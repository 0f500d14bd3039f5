//! The two players' hands: how a move is carried out on the table.
//!
//! A move is a lift, a flight with or without touching down on the way, a landing, the removal of the
//! captured discs, a crowning, a press. [`Hands::play`] writes these down for one move after the
//! other. The end of a move is left open until the next one has begun, because there the two hands
//! may overlap: the reply lifted while the last captured disc still stands, the clock pressed when
//! the other disc is already in the air.

use draughtsd_core::alert::AlertState;
use draughtsd_core::moves::{Move, Route};
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{Button, ClockLink, Crowning};

use super::noise::{Level, Noise};
use super::path;
use super::random::Random;
use super::script::{Performed, Script, Touch};
use super::style::{Manner, Reach, Style};
use super::table::Stack;
use super::truth::{TruthAlert, TruthMove};

mod captures;
mod crowning;
mod irregular;
mod moving;
mod table_acts;

pub(super) use irregular::Planting;

/// A low pass, or a slide with both contacts alike, lasts no longer than this; with the bounce at its
/// end it stays within 100 ms.
const LOW: u64 = 95;
/// A square that a disc has left is not stood on again for this long: sooner, and its contact would
/// show something between a dropout and two acts.
const VACANT: u64 = 420;
/// A visit to another legal square ends within `release-ms`, 1500.
const VISIT: u64 = 1450;
/// The last captured disc is off this long after the replying disc has come to rest, of 1500 ms.
const LAST_REMOVAL: u64 = 1350;

/// What the hands need to know besides the moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub style: Style,
    pub noise: Noise,
    pub crowning: Crowning,
    pub clock: ClockLink,
    /// How much longer than the style has it a player thinks.
    pub think_ms: u64,
    /// No press is late or forgotten, whatever style and noise say.
    pub presses_always: bool,
}

/// Both players' hands.
#[derive(Debug)]
pub(super) struct Hands {
    setting: Setting,
    manner: Manner,
    variant: Variant,
    script: Script,
    random: Random,
    moves: Vec<TruthMove>,
    alerts: Vec<Planted>,
    /// The next move is carried out without anything that could be confused with the act before it.
    plainly: bool,
    /// The next promotion is not crowned.
    leaves_uncrowned: bool,
    /// The move whose end is not decided yet.
    pending: Option<Pending>,
    /// When the last act so far is over.
    now: u64,
    /// When each side's hand has done its last act so far.
    free: [u64; 2],
    /// Stretches that the scanner loses.
    lost: Vec<(u64, u64)>,
}

/// A move whose disc stands, and which may still want its press, its crowning, its last removal over.
#[derive(Clone, Debug)]
struct Pending {
    side: Side,
    /// When its disc came to rest.
    landed: u64,
    /// When its last act, press apart, was done.
    finished: u64,
    /// The captured disc that came off last, alone, if the removal was that last act.
    last_removed: Option<Square>,
    press: Press,
    /// Until then the opponent's last captured disc still stands, and a press would be a claim.
    clear: u64,
    /// The reply may begin before the last act is done.
    overlaps: bool,
    /// The reply waits for the press.
    waits: bool,
    /// The opponent is to crown the disc on this square.
    uncrowned: Option<Square>,
}

/// An irregular act that was done.
#[derive(Clone, Copy, Debug)]
struct Planted {
    alert: TruthAlert,
    /// The state holds once this many plies are complete; until then the alert is open.
    plies: u32,
}

impl Planted {
    fn at_end(self, plies: usize) -> TruthAlert {
        let reached = u32::try_from(plies).unwrap_or(u32::MAX) >= self.plies;
        let state = self.alert.state.map(|state| if reached { state } else { AlertState::Open });
        TruthAlert { state, ..self.alert }
    }
}

/// What is to become of the press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Press {
    /// It is made at this moment, unless the reply comes first.
    At(u64),
    /// It has been made.
    Made(u64),
    /// It is made while the opponent's disc is in the air.
    Late,
    /// It is forgotten.
    Never,
}

/// When a hand may begin, and what it has to keep clear of.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    at: u64,
    /// The opponent's last act is still to come, at this moment.
    until: Option<u64>,
    /// There is time for other things before the move.
    calm: bool,
}

impl Hands {
    pub(super) fn new(start: &Position, setting: Setting, mut random: Random) -> Self {
        let names_wells = random.chance(500);
        let script = Script::new(start, setting.crowning, setting.clock, names_wells);
        let now = random.within((1200, 3000));
        Self {
            setting,
            manner: setting.style.manner(),
            variant: start.variant(),
            script,
            random,
            moves: Vec::new(),
            alerts: Vec::new(),
            plainly: false,
            leaves_uncrowned: false,
            pending: None,
            now,
            free: [0; 2],
            lost: Vec::new(),
        }
    }

    /// Carries out `mv`, a legal move of `position`, which is what the board shows.
    ///
    /// - `is_last`: nothing follows that could make up for what this move leaves undone.
    pub(super) fn play(&mut self, position: &Position, mv: Move, is_last: bool) {
        let side = position.turn();
        let route = self.route(position, mv);
        let beginning = self.begin(side, &route);
        let at_leisure = beginning.calm && !self.plainly;
        let lifted = if at_leisure { self.prelude(position, mv, beginning.at) } else { beginning.at };
        let hurried = beginning.until.is_some() || self.plainly;
        let flight = self.carry(position, mv, &route, lifted, hurried);
        self.end_pending(Some((lifted, flight.touched)));

        let clear = beginning.until.map_or(0, |until| until + 60);
        let mut pending = Pending {
            side,
            landed: flight.landed,
            finished: flight.landed,
            last_removed: None,
            press: Press::Never,
            clear,
            overlaps: self.random.chance(self.manner.overlap) && !self.plainly,
            waits: self.plainly,
            uncrowned: None,
        };
        let crown_first =
            mv.promotes && mv.is_capture() && !self.plainly && self.random.chance(self.manner.crown_first);
        if crown_first {
            self.crown(&mut pending, mv.to, Placing::OnTop);
        }
        self.remove(&mut pending, &route);
        self.decide_press(&mut pending, is_last);
        if mv.promotes && !crown_first {
            self.crown_or_leave(&mut pending, mv.to, is_last);
        }
        self.return_to_wells(side.opponent(), pending.finished);
        self.now = self.now.max(pending.finished);
        self.pending = Some(pending);
        self.plainly = false;
        self.record(mv, &route.captures);
    }

    /// Carries out `moves` one after the other while the scanner is away; what they changed is found
    /// at one moment afterwards. Presses are lost as well.
    pub(super) fn play_unseen(&mut self, position: &Position, moves: &[Move]) {
        let uncrowned = self.pending.as_ref().and_then(|pending| pending.uncrowned);
        self.end_pending(None);
        if let Some(square) = uncrowned {
            self.crown_for_opponent(square, position.turn().opponent());
        }
        let from = self.now + 400;
        let back = from + self.random.within((1500, 6000)) * moves.len() as u64;
        let crowning = self.setting.crowning;
        let mut turn = position.turn();
        let mut crowned = Vec::new();
        self.script.lose(back, |script| {
            for mv in moves {
                let stack = script.lift(from, mv.from);
                for square in mv.captured {
                    script.remove(from, square);
                }
                script.set_down(from, mv.to, stack, Touch::Lost);
                if mv.promotes {
                    script.crown(from, mv.to);
                    crowned.push(turn);
                }
                turn = turn.opponent();
            }
        });
        if crowning == Crowning::Reserve {
            for side in crowned {
                self.script.take_spare(back, side, 0);
            }
        }
        for mv in moves {
            self.record(*mv, &mv.captured.iter().collect::<Vec<_>>());
            if let Some(record) = self.moves.last_mut() {
                record.t1 = back;
            }
        }
        self.lost.push((from, back));
        // The players look up before they go on, or what follows would be part of the stretch.
        self.now = back + self.random.within((1500, 2500));
    }

    /// Ends the game; the moves as they were carried out, and the timeline.
    pub(super) fn finish(mut self) -> Finished {
        self.end_pending(None);
        let mut latest = 0;
        for record in &mut self.moves {
            latest = record.t1.max(latest);
            record.t1 = latest;
        }
        let plies = self.moves.len();
        let alerts = self.alerts.into_iter().map(|planted| planted.at_end(plies)).collect();
        Finished {
            moves: self.moves,
            alerts,
            performed: self.script.finish(),
            lost: self.lost,
            end: self.now + 5000,
        }
    }

    fn route(&mut self, position: &Position, mv: Move) -> Route {
        let routes = position.routes(mv);
        self.random.pick(&routes).cloned().unwrap_or_else(|| Route {
            from: mv.from,
            landings: vec![mv.to],
            captures: mv.captured.iter().collect(),
        })
    }

    /// How many plies there are.
    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The ply under way.
    fn ply(&self) -> u32 {
        u32::try_from(self.moves.len() + 1).unwrap_or(u32::MAX)
    }

    fn record(&mut self, mv: Move, captures: &[Square]) {
        let mut captures = captures.to_vec();
        captures.sort_unstable();
        let ply = self.ply();
        self.moves.push(TruthMove { ply, from: mv.from, to: mv.to, captures, irregular: Some(false), t1: 0 });
    }

    /// Decides when the next hand may begin, in view of what the last move has left open.
    fn begin(&mut self, side: Side, route: &Route) -> Beginning {
        let mut think = self.random.within(self.manner.think) + self.setting.think_ms;
        if self.plainly {
            think = think.max(800);
        }
        let Some(pending) = self.pending.clone() else {
            let at = (self.now + think).max(self.back(side));
            return Beginning { at, until: None, calm: true };
        };
        if let Some(square) = pending.uncrowned {
            self.end_pending(None);
            self.crown_for_opponent(square, side.opponent());
            return Beginning { at: self.now + think, until: None, calm: true };
        }
        if pending.waits {
            think = think.max(800);
        } else if pending.overlaps {
            let blocked = pending.last_removed.is_some_and(|last| route.landings.contains(&last));
            let lead = self.random.within(self.manner.lead).min(LAST_REMOVAL);
            let at = pending.finished.saturating_sub(lead).max(pending.landed + 100).max(self.back(side));
            if pending.last_removed.is_some() && !blocked && at < pending.finished {
                return Beginning { at, until: Some(pending.finished), calm: false };
            }
        }
        if !pending.waits && self.random.chance(self.manner.quick_reply) {
            let at = (pending.finished + self.random.within((80, 300))).max(self.back(side));
            return Beginning { at, until: None, calm: false };
        }
        let at = match pending.press {
            Press::At(at) | Press::Made(at) => at.max(pending.finished),
            Press::Late | Press::Never => pending.finished,
        };
        let at = (at + think).max(self.back(side));
        Beginning { at, until: None, calm: pending.press != Press::Late && !pending.waits }
    }

    /// The earliest moment at which the hand of `side` can be over the board again.
    fn back(&self, side: Side) -> u64 {
        self.free[side as usize] + 150
    }

    /// Presses for the last move, if it is to be done, and notes when that move was complete.
    ///
    /// - `reply`: when the reply was lifted and first touched down; none if there is none yet.
    fn end_pending(&mut self, reply: Option<(u64, u64)>) {
        let Some(pending) = self.pending.take() else { return };
        let pressed = match (pending.press, reply) {
            (Press::Made(at), _) => Some(at),
            (Press::At(at), None) => Some(at),
            (Press::At(at), Some((_, touched))) if at + 30 < touched => Some(at),
            (Press::Late, None) => {
                Some(pending.finished.max(pending.clear) + self.random.within(self.manner.press))
            }
            (Press::Late, Some((lifted, touched))) if touched > lifted + 120 => {
                let at = self.random.within((lifted + 20, touched - 60));
                let at = at.max(pending.finished + 60).max(pending.clear);
                Some(at).filter(|at| at + 30 < touched)
            }
            _ => None,
        };
        let linked = self.setting.clock == ClockLink::Linked;
        let pressed = pressed.filter(|_| linked);
        if let (Some(at), false) = (pressed, matches!(pending.press, Press::Made(_))) {
            self.script.press(at, pending.side);
        }
        let free = &mut self.free[pending.side as usize];
        *free = (*free).max(pressed.unwrap_or(0)).max(pending.finished);
        let complete = pressed.map_or(pending.finished + 250, |at| at.max(pending.finished));
        let complete = match reply {
            // The next move must not be complete before this one.
            Some((_, touched)) => complete.min(touched.max(pending.finished)),
            None => complete,
        };
        self.now = self.now.max(complete);
        if let Some(record) = self.moves.last_mut() {
            record.t1 = complete;
        }
    }

    /// What a player may do with own discs before the move; when the move begins.
    fn prelude(&mut self, position: &Position, mv: Move, at: u64) -> u64 {
        let mut at = at;
        if self.random.chance(self.manner.adjust) {
            at = self.adjust(position, at);
        }
        if self.random.chance(self.manner.hesitate) {
            let stack = self.script.lift(at, mv.from);
            at += self.random.within((450, 1500));
            self.script.set_down(at, mv.from, stack, Touch::Hand);
            at += self.random.within((300, 2500));
        }
        at
    }

    /// Announces adjusting and puts one or two own discs straight.
    fn adjust(&mut self, position: &Position, at: u64) -> u64 {
        let mut at = at;
        self.script.button(at, Button::Adjust, position.turn());
        let mut own: Vec<Square> = position.pieces(position.turn()).iter().collect();
        self.random.shuffle(&mut own);
        for square in own.into_iter().take(1 + self.random.index(2)) {
            at += self.random.within((400, 1200));
            let stack = self.script.lift(at, square);
            at += self.random.within((420, 900));
            self.script.set_down(at, square, stack, Touch::Hand);
        }
        at + self.random.within((1200, 4000))
    }

    /// Carries the disc to its target.
    ///
    /// - `lifted`: when it leaves its square.
    /// - `hurried`: the opponent still is at the board, so nothing is tried out.
    fn carry(&mut self, position: &Position, mv: Move, route: &Route, lifted: u64, hurried: bool) -> Flight {
        let is_king = position.kings(position.turn()).contains(mv.from);
        // A king is not slid while a captured disc may still stand in its way.
        let carries = mv.is_capture() || (hurried && is_king);
        if !carries
            && self.random.chance(self.manner.slide + self.setting.noise.slide.odds(180))
            && let Some(flight) = self.slide(mv, lifted, is_king)
        {
            return flight;
        }
        let visit = if hurried { None } else { self.visit(position, mv, route) };
        let mut stack = self.script.lift(lifted, mv.from);
        let mut at = lifted;
        let mut touched = None;
        let mut legs: Vec<Square> = Vec::new();
        let mut here = mv.from;
        let last = route.landings.len() - 1;
        for (index, &landing) in route.landings.iter().enumerate() {
            let sets_down = index == last || self.random.chance(self.manner.landings);
            legs.push(landing);
            if !sets_down {
                continue;
            }
            if let (true, Some((square, rest))) = (index == last, visit) {
                at = self.hop(here, &[square], at, stack, Touch::Hand);
                touched = touched.or(Some(at));
                at += rest;
                stack = self.script.lift(at, square);
                here = square;
                legs = vec![landing];
            }
            let touch = if index == last { Touch::Landing } else { Touch::Hand };
            at = self.hop(here, &legs, at, stack, touch);
            touched = touched.or(Some(at));
            if index < last {
                at += self.random.within(self.manner.rest);
                stack = self.script.lift(at, landing);
            }
            here = landing;
            legs.clear();
        }
        Flight { touched: touched.unwrap_or(at), landed: at }
    }

    /// Carries the disc in the hand over `legs` and sets it down on the last; when it touches down.
    fn hop(&mut self, from: Square, legs: &[Square], lifted: u64, stack: Stack, touch: Touch) -> u64 {
        let mut transit = self.random.within(self.manner.transit);
        transit += self.manner.leg * (legs.len() as u64 - 1);
        if !self.plainly && self.random.chance(self.manner.hold) {
            transit += self.random.within((1500, 7000));
        }
        let Some(&to) = legs.last() else { return lifted };
        let mut at = lifted + transit;
        at = self.vacant(to, at);
        let mut under = Vec::new();
        let mut here = from;
        for &leg in legs {
            under.extend(path::diagonal(self.variant, here, leg));
            under.push(leg);
            here = leg;
        }
        under.pop();
        let odds = self.manner.pass + self.setting.noise.pass.odds(150);
        self.pass_over(&under, (lifted, at), odds, self.manner.pass > 0);
        self.script.set_down(at, to, stack, touch);
        at
    }

    /// `at`, or later if `square` was left only just before it.
    fn vacant(&self, square: Square, at: u64) -> u64 {
        self.script.left(square).map_or(at, |left| at.max(left + VACANT))
    }

    /// Passes low over some of the squares `under` a way that takes the time of `span`.
    fn pass_over(&mut self, under: &[Square], span: (u64, u64), odds: u32, by_manner: bool) {
        let steps = under.len() as u64 + 1;
        for (index, &square) in under.iter().enumerate() {
            if !self.random.chance(odds.min(950)) {
                continue;
            }
            let longest = self.low(self.setting.noise.pass, by_manner);
            if longest < 20 {
                continue;
            }
            let lasts = self.random.within((20, longest));
            let middle = span.0 + (span.1 - span.0) * (index as u64 + 1) / steps;
            self.script.pass(middle.saturating_sub(lasts / 2), square, lasts);
        }
    }

    /// How long a low pass or a slide may last at most.
    fn low(&self, level: Level, by_manner: bool) -> u64 {
        let by_noise = level.duration(LOW);
        if by_manner { by_noise.max(LOW) } else { by_noise }
    }

    /// Pushes the disc to its target over the board; not if the target has only just been left.
    fn slide(&mut self, mv: Move, lifted: u64, is_king: bool) -> Option<Flight> {
        let under = path::diagonal(self.variant, mv.from, mv.to);
        if self.script.left(mv.to).is_some_and(|left| lifted < left + VACANT)
            || (!is_king && !under.is_empty())
        {
            return None;
        }
        let longest = self.low(self.setting.noise.slide, self.manner.slide > 0);
        if longest < 10 {
            return None;
        }
        let step = longest + self.random.within((15, 90));
        for (index, &square) in under.iter().enumerate() {
            let begins = lifted + step * index as u64 + self.random.within((0, step - longest));
            self.script.pass(begins, square, self.random.within((longest.min(40), longest)));
        }
        let arrives = lifted + step * under.len() as u64;
        let apart = self.random.within((0, longest));
        // Over a single step both contacts may be closed for a moment; a longer way leaves a gap.
        let both_closed = under.is_empty() && self.random.chance(500);
        let (leaves, arrives) =
            if both_closed { (arrives + apart, arrives) } else { (lifted, arrives + apart) };
        let stack = self.script.lift(leaves, mv.from);
        self.script.set_down(arrives, mv.to, stack, Touch::Landing);
        Some(Flight { touched: arrives, landed: arrives.max(leaves) })
    }

    /// Another legal square to be tried before the move's own, and for how long.
    fn visit(&mut self, position: &Position, mv: Move, route: &Route) -> Option<(Square, u64)> {
        if !self.random.chance(self.manner.visit + self.setting.noise.visit.odds(60)) {
            return None;
        }
        let before_last = route.landings.len().checked_sub(2).map_or(mv.from, |i| route.landings[i]);
        let others = position.legal_moves().into_iter().filter(|other| {
            let same_way = || {
                let (shorter, longer) = (
                    path::diagonal(self.variant, before_last, mv.to),
                    path::diagonal(self.variant, before_last, other.to),
                );
                shorter.contains(&other.to) || longer.contains(&mv.to)
            };
            other.from == mv.from
                && other.to != mv.to
                && other.to != mv.from
                && other.captured == mv.captured
                && other.promotes == mv.promotes
                && (!mv.is_capture() || same_way())
        });
        let others: Vec<Square> = others.map(|other| other.to).collect();
        let square = *self.random.pick(&others)?;
        let longest = if self.manner.visit > 0 { VISIT } else { 0 };
        let longest = longest.max(self.setting.noise.visit.duration(VISIT));
        (longest >= 150).then(|| (square, self.random.within((150, longest))))
    }

    /// Takes the captured discs off, once the opponent's hand has left.
    fn remove(&mut self, pending: &mut Pending, route: &Route) {
        let mut victims = route.captures.clone();
        if victims.is_empty() {
            return;
        }
        if self.random.chance(self.manner.reverse) {
            victims.reverse();
        }
        let by_twos =
            victims.len() > 1 && self.random.chance(self.manner.pairs + self.setting.noise.pairs.odds(250));
        let groups: Vec<&[Square]> = victims.chunks(if by_twos { 2 } else { 1 }).collect();
        let presses_early = self.setting.clock == ClockLink::Linked
            && !self.plainly
            && self.random.chance(self.manner.press_early);
        for (index, group) in groups.iter().enumerate() {
            let is_last = index + 1 == groups.len();
            let mut at = pending.finished.max(pending.clear) + self.random.within(self.manner.removal);
            if is_last && presses_early && group.len() == 1 {
                let press = pending.finished.max(pending.clear) + self.random.within(self.manner.press);
                self.script.press(press, pending.side);
                pending.press = Press::Made(press);
                at = at.max(press + self.random.within((150, 1800)));
            }
            let mut together = group.to_vec();
            self.random.shuffle(&mut together);
            for &square in &together {
                self.script.remove(at, square);
                self.drag_off(square, at, pending.side);
                pending.finished = at;
                at += self.random.within((0, 25));
            }
            pending.last_removed = (is_last && group.len() == 1).then_some(group[0]);
        }
    }

    /// A captured disc leaves over the edge at the player's hand, perhaps low over other squares.
    fn drag_off(&mut self, square: Square, at: u64, side: Side) {
        let (row, column) = path::place(self.variant, square);
        let right_as_white_sees_it = (side == Side::White) == (self.manner.reach == Reach::Right);
        let edge = if right_as_white_sees_it { i32::from(self.variant.rows()) } else { -1 };
        let towards_player = if side == Side::White { 1 } else { -1 };
        let drift = (edge - column).abs() / 3;
        let under = path::line(self.variant, (row, column), (row + towards_player * drift, edge));
        let odds = self.manner.drag + self.setting.noise.pass.odds(100);
        let time = 160 * (under.len() as u64 + 1);
        self.pass_over(&under, (at, at + time), odds, self.manner.drag > 0);
    }

    /// Decides whether and when the clock is to be pressed for this move.
    fn decide_press(&mut self, pending: &mut Pending, is_last: bool) {
        if matches!(pending.press, Press::Made(_)) {
            return;
        }
        let level = self.setting.noise.press;
        let at = pending.finished.max(pending.clear) + self.random.within(self.manner.press);
        if self.plainly || self.setting.presses_always {
            pending.press = Press::At(at);
            return;
        }
        pending.press = if self.random.chance(self.manner.press_forgotten + level.odds(50)) {
            Press::Never
        } else if !is_last && self.random.chance(self.manner.press_late + level.odds(60)) {
            Press::Late
        } else {
            Press::At(at)
        };
    }

    /// Crowns the disc on `square`, or leaves it to the opponent.
    fn crown_or_leave(&mut self, pending: &mut Pending, square: Square, is_last: bool) {
        pending.overlaps = false;
        if self.leaves_uncrowned {
            return;
        }
        let late = matches!(pending.press, Press::Late | Press::Never);
        if !is_last && !late && !self.plainly && self.random.chance(self.manner.crown_by_opponent) {
            pending.uncrowned = Some(square);
            return;
        }
        // Where nothing tells the crowning, a lift after the move would be one of its own.
        let is_sensed = match self.setting.crowning {
            Crowning::Stack => path::is_far_row(self.variant, square),
            Crowning::Reserve => true,
            Crowning::None => false,
        };
        let lifts = is_sensed && self.random.chance(self.manner.crown_by_lifting);
        let before = pending.finished;
        self.crown(pending, square, if lifts { Placing::Lifted } else { Placing::OnTop });
        pending.last_removed = None;
        // The press follows the crowning, whatever has been decided about it.
        if let Press::At(at) = pending.press {
            pending.press = Press::At(at + pending.finished - before);
        }
    }

    /// Puts a second disc on the one on `square`.
    fn crown(&mut self, pending: &mut Pending, square: Square, placing: Placing) {
        let spare = pending.finished + self.random.within((300, 900));
        pending.finished = self.place_crown(pending.side, square, spare, placing);
    }

    /// As the first act of his turn a player crowns the disc the opponent has left on `square`.
    fn crown_for_opponent(&mut self, square: Square, side: Side) {
        let spare = self.now + self.random.within((400, 1500));
        self.now = self.place_crown(side, square, spare, Placing::OnTop);
        self.free[side.opponent() as usize] = self.now;
    }

    /// Takes a spare disc of `side` at `spare` and puts it on the one on `square`; when it is done.
    fn place_crown(&mut self, side: Side, square: Square, spare: u64, placing: Placing) -> u64 {
        let pause = self.random.within((150, 290));
        self.script.take_spare(spare, side, pause);
        let at = spare + self.random.within((250, 700));
        match placing {
            Placing::OnTop => {
                self.script.crown(at, square);
                at
            }
            Placing::Lifted => {
                let stack = self.script.lift(at, square);
                let down = at + self.random.within((VACANT, 1100));
                self.script.set_down(down, square, Stack { crowned: true, ..stack }, Touch::Landing);
                down
            }
        }
    }

    /// Puts captured discs of `side` into its free wells, some time after the move.
    fn return_to_wells(&mut self, side: Side, finished: u64) {
        if self.random.chance(self.manner.wells) {
            let mut at = finished;
            for _ in 0..2 {
                at += self.random.within((100, 400));
                self.script.return_spare(at, side);
            }
        }
    }
}

/// How a second disc comes onto the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placing {
    /// It is put on top.
    OnTop,
    /// The first is taken up, and both are put down together.
    Lifted,
}

/// When a disc first touched down after its lift, and when it came to rest on its last square.
#[derive(Clone, Copy, Debug)]
struct Flight {
    touched: u64,
    landed: u64,
}

/// A game carried out.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    pub moves: Vec<TruthMove>,
    pub alerts: Vec<TruthAlert>,
    pub performed: Performed,
    pub lost: Vec<(u64, u64)>,
    pub end: u64,
}
