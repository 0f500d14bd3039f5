//! Positions as text: FEN as PDN 3.0 defines it for draughts, `W:W31,32:BK1`.
//!
//! Read: either colour's list first or missing, empty lists, `K` before a king, ranges (`31-50`, `K1-5`),
//! numeric or algebraic squares also mixed, either case, blanks around the parts, a final dot, and the half-move
//! and move numbers that lidraughts appends (`:H0:F1`), which are dropped. Not read: an unknown side to move
//! (`?`), and ranges of algebraic squares.
//!
//! Written: White's list first (some readers swap the colours otherwise), every square by itself, ascending.

use std::fmt::{self, Write as _};

use thiserror::Error;

use crate::piece::Side;
use crate::position::{Position, PositionError, Setup};
use crate::rules::Variant;
use crate::square::{Square, SquareSet};

/// Why a text is no FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    /// The text does not begin with `W` or `B`.
    #[error("the side to move must be `W` or `B`, not `{0}`")]
    Turn(String),
    /// A part is neither a list of pieces nor a move number.
    #[error("`{0}` begins with neither `W` nor `B`")]
    Colour(String),
    /// A colour has more than one list.
    #[error("{0} has more than one list of pieces")]
    ColourTwice(Side),
    /// There is no list of pieces at all.
    #[error("there is no list of pieces")]
    NoPieces,
    /// An entry names no square, or no range of squares, of this board.
    #[error("`{text}` names no square of the {variant} board")]
    Square {
        /// The entry as it stands.
        text: String,
        /// The board.
        variant: Variant,
    },
    /// A square is named twice in one list.
    #[error("square {0} is named twice")]
    SquareTwice(Square),
    /// The text is a FEN, but the rules do not accept what it shows.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Reads a FEN for the board of `variant`.
///
/// # Errors
/// [`FenError`] for the first thing that cannot be read. Whether the rules accept the position is not asked.
pub fn parse(text: &str, variant: Variant) -> Result<Setup, FenError> {
    let text = text.trim();
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut parts = text.split(':').map(str::trim);
    let turn_text = parts.next().unwrap_or_default();
    let turn = match turn_text {
        "W" | "w" => Side::White,
        "B" | "b" => Side::Black,
        _ => return Err(FenError::Turn(turn_text.to_owned())),
    };
    let mut kings = SquareSet::EMPTY;
    let mut lists = [None, None];
    for part in parts {
        let Some((side, entries)) = split_colour(part) else {
            if is_move_number(part) {
                continue;
            }
            return Err(FenError::Colour(part.to_owned()));
        };
        let list = &mut lists[side as usize];
        if list.is_some() {
            return Err(FenError::ColourTwice(side));
        }
        let pieces = parse_list(entries, variant)?;
        kings |= pieces.kings;
        *list = Some(pieces.all);
    }
    if lists == [None, None] {
        return Err(FenError::NoPieces);
    }
    let [white, black] = lists.map(Option::unwrap_or_default);
    Ok(Setup { variant, turn, white, black, kings })
}

/// Reads a FEN for the board of `variant` that shows a position the rules accept.
///
/// # Errors
/// As [`parse`], and [`FenError::Position`] with every problem of the position.
pub fn parse_position(text: &str, variant: Variant) -> Result<Position, FenError> {
    Ok(Position::from_setup(&parse(text, variant)?)?)
}

/// Writes `setup` with numeric squares: `W:W31,32:BK1`.
#[must_use]
pub fn write(setup: &Setup) -> String {
    write_with(setup, |text, square| {
        square.push_number(text);
        Ok(())
    })
}

/// Writes `setup` with algebraic squares, as is usual on 64 squares: `W:Wa1,c1:BKb8`.
#[must_use]
pub fn write_algebraic(setup: &Setup) -> String {
    write_with(setup, |text, square| write!(text, "{}", square.algebraic(setup.variant)))
}

struct Pieces {
    all: SquareSet,
    kings: SquareSet,
}

fn split_colour(part: &str) -> Option<(Side, &str)> {
    let strip = |upper, lower| part.strip_prefix(upper).or_else(|| part.strip_prefix(lower));
    // `b8` alone is not taken for a square here: a list always begins with its colour.
    strip('W', 'w')
        .map(|entries| (Side::White, entries))
        .or_else(|| strip('B', 'b').map(|entries| (Side::Black, entries)))
}

fn is_move_number(part: &str) -> bool {
    part.strip_prefix(['H', 'F']).is_some_and(|digits| digits.chars().all(|digit| digit.is_ascii_digit()))
}

fn parse_list(entries: &str, variant: Variant) -> Result<Pieces, FenError> {
    let mut pieces = Pieces { all: SquareSet::EMPTY, kings: SquareSet::EMPTY };
    if entries.trim().is_empty() {
        return Ok(pieces);
    }
    for entry in entries.split(',').map(str::trim) {
        // No board has a file `k`, so the letter cannot begin a square.
        let (is_king, name) = match entry.strip_prefix(['K', 'k']) {
            Some(name) => (true, name),
            None => (false, entry),
        };
        let unreadable = || FenError::Square { text: entry.to_owned(), variant };
        for square in parse_squares(name, variant).ok_or_else(unreadable)? {
            if !pieces.all.insert(square) {
                return Err(FenError::SquareTwice(square));
            }
            if is_king {
                pieces.kings.insert(square);
            }
        }
    }
    Ok(pieces)
}

