//! The journal's thread: takes orders, commits them in groups, and never gives up.
//!
//! What is not committed yet is kept here, and so is the whole game under way: should the file turn out to be
//! damaged, it is set aside and the game written into a new one from its beginning; likewise if it was deleted or replaced.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension as _, params};
use tokio::sync::{oneshot, watch};

use super::archive::{Archive, Verdict};
use super::chain::{self, Hash};
use super::place::{Done, Lock};
use super::schema::{self, Store};
use super::{
    Durability, Entry, JournalError, Kept, Kind, LateResult, MARK_EVERY, Mark, NewGame, Numbers, Options,
    Ticket, Urgency, Written,
};
use crate::feeds::wall_time::WallTime;
use crate::stored_game;

/// How long to wait before what failed is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// How long nothing may happen before it is looked whether the file is still there.
const LOOK: Duration = Duration::from_secs(5);

/// Reading again what was committed takes one part in so many of the time.
const READING_SHARE: u32 = 100;

/// How many entries of a game are kept in memory. A long game with bouncing contacts has 20,000; what comes
/// beyond these while nothing can be written is given up, and the gap is noted.
const MOST_KEPT: usize = 400_000;

/// A day, the time between two looks for games to delete.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const INSERT_ENTRY: &str =
    "INSERT INTO entry (game, number, at, kind, body, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// What the thread is told to do.
#[derive(Debug)]
pub(super) enum Order {
    Begin {
        number: u64,
        game: NewGame,
    },
    GoOn {
        number: u64,
        game: NewGame,
        entries: Vec<Entry>,
    },
    Append {
        entry: Entry,
        urgency: Urgency,
    },
    End {
        at: WallTime,
    },
    LateResult(LateResult),
    Note(Numbers),
    /// What follows is committed as a whole, with all that was not committed before, once `Release` has come.
    Hold,
    Release,
    Flush(oneshot::Sender<()>),
}

/// The game under way.
#[derive(Debug)]
struct Current {
    number: u64,
    begun: NewGame,
    /// Whether the file has the row of the game.
    has_row: bool,
    /// The number and the hash of the last entry committed.
    committed: u64,
    hash: Hash,
    /// The entries in hand, committed or not.
    entries: Vec<Entry>,
    /// How many of `entries` are committed.
    written: usize,
    /// Whether `entries` begin with the first one of the game.
    whole: bool,
    ended_at: Option<WallTime>,
}

impl Current {
    /// A game of which all `entries` are committed already.
    fn new(number: u64, begun: NewGame, entries: Vec<Entry>, has_row: bool) -> Self {
        let numbered = (1..).zip(&entries);
        let genesis = chain::of_game(number, &begun);
        let hash = numbered.fold(genesis, |hash, (number, entry)| chain::of_entry(hash, number, entry));
        let written = entries.len();
        let committed = written as u64;
        Self { number, begun, has_row, committed, hash, entries, written, whole: true, ended_at: None }
    }

    fn add(&mut self, entry: Entry) {
        match self.entries.len() {
            more if more < MOST_KEPT => self.entries.push(entry),
            // One for all that are given up.
            MOST_KEPT => self.entries.push(gap("there was no room to keep what could not be written")),
            _ => {}
        }
    }

    /// Takes note that everything in hand is committed.
    fn settle(&mut self) {
        self.has_row = true;
        for entry in &self.entries[self.written..] {
            self.committed += 1;
            self.hash = chain::of_entry(self.hash, self.committed, entry);
        }
        if self.entries.len() > MOST_KEPT / 2 {
            self.entries.clear();
            self.whole = false;
        }
        self.written = self.entries.len();
    }

    /// The number of the last entry in hand.
    fn last(&self) -> u64 {
        self.committed + (self.entries.len() - self.written) as u64
    }

