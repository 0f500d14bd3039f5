//! The articles about moving and capturing, each with the positions that show it.
//!
//! A case gives all legal moves, in ascending order: `32-28` is quiet, `32x14*19,28` takes 19 and 28, and a
//! trailing `=K` says that a man became a king.
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use draughtsd_core::moves::{Irregularity, Move};
use draughtsd_core::notation::fen;
use draughtsd_core::piece::{PieceKind, Side};
use draughtsd_core::position::{Ending, Position};
use draughtsd_core::rules::Variant::{self, Brazilian, International, Russian};
use draughtsd_core::square::Square;

fn describe(mv: &Move) -> String {
    let mut text = mv.to_string();
    for (number, square) in mv.captured.iter().enumerate() {
        text.push(if number == 0 { '*' } else { ',' });
        text.push_str(&square.to_string());
    }
    if mv.promotes {
        text.push_str("=K");
    }
    text
}

#[track_caller]
fn position(variant: Variant, fen: &str) -> Position {
    fen::parse_position(fen, variant).unwrap()
}

/// Checks all legal moves of a position, given by blanks.
#[track_caller]
fn check(variant: Variant, fen: &str, expected: &str) {
    let position = position(variant, fen);
    let moves: Vec<String> = position.legal_moves().iter().map(describe).collect();
    assert_eq!(moves.join(" "), expected, "{fen}\n{position:?}");
    assert_eq!(position.has_legal_move(), !expected.is_empty(), "{fen}");
}

/// Checks a position in every game of the small board.
#[track_caller]
fn check_on_64(fen: &str, expected: &str) {
    check(Brazilian, fen, expected);
    check(Russian, fen, expected);
}

/// Checks the conceivable moves that break the rule in `why`.
#[track_caller]
fn check_conceivable(variant: Variant, fen: &str, why: Irregularity, expected: &str) {
    let position = position(variant, fen);
    let conceivable = position.conceivable_moves();
    let moves: Vec<String> = conceivable
        .iter()
        .filter(|irregular| irregular.why == why)
        .map(|irregular| describe(&irregular.mv))
        .collect();
    assert_eq!(moves.join(" "), expected, "{fen}\n{position:?}");
}

/// Checks the routes of the only legal move that is described as `mv`: landings, `/`, captures.
#[track_caller]
fn check_routes(variant: Variant, fen: &str, mv: &str, expected: &[&str]) {
    let position = position(variant, fen);
    let mv = position.legal_moves().into_iter().find(|legal| describe(legal) == mv).expect("a legal move");
    let list = |squares: &[Square]| squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ");
    let routes: Vec<String> = position
        .routes(mv)
        .iter()
        .map(|route| format!("{} / {}", list(&route.landings), list(&route.captures)))
        .collect();
    assert_eq!(routes, expected, "{fen}\n{position:?}");
}

#[track_caller]
fn play(position: &Position, mv: &str) -> Position {
    let mv = position.legal_moves().into_iter().find(|legal| describe(legal) == mv).expect("a legal move");
    position.play(mv)
}

#[test]
fn cn100_2_2_start_position() {
    let start = Position::start(International);
    assert_eq!(start, position(International, "W:W31-50:B1-20"));
    for variant in [Brazilian, Russian] {
        assert_eq!(
            Position::start(variant),
            position(variant, "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6")
        );
    }
}

#[test]
fn cn100_5_2_a_move_is_one_displacement_of_one_piece() {
    let before = position(International, "W:W28,33:B1");
    let after = play(&before, "28-22");
    assert_eq!(after, position(International, "B:W22,33:B1"));
}

#[test]
fn cn100_5_3_white_moves_first_then_in_turn() {
    let start = Position::start(International);
    assert_eq!(start.turn(), Side::White);
    let reply = play(&start, "32-28");
    assert_eq!(reply.turn(), Side::Black);
    assert_eq!(play(&reply, "19-23").turn(), Side::White);
}

