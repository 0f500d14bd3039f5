//! Keeping the time: what the linked clock's reports tell, what time is reckoned where it cannot be heard, and
//! what it is told (CN100 8.2, 9, 10.5).
//!
//! Two things are kept. The last *report* is what the next one is compared with. The *reckoned* clock
//! ([`GameClock`], where the time control is known) goes on by presses and moments alone, is brought in line by each
//! report, and is what a clock is told that has forgotten its times.
//!
//! **Invariant:** while the clock is heard, what it is told follows from presses, reports, the arbiter's entries, the
//! time control and the result, and from nothing that contacts say: a clock that is told more would give away what
//! a player must notice himself.

mod entries;
mod rate;
mod sides;

use crate::alert::{AlertCode, FlagNote};
use crate::clock::{ClockCommand, ClockConnection, ClockSetting, ClockTrouble, SideSetting, TimeMode};
use crate::event::{ClockSetReason, EventBody, TimeMark};
use crate::moment::Moment;
use crate::piece::Side;
use crate::reading::Incident;
use crate::time_control::{Bonus, GameClock, Match};
use crate::trace::{ClockLink, ClockReport};

use rate::Rate;
use sides::Sides;

/// The clock's whole seconds and its own rounding may differ by this much from the time reckoned.
const CLOCK_TOLERANCE_MS: u64 = 1000;

/// Where the time control is not known, a press may bring so much.
const MOST_BONUS_MS: u64 = 120_000;

/// A report that was under way when the clock was pressed or set may come so much later.
const UNDER_WAY_MS: u64 = 3000;

/// So many states may be under way.
const MOST_OUTDATED: usize = 4;

/// The marks of remaining time.
const MARKS: [(TimeMark, u64); 2] = [(TimeMark::FiveMinutes, 300_000), (TimeMark::ThreeMinutes, 180_000)];

/// What keeping the time has to keep in mind.
#[derive(Clone, Debug)]
pub(super) struct Timekeeping {
    /// The reckoned clock; none where no clock is linked or the time control is not known.
    clock: Option<GameClock>,
    incidents: Vec<Incident>,
    /// The clock's last report and when it came.
    last: Option<(Moment, ClockReport)>,
    /// Whether somebody has pressed since that report.
    pressed: bool,
    /// What presses since that report brought each side, as far as that is reckoned.
    brought: [u64; 2],
    /// Whose flag has fallen.
    flag: Option<Side>,
    /// Whose claim of a draw is before the arbiter.
    claim: Option<Side>,
    /// The clock cannot be heard.
    lost: bool,
    /// Moves whose press could not be heard, by their ply.
    unheard: Vec<u32>,
    /// From when to when the clock stood last, so that nobody had anything to press.
    stood: Option<(Moment, Moment)>,
    last_ply: u32,
    /// What presses brought that were reckoned from moves while the clock could not be heard: bonuses, periods.
    away: [[u64; 2]; 2],
    /// While it could not be heard, the arbiter or the result did what it has to be told.
    behind: bool,
    /// It has been heard in this game.
    known: bool,
    /// The clock is heard again, and its next report is taken as it is.
    returned: Option<ClockConnection>,
    /// Since when the clock is being told the times because it did not know them.
    told_anew: Option<Moment>,
    /// What the clock may still report, because it was under way when something changed.
    before: Vec<(Moment, ClockReport)>,
    /// White's and Black's side of the clock are exchanged.
    swapped: bool,
    sides: Sides,
    /// The arbiter stopped the clock.
    stopped: bool,
    /// Whose time ran when it was stopped.
    ran: Option<Side>,
    rate: Rate,
    /// Marks told, with the period they were told in.
    marks_told: Vec<(Side, usize, TimeMark)>,
    commands: Vec<ClockCommand>,
    news: Vec<EventBody>,
}

impl Timekeeping {
    pub(super) fn new(link: ClockLink, control: Option<&str>) -> Self {
        // What becomes of the time between the games of a match is not this game's.
        let of_match: Option<Match> = control.and_then(|text| text.parse().ok());
        let linked = link == ClockLink::Linked;
        // Where no clock is linked nobody presses, and there is nothing to reckon by.
        let control = of_match.filter(|_| linked).map(|of_match| of_match.control);
        let mut keeping = Self {
            clock: control.map(GameClock::new),
            incidents: Vec::new(),
            last: None,
            pressed: false,
            brought: [0; 2],
            flag: None,
            claim: None,
            lost: false,
            unheard: Vec::new(),
            stood: None,
            last_ply: 0,
            away: [[0; 2]; 2],
            behind: false,
            known: false,
            returned: None,
            told_anew: None,
            before: Vec::new(),
            swapped: false,
            sides: Sides::default(),
            stopped: false,
            ran: None,
            rate: Rate::default(),
            marks_told: Vec::new(),
            commands: Vec::new(),
            news: Vec::new(),
        };
        keeping.tell_clock(ClockSetReason::Start, Moment::ZERO);
        keeping
    }

