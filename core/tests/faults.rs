//! Faulty contacts: a game goes on being read around them, the arbiter is told once, and nothing is guessed
//! where the rules leave more than one explanation.

mod table;

use draughtsd_core::event::{ContactFault, EventBody};
use draughtsd_core::matrix::Matrix;
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::International;
use draughtsd_core::square::Square;
use draughtsd_core::trace::Input;
use table::{Reading, Table};

fn table() -> Table {
    Table::start(International)
}

impl Table {
    /// From now on this contact says nothing any more: what it says in the script so far stays, later changes
    /// are lost.
    #[track_caller]
    fn deaf(self, number: u8, after: u64) -> Table {
        self.without(|at, input| {
            at >= Moment::from_millis(after)
                && matches!(input, Input::Contact { square, .. } if square.number() == number)
        })
    }
}

impl Reading {
    /// The faults told, as `square fault`, and the squares of which it was told that they work again.
    fn faults(&self) -> Vec<String> {
        self.events
            .iter()
            .filter_map(|event| match event.body {
                EventBody::Fault { square, fault } => Some(format!("{square} {}", name(fault))),
                EventBody::FaultCleared { square } => Some(format!("{square} works")),
                _ => None,
            })
            .collect()
    }

    #[track_caller]
    fn reads(self, moves: &str, faults: &[&str]) -> Self {
        let texts: Vec<&str> = self.summary.moves.iter().map(|record| record.text.as_str()).collect();
        assert_eq!((texts.join(" ").as_str(), self.faults()), (moves, strings(faults)), "(moves, faults)");
        assert!(self.summary.alerts.is_empty(), "{:?}", self.summary.alerts);
        self
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

const fn name(fault: ContactFault) -> &'static str {
    match fault {
        ContactFault::StuckOpen => "stuck-open",
        ContactFault::StuckClosed => "stuck-closed",
        ContactFault::Chattering => "chattering",
        ContactFault::Coupled => "coupled",
        ContactFault::Ghost => "ghost",
    }
}

/// A game in which a disc comes to 28, stands there, is taken, and takes back.
fn game() -> Table {
    table()
        .white("33-28")
        .black("18-23")
        .white("39-33")
        .black("12-18")
        .white("44-39")
        .black("7-12")
        .white("50-44")
        .black("20-24")
        .white("31-27")
        .black("14-20")
}

const GAME: &str = "33-28 18-23 39-33 12-18 44-39 7-12 50-44 20-24 31-27 14-20";

#[test]
fn sound_contacts_raise_no_fault() {
    game().read().reads(GAME, &[]);
}

#[test]
fn disc_of_the_start_position_on_a_contact_stuck_open() {
    let table = game().deaf(33, 0).with_contact_at_start(33, false);
    table.read().reads(GAME, &["33 stuck-open"]);
}

#[test]
fn contact_stuck_closed_on_an_empty_square_from_the_beginning() {
    let table = game().deaf(28, 0).with_contact_at_start(28, true);
    table.read().reads(GAME, &["28 stuck-closed"]);
}

#[test]
fn contact_stuck_open_where_a_disc_goes() {
    game().deaf(28, 0).read().reads(GAME, &["28 stuck-open"]);
}

#[test]
fn a_captured_disc_left_standing_is_no_contact_stuck_closed() {
    // Black leaves 29 standing; White lets it be, and Black's next capture goes on over it.
    let start = "B:W27,29,31,32,33,35,36,37,38,39,40,41,43,44,45,46,47,48,49,50\
                 :B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18,22,23,25";
    let reading = Table::of(International, start)
        .after(3000)
        .hand("23x34")
        .after(2200)
        .press(Black)
        .after(12_000)
        .white("39x30*34")
        .after(9000)
        .lift(25)
        .after(2100)
        .place(34)
        .after(2200)
        .lift(34)
        .after(1200)
        .place(23)
        .after(3800)
        .lift(29)
        .after(30)
        .lift(30)
        .after(1000)
        .press(Black)
        .white("40-34")
        .read();
    assert_eq!(reading.faults(), strings(&[]));
    let texts: Vec<&str> = reading.summary.moves.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(texts, ["23-34", "39x30", "25x23", "40-34"]);
}

#[test]
fn contact_stuck_closed_under_a_disc_that_leaves() {
    // No disc but that of 41 can come to 36.
    let longer =
        game().white("36-31").black("10-14").white("41-36").black("5-10").white("46-41").black("1-7");
    let moves = format!("{GAME} 36-31 10-14 41-36 5-10 46-41 1-7");
    longer.deaf(41, 0).read().reads(&moves, &["41 stuck-closed"]);
}

/// Half a dozen changes, then rest for most of a second, for more than half a minute.
fn chatter(mut table: Table, number: u8, standing: bool) -> Table {
    for burst in 0_u64..40 {
        for change in 0..6 {
            table = if (change % 2 == 0) == standing { table.lift(number) } else { table.place(number) };
            table = table.after(9 + burst % 3);
        }
        table = table.after(700);
    }
    table
}

#[test]
fn contact_that_chatters_is_not_believed() {
    let table = chatter(table(), 47, true).white("33-28").black("18-23");
    table.read().reads("33-28 18-23", &["47 chattering"]);
}

#[test]
fn where_nothing_decides_it_is_said_and_nothing_is_told() {
    // The disc of 32 may stand on 27 or on 28, and neither contact is any evidence.
    let table = chatter(chatter(table(), 27, false), 28, false);
    let reading = table.after(500).lift(32).after(800).press(White).after(4000).read();
    assert_eq!(reading.faults(), ["27 chattering", "28 chattering"]);
    let doubt = reading.events.iter().position(|event| match &event.body {
        EventBody::Unclear { explanations } => {
            let mut moves: Vec<String> = explanations.iter().map(|one| one.moves.join(" ")).collect();
            moves.sort();
            assert_eq!(moves, ["32-27", "32-28"]);
            true
        }
        _ => false,
    });
    let told = reading.events.iter().position(|event| matches!(event.body, EventBody::Move { .. }));
    let doubt = doubt.expect("the doubt is told");
    assert!(told.is_none_or(|told| told > doubt), "a guess was told");
}

#[test]
fn flickering_landings_are_no_fault() {
    let mut table = table();
    for (from, to, side) in [(32, 28, White), (20, 25, Black), (37, 32, White), (14, 20, Black)] {
        table = table.after(800).lift(from).after(500).place(to);
        for _ in 0..12 {
            table = table.after(40).lift(to).after(40).place(to);
        }
        table = table.after(300).press(side);
    }
    table.read().reads("32-28 20-25 37-32 14-20", &[]);
}

#[test]
fn one_touch_is_no_fault() {
    table()
        .lift_for(33, 400)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"]);
}

/// The wires follow the board: its rows, and its columns of dark squares.
fn matrix() -> Matrix {
    Matrix::new((0..50).map(|index| [index / 5, index % 5]).collect()).expect("no crossing twice")
}

fn square(number: u8) -> Square {
    Square::new(number).expect("a square")
}

/// While discs stand on 28 and 27, and on squares above and below 28, those beside the latter cannot be felt.
fn game_over_a_missing_diode() -> Table {
    game().white("27-22").black("18x27*22").white("32x21*27").black("16x27*21")
}

const GAME_OVER_A_MISSING_DIODE: &str =
    "33-28 18-23 39-33 12-18 44-39 7-12 50-44 20-24 31-27 14-20 27-22 18x27 32x21 16x27";

fn without_diode(table: Table, number: u8, while_bare: impl Fn(Moment) -> bool) -> Table {
    table.reads_as(|at, magnets| {
        let ghosts = matrix().ghosts(square(number), magnets);
        if while_bare(at) { magnets | ghosts } else { magnets }
    })
}

#[test]
fn missing_diode_is_named_and_read_around() {
    let table = without_diode(game_over_a_missing_diode().wired(&matrix()), 28, |_| true);
    table.read().reads(GAME_OVER_A_MISSING_DIODE, &["28 ghost"]);
}

#[test]
fn diode_that_is_good_again_is_believed() {
    // From the removal of 22 on there are no ghosts any more.
    let table = game_over_a_missing_diode().wired(&matrix());
    let table = without_diode(table, 28, |at| at < Moment::from_millis(23_000));
    table.read().reads(GAME_OVER_A_MISSING_DIODE, &["28 ghost", "28 works"]);
}

#[test]
fn same_hands_over_good_diodes_raise_no_fault() {
    game_over_a_missing_diode().wired(&matrix()).read().reads(GAME_OVER_A_MISSING_DIODE, &[]);
}

/// Captured discs are taken off in pairs in the very same scan, over and over, at the corners of rectangles whose
/// others are occupied.
#[test]
fn pairs_taken_off_in_the_same_scan_are_no_missing_diode() {
    let mut table = table().wired(&matrix()).after(1000);
    for (one, other) in [(31, 36), (32, 37), (33, 38), (34, 39), (41, 42), (43, 44)] {
        table = table.lift(one).lift(other).after(90).place(one).after(120).place(other).after(900);
    }
    let reading = table.read();
    assert_eq!(reading.faults(), strings(&[]));
}

impl Reading {
    /// The rows of moves between which nothing decided, each time that was told.
    fn doubts(&self) -> Vec<Vec<String>> {
        self.events
            .iter()
            .filter_map(|event| match &event.body {
                EventBody::Unclear { explanations } => {
                    Some(explanations.iter().map(|one| one.moves.join(" ")).collect())
                }
                _ => None,
            })
            .collect()
    }
}

/// 31-27 over a contact of 31 that never opens: 32-27 over one of 32 would look the same.
fn one_of_two_is_stuck() -> Table {
    table().white("31-27").black("20-25").white("33-29").black("14-20")
}

#[test]
fn which_of_two_contacts_is_stuck_comes_out_when_one_of_them_works() {
    let table = one_of_two_is_stuck().white("32-28").black("10-14").deaf(31, 0);
    let reading = table.read().reads("31-27 20-25 33-29 14-20 32-28 10-14", &["31 stuck-closed"]);
    let doubts = reading.doubts();
    assert_eq!(doubts.first(), Some(&strings(&["31-27 20-25 33-29 14-20", "32-27 20-25 33-29 14-20"])));
    assert!(reading.events.iter().any(|event| event.body == EventBody::Cleared));
}

#[test]
fn what_nothing_decides_is_not_entered_when_the_recording_ends() {
    let reading = one_of_two_is_stuck().deaf(31, 0).read().reads("", &[]);
    let last = strings(&["31-27 20-25 33-29 14-20", "32-27 20-25 33-29 14-20"]);
    assert_eq!(reading.doubts().last(), Some(&last));
    assert!(reading.events.iter().all(|event| !matches!(event.body, EventBody::Move { .. })));
}

/// The contact of a square also closes for a disc on another.
fn coupled(table: Table, number: u8, heard: u8, while_coupled: impl Fn(Moment) -> bool) -> Table {
    table.reads_as(|at, magnets| {
        if magnets.contains(square(heard)) && while_coupled(at) {
            magnets.with(square(number))
        } else {
            magnets
        }
    })
}

#[test]
fn contact_that_hears_its_neighbour_is_believed_while_the_neighbour_is_away() {
    let played =
        table().white("31-27").black("20-25").white("36-31").black("14-20").white("41-36").black("10-14");
    let moves = "31-27 20-25 36-31 14-20 41-36 10-14";
    coupled(played, 31, 36, |_| true).read().reads(moves, &["31 coupled"]);
}

#[test]
fn coupling_that_is_gone_is_told() {
    // The disc of 31 goes on while that of 36 stands, and others come and go beside them.
    let played = table()
        .white("31-27")
        .black("20-25")
        .white("36-31")
        .black("14-20")
        .white("41-36")
        .black("10-14")
        .white("31-26")
        .black("5-10")
        .white("37-31")
        .black("20-24");
    let moves = "31-27 20-25 36-31 14-20 41-36 10-14 31-26 5-10 37-31 20-24";
    let gone = coupled(played, 31, 36, |at| at < Moment::from_millis(11_000));
    gone.read().reads(moves, &["31 coupled", "31 works"]);
}

#[test]
fn contact_that_is_no_longer_stuck_is_believed_again() {
    let longer = game()
        .white("36-31")
        .black("10-14")
        .white("41-36")
        .black("5-10")
        .white("46-41")
        .black("1-7")
        .white("31-26")
        .black("20-25")
        .white("37-31")
        .black("15-20")
        .white("41-37")
        .black("10-15")
        .white("47-41")
        .black("4-10");
    let works = Moment::from_millis(31_000);
    let stuck = longer.without(|at, input| {
        at < works && matches!(input, Input::Contact { square, .. } if square.number() == 41)
    });
    let moves =
        format!("{GAME} 36-31 10-14 41-36 5-10 46-41 1-7 31-26 20-25 37-31 15-20 41-37 10-15 47-41 4-10");
    stuck.read().reads(&moves, &["41 stuck-closed", "41 works"]);
}

#[test]
fn contact_that_no_longer_chatters_is_believed_again() {
    let played = |rest| {
        let table = chatter(table(), 32, true).after(rest).white("32-28").black("20-25").white("37-32");
        table.black("14-20").white("32-27").black("10-14").read()
    };
    let moves = "32-28 20-25 37-32 14-20 32-27 10-14";
    played(20_000).reads(moves, &["32 chattering", "32 works"]);
    // It has not been quiet for long enough.
    played(8_000).reads(moves, &["32 chattering"]);
}

/// The disc of 31 or that of 32 came to 27, and neither contact is any evidence. What follows has nothing to do with it.
fn one_of_two_came_to_27() -> Table {
    chatter(chatter(table(), 31, true), 32, true)
        .white("31-27")
        .black("18-23")
        .white("34-30")
        .black("12-18")
        .white("30-25")
        .black("7-12")
        .white("40-34")
        .black("1-7")
        .white("45-40")
        .black("20-24")
}

#[test]
fn a_stop_on_the_way_does_not_decide_what_nothing_decided_for_ten_moves() {
    let reading = one_of_two_came_to_27().white("34-29-30").black("24-29").read();
    let reading = reading.reads("", &["31 chattering", "32 chattering"]);
    let both = ["31-27", "32-27"]
        .map(|first| format!("{first} 18-23 34-30 12-18 30-25 7-12 40-34 1-7 45-40 20-24 34-30 24-29"));
    assert_eq!(reading.doubts().last().map(Vec::as_slice), Some(both.as_slice()));
}

#[test]
fn the_order_of_two_moves_that_nobody_saw_stays_in_doubt_where_all_stands_the_same() {
    let blind = [(27, false), (28, false), (31, true), (32, true)];
    let table = blind.into_iter().fold(table(), |table, (number, standing)| chatter(table, number, standing));
    let reading = table
        .white("31-27")
        .black("20-25")
        .white("32-28")
        .black("14-20")
        .white("36-31")
        .black("10-14")
        .white("37-32")
        .black("5-10")
        .white("41-36")
        .black("20-24")
        .read();
    let orders = [("31-27", "32-28"), ("32-28", "31-27")]
        .map(|(one, other)| format!("{one} 20-25 {other} 14-20 36-31 10-14 37-32 5-10 41-36 20-24"));
    assert_eq!(reading.doubts().last().map(Vec::as_slice), Some(orders.as_slice()));
    assert!(reading.summary.moves.is_empty());
}

impl Table {
    /// White's man is pushed to the next square, whose contact closes before its own opens.
    fn slides(self, from: u8, to: u8) -> Table {
        self.after(1000).place(to).after(40).lift(from).after(400).press(White)
    }
}

#[test]
fn contact_stuck_open_from_which_a_disc_answers_one_that_slid() {
    let table = table()
        .slides(33, 28)
        .black("18-23")
        .slides(39, 33)
        .black("12-18")
        .slides(44, 39)
        .black("7-12")
        .slides(50, 44)
        .black("20-24")
        .slides(31, 27)
        .black("14-20");
    table.deaf(18, 0).with_contact_at_start(18, false).read().reads(GAME, &["18 stuck-open"]);
}

#[test]
fn a_move_that_was_told_too_early_is_not_read_on_from_when_a_contact_chatters() {
    let table = table()
        .white("33-28-29")
        .black("18-23")
        .white("29x18*23")
        .black("12x23*18")
        .white("39-33")
        .black("7-12")
        .white("44-39")
        .black("1-7")
        .white("50-44")
        .black("20-25");
    let moves = "33-29 18-23 29x18 12x23 39-33 7-12 44-39 1-7 50-44 20-25";
    chatter(table, 46, true).read().reads(moves, &["46 chattering"]);
}
