//! Every row of the draw rules: one short of its limit, at it, what sets it back, where rules overlap.
//!
//! The games are made up as they go: kings shuffle so that nothing can be taken, until a step says otherwise.

use draughtsd_core::geometry::long_diagonal;
use draughtsd_core::moves::Move;
use draughtsd_core::notation::{fen, movetext};
use draughtsd_core::piece::{PieceKind, Side};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::rules::draws::{DrawPreset, DrawRule, DrawTracker};

use DrawPreset::{Cbd, Cn64, Cn100, Fmjd64};
use DrawRule::{FewPieces, FiveMoves, KingsOnly, MainRoad, SixteenMoves, ThirdRepetition, ThreeKings};

/// A game that goes on as the test tells it.
struct Play {
    position: Position,
    tracker: DrawTracker,
    ply: usize,
    seen: Vec<Position>,
    completed: Vec<(usize, DrawRule)>,
}

impl Play {
    #[track_caller]
    fn new(preset: DrawPreset, variant: Variant, fen: &str) -> Self {
        let position = fen::parse_position(fen, variant).expect(fen);
        Self {
            position,
            tracker: DrawTracker::new(preset, &position),
            ply: 0,
            seen: vec![position],
            completed: Vec::new(),
        }
    }

    fn play(&mut self, mv: Move) {
        let after = self.position.play(mv);
        self.ply += 1;
        let rules = self.tracker.after_ply(&self.position, mv, &after);
        self.completed.extend(rules.into_iter().map(|rule| (self.ply, rule)));
        self.position = after;
        self.seen.push(after);
    }

    /// Plays the moves as they are written.
    #[track_caller]
    fn moves(mut self, moves: &str) -> Self {
        for text in moves.split_whitespace() {
            let mv = movetext::parse(&self.position, text).unwrap_or_else(|error| panic!("{error}"));
            self.play(mv);
        }
        self
    }

    /// Plays `plies` quiet moves of kings after which nothing can be taken; positions come again as late as
    /// can be.
    #[track_caller]
    fn kings(self, plies: usize) -> Self {
        self.quietly(plies, PieceKind::King, |_| true)
    }

    /// As [`Play::kings`], all positions after them being such as `wanted` says.
    #[track_caller]
    fn kings_where(self, plies: usize, wanted: fn(&Position) -> bool) -> Self {
        self.quietly(plies, PieceKind::King, wanted)
    }

    /// Plays a quiet move of a man, no promotion, after which nothing can be taken.
    #[track_caller]
    fn man(self) -> Self {
        self.quietly(1, PieceKind::Man, |_| true)
    }

    /// Plays a promotion without capture, after which nothing can be taken.
    #[track_caller]
    fn promotion(mut self) -> Self {
        let is_promotion =
            |mv: &Move| mv.promotes && !mv.is_capture() && nothing_can_be_taken(&self.position.play(*mv));
        let mv = self.position.legal_moves().into_iter().find(is_promotion);
        let mv = mv.unwrap_or_else(|| panic!("no promotion in {:?}", self.position));
        self.play(mv);
        self
    }

    #[track_caller]
    fn quietly(mut self, plies: usize, kind: PieceKind, wanted: fn(&Position) -> bool) -> Self {
        for played in 0..plies {
            let mut candidates = quiet_moves(&self.position, kind, wanted);
            candidates.sort_by_key(|mv| {
                let after = self.position.play(*mv);
                self.seen.iter().filter(|position| **position == after).count()
            });
            // Not into a corner where no quiet move is left.
            let ahead = (plies - played - 1).min(2);
            let mv = candidates
                .into_iter()
                .find(|mv| goes_on(&self.position.play(*mv), ahead, kind, wanted))
                .unwrap_or_else(|| panic!("no such move in {:?}", self.position));
            self.play(mv);
        }
        self
    }

