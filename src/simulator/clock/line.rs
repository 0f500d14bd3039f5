//! A clock that speaks the line protocol: the reference implementation of `hardware/clock-protocol.md`.

use draughtsd_core::clock::internal::InternalClock;
use draughtsd_core::clock::line::{
    Ends, LineError, Lines, Message, Refusal, Request, Status, VERSION, Welcome, seal,
};
use draughtsd_core::clock::{ClockCommand, ClockSetting, Link};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::trace::ClockReport;

use super::{Device, End};

/// A status is sent so often while a time runs.
const EVERY_MS: u64 = 1000;

/// And so often while both stand.
const EVERY_STANDING_MS: u64 = 5000;

/// The reference clock.
#[derive(Debug)]
pub struct LineDevice {
    /// Left is White.
    times: InternalClock,
    setting: ClockSetting,
    lines: Lines,
    out: Vec<u8>,
    session: u32,
    is_set: bool,
    /// The last request carried out since a greeting, and the answer to it, for when it comes again.
    answered: Option<(u16, Message)>,
    number: u16,
    last_status: Moment,
    text: Option<String>,
    /// Refuses to be set.
    pub is_stubborn: bool,
}

impl LineDevice {
    /// A clock that has just been switched on.
    ///
    /// - `session`: another number each time.
    #[must_use]
    pub fn new(session: u32) -> Self {
        let mut device = Self {
            times: InternalClock::new(),
            setting: ClockSetting::default(),
            lines: Lines::default(),
            out: Vec::new(),
            session,
            is_set: false,
            answered: None,
            number: 0,
            last_status: Moment::ZERO,
            text: None,
            is_stubborn: false,
        };
        device.send(&Message::Boot);
        device
    }

    fn send(&mut self, message: &Message) {
        self.out.extend(seal(&message.write()).bytes());
    }

    fn send_status(&mut self, now: Moment) {
        let report = self.shows(now);
        let is_left = |side: Side| side == Side::White;
        self.number = self.number.wrapping_add(1);
        self.last_status = now;
        let status = Status {
            left_ms: Ends { left: report.white_ms, right: report.black_ms },
            left_runs: report.running.map(is_left),
            left_fell: report.flag.map(is_left),
            presses: Ends { left: self.times.presses(Side::White), right: self.times.presses(Side::Black) },
        };
        self.send(&Message::Time { number: self.number, status });
    }

    fn take_line(&mut self, payload: &str, now: Moment) {
        let (id, request) = match Request::parse(payload) {
            Ok(request) => request,
            Err(error) => return self.refuse(payload, error),
        };
        if let Some((known, answer)) = &self.answered
            && *known == id
            && !matches!(request, Request::Hello { .. })
        {
            // Its answer was lost. Carrying it out again would turn the times back.
            let answer = answer.clone();
            return self.send(&answer);
        }
        let refused = match &request {
            Request::Hello { version } if *version < VERSION => Some(Refusal::Version),
            Request::Set(_) if self.is_stubborn => Some(Refusal::Mode),
            _ => None,
        };
        let answer = match (refused, &request) {
            (Some(refusal), _) => Message::No { id, refusal },
            (None, Request::Hello { .. }) => Message::Ok { id, welcome: Some(self.welcome()) },
            (None, _) => Message::Ok { id, welcome: None },
        };
        self.send(&answer);
        self.answered = Some((id, answer));
        if refused.is_none() {
            self.carry_out(request, now);
        }
    }

    fn welcome(&self) -> Welcome {
        Welcome { version: VERSION, session: self.session, set: self.is_set, name: "reference".to_owned() }
    }

    /// A request that cannot be read is refused where at least its number can be read.
    fn refuse(&mut self, payload: &str, error: LineError) {
        let Some(id) = payload.split(' ').nth(1).and_then(|id| id.parse().ok()) else { return };
        let refusal = if error == LineError::Unknown { Refusal::Unknown } else { Refusal::Syntax };
        self.send(&Message::No { id, refusal });
    }

    fn carry_out(&mut self, request: Request, now: Moment) {
        match request {
            Request::Hello { .. } | Request::Ask => self.send_status(now),
            Request::Set(Ends { left, right }) => {
                self.is_set = true;
                self.text = None;
                self.setting = ClockSetting { white: left, black: right };
                self.times.command(ClockCommand::Set(self.setting), now);
                self.times.take_events();
                self.send_status(now);
            }
            Request::Text(text) => self.text = Some(text),
            Request::EndText => self.text = None,
            Request::Beep(_) => {}
        }
    }
}

impl Device for LineDevice {
    fn receive(&mut self, bytes: &[u8], now: Moment) {
        for &byte in bytes {
            // What is damaged is not answered; the daemon sends it again.
            if let Some(Ok(payload)) = self.lines.push(byte) {
                self.take_line(&payload, now);
            }
        }
    }

    fn advance(&mut self, now: Moment) {
        self.times.advance(now);
        let has_fallen = !self.times.take_events().is_empty();
        if has_fallen || self.next_wake().is_some_and(|wake| wake <= now) {
            self.send_status(now);
        }
    }

    fn next_wake(&self) -> Option<Moment> {
        let every = if self.times.report().running.is_some() { EVERY_MS } else { EVERY_STANDING_MS };
        self.times.next_wake().into_iter().chain([self.last_status.after(every)]).min()
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn press(&mut self, end: End, now: Moment) {
        let side = if end == End::Left { Side::White } else { Side::Black };
        self.times.press(side, now);
        if !self.times.take_events().is_empty() {
            self.send_status(now);
        }
    }

    fn set_by_hand(&mut self, left_ms: u64, right_ms: u64, now: Moment) {
        let running = self.shows(now).running;
        let mut setting = self.setting;
        (setting.white.left_ms, setting.black.left_ms) = (left_ms, right_ms);
        (setting.white.mode, setting.black.mode) = super::frames::modes(running);
        self.times.command(ClockCommand::Set(setting), now);
        self.times.take_events();
        self.send_status(now);
    }

    fn stop_by_hand(&mut self, now: Moment) {
        let shown = self.shows(now);
        let mut setting = self.setting;
        (setting.white.left_ms, setting.black.left_ms) = (shown.white_ms, shown.black_ms);
        (setting.white.mode, setting.black.mode) = super::frames::modes(None);
        self.times.command(ClockCommand::Set(setting), now);
        self.times.take_events();
        self.send_status(now);
    }

    fn power_cycle(&mut self, now: Moment) {
        *self = Self { last_status: now, ..Self::new(self.session.wrapping_add(1)) };
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
