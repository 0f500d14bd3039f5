//! The hash chain of a game: each entry's hash covers the entry and the hash before it.
//!
//! Whoever changes, drops or moves an entry has to change every hash after it. That does not stop somebody who
//! may write the file; it shows to whoever kept the last hash, which `draughtsd games list` prints for each
//! game and the game's record in the file holds once it has ended.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{Entry, NewGame};

/// A SHA-256 hash. Printed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash of these bytes; `None` unless there are 32.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The hash from which the entries of a game go on.
#[must_use]
pub fn of_game(number: u64, game: &NewGame) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(b"draughtsd game\0");
    hasher.update(number.to_le_bytes());
    hasher.update(game.began_at.unix_ms().to_le_bytes());
    for text in [&game.board, &game.header, &game.about] {
        add_text(&mut hasher, text);
    }
    Hash(hasher.finalize().into())
}

/// The hash of an entry.
///
/// - `before`: the hash of the entry before it, or of the game.
/// - `number`: its number in the game, from 1.
#[must_use]
pub fn of_entry(before: Hash, number: u64, entry: &Entry) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(before.0);
    hasher.update(number.to_le_bytes());
    hasher.update(entry.at.unix_ms().to_le_bytes());
    add_text(&mut hasher, entry.kind.name());
    add_text(&mut hasher, &entry.body);
    Hash(hasher.finalize().into())
}

/// The length comes first, so that no two rows of texts are the same bytes.
fn add_text(hasher: &mut Sha256, text: &str) {
    hasher.update((text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feeds::wall_time::WallTime;
    use crate::journal::Kind;

    #[test]
    fn everything_about_an_entry_is_covered() {
        let entry = Entry { kind: Kind::Input, at: WallTime::from_unix_ms(5), body: "x".to_owned() };
        let before = Hash([7; 32]);
        let hash = of_entry(before, 1, &entry);
        assert_ne!(hash, of_entry(Hash([8; 32]), 1, &entry));
        assert_ne!(hash, of_entry(before, 2, &entry));
        assert_ne!(hash, of_entry(before, 1, &Entry { kind: Kind::Event, ..entry.clone() }));
        assert_ne!(hash, of_entry(before, 1, &Entry { at: WallTime::from_unix_ms(6), ..entry.clone() }));
        assert_ne!(hash, of_entry(before, 1, &Entry { body: "y".to_owned(), ..entry.clone() }));
        assert_eq!(hash, of_entry(before, 1, &entry));
    }

    #[test]
    fn texts_cannot_be_moved_across_their_borders() {
        let game = |board: &str, header: &str| NewGame {
            board: board.to_owned(),
            header: header.to_owned(),
            about: String::new(),
            began_at: WallTime::from_unix_ms(0),
        };
        assert_ne!(of_game(1, &game("ab", "c")), of_game(1, &game("a", "bc")));
        assert_ne!(of_game(1, &game("a", "b")), of_game(2, &game("a", "b")));
    }
}