    /// Asserts at which plies `rule` was completed.
    #[track_caller]
    fn expect(self, rule: DrawRule, plies: &[usize]) -> Self {
        let found: Vec<usize> =
            self.completed.iter().filter(|(_, other)| *other == rule).map(|(ply, _)| *ply).collect();
        assert_eq!(found, plies, "{rule}");
        self
    }
}

fn quiet_moves(position: &Position, kind: PieceKind, wanted: fn(&Position) -> bool) -> Vec<Move> {
    let is_wanted = |mv: &Move| {
        let after = position.play(*mv);
        let is_kind = position.piece_at(mv.from).is_some_and(|piece| piece.kind == kind);
        is_kind && !mv.is_capture() && !mv.promotes && nothing_can_be_taken(&after) && wanted(&after)
    };
    position.legal_moves().into_iter().filter(is_wanted).collect()
}

fn goes_on(position: &Position, plies: usize, kind: PieceKind, wanted: fn(&Position) -> bool) -> bool {
    plies == 0
        || quiet_moves(position, kind, wanted)
            .into_iter()
            .any(|mv| goes_on(&position.play(mv), plies - 1, kind, wanted))
}

fn nothing_can_be_taken(position: &Position) -> bool {
    Side::ALL.iter().all(|&side| position.with_turn(side).legal_moves().iter().all(|mv| !mv.is_capture()))
}

fn international(fen: &str) -> Play {
    Play::new(Cn100, Variant::International, fen)
}

fn brazilian(fen: &str) -> Play {
    Play::new(Cn64, Variant::Brazilian, fen)
}

fn russian(fen: &str) -> Play {
    Play::new(Fmjd64, Variant::Russian, fen)
}

/// Whether a lone king stands on the long diagonal, and nothing else.
fn road_is_held(position: &Position) -> bool {
    let on_road = position.occupied() & long_diagonal(position.variant());
    on_road.len() == 1 && Side::ALL.iter().any(|&side| position.pieces(side) == on_road)
}

fn road_is_not_held(position: &Position) -> bool {
    !road_is_held(position)
}

// Third repetition ------------------------------------------------------------------------------------------

const SHUFFLE: &str = "46-41 4-9 41-46 9-4";

#[test]
fn cn100_12_3_1_the_start_of_a_shuffle_is_its_first_time() {
    // Men keep the rules about material away.
    let play = || international("W:WK46,50,49,48:BK4,1,2,3");
    play().moves(SHUFFLE).moves("46-41 4-9 41-46").expect(ThirdRepetition, &[]);
    play().moves(SHUFFLE).moves(SHUFFLE).expect(ThirdRepetition, &[8]);
}

#[test]
fn cn100_12_3_1_repetitions_need_not_follow_one_another() {
    let play = international("W:WK46,50,49,48:BK4,1,2,3")
        .moves(SHUFFLE)
        .moves("46-37 4-13 37-46 13-4")
        .expect(ThirdRepetition, &[8]);
    assert_eq!(play.completed, [(8, ThirdRepetition)]);
}

#[test]
fn cn100_12_3_1_the_side_to_move_must_be_the_same() {
    // White loses a move: the same pieces stand on the same squares with Black to move.
    let start = international("W:WK46,50,49,48:BK4,1,2,3");
    let pieces = |play: &Play| (play.position.pieces(Side::White), play.position.pieces(Side::Black));
    let at_start = pieces(&start);
    let second = start.moves("46-41 4-9 41-37 9-4 37-46");
    assert_eq!(pieces(&second), at_start);
    let third = second.moves("4-13 46-41 13-4 41-46");
    assert_eq!(pieces(&third), at_start);
    third.expect(ThirdRepetition, &[]).moves("4-13 46-41 13-4 41-46").expect(ThirdRepetition, &[13]);
}

#[test]
fn cn100_12_3_1_a_mans_move_ends_what_can_be_repeated() {
    international("W:WK46,50,49,48:BK4,1,2,3")
        .moves(SHUFFLE)
        .moves("50-45 1-6")
        .moves(SHUFFLE)
        .expect(ThirdRepetition, &[])
        .moves(SHUFFLE)
        .expect(ThirdRepetition, &[14]);
}

