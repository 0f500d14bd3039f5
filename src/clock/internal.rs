//! The clock in the daemon: a thread with a timer, and no port.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use draughtsd_core::clock::Link;
use draughtsd_core::clock::internal::InternalClock;
use draughtsd_core::moment::Moment;
use tokio::sync::mpsc::Sender;

use super::{Heard, Order};

/// Nothing is ever due later than this; a thread that wakes once an hour costs nothing.
const LONGEST_SLEEP: Duration = Duration::from_secs(3600);

/// Runs until nobody wants the clock any more.
pub(super) fn run(orders: &mpsc::Receiver<Order>, events: &Sender<Heard>) {
    let began = Instant::now();
    let now = || Moment::from_millis(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX));
    let mut clock = InternalClock::new();
    clock.opened(now());
    loop {
        for (at, event) in clock.take_events() {
            let heard = Heard { at: began + Duration::from_millis(at.millis()), event };
            if events.blocking_send(heard).is_err() {
                return;
            }
        }
        let wake = clock.next_wake().map(|wake| Duration::from_millis(wake.since(now())));
        match orders.recv_timeout(wake.unwrap_or(LONGEST_SLEEP).min(LONGEST_SLEEP)) {
            Ok(Order::Command(command)) => clock.command(command, now()),
            Ok(Order::Press(side)) => clock.press(side, now()),
            Err(mpsc::RecvTimeoutError::Timeout) => clock.advance(now()),
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}
