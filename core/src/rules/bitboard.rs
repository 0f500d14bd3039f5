//! Padded bitboards: one bit per dark square and a ghost bit after every second row.
//!
//! Without padding, a step to the lower left is 5 squares from an odd row of the 10x10 board and 4 from an
//! even one. With one ghost bit after every two rows each of the four directions is one constant shift for
//! the whole board, and a step over the left or right edge lands on a ghost, which no mask of pieces or of
//! empty squares ever contains:
//!
//! ```text
//!      0   1   2   3   4        squares 1-5
//!    5   6   7   8   9  [10]    squares 6-10, then a ghost
//!     11  12  13  14  15        squares 11-15
//! ```
//!
//! Outside of the rules squares are compact ([`SquareSet`]); [`Grid`] converts.

use std::fmt;

use super::variant::{Rules, Variant};
use crate::geometry::Direction;
use crate::piece::Side;
use crate::square::{Square, SquareSet};

/// The shape of a board: its shifts and masks.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Dark squares in a row: the shorter of the two shifts; the longer is one more.
    row: u32,
    /// All squares, no ghost.
    pub(crate) all: u64,
    /// The row of square 1: where White promotes.
    top: u64,
    /// The row of the highest square: where Black promotes.
    bottom: u64,
    /// The bit of each square; none for squares that this board does not have.
    bits: [u64; Square::MAX as usize],
}

impl Grid {
    pub(crate) const TEN: Self = Self::new(5);
    pub(crate) const EIGHT: Self = Self::new(4);

    const fn new(row: u32) -> Self {
        let squares = row * row * 2;
        let top = (1 << row) - 1;
        let mut grid = Self { row, all: 0, top, bottom: 0, bits: [0; Square::MAX as usize] };
        grid.all = grid.spread((1 << squares) - 1);
        grid.bottom = grid.spread(top << (squares - row));
        let mut index = 0;
        while index < squares {
            grid.bits[index as usize] = grid.spread(1 << index);
            index += 1;
        }
        grid
    }

    pub(crate) const fn of(variant: Variant) -> &'static Self {
        match variant {
            Variant::International => &Self::TEN,
            Variant::Brazilian | Variant::Russian => &Self::EIGHT,
        }
    }

    /// Inserts the ghost bits.
    const fn spread(&self, compact: u64) -> u64 {
        match self.row {
            5 => spread::<5>(compact),
            _ => spread::<4>(compact),
        }
    }

    /// The padded form of `squares`; squares this board does not have are dropped.
    pub(crate) const fn pad(&self, squares: SquareSet) -> u64 {
        self.spread(squares.bits())
    }

    /// The compact form of `padded`.
    pub(crate) const fn unpad(&self, padded: u64) -> SquareSet {
        let compact = match self.row {
            5 => squeeze::<5>(padded),
            _ => squeeze::<4>(padded),
        };
        SquareSet::from_bits(compact)
    }

    /// The padded bit of `square`; no bit if this board does not have it.
    pub(crate) const fn bit(&self, square: Square) -> u64 {
        self.bits[square.index()]
    }

    /// The square of a padded bit; of the lowest one if there are more.
    pub(crate) const fn square(&self, bit: u64) -> Square {
        debug_assert!(bit & self.all != 0, "no bit, or a ghost");
        let index = bit.trailing_zeros();
        Square::ALL[(index - index / (self.row * 2 + 1)) as usize]
    }

    /// Where men of `side` promote.
    pub(crate) const fn far_row(&self, side: Side) -> u64 {
        match side {
            Side::White => self.top,
            Side::Black => self.bottom,
        }
    }

    /// Every bit moved one square along `direction`. What leaves the board lands on ghosts, so the result must be
    /// masked with squares.
    #[inline(always)]
    pub(crate) const fn step(&self, bits: u64, direction: Direction) -> u64 {
        match direction {
            Direction::UpLeft => bits >> (self.row + 1),
            Direction::UpRight => bits >> self.row,
            Direction::DownLeft => bits << self.row,
            Direction::DownRight => bits << (self.row + 1),
        }
    }
}

/// Inserts the ghost bits of a board with so many dark squares in a row. Known when it is compiled, the number makes
/// this a handful of shifts; sets are converted more often than anything else is done with them.
const fn spread<const ROW: u32>(compact: u64) -> u64 {
    let pair = ROW * 2;
    let mut padded = 0;
    let mut number = 0;
    while number < ROW {
        let rows = compact >> (number * pair) & ((1 << pair) - 1);
        padded |= rows << (number * (pair + 1));
        number += 1;
    }
    padded
}

/// Takes the ghost bits out again.
const fn squeeze<const ROW: u32>(padded: u64) -> u64 {
    let pair = ROW * 2;
    let mut compact = 0;
    let mut number = 0;
    while number < ROW {
        let rows = padded >> (number * (pair + 1)) & ((1 << pair) - 1);
        compact |= rows << (number * pair);
        number += 1;
    }
    compact
}

impl Grid {
    /// Every bit moved two squares along `direction`, as by a jump; to be masked like [`Grid::step`].
    #[inline(always)]
    pub(crate) const fn leap(&self, bits: u64, direction: Direction) -> u64 {
        self.step(self.step(bits, direction), direction)
    }

