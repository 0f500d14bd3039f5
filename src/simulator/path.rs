//! Which squares lie under a disc on its way.

use draughtsd_core::geometry::far_row;
use draughtsd_core::matrix::Matrix;
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};

/// Whether `square` is on either side's far row.
pub(super) fn is_far_row(variant: Variant, square: Square) -> bool {
    Side::ALL.iter().any(|&side| far_row(side, variant).contains(square))
}

/// The squares strictly between two squares of one diagonal, in order; none if they are on none.
pub(super) fn diagonal(variant: Variant, from: Square, to: Square) -> Vec<Square> {
    let (from, to) = (place(variant, from), place(variant, to));
    let (rows, columns) = (to.0 - from.0, to.1 - from.1);
    if rows.abs() != columns.abs() {
        return Vec::new();
    }
    let steps = (1..rows.abs()).map(|step| (from.0 + step * rows.signum(), from.1 + step * columns.signum()));
    steps.filter_map(|at| square_at(variant, at)).collect()
}

/// The dark squares under a straight line between two places, ends excluded, in order.
pub(super) fn line(variant: Variant, from: (i32, i32), to: (i32, i32)) -> Vec<Square> {
    // Four samples a square, rounded to the nearest one: enough to miss none that is crossed widely.
    let samples = 4 * (to.0 - from.0).abs().max((to.1 - from.1).abs());
    let mut found: Vec<Square> = Vec::new();
    for sample in 1..samples {
        let nearest = |from: i32, to: i32| {
            let scaled = 2 * (to - from) * sample + samples;
            from + scaled.div_euclid(2 * samples)
        };
        let at = (nearest(from.0, to.0), nearest(from.1, to.1));
        if at == from || at == to {
            continue;
        }
        if let Some(square) = square_at(variant, at)
            && !found.contains(&square)
        {
            found.push(square);
        }
    }
    found
}

/// Row and column of a square, row 0 on Black's side, column 0 on White's left.
pub(super) fn place(variant: Variant, square: Square) -> (i32, i32) {
    let (row, column) = square.row_column(variant);
    (i32::from(row), i32::from(column))
}

/// The matrix of the simulated board: its rows and columns stand for the matrix's.
pub(super) fn matrix(variant: Variant) -> Matrix {
    let crossings = SquareSet::all(variant).iter().map(|square| {
        let (row, column) = square.row_column(variant);
        [row + 1, column / 2 + 1]
    });
    Matrix::new(crossings.collect()).expect("no two squares have row and column in common")
}

fn square_at(variant: Variant, (row, column): (i32, i32)) -> Option<Square> {
    Square::from_row_column(u8::try_from(row).ok()?, u8::try_from(column).ok()?, variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(found: Vec<Square>) -> Vec<u8> {
        found.into_iter().map(Square::number).collect()
    }

    #[track_caller]
    fn check_diagonal(from: u8, to: u8, expected: &[u8]) {
        let [from, to] = [from, to].map(|n| Square::new(n).unwrap());
        assert_eq!(squares(diagonal(Variant::International, from, to)), expected);
    }

    #[test]
    fn diagonals_of_the_large_board() {
        check_diagonal(46, 5, &[41, 37, 32, 28, 23, 19, 14, 10]);
        check_diagonal(5, 46, &[10, 14, 19, 23, 28, 32, 37, 41]);
        check_diagonal(32, 28, &[]);
        check_diagonal(32, 23, &[28]);
        check_diagonal(1, 46, &[]);
    }

    #[test]
    fn a_straight_reach_crosses_the_dark_squares_of_its_row() {
        let from = place(Variant::International, Square::new(28).unwrap());
        assert_eq!(squares(line(Variant::International, from, (from.0, 10))), [29, 30]);
        assert_eq!(squares(line(Variant::International, from, (from.0, -1))), [27, 26]);
    }
}
