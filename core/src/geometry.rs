//! Lines and rows of the board as sets of squares.
//!
//! For whoever has to know where a hand passes or where a man promotes; the generators have their own,
//! faster form of the same geometry.

use crate::piece::Side;
use crate::rules::Variant;
use crate::square::{Square, SquareSet};

/// One of the four diagonal directions, as White sees the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards Black's side, to the left.
    UpLeft,
    /// Towards Black's side, to the right.
    UpRight,
    /// Towards White's side, to the left.
    DownLeft,
    /// Towards White's side, to the right.
    DownRight,
}

impl Direction {
    /// All four directions.
    pub const ALL: [Self; 4] = [Self::UpLeft, Self::UpRight, Self::DownLeft, Self::DownRight];

    /// The opposite direction.
    #[must_use]
    pub const fn back(self) -> Self {
        match self {
            Self::UpLeft => Self::DownRight,
            Self::UpRight => Self::DownLeft,
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
        }
    }

    /// The two directions across this one, where a capturing king may turn.
    #[must_use]
    pub const fn across(self) -> [Self; 2] {
        match self {
            Self::UpLeft | Self::DownRight => [Self::UpRight, Self::DownLeft],
            Self::UpRight | Self::DownLeft => [Self::UpLeft, Self::DownRight],
        }
    }

    /// Rows down and columns right of one step.
    const fn offset(self) -> (i8, i8) {
        match self {
            Self::UpLeft => (-1, -1),
            Self::UpRight => (-1, 1),
            Self::DownLeft => (1, -1),
            Self::DownRight => (1, 1),
        }
    }
}

/// The next square in `direction`; none at the edge.
#[must_use]
pub fn neighbour(square: Square, direction: Direction, variant: Variant) -> Option<Square> {
    let (row, column) = square.row_column(variant);
    let (down, right) = direction.offset();
    Square::from_row_column(row.checked_add_signed(down)?, column.checked_add_signed(right)?, variant)
}

/// The squares from the neighbour of `square` to the edge, nearest first.
pub fn ray(square: Square, direction: Direction, variant: Variant) -> impl Iterator<Item = Square> {
    std::iter::successors(neighbour(square, direction, variant), move |&last| {
        neighbour(last, direction, variant)
    })
}

/// The squares strictly between two squares of one diagonal; none if they share no diagonal.
#[must_use]
pub fn between(from: Square, to: Square, variant: Variant) -> Option<SquareSet> {
    Direction::ALL.into_iter().find_map(|direction| {
        let mut passed = SquareSet::EMPTY;
        for square in ray(from, direction, variant) {
            if square == to {
                return Some(passed);
            }
            passed.insert(square);
        }
        None
    })
}

/// The row on which men of `side` promote (CN100 1.1.6, 5.5).
#[must_use]
pub fn far_row(side: Side, variant: Variant) -> SquareSet {
    let row = match side {
        Side::White => 0,
        Side::Black => variant.rows() - 1,
    };
    SquareSet::all(variant).iter().filter(|square| square.row_column(variant).0 == row).collect()
}

/// The long diagonal from White's left-hand corner: 46 to 5 on 100 squares (CN100 1.1.6), the main road
/// a1-h8 on 64.
#[must_use]
pub fn long_diagonal(variant: Variant) -> SquareSet {
    let on_it = |square: &Square| {
        let (row, column) = square.row_column(variant);
        row + column == variant.rows() - 1
    };
    SquareSet::all(variant).iter().filter(on_it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    #[test]
    fn lines_end_at_the_edge() {
        let line: Vec<u8> =
            ray(square(46), Direction::UpRight, Variant::International).map(Square::number).collect();
        assert_eq!(line, [41, 37, 32, 28, 23, 19, 14, 10, 5]);
        assert_eq!(neighbour(square(6), Direction::UpLeft, Variant::International), None);
    }

    #[test]
    fn between_needs_a_common_diagonal() {
        let passed = between(square(32), square(19), Variant::International).unwrap();
        assert_eq!(format!("{passed:?}"), "[23, 28]");
        assert_eq!(between(square(32), square(28), Variant::International), Some(SquareSet::EMPTY));
        assert_eq!(between(square(32), square(18), Variant::International), None);
        assert_eq!(between(square(32), square(32), Variant::International), None);
    }

    #[test]
    fn cn100_1_1_6_far_rows_and_long_diagonal() {
        let shown = |set: SquareSet| format!("{set:?}");
        assert_eq!(shown(far_row(Side::White, Variant::International)), "[1, 2, 3, 4, 5]");
        assert_eq!(shown(far_row(Side::Black, Variant::Russian)), "[29, 30, 31, 32]");
        assert_eq!(shown(long_diagonal(Variant::International)), "[5, 10, 14, 19, 23, 28, 32, 37, 41, 46]");
        assert_eq!(shown(long_diagonal(Variant::Russian)), "[4, 8, 11, 15, 18, 22, 25, 29]");
    }
}
