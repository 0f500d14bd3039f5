//! The daemon's end of the line protocol.

use std::collections::VecDeque;

use super::{Ends, Lines, Message, Request, Status, VERSION, Welcome, seal};
use crate::clock::{
    ClockCommand, ClockConnection, ClockEvent, ClockTrouble, Link, Reports, TimedEvent, Troubles, WhiteEnd,
};
use crate::moment::Moment;
use crate::piece::Side;
use crate::trace::ClockReport;

/// A request is repeated when it has not been answered for so long.
const ANSWER_MS: u64 = 500;

/// So often a request is sent.
const TRIES: u32 = 3;

/// While nobody is heard, a greeting is sent so often.
const GREETING_MS: u64 = 1000;

/// When nothing else was sent for so long, a status is asked for.
const KEEP_ALIVE_MS: u64 = 2000;

/// A clock that was not heard for so long is lost.
const SILENCE_MS: u64 = 6000;

/// A report that differs by no more than this from what is expected says nothing new.
const TOLERANCE_MS: u64 = 150;

/// So many requests may wait; a setting replaces one that waits.
const MOST_WAITING: usize = 8;

/// Presses told by a counter that jumped by more than this were not seen by anybody.
const MOST_PRESSES: u32 = 4;

/// A request on its way.
#[derive(Clone, Debug)]
struct InFlight {
    id: u16,
    request: Request,
    sent: Moment,
    tries: u32,
}

/// A clock that speaks the line protocol. One request is in flight at a time.
#[derive(Clone, Debug)]
pub struct LineLink {
    white: WhiteEnd,
    lines: Lines,
    out: Vec<u8>,
    events: Vec<TimedEvent>,
    is_open: bool,
    /// It has answered the greeting.
    is_heard: bool,
    /// It was heard before, and has not been lost since.
    is_told: bool,
    /// It was told that the clock cannot be heard.
    is_missed: bool,
    last_id: u16,
    in_flight: Option<InFlight>,
    waiting: VecDeque<Request>,
    last_heard: Moment,
    last_sent: Moment,
    /// Which clock it was that was heard last, and since when it has power.
    session: Option<u32>,
    /// What it was told last may not have reached it.
    is_behind: bool,
    presses: Option<Ends<u32>>,
    last_number: Option<u16>,
    troubles: Troubles,
    reports: Reports,
}

impl LineLink {
    /// A link to a clock whose left or right end is White's.
    #[must_use]
    pub fn new(white: WhiteEnd) -> Self {
        Self {
            white,
            lines: Lines::default(),
            out: Vec::new(),
            events: Vec::new(),
            is_open: false,
            is_heard: false,
            is_told: false,
            is_missed: false,
            last_id: 0,
            in_flight: None,
            waiting: VecDeque::new(),
            last_heard: Moment::ZERO,
            last_sent: Moment::ZERO,
            session: None,
            is_behind: false,
            presses: None,
            last_number: None,
            troubles: Troubles::default(),
            reports: Reports::default(),
        }
    }

    fn trouble(&mut self, trouble: ClockTrouble, now: Moment) {
        self.troubles.tell(trouble, now, &mut self.events);
    }

    fn send(&mut self, request: Request, now: Moment) {
        self.last_id = self.last_id.checked_add(1).unwrap_or(1);
        self.in_flight = Some(InFlight { id: self.last_id, request, sent: now, tries: 0 });
        self.write(now);
    }

    /// Writes the request in flight once more.
    fn write(&mut self, now: Moment) {
        let Some(flying) = &mut self.in_flight else { return };
        flying.sent = now;
        flying.tries += 1;
        self.last_sent = now;
        self.out.extend(seal(&flying.request.write(flying.id)).bytes());
    }

    fn greet(&mut self, now: Moment) {
        self.is_heard = false;
        self.presses = None;
        self.waiting.clear();
        self.reports.forget();
        self.send(Request::Hello { version: VERSION }, now);
    }

