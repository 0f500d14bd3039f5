//! The daemon's end of frames. It keeps a clock of its own *beside* ([`Beside`]), which knows the bonus and is exact to
//! the millisecond: with each press that brings something the board's clock is set to what that one has.

use std::collections::VecDeque;

use super::beside::Beside;
use super::{Acknowledgement, Command, Frame, FrameError, Frames, Hms, Times};
use crate::clock::line::Ends;
use crate::clock::{
    ClockCommand, ClockConnection, ClockEvent, ClockTrouble, Link, Reports, TimedEvent, Troubles, WhiteEnd,
};
use crate::moment::Moment;
use crate::piece::Side;
use crate::trace::ClockReport;

/// A command is repeated when it has not been answered for so long.
const ANSWER_MS: u64 = 1500;

/// So often a command is sent.
const TRIES: u32 = 2;

/// A setting that did not reach the clock is tried for so long, and what the clock shows meanwhile is not believed.
const TRYING_MS: u64 = 10_000;

/// So often the times are asked for: a clock that stands sends nothing of its own.
const KEEP_ALIVE_MS: u64 = 2000;

/// A clock that was not heard for so long is lost.
const SILENCE_MS: u64 = 7000;

/// Whole seconds on both sides, and the way: so much two times may differ and be the same.
const TOLERANCE_MS: u64 = 1500;

/// A report that differs by no more than this from what is expected says nothing new.
const NEWS_MS: u64 = 150;

/// So many commands may wait; a setting replaces one that waits.
const MOST_WAITING: usize = 8;

/// The answer that says all is well.
const GOOD: u8 = 0x10;

/// News of the clock's own: a button, and that it left the mode in which it can be set.
const NEWS_BUTTON: u8 = 0x88;
const NEWS_LEFT_MODE: u8 = 0x90;

#[derive(Clone, Debug)]
struct InFlight {
    command: Command,
    sent: Moment,
    tries: u32,
}

/// A clock behind an adapter that speaks frames.
#[derive(Clone, Debug)]
pub struct FramesLink {
    white: WhiteEnd,
    frames: Frames,
    out: Vec<u8>,
    events: Vec<TimedEvent>,
    is_open: bool,
    is_heard: bool,
    /// It was told that the clock cannot be heard.
    is_missed: bool,
    in_flight: Option<InFlight>,
    waiting: VecDeque<Command>,
    last_heard: Moment,
    last_asked: Moment,
    beside: Beside,
    /// The last times that were believed, and when they came.
    believed: Option<(Moment, ClockReport)>,
    /// Times that nobody expected; they are believed when they are said again.
    doubted: Option<(Moment, ClockReport)>,
    /// A setting did not reach the clock.
    is_behind: bool,
    /// Since when it is tried again and again.
    trying: Option<Moment>,
    troubles: Troubles,
    reports: Reports,
}

impl FramesLink {
    /// A link to a clock whose left or right end is White's.
    #[must_use]
    pub fn new(white: WhiteEnd) -> Self {
        Self {
            white,
            frames: Frames::default(),
            out: Vec::new(),
            events: Vec::new(),
            is_open: false,
            is_heard: false,
            is_missed: false,
            in_flight: None,
            waiting: VecDeque::new(),
            last_heard: Moment::ZERO,
            last_asked: Moment::ZERO,
            beside: Beside::default(),
            believed: None,
            doubted: None,
            is_behind: false,
            trying: None,
            troubles: Troubles::default(),
            reports: Reports::default(),
        }
    }

    fn trouble(&mut self, trouble: ClockTrouble, now: Moment) {
        self.troubles.tell(trouble, now, &mut self.events);
    }

    fn send(&mut self, command: Command, now: Moment) {
        self.out.extend(command.bytes());
        if command.number().is_some() {
            self.in_flight = Some(InFlight { command, sent: now, tries: 1 });
        }
    }

    fn send_next(&mut self, now: Moment) {
        while self.in_flight.is_none()
            && let Some(command) = self.waiting.pop_front()
        {
            self.send(command, now);
        }
    }

