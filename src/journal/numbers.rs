//! Where the last run left off: the numbers of the feeds, and when that was.
//!
//! A feed's numbers have to go on after the program was killed, but contacts and provisional moves are published
//! before they are durable. So the numbers are kept twice. As a [`Mark`] in the journal, no older than [`MARK_EVERY`] when
//! something is committed: that survives a power cut. And with every event published, in a small file that is never flushed,
//! best in memory, since the board loop writes it: that survives the end of the process, and it is believed only in the boot
//! in which it was written, and only by somebody who may go on writing it. After a power cut nobody knows what was published
//! last, and another epoch begins.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::feeds::wall_time::WallTime;

/// So much older than what is committed with it the last mark in the journal may be.
pub const MARK_EVERY: Duration = Duration::from_secs(10);

/// The longest line that the small file has.
const LONGEST_LINE: u64 = 1024;

/// The numbers of the two feeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The epoch of both.
    pub epoch: u64,
    /// The last number of the public feed.
    pub public: u64,
    /// The last number of the arbiter's feed.
    pub arbiter: u64,
}

impl Numbers {
    /// Whether these may have been reached after those.
    const fn is_after(self, earlier: Self) -> bool {
        let goes_on = self.public >= earlier.public && self.arbiter >= earlier.arbiter;
        self.epoch > earlier.epoch || (self.epoch == earlier.epoch && goes_on)
    }
}

/// Where a run of the program stood, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which boot of the machine it was.
    pub boot: String,
    /// How long the machine had been up, in milliseconds.
    pub uptime_ms: u64,
    /// What the system clock showed.
    pub at: WallTime,
    /// Whether the system clock was known to be right.
    pub synchronised: bool,
    /// The numbers of the feeds.
    pub numbers: Numbers,
}

/// For how long nothing was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// This long, in milliseconds.
    Known(u64),
    /// The machine was off, and its clock was not known to be right before and after.
    Unknown,
}

impl Outage {
    /// The outage in milliseconds, where it is known.
    #[must_use]
    pub const fn millis(self) -> Option<u64> {
        match self {
            Self::Known(millis) => Some(millis),
            Self::Unknown => None,
        }
    }
}

impl Mark {
    /// For how long nothing was recorded, by the later of the last sign of life and the last mark.
    #[must_use]
    pub fn outage(last: Option<&Self>, sign: Option<LastSign>, now: &Self) -> Outage {
        let by_mark = last.and_then(|mark| mark.until(now).millis());
        let by_sign = sign.map(|sign| now.uptime_ms.saturating_sub(sign.uptime_ms));
        by_mark.into_iter().chain(by_sign).min().map_or(Outage::Unknown, Outage::Known)
    }

    /// Where things stand now.
    #[must_use]
    pub fn now(numbers: Numbers) -> Self {
        Self {
            boot: read_line("/proc/sys/kernel/random/boot_id").unwrap_or_default(),
            uptime_ms: uptime_ms(),
            at: WallTime::now(),
            // Kept by systemd-timesyncd, which Raspberry Pi OS uses. Where another program sets the clock, we
            // do not know.
            synchronised: Path::new("/run/systemd/timesync/synchronized").exists(),
            numbers,
        }
    }

    /// How long it is from this mark to a later one.
    #[must_use]
    pub fn until(&self, later: &Self) -> Outage {
        if self.is_same_boot(later) {
            // The system clock may have been set meanwhile; the time since the boot cannot.
            return Outage::Known(later.uptime_ms.saturating_sub(self.uptime_ms));
        }
        if self.synchronised && later.synchronised && self.at <= later.at {
            return Outage::Known(later.at.unix_ms() - self.at.unix_ms());
        }
        Outage::Unknown
    }

    fn is_same_boot(&self, other: &Self) -> bool {
        !self.boot.is_empty() && self.boot == other.boot
    }

    /// The numbers with which a run goes on that begins at `now`: the same epoch where it is known what was
    /// published last, else a later one.
    ///
    /// - `last`: the last mark in the journal.
    /// - `published`: what the small file says, if it is of this boot.
    #[must_use]
    pub fn go_on(last: Option<&Self>, published: Option<Numbers>, now: &Self) -> Numbers {
        let last = last.map(|mark| mark.numbers).unwrap_or_default();
        match published {
            // In the epoch of the mark the small file is never behind it, unless something kept it from being written.
            Some(numbers) if numbers.is_after(last) => numbers,
            _ => Numbers { epoch: now.at.unix_ms().max(last.epoch + 1), ..last },
        }
    }

