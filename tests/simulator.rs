//! What the simulated hands promise: reproducible traces, contacts that tell the position, and noise
//! that stays within the ranges that a reader has to bear.

use std::collections::BTreeMap;

use draughtsd::simulator::{
    HandOptions, Level, Noise, Outcome, Planned, SimulatedGame, Style, random_game, simulate,
};
use draughtsd_core::alert::{AlertCode, AlertState};
use draughtsd_core::geometry::far_row;
use draughtsd_core::moves::Move;
use draughtsd_core::notation::fen;
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockLink, Crowning, Header, Input, TimedInput};

/// A game of `variant` made up from `seed`.
fn game(variant: Variant, seed: u64, options: &HandOptions) -> SimulatedGame {
    let start = Position::start(variant);
    simulate(&random_game(&start, 120, seed), &start, options, seed)
}

/// Every board, style and a few seeds with `options` made by `with`.
fn all_games(with: impl Fn(Style) -> HandOptions) -> impl Iterator<Item = (Style, u64, SimulatedGame)> {
    Variant::ALL.into_iter().flat_map(move |variant| {
        let options = Style::ALL.map(|style| (style, with(style)));
        options.into_iter().flat_map(move |(style, options)| {
            (1..=3).map(move |seed| (style, seed, game(variant, seed, &options)))
        })
    })
}

fn styled(style: Style) -> HandOptions {
    HandOptions { style, ..HandOptions::default() }
}

fn noisy(noise: &str) -> HandOptions {
    HandOptions { noise: noise.parse().expect("a level of noise"), ..HandOptions::default() }
}

/// The changes of each square's contact, in order.
fn contacts(game: &SimulatedGame) -> BTreeMap<Square, Vec<(u64, bool)>> {
    let mut changes: BTreeMap<Square, Vec<(u64, bool)>> = BTreeMap::new();
    for event in &game.events {
        if let Input::Contact { square, closed } = event.input {
            changes.entry(square).or_default().push((event.at.millis(), closed));
        }
    }
    changes
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for style in Style::ALL {
        let options = HandOptions { noise: Noise::of(Level::FULL), gaps: 50, ..styled(style) };
        let traces = [1, 1, 2].map(|seed| game(Variant::Russian, seed, &options).trace());
        assert_eq!(traces[0], traces[1], "{style}");
        assert_ne!(traces[0], traces[2], "{style}");
    }
}

#[test]
fn traces_are_well_formed() {
    for crowning in [Crowning::Stack, Crowning::Reserve, Crowning::None] {
        let all = all_games(|style| HandOptions {
            noise: Noise::of(Level::from_hundredths(200)),
            crowning,
            gaps: 40,
            ..styled(style)
        });
        for (style, seed, game) in all {
            let text = game.trace();
            let mut lines = text.lines();
            assert_eq!(Header::parse(lines.next().unwrap()).unwrap(), game.header);
            let parsed: Vec<TimedInput> =
                lines.map(|line| TimedInput::parse(line, game.header.board).unwrap()).collect();
            assert_eq!(parsed, game.events, "{style} {seed}");
            assert!(parsed.is_sorted_by_key(|event| event.at), "{style} {seed}: time goes back");
            assert_eq!(parsed.last().unwrap().input, Input::End);
            let start = Position::start(game.header.board).occupied();
            for (square, changes) in contacts(&game) {
                let mut closed = start.contains(square);
                for (at, now) in changes {
                    assert_ne!(now, closed, "{style} {seed}: square {square} at {at} changes to what it was");
                    closed = now;
                }
            }
        }
    }
}

