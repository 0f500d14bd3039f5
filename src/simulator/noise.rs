//! How much the contacts and the hands depart from the ideal, and how it is written: `--noise 1`,
//! `--noise bounce=1,dropout=0.5`.
//!
//! Every kind of noise has a level of its own. Level 1 draws durations up to the limit that a reader
//! has to bear with no alert (`docs/trace.md`, "what happens on real boards"); 0 switches the kind
//! off; above 1 the durations go past the limit in proportion, to find out where reading breaks.
//! The level also says how often: a kind at level 0.5 is half as frequent and half as long.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A level of noise in hundredths: integers, so that every platform draws the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u32);

impl Level {
    /// Switched off.
    pub const NONE: Self = Self(0);
    /// The limits of what must be read.
    pub const FULL: Self = Self(100);
    /// The highest level there is, ten times the limits.
    pub const MAX: Self = Self(1000);

    /// The level of `hundredths`, at most [`Level::MAX`].
    #[must_use]
    pub const fn from_hundredths(hundredths: u32) -> Self {
        if hundredths > Self::MAX.0 { Self::MAX } else { Self(hundredths) }
    }

    /// The level in hundredths.
    #[must_use]
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// `limit` milliseconds at level 1, in proportion at others.
    #[must_use]
    pub(super) const fn duration(self, limit: u64) -> u64 {
        limit * self.0 as u64 / 100
    }

    /// `permille` at level 1, in proportion at others; never more than nine times in ten.
    #[must_use]
    pub(super) const fn odds(self, permille: u32) -> u32 {
        let odds = permille * self.0 / 100;
        if odds > 900 { 900 } else { odds }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        match part {
            0 => write!(f, "{whole}"),
            _ if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            _ => write!(f, "{whole}.{part:02}"),
        }
    }
}

impl FromStr for Level {
    type Err = NoiseError;

    fn from_str(text: &str) -> Result<Self, NoiseError> {
        let refuse = || NoiseError::Level(text.to_owned());
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        if whole.is_empty() || part.is_empty() || part.len() > 2 {
            return Err(refuse());
        }
        if !whole.bytes().chain(part.bytes()).all(|b| b.is_ascii_digit()) {
            return Err(refuse());
        }
        let whole: u32 = whole.parse().map_err(|_| refuse())?;
        let digits: u32 = part.parse().map_err(|_| refuse())?;
        let hundredths = if part.len() == 1 { digits * 10 } else { digits };
        let level = whole.checked_mul(100).and_then(|w| w.checked_add(hundredths)).ok_or_else(refuse)?;
        if level > Self::MAX.0 { Err(refuse()) } else { Ok(Self(level)) }
    }
}

/// The levels of all kinds of noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// A contact bounces up to 5 ms around each change.
    pub bounce: Level,
    /// A disc put down off-centre: its contact flickers for up to 1 s, open for up to 120 ms at a time.
    pub flicker: Level,
    /// The contact of a disc standing still drops out for up to 250 ms, alone or with others (a knock).
    pub dropout: Level,
    /// A disc is pushed straight in its square: open for up to 250 ms.
    pub nudge: Level,
    /// A disc in the hand passes low over an empty square: closed for up to 100 ms.
    pub pass: Level,
    /// A disc is slid to its next square: both contacts closed, or both open, for up to 100 ms.
    pub slide: Level,
    /// A disc is set down on another legal square, not let go, and carried on within 1500 ms.
    pub visit: Level,
    /// The clock is pressed late or not at all.
    pub press: Level,
    /// Captured discs are taken off two at a time, within 30 ms of each other.
    pub pairs: Level,
}

/// The kinds of noise by name, in the order in which they are written.
const KINDS: [&str; 9] =
    ["bounce", "flicker", "dropout", "nudge", "pass", "slide", "visit", "press", "pairs"];

impl Noise {
    /// No noise at all.
    pub const NONE: Self = Self::of(Level::NONE);

    /// Every kind at the same level.
    #[must_use]
    pub const fn of(level: Level) -> Self {
        Self {
            bounce: level,
            flicker: level,
            dropout: level,
            nudge: level,
            pass: level,
            slide: level,
            visit: level,
            press: level,
            pairs: level,
        }
    }

    const fn levels(&self) -> [Level; 9] {
        [
            self.bounce,
            self.flicker,
            self.dropout,
            self.nudge,
            self.pass,
            self.slide,
            self.visit,
            self.press,
            self.pairs,
        ]
    }

    fn level_mut(&mut self, kind: &str) -> Option<&mut Level> {
        Some(match kind {
            "bounce" => &mut self.bounce,
            "flicker" => &mut self.flicker,
            "dropout" => &mut self.dropout,
            "nudge" => &mut self.nudge,
            "pass" => &mut self.pass,
            "slide" => &mut self.slide,
            "visit" => &mut self.visit,
            "press" => &mut self.press,
            "pairs" => &mut self.pairs,
            _ => return None,
        })
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels = self.levels();
        if levels.iter().all(|level| *level == levels[0]) {
            return write!(f, "{}", levels[0]);
        }
        let named = KINDS.iter().zip(levels).filter(|(_, level)| *level != Level::NONE);
        for (index, (kind, level)) in named.enumerate() {
            write!(f, "{}{kind}={level}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl FromStr for Noise {
    type Err = NoiseError;

    /// One level for every kind, or a list of kinds with their levels, the others off.
    fn from_str(text: &str) -> Result<Self, NoiseError> {
        if !text.contains('=') {
            return text.parse().map(Self::of);
        }
        let mut noise = Self::NONE;
        for item in text.split(',') {
            let (kind, level) = item.split_once('=').ok_or_else(|| NoiseError::Kind(item.to_owned()))?;
            let slot = noise.level_mut(kind.trim()).ok_or_else(|| NoiseError::Kind(kind.to_owned()))?;
            *slot = level.trim().parse()?;
        }
        Ok(noise)
    }
}

/// Why a text names no noise.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoiseError {
    /// Not a level.
    #[error("`{0}` is not a level of noise: a number from 0 to 10 with at most two decimals")]
    Level(String),
    /// Not a kind of noise.
    #[error("`{0}` is not a kind of noise: one of {list}", list = KINDS.join(", "))]
    Kind(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_written_and_read_back() {
        for text in ["0", "1", "0.5", "0.05", "2.25", "10", "bounce=1,dropout=0.5"] {
            let noise: Noise = text.parse().unwrap();
            assert_eq!(noise.to_string(), text);
        }
        assert_eq!("bounce=1".parse::<Noise>().unwrap().bounce, Level::FULL);
        assert_eq!("bounce=1".parse::<Noise>().unwrap().pass, Level::NONE);
    }

    #[test]
    fn what_is_no_noise_is_refused() {
        for text in ["", "loud", "-1", "1.", ".5", "0.125", "11", "99999999999", "1e3", "+1"] {
            assert_eq!(text.parse::<Noise>(), Err(NoiseError::Level(text.to_owned())), "{text}");
        }
        assert_eq!("hum=1".parse::<Noise>(), Err(NoiseError::Kind("hum".to_owned())));
        assert_eq!("bounce=1,pass".parse::<Noise>(), Err(NoiseError::Kind("pass".to_owned())));
    }

    #[test]
    fn levels_scale_durations_and_odds() {
        assert_eq!(Level::FULL.duration(250), 250);
        assert_eq!(Level::from_hundredths(150).duration(250), 375);
        assert_eq!(Level::NONE.duration(250), 0);
        assert_eq!(Level::from_hundredths(50).odds(200), 100);
        assert_eq!(Level::MAX.odds(200), 900);
    }
}
