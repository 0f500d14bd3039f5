//! `journal.keep-days`: what is deleted, and what is not.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::path::Path;
use std::time::{Duration, Instant};

use daemon::{Daemon, PATIENCE, draughtsd, folder, simulated};
use draughtsd::feeds::wall_time::WallTime;
use draughtsd::journal::archive::{Archive, Verdict};
use draughtsd::journal::{Entry, Journal, Kind, NewGame, Options, Urgency};
use draughtsd::staged_game::{self, StagedGame};
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::Header;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn days_ago(days: u32) -> WallTime {
    WallTime::now().before(DAY * days)
}

/// A game that began on that day; with `is_over`, it ended then.
fn add_game(journal: &mut Journal, header: &Header, at: WallTime, is_over: bool) -> u64 {
    let begun =
        NewGame { board: "1".to_owned(), header: header.to_line(), about: "{}".to_owned(), began_at: at };
    let number = journal.begin_game(begun);
    for body in ["one", "two"].into_iter().filter(|_| is_over) {
        journal.append(Entry { kind: Kind::Audit, at, body: format!("\"{body}\"") }, Urgency::Routine);
    }
    if is_over {
        journal.end_game(at);
    }
    number
}

/// A journal with games that ended 400, 40 and 31 days ago, one that ended 29 days ago, and one that began 50 days ago and is
/// still under way.
async fn old_games(file: &Path) {
    let (mut journal, found) = Journal::open(Options::new(file)).unwrap();
    assert_eq!(found.set_aside, None);
    let header = StagedGame::built_in(Variant::Russian, 1).unwrap().header;
    for (days, expected) in [(400, 1), (40, 2), (31, 3), (29, 4)] {
        assert_eq!(add_game(&mut journal, &header, days_ago(days), true), expected);
    }
    assert_eq!(add_game(&mut journal, &header, days_ago(50), false), 5);
    journal.close().await;
}

fn numbers(file: &Path) -> Vec<u64> {
    Archive::open(file).unwrap().games().unwrap().iter().map(|game| game.number).collect()
}

#[track_caller]
fn check_chains(file: &Path) {
    let archive = Archive::open(file).unwrap();
    for game in archive.games().unwrap() {
        let verdict = archive.verify(game.number).unwrap();
        assert!(matches!(verdict, Verdict::Holds { .. }), "game {}: {verdict:?}", game.number);
    }
}

#[tokio::test]
async fn games_are_deleted_as_configured_and_never_the_one_under_way() {
    let folder = folder("retention");
    let file = folder.join("draughtsd.db");
    old_games(&file).await;
    check_chains(&file);

    let config = simulated("russian", 50, "end-after = 5\n[journal]\nkeep-days = 30\n");
    let mut daemon = Daemon::start(&folder, &config);
    let snapshot = daemon.wait_until("the old games are not deleted", |_| numbers(&file) == [4, 5]);
    assert_eq!(snapshot["game"], "5", "the game under way is taken up, however old it is");
    daemon.kill();
    check_chains(&file);

    let mut daemon = Daemon::start(&folder, &config);
    daemon.wait_until("the game does not end", |snapshot| {
        snapshot["game"] == "5" && snapshot["phase"] == "ended"
    });
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    assert_eq!(numbers(&file), [4, 5]);
    check_chains(&file);
    assert!(draughtsd(&folder, &["games", "re-read", "5"]).status.success());
    let pdn = draughtsd(&folder, &["games", "export", "5"]).stdout;
    let read = draughtsd_core::notation::pdn::Reader::new(&pdn[..]).next().unwrap().unwrap();
    assert_eq!(read.moves.len(), staged_game::built_in(Variant::Russian).unwrap().moves.len());
    // What is gone leaves no entries behind.
    let journal = rusqlite::Connection::open(&file).unwrap();
    let left: u32 =
        journal.query_row("SELECT count(*) FROM entry WHERE game < 4", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn nothing_is_deleted_unless_it_is_asked_for() {
    let folder = folder("retention-for-ever");
    let file = folder.join("draughtsd.db");
    old_games(&file).await;
    let mut daemon = Daemon::start(&folder, &simulated("russian", 200, "end-after = 5\n"));
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0);
    assert_eq!(numbers(&file), [1, 2, 3, 4, 5]);
    check_chains(&file);
}

#[tokio::test]
async fn the_last_number_is_never_given_again() {
    let folder = folder("retention-last");
    let file = folder.join("board.db");
    let header = Header::new(Variant::Russian);
    let options = Options { keep_days: 30, ..Options::new(&file) };
    let (mut journal, _) = Journal::open(options.clone()).unwrap();
    for _ in 0..3 {
        add_game(&mut journal, &header, days_ago(60), true);
    }
    // One is deleted after each commit, so that nobody waits for long.
    let began = Instant::now();
    while numbers(&file) != [3] {
        assert!(began.elapsed() < PATIENCE);
        journal.flush().await;
    }
    journal.close().await;
    let (mut journal, _) = Journal::open(options).unwrap();
    assert_eq!(add_game(&mut journal, &header, days_ago(0), false), 4);
    journal.close().await;
}
