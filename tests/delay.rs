//! The public delay: what spectators are served is the board as it was so many minutes ago, results and clocks included,
//! by whichever path they ask, and also after a restart. Time is that of the test's runtime: nobody waits.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use daemon::{Daemon, Heard, draughtsd, folder, listen, simulated};
use draughtsd::board_loop;
use draughtsd::feeds::board_feed::{BoardFeed, Frame, FrameKind};
use draughtsd::feeds::board_state::About;
use draughtsd::feeds::http::{Feeds, Limits, app};
use draughtsd::feeds::wall_time::WallTime;
use draughtsd::journal::archive::StoredGame;
use draughtsd::journal::{Entry, Kind, LetOut, NewGame, Numbers, Outage, Published};
use draughtsd::playback::{AtEnd, Playback, Script, Speed};
use draughtsd::session::delay::Past;
use draughtsd::session::publisher::Publisher;
use draughtsd::session::{NextGame, Session};
use draughtsd::staged_game::StagedGame;
use draughtsd::stored_game::event_to_text;
use draughtsd_core::event::{EndReason, Event, EventBody};
use draughtsd_core::moment::Moment;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{GameResult, Header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, advance, sleep};
use tower::ServiceExt as _;

const DELAY: Duration = Duration::from_secs(15 * 60);

fn publisher(delay: Duration) -> Publisher {
    let numbers = Numbers { epoch: 5, ..Numbers::default() };
    Publisher::after(numbers, Published::nowhere(), "1", Variant::Russian, delay)
}

fn event(t: u64, body: EventBody) -> Event {
    Event { t: Moment::from_millis(t), body }
}

fn contact(t: u64, square: u8, closed: bool) -> Event {
    event(t, EventBody::Contact { square: Square::new(square).unwrap(), closed })
}

fn result(t: u64) -> Event {
    event(t, EventBody::Result { result: GameResult::WhiteWins, reason: EndReason::Arbiter })
}

/// Notes when each frame comes, until the feed is gone.
fn note_arrivals(feed: &BoardFeed) -> mpsc::UnboundedReceiver<(Instant, Frame)> {
    let mut live = feed.subscribe(None).live;
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok(frame) = live.recv().await {
            let _ = sender.send((Instant::now(), frame));
        }
    });
    receiver
}

/// The events that have come, without their numbers, and when. Those of the arbiter alone are left out.
fn events(arrivals: &mut mpsc::UnboundedReceiver<(Instant, Frame)>) -> Vec<(Instant, Value)> {
    const FOR_THE_ARBITER: [&str; 6] = ["button", "alert", "draw", "time-mark", "clock-set", "unclear"];
    let mut events = Vec::new();
    while let Ok((at, frame)) = arrivals.try_recv() {
        let mut event: Value = serde_json::from_str(&frame.data).unwrap();
        let kind = event["kind"].as_str().unwrap_or_default();
        if frame.kind == FrameKind::Event && !FOR_THE_ARBITER.contains(&kind) {
            for key in ["seq", "irregular", "certainty"] {
                event.as_object_mut().unwrap().remove(key);
            }
            events.push((at, event));
        }
    }
    events
}

