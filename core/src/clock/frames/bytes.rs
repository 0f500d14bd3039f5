//! Bytes to frames, and commands to bytes.

use thiserror::Error;

use crate::clock::line::Ends;

/// What a message of times begins with.
const TIMES: u8 = 0x8d;

/// Its length, header included.
const TIMES_LENGTH: usize = 10;

/// What a command to the clock begins with, and what its wrapper says.
const TO_CLOCK: u8 = 0x2b;
const COMMAND_BEGINS: u8 = 0x03;
const COMMAND_ENDS: u8 = 0x00;

/// Asks for times whenever they or the clock's state change.
const SEND_CHANGES: u8 = 0x4b;

/// Asks for the times once.
const SEND_TIMES: u8 = 0x41;

/// Hours, minutes and seconds as a clock shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hms {
    /// 0 to 9.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
}

impl Hms {
    /// The most that can be shown, in seconds.
    pub const MOST_S: u64 = 9 * 3600 + 59 * 60 + 59;

    /// So many milliseconds, rounded to seconds; what is more than nothing is at least one, and no more is shown
    /// than 9:59:59.
    ///
    /// # Panics
    /// Never: each part is below 60.
    #[must_use]
    pub fn rounded(millis: u64) -> Self {
        let seconds = (millis.saturating_add(500) / 1000).max(u64::from(millis > 0)).min(Self::MOST_S);
        let part = |value: u64| u8::try_from(value).expect("hours, minutes and seconds are below 60");
        Self { hours: part(seconds / 3600), minutes: part(seconds / 60 % 60), seconds: part(seconds % 60) }
    }

    /// The time in milliseconds.
    #[must_use]
    pub fn millis(self) -> u64 {
        1000 * (u64::from(self.hours) * 3600 + u64::from(self.minutes) * 60 + u64::from(self.seconds))
    }
}

/// How the clock stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// What each end shows.
    pub shown: Ends<Hms>,
    /// Whether each end's flag is down.
    pub fallen: Ends<bool>,
    /// Which end runs: `Some(true)` is the left one.
    pub left_runs: Option<bool>,
    /// The lever is up on the right.
    pub lever_right: bool,
    /// The battery is low.
    pub battery_low: bool,
}

/// An answer to a command, or news of the clock's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// 0x10 is good; anything else is a refusal.
    pub verdict: u8,
    /// The command answered; with bit 7 set, news that nobody asked for.
    pub about: u8,
    /// What goes with it: a version, a button.
    pub data: [u8; 2],
}

/// A message of times, as what it turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Times.
    Times(Times),
    /// An answer.
    Acknowledgement(Acknowledgement),
    /// No clock is connected.
    NoClock,
    /// All zeros, which boards send now and then and which mean nothing.
    Zeros,
    /// A message that is not about the clock.
    Other,
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// A byte where no message is under way, or a message that breaks off.
    #[error("bytes that belong to no message")]
    Garbage,
    /// A length that a message of times cannot have.
    #[error("a message of times of another length than 10")]
    Length,
    /// An hour above 9, or minutes or seconds that are no two digits below 60.
    #[error("a time that no clock shows")]
    Impossible,
}

/// What the clock is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Send what changes from now on. It is not answered.
    SendChanges,
    /// Send the times once. It is answered by them.
    SendTimes,
    /// Which version is the clock?
    Version,
    /// Set the times and let one end run, or none; the lever changes sides.
    SetAndRun {
        /// The times.
        times: Ends<Hms>,
        /// Which end runs: `Some(true)` is the left one.
        left_runs: Option<bool>,
    },
    /// Show a text of eight characters.
    Text(String),
    /// Show the times again.
    EndText,
    /// Sound for so many sixteenths of a second.
    Beep(u8),
}

