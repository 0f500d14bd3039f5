//! Whose a journal is, and whether its files are still as the writer left them.
//!
//! SQLite goes on writing to a file that was deleted, moved away or written over, and what it writes is lost at the end. So the
//! writer looks before each commit, and every few seconds. And two programs that each keep a board's games in one file would
//! take each other's numbers, so one of them is refused (`Lock`).

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::JournalError;

/// What the log of a SQLite file is called, after the name of the file.
pub(super) const LOG: &str = "-wal";

/// What else belongs to the file, for as long as it is open.
pub(super) const INDEX: &str = "-shm";

/// What the small file with the numbers of the feeds is called ([`Published`](super::Published)).
pub const PUBLISHED: &str = "-published";

/// Everything that the program itself has beside a journal, after the name of the journal.
pub const COMPANIONS: [&str; 3] = [LOG, INDEX, PUBLISHED];

/// The file that belongs to a journal under this suffix.
#[must_use]
pub fn companion(journal: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(journal);
    name.push(suffix);
    PathBuf::from(name)
}

/// The file itself, where its name is that of a link: the log is beside the file, not beside the link.
pub(super) fn really(journal: &Path) -> PathBuf {
    // Of a link to nothing, where the file will be.
    let made_by_link = || Some(journal.parent()?.join(fs::read_link(journal).ok()?));
    fs::canonicalize(journal).ok().or_else(made_by_link).unwrap_or_else(|| journal.to_owned())
}

/// Keeps other programs from keeping games in the same file, under whatever name, for as long as it is there and no longer than
/// the process lives; also while the file cannot be written.
///
/// SQLite's own locks are of another kind, but go when *any* handle on the file is closed: this one has to outlive them.
#[derive(Debug, Default)]
pub(super) struct Lock(Option<File>);

impl Lock {
    /// Locks the file that has this name, and gives up the one before, if that was another. Makes the file where there is
    /// none. One that cannot be opened has other troubles, and is not locked.
    ///
    /// # Errors
    /// [`JournalError::InUse`] if another program has it.
    pub(super) fn take(&mut self, journal: &Path) -> Result<(), JournalError> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(journal);
        let Ok(file) = opened.or_else(|_| File::open(journal)) else { return Ok(()) };
        let is_held = self.0.as_ref().is_some_and(|held| {
            matches!((held.metadata(), file.metadata()), (Ok(held), Ok(file)) if id(&held) == id(&file))
        });
        if is_held {
            return Ok(());
        }
        match file.try_lock() {
            Ok(()) => self.0 = Some(file),
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { file: journal.to_owned() }),
            // A file system without locks.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "it cannot be seen whether another daemon has the same journal");
            }
        }
        Ok(())
    }
}

/// Device and number of a file.
fn id(metadata: &fs::Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// The files of an open journal.
#[derive(Debug)]
pub(super) struct Place {
    journal: PathBuf,
    /// The same without links.
    really: PathBuf,
    file: Stamp,
    /// The log's, once there is one.
    log: Option<Stamp>,
}

/// What a file was when it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    id: (u64, u64),
    length: u64,
    /// When it was written to last, in seconds and nanoseconds. (When it was changed last in any way does not tell: SQLite
    /// sets a log's owner whenever somebody opens it.)
    written: (i64, i64),
}

/// What somebody else did to the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// The journal is another file, or none.
    Moved,
    /// Its log, with what was committed last, is another file, or none.
    LogMoved,
    /// One of them was written to.
    Written,
}

impl Place {
    /// The files that have the name of a journal that was opened just now.
    pub(super) fn of(journal: &Path) -> io::Result<Self> {
        let really = fs::canonicalize(journal)?;
        let file = Stamp::of(&really)?;
        let mut place = Self { journal: journal.to_owned(), really, file, log: None };
        place.settle();
        Ok(place)
    }

    /// The files are as they are because of us.
    pub(super) fn settle(&mut self) {
        if let Ok(file) = Stamp::of(&self.really) {
            self.file = file;
        }
        self.log = Stamp::of(&companion(&self.really, LOG)).ok().or(self.log);
    }

    /// What somebody else did to the files since we wrote last. What the system will not say counts as untouched.
    pub(super) fn look(&self) -> Option<Done> {
        match fs::canonicalize(&self.journal) {
            Ok(really) if really != self.really => return Some(Done::Moved),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Done::Moved),
            _ => {}
        }
        let of_the_file = self.file.done_to(&self.really, Done::Moved);
        let log = companion(&self.really, LOG);
        of_the_file.or_else(|| self.log.and_then(|stamp| stamp.done_to(&log, Done::LogMoved)))
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let written = (metadata.mtime(), metadata.mtime_nsec());
        Ok(Self { id: id(&metadata), length: metadata.len(), written })
    }

    /// What was done to the file of this name.
    ///
    /// - `moved`: what it is called if it is another file, or none.
    fn done_to(self, path: &Path, moved: Done) -> Option<Done> {
        match Self::of(path) {
            Ok(now) if now.id != self.id => Some(moved),
            Ok(now) => (now != self).then_some(Done::Written),
            Err(error) => (error.kind() == io::ErrorKind::NotFound).then_some(moved),
        }
    }
}