    /// The hash of an entry that is committed last or not yet, by its number; `None` if there is no such entry in hand.
    fn hash_of(&self, number: u64) -> Option<Hash> {
        let more = usize::try_from(number.checked_sub(self.committed)?).ok()?;
        let pending = self.entries[self.written..].get(..more)?;
        let numbered = (self.committed + 1..).zip(pending);
        Some(numbered.fold(self.hash, |hash, (number, entry)| chain::of_entry(hash, number, entry)))
    }

    /// Up to which entry in hand a file has the game, with the hash of that; `None` if it has something else, or less than was
    /// committed.
    fn found_in(&self, archive: &Archive) -> Result<Option<(u64, Hash)>, JournalError> {
        let Verdict::Holds { entries, hash } = archive.verify(self.number)? else { return Ok(None) };
        // After its end there may be results that were entered later.
        let number = if self.ended_at.is_some() { entries.min(self.last()) } else { entries };
        let kept = if number == entries { Some(hash) } else { archive.hash_of(self.number, number)? };
        Ok(kept.filter(|&kept| self.hash_of(number) == Some(kept)).map(|kept| (number, kept)))
    }

    /// The file has the game up to an entry in hand: a commit was said to have failed, and had not.
    fn catch_up(&mut self, number: u64, hash: Hash) {
        self.written += usize::try_from(number - self.committed).unwrap_or_default();
        (self.committed, self.hash, self.has_row) = (number, hash, true);
    }

    /// Nothing of the game is in the file any more.
    fn start_over(&mut self) {
        self.hash = chain::of_game(self.number, &self.begun);
        (self.has_row, self.committed, self.written) = (false, 0, 0);
        if !self.whole {
            self.entries.insert(0, gap("the file with what was before was damaged and set aside"));
            self.whole = true;
        }
    }

    fn is_committed(&self) -> bool {
        self.has_row && self.written == self.entries.len() && self.ended_at.is_none()
    }
}

/// What the thread shares with the handle on it.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) durability: Arc<watch::Sender<Durability>>,
    pub(super) written: Arc<Written>,
    pub(super) kept: Arc<Kept>,
}

/// How a file stands to the games in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// It has all that was committed.
    Whole,
    /// It has none of them, and none that came after them.
    Before,
    /// It has something else under their numbers, or after them.
    Other,
}

#[derive(Debug)]
pub(super) struct Writer {
    options: Options,
    store: Option<Store>,
    /// Closed after the connection of `store`.
    lock: Lock,
    /// Why the file that was open last cannot be gone on with, until there is another.
    useless: Option<String>,
    orders: Receiver<Order>,
    shared: Shared,
    /// Games that are not committed whole, oldest first; the last one may still get entries.
    games: Vec<Current>,
    /// Where the feeds are, as far as was noted; whether that is to be written; and when it was written last.
    numbers: Option<Numbers>,
    noted: bool,
    marked: Option<Instant>,
    /// Whether something was committed since the file was read again last, and before when it is not read once more.
    has_unread: bool,
    read_next: Option<Instant>,
    late_results: Vec<LateResult>,
    flushes: Vec<oneshot::Sender<()>>,
    taken: u64,
    /// The group is not complete yet, whatever the time.
    held: bool,
    pruned: Option<Instant>,
}

/// How collecting a group ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Collected {
    Group,
    LastGroup,
}

impl Writer {
    pub(super) fn new(
        options: Options,
        store: Option<Store>,
        lock: Lock,
        orders: Receiver<Order>,
        shared: Shared,
    ) -> Self {
        Self {
            options,
            store,
            lock,
            useless: None,
            orders,
            shared,
            games: Vec::new(),
            numbers: None,
            noted: false,
            marked: None,
            has_unread: false,
            read_next: None,
            late_results: Vec::new(),
            flushes: Vec::new(),
            taken: 0,
            held: false,
            pruned: None,
        }
    }

    pub(super) fn run(mut self) {
        loop {
            let collected = self.collect();
            self.commit();
            for done in self.flushes.drain(..) {
                // Whoever asked may have gone away.
                let _ = done.send(());
            }
            if collected == Collected::LastGroup {
                break;
            }
            self.prune();
        }
        // Puts the log into the file, so that the file alone can be copied.
        if let Some(store) = self.store.take() {
            let _ = store.connection.close();
        }
    }

