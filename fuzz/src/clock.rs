//! What the fuzz targets of clocks assert, in functions that take any bytes: a target for each driver.
//!
//! Whatever comes in on the wire, a link never panics, sends and tells no more than the bytes and the time allow,
//! wants to be woken only in the future, and tells a press only by the side whose time it had told to run. What is read
//! as a message is written so that it reads the same.

use draughtsd_core::clock::frames::{FramesLink, Hms};
use draughtsd_core::clock::internal::InternalClock;
use draughtsd_core::clock::line::{LineLink, Lines, Message, Request, seal};
use draughtsd_core::clock::{ClockCommand, ClockEvent, ClockSetting, Link, SideSetting, TimeMode, WhiteEnd};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::time_control::{Bonus, Match};

/// A target: its name and what it does with an input.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Name and function of each target.
pub(crate) const TARGETS: [Target; 4] =
    [("clock_line", line), ("clock_frames", frames), ("clock_internal", internal), ("time_control", control)];

/// So much may be sent for one act: a few requests, and one more for each byte that came in.
const MOST_SENT: usize = 2000;

/// A link, whatever is received and done. The first byte says how; then each act is a byte, and what it needs.
fn drive(mut link: impl Link, mut input: &[u8]) {
    let mut now = 0;
    let mut next = || {
        let (first, rest) = input.split_first()?;
        input = rest;
        Some(*first)
    };
    while let Some(act) = next() {
        let at = Moment::from_millis(now);
        let received = match act % 8 {
            0 => {
                link.opened(at);
                0
            }
            1 => {
                link.closed(at);
                0
            }
            2 => {
                now += u64::from(act) * 40;
                link.advance(Moment::from_millis(now));
                0
            }
            3 => {
                link.command(command(act, next().unwrap_or(0)), at);
                0
            }
            _ => {
                // So many bytes come in at once.
                let bytes: Vec<u8> = (0..=act / 8).map_while(|_| next()).collect();
                link.receive(&bytes, at);
                bytes.len()
            }
        };
        let at = Moment::from_millis(now);
        link.advance(at);
        assert!(link.take_bytes().len() <= MOST_SENT + 200 * received, "it sends without end");
        let events = link.take_events();
        assert!(events.len() <= 8 + 4 * received, "it tells without end: {events:?}");
        for (when, event) in events {
            assert!(when <= at, "{event:?} at {when}, now is {at}");
        }
        assert!(link.next_wake().is_none_or(|wake| wake > at), "it is to be woken at once, for ever");
    }
}

fn command(act: u8, argument: u8) -> ClockCommand {
    let mode = |bits: u8| match bits % 3 {
        0 => TimeMode::Stopped,
        1 => TimeMode::Down,
        _ => TimeMode::Up,
    };
    let side = |left_ms: u64, mode| {
        let ms = u64::from(argument) * 100;
        let bonus = [Bonus::None, Bonus::Fischer { ms }, Bonus::Bronstein { ms }][usize::from(act) / 8 % 3];
        SideSetting { left_ms, mode, bonus }
    };
    match act / 8 {
        0..=20 => {
            let white = side(u64::from(argument) * 5000, mode(act / 8));
            let black = side(u64::MAX >> (argument % 64), TimeMode::Stopped);
            ClockCommand::Set(ClockSetting { white, black })
        }
        21..=25 => ClockCommand::Text(format!("{argument}*\u{e9}\n a long text")),
        26..=28 => ClockCommand::EndText,
        _ => ClockCommand::Beep(argument),
    }
}

/// The line protocol: any bytes, and lines with a right checksum around them.
pub(crate) fn line(input: &[u8]) {
    let white =
        if input.first().is_some_and(|first| first % 2 == 0) { WhiteEnd::Left } else { WhiteEnd::Right };
    drive(LineLink::new(white), input);
    let mut lines = Lines::default();
    for &byte in input {
        if let Some(Ok(payload)) = lines.push(byte) {
            check_payload(&payload);
        }
    }
    // A fuzzer seldom finds a checksum, so the same is done with lines that have one.
    let mut sealed = vec![0];
    for piece in input.split(|&byte| byte == b'\n') {
        let Ok(payload) = std::str::from_utf8(piece) else { continue };
        check_payload(payload);
        for chunk in seal(payload).as_bytes().chunks(16) {
            sealed.push(4 + 8 * u8::try_from(chunk.len() - 1).unwrap_or(0));
            sealed.extend(chunk);
        }
        sealed.push(2 + 8 * 20);
    }
    drive(LineLink::new(white), &sealed);
}

fn check_payload(payload: &str) {
    if let Ok(message) = Message::parse(payload) {
        assert_eq!(Message::parse(&message.write()), Ok(message));
    }
    if let Ok((id, request)) = Request::parse(payload) {
        assert_eq!(Request::parse(&request.write(id)), Ok((id, request)));
    }
}

/// Frames: any bytes.
pub(crate) fn frames(input: &[u8]) {
    drive(FramesLink::new(WhiteEnd::Left), input);
    let millis = input.iter().take(8).fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
    assert!(Hms::rounded(millis).millis() <= Hms::MOST_S * 1000);
}

/// The daemon's own clock: commands and presses; its time never rises but by a bonus.
pub(crate) fn internal(input: &[u8]) {
    drive(InternalClock::new(), input);
    let mut clock = InternalClock::new();
    let mut now = 0;
    for pair in input.chunks_exact(2) {
        let (act, argument) = (pair[0], pair[1]);
        now += u64::from(argument) * 10;
        let at = Moment::from_millis(now);
        clock.advance(at);
        let before = clock.report();
        clock.take_events();
        match act % 4 {
            0 => clock.command(command(act, argument), at),
            _ => {
                let side = if act & 4 == 0 { Side::White } else { Side::Black };
                clock.press(side, at);
                let presses = clock
                    .take_events()
                    .into_iter()
                    .filter(|(_, event)| matches!(event, ClockEvent::Press(_)));
                assert_eq!(
                    presses.count() == 1,
                    before.running == Some(side),
                    "a side that stands presses nothing"
                );
                let after = clock.report();
                let (kept, was) = match side {
                    Side::White => (after.black_ms, before.black_ms),
                    Side::Black => (after.white_ms, before.white_ms),
                };
                assert_eq!(kept, was, "a press moves nothing on the other side");
            }
        }
        assert!(clock.report().running != before.running || clock.next_wake().is_none_or(|wake| wake >= at));
    }
}

/// A time control: one that is read is written so that it reads the same.
pub(crate) fn control(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(read) = text.parse::<Match>() {
        assert_eq!(read.to_string().parse(), Ok(read));
    }
}