    /// The irregular acts that the clock knows of.
    pub(super) fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    /// Whether this says that a press was forgotten which nobody could have heard.
    pub(super) fn is_hearsay(&self, incident: &Incident) -> bool {
        incident.code == AlertCode::PressForgotten && self.unheard.iter().any(|ply| ply + 1 == incident.ply)
    }

    /// What the clock is to be told, and what there is to publish; both are taken out.
    pub(super) fn take_news(&mut self) -> (Vec<EventBody>, Vec<ClockCommand>) {
        (std::mem::take(&mut self.news), std::mem::take(&mut self.commands))
    }

    /// Times as they are reckoned, where a time control is known.
    pub(super) fn times(&self, now: Moment) -> Option<ClockReport> {
        self.clock.as_ref().map(|clock| clock.report(now))
    }

    /// Whether somebody's time ran when the clock was heard last.
    pub(super) fn runs(&self) -> bool {
        self.last.is_some_and(|(_, report)| report.running.is_some()) && !self.lost
    }

    /// Whether the arbiter stopped the clock.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// What White and Black have left, where no move ever brings a bonus and time ends the game (CN100 8.1.3.1).
    pub(super) fn left_without_bonus(&self, now: Moment) -> Option<[u64; 2]> {
        let clock = self.clock.as_ref()?;
        let periods = clock.control().periods();
        let sudden_death = periods.last().is_some_and(|last| last.moves.is_none())
            && periods.iter().all(|period| period.bonus == Bonus::None);
        sudden_death.then(|| [Side::White, Side::Black].map(|side| clock.left_ms(side, now)))
    }

    /// The colour that a press or a report is about, as the arbiter has it.
    pub(super) fn side_of(&self, side: Side) -> Side {
        if self.swapped { side.opponent() } else { side }
    }

    /// A side pressed.
    pub(super) fn pressed(&mut self, side: Side, now: Moment) {
        self.pressed = true;
        self.sides.pressed(side, now);
        let Some(clock) = &mut self.clock else { return };
        let before = clock.report(now);
        if clock.running().is_none() && !self.stopped && self.ran.is_none() {
            // Nobody told that the clock was started; a press starts the other side's time.
            clock.run(side.opponent(), now);
            return;
        }
        if let Some(brought) = clock.press(side, now) {
            let period_ms = brought.period_ms;
            let without_period = less(clock.report(now), side, period_ms);
            self.outdate(before, now);
            self.brought[side as usize] += brought.bonus_ms + period_ms;
            if period_ms > 0 {
                self.tell_clock(ClockSetReason::Period, now);
                self.outdate(without_period, now);
            }
        }
    }

    /// The clock may have sent this before it heard of what has changed.
    fn outdate(&mut self, report: ClockReport, now: Moment) {
        self.before.retain(|(at, _)| now.since(*at) <= UNDER_WAY_MS);
        self.before.truncate(MOST_OUTDATED - 1);
        self.before.insert(0, (now, report));
    }

    /// `side` completed move number `ply`, whose disc had landed at `landed`.
    pub(super) fn moved(&mut self, side: Side, ply: u32, landed: Moment, now: Moment) {
        if self.sides.moved(side, ply, landed) {
            self.news.push(EventBody::ClockTrouble { trouble: ClockTrouble::SidesSwapped });
        }
        self.last_ply = ply;
        let clock_stood = self.stood.is_some_and(|(from, until)| from <= landed && landed <= until);
        if self.lost || clock_stood {
            self.unheard.push(ply);
        }
        if self.flag == Some(side) {
            let known =
                |incident: &Incident| incident.code == AlertCode::MovedAfterFlag && incident.ply == ply;
            if !self.incidents.iter().any(known) {
                self.incidents.push(Incident::new(AlertCode::MovedAfterFlag, ply, side, Vec::new(), now));
            }
        }
        // Presses are not heard, so the move has to stand for its press.
        if self.lost
            && let Some(clock) = &mut self.clock
            && let Some(brought) = clock.press(side, now)
        {
            let [bonus, period] = &mut self.away[side as usize];
            *bonus += brought.bonus_ms;
            *period += brought.period_ms;
        }
    }