#[test]
fn cn100_5_4_a_man_moves_one_square_diagonally_forward() {
    check(International, "W:W28:B3", "28-22 28-23");
    check(International, "B:W48:B22", "22-27 22-28");
    // At the edge there is one square, onto an occupied square there is none.
    check(International, "W:W26,35:B3", "26-21 35-30");
    check(International, "W:W22,23,28:B3", "22-17 22-18 23-18 23-19");
    check_on_64("W:W22:B3", "22-17 22-18");
    check_on_64("B:W32:B13,20", "13-17 20-24");
}

#[test]
fn cn100_5_5_a_man_that_stops_on_the_far_row_is_promoted() {
    check(International, "W:W7:B45", "7-1=K 7-2=K");
    check(International, "B:W6:B44", "44-49=K 44-50=K");
    check(International, "W:W13:B8", "13x2*8=K");
    check_on_64("W:W5:B21", "5-1=K");
    let after = play(&position(International, "W:W7:B45"), "7-1=K");
    assert_eq!(after, position(International, "B:WK1:B45"));
}

#[test]
fn cn100_5_8_a_new_king_moves_only_after_the_opponents_move() {
    let promoted = play(&position(International, "W:W7:B20"), "7-2=K");
    assert_eq!(promoted.turn(), Side::Black);
    let replied = play(&promoted, "20-25");
    let king = Square::new(2).unwrap();
    assert_eq!(replied.piece_at(king).map(|piece| piece.kind), Some(PieceKind::King));
    assert!(replied.legal_moves().iter().any(|mv| describe(mv) == "2-35"), "{replied:?}");
}

#[test]
fn cn100_5_9_a_king_moves_any_distance_along_a_free_diagonal() {
    check(
        International,
        "W:WK28:B5",
        "28-6 28-10 28-11 28-14 28-17 28-19 28-22 28-23 28-32 28-33 28-37 28-39 28-41 28-44 28-46 28-50",
    );
    // An own piece ends the diagonal, and so do two enemy pieces in a row.
    check(International, "W:WK46,32:B5", "32-27 32-28 46-37 46-41");
    check(International, "W:WK46:B28,23", "46-32 46-37 46-41");
}

#[test]
fn cn64_5_6_a_king_moves_any_distance_along_a_free_diagonal() {
    check_on_64("W:WK29:B5", "29-4 29-8 29-11 29-15 29-18 29-22 29-25");
}

#[test]
fn cn100_6_1_captures_go_forward_and_backward_and_take_no_own_piece() {
    check(International, "W:W28:B22", "28x17*22");
    check(International, "W:W28:B33", "28x39*33");
    check(International, "B:W28:B33", "33x22*28");
    check(International, "W:W28,33:B1", "28-22 28-23 33-29");
    check_on_64("W:W18:B23", "18x27*23");
}

#[test]
fn cn100_6_2_capturing_is_compulsory() {
    check(International, "W:W28,50:B22", "28x17*22");
    // No empty square behind, no capture.
    check(International, "W:W28:B17,22", "28-23");
    check(International, "W:W26:B21", "26x17*21");
    check(International, "W:W27:B21,16", "27-22");
    check_on_64("W:W22,32:B18", "22x15*18");
}

#[test]
fn cn100_6_3_a_king_takes_at_a_distance_and_stops_on_any_square_behind() {
    check(International, "W:WK46:B28", "46x5*28 46x10*28 46x14*28 46x19*28 46x23*28");
    // A piece at the edge or backed by another cannot be taken.
    check(International, "W:WK46:B5", "46-10 46-14 46-19 46-23 46-28 46-32 46-37 46-41");
    check(International, "W:WK46:B28,14,10", "46x19*28 46x23*28");
    check_on_64("W:WK29:B22", "29x4*22 29x8*22 29x11*22 29x15*22 29x18*22");
}

