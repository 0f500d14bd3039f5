//! What an event lays down about irregular acts: the rule book that is cited, what touching binds to, and
//! which acts are told how loudly to whom.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Addressee, AlertCode, Grade};
use crate::rules::Variant;

/// The rule book whose articles are cited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleBook {
    /// The one that goes with the game: `cn100` on 100 squares, `cn64` on 64.
    #[default]
    ByGame,
    /// The rules for 100 squares.
    Cn100,
    /// The rules for 64 squares.
    Cn64,
    /// The world federation's. Nobody here has read them in the original, so that articles are cited as not
    /// verified.
    Fmjd,
}

impl RuleBook {
    /// The book in force for a game of `variant`: never [`RuleBook::ByGame`].
    #[must_use]
    pub const fn for_game(self, variant: Variant) -> Self {
        match (self, variant) {
            (Self::ByGame, Variant::International) => Self::Cn100,
            (Self::ByGame, Variant::Brazilian | Variant::Russian) => Self::Cn64,
            (book, _) => book,
        }
    }
}

/// What touching a piece binds to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TouchPolicy {
    /// A touched own piece moves if it can (CN100 5.11).
    #[default]
    Draughts,
    /// A touched enemy piece binds as well: the ladder of CNXQ 1.1 to 1.6. Whatever the side on turn lifts and puts
    /// back is taken to be touched by it.
    StrictLadder,
}

/// How strictly acts are told where nothing else is laid down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// An arbiter is there: grades and addressees are those of the contract's table.
    #[default]
    Tournament,
    /// Nobody keeps the gates: how discs were handled is only noted, and what only an arbiter could ask for is not
    /// told.
    Club,
}

/// How one kind of act is told, where that differs from the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Treatment {
    /// Not at all, and no move is marked with it.
    pub off: bool,
    /// How loudly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// To whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addressee: Option<Addressee>,
}

/// Everything laid down about the telling of irregular acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertPolicy {
    /// The rule book cited.
    pub book: RuleBook,
    /// What holds where nothing is said of a code.
    pub profile: Profile,
    /// What is said of single codes.
    pub codes: BTreeMap<AlertCode, Treatment>,
}

impl AlertPolicy {
    /// How loudly and to whom acts of this kind are told; `None` where they are not.
    #[must_use]
    pub fn weight(&self, code: AlertCode) -> Option<(Grade, Addressee)> {
        let by_profile = match self.profile {
            Profile::Tournament => Some(super::articles::weight(code)),
            Profile::Club => club_weight(code),
        };
        let Some(treatment) = self.codes.get(&code) else { return by_profile };
        let (grade, addressee) = by_profile.unwrap_or_else(|| super::articles::weight(code));
        (!treatment.off)
            .then_some((treatment.grade.unwrap_or(grade), treatment.addressee.unwrap_or(addressee)))
    }
}

/// What a club is told.
const fn club_weight(code: AlertCode) -> Option<(Grade, Addressee)> {
    let (grade, addressee) = super::articles::weight(code);
    match code {
        AlertCode::LateArrival
        | AlertCode::DrawOfferTooEarly
        | AlertCode::ClockPressedEarly
        | AlertCode::PressForgotten
        | AlertCode::ClockStopped
        | AlertCode::ResultMissing => None,
        AlertCode::TookBack
        | AlertCode::RemovedTooEarly
        | AlertCode::RemovalInterrupted
        | AlertCode::RemovalOutOfOrder
        | AlertCode::MovedUncrownedKing => Some((Grade::Note, addressee)),
        _ => Some((grade, addressee)),
    }
}
