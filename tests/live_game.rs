//! The live loop against a replay: a whole game, played by simulated hands on noisy contacts, gives the
//! same events live as when its recording is read, and what is served afterwards is the game.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::sync::Arc;
use std::time::Duration;

use draughtsd::board_loop;
use draughtsd::feeds::board_feed::{BoardFeed, FrameKind};
use draughtsd::feeds::board_state::About;
use draughtsd::feeds::envelope::{Audience, EventId, Sequencer};
use draughtsd::feeds::game_record::Irregular;
use draughtsd::fixtures;
use draughtsd::journal::{Numbers, Published};
use draughtsd::playback::{Playback, Speed};
use draughtsd::session::publisher::Publisher;
use draughtsd::session::{NextGame, Session};
use draughtsd::simulator::{HandOptions, SimulatedGame, simulate};
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::notation::pdn;
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::TimedInput;
use serde_json::Value;
use tokio::sync::mpsc;

fn real_game() -> pdn::Game {
    pdn::Reader::new(fixtures::RUSSIAN.as_bytes()).next().unwrap().unwrap()
}

fn simulated(game: &pdn::Game) -> SimulatedGame {
    let moves: Vec<_> = game.moves.iter().map(|played| played.mv).collect();
    let options = HandOptions { noise: "1".parse().unwrap(), ..HandOptions::default() };
    simulate(&moves, &game.start, &options, 1)
}

/// Plays a game through the live loop; the clock of the test runtime skips the waiting.
async fn live(simulated: &SimulatedGame) -> Arc<BoardFeed> {
    let publisher =
        Publisher::after(Numbers::default(), Published::nowhere(), "1", Variant::Russian, Duration::ZERO);
    let feed = Arc::clone(publisher.public());
    let mut board = Playback::of(simulated.events.clone(), Speed::LIFE);
    let next = NextGame { header: simulated.header.clone(), about: About::default() };
    let mut session = Session::begin("1", next, publisher, None, &mut board).await.unwrap();
    let (_, mut requests) = mpsc::channel(1);
    board_loop::run(&mut board, &mut session, &mut requests, std::future::pending(), |_| {}).await;
    feed
}

/// The events of a replay, as the public sees them.
fn replayed(simulated: &SimulatedGame) -> Vec<Value> {
    let (mut game, begun) = Game::new(GameSetup::try_from(&simulated.header).unwrap());
    let mut effects = begun;
    for TimedInput { at, input } in simulated.events.clone() {
        effects.extend(game.handle(at, input));
    }
    let mut sequencer = Sequencer::new("1", "1", 0, Audience::Public);
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Publish(event) => sequencer.wrap(event, None),
            Effect::Clock(_) => None,
        })
        .map(|envelope| serde_json::to_value(envelope).unwrap())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_live_game_gives_the_events_of_its_replay() {
    let simulated = simulated(&real_game());
    let feed = live(&simulated).await;

    let expected = replayed(&simulated);
    let frames = feed.subscribe(Some(EventId { epoch: 0, seq: 1 })).backlog;
    let mut told: Vec<Value> =
        frames.iter().map(|frame| serde_json::from_str(&frame.data).unwrap()).collect();
    assert!(told.iter().all(|event| event["at"].is_string()));
    told.iter_mut().for_each(|event| event["at"] = Value::Null);
    assert!(frames.iter().all(|frame| frame.kind == FrameKind::Event));
    assert!(told.len() > 300, "{}", told.len());
    assert_eq!(told, expected[1..]);
}

#[tokio::test(start_paused = true)]
async fn the_pdn_served_afterwards_is_the_game_that_was_played() {
    let game = real_game();
    let feed = live(&simulated(&game)).await;
    let text = feed.pdn(Irregular::SetUp);
    let read = pdn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let moves = |game: &pdn::Game| game.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
    assert_eq!(moves(&read), moves(&game), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_live_game_takes_its_time() {
    let simulated = simulated(&real_game());
    let began = tokio::time::Instant::now();
    live(&simulated).await;
    let end = simulated.events.last().unwrap().at.millis();
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(end) && took < Duration::from_millis(end + 1000), "{took:?}");
}