    pub(super) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement = connection.prepare(
            "INSERT OR REPLACE INTO mark
                (only, boot, uptime_ms, at, synchronised, epoch, public_seq, arbiter_seq)
             VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        let Numbers { epoch, public, arbiter } = self.numbers;
        let at = self.at.unix_ms();
        statement.execute(params![
            self.boot,
            self.uptime_ms,
            at,
            self.synchronised,
            epoch,
            public,
            arbiter
        ])?;
        Ok(())
    }
}

/// Where the last run left off, by the journal.
pub(super) fn last_mark(connection: &Connection) -> Option<Mark> {
    let sql = "SELECT boot, uptime_ms, at, synchronised, epoch, public_seq, arbiter_seq FROM mark";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Mark {
            boot: row.get(0)?,
            uptime_ms: row.get(1)?,
            at: WallTime::from_unix_ms(row.get(2)?),
            synchronised: row.get(3)?,
            numbers: Numbers { epoch: row.get(4)?, public: row.get(5)?, arbiter: row.get(6)? },
        })
    };
    // A file that gives no mark is one of which nothing is known; the epoch goes on by the calendar.
    connection.query_row(sql, [], read).optional().ok().flatten()
}

/// How much of a board's games the public has been told, which with a delay is less than what is in the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LetOut {
    /// The game that the public is shown; 0 for none.
    pub game: u64,
    /// How many public events of it.
    pub events: u64,
}

impl LetOut {
    /// Whether so many public events of a game have come through.
    #[must_use]
    pub const fn has(self, game: u64, events: u64) -> bool {
        game < self.game || (game == self.game && events <= self.events)
    }
}

/// The small file with the numbers published last.
#[derive(Debug)]
pub struct Published {
    /// The file and its name; `None` where it cannot be written, or no longer.
    file: Option<(File, PathBuf)>,
    boot: String,
    /// How long the machine had been up, and when that was.
    uptime_ms: u64,
    opened: Instant,
}

/// What the small file says: the program's last sign of life in this boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastSign {
    /// The numbers published last.
    pub numbers: Numbers,
    /// How much the public had been told.
    pub let_out: LetOut,
    /// How long the machine had been up.
    pub uptime_ms: u64,
}

impl LastSign {
    /// What a line says, if it is whole and of the boot of `now`.
    fn of_this_boot(line: &str, now: &Mark) -> Option<Self> {
        let mut words = line.split_whitespace();
        let boot = words.next()?;
        let mut number = || words.next()?.parse().ok();
        let numbers = Numbers { epoch: number()?, public: number()?, arbiter: number()? };
        let uptime_ms = number()?;
        let let_out = LetOut { game: number()?, events: number()? };
        // The last word shows that the line is whole.
        (words.next() == Some("end") && boot == now.boot).then_some(Self { numbers, let_out, uptime_ms })
    }
}

impl Published {
    /// Opens the file for reading and writing, or makes it. Returns with it what it says, if that was written in the boot
    /// of `now`. Without a file that can be written, every restart begins another epoch.
    ///
    /// # Errors
    /// What the system says. A file that can be read alone is none: what it says was written before a run that could not.
    pub fn open(path: &Path, now: &Mark) -> io::Result<(Self, Option<LastSign>)> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut line = Vec::new();
        (&file).take(LONGEST_LINE).read_to_end(&mut line)?;
        let (boot, uptime_ms) = (now.boot.clone(), now.uptime_ms);
        let file = Some((file, path.to_owned()));
        let sign = str::from_utf8(&line).ok().and_then(|line| LastSign::of_this_boot(line, now));
        Ok((Self { file, boot, uptime_ms, opened: Instant::now() }, sign))
    }

    /// A file that is not there.
    #[must_use]
    pub fn nowhere() -> Self {
        Self { file: None, boot: String::new(), uptime_ms: 0, opened: Instant::now() }
    }

    /// Notes the numbers, and how much the public has been told; not flushed. If that cannot be done the file goes, since
    /// it would say something else.
    pub fn write(&mut self, numbers: Numbers, let_out: LetOut) {
        let Some((file, path)) = &self.file else { return };
        let Numbers { epoch, public, arbiter } = numbers;
        let since = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        let uptime_ms = self.uptime_ms.saturating_add(since);
        let (boot, LetOut { game, events }) = (&self.boot, let_out);
        let line = format!(
            "{boot} {epoch:020} {public:020} {arbiter:020} {uptime_ms:020} {game:020} {events:020} end\n"
        );
        if let Err(error) = file.write_all_at(line.as_bytes(), 0) {
            tracing::warn!(%error, file = %path.display(), "the numbers of the feeds can no longer be noted");
            // If it stays, it is behind the marks in the journal, and not believed.
            let _ = fs::remove_file(path);
            self.file = None;
        }
    }
}