#[test]
fn without_noise_the_contacts_show_the_position_after_each_move() {
    for (style, seed, game) in all_games(styled).filter(|(style, _, _)| style.rests_between_moves()) {
        let mut position = Position::start(game.header.board);
        let mut shown = position.occupied();
        let mut events = game.events.iter().peekable();
        for record in &game.truth.moves {
            while let Some(event) = events.next_if(|event| event.at.millis() <= record.t1) {
                show(&mut shown, &event.input);
            }
            let captured: SquareSet = record.captures.iter().copied().collect();
            let legal = position.legal_moves();
            let played = |mv: &&Move| (mv.from, mv.to, mv.captured) == (record.from, record.to, captured);
            let mv = legal.iter().find(played).expect("the truth has legal moves");
            position = position.play(*mv);
            assert_eq!(shown, position.occupied(), "{style}, seed {seed}, ply {}", record.ply);
        }
        assert_eq!(game.truth.fen, position.fen());
    }
}

fn show(shown: &mut SquareSet, input: &Input) {
    match input {
        Input::Contact { square, closed: true } => *shown = shown.with(*square),
        Input::Contact { square, closed: false } => *shown = shown.without(*square),
        _ => {}
    }
}

/// A stack contact is closed exactly while a king stands on its square.
#[test]
fn stack_contacts_follow_the_kings() {
    let mut crownings = 0;
    for (style, seed, game) in all_games(styled) {
        let mut crowned = SquareSet::EMPTY;
        for event in &game.events {
            if let Input::Crown { square, closed } = event.input {
                crowned = if closed { crowned.with(square) } else { crowned.without(square) };
                crownings += 1;
            }
        }
        let end = fen::parse(&game.truth.fen, game.header.board).unwrap();
        let far_rows = Side::ALL.map(|side| far_row(side, game.header.board));
        let expected = SquareSet::from_bits(end.kings.bits() & (far_rows[0] | far_rows[1]).bits());
        assert_eq!(crowned, expected, "{style} {seed}");
    }
    assert!(crownings > 100);
}

/// How long a contact of the noisy game differs from that of the clean one, and what goes before:
/// (from, to, what the clean contact reads, when it last changed).
fn disturbances(noise: &str) -> Vec<(u64, u64, bool, u64)> {
    let mut found = Vec::new();
    for variant in Variant::ALL {
        for seed in 1..=6 {
            let clean = game(variant, seed, &noisy("0"));
            let noisy = game(variant, seed, &noisy(noise));
            let start = Position::start(variant).occupied();
            let (clean, noisy) = (contacts(&clean), contacts(&noisy));
            for square in SquareSet::all(variant) {
                let initially = start.contains(square);
                let none = Vec::new();
                let clean = clean.get(&square).unwrap_or(&none);
                let noisy = noisy.get(&square).unwrap_or(&none);
                found.extend(differences(initially, clean, noisy));
            }
        }
    }
    assert!(found.len() > 30, "{noise} does next to nothing: {}", found.len());
    found
}

fn differences(initially: bool, clean: &[(u64, bool)], noisy: &[(u64, bool)]) -> Vec<(u64, u64, bool, u64)> {
    let read = |changes: &[(u64, bool)], at: u64| {
        let last = changes.iter().rfind(|change| change.0 <= at);
        last.map_or((initially, 0), |change| (change.1, change.0))
    };
    let mut times: Vec<u64> = clean.iter().chain(noisy).map(|change| change.0).collect();
    times.sort_unstable();
    times.dedup();
    let mut found = Vec::new();
    let mut since = None;
    for at in times {
        let ((ideal, changed), (real, _)) = (read(clean, at), read(noisy, at));
        match (since, ideal != real) {
            (None, true) => since = Some((at, ideal, changed)),
            (Some((from, ideal, changed)), false) => {
                found.push((from, at, ideal, changed));
                since = None;
            }
            _ => {}
        }
    }
    assert!(since.is_none(), "a disturbance never ends");
    found
}

#[test]
fn bounce_lasts_at_most_5_ms_after_a_change() {
    for (from, to, _, changed) in disturbances("bounce=1") {
        assert!(to - changed <= 5, "{from} to {to} after {changed}");
    }
}

