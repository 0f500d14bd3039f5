//! Whether White and Black press each other's side of the clock: then the clock stands turned round, or the
//! configuration has it so.

use crate::moment::Moment;
use crate::piece::Side;

/// So many moves in a row have to be pressed by the wrong side: one may press early, or by mistake.
const IN_A_ROW: u32 = 2;

/// So many presses are kept in mind.
const PRESSES: usize = 8;

/// The presses between one move and the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    presses: Vec<(Moment, Side)>,
    /// The last move: its ply, whose it was, and when its disc landed.
    last: Option<(u32, Side, Moment)>,
    wrong: u32,
    told: bool,
}

impl Sides {
    pub(super) fn pressed(&mut self, side: Side, now: Moment) {
        if self.presses.len() == PRESSES {
            self.presses.remove(0);
        }
        self.presses.push((now, side));
    }

    /// A move was read. Whether it is clear now, and was not before, that the sides are exchanged.
    pub(super) fn moved(&mut self, side: Side, ply: u32, landed: Moment) -> bool {
        let before = self.last.filter(|(last, ..)| *last < ply);
        if before.is_some() || self.last.is_none() {
            self.last = Some((ply, side, landed));
        }
        let Some((_, mover, from)) = before.filter(|(_, mover, _)| *mover != side) else { return false };
        let pressed =
            |who: Side| self.presses.iter().any(|(at, side)| *side == who && *at >= from && *at < landed);
        if pressed(mover) {
            self.wrong = 0;
        } else if pressed(side) {
            self.wrong += 1;
        }
        let is_clear = self.wrong >= IN_A_ROW && !self.told;
        self.told |= is_clear;
        is_clear
    }
}