#[test]
fn cn100_6_6_a_man_goes_on_capturing() {
    check(International, "W:W32:B28,19", "32x14*19,28");
    check(International, "B:W22,32,42:B18", "18x47*22,32,42=K");
    check_on_64("W:W22:B18,11", "22x8*11,18");
}

#[test]
fn cn100_6_7_a_king_goes_on_capturing() {
    // From 19, one of five squares behind 28, it can turn and take 13.
    check(International, "W:WK46:B13,28", "46x2*13,28 46x8*13,28");
    // Straight on, with two squares between the victims.
    check(International, "W:WK46:B37,23", "46x5*23,37 46x10*23,37 46x14*23,37 46x19*23,37");
    check_on_64("W:WK29:B22,10", "29x1*10,22 29x6*10,22");
}

#[test]
fn cn100_6_8_own_pieces_are_not_jumped() {
    check(International, "W:WK46,28:B19", "28-22 28-23 46-32 46-37 46-41");
    check(International, "W:W28,22:B17,11", "22-18 28-23");
}

#[test]
fn cn100_6_9_an_empty_square_may_be_passed_more_than_once() {
    // The man comes back to its origin and goes on from there.
    check(International, "W:W28:B22,23,24,33,34", "28x17*22,23,24,33,34");
    // The king crosses 28 on both diagonals.
    check(
        International,
        "W:WK46:B9,12,19,33,37",
        "46x39*9,12,19,33,37 46x44*9,12,19,33,37 46x50*9,12,19,33,37",
    );
}

#[test]
fn cn100_6_9_an_enemy_piece_is_jumped_only_once() {
    // Round in a circle, and no second round.
    check(International, "W:W28:B23,24,33,34", "28x28*23,24,33,34");
    check_on_64("W:W22:B18,19,26,27", "22x22*18,19,26,27");
    let after = play(&position(International, "W:W28:B23,24,33,34"), "28x28*23,24,33,34");
    assert_eq!(after, position(International, "B:W28:B"));
}

#[test]
fn cn100_6_12_captured_pieces_stay_on_the_board_until_the_end() {
    // The Turkish stroke: 28, taken first, still stands between 17 and 33.
    check(International, "W:WK46:B9,12,19,28,33", "46x17*9,12,19,28 46x21*9,12,19,28 46x26*9,12,19,28");
}

#[test]
fn cn64_6_11_captured_pieces_stay_on_the_board_until_the_end() {
    // 18, taken first, still stands between 9 and 23.
    check(Brazilian, "W:WK29:B6,7,18,23", "29x9*6,7,18 29x13*6,7,18");
}

#[test]
fn cn100_6_13_the_sequence_that_takes_most_must_be_chosen() {
    check(International, "W:W32,45:B19,28,40", "32x14*19,28");
    // A king counts as one piece.
    check(International, "W:W32,45:B19,28,K40", "32x14*19,28");
    check(International, "W:W32,45:B28,K40", "32x23*28 45x34*40");
    check(Brazilian, "W:W21,22:B11,17,18", "21x23*17,18 22x8*11,18");
}

#[test]
fn cn100_6_14_between_equal_sequences_the_choice_is_free() {
    check(International, "W:WK46,35:B28,30", "35x24*30 46x5*28 46x10*28 46x14*28 46x19*28 46x23*28");
    // Same origin and target, two captured sets.
    check(International, "W:WK47:B5,14,19,29,31,42", "47x36*14,29,31,42 47x36*19,29,31,42");
}

#[test]
fn cn100_6_15_a_man_that_only_passes_the_far_row_stays_a_man() {
    check(International, "W:W13:B7,8", "13x11*7,8");
    check(Brazilian, "W:W11:B6,7", "11x9*6,7");
    // It is no king that could take 9 at a distance, so it stops and is promoted.
    check(Brazilian, "W:W11:B7,9", "11x2*7=K");
    let after = play(&position(International, "W:W13:B7,8"), "13x11*7,8");
    assert_eq!(after, position(International, "B:W11:B"));
}

