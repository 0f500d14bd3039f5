//! Hostile PDN: whatever a file holds, reading it ends, in time proportional to its size.
//!
//! The files are made up while they are read, so that only what the reader keeps takes memory. Sizes are such
//! that a reader whose time grows with the square of the size would not come back.

use std::io::Read;

use draughtsd_core::notation::pdn::{PdnProblem, Reader};

/// A pattern repeated until `left` bytes have been given.
struct Repeated {
    pattern: Vec<u8>,
    at: usize,
    left: usize,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = into.len().min(self.left);
        for byte in &mut into[..count] {
            *byte = self.pattern[self.at];
            self.at = (self.at + 1) % self.pattern.len();
        }
        self.left -= count;
        Ok(count)
    }
}

const SIZE: usize = 512 * 1024;

/// Reads `pattern` over and over; returns how many games and errors came of it.
fn read(head: &str, pattern: &[u8]) -> (usize, usize) {
    let file = head.as_bytes().chain(Repeated { pattern: pattern.to_vec(), at: 0, left: SIZE });
    let (mut games, mut errors) = (0, 0);
    for game in Reader::new(file) {
        match game {
            Ok(_) => games += 1,
            Err(error) => {
                errors += 1;
                assert!(error.to_string().len() < 20_000, "{}", error.to_string().len());
            }
        }
    }
    (games, errors)
}

#[test]
fn brackets_without_end() {
    for pattern in ["[", "(", "{", "]", ")", "}", "[(", "({", "{[", "[]", "()", "{}", "({)", "[\"", "((((!))"]
    {
        for head in ["", "1. 32-28 ", "[Event \"x\"]\n\n1. 32-28 {a} (", "[Event \"x\"]\n1. 32-28 {"] {
            let (_, errors) = read(head, pattern.as_bytes());
            assert!(errors <= 2, "{head:?} {pattern:?}: {errors}");
        }
    }
}

#[test]
fn bytes_of_one_kind() {
    for byte in [
        0_u8, 1, b' ', b'\n', b'\r', b'\\', b'"', b'/', b'%', b'*', b'$', b'!', b'-', b'x', b'1', b'.', 0xc2,
        0xff,
    ] {
        let (games, errors) = read("", &[byte]);
        assert!(games <= 1 && errors <= 2, "{byte:#x}: {games} {errors}");
    }
}

#[test]
fn tokens_cut_short_again_and_again() {
    for pattern in [
        "[Event \"x\"] {{} ",
        "[E \"a\"]{{}",
        "\n[E \"a\"]{{}",
        "\n[E \"a\"]{",
        "\n[E \"a\"] 1. 32-28 (",
        "[Event \"",
        "[Event \"\n",
        "[Event",
        "[Event x",
        "/FEN \"",
        "/a (",
        "{ { } ",
        "1- ",
        "1/2 ",
        "1. 32-28 {[%clock",
        "$1 ",
        "1 1 ",
        "32-28 x ",
    ] {
        read("", pattern.as_bytes());
    }
}

#[test]
fn games_without_end() {
    let too_long = |head: &str, pattern: &str| {
        let file = head.as_bytes().chain(Repeated { pattern: pattern.into(), at: 0, left: 4 * SIZE });
        let error = Reader::new(file).next().expect("a game").expect_err("too long");
        assert!(matches!(error.problem, PdnProblem::TooLong { .. }), "{pattern:?}: {error}");
    };
    too_long("", "32-28 ");
    too_long("1. 32-28 ", "{nothing} 32-27 ");
    too_long("1. 32-28 {", "x ");
    too_long("", "[Event \"x\"]");
    too_long("[Event \"", "x");
    too_long("[Event ", "x");
    too_long("", "/FEN \"W:W31:B1\"/");
}

#[test]
fn a_comment_as_long_as_a_megabyte_is_read() {
    let file = format!("1. 32-28 {{{}}} 19-23 *", "word ".repeat(200_000));
    let game = Reader::new(file.as_bytes()).next().expect("a game").expect("readable");
    assert_eq!(game.moves.len(), 2);
    assert_eq!(game.moves[0].comment.len(), 5 * 200_000 - 1);
}
