//! Where each pin of each part belongs, as it follows from the pin map.
//!
//! Besides the pin map this knows what `hardware/` says of the connectors: ground on the even pins of ribbons, and the
//! order of wires in those to the panels (`hardware/harness.md`) and to the Hall sensors (`hardware/crowning.md`).

use std::collections::BTreeMap;

use draughtsd::config::WhiteSide;
use draughtsd::pinmap::{BoardSize, ContactId, PinMap, Wiring};

use super::export::{Node, Part};

/// Ground on the header of a Pi.
const HEADER_GROUND: [u8; 8] = [6, 9, 14, 20, 25, 30, 34, 39];
/// 3.3 V on the header of a Pi.
const HEADER_SUPPLY: [u8; 2] = [1, 17];
/// The pins of the header that are left open.
const HEADER_OPEN: [u8; 9] = [2, 3, 4, 5, 7, 8, 10, 27, 28];

const GROUND: &str = "ground";
const SUPPLY: &str = "3.3 V";

/// The parts that have to be there, and what each of their pins is joined to, in words.
pub(crate) struct Wanted {
    pub(crate) parts: BTreeMap<String, Part>,
    pub(crate) place_of: BTreeMap<Node, String>,
    /// Pins that are joined to nothing.
    pub(crate) open: Vec<Node>,
}

impl Wanted {
    pub(crate) fn new(map: &PinMap, size: BoardSize) -> Self {
        let mut wanted = Self { parts: BTreeMap::new(), place_of: BTreeMap::new(), open: Vec::new() };
        let wiring = map.wiring(size).expect("the shipped pin map describes both boards");
        wanted.header();
        wanted.lines(map);
        wanted.protection(map);
        wanted.contacts(wiring);
        wanted.panel(wiring, WhiteSide::Near, ["J4", "J6"]);
        wanted.panel(wiring, WhiteSide::Far, ["J5", "J7"]);
        wanted.hall(map, wiring);
        wanted
    }