    /// Takes orders until a group is complete.
    fn collect(&mut self) -> Collected {
        let failing = self.shared.durability.borrow().problem.is_some();
        let mut urgent = match self.orders.recv_timeout(if failing { RETRY } else { LOOK }) {
            Ok(order) => self.take(order),
            Err(RecvTimeoutError::Timeout) => return Collected::Group,
            Err(RecvTimeoutError::Disconnected) => return Collected::LastGroup,
        };
        let until = Instant::now() + if failing { RETRY } else { self.options.commit_after };
        loop {
            let left = if urgent { Duration::ZERO } else { until.saturating_duration_since(Instant::now()) };
            let next = match self.held {
                true => self.orders.recv().map_err(Into::into),
                false => self.orders.recv_timeout(left),
            };
            match next {
                Ok(order) => urgent |= self.take(order),
                Err(RecvTimeoutError::Timeout) => return Collected::Group,
                Err(RecvTimeoutError::Disconnected) => return Collected::LastGroup,
            }
        }
    }

    /// Takes one order; true if it is urgent.
    fn take(&mut self, order: Order) -> bool {
        self.taken += 1;
        match order {
            Order::Begin { number, game } => {
                self.games.push(Current::new(number, game, Vec::new(), false));
                false
            }
            Order::GoOn { number, game, entries } => {
                self.games.push(Current::new(number, game, entries, true));
                false
            }
            Order::Append { entry, urgency } => {
                if let Some(game) = self.games.last_mut() {
                    game.add(entry);
                }
                urgency == Urgency::Promise
            }
            Order::End { at } => {
                if let Some(game) = self.games.last_mut() {
                    game.ended_at = Some(at);
                }
                true
            }
            Order::LateResult(late) => {
                self.late_results.push(late);
                true
            }
            Order::Note(numbers) => {
                self.numbers = Some(numbers);
                self.noted = true;
                false
            }
            Order::Hold => {
                self.held = true;
                false
            }
            Order::Release => {
                self.held = false;
                true
            }
            Order::Flush(done) => {
                self.flushes.push(done);
                true
            }
        }
    }

    /// Commits what is not committed, and says how that went.
    fn commit(&mut self) {
        match self.write() {
            Ok(()) => {
                let upto = Ticket(self.taken);
                self.shared.durability.send_if_modified(|durability| {
                    let changed = durability.upto != upto || durability.problem.is_some();
                    *durability = Durability { upto, problem: None };
                    changed
                });
            }
            Err(problem) => {
                Written::add(&self.shared.written.failures, 1);
                self.store = None;
                let problem: Arc<str> = Arc::from(problem);
                self.shared.durability.send_if_modified(|durability| {
                    let new = durability.problem.as_ref() != Some(&problem);
                    durability.problem = Some(problem);
                    new
                });
            }
        }
    }

    fn write(&mut self) -> Result<(), String> {
        let mut store = match self.store.take() {
            Some(store) => store,
            None => self.reopen().map_err(|error| error.to_string())?,
        };
        if let Some(done) = store.place.look() {
            return Err(self.leave(store, done));
        }
        let mark = self.mark();
        // A commit may take minutes.
        let marked = Instant::now();
        match write_group(&mut store.connection, &self.games, mark.as_ref(), &self.late_results) {
            Ok(entries) => {
                if entries > 0 || mark.is_some() {
                    Written::add(&self.shared.written.commits, 1);
                    Written::add(&self.shared.written.entries, entries);
                }
                store.place.settle();
                if mark.is_some() {
                    (self.noted, self.marked) = (false, Some(marked));
                }
                self.late_results.clear();
                self.settle();
                self.has_unread |= entries > 0;
                if !self.is_as_committed() {
                    return Err(self.leave(store, Done::Written));
                }
                self.store = Some(store);
                Ok(())
            }
            Err(error) => {
                if schema::is_damage(&error) || schema::is_of_others(&error) {
                    self.useless = Some(error.to_string());
                }
                Err(format!("{}: {error}", self.options.file.display()))
            }
        }
    }

