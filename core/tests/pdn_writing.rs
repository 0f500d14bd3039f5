//! Writing PDN: strictly by the standard, and so that reading gives the game back.

use draughtsd_core::notation::fen;
use draughtsd_core::notation::movetext::{self, CaptureSign, Notation};
use draughtsd_core::notation::pdn::{
    ClockTimes, Game, GameResult, PlayedMove, Reader, SetupCommand, WriteOptions, write, write_with,
};
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use proptest::prelude::*;

#[track_caller]
fn read(file: &str) -> Game {
    let mut games = Reader::new(file.as_bytes());
    let game = games.next().expect("a game").unwrap_or_else(|error| panic!("{error}\n{file}"));
    assert!(games.next().is_none(), "more than one game:\n{file}");
    game
}

/// Reads a file and writes it again.
#[track_caller]
fn check(file: &str, expected: &str) {
    assert_eq!(write(&read(file)), expected);
}

const TAGS: &str =
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n";

#[test]
fn tags_in_order_moves_short_and_an_asterisk_at_the_end() {
    check(
        "[PlyCount \"99\"] [Nero \"K. \\\"X\\\"\"] [my-tag \"a\\b\"] [Result \"1/2-1/2\"] [Empty \"\"]\n\
         01. 32-28 19-23 02. 28:19 14x23 03. 37-32! {good} 1-1",
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"K. \\\"X\\\"\"]\n\
         [Result \"1-1\"]\n[GameType \"20\"]\n[PlyCount \"5\"]\n[My_tag \"a\\\\b\"]\n\n\
         1. 32-28 19-23 2. 28x19 14x23 3. 37-32 $1 {good} *\n",
    );
}

#[test]
fn results_by_the_kind_of_game() {
    for (variant, results) in [
        (Variant::International, ["2-0", "0-2", "1-1", "0-0", "*"]),
        (Variant::Russian, ["1-0", "0-1", "1/2-1/2", "0-0", "*"]),
        (Variant::Brazilian, ["1-0", "0-1", "1/2-1/2", "0-0", "*"]),
    ] {
        let all = [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
            GameResult::BothLose,
            GameResult::Unknown,
        ];
        for (result, expected) in all.into_iter().zip(results) {
            let mut game = Game::new(Position::start(variant));
            game.result = result;
            game.set_tag("Result", "nonsense");
            let text = write(&game);
            assert!(text.contains(&format!("[Result \"{expected}\"]")), "{text}");
            assert!(text.ends_with("\n\n*\n"), "{text}");
        }
    }
}

#[test]
fn results_scored_otherwise_are_kept_with_their_format() {
    for (result, format) in [("4-6", "Points"), ("1+ - 1-", "Plus draw"), ("1 1/2 - 1/2", "Delfts")] {
        let game = read(&format!("[Result \"{result}\"]\n\n1. 32-28 *"));
        let text = write(&game);
        assert!(text.contains(&format!("[Result \"{result}\"]\n[ResultFormat \"{format}\"]\n")), "{text}");
        assert_eq!(write(&read(&text)), text);
    }
    let text = write(&read("[Result \"1.02-0.98\"]\n[ResultFormat \"Goes\"]\n\n1. 32-28 *"));
    assert!(text.contains("[Result \"1.02-0.98\"]\n[ResultFormat \"Goes\"]\n"), "{text}");
    assert!(write(&read("[Result \"-\"]\n\n1. 32-28 *")).contains("[Result \"*\"]\n"));
}

#[test]
fn landing_squares_only_where_the_move_is_open() {
    let game = read("[FEN \"W:WK47:B5,14,19,29,31,42\"]\n\n1. 47x24x36 5-10 2. 36-31 10-15 *");
    assert!(write(&game).ends_with("\n\n1. 47x38x24x13x36 5-10 2. 36-31 10-15 *\n"), "{}", write(&game));
    let game = read("1. 32-28 19-23 2. 28x23x19 14x23 *".replace("28x23x19", "28x19").as_str());
    assert!(write(&game).contains("2. 28x19 14x23"));
}

#[test]
fn positions_with_whites_list_first() {
    let game = read("[FEN \"B:B7,15,18:W8,25,K30.\"]\n\n1. ... 7-12 2. 8x17 *");
    let text = write(&game);
    assert!(text.contains("[FEN \"B:W8,25,K30:B7,15,18\"]"), "{text}");
    assert!(text.ends_with("\n\n1... 7-12 2. 8x17 *\n"), "{text}");
    // The start position needs no tag.
    assert!(!write(&read("[FEN \"W:W31-50:B1-20\"]\n\n1. 32-28 *")).contains("FEN"));
    let text = write(&read("[GameType \"25\"]\n[FEN \"W:W22:B1\"]\n\n1. 22-18 *"));
    assert!(text.contains("[GameType \"25\"]\n[FEN \"W:Wc3:Bb8\"]\n\n1. c3-d4 *\n"), "{text}");
}

