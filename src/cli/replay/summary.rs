//! The line that `replay --output summary` prints for a trace.
//!
//! Other programs rely on its form, so it is written down here and not wherever the core keeps its records.

use draughtsd_core::alert::{Alert, AlertCode};
use draughtsd_core::event::{EndReason, MoveRecord};
use draughtsd_core::game::{DrawNote, Summary};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use draughtsd_core::trace::GameResult;
use serde::Serialize;

use crate::feeds::envelope::Audience;

/// What became of a game. What is the arbiter's is left out for the public: an empty list would say that there
/// was nothing.
#[derive(Debug, Serialize)]
pub(super) struct SummaryLine<'a> {
    board: Variant,
    moves: Vec<MoveLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alerts: Option<&'a [Alert]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<&'a [DrawNote]>,
    result: GameResult,
    reason: Option<EndReason>,
    fen: &'a str,
}

#[derive(Debug, Serialize)]
struct MoveLine<'a> {
    ply: u32,
    side: Side,
    text: &'a str,
    from: Square,
    to: Square,
    captures: &'a [Square],
    t: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    irregular: Option<&'a [AlertCode]>,
}

impl<'a> SummaryLine<'a> {
    pub(super) fn new(summary: &'a Summary, audience: Audience) -> Self {
        let arbiters = audience == Audience::Arbiter;
        Self {
            board: summary.board,
            moves: summary.moves.iter().map(|record| MoveLine::new(record, audience)).collect(),
            alerts: arbiters.then_some(&summary.alerts),
            draws: arbiters.then_some(&summary.draws),
            result: summary.result,
            reason: summary.reason,
            fen: &summary.fen,
        }
    }
}

impl<'a> MoveLine<'a> {
    fn new(record: &'a MoveRecord, audience: Audience) -> Self {
        Self {
            ply: record.ply,
            side: record.side,
            text: &record.text,
            from: record.from,
            to: record.to,
            captures: &record.captures,
            t: record.t,
            irregular: (audience == Audience::Arbiter).then_some(&record.irregular),
        }
    }
}
