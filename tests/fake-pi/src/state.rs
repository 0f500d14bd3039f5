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
    /// What each input of each converter measures, in steps; all [`State::NO_CONVERTER`]: it does not answer.
    pub(crate) levels: [[u16; Self::INPUTS]; Self::CONVERTERS],
}

impl State {
    /// The most rows, and the most columns.
    pub(crate) const MOST_WIRES: usize = 16;
    /// No line.
    pub(crate) const NO_LINE: u8 = 0xff;
    /// The converters of the Hall sensors.
    pub(crate) const CONVERTERS: usize = 2;
    /// Their inputs.
    pub(crate) const INPUTS: usize = 8;
    /// Nobody measures anything.
    pub(crate) const NO_CONVERTER: u16 = 0xffff;
    /// The words before the lines: rows twice, five single ones.
    const WORDS: usize = 2 * Self::MOST_WIRES + 5;
    /// Where the levels begin.
    const LEVELS: usize = 2 * Self::WORDS + 2 * Self::MOST_WIRES;
    /// So many bytes are a state.
    pub(crate) const SIZE: usize = Self::LEVELS + 2 * Self::CONVERTERS * Self::INPUTS;

    /// A sound board without discs, its wires on these lines, its sensors at rest.
    #[must_use]
    pub(crate) fn new(rows: &[u8], columns: &[u8]) -> Self {
        let all = |lines: &[u8]| -> [u8; Self::MOST_WIRES] {
            std::array::from_fn(|wire| lines.get(wire).copied().unwrap_or(Self::NO_LINE))
        };
        let levels = [[2048; Self::INPUTS]; Self::CONVERTERS];
        Self { rows: all(rows), columns: all(columns), levels, ..Self::default() }
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
        let levels = self.levels.iter().flatten().flat_map(|level| level.to_le_bytes());
        let bytes = words.flat_map(|word| word.to_le_bytes());
        let bytes = bytes.chain(self.rows).chain(self.columns).chain(levels);
        let mut all = [0; Self::SIZE];
        all.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        all
    }

    /// From the file. Allocates nothing, since it is used in a signal handler.
    #[must_use]
    pub(crate) fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        let word = |index: usize| u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]]);
        let words = Self::WORDS;
        let level = |adc: usize, input: usize| word((Self::LEVELS / 2) + adc * Self::INPUTS + input);
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
            levels: std::array::from_fn(|adc| std::array::from_fn(|input| level(adc, input))),
        }
    }
}