    /// The squares of `empty` reached from `bits` along `direction` before anything is in the way.
    #[inline(always)]
    pub(crate) const fn slide(&self, bits: u64, direction: Direction, empty: u64) -> u64 {
        let mut front = self.step(bits, direction) & empty;
        let mut reached = front;
        while front != 0 {
            front = self.step(front, direction) & empty;
            reached |= front;
        }
        reached
    }

    /// The first square from `at` along `direction` that is not in `empty`, be it a piece or a ghost; no bit
    /// if the line leaves the board without a ghost.
    #[inline(always)]
    pub(crate) const fn first_not_empty(&self, at: u64, direction: Direction, empty: u64) -> u64 {
        let mut next = self.step(at, direction);
        while next & empty != 0 {
            next = self.step(next, direction);
        }
        next
    }
}

/// A game as a type, so that the generators are compiled once for each with its constants folded in.
pub(crate) trait Game {
    const VARIANT: Variant;
    const GRID: &'static Grid = Grid::of(Self::VARIANT);
    const RULES: &'static Rules = Self::VARIANT.rules();
    const MAJORITY: bool = Self::RULES.majority.is_some();
    const PROMOTES_IN_PASSING: bool = Self::RULES.promotes_in_passing.is_some();
}

/// The side to move as a type, for the same reason.
pub(crate) trait Mover {
    type Opponent: Mover;
    const SIDE: Side;
    /// Where its men go when they do not capture (CN100 5.4).
    const FORWARD: [Direction; 2] = match Self::SIDE {
        Side::White => [Direction::UpLeft, Direction::UpRight],
        Side::Black => [Direction::DownLeft, Direction::DownRight],
    };
}

pub(crate) struct International;
pub(crate) struct Brazilian;
pub(crate) struct Russian;
pub(crate) struct WhiteMoves;
pub(crate) struct BlackMoves;

impl Game for International {
    const VARIANT: Variant = Variant::International;
}

impl Game for Brazilian {
    const VARIANT: Variant = Variant::Brazilian;
}

impl Game for Russian {
    const VARIANT: Variant = Variant::Russian;
}

impl Mover for WhiteMoves {
    type Opponent = BlackMoves;
    const SIDE: Side = Side::White;
}

impl Mover for BlackMoves {
    type Opponent = WhiteMoves;
    const SIDE: Side = Side::Black;
}

/// Calls `function::<Game, Mover>(arguments)` with the types that belong to a variant and a side.
macro_rules! specialised {
    ($variant:expr, $turn:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        use $crate::rules::bitboard::{BlackMoves, Brazilian, International, Russian, WhiteMoves};
        use $crate::{piece::Side, rules::Variant};
        match ($variant, $turn) {
            (Variant::International, Side::White) => $function::<International, WhiteMoves>($($argument),*),
            (Variant::International, Side::Black) => $function::<International, BlackMoves>($($argument),*),
            (Variant::Brazilian, Side::White) => $function::<Brazilian, WhiteMoves>($($argument),*),
            (Variant::Brazilian, Side::Black) => $function::<Brazilian, BlackMoves>($($argument),*),
            (Variant::Russian, Side::White) => $function::<Russian, WhiteMoves>($($argument),*),
            (Variant::Russian, Side::Black) => $function::<Russian, BlackMoves>($($argument),*),
        }
    }};
}
pub(crate) use specialised;

/// The pieces as the side to move sees them, padded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// Pieces of the side to move.
    pub(crate) mine: u64,
    /// Pieces of the other side.
    pub(crate) theirs: u64,
    /// Which of both are kings.
    pub(crate) kings: u64,
}

impl Board {
    /// The squares nobody stands on.
    #[inline(always)]
    pub(crate) const fn empty(&self, grid: &Grid) -> u64 {
        grid.all & !(self.mine | self.theirs)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board {{ mine: {:#x}, theirs: {:#x}, kings: {:#x} }}", self.mine, self.theirs, self.kings)
    }
}

/// The single bits of `bits`, from the lowest.
#[inline(always)]
pub(crate) fn each_bit(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = bits & bits.wrapping_neg();
        bits ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_undone_by_unpadding() {
        for variant in Variant::ALL {
            let grid = Grid::of(variant);
            assert_eq!(grid.unpad(grid.pad(SquareSet::all(variant))), SquareSet::all(variant));
            for square in SquareSet::all(variant) {
                assert_eq!(grid.bit(square), grid.pad(square.into()));
                assert_eq!(grid.square(grid.bit(square)), square);
            }
        }
        assert_eq!(Grid::EIGHT.bit(Square::ALL[32]), 0);
    }

    #[test]
    fn a_step_is_a_neighbour_on_the_board_or_nothing() {
        let places = [
            (Direction::UpLeft, -1, -1),
            (Direction::UpRight, -1, 1),
            (Direction::DownLeft, 1, -1),
            (Direction::DownRight, 1, 1),
        ];
        for variant in Variant::ALL {
            let grid = Grid::of(variant);
            for square in SquareSet::all(variant) {
                let (row, column) = square.row_column(variant);
                for (direction, down, right) in places {
                    let expected = row
                        .checked_add_signed(down)
                        .zip(column.checked_add_signed(right))
                        .and_then(|(row, column)| Square::from_row_column(row, column, variant));
                    let stepped = grid.step(grid.bit(square), direction) & grid.all;
                    assert_eq!(
                        expected.map_or(0, |to| grid.bit(to)),
                        stepped,
                        "{variant} {square} {direction:?}"
                    );
                }
            }
        }
    }
}
