//! A board with a linked clock: what the clock tells goes into the same row of happenings.

use std::time::Instant;

use draughtsd_core::clock::{ClockCommand, ClockEvent};
use draughtsd_core::moment::Moment;
use draughtsd_core::trace::{Input, TimedInput};

use super::{Clock, Heard, LinkedClock};
use crate::board_loop::{Board, Contacts, Happening, Place};
use crate::feeds::wall_time::WallTime;
use crate::scan::thread::Scanning;

/// A board and the clock beside it.
#[derive(Debug)]
pub struct Clocked<B> {
    board: B,
    clock: Option<LinkedClock>,
    /// The board's press buttons are the clock's own, so that it is the clock that tells of a press.
    presses_are_the_clocks: bool,
}

impl<B: Board> Clocked<B> {
    /// A board without a linked clock.
    #[must_use]
    pub fn without(board: B) -> Self {
        Self { board, clock: None, presses_are_the_clocks: false }
    }

    /// A board with a clock that has levers of its own: what the board has of presses and reports is another clock's,
    /// and left alone.
    #[must_use]
    pub fn with(board: B, clock: LinkedClock) -> Self {
        Self { board, clock: Some(clock), presses_are_the_clocks: false }
    }

    /// A board whose press buttons press the daemon's own clock.
    #[must_use]
    pub fn with_buttons(board: B, clock: LinkedClock) -> Self {
        Self { board, clock: Some(clock), presses_are_the_clocks: true }
    }

    /// Whether there is a clock.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// What the board tells apart from presses and reports, which are the clock's to tell.
    fn keep(&mut self, happening: Happening) -> Option<Happening> {
        let Some(clock) = &mut self.clock else { return Some(happening) };
        match &happening {
            Happening::Input(TimedInput { input: Input::Press { side }, .. }) => {
                if self.presses_are_the_clocks {
                    clock.press(*side);
                }
                None
            }
            Happening::Input(TimedInput { input: Input::Clock(_), .. }) => None,
            Happening::Input(_) | Happening::Reached(_) | Happening::Over => Some(happening),
        }
    }

    /// What the clock told, as an input of the game, on the board's time line.
    fn input_of(&self, heard: Heard) -> Option<Happening> {
        if let ClockEvent::Button(button) = heard.event {
            tracing::debug!(button, "a button of the clock");
        }
        let input = heard.event.input()?;
        let age = Instant::now().saturating_duration_since(heard.at).as_millis();
        let now = self.board.now().millis();
        let at = Moment::from_millis(now.saturating_sub(u64::try_from(age).unwrap_or(u64::MAX)));
        Some(Happening::Input(TimedInput { at, input }))
    }
}

impl<B: Board> Board for Clocked<B> {
    async fn next(&mut self, wake: Option<Moment>) -> Happening {
        loop {
            let Some(clock) = &mut self.clock else { return self.board.next(wake).await };
            // Neither loses anything when the other is ready first.
            tokio::select! {
                heard = clock.next() => {
                    if let Some(happening) = self.input_of(heard) {
                        return happening;
                    }
                }
                happening = self.board.next(wake) => {
                    if let Some(happening) = self.keep(happening) {
                        return happening;
                    }
                }
            }
        }
    }

    fn command_clock(&mut self, command: ClockCommand) {
        if let Some(clock) = &mut self.clock {
            clock.command(command);
        }
    }

    fn wall_time(&self, moment: Moment) -> WallTime {
        self.board.wall_time(moment)
    }

    fn now(&self) -> Moment {
        self.board.now()
    }

    async fn contacts(&mut self) -> Option<Contacts> {
        self.board.contacts().await
    }

    fn enter(&mut self, place: Place) {
        self.board.enter(place);
    }

    fn is_alive(&mut self) -> bool {
        self.board.is_alive()
    }

    fn scanning(&self) -> Option<Scanning> {
        self.board.scanning()
    }
}
