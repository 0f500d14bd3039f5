//! Moves as text: what is written, what is read, what is refused and why.

use draughtsd_core::moves::{Irregularity, Move};
use draughtsd_core::notation::fen;
use draughtsd_core::notation::movetext::{
    CaptureSign, MoveTextProblem, Notation, algebraic, landing_path, numeric, parse, score_sheet, write,
};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;

const START_100: &str = "W:W31-50:B1-20";
const START_64: &str = "W:W21-32:B1-12";

/// The example of the PDN standard: a king that takes four by two ways with one origin and target.
const TWO_WAYS: &str = "W:WK47:B5,14,19,29,31,42";

#[track_caller]
fn position(variant: Variant, text: &str) -> Position {
    fen::parse_position(text, variant).expect(text)
}

/// Origin, target and captured squares of what `text` means, or why it means nothing.
#[track_caller]
fn check(variant: Variant, fen: &str, text: &str, expected: &str) {
    let found = match parse(&position(variant, fen), text) {
        Ok(mv) => format!("{} {} {:?}", mv.from, mv.to, mv.captured),
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected, "{text}");
}

#[track_caller]
fn on_100(fen: &str, text: &str, expected: &str) {
    check(Variant::International, fen, text, expected);
}

#[track_caller]
fn on_64(fen: &str, text: &str, expected: &str) {
    check(Variant::Russian, fen, text, expected);
}

#[test]
fn quiet_moves_in_all_spellings() {
    for text in [
        "32-28",
        "32–28",
        "32—28",
        "32\u{2011}28",
        "032-028",
        "3228",
        "32-28+",
        "32-28.",
        "d4-e5",
        "D4-E5",
        "d4e5",
    ] {
        on_100(START_100, text, "32 28 []");
    }
    // The first letter is Cyrillic.
    for text in ["c3-d4", "c3d4", "C3-D4", "с3-d4", "22-18", "2218", "22-18="] {
        on_64(START_64, text, "22 18 []");
    }
    on_100("B:W31:B1,7", "07-12", "7 12 []");
    on_100("B:W31:B1,7", "01-06", "1 6 []");
}

#[test]
fn captures_in_all_spellings() {
    for text in ["28x10", "28X10", "28:10", "28×10", "28х10", "28x19x10", "2810"] {
        on_100("W:W28,37:B23,14", text, "28 10 [14, 23]");
    }
    for text in ["c3:e5", "c3xe5", "c3e5", "22:15", "22x15"] {
        on_64("W:W22:B18", text, "22 15 [18]");
    }
    for text in ["c3:e5:g7", "c3xe5xg7", "c3e5g7", "c3:g7", "22:15:8", "22x8"] {
        on_64("W:Wc3:Bd4,f6", text, "22 8 [11, 18]");
    }
}

#[test]
fn an_ambiguous_capture_is_refused_with_its_long_forms() {
    on_100(TWO_WAYS, "47x36", "`47x36` is ambiguous, it may be 47x38x20x9x36 or 47x38x24x13x36");
    on_100(TWO_WAYS, "47x38x36", "`47x38x36` is ambiguous, it may be 47x38x20x9x36 or 47x38x24x13x36");
}

#[test]
fn landing_squares_settle_which_capture_is_meant() {
    let by_20 = "47 36 [14, 29, 31, 42]";
    let by_24 = "47 36 [19, 29, 31, 42]";
    on_100(TWO_WAYS, "47x38x24x13x36", by_24);
    on_100(TWO_WAYS, "47x38x20x9x36", by_20);
    // Wrong in strict PDN, but clear: squares left out, another square on the way.
    on_100(TWO_WAYS, "47x24x36", by_24);
    on_100(TWO_WAYS, "47x33x24x13x36", by_24);
    on_100(TWO_WAYS, "47x9x36", by_20);
    // 12 is on neither way, 9 not after 24, 13 not before it, and 42 is a victim.
    for text in ["47x12x36", "47x24x9x36", "47x13x24x36", "47x42x36"] {
        let refusal = "the capture does not come by these squares, it is 47x38x20x9x36 or 47x38x24x13x36";
        on_100(TWO_WAYS, text, &format!("`{text}`: {refusal}"));
    }
}

#[test]
fn a_capture_may_end_where_it_began() {
    let circle = "W:WKe1:Bc3,c7,f6,g3";
    on_64(circle, "e1xe1", "31 31 [6, 11, 22, 24]");
    on_64(circle, "e1xa5xe1", "31 31 [6, 11, 22, 24]");
    on_64(circle, "e1xc5xe1", "`e1xc5xe1`: the capture does not come by these squares, it is e1xe1");
}

#[test]
fn the_sign_must_fit_the_move() {
    on_100("W:W32:B28", "32-23", "`32-23` is a capture and is written `32x23`; legal: 32x23");
    on_100("W:W38:B1", "38x33", "`38x33` takes nothing and is written `38-33`; legal: 38-32, 38-33");
    on_64("W:Wc3:Bd4", "c3-e5", "`c3-e5` is a capture and is written `c3xe5`; legal: c3xe5");
}

