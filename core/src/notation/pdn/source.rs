//! A window over the bytes of a PDN file: bounded look-ahead, line numbers, text decoding.
//!
//! The lexer never holds more of a file than the window, and the window never grows beyond what one
//! look-ahead asks for; each look-ahead has its own limit in the lexer.

use std::io::{self, Read};

/// How much is asked of the reader underneath at a time.
const CHUNK: usize = 64 * 1024;

/// Bytes of a file, with look-ahead.
#[derive(Debug)]
pub(super) struct Source<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    failure: Option<io::Error>,
    line: u64,
    previous: u8,
    consumed: u64,
}

impl<R: Read> Source<R> {
    /// A source at the beginning of `inner`.
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
            failure: None,
            line: 1,
            previous: b'\n',
            consumed: 0,
        }
    }

    /// The byte `offset` places ahead; `None` behind the end of the file (or where reading failed).
    pub(super) fn byte_at(&mut self, offset: usize) -> Option<u8> {
        while self.end - self.start <= offset {
            if self.ended {
                return None;
            }
            self.fill();
        }
        Some(self.buffer[self.start + offset])
    }

    /// The next byte, not yet consumed.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.byte_at(0)
    }

    /// Consumes `count` bytes that have been looked at.
    pub(super) fn advance(&mut self, count: usize) {
        let end = (self.start + count).min(self.end);
        let mut previous = self.previous;
        for &byte in &self.buffer[self.start..end] {
            // A lone carriage return ends a line too (files from old machines).
            if byte == b'\r' || (byte == b'\n' && previous != b'\r') {
                self.line += 1;
            }
            previous = byte;
        }
        self.previous = previous;
        self.consumed += (end - self.start) as u64;
        self.start = end;
    }

    /// The next `count` bytes, which must have been looked at, as they stand.
    pub(super) fn window(&self, count: usize) -> &[u8] {
        let end = (self.start + count).min(self.end);
        &self.buffer[self.start..end]
    }

    /// The line the next byte stands on, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Whether the next byte is the first of its line.
    pub(super) fn at_line_start(&self) -> bool {
        self.previous == b'\n' || self.previous == b'\r'
    }

    /// How many bytes have been consumed so far.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The error that ended reading, if one did; given out once.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    fn fill(&mut self) {
        // Moving the rest to the front only when it is the smaller part keeps the cost linear.
        if self.start > self.end / 2 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() - self.end < CHUNK / 2 {
            self.buffer.resize(self.buffer.len() + CHUNK, 0);
        }
        let got = loop {
            match self.inner.read(&mut self.buffer[self.end..]) {
                Ok(count) => break count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
            }
        };
        self.end += got;
        self.ended = got == 0;
    }
}

/// Text of a PDN file: UTF-8 where it is valid, else Latin-1.
///
/// Judged piece by piece, since files are put together from several sources. The range that Latin-1
/// leaves to control characters is read as Windows-1252, which is what such files really hold.
pub(super) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| windows_1252(byte)).collect(),
    }
}

/// As [`decode`], for tag values and comments: line ends and other signs that are no text become blanks.
pub(super) fn decode_on_one_line(bytes: &[u8]) -> String {
    let mut text = decode(bytes);
    if text.contains(char::is_control) {
        text = text.replace(char::is_control, " ");
    }
    text
}

fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe does.
    struct Dribble<'a>(&'a [u8]);

    impl Read for Dribble<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some((&first, rest)) = self.0.split_first() else { return Ok(0) };
            into[0] = first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        let mut source = Source::new(Dribble(b"a\r\nb\nc\rd"));
        let mut seen = Vec::new();
        while let Some(byte) = source.peek() {
            if byte.is_ascii_alphabetic() {
                seen.push((char::from(byte), source.line(), source.at_line_start()));
            }
            source.advance(1);
        }
        assert_eq!(seen, [('a', 1, true), ('b', 2, true), ('c', 3, true), ('d', 4, true)]);
    }

    #[test]
    fn text_is_utf8_or_else_latin1() {
        assert_eq!(decode("Gérard".as_bytes()), "Gérard");
        assert_eq!(decode(b"G\xe9rard \x96 d\x92Avignon"), "Gérard – d’Avignon");
    }
}
