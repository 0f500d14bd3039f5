//! The live loop: what happens on a board goes through the [`Session`], one thing after the other.
//!
//! Real, simulated and recorded boards are one trait, [`Board`]. It hands over inputs in order of time and
//! says when the core's next moment has come; time is the board's, so a board that plays a recording gives
//! the very events that `draughtsd replay` prints.
//!
//! The loop never waits for the network nor for the card: what was promised to be durable waits in the session,
//! and goes out when the journal says so.

use std::future::Future;
use std::time::Duration;

use draughtsd_core::clock::ClockCommand;
use draughtsd_core::moment::Moment;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{Input, Restart, TimedInput};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::control::Request;
use crate::feeds::wall_time::WallTime;
use crate::scan::thread::Scanning;
use crate::session::Session;

/// How often the loop looks after itself: numbers noted, signs of life.
const TICK: Duration = Duration::from_secs(1);

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

/// Where a board goes on: which game, and what of it has been taken in already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The game's number in the journal.
    pub game: u64,
    /// What the time line of the game shows now. Moments are counted on from it.
    pub now: Moment,
    /// How many inputs of this game the board has handed over, in this run or in an earlier one. A board that
    /// plays a recording goes on after them.
    pub taken: u64,
}

/// The contacts as they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    /// Squares whose contact is closed.
    pub closed: SquareSet,
    /// Far-row squares whose stack contact is closed.
    pub stacked: SquareSet,
    /// Far-row squares whose stack contact says nothing, since its sensor is faulty.
    pub unsensed: SquareSet,
}

impl Contacts {
    /// Takes a change in.
    pub fn apply(&mut self, input: &Input) {
        let (squares, square, is_in) = match input {
            Input::Contact { square, closed } => (&mut self.closed, *square, *closed),
            Input::Crown { square, closed } => (&mut self.stacked, *square, *closed),
            Input::CrownSensor { square, works } => (&mut self.unsensed, *square, !*works),
            _ => return,
        };
        if is_in {
            squares.insert(square);
        } else {
            squares.remove(square);
        }
    }

    /// The contacts of a board that stands the other way round.
    #[must_use]
    pub fn turned(self, variant: Variant) -> Self {
        let Self { closed, stacked, unsensed } = self;
        let [closed, stacked, unsensed] = [closed, stacked, unsensed].map(|set| turned_squares(set, variant));
        Self { closed, stacked, unsensed }
    }

    /// The changes that lead from here to `now`, in order of the squares. What a faulty sensor says is no change.
    #[must_use]
    pub fn changes_to(&self, now: Self) -> Vec<Input> {
        let contact = |square, closed| Input::Contact { square, closed };
        let crown = |square, closed| Input::Crown { square, closed };
        let opened = (self.closed - now.closed).iter().map(|square| contact(square, false));
        let closed = (now.closed - self.closed).iter().map(|square| contact(square, true));
        let sensor = |square, works| Input::CrownSensor { square, works };
        let broken = (now.unsensed - self.unsensed).iter().map(|square| sensor(square, false));
        let mended = (self.unsensed - now.unsensed).iter().map(|square| sensor(square, true));
        let unstacked = (self.stacked - now.stacked - now.unsensed).iter().map(|square| crown(square, false));
        let stacked = (now.stacked - self.stacked - now.unsensed).iter().map(|square| crown(square, true));
        opened.chain(closed).chain(broken).chain(mended).chain(unstacked).chain(stacked).collect()
    }
}

/// The same squares, seen from the other end of the board.
#[must_use]
pub fn turned_squares(squares: SquareSet, variant: Variant) -> SquareSet {
    squares.iter().map(|square| turned_square(square, variant)).collect()
}

fn turned_square(square: Square, variant: Variant) -> Square {
    let number = variant.square_count() + 1 - square.number();
    // A square that is not on the board stays what it is; the core refuses it.
    Square::new(number).unwrap_or(square)
}