#[test]
fn off_centre_landings_flicker_for_at_most_a_second_open_for_at_most_120_ms() {
    for (from, to, closed, landed) in disturbances("flicker=1") {
        assert!(closed, "only closed contacts flicker");
        assert!(to - from <= 120, "open from {from} to {to}");
        assert!(to - landed <= 1000, "still flickering {} ms after the landing", to - landed);
    }
}

#[test]
fn dropouts_and_nudges_last_at_most_250_ms() {
    for noise in ["dropout=1", "nudge=1"] {
        for (from, to, closed, _) in disturbances(noise) {
            assert!(closed, "{noise}: only discs that stand drop out");
            assert!(to - from <= 250, "{noise}: open from {from} to {to}");
        }
    }
}

#[test]
fn levels_above_one_go_beyond_the_limits() {
    assert!(disturbances("dropout=2").iter().any(|(from, to, ..)| to - from > 250));
    assert!(disturbances("flicker=2").iter().any(|(from, to, ..)| to - from > 120));
}

/// Closures and openings of a contact that begin and end within the game: (closed, how long).
fn spells(game: &SimulatedGame) -> Vec<(bool, u64)> {
    let contacts = contacts(game);
    let pairs = contacts.values().flat_map(|changes| changes.windows(2));
    pairs.map(|pair| (pair[0].1, pair[1].0 - pair[0].0)).collect()
}

#[test]
fn low_passes_close_for_at_most_100_ms_and_landings_for_at_least_150() {
    let mut passes = 0;
    for (style, seed, game) in
        all_games(|style| HandOptions { noise: "pass=1".parse().unwrap(), ..styled(style) })
    {
        for (closed, lasts) in spells(&game) {
            if closed {
                assert!(lasts <= 100 || lasts >= 150, "{style} {seed}: closed for {lasts} ms");
                passes += usize::from(lasts <= 100);
            }
        }
    }
    assert!(passes > 1000);
}

#[test]
fn a_disc_lifted_on_purpose_is_off_for_at_least_400_ms() {
    for (style, seed, game) in all_games(styled) {
        for (closed, lasts) in spells(&game) {
            assert!(closed || lasts >= 400, "{style} {seed}: open for {lasts} ms");
        }
    }
}

/// The same without closures too short to be a landing.
fn without_passes(mut contacts: BTreeMap<Square, Vec<(u64, bool)>>) -> BTreeMap<Square, Vec<(u64, bool)>> {
    for changes in contacts.values_mut() {
        let short: Vec<usize> = (1..changes.len())
            .filter(|&i| changes[i - 1].1 && changes[i].0 - changes[i - 1].0 <= 100)
            .flat_map(|i| [i - 1, i])
            .collect();
        let kept = changes.iter().enumerate().filter(|(index, _)| !short.contains(index));
        *changes = kept.map(|(_, change)| *change).collect();
    }
    contacts
}

#[test]
fn the_last_captured_disc_is_off_within_1500_ms_of_the_reply() {
    let mut overlaps = 0;
    for (style, seed, game) in all_games(styled) {
        let contacts = without_passes(contacts(&game));
        let moves = &game.truth.moves;
        for (index, pair) in moves.windows(2).enumerate() {
            let [capture, reply] = pair else { continue };
            let before = index.checked_sub(1).map_or(0, |i| moves[i].t1);
            let off = capture.captures.iter().filter_map(|square| {
                let changes = contacts.get(square)?;
                changes.iter().rfind(|(at, closed)| !closed && *at > before && *at <= reply.t1)
            });
            let Some(off) = off.map(|change| change.0).max() else { continue };
            let rested = contacts[&reply.to].iter().rfind(|(at, closed)| *closed && *at <= reply.t1);
            let Some((rested, _)) = rested else { continue };
            overlaps += usize::from(off > *rested);
            assert!(off <= rested + 1500, "{style} {seed} ply {}: {off} after {rested}", capture.ply);
        }
    }
    assert!(overlaps > 10, "hands hardly ever overlap: {overlaps}");
}

