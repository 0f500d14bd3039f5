//! Single moves as text: `32-28`, `26x37`, `c3:e5`, `47x38x24x13x36`.
//!
//! Written (PDN 3.0, move text; CN100 10.2): origin and target, `-` or a capture sign between them, no blanks,
//! no leading zeros. Where origin and target leave open which pieces are taken, all landing squares are given:
//! each square where the capture turns and, where it goes straight on, the square directly behind the piece
//! just taken.
//!
//! Read beyond that: numeric or algebraic squares on every board, `:` and `x` in either case and the dashes and
//! crosses of typography, leading zeros, no sign at all (`c3d4`, `3228`), Cyrillic letters that look like the
//! Latin ones, signs of evaluation at the end, landing squares where none are needed, some of them left out, and
//! other squares on which the piece could have been set down. Not read: a dash for a capture or a capture sign
//! for a quiet move, and anything that fits more than one legal move.

use std::fmt;

use thiserror::Error;

use super::Shown;
use crate::geometry::between;
use crate::moves::{Irregularity, Move, Route};
use crate::position::Position;
use crate::rules::Variant;
use crate::square::{Square, SquareSet};

/// How squares are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// `32-28`
    Numeric,
    /// `c3-d4`
    Algebraic,
}

impl Notation {
    /// How players of `variant` name squares: by number on 100 squares (CN100 10.2), by file and rank on 64.
    #[must_use]
    pub const fn usual(variant: Variant) -> Self {
        match variant {
            Variant::International => Self::Numeric,
            Variant::Brazilian | Variant::Russian => Self::Algebraic,
        }
    }
}

/// The sign between the squares of a capture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CaptureSign {
    /// `x`, which every reader takes.
    #[default]
    Cross,
    /// `:`, usual for Russian draughts and asked for by PDN's table of game types, but refused by some readers.
    Colon,
}

/// Why a text is no legal move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct MoveTextError {
    /// The text as it stands.
    pub text: String,
    /// What is wrong with it.
    pub problem: MoveTextProblem,
    /// What could have been meant: the moves that the text leaves open, else all legal moves. Written as short
    /// as each may be, squares named as the text names them.
    pub legal: Vec<String>,
}

/// What is wrong with the text of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveTextProblem {
    /// It does not have the form of a move.
    NotAMove,
    /// The board has no such dark square.
    NoSuchSquare(String),
    /// The move would be legal with the other sign; this is how it is written.
    WrongSign(String),
    /// Several legal moves fit.
    Ambiguous,
    /// Origin and target are those of a legal capture, but it cannot come by the squares between.
    NoSuchRoute,
    /// Nothing stands on the square of origin.
    NoPiece(Square),
    /// The piece on the square of origin belongs to the side that is not on turn.
    NotOnTurn(Square),
    /// The move is one the rules name as irregular.
    Irregular(Irregularity),
    /// The piece cannot go there.
    Illegal,
    /// The side on turn has no legal move: the game was over before.
    GameOver,
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Shown(&self.text);
        match &self.problem {
            MoveTextProblem::NotAMove => write!(f, "`{text}` is not a move")?,
            MoveTextProblem::NoSuchSquare(name) => {
                write!(f, "`{text}` is not a move: the board has no square `{}`", Shown(name))?;
            }
            MoveTextProblem::WrongSign(meant) if !meant.contains('x') => {
                write!(f, "`{text}` takes nothing and is written `{meant}`")?;
            }
            MoveTextProblem::WrongSign(meant) => {
                write!(f, "`{text}` is a capture and is written `{meant}`")?;
            }
            MoveTextProblem::Ambiguous => {
                write!(f, "`{text}` is ambiguous, it may be ")?;
                return write_list(f, &self.legal, " or ");
            }
            MoveTextProblem::NoSuchRoute => {
                write!(f, "`{text}`: the capture does not come by these squares, it is ")?;
                return write_list(f, &self.legal, " or ");
            }
            MoveTextProblem::NoPiece(square) => write!(f, "`{text}` is illegal: {square} is empty")?,
            MoveTextProblem::NotOnTurn(square) => {
                write!(f, "`{text}` is illegal: the piece on {square} is not on turn")?;
            }
            MoveTextProblem::Irregular(Irregularity::CaptureMissed) => {
                write!(f, "`{text}` is illegal: a capture is compulsory")?;
            }
            MoveTextProblem::Irregular(Irregularity::WrongCount) => {
                write!(f, "`{text}` is illegal: more pieces can be taken")?;
            }
            MoveTextProblem::Irregular(Irregularity::StoppedShort) => {
                write!(f, "`{text}` is illegal: the capture goes on")?;
            }
            MoveTextProblem::Illegal => write!(f, "`{text}` is illegal")?,
            MoveTextProblem::GameOver => {
                return write!(f, "`{text}` is illegal: no move is left, the game is over");
            }
        }
        if self.legal.is_empty() {
            return Ok(());
        }
        f.write_str("; legal: ")?;
        write_list(f, &self.legal, ", ")
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, items: &[String], between: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        f.write_str(item)?;
    }
    Ok(())
}