/// What a path of the public server gives.
async fn served(feeds: &Arc<Feeds>, path: &str) -> String {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = app(Arc::clone(feeds)).oneshot(request).await.unwrap();
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_whole_game_reaches_the_public_as_it_was_and_not_before_its_time() {
    let staged = StagedGame::built_in(Variant::Russian, 1).unwrap();
    let length = Duration::from_millis(staged.inputs.last().unwrap().at.millis());
    assert!(length < DELAY);
    let mut script = Some(Script { inputs: staged.inputs, at_end: AtEnd::Stand });
    let mut board = Playback::new(Box::new(move |_| script.take()), None, Speed::LIFE);
    let publisher = publisher(DELAY);
    let (public, arbiter) = (Arc::clone(publisher.public()), Arc::clone(publisher.arbiter()));
    let (mut told_public, mut told_arbiter) = (note_arrivals(&public), note_arrivals(&arbiter));
    let next = NextGame { header: staged.header, about: staged.about };
    let mut session = Session::begin("1", next, publisher, None, &mut board).await.unwrap();
    let running = tokio::spawn(async move {
        let (_, mut requests) = mpsc::channel(1);
        board_loop::run(&mut board, &mut session, &mut requests, std::future::pending(), |_| {}).await;
    });

    // The game is over, and nobody outside knows that it has begun.
    sleep(length + Duration::from_secs(60)).await;
    assert_eq!(arbiter.look(|state| state.moves().len()), 79);
    let feeds = Feeds::new(vec![("1".to_owned(), Arc::clone(&public))], Limits::default());
    for path in
        ["/api/v1/game", "/api/v1/boards/1/game", "/games.pdn", "/relay.pdn", "/api/v1/boards", "/healthz"]
    {
        let said = served(&feeds, path).await;
        for secret in ["final", "result\":\"", "[Result", "22-18", "running", "white_ms", "Surname"] {
            assert!(!said.contains(secret), "{path}: {said}");
        }
    }
    assert_eq!(events(&mut told_public), []);

    // In the middle of it: moves as of then, the clock as of then, no result.
    sleep(DELAY - length - Duration::from_secs(60) + length / 2).await;
    let snapshot: Value = serde_json::from_str(&served(&feeds, "/api/v1/game").await).unwrap();
    let moves = snapshot["moves"].as_array().unwrap().len();
    assert!((10..70).contains(&moves), "{moves}");
    assert_eq!((&snapshot["phase"], &snapshot["ending"]), (&"playing".into(), &Value::Null));
    assert!(snapshot["clock"]["running"].is_string(), "{snapshot}");
    assert_eq!(snapshot["delay_s"], 900);
    let now: Value = serde_json::from_str(&arbiter.snapshot().data).unwrap();
    assert_eq!(now["phase"], "ended");
    let served_at = |snapshot: &Value| snapshot["served_at"].as_str().unwrap().to_owned();
    assert!(served_at(&snapshot) < served_at(&now), "the clock is read as of then");
    let pdn = served(&feeds, "/games.pdn").await;
    assert!(pdn.trim_end().ends_with('*') && !pdn.contains("2-0"), "{pdn}");

    sleep(length).await;
    running.abort();
    let (public, arbiter) = (events(&mut told_public), events(&mut told_arbiter));
    assert!(public.len() > 300, "{}", public.len());
    assert_eq!(public.len(), arbiter.len());
    for ((late, event), (early, as_it_was)) in public.iter().zip(&arbiter) {
        assert_eq!(event, as_it_was);
        let behind = late.duration_since(*early);
        // The runtime's clock goes in milliseconds.
        assert!(behind >= DELAY && behind <= DELAY + Duration::from_millis(2), "{behind:?}: {event}");
    }
}

#[tokio::test(start_paused = true)]
async fn names_and_the_next_game_wait_like_everything_else() {
    let mut publisher = publisher(DELAY);
    let shown = |publisher: &Publisher| {
        let snapshot: Value = serde_json::from_str(&publisher.public().snapshot().data).unwrap();
        (snapshot["game"].as_str().unwrap().to_owned(), snapshot["about"]["white"].clone())
    };
    publisher.begin_game(1, Variant::Russian, &About::default());
    advance(Duration::from_secs(1)).await;
    publisher.set_about(&About { white: Some("A".into()), ..About::default() });
    publisher.offer(result(5), WallTime::now(), None);
    advance(Duration::from_secs(1)).await;
    publisher.begin_game(2, Variant::Russian, &About::default());
    assert_eq!(publisher.delayed(), 4);
    // The game was begun 2 s ago, the names were entered 1 s ago.
    let mut seen = Vec::new();
    for wait in [897, 1, 1, 1] {
        advance(Duration::from_secs(wait)).await;
        publisher.tell_what_is_due();
        let (game, white) = shown(&publisher);
        seen.push((game, white.as_str().map(str::to_owned), publisher.public().last().seq));
    }
    let expected = [("0", None, 0), ("1", None, 0), ("1", Some("A"), 1), ("2", None, 1)];
    let expected = expected.map(|(game, white, seq)| (game.to_owned(), white.map(str::to_owned), seq));
    assert_eq!(seen, expected);
    assert_eq!((publisher.delayed(), publisher.next_for_the_public()), (0, None));
}

/// A stored game whose entries came one a second.
fn stored(number: u64, began_at: u64, events: &[Event]) -> (StoredGame, Vec<Entry>) {
    let header = Header::new(Variant::Russian).to_line();
    let about =
        serde_json::to_string(&About { round: Some(number.to_string()), ..About::default() }).unwrap();
    let at = WallTime::from_unix_ms;
    let game = NewGame { board: "1".to_owned(), header, about, began_at: at(began_at) };
    let mut entries = Vec::new();
    for event in events {
        let reached = event.t.millis().to_string();
        entries.push(Entry { kind: Kind::Reached, at: at(began_at + event.t.millis()), body: reached });
        let body = event_to_text(event);
        entries.push(Entry { kind: Kind::Event, at: at(began_at + event.t.millis()), body });
    }
    (StoredGame { number, game, ended_at: None, last_hash: None }, entries)
}

/// What the public is shown after a restart at once, and then after each wait in seconds: game and number of contacts
/// that are closed.
async fn shown(
    games: Vec<(StoredGame, Vec<Entry>)>,
    let_out: Option<LetOut>,
    outage: Outage,
    waits: &[u64],
) -> Vec<(String, usize)> {
    let games = games.into_iter().rev().map(Ok::<_, ()>);
    let mut publisher = publisher(DELAY);
    publisher.go_on(Past::of(games, DELAY, let_out, outage).unwrap());
    let began = Instant::now();
    let mut shown = Vec::new();
    for wait in [&[0], waits].concat() {
        advance((began + Duration::from_secs(wait)).duration_since(Instant::now())).await;
        publisher.tell_what_is_due();
        let snapshot: Value = serde_json::from_str(&publisher.public().snapshot().data).unwrap();
        let contacts = snapshot["contacts"].as_array().unwrap().len();
        shown.push((snapshot["game"].as_str().unwrap().to_owned(), contacts));
    }
    shown
}

fn is(shown: &[(String, usize)], expected: &[(&str, usize)]) {
    let shown: Vec<(&str, usize)> = shown.iter().map(|(game, contacts)| (game.as_str(), *contacts)).collect();
    assert_eq!(shown, expected);
}

/// Contacts that close at these seconds of the game.
fn closing(seconds: &[u64]) -> Vec<Event> {
    (1..).zip(seconds).map(|(square, second)| contact(second * 1000, square, true)).collect()
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_everything_still_waits_its_time() {
    // The last entry is at 2000 s of the game; what was told at 1300 s has waited 700 s then.
    let game = || vec![stored(4, 0, &closing(&[0, 1000, 1300, 2000]))];
    // The mark from which an outage is counted may be 10 s older than the last entry.
    let known = Outage::Known(110_000);
    // 100 s later: 1000 s of the game is 1100 s ago, 1300 s is 800 s ago.
    is(
        &shown(game(), None, known, &[99, 101, 799, 801]).await,
        &[("4", 2), ("4", 2), ("4", 3), ("4", 3), ("4", 4)],
    );
    // For how long is not known: it may have been no time at all.
    is(&shown(game(), None, Outage::Unknown, &[199, 201]).await, &[("4", 2), ("4", 2), ("4", 3)]);
    // What had come through is not taken back.
    let let_out = Some(LetOut { game: 4, events: 3 });
    is(&shown(game(), let_out, Outage::Unknown, &[899, 901]).await, &[("4", 3), ("4", 3), ("4", 4)]);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_was_set_lets_nothing_through_early() {
    let mut game = vec![stored(4, 0, &closing(&[0, 60, 120]))];
    // Between the second and the third, the calendar was put on by half a century.
    for entry in game[0].1.iter_mut().skip(4) {
        entry.at = WallTime::from_unix_ms(entry.at.unix_ms() + 50 * 365 * 86_400_000);
    }
    is(&shown(game.clone(), None, Outage::Known(0), &[779, 781]).await, &[("0", 0), ("0", 0), ("4", 1)]);
    // A time line that runs faster than life, as that of a simulated board does: the calendar counts.
    for (entry, second) in game[0].1.iter_mut().zip([0, 0, 1, 1, 2, 2]) {
        entry.at = WallTime::from_unix_ms(1000 * second);
    }
    is(
        &shown(game, None, Outage::Known(0), &[897, 899, 901]).await,
        &[("0", 0), ("0", 0), ("4", 2), ("4", 3)],
    );
}

#[tokio::test(start_paused = true)]
async fn names_that_were_entered_in_a_pause_are_no_older_than_what_came_after_them() {
    let (game, mut entries) = stored(4, 0, &closing(&[0, 800]));
    let about = About { white: Some("A".into()), ..About::default() };
    let body = serde_json::to_string(&about).unwrap();
    // 10 s before the second contact, by a calendar that may have been set; the first was 800 s before it.
    entries.insert(2, Entry { kind: Kind::About, at: WallTime::from_unix_ms(790_000), body: body.clone() });
    // And once more after it.
    entries.push(Entry { kind: Kind::About, at: WallTime::from_unix_ms(9_000_000), body });
    let mut publisher = publisher(DELAY);
    let games = [Ok::<_, ()>((game, entries))].into_iter();
    publisher.go_on(Past::of(games, DELAY, None, Outage::Known(60_000)).unwrap());
    let mut seen = Vec::new();
    for wait in [51, 798, 2] {
        advance(Duration::from_secs(wait)).await;
        publisher.tell_what_is_due();
        let snapshot: Value = serde_json::from_str(&publisher.public().snapshot().data).unwrap();
        seen.push((snapshot["contacts"].as_array().unwrap().len(), snapshot["about"]["white"].clone()));
    }
    assert_eq!(seen, [(1, Value::Null), (1, Value::Null), (2, "A".into())]);
}

#[tokio::test(start_paused = true)]
async fn the_game_before_is_shown_to_its_end_although_the_next_was_under_way() {
    let games = || vec![stored(3, 0, &closing(&[0, 600, 1200])), stored(4, 1_300_000, &closing(&[0, 300]))];
    // The pause between the games counts for nothing, since only the calendar knows of it. The end of the third game was
    // 300 s ago at least, its middle 900 s.
    let seen = shown(games(), None, Outage::Known(0), &[599, 601, 901]).await;
    is(&seen, &[("3", 2), ("3", 2), ("4", 1), ("4", 2)]);
    let let_out = Some(LetOut { game: 4, events: 0 });
    is(&shown(games(), let_out, Outage::Unknown, &[599, 601]).await, &[("4", 0), ("4", 0), ("4", 1)]);
}

#[tokio::test(start_paused = true)]
async fn a_contact_without_rest_does_not_fill_memory() {
    let mut publisher = publisher(DELAY);
    publisher.begin_game(1, Variant::Russian, &About::default());
    publisher.offer(contact(1, 7, true), WallTime::now(), None);
    for t in 0..300_000 {
        publisher.offer(contact(t, 5, t % 2 == 0), WallTime::now(), None);
    }
    publisher.offer(result(300_000), WallTime::now(), None);
    assert!(publisher.delayed() < 150_000, "{}", publisher.delayed());
    advance(DELAY).await;
    publisher.tell_what_is_due();
    let snapshot: Value = serde_json::from_str(&publisher.public().snapshot().data).unwrap();
    assert_eq!(snapshot["contacts"], serde_json::json!([7]));
    assert_eq!(snapshot["phase"], "ended");
}

#[test]
fn nothing_undelayed_is_public_not_even_after_a_kill() {
    killed_and_started_again("delay", |_| {});
}

#[test]
fn nothing_undelayed_is_public_where_the_numbers_of_the_feeds_are_lost() {
    killed_and_started_again("delay-lost", |published| std::fs::remove_file(published).unwrap());
}

#[test]
fn nothing_undelayed_is_public_where_the_numbers_of_the_feeds_are_old() {
    killed_and_started_again("delay-old", |published| {
        // What it says of the machine is right; it was written when the machine had just been started.
        let text = std::fs::read_to_string(published).unwrap();
        let mut words: Vec<&str> = text.split_whitespace().collect();
        words[4] = "00000000000000000000";
        std::fs::write(published, format!("{}\n", words.join(" "))).unwrap();
    });
}

/// Kills a delayed board twice and does something to the file with its numbers; nothing may become public.
fn killed_and_started_again(name: &str, mut between: impl FnMut(&Path)) {
    let folder = folder(name);
    let config =
        simulated("russian", 100, "end-after = 1\n").replace("[private]", "delay-min = 60\n[private]");
    let heard = Heard::default();
    let mut listeners = Vec::new();
    for run in 0..3 {
        let mut daemon = Daemon::start(&folder, &config);
        listeners.push(listen(&daemon.public, &heard));
        let wanted = [3, 8, 79][run];
        let began = std::time::Instant::now();
        while daemon.arbiter_snapshot()["moves"].as_array().unwrap().len() < wanted {
            assert!(began.elapsed() < daemon::PATIENCE, "{}", daemon.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        let snapshot = daemon.snapshot();
        assert_eq!((&snapshot["moves"], &snapshot["clock"]), (&serde_json::json!([]), &Value::Null));
        assert_eq!(snapshot["ending"], Value::Null);
        assert!(!daemon.get(&daemon.public, "/games.pdn").contains("1."));
        let status: Value = serde_json::from_slice(&daemon.ctl(&["status"]).stdout).unwrap();
        assert!(status["feeds"]["public"]["delayed"].as_u64().unwrap() > 10, "{status}");
        if run == 2 {
            assert_eq!(daemon.stop(), 0, "{}", daemon.log());
        } else {
            daemon.kill();
            between(&folder.join("draughtsd.db-published"));
        }
    }
    listeners.into_iter().for_each(|listener| listener.join().unwrap());
    let heard = heard.lock().unwrap();
    assert!(heard.iter().all(|event| event["kind"] == "snapshot"), "{heard:?}");
    assert!(draughtsd(&folder, &["games", "verify"]).status.success());
}
