//! Matches of several games: what time each game begins with.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{TimeControl, TimeControlError};
use crate::piece::Side;

/// How many games a match has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchLength {
    /// So many, at least one.
    Games(u8),
    /// Until one is won.
    UntilWon,
}

/// What becomes of the time left when a game of a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetweenGames {
    /// Each game is timed on its own (CN64 8.2.10).
    Fresh,
    /// A player takes what he has left into the next game (the Lehmann-Georgiev play-off).
    CarriedOver,
}

/// A match: games under one time control, with colours changed each time.
///
/// Written as the time control, followed by `;match-2` for a match of two games or `;play-off` for the
/// Lehmann-Georgiev play-off: one stock of time each for as many games as it takes to win one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The time control of its first game.
    pub control: TimeControl,
    /// How many games there are.
    pub length: MatchLength,
    /// What becomes of time that is left.
    pub between: BetweenGames,
}

/// Why a text is no match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchError {
    /// The part before the `;`.
    #[error("{0}")]
    Control(#[from] TimeControlError),
    /// The part after the `;`.
    #[error("`{0}` is no kind of match; expected `match-2` (any number from 2 to 99) or `play-off`")]
    Kind(String),
}

impl Match {
    /// What White and Black have at the beginning of the next game, in milliseconds.
    ///
    /// - `white_ms`, `black_ms`: what they had left in the game that is over. They change colours.
    #[must_use]
    pub fn next_start(&self, white_ms: u64, black_ms: u64) -> [(Side, u64); 2] {
        let (white, black) = match self.between {
            BetweenGames::Fresh => (self.control.starting_ms(), self.control.starting_ms()),
            BetweenGames::CarriedOver => (black_ms, white_ms),
        };
        [(Side::White, white), (Side::Black, black)]
    }

    /// Whether another game is to be played.
    ///
    /// - `played`: games that are over.
    /// - `won`: whether one of them was won.
    #[must_use]
    pub fn goes_on(&self, played: u8, won: bool) -> bool {
        match self.length {
            MatchLength::Games(games) => played < games,
            MatchLength::UntilWon => !won,
        }
    }
}

impl From<TimeControl> for Match {
    /// A single game.
    fn from(control: TimeControl) -> Self {
        Self { control, length: MatchLength::Games(1), between: BetweenGames::Fresh }
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.control)?;
        match self.length {
            MatchLength::Games(1) => Ok(()),
            MatchLength::Games(games) => write!(f, ";match-{games}"),
            MatchLength::UntilWon => f.write_str(";play-off"),
        }
    }
}

impl FromStr for Match {
    type Err = MatchError;

    fn from_str(text: &str) -> Result<Self, MatchError> {
        let (control, kind) = text.split_once(';').unwrap_or((text, ""));
        let control: TimeControl = control.parse()?;
        let games = || kind.strip_prefix("match-")?.parse().ok().filter(|games| (2..=99).contains(games));
        match kind {
            "" if !text.contains(';') => Ok(control.into()),
            "play-off" => {
                let (length, between) = (MatchLength::UntilWon, BetweenGames::CarriedOver);
                Ok(Self { control, length, between })
            }
            _ => {
                let games = games().ok_or_else(|| MatchError::Kind(kind.chars().take(40).collect()))?;
                Ok(Self { control, length: MatchLength::Games(games), between: BetweenGames::Fresh })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_on_64_squares_are_each_timed_on_their_own_8_2_10() {
        let two: Match = "900+5;match-2".parse().unwrap();
        assert_eq!(two.to_string(), "900+5;match-2");
        assert_eq!(two.next_start(1, 2), [(Side::White, 900_000), (Side::Black, 900_000)]);
        assert!(two.goes_on(1, true) && !two.goes_on(2, false));
    }

    #[test]
    fn the_play_off_takes_time_along_until_a_game_is_won() {
        let play_off: Match = "1200+5;play-off".parse().unwrap();
        assert_eq!(play_off.to_string(), "1200+5;play-off");
        assert_eq!(play_off.next_start(300_000, 700_000), [(Side::White, 700_000), (Side::Black, 300_000)]);
        assert!(play_off.goes_on(9, false) && !play_off.goes_on(1, true));
    }

    #[test]
    fn a_single_game_is_its_control() {
        let one: Match = "4800+60".parse().unwrap();
        assert_eq!((one.to_string().as_str(), one.goes_on(1, false)), ("4800+60", false));
        for text in ["", "x;match-2", "300;", "300;match-1", "300;match-100", "300;playoff", "300;match-2;"] {
            assert!(text.parse::<Match>().is_err(), "{text}");
        }
    }
}
