//! The games by name, and what sets each apart: a table of constants that name their articles.
//!
//! `CN100` and `CN64` are the competition rules for 100 and for 64 squares; numbers differ between them. The
//! Russian rules are those of the world federation, whose moving articles nobody here has read in the
//! original: their entries say so.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// International draughts on 100 squares, 20 discs a side.
    International,
    /// Brazilian draughts on 64 squares: the international rules on the small board.
    Brazilian,
    /// Russian draughts on 64 squares: free choice of captures, promotion in passing.
    Russian,
}

/// What the rules of one game say where the games differ; each entry names the article it rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How many rows each side's discs fill at the start, and the article.
    pub start_rows: (u8, &'static str),
    /// Capturing is compulsory.
    pub compulsory_capture: &'static str,
    /// A captured piece stays on the board until the sequence is finished and is never jumped twice.
    pub captured_stay: &'static str,
    /// The sequence that takes the most pieces must be chosen; none where the choice is free.
    pub majority: Option<&'static str>,
    /// A man that reaches the far row during a capture goes on as a king; none where it must stop there.
    pub promotes_in_passing: Option<&'static str>,
}

const INTERNATIONAL: Rules = Rules {
    start_rows: (4, "CN100 2.2"),
    compulsory_capture: "CN100 6.2",
    captured_stay: "CN100 6.9, 6.12",
    majority: Some("CN100 6.13"),
    promotes_in_passing: None, // CN100 6.15
};

const BRAZILIAN: Rules = Rules {
    start_rows: (3, "CN64 2.2"),
    compulsory_capture: "CN64 6.2",
    captured_stay: "CN64 6.8, 6.11",
    majority: Some("CN64 6.12.1.2"),
    promotes_in_passing: None, // CN64 6.12.1.3
};

const RUSSIAN: Rules = Rules {
    start_rows: (3, "CN64 2.2"),
    compulsory_capture: "CN64 6.2",
    captured_stay: "CN64 6.8, 6.11",
    majority: None, // world federation's rules, article not verified
    promotes_in_passing: Some("world federation's rules, article not verified"),
};

impl Variant {
    /// All games.
    pub const ALL: [Self; 3] = [Self::International, Self::Brazilian, Self::Russian];

    /// How many dark squares the board has: 50 or 32.
    #[must_use]
    pub const fn square_count(self) -> u8 {
        match self {
            Self::International => 50,
            Self::Brazilian | Self::Russian => 32,
        }
    }

    /// How many rows, and columns, the board has: 10 or 8.
    #[must_use]
    pub const fn rows(self) -> u8 {
        match self {
            Self::International => 10,
            Self::Brazilian | Self::Russian => 8,
        }
    }

    /// The game's table of constants.
    #[must_use]
    pub const fn rules(self) -> &'static Rules {
        match self {
            Self::International => &INTERNATIONAL,
            Self::Brazilian => &BRAZILIAN,
            Self::Russian => &RUSSIAN,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::International => "international",
            Self::Brazilian => "brazilian",
            Self::Russian => "russian",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no game this program knows.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a known game: use international, brazilian or russian")]
pub struct UnknownVariant(pub String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        Self::ALL
            .into_iter()
            .find(|variant| variant.name() == text)
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}