/// Reads one square or a numeric range.
fn parse_squares(name: &str, variant: Variant) -> Option<SquareSet> {
    match name.split_once('-') {
        None => parse_square(name, variant).map(SquareSet::from),
        Some((first, last)) => {
            let first = parse_number(first.trim(), variant)?;
            let last = parse_number(last.trim(), variant)?;
            let range = first.index()..=last.index();
            (first <= last).then(|| Square::ALL[range].iter().copied().collect())
        }
    }
}

fn parse_square(name: &str, variant: Variant) -> Option<Square> {
    parse_number(name, variant).or_else(|| Square::from_algebraic(name, variant))
}

fn parse_number(name: &str, variant: Variant) -> Option<Square> {
    if !name.chars().all(|digit| digit.is_ascii_digit()) {
        return None; // the number parser would take a sign
    }
    name.parse().ok().filter(|square: &Square| square.is_on(variant))
}

fn write_with(setup: &Setup, mut write_square: impl FnMut(&mut String, Square) -> fmt::Result) -> String {
    let letter = |side| match side {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let mut text = String::with_capacity(2 + 2 * 2 + 4 * (setup.white | setup.black).len());
    text.push(letter(setup.turn));
    for side in Side::ALL {
        let pieces = match side {
            Side::White => setup.white,
            Side::Black => setup.black,
        };
        text.push(':');
        text.push(letter(side));
        for (number, square) in pieces.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            if setup.kings.contains(square) {
                text.push('K');
            }
            write_square(&mut text, square).expect("a string takes any text");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that `text` is read, and what it is written as.
    #[track_caller]
    fn check(variant: Variant, text: &str, written: &str) {
        let setup = parse(text, variant).unwrap();
        assert_eq!(write(&setup), written, "{text}");
        assert_eq!(parse(written, variant), Ok(setup), "{text}");
    }

    #[track_caller]
    fn check_refused(text: &str, error: FenError) {
        assert_eq!(parse(text, Variant::Russian), Err(error), "{text}");
    }

    #[test]
    fn tolerated_forms_are_read() {
        check(Variant::International, "W:W31,32:BK1", "W:W31,32:BK1");
        check(Variant::International, "B:BK1-3,9:W50.", "B:W50:BK1,K2,K3,9");
        check(Variant::International, " w : w 31 , k32 : b : H0 : F1 ", "W:W31,K32:B");
        check(Variant::International, "W:W31-34", "W:W31,32,33,34:B");
        check(Variant::International, "W:W:Bj10", "W:W:B5");
        check(Variant::Russian, "B:Wa1,Kc1,32:BKb8,H8:H12:F30.", "B:W29,K30,32:BK1,4");
    }

    #[test]
    fn start_positions_are_read_as_ranges() {
        let international = parse_position("W:W31-50:B1-20", Variant::International);
        assert_eq!(international, Ok(Position::start(Variant::International)));
        for variant in [Variant::Brazilian, Variant::Russian] {
            assert_eq!(parse_position("W:W21-32:B1-12", variant), Ok(Position::start(variant)));
        }
    }

    #[test]
    fn algebraic_squares_are_written() {
        let setup = parse("B:W29,K30:BK1,4", Variant::Russian).unwrap();
        assert_eq!(write_algebraic(&setup), "B:Wa1,Kc1:BKb8,h8");
        assert_eq!(parse(&write_algebraic(&setup), Variant::Russian), Ok(setup));
    }

    #[test]
    fn what_is_no_fen_is_refused_with_the_reason() {
        let square = |text: &str| FenError::Square { text: text.to_owned(), variant: Variant::Russian };
        check_refused("", FenError::Turn(String::new()));
        check_refused("?:W1:B2", FenError::Turn("?".to_owned()));
        check_refused("W", FenError::NoPieces);
        check_refused("W:H0", FenError::NoPieces);
        check_refused("W:W1:W2", FenError::ColourTwice(Side::White));
        check_refused("W:X1:B2", FenError::Colour("X1".to_owned()));
        check_refused("W:W33:B2", square("33"));
        check_refused("W:W+3:B2", square("+3"));
        check_refused("W:W1,,2:B3", square(""));
        check_refused("W:W3-1:B4", square("3-1"));
        check_refused("W:Wa1-c1:B4", square("a1-c1"));
        check_refused("W:W1,K1:B4", FenError::SquareTwice(Square::ALL[0]));
    }

    #[test]
    fn a_setup_the_rules_refuse_is_read_but_is_no_position() {
        let text = "W:W1,5:B5";
        assert!(parse(text, Variant::Russian).is_ok());
        assert!(matches!(parse_position(text, Variant::Russian), Err(FenError::Position(_))));
    }
}
