//! Wall time on the wire: RFC 3339, UTC, milliseconds.
//!
//! The core knows only the game's own time line; whoever publishes an event says when it was by the
//! calendar.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};

/// A point in time by the calendar, in whole milliseconds. Printed like `2026-03-01T18:30:05.250Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallTime {
    unix_ms: u64,
}

impl WallTime {
    /// The time `unix_ms` milliseconds after the beginning of 1970, UTC.
    #[must_use]
    pub const fn from_unix_ms(unix_ms: u64) -> Self {
        Self { unix_ms }
    }

    /// What the system clock shows; one set before 1970 counts as the beginning of 1970.
    #[must_use]
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self { unix_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX) }
    }

    /// Milliseconds since the beginning of 1970, UTC.
    #[must_use]
    pub const fn unix_ms(self) -> u64 {
        self.unix_ms
    }

    /// The time `duration` later.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let more = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Self { unix_ms: self.unix_ms.saturating_add(more) }
    }
}

impl WallTime {
    /// The time `duration` earlier.
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        let less = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Self { unix_ms: self.unix_ms.saturating_sub(less) }
    }
}

impl fmt::Display for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.unix_ms / 1000, self.unix_ms % 1000);
        let (day, second) = (seconds / 86_400, seconds % 86_400);
        let (year, month, date) = civil_date(day);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

impl Serialize for WallTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Year, month (1 to 12) and day of the month of a day counted from 1970-01-01, Gregorian calendar.
///
/// Counts in eras of 400 years (146,097 days) that begin on 1 March, so that the leap day is the last
/// day of a year and month lengths follow one formula.
fn civil_date(days_since_1970: u64) -> (u64, u64, u64) {
    const DAYS_FROM_YEAR_0_MARCH: u64 = 719_468;
    let day = days_since_1970 + DAYS_FROM_YEAR_0_MARCH;
    let (era, day_of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let date = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(unix_ms: u64, expected: &str) {
        assert_eq!(WallTime::from_unix_ms(unix_ms).to_string(), expected);
    }

    #[test]
    fn prints_the_calendar() {
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_399_999, "2000-02-28T23:59:59.999Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(951_868_800_000, "2000-03-01T00:00:00.000Z");
        check(1_767_225_599_000, "2025-12-31T23:59:59.000Z");
        check(1_767_225_600_001, "2026-01-01T00:00:00.001Z");
        // 2100 is no leap year.
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        assert!(WallTime::from_unix_ms(u64::MAX).to_string().ends_with('Z'));
        assert_eq!(WallTime::from_unix_ms(1).after(Duration::MAX).unix_ms(), u64::MAX);
    }
}
