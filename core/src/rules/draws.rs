//! Draws by rule: after which ply a game may be declared drawn, by the rule books' counters.
//!
//! Each rule book is a preset, a table of [`DrawRow`]s: what must stand on the board (or happen) for a counter
//! to run, how far it runs, what sets it back, and what becomes of it when another rule takes over. The
//! [`DrawTracker`] carries the tables out and knows nothing of any rule by itself. The texts give limits as
//! moves by each side; the tables have the same number, the tracker counts plies.
//!
//! The texts say only that at most so many moves more are played once the material stands on the board. Our
//! reading of the rest:
//!
//! - the ply by which material arises is not counted, and neither are plies before a set-up position;
//! - a move by which the game is won never completes a draw, also on the last counted move;
//! - repetitions need not follow one another, but a man's move or a capture makes all positions before it
//!   unreachable; within one such stretch of play the rule is reported once, not again for each position that
//!   the same shuffling of kings brings up a third time;
//! - a rule is reported when its counter reaches the limit and not again before the counter has been set back.
//!
//! Who declares the draw, and whether on a claim, is left to the game and its settings.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::geometry::long_diagonal;
use crate::moves::Move;
use crate::piece::Side;
use crate::position::Position;
use crate::rules::Variant;

/// A rule by which a game is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// The same position with the same side to move for the third time.
    ThirdRepetition,
    /// Only kings moved, nothing was captured.
    KingsOnly,
    /// One king alone against three pieces with a king among them.
    SixteenMoves,
    /// One king alone against one or two pieces with a king among them.
    FiveMoves,
    /// One king alone against three or more kings.
    ThreeKings,
    /// Kings on both sides, few pieces, and nothing changes.
    FewPieces,
    /// One king alone on the main road against three pieces with a king among them.
    MainRoad,
}

impl DrawRule {
    /// All rules, whichever book has them.
    pub const ALL: [Self; 7] = [
        Self::ThirdRepetition,
        Self::KingsOnly,
        Self::SixteenMoves,
        Self::FiveMoves,
        Self::ThreeKings,
        Self::FewPieces,
        Self::MainRoad,
    ];

    /// The article of the rule in the rule book of `preset`; none if that book does not have the rule.
    #[must_use]
    pub fn article(self, preset: DrawPreset) -> Option<&'static str> {
        preset.rows().iter().find(|row| row.rule == self).map(|row| row.article)
    }

    /// The name in traces, events and summaries, `third-repetition`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThirdRepetition => "third-repetition",
            Self::KingsOnly => "kings-only",
            Self::SixteenMoves => "sixteen-moves",
            Self::FiveMoves => "five-moves",
            Self::ThreeKings => "three-kings",
            Self::FewPieces => "few-pieces",
            Self::MainRoad => "main-road",
        }
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The rule book whose draw rules are in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawPreset {
    /// 100 squares, CN100 12.3; the same as the world federation's.
    Cn100,
    /// Brazilian draughts, CN64 12.3.
    Cn64,
    /// Brazilian draughts by the national rules: twenty king moves.
    Cbd,
    /// Russian draughts by the world federation's rules for 64 squares, 7.2.
    Fmjd64,
}

/// A name that is no preset of draw rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is none of the draw rules cn100, cn64, cbd, fmjd64")]
pub struct UnknownDrawPreset(pub String);

impl DrawPreset {
    /// All presets.
    pub const ALL: [Self; 4] = [Self::Cn100, Self::Cn64, Self::Cbd, Self::Fmjd64];

    /// The preset that is in force on the board of `variant` unless the settings say otherwise.
    #[must_use]
    pub const fn for_variant(variant: Variant) -> Self {
        match variant {
            Variant::International => Self::Cn100,
            Variant::Brazilian => Self::Cn64,
            Variant::Russian => Self::Fmjd64,
        }
    }

    /// The rules of the preset, in the order in which they are reported.
    #[must_use]
    pub const fn rows(self) -> &'static [DrawRow] {
        match self {
            Self::Cn100 => CN100,
            Self::Cn64 => CN64,
            Self::Cbd => CBD,
            Self::Fmjd64 => FMJD64,
        }
    }

    /// The name in settings, `cn100`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cn100 => "cn100",
            Self::Cn64 => "cn64",
            Self::Cbd => "cbd",
            Self::Fmjd64 => "fmjd64",
        }
    }
}

impl fmt::Display for DrawPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DrawPreset {
    type Err = UnknownDrawPreset;

    fn from_str(text: &str) -> Result<Self, UnknownDrawPreset> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name() == text)
            .ok_or_else(|| UnknownDrawPreset(text.to_owned()))
    }
}

