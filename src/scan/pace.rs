//! When the next scan is due, and how well that was kept: a grid of deadlines that never drifts.
//!
//! Deadlines are absolute. A scan that comes late does not move those after it; one that comes so late that
//! deadlines have passed meanwhile leaves them out, and they are counted as overruns.

use std::time::Duration;

use rustix::thread::{ClockId, Timespec, clock_nanosleep_absolute};
use rustix::time::clock_gettime;

/// Nanoseconds of a second.
const SECOND_NS: u64 = 1_000_000_000;

/// The deadlines of one scan thread, in nanoseconds of the monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    period_ns: u64,
    deadline_ns: u64,
}

/// How a deadline was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// How late the scan began.
    pub late_ns: u64,
    /// How many scans were left out.
    pub missed: u64,
}

impl Pace {
    /// A scan every `period`, the first one period after `now_ns`.
    #[must_use]
    pub fn new(period: Duration, now_ns: u64) -> Self {
        let period_ns = u64::try_from(period.as_nanos()).unwrap_or(u64::MAX).max(1);
        Self { period_ns, deadline_ns: now_ns.saturating_add(period_ns) }
    }

    /// When the next scan is due.
    #[must_use]
    pub const fn deadline_ns(&self) -> u64 {
        self.deadline_ns
    }

    /// The scan that was due begins at `now_ns`: sets the next deadline on the grid after it.
    pub const fn begin(&mut self, now_ns: u64) -> Kept {
        let late_ns = now_ns.saturating_sub(self.deadline_ns);
        // Mostly zero, so that the division is spared a processor that does not have it in one instruction.
        let missed = if late_ns < self.period_ns { 0 } else { late_ns / self.period_ns };
        self.deadline_ns =
            self.deadline_ns.saturating_add(self.period_ns.saturating_mul(missed.saturating_add(1)));
        Kept { late_ns, missed }
    }
}

/// The monotonic clock, in nanoseconds.
#[must_use]
pub fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    seconds.saturating_mul(SECOND_NS).saturating_add(u64::try_from(now.tv_nsec).unwrap_or(0))
}

/// Sleeps until the monotonic clock shows `deadline_ns`.
pub fn sleep_until(deadline_ns: u64) {
    let (seconds, nanoseconds) = (deadline_ns / SECOND_NS, deadline_ns % SECOND_NS);
    let (Ok(tv_sec), Ok(tv_nsec)) = (seconds.try_into(), nanoseconds.try_into()) else { return };
    let deadline = Timespec { tv_sec, tv_nsec };
    // A signal wakes the thread early; the deadline is absolute, so that it simply sleeps on.
    while clock_nanosleep_absolute(ClockId::Monotonic, &deadline) == Err(rustix::io::Errno::INTR) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn deadlines_stay_on_the_grid_however_late_a_scan_is() {
        let mut pace = Pace::new(Duration::from_millis(1), 10 * MS);
        let mut begin = |now| {
            let kept = pace.begin(now);
            (kept.late_ns, kept.missed, pace.deadline_ns())
        };
        assert_eq!(begin(11 * MS), (0, 0, 12 * MS));
        assert_eq!(begin(12 * MS + 400), (400, 0, 13 * MS));
        assert_eq!(begin(14 * MS - 1), (MS - 1, 0, 14 * MS));
        // Two whole periods late: the scans of 15 and 16 are left out.
        assert_eq!(begin(16 * MS + 7), (2 * MS + 7, 2, 17 * MS));
        // Woken early counts as on time.
        assert_eq!(begin(17 * MS - 5), (0, 0, 18 * MS));
    }

    #[test]
    fn nothing_overflows() {
        let mut pace = Pace::new(Duration::MAX, u64::MAX);
        assert_eq!(pace.begin(u64::MAX), Kept { late_ns: 0, missed: 0 });
        assert_eq!(Pace::new(Duration::ZERO, 0).begin(u64::MAX).missed, u64::MAX - 1);
    }

    #[test]
    fn it_sleeps_until_the_deadline_and_not_less() {
        let deadline = now_ns() + 2 * MS;
        sleep_until(deadline);
        assert!(now_ns() >= deadline);
        sleep_until(deadline);
    }
}
