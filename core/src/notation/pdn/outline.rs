//! Puts tokens together into games, without knowing the rules: where a game begins and ends, which words are
//! its moves, what stands beside them.
//!
//! After an error the rest of the game is passed over, token by token, so that the next game is found where it
//! begins; nothing of the rest is kept.

use std::io::Read;

use super::error::{MoveNumber, PdnError, PdnProblem};
use super::header::{GameResult, is_result, standard_name};
use super::lexer::{Lexer, Place, Token};

/// The most plies, tags, setup commands and glyphs of a move that are read in one game.
const PLY_LIMIT: usize = 20_000;
const TAG_LIMIT: usize = 500;
const SETUP_LIMIT: usize = 1_000;
const GLYPH_LIMIT: usize = 20;
/// The most text (comments, tag values) that is kept of one game.
const TEXT_LIMIT: usize = 8 * 1024 * 1024;

/// A game as it stands in the file, its moves not looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Which game of the file it is, from 1.
    pub number: u64,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// The tags in the order of the file, names as they stand there.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub(super) comment: String,
    pub(super) plies: Vec<OutlinePly>,
    pub(super) setups: Vec<OutlineSetup>,
    /// The result that ended the move text, if one other than `*` did.
    pub(super) terminator: Option<String>,
    pub(super) variations: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutlinePly {
    pub(super) text: String,
    pub(super) line: u64,
    pub(super) number: Option<u32>,
    pub(super) glyphs: Vec<u8>,
    pub(super) comment: String,
    /// Whether `- -` or the like says that moves are missing before this one.
    pub(super) gap: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutlineSetup {
    pub(super) before_ply: usize,
    pub(super) text: String,
    pub(super) line: u64,
    pub(super) comment: String,
}

impl Outline {
    /// The value of a tag, also where the file has the name in small letters or another language.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// How many plies the move text has.
    #[must_use]
    pub fn ply_count(&self) -> usize {
        self.plies.len()
    }

    /// How the game ended, by its tag or else by the end of its move text.
    #[must_use]
    pub fn result(&self) -> GameResult {
        let tagged = self.tag("Result").map_or(GameResult::Unknown, GameResult::read);
        match (tagged, &self.terminator) {
            (GameResult::Unknown, Some(terminator)) => GameResult::read(terminator),
            _ => tagged,
        }
    }

    /// `White - Black`, if the tags name a player.
    pub(super) fn players(&self) -> Option<String> {
        let name = |side| self.tag(side).filter(|name| !name.is_empty()).unwrap_or("?");
        let (white, black) = (name("White"), name("Black"));
        (white != "?" || black != "?").then(|| format!("{white} - {black}"))
    }
}

/// The value of the tag `name`: under that name, else under one that means the same.
pub(super) fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter()
        .find(|(here, _)| here == name)
        .or_else(|| tags.iter().find(|(here, _)| standard_name(here) == name))
        .map(|(_, value)| value.as_str())
}

/// Reads the outlines of the games of a file, one after the other.
#[derive(Debug)]
pub(super) struct Outliner<R> {
    lexer: Lexer<R>,
    /// A token that turned out to belong to the next game.
    given_back: Option<(Token, Place)>,
    games: u64,
    ended: bool,
}

/// A game being put together.
#[derive(Default)]
struct Draft {
    outline: Outline,
    /// Whether anything but tags and comments was seen.
    has_move_text: bool,
    /// Words of the move text so far, as a rule plies.
    plies_seen: usize,
    failure: Option<PdnError>,
    number: Option<u32>,
    last_number: u32,
    gap: bool,
    text_kept: usize,
    variation_depth: u64,
    variation_line: u64,
}

/// What a token does to the game being read.
enum Step {
    /// It is part of the game.
    Go,
    /// It means nothing here.
    Skip,
    /// The game ends before this token.
    EndsBefore,
    /// The game ends with this token.
    EndsWith,
}

