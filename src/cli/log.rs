//! The daemon's log: lines on stderr, written by a thread of their own.
//!
//! Whoever takes the lines may be slow, stand still or be gone; the board loop must not wait for him. So a line that finds no
//! room is left out, and how many were is said as soon as there is room again.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::json;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::config::{self, LogFormat, LogLevel};
use crate::feeds::wall_time::WallTime;

/// So many bytes wait at most: some thousand lines.
const ROOM: usize = 1 << 20;

/// How long the end of the daemon waits for the last lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is said in the place of lines that are missing.
const MISSING: &str = "lines of the log are missing here: nobody took them in time";

enum Order {
    Line(Vec<u8>),
    /// Everything before this is written.
    Flush(SyncSender<()>),
}

/// Where lines are put.
#[derive(Clone)]
pub(super) struct Log {
    orders: Sender<Order>,
    counts: Arc<Counts>,
}

/// What waits, in bytes, and how many lines were left out since one was written.
#[derive(Default)]
struct Counts {
    waiting: AtomicUsize,
    lost: AtomicU64,
}

impl Log {
    /// Begins the log as it is configured.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(config: &config::Log) -> io::Result<Self> {
        let (orders, taken) = channel();
        let log = Self { orders, counts: Arc::default() };
        let (counts, format) = (Arc::clone(&log.counts), config.format);
        thread::Builder::new().name("log".to_owned()).spawn(move || write_lines(&taken, &counts, format))?;
        let level = match config.level {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        };
        let lines =
            tracing_subscriber::fmt().with_max_level(level).with_writer(log.clone()).with_target(false);
        // An error means that a log is kept already, as in a test.
        let _ = match config.format {
            // The service manager dates each line.
            LogFormat::Text => {
                tracing::subscriber::set_global_default(lines.without_time().with_ansi(false).finish())
            }
            LogFormat::Json => {
                tracing::subscriber::set_global_default(lines.json().flatten_event(true).finish())
            }
        };
        Ok(log)
    }

    /// Waits a little until everything is written.
    pub(super) fn flush(&self) {
        let (done, is_done) = sync_channel(1);
        if self.orders.send(Order::Flush(done)).is_ok() {
            // If it takes longer, nobody reads the log.
            let _ = is_done.recv_timeout(PATIENCE);
        }
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl io::Write for Log {
    /// Takes one line, which comes as a whole.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let waiting = self.counts.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let has_room = waiting + line.len() <= ROOM;
        if !has_room || self.orders.send(Order::Line(line.to_vec())).is_err() {
            self.counts.waiting.fetch_sub(line.len(), Ordering::Relaxed);
            self.counts.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_lines(orders: &Receiver<Order>, counts: &Counts, format: LogFormat) {
    // Where nobody takes the log any more, there is nobody to complain to.
    let write = |line: &[u8]| _ = io::stderr().write_all(line);
    for order in orders {
        let flushed = match order {
            Order::Line(line) => {
                write(&line);
                counts.waiting.fetch_sub(line.len(), Ordering::Relaxed);
                None
            }
            Order::Flush(done) => Some(done),
        };
        // What was left out came after what waited then.
        if counts.waiting.load(Ordering::Relaxed) == 0 {
            match counts.lost.swap(0, Ordering::Relaxed) {
                0 => {}
                lines => write(missing(lines, format).as_bytes()),
            }
        }
        if let Some(done) = flushed {
            // Whoever asked may have lost patience.
            let _ = done.try_send(());
        }
    }
}

/// The line that is written for so many that were left out. It does not come the way of the others, which is full.
fn missing(lines: u64, format: LogFormat) -> String {
    match format {
        LogFormat::Text => format!(" WARN {MISSING} lines={lines}\n"),
        LogFormat::Json => {
            let at = WallTime::now().to_string();
            format!("{}\n", json!({ "timestamp": at, "level": "WARN", "message": MISSING, "lines": lines }))
        }
    }
}
