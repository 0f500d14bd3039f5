//! The switches of the board, as they are written to a file by a test and read by the fake Pi.
//!
//! This file is compiled into both (the tests include it by its path), so that there is one description of the form.

/// The switches, the faults of the board, and which pins its wires are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// For each row, the columns whose contact is closed; bit 0 is the first column.
    pub(crate) closed: [u16; Self::MOST_WIRES],
    /// For each row, the columns whose diode is missing.
    pub(crate) bare: [u16; Self::MOST_WIRES],
    /// Rows that are held low.
    pub(crate) rows_low: u16,
    /// Rows that are held high.
    pub(crate) rows_high: u16,
    /// Columns whose wire is broken.
    pub(crate) columns_broken: u16,
    /// Not zero: the GPIO chip does not answer when it is read, until this is zero again.
    pub(crate) chip_hangs: u16,
    /// Not zero: the GPIO chip cannot be read.
    pub(crate) chip_fails: u16,
    /// The GPIO lines of the rows; of those that the board does not have, [`State::NO_LINE`].
    pub(crate) rows: [u8; Self::MOST_WIRES],
    /// The GPIO lines of the columns.
    pub(crate) columns: [u8; Self::MOST_WIRES],
}

impl State {
    /// The most rows, and the most columns.
    pub(crate) const MOST_WIRES: usize = 16;
    /// No line.
    pub(crate) const NO_LINE: u8 = 0xff;
    /// So many bytes are a state.
    pub(crate) const SIZE: usize = 2 * (2 * Self::MOST_WIRES + 5) + 2 * Self::MOST_WIRES;

    /// A sound board without discs, its wires on these lines.
    #[must_use]
    pub(crate) fn new(rows: &[u8], columns: &[u8]) -> Self {
        let all = |lines: &[u8]| -> [u8; Self::MOST_WIRES] {
            std::array::from_fn(|wire| lines.get(wire).copied().unwrap_or(Self::NO_LINE))
        };
        Self { rows: all(rows), columns: all(columns), ..Self::default() }
    }

    /// As it stands in the file.
    #[must_use]
    pub(crate) fn to_bytes(self) -> [u8; Self::SIZE] {
        let words = self.closed.iter().chain(&self.bare).chain([
            &self.rows_low,
            &self.rows_high,
            &self.columns_broken,
            &self.chip_hangs,
            &self.chip_fails,
        ]);
        let bytes = words.flat_map(|word| word.to_le_bytes()).chain(self.rows).chain(self.columns);
        let mut all = [0; Self::SIZE];
        all.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        all
    }

    /// From the file. Allocates nothing, since it is used in a signal handler.
    #[must_use]
    pub(crate) fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        let word = |index: usize| u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]]);
        let words = 2 * Self::MOST_WIRES + 5;
        let lines = |kind: usize| -> [u8; Self::MOST_WIRES] {
            std::array::from_fn(|wire| bytes[2 * words + kind * Self::MOST_WIRES + wire])
        };
        Self {
            closed: std::array::from_fn(word),
            bare: std::array::from_fn(|row| word(Self::MOST_WIRES + row)),
            rows_low: word(words - 5),
            rows_high: word(words - 4),
            columns_broken: word(words - 3),
            chip_hangs: word(words - 2),
            chip_fails: word(words - 1),
            rows: lines(0),
            columns: lines(1),
        }
    }
}
