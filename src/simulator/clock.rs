//! Simulated clocks: the other end of the protocols, for tests, for demonstrations, and as a reference for those who
//! build one.
//!
//! A [`Device`] is a state machine like the daemon's end of the line; [`pty`] puts one on a pseudo-terminal. What a
//! real clock can do wrong, tests do to it: they take its bytes away, double them, run its time fast, switch it off.

mod frames;
mod line;
#[cfg(unix)]
pub mod pty;

use draughtsd_core::moment::Moment;
use draughtsd_core::trace::ClockReport;

pub use frames::FramesDevice;
pub use line::LineDevice;

/// An end of a clock, as one sees its display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The left one; White's, in what a device shows.
    Left,
    /// The right one.
    Right,
}

/// A clock. Moments never go back.
pub trait Device: Send {
    /// Bytes came from the daemon.
    fn receive(&mut self, bytes: &[u8], now: Moment);

    /// Does what is due by `now`.
    fn advance(&mut self, now: Moment);

    /// When something is due next.
    fn next_wake(&self) -> Option<Moment>;

    /// Bytes for the daemon; they are taken out, and lost if nobody listens.
    fn take_bytes(&mut self) -> Vec<u8>;

    /// A player presses his lever.
    fn press(&mut self, end: End, now: Moment);

    /// Somebody sets the times by hand; who runs stays so.
    fn set_by_hand(&mut self, left_ms: u64, right_ms: u64, now: Moment);

    /// Somebody stops both times by hand.
    fn stop_by_hand(&mut self, now: Moment);

    /// It loses power and gets it back: it stands, and knows nothing.
    fn power_cycle(&mut self, now: Moment);

    /// What it has, to the millisecond; left is White.
    fn shows(&mut self, now: Moment) -> ClockReport;

    /// The text it shows instead of the times.
    fn text(&self) -> Option<&str>;
}
