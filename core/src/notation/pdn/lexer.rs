//! Cuts a PDN file into tokens; it knows the quirks of spelling, nothing of draughts.
//!
//! Every look-ahead has a limit and none is nested, so that no file, however hostile, costs more than
//! time proportional to its size and memory proportional to the limits below. Brackets are counted, never
//! recursed into.

use std::io::Read;

use super::source::{Source, decode, decode_on_one_line};

/// The longest tag name kept.
const TAG_NAME_LIMIT: usize = 100;
/// The longest tag value.
const TAG_VALUE_LIMIT: usize = 16 * 1024;
/// The longest comment.
const COMMENT_LIMIT: usize = 1024 * 1024;
/// The longest setup command.
const SETUP_LIMIT: usize = 4 * 1024;
/// The longest run of characters that can still be a move or a result.
const WORD_LIMIT: usize = 200;
/// How many brackets of one kind in a row are one token.
const RUN_LIMIT: usize = 4096;
/// How many bytes may be looked at without being consumed, beyond as many as the file has given so far.
const LOOKED_AHEAD_LIMIT: u64 = 4 * COMMENT_LIMIT as u64;

/// One piece of a PDN file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`; the value without its escapes and without blanks at its ends.
    Tag { name: String, value: String },
    /// A bracket that opens no readable tag.
    BadTag,
    /// `12.` or `12...`.
    MoveNumber(u32),
    /// A move, a result, or something that is neither.
    Word(String),
    /// `*`.
    Asterisk,
    /// `$3`, or `!`, `??`, `(!?)` as the glyph of the same meaning.
    Glyph(u8),
    /// The text between braces.
    Comment(String),
    /// A brace that is never closed.
    UnclosedComment,
    /// That many `(`.
    VariationOpens(u64),
    /// That many `)`.
    VariationCloses(u64),
    /// What stands between the slashes of a setup command.
    Setup(String),
    /// Something longer than the limit given.
    TooLong { what: &'static str, limit: usize },
    /// The end of the file.
    End,
}

/// Where a token begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The line, from 1.
    pub(super) line: u64,
    /// Whether a line end stands between the token before and this one.
    pub(super) new_line: bool,
    /// Whether an empty line stands between the token before and this one.
    pub(super) new_paragraph: bool,
}

