//! What becomes of the journal when the card fails: power lost between any two writes, a full or a read-only card,
//! a damaged file. The game goes on in each case, and what was published as final is what is found afterwards.
//!
//! A shim written in C (`power/shim.c`) stands between the daemon and the card. Power is lost by writing the files
//! down again from its log up to some moment: everything that was flushed by then, and of what was written since, a
//! random part. `DRAUGHTSD_CUTS` says how often (40 if it is not set), `DRAUGHTSD_SEED` at which moments.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use daemon::{Chance, Daemon, Heard, draughtsd, folder, listen, set_aside, simulated};
use draughtsd::journal::archive::{Archive, Verdict};
use draughtsd::staged_game;
use draughtsd::stored_game::rerun;
use draughtsd_core::notation::movetext;
use draughtsd_core::rules::Variant;
use serde_json::{Value, json};

/// One record of the shim's log.
struct Record {
    what: u8,
    file: u8,
    place: u64,
    data: Vec<u8>,
}

fn records(log: &Path) -> Vec<Record> {
    let bytes = fs::read(log).unwrap();
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let mut records = Vec::new();
    let mut at = 0;
    while at + 24 <= bytes.len() {
        let length = usize::try_from(number(at + 16)).unwrap();
        let data = bytes[at + 24..at + 24 + length].to_vec();
        records.push(Record { what: bytes[at], file: bytes[at + 1], place: number(at + 8), data });
        at += 24 + length;
    }
    records
}

/// A file as the card has it: what is certain, and what was written since the last flush.
#[derive(Default)]
struct CardFile {
    flushed: Vec<u8>,
    since: Vec<(u8, u64, Vec<u8>)>,
}

impl CardFile {
    fn apply(content: &mut Vec<u8>, what: u8, place: u64, data: &[u8]) {
        let place = usize::try_from(place).unwrap();
        match what {
            b'W' => {
                if content.len() < place + data.len() {
                    content.resize(place + data.len(), 0);
                }
                content[place..place + data.len()].copy_from_slice(data);
            }
            b'T' => content.resize(place, 0),
            _ => content.clear(),
        }
    }

    fn flush(&mut self) {
        for (what, place, data) in self.since.drain(..) {
            Self::apply(&mut self.flushed, what, place, &data);
        }
    }

    /// The folder was flushed: what was deleted is gone for good.
    fn flush_deletion(&mut self) {
        if let Some(deleted) = self.since.iter().rposition(|(what, ..)| *what == b'U') {
            self.since.drain(..=deleted);
            self.flushed.clear();
        }
    }

    /// What is found after the power is back: of the writes since the last flush some, and of some only sectors.
    fn found(&self, chance: &mut Chance) -> Vec<u8> {
        const SECTOR: usize = 512;
        let mut content = self.flushed.clone();
        for (what, place, data) in &self.since {
            match chance.below(4) {
                0 => {}
                1 if *what == b'W' => {
                    for (index, sector) in data.chunks(SECTOR).enumerate() {
                        if chance.below(2) == 0 {
                            Self::apply(&mut content, *what, place + (index * SECTOR) as u64, sector);
                        }
                    }
                }
                _ => Self::apply(&mut content, *what, *place, data),
            }
        }
        content
    }
}

/// Everything that happened up to a moment, for the card and for whoever listened.
#[derive(Default)]
struct World {
    card: BTreeMap<u8, CardFile>,
    sent: BTreeMap<u64, Vec<u8>>,
}

impl World {
    fn take(&mut self, record: &Record) {
        if (record.what, record.file) == (b'S', b'f') {
            self.card.values_mut().for_each(CardFile::flush_deletion);
            return;
        }
        let file = self.card.entry(record.file);
        match record.what {
            b'S' => file.or_default().flush(),
            b'N' => self.sent.entry(record.place).or_default().extend(&record.data),
            what => file.or_default().since.push((what, record.place, record.data.clone())),
        }
    }

    /// The final moves that were sent and not withdrawn, by ply. There is one game.
    fn finals(&self) -> BTreeMap<u64, String> {
        let mut finals = BTreeMap::new();
        for stream in self.sent.values() {
            for line in String::from_utf8_lossy(stream).lines() {
                let Some(data) = line.strip_prefix("data: ") else { continue };
                let Ok(event) = serde_json::from_str::<Value>(data) else { continue };
                let ply = event["ply"].as_u64();
                match event["kind"].as_str() {
                    Some("move") if event["status"] == "final" => {
                        finals.insert(ply.unwrap(), event["text"].as_str().unwrap().to_owned());
                    }
                    Some("withdrawn") => finals.retain(|&known, _| known < ply.unwrap()),
                    _ => {}
                }
            }
        }
        finals
    }

    /// Writes the files down as they are found after a power cut.
    fn lose_power(&self, folder: &Path, chance: &mut Chance) {
        for (file, name) in
            [(b'd', "draughtsd.db"), (b'w', "draughtsd.db-wal"), (b'j', "draughtsd.db-journal")]
        {
            let found = self.card.get(&file).map(|file| file.found(chance)).unwrap_or_default();
            if !found.is_empty() {
                fs::write(folder.join(name), found).unwrap();
            }
        }
    }
}

