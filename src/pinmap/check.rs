//! From the file as it is written to a pin map that can be wired, or everything that is wrong with it.

use std::collections::BTreeMap;

use draughtsd_core::geometry::far_row;
use draughtsd_core::piece::Side;
use draughtsd_core::square::Square;
use toml::Spanned;

use super::contact::ContactId;
use super::electrics::Electrics;
use super::file::{RawBoard, RawContact, RawLine, RawMap, RawPin, RawSensor, RawSpi, Table};
use super::lines::{Column, HEADER_PIN, Line, MOST_LINES, Pin, Row, Spi, kept_free};
use super::{BoardSize, Contact, PinMap, PinProblem, StackSensor, VERSION, Wiring};

/// Signals of the ribbon are on its odd pins; the even ones are ground.
const RIBBON_PINS: u8 = 34;
/// A slower column would not have risen within the settling time of 10 µs.
const LARGEST_PULL_UP_OHM: u32 = 47_000;

/// The checked map, or all problems in the order of the file.
pub(super) fn checked(raw: RawMap, text: &str) -> Result<PinMap, Vec<PinProblem>> {
    let mut check = Check { text, problems: Vec::new(), taken: BTreeMap::new() };
    check.version(&raw.version);
    let rows = check.lines("rows", &raw.rows, Kind::Row);
    let columns = check.lines("columns", &raw.columns, Kind::Column);
    let spi = raw.spi.as_ref().map(|spi| check.spi(spi));
    let sizes = (rows.len(), columns.len());
    let on_pi_board = check.taken.clone();
    let mut board = |size, raw: &Option<RawBoard>| {
        check.taken.clone_from(&on_pi_board);
        raw.as_ref().map(|raw| check.board(size, raw, sizes))
    };
    let hundred = board(BoardSize::Hundred, &raw.board_100);
    let sixty_four = board(BoardSize::SixtyFour, &raw.board_64);
    if hundred.is_none() && sixty_four.is_none() {
        check.problem(0, "board-100", "neither [board-100.contacts] nor [board-64.contacts] is there");
    }
    let boards = [&hundred, &sixty_four].into_iter().flatten();
    let most_on_a_row = boards.map(most_on_a_row).max().unwrap_or(0);
    check.electrics(&raw.electrics, most_on_a_row);
    let mut problems = check.problems;
    problems.sort();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(PinMap { electrics: raw.electrics.into_inner(), rows, columns, spi, hundred, sixty_four })
}

/// How many contacts the fullest row has.
fn most_on_a_row(wiring: &Wiring) -> u32 {
    let on_row = |row: Row| wiring.contacts.iter().filter(|contact| contact.row == row).count();
    let most = wiring.contacts.iter().map(|contact| on_row(contact.row)).max().unwrap_or(0);
    u32::try_from(most).unwrap_or(u32::MAX)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Row,
    Column,
}

/// What has been found so far.
struct Check<'a> {
    text: &'a str,
    problems: Vec<PinProblem>,
    /// What there is only once (a GPIO line, a pin, a part's name, a crossing), and the key that has it.
    taken: BTreeMap<String, String>,
}

