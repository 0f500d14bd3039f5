//! The shipped pin map, and what is said of it once it is broken.

use draughtsd_core::piece::Side;
use draughtsd_core::trace::Button;
use proptest::prelude::*;

use super::*;
use crate::config::WhiteSide;

fn square(number: u8) -> Square {
    Square::new(number).unwrap()
}

fn row(number: u8) -> Row {
    Row::new(number).unwrap()
}

fn column(number: u8) -> Column {
    Column::new(number).unwrap()
}

/// What is said of the shipped map once `from`, which is there exactly once, was replaced by `to`.
#[track_caller]
fn broken(from: &str, to: &str) -> Vec<PinProblem> {
    assert_eq!(DEFAULT.matches(from).count(), 1, "{from} is not there exactly once");
    match PinMap::parse(&DEFAULT.replacen(from, to, 1)) {
        Err(Refusal::Problems(problems)) => problems,
        other => panic!("expected problems after {from} -> {to}, got {other:?}"),
    }
}

/// Asserts that exactly one problem is found, on the right line, with this key and these words in it.
#[track_caller]
fn check_broken(from: &str, to: &str, key: &str, words: &str) {
    let problems = broken(from, to);
    let line = 1 + DEFAULT[..DEFAULT.find(from).unwrap()].matches('\n').count();
    let [problem] = &problems[..] else { panic!("expected one problem: {problems:#?}") };
    assert_eq!((problem.line, problem.key.as_str()), (line, key), "{problem}");
    assert!(problem.problem.contains(words), "{problem}");
}

#[test]
fn the_shipped_map_has_both_boards_with_every_contact_that_a_board_can_have() {
    let map = PinMap::shipped();
    assert_eq!((map.rows().len(), map.columns().len()), (8, 8));
    for (size, variant, squares) in [
        (BoardSize::Hundred, Variant::International, 50),
        (BoardSize::SixtyFour, Variant::Brazilian, 32),
        (BoardSize::SixtyFour, Variant::Russian, 32),
    ] {
        assert_eq!(BoardSize::of(variant), size);
        let contacts = map.wiring(size).unwrap().contacts();
        let ids: Vec<ContactId> = contacts.iter().map(|contact| contact.id).collect();
        assert_eq!(ids, ContactId::all(variant));
        assert_eq!(ids.len(), squares + 14);
        assert!(ids.len() <= Wiring::MOST_CONTACTS);
    }
}

#[test]
fn contacts_are_found_by_name_and_by_crossing() {
    let map = PinMap::shipped();
    let wiring = map.wiring(BoardSize::Hundred).unwrap();
    let contact = wiring.contact(ContactId::Square(square(28))).unwrap();
    assert_eq!((contact.row, contact.column), (row(6), column(3)));
    assert_eq!((contact.switch.as_str(), contact.diode.as_str()), ("S28", "D28"));
    assert_eq!(wiring.at(row(6), column(3)), Some(contact));
    let small = map.wiring(BoardSize::SixtyFour).unwrap();
    assert_eq!(small.at(row(1), column(5)), None);
    assert_eq!(small.stack().len(), 8);
    let stacked: Vec<u8> = wiring.stack().iter().map(|sensor| sensor.square.number()).collect();
    assert_eq!(stacked, [1, 2, 3, 4, 5, 46, 47, 48, 49, 50]);
}

#[test]
fn the_panels_at_both_ends_are_wired_alike_four_rows_apart() {
    let map = PinMap::shipped();
    for size in BoardSize::ALL {
        let wiring = map.wiring(size).unwrap();
        for contact in wiring.contacts() {
            let other = match contact.id {
                ContactId::Square(_) => continue,
                ContactId::Well { end: WhiteSide::Near, number } => {
                    ContactId::Well { end: WhiteSide::Far, number }
                }
                ContactId::Press { end: WhiteSide::Near } => ContactId::Press { end: WhiteSide::Far },
                ContactId::Button { button, end: WhiteSide::Near } => {
                    ContactId::Button { button, end: WhiteSide::Far }
                }
                _ => continue,
            };
            let other = wiring.contact(other).unwrap();
            assert_eq!(other.column, contact.column, "{}", contact.id);
            assert_eq!(other.row.number(), contact.row.number() + 4, "{}", contact.id);
        }
    }
}

