//! Faults of the wiring in words: which wire, where it goes, what the cause is likely to be.

use std::fmt::Write as _;

use super::changes::place_of;
use super::diagnosis::Fault;
use super::frame::{Place, Wires, wires};
use crate::pinmap::{BoardSize, Line, PinMap};

/// Says what is wrong with a board, by the names of its pin map.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pin_map: &'a PinMap,
    size: BoardSize,
}

impl<'a> Words<'a> {
    /// The words for a board of this size.
    #[must_use]
    pub const fn new(pin_map: &'a PinMap, size: BoardSize) -> Self {
        Self { pin_map, size }
    }

    /// A fault with its likely cause, as a sentence or two.
    #[must_use]
    pub fn fault(&self, fault: Fault) -> String {
        match fault {
            Fault::RowHeldHigh { row } => format!(
                "{} does not go low when it is driven: joined to 3.3 V or to a pin that drives it, or its GPIO pin is \
                 broken. None of its contacts ({}) can be read.",
                self.row(row),
                self.contacts(|place| place.row() == row)
            ),
            Fault::RowHeldLow { row } => format!(
                "{} is low though nobody drives it: joined to ground. Its closed contacts ({}) show in every row.",
                self.row(row),
                self.contacts(|place| place.row() == row)
            ),
            Fault::ColumnHeldLow { column } => format!(
                "{} is low though no row is driven: joined to ground, or its pull-up is missing. All of its contacts ({}) \
                 read closed.",
                self.column(column),
                self.contacts(|place| place.column() == column)
            ),
            Fault::RowsJoined { one, other } => format!(
                "{} and {} are joined: a bridge of solder, or two wires of the ribbon touch. Their contacts read \
                 closed in pairs.",
                self.row(one),
                self.row(other)
            ),
            Fault::NoDiode { row, suspects } => {
                let diodes = self.diodes(row, suspects);
                format!(
                    "Current flows backwards out of row {}: {} missing, bridged or the wrong way round. Contacts of other rows \
                     read closed that are not.",
                    row + 1,
                    match diodes.as_slice() {
                        [one] => format!("the diode {one} is"),
                        more => format!("one or more of the diodes {} are", more.join(", ")),
                    }
                )
            }
            Fault::DeadRow { row } => format!(
                "{} is dead: discs stand on its contacts ({}) and none of them closes. A broken wire, or its resistor or \
                 plug.",
                self.row(row),
                self.contacts(|place| place.row() == row)
            ),
            Fault::DeadColumn { column } => format!(
                "{} is dead: discs stand on its contacts ({}) and none of them closes. A broken wire, or its resistor \
                 or plug.",
                self.column(column),
                self.contacts(|place| place.column() == column)
            ),
        }
    }

    fn row(&self, row: usize) -> String {
        let line = self.pin_map.rows().nth(row).map(|(_, line)| line);
        format!("Row {}{}", row + 1, line.map(route).unwrap_or_default())
    }

    fn column(&self, column: usize) -> String {
        let line = self.pin_map.columns().nth(column).map(|(_, line)| line);
        format!("Column {}{}", column + 1, line.map(route).unwrap_or_default())
    }

    /// The diodes of a row at these columns, each with its contact.
    fn diodes(&self, row: usize, columns: Wires) -> Vec<String> {
        let places = wires(columns).filter_map(|column| Place::new(row, column));
        let contacts = self.pin_map.wiring(self.size).map_or(&[][..], |wiring| wiring.contacts());
        let name = |place| match contacts.iter().find(|contact| place_of(contact) == Some(place)) {
            Some(contact) => format!("{} of {}", contact.diode, contact.id),
            None => format!("at {place}, where no contact should be,"),
        };
        places.map(name).collect()
    }

    /// The names of contacts by their place.
    fn contacts(&self, wanted: impl Fn(Place) -> bool) -> String {
        let contacts = self.pin_map.wiring(self.size).map_or(&[][..], |wiring| wiring.contacts());
        let names = contacts.iter().filter(|contact| place_of(contact).is_some_and(&wanted));
        names.fold(String::new(), |mut text, contact| {
            let comma = if text.is_empty() { "" } else { ", " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{comma}{}", contact.id);
            text
        })
    }
}

/// Where a wire goes: ` (GPIO 17, header pin 11, ribbon 1, R1)`.
fn route(line: &Line) -> String {
    let pull_up = line.pull_up.as_ref().map(|name| format!(", pull-up {name}")).unwrap_or_default();
    format!(
        " (GPIO {}, header pin {}, ribbon {}, {}{pull_up})",
        line.pin.bcm, line.pin.header, line.ribbon, line.series
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_with_wire_contacts_and_cause() {
        let map = PinMap::shipped();
        let words = Words::new(&map, BoardSize::Hundred);
        let said = words.fault(Fault::DeadColumn { column: 6 });
        let (line, _) = map.columns().nth(6).map(|(_, line)| (line, ())).unwrap();
        assert!(said.starts_with(&format!("Column 7 (GPIO {}, header pin", line.pin.bcm)), "{said}");
        assert!(said.contains("square-49, square-50, well-near-1"), "{said}");

        let said = words.fault(Fault::NoDiode { row: 0, suspects: 1 << 2 });
        assert!(said.contains("backwards out of row 1: the diode D3 of square-3 is missing"), "{said}");
        let said = words.fault(Fault::NoDiode { row: 0, suspects: 3 });
        assert!(said.contains("one or more of the diodes D1 of square-1, D2 of square-2 are"), "{said}");
        let said = words.fault(Fault::NoDiode { row: 15, suspects: 1 << 15 });
        assert!(said.contains("at row 16, column 16, where no contact should be,"), "{said}");
        assert!(words.fault(Fault::RowHeldLow { row: 15 }).starts_with("Row 16 is low"));
    }
}
