//! A clock beside the board's, exact to the millisecond, though that one shows and takes whole seconds.
//!
//! What the board's clock has (*theirs*) is this one's time less an offset: what was rounded off when it was set, and
//! bonuses that it has not been told of. Where its time was not followed, after an outage, it is known to the second
//! alone, until it is seen to change from one second to the next: a *tick*. A board's clock that is set loses what it
//! had below the second, so it is not set before both sides have ticked; time that is owed waits for one press at most.

use crate::clock::internal::InternalClock;
use crate::clock::{ClockCommand, ClockSetting, Link, TimeMode};
use crate::moment::Moment;
use crate::piece::Side;
use crate::time_control::Bonus;
use crate::trace::ClockReport;

/// What a tick tells may come so much late, and is not trusted to be better than that.
const SLACK_MS: i64 = 300;

/// A time that is off by less than this is moved as little as has to be; one that is further off is another time.
const NEAR_MS: i64 = 1000;

/// A side with less time than this is told what it is owed at once.
const SHORT_OF_TIME_MS: u64 = 60_000;

/// Far longer than any time.
const LONGEST_MS: u64 = 1 << 40;

/// How far the times of a setting may be off a whole second for it to be time that is owed.
const UNDER_WAY_MS: i64 = 60;

/// What is known of one side of the board's clock.
#[derive(Clone, Copy, Debug, Default)]
struct Theirs {
    /// Our time less theirs.
    offset_ms: i64,
    /// Theirs is known to better than a second.
    is_exact: bool,
}

/// The clock beside.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    ours: InternalClock,
    setting: ClockSetting,
    theirs: [Theirs; 2],
    /// What a side has above the second it shows when that has just changed: 1000 where seconds are cut, 0 where
    /// they are rounded up.
    at_tick_ms: Option<i64>,
    /// There is something that the board's clock has to be told.
    is_owing: bool,
}

/// A time that can be reckoned with. No clock has a longer one, and sums of these do not overflow.
fn signed(millis: u64) -> i64 {
    i64::try_from(millis.min(LONGEST_MS)).unwrap_or_default()
}

fn left(report: ClockReport, side: Side) -> u64 {
    match side {
        Side::White => report.white_ms,
        Side::Black => report.black_ms,
    }
}

impl Beside {
    /// What this clock has now.
    pub(super) fn report(&mut self, now: Moment) -> ClockReport {
        self.ours.advance(now);
        self.ours.take_events();
        self.ours.report()
    }

    /// What the board's clock should show by now, in milliseconds.
    pub(super) fn shown(&mut self, now: Moment) -> ClockReport {
        let report = self.report(now);
        let theirs = |side: Side| u64::try_from(self.theirs(report, side)).unwrap_or(0);
        ClockReport { white_ms: theirs(Side::White), black_ms: theirs(Side::Black), ..report }
    }

    fn theirs(&self, report: ClockReport, side: Side) -> i64 {
        signed(left(report, side)).saturating_sub(self.theirs[side as usize].offset_ms)
    }

    /// Whether presses bring something that the board's clock does not know of.
    pub(super) fn brings_bonus(&self) -> bool {
        Side::ALL.iter().any(|&side| self.setting.of(side).bonus != Bonus::None)
    }

    /// Takes over a setting. Whether the board's clock is told later, when both sides have ticked.
    pub(super) fn set(&mut self, setting: ClockSetting, now: Moment) -> bool {
        let report = self.report(now);
        let owed = Side::ALL.map(|side| {
            let more = signed(setting.of(side).left_ms) - signed(left(report, side));
            let whole = (more + 500).div_euclid(1000) * 1000;
            (whole >= 0 && (more - whole).abs() <= UNDER_WAY_MS).then_some(whole)
        });
        let all_exact = self.theirs.iter().all(|theirs| theirs.is_exact);
        if let [Some(white), Some(black)] = owed
            && setting.running().is_some()
            && setting.running() == report.running
            && !all_exact
        {
            self.setting = setting;
            for (side, more) in [(Side::White, white), (Side::Black, black)] {
                self.theirs[side as usize].offset_ms += more;
                self.put(side, signed(left(report, side)) + more, now);
            }
            self.is_owing |= white + black > 0;
            return !self.is_to_be_told(now);
        }
        self.setting = setting;
        self.ours.command(ClockCommand::Set(setting), now);
        self.ours.take_events();
        false
    }

    /// The board's clock is being set to these times.
    pub(super) fn told(&mut self, white_ms: u64, black_ms: u64, now: Moment) {
        let report = self.report(now);
        for (side, theirs_ms) in [(Side::White, white_ms), (Side::Black, black_ms)] {
            let offset_ms = signed(left(report, side)) - signed(theirs_ms);
            self.theirs[side as usize] = Theirs { offset_ms, is_exact: true };
        }
        self.is_owing = false;
    }

    /// Whether the board's clock has to be set now.
    pub(super) fn is_to_be_told(&mut self, now: Moment) -> bool {
        let report = self.report(now);
        let is_short = report.running.is_some_and(|side| left(report, side) < SHORT_OF_TIME_MS);
        self.is_owing && (is_short || self.theirs.iter().all(|theirs| theirs.is_exact))
    }

