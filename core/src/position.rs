//! Positions: any setup the contacts may show, and those the rules accept.
//!
//! A [`Setup`] may be anything: pieces of both sides on one square, a man on its far row. A [`Position`] is
//! one in which the rules can be applied, and is where moves are generated and played.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::moves::{ConceivableMove, Move, Route};
use crate::notation::fen;
use crate::piece::{Piece, PieceKind, Side};
use crate::rules::Variant;
use crate::rules::bitboard::{Board, Grid, specialised};
use crate::rules::conceivable::conceivable_moves;
use crate::rules::movegen::{has_legal_move, legal_moves_into};
use crate::rules::routes::routes;
use crate::square::{Square, SquareSet};

/// Pieces anywhere and a side to move, as contacts or a FEN may give them; nothing is promised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// The game, and with it the board.
    pub variant: Variant,
    /// The side to move.
    pub turn: Side,
    /// Where White has pieces.
    pub white: SquareSet,
    /// Where Black has pieces.
    pub black: SquareSet,
    /// Which of the pieces are kings.
    pub kings: SquareSet,
}

/// A position the rules accept.
///
/// Both sides stand on different squares of the board, and no man stands on its far row. A side may be without
/// pieces: it has lost. Positions are equal if pieces, side to move and game are. `Debug` prints a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    variant: Variant,
    turn: Side,
    board: Board,
}

/// Why the side to move has lost (CN100 12.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It has no pieces (CN100 12.2.2).
    NoPieces,
    /// It has pieces but cannot move (CN100 12.2.3).
    Blocked,
}

/// Why a setup is no position: every problem it has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a position: {}", list(problems))]
pub struct PositionError {
    /// What is wrong, at least one entry.
    pub problems: Vec<PositionProblem>,
}

/// One thing wrong with a setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PositionProblem {
    /// Pieces on squares the board does not have.
    #[error("the board has no squares {0:?}")]
    OffBoard(SquareSet),
    /// Squares with a piece of either side.
    #[error("both sides have a piece on {0:?}")]
    BothSides(SquareSet),
    /// Squares said to hold a king where no side has a piece.
    #[error("kings without a piece on {0:?}")]
    KingWithoutPiece(SquareSet),
    /// Men on the row where they would have been promoted (CN100 5.5).
    #[error("{side} men on their far row: {squares:?}")]
    ManOnFarRow {
        /// Whose men.
        side: Side,
        /// Where.
        squares: SquareSet,
    },
}

