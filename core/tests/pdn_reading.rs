//! Reading PDN: each quirk met in real files, each kind of error, and that no game spoils the next.

use draughtsd_core::notation::pdn::{ClockTimes, Game, GameResult, MoveNumber, PdnError, PdnProblem, Reader};
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;

fn read(file: &str) -> Vec<Result<Game, PdnError>> {
    Reader::new(file.as_bytes()).collect()
}

/// The games of a file in which every game can be read.
#[track_caller]
fn games(file: &str) -> Vec<Game> {
    read(file).into_iter().map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[track_caller]
fn game(file: &str) -> Game {
    let [game] = <[Game; 1]>::try_from(games(file)).expect("one game");
    game
}

#[track_caller]
fn error(file: &str) -> PdnError {
    let [error] = <[_; 1]>::try_from(read(file)).expect("one game");
    error.expect_err("an error")
}

fn moves(game: &Game) -> String {
    let moves: Vec<String> = game.moves.iter().map(|played| played.mv.to_string()).collect();
    moves.join(" ")
}

/// What a file holds in short: the moves of each game, or `!` and the error.
fn outline(file: &str) -> Vec<String> {
    read(file)
        .iter()
        .map(|game| match game {
            Ok(game) => moves(game),
            Err(error) => format!("! {error}"),
        })
        .collect()
}

#[track_caller]
fn check(file: &str, expected: &[&str]) {
    assert_eq!(outline(file), expected, "{file}");
}

const FOUR: &str = "32-28 19-23 28x19 14x23";

#[test]
fn the_form_of_the_standard() {
    let game = game(
        "[Event \"?\"]\n[White \"Wiersma, Harm\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n\n\
         1. 32-28 19-23 2. 28x19 14x23 *\n",
    );
    assert_eq!(moves(&game), FOUR);
    assert_eq!((game.number, game.variant, game.result), (1, Variant::International, GameResult::Draw));
    assert_eq!(game.tag("White"), Some("Wiersma, Harm"));
    assert_eq!(game.tag("Black"), None);
    assert_eq!(game.end().fen(), game.plies().last().map(|(p, m)| p.play(m.mv)).expect("plies").fen());
}

// Where games begin and end ---------------------------------------------------------------------------------

#[test]
fn games_end_at_an_asterisk_a_result_or_the_next_tags() {
    for ending in [
        "*",
        "1-1",
        "2-0",
        "0-1",
        "1/2-1/2",
        "½-½",
        "1/2",
        "0-0",
        "1-0 *",
        "1.02-0.98",
        "1 1/2 - 1/2",
        "2 - 0",
        "",
    ] {
        let file =
            format!("[Round \"1\"]\n\n1. 32-28 19-23 {ending}\n\n[Round \"2\"]\n\n1. 33-29 {ending}\n");
        check(&file, &["32-28 19-23", "33-29"]);
    }
    check("1. 32-28 19-23 *\n1. 33-29 *\n", &["32-28 19-23", "33-29"]);
    check("1.32-28 1/2-1/2", &["32-28"]);
}

#[test]
fn a_king_move_from_1_is_no_result() {
    let fen = "[Result \"1-1\"]\n[FEN \"B:WK50:BK1\"]\n\n";
    for to in ["7", "12", "18", "23", "29", "34", "40", "45", "6"] {
        check(&format!("{fen}1... 1-{to} *"), &[&format!("1-{to}")]);
        check(&format!("{fen}1... 1-{to} 1-1"), &[&format!("1-{to}")]);
    }
}

#[test]
fn a_score_at_the_end_that_looks_like_a_move() {
    check(
        "[Result \"4-6\"]\n\n1. 32-28 19-23 4-6\n\n[Result \"1-9\"]\n\n1. 33-29 1-9\n",
        &["32-28 19-23", "33-29"],
    );
    let game = game("[Result \"8-2\"]\n[FEN \"W:W8:B45\"]\n\n1. 8-2 45-50 8-2");
    assert_eq!((moves(&game).as_str(), game.result), ("8-2 45-50", GameResult::Other));
    // Without the tag it is a move like any other.
    check(
        "[FEN \"B:W50:B4\"]\n\n1... 4-6",
        &["! line 3: game 1, move 1 of black: `4-6` is illegal; legal: 4-9, 4-10"],
    );
}

#[test]
fn files_without_tags_or_terminators() {
    check("1. 32-28 19-23 2. 28x19 14x23", &[FOUR]);
    check("1. 32-28 19-23\n\n1. 33-29 18-22\n\n1. 34-30\n", &["32-28 19-23", "33-29 18-22", "34-30"]);
    // A move text in paragraphs is still one.
    check("1. 32-28 19-23\n\n2. 28x19\n\n14x23\n", &[FOUR]);
}

#[test]
fn games_without_moves() {
    check(
        "[White \"A\"]\n[Result \"0-2\"]\n\n1. 0-2\n\n[White \"B\"]\n\n*\n\n[White \"C\"]\n\n",
        &["", "", ""],
    );
    check("[White \"A\"]\n[Black \"B\"]\n\n[White \"C\"]\n[Black \"D\"]\n", &["", ""]);
    // An empty line between tags does not part a game.
    check("[White \"A\"]\n\n[Black \"B\"]\n\n1. 32-28 *", &["32-28"]);
}

#[test]
fn files_without_games() {
    for file in ["", "\n \t\r\n", "*", "1-0\n*\n", "\u{feff}", "% nothing\n", "\u{1a}"] {
        check(file, &[]);
    }
}

// Tags ------------------------------------------------------------------------------------------------------

#[test]
fn quirks_of_tags() {
    let file = "\u{feff}\t[Event \"  Open d\\'Avignon \" ]\\r\n \t [ Site \"64 \\\"a\\\" b\\\\c\"]\\r\n[Round 3] [Date \"\"]\
                [bianco \"Piet \"Bulldozer\" Roozenburg\"][Nero \"K\"]\\r\n\\r\n1. 32-28\\r\n19-23 *";
    let game = game(file);
    let tags: Vec<(&str, &str)> =
        game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        tags,
        [
            ("Event", "Open d'Avignon"),
            ("Site", "64 \"a\" b\\c"),
            ("Round", "3"),
            ("Date", ""),
            ("bianco", "Piet \"Bulldozer\" Roozenburg"),
            ("Nero", "K"),
        ]
    );
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Piet \"Bulldozer\" Roozenburg"), Some("K")));
    assert_eq!(moves(&game), "32-28 19-23");
}

