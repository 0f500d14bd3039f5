//! A game's time line against the clocks of the machine.

use std::time::Duration;

use draughtsd_core::moment::Moment;

use super::pace::now_ns;
use crate::feeds::wall_time::WallTime;

const MS_NS: u64 = 1_000_000;

/// Where a game's time line lies on the monotonic clock and in the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLine {
    origin_ns: u64,
    origin: Moment,
    wall: WallTime,
}

impl TimeLine {
    /// A time line on which it is `origin` now: [`Moment::ZERO`] for a new game, the last journalled moment
    /// for one that goes on.
    #[must_use]
    pub fn begin(origin: Moment) -> Self {
        Self { origin_ns: now_ns(), origin, wall: WallTime::now() }
    }

    /// The moment that it is now.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.moment(now_ns())
    }

    /// The moment at which the monotonic clock shows `ns`.
    #[must_use]
    pub const fn moment(&self, ns: u64) -> Moment {
        self.origin.after(ns.saturating_sub(self.origin_ns) / MS_NS)
    }

    /// How long it is until `moment`; zero when it has passed.
    #[must_use]
    pub fn until(&self, moment: Moment) -> Duration {
        let due = self.origin_ns.saturating_add(moment.since(self.origin).saturating_mul(MS_NS));
        Duration::from_nanos(due.saturating_sub(now_ns()))
    }

    /// When a moment is, or was, by the calendar.
    #[must_use]
    pub fn wall_time(&self, moment: Moment) -> WallTime {
        self.wall.after(Duration::from_millis(moment.since(self.origin)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_count_from_the_origin() {
        let line = TimeLine::begin(Moment::from_millis(500));
        assert_eq!(line.moment(line.origin_ns), Moment::from_millis(500));
        assert_eq!(line.moment(line.origin_ns + 1_999_999), Moment::from_millis(501));
        assert_eq!(line.moment(0), Moment::from_millis(500));
        assert_eq!(line.until(Moment::from_millis(500)), Duration::ZERO);
        assert!(line.until(Moment::from_millis(60_500)) <= Duration::from_secs(60));
        let later = line.wall_time(Moment::from_millis(750));
        assert_eq!(later.unix_ms() - line.wall_time(Moment::from_millis(500)).unix_ms(), 250);
    }
}
