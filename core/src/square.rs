//! Dark squares and sets of them.
//!
//! Squares are numbered as the rules number them (CN100 1.1.6): from 1 at the top left as White sees the
//! board, row by row from Black's side, to 50 on the 10x10 board and 32 on the 8x8 boards. Light squares are
//! never in play (CN100 7.3) and have no number. A [`Square`] does not know its board; where the shape of the
//! board matters a [`Variant`] is asked for. Wires and matrix columns are numbered elsewhere.

use std::fmt;
use std::iter::FusedIterator;
use std::num::NonZeroU8;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub, SubAssign};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::rules::Variant;

/// A dark square, 1 to 50; on the 8x8 boards only 1 to 32 exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Square(NonZeroU8);

/// A number or text that names no dark square.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a square from 1 to 50")]
pub struct NotASquare(pub String);

impl Square {
    /// How many squares the largest board has.
    pub const MAX: u8 = 50;

    /// All squares of the largest board in ascending order; the 8x8 boards have the first 32.
    pub const ALL: [Self; Self::MAX as usize] = {
        let mut squares = [Self(NonZeroU8::MIN); Self::MAX as usize];
        let mut number = 2;
        while number <= Self::MAX {
            if let Some(square) = Self::new(number) {
                squares[square.index()] = square;
            }
            number += 1;
        }
        squares
    };

    /// The square with this number, if it lies within 1 to 50.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        match NonZeroU8::new(number) {
            Some(nonzero) if number <= Self::MAX => Some(Self(nonzero)),
            _ => None,
        }
    }

    /// The number players use, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.get()
    }

    /// Appends the number to `text`, as printing the square does; positions and moves are told often.
    pub(crate) fn push_number(self, text: &mut String) {
        let number = self.number();
        if number >= 10 {
            text.push(char::from(b'0' + number / 10));
        }
        text.push(char::from(b'0' + number % 10));
    }

    /// The number counted from 0, for tables and bits.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Whether the board of `variant` has this square.
    #[must_use]
    pub const fn is_on(self, variant: Variant) -> bool {
        self.number() <= variant.square_count()
    }

    /// Row and column on the whole board, light squares counted.
    ///
    /// Row 0 is Black's side (the top), column 0 the left as White sees it. For a square that the board of
    /// `variant` does not have, the row is beyond its last.
    #[must_use]
    pub const fn row_column(self, variant: Variant) -> (u8, u8) {
        let squares_in_row = variant.rows() / 2;
        let index = self.number() - 1;
        let row = index / squares_in_row;
        // The corner at each player's left hand is dark (CN100 1.1.4), so the top row begins light.
        let column = index % squares_in_row * 2 + (1 - row % 2);
        (row, column)
    }

    /// The dark square at this row and column, counted as in [`Square::row_column`]; none for a light square
    /// or a place off the board.
    #[must_use]
    pub const fn from_row_column(row: u8, column: u8, variant: Variant) -> Option<Self> {
        let rows = variant.rows();
        if row >= rows || column >= rows || (row + column).is_multiple_of(2) {
            return None;
        }
        Self::new(row * (rows / 2) + column / 2 + 1)
    }

    /// The square's algebraic name (`b8` for 1 on 64 squares, `b10` for 1 on 100), ready to be printed.
    ///
    /// Files run from `a` at White's left, ranks from 1 at White's side (CN64, board and notation). The
    /// square must be on the board of `variant`, else the name means nothing.
    #[must_use]
    pub const fn algebraic(self, variant: Variant) -> Algebraic {
        Algebraic { square: self, variant }
    }

    /// Reads an algebraic name such as `c3` or `j10`, in either case; none if it names no dark square of
    /// the board of `variant`.
    #[must_use]
    pub fn from_algebraic(name: &str, variant: Variant) -> Option<Self> {
        let mut characters = name.chars();
        let file = characters.next()?.to_ascii_lowercase();
        let column = u8::try_from(file).ok()?.checked_sub(b'a')?;
        let digits = characters.as_str();
        if !digits.starts_with(|first: char| matches!(first, '1'..='9')) {
            return None;
        }
        let rank: u8 = digits.parse().ok()?;
        Self::from_row_column(variant.rows().checked_sub(rank)?, column, variant)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| NotASquare(text.to_owned()))
    }
}

impl TryFrom<u8> for Square {
    type Error = NotASquare;

    fn try_from(number: u8) -> Result<Self, NotASquare> {
        Self::new(number).ok_or_else(|| NotASquare(number.to_string()))
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> Self {
        square.number()
    }
}

/// Prints a square by file and rank; made by [`Square::algebraic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Algebraic {
    square: Square,
    variant: Variant,
}

impl fmt::Display for Algebraic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = self.square.row_column(self.variant);
        let rank = self.variant.rows().saturating_sub(row);
        write!(f, "{}{rank}", char::from(b'a' + column))
    }
}