#[test]
fn cn100_12_3_1_one_shuffle_is_reported_once() {
    let mut play = international("W:WK46,50,49,48:BK4,1,2,3");
    for _ in 0..5 {
        play = play.moves(SHUFFLE);
    }
    play.expect(ThirdRepetition, &[8]);
}

// Kings only ------------------------------------------------------------------------------------------------

const MANY_100: &str = "W:WK46,50,49,48:BK4,1,2,3";
const MANY_64: &str = "W:WKe1,a1,c1,a3,h2:BKd8,h8,f8,h6,a7";

#[test]
fn cn100_12_3_2_kings_only_is_25_moves_by_each_side() {
    international(MANY_100).kings(49).expect(KingsOnly, &[]);
    international(MANY_100).kings(50).expect(KingsOnly, &[50]);
    international(MANY_100).kings(70).expect(KingsOnly, &[50]);
}

#[test]
fn cn100_12_3_2_a_mans_move_sets_kings_only_back() {
    international(MANY_100)
        .kings(49)
        .man()
        .kings(49)
        .expect(KingsOnly, &[])
        .kings(1)
        .expect(KingsOnly, &[100]);
}

#[test]
fn cn100_12_3_2_a_capture_sets_kings_only_back() {
    // A man gives itself up, which is a man's move, and a man takes it, which is a capture.
    international("W:WK6,50,49,48,34:BK4,2,3,23")
        .kings(8)
        .moves("34-29 23x34")
        .kings(49)
        .expect(KingsOnly, &[])
        .kings(1)
        .expect(KingsOnly, &[60]);
}

#[test]
fn cn100_12_3_2_a_promotion_is_a_mans_move() {
    international("W:WK46,50,49,9:BK35,1,2,25")
        .kings(10)
        .promotion()
        .kings(49)
        .expect(KingsOnly, &[])
        .kings(1)
        .expect(KingsOnly, &[61]);
}

#[test]
fn the_limit_of_kings_only_is_that_of_the_rule_book() {
    for (preset, limit) in [(Cn64, 30), (Cbd, 40), (Fmjd64, 30)] {
        let variant = if preset == Fmjd64 { Variant::Russian } else { Variant::Brazilian };
        let play = || Play::new(preset, variant, MANY_64);
        play().kings(limit - 1).expect(KingsOnly, &[]);
        play().kings(limit).expect(KingsOnly, &[limit]);
        play()
            .kings(limit - 1)
            .man()
            .kings(limit - 1)
            .expect(KingsOnly, &[])
            .kings(1)
            .expect(KingsOnly, &[2 * limit]);
    }
}

// Sixteen and five moves on 100 squares ---------------------------------------------------------------------

#[test]
fn cn100_12_3_3_three_pieces_against_a_king() {
    for fen in ["W:WK6,K7,K8:BK46", "W:WK6,K7,40:BK46", "W:WK6,48,50:BK46", "B:WK6:BK46,K47,2"] {
        international(fen).kings(31).expect(SixteenMoves, &[]);
        international(fen).kings(32).expect(SixteenMoves, &[32]).expect(FiveMoves, &[]);
    }
}

#[test]
fn cn100_12_3_3_and_4_want_one_king_alone_and_a_king_on_the_other_side() {
    for fen in [
        "W:WK6,K7,K8,K9:BK46",
        "W:WK6,K7:BK46,3",
        "W:WK6,K7:BK46,K47",
        "W:WK6,48,50:BK46,3",
        "W:WK6,K7,K8:BK46,K47",
    ] {
        international(fen).kings(40).expect(SixteenMoves, &[]).expect(FiveMoves, &[]);
    }
    // Men alone, or against a man alone, are no case of either rule.
    international("W:W46,47,48:BK2").man().kings(1).man().kings(1).expect(SixteenMoves, &[]);
    let mut play = international("W:WK46:B1");
    for _ in 0..5 {
        play = play.kings(1).man();
    }
    play.expect(FiveMoves, &[]);
}

