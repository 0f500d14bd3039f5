//! The form of the file: its tables, the steps from one form to the next, and what to do with a file that
//! cannot be used.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::JournalError;
use super::place::{INDEX, LOG, Lock, Place, companion, really};
use crate::feeds::wall_time::WallTime;

/// The steps that lead from an empty file to the present form. One is added for each change; none is ever
/// changed, since there are files that took it.
const STEPS: [&str; 1] = [
    // `entry` has no row number of its own: entries come in the order of their key, so that a group of them
    // touches one page and not two.
    "CREATE TABLE game (
        number INTEGER PRIMARY KEY,
        board TEXT NOT NULL,
        header TEXT NOT NULL,
        about TEXT NOT NULL,
        began_at INTEGER NOT NULL,
        ended_at INTEGER,
        last_hash BLOB
    ) STRICT;
    CREATE TABLE entry (
        game INTEGER NOT NULL REFERENCES game (number) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE mark (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        boot TEXT NOT NULL,
        uptime_ms INTEGER NOT NULL,
        at INTEGER NOT NULL,
        synchronised INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        public_seq INTEGER NOT NULL,
        arbiter_seq INTEGER NOT NULL
    ) STRICT;",
];

/// The present form of the file.
#[expect(clippy::cast_possible_truncation, reason = "a handful of steps")]
pub const VERSION: u32 = STEPS.len() as u32;

/// How long to wait for somebody who writes to the file at this moment.
const BUSY: Duration = Duration::from_secs(2);

/// How often a file that seems damaged is looked at, and how long it is between two looks.
const READS: usize = 3;
const BETWEEN_READS: Duration = Duration::from_secs(1);

/// A journal that is open for writing.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) connection: Connection,
    pub(super) place: Place,
}

/// Opens the file for writing, and brings it to the present form. A file that is damaged, or of a later form, is
/// set aside, and a new one begun, and so is a log whose file is gone; the second value says where it is and why.
pub(super) fn open_or_set_aside(
    named: &Path,
    lock: &mut Lock,
) -> Result<(Store, Option<(PathBuf, String)>), JournalError> {
    let file = &really(named);
    let has_lost_its_file = |log: fs::Metadata| log.len() > 0 && !file.exists();
    let why = if fs::metadata(companion(file, LOG)).is_ok_and(has_lost_its_file) {
        "its log is there, and it is not".to_owned()
    } else {
        match open(file, named, lock) {
            Ok(store) => return Ok((store, None)),
            Err(error) if is_useless(&error) => error.to_string(),
            Err(error) => return Err(error),
        }
    };
    let aside = set_aside(file, lock)?;
    Ok((open(file, named, lock)?, aside.map(|aside| (aside, why))))
}

/// Opens the file for writing, and brings it to the present form.
///
/// - `named`: the same, by the name that may be a link.
fn open(file: &Path, named: &Path, lock: &mut Lock) -> Result<Store, JournalError> {
    if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
        let reason = io::Error::new(io::ErrorKind::InvalidInput, "it is there and no file; take it away");
        return Err(JournalError::Io { file: file.to_owned(), reason });
    }
    lock.take(file)?;
    let failed = |reason| JournalError::Sqlite { file: file.to_owned(), reason };
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags).map_err(failed)?;
    prepare(&connection).map_err(failed)?;
    let found = version(&connection).map_err(failed)?;
    if found > VERSION {
        return Err(JournalError::Newer { file: file.to_owned(), found });
    }
    migrate(&mut connection, found).map_err(failed)?;
    check(&connection).map_err(failed)?;
    let place = Place::of(named).map_err(|reason| JournalError::Io { file: file.to_owned(), reason })?;
    Ok(Store { connection, place })
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    // The step to WAL is the one transaction with a rollback journal: that it is deleted has to be durable as well,
    // or a power cut much later would roll the file back to its beginning.
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A reader that stands still must not let the log grow without end; 4 MB is an evening's play.
    connection.pragma_update(None, "wal_autocheckpoint", 1000)?;
    connection.pragma_update(None, "journal_size_limit", 4 * 1024 * 1024)
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn migrate(connection: &mut Connection, from: u32) -> rusqlite::Result<()> {
    for (step, after) in STEPS.iter().zip(1_u32..).skip(from as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", after)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Looks whether the file holds together. Seconds for a year of games on a Pi; done once, when it is opened.
fn check(connection: &Connection) -> rusqlite::Result<()> {
    let mut said = String::new();
    for attempt in 0..READS {
        if attempt > 0 {
            // What could not be read may be read a moment later.
            thread::sleep(BETWEEN_READS);
        }
        said = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if said == "ok" {
            return Ok(());
        }
    }
    Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT), Some(said)))
}

