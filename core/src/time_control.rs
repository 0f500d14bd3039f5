//! Time controls as data, and the compact notation in which the configuration, traces and PDN write them.
//!
//! A control is a row of periods, written with `:` between them. A period is
//! `[MOVES/]SECONDS[+BONUS|dDELAY]`:
//!
//! | notation | control |
//! |---|---|
//! | `600` | ten minutes for the game (sudden death, CN100 8.1.1) |
//! | `4800+60` | 80 minutes and 60 seconds for each move (Fischer, 8.1.2) |
//! | `600d5` | ten minutes; of each move's time up to 5 seconds are given back (Bronstein) |
//! | `45/5400+30:1800+30` | 90 minutes for 45 moves, then 30 minutes; 30 seconds for each move |
//! | `40/5400:10/900` | 90 minutes for 40 moves, then 15 minutes for each 10 (CNXQ 2.1) |
//! | `5400:900+10` | 90 minutes without a bonus, and when they are used up 15 minutes with 10 seconds a move (8.1.3) |
//!
//! A last period with a number of moves repeats to the end of the game. An earlier one without a number lasts
//! until its time is used up. Moves are counted by press (8.2.6); the bonus comes with the press, so whoever
//! wants it for the first move as well writes it into the starting time. This is the form of PDN's tag
//! `TimeControl`, where `?` is not known and `-` is no time control.
//!
//! How time passes under a control is [`GameClock`]'s; what becomes of it between the games of a match,
//! [`Match`]'s.

mod game_clock;
mod matches;

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use thiserror::Error;

pub use game_clock::{GameClock, Pressed};
pub use matches::{BetweenGames, Match, MatchError, MatchLength};

/// The longest time of a period: a day, in seconds.
const LONGEST_PERIOD_S: u64 = 24 * 3600;

/// The greatest bonus, in seconds.
const GREATEST_BONUS_S: u64 = 3600;

/// The most moves of a period.
const MOST_MOVES: u32 = 999;

/// The most periods.
const MOST_PERIODS: usize = 8;

/// What a player gets for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing.
    #[default]
    None,
    /// This much, added with each press.
    Fischer {
        /// In milliseconds.
        ms: u64,
    },
    /// What the move took is given back with its press, up to this much; time never rises above what it was
    /// when the move began.
    Bronstein {
        /// In milliseconds.
        ms: u64,
    },
}

impl Bonus {
    /// What a press brings, in milliseconds.
    ///
    /// - `used_ms`: how long the move took.
    #[must_use]
    pub fn for_move(self, used_ms: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::Fischer { ms } => ms,
            Self::Bronstein { ms } => ms.min(used_ms),
        }
    }
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many moves have to be made in it; without a number it lasts until its time is used up.
    pub moves: Option<NonZeroU32>,
    /// The time that it brings, in milliseconds.
    pub time_ms: u64,
    /// What each move brings.
    pub bonus: Bonus,
}

