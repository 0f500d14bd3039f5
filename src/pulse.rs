//! The board loop's pulse: whether the board is read, told to whoever asks from outside (`/readyz`).
//!
//! The loop beats about once a second. A loop that stands does not, so what is told goes by when it last did.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long a beat may be missing: three of them.
const LONGEST: Duration = Duration::from_secs(3);

/// When the board loop last beat, and when the board was last read.
#[derive(Debug)]
pub struct Pulse {
    last: Mutex<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    beat: Instant,
    read: Instant,
}

impl Default for Pulse {
    fn default() -> Self {
        Self::new()
    }
}

impl Pulse {
    /// The pulse of a loop that is about to begin.
    #[must_use]
    pub fn new() -> Self {
        let now = Instant::now();
        Self { last: Mutex::new(Last { beat: now, read: now }) }
    }

    /// The loop is at work.
    ///
    /// - `is_read`: whether the board was read since the last beat.
    pub fn beat(&self, is_read: bool) {
        let now = Instant::now();
        let mut last = self.lock();
        last.beat = now;
        if is_read {
            last.read = now;
        }
    }

    /// Why the board is not read at present; `None` while it is.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let Last { beat, read } = *self.lock();
        let what =
            if beat.elapsed() > LONGEST { "the board loop has stood" } else { "the board was not read" };
        (read.elapsed() > LONGEST).then(|| format!("{what} for {} s", read.elapsed().as_secs()))
    }

    fn lock(&self) -> MutexGuard<'_, Last> {
        // Two moments are never half written.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn a_loop_that_stands_and_a_board_that_is_not_read_are_told_apart() {
        let pulse = Pulse::new();
        advance(LONGEST).await;
        assert_eq!(pulse.problem(), None);
        advance(Duration::from_millis(1)).await;
        assert_eq!(pulse.problem().as_deref(), Some("the board loop has stood for 3 s"));
        pulse.beat(false);
        assert_eq!(pulse.problem().as_deref(), Some("the board was not read for 3 s"));
        pulse.beat(true);
        assert_eq!(pulse.problem(), None);
        for _ in 0..5 {
            advance(Duration::from_secs(1)).await;
            pulse.beat(false);
        }
        assert_eq!(pulse.problem().as_deref(), Some("the board was not read for 5 s"));
    }
}