#[test]
fn what_a_contact_means_depends_on_the_end_at_which_white_sits() {
    use WhiteSide::{Far, Near};
    let check = |name: &str, variant, near: Role, far: Role| {
        let id: ContactId = name.parse().unwrap();
        assert_eq!(id.role(variant, Near), near, "{name}");
        assert_eq!(id.role(variant, Far), far, "{name}");
    };
    let (white, black) = (Side::White, Side::Black);
    let international = Variant::International;
    check("square-1", international, Role::Square(square(1)), Role::Square(square(50)));
    check("square-46", international, Role::Square(square(46)), Role::Square(square(5)));
    check("square-1", Variant::Russian, Role::Square(square(1)), Role::Square(square(32)));
    check("press-near", international, Role::Press { side: white }, Role::Press { side: black });
    let well = |side| Role::Well { side, number: 2 };
    check("well-far-2", international, well(black), well(white));
    let draw = |side| Role::Button { button: Button::Draw, side };
    check("draw-near", international, draw(white), draw(black));
}

#[test]
fn names_of_contacts_read_as_they_are_written_and_no_other_way() {
    for id in ContactId::all(Variant::International) {
        assert_eq!(id.to_string().parse(), Ok(id));
    }
    for text in
        ["", "square", "square-0", "square-51", "square-07", "Square-7", "well-near-3", "press", "draw"]
    {
        assert_eq!(text.parse::<ContactId>(), Err(NotAContact(text.to_owned())));
    }
}

#[test]
fn crossings_wires_and_parts_are_used_once() {
    check_broken(
        "square-7  = { row = 2, column = 2",
        "square-7  = { row = 2, column = 1",
        "board-100.contacts.square-7",
        "the crossing of row 2 and column 1 is taken by board-100.contacts.square-6 already",
    );
    check_broken("bcm = 18, pin = 12", "bcm = 17, pin = 11", "rows.2", "GPIO 17 is taken by rows.1 already");
    check_broken("ribbon =  5", "ribbon = 3", "rows.3", "pin 3 of the ribbon is taken by rows.2 already");
    check_broken("series = \"R18\"", "series = \"R17\"", "columns.8", "R17 is taken by columns.7 already");
    check_broken(
        "column = 5, switch = \"S5\", diode = \"D5\"",
        "column = 5, switch = \"S4\", diode = \"D5\"",
        "board-100.contacts.square-5",
        "S4 is taken by board-100.contacts.square-4 already",
    );
    check_broken(
        "square-50 = { adc = 2, channel = 4",
        "square-50 = { adc = 2, channel = 3",
        "board-100.stack.square-50",
        "channel 3 of converter 2 is taken",
    );
}

#[test]
fn pins_are_those_of_their_lines_and_free_for_the_matrix() {
    check_broken("bcm = 17, pin = 11", "bcm = 17, pin = 12", "rows.1", "GPIO 17 is on pin 11");
    check_broken("bcm = 17, pin = 11", "bcm = 2, pin = 3", "rows.1", "GPIO 2 has a pull-up of 1.8 kohm");
    check_broken("bcm = 17, pin = 11", "bcm = 14, pin = 8", "rows.1", "is for the serial port");
    check_broken("bcm = 17, pin = 11", "bcm = 28, pin = 8", "rows.1", "there is no GPIO 28");
    check_broken("ribbon =  5", "ribbon = 6", "rows.3", "the even pins are ground");
    check_broken("ribbon =  5", "ribbon = 35", "rows.3", "an odd number from 1 to 33");
    check_broken(", pull-up = \"R23\"", "", "columns.3", "pull-up is missing");
    check_broken("series = \"R3\"", "series = \"R3\", pull-up = \"R99\"", "rows.3", "a row has no pull-up");
    check_broken("series = \"R3\"", "series = \"3\"", "rows.3", "`3` is no name of a part");
    check_broken(
        "miso     = { bcm =  9, pin = 21 }",
        "miso     = { bcm = 4, pin = 7 }",
        "spi.miso",
        "on SPI 0 it is GPIO 9",
    );
}