/// `mv` with numeric squares, as short as it may be: `32-28`.
#[must_use]
pub fn numeric(position: &Position, mv: Move) -> String {
    write(position, mv, Notation::Numeric, CaptureSign::Cross)
}

/// `mv` with algebraic squares, as short as it may be: `c3-d4`.
#[must_use]
pub fn algebraic(position: &Position, mv: Move) -> String {
    write(position, mv, Notation::Algebraic, CaptureSign::Cross)
}

/// `mv` as it goes on the score sheet: squares named as is usual for the board, landing squares only where
/// origin and target leave open what is taken (CN100 10.2).
#[must_use]
pub fn score_sheet(position: &Position, mv: Move) -> String {
    write(position, mv, Notation::usual(position.variant()), CaptureSign::Cross)
}

/// `mv` as short as it may be.
///
/// - `position`: where the move is made; needed to see whether origin and target say enough.
/// - `mv`: legal, or conceivable; any other is written with origin and target.
#[must_use]
pub fn write(position: &Position, mv: Move, notation: Notation, sign: CaptureSign) -> String {
    let short = [mv.from, mv.to];
    let is_open = mv.is_capture()
        && position
            .legal_moves()
            .iter()
            .any(|other| other.from == mv.from && other.to == mv.to && *other != mv);
    if is_open {
        write_squares(&landing_path(position, mv), mv, position.variant(), notation, sign)
    } else {
        write_squares(&short, mv, position.variant(), notation, sign)
    }
}

/// Origin, all landing squares and target of `mv`: the long form of its notation.
///
/// Of several routes with the same captured set the first in ascending order is taken. A move that cannot be
/// carried out in `position` has its origin and target only.
#[must_use]
pub fn landing_path(position: &Position, mv: Move) -> Vec<Square> {
    let mut path = vec![mv.from];
    match position.routes(mv).first() {
        Some(route) => path.extend(&route.landings),
        None => path.push(mv.to),
    }
    path
}

fn write_squares(
    path: &[Square],
    mv: Move,
    variant: Variant,
    notation: Notation,
    sign: CaptureSign,
) -> String {
    let sign = match (mv.is_capture(), sign) {
        (false, _) => "-",
        (true, CaptureSign::Cross) => "x",
        (true, CaptureSign::Colon) => ":",
    };
    let mut text = String::with_capacity(4 * path.len());
    for (index, square) in path.iter().enumerate() {
        if index > 0 {
            text.push_str(sign);
        }
        match notation {
            Notation::Numeric => square.push_number(&mut text),
            Notation::Algebraic => text.push_str(&square.algebraic(variant).to_string()),
        }
    }
    text
}

/// Reads a move and finds it among the legal moves of `position`.
///
/// # Errors
/// [`MoveTextError`] with the reason and what would have been legal.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveTextError> {
    parse_among(position, text, &position.legal_moves())
}

/// As [`parse`], for callers that have the legal moves of `position` at hand.
///
/// # Errors
/// As [`parse`].
pub fn parse_among(position: &Position, text: &str, legal: &[Move]) -> Result<Move, MoveTextError> {
    let written = match Written::read(text, position.variant()) {
        Ok(written) => written,
        Err(problem) => {
            let notation = Notation::usual(position.variant());
            return Err(refuse(position, text, problem, legal, notation));
        }
    };
    written.find(position, legal).map_err(|(problem, candidates)| {
        let candidates = if candidates.is_empty() { legal } else { &candidates };
        refuse(position, text, problem, candidates, written.notation)
    })
}