fn list(problems: &[PositionProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Position {
    /// The start position; White is to move (CN100 2.2, 5.3).
    #[must_use]
    pub fn start(variant: Variant) -> Self {
        let squares = variant.rows() / 2 * variant.rules().start_rows.0;
        let black = SquareSet::from_bits((1 << squares) - 1);
        let white = SquareSet::from_bits(black.bits() << (variant.square_count() - squares));
        let grid = Grid::of(variant);
        Self {
            variant,
            turn: Side::White,
            board: Board { mine: grid.pad(white), theirs: grid.pad(black), kings: 0 },
        }
    }

    /// Checks a setup.
    ///
    /// # Errors
    /// [`PositionError`] with everything that is wrong with it.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let pieces = setup.white | setup.black;
        let grid = Grid::of(setup.variant);
        let men_on_far_row = |side: Side, pieces: SquareSet| PositionProblem::ManOnFarRow {
            side,
            squares: (pieces - setup.kings) & grid.unpad(grid.far_row(side)),
        };
        let mut problems = vec![
            PositionProblem::OffBoard((pieces | setup.kings) - SquareSet::all(setup.variant)),
            PositionProblem::BothSides(setup.white & setup.black),
            PositionProblem::KingWithoutPiece(setup.kings - pieces),
            men_on_far_row(Side::White, setup.white),
            men_on_far_row(Side::Black, setup.black),
        ];
        problems.retain(|problem| !problem.squares().is_empty());
        if !problems.is_empty() {
            return Err(PositionError { problems });
        }
        let (mine, theirs) = match setup.turn {
            Side::White => (setup.white, setup.black),
            Side::Black => (setup.black, setup.white),
        };
        Ok(Self {
            variant: setup.variant,
            turn: setup.turn,
            board: Board { mine: grid.pad(mine), theirs: grid.pad(theirs), kings: grid.pad(setup.kings) },
        })
    }

    /// The position as a setup.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            variant: self.variant,
            turn: self.turn,
            white: self.pieces(Side::White),
            black: self.pieces(Side::Black),
            kings: self.grid().unpad(self.board.kings),
        }
    }

    /// The game played.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The side to move.
    #[must_use]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The same pieces with `turn` to move.
    #[must_use]
    pub const fn with_turn(&self, turn: Side) -> Self {
        let Board { mine, theirs, kings } = self.board;
        match (self.turn, turn) {
            (Side::White, Side::White) | (Side::Black, Side::Black) => *self,
            _ => Self { variant: self.variant, turn, board: Board { mine: theirs, theirs: mine, kings } },
        }
    }

    /// Where anything stands.
    #[must_use]
    pub fn occupied(&self) -> SquareSet {
        self.grid().unpad(self.board.mine | self.board.theirs)
    }

    /// Where `side` has men or kings.
    #[must_use]
    pub fn pieces(&self, side: Side) -> SquareSet {
        self.grid().unpad(self.padded(side))
    }

    /// Where `side` has men.
    #[must_use]
    pub fn men(&self, side: Side) -> SquareSet {
        self.grid().unpad(self.padded(side) & !self.board.kings)
    }

    /// Where `side` has kings.
    #[must_use]
    pub fn kings(&self, side: Side) -> SquareSet {
        self.grid().unpad(self.padded(side) & self.board.kings)
    }

    /// What stands on `square`; nothing on a square the board does not have.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let bit = self.grid().bit(square);
        let side = if self.board.mine & bit != 0 {
            self.turn
        } else if self.board.theirs & bit != 0 {
            self.turn.opponent()
        } else {
            return None;
        };
        let kind = if self.board.kings & bit != 0 { PieceKind::King } else { PieceKind::Man };
        Some(Piece { side, kind })
    }

    /// The legal moves of the side to move, in ascending order, each once (see [`Move`] for what counts as one).
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        // Mostly there are no more, and then it need not grow.
        let mut moves = Vec::with_capacity(16);
        self.legal_moves_into(&mut moves);
        moves
    }

    /// As [`Position::legal_moves`], replacing the content of `moves`, which may so be used again.
    pub fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        specialised!(self.variant, self.turn, legal_moves_into(&self.board, moves));
    }

    /// Whether the side to move has a legal move; cheaper than asking for the moves.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        specialised!(self.variant, self.turn, has_legal_move(&self.board))
    }

    /// The position after `mv`, the other side being to move.
    ///
    /// - `mv`: a legal or conceivable move of this position. Any other move is carried out as far as it can be:
    ///   what stands on `from` goes to `to`, a piece in its way and the captured enemy pieces are gone. The
    ///   result always is a valid position.
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        let grid = self.grid();
        let Board { mine, theirs, kings } = self.board;
        let from = grid.bit(mv.from) & mine;
        let to = if from == 0 { 0 } else { grid.bit(mv.to) };
        let king = mv.promotes || kings & from != 0 || to & grid.far_row(self.turn) != 0;
        let moved = mine & !from | to;
        let left = theirs & !(grid.pad(mv.captured) | to);
        let kings = (kings & !from & !to | if king { to } else { 0 }) & (moved | left);
        Self {
            variant: self.variant,
            turn: self.turn.opponent(),
            board: Board { mine: left, theirs: moved, kings },
        }
    }

    /// All routes by which `mv` can be carried out, in ascending order; a quiet move has one.
    ///
    /// - `mv`: a legal or conceivable move; any other has none.
    #[must_use]
    pub fn routes(&self, mv: Move) -> Vec<Route> {
        specialised!(self.variant, self.turn, routes(&self.board, &mv))
    }

    /// Whether the game is over because the side to move has lost: it has no pieces or cannot move.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        if self.board.mine == 0 {
            Some(Ending::NoPieces)
        } else if self.has_legal_move() {
            None
        } else {
            Some(Ending::Blocked)
        }
    }

    /// What the side to move might do against the rules, as far as the rules name it, in ascending order.
    ///
    /// These are quiet moves though a capture is compulsory, whole captures of too few pieces, and captures
    /// left where they had to go on; none if no capture is on the board. A man left on its far row in
    /// mid-capture is promoted: that is what the position becomes if the opponent accepts it (CN100 7.7).
    #[must_use]
    pub fn conceivable_moves(&self) -> Vec<ConceivableMove> {
        specialised!(self.variant, self.turn, conceivable_moves(&self.board))
    }

    /// The position in FEN, White's list first, numeric and without ranges: `W:W31,32:BK1`.
    #[must_use]
    pub fn fen(&self) -> String {
        fen::write(&self.to_setup())
    }

    pub(crate) const fn board(&self) -> &Board {
        &self.board
    }

    fn grid(&self) -> &'static Grid {
        Grid::of(self.variant)
    }

    const fn padded(&self, side: Side) -> u64 {
        match (self.turn, side) {
            (Side::White, Side::White) | (Side::Black, Side::Black) => self.board.mine,
            _ => self.board.theirs,
        }
    }
}

impl PositionProblem {
    /// The squares concerned.
    #[must_use]
    pub const fn squares(&self) -> SquareSet {
        match self {
            Self::OffBoard(squares)
            | Self::BothSides(squares)
            | Self::KingWithoutPiece(squares)
            | Self::ManOnFarRow { squares, .. } => *squares,
        }
    }
}

impl From<Position> for Setup {
    fn from(position: Position) -> Self {
        position.to_setup()
    }
}

impl TryFrom<Setup> for Position {
    type Error = PositionError;

    fn try_from(setup: Setup) -> Result<Self, PositionError> {
        Self::from_setup(&setup)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_setup(), f)
    }
}

impl fmt::Debug for Setup {
    /// Prints a diagram: `w` and `b` are men, `W` and `B` kings, `.` empty dark squares, `X` squares of both
    /// sides, `?` a king of neither.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {} to move", self.variant, self.turn)?;
        for row in 0..self.variant.rows() {
            let mut line = String::new();
            for column in 0..self.variant.rows() {
                line.push(' ');
                line.push(match Square::from_row_column(row, column, self.variant) {
                    Some(square) => self.sign(square),
                    None => ' ',
                });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl Setup {
    fn sign(&self, square: Square) -> char {
        let is_king = self.kings.contains(square);
        match (self.white.contains(square), self.black.contains(square)) {
            (true, true) => 'X',
            (true, false) => {
                if is_king {
                    'W'
                } else {
                    'w'
                }
            }
            (false, true) => {
                if is_king {
                    'B'
                } else {
                    'b'
                }
            }
            (false, false) => {
                if is_king {
                    '?'
                } else {
                    '.'
                }
            }
        }
    }
}