    /// Reads again, every few seconds, what was committed since: what somebody else does to the files during a commit shows in
    /// nothing else.
    fn is_as_committed(&mut self) -> bool {
        let began = Instant::now();
        if !self.has_unread || self.read_next.is_some_and(|due| began < due) {
            return true;
        }
        self.has_unread = false;
        let is_kept = |game: &Current, archive: &Archive| {
            game.found_in(archive).is_ok_and(|found| found == Some((game.committed, game.hash)))
        };
        let archive = Archive::open(&self.options.file);
        let is_kept = archive.is_ok_and(|archive| self.games.iter().all(|game| is_kept(game, &archive)));
        // A game with a contact without rest has so many entries that reading them takes long.
        self.read_next = Some(began + LOOK.max(began.elapsed() * READING_SHARE));
        is_kept
    }

    /// The mark that is to be written: one was asked for, or something is committed that would be much younger than the last.
    fn mark(&self) -> Option<Mark> {
        let is_old = || self.marked.is_none_or(|marked| marked.elapsed() >= MARK_EVERY);
        let has_entries = || !self.games.iter().all(Current::is_committed);
        let is_due = self.noted || (has_entries() && is_old());
        self.numbers.filter(|_| is_due).map(Mark::now)
    }

    /// Opens the file again, or another one in its place.
    fn reopen(&mut self) -> Result<Store, JournalError> {
        let file = &self.options.file.clone();
        if let Some(why) = &self.useless {
            tell_set_aside(schema::set_aside(file, &mut self.lock)?, why);
        }
        let (mut store, aside) = schema::open_or_set_aside(file, &mut self.lock)?;
        if let Some((aside, why)) = aside {
            tell_set_aside(Some(aside), &why);
        }
        let mut fit = self.fit(&store)?;
        if fit == Fit::Other {
            drop(store);
            tell_set_aside(schema::set_aside(file, &mut self.lock)?, "it is not as the daemon left it");
            (store, _) = schema::open_or_set_aside(file, &mut self.lock)?;
            fit = self.fit(&store)?;
        }
        if fit != Fit::Whole {
            tracing::error!("a new journal begins, with the game under way");
            self.games.iter_mut().for_each(Current::start_over);
        }
        // The mark in it may be an older one.
        self.marked = None;
        self.useless = None;
        let reason = |reason| JournalError::Sqlite { file: file.clone(), reason };
        let mut kept = schema::game_numbers(&store.connection).map_err(reason)?;
        kept.extend(self.games.iter().map(|game| game.number));
        *self.shared.kept.numbers() = kept;
        Ok(store)
    }

    /// Looks whether a file has what was committed of the games in hand.
    fn fit(&mut self, store: &Store) -> Result<Fit, JournalError> {
        let file = &self.options.file;
        let reason = |reason| JournalError::Sqlite { file: file.clone(), reason };
        let kept = schema::game_numbers(&store.connection).map_err(reason)?;
        let first = self.games.iter().map(|game| game.number).min();
        if kept.last() < first.as_ref() {
            let has_lost = self.games.iter().any(|game| game.has_row);
            return Ok(if has_lost { Fit::Before } else { Fit::Whole });
        }
        let archive = Archive::open(file)?;
        for game in &mut self.games {
            if !kept.contains(&game.number) {
                if game.has_row {
                    return Ok(Fit::Other);
                }
                continue;
            }
            match game.found_in(&archive)? {
                Some((number, hash)) => game.catch_up(number, hash),
                None => return Ok(Fit::Other),
            }
        }
        Ok(Fit::Whole)
    }