#[test]
fn tags_without_bracket_or_quote() {
    let game = game("[White \"A\"\n[Black \"B]\n[Event \"C\" [Site “D”]\n[Round]\n\n1. 32-28 *");
    let tags: Vec<(&str, &str)> =
        game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tags, [("White", "A"), ("Black", "B"), ("Event", "C"), ("Site", "D"), ("Round", "")]);
}

#[test]
fn latin1_utf8_and_cyrillic_names() {
    let file = b"[White \"G\xe9rard Jansen\"]\n\n1. 32-28 {tr\xe8s \x93bon\x94} *\n\n[White \"G\xc3\xa9rard\"]\n\n1. 32-28 *";
    let games: Vec<Game> = Reader::new(&file[..]).map(|game| game.expect("a game")).collect();
    assert_eq!(games[0].tag("White"), Some("Gérard Jansen"));
    assert_eq!(games[0].moves[0].comment, "très “bon”");
    assert_eq!(games[1].tag("White"), Some("Gérard"));
}

#[test]
fn results_in_tags() {
    for (tag, expected) in [
        ("2-0", GameResult::WhiteWins),
        (" 0-1", GameResult::BlackWins),
        ("1/2-1/2", GameResult::Draw),
        ("-", GameResult::Unknown),
        ("4-6", GameResult::Other),
    ] {
        assert_eq!(game(&format!("[Result \"{tag}\"]\n\n1. 32-28 *")).result, expected, "{tag}");
    }
    // The tag counts, where there is one.
    assert_eq!(game("[Result \"*\"]\n\n1. 32-28 2-0").result, GameResult::WhiteWins);
    assert_eq!(game("[Result \"0-2\"]\n\n1. 32-28 2-0").result, GameResult::BlackWins);
    assert_eq!(game("1. 32-28 2-0").result, GameResult::WhiteWins);
}