fn uptime_ms() -> u64 {
    let seconds = read_line("/proc/uptime").unwrap_or_default();
    let mut parts = seconds.split_whitespace().next().unwrap_or_default().split('.');
    let whole: u64 = parts.next().and_then(|part| part.parse().ok()).unwrap_or_default();
    let hundredths: u64 = parts.next().and_then(|part| part.parse().ok()).unwrap_or_default();
    whole * 1000 + hundredths * 10
}

fn read_line(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(boot: &str, uptime_ms: u64, at: u64, synchronised: bool) -> Mark {
        let numbers = Numbers { epoch: 100, public: 7, arbiter: 9 };
        Mark { boot: boot.to_owned(), uptime_ms, at: WallTime::from_unix_ms(at), synchronised, numbers }
    }

    #[test]
    fn an_outage_is_known_in_one_boot_or_with_a_clock_that_is_right() {
        // The system clock was set back meanwhile.
        assert_eq!(mark("a", 1000, 90_000, false).until(&mark("a", 4000, 10, true)), Outage::Known(3000));
        assert_eq!(mark("a", 1000, 90_000, true).until(&mark("b", 5, 95_000, true)), Outage::Known(5000));
        assert_eq!(mark("a", 1000, 90_000, false).until(&mark("b", 5, 95_000, true)), Outage::Unknown);
        assert_eq!(mark("a", 1000, 90_000, true).until(&mark("b", 5, 95_000, false)), Outage::Unknown);
        assert_eq!(mark("a", 1000, 90_000, true).until(&mark("b", 5, 80_000, true)), Outage::Unknown);
        assert_eq!(mark("", 1000, 90_000, false).until(&mark("", 5, 95_000, false)), Outage::Unknown);
    }

    #[test]
    fn the_later_of_the_last_sign_and_the_last_mark_counts() {
        let last = mark("a", 1000, 90_000, true);
        let sign =
            |uptime_ms| Some(LastSign { numbers: Numbers::default(), let_out: LetOut::default(), uptime_ms });
        let now = mark("a", 4000, 95_000, true);
        assert_eq!(Mark::outage(Some(&last), None, &now), Outage::Known(3000));
        assert_eq!(Mark::outage(Some(&last), sign(3500), &now), Outage::Known(500));
        assert_eq!(Mark::outage(Some(&last), sign(200), &now), Outage::Known(3000));
        assert_eq!(Mark::outage(Some(&mark("b", 1, 1, false)), sign(200), &now), Outage::Known(3800));
        assert_eq!(Mark::outage(None, None, &now), Outage::Unknown);
    }

    #[test]
    fn numbers_go_on_where_it_is_known_what_was_published() {
        let numbers = Numbers { epoch: 100, public: 12, arbiter: 15 };
        let published = Some(numbers);
        let last = mark("a", 1000, 90_000, true);
        let now = mark("a", 4000, 95_000, true);
        assert_eq!(Mark::go_on(Some(&last), published, &now), numbers);
        assert_eq!(Mark::go_on(None, published, &now), numbers);
        let later = Numbers { epoch: 95_000, public: 7, arbiter: 9 };
        assert_eq!(Mark::go_on(Some(&last), None, &now), later);
        let of_an_older_journal = Some(Numbers { epoch: 50, public: 12, arbiter: 15 });
        assert_eq!(Mark::go_on(Some(&last), of_an_older_journal, &now), later);
        // The small file could not be written for a while: in its epoch more was published than it knows of.
        let behind = Some(Numbers { epoch: 100, public: 6, arbiter: 15 });
        assert_eq!(Mark::go_on(Some(&last), behind, &now), later);
        // A clock that runs behind must not bring an old epoch back.
        assert_eq!(Mark::go_on(Some(&last), None, &mark("b", 5, 50, false)).epoch, 101);
    }

    #[test]
    fn the_small_file_is_believed_in_its_own_boot_alone() {
        let folder = std::env::temp_dir().join(format!("draughtsd-{}-numbers", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("board.db-published");
        let here = mark("a", 1, 1, false);
        let numbers = Numbers { epoch: 3, public: 4, arbiter: 5 };
        let let_out = LetOut { game: 6, events: 7 };
        let (mut published, sign) = Published::open(&file, &here).unwrap();
        assert_eq!(sign, None);
        published.write(numbers, let_out);
        let read = |now: &Mark| Published::open(&file, now).unwrap().1;
        let sign = read(&here).unwrap();
        assert_eq!((sign.numbers, sign.let_out), (numbers, let_out));
        assert_eq!(read(&mark("b", 1, 1, false)), None);
        for damaged in [b"a 3 4".as_slice(), b"", &[0xff; 4000]] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(read(&here), None);
        }
    }
}
