//! The daemon killed at random moments of simulated games, with `kill -9`: nothing that was published as final is
//! lost or changed, the feeds' numbers go on, and every game ends as it was played.
//!
//! `DRAUGHTSD_KILLS` says how often (12 if it is not set), `DRAUGHTSD_SEED` at which moments.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use daemon::{Chance, Daemon, Heard, folder, listen, simulated};
use draughtsd::journal::archive::{Archive, Verdict};
use draughtsd::staged_game;
use draughtsd::stored_game::rerun;
use draughtsd_core::event::MoveStatus;
use draughtsd_core::rules::Variant;
use serde_json::Value;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What was published as final and not withdrawn, by game and ply.
type Finals = BTreeMap<(String, u64), String>;

/// Goes through everything that an audience heard, over all runs.
fn follow(heard: &Heard, audience: &str) -> Finals {
    let mut finals = Finals::new();
    let mut last: Option<(u64, u64)> = None;
    for event in heard.lock().unwrap().iter() {
        let number = |key: &str| event[key].as_u64().unwrap();
        let game = event["game"].as_str().unwrap().to_owned();
        let id = (number("epoch"), number("seq"));
        let is_snapshot = event["kind"] == "snapshot";
        if let Some((epoch, seq)) = last {
            assert_eq!(id.0, epoch, "{audience}: the same boot is the same epoch");
            if is_snapshot {
                assert!(id.1 >= seq, "{audience}: {id:?} after {seq}");
            } else {
                assert_eq!(id.1, seq + 1, "{audience}: {event}");
            }
        }
        last = Some(id);
        match event["kind"].as_str().unwrap() {
            "snapshot" => check_snapshot(event, &game, &finals),
            "move" if event["status"] == "final" => {
                finals.insert((game, number("ply")), event["text"].as_str().unwrap().to_owned());
            }
            "withdrawn" => finals.retain(|(of, ply), _| *of != game || *ply < event["ply"].as_u64().unwrap()),
            _ => {}
        }
    }
    finals
}

/// A snapshot has every final move that was published before it.
fn check_snapshot(snapshot: &Value, game: &str, finals: &Finals) {
    let moves = snapshot["moves"].as_array().unwrap();
    for ((of, ply), text) in finals.iter().filter(|((of, _), _)| of == game) {
        let found = moves.iter().find(|line| line["ply"].as_u64() == Some(*ply));
        let found = found.unwrap_or_else(|| panic!("game {of}: ply {ply} {text} is lost: {snapshot}"));
        assert_eq!(found["text"], text.as_str(), "game {of}, ply {ply}");
        assert_eq!(found["status"], "final", "game {of}, ply {ply}");
    }
}

fn check_games(file: &Path, finals: &Finals) {
    let played = staged_game::built_in(Variant::Russian).unwrap();
    let played: Vec<_> = played.moves.iter().map(|played| played.mv).collect();
    let archive = Archive::open(file).unwrap();
    for stored in archive.games().unwrap() {
        let entries = archive.entries(stored.number).unwrap();
        assert!(matches!(archive.verify(stored.number).unwrap(), Verdict::Holds { .. }));
        let rerun = rerun(&stored, &entries).unwrap();
        assert_eq!(rerun.differences, [], "game {}", stored.number);
        let read: Vec<_> = rerun.game.moves().map(|(ply, _)| ply.mv).collect();
        assert_eq!(read, played, "game {}", stored.number);
        assert!(rerun.game.moves().all(|(_, status)| status == MoveStatus::Final));
        assert_ne!(rerun.game.summary().result.text(), "*");
        let told = finals.iter().filter(|((game, _), _)| *game == stored.number.to_string());
        for ((_, ply), text) in told {
            let (read, _) = rerun.game.moves().nth(usize::try_from(*ply).unwrap() - 1).unwrap();
            assert_eq!(&draughtsd_core::notation::movetext::score_sheet(&read.before, read.mv), text);
        }
    }
}

#[test]
fn nothing_that_was_published_as_final_is_lost_or_changed() {
    let kills = number("DRAUGHTSD_KILLS", 12);
    let seed = number("DRAUGHTSD_SEED", 1);
    let folder = folder("kill");
    let mut chance = Chance::new(seed);
    let games = 1 + kills / 10;
    let config = simulated("russian", 100, &format!("end-after = {games}\n"));
    let (public, arbiter) = (Heard::default(), Heard::default());
    let mut listeners = Vec::new();
    for kill in 0..=kills {
        let mut daemon = Daemon::start(&folder, &config);
        listeners.push(listen(&daemon.public, &public));
        listeners.push(listen(&daemon.private, &arbiter));
        if kill == kills {
            daemon.wait_until("the last game does not end", |snapshot| {
                snapshot["game"] == games.to_string().as_str() && snapshot["phase"] == "ended"
            });
            assert_eq!(daemon.stop(), 0, "{}", daemon.log());
        } else {
            std::thread::sleep(Duration::from_millis(20 + chance.below(500)));
            daemon.kill();
        }
        listeners.drain(..).for_each(|listener| listener.join().unwrap());
    }
    let finals = follow(&public, "public");
    follow(&arbiter, "arbiter");
    assert!(finals.len() > 70, "{}", finals.len());
    check_games(&folder.join("draughtsd.db"), &finals);
}

#[test]
fn what_is_read_otherwise_after_a_restart_is_put_right_for_everybody() {
    let folder = folder("otherwise");
    let config = simulated("russian", 60, "end-after = 1\n");
    let mut daemon = Daemon::start(&folder, &config);
    let finals = |snapshot: &Value| {
        let moves = snapshot["moves"].as_array().unwrap();
        moves.iter().filter(|line| line["status"] == "final").count()
    };
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 6);
    daemon.kill();
    // As if an earlier version had read another position from the third move on.
    let journal = rusqlite::Connection::open(folder.join("draughtsd.db")).unwrap();
    let changed = journal
        .execute(
            "UPDATE entry SET body = replace(body, '\"fen\":\"', '\"fen\":\"W:W1:B32.\",\"was\":\"')
             WHERE kind = 'event' AND body LIKE '%\"kind\":\"move\"%\"ply\":3,%'",
            [],
        )
        .unwrap();
    assert!(changed > 0);
    drop(journal);
    let mut daemon = Daemon::start(&folder, &config);
    let heard = Heard::default();
    let listener = listen(&daemon.public, &heard);
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    daemon.wait_for_log("reads the game otherwise");
    daemon.wait_for_log("the journal of this game was changed");
    let snapshot = daemon.snapshot();
    let played = staged_game::built_in(Variant::Russian).unwrap();
    let lines = snapshot["moves"].as_array().unwrap();
    assert_eq!(lines.len(), played.moves.len());
    for (line, played) in lines.iter().zip(&played.moves) {
        assert_eq!(line["from"].as_u64(), Some(u64::from(played.mv.from.number())), "{line}");
        assert_ne!(line["fen"], "W:W1:B32.", "{line}");
    }
    daemon.kill();
    listener.join().unwrap();
}
