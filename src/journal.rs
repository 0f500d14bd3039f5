//! The journal: what happened on a board, kept so that a power cut loses nothing that was promised.
//!
//! One SQLite file in WAL mode with `synchronous=FULL`. Everything that goes into a game is an [`Entry`]:
//! inputs before the core sees them, what the core said about them, decisions and who took them. Entries of a
//! game are numbered and hash-chained ([`chain`]), so that a later change shows.
//!
//! Writing has a thread of its own ([`Journal`] is the handle on it). It commits in groups: whatever has come
//! in since the last commit is one transaction, and contacts wait a little ([`Options::commit_after`]) so that a
//! hand's bounces are one flush of the card and not twenty. What is [`Urgency::Promise`] is committed at once;
//! [`Journal::durability`] says how far everything is on the card.
//!
//! **A journal that cannot write never stops a game.** The thread keeps what it could not write, tries again
//! every second, and says so in [`Durability::problem`]; whoever publishes then knows that a final move is no
//! longer promised to survive. A damaged file is set aside, never deleted, and a new one begun; so is one that was
//! deleted, replaced or written over while the program had it open ([`place`]).

pub mod archive;
pub mod chain;
mod numbers;
pub mod place;
mod schema;
mod writer;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use draughtsd_core::event::EndReason;
use draughtsd_core::trace::GameResult;
use thiserror::Error;
use tokio::sync::{oneshot, watch};

use crate::feeds::wall_time::WallTime;
pub use numbers::{LastSign, LetOut, MARK_EVERY, Mark, Numbers, Outage, Published};
use place::Lock;
pub use schema::VERSION;

/// How the journal is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The SQLite file.
    pub file: PathBuf,
    /// How long entries that nobody was promised wait for company. Default 100 ms.
    pub commit_after: Duration,
    /// For how many days games are kept after they ended; 0 is for ever.
    pub keep_days: u32,
}

impl Options {
    /// The defaults, with a file.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), commit_after: Duration::from_millis(100), keep_days: 0 }
    }
}

/// What an entry is about. The names are in the file and never change their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What came in from the board, as a line of a trace, before the core saw it.
    Input,
    /// What people entered or the program itself put in, in the same form.
    Entered,
    /// Time passed up to a moment, and something was told because of it. The moment in milliseconds.
    Reached,
    /// What the core said, as JSON.
    Event,
    /// Names and the like, as JSON; they take the place of those before.
    About,
    /// Who did what from outside, as JSON.
    Audit,
    /// Entries are missing here; the text says why.
    Gap,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Input, Self::Entered, Self::Reached, Self::Event, Self::About, Self::Audit, Self::Gap];

    /// The name as it is in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Entered => "entered",
            Self::Reached => "reached",
            Self::Event => "event",
            Self::About => "about",
            Self::Audit => "audit",
            Self::Gap => "gap",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One entry of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is about.
    pub kind: Kind,
    /// When it was written, by the calendar as the system clock had it.
    pub at: WallTime,
    /// What it says.
    pub body: String,
}

/// A game as it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The board's id.
    pub board: String,
    /// The header of its trace, one line of JSON.
    pub header: String,
    /// Names and the like, as JSON.
    pub about: String,
    /// When it begins by the calendar.
    pub began_at: WallTime,
}

/// A result that is entered after the game was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateResult {
    /// The game's number.
    pub game: u64,
    /// When it was entered.
    pub at: WallTime,
    /// The result.
    pub result: GameResult,
    /// How it came about; `None` leaves it at the arbiter's word.
    pub reason: Option<EndReason>,
}

/// How soon an entry has to be on the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// With the next group.
    Routine,
    /// Now: somebody waits for it to be durable.
    Promise,
}

/// The place of an entry among everything that was handed to the journal; compared with
/// [`Durability::upto`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

impl Ticket {
    /// A ticket after all others.
    pub const LAST: Self = Self(u64::MAX);

    /// The ticket of the order of this number, from 1.
    #[cfg(test)]
    pub(crate) const fn of_order(number: u64) -> Self {
        Self(number)
    }
}