// Kind of game ----------------------------------------------------------------------------------------------

#[test]
fn the_kind_of_game_by_its_tag() {
    for (tag, variant, first) in [
        ("20", Variant::International, "32-28"),
        ("20,W,10,10,N1,0", Variant::International, "32-28"),
        ("25", Variant::Russian, "c3-d4"),
        ("25,W,8,8,A0,0", Variant::Russian, "22-18"),
        ("26", Variant::Brazilian, "c3-d4"),
    ] {
        assert_eq!(game(&format!("[GameType \"{tag}\"]\n\n1. {first} *")).variant, variant);
    }
    assert_eq!(
        error("[GameType \"40\"]\n\n1. 32-28 *").to_string(),
        "line 1: game 1: Frisian draughts (tag GameType) is not supported, only 20 (international), 25 (Russian) \
         and 26 (Brazilian)"
    );
}

#[test]
fn the_kind_of_game_by_its_moves() {
    for (file, variant) in [
        ("1. 32-28 *", Variant::International),
        ("1. 22-18 *", Variant::Russian),
        ("1. c3-d4 *", Variant::Russian),
        ("[FEN \"W:W31,32:B1\"]\n\n1. 32-28 *", Variant::International),
        ("[FEN \"W:Wc3:Bd6\"]\n\n*", Variant::Russian),
        ("[FEN \"W:Wc3:Bj10\"]\n\n*", Variant::International),
        ("[GameType \"?\"]\n\n*", Variant::International),
        // 25 is left of 26 on both boards; only the small one has such moves at the start.
        ("1. 21-17 *", Variant::Russian),
    ] {
        assert_eq!(game(file).variant, variant, "{file}");
    }
    // Not legal by the Russian rules, which let a man go on as a king.
    let file = "[FEN \"W:Wb6:Bc7,f6\"]\n\n1. b6xd8 *";
    assert_eq!(game(file).variant, Variant::Brazilian);
    // Unless told otherwise.
    let told = Reader::new(file.as_bytes()).assuming(Some(Variant::Russian)).next().expect("a game");
    assert!(told.is_err());
    let told = Reader::new(&b"1. c3-d4 *"[..]).assuming(Some(Variant::Brazilian)).next().expect("a game");
    assert_eq!(told.expect("legal").variant, Variant::Brazilian);
}

// Move text -------------------------------------------------------------------------------------------------

#[test]
fn numbers_of_moves() {
    for file in [
        "1. 32-28 19-23 2. 28x19 14x23",
        "1.32-28 19-23 2.28x19 14x23",
        "1 32-28 19-23 2 28x19 14x23",
        "01. 32-28 19-23 02. 28x19 14x23",
        "1. 32-28 1... 19-23 2. 28x19 2... 14x23",
        "1. 32-28 1. ... 19-23 2. 28x19 ...14x23",
        "1. 32-28 2. 19-23 3. 28x19 4. 14x23",
        "32-28 19-23 28x19 14x23",
        "1.\n32-28\n19-23\n2.\n28x19\n14x23",
        "1. 32 - 28 19 - 23 2. 28 x 19 14 x 23",
        "1. 32-28, 19-23, 2. 28x19, 14x23,",
        "1. 3228 1923 2. 2819 1423",
        "1.\u{a0}32-28\u{a0}19-23\u{a0}2.\u{a0}28x19<br>14x23",
        "1. 32-28 19-23 2. 28:19 14:23",
        "1. 32–28 19—23 2. 28×19 14Х23",
        "1. 32-28! 19-23 ?! 2. 28x19(!) 14x23!!",
        "1. 32-28 $1 19-23 $139 2. 28x19 += 14x23 -+",
        "1. 32-28 { a } 19-23 (1... 18-23 2. 38-32 (2. 37-32? 23-29!)) 2. 28x19 14x23",
        "1. 32-28 % 19-23 in a line of its own\n19-23\n% nothing\n2. 28x19 14x23",
    ] {
        let file = file.replace(" % 19-23 in", "\n% 19-23 in");
        check(&file, &[FOUR]);
    }
}