    /// Somebody else did something to the files: they are closed, and looked at when they are opened again.
    fn leave(&self, store: Store, done: Done) -> String {
        let what = match done {
            Done::Moved | Done::LogMoved => {
                // What is in the log alone is put into the file that we have, whatever its name is now: else it would be
                // lost, or taken for the log of the next file. Whether that worked is seen when it is opened again.
                let _ = store.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
                if done == Done::Moved {
                    "it was removed or replaced"
                } else {
                    "its log was removed or replaced"
                }
            }
            Done::Written => {
                // What is in memory of it may not be what is in the files: nothing of it is to get there.
                let _ = store.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
                "somebody else wrote to it"
            }
        };
        format!("{}: {what} while the daemon was at work", self.options.file.display())
    }

    /// Everything in hand is committed: what was ended can be forgotten.
    fn settle(&mut self) {
        self.games.iter_mut().for_each(Current::settle);
        let last = self.games.len().saturating_sub(1);
        let mut index = 0;
        self.games.retain(|game| {
            let keep = index == last && game.is_committed();
            index += 1;
            keep
        });
    }

    /// Deletes games that are older than they have to be kept, one at a time so that nobody waits for long.
    fn prune(&mut self) {
        if self.options.keep_days == 0 || self.pruned.is_some_and(|pruned| pruned.elapsed() < DAY) {
            return;
        }
        let Some(Store { connection, place, .. }) = &mut self.store else { return };
        let age_ms = u64::from(self.options.keep_days) * 24 * 60 * 60 * 1000;
        let before = WallTime::now().unix_ms().saturating_sub(age_ms);
        // The last game stays, so that no number is given twice.
        let deleted = connection
            .query_row(
                "DELETE FROM game WHERE number =
                (SELECT min(number) FROM game WHERE ended_at < ?1 AND number < (SELECT max(number) FROM game))
                RETURNING number",
                [before],
                |row| row.get::<_, u64>(0),
            )
            .optional();
        match deleted {
            Ok(None) => self.pruned = Some(Instant::now()),
            Ok(Some(number)) => {
                place.settle();
                self.shared.kept.numbers().remove(&number);
            }
            Err(error) => {
                tracing::warn!(%error, "old games could not be deleted");
                self.pruned = Some(Instant::now());
            }
        }
    }
}

fn tell_set_aside(aside: Option<PathBuf>, why: &str) {
    if let Some(aside) = aside {
        tracing::error!(file = %aside.display(), why, "the journal was set aside");
    }
}

/// Writes everything that is not committed, in one transaction. Returns how many entries that were.
fn write_group(
    connection: &mut Connection,
    games: &[Current],
    mark: Option<&Mark>,
    late_results: &[LateResult],
) -> rusqlite::Result<u64> {
    if mark.is_none() && late_results.is_empty() && games.iter().all(Current::is_committed) {
        return Ok(0);
    }
    let transaction = connection.transaction()?;
    let mut count = 0;
    for game in games {
        count += write_game(&transaction, game)?;
    }
    for &late in late_results {
        count += write_late_result(&transaction, late)?;
    }
    if let Some(mark) = mark {
        mark.write(&transaction)?;
    }
    transaction.commit()?;
    Ok(count)
}

