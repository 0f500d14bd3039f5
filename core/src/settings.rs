//! Settings of sensing, reading and telling, as data: a trace may carry those that were in force.
//!
//! Units are in the names. The defaults are the contract's: every range that `docs/trace.md` says
//! must not disturb the reading lies on the quiet side of them, every deliberate act on the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::alert::AlertCode;
use crate::alert::policy::{AlertPolicy, Profile, RuleBook, TouchPolicy, Treatment};
use crate::rules::Variant;
use crate::rules::draws::DrawPreset;

/// Thresholds and policies in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// A contact bounces for no longer than this around a real change. Reed switches settle within
    /// 1 ms; 5 ms are promised.
    pub bounce_ms: u64,
    /// A closure of an empty square shorter than this is a disc passing in the hand (promised: up to
    /// 100 ms; a landing between two jumps lasts 150 ms or more).
    pub pass_ms: u64,
    /// An opening of an occupied square shorter than this is a knock, a nudge or a flickering landing
    /// (promised: up to 250 ms; a disc lifted on purpose is off for 400 ms or more).
    pub dropout_ms: u64,
    /// Changes within this time of each other carry no order.
    pub simultaneous_ms: u64,
    /// How long a readable move waits before it is told as provisional.
    pub settle_ms: u64,
    /// How long after its disc came to rest a move without a press is final.
    pub release_ms: u64,
    /// How long after the press a captured disc may still stand.
    pub late_removal_ms: u64,
    /// The longest pause between two removals of one capture.
    pub removal_pause_ms: u64,
    /// How late a player may come (CN100 8.3.1: an hour as a rule).
    pub late_arrival_ms: u64,
    /// How long a new start position stands until a game without a result is reported.
    pub start_position_ms: u64,
    /// The rule book whose articles alerts cite.
    pub rule_book: RuleBook,
    /// The rule book whose draw rules are counted.
    pub draw_rules: DrawRules,
    /// A game ends by itself when a draw rule is complete; otherwise it is the arbiter's to declare.
    pub declare_draws: bool,
    /// What touching a piece binds to.
    pub touch_policy: TouchPolicy,
    /// How strictly irregular acts are told.
    pub profile: Profile,
    /// How single kinds of acts are told, where that differs from the profile.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub alerts: BTreeMap<AlertCode, Treatment>,
}

/// Whose draw rules are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRules {
    /// Those that go with the game.
    #[default]
    ByGame,
    /// Those for 100 squares, CN100 12.3.
    Cn100,
    /// Those for Brazilian draughts, CN64 12.3.
    Cn64,
    /// The Brazilian national rules.
    Cbd,
    /// The world federation's for Russian draughts.
    Fmjd64,
}

impl DrawRules {
    /// The preset in force for a game of `variant`.
    #[must_use]
    pub const fn preset(self, variant: Variant) -> DrawPreset {
        match self {
            Self::ByGame => DrawPreset::for_variant(variant),
            Self::Cn100 => DrawPreset::Cn100,
            Self::Cn64 => DrawPreset::Cn64,
            Self::Cbd => DrawPreset::Cbd,
            Self::Fmjd64 => DrawPreset::Fmjd64,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bounce_ms: 8,
            pass_ms: 125,
            dropout_ms: 320,
            simultaneous_ms: 40,
            settle_ms: 0,
            release_ms: 1500,
            late_removal_ms: 3000,
            removal_pause_ms: 10_000,
            late_arrival_ms: 3_600_000,
            start_position_ms: 5000,
            rule_book: RuleBook::ByGame,
            draw_rules: DrawRules::ByGame,
            declare_draws: false,
            touch_policy: TouchPolicy::Draughts,
            profile: Profile::Tournament,
            alerts: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// No threshold is longer than this, a day; what is longer is a slip of the keyboard.
    pub const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;

    /// What is laid down about the telling of irregular acts.
    #[must_use]
    pub fn alert_policy(&self) -> AlertPolicy {
        AlertPolicy { book: self.rule_book, profile: self.profile, codes: self.alerts.clone() }
    }

    /// Every threshold by its key, as it is written in traces and in the configuration, in milliseconds.
    ///
    /// # Panics
    /// Never: thresholds have string keys and whole numbers.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, u64)> {
        let value = serde_json::to_value(self).expect("thresholds have string keys");
        let entries = value.as_object().into_iter().flatten();
        entries.filter_map(|(key, value)| Some((key.clone(), value.as_u64()?))).collect()
    }
}
