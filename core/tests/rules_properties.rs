//! What must hold in every position, tried on random ones.
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use draughtsd_core::moves::Move;
use draughtsd_core::notation::fen;
use draughtsd_core::piece::Side;
use draughtsd_core::position::{Position, Setup};
use draughtsd_core::rules::{Variant, perft};
use draughtsd_core::square::{Square, SquareSet};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Random pieces on a random board. Few and many pieces are equally likely, kings are frequent.
fn scattered() -> impl Strategy<Value = Position> {
    let pieces = (1_u8..=24)
        .prop_flat_map(|pieces| prop::collection::vec((1..=Square::MAX, 0_u8..4), usize::from(pieces)));
    (select(&Variant::ALL), select(&Side::ALL), pieces).prop_map(|(variant, turn, pieces)| {
        let mut setup = Setup {
            variant,
            turn,
            white: SquareSet::EMPTY,
            black: SquareSet::EMPTY,
            kings: SquareSet::EMPTY,
        };
        for (number, sign) in pieces {
            let square = Square::new(number).unwrap();
            let (row, _) = square.row_column(variant);
            if !square.is_on(variant) || (setup.white | setup.black).contains(square) {
                continue;
            }
            let (own, far_row) =
                if sign % 2 == 0 { (&mut setup.white, 0) } else { (&mut setup.black, variant.rows() - 1) };
            own.insert(square);
            if sign > 1 || row == far_row {
                setup.kings.insert(square);
            }
        }
        Position::from_setup(&setup).unwrap()
    })
}

/// A position from a random game.
fn played() -> impl Strategy<Value = Position> {
    (select(&Variant::ALL), prop::collection::vec(any::<Index>(), 0..80)).prop_map(|(variant, choices)| {
        choices.iter().fold(Position::start(variant), |position, choice| match position.legal_moves()[..] {
            [] => position,
            ref moves => position.play(*choice.get(moves)),
        })
    })
}

fn positions() -> impl Strategy<Value = Position> {
    prop_oneof![scattered(), played()]
}

/// The position with the board turned round and the colours exchanged.
fn flipped(position: &Position) -> Position {
    let setup = position.to_setup();
    let count = setup.variant.square_count();
    let turned = |set: SquareSet| -> SquareSet {
        set.iter().map(|square| Square::new(count + 1 - square.number()).unwrap()).collect()
    };
    Position::from_setup(&Setup {
        variant: setup.variant,
        turn: setup.turn.opponent(),
        white: turned(setup.black),
        black: turned(setup.white),
        kings: turned(setup.kings),
    })
    .unwrap()
}

fn check_routes(position: &Position, mv: Move) {
    let routes = position.routes(mv);
    assert!(!routes.is_empty(), "{mv:?} has no route in {position:?}");
    for route in routes {
        assert_eq!(route.landings.last(), Some(&mv.to), "{route:?}");
        assert_eq!(route.captures.iter().copied().collect::<SquareSet>(), mv.captured, "{route:?}");
        assert_eq!(route.captures.len(), mv.captured.len(), "{route:?}");
        assert_eq!(route.landings.len(), mv.captured.len().max(1), "{route:?}");
    }
}

/// Checks that `mv` leads to a position the rules accept, with the pieces it should have.
fn check_play(position: &Position, mv: Move) {
    let (mover, other) = (position.turn(), position.turn().opponent());
    let after = position.play(mv);
    assert_eq!(Position::from_setup(&after.to_setup()), Ok(after), "{mv:?} in {position:?}");
    assert_eq!(after.turn(), other);
    assert_eq!(after.pieces(mover), position.pieces(mover).without(mv.from).with(mv.to));
    assert_eq!(after.pieces(other), position.pieces(other) - mv.captured);
    let was_king = position.kings(mover).contains(mv.from);
    assert_eq!(after.kings(mover).contains(mv.to), was_king || mv.promotes, "{mv:?} in {position:?}");
    assert!(!(was_king && mv.promotes), "{mv:?} in {position:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn has_legal_move_agrees_with_the_legal_moves(position in positions()) {
        let moves = position.legal_moves();
        prop_assert_eq!(position.has_legal_move(), !moves.is_empty());
        prop_assert_eq!(position.ending().is_none(), !moves.is_empty());
        prop_assert!(moves.is_sorted_by(|a, b| a < b), "each once, in ascending order");
    }

    #[test]
    fn every_move_has_routes_and_can_be_played(position in positions()) {
        for mv in position.legal_moves() {
            check_routes(&position, mv);
            check_play(&position, mv);
        }
    }

    #[test]
    fn conceivable_moves_are_not_legal_but_can_be_played(position in positions()) {
        let legal = position.legal_moves();
        let conceivable = position.conceivable_moves();
        prop_assert!(conceivable.is_sorted_by(|a, b| a.mv < b.mv), "each once, in ascending order");
        for irregular in conceivable {
            prop_assert!(!legal.contains(&irregular.mv));
            check_routes(&position, irregular.mv);
            check_play(&position, irregular.mv);
        }
    }

    #[test]
    fn any_move_at_all_leads_to_a_valid_position(
        position in positions(),
        from in select(&Square::ALL),
        to in select(&Square::ALL),
        captured in any::<u64>(),
        promotes in any::<bool>(),
    ) {
        let mv = Move { from, to, captured: SquareSet::from_bits(captured), promotes };
        let after = position.play(mv);
        prop_assert_eq!(Position::from_setup(&after.to_setup()), Ok(after));
        for route in position.routes(mv) {
            prop_assert_eq!(route.landings.last(), Some(&mv.to));
        }
    }

    #[test]
    fn fen_is_read_back(position in positions()) {
        let setup = position.to_setup();
        prop_assert_eq!(fen::parse_position(&position.fen(), position.variant()), Ok(position));
        prop_assert_eq!(fen::parse(&fen::write_algebraic(&setup), position.variant()), Ok(setup));
    }

    #[test]
    fn any_text_is_read_as_a_fen_or_refused(text in "[WBKHF:,.a-k0-9 -]{0,24}", variant in select(&Variant::ALL)) {
        if let Ok(setup) = fen::parse(&text, variant) {
            prop_assert_eq!(fen::parse(&fen::write(&setup), variant), Ok(setup));
        }
    }

    #[test]
    fn exchanging_the_colours_changes_no_count(position in positions()) {
        let flipped = flipped(&position);
        for depth in 1..=3 {
            prop_assert_eq!(perft(&position, depth), perft(&flipped, depth));
        }
    }

    #[test]
    fn perft_counts_the_moves_one_by_one(position in positions()) {
        let moves = position.legal_moves();
        prop_assert_eq!(perft(&position, 1), moves.len() as u64);
        let replies = moves.iter().map(|&mv| position.play(mv).legal_moves().len() as u64);
        prop_assert_eq!(perft(&position, 2), replies.sum::<u64>());
    }
}
