//! Shadows: squares of which nothing can be felt for a while, because another contact speaks in their place.
//!
//! Two faults do that. A contact that also hears its neighbour says nothing while the neighbour is closed. Where a diode
//! is missing, contacts that share wires with it read closed while those around them are ([`Matrix::ghosts`]). Either
//! way the contact is right at all other times, so it is not given up as a stuck one is: it is unknown while the shadow
//! lies on it.

use crate::event::ContactFault;
use crate::matrix::Matrix;
use crate::square::{Square, SquareSet};

/// What casts shadows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shadow {
    /// The contact of `square` also closes for a disc on `heard`, a neighbour.
    Neighbour {
        /// Whose contact it is.
        square: Square,
        /// Whose disc it hears.
        heard: Square,
    },
    /// The diode of this square's contact is missing.
    Diode {
        /// Whose contact it is.
        square: Square,
    },
}

impl Shadow {
    /// The square whose contact, or whose diode, is faulty.
    #[must_use]
    pub const fn square(self) -> Square {
        match self {
            Self::Neighbour { square, .. } | Self::Diode { square } => square,
        }
    }

    /// The fault's name.
    #[must_use]
    pub const fn fault(self) -> ContactFault {
        match self {
            Self::Neighbour { .. } => ContactFault::Coupled,
            Self::Diode { .. } => ContactFault::Ghost,
        }
    }

    /// The squares on which it lies while these contacts are `closed`: they read closed, whatever stands there.
    #[must_use]
    pub fn over(self, closed: SquareSet, matrix: Option<&Matrix>) -> SquareSet {
        match self {
            Self::Neighbour { square, heard } if closed.contains(heard) => square.into(),
            Self::Neighbour { .. } => SquareSet::EMPTY,
            Self::Diode { square } => matrix.map_or(SquareSet::EMPTY, |matrix| matrix.ghosts(square, closed)),
        }
    }
}