/// A set of squares; bit 0 is square 1.
///
/// Sets order by their highest square first, as their bits do; the order only serves to sort and has no
/// meaning on the board. Serialised as the list of square numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet(u64);

impl SquareSet {
    /// The set without squares.
    pub const EMPTY: Self = Self(0);

    const MASK: u64 = (1 << Square::MAX) - 1;

    /// The set with these bits, bit 0 being square 1; bits above square 50 are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::MASK)
    }

    /// One bit per square, bit 0 being square 1.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Every square of the board of `variant`.
    #[must_use]
    pub const fn all(variant: Variant) -> Self {
        Self((1 << variant.square_count()) - 1)
    }

    /// Whether `square` is in the set.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Adds `square`; says whether it is new.
    pub const fn insert(&mut self, square: Square) -> bool {
        let is_new = !self.contains(square);
        self.0 |= 1 << square.index();
        is_new
    }

    /// Removes `square`; says whether it was there.
    pub const fn remove(&mut self, square: Square) -> bool {
        let was_there = self.contains(square);
        self.0 &= !(1 << square.index());
        was_there
    }

    /// This set and `square`.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// This set except `square`.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }

    /// How many squares are in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The square with the lowest number.
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::ALL[self.0.trailing_zeros() as usize]) }
    }

    /// Whether every square of this set is in `other`.
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The squares in ascending order.
    #[must_use]
    pub const fn iter(self) -> SquareSetIter {
        SquareSetIter(self)
    }
}

/// The squares of a [`SquareSet`] in ascending order.
#[derive(Debug, Clone)]
pub struct SquareSetIter(SquareSet);

impl Iterator for SquareSetIter {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.remove(square);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for SquareSetIter {}
impl FusedIterator for SquareSetIter {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    fn into_iter(self) -> SquareSetIter {
        self.iter()
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Square> for SquareSet {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect();
    }
}

impl From<Square> for SquareSet {
    fn from(square: Square) -> Self {
        Self::EMPTY.with(square)
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for SquareSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitXor for SquareSet {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for SquareSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for SquareSet {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for SquareSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SquareSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Square>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    /// Checks number, row and column, and algebraic name against each other, both ways.
    #[track_caller]
    fn check(variant: Variant, number: u8, place: (u8, u8), name: &str) {
        let square = square(number);
        assert_eq!(square.row_column(variant), place);
        assert_eq!(Square::from_row_column(place.0, place.1, variant), Some(square));
        assert_eq!(square.algebraic(variant).to_string(), name);
        assert_eq!(Square::from_algebraic(name, variant), Some(square));
    }

    #[test]
    fn cn100_1_1_6_numbers_run_row_by_row_from_blacks_side() {
        check(Variant::International, 1, (0, 1), "b10");
        check(Variant::International, 5, (0, 9), "j10");
        check(Variant::International, 6, (1, 0), "a9");
        check(Variant::International, 46, (9, 0), "a1");
        check(Variant::International, 50, (9, 8), "i1");
    }

    #[test]
    fn squares_of_the_small_boards_have_algebraic_names() {
        check(Variant::Russian, 1, (0, 1), "b8");
        check(Variant::Russian, 4, (0, 7), "h8");
        check(Variant::Brazilian, 29, (7, 0), "a1");
        check(Variant::Brazilian, 32, (7, 6), "g1");
    }

    #[test]
    fn what_names_no_dark_square_is_refused() {
        for name in ["", "a", "b1", "i1", "a9", "a0", "a01", "a-1", "a+1", "é1", "11", "a1 "] {
            assert_eq!(Square::from_algebraic(name, Variant::Russian), None, "{name:?}");
        }
        assert_eq!("51".parse::<Square>(), Err(NotASquare("51".to_owned())));
        assert_eq!("0".parse::<Square>(), Err(NotASquare("0".to_owned())));
        assert!(serde_json::from_str::<SquareSet>("[1,51]").is_err());
    }

    #[test]
    fn sets_keep_squares_in_ascending_order() {
        let mut set: SquareSet = [50, 1, 32].map(square).into_iter().collect();
        assert!(set.insert(square(7)));
        assert!(!set.insert(square(7)));
        assert!(set.remove(square(32)));
        assert_eq!(format!("{set:?}"), "[1, 7, 50]");
        assert_eq!(serde_json::to_string(&set).unwrap(), "[1,7,50]");
        assert_eq!(serde_json::from_str::<SquareSet>("[50,7,1]").unwrap(), set);
        assert_eq!((set.len(), set.first()), (3, Some(square(1))));
        assert_eq!(SquareSet::all(Variant::International).len(), 50);
        assert_eq!(SquareSet::all(Variant::Russian).iter().last(), Some(square(32)));
    }
}
