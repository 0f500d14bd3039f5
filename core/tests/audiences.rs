//! Two audiences: what the arbiter is told must be nowhere in what the public may read (CN100 14.1.13).
//!
//! Every script of every test of this folder is held to this as it is read
//! (`Reading::tells_the_public_nothing`). Here are one script for each irregular act, and the example traces if
//! they are at hand: in the folder `DRAUGHTSD_SHARED`, or in `shared` beside the workspace.

mod table;

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use draughtsd_core::event::{Event, EventBody};
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::piece::Side::White;
use draughtsd_core::rules::Variant::International;
use draughtsd_core::trace::{Button, Crowning, Header, TimedInput};
use table::{Table, assert_public};

/// The arbiter is told of this act; the public reads contacts, moves, presses and the end.
#[track_caller]
fn check(code: &str, table: Table) {
    let reading = table.read();
    let is_told = reading
        .events
        .iter()
        .any(|event| matches!(&event.body, EventBody::Alert { alert } if alert.code.name() == code));
    assert!(is_told, "the arbiter is not told of {code}: {:?}", reading.summary.alerts);
    let public: Vec<Event> = reading.events.iter().filter_map(Event::for_public).collect();
    assert!(public.len() > 3, "the public is told nothing at all");
    for event in &public {
        assert_public(event);
    }
}

#[test]
fn no_irregular_act_is_in_the_public_events() {
    let start = || Table::start(International);
    let one_taken = || start().white("32-28").black("19-23");
    let two = || Table::of(International, "W:W32,37:B10,18,28");
    let promoted =
        || Table::of(International, "W:W7,50:B15,26").crowning(Crowning::Stack).white("7-2").black("26-31");
    check("moved-twice", start().white("32-28").white("31-27").after(1500).black("20-25"));
    check("illegal-move", start().white("32-26").after(1500).black("20-25"));
    check("touch-move", start().lift_for(33, 900).white("32-28").black("20-25"));
    check("took-back", start().white("32-28").after(600).carry(28, 32).after(2000).white("33-29"));
    check("moved-opponent-piece", start().white("20-30").after(1500).black("15-20"));
    check("capture-missed", one_taken().white("34-30").after(1500).black("23x32*28"));
    check("unexplained-lift", start().lift_for(19, 900).white("32-28").black("20-25"));
    check(
        "wrong-capture-count",
        Table::of(International, "W:W32,36,37:B10,18,28,31").white("36x27*31").after(1500).black("10-14"),
    );
    check("capture-stopped-short", two().white("32x23*28").after(1500).black("18x29*23"));
    check("removed-too-early", one_taken().after(1000).lift(23).after(700).carry(28, 19).after(500));
    check("left-captured-piece", one_taken().white("28x19").after(5000).black("13x24*19"));
    check("removed-unjumped-piece", one_taken().white("28x19*23,18").after(2000).black("14x23*19"));
    check("removal-interrupted", two().hand("32x23x12*28").after(11_000).lift(18).after(500).press(White));
    check("removed-own-piece", one_taken().white("28x19*23,33").after(2000).black("14x23*19"));
    check(
        "removal-out-of-order",
        Table::of(International, "W:W42,50:B5,17,28,38").white("42x33x22x11*28,38,17").black("5-10"),
    );
    check("not-crowned", promoted());
    check("moved-uncrowned-king", promoted().white("2-13").after(1500).black("31-36"));
    check("black-moved-first", start().black("20-25").after(1500).white("32-28"));
    check("start-position-wrong", start().open_at_start(50).after(4000).place(50).white("32-28"));
    check("clock-pressed-early", start().after(1000).lift(32).after(500).press(White).after(600).place(28));
    check("press-forgotten", start().hand("32-28").after(2000).black("20-25"));
    check("draw-offer-too-early", start().white("32-28").button(Button::Draw, White).black("20-25"));
}

#[test]
fn a_move_is_public_without_its_mark() {
    let reading = Table::start(International).white("32-26").after(1500).black("20-25").read();
    let marked =
        |event: &Event| matches!(&event.body, EventBody::Move { record, .. } if !record.irregular.is_empty());
    let public: Vec<Event> = reading.events.iter().filter_map(Event::for_public).collect();
    assert!(reading.summary.moves.iter().any(|record| !record.irregular.is_empty()));
    assert!(!public.iter().any(marked));
}

fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(|dir| dir.join("shared"));
    let dir = std::env::var_os("DRAUGHTSD_SHARED").map(PathBuf::from).or_else(beside)?;
    dir.join("traces").is_dir().then(|| dir.join("traces"))
}

/// Reads a trace and returns its events.
fn events_of(path: &Path) -> Vec<Event> {
    let mut text = String::new();
    let file = fs::File::open(path).expect("a trace can be opened");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a trace is gzipped text");
    let mut lines = text.lines();
    let header = Header::parse(lines.next().expect("a header")).expect("a header");
    let (mut game, mut effects) = Game::new(GameSetup::try_from(&header).expect("a start"));
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let TimedInput { at, input } = TimedInput::parse(line, header.board).expect("an event");
        effects.extend(game.handle(at, input));
    }
    let published = |effect| match effect {
        Effect::Publish(event) => Some(event),
        Effect::Clock(_) => None,
    };
    effects.into_iter().filter_map(published).collect()
}

#[test]
fn no_example_trace_tells_the_public_of_an_alert() {
    let Some(dir) = shared() else { return };
    let mut walked = 0;
    for entry in fs::read_dir(&dir).expect("the folder of traces").flatten() {
        let path = entry.path();
        if path.to_string_lossy().ends_with(".jsonl.gz") {
            let events = events_of(&path);
            events.iter().filter_map(Event::for_public).for_each(|event| assert_public(&event));
            walked += 1;
        }
    }
    assert!(walked > 0, "no traces in {}", dir.display());
}