#[test]
fn cn100_12_3_3_neither_a_mans_move_nor_a_promotion_sets_it_back() {
    international("W:WK6,K7,40:BK46")
        .kings(10)
        .man()
        .kings(20)
        .expect(SixteenMoves, &[])
        .kings(1)
        .expect(SixteenMoves, &[32]);
    international("W:WK6,K7,9:BK46")
        .kings(10)
        .promotion()
        .kings(20)
        .expect(SixteenMoves, &[])
        .kings(1)
        .expect(SixteenMoves, &[32]);
}

#[test]
fn cn100_12_3_3_counts_from_the_move_after_the_material_arose() {
    // 46x28 leaves the lone king; the capture itself is not counted.
    let play = || international("W:WK46,K6,K8:BK49,37").moves("46x28");
    play().kings(31).expect(SixteenMoves, &[]);
    play().kings(32).expect(SixteenMoves, &[33]);
}

#[test]
fn cn100_12_3_4_two_pieces_or_one_against_a_king() {
    for fen in ["W:WK6,K7:BK46", "W:WK6,50:BK46", "W:WK6:BK46", "B:WK6:BK46,3"] {
        international(fen).kings(9).expect(FiveMoves, &[]);
        international(fen).kings(10).expect(FiveMoves, &[10]);
        international(fen).kings(30).expect(FiveMoves, &[10]);
    }
}

#[test]
fn cn100_12_3_4_neither_a_mans_move_nor_a_promotion_sets_it_back() {
    international("W:WK6,45:BK46")
        .kings(2)
        .man()
        .kings(6)
        .expect(FiveMoves, &[])
        .kings(1)
        .expect(FiveMoves, &[10]);
    international("W:WK6,9:BK46")
        .kings(2)
        .promotion()
        .kings(6)
        .expect(FiveMoves, &[])
        .kings(1)
        .expect(FiveMoves, &[10]);
}

/// Three against one; Black can take a man whenever White offers it.
const OFFER: &str = "W:WK6,K7,45:BK46";

/// Plays `plies` of sixteen-moves, then has the man of [`OFFER`] taken in two plies.
#[track_caller]
fn five_inside_sixteen(plies: usize) -> Play {
    let mut play = international(OFFER).kings(plies);
    let mut found = None;
    for first in play.position.legal_moves() {
        let offered = play.position.play(first);
        for second in offered.legal_moves() {
            if second.is_capture() && offered.play(second).pieces(Side::White).len() == 2 {
                let after = offered.play(second);
                if nothing_can_be_taken(&after) {
                    found = Some((first, second));
                }
            }
        }
    }
    let (first, second) = found.expect("a piece can be given up");
    play.play(first);
    play.play(second);
    play
}

#[test]
fn cn100_12_3_4_inside_12_3_3_the_earlier_deadline_counts() {
    // Five moves end first: the capture at ply 12, five moves more each.
    five_inside_sixteen(10)
        .kings(9)
        .expect(FiveMoves, &[])
        .kings(20)
        .expect(FiveMoves, &[22])
        .expect(SixteenMoves, &[]);
    // Sixteen moves end first: the capture at ply 28 leaves four plies.
    five_inside_sixteen(26)
        .kings(3)
        .expect(SixteenMoves, &[])
        .kings(20)
        .expect(SixteenMoves, &[32])
        .expect(FiveMoves, &[]);
    // Both end at once.
    five_inside_sixteen(20).kings(20).expect(SixteenMoves, &[32]).expect(FiveMoves, &[32]);
}

// Five moves on 64 squares ----------------------------------------------------------------------------------

#[test]
fn cn64_12_3_4_2_and_fmjd64_7_2_8_two_pieces_or_one_against_a_king() {
    for fen in ["W:WKb8,Kd8:BKe1", "W:WKb8,c1:BKe1", "W:WKb8:BKe1", "B:WKb8:BKe1,a7"] {
        for play in [brazilian, russian] {
            play(fen).kings(9).expect(FiveMoves, &[]);
            play(fen).kings(10).expect(FiveMoves, &[10]).expect(SixteenMoves, &[]);
        }
    }
    brazilian("W:WKb8,h2:BKe1")
        .kings(2)
        .man()
        .kings(6)
        .expect(FiveMoves, &[])
        .kings(1)
        .expect(FiveMoves, &[10]);
}

