//! What is written down: positions, moves and games as text.

use std::fmt;

pub mod fen;
pub mod movetext;
pub mod pdn;

/// Text from a file as it may stand in a message: on one line, not too long, without signs that would do
/// something to a terminal.
struct Shown<'a>(&'a str);

impl Shown<'_> {
    /// How many characters of a text are shown.
    const LIMIT: usize = 200;
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for (count, character) in self.0.chars().enumerate() {
            if count == Self::LIMIT {
                return f.write_str("…");
            }
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}