#[test]
fn long_and_partial_landing_paths() {
    let fen = "[FEN \"W:WK47:B5,14,19,29,31,42\"]\n\n";
    check(&format!("{fen}1. 47x38x24x13x36 5-10"), &["47x36 5-10"]);
    check(&format!("{fen}1. 47 x 38 x 24 x 13 x 36 5-10"), &["47x36 5-10"]);
    check(&format!("{fen}1. 47x24x36 5-10"), &["47x36 5-10"]);
    check(
        &format!("{fen}1. 47x36 5-10"),
        &[
            "! line 3: game 1, move 1 of white: `47x36` is ambiguous, it may be 47x38x20x9x36 or 47x38x24x13x36",
        ],
    );
}

#[test]
fn black_to_move_first() {
    let fen = "[FEN \"B:W8,25,30:B7,15,18.\"]\n\n";
    for start in ["1. ... 7-12", "1... 7-12", "1...7-12", "1. 7-12", "... 7-12", "7-12"] {
        check(&format!("{fen}{start} 2. 8x17 18-23 1-0"), &["7-12 8x17 18-23"]);
    }
}

#[test]
fn glyphs_comments_and_variations() {
    let game = game(
        "{ Before } 1. 32-28! {[%clock w1:19:50 B1:20:00] good} $9 19-23 (1... 18-23) {{ nested } indeed} \
         2. 28x19 ?? (2. 1-1 (x) {)}) 14x23 {[%clk 0:59:59]} 1-0 {Black resigns}\n\n{of nobody}",
    );
    assert_eq!(moves(&game), FOUR);
    assert_eq!(game.comment, "Before");
    assert_eq!(game.variations_left_out, 2);
    let comments: Vec<&str> = game.moves.iter().map(|played| played.comment.as_str()).collect();
    assert_eq!(comments, ["good", "{ nested } indeed", "", "Black resigns"]);
    let glyphs: Vec<&[u8]> = game.moves.iter().map(|played| played.nags.as_slice()).collect();
    assert_eq!(glyphs, [&[1, 9][..], &[], &[4], &[]]);
    let clock = |white: Option<u64>, black: Option<u64>, running| Some(ClockTimes { white, black, running });
    assert_eq!(game.moves[0].clock, clock(Some(4_790_000), Some(4_800_000), Some(Side::Black)));
    assert_eq!(game.moves[1].clock, None);
    assert_eq!(game.moves[3].clock, clock(None, Some(3_599_000), None));
}

#[test]
fn comments_that_are_not_closed_as_they_should_be() {
    // A lone brace within a comment does not swallow the rest.
    check("1. 32-28 {a { b} 19-23 2. 28x19 {c} 14x23 *\n\n[Round \"2\"]\n\n1. 33-29 *", &[FOUR, "33-29"]);
    check("1. 32-28 {a } b} 19-23 *", &["! line 1: game 1, move 1 of black: `b` is neither tag nor move"]);
    // Nor does one that is never closed reach into the next game.
    let unclosed = "! line 1: game 1, move 1: a comment is never closed";
    check("1. 32-28 {a 19-23 *\n\n[Round \"2\"]\n\n1. 33-29 {b} *", &[unclosed, "33-29"]);
    check("1. 32-28 {a 19-23 *\n\n[Round \"2\"]\n\n1. 33-29 *", &[unclosed, "33-29"]);
    check("1. 32-28 {a", &[unclosed]);
    // A whole game may be commented out.
    check("{ not this one:\n[Round \"1\"]\n\n1. 32-28 *\n}\n[Round \"2\"]\n\n1. 33-29 *", &["33-29"]);
}