#[test]
fn the_reason_of_a_refusal_is_named() {
    on_100("W:W32,50:B28", "50-45", "`50-45` is illegal: a capture is compulsory; legal: 32x23");
    on_100("W:W32,49:B28,19,44", "49x40", "`49x40` is illegal: more pieces can be taken; legal: 32x14");
    on_100("W:W32:B28,19", "32x23", "`32x23` is illegal: the capture goes on; legal: 32x14");
    on_100("W:W32:B1", "31-27", "`31-27` is illegal: 31 is empty; legal: 32-27, 32-28");
    on_100("W:W32:B1", "1-6", "`1-6` is illegal: the piece on 1 is not on turn; legal: 32-27, 32-28");
    on_100("W:W32:B1", "32-38", "`32-38` is illegal; legal: 32-27, 32-28");
    on_100("W:W32:B1", "32-51", "`32-51` is not a move: the board has no square `51`; legal: 32-27, 32-28");
    on_64("W:Wc3:Bh8", "c3-c4", "`c3-c4` is not a move: the board has no square `c4`; legal: c3-b4, c3-d4");
    on_64("W:Wc3:Bh8", "22-19", "`22-19` is illegal; legal: 22-17, 22-18");
    on_64("W:Wa3:Bb4,c5", "a3-b4", "`a3-b4` is illegal: no move is left, the game is over");
}

#[test]
fn what_is_no_move_is_refused() {
    for text in [
        "",
        "-",
        "x",
        "32",
        "32-",
        "-28",
        "32--28",
        "32-28x19",
        "e4",
        "Nf3",
        "hello",
        "0-0-0",
        "1/2-1/2",
        "3 2-28",
        "٣٢-٢٨",
        "320-280",
        "12345",
        "123",
    ] {
        let error = parse(&position(Variant::International, "W:W32:B1"), text).expect_err(text);
        assert!(
            matches!(error.problem, MoveTextProblem::NotAMove | MoveTextProblem::NoSuchSquare(_)),
            "{text}: {error:?}"
        );
        assert_eq!((error.text.as_str(), error.legal.len()), (text, 2));
    }
}

#[test]
fn errors_compare_whole() {
    let error = parse(&position(Variant::International, "W:W32,50:B28"), "50-44").expect_err("illegal");
    assert_eq!(error.problem, MoveTextProblem::Irregular(Irregularity::CaptureMissed));
    assert_eq!(error.legal, ["32x23"]);
}

#[test]
fn moves_are_written_short_unless_that_leaves_them_open() {
    let start = position(Variant::International, START_100);
    let mv = parse(&start, "32-28").expect("legal");
    assert_eq!(numeric(&start, mv), "32-28");
    assert_eq!(algebraic(&start, mv), "d4-e5");
    let start = position(Variant::Russian, START_64);
    let mv = parse(&start, "c3-d4").expect("legal");
    assert_eq!(numeric(&start, mv), "22-18");
    assert_eq!(score_sheet(&start, mv), "c3-d4");

    let ways = position(Variant::International, TWO_WAYS);
    let written: Vec<String> = ways.legal_moves().iter().map(|&mv| score_sheet(&ways, mv)).collect();
    assert_eq!(written, ["47x38x20x9x36", "47x38x24x13x36"]);
    let by_algebra = write(&ways, ways.legal_moves()[0], Notation::Algebraic, CaptureSign::Colon);
    assert_eq!(by_algebra, "c1:e3:i7:g9:a3");
}

#[test]
fn several_routes_with_one_captured_set_need_no_landing_squares() {
    // The king takes the four around the middle either way round.
    let circle = position(Variant::Russian, "W:WKe1:Bc3,c7,f6,g3");
    let mv = circle.legal_moves().into_iter().find(|mv| mv.from == mv.to).expect("a circle");
    assert!(circle.routes(mv).len() > 1);
    assert_eq!(score_sheet(&circle, mv), "e1xe1");
}

#[test]
fn a_move_that_cannot_be_made_is_written_by_origin_and_target() {
    let start = position(Variant::International, START_100);
    let square = |number| Square::new(number).expect("a square");
    let mv = Move { from: square(32), to: square(5), captured: square(19).into(), promotes: false };
    assert_eq!(score_sheet(&start, mv), "32x5");
    assert_eq!(landing_path(&start, mv), [square(32), square(5)]);
}

#[test]
fn conceivable_moves_are_written_too() {
    let position = position(Variant::International, "W:W32,50:B28,19");
    let written: Vec<String> = position
        .conceivable_moves()
        .into_iter()
        .map(|conceivable| score_sheet(&position, conceivable.mv))
        .collect();
    assert!(written.contains(&"50-44".to_owned()) && written.contains(&"32x23".to_owned()), "{written:?}");
}