/// One rule of a rule book, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawRow {
    /// The rule.
    pub rule: DrawRule,
    /// Where the rule book has it.
    pub article: &'static str,
    /// What makes the counter run.
    pub trigger: Trigger,
    /// How far it runs, by the number of pieces on the board.
    pub limits: &'static [Limit],
    /// What sets it back to zero while its trigger lasts.
    pub resets: Resets,
    /// What becomes of it when its trigger ends.
    pub overlap: Overlap,
}

/// What makes a counter run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// A position comes again with the same side to move; the limit is how often it stands.
    SamePosition,
    /// Kings move and nothing is captured; every other ply ends it.
    KingMoves,
    /// One side has a king and nothing else, the other a king and the material given.
    LoneKing(Material),
    /// As [`Trigger::LoneKing`]; counted are only the plies before and after which the lone king holds the main
    /// road: it stands on the long diagonal, and no other piece does. Leaving the road does not set the counter
    /// back.
    LoneKingOnMainRoad(Material),
    /// Both sides have a king, and the limits name the number of pieces on the board.
    KingsOnBothSides,
}

/// What the side opposite a lone king has, at least one king included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    /// How many pieces.
    pub pieces: RangeInclusive<usize>,
    /// Whether there may be men among them.
    pub men: Men,
}

/// Whether a material includes men.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Men {
    /// Kings only.
    None,
    /// Any number, as long as there is a king.
    Some,
}

/// How far a counter runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// For how many pieces on the board.
    pub pieces: RangeInclusive<usize>,
    /// Moves by each side; for [`Trigger::SamePosition`] how often the position stands.
    pub moves: u16,
}

/// What sets a counter back to zero while its trigger lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resets {
    /// Nothing does.
    Never,
    /// A capture.
    Capture,
    /// A capture or a promotion.
    CaptureOrPromotion,
}

/// What becomes of a counter when its trigger ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It is set back.
    Ends,
    /// It runs on while the trigger of that rule lasts; the rule of the two that completes first is the draw,
    /// the other is not reported.
    RunsOnIn(DrawRule),
}

const ANY: RangeInclusive<usize> = 0..=usize::MAX;

const fn third_repetition(article: &'static str) -> DrawRow {
    DrawRow {
        rule: DrawRule::ThirdRepetition,
        article,
        trigger: Trigger::SamePosition,
        limits: &[Limit { pieces: ANY, moves: 3 }],
        resets: Resets::Never,
        overlap: Overlap::Ends,
    }
}

const fn kings_only(article: &'static str, limits: &'static [Limit]) -> DrawRow {
    DrawRow {
        rule: DrawRule::KingsOnly,
        article,
        trigger: Trigger::KingMoves,
        limits,
        resets: Resets::Never,
        overlap: Overlap::Ends,
    }
}

/// Two kings, a king and a man, or a king, against one king.
const fn five_moves(article: &'static str) -> DrawRow {
    DrawRow {
        rule: DrawRule::FiveMoves,
        article,
        trigger: Trigger::LoneKing(Material { pieces: 1..=2, men: Men::Some }),
        limits: &[Limit { pieces: ANY, moves: 5 }],
        resets: Resets::Never,
        overlap: Overlap::Ends,
    }
}

/// CN100 12.3.
const CN100: &[DrawRow] = &[
    third_repetition("CN100 12.3.1"),
    kings_only("CN100 12.3.2", &[Limit { pieces: ANY, moves: 25 }]),
    DrawRow {
        rule: DrawRule::SixteenMoves,
        article: "CN100 12.3.3",
        trigger: Trigger::LoneKing(Material { pieces: 3..=3, men: Men::Some }),
        limits: &[Limit { pieces: ANY, moves: 16 }],
        resets: Resets::Never,
        overlap: Overlap::RunsOnIn(DrawRule::FiveMoves),
    },
    five_moves("CN100 12.3.4"),
];

/// CN64 12.3.
const CN64: &[DrawRow] = &[
    third_repetition("CN64 12.3.1"),
    kings_only("CN64 12.3.4.1", &[Limit { pieces: ANY, moves: 15 }]),
    five_moves("CN64 12.3.4.2"),
];

/// The Brazilian federation's rules, as far as they could be read: the articles on endings are not here.
const CBD: &[DrawRow] =
    &[third_repetition("CN64 12.3.1"), kings_only("national rules", &[Limit { pieces: ANY, moves: 20 }])];

