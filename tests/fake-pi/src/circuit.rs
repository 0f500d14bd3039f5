//! What the pins of the header read, given what drives them and how the board's switches stand.
//!
//! Levels only: no voltages, no times. A line that nobody drives and nobody pulls up reads low, so that a program
//! which forgets a pull-up is found out.

use crate::state::State;

/// What the processor does with its pins, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pins {
    /// Driven high.
    pub(crate) high: u32,
    /// Driven low.
    pub(crate) low: u32,
    /// Pulled up.
    pub(crate) pulled_up: u32,
}

/// The levels of all pins.
pub(crate) fn levels(pins: Pins, board: &State) -> u32 {
    let row_bit = |row: usize| bit(board.rows[row]);
    let column_bit = |column: usize| bit(board.columns[column]);
    let each = |set: u16| (0..State::MOST_WIRES).filter(move |wire| set >> wire & 1 == 1);

    let held_high = each(board.rows_high).fold(0, |all, row| all | row_bit(row));
    let held_low = each(board.rows_low).fold(0, |all, row| all | row_bit(row));
    // Neither a short to 3.3 V nor a pin that drives a high gives way to a low from elsewhere.
    let held_high = held_high | pins.high;
    let mut low = (pins.low | held_low) & !held_high;
    // A low spreads through closed contacts to columns, and from there back to rows where there is no diode.
    loop {
        let before = low;
        for row in 0..State::MOST_WIRES {
            for column in each(board.closed[row] & !board.columns_broken) {
                if low & row_bit(row) != 0 {
                    low |= column_bit(column);
                }
                if low & column_bit(column) != 0 && board.bare[row] >> column & 1 == 1 {
                    low |= row_bit(row) & !held_high;
                }
            }
        }
        if low == before {
            break;
        }
    }
    (pins.pulled_up | held_high) & !low
}

/// The bit of a line; none for no line.
fn bit(line: u8) -> u32 {
    1_u32.checked_shl(line.into()).unwrap_or(0)
}