impl<R: Read> Outliner<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { lexer: Lexer::new(inner), given_back: None, games: 0, ended: false }
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.lexer.consumed()
    }

    /// The next game, or why it cannot be read; none at the end of the file.
    pub(super) fn next_outline(&mut self) -> Option<Result<Outline, PdnError>> {
        if self.ended {
            return None;
        }
        let mut draft = Draft::default();
        draft.outline.number = self.games + 1;
        loop {
            let (token, place) = self.next_token();
            match draft.step(&token, place) {
                Step::Go => draft.take(token, place.line),
                Step::Skip => {}
                Step::EndsWith => {
                    if let Token::Word(result) = token {
                        draft.outline.terminator = Some(result);
                    }
                    self.take_comments_behind(&mut draft);
                    break;
                }
                Step::EndsBefore => {
                    self.given_back = Some((token, place));
                    break;
                }
            }
        }
        if let Some(failure) = self.lexer.take_failure() {
            self.ended = true;
            draft.failure = None;
            draft.fail(PdnProblem::Unreadable { kind: failure.kind(), message: failure.to_string() }, 0);
        } else if !draft.is_game() {
            // Nothing but blanks and comments is left.
            self.ended = true;
            return None;
        } else if draft.variation_depth > 0 {
            let line = draft.variation_line;
            draft.fail(PdnProblem::UnclosedVariation, line);
        }
        self.games += 1;
        Some(match draft.failure {
            Some(failure) => Err(failure),
            None => Ok(draft.outline),
        })
    }

    /// The next token, moves written with blanks within put together again: `32 - 28`.
    fn next_token(&mut self) -> (Token, Place) {
        let (token, place) = self.given_back.take().unwrap_or_else(|| self.lexer.next());
        let Token::Word(mut word) = token else { return (token, place) };
        while word.len() < 100 {
            let (Token::Word(next), _) = self.lexer.peek() else { break };
            let goes_on = if ends_with_sign(&word) {
                word.chars().count() > 1 && is_square(next)
            } else {
                // A dash behind a whole move says that the next one is not known.
                starts_with_sign(next) && (is_square(&word) || (is_capture(&word) && !next.starts_with('-')))
            };
            if !goes_on {
                break;
            }
            word.push_str(next);
            self.lexer.next();
        }
        (Token::Word(word), place)
    }

    /// Comments on the line of the terminator belong to the game that it ends.
    fn take_comments_behind(&mut self, draft: &mut Draft) {
        while let (Token::Comment(_), place) = self.lexer.peek() {
            if place.new_line {
                return;
            }
            let (token, place) = self.lexer.next();
            draft.take(token, place.line);
        }
    }
}

fn is_square(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(word);
    matches!(digits.len(), 1 | 2) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `word` may be a capture to which further landing squares belong.
fn is_capture(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['x', 'X', ':', '×'])
}

