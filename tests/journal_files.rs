//! What people do with the files of a journal while a daemon has them open: deleted, moved, exchanged, and used by two.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::fs;
use std::path::Path;
use std::process::Command;

use daemon::{Daemon, Heard, draughtsd, folder, listen, set_aside, simulated};
use draughtsd::staged_game;
use draughtsd_core::rules::Variant;
use serde_json::Value;

fn config() -> String {
    simulated("russian", 50, "end-after = 1\n")
}

fn finals(snapshot: &Value) -> usize {
    let moves = snapshot["moves"].as_array().unwrap().iter();
    moves.filter(|line| line["status"] == "final").count()
}

/// Plays a game, does this to its files after the fifth move, and waits for the end. Returns what the arbiter's stream said of
/// the journal.
fn play_while(folder: &Path, done: impl FnOnce(&Path)) -> Vec<Value> {
    let mut daemon = Daemon::start(folder, &config());
    let heard = Heard::default();
    let listener = listen(&daemon.private, &heard);
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    done(&folder.join("draughtsd.db"));
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    listener.join().unwrap();
    let heard = heard.lock().unwrap();
    heard.iter().filter(|event| event["kind"] == "journal").map(|event| event["problem"].clone()).collect()
}

/// The journal of this name has the game whole, and its chain holds.
#[track_caller]
fn has_the_game(folder: &Path, journal: &str, number: &str) {
    let verified = draughtsd(folder, &["games", "--journal", journal, "verify"]);
    assert!(verified.status.success(), "{verified:?}");
    let pdn = draughtsd(folder, &["games", "--journal", journal, "export", number]).stdout;
    let read = draughtsd_core::notation::pdn::Reader::new(&pdn[..]).next().unwrap().unwrap();
    assert_eq!(read.moves.len(), staged_game::built_in(Variant::Russian).unwrap().moves.len());
}

/// A problem was told that says this, and taken back.
#[track_caller]
fn was_told(problems: &[Value], what: &str) {
    assert!(
        problems.iter().any(|told| told.as_str().is_some_and(|told| told.contains(what))),
        "{problems:?}"
    );
    assert_eq!(problems.last(), Some(&Value::Null), "{problems:?}");
}

#[test]
fn a_journal_that_is_deleted_is_begun_anew_with_the_game_under_way() {
    let folder = folder("deleted");
    let told = play_while(&folder, |file| {
        for suffix in ["", "-wal", "-shm"] {
            fs::remove_file(format!("{}{suffix}", file.display())).unwrap();
        }
    });
    was_told(&told, "it was removed or replaced");
    has_the_game(&folder, "draughtsd.db", "1");
}

#[test]
fn a_journal_that_is_moved_away_takes_along_what_it_has() {
    let folder = folder("moved");
    let told = play_while(&folder, |file| fs::rename(file, file.with_file_name("moved.db")).unwrap());
    was_told(&told, "it was removed or replaced");
    has_the_game(&folder, "draughtsd.db", "1");
    // The log has stayed behind: what was in it is in the file now, and no part of the next one.
    let moved = draughtsd(&folder, &["games", "--journal", "moved.db", "export", "1"]).stdout;
    let moved = draughtsd_core::notation::pdn::Reader::new(&moved[..]).next().unwrap().unwrap();
    assert!(moved.moves.len() >= 5, "{}", moved.moves.len());
    assert!(draughtsd(&folder, &["games", "--journal", "moved.db", "verify"]).status.success());
}

#[test]
fn a_journal_that_is_exchanged_for_a_copy_is_kept_beside_the_new_one() {
    let folder = folder("exchanged");
    let mut daemon = Daemon::start(&folder, &config().replace("end-after = 1", "end-after = 2"));
    daemon.wait_until("no move", |snapshot| snapshot["game"] == "2" && finals(snapshot) >= 1);
    let (file, copy) = (folder.join("draughtsd.db"), folder.join("copy.db"));
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute("VACUUM INTO ?1", [copy.to_str()]).unwrap();
    drop(other);
    daemon.wait_until("no further moves", |snapshot| finals(snapshot) >= 3);
    // In the copy are both games, as far as they were.
    fs::rename(&copy, &file).unwrap();
    daemon.wait_for_log("the journal was set aside");
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    // The first game is in the file that was set aside.
    let late = daemon.ctl(&["result", "1-1", "--game", "1"]);
    assert!(String::from_utf8_lossy(&late.stderr).contains("the journal has no game 1"), "{late:?}");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    has_the_game(&folder, "draughtsd.db", "2");
    let aside = set_aside(&folder);
    assert_eq!(aside.len(), 1, "{aside:?}");
    has_the_game(&folder, aside[0].to_str().unwrap(), "1");
}

