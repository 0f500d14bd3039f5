//! Writes games strictly by PDN 3.0, in the form that also the readers in use take.

use std::fmt::Write as _;

use super::header::{GameResult, game_type, result_format, standard_name};
use super::{ClockTimes, Game, Walk};
use crate::notation::fen;
use crate::notation::movetext::{self, CaptureSign, Notation};
use crate::piece::Side;
use crate::position::Position;

/// Where lines of the move text are broken.
const LINE_WIDTH: usize = 80;

/// The tags that the standard wants first, in its order, with what it writes for an unknown value.
const FIRST_TAGS: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// What may be chosen in writing; the default is what every reader takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// How squares are named; none for the way usual for the kind of game.
    pub notation: Option<Notation>,
    /// The sign of a capture.
    pub capture: CaptureSign,
    /// Whether to leave comments, clock times and glyphs out.
    pub bare: bool,
}

/// Writes `game` as PDN 3.0, the way every reader takes it.
///
/// The tags come in the standard's order, the result and the moves by the kind of game, each move as short as it
/// may be, the clock times of both sides behind each move from the first that has one, and `*` at the end.
#[must_use]
pub fn write(game: &Game) -> String {
    write_with(game, &WriteOptions::default())
}

/// As [`write()`], with choices.
#[must_use]
pub fn write_with(game: &Game, options: &WriteOptions) -> String {
    let notation = options.notation.unwrap_or(Notation::usual(game.variant));
    let mut text = String::new();
    write_tags(&mut text, game, notation);
    text.push('\n');
    let mut moves = MoveText { text: &mut text, column: 0 };
    moves.game(game, notation, options);
    text.push('\n');
    text
}

fn write_tags(text: &mut String, game: &Game, notation: Notation) {
    for (name, unknown) in FIRST_TAGS {
        if name == "Result" {
            write_result(text, game);
        } else {
            let value = game.tag(name).filter(|value| !one_line(value).trim().is_empty()).unwrap_or(unknown);
            write_tag(text, name, value);
        }
    }
    write_tag(text, "GameType", game_type(game.variant, notation));
    // Without the tag a setup command before the first move would be taken for the start.
    let begins_with_setup = game.setups.first().is_some_and(|setup| setup.before_ply == 0);
    if game.start != Position::start(game.variant) || begins_with_setup {
        write_tag(text, "FEN", &fen_text(&game.start, notation));
    }
    let mut written: Vec<String> = FIRST_TAGS.iter().map(|(name, _)| (*name).to_owned()).collect();
    written.extend(["GameType", "FEN", "SetUp", "ResultFormat"].map(str::to_owned));
    for (name, value) in &game.tags {
        let name = clean_name(standard_name(name));
        if written.contains(&name) || one_line(value).trim().is_empty() {
            continue;
        }
        if name == "PlyCount" {
            write_tag(text, &name, &game.moves.len().to_string());
        } else {
            write_tag(text, &name, value);
        }
        written.push(name);
    }
}

/// The longest name of a tag that is written; far longer ones are not read.
const NAME_LENGTH: usize = 80;

/// A name as the standard has them: a capital, then letters, digits and underscores.
fn clean_name(name: &str) -> String {
    let mut letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let mut clean = String::new();
    match letters.next() {
        Some(first) if first.is_ascii_alphabetic() => clean.push(first.to_ascii_uppercase()),
        first => clean.extend(std::iter::once('X').chain(first)),
    }
    clean.extend(letters.take(NAME_LENGTH - clean.len()));
    clean
}

/// The result by the kind of game; one scored otherwise as it stands, with the tag that announces it.
fn write_result(text: &mut String, game: &Game) {
    let tagged = game.tag("Result").unwrap_or_default();
    if game.result == GameResult::Other && GameResult::read(tagged) == GameResult::Other {
        let format = game.tag("ResultFormat").unwrap_or(result_format(tagged));
        write_tag(text, "Result", tagged);
        write_tag(text, "ResultFormat", format);
    } else {
        write_tag(text, "Result", game.result.text(game.variant));
    }
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for character in one_line(value).trim().chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push_str("\"]\n");
}

/// `text` with blanks for line ends and other signs that are no text.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn fen_text(position: &Position, notation: Notation) -> String {
    match notation {
        Notation::Numeric => position.fen(),
        Notation::Algebraic => fen::write_algebraic(&position.to_setup()),
    }
}

/// The move text, broken into lines.
struct MoveText<'a> {
    text: &'a mut String,
    column: usize,
}

impl MoveText<'_> {
    fn game(&mut self, game: &Game, notation: Notation, options: &WriteOptions) {
        if !options.bare {
            self.comment(None, &game.comment);
        }
        let mut walk = Walk::new(game);
        let mut setups = game.setups.iter().peekable();
        let mut known = ClockTimes::default();
        let mut number = 1_usize;
        let mut must_number = true;
        for (index, played) in game.moves.iter().enumerate() {
            while let Some(setup) = setups.next_if(|setup| setup.before_ply <= index) {
                self.setup(&setup.position, notation);
                if !options.bare {
                    self.comment(None, &setup.comment);
                }
                must_number = true;
            }
            let position = walk.position();
            let mut word = String::new();
            match position.turn() {
                Side::White => {
                    let _ = write!(word, "{number}.");
                    self.word(&word);
                }
                Side::Black if must_number => {
                    let _ = write!(word, "{number}...");
                    self.word(&word);
                }
                Side::Black => {}
            }
            must_number = false;
            self.word(&movetext::write(&position, played.mv, notation, options.capture));
            walk.step(played.mv);
            if !options.bare {
                for glyph in &played.nags {
                    self.word(&format!("${glyph}"));
                }
                let clock = played.clock.map(|now| times_after(known, now, position.turn()));
                known = clock.unwrap_or(known);
                self.comment(clock.as_ref(), &played.comment);
            }
            number += usize::from(position.turn() == Side::Black);
        }
        for setup in setups {
            self.setup(&setup.position, notation);
            if !options.bare {
                self.comment(None, &setup.comment);
            }
        }
        self.word("*");
    }

    fn setup(&mut self, position: &Position, notation: Notation) {
        self.word(&format!("/FEN \"{}\"/", fen_text(position, notation)));
    }

    fn comment(&mut self, clock: Option<&ClockTimes>, comment: &str) {
        let mut text = clock.map(ToString::to_string).unwrap_or_default();
        // Braces would end the comment, whatever the reader makes of nested ones.
        let comment = one_line(comment).replace('{', "(").replace('}', ")");
        for word in comment.split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        if text.is_empty() {
            return;
        }
        let text = format!("{{{text}}}");
        // A line must not begin with `%`, which would make it a comment of its own.
        if text.len() > LINE_WIDTH && !text.contains(" %") {
            for word in text.split(' ') {
                self.word(word);
            }
        } else {
            self.word(&text);
        }
    }

    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + width > LINE_WIDTH {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += width;
    }
}

/// What both clocks show after a move of `mover`: what the file says, and for a side it does not name what was
/// known before.
fn times_after(known: ClockTimes, now: ClockTimes, mover: Side) -> ClockTimes {
    let is_one_sided = now.white.is_none() || now.black.is_none();
    ClockTimes {
        white: now.white.or(known.white),
        black: now.black.or(known.black),
        // A time without a letter comes from a clock that was pressed.
        running: now.running.or(is_one_sided.then_some(mover.opponent())),
    }
}
