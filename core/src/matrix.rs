//! The switch matrix, as far as it matters to what contacts say: which of them share a wire.
//!
//! *Rows* and *columns* are wires here; they need not follow the rows of the board. A contact joins one row and one
//! column by a switch and a diode. Rows are driven one at a time, columns are read. Where a diode lets current through
//! backwards, a contact reads closed that is not: a *ghost*, see [`Matrix::ghosts`].

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::square::{Square, SquareSet};

/// At which crossing of rows and columns the contact of each square sits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<[u8; 2]>", into = "Vec<[u8; 2]>")]
pub struct Matrix {
    /// Row and column of each square's contact, in the order of the squares.
    crossings: Vec<[u8; 2]>,
    /// For each square the squares whose contacts are on the same row and on the same column, itself among them.
    shared: Vec<[SquareSet; 2]>,
}

/// Why crossings are no matrix.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatrixError {
    /// There are more contacts than any board has squares.
    #[error("the matrix has {0} contacts; no board has more than 50 squares")]
    TooMany(usize),
    /// Two contacts cannot sit at the same crossing.
    #[error("the contacts of squares {0} and {1} sit at the same crossing of the matrix")]
    Shared(Square, Square),
}

impl Matrix {
    /// The matrix with these crossings, `[row, column]`, in the order of the squares.
    ///
    /// # Errors
    /// [`MatrixError`] when there are more than squares, or two are the same.
    pub fn new(crossings: Vec<[u8; 2]>) -> Result<Self, MatrixError> {
        if crossings.len() > Square::ALL.len() {
            return Err(MatrixError::TooMany(crossings.len()));
        }
        let placed = || Square::ALL.into_iter().zip(&crossings);
        for (square, crossing) in placed() {
            let other = placed().find(|&(other, place)| other < square && place == crossing);
            if let Some((other, _)) = other {
                return Err(MatrixError::Shared(other, square));
            }
        }
        let on = |wire: usize, of: &[u8; 2]| {
            placed().filter(|(_, crossing)| crossing[wire] == of[wire]).map(|(square, _)| square).collect()
        };
        let shared = crossings.iter().map(|crossing| [on(0, crossing), on(1, crossing)]).collect();
        Ok(Self { crossings, shared })
    }

    /// How many contacts it has: one for each square of the board.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.crossings.len()
    }

    /// The same wires for who numbers the squares from the other end of the board.
    ///
    /// # Panics
    /// Never: no two crossings become the same in another order.
    #[must_use]
    pub fn turned(&self) -> Self {
        let reversed = self.crossings.iter().rev().copied().collect();
        Self::new(reversed).expect("crossings in another order are still different from each other")
    }

    /// The squares whose contacts are on the row of this one's.
    pub(crate) fn row_of(&self, square: Square) -> SquareSet {
        self.shared.get(square.index()).map_or(SquareSet::EMPTY, |shared| shared[0])
    }

    /// The squares whose contacts are on the column of this one's.
    pub(crate) fn column_of(&self, square: Square) -> SquareSet {
        self.shared.get(square.index()).map_or(SquareSet::EMPTY, |shared| shared[1])
    }

    /// The squares whose contacts read closed, whatever stands on them, while these are `closed` and the diode of
    /// `bare` lets current through backwards.
    ///
    /// A driven row reaches the column of `bare` by another closed contact on it, goes backwards through `bare`, and
    /// from its row by every closed contact to that one's column. Contacts on the two wires of `bare` are read as
    /// ever.
    #[must_use]
    pub fn ghosts(&self, bare: Square, closed: SquareSet) -> SquareSet {
        if !closed.contains(bare) {
            return SquareSet::EMPTY;
        }
        let union = |squares: SquareSet, wire: fn(&Self, Square) -> SquareSet| {
            squares.iter().fold(SquareSet::EMPTY, |all, square| all | wire(self, square))
        };
        let into = (closed & self.column_of(bare)).without(bare);
        let out = (closed & self.row_of(bare)).without(bare);
        union(into, Self::row_of) & union(out, Self::column_of)
    }
}

impl TryFrom<Vec<[u8; 2]>> for Matrix {
    type Error = MatrixError;

    fn try_from(crossings: Vec<[u8; 2]>) -> Result<Self, MatrixError> {
        Self::new(crossings)
    }
}

impl From<Matrix> for Vec<[u8; 2]> {
    fn from(matrix: Matrix) -> Self {
        matrix.crossings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows by three columns, squares 1 to 9 row by row.
    fn matrix() -> Matrix {
        Matrix::new((0..9).map(|index| [index / 3, index % 3]).collect()).unwrap()
    }

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    #[track_caller]
    fn check(bare: u8, closed: &[u8], expected: &[u8]) {
        let set = |numbers: &[u8]| numbers.iter().map(|&number| square(number)).collect::<SquareSet>();
        assert_eq!(matrix().ghosts(square(bare), set(closed)), set(expected));
    }

    #[test]
    fn ghosts_are_the_fourth_corners_of_rectangles() {
        check(1, &[1, 2, 4], &[5]);
        check(1, &[1, 2, 3, 4, 7], &[5, 6, 8, 9]);
        // Whether a disc stands there makes no difference.
        check(1, &[1, 2, 4, 5], &[5]);
    }

    #[test]
    fn two_corners_make_no_ghost_and_a_good_diode_none_either() {
        check(1, &[1, 2], &[]);
        check(1, &[1, 4], &[]);
        check(1, &[2, 4], &[]);
        // The missing diode is that of another corner.
        check(2, &[2, 1, 4], &[]);
    }

    #[test]
    fn the_other_end_of_the_board_has_the_same_wires() {
        let turned = matrix().turned();
        assert_eq!(Vec::from(turned.clone())[0], [2, 2]);
        assert_eq!(turned.turned(), matrix());
    }

    #[test]
    fn two_contacts_at_one_crossing_are_refused() {
        let refused = Matrix::new(vec![[1, 1], [1, 2], [1, 1]]).unwrap_err();
        assert_eq!(refused, MatrixError::Shared(square(1), square(3)));
        assert_eq!(Matrix::new(vec![[0, 0]; 51]).unwrap_err(), MatrixError::TooMany(51));
    }
}
