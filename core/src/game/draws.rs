//! The draw rules that the final moves of a game complete, for the arbiter to declare.

use super::record::{DrawNote, ply_number};
use super::telling::Told;
use crate::event::MoveStatus;
use crate::moves::Move;
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
}

impl Draws {
    pub(super) fn new(preset: DrawPreset, start: &Position) -> Self {
        Self {
            start: *start,
            preset,
            tracker: DrawTracker::new(preset, start),
            counted: Vec::new(),
            notes: Vec::new(),
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
}
