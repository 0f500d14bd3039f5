//! What the fuzz targets of notation assert, in functions that take any bytes.
//!
//! Each is run by a target of `cargo fuzz` and, over the inputs kept in `fuzz/corpus`, by `cargo test`
//! (`tests/fuzz_corpus.rs`, which takes this file as a module). Besides not failing, reading and writing have to
//! agree: what is read and written again reads the same.

use draughtsd_core::notation::fen;
use draughtsd_core::notation::movetext::{self, CaptureSign, Notation};
use draughtsd_core::notation::pdn::{Game, Reader, WriteOptions, write_with};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;

/// A target: its name and what it does with an input.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Name and function of each target.
pub(crate) const TARGETS: [Target; 3] = [("fen", fen), ("movetext", movetext), ("pdn", pdn)];

/// A FEN on each board: one that is read is written so that it reads the same.
pub(crate) fn fen(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    for variant in Variant::ALL {
        let Ok(setup) = fen::parse(text, variant) else { continue };
        assert_eq!(fen::parse(&fen::write(&setup), variant), Ok(setup), "{text}");
        assert_eq!(fen::parse(&fen::write_algebraic(&setup), variant), Ok(setup), "{text}");
        let position = fen::parse_position(text, variant);
        assert_eq!(position.is_ok(), Position::from_setup(&setup).is_ok(), "{text}");
        if let Ok(position) = position {
            assert_eq!(position.to_setup(), setup, "{text}");
        }
    }
}

/// A move in a position that the input leads to: one that is read is legal, and however it is written it reads
/// the same.
///
/// - `input`: the board; how many moves are made first; a byte for each, which chooses it; the text.
pub(crate) fn movetext(input: &[u8]) {
    let [board, plies, rest @ ..] = input else { return };
    let variant = Variant::ALL[usize::from(*board) % Variant::ALL.len()];
    let (choices, text) = rest.split_at(usize::from(*plies).min(rest.len()));
    let mut position = Position::start(variant);
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[usize::from(*choice) % moves.len()]);
    }
    let legal = position.legal_moves();
    if let Ok(text) = std::str::from_utf8(text) {
        match movetext::parse(&position, text) {
            Ok(mv) => assert!(legal.contains(&mv), "{text}: {mv:?} in {position:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for mv in legal {
        for notation in [Notation::Numeric, Notation::Algebraic] {
            for sign in [CaptureSign::Cross, CaptureSign::Colon] {
                let text = movetext::write(&position, mv, notation, sign);
                assert_eq!(movetext::parse(&position, &text), Ok(mv), "{text} in {position:?}");
            }
        }
    }
}

/// A PDN file: a game that is read is written so that it reads the same, and written once more is the same text.
pub(crate) fn pdn(input: &[u8]) {
    for (number, game) in (1..).zip(Reader::new(input)) {
        match game {
            Ok(game) => {
                assert_eq!(game.number, number);
                for notation in [Notation::Numeric, Notation::Algebraic] {
                    check_written(
                        &game,
                        &WriteOptions { notation: Some(notation), ..WriteOptions::default() },
                    );
                }
            }
            Err(error) => assert!(!error.to_string().contains(|c: char| c.is_control()), "{error}"),
        }
    }
}

fn check_written(game: &Game, options: &WriteOptions) {
    let text = write_with(game, options);
    let mut games = Reader::new(text.as_bytes());
    let again = match games.next() {
        Some(Ok(again)) => again,
        Some(Err(error)) => panic!("{error}\n{text}"),
        None => panic!("no game\n{text}"),
    };
    assert!(games.next().is_none(), "{text}");
    assert_eq!((again.variant, again.start, again.end()), (game.variant, game.start, game.end()), "{text}");
    let moves =
        |game: &Game| game.moves.iter().map(|played| (played.mv, played.nags.clone())).collect::<Vec<_>>();
    assert_eq!(moves(&again), moves(game), "{text}");
    let setups =
        |game: &Game| game.setups.iter().map(|setup| (setup.before_ply, setup.position)).collect::<Vec<_>>();
    assert_eq!(setups(&again), setups(game), "{text}");
    assert_eq!(again.result, game.result, "{text}");
    assert_eq!(write_with(&again, options), text);
}
