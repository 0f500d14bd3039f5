//! Time as the core knows it: whole milliseconds on the game's own time line.
//!
//! The shell rounds before the core sees an input, so that a recorded game replays byte for byte.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A point on the game's time line, in whole milliseconds from its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(u64);

impl Moment {
    /// The beginning of the game's time line.
    pub const ZERO: Self = Self(0);

    /// The last moment there is: never.
    pub const LAST: Self = Self(u64::MAX);

    /// The moment `millis` milliseconds after the beginning.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the beginning.
    #[must_use]
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// The moment `millis` later; stays at the last representable moment rather than wrapping.
    #[must_use]
    pub const fn after(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this moment; zero when `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