#[test]
fn cn64_has_no_rule_for_three_against_one() {
    let play = brazilian("W:WKb8,Kd8,Kf8:BKe1").kings(29);
    assert!(play.completed.iter().all(|(_, rule)| *rule == ThirdRepetition), "{:?}", play.completed);
}

#[test]
fn cbd_has_no_rule_for_endings() {
    let play = Play::new(Cbd, Variant::Brazilian, "W:WKb8,Kd8:BKe1").kings(39);
    assert!(play.completed.iter().all(|(_, rule)| *rule == ThirdRepetition), "{:?}", play.completed);
}

// Three kings, few pieces, main road ------------------------------------------------------------------------

#[test]
fn fmjd64_7_2_4_three_kings_or_more_against_one() {
    for fen in ["W:WKb8,Kd8,Kf8:BKe1", "W:WKb8,Kd8,Kf8,Kh8:BKe1", "B:WKb8:BKe1,Kg1,Kc1"] {
        russian(fen).kings_where(29, road_is_not_held).expect(ThreeKings, &[]);
        russian(fen).kings_where(30, road_is_not_held).expect(ThreeKings, &[30]);
    }
    russian("W:WKb8,Kd8,h2:BKe1").kings(20).expect(ThreeKings, &[]);
}

#[test]
fn fmjd64_7_2_4_counts_from_the_promotion_that_makes_the_third_king() {
    let play = || russian("W:WKb8,Kd8,g7:BKe1").kings(4).promotion();
    play().kings(29).expect(ThreeKings, &[]);
    play().kings(30).expect(ThreeKings, &[35]);
}

#[test]
fn fmjd64_7_2_4_a_capture_makes_it_another_rule() {
    // A fourth king is given up on b6: three kings are left, and the count begins again.
    let play = || russian("W:WKb8,Kd8,Kf8,Ka7:BKe1").kings_where(10, road_is_not_held);
    let with_capture = || {
        let mut play = play();
        let mut found = None;
        for first in play.position.legal_moves() {
            let offered = play.position.play(first);
            for second in offered.legal_moves().into_iter().filter(|mv| mv.captured.len() == 1) {
                let after = offered.play(second);
                if nothing_can_be_taken(&after) && road_is_not_held(&after) {
                    found = Some((first, second));
                }
            }
        }
        let (first, second) = found.expect("a king can be given up");
        play.play(first);
        play.play(second);
        play
    };
    with_capture().kings_where(29, road_is_not_held).expect(ThreeKings, &[]);
    with_capture().kings_where(30, road_is_not_held).expect(ThreeKings, &[42]);
}

#[test]
fn fmjd64_7_2_6_few_pieces() {
    // A man moves before the kings have made 30 plies, so that kings-only never ends it; a man's move does not set few-pieces back.
    let with_men = |fen: &str, plies: usize| {
        let mut play = russian(fen);
        while play.ply < plies {
            let full = if play.position.turn() == Side::White { 28 } else { 29 };
            let kings = full.min(plies - play.ply);
            play = play.kings(kings);
            if play.ply < plies {
                play = play.man();
            }
        }
        play
    };
    let four = "W:WKb8,a1,c1:BKd8";
    with_men(four, 59).expect(FewPieces, &[]).expect(KingsOnly, &[]);
    with_men(four, 60).expect(FewPieces, &[60]).expect(KingsOnly, &[]);
    let six = "W:WKb8,a1,c1,e1:BKd8,a5";
    with_men(six, 119).expect(FewPieces, &[]).expect(KingsOnly, &[]);
    with_men(six, 120).expect(FewPieces, &[120]).expect(KingsOnly, &[]);
}