#[test]
fn variations_that_are_not_closed_as_they_should_be() {
    check(
        "1. 32-28 (1. 33-29 *\n\n[Round \"2\"]\n\n1. 33-29 *",
        &["! line 1: game 1, move 1: a variation is never closed", "33-29"],
    );
    check("1. 32-28 ) 19-23 *\n1. 33-29 *", &["! line 1: game 1, move 1: `)` closes no variation", "33-29"]);
}

#[test]
fn moves_that_are_not_known() {
    check("1. 32-28 19-23 2. - - 1-0", &["32-28 19-23"]);
    check(
        "1. 32-28 19-23 2. - - 3. 28x19 *",
        &["! line 1: game 1, move 3 of white: moves are missing before `28x19`"],
    );
}

// Setup commands --------------------------------------------------------------------------------------------

#[test]
fn a_setup_command_goes_on_from_its_position() {
    let game = game(
        "1.31-26 17-21 /FEN \"B:B1-16,18-21:W26,28,33-50\"/ { White played 32-28 instead } 2... 19-23 3. 28x19 *",
    );
    assert_eq!(moves(&game), "31-26 17-21 19-23 28x19");
    let [setup] = &game.setups[..] else { panic!("{:?}", game.setups) };
    assert_eq!((setup.before_ply, setup.comment.as_str()), (2, "White played 32-28 instead"));
    assert_eq!(setup.position.turn(), Side::Black);
    let positions: Vec<String> = game.plies().map(|(position, _)| position.fen()).collect();
    assert!(positions[2].starts_with("B:W26,28,33,"), "{positions:?}");
    assert_eq!(game.end().turn(), Side::Black);
}

#[test]
fn the_first_setup_command_may_be_the_start() {
    let game = game("/FEN \"W:W31-50:B1-20\"/\n/FEN \"B:W28,31-36,38-50:B1-20\"/\n01... 20-25 *");
    assert_eq!((game.setups.len(), moves(&game).as_str()), (1, "20-25"));
    let game = self::game("/FEN \"B:W28:B1\"/ 1... 1-6 *");
    assert_eq!((game.start.fen().as_str(), game.setups.len()), ("B:W28:B1", 0));
    // Without quotes, and after a tag.
    let game = self::game("[FEN \"W:W28:B1\"]\n\n/B:W28:B1/ 1... 1-6 /FEN B:W28:B6/ 6-11 *");
    assert_eq!((game.start.fen().as_str(), game.setups.len()), ("W:W28:B1", 2));
}

#[test]
fn a_setup_without_pieces_is_a_null_move() {
    let game = game("1. 32-28 /FEN \"W::\"/ 31-27 20-24 *");
    assert_eq!(moves(&game), "32-28 31-27 20-24");
}

#[test]
fn setups_that_show_no_position() {
    check(
        "1. 32-28\n/FEN \"B:W28:B51\"/ *\n1. 33-29 *",
        &["! line 2: game 1: FEN `B:W28:B51`: `51` names no square of the international board", "33-29"],
    );
    check("1. 32-28 /MARK \"x\"/ *", &["! line 1: game 1: unknown setup command `/MARK \"x\"/`"]);
    check(
        "[FEN \"W:W28\"]\n\n1. 28-23 *\n\n[FEN \"X\"]\n\n*",
        &["28-23", "! line 5: game 2: FEN `X`: the side to move must be `W` or `B`, not `X`"],
    );
}

// Errors ----------------------------------------------------------------------------------------------------

