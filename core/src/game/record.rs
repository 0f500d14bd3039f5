//! The record of a game: moves as they are told, and the summary of a replay.

use serde::{Deserialize, Serialize};

use crate::alert::Alert;
use crate::event::{EndReason, MoveRecord};
use crate::notation::movetext;
use crate::position::Position;
use crate::reading::Ply;
use crate::rules::Variant;
use crate::square::Square;
use crate::trace::GameResult;

/// A draw rule that a game completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawNote {
    /// The rule's name, kebab-case.
    pub rule: String,
    /// The ply that completes it.
    pub ply: u32,
}

/// What became of a game, as `replay --output summary` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Which game was played.
    pub board: Variant,
    /// The recorded moves.
    pub moves: Vec<MoveRecord>,
    /// The alerts, in the order in which they opened.
    pub alerts: Vec<Alert>,
    /// The draw rules completed.
    pub draws: Vec<DrawNote>,
    /// The result; `*` while there is none.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Option<EndReason>,
    /// The last position.
    pub fen: String,
}

/// The number of the move with this index.
pub(super) fn ply_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// The move as it is told.
pub(super) fn move_record(index: usize, ply: &Ply, alerts: &[Alert]) -> MoveRecord {
    let number = ply_number(index);
    let about = |alert: &&Alert| alert.ply == number && alert.side == Some(ply.side);
    MoveRecord {
        ply: number,
        side: ply.side,
        text: movetext::score_sheet(&ply.before, ply.mv),
        from: ply.mv.from,
        to: ply.mv.to,
        captures: captures_in_order(ply),
        t: ply.complete(),
        irregular: alerts.iter().filter(about).map(|alert| alert.code).collect(),
        certainty: Some(ply.into()),
    }
}

/// The captured squares in route order: of the routes that the removals fit, else of any.
fn captures_in_order(ply: &Ply) -> Vec<Square> {
    let mut captures = captured_in_order(ply);
    captures.extend(ply.extra_removals.iter().map(|&(square, _)| square));
    captures
}

fn captured_in_order(ply: &Ply) -> Vec<Square> {
    if ply.mv.captured.len() < 2 {
        return ply.mv.captured.iter().collect();
    }
    let routes = ply.before.routes(ply.mv);
    let removed = || ply.removals.iter().map(|&(square, _)| square);
    let fits = |captures: &[Square]| {
        removed().eq(captures.iter().copied()) || removed().eq(captures.iter().rev().copied())
    };
    match routes.iter().find(|route| fits(&route.captures)).or(routes.first()) {
        Some(route) => route.captures.clone(),
        None => ply.mv.captured.iter().collect(),
    }
}

pub(super) fn summary(
    position: &Position,
    plies: &[&Ply],
    alerts: &[Alert],
    draws: Vec<DrawNote>,
    result: Option<(GameResult, EndReason)>,
) -> Summary {
    Summary {
        board: position.variant(),
        moves: plies
            .iter()
            .enumerate()
            .map(|(index, ply)| MoveRecord { certainty: None, ..move_record(index, ply, alerts) })
            .collect(),
        alerts: alerts.iter().map(|alert| Alert { evidence: None, ..alert.clone() }).collect(),
        draws,
        result: result.map_or(GameResult::Unknown, |(result, _)| result),
        reason: result.map(|(_, reason)| reason),
        fen: position.fen(),
    }
}