#[test]
fn fmjd64_7_2_6_wants_four_to_seven_pieces_and_kings_on_both_sides() {
    for fen in [
        // Eight pieces.
        "W:WKb8,a1,c1,e1:BKd8,h8,h6,f8",
        // Three pieces.
        "W:WKb8,a1:BKd8",
    ] {
        russian(fen).kings(70).expect(FewPieces, &[]);
    }
    assert_eq!(russian("W:WKb8,a1,c1:B:H0:F1").completed, []);
}

#[test]
fn fmjd64_7_2_6_a_promotion_sets_few_pieces_back() {
    let play = russian("W:WKb8,g7,h2:BKc1").kings(10).promotion().kings(59).expect(FewPieces, &[]);
    play.kings(1).expect(FewPieces, &[71]);
}

#[test]
fn fmjd64_7_2_6_a_capture_sets_few_pieces_back() {
    let play = russian("W:WKb8,a3,h4:BKd8,c5").kings(10).moves("a3-b4 c5xa3").expect(FewPieces, &[]);
    // Three whites and two blacks became two and two.
    assert_eq!(play.position.occupied().len(), 4);
    play.kings(59).expect(FewPieces, &[]).kings(1).expect(FewPieces, &[72]);
}

#[test]
fn fmjd64_7_2_7_the_lone_king_holds_the_main_road() {
    for fen in ["W:WKb8,Kd8,Kf8:BKa1", "W:WKb8,Kd8,h2:BKa1", "W:WKb8,c1,h2:BKh8", "B:WKd4:BKb8,a7,f8"] {
        russian(fen).kings_where(9, road_is_held).expect(MainRoad, &[]);
        russian(fen).kings_where(10, road_is_held).expect(MainRoad, &[10]);
        russian(fen).kings_where(20, road_is_held).expect(MainRoad, &[10]);
    }
}

#[test]
fn fmjd64_7_2_7_counts_only_while_the_road_is_held_and_does_not_start_again() {
    russian("W:WKb8,Kd8,Kf8:BKe1").kings_where(20, road_is_not_held).expect(MainRoad, &[]);
    let play = russian("W:WKb8,Kd8,Kf8:BKa1").kings_where(5, road_is_held);
    let played = play.ply;
    // Black leaves, White moves, Black returns: none of the three counts.
    let play = play.kings_where(2, road_is_not_held).kings_where(1, road_is_held);
    assert_eq!(play.ply, played + 3);
    play.kings_where(4, road_is_held)
        .expect(MainRoad, &[])
        .kings_where(1, road_is_held)
        .expect(MainRoad, &[13]);
}

#[test]
fn fmjd64_7_2_7_is_about_three_pieces() {
    for fen in ["W:WKb8,Kd8:BKa1", "W:WKb8,Kd8,Kf8,Kc7:BKa1", "W:WKb8,Kd8,Kf8:BKa1,a7"] {
        russian(fen).kings(12).expect(MainRoad, &[]);
    }
}

// Around the rules ------------------------------------------------------------------------------------------

/// Plays the pair of plies after which the side to move has no piece left.
fn lose_the_king(mut play: Play) -> Play {
    let mut found = None;
    for first in play.position.legal_moves() {
        let offered = play.position.play(first);
        let taking = offered.legal_moves().into_iter().find(|mv| offered.play(*mv).ending().is_some());
        found = found.or(taking.map(|taking| (first, taking)));
    }
    let (first, taking) = found.expect("the king can be put en prise");
    play.play(first);
    play.play(taking);
    play
}

#[test]
fn a_win_on_the_last_counted_move_stands() {
    let play = || international("W:WK46:BK6,K7").kings(8);
    let won = lose_the_king(play());
    assert_eq!(won.ply, 10);
    won.expect(FiveMoves, &[]);
    play().kings(2).expect(FiveMoves, &[10]);
}