    /// The board's clock was found, after nobody listened for a while.
    pub(super) fn find(&mut self, shown: ClockReport, now: Moment) {
        let ran = self.report(now).running;
        self.run_as(shown.running, now);
        for side in Side::ALL {
            self.compare(side, left(shown, side), now);
        }
        // Where one side is not as expected somebody has pressed, and that the other is may be chance.
        if ran != shown.running || self.theirs.iter().any(|theirs| !theirs.is_exact) {
            for side in Side::ALL {
                self.theirs[side as usize].is_exact = false;
                self.clamp(side, left(shown, side), now);
            }
        }
    }

    /// Brings a side within the second that it shows, so that its next tick moves it by less than one.
    fn clamp(&mut self, side: Side, shown_ms: u64, now: Moment) {
        let report = self.report(now);
        let above = self.theirs(report, side) - signed(shown_ms);
        let (least, most) = self.bounds();
        let within = above.clamp(least + UNDER_WAY_MS, most - UNDER_WAY_MS);
        if within != above {
            let offset_ms = self.theirs[side as usize].offset_ms;
            self.put(side, signed(shown_ms) + within + offset_ms, now);
        }
    }

    /// What theirs may have above the second it shows.
    fn bounds(&self) -> (i64, i64) {
        self.at_tick_ms.map_or((-1000, 1000), |at_tick| (at_tick - 1000, at_tick))
    }

    /// Follows what the board's clock shows.
    ///
    /// - `before`: what it showed before.
    /// - `pressed`: who pressed meanwhile.
    pub(super) fn follow(
        &mut self,
        shown: ClockReport,
        before: Option<ClockReport>,
        pressed: Option<Side>,
        now: Moment,
    ) {
        if let Some(side) = pressed {
            self.press(side, now);
        }
        self.run_as(shown.running, now);
        for side in Side::ALL {
            self.compare(side, left(shown, side), now);
        }
        if let (Some(before), Some(side)) = (before, shown.running)
            && before.running == shown.running
            && left(before, side) == left(shown, side) + 1000
        {
            self.tick(side, left(shown, side), now);
        }
    }

    fn press(&mut self, side: Side, now: Moment) {
        let before = left(self.report(now), side);
        self.ours.press(side, now);
        let brought = signed(left(self.report(now), side)) - signed(before);
        self.theirs[side as usize].offset_ms += brought;
        self.is_owing |= brought != 0;
    }

    fn run_as(&mut self, running: Option<Side>, now: Moment) {
        let report = self.report(now);
        if report.running != running {
            self.command(report, running, now);
        }
    }

    /// Gives a side this time.
    fn put(&mut self, side: Side, left_ms: i64, now: Moment) {
        let left_ms = u64::try_from(left_ms).unwrap_or(0);
        let report = self.report(now);
        let report = match side {
            Side::White => ClockReport { white_ms: left_ms, ..report },
            Side::Black => ClockReport { black_ms: left_ms, ..report },
        };
        self.command(report, report.running, now);
    }

    fn command(&mut self, report: ClockReport, running: Option<Side>, now: Moment) {
        let mode = |side: Side| if running == Some(side) { TimeMode::Down } else { TimeMode::Stopped };
        self.setting.white.left_ms = report.white_ms;
        self.setting.black.left_ms = report.black_ms;
        self.setting.white.mode = mode(Side::White);
        self.setting.black.mode = mode(Side::Black);
        self.ours.command(ClockCommand::Set(self.setting), now);
        self.ours.take_events();
    }

    /// Takes over what a side shows where ours cannot be that.
    fn compare(&mut self, side: Side, shown_ms: u64, now: Moment) {
        let report = self.report(now);
        let theirs = self.theirs(report, side);
        let above = theirs - signed(shown_ms);
        let (least, most) = self.bounds();
        if above < least - SLACK_MS || above > most + SLACK_MS {
            let nearest = above.clamp(least, most);
            let is_near = (above - nearest).abs() < NEAR_MS;
            let above = if is_near { nearest } else { self.at_tick_ms.unwrap_or(1000) - 500 };
            let known = &mut self.theirs[side as usize];
            known.is_exact = false;
            let ours = signed(shown_ms) + above + known.offset_ms;
            self.put(side, ours, now);
        }
    }

    /// A side that runs has just gone down by a second, and shows this.
    fn tick(&mut self, side: Side, shown_ms: u64, now: Moment) {
        let report = self.report(now);
        let above = self.theirs(report, side) - signed(shown_ms);
        let known = self.theirs[side as usize];
        if known.is_exact && self.at_tick_ms.is_none() {
            self.at_tick_ms = [1000, 0].into_iter().find(|at_tick| (above - at_tick).abs() < SLACK_MS);
            return;
        }
        let at_tick = self.at_tick_ms.unwrap_or(1000);
        if !known.is_exact || (above - at_tick).abs() > SLACK_MS {
            self.put(side, signed(shown_ms) + at_tick + known.offset_ms, now);
            self.theirs[side as usize].is_exact = true;
        }
    }
}