    fn lose(&mut self, now: Moment) {
        self.is_told = false;
        if !std::mem::replace(&mut self.is_missed, true) {
            self.events.push((now, ClockEvent::Connection(ClockConnection::Lost)));
        }
    }

    fn send_next(&mut self, now: Moment) {
        if self.in_flight.is_none()
            && let Some(request) = self.waiting.pop_front()
        {
            self.send(request, now);
        }
    }

    /// Whether the clock is still to be set, so that what it shows is out of date.
    fn is_being_set(&self) -> bool {
        let flying = self.in_flight.as_ref().map(|flying| &flying.request);
        flying.into_iter().chain(&self.waiting).any(|request| matches!(request, Request::Set(_)))
    }

    fn take_line(&mut self, payload: &str, now: Moment) {
        let Ok(message) = Message::parse(payload) else {
            return self.trouble(ClockTrouble::Impossible, now);
        };
        self.last_heard = now;
        match message {
            Message::Ok { id, welcome } => self.answered(id, welcome, now),
            Message::No { id, refusal } => {
                if let Some(flying) = self.in_flight.take_if(|flying| flying.id == id) {
                    self.is_behind |= matches!(flying.request, Request::Set(_));
                    self.trouble(
                        if refusal == super::Refusal::Version {
                            ClockTrouble::Version
                        } else {
                            ClockTrouble::Refused
                        },
                        now,
                    );
                }
            }
            Message::Time { number, status } => {
                if self.is_heard && self.last_number.replace(number) != Some(number) {
                    self.take_status(status, now);
                }
            }
            Message::Button { number, button } => {
                if self.is_heard && self.last_number.replace(number) != Some(number) {
                    self.events.push((now, ClockEvent::Button(button)));
                }
            }
            Message::Low => self.trouble(ClockTrouble::LowBattery, now),
            Message::Boot => self.greet(now),
        }
        self.send_next(now);
    }

    fn answered(&mut self, id: u16, welcome: Option<Welcome>, now: Moment) {
        let Some(flying) = self.in_flight.take_if(|flying| flying.id == id) else { return };
        match (flying.request, welcome) {
            (Request::Hello { .. }, Some(welcome)) if welcome.version == VERSION => {
                self.welcome(&welcome, now)
            }
            (Request::Hello { .. }, _) => self.trouble(ClockTrouble::Version, now),
            (Request::Set(_), _) => {
                self.is_behind = false;
                // What it shows now is news, whatever it was expected to show.
                self.reports.forget();
            }
            _ => {}
        }
    }

    fn welcome(&mut self, welcome: &Welcome, now: Moment) {
        let same = self.session.is_none_or(|session| session == welcome.session);
        let kept = welcome.set && same && !self.is_behind;
        self.session = Some(welcome.session);
        self.is_heard = true;
        // Heard again without having been lost, by the same clock as before: nothing has happened.
        if !(self.is_told && kept) {
            self.is_told = true;
            self.is_missed = false;
            self.is_behind = false;
            let connection = if kept { ClockConnection::Kept } else { ClockConnection::Reset };
            self.events.push((now, ClockEvent::Connection(connection)));
        }
        self.waiting.push_back(Request::Ask);
    }

    fn take_status(&mut self, status: Status, now: Moment) {
        let (white_ms, black_ms) = self.white.by_colour(status.left_ms.left, status.left_ms.right);
        let colour = |left: bool| if left { self.white.left() } else { self.white.left().opponent() };
        let report = ClockReport {
            white_ms,
            black_ms,
            running: status.left_runs.map(colour),
            flag: status.left_fell.map(colour),
        };
        self.take_presses(status.presses, report.running, now);
        if !self.is_being_set() && self.reports.is_news(report, now, TOLERANCE_MS) {
            self.events.push((now, ClockEvent::Report(report)));
        }
    }