fn write_game(connection: &Connection, game: &Current) -> rusqlite::Result<u64> {
    if !game.has_row {
        let begun = &game.begun;
        let mut insert = connection.prepare(
            "INSERT INTO game (number, board, header, about, began_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        let began_at = begun.began_at.unix_ms();
        insert.execute(params![game.number, begun.board, begun.header, begun.about, began_at])?;
    }
    let mut insert = connection.prepare(INSERT_ENTRY)?;
    let (mut number, mut hash) = (game.committed, game.hash);
    for entry in &game.entries[game.written..] {
        number += 1;
        hash = chain::of_entry(hash, number, entry);
        let (at, kind) = (entry.at.unix_ms(), entry.kind.name());
        insert.execute(params![game.number, number, at, kind, entry.body, hash.bytes()])?;
    }
    if let Some(ended_at) = game.ended_at {
        let sql = "UPDATE game SET ended_at = ?2, last_hash = ?3 WHERE number = ?1";
        connection.execute(sql, params![game.number, ended_at.unix_ms(), hash.bytes()])?;
    }
    Ok(number - game.committed)
}

/// Adds the result to a game that is over, at its last moment. Returns how many entries that were.
fn write_late_result(connection: &Connection, late: LateResult) -> rusqlite::Result<u64> {
    let game = late.game;
    let last = connection.query_row(
        "SELECT number, hash FROM entry WHERE game = ?1 ORDER BY number DESC LIMIT 1",
        [game],
        |row| Ok((row.get::<_, u64>(0)?, row.get::<_, Vec<u8>>(1)?)),
    );
    let Some((mut number, hash)) = last.optional()? else {
        tracing::error!(game, result = ?late.result, "a result was entered for a game that the journal no longer has");
        return Ok(0);
    };
    let Some(mut hash) = Hash::from_bytes(&hash) else { return Ok(0) };
    let mut select = connection
        .prepare("SELECT kind, body FROM entry WHERE game = ?1 AND kind <> 'event' ORDER BY number DESC")?;
    let mut rows = select.query([game])?;
    let mut moment = None;
    while let (None, Some(row)) = (moment, rows.next()?) {
        moment = stored_game::moment_of(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?);
    }
    let entries = stored_game::late_result(moment.unwrap_or_default(), late);
    // A commit may have been said to fail, and had not.
    let [_, event] = &entries;
    let sql = "SELECT count(*) FROM entry WHERE game = ?1 AND at = ?2 AND kind = ?3 AND body = ?4";
    let is_there = params![game, event.at.unix_ms(), event.kind.name(), event.body];
    if connection.query_row(sql, is_there, |row| row.get::<_, u64>(0))? > 0 {
        return Ok(0);
    }
    let mut insert = connection.prepare(INSERT_ENTRY)?;
    for entry in &entries {
        number += 1;
        hash = chain::of_entry(hash, number, entry);
        let (at, kind) = (entry.at.unix_ms(), entry.kind.name());
        insert.execute(params![game, number, at, kind, entry.body, hash.bytes()])?;
    }
    connection.execute("UPDATE game SET last_hash = ?2 WHERE number = ?1", params![game, hash.bytes()])?;
    Ok(entries.len() as u64)
}

fn gap(why: &str) -> Entry {
    Entry { kind: Kind::Gap, at: WallTime::now(), body: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn writer(file: impl Into<PathBuf>) -> Writer {
        let (_, orders) = mpsc::channel();
        let durability = Arc::new(watch::Sender::new(Durability::default()));
        let shared = Shared { durability, written: Arc::default(), kept: Arc::default() };
        let mut writer = Writer::new(Options::new(file), None, Lock::default(), orders, shared);
        let text = String::new;
        let game = NewGame { board: text(), header: text(), about: text(), began_at: WallTime::now() };
        writer.take(Order::Begin { number: 1, game });
        writer
    }

    #[test]
    fn what_is_committed_is_little_younger_than_the_last_mark() {
        let mut writer = writer("none.db");
        assert_eq!(writer.mark(), None, "nothing is known of the feeds");
        writer.take(Order::Note(Numbers::default()));
        assert!(writer.mark().is_some());
        writer.noted = false;
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds));
        for (seconds, is_due) in [(0, false), (9, false), (11, true)] {
            // A machine that was started that lately has no such time.
            let Some(marked) = ago(seconds) else { continue };
            writer.marked = Some(marked);
            assert_eq!(writer.mark().is_some(), is_due, "{seconds}");
        }
        writer.games.clear();
        assert_eq!(writer.mark(), None, "nothing is to be committed");
    }

    #[test]
    fn a_mark_is_as_old_as_what_it_says_however_long_the_commit_takes() {
        let folder = std::env::temp_dir().join(format!("draughtsd-{}-slow-commit", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("board.db");
        let mut writer = writer(&file);
        writer.write().unwrap();
        let other = Connection::open(&file).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let holding = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(2));
            let released = Instant::now();
            other.execute_batch("COMMIT").unwrap();
            released
        });
        writer.take(Order::Note(Numbers::default()));
        writer.write().unwrap();
        assert!(writer.marked.unwrap() < holding.join().unwrap());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