/// Whether the journal in a folder has these final moves; the game may not have begun yet when there are none.
fn check(folder: &Path, finals: &BTreeMap<u64, String>, at: &str) {
    let file = folder.join("draughtsd.db");
    if finals.is_empty() {
        return;
    }
    let archive = Archive::open(&file).unwrap();
    let stored = archive.games().unwrap().pop().unwrap_or_else(|| panic!("{at}: the game is lost"));
    assert!(matches!(archive.verify(stored.number).unwrap(), Verdict::Holds { .. }), "{at}");
    let rerun = rerun(&stored, &archive.entries(stored.number).unwrap()).unwrap();
    let read: Vec<String> =
        rerun.game.moves().map(|(ply, _)| movetext::score_sheet(&ply.before, ply.mv)).collect();
    for (ply, text) in finals {
        assert_eq!(read.get(usize::try_from(*ply).unwrap() - 1), Some(text), "{at}: ply {ply}");
    }
}

#[test]
fn a_power_cut_between_any_two_writes_loses_nothing_that_was_final() {
    let number =
        |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (cuts, seed) = (number("DRAUGHTSD_CUTS", 40), number("DRAUGHTSD_SEED", 1));
    let folder = folder("power");
    let config = simulated("russian", 60, "end-after = 1\n");
    let log = folder.join("shim.log");
    let mut daemon = Daemon::start_on_card(&folder, &config, &[("SHIM_LOG", log.to_str().unwrap())]);
    let listener = listen(&daemon.public, &Heard::default());
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    daemon.kill();
    listener.join().unwrap();

    let records = records(&log);
    let mut chance = Chance::new(seed);
    let mut moments: Vec<u64> = (0..cuts).map(|_| chance.below(records.len() as u64)).collect();
    moments.sort_unstable();
    let mut world = World::default();
    let mut finals_at_most = 0;
    let mut next = 0;
    for moment in moments {
        while next <= usize::try_from(moment).unwrap() {
            world.take(&records[next]);
            next += 1;
        }
        let found = folder.join("found");
        let _ = fs::remove_dir_all(&found);
        fs::create_dir_all(&found).unwrap();
        world.lose_power(&found, &mut chance);
        let finals = world.finals();
        finals_at_most = finals_at_most.max(finals.len());
        check(&found, &finals, &format!("cut at {moment} of {}", records.len()));
    }
    assert!(finals_at_most > 40, "{finals_at_most}");

    // And on it goes, from the last of them, to the end of the game.
    let found = folder.join("found");
    let mut daemon = Daemon::start(&found, &config);
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    let played = staged_game::built_in(Variant::Russian).unwrap();
    let pdn = draughtsd(&found, &["games", "export", "1"]);
    let read = draughtsd_core::notation::pdn::Reader::new(&pdn.stdout[..]).next().unwrap().unwrap();
    let moves = |game: &draughtsd_core::notation::pdn::Game| {
        game.moves.iter().map(|played| played.mv).collect::<Vec<_>>()
    };
    assert_eq!(moves(&read), moves(&played));
}

/// The moves that were published as final so far.
fn finals(snapshot: &Value) -> usize {
    snapshot["moves"].as_array().unwrap().iter().filter(|line| line["status"] == "final").count()
}

