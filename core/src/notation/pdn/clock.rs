//! Clock times in comments: `[%clock w1:19:50 B1:20:00]`, `[%clk 1:19:50]`.
//!
//! PDN 3.0 names the first as the preferred form for electronic boards, and lidraughts writes and reads it. A
//! time belongs to the move before its comment.

use std::fmt;

use crate::piece::Side;

/// What the clock showed after a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ClockTimes {
    /// White's remaining time in milliseconds.
    pub white: Option<u64>,
    /// Black's remaining time in milliseconds.
    pub black: Option<u64>,
    /// Whose time runs; none while the clock is stopped or where the file does not say.
    pub running: Option<Side>,
}

impl ClockTimes {
    /// The remaining time of `side` in milliseconds.
    #[must_use]
    pub const fn of(&self, side: Side) -> Option<u64> {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Sets the remaining time of `side`.
    pub const fn set(&mut self, side: Side, millis: u64) {
        match side {
            Side::White => self.white = Some(millis),
            Side::Black => self.black = Some(millis),
        }
    }

    /// Takes the clock times out of the text of a comment.
    ///
    /// - `comment`: without its braces.
    /// - `mover`: whose move stands before the comment; a time without a letter is his.
    ///
    /// Returns the times, if any, and what remains of the comment. Other embedded commands, and times that
    /// cannot be read, stay in the comment.
    #[must_use]
    pub fn extract(comment: &str, mover: Side) -> (Option<Self>, String) {
        let mut found: Option<Self> = None;
        let mut rest = String::new();
        let mut left = comment;
        while let Some(begins) = left.find("[%") {
            let (before, command) = left.split_at(begins);
            let Some(ends) = command.find(']') else { break };
            append(&mut rest, before);
            match Self::read_command(&command[2..ends], mover, found.unwrap_or_default()) {
                Some(times) => found = Some(times),
                None => append(&mut rest, &command[..=ends]),
            }
            left = &command[ends + 1..];
        }
        append(&mut rest, left);
        (found, rest)
    }

    /// Reads `clock w1:19:50 B1:20:00` or `clk 1:19:50`, over the times known so far.
    fn read_command(command: &str, mover: Side, mut times: Self) -> Option<Self> {
        let (name, value) = command.split_once(char::is_whitespace)?;
        if !name.eq_ignore_ascii_case("clock") && !name.eq_ignore_ascii_case("clk") {
            return None;
        }
        let mut unnamed = 0;
        let words = value.split_whitespace().filter(|word| !word.is_empty());
        let mut any = false;
        for word in words {
            let first = word.chars().next()?;
            let (side, time) = match first {
                'w' | 'W' => (Side::White, &word[1..]),
                'b' | 'B' => (Side::Black, &word[1..]),
                _ => {
                    unnamed += 1;
                    (if unnamed == 1 { mover } else { mover.opponent() }, word)
                }
            };
            times.set(side, read_time(time)?);
            if first.is_ascii_uppercase() {
                times.running = Some(side);
            }
            any = true;
        }
        any.then_some(times)
    }
}

impl fmt::Display for ClockTimes {
    /// Writes `[%clock w1:19:50 B1:20:00]`, the capital marking the side whose time runs; seconds are cut, not
    /// rounded, as a clock shows them. A side whose time is not known is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[%clock")?;
        for (side, small, capital) in [(Side::White, 'w', 'W'), (Side::Black, 'b', 'B')] {
            if let Some(millis) = self.of(side) {
                let seconds = millis / 1000;
                let letter = if self.running == Some(side) { capital } else { small };
                write!(f, " {letter}{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
            }
        }
        f.write_str("]")
    }
}

/// Appends `piece` to `text`, with one blank between them.
fn append(text: &mut String, piece: &str) {
    let piece = piece.trim();
    if piece.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(piece);
}

/// Milliseconds of `h:mm:ss`, `h:mm`, `h.mm.ss` or seconds, the seconds perhaps with decimals.
fn read_time(text: &str) -> Option<u64> {
    let separator = if text.contains(':') { ':' } else { '.' };
    let parts: Vec<&str> = text.split(separator).collect();
    let (hours, minutes, seconds) = match parts.as_slice() {
        [seconds] => ("0", "0", *seconds),
        [hours, minutes] => (*hours, *minutes, "0"),
        [hours, minutes, seconds] => (*hours, *minutes, *seconds),
        _ => return None,
    };
    let (seconds, decimals) = seconds.split_once('.').unwrap_or((seconds, ""));
    let whole = |text: &str, limit: u64| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&number: &u64| is_number && number <= limit)
    };
    let seconds_limit = if parts.len() == 1 { 999 * 3600 } else { 59 };
    let mut millis = whole(seconds, seconds_limit)? + whole(minutes, 59)? * 60 + whole(hours, 999)? * 3600;
    millis *= 1000;
    let mut weight = 100;
    for digit in decimals.chars() {
        millis += u64::from(digit.to_digit(10)?) * weight;
        weight /= 10;
    }
    Some(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(white: Option<u64>, black: Option<u64>, running: Option<Side>) -> Option<ClockTimes> {
        let millis = |seconds: u64| seconds * 1000;
        Some(ClockTimes { white: white.map(millis), black: black.map(millis), running })
    }

    #[track_caller]
    fn check(comment: &str, expected: Option<ClockTimes>, rest: &str) {
        assert_eq!(ClockTimes::extract(comment, Side::Black), (expected, rest.to_owned()));
    }

    #[test]
    fn both_forms_are_read() {
        check("[%clock w1:19:50 B1:20:00]", times(Some(4790), Some(4800), Some(Side::Black)), "");
        check("[%clock W0:00:05 b0:01:00]", times(Some(5), Some(60), Some(Side::White)), "");
        check("[%clk 0:10:01]", times(None, Some(601), None), "");
        check("[%clk w0:00:10 B0:00:03]", times(Some(10), Some(3), Some(Side::Black)), "");
        check("[%clock 0:49:11]", times(None, Some(2951), None), "");
    }

    #[test]
    fn the_rest_of_the_comment_stays() {
        check("leading [%clock 0:49:11] trailing", times(None, Some(2951), None), "leading trailing");
        check("[%emt 0:00:05] [%clk 1:02]", times(None, Some(3720), None), "[%emt 0:00:05]");
        check("no time", None, "no time");
    }

    #[test]
    fn other_ways_to_write_a_time() {
        check("[%clk 1.59.20]", times(None, Some(7160), None), "");
        check("[%clk 90]", times(None, Some(90), None), "");
        let (found, _) = ClockTimes::extract("[%clk 0:00:05.25]", Side::White);
        assert_eq!(found.and_then(|times| times.white), Some(5250));
    }

    #[test]
    fn what_is_no_time_stays_in_the_comment() {
        for comment in [
            "[%clk]",
            "[%clk x]",
            "[%clk 0:61:00]",
            "[%clk 1:2:3:4]",
            "[%clock w",
            "[%clk -1:00:00]",
            "[%clk +5]",
        ] {
            check(comment, None, comment);
        }
    }

    #[test]
    fn written_with_hours_and_two_digits() {
        let both = ClockTimes { white: Some(4_790_999), black: Some(4_800_000), running: Some(Side::Black) };
        assert_eq!(both.to_string(), "[%clock w1:19:50 B1:20:00]");
        let one = ClockTimes { white: None, black: Some(1), running: None };
        assert_eq!(one.to_string(), "[%clock b0:00:00]");
    }
}