fn refuse(
    position: &Position,
    text: &str,
    problem: MoveTextProblem,
    candidates: &[Move],
    notation: Notation,
) -> MoveTextError {
    let mut legal: Vec<String> =
        candidates.iter().map(|&mv| write(position, mv, notation, CaptureSign::Cross)).collect();
    legal.dedup();
    MoveTextError { text: text.to_owned(), problem, legal }
}

/// A move as it was written, its squares not yet looked up on the board.
#[derive(Debug, PartialEq, Eq)]
struct Written {
    squares: Vec<Square>,
    sign: Option<Sign>,
    notation: Notation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Dash,
    Capture,
}

impl Written {
    fn read(text: &str, variant: Variant) -> Result<Self, MoveTextProblem> {
        let text = text.trim_end_matches(['+', '=', '#', '.', '±', '∓']);
        let mut names: Vec<String> = Vec::new();
        let mut name = String::new();
        let mut sign = None;
        for character in text.chars() {
            let found = match character {
                '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}' => Sign::Dash,
                'x' | 'X' | ':' | '×' | '✕' | 'х' | 'Х' => Sign::Capture,
                letter if letter.is_alphabetic() => {
                    // Without a sign between them, a letter begins the next square.
                    if !name.is_empty() && names.is_empty() && sign.is_none() || name.len() > 1 {
                        names.push(std::mem::take(&mut name));
                    }
                    name.push(latin(letter));
                    continue;
                }
                other => {
                    name.push(other);
                    continue;
                }
            };
            // One move has one sign, and none stands at the beginning or next to another.
            if name.is_empty() || sign.is_some_and(|before| before != found) {
                return Err(MoveTextProblem::NotAMove);
            }
            names.push(std::mem::take(&mut name));
            sign = Some(found);
        }
        names.push(name);
        if let [both] = names.as_slice()
            && both.len() == 4
            && both.bytes().all(|byte| byte.is_ascii_digit())
        {
            names = vec![both[..2].to_owned(), both[2..].to_owned()];
        }
        if names.len() < 2 {
            return Err(MoveTextProblem::NotAMove);
        }
        let mut squares = Vec::with_capacity(names.len());
        let mut notation = Notation::Numeric;
        for name in &names {
            if name.starts_with(|first: char| first.is_ascii_lowercase()) {
                notation = Notation::Algebraic;
            }
            squares.push(read_square(name, variant)?);
        }
        Ok(Self { squares, sign, notation })
    }

    /// The one legal move that is meant; else what is wrong, and the moves left open, if any.
    fn find(&self, position: &Position, legal: &[Move]) -> Result<Move, (MoveTextProblem, Vec<Move>)> {
        let (Some(&from), Some(&to)) = (self.squares.first(), self.squares.last()) else {
            return Err((MoveTextProblem::NotAMove, Vec::new()));
        };
        let between = &self.squares[1..self.squares.len() - 1];
        let mut fitting = legal.iter().copied().filter(|mv| mv.from == from && mv.to == to);
        let Some(first) = fitting.next() else {
            return Err((self.why_illegal(position, legal, from, to), Vec::new()));
        };
        // Captures are compulsory, so that all legal moves are captures or none is.
        let sign_fits = match self.sign {
            Some(Sign::Dash) => !first.is_capture(),
            Some(Sign::Capture) => first.is_capture(),
            None => true,
        };
        if !sign_fits {
            let meant = write(position, first, self.notation, CaptureSign::Cross);
            return Err((MoveTextProblem::WrongSign(meant), Vec::new()));
        }
        let mut fitting: Vec<Move> = std::iter::once(first).chain(fitting).collect();
        if !between.is_empty() {
            let all = std::mem::take(&mut fitting);
            fitting = by_route(position, &all, between, Route::lands_on_exactly);
            if fitting.is_empty() {
                fitting = by_route(position, &all, between, Route::lands_on_in_passing);
            }
            if fitting.is_empty() {
                return Err((MoveTextProblem::NoSuchRoute, all));
            }
        }
        match fitting.as_slice() {
            [one] => Ok(*one),
            _ => Err((MoveTextProblem::Ambiguous, fitting)),
        }
    }

