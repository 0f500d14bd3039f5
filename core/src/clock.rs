//! The linked game clock: what it is told, what it tells, and the [`Link`]s that turn both into bytes.
//!
//! A clock is seen as one that can be *set and run*: each side's time with what it does (down, up, stopped), a
//! short text, a beep, the end of the text; and it tells of presses, both times, a fallen flag, and whether it can
//! be heard. Which driver is behind it makes no difference to a [`Game`](crate::game::Game):
//!
//! - [`line`](mod@line): our own lines of text, for clocks and gateways built at home (`hardware/clock-protocol.md`);
//! - [`frames`]: the frames in which boards pass a clock's messages on;
//! - [`internal`]: no clock at all; the daemon keeps the time, and two buttons press.
//!
//! Links are state machines without a port: bytes and moments in, bytes and events out. The shell opens and
//! reopens the port.

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::piece::Side;
use crate::time_control::Bonus;
use crate::trace::{ClockReport, Input};

pub mod frames;
pub mod internal;
pub mod line;

/// What a side's time does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeMode {
    /// It stands, and runs down when the other side presses.
    #[default]
    Stopped,
    /// It runs down.
    Down,
    /// It counts up.
    Up,
}

/// How a side of the clock is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSetting {
    /// The time, in milliseconds.
    pub left_ms: u64,
    /// What it does.
    pub mode: TimeMode,
    /// What each press of this side brings it, as long as nothing else is set.
    pub bonus: Bonus,
}

/// Both sides of the clock. At most one of them runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockSetting {
    /// White's.
    pub white: SideSetting,
    /// Black's.
    pub black: SideSetting,
}

impl ClockSetting {
    /// The setting of a side.
    #[must_use]
    pub const fn of(&self, side: Side) -> SideSetting {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.of(side).mode != TimeMode::Stopped)
    }

    /// The same with White's and Black's setting exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { white: self.black, black: self.white }
    }
}

/// What the clock is told.
///
/// **Invariant:** a game sends settings when it starts, is stopped, goes on, gets a new period or is corrected by
/// the arbiter, and its result as text: nothing that depends on what is irregular, and nothing that reminds a player
/// of anything (CN100 8.2.3, 13.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    /// Show these times and let them run so, until the next lever press or command.
    Set(ClockSetting),
    /// Show a text instead of the times: at most [`ClockCommand::LONGEST_TEXT`] characters are shown.
    Text(String),
    /// Show the times again.
    EndText,
    /// Sound for so many sixteenths of a second, at most 48. A game never sends it: 13.1.2 asks for quiet.
    Beep(u8),
}

impl ClockCommand {
    /// So many characters of a text are shown.
    pub const LONGEST_TEXT: usize = 11;
}

/// Whether the linked clock can be heard, and what it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockConnection {
    /// It can no longer be heard. The game goes on without it.
    Lost,
    /// It is heard, and its times are those of this game: it went on by itself, bonuses included.
    Kept,
    /// It is heard and went on by itself, but brought no bonus for presses that were not heard.
    KeptWithoutBonus,
    /// It is heard and knows nothing of this game: it has just been switched on, or is another clock.
    Reset,
}

/// What is wrong with the linked clock or its line. The clock goes on, and so does the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockTrouble {
    /// Bytes that are no message came in.
    Garbage,
    /// A message with impossible values came in, and was ignored.
    Impossible,
    /// A command was not answered, though it was repeated.
    Unanswered,
    /// The clock refused a command: it is in a mode in which it cannot be set.
    Refused,
    /// The clock speaks a version of the protocol that this program does not.
    Version,
    /// Its battery is low.
    LowBattery,
    /// Its time runs faster than ours.
    RunsFast,
    /// Its time runs slower than ours.
    RunsSlow,
    /// Each player presses the other's side: White's and Black's side of the clock seem to be exchanged.
    SidesSwapped,
}

/// What the clock tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// It can be heard, or no longer.
    Connection(ClockConnection),
    /// A side pressed while its time ran.
    Press(Side),
    /// Both times, who runs, whose flag has fallen.
    Report(ClockReport),
    /// A button on the clock, by its place from the left, 1 to 5. It is no input of a game.
    Button(u8),
    /// Something is wrong.
    Trouble(ClockTrouble),
}