    /// The clock stood from then to now: what was moved meanwhile, and what had been moved last, was not to be pressed.
    pub(super) fn stood(&mut self, from: Moment, now: Moment) {
        self.stood = Some((from, now));
        self.unheard.push(self.last_ply);
    }

    /// The clock can be heard, or no longer.
    pub(super) fn connection(&mut self, connection: ClockConnection, now: Moment) {
        self.news.push(EventBody::ClockConnection { connection });
        self.lost = connection == ClockConnection::Lost;
        if self.lost {
            self.unheard.push(self.last_ply);
        }
        self.rate = Rate::default();
        let knows_the_game = self.known && !self.behind && connection != ClockConnection::Reset;
        self.returned = (!self.lost && knows_the_game).then_some(connection);
        if !self.lost && !knows_the_game {
            self.away = [[0; 2]; 2];
            self.tell_clock(ClockSetReason::Reconciled, now);
            self.told_anew = Some(now);
        }
        self.known |= !self.lost;
        self.behind &= self.lost;
    }

    /// The clock reports. Returns the report as it counts; `None` where it was under way when something
    /// changed, and says nothing any more.
    ///
    /// - `at_rest`: it may stand, since the game is paused or over.
    /// - `note`: what is to be said of a flag of this side.
    pub(super) fn report(
        &mut self,
        report: ClockReport,
        ply: u32,
        now: Moment,
        at_rest: bool,
        note: impl Fn(Side) -> FlagNote,
    ) -> Option<ClockReport> {
        let report = if self.swapped { swapped(report) } else { report };
        self.known = true;
        if self.is_outdated(report, now) {
            return None;
        }
        if self.returned.is_some() && !self.may_be_ours(report, now) {
            // Switched off and on, or set for another game: it is told the times that it should have.
            self.returned = None;
            self.away = [[0; 2]; 2];
            self.tell_clock(ClockSetReason::Reconciled, now);
            self.told_anew = Some(now);
            return None;
        }
        if let Some(side) = report.flag
            && self.flag.is_none()
        {
            self.flag = Some(side);
            let flag = FlagNote { draw_claim: self.claim, ..note(side) };
            let incident = Incident::new(AlertCode::FlagFell, ply, side, Vec::new(), now);
            self.incidents.push(Incident { flag: Some(flag), ..incident });
        }
        let begun = self.follow(report, now);
        let report = more(report, begun);
        self.stopped &= report.running.is_none();
        if self.returned.is_none() && !self.lost {
            self.compare(report, ply, now, at_rest || self.stopped);
        }
        self.last = Some((now, report));
        self.pressed = false;
        self.brought = [0; 2];
        self.adopt(report, now);
        if let Some((side, period_ms)) = begun {
            let before = less(report, side, period_ms);
            self.tell_clock(ClockSetReason::Period, now);
            self.outdate(before, now);
        }
        Some(report)
    }

    /// Whether the times of a clock that is back may be what has become of those of this game: they went on, so
    /// they are not much more than what is reckoned, and not nothing.
    fn may_be_ours(&self, report: ClockReport, now: Moment) -> bool {
        let Some(reckoned) = self.times(now) else { return true };
        let sum = |report: ClockReport| report.white_ms.saturating_add(report.black_ms);
        let owed: u64 = self.away.iter().flatten().sum();
        sum(report) > 0 && sum(report) <= sum(reckoned).saturating_add(owed + MOST_BONUS_MS)
    }

    /// Compares a report with the last one.
    fn compare(&mut self, report: ClockReport, ply: u32, now: Moment, at_rest: bool) {
        let Some((before, last)) = self.last else { return };
        let stopped = last.running.is_some() && report.running.is_none();
        if stopped && report.flag.is_none() && !at_rest {
            self.incidents.push(Incident::new(AlertCode::ClockStopped, ply, None, Vec::new(), now));
        }
        if !at_rest && self.times_changed(before, last, report, now) {
            let incident = Incident::new(AlertCode::ClockTimesChanged, ply, None, Vec::new(), now);
            self.incidents.push(incident);
        } else if !self.pressed
            && let Some(trouble) = self.rate.observe(now.since(before), last, report)
        {
            self.news.push(EventBody::ClockTrouble { trouble });
        }
    }