/// The world federation's rules for 64 squares.
const FMJD64: &[DrawRow] = &[
    third_repetition("FMJD-64 7.2.3"),
    DrawRow {
        rule: DrawRule::ThreeKings,
        article: "FMJD-64 7.2.4",
        trigger: Trigger::LoneKing(Material { pieces: 3..=usize::MAX, men: Men::None }),
        limits: &[Limit { pieces: ANY, moves: 15 }],
        resets: Resets::Capture,
        overlap: Overlap::Ends,
    },
    kings_only("FMJD-64 7.2.5", &[Limit { pieces: ANY, moves: 15 }]),
    DrawRow {
        rule: DrawRule::FewPieces,
        article: "FMJD-64 7.2.6",
        trigger: Trigger::KingsOnBothSides,
        limits: &[Limit { pieces: 4..=5, moves: 30 }, Limit { pieces: 6..=7, moves: 60 }],
        resets: Resets::CaptureOrPromotion,
        overlap: Overlap::Ends,
    },
    DrawRow {
        rule: DrawRule::MainRoad,
        article: "FMJD-64 7.2.7",
        trigger: Trigger::LoneKingOnMainRoad(Material { pieces: 3..=3, men: Men::Some }),
        limits: &[Limit { pieces: ANY, moves: 5 }],
        resets: Resets::Never,
        overlap: Overlap::Ends,
    },
    five_moves("FMJD-64 7.2.8"),
];

/// The most rows a preset has.
const MOST_ROWS: usize = 6;

/// Counts towards the draws of one rule book while a game is played.
///
/// Cheap to clone: whoever follows several readings of a game gives each its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawTracker {
    preset: DrawPreset,
    counters: [Counter; MOST_ROWS],
    /// The positions since the last man's move or capture, for repetitions.
    stretch: Vec<Position>,
    /// Whether a repetition was reported in this stretch.
    repeated: bool,
}

/// How far one rule has got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counter {
    plies: u16,
    state: State,
    /// Whether the lone king held the main road after the last ply.
    on_road: bool,
    reported: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// The trigger does not hold.
    #[default]
    Idle,
    /// The trigger holds.
    Running,
    /// The trigger has ended, and the counter runs on under another rule.
    RunningOn,
}

impl DrawTracker {
    /// A tracker for a game that begins at `start`.
    #[must_use]
    pub fn new(preset: DrawPreset, start: &Position) -> Self {
        let mut tracker = Self { preset, counters: Default::default(), stretch: Vec::new(), repeated: false };
        tracker.set_position(start);
        tracker
    }

    /// The rule book in force.
    #[must_use]
    pub const fn preset(&self) -> DrawPreset {
        self.preset
    }

    /// Begins anew at `position`, which the arbiter has set up: what was played before is not counted.
    pub fn set_position(&mut self, position: &Position) {
        self.counters = Default::default();
        for (row, counter) in self.preset.rows().iter().zip(&mut self.counters) {
            if row.trigger.holds(row, position) {
                counter.state = State::Running;
            }
            counter.on_road = holds_main_road(position);
        }
        self.stretch.clear();
        self.stretch.push(*position);
        self.repeated = false;
    }

    /// Counts a ply and returns the rules that it completes, in the order of the preset.
    ///
    /// - `before`, `after`: the positions it leads from and to; `after` must be what the next ply starts from.
    /// - `mv`: the move, legal or not, as long as it stands.
    ///
    /// No rule is completed by a ply after which the side to move has lost.
    pub fn after_ply(&mut self, before: &Position, mv: Move, after: &Position) -> Vec<DrawRule> {
        let ply = Ply {
            is_capture: mv.is_capture(),
            is_king_move: before.kings(before.turn()).contains(mv.from),
            promotes: mv.promotes,
        };
        let rows = self.preset.rows();
        let mut completed = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            if row.trigger == Trigger::SamePosition {
                if self.count_repetition(row, &ply, after) {
                    completed.push(row.rule);
                }
                continue;
            }
            self.counters[index].count(row, rows, &ply, after);
            if self.counters[index].completes(row, after) {
                self.counters[index].reported = true;
                completed.push(row.rule);
            }
        }
        self.settle_overlaps(rows, &completed);
        if !completed.is_empty() && after.ending().is_some() {
            completed.clear();
        }
        completed
    }

    fn count_repetition(&mut self, row: &DrawRow, ply: &Ply, after: &Position) -> bool {
        if ply.is_capture || !ply.is_king_move {
            self.stretch.clear();
            self.repeated = false;
        }
        if self.repeated {
            return false;
        }
        self.stretch.push(*after);
        let times = self.stretch.iter().filter(|&position| position == after).count();
        self.repeated = row.limit(after).is_some_and(|limit| times >= usize::from(limit));
        self.repeated
    }

    /// Of two rules that overlap, the one that completes first is the draw.
    fn settle_overlaps(&mut self, rows: &[DrawRow], completed: &[DrawRule]) {
        for (index, row) in rows.iter().enumerate() {
            let Overlap::RunsOnIn(inner) = row.overlap else { continue };
            let Some(inner_index) = rows.iter().position(|other| other.rule == inner) else { continue };
            if self.counters[index].state != State::RunningOn {
                continue;
            }
            if completed.contains(&row.rule) {
                self.counters[inner_index].reported = true;
            }
            if completed.contains(&inner) {
                self.counters[index].reported = true;
            }
        }
    }
}

