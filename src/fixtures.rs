//! Real games carried inside the program, as PDN text: what the demo plays and what tests replay.
//!
//! Game scores are facts; the files are our own. Each is a complete game in which both sides or one
//! reach the far row, so that crowning and flying kings occur.

/// International draughts: van den Akker against Boomstra, Dutch championship 2009, 120 plies, drawn.
///
/// Both sides promote, and kings capture at a distance.
pub const INTERNATIONAL: &str = include_str!("fixtures/international.pdn");

/// Russian draughts: Romanov against Berak, USSR championship 1950, 79 plies, won by White.
pub const RUSSIAN: &str = include_str!("fixtures/russian.pdn");

/// Brazilian draughts: a game played online in 2026, 71 plies, won by White.
pub const BRAZILIAN: &str = include_str!("fixtures/brazilian.pdn");