#[test]
fn a_log_that_is_deleted_loses_nothing() {
    let folder = folder("log-deleted");
    let told = play_while(&folder, |file| fs::remove_file(format!("{}-wal", file.display())).unwrap());
    was_told(&told, "its log was removed or replaced");
    assert!(!fs::read_to_string(folder.join("log")).unwrap().contains("a new journal begins"));
    has_the_game(&folder, "draughtsd.db", "1");
}

#[test]
fn a_folder_that_comes_back_has_its_journal_gone_on_with() {
    let parent = folder("folder-away");
    let (there, away) = (parent.join("there"), parent.join("away"));
    fs::create_dir(&there).unwrap();
    let mut daemon = Daemon::start_with(&parent, &config(), |command| {
        command.env("STATE_DIRECTORY", &there);
    });
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    fs::rename(&there, &away).unwrap();
    daemon.wait_for_readiness(503, |ready| ready["journal"]["problem"].is_string());
    play_on(&daemon, 3);
    fs::rename(&away, &there).unwrap();
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    has_the_game(&there, "draughtsd.db", "1");
    assert!(!daemon.log().contains("a new journal begins"), "{}", daemon.log());
}

/// Waits until so many more moves are final.
fn play_on(daemon: &Daemon, more: usize) {
    let before = finals(&daemon.snapshot());
    daemon.wait_until("the game stands still", |snapshot| finals(snapshot) >= before + more);
}

/// What somebody does to a journal.
type Deed<'a> = &'a dyn Fn(&Path);

