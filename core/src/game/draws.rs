//! The draw rules that the final moves of a game complete, for the arbiter to declare, and what else the rules want him
//! to know about a position.

use super::record::{DrawNote, ply_number};
use super::telling::Told;
use crate::event::{AdviceArticle, EventBody, MoveStatus};
use crate::moves::Move;
use crate::piece::Side;
use crate::position::Position;
use crate::rules::draws::{DrawPreset, DrawTracker};

/// Counts along with the final moves.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    start: Position,
    preset: DrawPreset,
    tracker: DrawTracker,
    /// The moves counted so far.
    counted: Vec<Move>,
    notes: Vec<DrawNote>,
    /// What the arbiter was advised of, once each.
    advised: Vec<AdviceArticle>,
}

/// So few pieces on the board, and so little time left, and a player who stands better may ask for a draw (8.1.3.1B).
const FEW_PIECES: usize = 8;
const LITTLE_TIME_MS: u64 = 60_000;

impl Draws {
    pub(super) fn new(preset: DrawPreset, start: &Position) -> Self {
        Self {
            start: *start,
            preset,
            tracker: DrawTracker::new(preset, start),
            counted: Vec::new(),
            notes: Vec::new(),
            advised: Vec::new(),
        }
    }

    /// The rules completed so far.
    pub(super) fn notes(&self) -> &[DrawNote] {
        &self.notes
    }

    /// Counts the moves that have become final; starts over where one of those counted was withdrawn.
    /// Returns what is new.
    pub(super) fn follow(&mut self, told: &[Told]) -> Vec<DrawNote> {
        // Only the last moves told can be provisional.
        let finals =
            told.iter().rposition(|told| told.status == MoveStatus::Final).map_or(0, |last| last + 1);
        let kept = self.counted.len() <= finals
            && self.counted.iter().zip(told).rev().take(12).all(|(mv, told)| *mv == told.ply.mv);
        if kept && self.counted.len() == finals {
            return Vec::new();
        }
        let known = std::mem::take(&mut self.notes);
        if kept {
            self.notes.clone_from(&known);
        } else {
            self.tracker = DrawTracker::new(self.preset, &self.start);
            self.counted.clear();
        }
        for (index, told) in told.iter().enumerate().take(finals).skip(self.counted.len()) {
            let ply = &told.ply;
            self.counted.push(ply.mv);
            for rule in self.tracker.after_ply(&ply.before, ply.mv, &ply.after) {
                self.notes.push(DrawNote { rule: rule.to_string(), ply: ply_number(index) });
            }
        }
        self.notes.iter().filter(|note| !known.contains(note)).cloned().collect()
    }

    /// What the rules want the arbiter to know about the position after the last final move, where a game is timed
    /// without a bonus; `left_ms` is what White and Black have left (CN100 8.1.3.1A, 8.1.3.1B).
    pub(super) fn advise(&mut self, told: &[Told], left_ms: [u64; 2]) -> Vec<EventBody> {
        let Some(last) = self.counted.len().checked_sub(1).filter(|_| self.preset == DrawPreset::Cn100)
        else {
            return Vec::new();
        };
        let Some(position) = told.get(last).map(|told| told.ply.after) else { return Vec::new() };
        let mut found = Vec::new();
        if is_theoretical_draw(&position) {
            found.push((AdviceArticle::TheoreticalDraw, None));
        }
        if position.occupied().len() <= FEW_PIECES {
            let short = Side::ALL.into_iter().find(|&side| left_ms[side as usize] < LITTLE_TIME_MS);
            found.extend(short.map(|side| (AdviceArticle::ShortOfTime, Some(side))));
        }
        found.retain(|(article, _)| !self.advised.contains(article));
        self.advised.extend(found.iter().map(|&(article, _)| article));
        let ply = ply_number(last);
        found.into_iter().map(|(article, side)| EventBody::Advice { article, ply, side }).collect()
    }
}

/// Three pieces, one of them a king, or two of them against a king alone (CN100 12.3.3, 12.3.4).
fn is_theoretical_draw(position: &Position) -> bool {
    let kings = |side: Side| position.kings(side).len();
    let all = |side: Side| position.pieces(side).len();
    Side::ALL.into_iter().any(|strong| {
        let weak = strong.opponent();
        kings(weak) == 1 && all(weak) == 1 && kings(strong) >= 1 && (2..=3).contains(&all(strong))
    })
}
