//! Holds the tables of `hardware/wiring.md` against the pin map from which builders should not have to read.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use draughtsd::pinmap::{BoardSize, Column, Line, PinMap, Row, Wiring};

/// A row of the table of wires.
fn wire(text: &mut String, name: String, line: &Line) {
    let pull_up = line.pull_up.as_deref().unwrap_or("–");
    let Line { pin, ribbon, series, .. } = line;
    let _ =
        writeln!(text, "| {name} | GPIO {} | {} | {ribbon} | {series} | {pull_up} |", pin.bcm, pin.header);
}

/// Which wire is on which pin.
fn wires(map: &PinMap) -> String {
    let mut text =
        "| wire | line | J1, header | J2 and J3, ribbon | in series | pull-up |\n|---|---|---|---|---|---|\n"
            .to_owned();
    map.rows().for_each(|(row, line)| wire(&mut text, format!("row {row}"), line));
    map.columns().for_each(|(column, line)| wire(&mut text, format!("column {column}"), line));
    text
}

/// Which lines each array protects: four, rows first.
fn arrays(map: &PinMap) -> String {
    let mut text = "| array | pin 1 | pin 3 | pin 4 | pin 6 |\n|---|---|---|---|---|\n".to_owned();
    let rows = map.rows().map(|(row, _)| format!("row {row}"));
    let lines: Vec<String> =
        rows.chain(map.columns().map(|(column, _)| format!("column {column}"))).collect();
    for (index, four) in lines.chunks(4).enumerate() {
        let _ = writeln!(text, "| U{} | {} |", index + 1, four.join(" | "));
    }
    text
}

/// What is at the crossings, rows down, columns across.
fn crossings(map: &PinMap, wiring: &Wiring) -> String {
    let columns: Vec<Column> = map.columns().map(|(column, _)| column).collect();
    let mut text = "| |".to_owned();
    columns.iter().for_each(|column| text += &format!(" column {column} |"));
    text += "\n|---|";
    text += &"---|".repeat(columns.len());
    text += "\n";
    for row in map.rows().map(|(row, _)| row) {
        let _ = write!(text, "| **row {row}** |");
        columns.iter().for_each(|&column| text += &format!(" {} |", crossing(wiring, row, column)));
        text += "\n";
    }
    text
}

fn crossing(wiring: &Wiring, row: Row, column: Column) -> String {
    wiring.at(row, column).map_or_else(
        || "–".to_owned(),
        |contact| format!("{} ({}, {})", contact.id, contact.switch, contact.diode),
    )
}

/// Which Hall sensor is on which input.
fn sensors(wiring: &Wiring) -> String {
    let mut text = "| square | sensor | converter | input |\n|---|---|---|---|\n".to_owned();
    for sensor in wiring.stack() {
        let _ = writeln!(
            text,
            "| {} | {} | U{} (select {}) | CH{} |",
            sensor.square,
            sensor.sensor,
            10 + sensor.adc,
            sensor.adc,
            sensor.channel
        );
    }
    text
}

#[test]
fn the_tables_say_what_the_pin_map_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("hardware/wiring.md");
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let map = PinMap::shipped();
    let mut expected = vec![wires(&map), arrays(&map)];
    for size in BoardSize::ALL {
        let wiring = map.wiring(size).expect("the shipped map has both boards");
        expected.extend([crossings(&map, wiring), sensors(wiring)]);
    }
    for table in expected {
        assert!(page.contains(&table), "hardware/wiring.md lacks this table:\n{table}");
    }
}
