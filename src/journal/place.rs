//! Whose a journal is, and whether its files are still those that have its name.
//!
//! SQLite goes on writing to a file that was deleted, moved away or replaced, and what it writes is lost at the end. So the
//! writer looks before each commit, and every few seconds. And two programs that each keep a board's games in one file would
//! take each other's numbers, so one of them is refused ([`JournalLock`]).

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What the log of a SQLite file is called, after the name of the file.
pub(super) const LOG: &str = "-wal";

/// What else belongs to the file, for as long as it is open.
pub(super) const INDEX: &str = "-shm";

/// What the lock is called.
const LOCK: &str = "-lock";

/// What the small file with the numbers of the feeds is called ([`Published`](super::Published)).
pub const PUBLISHED: &str = "-published";

/// Everything that the program itself has beside a journal, after the name of the journal.
pub const COMPANIONS: [&str; 4] = [LOG, INDEX, LOCK, PUBLISHED];

/// The file that belongs to a journal under this suffix.
#[must_use]
pub fn companion(journal: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(journal);
    name.push(suffix);
    PathBuf::from(name)
}

/// Keeps other programs from keeping games in the same journal, for as long as it is there.
#[derive(Debug)]
pub struct JournalLock {
    /// Locked for as long as it is open, even if the process is killed.
    _file: Option<File>,
}

impl JournalLock {
    /// Takes the lock.
    ///
    /// A folder that takes no file is none of the lock's business: there the journal says itself that it cannot be written.
    ///
    /// # Errors
    /// [`io::ErrorKind::AddrInUse`] if another program has it.
    pub fn take(journal: &Path) -> io::Result<Self> {
        let path = companion(journal, LOCK);
        let Ok(file) = OpenOptions::new().write(true).create(true).truncate(false).open(path) else {
            return Ok(Self { _file: None });
        };
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: Some(file) }),
            Err(TryLockError::WouldBlock) => {
                let reason = "another daemon keeps its games there; give each board a journal of its own";
                Err(io::Error::new(io::ErrorKind::AddrInUse, reason))
            }
            // A file system without locks.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "it cannot be seen whether another daemon has the same journal");
                Ok(Self { _file: None })
            }
        }
    }
}

/// Device and number of a file.
type FileId = (u64, u64);

/// The files of an open journal.
#[derive(Debug)]
pub(super) struct Place {
    journal: PathBuf,
    file: FileId,
    /// The log's, once there is one.
    log: Option<FileId>,
}

/// Which of its files a journal no longer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    /// The file itself.
    File,
    /// What was committed last.
    Log,
}

impl Place {
    /// The files that have the name of a journal that was opened just now.
    pub(super) fn of(journal: &Path) -> io::Result<Self> {
        let file = id(journal)?;
        Ok(Self { journal: journal.to_owned(), file, log: None })
    }

    /// Something was committed, so there is a log.
    pub(super) fn note_log(&mut self) {
        if self.log.is_none() {
            self.log = id(&companion(&self.journal, LOG)).ok();
        }
    }

    /// Whether the file itself is there, under its name.
    pub(super) fn has_the_file(&self) -> bool {
        id(&self.journal).is_ok_and(|found| found == self.file)
    }

    /// Which file is gone, if one is. What the system will not say counts as being there.
    pub(super) fn gone(&self) -> Option<Gone> {
        let is_gone = |path: &Path, expected| match id(path) {
            Ok(found) => found != expected,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if is_gone(&self.journal, self.file) {
            return Some(Gone::File);
        }
        let log = self.log.filter(|&log| is_gone(&companion(&self.journal, LOG), log));
        log.map(|_| Gone::Log)
    }
}

fn id(path: &Path) -> io::Result<FileId> {
    fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
}
