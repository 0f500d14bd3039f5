//! Games as text: Portable Draughts Notation (PDN) 3.0.
//!
//! [`Reader`] reads a file game by game, in memory that does not depend on the size of the file, and in time
//! proportional to it whatever it holds. A game that cannot be read gives a [`PdnError`] that says where and
//! why; the games around it are still read. [`write()`] writes strictly by the standard. What is tolerated on
//! reading and what is written is described in `docs/pdn.md`; words used here:
//!
//! - *tag*: `[White "Wiersma, Harm"]`. *Move text*: what follows the tags, up to `*` or a result.
//! - *setup command*: `/FEN "…"/` in the move text sets a position, after an illegal move that stood or a
//!   failure of a board's recognition.
//! - *variation*: moves in parentheses that were not played. They are passed over, not kept.
//!
//! Which kind of draughts it is says the tag `GameType`; without it the squares and then the moves decide.

use std::io::Read;

use crate::moves::Move;
use crate::notation::movetext;
use crate::position::Position;
use crate::rules::Variant;
use crate::time_control::TimeControl;

mod clock;
mod error;
mod header;
mod lexer;
mod outline;
mod replay;
mod source;
mod write;

pub use clock::ClockTimes;
pub use error::{MoveNumber, PdnError, PdnProblem};
pub use header::GameResult;
pub use outline::Outline;
pub use write::{WriteOptions, write, write_with};

use outline::Outliner;

/// A game, its moves found legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Which game of its file it is, from 1; 0 for a game that comes from elsewhere.
    pub number: u64,
    /// The tags in the order of the file, names as they stand there. `Result`, `GameType` and `FEN` are written
    /// from the fields below, whatever stands here.
    pub tags: Vec<(String, String)>,
    /// The kind of draughts.
    pub variant: Variant,
    /// The position before the first move.
    pub start: Position,
    /// The comment before the first move, often empty.
    pub comment: String,
    /// The moves as they were played.
    pub moves: Vec<PlayedMove>,
    /// Positions set up between the moves, in order.
    pub setups: Vec<SetupCommand>,
    /// How the game ended.
    pub result: GameResult,
    /// How many variations the file had beside the moves played; they are not kept.
    pub variations_left_out: u32,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The move as the file has it.
    pub text: String,
    /// What the clock showed after it.
    pub clock: Option<ClockTimes>,
    /// The comment behind it without the clock times, often empty.
    pub comment: String,
    /// Numeric annotation glyphs; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    pub nags: Vec<u8>,
}

impl PlayedMove {
    /// A move without clock, comment and glyphs.
    ///
    /// - `position`: where it is made, for its text.
    #[must_use]
    pub fn new(position: &Position, mv: Move) -> Self {
        Self {
            mv,
            text: movetext::score_sheet(position, mv),
            clock: None,
            comment: String::new(),
            nags: Vec::new(),
        }
    }
}

/// A position set up in the course of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupCommand {
    /// How many plies were played before; the command stands before the ply of this index.
    pub before_ply: usize,
    /// The position from there on.
    pub position: Position,
    /// The comment behind the command, often empty.
    pub comment: String,
}

impl Game {
    /// A game without moves.
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self {
            number: 0,
            tags: Vec::new(),
            variant: start.variant(),
            start,
            comment: String::new(),
            moves: Vec::new(),
            setups: Vec::new(),
            result: GameResult::Unknown,
            variations_left_out: 0,
        }
    }

    /// The value of a tag, also where the file has the name in small letters or another language.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        outline::tag(&self.tags, name)
    }

    /// The time control of the tag `TimeControl`; `None` where there is no such tag, or one that says nothing that
    /// a clock could be set by, such as `?` and `-`.
    #[must_use]
    pub fn time_control(&self) -> Option<TimeControl> {
        self.tag("TimeControl")?.parse().ok()
    }

    /// Sets a tag, in its place if it is there, else at the end.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(here, _)| here == name) {
            Some((_, here)) => *here = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Each move with the position it was made in, setup commands obeyed.
    pub fn plies(&self) -> impl Iterator<Item = (Position, &PlayedMove)> {
        let mut walk = Walk::new(self);
        self.moves.iter().map(move |played| {
            let before = walk.position();
            walk.step(played.mv);
            (before, played)
        })
    }

    /// The position at the end, setup commands obeyed.
    #[must_use]
    pub fn end(&self) -> Position {
        let mut walk = Walk::new(self);
        for played in &self.moves {
            walk.position();
            walk.step(played.mv);
        }
        walk.position()
    }
}

/// Goes through a game ply by ply, obeying its setup commands.
struct Walk<'a> {
    setups: std::iter::Peekable<std::slice::Iter<'a, SetupCommand>>,
    position: Position,
    ply: usize,
}

impl<'a> Walk<'a> {
    fn new(game: &'a Game) -> Self {
        Self { setups: game.setups.iter().peekable(), position: game.start, ply: 0 }
    }

    /// The position before the next ply.
    fn position(&mut self) -> Position {
        while let Some(setup) = self.setups.next_if(|setup| setup.before_ply <= self.ply) {
            self.position = setup.position;
        }
        self.position
    }

    fn step(&mut self, mv: Move) {
        self.position = self.position.play(mv);
        self.ply += 1;
    }
}

/// Reads the games of a PDN file one after the other.
///
/// ```
/// use draughtsd_core::notation::pdn::Reader;
///
/// let file = "[White \"Sijbrands, Ton\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n1. 32-28 18-24 *\n";
/// let games: Vec<_> = Reader::new(file.as_bytes()).collect();
/// assert_eq!(games[0].as_ref().map(|game| game.moves.len()), Ok(4));
/// let error = games[1].as_ref().unwrap_err().to_string();
/// assert!(error.starts_with("line 5: game 2, move 1 of black: `18-24` is illegal; legal: 16-21, "));
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    outliner: Outliner<R>,
    file: Option<String>,
    assumed: Option<Variant>,
}

impl<R: Read> Reader<R> {
    /// A reader at the beginning of a file; it buffers by itself.
    pub fn new(input: R) -> Self {
        Self { outliner: Outliner::new(input), file: None, assumed: None }
    }

    /// The reader, giving `name` as the file's name in errors.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.file = Some(name.into());
        self
    }

    /// The reader, taking games without a `GameType` for `variant` instead of telling by their moves.
    #[must_use]
    pub fn assuming(mut self, variant: Option<Variant>) -> Self {
        self.assumed = variant;
        self
    }

    /// How many bytes of the file have been read.
    pub fn bytes_read(&self) -> u64 {
        self.outliner.bytes_read()
    }

    /// The next game without looking at its moves, which is much faster; none at the end of the file.
    pub fn next_outline(&mut self) -> Option<Result<Outline, PdnError>> {
        let outline = self.outliner.next_outline()?;
        Some(outline.map_err(|error| PdnError { file: self.file.clone(), ..error }))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Game, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let outline = match self.next_outline()? {
            Ok(outline) => outline,
            Err(error) => return Some(Err(error)),
        };
        Some(
            replay::replay(outline, self.assumed)
                .map_err(|error| PdnError { file: self.file.clone(), ..error }),
        )
    }
}
