//! Lost stretches: one or two plies of which the scanner sees nothing but the net change.

use draughtsd_core::moves::Move;
use draughtsd_core::position::Position;
use draughtsd_core::square::SquareSet;

use super::random::Random;

/// How many of the next moves are lost: 0, 1 or 2.
///
/// Only what can be read from the net change is lost: two contacts or more have changed, and no other
/// move or two moves would have changed the same.
///
/// - `odds`: in a thousand, that a stretch begins here.
pub(super) fn lost_plies(position: &Position, next: &[Move], odds: u32, random: &mut Random) -> usize {
    if !random.chance(odds) {
        return 0;
    }
    let wanted = 1 + random.index(2);
    let Some(lost) = next.get(..wanted) else { return 0 };
    if is_readable(position, lost) { wanted } else { 0 }
}

fn is_readable(position: &Position, lost: &[Move]) -> bool {
    let target = lost.iter().fold(*position, |at, mv| at.play(*mv)).occupied();
    if changed(position.occupied(), target) < 2 {
        return false;
    }
    let mut explanations = 0;
    for first in position.legal_moves() {
        let after_first = position.play(first);
        explanations += usize::from(after_first.occupied() == target);
        for second in after_first.legal_moves() {
            explanations += usize::from(after_first.play(second).occupied() == target);
        }
    }
    explanations == 1
}

fn changed(before: SquareSet, after: SquareSet) -> usize {
    ((before - after) | (after - before)).len()
}
