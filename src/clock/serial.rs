//! A link on a port: reads, writes, keeps the link's time, and opens the port again when it is gone.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use draughtsd_core::clock::Link;
use draughtsd_core::moment::Moment;
use tokio::sync::mpsc::Sender;

use super::port::{Port, SourceOfPorts};
use super::{Heard, Order};

/// How long a command waits for the port to be read at most.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long to wait before a port is opened again: the first time, and at most.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// The clock is no longer wanted.
struct Over;

/// The link's own time line.
struct Ticks(Instant);

impl Ticks {
    fn now(&self) -> Moment {
        Moment::from_millis(u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn instant(&self, moment: Moment) -> Instant {
        self.0 + Duration::from_millis(moment.millis())
    }
}

/// Runs until nobody wants the clock any more.
pub(super) fn run(
    link: &mut impl Link,
    ports: &impl SourceOfPorts,
    orders: &mpsc::Receiver<Order>,
    events: &Sender<Heard>,
) {
    let ticks = Ticks(Instant::now());
    let mut back_off = BACK_OFF.0;
    loop {
        match ports.open() {
            Ok(mut port) => {
                back_off = BACK_OFF.0;
                if talk(link, port.as_mut(), orders, events, &ticks).is_err() {
                    return;
                }
            }
            Err(error) => {
                tracing::debug!(%error, "the clock's port");
                link.closed(ticks.now());
                if tell(link, events, &ticks).is_err() {
                    return;
                }
            }
        }
        if wait(link, orders, &ticks, back_off).is_err() {
            return;
        }
        back_off = (back_off * 2).min(BACK_OFF.1);
    }
}

/// Talks over an open port until it is gone.
fn talk(
    link: &mut impl Link,
    port: &mut dyn Port,
    orders: &mpsc::Receiver<Order>,
    events: &Sender<Heard>,
    ticks: &Ticks,
) -> Result<(), Over> {
    let mut buffer = [0; 256];
    link.opened(ticks.now());
    loop {
        let wake = link.next_wake().map_or(u64::MAX, |wake| wake.since(ticks.now()));
        let patience = PATIENCE.min(Duration::from_millis(wake));
        let is_alive = exchange(link, port, &mut buffer, patience, ticks);
        if !is_alive {
            link.closed(ticks.now());
        }
        tell(link, events, ticks)?;
        if !is_alive {
            return Ok(());
        }
        take_orders(link, orders, ticks)?;
    }
}

/// Hands over what the link has to tell.
fn tell(link: &mut impl Link, events: &Sender<Heard>, ticks: &Ticks) -> Result<(), Over> {
    for (at, event) in link.take_events() {
        let heard = Heard { at: ticks.instant(at), event };
        events.blocking_send(heard).map_err(|_| Over)?;
    }
    Ok(())
}

/// Sends what is to be sent, reads what has come in, does what is due. Whether the port is still there.
fn exchange(
    link: &mut impl Link,
    port: &mut dyn Port,
    buffer: &mut [u8],
    patience: Duration,
    ticks: &Ticks,
) -> bool {
    let bytes = link.take_bytes();
    if !bytes.is_empty() && port.write(&bytes).is_err() {
        return false;
    }
    let Ok(count) = port.read(buffer, patience) else { return false };
    link.receive(&buffer[..count], ticks.now());
    link.advance(ticks.now());
    true
}

fn take_orders(link: &mut impl Link, orders: &mpsc::Receiver<Order>, ticks: &Ticks) -> Result<(), Over> {
    loop {
        match orders.try_recv() {
            Ok(order) => obey(link, order, ticks),
            Err(mpsc::TryRecvError::Empty) => return Ok(()),
            Err(mpsc::TryRecvError::Disconnected) => return Err(Over),
        }
    }
}

/// Waits until the port is to be opened again.
fn wait(
    link: &mut impl Link,
    orders: &mpsc::Receiver<Order>,
    ticks: &Ticks,
    pause: Duration,
) -> Result<(), Over> {
    let until = Instant::now() + pause;
    loop {
        match orders.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(order) => obey(link, order, ticks),
            Err(mpsc::RecvTimeoutError::Timeout) => return Ok(()),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Over),
        }
    }
}

fn obey(link: &mut impl Link, order: Order, ticks: &Ticks) {
    match order {
        Order::Command(command) => link.command(command, ticks.now()),
        // The clock has its own levers.
        Order::Press(_) => {}
    }
}
