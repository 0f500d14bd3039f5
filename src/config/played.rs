//! The tables `[simulated]` and `[recorded]`: boards without copper.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Problem;
use super::board::Source;
use crate::playback::Speed;

/// The board that simulated hands play on, for `source = "simulated"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Simulated {
    /// A PDN file with the games that are played one after another; without one, the built-in game.
    pub games: Option<PathBuf>,
    /// Everything that hands and contacts leave to chance follows from this number and that of the game.
    pub seed: u64,
    /// How many times faster than life.
    pub speed: Speed,
    /// After how many games the board has nothing more to say; 0 is never.
    pub end_after: u64,
}

impl Default for Simulated {
    fn default() -> Self {
        Self { games: None, seed: 1, speed: Speed::LIFE, end_after: 0 }
    }
}

/// The recording that is played, for `source = "recorded"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recorded {
    /// The trace.
    pub trace: Option<PathBuf>,
    /// How many times faster than life.
    pub speed: Speed,
}

impl Default for Recorded {
    fn default() -> Self {
        Self { trace: None, speed: Speed::LIFE }
    }
}

impl Recorded {
    pub(super) fn check(&self, source: Source, problems: &mut Vec<Problem>) {
        if source == Source::Recorded && self.trace.is_none() {
            problems.push(Problem {
                key: "recorded.trace".to_owned(),
                found: "left out".to_owned(),
                expected: "the name of a trace, since board.source is \"recorded\"".to_owned(),
                advice: "`draughtsd simulate > game.jsonl` makes one",
            });
        }
    }
}