impl Check<'_> {
    /// `at` is the byte of the text at which the entry begins.
    fn problem(&mut self, at: usize, key: &str, problem: impl Into<String>) {
        let before = self.text.as_bytes().iter().take(at);
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        self.problems.push(PinProblem { line, key: key.to_owned(), problem: problem.into() });
    }

    /// Takes what there is only once.
    fn take(&mut self, at: usize, key: &str, thing: String) {
        if let Some(owner) = self.taken.get(&thing) {
            let problem = format!("{thing} is taken by {owner} already");
            self.problem(at, key, problem);
        } else {
            self.taken.insert(thing, key.to_owned());
        }
    }

    /// A part's name in the schematics: capital letters, then a number.
    fn part(&mut self, at: usize, key: &str, name: &str) {
        let number = name.trim_start_matches(|c: char| c.is_ascii_uppercase());
        let well_formed = number.len() < name.len() && number.parse::<u16>().is_ok_and(|n| n > 0);
        if well_formed {
            self.take(at, key, name.to_owned());
        } else {
            self.problem(at, key, format!("`{name}` is no name of a part; expected one like S12"));
        }
    }

    fn version(&mut self, version: &Spanned<u32>) {
        if *version.get_ref() != VERSION {
            let problem = format!("is {}; this program reads version {VERSION}", version.get_ref());
            self.problem(version.span().start, "version", problem);
        }
    }

    fn electrics(&mut self, electrics: &Spanned<Electrics>, most_on_a_row: u32) {
        let at = electrics.span().start;
        let values = electrics.get_ref();
        let low = values.low_level_mv(most_on_a_row);
        if low > Electrics::LOW_AT_MOST_MV {
            let problem = format!(
                "with all {most_on_a_row} contacts of a row closed a column stays at {low} mV; a Pi reads {} mV and \
                 less as low: take smaller row resistors or larger pull-ups",
                Electrics::LOW_AT_MOST_MV
            );
            self.problem(at, "electrics", problem);
        }
        let fault = values.fault_microampere();
        if fault > Electrics::PIN_AT_MOST_MICROAMPERE {
            let problem = format!(
                "a wire that touches 3.3 V or ground draws {} mA through its pin; expected {} mA at most, which \
                 takes 207 ohm in series",
                fault / 1000,
                Electrics::PIN_AT_MOST_MICROAMPERE / 1000
            );
            self.problem(at, "electrics", problem);
        }
        if values.pull_up_ohm > LARGEST_PULL_UP_OHM {
            let problem = format!(
                "is {}; expected {LARGEST_PULL_UP_OHM} at most, or a column has not risen when the next row is read",
                values.pull_up_ohm
            );
            self.problem(at, "electrics.pull-up-ohm", problem);
        }
    }

    /// GPIO line and pin of the header, which must be those of one another.
    fn pin(&mut self, at: usize, key: &str, bcm: u8, header: u8) -> Pin {
        match HEADER_PIN.get(usize::from(bcm)) {
            Some(&right) if right != header => {
                let problem = format!("GPIO {bcm} is on pin {right} of the header, not on pin {header}");
                self.problem(at, key, problem);
            }
            Some(_) => self.take(at, key, format!("GPIO {bcm}")),
            None => {
                let problem = format!("there is no GPIO {bcm} on the header; expected 0 to 27");
                self.problem(at, key, problem);
            }
        }
        Pin { bcm, header }
    }

    /// Rows or columns, numbered from 1 without a gap.
    fn lines(&mut self, name: &str, table: &Spanned<Table<RawLine>>, kind: Kind) -> Vec<Line> {
        let mut lines = BTreeMap::new();
        for (key, entry) in table.get_ref() {
            let at = entry.span().start;
            let path = format!("{name}.{key}");
            let number = key.parse::<u8>().ok().filter(|n| (1..=MOST_LINES).contains(n));
            match number.filter(|n| n.to_string() == *key) {
                Some(number) => {
                    lines.insert(number, self.line(at, &path, entry.get_ref(), kind));
                }
                None => {
                    self.problem(at, &path, format!("expected a number from 1 to {MOST_LINES} as the key"))
                }
            }
        }
        let at = table.span().start;
        if lines.is_empty() {
            self.problem(at, name, "there is none");
        }
        let last = lines.keys().last().copied().unwrap_or(0);
        for missing in (1..=last).filter(|number| !lines.contains_key(number)) {
            self.problem(at, &format!("{name}.{missing}"), "is missing; numbers run from 1 without a gap");
        }
        lines.into_values().collect()
    }

    fn line(&mut self, at: usize, key: &str, raw: &RawLine, kind: Kind) -> Line {
        if let Some(why) = kept_free(raw.bcm) {
            let problem = format!("GPIO {} {why}; the matrix may have 4 to 6, 12, 13 and 16 to 27", raw.bcm);
            self.problem(at, key, problem);
        }
        let pin = self.pin(at, key, raw.bcm, raw.pin);
        if raw.ribbon % 2 == 1 && raw.ribbon < RIBBON_PINS {
            self.take(at, key, format!("pin {} of the ribbon", raw.ribbon));
        } else {
            let problem = format!(
                "ribbon is {}; expected an odd number from 1 to {}, the even pins are ground",
                raw.ribbon,
                RIBBON_PINS - 1
            );
            self.problem(at, key, problem);
        }
        self.part(at, key, &raw.series);
        match (&raw.pull_up, kind) {
            (Some(pull_up), Kind::Column) => self.part(at, key, pull_up),
            (None, Kind::Column) => self.problem(at, key, "pull-up is missing; every column has one"),
            (Some(_), Kind::Row) => self.problem(at, key, "a row has no pull-up: it is driven"),
            (None, Kind::Row) => {}
        }
        Line { pin, ribbon: raw.ribbon, series: raw.series.clone(), pull_up: raw.pull_up.clone() }
    }

    fn spi(&mut self, raw: &RawSpi) -> Spi {
        let wanted = [
            ("spi.clock", &raw.clock, 11),
            ("spi.miso", &raw.miso, 9),
            ("spi.mosi", &raw.mosi, 10),
            ("spi.select-1", &raw.select_1, 8),
            ("spi.select-2", &raw.select_2, 7),
        ];
        let pins = wanted.map(|(key, entry, bcm)| self.spi_pin(key, entry, bcm));
        let [clock, miso, mosi, select_1, select_2] = pins;
        Spi { clock, miso, mosi, select: [select_1, select_2] }
    }

    /// The lines of SPI 0 are wired inside the Pi; the map only repeats them for the schematic.
    fn spi_pin(&mut self, key: &str, entry: &Spanned<RawPin>, bcm: u8) -> Pin {
        let at = entry.span().start;
        let raw = entry.get_ref();
        if raw.bcm != bcm {
            self.problem(at, key, format!("is GPIO {}; on SPI 0 it is GPIO {bcm}", raw.bcm));
        }
        self.pin(at, key, raw.bcm, raw.pin)
    }

    fn board(&mut self, size: BoardSize, raw: &RawBoard, sizes: (usize, usize)) -> Wiring {
        let name = format!("{}.contacts", size.table());
        let mut contacts = Vec::new();
        let known = ContactId::all(size.some_variant());
        for (key, entry) in raw.contacts.get_ref() {
            let path = format!("{name}.{key}");
            let contact = self.contact(&path, key, entry, sizes);
            let Some(contact) = contact else { continue };
            if known.contains(&contact.id) {
                contacts.push(contact);
            } else {
                let count = size.some_variant().square_count();
                let problem = format!("this board has the squares 1 to {count} only");
                self.problem(entry.span().start, &path, problem);
            }
        }
        let has = |id: &ContactId| raw.contacts.get_ref().contains_key(&id.to_string());
        for missing in known.iter().filter(|id| matches!(id, ContactId::Square(_)) && !has(id)) {
            let key = format!("{name}.{missing}");
            self.problem(raw.contacts.span().start, &key, "is missing; every dark square has a contact");
        }
        contacts.sort_by_key(|contact| known.iter().position(|&id| id == contact.id));
        let stack = raw.stack.as_ref().map(|stack| self.stack(size, stack)).unwrap_or_default();
        Wiring { contacts, stack }
    }

    fn contact(
        &mut self,
        path: &str,
        key: &str,
        entry: &Spanned<RawContact>,
        (rows, columns): (usize, usize),
    ) -> Option<Contact> {
        let at = entry.span().start;
        let raw = entry.get_ref();
        let row = Row::new(raw.row).filter(|row| row.index() < rows);
        let column = Column::new(raw.column).filter(|column| column.index() < columns);
        if row.is_none() {
            self.problem(at, path, format!("there is no row {}; expected 1 to {rows}", raw.row));
        }
        if column.is_none() {
            self.problem(at, path, format!("there is no column {}; expected 1 to {columns}", raw.column));
        }
        if let (Some(row), Some(column)) = (row, column) {
            self.take(at, path, format!("the crossing of row {row} and column {column}"));
        }
        self.part(at, path, &raw.switch);
        self.part(at, path, &raw.diode);
        match key.parse::<ContactId>() {
            Ok(id) => {
                let (switch, diode) = (raw.switch.clone(), raw.diode.clone());
                Some(Contact { id, row: row?, column: column?, switch, diode })
            }
            Err(error) => {
                self.problem(at, path, error.to_string());
                None
            }
        }
    }

    /// Either every square of both far rows has a sensor, or none has.
    fn stack(&mut self, size: BoardSize, table: &Spanned<Table<RawSensor>>) -> Vec<StackSensor> {
        let variant = size.some_variant();
        let far_rows = far_row(Side::White, variant) | far_row(Side::Black, variant);
        let name = format!("{}.stack", size.table());
        let mut sensors = Vec::new();
        for (key, entry) in table.get_ref() {
            let at = entry.span().start;
            let path = format!("{name}.{key}");
            let raw = entry.get_ref();
            if !(1..=2).contains(&raw.adc) || raw.channel > 7 {
                let problem =
                    format!("converter {} and channel {}; expected 1 or 2 and 0 to 7", raw.adc, raw.channel);
                self.problem(at, &path, problem);
            }
            self.take(at, &path, format!("channel {} of converter {}", raw.channel, raw.adc));
            self.part(at, &path, &raw.sensor);
            match key.parse::<ContactId>() {
                Ok(ContactId::Square(square)) if far_rows.contains(square) => {
                    let (adc, channel, sensor) = (raw.adc, raw.channel, raw.sensor.clone());
                    sensors.push(StackSensor { square, adc, channel, sensor });
                }
                _ => self.problem(
                    at,
                    &path,
                    "expected square-N with a square of a far row, where discs are crowned",
                ),
            }
        }
        let has = |square: &Square| sensors.iter().any(|sensor| sensor.square == *square);
        for missing in far_rows.iter().filter(|square| !has(square)) {
            let key = format!("{name}.square-{missing}");
            self.problem(
                table.span().start,
                &key,
                "is missing; every square of a far row has a sensor, or none has",
            );
        }
        sensors.sort_by_key(|sensor| sensor.square);
        sensors
    }
}
