//! The pin map: which contact of the board sits where in the switch matrix, and which wire goes to which pin.
//!
//! One file, [`DEFAULT`], is read by the daemon, by `hardware/kicad/generate.py`, which draws the schematics, and by the
//! tests that hold those schematics against it. A builder who wires differently gives the daemon a file of his own.
//!
//! A *row* and a *column* are wires here, numbered from 1; they need not follow the rows of the board. A contact joins
//! one row and one column, by a switch and a diode that lets current flow from the column to the row only.
//! [`ContactId`] names a contact by where it is in the furniture; what it means in a game, [`Role`], depends on the end
//! at which White sits.
//!
//! Reading has two steps, none of which opens a device: the form, where the first mistake is shown with line and caret,
//! and what it says, where all mistakes are told at once.

mod check;
mod contact;
mod electrics;
mod file;
mod lines;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use thiserror::Error;

use crate::config::list_of_problems;
use crate::input_file::read_by_hand;

pub use contact::{ContactId, NotAContact, Role};
pub use electrics::Electrics;
pub use lines::{Column, Line, Pin, Row, Spi};

/// The pin map of the boards that `hardware/` describes.
pub const DEFAULT: &str = include_str!("../hardware/pinmap.toml");

/// The version of the file's form that this program reads.
pub const VERSION: u32 = 1;

/// The two sizes of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardSize {
    /// 50 dark squares: the table `[board-100]`.
    Hundred,
    /// 32 dark squares: the table `[board-64]`.
    SixtyFour,
}

impl BoardSize {
    /// Both sizes.
    pub const ALL: [Self; 2] = [Self::Hundred, Self::SixtyFour];

    /// The size on which `variant` is played.
    #[must_use]
    pub const fn of(variant: Variant) -> Self {
        match variant {
            Variant::International => Self::Hundred,
            Variant::Brazilian | Variant::Russian => Self::SixtyFour,
        }
    }

    /// A game that is played on this size, for what depends on the size alone.
    #[must_use]
    pub const fn some_variant(self) -> Variant {
        match self {
            Self::Hundred => Variant::International,
            Self::SixtyFour => Variant::Brazilian,
        }
    }

    /// The name of its table in the file: `board-100` or `board-64`.
    #[must_use]
    pub const fn table(self) -> &'static str {
        match self {
            Self::Hundred => "board-100",
            Self::SixtyFour => "board-64",
        }
    }
}

/// A pin map that has passed every check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinMap {
    electrics: Electrics,
    rows: Vec<Line>,
    columns: Vec<Line>,
    spi: Option<Spi>,
    hundred: Option<Wiring>,
    sixty_four: Option<Wiring>,
}

/// The contacts of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    contacts: Vec<Contact>,
    stack: Vec<StackSensor>,
}

/// One contact: its crossing in the matrix and its parts in the schematic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// What it is.
    pub id: ContactId,
    /// The row that is driven low to read it.
    pub row: Row,
    /// The column that reads low while it is closed.
    pub column: Column,
    /// The switch's name in the schematic, such as `S12`.
    pub switch: String,
    /// The diode's name in the schematic, such as `D12`.
    pub diode: String,
}

/// A Hall sensor under a far-row square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackSensor {
    /// The square as it is wired; see [`ContactId::Square`].
    pub square: Square,
    /// Which of the two converters, 1 or 2: the select line of that number.
    pub adc: u8,
    /// The converter's input, 0 to 7.
    pub channel: u8,
    /// The sensor's name in the drawings, such as `H46`.
    pub sensor: String,
}

/// Why a pin map was refused. The message says all of it; there is no source to be printed as well.
#[derive(Debug, Error)]
pub enum PinMapError {
    /// The file could not be opened or read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The file does not hold a pin map.
    #[error("{}: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Refusal,
    },
}

/// What is wrong with the text of a pin map.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// It is no TOML, or has keys or values that are not known: line, caret, and what was expected.
    #[error("{0}")]
    Form(String),
    /// It cannot be wired so; in the order of the file.
    #[error("{}", list_of_problems(.0))]
    Problems(Vec<PinProblem>),
}

/// One thing that cannot be wired as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PinProblem {
    /// The line of the file, from 1.
    pub line: usize,
    /// Table and key: `rows.3.bcm`, `board-100.contacts.square-7`.
    pub key: String,
    /// What is wrong, what was expected, what to do.
    pub problem: String,
}

impl fmt::Display for PinProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.key, self.problem)
    }
}

impl PinMap {
    /// Reads a file and checks all of it.
    ///
    /// # Errors
    /// [`PinMapError`] when the file cannot be read or is refused by [`PinMap::parse`].
    pub fn read(path: &Path) -> Result<Self, PinMapError> {
        let text = read_by_hand(path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .map_err(|reason| PinMapError::Read { path: path.to_owned(), reason })?;
        Self::parse(&text).map_err(|reason| PinMapError::Refused { path: path.to_owned(), reason })
    }

    /// Reads the text of a pin map and checks all of it.
    ///
    /// # Errors
    /// [`Refusal`]: the first mistake of form, or else everything that cannot be wired as it is written.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let raw: file::RawMap =
            toml::from_str(text).map_err(|error| Refusal::Form(error.to_string().trim_end().to_owned()))?;
        check::checked(raw, text).map_err(Refusal::Problems)
    }

    /// The pin map of the boards that `hardware/` describes.
    ///
    /// # Panics
    /// Never: the tests read the same text.
    #[must_use]
    pub fn shipped() -> Self {
        Self::parse(DEFAULT).expect("the shipped pin map passes its own checks")
    }

    /// The resistors that the wires run through.
    #[must_use]
    pub const fn electrics(&self) -> Electrics {
        self.electrics
    }

    /// The rows in the order of their numbers, which run from 1 without a gap.
    #[must_use]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (Row, &Line)> {
        self.rows.iter().enumerate().map(|(index, line)| (Row::from_index(index), line))
    }

    /// The columns in the order of their numbers, which run from 1 without a gap.
    #[must_use]
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (Column, &Line)> {
        self.columns.iter().enumerate().map(|(index, line)| (Column::from_index(index), line))
    }

    /// The lines of the SPI bus, where the map has them.
    #[must_use]
    pub const fn spi(&self) -> Option<&Spi> {
        self.spi.as_ref()
    }

    /// How the board of this size is wired; none where the map does not describe one.
    #[must_use]
    pub const fn wiring(&self, size: BoardSize) -> Option<&Wiring> {
        match size {
            BoardSize::Hundred => self.hundred.as_ref(),
            BoardSize::SixtyFour => self.sixty_four.as_ref(),
        }
    }
}

impl Wiring {
    /// The contacts in the order of [`ContactId`]: squares first. Every square of the board is among them; there are
    /// at most [`Wiring::MOST_CONTACTS`], so that one bit each fits into a `u64`.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// 50 squares, and at each end two wells, a press and four buttons.
    pub const MOST_CONTACTS: usize = 64;

    /// The contact with this name.
    #[must_use]
    pub fn contact(&self, id: ContactId) -> Option<&Contact> {
        self.contacts.iter().find(|contact| contact.id == id)
    }

    /// The contact at a crossing; none where no switch sits.
    #[must_use]
    pub fn at(&self, row: Row, column: Column) -> Option<&Contact> {
        self.contacts.iter().find(|contact| (contact.row, contact.column) == (row, column))
    }

    /// The Hall sensors under the far rows, in the order of their squares; empty where the map has none.
    #[must_use]
    pub fn stack(&self) -> &[StackSensor] {
        &self.stack
    }
}

#[cfg(test)]
mod tests;
