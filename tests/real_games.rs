//! Collections of real games, where they are at hand: every game reads, replays and writes back.
//!
//! The collections are not part of the project. They are looked for in `$DRAUGHTSD_SHARED/games`, else in
//! `../shared/games` beside the workspace; where they are not, these tests say so and pass. What matters of them
//! is tested with our own files besides.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use draughtsd_core::moves::Move;
use draughtsd_core::notation::movetext::{CaptureSign, MoveTextProblem, Notation};
use draughtsd_core::notation::pdn::{Game, PdnProblem, Reader, WriteOptions, write, write_with};
use draughtsd_core::rules::Variant;
use flate2::read::GzDecoder;

/// The text of a collection, or nothing where it is not at hand.
#[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
fn collection(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("DRAUGHTSD_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")), PathBuf::from);
    let path = folder.join("games").join(name);
    let Ok(file) = File::open(&path) else {
        eprintln!("skipped: no {}", path.display());
        return None;
    };
    let mut text = Vec::new();
    GzDecoder::new(file).read_to_end(&mut text).expect("a gzip file");
    Some(text)
}

fn moves(game: &Game) -> Vec<Move> {
    game.moves.iter().map(|played| played.mv).collect()
}

#[track_caller]
fn check_all(name: &str, variant: Variant, expected: usize) {
    let Some(text) = collection(name) else { return };
    let mut games = 0;
    for game in Reader::new(&text[..]).named(name) {
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.variant, variant, "{name}: game {}", game.number);
        for notation in [Notation::Numeric, Notation::Algebraic] {
            for capture in [CaptureSign::Cross, CaptureSign::Colon] {
                let options = WriteOptions { notation: Some(notation), capture, bare: false };
                let written = write_with(&game, &options);
                let again = Reader::new(written.as_bytes()).next().expect("a game");
                let again =
                    again.unwrap_or_else(|error| panic!("{name}: game {}: {error}\n{written}", game.number));
                assert_eq!((moves(&again), again.start, again.end()), (moves(&game), game.start, game.end()));
                assert_eq!(write_with(&again, &options), written);
            }
        }
        games += 1;
    }
    assert_eq!(games, expected, "{name}");
}

#[test]
fn international_games() {
    check_all("intl10x10_real.pdn.gz", Variant::International, 640);
}

#[test]
fn international_positions() {
    check_all("intl10x10_positions.pdn.gz", Variant::International, 130);
}

#[test]
fn russian_games() {
    check_all("russian8x8_real.pdn.gz", Variant::Russian, 144);
}

#[test]
fn brazilian_games() {
    check_all("brazilian8x8_real.pdn.gz", Variant::Brazilian, 25);
}

#[test]
fn bad_games_are_refused_and_the_games_around_them_are_read() {
    let (Some(bad), Some(good)) = (collection("intl10x10_bad.pdn.gz"), collection("intl10x10_real.pdn.gz"))
    else {
        return;
    };
    let good: Vec<String> =
        Reader::new(&good[..]).take(6).map(|game| write(&game.expect("a real game"))).collect();
    let bad = String::from_utf8(bad).expect("UTF-8");
    let bad: Vec<String> =
        bad.split("\n\n[Event").map(|game| format!("[Event{}", game.trim_start_matches("[Event"))).collect();
    assert_eq!(bad.len(), 5);
    let mut file = String::new();
    for (good, bad) in good.iter().zip(&bad) {
        file.push_str(good);
        file.push('\n');
        file.push_str(bad);
        file.push('\n');
    }
    file.push_str(&good[5]);
    let read: Vec<_> = Reader::new(file.as_bytes()).collect();
    assert_eq!(read.len(), 11);
    for (index, game) in read.iter().step_by(2).enumerate() {
        assert_eq!(game.as_ref().map(write).as_deref(), Ok(good[index].as_str()));
    }
    let refusals: Vec<(u64, String, &MoveTextProblem, &str)> = read
        .iter()
        .skip(1)
        .step_by(2)
        .map(|game| {
            let error = game.as_ref().expect_err("a bad game");
            let PdnProblem::Move(why) = &error.problem else { panic!("{error}") };
            (error.game, error.at.expect("a move").to_string(), &why.problem, why.text.as_str())
        })
        .collect();
    let wrong_sign = |meant: &str| MoveTextProblem::WrongSign(meant.to_owned());
    let is_empty =
        |number| MoveTextProblem::NoPiece(draughtsd_core::square::Square::new(number).expect("a square"));
    assert_eq!(
        refusals,
        [
            (2, "16 of white".to_owned(), &wrong_sign("30x39"), "30-39"),
            (4, "21 of white".to_owned(), &wrong_sign("38-33"), "38x33"),
            (6, "35 of white".to_owned(), &MoveTextProblem::Ambiguous, "36x16"),
            (8, "56 of white".to_owned(), &MoveTextProblem::Ambiguous, "4x24"),
            (10, "32 of black".to_owned(), &is_empty(17), "17-11"),
        ]
    );
}

#[test]
fn the_games_carried_in_the_program_are_strict_pdn() {
    for (text, variant, plies) in [
        (draughtsd::fixtures::INTERNATIONAL, Variant::International, 120),
        (draughtsd::fixtures::RUSSIAN, Variant::Russian, 79),
        (draughtsd::fixtures::BRAZILIAN, Variant::Brazilian, 71),
    ] {
        let games: Vec<_> = Reader::new(text.as_bytes()).collect();
        let [Ok(game)] = &games[..] else { panic!("{games:?}") };
        assert_eq!((game.variant, game.moves.len()), (variant, plies));
        assert!(game.moves.iter().any(|played| played.mv.promotes));
        // The same text but for where lines are broken.
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&write(game)), words(text));
    }
}