#[test]
fn a_journal_that_is_written_over_is_noticed() {
    // Each in the same file as before, which SQLite has open.
    let truncate =
        |path: &Path, length| fs::File::options().write(true).open(path).unwrap().set_len(length).unwrap();
    let log_of = |file: &Path| file.with_file_name("draughtsd.db-wal");
    let cases: [(&str, Deed<'_>); 5] = [
        ("emptied", &|file| truncate(file, 0)),
        ("cut-off", &|file| truncate(file, 10_000)),
        ("log-emptied", &|file| truncate(&log_of(file), 0)),
        ("log-cut-off", &|file| truncate(&log_of(file), 20_000)),
        ("rolled-back", &|file| {
            // As a copy of some minutes ago that was restored through SQLite.
            let other = rusqlite::Connection::open(file).unwrap();
            other.busy_timeout(daemon::PATIENCE).unwrap();
            other.execute("DELETE FROM entry WHERE number > 20", []).unwrap();
        }),
    ];
    for (name, do_it) in cases {
        let folder = folder(&format!("written-over-{name}"));
        let told = play_while(&folder, do_it);
        assert!(told.iter().any(Value::is_string), "{name}: {told:?}");
        assert_eq!(told.last(), Some(&Value::Null), "{name}: {told:?}");
        has_the_game(&folder, "draughtsd.db", "1");
    }
}

#[test]
fn what_is_done_during_a_commit_is_noticed_as_well() {
    let folder = folder("during-a-commit");
    let flag = folder.join("hang");
    let mut daemon =
        Daemon::start_on_card(&folder, &config(), &[("SHIM_HANG_FLUSH", flag.to_str().unwrap())]);
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    fs::write(&flag, "").unwrap();
    daemon.wait_for_file(&folder.join("hang.reached"));
    fs::File::options().write(true).open(folder.join("draughtsd.db-wal")).unwrap().set_len(0).unwrap();
    fs::remove_file(&flag).unwrap();
    daemon.wait_for_log("a new journal begins");
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    has_the_game(&folder, "draughtsd.db", "1");
}

#[test]
fn a_read_that_fails_once_sets_no_journal_aside() {
    let folder = folder("read-fails");
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    daemon.kill();
    // So that there is something to read in the file itself.
    let other = rusqlite::Connection::open(folder.join("draughtsd.db")).unwrap();
    other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(other);
    let flag = folder.join("fail");
    fs::write(&flag, "").unwrap();
    let mut daemon =
        Daemon::start_on_card(&folder, &config(), &[("SHIM_READ_FAILS", flag.to_str().unwrap())]);
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    assert!(!flag.exists(), "no read has failed");
    assert_eq!(set_aside(&folder).len(), 0, "{}", daemon.log());
    has_the_game(&folder, "draughtsd.db", "1");
}

#[test]
fn commits_that_were_said_to_fail_and_had_not_are_not_made_twice() {
    let folder = folder("flush-fails");
    let flag = folder.join("fail");
    let two_games = config().replace("end-after = 1", "end-after = 2");
    let mut daemon =
        Daemon::start_on_card(&folder, &two_games, &[("SHIM_FLUSH_FAILS", flag.to_str().unwrap())]);
    daemon.wait_until("no second game", |snapshot| snapshot["game"] == "2" && finals(snapshot) >= 1);
    fs::write(&flag, "").unwrap();
    daemon.wait_for_readiness(503, |ready| ready["journal"]["problem"].is_string());
    assert_eq!(daemon.ctl(&["result", "1-1", "--game", "1"]).status.code(), Some(0));
    play_on(&daemon, 3);
    // A daemon in trouble keeps its journal.
    fs::write(folder.join("second.toml"), config() + "[control]\nsocket = \"other.sock\"\n").unwrap();
    let second = draughtsd(&folder, &["run", "--config", "second.toml", "--exit-at-end"]);
    assert_eq!(second.status.code(), Some(69), "{second:?}");
    fs::remove_file(&flag).unwrap();
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    assert_eq!(set_aside(&folder).len(), 0, "{}", daemon.log());
    for game in ["1", "2"] {
        has_the_game(&folder, "draughtsd.db", game);
    }
    let first = draughtsd(&folder, &["games", "export", "1", "--output", "json"]).stdout;
    let entered = String::from_utf8(first).unwrap().matches(r#""result":"1-1""#).count();
    assert_eq!(entered, 2, "once, and once told");
}

#[test]
fn a_journal_that_is_only_tidied_is_gone_on_with() {
    let folder = folder("tidied");
    play_while(&folder, |file| {
        let other = rusqlite::Connection::open(file).unwrap();
        other.busy_timeout(daemon::PATIENCE).unwrap();
        other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        other.execute_batch("VACUUM").unwrap();
    });
    has_the_game(&folder, "draughtsd.db", "1");
    assert!(!fs::read_to_string(folder.join("log")).unwrap().contains("a new journal begins"));
}

#[test]
fn a_journal_that_is_moved_and_linked_back_loses_nothing() {
    let folder = folder("linked-back");
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    let (file, moved) = (folder.join("draughtsd.db"), folder.join("elsewhere/moved.db"));
    fs::create_dir(folder.join("elsewhere")).unwrap();
    fs::rename(&file, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &file).unwrap();
    daemon.wait_for_log("it was removed or replaced");
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    play_on(&daemon, 3);
    daemon.kill();
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    has_the_game(&folder, "draughtsd.db", "1");
}

#[test]
fn a_link_that_leads_elsewhere_is_followed_with_the_game_under_way() {
    let folder = folder("link-turned");
    let link = folder.join("draughtsd.db");
    std::os::unix::fs::symlink("one.db", &link).unwrap();
    play_while(&folder, |_| {
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("other.db", &link).unwrap();
    });
    has_the_game(&folder, "other.db", "1");
}

#[test]
fn a_log_whose_file_is_gone_is_not_thrown_away() {
    let folder = folder("lone-log");
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    daemon.kill();
    let log = fs::read(folder.join("draughtsd.db-wal")).unwrap();
    assert!(!log.is_empty());
    fs::rename(folder.join("draughtsd.db"), folder.join("moved.db")).unwrap();
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_for_log("its log is there, and it is not");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    let names = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let aside: Vec<_> = names.filter(|path| path.to_string_lossy().ends_with("-wal")).collect();
    assert_eq!(aside.len(), 1, "{aside:?}");
    // Put beside its file again, it is as good as before.
    fs::rename(&aside[0], folder.join("moved.db-wal")).unwrap();
    let moved = draughtsd(&folder, &["games", "--journal", "moved.db", "export", "1"]).stdout;
    let moved = draughtsd_core::notation::pdn::Reader::new(&moved[..]).next().unwrap().unwrap();
    assert!(moved.moves.len() >= 5, "{}", moved.moves.len());
}

#[test]
fn a_log_whose_file_is_gone_is_found_behind_a_link() {
    let folder = folder("lone-log-linked");
    fs::create_dir(folder.join("data")).unwrap();
    std::os::unix::fs::symlink("data/real.db", folder.join("draughtsd.db")).unwrap();
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);
    daemon.kill();
    fs::rename(folder.join("data/real.db"), folder.join("moved.db")).unwrap();
    let mut daemon = Daemon::start(&folder, &config());
    daemon.wait_for_log("its log is there, and it is not");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    assert!(folder.join("data/real.db").is_file(), "the new journal is where the link says");
    let names = fs::read_dir(folder.join("data")).unwrap().map(|file| file.unwrap().path());
    let log = names
        .filter(|path| path.to_string_lossy().ends_with("-wal"))
        .map(|path| fs::metadata(path).unwrap().len());
    assert!(log.max() > Some(100_000), "the log of before is there");
}

#[test]
fn a_second_daemon_on_the_same_journal_is_refused_under_whatever_name() {
    let folder = folder("second");
    let mut first = Daemon::start(&folder, &config());
    first.wait_until("no move is final", |snapshot| finals(snapshot) >= 1);
    std::os::unix::fs::symlink("draughtsd.db", folder.join("linked.db")).unwrap();
    fs::hard_link(folder.join("draughtsd.db"), folder.join("hard.db")).unwrap();
    for name in ["draughtsd.db", "./draughtsd.db", "linked.db", "hard.db"] {
        let second = config() + "[control]\nsocket = \"other.sock\"\n[journal]\nfile = \"" + name + "\"\n";
        fs::write(folder.join("second.toml"), second).unwrap();
        let second = draughtsd(&folder, &["run", "--config", "second.toml", "--exit-at-end"]);
        assert_eq!(second.status.code(), Some(69), "{name}: {second:?}");
        let said = String::from_utf8_lossy(&second.stderr);
        assert!(said.contains("another daemon keeps its games there"), "{name}: {said}");
    }
    // Nor does a daemon that was killed keep it for itself.
    first.kill();
    let mut third = Daemon::start(&folder, &config());
    third.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(third.stop(), 0, "{}", third.log());
    has_the_game(&folder, "draughtsd.db", "1");
}

#[test]
fn a_daemon_whose_journal_was_taken_over_by_another_leaves_it_alone() {
    let folder = folder("taken-over");
    let mut first = Daemon::start(&folder, &config());
    first.wait_until("no move is final", |snapshot| finals(snapshot) >= 1);
    fs::rename(folder.join("draughtsd.db"), folder.join("moved.db")).unwrap();
    // Faster than the first one looks again, or slower: nobody touches a file that the other has open.
    let other = config() + "[control]\nsocket = \"other.sock\"\n";
    let mut second = Command::new(env!("CARGO_BIN_EXE_draughtsd"));
    fs::write(folder.join("second.toml"), other).unwrap();
    let second = second
        .args(["run", "--config", "second.toml", "--exit-at-end"])
        .current_dir(&folder)
        .output()
        .unwrap();
    first.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(first.stop(), 0, "{}", first.log());
    // Either the second came first, and the first said all the time that it cannot keep what happens; or it was refused.
    let took_over = second.status.code() == Some(0);
    assert!(took_over || second.status.code() == Some(69), "{second:?}");
    assert_eq!(took_over, first.log().contains("another daemon keeps its games there"), "{}", first.log());
    has_the_game(&folder, "draughtsd.db", "1");
    // When the second had ended, the first set its journal aside, which is whole.
    for aside in set_aside(&folder) {
        has_the_game(&folder, aside.to_str().unwrap(), "1");
    }
}
