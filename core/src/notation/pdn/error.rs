//! Why a game of a PDN file cannot be read.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::notation::Shown;
use crate::notation::fen::FenError;
use crate::notation::movetext::MoveTextError;
use crate::piece::Side;

/// A game that cannot be read, and why. The games after it are read all the same.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct PdnError {
    /// The name of the file, if the reader was told.
    pub file: Option<String>,
    /// Which game of the file, from 1.
    pub game: u64,
    /// The players, if the tags name them: `White - Black`.
    pub players: Option<String>,
    /// The line of the file, from 1; 0 where it is not known.
    pub line: u64,
    /// The move, if the problem is in the move text.
    pub at: Option<MoveNumber>,
    /// What is wrong.
    pub problem: PdnProblem,
}

/// Which move of a game: the number as the file has it, or counted on from the last one it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number of the move.
    pub number: u32,
    /// Whose move; none where the side is not known.
    pub side: Option<Side>,
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PdnProblem {
    /// A move is illegal, ambiguous, or no move at all.
    #[error(transparent)]
    Move(Box<MoveTextError>),
    /// The file says that moves are missing, and goes on.
    #[error("moves are missing before `{}`", Shown(.0))]
    MovesMissing(String),
    /// The tag `FEN` or a setup command shows no position.
    #[error("FEN `{}`: {}", Shown(fen), Shown(&error.to_string()))]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        error: Box<FenError>,
    },
    /// A setup command that is not `/FEN "…"/`.
    #[error("unknown setup command `/{}/`", Shown(.0))]
    Setup(String),
    /// A kind of draughts whose rules are not known here.
    #[error("{} (tag GameType) is not supported, only 20 (international), 25 (Russian) and 26 (Brazilian)", Shown(.0))]
    GameType(String),
    /// A bracket without a name.
    #[error("`[` begins no tag")]
    BadTag,
    /// A comment without its closing brace.
    #[error("a comment is never closed")]
    UnclosedComment,
    /// A variation without its closing parenthesis.
    #[error("a variation is never closed")]
    UnclosedVariation,
    /// A closing parenthesis without a variation.
    #[error("`)` closes no variation")]
    StrayParenthesis,
    /// Something that is no part of a game.
    #[error("`{}` is neither tag nor move", Shown(.0))]
    NotPdn(String),
    /// Something longer than this program reads.
    #[error("{what} longer than {limit}")]
    TooLong {
        /// What is too long.
        what: &'static str,
        /// The limit, in bytes or pieces.
        limit: usize,
    },
    /// The file could not be read any further.
    #[error("cannot be read further: {message}")]
    Unreadable {
        /// The kind of error.
        kind: io::ErrorKind,
        /// The error in words.
        message: String,
    },
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if self.line > 0 {
                write!(f, "{}:", self.line)?;
            }
            f.write_str(" ")?;
        } else if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "game {}", self.game)?;
        if let Some(players) = &self.players {
            write!(f, " ({})", Shown(players))?;
        }
        if let Some(at) = &self.at {
            write!(f, ", move {at}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Some(side) => write!(f, "{} of {side}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}