#[test]
fn without_a_linked_clock_nobody_presses() {
    let options = HandOptions { clock: ClockLink::None, ..HandOptions::default() };
    let game = game(Variant::International, 1, &options);
    assert!(!game.truth.clock);
    assert!(!game.events.iter().any(|event| matches!(event.input, Input::Press { .. })));
}

#[test]
fn presses_alternate_where_none_is_forgotten() {
    for (style, seed, game) in all_games(styled) {
        let presses: Vec<Side> = game
            .events
            .iter()
            .filter_map(|event| match event.input {
                Input::Press { side } => Some(side),
                _ => None,
            })
            .collect();
        if matches!(style, Style::Book | Style::Direct | Style::Pairs | Style::Slow | Style::Parked) {
            assert_eq!(presses.len(), game.truth.moves.len(), "{style} {seed}");
        }
        assert!(presses.len() <= game.truth.moves.len());
    }
}

/// A lost stretch shows two contacts or more changing at once, and nothing before it.
#[test]
fn lost_stretches_arrive_at_once() {
    let mut stretches = 0;
    for (style, seed, game) in all_games(|style| HandOptions { gaps: 150, ..styled(style) }) {
        let at_once = game.events.chunk_by(|a, b| a.at == b.at).filter(|chunk| {
            chunk.iter().filter(|event| matches!(event.input, Input::Contact { .. })).count() > 1
        });
        stretches += at_once.count();
        let end = fen::parse(&game.truth.fen, game.header.board).unwrap();
        let mut shown = Position::start(game.header.board).occupied();
        game.events.iter().for_each(|event| show(&mut shown, &event.input));
        assert_eq!(shown, end.white | end.black, "{style} {seed}");
    }
    assert!(stretches > 100);
}

#[test]
fn a_game_may_start_anywhere() {
    let fen = "W:WK3,31,32:BK46,7,8";
    let start = fen::parse_position(fen, Variant::International).unwrap();
    let simulated = simulate(&random_game(&start, 60, 5), &start, &HandOptions::default(), 5);
    let written = simulated.header.start.as_deref().unwrap();
    assert_eq!(fen::parse_position(written, Variant::International), Ok(start));
    assert!(!simulated.truth.moves.is_empty());
}

#[test]
fn what_is_not_legal_is_not_played() {
    let start = Position::start(Variant::Brazilian);
    let mut moves = random_game(&start, 10, 1);
    moves[6] = moves[0];
    let simulated = simulate(&moves, &start, &HandOptions::default(), 1);
    assert_eq!(simulated.truth.moves.len(), 6);
}

#[test]
fn made_up_games_have_captures_promotions_and_ends() {
    let (mut captures, mut promotions, mut ends) = (0, 0, 0);
    for variant in Variant::ALL {
        for seed in 1..=20 {
            let start = Position::start(variant);
            let moves = random_game(&start, 300, seed);
            captures += moves.iter().filter(|mv| mv.is_capture()).count();
            promotions += moves.iter().filter(|mv| mv.promotes).count();
            let end = moves.iter().fold(start, |at, mv| at.play(*mv));
            ends += usize::from(end.ending().is_some());
        }
    }
    assert!(captures > 500 && promotions > 60 && ends > 20, "{captures} {promotions} {ends}");
}

/// Games with one irregular act of a kind, until it was planted a few times.
fn games_with(act: Planned, noise: &str) -> Vec<SimulatedGame> {
    let mut found = Vec::new();
    for seed in 1..=400 {
        for variant in Variant::ALL {
            let options = HandOptions { plan: vec![act], ..noisy(noise) };
            let simulated = game(variant, seed, &options);
            if simulated.truth.alerts.iter().any(|alert| alert.code == act.code) {
                found.push(simulated);
            }
        }
        if found.len() >= 3 {
            break;
        }
    }
    found
}