#[test]
fn kings_only_is_not_completed_by_a_winning_move() {
    // The last move of a king leaves Black's man without a move.
    let shut_in = |plies: usize| {
        let mut play = international("B:WK46,45,50:BK4,1,2");
        // The counter is what matters here; the position is made to measure.
        let before = fen::parse_position("W:WK16,6,12:B1", Variant::International).expect("a position");
        let blocks = movetext::parse(&before, "16-7").expect("legal");
        play = play.kings(plies);
        play.position = before;
        play.play(blocks);
        play
    };
    assert!(shut_in(3).position.ending().is_some(), "{:?}", shut_in(3).position);
    shut_in(49).expect(KingsOnly, &[]);
    international("B:WK46,45,50:BK4,1,2").kings(50).expect(KingsOnly, &[50]);
}

#[test]
fn a_set_up_position_begins_anew() {
    let mut play = international("W:WK6,K7:BK46").kings(8);
    let position = play.position;
    play.tracker.set_position(&position);
    play.kings(9).expect(FiveMoves, &[]).kings(1).expect(FiveMoves, &[18]);
}

#[test]
fn an_irregular_move_that_stands_is_counted_like_any_other() {
    let mut play = international("W:WK6,K7:BK46").kings(9);
    let before = play.position;
    // The king goes where no king can go, and it stands.
    let from = before.kings(Side::Black).first().unwrap();
    let to = before.occupied();
    let to = (1..=50)
        .filter_map(draughtsd_core::square::Square::new)
        .find(|square| !to.contains(*square))
        .unwrap();
    play.play(Move { from, to, captured: Default::default(), promotes: false });
    play.expect(FiveMoves, &[10]);
}

#[test]
fn each_variant_has_its_rule_book() {
    assert_eq!(DrawPreset::for_variant(Variant::International), Cn100);
    assert_eq!(DrawPreset::for_variant(Variant::Brazilian), Cn64);
    assert_eq!(DrawPreset::for_variant(Variant::Russian), Fmjd64);
    for preset in DrawPreset::ALL {
        assert_eq!(preset.name().parse(), Ok(preset));
        assert!(ThirdRepetition.article(preset).is_some());
        assert_eq!(serde_json::to_string(&preset).unwrap(), format!("\"{preset}\""));
    }
    assert!("fmjd".parse::<DrawPreset>().is_err());
}

#[test]
fn rules_go_by_the_names_and_articles_of_the_contract() {
    for (rule, name) in [
        (ThirdRepetition, "third-repetition"),
        (KingsOnly, "kings-only"),
        (SixteenMoves, "sixteen-moves"),
        (FiveMoves, "five-moves"),
        (ThreeKings, "three-kings"),
        (FewPieces, "few-pieces"),
        (MainRoad, "main-road"),
    ] {
        assert_eq!(rule.to_string(), name);
        assert_eq!(serde_json::to_string(&rule).unwrap(), format!("\"{name}\""));
    }
    for (preset, rule, article) in [
        (Cn100, ThirdRepetition, Some("CN100 12.3.1")),
        (Cn100, KingsOnly, Some("CN100 12.3.2")),
        (Cn100, SixteenMoves, Some("CN100 12.3.3")),
        (Cn100, FiveMoves, Some("CN100 12.3.4")),
        (Cn64, ThirdRepetition, Some("CN64 12.3.1")),
        (Cn64, KingsOnly, Some("CN64 12.3.4.1")),
        (Cn64, FiveMoves, Some("CN64 12.3.4.2")),
        (Cn64, SixteenMoves, None),
        (Cbd, FiveMoves, None),
        (Fmjd64, ThirdRepetition, Some("FMJD-64 7.2.3")),
        (Fmjd64, ThreeKings, Some("FMJD-64 7.2.4")),
        (Fmjd64, KingsOnly, Some("FMJD-64 7.2.5")),
        (Fmjd64, FewPieces, Some("FMJD-64 7.2.6")),
        (Fmjd64, MainRoad, Some("FMJD-64 7.2.7")),
        (Fmjd64, FiveMoves, Some("FMJD-64 7.2.8")),
    ] {
        assert_eq!(rule.article(preset), article, "{preset} {rule}");
    }
}