    fn why_illegal(&self, position: &Position, legal: &[Move], from: Square, to: Square) -> MoveTextProblem {
        if legal.is_empty() {
            return MoveTextProblem::GameOver;
        }
        match position.piece_at(from) {
            None => return MoveTextProblem::NoPiece(from),
            Some(piece) if piece.side != position.turn() => return MoveTextProblem::NotOnTurn(from),
            Some(_) => {}
        }
        let is_meant = |mv: &Move| {
            mv.from == from
                && mv.to == to
                && self.sign.is_none_or(|sign| (sign == Sign::Capture) == mv.is_capture())
        };
        position
            .conceivable_moves()
            .into_iter()
            .find(|conceivable| is_meant(&conceivable.mv))
            .map_or(MoveTextProblem::Illegal, |conceivable| MoveTextProblem::Irregular(conceivable.why))
    }
}

fn by_route(
    position: &Position,
    moves: &[Move],
    squares: &[Square],
    fits: fn(&Route, &[Square], Variant) -> bool,
) -> Vec<Move> {
    let variant = position.variant();
    moves
        .iter()
        .copied()
        .filter(|&mv| {
            mv.is_capture() && position.routes(mv).iter().any(|route| fits(route, squares, variant))
        })
        .collect()
}

impl Route {
    /// Whether the piece may be set down on `squares`, one after each victim but the last.
    fn lands_on_exactly(&self, squares: &[Square], variant: Variant) -> bool {
        squares.len() + 1 == self.captures.len()
            && squares
                .iter()
                .enumerate()
                .all(|(index, &square)| self.may_land_after(index, variant).contains(square))
    }

    /// Whether the piece may be set down on `squares` in this order, some landings not being named.
    fn lands_on_in_passing(&self, squares: &[Square], variant: Variant) -> bool {
        let mut left = squares.iter().peekable();
        for index in 0..self.captures.len().saturating_sub(1) {
            let landings = self.may_land_after(index, variant);
            if left.next_if(|&&square| landings.contains(square)).is_some() && left.peek().is_none() {
                break;
            }
        }
        left.peek().is_none()
    }

    /// Where the piece may be set down after it took victim `index`, which must not be the last: any square up
    /// to the next victim where it goes straight on, else the square where it turns.
    fn may_land_after(&self, index: usize, variant: Variant) -> SquareSet {
        let (Some(&landing), Some(&victim), Some(&next)) =
            (self.landings.get(index), self.captures.get(index), self.captures.get(index + 1))
        else {
            return SquareSet::EMPTY;
        };
        match between(victim, next, variant) {
            Some(line) if line.contains(landing) => line,
            _ => landing.into(),
        }
    }
}

fn read_square(name: &str, variant: Variant) -> Result<Square, MoveTextProblem> {
    let mut characters = name.chars();
    let has_form = match characters.next() {
        Some(first) if first.is_ascii_digit() => characters.all(|c| c.is_ascii_digit()),
        Some(first) => {
            first.is_ascii_alphabetic() && name.len() > 1 && characters.all(|c| c.is_ascii_digit())
        }
        None => false,
    };
    if !has_form || name.len() > 4 {
        return Err(MoveTextProblem::NotAMove);
    }
    let square = if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.parse().ok().and_then(Square::new).filter(|square| square.is_on(variant))
    } else {
        Square::from_algebraic(name, variant)
    };
    square.ok_or_else(|| MoveTextProblem::NoSuchSquare(name.to_owned()))
}

/// The small Latin letter for a letter; Cyrillic ones that look like a Latin one count as that.
fn latin(letter: char) -> char {
    match letter {
        'а' | 'А' => 'a',
        'в' | 'В' => 'b',
        'с' | 'С' => 'c',
        'е' | 'Е' => 'e',
        'н' | 'Н' => 'h',
        other => other.to_ascii_lowercase(),
    }
}