/// The input of a board that stands the other way round. Presses and buttons know whose they are.
#[must_use]
pub fn turned(input: TimedInput, variant: Variant) -> TimedInput {
    let changed = match input.input {
        Input::Contact { square, closed } => {
            Input::Contact { square: turned_square(square, variant), closed }
        }
        Input::Crown { square, closed } => Input::Crown { square: turned_square(square, variant), closed },
        Input::CrownSensor { square, works } => {
            Input::CrownSensor { square: turned_square(square, variant), works }
        }
        Input::Restart(Restart { outage_ms, changed }) => {
            Input::Restart(Restart { outage_ms, changed: turned_squares(changed, variant) })
        }
        other => other,
    };
    TimedInput { at: input.at, input: changed }
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

    /// The moment that it is now.
    fn now(&self) -> Moment;

    /// The contacts as they stand: at the beginning of a run and of a game, before [`Board::next`]. `None` if
    /// the board cannot tell; then nothing is compared.
    fn contacts(&mut self) -> impl Future<Output = Option<Contacts>> + Send;

    /// A game begins on the board, or goes on after the program was down.
    fn enter(&mut self, place: Place);

    /// Whether the board did its work since it was asked last; the watchdog goes by it.
    fn is_alive(&mut self) -> bool {
        true
    }

    /// The scanning behind it, for numbers and reasons; `None` for a board that is not scanned.
    fn scanning(&self) -> Option<Scanning> {
        None
    }
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The board has nothing more to say.
    Over,
    /// It was told to stop.
    Stopped,
}

/// Runs a board's games until it has nothing more to say, or `stop` is ready.
///
/// - `requests`: what people enter, with the place for the answer. The loop goes on when nobody is left to ask.
/// - `beat`: called about once a second, with whether the board did its work meanwhile ([`Board::is_alive`]).
pub async fn run(
    board: &mut impl Board,
    session: &mut Session,
    requests: &mut mpsc::Receiver<Request>,
    stop: impl Future<Output = ()>,
    mut beat: impl FnMut(bool),
) -> Ended {
    let mut stop = std::pin::pin!(stop);
    let mut durability = session.durability();
    // What the journal had to say before the loop began.
    session.release();
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // Every branch may be cancelled: none takes anything before it is ready.
        tokio::select! {
            biased;
            () = &mut stop => return Ended::Stopped,
            () = changed(&mut durability) => session.release(),
            () = until(session.next_for_the_public()) => session.tell_the_public(),
            happening = board.next(session.next_wake()) => match happening {
                Happening::Input(input) => session.take(input, board),
                Happening::Reached(moment) => session.reach(moment, board),
                Happening::Over => return Ended::Over,
            },
            Some(request) = requests.recv() => session.answer(request, board),
            _ = tick.tick() => {
                beat(board.is_alive());
                session.tick();
            }
        }
        if session.is_next_game_due(board.now()) {
            session.next_game(board).await;
        }
    }
}

/// Ready at this time; never without one.
async fn until(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// Ready when more is durable, or the journal has something to say; never without a journal.
async fn changed(durability: &mut Option<tokio::sync::watch::Receiver<crate::journal::Durability>>) {
    if let Some(durability) = durability
        && durability.changed().await.is_ok()
    {
        return;
    }
    // There is none, or it is closed.
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_faulty_sensor_says_is_no_change() {
        let set = |numbers: &[u8]| -> SquareSet { numbers.iter().filter_map(|&n| Square::new(n)).collect() };
        let contacts = |stacked: &[u8], unsensed: &[u8]| Contacts {
            closed: set(&[50]),
            stacked: set(stacked),
            unsensed: set(unsensed),
        };
        let crown = |n: usize, closed| Input::Crown { square: Square::ALL[n - 1], closed };
        let sensor = |n: usize, works| Input::CrownSensor { square: Square::ALL[n - 1], works };
        let kept = contacts(&[1, 2], &[3]);
        let now = contacts(&[3], &[1]);
        let changes = kept.changes_to(now);
        assert_eq!(changes, [sensor(1, false), sensor(3, true), crown(2, false), crown(3, true)]);
        let mut after = kept;
        changes.iter().for_each(|change| after.apply(change));
        assert_eq!(after, contacts(&[1, 3], &[1]));
        assert_eq!(after.changes_to(now), []);
        let turned = after.turned(Variant::International);
        assert_eq!((turned.stacked, turned.unsensed), (set(&[48, 50]), set(&[50])));
    }
}
