//! The discs on the table: which stand on the board, which lie beside it, which wait in the wells.
//!
//! This is the physical side of a game, with no rules in it. A king is a stack of two discs.

use draughtsd_core::piece::{PieceKind, Side};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};

/// One or two discs of one colour, standing on a square or held in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stack {
    /// The discs' colour.
    pub side: Side,
    /// Two once it is crowned.
    pub crowned: bool,
}

/// The wells of one colour: two, each with room for one disc.
const WELLS: usize = 2;

/// All discs of a game.
#[derive(Clone, Debug)]
pub(super) struct Table {
    variant: Variant,
    squares: Vec<Option<Stack>>,
    /// Captured discs lying beside the board, by colour.
    beside: [u32; 2],
    /// Whether each well holds a disc, by colour.
    wells: [[bool; WELLS]; 2],
}

impl Table {
    /// The discs of `position`, both wells of each side full, nothing beside the board.
    pub(super) fn new(position: &Position) -> Self {
        let variant = position.variant();
        let stack = |square| {
            let piece = position.piece_at(square)?;
            Some(Stack { side: piece.side, crowned: piece.kind == PieceKind::King })
        };
        let squares = SquareSet::all(variant).iter().map(stack).collect();
        Self { variant, squares, beside: [0; 2], wells: [[true; WELLS]; 2] }
    }

    pub(super) fn variant(&self) -> Variant {
        self.variant
    }

    /// What stands on `square`.
    pub(super) fn at(&self, square: Square) -> Option<Stack> {
        self.squares[square.index()]
    }

    /// Every square with what stands on it.
    pub(super) fn squares(&self) -> impl Iterator<Item = (Square, Option<Stack>)> {
        SquareSet::all(self.variant).iter().map(|square| (square, self.at(square)))
    }

    /// Takes what stands on `square` into the hand.
    pub(super) fn lift(&mut self, square: Square) -> Stack {
        self.squares[square.index()].take().expect("a hand lifts only what stands there")
    }

    /// Puts what the hand holds on `square`.
    pub(super) fn set_down(&mut self, square: Square, stack: Stack) {
        let before = self.squares[square.index()].replace(stack);
        assert!(before.is_none(), "a hand sets a disc down only on an empty square");
    }

    /// Puts a second disc on the one on `square`.
    pub(super) fn crown(&mut self, square: Square) {
        self.squares[square.index()].as_mut().expect("a hand crowns only what stands there").crowned = true;
    }

    /// Lays what the hand holds beside the board.
    pub(super) fn lay_beside(&mut self, stack: Stack) {
        self.beside[slot(stack.side)] += if stack.crowned { 2 } else { 1 };
    }

    /// Takes what was laid beside the board back into the hand.
    pub(super) fn take_up(&mut self, stack: Stack) {
        let discs = if stack.crowned { 2 } else { 1 };
        let beside = &mut self.beside[slot(stack.side)];
        *beside = beside.saturating_sub(discs);
    }

    /// Takes a disc from a well of `side`; which one, or `None` if both are empty.
    pub(super) fn take_from_well(&mut self, side: Side) -> Option<u8> {
        let wells = &mut self.wells[slot(side)];
        let full = wells.iter().position(|&disc| disc)?;
        wells[full] = false;
        Some(number(full))
    }

    /// Puts a captured disc of `side` into a free well; which one, or `None` if there is no such
    /// disc or no such well.
    pub(super) fn return_to_well(&mut self, side: Side) -> Option<u8> {
        let beside = self.beside[slot(side)].checked_sub(1)?;
        let well = self.fill_well(side)?;
        self.beside[slot(side)] = beside;
        Some(well)
    }

    /// Puts a disc from elsewhere into a free well of `side`: the arbiter keeps more of them.
    pub(super) fn fill_well(&mut self, side: Side) -> Option<u8> {
        let wells = &mut self.wells[slot(side)];
        let free = wells.iter().position(|&disc| !disc)?;
        wells[free] = true;
        Some(number(free))
    }
}

const fn slot(side: Side) -> usize {
    match side {
        Side::White => 0,
        Side::Black => 1,
    }
}

/// Wells are numbered from 1.
fn number(index: usize) -> u8 {
    u8::try_from(index + 1).expect("there are two wells")
}