    /// Tells the presses that the counters show. The last one is by the side whose time does not run.
    fn take_presses(&mut self, counted: Ends<u32>, running: Option<Side>, now: Moment) {
        let Some(before) = self.presses.replace(counted) else { return };
        let (white, black) = self
            .white
            .by_colour(counted.left.wrapping_sub(before.left), counted.right.wrapping_sub(before.right));
        if white.max(black) > MOST_PRESSES {
            return;
        }
        let last = running.map_or(Side::Black, Side::opponent);
        let mut left = [white, black];
        let mut presses = Vec::new();
        let mut side = last;
        while left != [0, 0] {
            if left[side as usize] > 0 {
                left[side as usize] -= 1;
                presses.push(side);
            }
            side = side.opponent();
        }
        self.events.extend(presses.into_iter().rev().map(|side| (now, ClockEvent::Press(side))));
    }

    fn give_up(&mut self, flying: InFlight, now: Moment) {
        if matches!(flying.request, Request::Hello { .. }) {
            return self.greet(now);
        }
        self.is_behind |= matches!(flying.request, Request::Set(_));
        self.trouble(ClockTrouble::Unanswered, now);
        // It may be another clock by now, or have forgotten who it talks to.
        self.greet(now);
    }
}

impl Link for LineLink {
    fn opened(&mut self, now: Moment) {
        self.is_open = true;
        self.lines.clear();
        self.last_number = None;
        self.last_heard = now;
        self.greet(now);
    }

    fn closed(&mut self, now: Moment) {
        self.is_open = false;
        self.is_heard = false;
        self.is_behind |= self.is_being_set();
        self.in_flight = None;
        self.waiting.clear();
        self.out.clear();
        self.lose(now);
    }

    fn receive(&mut self, bytes: &[u8], now: Moment) {
        for &byte in bytes {
            match self.lines.push(byte) {
                Some(Ok(payload)) => self.take_line(&payload, now),
                Some(Err(_)) => self.trouble(ClockTrouble::Garbage, now),
                None => {}
            }
        }
    }

    fn command(&mut self, command: ClockCommand, now: Moment) {
        let white = self.white;
        let request = Request::of(command, |of_white, of_black| match white {
            WhiteEnd::Left => Ends { left: of_white, right: of_black },
            WhiteEnd::Right => Ends { left: of_black, right: of_white },
        });
        if !self.is_heard {
            self.is_behind |= matches!(request, Request::Set(_)) && self.is_told;
            return;
        }
        if matches!(request, Request::Set(_)) {
            self.waiting.retain(|waiting| !matches!(waiting, Request::Set(_)));
        }
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back(request);
        }
        self.send_next(now);
    }

    fn advance(&mut self, now: Moment) {
        if !self.is_open {
            return;
        }
        if !self.is_missed && now.since(self.last_heard) >= SILENCE_MS {
            self.lose(now);
            self.is_behind |= self.is_being_set();
            self.greet(now);
        }
        let patience = if self.is_heard { ANSWER_MS } else { GREETING_MS };
        if let Some(flying) = self.in_flight.take_if(|flying| now.since(flying.sent) >= patience) {
            if flying.tries >= TRIES {
                self.give_up(flying, now);
            } else {
                self.in_flight = Some(flying);
                self.write(now);
            }
        }
        if self.in_flight.is_none() && now.since(self.last_sent) >= KEEP_ALIVE_MS {
            if self.is_heard {
                self.send(Request::Ask, now);
            } else {
                self.greet(now);
            }
        }
    }

    fn next_wake(&self) -> Option<Moment> {
        if !self.is_open {
            return None;
        }
        let patience = if self.is_heard { ANSWER_MS } else { GREETING_MS };
        let answer = self.in_flight.as_ref().map(|flying| flying.sent.after(patience));
        let silence = (!self.is_missed).then(|| self.last_heard.after(SILENCE_MS));
        let quiet = self.in_flight.is_none().then(|| self.last_sent.after(KEEP_ALIVE_MS));
        [answer, silence, quiet].into_iter().flatten().min()
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn take_events(&mut self) -> Vec<TimedEvent> {
        std::mem::take(&mut self.events)
    }
}