/// Whether nothing can be done with the file but to begin another one.
pub(super) fn is_useless(error: &JournalError) -> bool {
    match error {
        JournalError::Newer { .. } => true,
        JournalError::Sqlite { reason, .. } => is_damage(reason),
        JournalError::Io { .. } | JournalError::InUse { .. } | JournalError::NoSuchGame { .. } => false,
    }
}

/// Whether SQLite found the file damaged.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(failure, said) => match failure.code {
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => true,
            // A file of the right form without the right tables.
            ErrorCode::Unknown => said.as_deref().is_some_and(|said| said.contains("no such table")),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the file has other entries under the numbers that are to be written: it is not the one that was written before.
pub(super) fn is_of_others(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

/// Renames the file and what belongs to it: `board.db` becomes `board.db.damaged-1789000000000`. Returns that name; `None`
/// if there was nothing.
///
/// # Errors
/// When it cannot be renamed, or another daemon keeps its games there.
pub(super) fn set_aside(file: &Path, lock: &mut Lock) -> Result<Option<PathBuf>, JournalError> {
    let file = &really(file);
    if file.is_file() {
        lock.take(file)?;
    }
    let aside = companion(file, &format!(".damaged-{}", WallTime::now().unix_ms()));
    let failed = |reason| JournalError::Io { file: file.to_owned(), reason };
    let mut is_there = false;
    for suffix in ["", LOG, INDEX] {
        match fs::rename(companion(file, suffix), companion(&aside, suffix)) {
            Ok(()) => is_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(is_there.then_some(aside))
}

/// The numbers of all games.
pub(super) fn game_numbers(connection: &Connection) -> rusqlite::Result<BTreeSet<u64>> {
    connection.prepare("SELECT number FROM game")?.query_map([], |row| row.get(0))?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("draughtsd-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_new_file_has_the_present_form_and_the_promised_durability() {
        let file = folder("new").join("board.db");
        let (Store { connection, .. }, aside) = open_or_set_aside(&file, &mut Lock::default()).unwrap();
        assert_eq!(aside, None);
        assert_eq!(version(&connection).unwrap(), VERSION);
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        let synchronous: u32 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!((mode.as_str(), synchronous), ("wal", 2));
    }

    #[test]
    fn what_is_no_journal_is_set_aside_whole() {
        let file = folder("noise").join("board.db");
        let noise: Vec<u8> = (0..20_000_u32).map(|n| (n * 7 % 251) as u8).collect();
        fs::write(&file, &noise).unwrap();
        let (_, aside) = open_or_set_aside(&file, &mut Lock::default()).unwrap();
        let (aside, why) = aside.unwrap();
        assert_eq!(fs::read(aside).unwrap(), noise);
        assert!(why.contains("not a database"), "{why}");
    }

    #[test]
    fn a_file_of_a_later_form_is_set_aside_and_named() {
        let file = folder("later").join("board.db");
        let (Store { connection, .. }, _) = open_or_set_aside(&file, &mut Lock::default()).unwrap();
        connection.pragma_update(None, "user_version", VERSION + 1).unwrap();
        drop(connection);
        let (_, aside) = open_or_set_aside(&file, &mut Lock::default()).unwrap();
        assert!(aside.unwrap().1.contains("this program knows forms up to"));
    }
}