    fn queue(&mut self, command: Command, now: Moment) {
        if matches!(command, Command::SetAndRun { .. }) {
            self.waiting.retain(|waiting| !matches!(waiting, Command::SetAndRun { .. }));
        }
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back(command);
        }
        self.send_next(now);
    }

    /// A command failed; if it was to set the clock, it is behind.
    fn note_failure(&mut self, sets: bool, now: Moment) {
        if sets {
            self.is_behind = true;
            self.trying = self.trying.or(Some(now));
        }
    }

    fn is_being_set(&self) -> bool {
        let flying = self.in_flight.as_ref().map(|flying| &flying.command);
        flying.into_iter().chain(&self.waiting).any(|command| matches!(command, Command::SetAndRun { .. }))
    }

    fn ask(&mut self, now: Moment) {
        self.last_asked = now;
        if !self.is_heard {
            self.send(Command::SendChanges, now);
        }
        self.send(Command::SendTimes, now);
    }

    fn lose(&mut self, now: Moment) {
        self.is_behind |= self.is_being_set();
        self.in_flight = None;
        self.waiting.clear();
        self.doubted = None;
        self.reports.forget();
        self.is_heard = false;
        if !std::mem::replace(&mut self.is_missed, true) {
            self.events.push((now, ClockEvent::Connection(ClockConnection::Lost)));
        }
    }

    fn take_frame(&mut self, frame: Frame, now: Moment) {
        match frame {
            Frame::Times(times) => {
                self.last_heard = now;
                if times.battery_low {
                    self.trouble(ClockTrouble::LowBattery, now);
                }
                self.take_times(times, now);
            }
            Frame::Acknowledgement(answer) => {
                self.last_heard = now;
                self.take_answer(answer, now);
            }
            Frame::NoClock => self.lose(now),
            Frame::Zeros | Frame::Other => {}
        }
        self.send_next(now);
    }

    fn take_answer(&mut self, answer: Acknowledgement, now: Moment) {
        match answer.about {
            NEWS_BUTTON => {
                if let Some(button) = (1..=5).find(|place| answer.data[1] == 0x30 + place) {
                    self.events.push((now, ClockEvent::Button(button)));
                }
            }
            NEWS_LEFT_MODE => self.trouble(ClockTrouble::Refused, now),
            about => {
                let number = |flying: &mut InFlight| flying.command.number() == Some(about);
                let Some(flying) = self.in_flight.take_if(number) else { return };
                let sets = matches!(flying.command, Command::SetAndRun { .. });
                if answer.verdict != GOOD {
                    self.note_failure(sets, now);
                    self.trouble(ClockTrouble::Refused, now);
                } else if sets {
                    self.is_behind = false;
                    self.trying = None;
                    self.believed = Some((now, self.beside.shown(now)));
                    self.reports.forget();
                }
            }
        }
    }

    fn by_colour(&self, times: Times) -> ClockReport {
        let (white, black) = self.white.by_colour(times.shown.left, times.shown.right);
        let colour = |left: bool| if left { self.white.left() } else { self.white.left().opponent() };
        let fallen = match times.fallen {
            Ends { left: true, right: false } => Some(true),
            Ends { left: false, right: true } => Some(false),
            Ends { left: true, right: true } => times.left_runs,
            Ends { left: false, right: false } => None,
        };
        ClockReport {
            white_ms: white.millis(),
            black_ms: black.millis(),
            running: times.left_runs.map(colour),
            flag: fallen.map(colour),
        }
    }

    fn take_times(&mut self, times: Times, now: Moment) {
        let report = self.by_colour(times);
        if !self.is_heard {
            return self.found(report, now);
        }
        if self.is_being_set() || self.trying.is_some() {
            return;
        }
        if !self.is_expected(report, now) && !self.is_repeated(report, now) {
            self.doubted = Some((now, report));
            // A time that nobody expected is either said again or was a slip.
            self.send(Command::SendTimes, now);
            return;
        }
        self.doubted = None;
        let before = self.believed.replace((now, report));
        let pressed = before.and_then(|(_, last)| match (last.running, report.running) {
            (Some(side), Some(other)) if side != other => Some(side),
            _ => None,
        });
        if let Some(side) = pressed {
            self.events.push((now, ClockEvent::Press(side)));
        }
        self.beside.follow(report, before.map(|(_, last)| last), pressed, now);
        if self.beside.is_to_be_told(now) {
            self.set_board(now);
        }
        let exact = ClockReport { flag: report.flag, ..self.beside.report(now) };
        if self.reports.is_news(exact, now, NEWS_MS) {
            self.events.push((now, ClockEvent::Report(exact)));
        }
    }

    /// Whether the times are what running makes of the last ones; between them somebody may have pressed.
    fn is_expected(&mut self, report: ClockReport, now: Moment) -> bool {
        let Some((at, last)) = self.believed else { return true };
        let elapsed = now.since(at);
        let fits = |side: Side, old: u64, new: u64| {
            let may_run = last.running == Some(side) || last.running != report.running;
            let least = if may_run { old.saturating_sub(elapsed) } else { old };
            new.saturating_add(TOLERANCE_MS) >= least && new <= old.saturating_add(TOLERANCE_MS)
        };
        fits(Side::White, last.white_ms, report.white_ms) && fits(Side::Black, last.black_ms, report.black_ms)
    }

    /// Whether the times are what was doubted before.
    fn is_repeated(&mut self, report: ClockReport, now: Moment) -> bool {
        let Some((at, doubted)) = self.doubted else { return false };
        let elapsed = now.since(at);
        let near = |old: u64, new: u64| new <= old.saturating_add(1000) && old <= new + elapsed + 1000;
        let again = near(doubted.white_ms, report.white_ms) && near(doubted.black_ms, report.black_ms);
        if !again {
            self.trouble(ClockTrouble::Impossible, now);
        }
        again
    }

    /// Sets the board's clock to what the clock beside has.
    fn set_board(&mut self, now: Moment) {
        let report = self.beside.report(now);
        let (white, black) = (Hms::rounded(report.white_ms), Hms::rounded(report.black_ms));
        self.beside.told(white.millis(), black.millis(), now);
        let (left, right) = match self.white {
            WhiteEnd::Left => (white, black),
            WhiteEnd::Right => (black, white),
        };
        let left_runs = report.running.map(|side| side == self.white.left());
        self.queue(Command::SetAndRun { times: Ends { left, right }, left_runs }, now);
    }

    /// The clock is there, for the first time or again.
    fn found(&mut self, report: ClockReport, now: Moment) {
        self.is_heard = true;
        self.is_missed = false;
        let connection = match self.believed.replace((now, report)) {
            // Found for the first time: whether its times are those of the game is the game's to say.
            None => ClockConnection::Kept,
            Some((at, last)) if !self.is_behind && went_on(last, now.since(at), report) => {
                if self.beside.brings_bonus() {
                    ClockConnection::KeptWithoutBonus
                } else {
                    ClockConnection::Kept
                }
            }
            _ => ClockConnection::Reset,
        };
        self.is_behind = false;
        self.trying = None;
        self.beside.find(report, now);
        self.events.push((now, ClockEvent::Connection(connection)));
        let exact = ClockReport { flag: report.flag, ..self.beside.report(now) };
        self.reports.is_news(exact, now, 0);
        self.events.push((now, ClockEvent::Report(exact)));
    }
}