/// Waits until the arbiter's snapshot has a problem of the journal, or has none.
#[track_caller]
fn wait_for_problem(daemon: &Daemon, is_there: bool) -> Value {
    let began = Instant::now();
    loop {
        let problem = daemon.arbiter_snapshot()["arbiter"]["journal_problem"].clone();
        if problem.is_string() == is_there {
            return problem;
        }
        assert!(began.elapsed() < daemon::PATIENCE, "{problem}: {}", daemon.log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A card fails in the middle of a game and works again before the end.
///
/// - `how`: the shim's variable. `said`: a word of the problem.
fn a_card_fails_for_a_while(folder: &Path, how: &str, said: &str) {
    let flag = folder.join("fails");
    let config = simulated("russian", 50, "end-after = 1\n");
    let mut daemon = Daemon::start_on_card(folder, &config, &[(how, flag.to_str().unwrap())]);
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 3);
    assert_eq!(daemon.arbiter_snapshot()["arbiter"]["journal_problem"], Value::Null);
    assert_eq!(daemon.ask(&daemon.private, "/readyz").0, 200);
    fs::write(&flag, "").unwrap();
    let before = finals(&daemon.snapshot());
    daemon.wait_until("the game stops", |snapshot| finals(snapshot) >= before + 10);
    let problem = wait_for_problem(&daemon, true);
    assert!(problem.as_str().unwrap().contains(said), "{problem}");
    daemon.wait_for_log("moves are published without being kept");
    assert!(daemon.get(&daemon.private, "/metrics").contains("draughtsd_journal_failing{board=\"1\"} 1"));
    let ready = daemon.wait_for_readiness(503, |ready| ready["status"] == "not-ready");
    assert_eq!(ready, json!({ "status": "not-ready", "board": "read", "journal": { "problem": problem } }));
    assert_eq!(draughtsd(folder, &["status"]).status.code(), Some(65));

    fs::remove_file(&flag).unwrap();
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    wait_for_problem(&daemon, false);
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    assert_eq!(daemon.stop(), 0);
    let verified = draughtsd(folder, &["games", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
    assert_eq!(draughtsd(folder, &["games", "re-read"]).status.code(), Some(0));
    let pdn = String::from_utf8(draughtsd(folder, &["games", "export", "1"]).stdout).unwrap();
    assert!(pdn.contains("40. "), "{pdn}");
}

#[test]
fn a_full_card_stops_no_game_and_nothing_is_missing_when_there_is_room_again() {
    a_card_fails_for_a_while(&folder("full"), "SHIM_FULL", "full");
}

#[test]
fn a_card_that_does_not_answer_for_a_while_stops_no_game_and_nothing_is_missing() {
    a_card_fails_for_a_while(&folder("hangs"), "SHIM_HANG_FLUSH", "does not answer");
}

#[test]
fn a_card_that_becomes_read_only_for_a_while_stops_no_game_and_nothing_is_missing() {
    a_card_fails_for_a_while(&folder("becomes-read-only"), "SHIM_READ_ONLY", "read");
}

#[test]
fn a_card_that_cannot_be_written_from_the_beginning_stops_no_game() {
    let folder = folder("read-only");
    let flag = folder.join("read-only");
    fs::write(&flag, "").unwrap();
    let config = simulated("russian", 100, "end-after = 1\n");
    let mut daemon = Daemon::start_on_card(&folder, &config, &[("SHIM_READ_ONLY", flag.to_str().unwrap())]);
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert!(daemon.arbiter_snapshot()["arbiter"]["journal_problem"].is_string());
    fs::remove_file(&flag).unwrap();
    assert_eq!(daemon.stop(), 0);
    // What was in memory all the time was written at the end.
    let verified = draughtsd(&folder, &["games", "verify"]);
    assert!(String::from_utf8_lossy(&verified.stdout).contains("holds"), "{verified:?}");
}

#[test]
fn a_damaged_journal_is_set_aside_and_the_board_is_read_all_the_same() {
    let folder = folder("damaged");
    let config = simulated("russian", 100, "end-after = 1\n");
    let damaged = vec![b'?'; 8192];
    fs::write(folder.join("draughtsd.db"), &damaged).unwrap();
    let mut daemon = Daemon::start(&folder, &config);
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 3);
    assert_eq!(daemon.stop(), 0);
    daemon.wait_for_log("was set aside");
    let aside = set_aside(&folder);
    assert_eq!(aside.len(), 1);
    assert_eq!(fs::read(&aside[0]).unwrap(), damaged);
    assert!(draughtsd(&folder, &["games", "verify"]).status.success());
}

#[test]
fn a_journal_that_is_damaged_under_a_running_daemon_is_set_aside_and_the_game_written_anew() {
    let folder = folder("damaged-running");
    let config = simulated("russian", 50, "end-after = 1\n");
    let mut daemon = Daemon::start(&folder, &config);
    let (public, arbiter) = (Heard::default(), Heard::default());
    let listeners = [listen(&daemon.public, &public), listen(&daemon.private, &arbiter)];
    daemon.wait_until("no move is final", |snapshot| finals(snapshot) >= 5);

    // Everything is put from the log into the file, so that the daemon has to look into the file again, and there is
    // nothing but noise in it.
    let file = folder.join("draughtsd.db");
    let other = rusqlite::Connection::open(&file).unwrap();
    other.busy_timeout(daemon::PATIENCE).unwrap();
    other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let length = fs::metadata(&file).unwrap().len();
    let noise: Vec<u8> = (0..length).map(|n| (n * 7 % 251) as u8).collect();
    fs::File::options().write(true).open(&file).unwrap().write_all_at(&noise, 0).unwrap();
    drop(other);

    daemon.wait_for_log("the journal was set aside");
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    wait_for_problem(&daemon, false);
    daemon.wait_for_readiness(200, |ready| ready["journal"] == "kept");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    listeners.into_iter().for_each(|listener| listener.join().unwrap());
    let is_told = |heard: &Heard| heard.lock().unwrap().iter().any(|event| event["kind"] == "journal");
    assert!(is_told(&arbiter), "the arbiter was not told");
    assert!(!is_told(&public), "spectators were");

    let aside = set_aside(&folder);
    assert_eq!(aside.len(), 1, "{aside:?}");
    assert_eq!(fs::read(&aside[0]).unwrap()[..4096], noise[..4096], "nothing is deleted");
    // The new file has the game from its beginning.
    let verified = draughtsd(&folder, &["games", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
    assert_eq!(draughtsd(&folder, &["games", "re-read"]).status.code(), Some(0));
    let pdn = draughtsd(&folder, &["games", "export", "1"]).stdout;
    let read = draughtsd_core::notation::pdn::Reader::new(&pdn[..]).next().unwrap().unwrap();
    assert_eq!(read.moves.len(), staged_game::built_in(Variant::Russian).unwrap().moves.len());
}