fn is_sign(character: char) -> bool {
    matches!(character, '-' | 'x' | 'X' | ':' | '×' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn starts_with_sign(word: &str) -> bool {
    word.starts_with(is_sign)
}

fn ends_with_sign(word: &str) -> bool {
    word.ends_with(is_sign)
}

impl Draft {
    /// What `token` does to the game.
    fn step(&self, token: &Token, place: Place) -> Step {
        match token {
            Token::End => Step::EndsBefore,
            Token::Tag { .. } if self.variation_depth > 0 => Step::EndsBefore,
            _ if self.variation_depth > 0 => Step::Go,
            Token::Tag { name, .. } if self.ends_before_tag(name, place.new_paragraph) => Step::EndsBefore,
            // A move text that begins anew, in a file without tags and terminators.
            Token::MoveNumber(1) if place.new_paragraph && self.plies_seen > 1 => Step::EndsBefore,
            // A second terminator, `1-0 *`, or one before the first game.
            Token::Asterisk if !self.is_game() => Step::Skip,
            Token::Word(word) if is_result(word) && !self.is_game() => Step::Skip,
            Token::Asterisk => Step::EndsWith,
            Token::Word(word) if is_result(word) => Step::EndsWith,
            _ => Step::Go,
        }
    }

    /// Whether there is anything yet that makes a game.
    fn is_game(&self) -> bool {
        self.has_move_text || self.failure.is_some() || !self.outline.tags.is_empty()
    }

    fn ends_before_tag(&self, name: &str, new_paragraph: bool) -> bool {
        let is_first_again =
            || self.outline.tags.first().is_some_and(|(first, _)| first.eq_ignore_ascii_case(name));
        // What came before may also have been nothing but a broken bracket, in a place of its own.
        let is_broken = self.failure.is_some() && self.outline.tags.is_empty();
        self.has_move_text || is_broken || (new_paragraph && is_first_again())
    }

    /// Passes over variations; they are counted, not kept.
    fn take_in_variation(&mut self, token: Token, line: u64) {
        match token {
            Token::VariationOpens(count) => self.variation_depth += count,
            Token::VariationCloses(count) => self.close_variations(count, line),
            Token::UnclosedComment => self.fail(PdnProblem::UnclosedComment, line),
            Token::TooLong { what, limit } => self.fail(PdnProblem::TooLong { what, limit }, line),
            _ => {}
        }
    }

    fn take(&mut self, token: Token, line: u64) {
        if self.variation_depth > 0 {
            return self.take_in_variation(token, line);
        }
        if self.outline.line == 0 && !matches!(token, Token::Comment(_)) {
            self.outline.line = line;
        }
        self.has_move_text |= matches!(
            token,
            Token::Word(_)
                | Token::MoveNumber(_)
                | Token::Glyph(_)
                | Token::VariationOpens(_)
                | Token::Setup(_)
                | Token::UnclosedComment
        );
        self.plies_seen += usize::from(matches!(token, Token::Word(_)));
        if self.failure.is_some() {
            // The rest of the game only has to be passed over.
            if let Token::VariationOpens(count) = token {
                self.open_variation(count, line);
            }
            return;
        }
        match token {
            Token::Tag { name, value } => {
                if self.outline.tags.len() >= TAG_LIMIT {
                    return self.fail(PdnProblem::TooLong { what: "list of tags", limit: TAG_LIMIT }, line);
                }
                self.keep_text(name.len() + value.len(), line);
                self.outline.tags.push((name, value));
            }
            Token::MoveNumber(number) => self.number = Some(number),
            Token::Word(word) => self.take_word(word, line),
            Token::Glyph(glyph) => {
                if let Some(ply) = self.outline.plies.last_mut()
                    && ply.glyphs.len() < GLYPH_LIMIT
                {
                    ply.glyphs.push(glyph);
                }
            }
            Token::Comment(text) => self.take_comment(&text, line),
            Token::VariationOpens(count) => {
                self.outline.variations = self.outline.variations.saturating_add(1);
                self.open_variation(count, line);
            }
            Token::Setup(text) => {
                if self.outline.setups.len() >= SETUP_LIMIT {
                    return self.fail(
                        PdnProblem::TooLong { what: "list of setup commands", limit: SETUP_LIMIT },
                        line,
                    );
                }
                let before_ply = self.outline.plies.len();
                self.keep_text(text.len(), line);
                self.outline.setups.push(OutlineSetup { before_ply, text, line, comment: String::new() });
                self.gap = false;
            }
            Token::VariationCloses(_) => self.fail(PdnProblem::StrayParenthesis, line),
            Token::BadTag => self.fail(PdnProblem::BadTag, line),
            Token::UnclosedComment => self.fail(PdnProblem::UnclosedComment, line),
            Token::TooLong { what, limit } => self.fail(PdnProblem::TooLong { what, limit }, line),
            Token::Asterisk | Token::End => {}
        }
    }

    fn open_variation(&mut self, count: u64, line: u64) {
        self.variation_depth = count;
        self.variation_line = line;
    }

    fn close_variations(&mut self, count: u64, line: u64) {
        match self.variation_depth.checked_sub(count) {
            Some(depth) => self.variation_depth = depth,
            None => {
                self.variation_depth = 0;
                self.fail(PdnProblem::StrayParenthesis, line);
            }
        }
    }

    fn take_word(&mut self, word: String, line: u64) {
        // `1. ... 7-12` and `1. ...7-12`: the points stand for a move of the other side.
        let word = word.trim_start_matches(['.', '…']);
        if word.is_empty() {
            return;
        }
        if word.chars().all(|c| matches!(c, '-' | '–' | '—' | '+' | '=' | '±' | '∓' | '∞' | '#' | '~'))
        {
            // `- -` stands for moves that are not known; the rest says who is better.
            self.gap |= !word.contains(['+', '=', '±', '∓', '∞', '#', '~']);
            return;
        }
        if word.len() < 6 && word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() != 4 {
            self.number = word.parse().ok();
            return;
        }
        if self.outline.plies.len() >= PLY_LIMIT {
            return self.fail(PdnProblem::TooLong { what: "game", limit: PLY_LIMIT }, line);
        }
        if self.outline.plies.is_empty() && self.outline.tags.is_empty() && self.outline.setups.is_empty() {
            // Whatever stands before the first game of a file is told from a wrong move.
            let could_be_move = word.chars().any(|c| c.is_ascii_digit());
            if !could_be_move {
                return self.fail(PdnProblem::NotPdn(word.to_owned()), line);
            }
        }
        self.outline.plies.push(OutlinePly {
            text: word.to_owned(),
            line,
            number: self.number.take(),
            glyphs: Vec::new(),
            comment: String::new(),
            gap: std::mem::take(&mut self.gap),
        });
        if let Some(number) = self.outline.plies.last().and_then(|ply| ply.number) {
            self.last_number = number;
        }
    }

    /// A comment belongs to what stands before it.
    fn take_comment(&mut self, text: &str, line: u64) {
        if text.is_empty() {
            return;
        }
        self.keep_text(text.len(), line);
        let ply = self.outline.plies.len();
        let after_setup = self.outline.setups.last_mut().filter(|setup| setup.before_ply == ply);
        let comment = match (after_setup, self.outline.plies.last_mut()) {
            (Some(setup), _) => &mut setup.comment,
            (None, Some(ply)) => &mut ply.comment,
            (None, None) => &mut self.outline.comment,
        };
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    fn keep_text(&mut self, length: usize, line: u64) {
        self.text_kept += length;
        if self.text_kept > TEXT_LIMIT {
            self.fail(PdnProblem::TooLong { what: "text of a game", limit: TEXT_LIMIT }, line);
        }
    }

    /// Notes the first problem of the game and lets go of what was kept of it.
    fn fail(&mut self, problem: PdnProblem, line: u64) {
        if self.failure.is_some() {
            return;
        }
        let outline = &self.outline;
        let at = (!outline.plies.is_empty())
            .then_some(MoveNumber { number: self.number.unwrap_or(self.last_number).max(1), side: None });
        self.failure = Some(PdnError {
            file: None,
            game: outline.number,
            players: outline.players(),
            line,
            at,
            problem,
        });
        self.outline.plies = Vec::new();
        self.outline.setups = Vec::new();
        self.outline.comment = String::new();
        self.text_kept = 0;
    }
}
