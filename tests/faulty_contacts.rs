//! Games carried out by simulated hands over a contact that is faulty: what is read is right, or the arbiter is told that
//! it may not be. A wrong move that nobody is told of is the one thing that must not be.

use draughtsd::simulator::{Fault, HandOptions, SimulatedGame, Style, random_game, simulate};
use draughtsd_core::alert::Grade;
use draughtsd_core::event::EventBody;
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;

use Variant::{Brazilian, International, Russian};

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Every move is right.
    Exact,
    /// The moves are right up to a doubt that was told and lasts.
    Unclear,
    /// An irregular act was told that there was none of: the arbiter looks.
    Alerted,
    /// None of these.
    WrongInSilence,
}

fn simulated(variant: Variant, seed: u64, style: Style, fault: &str) -> SimulatedGame {
    let fault: Fault = fault.parse().expect("a fault");
    let options = HandOptions {
        style,
        noise: "0.5".parse().expect("a level of noise"),
        faults: vec![fault],
        ..HandOptions::default()
    };
    let start = Position::start(variant);
    simulate(&random_game(&start, 70, seed), &start, &options, seed)
}

fn outcome(simulated: &SimulatedGame) -> Outcome {
    let setup = GameSetup::try_from(&simulated.header).expect("a header of our own");
    let (mut game, _) = Game::new(setup);
    let mut in_doubt = false;
    for timed in &simulated.events {
        for effect in game.handle(timed.at, timed.input.clone()) {
            let Effect::Publish(event) = effect else { continue };
            match event.body {
                EventBody::Unclear { .. } => in_doubt = true,
                EventBody::Cleared => in_doubt = false,
                _ => {}
            }
        }
    }
    let summary = game.summary();
    let sorted = |captures: &[Square]| {
        let mut captures = captures.to_vec();
        captures.sort();
        captures
    };
    let read = summary.moves.iter().map(|mv| (mv.from, mv.to, sorted(&mv.captures)));
    let made = simulated.truth.moves.iter().map(|mv| (mv.from, mv.to, sorted(&mv.captures)));
    let (count, all) = (read.len(), made.len());
    let right = count <= all && read.zip(made).all(|(read, made)| read == made);
    if right && count == all {
        Outcome::Exact
    } else if right && in_doubt {
        Outcome::Unclear
    } else if summary.alerts.iter().any(|alert| alert.grade != Grade::Note) {
        Outcome::Alerted
    } else {
        Outcome::WrongInSilence
    }
}

#[track_caller]
fn check(variant: Variant, seed: u64, style: Style, fault: &str, expected: Outcome) {
    assert_eq!(outcome(&simulated(variant, seed, style, fault)), expected);
}

/// Half the board may lie in the shadows of a missing diode, and for much of what happened there are as many
/// explanations as there are orders.
#[test]
fn no_missing_diode_lets_a_wrong_move_stand_in_silence() {
    let games = [
        (Brazilian, 7122, Style::Pairs, 16),
        (Brazilian, 7124, Style::Slow, 15),
        (Brazilian, 7188, Style::Parked, 25),
        (International, 7120, Style::Book, 3),
        (International, 7181, Style::Direct, 2),
        (International, 7185, Style::Sloppy, 1),
        (Russian, 7137, Style::BothHands, 25),
        (Russian, 7154, Style::Slow, 3),
        (Russian, 7168, Style::Parked, 1),
        (Russian, 7178, Style::Parked, 2),
    ];
    for (variant, seed, style, number) in games {
        let game = simulated(variant, seed, style, &format!("missing-diode:{number}"));
        assert_ne!(
            outcome(&game),
            Outcome::WrongInSilence,
            "{variant}, seed {seed}, {style}, diode {number}"
        );
    }
}

#[test]
fn moves_from_a_faulty_contact_after_a_slide() {
    check(Russian, 7120, Style::Book, "stuck-open:8", Outcome::Exact);
    check(International, 7105, Style::Sloppy, "stuck-closed:9", Outcome::Exact);
    check(Russian, 7128, Style::Parked, "dead:27@25000", Outcome::Exact);
    check(International, 7105, Style::Sloppy, "chattering:9@44000", Outcome::Exact);
}
