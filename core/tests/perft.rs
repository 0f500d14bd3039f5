//! Move counts against the known ones in `data/perft.txt`.
//!
//! Every run counts each position as deep as [`CHEAP`] allows. With `DRAUGHTSD_PERFT_NODES` set to a number of
//! leaves, or to `all`, it goes as deep as that; then a release build is advisable.
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use draughtsd_core::notation::fen;
use draughtsd_core::position::Position;
use draughtsd_core::rules::{Variant, perft};

/// Depths with more leaves than this are left out of an ordinary run.
const CHEAP: u64 = 200_000;

struct Known {
    line: usize,
    name: &'static str,
    position: Position,
    counts: Vec<u64>,
}

fn known() -> Vec<Known> {
    let lines = include_str!("data/perft.txt").lines().enumerate();
    lines.filter(|(_, text)| !text.starts_with('#')).map(|(index, text)| read(index + 1, text)).collect()
}

fn read(line: usize, text: &'static str) -> Known {
    let fields: Vec<&str> = text.split(" | ").collect();
    let [variant, name, fen, counts] = fields[..] else { panic!("line {line}: four fields expected") };
    let variant: Variant = variant.parse().unwrap();
    Known {
        line,
        name,
        position: fen::parse_position(fen, variant).unwrap(),
        counts: counts.split(' ').map(|count| count.parse().unwrap()).collect(),
    }
}

fn most_leaves() -> u64 {
    match std::env::var("DRAUGHTSD_PERFT_NODES").as_deref() {
        Err(_) => CHEAP,
        Ok("all") => u64::MAX,
        Ok(number) => number.parse().expect("DRAUGHTSD_PERFT_NODES is `all` or a number"),
    }
}

#[test]
fn counts_are_those_of_other_engines() {
    let most_leaves = most_leaves();
    let mut leaves = 0;
    let mut wrong = Vec::new();
    for Known { line, name, position, counts } in known() {
        for (depth, expected) in (1..).zip(counts).take_while(|&(_, count)| count <= most_leaves) {
            let counted = perft(&position, depth);
            leaves += counted;
            if counted != expected {
                wrong.push(format!("line {line} ({name}), depth {depth}: {counted}, expected {expected}"));
                break;
            }
        }
    }
    println!("{leaves} leaves");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_game_is_known_from_its_start() {
    for variant in Variant::ALL {
        assert!(known().iter().any(|known| known.position == Position::start(variant)), "{variant}");
    }
}