    /// Whether the clock sent this before it heard of the last press or setting.
    fn is_outdated(&mut self, report: ClockReport, now: Moment) -> bool {
        let Some(reckoned) = self.times(now) else { return false };
        if fits(reckoned, 0, report) {
            self.before.clear();
            self.told_anew = None;
            return false;
        }
        let recent = |at: Moment| now.since(at) <= UNDER_WAY_MS;
        self.told_anew = self.told_anew.filter(|at| recent(*at));
        let is_before =
            |(at, before): &(Moment, ClockReport)| recent(*at) && fits(*before, now.since(*at), report);
        self.told_anew.is_some() || self.before.iter().any(is_before)
    }

    /// Lets the reckoned clock run for whom the linked one runs. Returns for whom a period begins with that, which the
    /// linked clock knows nothing of, and what it brings.
    fn follow(&mut self, report: ClockReport, now: Moment) -> Option<(Side, u64)> {
        let clock = self.clock.as_mut()?;
        match (clock.running(), report.running) {
            (before, after) if before == after => {}
            (Some(side), Some(_)) => {
                // A press that was not heard, or is told after the report that it led to.
                self.pressed = true;
                if let Some(brought) = clock.press(side, now) {
                    self.brought[side as usize] += brought.bonus_ms + brought.period_ms;
                    return Some((side, brought.period_ms)).filter(|(_, period_ms)| *period_ms > 0);
                }
            }
            (_, None) => clock.stop(now),
            (None, Some(side)) => clock.run(side, now),
        }
        None
    }

    /// Brings the reckoned times in line with the reported ones. Where those are in whole seconds, they may be
    /// a second off, and what is reckoned is better as long as it agrees.
    fn adopt(&mut self, report: ClockReport, now: Moment) {
        let returned = self.returned.take();
        let [mut owed_white, mut owed_black] = [0, 0];
        if let Some(connection) = returned {
            let owed = |[bonus, period]: [u64; 2]| match connection {
                ClockConnection::KeptWithoutBonus => bonus + period,
                _ => period,
            };
            [owed_white, owed_black] = self.away.map(owed);
            self.away = [[0; 2]; 2];
        }
        let Some(clock) = &mut self.clock else { return };
        let in_seconds = report.white_ms.is_multiple_of(1000) && report.black_ms.is_multiple_of(1000);
        for (side, reported, owed) in
            [(Side::White, report.white_ms, owed_white), (Side::Black, report.black_ms, owed_black)]
        {
            let left_ms = reported.saturating_add(owed);
            let agrees = clock.left_ms(side, now).abs_diff(left_ms) <= CLOCK_TOLERANCE_MS;
            if !(in_seconds && agrees) {
                clock.set(side, left_ms, now);
            }
        }
        if owed_white + owed_black > 0 {
            self.tell_clock(ClockSetReason::Reconciled, now);
        }
    }

    /// Whether a time differs from what running and bonus make of the last report.
    fn times_changed(&self, before: Moment, last: ClockReport, report: ClockReport, now: Moment) -> bool {
        let elapsed = now.since(before);
        let any_press = self.pressed || last.running != report.running;
        let brought = |side: Side| match &self.clock {
            Some(_) => self.brought[side as usize],
            None if any_press => MOST_BONUS_MS,
            None => 0,
        };
        [(Side::White, last.white_ms, report.white_ms), (Side::Black, last.black_ms, report.black_ms)]
            .into_iter()
            .any(|(side, old, new)| {
                // Between the reports the time may have run for all of it, part of it, or not at all.
                let ran = last.running == Some(side);
                let least = if ran || any_press { old.saturating_sub(elapsed) } else { old };
                let most = if ran && !any_press { old.saturating_sub(elapsed) } else { old };
                let most = most.saturating_add(brought(side)).saturating_add(CLOCK_TOLERANCE_MS);
                new.saturating_add(CLOCK_TOLERANCE_MS) < least || new > most
            })
    }

    /// When time alone makes something due.
    pub(super) fn deadline(&self, now: Moment) -> Option<Moment> {
        let clock = self.clock.as_ref()?;
        let side = clock.running()?;
        let marks = self.marks_ahead(clock, side).map(|(_, ms)| clock.due_at(ms).unwrap_or(now));
        let by_time = clock.control().period(clock.period(side)).moves.is_none()
            && clock.control().goes_on_after(clock.period(side));
        marks.chain(clock.zero_due().filter(|_| by_time)).min()
    }