impl Command {
    /// The number by which the clock answers, if it does.
    #[must_use]
    pub const fn number(&self) -> Option<u8> {
        match self {
            Self::SendChanges | Self::SendTimes => None,
            Self::EndText => Some(0x03),
            Self::Version => Some(0x09),
            Self::SetAndRun { .. } => Some(0x0a),
            Self::Beep(_) => Some(0x0b),
            Self::Text(_) => Some(0x0c),
        }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut data = Vec::new();
        match self {
            Self::SendChanges => return vec![SEND_CHANGES],
            Self::SendTimes => return vec![SEND_TIMES],
            Self::Version | Self::EndText => {}
            Self::SetAndRun { times, left_runs } => {
                for Hms { hours, minutes, seconds } in [times.left, times.right] {
                    data.extend([hours, minutes, seconds]);
                }
                // One end runs or both pause; the lever changes sides.
                data.push(match left_runs {
                    Some(true) => 0x01 | 0x08,
                    Some(false) => 0x02 | 0x08,
                    None => 0x04,
                });
            }
            Self::Text(text) => {
                let shown = text.bytes().filter(|byte| (b' '..=b'~').contains(byte));
                data.extend(shown.chain(std::iter::repeat(b' ')).take(8));
                data.push(0);
            }
            Self::Beep(sixteenths) => data.push(*sixteenths.min(&48)),
        }
        let number = self.number().unwrap_or_default();
        let length = u8::try_from(data.len() + 3).unwrap_or_default();
        let mut bytes = vec![TO_CLOCK, length, COMMAND_BEGINS, number];
        bytes.extend(data);
        bytes.push(COMMAND_ENDS);
        bytes
    }
}

/// What is under way.
#[derive(Clone, Debug, Default)]
enum Under {
    /// Nothing.
    #[default]
    Nothing,
    /// The identity and perhaps one byte of the length.
    Header(u8, Option<u8>),
    /// Data of a message of times.
    Times(Vec<u8>),
    /// So many bytes of another message.
    Other(u16),
}

/// Collects bytes to frames, in memory that does not depend on what comes in.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    under: Under,
    /// Garbage was told, and nothing good has come since.
    in_garbage: bool,
}

impl Frames {
    /// Takes in a byte. Returns the frame that it ends, or what is wrong; a stretch of garbage is told once.
    pub fn push(&mut self, byte: u8) -> Option<Result<Frame, FrameError>> {
        if byte & 0x80 != 0 {
            // A message begins, whatever was under way.
            let broke_off = !matches!(self.under, Under::Nothing);
            self.under = Under::Header(byte, None);
            return broke_off.then_some(Err(FrameError::Garbage));
        }
        match std::mem::take(&mut self.under) {
            Under::Nothing => {
                let is_new = !std::mem::replace(&mut self.in_garbage, true);
                is_new.then_some(Err(FrameError::Garbage))
            }
            Under::Header(identity, None) => {
                self.under = Under::Header(identity, Some(byte));
                None
            }
            Under::Header(identity, Some(high)) => {
                self.begin(identity, u16::from(high) << 7 | u16::from(byte))
            }
            Under::Times(mut data) => {
                data.push(byte);
                if data.len() < TIMES_LENGTH - 3 {
                    self.under = Under::Times(data);
                    return None;
                }
                self.in_garbage = false;
                Some(decode(&data))
            }
            Under::Other(1) => {
                self.in_garbage = false;
                Some(Ok(Frame::Other))
            }
            Under::Other(more) => {
                self.under = Under::Other(more - 1);
                None
            }
        }
    }

    fn begin(&mut self, identity: u8, length: u16) -> Option<Result<Frame, FrameError>> {
        if identity == TIMES {
            if usize::from(length) != TIMES_LENGTH {
                return Some(Err(FrameError::Length));
            }
            self.under = Under::Times(Vec::with_capacity(TIMES_LENGTH));
            return None;
        }
        match length.checked_sub(3) {
            None => Some(Err(FrameError::Garbage)),
            Some(0) => Some(Ok(Frame::Other)),
            Some(more) => {
                self.under = Under::Other(more);
                None
            }
        }
    }

