//! A clock behind an adapter that speaks frames: whole seconds, no bonus, a lever.

use draughtsd_core::clock::internal::InternalClock;
use draughtsd_core::clock::{ClockCommand, ClockSetting, Link, SideSetting, TimeMode};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::trace::ClockReport;

use super::{Device, End};

/// A clock that is set and run, behind an adapter.
#[derive(Debug, Default)]
pub struct FramesDevice {
    /// Left is White.
    times: InternalClock,
    received: Vec<u8>,
    out: Vec<u8>,
    sends_changes: bool,
    last_sent: Option<[u8; 7]>,
    text: Option<String>,
    /// The mode in which it can be set has been left.
    pub is_stubborn: bool,
}

/// Who runs down and who stands.
pub(super) fn modes(running: Option<Side>) -> (TimeMode, TimeMode) {
    let mode = |side| if running == Some(side) { TimeMode::Down } else { TimeMode::Stopped };
    (mode(Side::White), mode(Side::Black))
}

impl FramesDevice {
    /// A clock that has just been switched on.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn set(&mut self, left_ms: u64, right_ms: u64, running: Option<Side>, now: Moment) {
        let (left, right) = modes(running);
        let side = |left_ms, mode| SideSetting { left_ms, mode, ..SideSetting::default() };
        let setting = ClockSetting { white: side(left_ms, left), black: side(right_ms, right) };
        self.times.command(ClockCommand::Set(setting), now);
        self.times.take_events();
    }

    /// The seven data bytes of a message of times.
    fn data(&mut self, now: Moment) -> [u8; 7] {
        let report = self.shows(now);
        let time = |side: Side, millis: u64| {
            let seconds = millis / 1000;
            let digits = |value: u64| u8::try_from(value / 10 * 16 + value % 10).unwrap_or(0);
            let flag = if report.flag == Some(side) { 0x10 } else { 0 };
            [digits(seconds / 3600 % 10) | flag, digits(seconds / 60 % 60), digits(seconds % 60)]
        };
        let [a, b, c] = time(Side::Black, report.black_ms);
        let [d, e, f] = time(Side::White, report.white_ms);
        let status = match report.running {
            Some(Side::White) => 0x01 | 0x10 | 0x02,
            Some(Side::Black) => 0x01 | 0x08,
            None => 0x10,
        };
        [a, b, c, d, e, f, status]
    }

    fn send(&mut self, data: [u8; 7]) {
        self.out.extend([0x8d, 0, 10]);
        self.out.extend(data);
    }

    fn send_if_changed(&mut self, now: Moment) {
        let data = self.data(now);
        if self.sends_changes && self.last_sent.replace(data) != Some(data) {
            self.send(data);
        }
    }

    /// Carries out what has come in whole.
    fn obey(&mut self, now: Moment) {
        while let Some(&first) = self.received.first() {
            let length = match (first, self.received.get(1)) {
                (0x2b, Some(&more)) => usize::from(more) + 2,
                (0x2b, None) => return,
                _ => 1,
            };
            if self.received.len() < length {
                return;
            }
            let command: Vec<u8> = self.received.drain(..length).collect();
            match command[..] {
                [0x4b] => self.sends_changes = true,
                [0x41] => {
                    let data = self.data(now);
                    self.send(data);
                }
                [0x2b, _, 0x03, number, ref data @ .., 0x00] => self.obey_clock_command(number, data, now),
                _ => {}
            }
        }
    }

    fn obey_clock_command(&mut self, number: u8, data: &[u8], now: Moment) {
        let verdict = match (number, data) {
            (0x0a, _) if self.is_stubborn => 0x40,
            (0x0a, &[lh, lm, ls, rh, rm, rs, flags]) => {
                let millis =
                    |h: u8, m: u8, s: u8| 1000 * (u64::from(h) * 3600 + u64::from(m) * 60 + u64::from(s));
                let running = match flags & 0x07 {
                    0x01 => Some(Side::White),
                    0x02 => Some(Side::Black),
                    _ => None,
                };
                self.text = None;
                self.set(millis(lh, lm, ls), millis(rh, rm, rs), running, now);
                0x10
            }
            (0x0c, [text @ .., _beep]) => {
                self.text = Some(String::from_utf8_lossy(text).trim_end().to_owned());
                0x10
            }
            (0x03, []) => {
                self.text = None;
                0x10
            }
            (0x09 | 0x0b, _) => 0x10,
            _ => return,
        };
        let version = if number == 0x09 { 0x21 } else { 0 };
        self.send([0x0a, verdict, number, 0, version, 0, 0]);
        self.send_if_changed(now);
    }
}

impl Device for FramesDevice {
    fn receive(&mut self, bytes: &[u8], now: Moment) {
        self.received.extend(bytes);
        self.obey(now);
    }

    fn advance(&mut self, now: Moment) {
        self.send_if_changed(now);
    }

    fn next_wake(&self) -> Option<Moment> {
        let times = self.times.report();
        let left = match times.running? {
            Side::White => times.white_ms,
            Side::Black => times.black_ms,
        };
        // The time shown is cut, so it changes just after a whole second.
        let zero = self.times.next_wake()?;
        Some(Moment::from_millis(zero.millis().saturating_sub(left)).after(left % 1000 + 1).min(zero))
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn press(&mut self, end: End, now: Moment) {
        self.times.press(if end == End::Left { Side::White } else { Side::Black }, now);
        self.times.take_events();
        self.send_if_changed(now);
    }

    fn set_by_hand(&mut self, left_ms: u64, right_ms: u64, now: Moment) {
        let running = self.shows(now).running;
        self.set(left_ms, right_ms, running, now);
        self.send_if_changed(now);
    }

    fn stop_by_hand(&mut self, now: Moment) {
        let shown = self.shows(now);
        self.set(shown.white_ms, shown.black_ms, None, now);
        self.send_if_changed(now);
    }

    fn power_cycle(&mut self, now: Moment) {
        *self = Self::default();
        self.times.advance(now);
    }

    fn shows(&mut self, now: Moment) -> ClockReport {
        self.times.advance(now);
        self.times.take_events();
        self.times.report()
    }

    fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}