/// How far the journal has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durability {
    /// Everything up to this ticket is on the card.
    pub upto: Ticket,
    /// Why nothing can be written at present; `None` while all is well.
    pub problem: Option<Arc<str>>,
}

/// What was found when the journal was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Where the last run left off; `None` where there was none, or it is not known.
    pub mark: Option<Mark>,
    /// The file that was set aside because it could not be used, and why.
    pub set_aside: Option<(PathBuf, String)>,
}

/// Why a journal could not be opened or read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// What SQLite said.
    #[error("{}: {reason}", file.display())]
    Sqlite {
        /// The file.
        file: PathBuf,
        /// What SQLite said.
        reason: rusqlite::Error,
    },
    /// The file was written by a later version of the program.
    #[error(
        "{}: the journal has the form {found}; this program knows forms up to {VERSION}: use the program that wrote it",
        file.display()
    )]
    Newer {
        /// The file.
        file: PathBuf,
        /// The form it has.
        found: u32,
    },
    /// Another program keeps games in the file.
    #[error("{}: another daemon keeps its games there; give each board a journal of its own", file.display())]
    InUse {
        /// The file.
        file: PathBuf,
    },
    /// The file could not be renamed, or the like.
    #[error("{}: {reason}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// There is no game of this number.
    #[error("{}: there is no game {game}; `draughtsd games list` shows which there are", file.display())]
    NoSuchGame {
        /// The file.
        file: PathBuf,
        /// The number asked for.
        game: u64,
    },
}

/// What the journal has written, for the metrics.
#[derive(Debug, Default)]
pub struct Written {
    /// Transactions committed; each waits for the card at least once.
    pub commits: AtomicU64,
    /// Entries committed.
    pub entries: AtomicU64,
    /// Attempts that failed.
    pub failures: AtomicU64,
}

/// The numbers of the games that are in the journal, or on their way there.
#[derive(Debug, Default)]
struct Kept(Mutex<BTreeSet<u64>>);