#[test]
fn an_error_names_file_line_game_players_and_move() {
    let file = "[White \"Sijbrands\"]\n[Black \"Gantwarg\"]\n\n1. 32-28 19-23\n2. 28-19 14x23 *\n";
    let mut reader = Reader::new(file.as_bytes()).named("games.pdn");
    let error = reader.next().expect("a game").expect_err("a wrong sign");
    assert_eq!(
        error.to_string(),
        "games.pdn:5: game 1 (Sijbrands - Gantwarg), move 2 of white: `28-19` is a capture and is written `28x19`; legal: 28x19"
    );
    assert_eq!((error.game, error.line), (1, 5));
    assert_eq!(error.at, Some(MoveNumber { number: 2, side: Some(Side::White) }));
    assert!(matches!(error.problem, PdnProblem::Move(_)));
    assert!(reader.next().is_none());
}

#[test]
fn the_number_of_a_move_is_the_one_the_file_has() {
    let fen = "[FEN \"B:W28,50:B1\"]\n\n";
    for (file, number, side) in [
        ("23... 1-6 50-45 6-11 1-2", 25, Side::White),
        ("23... 1-6 24. 50-45 1-2", 24, Side::Black),
        ("1-2", 1, Side::Black),
    ] {
        let at = error(&format!("{fen}{file}")).at;
        assert_eq!(at, Some(MoveNumber { number, side: Some(side) }), "{file}");
    }
}

#[test]
fn an_error_spoils_no_other_game() {
    for wrong in [
        "1. 32-26",
        "1. hello",
        "{",
        "(",
        "1. 32-28 )",
        "1. 28x19",
        "/FEN \"X\"/",
        "1. 32-28 32-28",
        "[\"x\"]",
        "1. 32-28 \"",
        "\0\0",
    ] {
        let file = format!(
            "[Round \"1\"]\n\n1. 32-28 *\n\n[Round \"2\"]\n\n{wrong} *\n\n[Round \"3\"]\n\n1. 33-29 *\n"
        );
        let found = read(&file);
        let wrong_games: Vec<u64> =
            found.iter().filter_map(|game| game.as_ref().err()).map(|error| error.game).collect();
        let right_games: Vec<String> =
            found.iter().filter_map(|game| game.as_ref().ok()).map(moves).collect();
        assert!(!wrong_games.is_empty(), "{wrong}");
        assert!(right_games.contains(&"32-28".to_owned()), "{wrong}: {right_games:?}");
        assert!(right_games.contains(&"33-29".to_owned()), "{wrong}: {right_games:?}");
    }
}

#[test]
fn what_is_no_pdn_at_all() {
    let error = error("The games of the tournament");
    assert_eq!(error.to_string(), "line 1: game 1: `The` is neither tag nor move");
    check(
        "Games 1999\n\n[Round \"1\"]\n\n1. 32-28 *",
        &["! line 1: game 1: `Games` is neither tag nor move", "32-28"],
    );
}

#[test]
fn a_file_that_cannot_be_read_to_its_end() {
    struct Broken(&'static [u8]);
    impl std::io::Read for Broken {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Err(std::io::Error::other("the disk is gone"));
            }
            let count = self.0.read(into)?;
            Ok(count)
        }
    }
    let mut reader = Reader::new(Broken(b"1. 32-28 *\n1. 33-29 "));
    assert!(reader.next().expect("a game").is_ok());
    let error = reader.next().expect("the failure").expect_err("the failure");
    assert_eq!(error.to_string(), "game 2, move 1: cannot be read further: the disk is gone");
    assert!(reader.next().is_none());
}

#[test]
fn outlines_count_without_replaying() {
    let file = b"[White \"A\"]\n\n1. 32-28 32-28 2-0\n\n1. x *";
    let mut reader = Reader::new(&file[..]);
    let outline = reader.next_outline().expect("a game").expect("readable");
    assert_eq!((outline.ply_count(), outline.tag("White"), outline.line), (2, Some("A"), 1));
    assert_eq!(outline.result(), GameResult::WhiteWins);
    assert!(reader.next_outline().is_some());
    assert!(reader.next_outline().is_none());
    assert_eq!(reader.bytes_read(), file.len() as u64);
}