#[test]
fn every_square_has_a_contact_and_no_other_name_has_one() {
    let line = |text: &str| DEFAULT.lines().find(|line| line.starts_with(text)).unwrap().to_owned();
    let problems = broken(&line("square-33"), "");
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].ends_with("board-100.contacts.square-33: is missing; every dark square has a contact"));

    check_broken(
        "square-33 = { row = 7, column = 3",
        "square-33 = { row = 9, column = 3",
        "board-100.contacts.square-33",
        "there is no row 9; expected 1 to 8",
    );
    check_broken(
        "square-33 = { row = 7, column = 3",
        "square-33 = { row = 7, column = 0",
        "board-100.contacts.square-33",
        "there is no column 0",
    );
    let extra = format!(
        "{}\nsquare-51 = {{ row = 1, column = 9, switch = \"S0\", diode = \"D51\" }}",
        line("square-33")
    );
    let keys: Vec<String> =
        broken(&line("square-33"), &extra).into_iter().map(|problem| problem.problem).collect();
    assert_eq!(keys.len(), 3, "{keys:#?}");
}

#[test]
fn a_square_that_only_the_large_board_has_is_refused_on_the_small_one() {
    let small = DEFAULT.find("[board-64.contacts]\n").unwrap() + "[board-64.contacts]\n".len();
    let text = format!(
        "{}square-33 = {{ row = 1, column = 5, switch = \"S33\", diode = \"D33\" }}\n{}",
        &DEFAULT[..small],
        &DEFAULT[small..]
    );
    let Err(Refusal::Problems(problems)) = PinMap::parse(&text) else { panic!("square 33 was taken") };
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert_eq!(problems[0].key, "board-64.contacts.square-33");
    assert_eq!(problems[0].problem, "this board has the squares 1 to 32 only");
}

#[test]
fn stack_sensors_are_under_far_rows_and_under_all_of_their_squares() {
    let problems = broken("square-46 = { adc = 2, channel = 0", "square-45 = { adc = 2, channel = 0");
    let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(keys, ["board-100.stack.square-46", "board-100.stack.square-45"]);
    check_broken(
        "square-46 = { adc = 2, channel = 0",
        "square-46 = { adc = 3, channel = 0",
        "board-100.stack.square-46",
        "expected 1 or 2 and 0 to 7",
    );
}

#[test]
fn numbers_of_rows_have_no_gap() {
    let problems = broken("4 = { bcm = 22", "9 = { bcm = 22");
    assert!(problems.iter().any(|problem| problem.key == "rows.4"), "{problems:#?}");
    let problems = broken("4 = { bcm = 22", "04 = { bcm = 22");
    assert!(problems.iter().any(|problem| problem.key == "rows.04"), "{problems:#?}");
}

#[test]
fn a_column_reads_low_even_with_its_whole_row_closed() {
    let electrics = PinMap::shipped().electrics();
    assert!(electrics.low_level_mv(8) <= Electrics::LOW_AT_MOST_MV, "{}", electrics.low_level_mv(8));
    assert!(electrics.low_level_mv(1) < electrics.low_level_mv(8));
    // The obvious values fail: 10 kohm and 330 ohm with eight discs in a row.
    let obvious = Electrics { row_series_ohm: 330, column_series_ohm: 330, pull_up_ohm: 10_000 };
    assert!(obvious.low_level_mv(8) > 1000, "{}", obvious.low_level_mv(8));
    let problems = broken("row-series-ohm = 220", "row-series-ohm = 330");
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].problem.contains("with all 8 contacts of a row closed"), "{}", problems[0]);
    assert!(broken("row-series-ohm = 220", "row-series-ohm = 100")[0].problem.contains("draws 33 mA"));
    assert!(broken("row-series-ohm = 220", "row-series-ohm = 0")[0].problem.contains("expected 16 mA"));
    assert_eq!(broken("pull-up-ohm = 22000", "pull-up-ohm = 100000")[0].key, "electrics.pull-up-ohm");
}

