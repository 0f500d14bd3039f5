//! No clock at all: the daemon keeps the time itself, and two buttons at the table press.

use super::{ClockCommand, ClockConnection, ClockEvent, ClockSetting, Link, TimeMode, TimedEvent};
use crate::moment::Moment;
use crate::piece::Side;
use crate::trace::ClockReport;

/// One side of it.
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    left_ms: u64,
    used_ms: u64,
    presses: u32,
}

/// A clock in the daemon. It has the memory of the process: after a restart it is set anew by the game.
#[derive(Clone, Debug, Default)]
pub struct InternalClock {
    setting: ClockSetting,
    times: [Time; 2],
    running: Option<Side>,
    since: Moment,
    flag: Option<Side>,
    events: Vec<TimedEvent>,
}

impl InternalClock {
    /// A clock that stands at nothing until it is set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A player pressed his button. Nothing happens where his time does not run.
    pub fn press(&mut self, side: Side, now: Moment) {
        self.pass_time(now);
        if self.running != Some(side) {
            return;
        }
        let bonus = self.setting.of(side).bonus;
        let time = &mut self.times[side as usize];
        time.presses = time.presses.wrapping_add(1);
        let used_ms = std::mem::take(&mut time.used_ms);
        if self.flag != Some(side) {
            time.left_ms = time.left_ms.saturating_add(bonus.for_move(used_ms));
        }
        self.running = Some(side.opponent());
        self.events.push((now, ClockEvent::Press(side)));
        self.tell(now);
    }

    /// What the clock shows, as of the last moment passed to it.
    #[must_use]
    pub fn report(&self) -> ClockReport {
        ClockReport {
            white_ms: self.times[Side::White as usize].left_ms,
            black_ms: self.times[Side::Black as usize].left_ms,
            running: self.running,
            flag: self.flag,
        }
    }

    /// How often a side has pressed; it goes round at the end of its range.
    #[must_use]
    pub fn presses(&self, side: Side) -> u32 {
        self.times[side as usize].presses
    }

    /// Lets time pass; the flag falls at the very moment at which a time is zero.
    fn pass_time(&mut self, now: Moment) {
        let before = self.since;
        self.since = before.max(now);
        let Some(side) = self.running else { return };
        let elapsed = now.since(before);
        let time = &mut self.times[side as usize];
        time.used_ms = time.used_ms.saturating_add(elapsed);
        if self.setting.of(side).mode == TimeMode::Up {
            time.left_ms = time.left_ms.saturating_add(elapsed);
            return;
        }
        let falls = before.after(time.left_ms);
        time.left_ms = time.left_ms.saturating_sub(elapsed);
        if time.left_ms == 0 && self.flag.is_none() {
            self.flag = Some(side);
            self.tell(falls.min(now));
        }
    }

    fn tell(&mut self, at: Moment) {
        self.events.push((at, ClockEvent::Report(self.report())));
    }
}

impl Link for InternalClock {
    fn opened(&mut self, now: Moment) {
        self.since = now;
        self.events.push((now, ClockEvent::Connection(ClockConnection::Reset)));
    }

    fn closed(&mut self, _now: Moment) {}

    fn receive(&mut self, _bytes: &[u8], _now: Moment) {}

    fn command(&mut self, command: ClockCommand, now: Moment) {
        self.pass_time(now);
        let ClockCommand::Set(setting) = command else { return };
        self.setting = setting;
        for side in Side::ALL {
            self.times[side as usize].left_ms = setting.of(side).left_ms;
        }
        self.running = setting.running();
        self.flag = None;
        self.tell(now);
    }

    fn advance(&mut self, now: Moment) {
        self.pass_time(now);
    }

    fn next_wake(&self) -> Option<Moment> {
        let side = self.running.filter(|&side| self.setting.of(side).mode != TimeMode::Up)?;
        self.flag.is_none().then(|| self.since.after(self.times[side as usize].left_ms))
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn take_events(&mut self) -> Vec<TimedEvent> {
        std::mem::take(&mut self.events)
    }
}
