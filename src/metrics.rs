//! Numbers about the daemon, in the text form that Prometheus reads, on the private listener.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use crate::feeds::board_feed::BoardFeed;
use crate::journal::{Durability, Written};
use crate::pulse::Pulse;
use crate::scan::meter::{Counts, LATENESS_BOUNDS_US};
use crate::scan::thread::Scanning;

/// What the session counts.
#[derive(Debug, Default)]
pub struct Counters {
    /// Inputs from the board.
    pub inputs: AtomicU64,
    /// Events that the core told.
    pub events: AtomicU64,
    /// Games begun in this run.
    pub games: AtomicU64,
    /// Commands carried out or refused.
    pub commands: AtomicU64,
    /// Rounds of the board loop's own clock, one a second.
    pub ticks: AtomicU64,
}

impl Counters {
    /// Counts one more.
    pub fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// Where the numbers are read.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// The board's id.
    pub board: String,
    /// The public feed.
    pub public: Arc<BoardFeed>,
    /// The arbiter's feed.
    pub arbiter: Arc<BoardFeed>,
    /// What the session counts.
    pub counters: Arc<Counters>,
    /// What the journal has written.
    pub written: Option<Arc<Written>>,
    /// How far the journal is.
    pub durability: Option<watch::Receiver<Durability>>,
    /// The scanning of the board, if it is scanned.
    pub scanning: Option<Scanning>,
    /// The pulse of the board loop.
    pub pulse: Arc<Pulse>,
}

impl Metrics {
    /// Why nothing can be kept at present; `None` while all is well.
    #[must_use]
    pub fn journal_problem(&self) -> Option<Arc<str>> {
        self.durability.as_ref().and_then(|durability| durability.borrow().problem.clone())
    }

    /// Why the board is not read at present; `None` while it is.
    #[must_use]
    pub fn board_problem(&self) -> Option<String> {
        let failure = self.scanning.as_ref().and_then(Scanning::failure);
        failure.map(|failure| failure.to_string()).or_else(|| self.pulse.problem())
    }

    /// All numbers as text.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = Text { text: String::new(), board: &self.board };
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counters = &self.counters;
        text.counter("inputs_total", "Inputs from the board, bounce included.", of(&counters.inputs));
        text.counter("events_total", "Events that the core told.", of(&counters.events));
        text.counter("games_total", "Games begun in this run.", of(&counters.games));
        text.counter("commands_total", "Commands carried out or refused.", of(&counters.commands));
        text.counter("loop_ticks_total", "Seconds in which the board loop was at work.", of(&counters.ticks));
        text.gauge("public_listeners", "Open streams of the public feed.", self.public.listeners() as u64);
        text.gauge(
            "arbiter_listeners",
            "Open streams of the arbiter's feed.",
            self.arbiter.listeners() as u64,
        );
        text.gauge("public_seq", "Number of the last public event.", self.public.last().seq);
        text.gauge("arbiter_seq", "Number of the arbiter's last event.", self.arbiter.last().seq);
        let open = self.arbiter.look(|state| state.notes().map_or(0, |notes| notes.open_alerts()));
        text.gauge("open_alerts", "Alerts of which nothing has come yet.", open as u64);
        let faults = self.arbiter.look(|state| state.notes().map_or(0, |notes| notes.faults.len()));
        text.gauge("faulty_contacts", "Contacts that are not believed.", faults as u64);
        if let Some(written) = &self.written {
            let (commits, entries) = (of(&written.commits), of(&written.entries));
            text.counter("journal_commits_total", "Transactions; each flushes the card.", commits);
            text.counter("journal_entries_total", "Entries written.", entries);
            text.counter("journal_failures_total", "Attempts to write that failed.", of(&written.failures));
            let failing = u64::from(self.journal_problem().is_some());
            text.gauge("journal_failing", "1 while nothing can be kept.", failing);
        }
        let is_ready = self.journal_problem().is_none() && self.board_problem().is_none();
        text.gauge("ready", "1 while the board is read and everything is kept.", u64::from(is_ready));
        if let Some(scanning) = &self.scanning {
            text.scanning(scanning);
        }
        if let Some(bytes) = proc_number("/proc/self/io", "write_bytes:") {
            text.counter("written_bytes_total", "Bytes that the process sent to storage.", bytes);
        }
        if let Some(kib) = proc_number("/proc/self/status", "VmRSS:") {
            text.gauge("resident_bytes", "Memory that the process holds.", kib * 1024);
        }
        text.text
    }
}

struct Text<'a> {
    text: String,
    board: &'a str,
}

impl Text<'_> {
    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.add(name, "counter", help, value);
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.add(name, "gauge", help, value);
    }

    fn scanning(&mut self, scanning: &Scanning) {
        let counts = scanning.meter().counts();
        self.counter("scans_total", "Scans of all contacts that were completed.", counts.completed);
        self.counter("scan_overruns_total", "Scans left out because one came too late.", counts.overruns);
        self.counter("scan_failures_total", "Scans that the system refused.", counts.failed);
        self.counter(
            "deferred_changes_total",
            "Contact changes told late, since the loop was stuck.",
            counts.deferred,
        );
        let faults = scanning.faults().borrow().len();
        self.gauge("wire_faults", "Faults of the board's wires.", faults as u64);
        if let Some(sensing) = scanning.crownings() {
            let help = "Readings of all Hall sensors.";
            self.counter("stack_readings_total", help, sensing.readings());
            let faults = sensing.faults().borrow().len();
            self.gauge("stack_faults", "Hall sensors that are not believed.", faults as u64);
        }
        self.lateness(&counts);
    }

    /// How late scans began, as a histogram.
    fn lateness(&mut self, counts: &Counts) {
        let (board, name) = (self.board, "draughtsd_scan_lateness_seconds");
        let mut lines = format!("# HELP {name} How late scans began.\n# TYPE {name} histogram\n");
        let bounds = LATENESS_BOUNDS_US.iter().map(|&bound| format!("0.{bound:06}"));
        let mut within = 0;
        // Writing to a string never fails.
        for (bound, count) in bounds.chain(["+Inf".to_owned()]).zip(counts.lateness) {
            within += count;
            let _ = writeln!(lines, "{name}_bucket{{board=\"{board}\",le=\"{bound}\"}} {within}");
        }
        let (seconds, micros) = (counts.lateness_sum_us / 1_000_000, counts.lateness_sum_us % 1_000_000);
        let _ = writeln!(lines, "{name}_sum{{board=\"{board}\"}} {seconds}.{micros:06}");
        let _ = writeln!(lines, "{name}_count{{board=\"{board}\"}} {within}");
        self.text.push_str(&lines);
    }

    fn add(&mut self, name: &str, kind: &str, help: &str, value: u64) {
        let board = self.board;
        // Writing to a string never fails.
        let _ = write!(
            self.text,
            "# HELP draughtsd_{name} {help}\n# TYPE draughtsd_{name} {kind}\ndraughtsd_{name}{{board=\"{board}\"}} {value}\n"
        );
    }
}

/// The number after a name in one of the kernel's small files.
fn proc_number(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