#[test]
fn russian_any_whole_capture_may_be_chosen_but_must_be_completed() {
    check(Russian, "W:W21,22:B11,17,18", "21x23*17,18 22x8*11,18 22x13*17");
    // Of the squares behind 22 the king must choose the one from which it can go on.
    check(Russian, "W:WK29:B10,22", "29x1*10,22 29x6*10,22");
}

#[test]
fn russian_a_man_that_reaches_the_far_row_goes_on_as_a_king() {
    check(Russian, "W:W11:B6,7", "11x9*6,7=K 11x13*6,7=K");
    check(Russian, "W:W11:B7,9", "11x13*7,9=K");
    let after = play(&position(Russian, "W:W11:B7,9"), "11x13*7,9=K");
    assert_eq!(after, position(Russian, "B:WK13:B"));
}

#[test]
fn cn100_7_4_2_and_7_4_6_quiet_moves_despite_a_capture_are_conceivable() {
    check_conceivable(International, "W:W28,50:B22", Irregularity::CaptureMissed, "28-23 50-44 50-45");
    assert_eq!(Position::start(International).conceivable_moves(), []);
}

#[test]
fn cn100_7_4_8_whole_captures_of_too_few_are_conceivable() {
    check_conceivable(International, "W:W32,45:B19,28,40", Irregularity::WrongCount, "45x34*40");
    // From 19 the king has to turn; on any other square behind 28 a capture of one piece is whole.
    let wrong = "46x5*28 46x10*28 46x14*28 46x23*28";
    check_conceivable(International, "W:WK46:B13,28", Irregularity::WrongCount, wrong);
    check_conceivable(Russian, "W:WK29:B10,22", Irregularity::WrongCount, "");
}

#[test]
fn cn100_7_4_9_captures_stopped_short_are_conceivable() {
    check_conceivable(International, "W:W32,45:B19,28,40", Irregularity::StoppedShort, "32x23*28");
    check_conceivable(International, "W:WK46:B13,28", Irregularity::StoppedShort, "46x19*28");
    let short = "29x4*22 29x8*22 29x11*22 29x15*22 29x18*22";
    check_conceivable(Russian, "W:WK29:B10,22", Irregularity::StoppedShort, short);
    // A man left on its far row is promoted.
    check_conceivable(International, "W:W13:B7,8", Irregularity::StoppedShort, "13x2*8=K");
}

#[test]
fn cn100_12_2_the_side_to_move_without_pieces_or_moves_has_lost() {
    assert_eq!(position(International, "W:W:B1").ending(), Some(Ending::NoPieces));
    assert_eq!(position(International, "W:W6:B1").ending(), Some(Ending::Blocked));
    assert_eq!(position(International, "B:W6:B1").ending(), None);
    check(International, "W:W6:B1", "");
    check(International, "W:WK46,41:B37,32,5", "41-36");
    check_on_64("B:W9,13:B5", "5x14*9");
    check_on_64("B:W14,9:B5", "");
}

#[test]
fn routes_are_found_for_both_ways_round() {
    check_routes(International, "W:W28,50:B22", "28x17*22", &["17 / 22"]);
    check_routes(
        International,
        "W:W28:B23,24,33,34",
        "28x28*23,24,33,34",
        &["19 30 39 28 / 23 24 34 33", "39 30 19 28 / 33 34 24 23"],
    );
    check_routes(
        International,
        "W:WK47:B5,14,19,29,31,42",
        "47x36*14,29,31,42",
        &["38 20 9 36 / 42 29 14 31"],
    );
    check_routes(
        International,
        "W:WK47:B5,14,19,29,31,42",
        "47x36*19,29,31,42",
        &["38 24 13 36 / 42 29 19 31"],
    );
    check_routes(International, "W:W7:B45", "7-1=K", &["1 / "]);
}
