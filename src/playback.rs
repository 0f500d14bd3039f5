//! A board whose inputs are known beforehand, played at a pace: the demo's board, and recordings.

use std::fmt;
use std::iter::Peekable;
use std::str::FromStr;
use std::time::Duration;
use std::vec;

use draughtsd_core::moment::Moment;
use draughtsd_core::trace::TimedInput;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;
use tokio::time::{Instant, sleep_until};

use crate::board_loop::{Board, Contacts, Happening, Place};
use crate::feeds::wall_time::WallTime;

/// How many times faster than life: 0.1 to 1000. Only wall time changes; the core sees the same moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed(f64);

/// Why a speed was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no speed; it is a number from 0.1 to 1000, 1 is as at a real board")]
pub struct SpeedError(pub String);

impl Speed {
    /// As at a real board.
    pub const LIFE: Self = Self(1.0);

    /// The factor.
    #[must_use]
    pub const fn factor(self) -> f64 {
        self.0
    }
}

impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| SpeedError(text.to_owned()))
    }
}

impl Speed {
    fn new(factor: f64) -> Option<Self> {
        (0.1..=1000.0).contains(&factor).then_some(Self(factor))
    }
}

impl Serialize for Speed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Speed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let factor = f64::deserialize(deserializer)?;
        Self::new(factor).ok_or_else(|| de::Error::custom(SpeedError(factor.to_string())))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is played in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// In order of time.
    pub inputs: Vec<TimedInput>,
    /// What comes after the last of them.
    pub at_end: AtEnd,
}

/// The scripts by the number of the game; `None` where there is nothing more, and the board is over.
pub type Scripts = Box<dyn FnMut(u64) -> Option<Script> + Send>;

/// What becomes of a board when its hands have nothing more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// It is over.
    Over,
    /// It stands there as boards do.
    Stand,
}

/// Inputs played one after the other, each when its moment has come.
pub struct Playback {
    scripts: Scripts,
    inputs: Peekable<vec::IntoIter<TimedInput>>,
    contacts: Option<Contacts>,
    at_end: AtEnd,
    speed: Speed,
    began: Instant,
    began_at: WallTime,
}

impl fmt::Debug for Playback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Playback").field("inputs", &self.inputs.len()).field("speed", &self.speed).finish()
    }
}

impl Playback {
    /// A board on which one game is played; it begins when the game does.
    ///
    /// - `inputs`: in order of time.
    #[must_use]
    pub fn of(inputs: Vec<TimedInput>, speed: Speed) -> Self {
        let mut script = Some(Script { inputs, at_end: AtEnd::Over });
        Self::new(Box::new(move |_| script.take()), None, speed)
    }

    /// A board on which one game after another is played.
    ///
    /// - `contacts`: as they stand before the first game of all; `None` if the board cannot tell.
    #[must_use]
    pub fn new(scripts: Scripts, contacts: Option<Contacts>, speed: Speed) -> Self {
        let inputs = Vec::new().into_iter().peekable();
        let (began, began_at) = (Instant::now(), WallTime::now());
        Self { scripts, inputs, contacts, at_end: AtEnd::Over, speed, began, began_at }
    }

    fn since_beginning(&self, moment: Moment) -> Duration {
        Duration::from_millis(moment.millis()).div_f64(self.speed.factor())
    }

    fn hand_over(&mut self) -> Option<TimedInput> {
        let input = self.inputs.next()?;
        if let Some(contacts) = &mut self.contacts {
            contacts.apply(&input.input);
        }
        Some(input)
    }
}

impl Board for Playback {
    async fn next(&mut self, wake: Option<Moment>) -> Happening {
        let Some(at) = self.inputs.peek().map(|input| input.at) else {
            return match (self.at_end, wake) {
                (AtEnd::Over, _) => Happening::Over,
                // Time goes on, and may bring about something: the next game, say.
                (AtEnd::Stand, Some(wake)) => {
                    sleep_until(self.began + self.since_beginning(wake)).await;
                    Happening::Reached(wake)
                }
                (AtEnd::Stand, None) => std::future::pending().await,
            };
        };
        // What is due by the core's own time comes before what happens at the same moment, as it does
        // when the core lets time pass by itself.
        let wake = wake.filter(|&wake| wake <= at);
        sleep_until(self.began + self.since_beginning(wake.unwrap_or(at))).await;
        match wake {
            Some(moment) => Happening::Reached(moment),
            None => self.hand_over().map_or(Happening::Over, Happening::Input),
        }
    }

    fn wall_time(&self, moment: Moment) -> WallTime {
        self.began_at.after(self.since_beginning(moment))
    }

    fn now(&self) -> Moment {
        let millis = self.began.elapsed().mul_f64(self.speed.factor()).as_millis();
        Moment::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    async fn contacts(&mut self) -> Option<Contacts> {
        self.contacts
    }

    /// Plays the game's script, from after what was taken in already: the hands waited while the program was
    /// down.
    fn enter(&mut self, place: Place) {
        let over = Script { inputs: Vec::new(), at_end: AtEnd::Over };
        let Script { inputs, at_end } = (self.scripts)(place.game).unwrap_or(over);
        (self.inputs, self.at_end) = (inputs.into_iter().peekable(), at_end);
        for _ in 0..place.taken {
            self.hand_over();
        }
        let before = self.since_beginning(place.now);
        // A time line longer than the machine is up begins with it; the moments are late then, and none is lost.
        self.began = Instant::now().checked_sub(before).unwrap_or_else(Instant::now);
        self.began_at = WallTime::now().before(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::trace::Input;

    #[test]
    fn a_speed_is_a_number_in_bounds() {
        assert_eq!("20".parse(), Ok(Speed(20.0)));
        assert_eq!("0.5".parse(), Ok(Speed(0.5)));
        for refused in ["0", "-1", "1001", "NaN", "inf", "fast", ""] {
            assert_eq!(refused.parse::<Speed>(), Err(SpeedError(refused.to_owned())));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn wakes_and_inputs_come_in_order_each_at_its_time() {
        let ended = TimedInput { at: Moment::from_millis(3000), input: Input::End };
        let mut board = Playback::of(vec![ended.clone()], Speed(2.0));
        board.enter(Place { game: 1, now: Moment::ZERO, taken: 0 });
        let began = Instant::now();

        let wake = Moment::from_millis(1000);
        assert_eq!(board.next(Some(wake)).await, Happening::Reached(wake));
        assert_eq!(began.elapsed().as_millis(), 500);
        let same_moment = Moment::from_millis(3000);
        assert_eq!(board.next(Some(same_moment)).await, Happening::Reached(same_moment));
        assert_eq!(board.next(Some(Moment::from_millis(4000))).await, Happening::Input(ended));
        assert_eq!(began.elapsed().as_millis(), 1500);
        assert_eq!(board.next(None).await, Happening::Over);
    }
}