#[test]
fn everything_is_told_at_once_in_the_order_of_the_file() {
    let text = DEFAULT
        .replacen("version = 1", "version = 2", 1)
        .replacen("bcm = 17, pin = 11", "bcm = 17, pin = 12", 1)
        .replacen("square-7  = { row = 2, column = 2", "square-7  = { row = 2, column = 1", 1);
    let said = PinMap::parse(&text).unwrap_err().to_string();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "3 problems", "{said}");
    assert!(lines[1].ends_with("version: is 2; this program reads version 1"), "{said}");
    assert!(
        lines[2].contains(": rows.1: ") && lines[3].contains(": board-100.contacts.square-7: "),
        "{said}"
    );
}

#[test]
fn mistakes_of_form_are_shown_with_line_and_caret() {
    let form = |text: &str| match PinMap::parse(text) {
        Err(Refusal::Form(said)) => said,
        other => panic!("expected a mistake of form, got {other:?}"),
    };
    let said = form(&DEFAULT.replacen("series = \"R3\"", "serie = \"R3\"", 1));
    assert!(said.contains("unknown field `serie`") && said.contains('^'), "{said}");
    assert!(form("").contains("version"));
    assert!(form(&DEFAULT.replacen("row = 7, column = 3", "row = 300, column = 3", 1)).contains("300"));
    assert!(form("version = 1\nversion = 1\n").contains("duplicate key"));
}

#[test]
fn a_map_may_have_one_board_and_no_bus_but_not_no_board() {
    let small = DEFAULT.find("# Brazilian and Russian").unwrap();
    let large_only = PinMap::parse(&DEFAULT[..small]).unwrap();
    assert!(large_only.wiring(BoardSize::Hundred).is_some());
    assert_eq!(large_only.wiring(BoardSize::SixtyFour), None);
    let boards = DEFAULT.find("# International board").unwrap();
    let Err(Refusal::Problems(problems)) = PinMap::parse(&DEFAULT[..boards]) else {
        panic!("no board is one")
    };
    assert_eq!(problems[0].key, "board-100");
}

#[test]
fn a_file_that_is_not_there_is_told_with_its_name() {
    let said = PinMap::read(Path::new("no/such/pinmap.toml")).unwrap_err().to_string();
    assert!(said.starts_with("no/such/pinmap.toml: "), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Numbers, words and lines of the shipped map exchanged: it is taken or refused, and what is taken is sound.
    #[test]
    fn whatever_is_done_to_the_file_is_answered(
        at in 0..DEFAULT.len(),
        length in 0usize..40,
        with in "(|[0-9]{1,3}|[a-z]{1,8}-?[0-9]?|[{}=,\"\\[\\]\n ]{1,3}|-1|99999999999)",
    ) {
        let end = (at + length).min(DEFAULT.len());
        prop_assume!(DEFAULT.is_char_boundary(at) && DEFAULT.is_char_boundary(end));
        let text = format!("{}{with}{}", &DEFAULT[..at], &DEFAULT[end..]);
        match PinMap::parse(&text) {
            Ok(map) => {
                for wiring in BoardSize::ALL.into_iter().filter_map(|size| map.wiring(size)) {
                    for contact in wiring.contacts() {
                        prop_assert_eq!(wiring.at(contact.row, contact.column), Some(contact));
                        prop_assert!(contact.row.index() < map.rows().len());
                        prop_assert!(contact.column.index() < map.columns().len());
                    }
                }
            }
            Err(refusal) => prop_assert!(!refusal.to_string().is_empty()),
        }
    }
}
