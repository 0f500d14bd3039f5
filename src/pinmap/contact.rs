//! Names of contacts, and what they mean once it is known where White sits.

use std::fmt;
use std::str::FromStr;

use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use draughtsd_core::trace::Button;
use thiserror::Error;

use crate::config::WhiteSide;

/// A contact by where it is in the furniture. The order is that of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactId {
    /// Under this square when White sits at the near end: `square-31`.
    Square(Square),
    /// A well for a crowning disc at an end of the board, number 1 or 2: `well-near-1`.
    Well {
        /// The end.
        end: WhiteSide,
        /// Which of the two.
        number: u8,
    },
    /// The button that stops the time of the player at this end: `press-far`.
    Press {
        /// The end.
        end: WhiteSide,
    },
    /// A button of the player at this end: `adjust-near`, `draw-near`, `resign-near`, `arbiter-near`.
    Button {
        /// Which button.
        button: Button,
        /// The end.
        end: WhiteSide,
    },
}

/// What a contact means in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A disc on this square.
    Square(Square),
    /// A crowning disc of this side in its well.
    Well {
        /// The side whose end it is.
        side: Side,
        /// Which of the two, 1 or 2.
        number: u8,
    },
    /// This side presses the clock.
    Press {
        /// The side.
        side: Side,
    },
    /// A button of this side.
    Button {
        /// Which button.
        button: Button,
        /// The side.
        side: Side,
    },
}

/// A text that names no contact.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no contact; there are square-1 to square-50 and, with `far` for `near` as well, well-near-1, \
     well-near-2, press-near, adjust-near, draw-near, resign-near, arbiter-near"
)]
pub struct NotAContact(pub String);

/// The buttons with their names.
const BUTTONS: [(Button, &str); 4] = [
    (Button::Adjust, "adjust"),
    (Button::Draw, "draw"),
    (Button::Resign, "resign"),
    (Button::Arbiter, "arbiter"),
];

/// The ends with their names.
const ENDS: [(WhiteSide, &str); 2] = [(WhiteSide::Near, "near"), (WhiteSide::Far, "far")];

impl ContactId {
    /// Every contact that a board of `variant` can have, in their order.
    #[must_use]
    pub fn all(variant: Variant) -> Vec<Self> {
        let squares = Square::ALL.into_iter().filter(|square| square.is_on(variant)).map(Self::Square);
        let of_end = |(end, _): (WhiteSide, _)| {
            let wells = [1, 2].map(|number| Self::Well { end, number });
            let buttons = BUTTONS.map(|(button, _)| Self::Button { button, end });
            wells.into_iter().chain([Self::Press { end }]).chain(buttons)
        };
        squares.chain(ENDS.into_iter().flat_map(of_end)).collect()
    }

    /// What the contact means in a game of `variant` with White at `white_side`.
    ///
    /// A square must be one of the board of `variant`; another is left as it is.
    #[must_use]
    pub fn role(self, variant: Variant, white_side: WhiteSide) -> Role {
        let side = |end: WhiteSide| if end == white_side { Side::White } else { Side::Black };
        match self {
            Self::Square(square) => Role::Square(match white_side {
                WhiteSide::Near => square,
                WhiteSide::Far => turned(square, variant),
            }),
            Self::Well { end, number } => Role::Well { side: side(end), number },
            Self::Press { end } => Role::Press { side: side(end) },
            Self::Button { button, end } => Role::Button { button, side: side(end) },
        }
    }
}

/// The square with the number that `square` has for who looks from the other end.
fn turned(square: Square, variant: Variant) -> Square {
    (variant.square_count() + 1).checked_sub(square.number()).and_then(Square::new).unwrap_or(square)
}

impl fmt::Display for ContactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name_of = |end: WhiteSide| match end {
            WhiteSide::Near => "near",
            WhiteSide::Far => "far",
        };
        match *self {
            Self::Square(square) => write!(f, "square-{square}"),
            Self::Well { end, number } => write!(f, "well-{}-{number}", name_of(end)),
            Self::Press { end } => write!(f, "press-{}", name_of(end)),
            Self::Button { button, end } => {
                let button = BUTTONS.iter().find(|entry| entry.0 == button).map_or("", |entry| entry.1);
                write!(f, "{button}-{}", name_of(end))
            }
        }
    }
}

impl FromStr for ContactId {
    type Err = NotAContact;

    /// The form in which [`ContactId`] is displayed, and no other: `square-07` is refused.
    fn from_str(text: &str) -> Result<Self, NotAContact> {
        Self::all(Variant::International)
            .into_iter()
            .find(|id| id.to_string() == text)
            .ok_or_else(|| NotAContact(text.to_owned()))
    }
}