    /// Does what time alone makes due.
    pub(super) fn pass_time(&mut self, now: Moment) {
        let Some(clock) = &mut self.clock else { return };
        let Some(side) = clock.running() else { return };
        let (period, before) = (clock.period(side), clock.report(now));
        clock.pass_time(now);
        if clock.period(side) != period {
            let ended = less(before, side, u64::MAX);
            self.tell_clock(ClockSetReason::Period, now);
            self.outdate(ClockReport { flag: Some(side), ..ended }, now);
            self.outdate(ended, now);
        }
        let Some(clock) = &self.clock else { return };
        let reached: Vec<TimeMark> = self
            .marks_ahead(clock, side)
            .filter(|(_, ms)| clock.left_ms(side, now) <= *ms)
            .map(|(mark, _)| mark)
            .collect();
        let period = clock.period(side);
        for mark in reached {
            self.marks_told.push((side, period, mark));
            self.news.push(EventBody::TimeMark { side, mark });
        }
    }

    /// The marks that a side has not come down to in its period.
    fn marks_ahead(&self, clock: &GameClock, side: Side) -> impl Iterator<Item = (TimeMark, u64)> {
        let index = clock.period(side);
        let period = clock.control().period(index);
        MARKS.into_iter().filter(move |(mark, ms)| {
            let counts = match mark {
                TimeMark::FiveMinutes => period.bonus == Bonus::None,
                TimeMark::ThreeMinutes => true,
            };
            counts && period.time_ms > *ms && !self.marks_told.contains(&(side, index, *mark))
        })
    }

    /// Tells the clock what is reckoned, and publishes that; nothing without a linked clock or a time control.
    fn tell_clock(&mut self, reason: ClockSetReason, now: Moment) {
        let Some(clock) = &self.clock else { return };
        let report = clock.report(now);
        let setting = |side: Side, left_ms: u64| SideSetting {
            left_ms,
            mode: if clock.running() == Some(side) { TimeMode::Down } else { TimeMode::Stopped },
            bonus: clock.bonus(side),
        };
        let setting = ClockSetting {
            white: setting(Side::White, report.white_ms),
            black: setting(Side::Black, report.black_ms),
        };
        if self.lost {
            // It hears nothing. A period is what it can be told when it is back; all else makes its times wrong.
            self.behind |= reason != ClockSetReason::Period;
        } else {
            let setting = if self.swapped { setting.swapped() } else { setting };
            self.commands.push(ClockCommand::Set(setting));
        }
        // What was reported last may still be on its way, as of now.
        if let Some((at, last)) = self.last {
            self.outdate(later(last, now.since(at)), now);
        }
        self.news.push(EventBody::ClockSet { reason });
        self.news.push(EventBody::Clock { report });
        if self.last.is_some() {
            self.last = Some((now, report));
        }
        self.pressed = false;
        self.brought = [0; 2];
        self.rate = Rate::default();
    }
}

/// Whether a report is what running makes of an earlier one, `elapsed_ms` before; each may be a second off.
fn fits(before: ClockReport, elapsed_ms: u64, report: ClockReport) -> bool {
    let expected = later(before, elapsed_ms);
    expected.running == report.running
        && expected.flag == report.flag
        && expected.white_ms.abs_diff(report.white_ms) <= CLOCK_TOLERANCE_MS
        && expected.black_ms.abs_diff(report.black_ms) <= CLOCK_TOLERANCE_MS
}

/// A report with less time on one side.
fn less(mut report: ClockReport, side: Side, ms: u64) -> ClockReport {
    let left = match side {
        Side::White => &mut report.white_ms,
        Side::Black => &mut report.black_ms,
    };
    *left = left.saturating_sub(ms);
    report
}

/// A report with what a period brings one side.
fn more(mut report: ClockReport, begun: Option<(Side, u64)>) -> ClockReport {
    match begun {
        Some((Side::White, ms)) => report.white_ms = report.white_ms.saturating_add(ms),
        Some((Side::Black, ms)) => report.black_ms = report.black_ms.saturating_add(ms),
        None => {}
    }
    report
}

/// What running makes of a report.
fn later(report: ClockReport, elapsed_ms: u64) -> ClockReport {
    let left = |side: Side, left_ms: u64| {
        left_ms.saturating_sub(if report.running == Some(side) { elapsed_ms } else { 0 })
    };
    ClockReport {
        white_ms: left(Side::White, report.white_ms),
        black_ms: left(Side::Black, report.black_ms),
        ..report
    }
}

/// The same with White and Black exchanged.
fn swapped(report: ClockReport) -> ClockReport {
    ClockReport {
        white_ms: report.black_ms,
        black_ms: report.white_ms,
        running: report.running.map(Side::opponent),
        flag: report.flag.map(Side::opponent),
    }
}