/// Whether these times are what may have become of earlier ones while nobody listened: together they lost no more than
/// has passed, and neither rose.
fn went_on(last: ClockReport, elapsed_ms: u64, report: ClockReport) -> bool {
    let rose = |old: u64, new: u64| new > old.saturating_add(TOLERANCE_MS);
    let before = last.white_ms.saturating_add(last.black_ms);
    let after = report.white_ms.saturating_add(report.black_ms);
    !rose(last.white_ms, report.white_ms)
        && !rose(last.black_ms, report.black_ms)
        && before.saturating_sub(after) <= elapsed_ms.saturating_add(2 * TOLERANCE_MS)
}

impl Link for FramesLink {
    fn opened(&mut self, now: Moment) {
        self.is_open = true;
        self.frames.clear();
        self.last_heard = now;
        self.ask(now);
    }

    fn closed(&mut self, now: Moment) {
        self.is_open = false;
        self.lose(now);
        self.out.clear();
    }

    fn receive(&mut self, bytes: &[u8], now: Moment) {
        for &byte in bytes {
            match self.frames.push(byte) {
                Some(Ok(frame)) => self.take_frame(frame, now),
                Some(Err(FrameError::Impossible)) => self.trouble(ClockTrouble::Impossible, now),
                Some(Err(FrameError::Garbage | FrameError::Length)) => {
                    self.trouble(ClockTrouble::Garbage, now)
                }
                None => {}
            }
        }
    }

    fn command(&mut self, command: ClockCommand, now: Moment) {
        let is_waiting_for_ticks = match command {
            ClockCommand::Set(setting) => self.is_heard & self.beside.set(setting, now),
            _ => false,
        };
        if !self.is_heard {
            return;
        }
        if matches!(command, ClockCommand::Set(_)) {
            self.trying = None;
        }
        match command {
            ClockCommand::Set(_) if is_waiting_for_ticks => {}
            ClockCommand::Set(_) => self.set_board(now),
            ClockCommand::Text(text) => self.queue(Command::Text(text), now),
            ClockCommand::EndText => self.queue(Command::EndText, now),
            ClockCommand::Beep(sixteenths) => self.queue(Command::Beep(sixteenths), now),
        }
    }

    fn advance(&mut self, now: Moment) {
        if !self.is_open {
            return;
        }
        if !self.is_missed && now.since(self.last_heard) >= SILENCE_MS {
            self.lose(now);
        }
        if let Some(mut flying) = self.in_flight.take_if(|flying| now.since(flying.sent) >= ANSWER_MS) {
            if flying.tries < TRIES {
                flying.tries += 1;
                flying.sent = now;
                self.out.extend(flying.command.bytes());
                self.in_flight = Some(flying);
            } else {
                self.note_failure(matches!(flying.command, Command::SetAndRun { .. }), now);
                self.trouble(ClockTrouble::Unanswered, now);
                self.send_next(now);
            }
        }
        if now.since(self.last_asked) >= KEEP_ALIVE_MS {
            self.ask(now);
            let is_trying = self.trying.is_some_and(|since| now.since(since) < TRYING_MS);
            if self.is_heard && is_trying && self.in_flight.is_none() {
                self.set_board(now);
            }
            self.trying = self.trying.filter(|_| is_trying);
        }
    }

    fn next_wake(&self) -> Option<Moment> {
        if !self.is_open {
            return None;
        }
        let answer = self.in_flight.as_ref().map(|flying| flying.sent.after(ANSWER_MS));
        let silence = (!self.is_missed).then(|| self.last_heard.after(SILENCE_MS));
        let ask = Some(self.last_asked.after(KEEP_ALIVE_MS));
        [answer, silence, ask].into_iter().flatten().min()
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn take_events(&mut self) -> Vec<TimedEvent> {
        std::mem::take(&mut self.events)
    }
}
