//! The linked clock in the shell: a port on a thread of its own, or no port at all.
//!
//! What is said over the port is the core's ([`draughtsd_core::clock`]); here it is opened, read, written and
//! opened again. The board's loop talks to a [`Clock`] and never waits for it.

mod board;
mod internal;
mod port;
mod serial;

use std::future::Future;
use std::sync::mpsc;
use std::time::Instant;

use draughtsd_core::clock::frames::FramesLink;
use draughtsd_core::clock::line::LineLink;
use draughtsd_core::clock::{ClockCommand, ClockEvent, WhiteEnd};
use draughtsd_core::piece::Side;
use serde::{Deserialize, Serialize};

pub use board::Clocked;
pub use port::{Port, PortSettings, SerialPorts, SourceOfPorts};

/// What a clock told, and when it was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard {
    /// When, by the system's monotonic clock.
    pub at: Instant,
    /// What.
    pub event: ClockEvent,
}

/// A game clock, whatever is behind it: set and run, text, beep, end of text; and what it tells.
pub trait Clock: Send {
    /// Tells the clock something. Never waits; what cannot be told now is dropped, and a game tells its state again
    /// when the clock is back.
    fn command(&mut self, command: ClockCommand);

    /// A player pressed a button of the board that is the clock's. Nothing on a clock that has its own.
    fn press(&mut self, side: Side);

    /// Waits for what it tells next; for ever where it tells nothing.
    ///
    /// May be cancelled while it waits; nothing is lost then.
    fn next(&mut self) -> impl Future<Output = Heard> + Send;
}

/// What is behind a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Driver {
    /// Lines of text on a serial port: `hardware/clock-protocol.md`.
    #[default]
    Line,
    /// The frames in which electronic boards pass their clock's messages on.
    Frames,
    /// No clock: the daemon keeps the time, two buttons of the board press.
    Internal,
}

impl Driver {
    /// The rate of its serial port, where no other is set.
    #[must_use]
    pub const fn baud(self) -> u32 {
        match self {
            Self::Frames => 9600,
            Self::Line | Self::Internal => 115_200,
        }
    }
}

/// What the thread of a clock is told.
#[derive(Clone, Debug)]
enum Order {
    Command(ClockCommand),
    Press(Side),
}

/// So many events wait to be heard. The thread then waits; the clock keeps counting by itself.
const EVENTS_WAITING: usize = 256;

/// A clock on a thread of its own. Dropping it ends the thread and closes the port.
#[derive(Debug)]
pub struct LinkedClock {
    orders: mpsc::Sender<Order>,
    events: tokio::sync::mpsc::Receiver<Heard>,
}

impl LinkedClock {
    /// A clock on a serial port. Returns at once; that the clock is there is told as an event.
    ///
    /// - `ports`: opens the port, again and again where it goes away.
    /// - `white`: which end of the clock is White's.
    #[must_use]
    pub fn serial(driver: Driver, ports: impl SourceOfPorts + 'static, white: WhiteEnd) -> Self {
        match driver {
            Driver::Line => Self::start(move |orders, events| {
                serial::run(&mut LineLink::new(white), &ports, &orders, &events);
            }),
            Driver::Frames => Self::start(move |orders, events| {
                serial::run(&mut FramesLink::new(white), &ports, &orders, &events);
            }),
            Driver::Internal => Self::internal(),
        }
    }

    /// No clock: the daemon keeps the time.
    #[must_use]
    pub fn internal() -> Self {
        Self::start(|orders, events| internal::run(&orders, &events))
    }

    fn start(
        run: impl FnOnce(mpsc::Receiver<Order>, tokio::sync::mpsc::Sender<Heard>) + Send + 'static,
    ) -> Self {
        let (orders, ordered) = mpsc::channel();
        let (tell, events) = tokio::sync::mpsc::channel(EVENTS_WAITING);
        std::thread::spawn(move || run(ordered, tell));
        Self { orders, events }
    }
}

impl Clock for LinkedClock {
    fn command(&mut self, command: ClockCommand) {
        // The thread ends only with this half of it.
        let _ = self.orders.send(Order::Command(command));
    }

    fn press(&mut self, side: Side) {
        let _ = self.orders.send(Order::Press(side));
    }

    async fn next(&mut self) -> Heard {
        match self.events.recv().await {
            Some(heard) => heard,
            None => std::future::pending().await,
        }
    }
}