    /// Forgets what is under way.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The seven data bytes of a message of times; the right end comes first.
fn decode(data: &[u8]) -> Result<Frame, FrameError> {
    let &[right_hours, right_minutes, right_seconds, left_hours, left_minutes, left_seconds, status] = data
    else {
        return Err(FrameError::Length);
    };
    if data.iter().all(|&byte| byte == 0) {
        return Ok(Frame::Zeros);
    }
    if right_hours & 0x0f == 0x0a || left_hours & 0x0f == 0x0a {
        // The high bits of the four bytes are in the flags of the other end's hours.
        let bit = |from: u8, mask: u8| if from & mask == 0 { 0 } else { 0x80 };
        return Ok(Frame::Acknowledgement(Acknowledgement {
            verdict: right_minutes | bit(left_hours, 0x10),
            about: right_seconds | bit(left_hours, 0x20),
            data: [left_minutes | bit(right_hours, 0x10), left_seconds | bit(right_hours, 0x20)],
        }));
    }
    if status & 0x20 != 0 {
        return Ok(Frame::NoClock);
    }
    let running = status & 0x01 != 0;
    let left_runs = match (running, status & 0x08 != 0, status & 0x10 != 0) {
        (true, true, false) => Some(false),
        (true, false, true) => Some(true),
        _ => None,
    };
    let fallen = |hours: u8| hours & (0x10 | 0x40) != 0;
    Ok(Frame::Times(Times {
        shown: Ends {
            left: hms(left_hours, left_minutes, left_seconds)?,
            right: hms(right_hours, right_minutes, right_seconds)?,
        },
        fallen: Ends { left: fallen(left_hours), right: fallen(right_hours) },
        left_runs,
        lever_right: status & 0x02 != 0,
        battery_low: status & 0x04 != 0,
    }))
}

fn hms(hours: u8, minutes: u8, seconds: u8) -> Result<Hms, FrameError> {
    let two_digits = |byte: u8| {
        let (tens, ones) = (byte >> 4, byte & 0x0f);
        (tens < 6 && ones < 10).then_some(tens * 10 + ones).ok_or(FrameError::Impossible)
    };
    let hours = hours & 0x0f;
    if hours > 9 {
        return Err(FrameError::Impossible);
    }
    Ok(Hms { hours, minutes: two_digits(minutes)?, seconds: two_digits(seconds)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<Result<Frame, FrameError>> {
        let mut frames = Frames::default();
        bytes.iter().filter_map(|&byte| frames.push(byte)).collect()
    }

    fn time(hours: u8, minutes: u8, seconds: u8) -> Hms {
        Hms { hours, minutes, seconds }
    }

    /// Two frames that a client of others reads as said here.
    #[test]
    fn frames_known_to_others() {
        let version = Acknowledgement { verdict: 0x10, about: 0x09, data: [0x21, 0x00] };
        assert_eq!(
            read(&[0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x09, 0x00, 0x21, 0x00, 0x00]),
            [Ok(Frame::Acknowledgement(version))]
        );
        let times = Times {
            shown: Ends { left: time(1, 29, 58), right: time(1, 30, 5) },
            left_runs: Some(false),
            ..Times::default()
        };
        assert_eq!(
            read(&[0x8d, 0x00, 0x0a, 0x01, 0x30, 0x05, 0x01, 0x29, 0x58, 0x09]),
            [Ok(Frame::Times(times))]
        );
    }

    #[test]
    fn every_digit_of_both_ends_is_read() {
        for number in 0..60u8 {
            let digits = number / 10 * 16 + number % 10;
            let hours = number % 10;
            let frame = [0x8d, 0, 10, hours, digits, 0x59, hours, 0x01, digits, 0x11];
            let times = Times {
                shown: Ends { left: time(hours, 1, number), right: time(hours, number, 59) },
                left_runs: Some(true),
                ..Times::default()
            };
            assert_eq!(read(&frame), [Ok(Frame::Times(times))]);
        }
        for wrong in [0x0a_u8, 0x1b, 0x60, 0x7f] {
            for at in [4, 5, 7, 8] {
                let mut frame = [0x8d, 0, 10, 1, 1, 1, 1, 1, 1, 1];
                frame[at] = wrong;
                assert_eq!(read(&frame), [Err(FrameError::Impossible)]);
            }
        }
        assert_eq!(read(&[0x8d, 0, 10, 0x0b, 1, 1, 1, 1, 1, 1]), [Err(FrameError::Impossible)]);
    }

    #[test]
    fn flags_levers_and_batteries() {
        let frames = read(&[0x8d, 0, 10, 0x10, 0, 0, 0x41, 0x30, 0, 0x06]);
        let Some(Ok(Frame::Times(times))) = frames.first() else { panic!("{frames:?}") };
        assert_eq!(times.fallen, Ends { left: true, right: true });
        assert_eq!((times.left_runs, times.lever_right, times.battery_low), (None, true, true));
        assert_eq!(read(&[0x8d, 0, 10, 0, 1, 1, 0, 1, 1, 0x20]), [Ok(Frame::NoClock)]);
        assert_eq!(read(&[0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0]), [Ok(Frame::Zeros)]);
        // News that nobody asked for: a button. The high bit is in the other end's hours.
        let news = Acknowledgement { verdict: 0x10, about: 0x88, data: [0, 0x33] };
        assert_eq!(
            read(&[0x8d, 0, 10, 0x0a, 0x10, 0x08, 0x20, 0, 0x33, 0]),
            [Ok(Frame::Acknowledgement(news))]
        );
    }

    #[test]
    fn a_reader_finds_its_way_after_garbage() {
        let good = [0x8d, 0, 10, 1, 0x30, 5, 1, 0x29, 0x58, 9];
        let mut bytes = vec![0x00, 0x13, 0x7f, 0x8d, 0x00];
        bytes.extend(good);
        let read_of = read(&bytes);
        assert_eq!(read_of[..2], [Err(FrameError::Garbage), Err(FrameError::Garbage)]);
        assert!(matches!(read_of[2..], [Ok(Frame::Times(_))]), "{read_of:?}");
        // Another message is passed over by its length, and one that breaks off ends with the next.
        let mut bytes = vec![0x8e, 0, 5, 31, 1, 0x86, 0, 67, 1, 2];
        bytes.extend(good);
        let read_of = read(&bytes);
        assert_eq!(read_of[..2], [Ok(Frame::Other), Err(FrameError::Garbage)]);
        assert!(matches!(read_of[2..], [Ok(Frame::Times(_))]), "{read_of:?}");
        assert_eq!(read(&[0x8d, 0, 11, 1]), [Err(FrameError::Length), Err(FrameError::Garbage)]);
        assert_eq!(read(&[0x90, 0, 2]), [Err(FrameError::Garbage)]);
    }

    #[test]
    fn commands_are_wrapped() {
        let times = Ends { left: time(1, 20, 0), right: time(0, 59, 59) };
        for (command, bytes) in [
            (Command::SendChanges, vec![0x4b]),
            (Command::SendTimes, vec![0x41]),
            (Command::Version, vec![0x2b, 3, 3, 9, 0]),
            (Command::EndText, vec![0x2b, 3, 3, 3, 0]),
            (Command::Beep(2), vec![0x2b, 4, 3, 0x0b, 2, 0]),
            (
                Command::SetAndRun { times, left_runs: Some(false) },
                vec![0x2b, 0x0a, 3, 0x0a, 1, 20, 0, 0, 59, 59, 0x0a, 0],
            ),
            (
                Command::SetAndRun { times, left_runs: None },
                vec![0x2b, 0x0a, 3, 0x0a, 1, 20, 0, 0, 59, 59, 4, 0],
            ),
            (
                Command::Text("2-0".to_owned()),
                vec![0x2b, 0x0c, 3, 0x0c, b'2', b'-', b'0', b' ', b' ', b' ', b' ', b' ', 0, 0],
            ),
        ] {
            assert_eq!(command.bytes(), bytes);
        }
    }

    #[test]
    fn times_are_rounded_to_what_can_be_shown() {
        for (millis, shown) in [
            (0, time(0, 0, 0)),
            (1, time(0, 0, 1)),
            (1499, time(0, 0, 1)),
            (1500, time(0, 0, 2)),
            (3_599_999, time(1, 0, 0)),
            (u64::MAX, time(9, 59, 59)),
        ] {
            assert_eq!(Hms::rounded(millis), shown);
        }
        assert_eq!(time(9, 59, 59).millis(), 35_999_000);
    }
}
