//! A missing diode, found by what it makes of raw changes.
//!
//! Ghosts come and go in the very same scan as the contact that calls them up, bounce for bounce, and where a missing
//! diode would put them; hands do not do that. A ghost and what calls it up look alike, so several diodes may explain
//! the same changes: one is told when it alone has explained several and nothing has spoken against it. Against it speaks
//! a contact at rest that should be in its shadow and is open.

use super::shadow::Shadow;
use crate::matrix::Matrix;
use crate::moment::Moment;
use crate::rules::Variant;
use crate::square::{Square, SquareSet};

/// So much must speak for a diode: contacts that close in the same scan for two, since no two hands do that; contacts
/// that open for one, since captured discs are taken off in pairs.
const ENOUGH: u32 = 5;
const CLOSING: u32 = 2;
/// Coincidences closer together than this are one, bouncing.
const APART_MS: u64 = 250;

/// What speaks for one diode being the missing one.
#[derive(Clone, Copy, Debug, Default)]
struct Suspicion {
    weight: u32,
    closings: u32,
    /// When something first and last spoke for it.
    first: Moment,
    last: Moment,
}

/// What speaks for each diode.
#[derive(Clone, Debug)]
pub(super) struct Ghosts {
    matrix: Matrix,
    suspicions: Vec<(Square, Suspicion)>,
}

impl Ghosts {
    pub(super) fn new(matrix: Matrix, variant: Variant) -> Self {
        let suspicions =
            SquareSet::all(variant).iter().map(|square| (square, Suspicion::default())).collect();
        Self { matrix, suspicions }
    }

    pub(super) const fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The contacts have rested like this for longer than bounce lasts.
    pub(super) fn at_rest(&mut self, closed: SquareSet) {
        for (square, suspicion) in &mut self.suspicions {
            if suspicion.weight > 0 && !self.matrix.ghosts(*square, closed).is_subset(closed) {
                *suspicion = Suspicion::default();
            }
        }
    }

    /// The contacts changed within one scan. Returns the diodes that would explain it, each with the moment since which
    /// something has spoken for it.
    pub(super) fn changed(
        &mut self,
        before: SquareSet,
        after: SquareSet,
        at: Moment,
    ) -> Vec<(Shadow, Moment)> {
        let (opened, closed) = (before - after, after - before);
        let (changed, closing) = if opened.is_empty() { (closed, true) } else { (opened, false) };
        if changed.len() < 2 || !(opened.is_empty() || closed.is_empty()) {
            return Vec::new();
        }
        let mut suspects = Vec::new();
        for (square, suspicion) in &mut self.suspicions {
            if !explains(&self.matrix, *square, before, after, changed) {
                continue;
            }
            if suspicion.weight == 0 {
                suspicion.first = at;
            }
            suspects.push((Shadow::Diode { square: *square }, suspicion.first));
            if suspicion.weight > 0 && at.since(suspicion.last) <= APART_MS {
                continue;
            }
            suspicion.last = at;
            suspicion.weight += if closing { CLOSING } else { 1 };
            suspicion.closings += u32::from(closing);
        }
        suspects
    }

    /// The one diode for which enough speaks, and nothing against it.
    pub(super) fn found(&self) -> Option<(Shadow, Moment)> {
        let most = self.suspicions.iter().map(|(_, suspicion)| suspicion.weight).max()?;
        let mut likeliest = self.suspicions.iter().filter(|(_, suspicion)| suspicion.weight == most);
        let (square, suspicion) = likeliest.next()?;
        let alone = likeliest.next().is_none();
        (alone && most >= ENOUGH && suspicion.closings > 0)
            .then_some((Shadow::Diode { square: *square }, suspicion.first))
    }
}

/// Whether just one contact changed of itself, and all others of `changed` because this diode is missing.
fn explains(matrix: &Matrix, bare: Square, before: SquareSet, after: SquareSet, changed: SquareSet) -> bool {
    let wires = matrix.row_of(bare) | matrix.column_of(bare);
    let causes = changed & wires;
    if causes.len() != 1 {
        return false;
    }
    let (was, is) = (matrix.ghosts(bare, before), matrix.ghosts(bare, after));
    let followed = changed - wires;
    followed.is_subset((was - is) | (is - was)) && is.is_subset(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight rows of four, as on a small board.
    fn ghosts() -> Ghosts {
        let crossings = (0..32).map(|index| [index / 4, index % 4]).collect();
        Ghosts::new(Matrix::new(crossings).unwrap(), Variant::Brazilian)
    }

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    fn set(numbers: &[u8]) -> SquareSet {
        numbers.iter().map(|&number| square(number)).collect()
    }

    /// The magnets of one scan after the other, a second apart, over a board whose diode of `bare` is missing: the
    /// number of the diode that is found, and by which scan.
    #[track_caller]
    fn check(bare: Option<u8>, scans: &[&[u8]], expected: Option<(usize, u8)>) {
        let mut ghosts = ghosts();
        let read = |magnets: SquareSet| {
            bare.map_or(magnets, |bare| magnets | ghosts.matrix.ghosts(square(bare), magnets))
        };
        let scans: Vec<SquareSet> = scans.iter().map(|magnets| read(set(magnets))).collect();
        let mut found = None;
        for (index, pair) in scans.windows(2).enumerate() {
            ghosts.at_rest(pair[0]);
            let at = Moment::from_millis(1000 * (index as u64 + 1));
            ghosts.changed(pair[0], pair[1], at);
            found = found.or(ghosts.found().map(|(shadow, _)| (index + 1, shadow.square().number())));
        }
        assert_eq!(found, expected);
    }

    /// Squares 1, 2, 5 and 6 are a rectangle; 9 and 10 go on below it.
    #[test]
    fn one_coincidence_is_not_enough_and_two_with_one_explanation_are() {
        // 5 calls up 6, but so would 6 call up 5 over the diode of 2.
        check(Some(1), &[&[1, 2], &[1, 2, 5]], None);
        check(Some(1), &[&[1, 2], &[1, 2, 5], &[1, 2], &[1, 2, 5]], None);
        // 2 and 6 are on one column: it is not the diode of 2 that brings and takes 6 with 2.
        check(Some(1), &[&[1, 2], &[1, 2, 5], &[1, 5], &[1, 2, 5]], Some((3, 1)));
    }

    #[test]
    fn good_diodes_are_not_suspected_however_often_two_discs_leave_together() {
        let together: [&[u8]; 8] =
            [&[1, 2, 5, 6], &[1, 2], &[1, 2, 5], &[1, 2, 5, 6], &[1, 2], &[1, 2, 6], &[1, 2, 5, 6], &[1, 2]];
        check(None, &together, None);
    }

    #[test]
    fn two_hands_that_put_down_two_discs_at_once_are_no_missing_diode() {
        // Again and again, but a disc stands alone on a corner in between.
        check(
            None,
            &[&[1, 2], &[1, 2, 5, 6], &[1, 2, 5], &[1, 2], &[1, 2, 5, 6], &[1, 2, 6], &[1, 2], &[1, 2, 5, 6]],
            None,
        );
    }
}
