//! The table `[board]`: the game that is played and what the board is built with.

use draughtsd_core::rules::Variant;
use draughtsd_core::trace::{ClockLink, Crowning};
use serde::{Deserialize, Serialize};

use super::Problem;

/// The longest id of a board.
const LONGEST_ID: usize = 32;

/// The board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Board {
    /// What the board is called in addresses and feeds: letters, digits, `-` and `_`, at most 32.
    pub id: String,
    /// Where its contacts come from.
    pub source: Source,
    /// Which game is played.
    pub game: Variant,
    /// At which end of the board White sits.
    pub white_side: WhiteSide,
    /// How a crowning is sensed.
    pub crowning: Crowning,
    /// Whether a game clock is linked.
    pub clock: ClockLink,
}

/// Where a board's contacts come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A switch matrix on the machine's pins.
    #[default]
    Gpio,
    /// Simulated hands.
    Simulated,
    /// A recording.
    Recorded,
}

/// An end of the board, as it is wired. Contacts cannot tell the two ends apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhiteSide {
    /// The end of the highest contact numbers: contact and square have the same number.
    #[default]
    Near,
    /// The end of contact 1: the board is turned round, and contact 1 is under the highest square.
    Far,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            id: "1".to_owned(),
            source: Source::default(),
            game: Variant::International,
            white_side: WhiteSide::default(),
            crowning: Crowning::default(),
            clock: ClockLink::default(),
        }
    }
}

impl Board {
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if self.id.is_empty() || self.id.len() > LONGEST_ID || !self.id.chars().all(known) {
            problems.push(Problem {
                key: "board.id".to_owned(),
                found: format!("{:?}", self.id),
                expected: format!("1 to {LONGEST_ID} letters (a to z), digits, `-` or `_`"),
                advice: "it is part of web addresses and topic names; the table's number will do",
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_fit_for_an_address() {
        let longest = "x".repeat(LONGEST_ID);
        let too_long = "x".repeat(LONGEST_ID + 1);
        for (id, fits) in [
            ("1", true),
            ("hall-b_07", true),
            (longest.as_str(), true),
            (too_long.as_str(), false),
            ("", false),
            ("a b", false),
            ("a/b", false),
            ("../x", false),
            ("é", false),
        ] {
            let mut problems = Vec::new();
            Board { id: id.to_owned(), ..Board::default() }.check(&mut problems);
            assert_eq!(problems.is_empty(), fits, "{id:?} {problems:?}");
        }
    }
}
