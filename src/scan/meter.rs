//! What the scan thread counts: scans, how late they were, what went wrong. Read by metrics and by the watchdog.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The upper bounds of the classes of lateness, in microseconds; what is later than the last falls into a
/// class of its own.
pub const LATENESS_BOUNDS_US: [u64; 10] = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000];

/// The counters of one scan thread. Each is right by itself; two read after each other may be a scan apart.
#[derive(Debug, Default)]
pub struct Meter {
    completed: AtomicU64,
    overruns: AtomicU64,
    failed: AtomicU64,
    deferred: AtomicU64,
    lateness: [AtomicU64; LATENESS_BOUNDS_US.len() + 1],
    lateness_sum_us: AtomicU64,
    worst_us: AtomicU64,
}

/// The counters at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Scans that were completed: while this number grows, the board is being read.
    pub completed: u64,
    /// Scans that were left out because the one before came too late.
    pub overruns: u64,
    /// Scans that the system refused.
    pub failed: u64,
    /// Contact changes that were told later than they happened, since the game had not taken earlier ones in.
    pub deferred: u64,
    /// How many scans began within each bound of [`LATENESS_BOUNDS_US`] and not within one before it, and beyond.
    pub lateness: [u64; LATENESS_BOUNDS_US.len() + 1],
    /// The lateness of all scans together, in microseconds.
    pub lateness_sum_us: u64,
    /// The latest that a scan began, in microseconds.
    pub worst_us: u64,
}

impl Meter {
    /// The counters as they are now.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            completed: self.completed(),
            overruns: self.overruns.load(Relaxed),
            failed: self.failed.load(Relaxed),
            deferred: self.deferred.load(Relaxed),
            lateness: std::array::from_fn(|class| self.lateness[class].load(Relaxed)),
            lateness_sum_us: self.lateness_sum_us.load(Relaxed),
            worst_us: self.worst_us.load(Relaxed),
        }
    }

    /// How many scans were completed. What the watchdog looks at: a thread that hangs, or a board that
    /// cannot be read, no longer counts.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.completed.load(Relaxed)
    }

    /// Counts a scan that begins so late.
    pub(super) fn begin(&self, late_ns: u64, missed: u64) {
        let late_us = late_ns / 1000;
        let class = LATENESS_BOUNDS_US.iter().position(|&bound| late_us <= bound);
        add(&self.lateness[class.unwrap_or(LATENESS_BOUNDS_US.len())], 1);
        add(&self.lateness_sum_us, late_us);
        if late_us > self.worst_us.load(Relaxed) {
            self.worst_us.store(late_us, Relaxed);
        }
        if missed > 0 {
            add(&self.overruns, missed);
        }
    }

    pub(super) fn complete(&self) {
        add(&self.completed, 1);
    }

    pub(super) fn fail(&self) {
        add(&self.failed, 1);
    }

    pub(super) fn defer(&self) {
        add(&self.deferred, 1);
    }
}

/// Only the scan thread counts, so that no locked addition is needed.
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Relaxed).wrapping_add(more), Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_falls_into_classes() {
        let meter = Meter::default();
        for late_us in [0, 20, 21, 1000, 60_000] {
            meter.begin(late_us * 1000, u64::from(late_us > 1000) * 59);
        }
        let counts = meter.counts();
        assert_eq!(counts.lateness, [2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        assert_eq!((counts.overruns, counts.worst_us, counts.lateness_sum_us), (59, 60_000, 61_041));
        assert_eq!(counts.completed, 0);
        meter.complete();
        assert_eq!(meter.completed(), 1);
    }
}