/// A time control: at least one [`Period`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    periods: Vec<Period>,
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{text}` is no time control: {problem}; one is like 600, 4800+60, 600d5 or 40/5400:10/900, in seconds"
)]
pub struct TimeControlError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl TimeControl {
    /// So much time for the whole game.
    ///
    /// - `seconds`: at least 1; at most a day is taken.
    #[must_use]
    pub fn sudden_death(seconds: u32) -> Self {
        let seconds = u64::from(seconds).clamp(1, LONGEST_PERIOD_S);
        Self { periods: vec![Period { moves: None, time_ms: seconds * 1000, bonus: Bonus::None }] }
    }

    /// The periods, in order; never empty.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// The period with this index; the last one repeats.
    #[must_use]
    pub fn period(&self, index: usize) -> Period {
        self.periods[index.min(self.periods.len() - 1)]
    }

    /// The time each player begins with, in milliseconds.
    #[must_use]
    pub fn starting_ms(&self) -> u64 {
        self.periods[0].time_ms
    }

    /// Whether a further period begins when the one with this index is over.
    #[must_use]
    pub fn goes_on_after(&self, index: usize) -> bool {
        index + 1 < self.periods.len() || self.period(index).moves.is_some()
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time_ms / 1000)?;
        match self.bonus {
            Bonus::None => Ok(()),
            Bonus::Fischer { ms } => write!(f, "+{}", ms / 1000),
            Bonus::Bronstein { ms } => write!(f, "d{}", ms / 1000),
        }
    }
}

impl fmt::Display for TimeControl {
    /// Writes the notation; what is written reads the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            write!(f, "{period}")?;
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let shown = || text.chars().take(60).collect();
        let refuse = |problem| TimeControlError { text: shown(), problem };
        let periods: Vec<Period> =
            text.trim().split(':').map(parse_period).collect::<Result<_, _>>().map_err(refuse)?;
        if periods.len() > MOST_PERIODS {
            return Err(refuse("it has more than 8 periods"));
        }
        Ok(Self { periods })
    }
}

fn parse_period(text: &str) -> Result<Period, &'static str> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(parse_moves(moves)?), rest),
        None => (None, text),
    };
    let (time, bonus) = match rest.find(['+', 'd']) {
        Some(at) => (&rest[..at], parse_bonus(&rest[at..])?),
        None => (rest, Bonus::None),
    };
    let seconds = digits(time).ok_or("the time of a period is a whole number of seconds")?;
    if !(1..=LONGEST_PERIOD_S).contains(&seconds) {
        return Err("the time of a period is 1 to 86400 seconds");
    }
    Ok(Period { moves, time_ms: seconds * 1000, bonus })
}

fn parse_moves(text: &str) -> Result<NonZeroU32, &'static str> {
    let moves = digits(text).and_then(|moves| u32::try_from(moves).ok()).and_then(NonZeroU32::new);
    moves.filter(|moves| moves.get() <= MOST_MOVES).ok_or("the moves of a period are 1 to 999")
}

/// Reads `+30` or `d5`.
fn parse_bonus(text: &str) -> Result<Bonus, &'static str> {
    let seconds = digits(&text[1..]).ok_or("the bonus is a whole number of seconds")?;
    if seconds > GREATEST_BONUS_S {
        return Err("the bonus is at most 3600 seconds");
    }
    let ms = seconds * 1000;
    Ok(match (seconds, text.starts_with('+')) {
        (0, _) => Bonus::None,
        (_, true) => Bonus::Fischer { ms },
        (_, false) => Bonus::Bronstein { ms },
    })
}

/// Decimal digits and nothing else; the standard parser would take a leading `+`.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(moves: u32, minutes: u64, bonus: Bonus) -> Period {
        Period { moves: NonZeroU32::new(moves), time_ms: minutes * 60_000, bonus }
    }

    #[track_caller]
    fn check(text: &str, periods: &[Period]) {
        let control: TimeControl = text.parse().unwrap();
        assert_eq!(control.periods(), periods, "{text}");
        assert_eq!(control.to_string(), text);
    }

    #[test]
    fn the_schemes_of_the_rule_books_and_of_events() {
        let fischer = |seconds: u64| Bonus::Fischer { ms: seconds * 1000 };
        let none = Bonus::None;
        // CNXQ 2.1 to 2.5.
        check("40/5400:10/900", &[period(40, 90, none), period(10, 15, none)]);
        check("30/3600:10/600", &[period(30, 60, none), period(10, 10, none)]);
        check("40/600:30/300", &[period(40, 10, none), period(30, 5, none)]);
        check("30/300", &[period(30, 5, none)]);
        check("3600", &[period(0, 60, none)]);
        // 80 min + 60 s; 90 min/45 moves, then 30 min, 30 s a move; 15+5; 5+3.
        check("4800+60", &[period(0, 80, fischer(60))]);
        check("45/5400+30:1800+30", &[period(45, 90, fischer(30)), period(0, 30, fischer(30))]);
        check("900+5", &[period(0, 15, fischer(5))]);
        check("300+3", &[period(0, 5, fischer(3))]);
        // Bronstein; CN100 8.1.3.
        check("600d5", &[period(0, 10, Bonus::Bronstein { ms: 5000 })]);
        check("5400:900+10", &[period(0, 90, none), period(0, 15, fischer(10))]);
    }

    #[test]
    fn a_bonus_of_nothing_is_none() {
        assert_eq!("300+0".parse(), Ok(TimeControl::sudden_death(300)));
        assert_eq!(TimeControl::sudden_death(0).starting_ms(), 1000);
    }

    #[test]
    fn what_is_no_time_control_is_refused_with_the_reason() {
        for (text, problem) in [
            ("", "the time of a period is a whole number of seconds"),
            ("?", "the time of a period is a whole number of seconds"),
            ("-", "the time of a period is a whole number of seconds"),
            ("5 min", "the time of a period is a whole number of seconds"),
            ("+5", "the time of a period is a whole number of seconds"),
            ("0", "the time of a period is 1 to 86400 seconds"),
            ("86401", "the time of a period is 1 to 86400 seconds"),
            ("99999999999999999999", "the time of a period is a whole number of seconds"),
            ("0/300", "the moves of a period are 1 to 999"),
            ("1000/300", "the moves of a period are 1 to 999"),
            ("-1/300", "the moves of a period are 1 to 999"),
            ("300+", "the bonus is a whole number of seconds"),
            ("300+1d1", "the bonus is a whole number of seconds"),
            ("300+3601", "the bonus is at most 3600 seconds"),
            ("300:", "the time of a period is a whole number of seconds"),
            ("1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1", "it has more than 8 periods"),
        ] {
            let refused = text.parse::<TimeControl>();
            assert_eq!(refused, Err(TimeControlError { text: text.to_owned(), problem }));
        }
    }
}
