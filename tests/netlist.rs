//! Holds the netlists of the schematics in `hardware/kicad` against the pin map that the daemon scans by.
//!
//! A netlist is what KiCad exports of a schematic: every part, and which pins are joined. It is compared as a whole: from
//! the pin map follows where each pin of each part belongs, and whatever is elsewhere, missing or too much is named. The
//! electrical rules of KiCad know neither which way round a diode must be nor which square is on which row; this does.
//!
//! That the comparison notices mistakes is tested as well, with netlists that were broken on purpose.

#[path = "netlist/compare.rs"]
mod compare;
#[path = "netlist/expected.rs"]
mod expected;
#[path = "netlist/export.rs"]
mod export;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use draughtsd::pinmap::{BoardSize, DEFAULT, PinMap};

use compare::differences;
use expected::Wanted;
use export::{Netlist, Node};

fn hardware(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("hardware").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn committed(size: BoardSize) -> String {
    hardware(&format!("kicad/{}.xml", size.table()))
}

/// What is wrong with a netlist of this board.
fn compare(xml: &str, map: &PinMap, size: BoardSize) -> Vec<String> {
    differences(&Netlist::parse(xml).expect("a netlist"), &Wanted::new(map, size))
}

#[test]
fn the_schematics_are_wired_as_the_pin_map_says() {
    for size in BoardSize::ALL {
        assert_eq!(compare(&committed(size), &PinMap::shipped(), size), Vec::<String>::new(), "{size:?}");
    }
}

#[test]
fn each_square_has_its_own_switch_and_diode() {
    for (size, squares) in [(BoardSize::Hundred, 50), (BoardSize::SixtyFour, 32)] {
        let netlist = Netlist::parse(&committed(size)).unwrap();
        let of_kind = |kind: &str| netlist.parts.values().filter(|part| part.kind == kind).count();
        assert_eq!(of_kind("Reed"), squares + 4, "{size:?}");
        assert_eq!(of_kind("Button"), 10, "{size:?}");
        assert_eq!(of_kind("Schottky"), squares + 14, "{size:?}");
        assert_eq!(of_kind("Resistor"), 24, "{size:?}");
    }
}

/// Asserts that this netlist of the large board is found to be wrong, in these words among others.
#[track_caller]
fn check_broken(xml: &str, words: &[&str]) {
    assert_ne!(xml, committed(BoardSize::Hundred), "nothing was broken");
    let said = compare(xml, &PinMap::shipped(), BoardSize::Hundred);
    for words in words {
        assert!(said.iter().any(|line| line.contains(words)), "nobody said {words:?}: {said:#?}");
    }
    assert!(!said.is_empty());
}

/// The netlist of the large board with two pins in each other's place.
fn swapped(one: (&str, &str), other: (&str, &str)) -> String {
    let text = |(part, pin): (&str, &str)| format!("<node ref=\"{part}\" pin=\"{pin}\"");
    let xml = committed(BoardSize::Hundred);
    assert_eq!(xml.matches(&text(one)).count(), 1, "{one:?}");
    assert_eq!(xml.matches(&text(other)).count(), 1, "{other:?}");
    xml.replace(&text(one), "<node here")
        .replace(&text(other), &text(one))
        .replace("<node here", &text(other))
}

/// The netlist of the large board without the lines that hold any of these texts.
fn without(texts: &[&str]) -> String {
    let xml = committed(BoardSize::Hundred);
    let kept: Vec<&str> = xml.lines().filter(|line| !texts.iter().any(|text| line.contains(text))).collect();
    kept.join("\n")
}

#[test]
fn a_diode_the_wrong_way_round_is_noticed() {
    check_broken(
        &swapped(("D28", "1"), ("D28", "2")),
        &["D28 pin 1 should be on between D28 and S28", "D28 pin 2 should be on column 3"],
    );
}

#[test]
fn a_switch_on_another_row_is_noticed() {
    check_broken(
        &swapped(("S28", "2"), ("S33", "2")),
        &["S28 pin 2 should be on row 6; it is on row 7", "S33 pin 2 should be on row 7; it is on row 6"],
    );
}

#[test]
fn a_diode_on_another_column_is_noticed() {
    check_broken(
        &swapped(("D28", "2"), ("D29", "2")),
        &["D28 pin 2 should be on column 3; it is on column 4"],
    );
}

#[test]
fn a_switch_on_another_diode_is_noticed() {
    check_broken(&swapped(("S1", "1"), ("S2", "1")), &["S2 pin 1 should be on between D2 and S2"]);
}

#[test]
fn a_missing_resistor_is_noticed() {
    check_broken(
        &without(&["<node ref=\"R3\" "]).replace("<comp ref=\"R3\">", "<comp ref=\"R99\">"),
        &["R3 is missing", "R99 is not known to the pin map"],
    );
    // Its part is there, its legs hang in the air.
    check_broken(&without(&["<node ref=\"R23\" "]), &["R23 pin 1 should be on 3.3 V; it is on nothing"]);
}

#[test]
fn a_resistor_of_another_value_is_noticed() {
    let xml = committed(BoardSize::Hundred);
    let at = xml.find("<comp ref=\"R25\">").unwrap();
    let broken = format!("{}{}", &xml[..at], xml[at..].replacen("<value>22k<", "<value>10k<", 1));
    check_broken(&broken, &["R25 is 10k; expected 22k"]);
}

#[test]
fn two_pins_of_the_header_in_each_others_place_are_noticed() {
    check_broken(&swapped(("J1", "11"), ("J1", "13")), &["row 1 at the Pi", "row 3 at the Pi"]);
}

#[test]
fn five_volts_on_a_line_are_noticed() {
    check_broken(&swapped(("J1", "2"), ("J1", "12")), &["J1 pin 2 should be open; it is on PI_ROW2"]);
}

#[test]
fn a_part_and_a_joint_too_much_are_noticed() {
    let xml = committed(BoardSize::Hundred);
    let part = "<comp ref=\"D99\"><value>BAT85</value><libsource lib=\"draughtsd\" part=\"Schottky\"/></comp></components>";
    let node = "name=\"ROW1\" class=\"Default\">\n      <node ref=\"D99\" pin=\"1\"/>";
    let more = xml.replacen("</components>", part, 1).replacen("name=\"ROW1\" class=\"Default\">", node, 1);
    check_broken(
        &more,
        &["D99 is not known to the pin map", "D99 pin 1 is not known to the pin map; it is on ROW1"],
    );
}

#[test]
fn two_wires_of_the_ribbon_in_each_others_place_are_noticed() {
    check_broken(
        &swapped(("J3", "17"), ("J3", "19")),
        &["J3 pin 17 should be on column 1; it is on column 2", "J3 pin 19 should be on column 2"],
    );
    check_broken(&swapped(("J6", "1"), ("J6", "3")), &["J6 pin 1 should be on row 1; it is on row 2"]);
}

#[test]
fn a_short_between_two_rows_is_noticed() {
    let xml = committed(BoardSize::Hundred);
    let net = |name: &str| {
        let start = xml.find(&format!("name=\"{name}\"")).unwrap();
        let end = start + xml[start..].find("</net>").unwrap();
        (start, end)
    };
    let ((_, end), (start, stop)) = (net("ROW4"), net("ROW5"));
    let nodes = &xml[start..stop][xml[start..stop].find("<node").unwrap()..];
    let joined = format!("{}{nodes}{}", &xml[..end], xml[end..].replacen(nodes, "", 1));
    check_broken(&joined, &["row 4 and row 5 are joined"]);
}

#[test]
fn a_line_without_protection_is_noticed() {
    check_broken(
        &without(&["<node ref=\"U3\" pin=\"4\""]),
        &["U3 pin 4 should be on column 3; it is on nothing"],
    );
}

#[test]
fn a_part_of_another_kind_is_noticed() {
    let xml = committed(BoardSize::Hundred);
    let at = xml.find("<comp ref=\"S63\">").unwrap();
    let broken = format!("{}{}", &xml[..at], xml[at..].replacen("part=\"Button\"", "part=\"Reed\"", 1));
    check_broken(&broken, &["S63 is a Reed; expected a Button"]);
}

#[test]
fn the_pin_map_of_another_wiring_does_not_pass_for_this_one() {
    for (size, from, to, words) in [
        (
            BoardSize::SixtyFour,
            "square-28 = { row = 7, column = 4",
            "square-28 = { row = 7, column = 5",
            "D28 pin 2 should be on column 5",
        ),
        (
            BoardSize::SixtyFour,
            "square-28 = { row = 7, column = 4",
            "square-28 = { row = 4, column = 7",
            "S28 pin 2 should be on row 4",
        ),
        (
            BoardSize::Hundred,
            "column = 3, switch = \"S28\"",
            "column = 3, switch = \"S99\"",
            "S99 is missing",
        ),
        (
            BoardSize::Hundred,
            "bcm = 17, pin = 11, ribbon =  1",
            "bcm = 4, pin = 7, ribbon = 1",
            "row 1 at the Pi",
        ),
        (
            BoardSize::Hundred,
            "pin = 11, ribbon =  1",
            "pin = 11, ribbon = 33",
            "J2 pin 33 should be on row 1",
        ),
        (BoardSize::Hundred, "row-series-ohm = 220", "row-series-ohm = 210", "R1 is 220; expected 210"),
        (
            BoardSize::Hundred,
            "square-46 = { adc = 2, channel = 0",
            "square-46 = { adc = 2, channel = 7",
            "U12 pin 8",
        ),
    ] {
        // The last place at which the text stands is the one in the table of the small board, if it has one.
        let at = if size == BoardSize::Hundred { DEFAULT.find(from) } else { DEFAULT.rfind(from) }.unwrap();
        let text = format!("{}{to}{}", &DEFAULT[..at], &DEFAULT[at + from.len()..]);
        let map = PinMap::parse(&text).unwrap_or_else(|error| panic!("{to}: {error}"));
        let said = compare(&committed(size), &map, size);
        assert!(said.iter().any(|line| line.contains(words)), "{to}: nobody said {words:?}: {said:#?}");
    }
}

/// Every pin of every part, put where another belongs or left hanging.
#[test]
fn no_single_pin_can_be_moved_unnoticed() {
    let netlist = Netlist::parse(&committed(BoardSize::Hundred)).unwrap();
    let wanted = Wanted::new(&PinMap::shipped(), BoardSize::Hundred);
    let nodes: Vec<Node> = wanted.nodes().cloned().collect();
    assert!(nodes.len() > 500, "{}", nodes.len());
    for node in &nodes {
        let here = netlist.net_of[node];
        let elsewhere = netlist.net_of.values().copied().find(|&net| net != here).unwrap();
        for target in [Some(elsewhere), None] {
            let mut broken = netlist.clone();
            match target {
                Some(net) => broken.net_of.insert(node.clone(), net),
                None => broken.net_of.remove(node),
            };
            assert!(!differences(&broken, &wanted).is_empty(), "{node:?} on {target:?}");
        }
    }
}

#[test]
fn switches_and_resistors_may_be_either_way_round() {
    for (one, other) in
        [(("S28", "1"), ("S28", "2")), (("R13", "1"), ("R13", "2")), (("R23", "1"), ("R23", "2"))]
    {
        let said = compare(&swapped(one, other), &PinMap::shipped(), BoardSize::Hundred);
        assert_eq!(said, Vec::<String>::new());
    }
}

#[test]
fn what_is_no_netlist_is_refused() {
    for text in ["", "<export/>", "<export><nets><net><node/></net></nets></export>", "no XML"] {
        assert!(Netlist::parse(text).is_err(), "{text}");
    }
}

/// The rows of `hardware/bom.csv`: the part's kind in the schematic, and how many each board takes.
#[test]
fn the_bill_of_materials_counts_what_the_netlists_hold() {
    let csv = hardware("bom.csv");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("item,symbol,value,board-100,board-64,part,alternates,note"));
    let mut listed: BTreeMap<(String, String), [usize; 2]> = BTreeMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), 8, "{line}");
        if !fields[1].is_empty() {
            let counts = [fields[3], fields[4]].map(|count| count.parse().unwrap());
            let key = (fields[1].to_owned(), fields[2].to_owned());
            assert_eq!(listed.insert(key, counts), None, "twice: {line}");
        }
    }
    let mut used: BTreeMap<(String, String), [usize; 2]> = BTreeMap::new();
    for (index, size) in BoardSize::ALL.into_iter().enumerate() {
        for part in Netlist::parse(&committed(size)).unwrap().parts.into_values() {
            // What a connector is called in the schematic is where it leads to.
            let value = if part.kind.starts_with("Ribbon") || part.kind == "Pi_header" {
                String::new()
            } else {
                part.value
            };
            used.entry((part.kind, value)).or_default()[index] += 1;
        }
    }
    assert_eq!(listed, used);
}
