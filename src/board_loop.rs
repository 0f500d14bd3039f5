//! The live loop: what happens on a board goes through the core, and what the core says goes to the feed.
//!
//! Real, simulated and recorded boards are one trait, [`Board`]. It hands over inputs in order of time and
//! says when the core's next moment has come; time is the board's, so a board that plays a recording gives
//! the very events that `draughtsd replay` prints.
//!
//! The loop never waits for anybody but the board.

use std::future::Future;

use draughtsd_core::clock::ClockCommand;
use draughtsd_core::game::{Effect, Game};
use draughtsd_core::moment::Moment;
use draughtsd_core::trace::TimedInput;

use crate::feeds::board_feed::BoardFeed;
use crate::feeds::wall_time::WallTime;

/// What a board has to say next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Something happened.
    Input(TimedInput),
    /// Nothing happened up to this moment, at which the core wanted to be woken.
    Reached(Moment),
    /// Nothing will happen any more.
    Over,
}

/// A board as the loop sees it.
pub trait Board: Send {
    /// Waits for the next happening. Moments never go back.
    ///
    /// - `wake`: the moment at which the core wants to be woken, if nothing happens before.
    ///
    /// May be cancelled while it waits; nothing is lost then.
    fn next(&mut self, wake: Option<Moment>) -> impl Future<Output = Happening> + Send;

    /// Tells the linked clock, without waiting for it. A board without one has nobody to tell.
    fn command_clock(&mut self, _command: ClockCommand) {}

    /// When a moment is, or was, by the calendar.
    fn wall_time(&self, moment: Moment) -> WallTime;
}

/// Runs a game on a board until the board has nothing more to say. Returns the game as it is then.
///
/// - `begun`: what [`Game::new`] gave together with the game.
///
/// May be cancelled at any time; everything that was published stays so.
pub async fn run(mut board: impl Board, mut game: Game, begun: Vec<Effect>, feed: &BoardFeed) -> Game {
    perform(begun, &mut board, feed);
    loop {
        let effects = match board.next(game.next_wake()).await {
            Happening::Input(TimedInput { at, input }) => game.handle(at, input),
            Happening::Reached(moment) => game.advance(moment),
            Happening::Over => return game,
        };
        perform(effects, &mut board, feed);
    }
}

fn perform(effects: Vec<Effect>, board: &mut impl Board, feed: &BoardFeed) {
    for effect in effects {
        match effect {
            Effect::Publish(event) => feed.publish(&event, Some(board.wall_time(event.t))),
            Effect::Clock(command) => board.command_clock(command),
        }
    }
}