impl Kept {
    fn numbers(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        // Whoever panicked with it has left whole numbers.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The handle on the journal's thread.
#[derive(Debug)]
pub struct Journal {
    orders: mpsc::Sender<writer::Order>,
    handed_in: u64,
    next_game: u64,
    kept: Arc<Kept>,
    durability: Arc<watch::Sender<Durability>>,
    written: Arc<Written>,
    thread: Option<thread::JoinHandle<()>>,
    file: PathBuf,
}

impl Journal {
    /// Opens the journal, or begins one, and starts its thread.
    ///
    /// A file that cannot be written at all does not fail: the journal then tries again every second, and says
    /// so in [`Journal::durability`].
    ///
    /// # Errors
    /// When another program keeps games in the file ([`io::ErrorKind::AddrInUse`]), or the system gives no thread.
    pub fn open(options: Options) -> io::Result<(Self, Found)> {
        let kept = Arc::<Kept>::default();
        let mut found = Found::default();
        let mut last = None;
        let mut lock = Lock::default();
        let opened = schema::open_or_set_aside(&options.file, &mut lock).and_then(|(store, set_aside)| {
            let reason = |reason| JournalError::Sqlite { file: options.file.clone(), reason };
            *kept.numbers() = schema::game_numbers(&store.connection).map_err(reason)?;
            last = Some(kept.numbers().last().copied().unwrap_or(0));
            found = Found { mark: numbers::last_mark(&store.connection), set_aside };
            Ok(store)
        });
        let (store, problem) = match opened {
            Ok(store) => (Some(store), None),
            Err(error @ JournalError::InUse { .. }) => {
                return Err(io::Error::new(io::ErrorKind::AddrInUse, error));
            }
            Err(error) => (None, Some(Arc::from(error.to_string()))),
        };
        // Where there is a file and no look into it, a number that no earlier game can have.
        let unknown = || if options.file.exists() { WallTime::now().unix_ms() / 1000 } else { 0 };
        let last = last.unwrap_or_else(unknown);
        let (orders, incoming) = mpsc::channel();
        let durability = Arc::new(watch::Sender::new(Durability { upto: Ticket(0), problem }));
        let written = Arc::new(Written::default());
        let file = options.file.clone();
        let shared = writer::Shared {
            durability: Arc::clone(&durability),
            written: Arc::clone(&written),
            kept: Arc::clone(&kept),
        };
        let writer = writer::Writer::new(options, store, lock, incoming, shared);
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(move || writer.run())?;
        let journal = Self {
            orders,
            handed_in: 0,
            next_game: last + 1,
            kept,
            durability,
            written,
            thread: Some(thread),
            file,
        };
        Ok((journal, found))
    }

    /// The SQLite file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Begins a game and returns its number.
    pub fn begin_game(&mut self, game: NewGame) -> u64 {
        let number = self.next_game;
        self.next_game += 1;
        self.kept.numbers().insert(number);
        self.hand_in(writer::Order::Begin { number, game });
        number
    }

    /// Goes on with a game that was begun in an earlier run.
    ///
    /// - `entries`: all that it has so far.
    pub fn go_on(&mut self, number: u64, game: NewGame, entries: Vec<Entry>) {
        self.hand_in(writer::Order::GoOn { number, game, entries });
    }

    /// Whether the journal has a game of this number, as far as is known.
    #[must_use]
    pub fn has_game(&self, number: u64) -> bool {
        self.kept.numbers().contains(&number)
    }

    /// Adds an entry to the game under way.
    pub fn append(&mut self, entry: Entry, urgency: Urgency) -> Ticket {
        self.hand_in(writer::Order::Append { entry, urgency })
    }

    /// Enters the result of a game that is over already. If there is no such game, nothing is entered.
    pub fn late_result(&mut self, game: u64, result: GameResult, reason: Option<EndReason>) -> Ticket {
        self.hand_in(writer::Order::LateResult(LateResult { game, at: WallTime::now(), result, reason }))
    }

    /// The game under way is over: nothing is added to it any more.
    pub fn end_game(&mut self, at: WallTime) -> Ticket {
        self.hand_in(writer::Order::End { at })
    }

    /// What is handed in from now on until [`Journal::release`] is committed together or not at all.
    pub fn hold(&mut self) {
        self.hand_in(writer::Order::Hold);
    }

    /// Everything that belongs together has been handed in.
    pub fn release(&mut self) {
        self.hand_in(writer::Order::Release);
    }

    /// Notes where the feeds are, and that the program is alive; written with the next group. What is committed later than
    /// [`MARK_EVERY`] after it notes the same once more, with the time as it is then.
    pub fn note(&mut self, numbers: Numbers) {
        self.hand_in(writer::Order::Note(numbers));
    }

    fn hand_in(&mut self, order: writer::Order) -> Ticket {
        self.handed_in += 1;
        // The thread ends only after this handle; were it gone, durability would never advance, and say so.
        let _ = self.orders.send(order);
        Ticket(self.handed_in)
    }

    /// How far everything is on the card; changes are told.
    #[must_use]
    pub fn durability(&self) -> watch::Receiver<Durability> {
        self.durability.subscribe()
    }

    /// The card holds up what is promised, and the thread that waits for it cannot say so. What is written later takes
    /// it back.
    ///
    /// - `waiting`: what is not on the card. `since`: for how long it has waited.
    pub fn does_not_answer(&self, waiting: Ticket, since: Duration) {
        let file = self.file.display();
        let problem =
            format!("{file}: nothing was written for {} s; the card does not answer", since.as_secs());
        self.durability.send_if_modified(|durability| {
            let is_new = durability.upto < waiting && durability.problem.is_none();
            if is_new {
                durability.problem = Some(Arc::from(problem));
            }
            is_new
        });
    }

    /// What has been written so far.
    #[must_use]
    pub fn written(&self) -> Arc<Written> {
        Arc::clone(&self.written)
    }

    /// Commits everything that was handed in; ready when that was done, or could not be.
    pub async fn flush(&mut self) {
        let (done, ready) = oneshot::channel();
        self.hand_in(writer::Order::Flush(done));
        // An error means that the thread is gone, and nothing can be flushed.
        let _ = ready.await;
    }

    /// Commits everything and closes the file.
    pub async fn close(mut self) {
        self.flush().await;
        drop(self.orders);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has ended the process before this line.
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }
}

impl Written {
    fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }
}
