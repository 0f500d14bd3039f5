//! The daemon's log: lines on stderr, written by a thread of their own.
//!
//! Whoever takes the lines may be slow, stand still or be gone; the board loop must not wait for him. So a line that finds no
//! room is left out, and how many were is said as soon as there is room again.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::config::{self, LogFormat, LogLevel};

/// So many lines wait at most, which is half a megabyte.
const ROOM: usize = 4096;

/// How long the end of the daemon waits for the last lines.
const PATIENCE: Duration = Duration::from_secs(1);

enum Order {
    Line(Vec<u8>),
    /// Everything before this is written.
    Flush(SyncSender<()>),
}

/// Where lines are put.
#[derive(Clone)]
pub(super) struct Log {
    orders: SyncSender<Order>,
    lost: Arc<AtomicU64>,
}

impl Log {
    /// Begins the log as it is configured.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(config: &config::Log) -> io::Result<Self> {
        let (orders, lines) = sync_channel(ROOM);
        let log = Self { orders, lost: Arc::default() };
        let lost = Arc::clone(&log.lost);
        thread::Builder::new().name("log".to_owned()).spawn(move || write_lines(&lines, &lost))?;
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
        if self.orders.try_send(Order::Flush(done)).is_ok() {
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
        if let Err(TrySendError::Full(_)) = self.orders.try_send(Order::Line(line.to_vec())) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_lines(orders: &Receiver<Order>, lost: &AtomicU64) {
    for order in orders {
        match order {
            // Where nobody takes the log any more, there is nobody to complain to.
            Order::Line(line) => _ = io::stderr().write_all(&line),
            // Whoever asked may have lost patience.
            Order::Flush(done) => _ = done.try_send(()),
        }
        let lines = lost.swap(0, Ordering::Relaxed);
        if lines > 0 {
            tracing::warn!(lines, "lines of the log are missing here: nobody took them in time");
        }
    }
}