impl ClockEvent {
    /// The event as an input of a game, where it is one.
    #[must_use]
    pub fn input(self) -> Option<Input> {
        match self {
            Self::Connection(connection) => Some(Input::ClockConnection(connection)),
            Self::Press(side) => Some(Input::Press { side }),
            Self::Report(report) => Some(Input::Clock(report)),
            Self::Button(_) => None,
            Self::Trouble(trouble) => Some(Input::ClockTrouble(trouble)),
        }
    }
}

/// Which end of the clock is White's, as one sees its display. Clocks know left and right, never colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhiteEnd {
    /// White presses on the left.
    #[default]
    Left,
    /// White presses on the right.
    Right,
}

impl WhiteEnd {
    /// The side that presses on the left.
    #[must_use]
    pub const fn left(self) -> Side {
        match self {
            Self::Left => Side::White,
            Self::Right => Side::Black,
        }
    }

    /// Puts what is left and right in the order White, Black.
    #[must_use]
    pub fn by_colour<T>(self, left: T, right: T) -> (T, T) {
        match self {
            Self::Left => (left, right),
            Self::Right => (right, left),
        }
    }
}

/// An event of a clock and when it came.
pub type TimedEvent = (Moment, ClockEvent);

/// A protocol as a state machine. Moments never go back.
pub trait Link: Send {
    /// The port was opened: the clock may be there.
    fn opened(&mut self, now: Moment);

    /// The port is gone, or could not be opened. What was to be sent is forgotten; a game sends its state again when the clock is back.
    fn closed(&mut self, now: Moment);

    /// Bytes came in: any bytes, in any pieces.
    fn receive(&mut self, bytes: &[u8], now: Moment);

    /// Tells the clock something. What comes while it cannot be heard is dropped.
    fn command(&mut self, command: ClockCommand, now: Moment);

    /// Does what is due by `now`: resending, keeping alive, giving up.
    fn advance(&mut self, now: Moment);

    /// When something is due next.
    fn next_wake(&self) -> Option<Moment>;

    /// Bytes to be sent; they are taken out.
    fn take_bytes(&mut self) -> Vec<u8>;

    /// What the clock told, in the order in which it did; it is taken out.
    fn take_events(&mut self) -> Vec<TimedEvent>;
}

/// Tells of each kind of trouble at most once in a while: nothing that comes in on a wire may fill a journal.
#[derive(Clone, Debug, Default)]
struct Troubles {
    told: Vec<(ClockTrouble, Moment)>,
}

impl Troubles {
    /// After this time a kind of trouble is told again.
    const QUIET_MS: u64 = 60_000;

    fn tell(&mut self, trouble: ClockTrouble, now: Moment, events: &mut Vec<TimedEvent>) {
        self.told.retain(|(_, at)| now.since(*at) < Self::QUIET_MS);
        if !self.told.iter().any(|(known, _)| *known == trouble) {
            self.told.push((trouble, now));
            events.push((now, ClockEvent::Trouble(trouble)));
        }
    }
}

/// Passes reports on where they say something new: a journal needs no line for each second that passes as it should.
#[derive(Clone, Debug, Default)]
struct Reports {
    last: Option<(Moment, ClockReport)>,
}

impl Reports {
    /// Without anything new, one report in this time is passed on.
    const EVERY_MS: u64 = 10_000;

    /// Whether a report is worth being passed on; if so it is the last.
    ///
    /// - `tolerance_ms`: a difference up to this from what running makes of the last one is nothing new.
    fn is_news(&mut self, report: ClockReport, now: Moment, tolerance_ms: u64) -> bool {
        let known = self.last.is_some_and(|(at, last)| {
            let elapsed = now.since(at);
            let expected = |side: Side, left_ms: u64| {
                left_ms.saturating_sub(if last.running == Some(side) { elapsed } else { 0 })
            };
            let near = |expected: u64, left_ms: u64| expected.abs_diff(left_ms) <= tolerance_ms;
            elapsed < Self::EVERY_MS
                && (last.running, last.flag) == (report.running, report.flag)
                && near(expected(Side::White, last.white_ms), report.white_ms)
                && near(expected(Side::Black, last.black_ms), report.black_ms)
        });
        if !known {
            self.last = Some((now, report));
        }
        !known
    }

    fn forget(&mut self) {
        self.last = None;
    }
}