/// What the counters want to know of a ply.
struct Ply {
    is_capture: bool,
    is_king_move: bool,
    promotes: bool,
}

impl Counter {
    fn count(&mut self, row: &DrawRow, rows: &[DrawRow], ply: &Ply, after: &Position) {
        let was_on_road = std::mem::replace(&mut self.on_road, holds_main_road(after));
        let state = if row.trigger == Trigger::KingMoves {
            if ply.is_capture || !ply.is_king_move { State::Idle } else { State::Running }
        } else if row.trigger.holds(row, after) {
            State::Running
        } else if self.state != State::Idle && row.overlap.runs_on(rows, after) {
            State::RunningOn
        } else {
            State::Idle
        };
        let was_idle = std::mem::replace(&mut self.state, state) == State::Idle;
        // The ply by which material arises is not counted, but every king move is.
        let arises = was_idle && row.trigger != Trigger::KingMoves;
        if state == State::Idle || arises || row.resets.by(ply) {
            self.plies = 0;
            self.reported = false;
        } else if !matches!(row.trigger, Trigger::LoneKingOnMainRoad(_)) || (was_on_road && self.on_road) {
            self.plies = self.plies.saturating_add(1);
        }
    }

    fn completes(&self, row: &DrawRow, after: &Position) -> bool {
        self.state != State::Idle
            && !self.reported
            && row.limit(after).is_some_and(|moves| self.plies >= moves.saturating_mul(2))
    }
}

impl Trigger {
    /// Whether `position` is one in which the counter runs.
    fn holds(&self, row: &DrawRow, position: &Position) -> bool {
        match self {
            Self::SamePosition | Self::KingMoves => false,
            Self::LoneKing(material) | Self::LoneKingOnMainRoad(material) => {
                Side::ALL.into_iter().any(|strong| {
                    has_lone_king(position, strong.opponent()) && material.is_held_by(strong, position)
                })
            }
            Self::KingsOnBothSides => {
                Side::ALL.into_iter().all(|side| !position.kings(side).is_empty())
                    && row.limit(position).is_some()
            }
        }
    }
}

impl Material {
    fn is_held_by(&self, side: Side, position: &Position) -> bool {
        let kings = position.kings(side).len();
        let men = position.men(side).len();
        kings >= 1 && self.pieces.contains(&(kings + men)) && (self.men == Men::Some || men == 0)
    }
}

impl DrawRow {
    /// The limit with as many pieces as `position` has, in moves by each side; none if the rule has none.
    fn limit(&self, position: &Position) -> Option<u16> {
        let pieces = position.occupied().len();
        self.limits.iter().find(|limit| limit.pieces.contains(&pieces)).map(|limit| limit.moves)
    }
}

impl Resets {
    const fn by(self, ply: &Ply) -> bool {
        match self {
            Self::Never => false,
            Self::Capture => ply.is_capture,
            Self::CaptureOrPromotion => ply.is_capture || ply.promotes,
        }
    }
}

impl Overlap {
    /// Whether a counter whose trigger has ended runs on in `position`.
    fn runs_on(self, rows: &[DrawRow], position: &Position) -> bool {
        match self {
            Self::Ends => false,
            Self::RunsOnIn(rule) => {
                rows.iter().any(|row| row.rule == rule && row.trigger.holds(row, position))
            }
        }
    }
}

fn has_lone_king(position: &Position, side: Side) -> bool {
    position.men(side).is_empty() && position.kings(side).len() == 1
}

/// Whether a lone king stands on the long diagonal and no other piece does.
fn holds_main_road(position: &Position) -> bool {
    let occupied = position.occupied();
    // Cheap enough for every ply only because it is asked of few pieces.
    if occupied.len() > 4 {
        return false;
    }
    let on_road = occupied & long_diagonal(position.variant());
    on_road.len() == 1
        && Side::ALL.into_iter().any(|side| has_lone_king(position, side) && position.kings(side) == on_road)
}