    /// Every pin that has a place.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.place_of.keys()
    }

    fn part(&mut self, name: &str, kind: &str, value: &str) {
        self.parts.insert(name.to_owned(), Part { kind: kind.to_owned(), value: value.to_owned() });
    }

    fn put(&mut self, part: &str, pin: impl ToString, place: &str) {
        self.place_of.insert(Node::new(part, pin), place.to_owned());
    }

    /// A part with two pins.
    fn between(&mut self, part: &str, kind: &str, value: &str, first: &str, second: &str) {
        self.part(part, kind, value);
        self.put(part, 1, first);
        self.put(part, 2, second);
    }

    fn header(&mut self) {
        self.part("J1", "Pi_header", "Raspberry Pi");
        HEADER_GROUND.iter().for_each(|pin| self.put("J1", pin, GROUND));
        HEADER_SUPPLY.iter().for_each(|pin| self.put("J1", pin, SUPPLY));
        self.open.extend(HEADER_OPEN.map(|pin| Node::new("J1", pin)));
        self.between("C1", "Capacitor", "100n", SUPPLY, GROUND);
        self.between("C2", "Capacitor", "10u", SUPPLY, GROUND);
    }

    /// Rows and columns: header, series resistor, ribbon, and what pulls the columns up.
    fn lines(&mut self, map: &PinMap) {
        let electrics = map.electrics();
        let rows = map.rows().map(|(row, line)| (format!("row {row}"), line, electrics.row_series_ohm));
        let columns = map
            .columns()
            .map(|(column, line)| (format!("column {column}"), line, electrics.column_series_ohm));
        for (connector, value) in [("J2", "To the matrix board"), ("J3", "From the interface board")] {
            self.part(connector, "Ribbon_34", value);
            (1..=34).for_each(|pin| self.put(connector, pin, GROUND));
        }
        for (place, line, series_ohm) in rows.chain(columns) {
            let at_pi = format!("{place} at the Pi");
            self.put("J1", line.pin.header, &at_pi);
            self.between(&line.series, "Resistor", &ohm(series_ohm), &at_pi, &place);
            if let Some(pull_up) = &line.pull_up {
                self.between(pull_up, "Resistor", &ohm(electrics.pull_up_ohm), SUPPLY, &place);
            }
            self.put("J2", line.ribbon, &place);
            self.put("J3", line.ribbon, &place);
        }
    }

    /// Four lines share an array, rows first.
    fn protection(&mut self, map: &PinMap) {
        let rows = map.rows().map(|(row, _)| format!("row {row}"));
        let places: Vec<String> =
            rows.chain(map.columns().map(|(column, _)| format!("column {column}"))).collect();
        for (index, four) in places.chunks(4).enumerate() {
            let part = format!("U{}", index + 1);
            self.part(&part, "TVS_array", "SRV05-4");
            for (pin, place) in [1, 3, 4, 6].into_iter().zip(four) {
                self.put(&part, pin, place);
            }
            self.put(&part, 2, GROUND);
            self.put(&part, 5, SUPPLY);
        }
    }

    /// From the column through the diode and the switch to the row.
    fn contacts(&mut self, wiring: &Wiring) {
        for contact in wiring.contacts() {
            let (switch, diode) = (&contact.switch, &contact.diode);
            let middle = format!("between {diode} and {switch}");
            let kind = match contact.id {
                ContactId::Square(_) | ContactId::Well { .. } => ("Reed", "Reed switch"),
                ContactId::Press { .. } | ContactId::Button { .. } => ("Button", "Push button"),
            };
            self.between(switch, kind.0, kind.1, &middle, &format!("row {}", contact.row));
            // Pin 1 is the cathode: current flows from the column to the row.
            self.between(diode, "Schottky", "BAT85", &middle, &format!("column {}", contact.column));
        }
    }

    /// Both ends of a panel's ribbon: its rows on pins 1, 3, 5 and 7, its columns on 9 and 10.
    fn panel(&mut self, wiring: &Wiring, end: WhiteSide, connectors: [&str; 2]) {
        let is_there = |id: ContactId| match id {
            ContactId::Square(_) => false,
            ContactId::Well { end: e, .. }
            | ContactId::Press { end: e }
            | ContactId::Button { end: e, .. } => e == end,
        };
        let contacts = wiring.contacts().iter().filter(|contact| is_there(contact.id));
        let mut rows: Vec<_> = contacts.clone().map(|contact| contact.row).collect();
        let mut columns: Vec<_> = contacts.map(|contact| contact.column).collect();
        rows.sort();
        rows.dedup();
        columns.sort();
        columns.dedup();
        let name = if end == WhiteSide::Near { "near" } else { "far" };
        for (connector, place) in connectors.into_iter().zip(["To", "On"]) {
            self.part(connector, "Ribbon_10", &format!("{place} the {name} panel"));
            [2, 4, 6, 8].iter().for_each(|pin| self.put(connector, pin, GROUND));
            for (pin, row) in [1, 3, 5, 7].iter().zip(&rows) {
                self.put(connector, pin, &format!("row {row}"));
            }
            for (pin, column) in [9, 10].iter().zip(&columns) {
                self.put(connector, pin, &format!("column {column}"));
            }
        }
    }

    /// The optional Hall sensors with their converters (MCP3208).
    fn hall(&mut self, map: &PinMap, wiring: &Wiring) {
        let spi = map.spi().expect("the shipped pin map has the SPI bus");
        let bus = [("SPI clock", spi.clock), ("SPI MISO", spi.miso), ("SPI MOSI", spi.mosi)];
        let select = [("select 1", spi.select[0]), ("select 2", spi.select[1])];
        for (place, pin) in bus.into_iter().chain(select) {
            self.put("J1", pin.header, place);
        }
        for (connector, value) in
            [("J8", "To the Hall sensors, optional"), ("J9", "From the interface board")]
        {
            self.part(connector, "Ribbon_10", value);
            [2, 4, 6, 8].iter().for_each(|pin| self.put(connector, pin, GROUND));
            let others = [
                (1, SUPPLY),
                (3, "SPI clock"),
                (5, "SPI MISO"),
                (7, "SPI MOSI"),
                (9, "select 1"),
                (10, "select 2"),
            ];
            others.iter().for_each(|(pin, place)| self.put(connector, pin, place));
        }
        for adc in [1, 2] {
            let part = format!("U{}", 10 + adc);
            self.part(&part, "Converter", "MCP3208");
            (1..=8).for_each(|pin| self.put(&part, pin, GROUND));
            let select = format!("select {adc}");
            let pins = [
                (9, GROUND),
                (10, &select),
                (11, "SPI MOSI"),
                (12, "SPI MISO"),
                (13, "SPI clock"),
                (14, GROUND),
                (15, SUPPLY),
                (16, SUPPLY),
            ];
            pins.iter().for_each(|(pin, place)| self.put(&part, pin, place));
            self.between(&format!("C{}", 10 + adc), "Capacitor", "100n", SUPPLY, GROUND);
        }
        for sensor in wiring.stack() {
            let place = format!("output of {}", sensor.sensor);
            self.part(&sensor.sensor, "Hall_sensor", "DRV5055A1");
            self.put(&sensor.sensor, 1, SUPPLY);
            self.put(&sensor.sensor, 2, GROUND);
            self.put(&sensor.sensor, 3, &place);
            self.put(&format!("U{}", 10 + sensor.adc), sensor.channel + 1, &place);
            self.between(&format!("C{}", 100 + sensor.square.number()), "Capacitor", "100n", SUPPLY, GROUND);
        }
    }
}

/// A resistance as it is written in the schematic.
fn ohm(value: u32) -> String {
    if value >= 1000 && value.is_multiple_of(1000) { format!("{}k", value / 1000) } else { value.to_string() }
}