#[test]
fn every_irregular_act_can_be_planted() {
    for act in Planned::all() {
        for noise in ["0", "1"] {
            let games = games_with(act, noise);
            assert!(!games.is_empty(), "{act} was never planted");
            for game in games {
                check_irregular(&game, act);
            }
        }
    }
}

/// The truth of a game with irregular acts agrees with itself and with the contacts.
#[track_caller]
fn check_irregular(game: &SimulatedGame, act: Planned) {
    let at = format!("{act}, {} seed {}", game.truth.board, game.truth.seed);
    let alert = game.truth.alerts.iter().find(|alert| alert.code == act.code).expect("it was planted");
    let end = fen::parse(&game.truth.fen, game.header.board).expect("a FEN");
    let mut shown = game.header.closed.unwrap_or(Position::start(game.header.board).occupied());
    game.events.iter().for_each(|event| show(&mut shown, &event.input));
    assert_eq!(shown, end.white | end.black, "{at}: the contacts end elsewhere");
    match (act.outcome, alert.state) {
        (Outcome::Corrected, Some(AlertState::Corrected | AlertState::Accepted)) => {}
        (Outcome::Accepted, Some(AlertState::Accepted | AlertState::Open) | None) => {}
        (outcome, state) => panic!("{at}: planned {outcome:?}, became {state:?}"),
    }
    assert!(game.truth.moves.is_sorted_by_key(|mv| mv.t1), "{at}: moves are complete in order");
    let irregular: Vec<u32> =
        game.truth.moves.iter().filter(|mv| mv.irregular == Some(true)).map(|mv| mv.ply).collect();
    let stands = act.outcome == Outcome::Accepted;
    let changes_the_position = matches!(
        act.code,
        AlertCode::MovedTwice
            | AlertCode::IllegalMove
            | AlertCode::MovedOpponentPiece
            | AlertCode::CaptureMissed
            | AlertCode::WrongCaptureCount
            | AlertCode::CaptureStoppedShort
            | AlertCode::LeftCapturedPiece
            | AlertCode::RemovedUnjumpedPiece
            | AlertCode::RemovedOwnPiece
            | AlertCode::MovedUncrownedKing
    );
    let expected = if stands && changes_the_position { vec![alert.ply] } else { Vec::new() };
    assert_eq!(irregular, expected, "{at}");
    check_moves(game, &at);
}

/// Moves that are not irregular are legal where they are made.
#[track_caller]
fn check_moves(game: &SimulatedGame, at: &str) {
    let mut position = Position::start(game.header.board);
    for record in &game.truth.moves {
        let captured: SquareSet = record.captures.iter().copied().collect();
        let same = |mv: &Move| (mv.from, mv.to, mv.captured) == (record.from, record.to, captured);
        if record.irregular == Some(true) {
            // What stands afterwards is told by the moves that follow and by the FEN at the end.
            return;
        }
        let legal = position.legal_moves().into_iter().find(same);
        let Some(mv) = legal else { panic!("{at}: ply {} is not legal in {}", record.ply, position.fen()) };
        position = position.play(mv);
    }
    assert_eq!(position.fen(), game.truth.fen, "{at}");
}

#[test]
fn games_full_of_irregular_acts_hold_together() {
    let mut acts = 0;
    for (style, seed, game) in all_games(|style| HandOptions {
        plan: Planned::at_random(120, 4, 1),
        noise: Noise::of(Level::FULL),
        ..styled(style)
    }) {
        acts += game.truth.alerts.len();
        let end = fen::parse(&game.truth.fen, game.header.board).expect("a FEN");
        let mut shown = Position::start(game.header.board).occupied();
        game.events.iter().for_each(|event| show(&mut shown, &event.input));
        assert_eq!(shown, end.white | end.black, "{style} {seed}");
        for (square, changes) in contacts(&game) {
            let alternates = changes.windows(2).all(|pair| pair[0].1 != pair[1].1);
            assert!(alternates, "{style} {seed}: square {square}");
        }
    }
    assert!(acts > 500, "{acts}");
}
