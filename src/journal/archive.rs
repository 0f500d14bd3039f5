//! Reading a journal: the games in it, their entries, and whether their chains hold.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row};

use super::chain::{self, Hash};
use super::{Entry, JournalError, Kind, NewGame};
use crate::feeds::wall_time::WallTime;

/// A journal opened for reading. The program that writes it may be at work.
#[derive(Debug)]
pub struct Archive {
    file: PathBuf,
    connection: Connection,
}

/// A game in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Its number.
    pub number: u64,
    /// How it began.
    pub game: NewGame,
    /// When nothing more was added to it; `None` while it is under way.
    pub ended_at: Option<WallTime>,
    /// The hash of its last entry, kept when it ended.
    pub last_hash: Option<Hash>,
}

/// What came of following a game's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every entry follows from the one before it.
    Holds {
        /// How many there are.
        entries: u64,
        /// The last hash.
        hash: Hash,
    },
    /// An entry does not follow.
    Broken {
        /// The number that was expected.
        entry: u64,
        /// What is wrong there.
        problem: String,
    },
}

impl Archive {
    /// Opens a journal for reading.
    ///
    /// # Errors
    /// When the file is not there, or is no journal.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        let failed = |reason| JournalError::Sqlite { file: file.to_owned(), reason };
        // A log that was left behind by a crash can only be read by somebody who may write; where that is not
        // allowed, what is in the file itself is all there is.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)
            .or_else(|_| Connection::open_with_flags(file, read_only))
            .map_err(failed)?;
        connection.pragma_update(None, "query_only", true).map_err(failed)?;
        connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(failed)?;
        let found: u32 =
            connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
        if found > super::VERSION {
            return Err(JournalError::Newer { file: file.to_owned(), found });
        }
        Ok(Self { file: file.to_owned(), connection })
    }

    fn failed(&self, reason: rusqlite::Error) -> JournalError {
        JournalError::Sqlite { file: self.file.clone(), reason }
    }

    /// All games, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn games(&self) -> Result<Vec<StoredGame>, JournalError> {
        let sql = format!("{SELECT_GAME} ORDER BY number");
        let mut select = self.connection.prepare(&sql).map_err(|error| self.failed(error))?;
        let games = select.query_map([], stored_game).map_err(|error| self.failed(error))?;
        games.collect::<Result<_, _>>().map_err(|error| self.failed(error))
    }

    /// One game.
    ///
    /// # Errors
    /// When there is none of this number, or the file cannot be read.
    pub fn game(&self, number: u64) -> Result<StoredGame, JournalError> {
        let sql = format!("{SELECT_GAME} WHERE number = ?1");
        let found = self.connection.query_row(&sql, [number], stored_game).optional();
        found
            .map_err(|error| self.failed(error))?
            .ok_or_else(|| JournalError::NoSuchGame { file: self.file.clone(), game: number })
    }

    /// The numbers of a board's games, the last one first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn numbers_of(&self, board: &str) -> Result<Vec<u64>, JournalError> {
        let sql = "SELECT number FROM game WHERE board = ?1 ORDER BY number DESC";
        let mut select = self.connection.prepare(sql).map_err(|error| self.failed(error))?;
        let numbers = select.query_map([board], |row| row.get(0)).map_err(|error| self.failed(error))?;
        numbers.collect::<Result<_, _>>().map_err(|error| self.failed(error))
    }

    /// The last game of a board, if it is still under way.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn under_way(&self, board: &str) -> Result<Option<StoredGame>, JournalError> {
        let sql = format!("{SELECT_GAME} WHERE board = ?1 ORDER BY number DESC LIMIT 1");
        let last = self.connection.query_row(&sql, [board], stored_game).optional();
        Ok(last.map_err(|error| self.failed(error))?.filter(|game| game.ended_at.is_none()))
    }

    /// The entries of a game, in order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn entries(&self, number: u64) -> Result<Vec<Entry>, JournalError> {
        let mut entries = Vec::new();
        self.each_entry(number, |_, entry, _| entries.push(entry))?;
        Ok(entries)
    }

    /// The hash that an entry of a game has; `None` if there is no such entry.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn hash_of(&self, game: u64, number: u64) -> Result<Option<Hash>, JournalError> {
        let sql = "SELECT hash FROM entry WHERE game = ?1 AND number = ?2";
        let kept = self.connection.query_row(sql, [game, number], |row| row.get::<_, Vec<u8>>(0)).optional();
        Ok(kept.map_err(|error| self.failed(error))?.and_then(|bytes| Hash::from_bytes(&bytes)))
    }

    /// Follows the chain of a game.
    ///
    /// # Errors
    /// When there is no such game, or the file cannot be read.
    pub fn verify(&self, number: u64) -> Result<Verdict, JournalError> {
        let stored = self.game(number)?;
        let mut hash = chain::of_game(number, &stored.game);
        let mut expected = 1;
        let mut broken = None;
        self.each_entry(number, |number, entry, kept| {
            let follows = chain::of_entry(hash, expected, &entry);
            let problem = if number != expected {
                Some(format!("the entry after it has the number {number}"))
            } else if kept != Some(follows) {
                Some("its hash does not follow from what it says and the hash before it".to_owned())
            } else {
                None
            };
            if let Some(problem) = problem {
                broken.get_or_insert(Verdict::Broken { entry: expected, problem });
            }
            hash = follows;
            expected += 1;
        })?;
        if let Some(broken) = broken {
            return Ok(broken);
        }
        if stored.last_hash.is_some_and(|last| last != hash) {
            let problem = "the game ended with another hash: entries at its end were changed or are missing";
            return Ok(Verdict::Broken { entry: expected, problem: problem.to_owned() });
        }
        Ok(Verdict::Holds { entries: expected - 1, hash })
    }

    fn each_entry(
        &self,
        game: u64,
        mut take: impl FnMut(u64, Entry, Option<Hash>),
    ) -> Result<(), JournalError> {
        let sql = "SELECT number, at, kind, body, hash FROM entry WHERE game = ?1 ORDER BY number";
        let mut select = self.connection.prepare(sql).map_err(|error| self.failed(error))?;
        let mut rows = select.query([game]).map_err(|error| self.failed(error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
            let (number, entry, hash) = entry_of(row).map_err(|error| self.failed(error))?;
            take(number, entry, hash);
        }
        Ok(())
    }
}

const SELECT_GAME: &str = "SELECT number, board, header, about, began_at, ended_at, last_hash FROM game";

fn stored_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let hash: Option<Vec<u8>> = row.get(6)?;
    Ok(StoredGame {
        number: row.get(0)?,
        game: NewGame {
            board: row.get(1)?,
            header: row.get(2)?,
            about: row.get(3)?,
            began_at: WallTime::from_unix_ms(row.get(4)?),
        },
        ended_at: row.get::<_, Option<u64>>(5)?.map(WallTime::from_unix_ms),
        last_hash: hash.and_then(|hash| Hash::from_bytes(&hash)),
    })
}

fn entry_of(row: &Row<'_>) -> rusqlite::Result<(u64, Entry, Option<Hash>)> {
    let kind: String = row.get(2)?;
    let hash: Vec<u8> = row.get(4)?;
    let entry = Entry {
        // A kind that is not known breaks the chain, which is what it should do.
        kind: Kind::from_name(&kind).unwrap_or(Kind::Gap),
        at: WallTime::from_unix_ms(row.get(1)?),
        body: row.get(3)?,
    };
    Ok((row.get(0)?, entry, Hash::from_bytes(&hash)))
}