/// Cuts a PDN file into tokens.
#[derive(Debug)]
pub(super) struct Lexer<R> {
    source: Source<R>,
    looked_ahead: u64,
    peeked: Option<(Token, Place)>,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { source: Source::new(inner), looked_ahead: 0, peeked: None }
    }

    /// The next token and its place; [`Token::End`] for ever once the file has ended.
    pub(super) fn next(&mut self) -> (Token, Place) {
        match self.peeked.take() {
            Some(peeked) => peeked,
            None => self.read(),
        }
    }

    /// The token that [`Lexer::next`] will give.
    pub(super) fn peek(&mut self) -> (&Token, Place) {
        let (token, place) = match self.peeked.take() {
            Some(peeked) => self.peeked.insert(peeked),
            None => {
                let read = self.read();
                self.peeked.insert(read)
            }
        };
        (token, *place)
    }

    /// The error that ended the file early, if one did; given out once.
    pub(super) fn take_failure(&mut self) -> Option<std::io::Error> {
        self.source.take_failure()
    }

    /// How many bytes have been consumed so far.
    pub(super) fn consumed(&self) -> u64 {
        self.source.consumed()
    }

    fn read(&mut self) -> (Token, Place) {
        let first_line = self.source.line();
        let blank_lines = self.skip_blanks();
        let line = self.source.line();
        let place = Place { line, new_line: line > first_line, new_paragraph: blank_lines };
        (self.read_token(), place)
    }

    /// Skips what separates tokens; says whether an empty line was among it.
    fn skip_blanks(&mut self) -> bool {
        let mut line_ends = 0;
        let mut has_empty_line = false;
        loop {
            if self.source.peek() == Some(b'%') && self.source.at_line_start() {
                self.skip_line();
                line_ends = 0;
                continue;
            }
            let simple = (0..RUN_LIMIT)
                .take_while(|&at| matches!(self.source.byte_at(at), Some(b' ' | b'\n' | b'\r' | b'\t')))
                .count();
            let width = if simple > 0 { simple } else { self.blank_width(0) };
            if width == 0 {
                return has_empty_line;
            }
            let line = self.source.line();
            self.source.advance(width);
            line_ends += self.source.line() - line;
            has_empty_line |= line_ends > 1;
        }
    }

    /// How many bytes the blank at `at` has; 0 if there is none.
    fn blank_width(&mut self, at: usize) -> usize {
        match self.source.byte_at(at) {
            // Ctrl-Z ends files written under DOS, also when several were joined.
            // Closing brackets are left over where a file closes one twice.
            Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1a | b',' | b']' | b'}') => 1,
            // Some sites write their line ends as text.
            Some(b'\\') if matches!(self.source.byte_at(at + 1), Some(b'r' | b'n' | b't')) => 2,
            Some(b'<') => self.width_of(at, &[b"<br>", b"<BR>", b"<br/>", b"<br />"]),
            // A no-break space.
            Some(0xc2) => self.width_of(at, &[b"\xc2\xa0"]),
            Some(0xa0) => 1,
            // A byte order mark, at the beginning or where files were joined.
            Some(0xef) => self.width_of(at, &[b"\xef\xbb\xbf"]),
            _ => 0,
        }
    }

    /// The length of the mark that stands at `at`; 0 if none of them does.
    fn width_of(&mut self, at: usize, marks: &[&[u8]]) -> usize {
        let is_there = |mark: &&&[u8]| {
            mark.iter().enumerate().all(|(offset, &byte)| self.source.byte_at(at + offset) == Some(byte))
        };
        marks.iter().find(is_there).map_or(0, |mark| mark.len())
    }

    fn skip_line(&mut self) {
        while let Some(byte) = self.source.peek() {
            if byte == b'\n' || byte == b'\r' {
                return;
            }
            self.source.advance(1);
        }
    }

    fn read_token(&mut self) -> Token {
        let Some(byte) = self.source.peek() else { return Token::End };
        match byte {
            b'[' => self.read_tag(),
            b'{' => self.read_comment(),
            b'(' => self.read_opening_parentheses(),
            b')' => {
                let count = self.run_length(b')', RUN_LIMIT);
                self.source.advance(count);
                Token::VariationCloses(count as u64)
            }
            b'*' => self.single(Token::Asterisk),
            b'/' => self.read_setup(),
            b'!' | b'?' => self.read_strength(),
            b'$' if self.source.byte_at(1).is_some_and(|next| next.is_ascii_digit()) => self.read_glyph(),
            b'0'..=b'9' => self.read_number_or_word(),
            _ => self.read_word(),
        }
    }

    /// How many times `byte` is repeated ahead, up to `limit`.
    fn run_length(&mut self, byte: u8, limit: usize) -> usize {
        (0..limit).take_while(|&at| self.source.byte_at(at) == Some(byte)).count()
    }

    fn single(&mut self, token: Token) -> Token {
        self.source.advance(1);
        token
    }

    fn read_tag(&mut self) -> Token {
        let brackets = self.run_length(b'[', RUN_LIMIT);
        if brackets > 1 {
            // The last one may begin a tag.
            self.source.advance(brackets - 1);
            return Token::BadTag;
        }
        let mut at = self.blanks_from(1);
        let name_begins = at;
        if self
            .source
            .byte_at(at)
            .is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic() && byte != b'%')
        {
            // Only the bracket is skipped: what follows may be a tag.
            self.source.advance(1);
            return Token::BadTag;
        }
        while at - name_begins < TAG_NAME_LIMIT {
            match self.source.byte_at(at) {
                None | Some(b'"' | b'[' | b']' | b'{' | b'}' | 0) => break,
                Some(byte) if byte.is_ascii_whitespace() => break,
                Some(_) => at += 1,
            }
        }
        let name = decode(&self.source.window(at)[name_begins..]);
        if name.starts_with('%') {
            return self.read_bare_command();
        }
        if !name.chars().next().is_some_and(char::is_alphabetic) {
            // Only the bracket is skipped: what follows may be a tag.
            self.source.advance(1);
            return Token::BadTag;
        }
        let at = self.blanks_from(at);
        match self.source.byte_at(at) {
            Some(b'"') => self.read_quoted_value(name, at + 1),
            _ => self.read_unquoted_value(name, at),
        }
    }

    /// The offset of the first byte from `at` on that is no blank; gives up after a while.
    fn blanks_from(&mut self, at: usize) -> usize {
        let end = at + 200;
        (at..end)
            .find(|&here| !self.source.byte_at(here).is_some_and(|byte| byte.is_ascii_whitespace()))
            .unwrap_or(end)
    }

    /// Reads a value whose opening quote stands just before `begins`.
    ///
    /// A quote ends the value only where a bracket, a line end or the end of the file follows: names such
    /// as `"Piet "Bulldozer" Roozenburg"` are met unescaped.
    fn read_quoted_value(&mut self, name: String, begins: usize) -> Token {
        let mut at = begins;
        let mut value = Vec::new();
        let ends = loop {
            if at - begins > TAG_VALUE_LIMIT {
                self.source.advance(at);
                return Token::TooLong { what: "tag value", limit: TAG_VALUE_LIMIT };
            }
            match self.source.byte_at(at) {
                None => break at,
                Some(b'\\') => match self.source.byte_at(at + 1) {
                    Some(escaped @ (b'"' | b'\\' | b'\'')) => {
                        value.push(escaped);
                        at += 2;
                    }
                    _ => {
                        value.push(b'\\');
                        at += 1;
                    }
                },
                Some(b'"') => {
                    if let Some(end) = self.end_of_tag(at + 1) {
                        break end;
                    }
                    value.push(b'"');
                    at += 1;
                }
                Some(b'\n' | b'\r') => {
                    let next = self.blanks_from(at);
                    // The quote is missing where the next line begins with a tag, or is empty.
                    if matches!(self.source.byte_at(next), None | Some(b'['))
                        || self.source.window(next)[at..].iter().filter(|&&byte| byte == b'\n').count() > 1
                    {
                        while value.last().is_some_and(|byte| b" \t]".contains(byte)) {
                            value.pop();
                        }
                        break at;
                    }
                    value.push(b' ');
                    at = next;
                }
                Some(byte) => {
                    value.push(byte);
                    at += 1;
                }
            }
        };
        self.source.advance(ends);
        Token::Tag { name, value: decode_on_one_line(&value).trim().to_owned() }
    }

    /// Where a tag ends whose closing quote stands just before `at`; none if that quote does not close it.
    fn end_of_tag(&mut self, at: usize) -> Option<usize> {
        let mut here = at;
        while here - at < 100 {
            match self.source.byte_at(here) {
                Some(b']') => return Some(here + 1),
                // The bracket is missing.
                None | Some(b'\n' | b'\r' | b'[') => return Some(here),
                Some(b' ' | b'\t') => here += 1,
                Some(b'\\') if matches!(self.source.byte_at(here + 1), Some(b'r' | b'n')) => here += 2,
                Some(_) => return None,
            }
        }
        None
    }

    fn read_unquoted_value(&mut self, name: String, begins: usize) -> Token {
        let mut at = begins;
        loop {
            if at - begins > TAG_VALUE_LIMIT {
                self.source.advance(at);
                return Token::TooLong { what: "tag value", limit: TAG_VALUE_LIMIT };
            }
            match self.source.byte_at(at) {
                None | Some(b']' | b'\n' | b'\r' | b'[') => break,
                Some(_) => at += 1,
            }
        }
        let value = decode_on_one_line(&self.source.window(at)[begins..]);
        let value = value.trim_matches(|c: char| c.is_whitespace() || "\"“”„«»".contains(c)).to_owned();
        let closes = self.source.byte_at(at) == Some(b']');
        self.source.advance(at + usize::from(closes));
        Token::Tag { name, value }
    }

    /// `[%clock …]` that stands outside of a comment.
    fn read_bare_command(&mut self) -> Token {
        let mut at = 1;
        loop {
            match self.source.byte_at(at) {
                None | Some(b'\n' | b'\r') => break,
                Some(b']') => {
                    at += 1;
                    break;
                }
                Some(_) if at >= WORD_LIMIT => break,
                Some(_) => at += 1,
            }
        }
        let text = decode_on_one_line(self.source.window(at));
        self.source.advance(at);
        Token::Comment(text)
    }

    /// Reads a comment, which may have comments within.
    ///
    /// PDN comments do not nest, but nested ones are met, and so are lone braces within. Braces are
    /// therefore counted; where they do not come out even before the next game, the comment ended at its
    /// first closing brace.
    fn read_comment(&mut self) -> Token {
        let may_look_ahead = self.looked_ahead <= self.source.consumed() + LOOKED_AHEAD_LIMIT;
        let mut at = 1;
        let mut depth = 1_usize;
        let mut first_close = None;
        let mut unclosed_at = None;
        let end = loop {
            let Some(byte) = self.source.byte_at(at) else { break None };
            if at > COMMENT_LIMIT {
                break None;
            }
            match byte {
                b'{' => {
                    // After the beginning of a tag a brace that opens belongs to another game.
                    if unclosed_at.is_some() {
                        break None;
                    }
                    if may_look_ahead {
                        depth += 1;
                    }
                }
                b'}' => {
                    first_close.get_or_insert(at);
                    depth -= 1;
                    if depth == 0 {
                        break Some(at);
                    }
                }
                b'\n' | b'\r' if unclosed_at.is_none() && self.tag_begins_at(at + 1) => {
                    if first_close.is_some() {
                        break None;
                    }
                    unclosed_at = Some(at);
                    // A whole game may be commented out: the next brace tells.
                    depth = 1;
                    if !may_look_ahead {
                        break None;
                    }
                }
                _ => {}
            }
            at += 1;
        };
        match end.or(first_close) {
            Some(close) => {
                let text = decode_on_one_line(&self.source.window(close)[1..]);
                self.source.advance(close + 1);
                self.looked_ahead += (at - close) as u64;
                Token::Comment(text.trim().to_owned())
            }
            None if at > COMMENT_LIMIT && unclosed_at.is_none() => {
                self.source.advance(at);
                Token::TooLong { what: "comment", limit: COMMENT_LIMIT }
            }
            None => {
                // Go on behind the comment's first line, so that the games after it are still read.
                let resume = unclosed_at.unwrap_or(if may_look_ahead { 1 } else { at });
                self.source.advance(resume);
                self.looked_ahead += (at - resume) as u64;
                Token::UnclosedComment
            }
        }
    }

    /// Whether a tag seems to begin at `at`, blanks aside: `[Name "`.
    fn tag_begins_at(&mut self, mut at: usize) -> bool {
        let end = at + TAG_NAME_LIMIT;
        while matches!(self.source.byte_at(at), Some(b' ' | b'\t')) && at < end {
            at += 1;
        }
        if self.source.byte_at(at) != Some(b'[') {
            return false;
        }
        at += 1;
        if !self.source.byte_at(at).is_some_and(|byte| byte.is_ascii_alphabetic()) {
            return false;
        }
        while self.source.byte_at(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && at < end
        {
            at += 1;
        }
        while matches!(self.source.byte_at(at), Some(b' ' | b'\t')) && at < end {
            at += 1;
        }
        self.source.byte_at(at) == Some(b'"')
    }

    fn read_opening_parentheses(&mut self) -> Token {
        let count = self.run_length(b'(', RUN_LIMIT);
        // The last one may begin a strength.
        if count > 1 {
            self.source.advance(count - 1);
            return Token::VariationOpens(count as u64 - 1);
        }
        self.read_strength_in_parentheses().unwrap_or_else(|| self.single(Token::VariationOpens(1)))
    }

    /// `(!)`, `(?!)`.
    fn read_strength_in_parentheses(&mut self) -> Option<Token> {
        let mut at = 1;
        while at < 20 && matches!(self.source.byte_at(at), Some(b'!' | b'?')) {
            at += 1;
        }
        if at == 1 || self.source.byte_at(at) != Some(b')') {
            return None;
        }
        let glyph = strength_glyph(&self.source.window(at)[1..]);
        self.source.advance(at + 1);
        Some(Token::Glyph(glyph))
    }

    fn read_strength(&mut self) -> Token {
        let mut at = 1;
        while at < 20 && matches!(self.source.byte_at(at), Some(b'!' | b'?')) {
            at += 1;
        }
        let glyph = strength_glyph(self.source.window(at));
        self.source.advance(at);
        Token::Glyph(glyph)
    }

    fn read_glyph(&mut self) -> Token {
        let mut at = 1;
        let mut number = 0_u32;
        while let Some(digit @ b'0'..=b'9') = self.source.byte_at(at) {
            if at > 4 {
                break;
            }
            number = number * 10 + u32::from(digit - b'0');
            at += 1;
        }
        self.source.advance(at);
        Token::Glyph(u8::try_from(number).unwrap_or(0))
    }

    /// `/FEN "…"/`, or the FEN alone between the slashes.
    fn read_setup(&mut self) -> Token {
        let mut at = 1;
        loop {
            match self.source.byte_at(at) {
                Some(b'/') => break,
                Some(b'{' | b'}' | b'(' | b')' | b'[' | b']') | None => return self.read_word(),
                Some(_) if at > SETUP_LIMIT => return self.read_word(),
                Some(_) => at += 1,
            }
        }
        let text = decode(&self.source.window(at)[1..]);
        self.source.advance(at + 1);
        Token::Setup(text)
    }

    fn read_number_or_word(&mut self) -> Token {
        if self.source.peek() == Some(b'1')
            && let Some(result) = self.read_spaced_result()
        {
            return result;
        }
        let mut at = 0;
        let mut number = 0_u32;
        while let Some(digit @ b'0'..=b'9') = self.source.byte_at(at) {
            if at > 6 {
                return self.read_word();
            }
            number = number * 10 + u32::from(digit - b'0');
            at += 1;
        }
        if self.source.byte_at(at) != Some(b'.') || self.is_decimal_result(at) {
            return self.read_word();
        }
        while at < 20 && self.source.byte_at(at) == Some(b'.') {
            at += 1;
        }
        self.source.advance(at);
        Token::MoveNumber(number)
    }

    /// Results that are written with blanks or signs that elsewhere end a word: `1 1/2 - 1/2`, `1+ - 1-`.
    fn read_spaced_result(&mut self) -> Option<Token> {
        const RESULTS: [&str; 5] = ["11/2-1/2", "1/2-11/2", "1/2-1/2", "1+-1-", "1--1+"];
        let mut text = String::new();
        let mut at = 0;
        // Whichever it is, it is over where no result goes on as the text does.
        loop {
            match self.source.byte_at(at) {
                Some(b' ') if at > 0 && at < 20 => at += 1,
                Some(byte) if at < 20 => {
                    text.push(char::from(byte));
                    if !RESULTS.iter().any(|result| result.starts_with(&text)) {
                        return None;
                    }
                    at += 1;
                    if RESULTS.contains(&text.as_str()) {
                        break;
                    }
                }
                _ => return None,
            }
        }
        if self.source.byte_at(at).is_some_and(is_word_byte) {
            return None;
        }
        self.source.advance(at);
        Some(Token::Word(text))
    }

    /// Whether the text ahead is a result with decimals, `1.02-0.98`; its first point stands at `point`.
    fn is_decimal_result(&mut self, point: usize) -> bool {
        let mut at = point + 1;
        let mut digits = |at: &mut usize| {
            let begins = *at;
            while *at < begins + 3 && self.source.byte_at(*at).is_some_and(|byte| byte.is_ascii_digit()) {
                *at += 1;
            }
            (*at > begins, self.source.byte_at(*at))
        };
        if digits(&mut at) == (true, Some(b'-')) {
            at += 1;
            if digits(&mut at) == (true, Some(b'.')) {
                at += 1;
                return digits(&mut at).0;
            }
        }
        false
    }

    fn read_word(&mut self) -> Token {
        if let Some(first) = self.source.peek()
            && !is_word_byte(first)
            && first != b'/'
        {
            // Nothing that could begin a word; many of one kind are one mistake.
            let length = self.run_length(first, RUN_LIMIT);
            self.source.advance(length);
            return Token::Word(char::from(first).to_string());
        }
        let mut at = 1;
        while let Some(byte) = self.source.byte_at(at) {
            if at < WORD_LIMIT && byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            // A slash begins a setup command, except within `1/2`.
            let within = is_word_byte(byte)
                || (byte == b'/'
                    && self.source.window(at).ends_with(b"1")
                    && self.source.byte_at(at + 1) == Some(b'2'));
            if !within || self.blank_width(at) > 0 {
                break;
            }
            if at >= WORD_LIMIT {
                break;
            }
            at += 1;
        }
        let word = decode(self.source.window(at));
        self.source.advance(at);
        Token::Word(word)
    }
}

/// Whether `byte` can go on a word.
fn is_word_byte(byte: u8) -> bool {
    byte > b' ' && !b"[]{}()\"/$!?*,".contains(&byte)
}

/// The glyph number of a run of `!` and `?`; runs longer than two are read by their first two.
fn strength_glyph(run: &[u8]) -> u8 {
    match run {
        [b'!'] => 1,
        [b'?'] => 2,
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', ..] => 5,
        _ => 6,
    }
}