#[test]
fn clock_times_behind_every_move() {
    check(
        "1. 32-28 {[%clk 0:59:58]} 19-23 {[%clk 0:59:50] hm} 2. 28x19 {[%clock w0:59:30 B0:59:50]} 14x23 *",
        &format!(
            "{TAGS}[Result \"*\"]\n[GameType \"20\"]\n\n\
             1. 32-28 {{[%clock w0:59:58]}} 19-23 {{[%clock W0:59:58 b0:59:50] hm}} 2. 28x19\n\
             {{[%clock w0:59:30 B0:59:50]}} 14x23 *\n"
        ),
    );
}

#[test]
fn comments_cannot_break_out() {
    let start = Position::start(Variant::International);
    let mv = movetext::parse(&start, "32-28").expect("legal");
    let mut game = Game::new(start);
    game.comment = "a } [Event \"x\"] {".to_owned();
    game.moves
        .push(PlayedMove { comment: "}\n\n[Event \"y\"]\n% z".repeat(20), ..PlayedMove::new(&start, mv) });
    game.set_tag("Event", "a\n\"] [Site \"x\"]\\");
    game.set_tag("9 lives", "x");
    game.set_tag("", "x");
    let text = write(&game);
    let again = read(&text);
    assert_eq!(again.moves.len(), 1);
    assert_eq!(again.tag("Event"), Some("a \"] [Site \"x\"]\\"), "{text}");
    assert_eq!(write(&again), text);
}

#[test]
fn long_comments_are_broken_into_lines() {
    let file = format!("1. 32-28 {{{}}} 19-23 *", "word ".repeat(60));
    let text = write(&read(&file));
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(write(&read(&text)), text);
}

#[test]
fn setup_commands_are_kept() {
    let file = "1. 31-26 17-21 /FEN \"B:B1-16,18-21:W26,28,33-50\"/ {stood} 2... 19-23 3. 28x19 \
                /FEN \"W:W28:B1\"/ *";
    let text = write(&read(file));
    let expected = "\n\n1. 31-26 17-21\n\
        /FEN \"B:W26,28,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18,19,20,21\"/\n\
        {stood} 2... 19-23 3. 28x19 /FEN \"W:W28:B1\"/ *\n";
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(write(&read(&text)), text);
    // Before the first move, a setup needs the start before it.
    let mut game = Game::new(Position::start(Variant::International));
    let position = fen::parse_position("B:W28:B1", Variant::International).expect("a position");
    game.setups.push(SetupCommand { before_ply: 0, position, comment: String::new() });
    let again = read(&write(&game));
    assert_eq!((again.start, again.setups), (game.start, game.setups));
}

#[test]
fn other_notations_and_signs() {
    let game = read("[GameType \"25\"]\n\n1. c3-d4 {x} f6-g5 2. d4-e5 d6xf4 *");
    let options = WriteOptions { notation: Some(Notation::Numeric), capture: CaptureSign::Colon, bare: true };
    let text = write_with(&game, &options);
    assert!(text.ends_with("[GameType \"25,W,8,8,N2,0\"]\n\n1. 22-18 11-16 2. 18-15 10:19 *\n"), "{text}");
    let same = |game: &Game| game.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
    assert_eq!(same(&read(&text)), same(&game));
    let game = read("1. 32-28 *");
    let options = WriteOptions { notation: Some(Notation::Algebraic), ..WriteOptions::default() };
    let text = write_with(&game, &options);
    assert!(text.ends_with("[GameType \"20,W,10,10,A0,0\"]\n\n1. d4-e5 *\n"), "{text}");
    assert_eq!(same(&read(&text)), same(&game));
}

/// A game of `choices`, each choosing among the legal moves, with clock times and comments here and there.
fn game_of(variant: Variant, choices: &[u8], comment: &str) -> Game {
    let mut game = Game::new(Position::start(variant));
    let mut position = game.start;
    for (ply, &choice) in choices.iter().enumerate() {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        let mut played = PlayedMove::new(&position, mv);
        if choice % 4 == 0 {
            played.clock = Some(ClockTimes {
                white: Some(3_600_000 - ply as u64 * 7000),
                black: Some(3_600_000 - ply as u64 * 9000),
                running: Some(if ply % 2 == 0 { Side::Black } else { Side::White }),
            });
        }
        if choice % 5 == 0 {
            played.comment = comment.to_owned();
            played.nags = vec![choice];
        }
        game.moves.push(played);
        position = position.play(mv);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_reads_back(
        board in 0_usize..3,
        choices in proptest::collection::vec(any::<u8>(), 0..200),
        comment in ".{0,120}",
        notation in proptest::option::of(prop_oneof![Just(Notation::Numeric), Just(Notation::Algebraic)]),
    ) {
        let game = game_of(Variant::ALL[board], &choices, &comment);
        let options = WriteOptions { notation, ..WriteOptions::default() };
        let text = write_with(&game, &options);
        let again = Reader::new(text.as_bytes()).next();
        let again = again.expect("a game").unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(again.variant, game.variant);
        let moves = |game: &Game| game.moves.iter().map(|played| (played.mv, played.clock)).collect::<Vec<_>>();
        prop_assert_eq!(moves(&again), moves(&game));
        // Written once more it is the same text: nothing is lost or changed on the way.
        prop_assert_eq!(write_with(&again, &options), text);
    }
}
