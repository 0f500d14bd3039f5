//! One frame of a scan: which contacts of the matrix are closed, and what the scan saw of its own wires.
//!
//! Wires are counted from 0 here, and from 1 in the pin map and in everything that is said to people. A
//! [`Place`] is where a row and a column cross; which contact sits there is the pin map's to say.

use std::fmt;

/// No matrix has more rows or columns than this.
pub const MOST_WIRES: usize = 16;

/// Wires of one kind, rows or columns, one bit each: bit 0 is the first.
pub type Wires = u16;

/// Where a row and a column of the matrix cross, both counted from 0 and below [`MOST_WIRES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    row: u8,
    column: u8,
}

impl Place {
    /// The crossing of a row and a column, both counted from 0; none beyond [`MOST_WIRES`].
    #[must_use]
    pub const fn new(row: usize, column: usize) -> Option<Self> {
        if row >= MOST_WIRES || column >= MOST_WIRES {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "both are below 16")]
        Some(Self { row: row as u8, column: column as u8 })
    }

    /// The row, counted from 0.
    #[must_use]
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The column, counted from 0.
    #[must_use]
    pub const fn column(self) -> usize {
        self.column as usize
    }
}

/// As people count: `row 1, column 3`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row + 1, self.column + 1)
    }
}

/// The contacts of a matrix that are closed: for each row, its columns.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Closed([Wires; MOST_WIRES]);

impl Closed {
    /// No contact.
    pub const NONE: Self = Self([0; MOST_WIRES]);

    /// The columns whose contact with this row is closed.
    #[must_use]
    pub const fn in_row(&self, row: usize) -> Wires {
        self.0[row]
    }

    /// Puts the columns of a row in.
    pub const fn set_row(&mut self, row: usize, columns: Wires) {
        self.0[row] = columns;
    }

    /// Whether the contact at a place is closed.
    #[must_use]
    pub const fn contains(&self, place: Place) -> bool {
        self.0[place.row()] >> place.column() & 1 == 1
    }

    /// Closes or opens the contact at a place.
    pub const fn set(&mut self, place: Place, closed: bool) {
        let bit = 1 << place.column();
        if closed {
            self.0[place.row()] |= bit;
        } else {
            self.0[place.row()] &= !bit;
        }
    }

    /// The contacts that are closed in one of the two and open in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|row| self.0[row] ^ other.0[row]))
    }

    /// The places in order of row and column.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..MOST_WIRES).flat_map(|row| wires(self.0[row]).filter_map(move |column| Place::new(row, column)))
    }
}

/// A diagram: a line for each row that has a closed contact.
impl fmt::Debug for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..MOST_WIRES).filter(|&row| self.0[row] != 0) {
            let cells: String = (0..MOST_WIRES)
                .map(|column| if self.0[row] >> column & 1 == 1 { '#' } else { '.' })
                .collect();
            write!(f, "\nrow {:2} {cells}", row + 1)?;
        }
        Ok(())
    }
}

/// Which wires read low at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Low {
    /// Rows; of those that were not asked for, none.
    pub rows: Wires,
    /// Columns.
    pub columns: Wires,
}

/// What a scan saw of its own wires, besides the contacts. All of it is zero on a sound board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelfTest {
    /// Rows that did not read low while they were driven low.
    pub not_driven: Wires,
    /// Wires that read low while no row was driven.
    pub idle: Low,
    /// The row whose effect on the others was looked at in this frame, counted from 0; another one each time.
    pub checked: usize,
    /// The other rows that read low while that one was driven.
    pub joined: Wires,
}

impl SelfTest {
    /// Whether nothing was amiss.
    #[must_use]
    pub const fn passed(&self) -> bool {
        self.not_driven | self.idle.rows | self.idle.columns | self.joined == 0
    }
}

/// What one scan of all contacts gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanFrame {
    /// The contacts that read closed.
    pub closed: Closed,
    /// What was seen of the wires.
    pub self_test: SelfTest,
}

/// The numbers of the wires that are in a set, ascending.
pub fn wires(set: Wires) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let wire = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(wire)
    })
}

/// The first `count` wires.
#[must_use]
pub const fn first_wires(count: usize) -> Wires {
    if count >= MOST_WIRES { Wires::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_listed_in_order_and_shown_as_people_count() {
        let mut closed = Closed::NONE;
        for (row, column) in [(7, 0), (0, 15), (0, 2)] {
            closed.set(Place::new(row, column).unwrap(), true);
        }
        let shown: Vec<String> = closed.places().map(|place| place.to_string()).collect();
        assert_eq!(shown, ["row 1, column 3", "row 1, column 16", "row 8, column 1"]);
        closed.set(Place::new(0, 15).unwrap(), false);
        assert_eq!(format!("{closed:?}"), "\nrow  1 ..#.............\nrow  8 #...............");
        assert_eq!(Place::new(16, 0), None);
    }

    #[test]
    fn wires_of_a_set() {
        assert_eq!(wires(0b1000_0000_0000_0101).collect::<Vec<_>>(), [0, 2, 15]);
        assert_eq!(first_wires(5), 0b1_1111);
        assert_eq!(first_wires(16), u16::MAX);
    }
}
