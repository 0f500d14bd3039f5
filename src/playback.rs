//! A board whose inputs are known beforehand, played at a pace: the demo's board, and recordings.

use std::fmt;
use std::iter::Peekable;
use std::str::FromStr;
use std::time::Duration;
use std::vec;

use draughtsd_core::moment::Moment;
use draughtsd_core::trace::TimedInput;
use thiserror::Error;
use tokio::time::{Instant, sleep_until};

use crate::board_loop::{Board, Happening};
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
        match text.parse() {
            Ok(factor) if (0.1..=1000.0).contains(&factor) => Ok(Self(factor)),
            _ => Err(SpeedError(text.to_owned())),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Inputs played one after the other, each when its moment has come.
#[derive(Debug)]
pub struct Playback {
    inputs: Peekable<vec::IntoIter<TimedInput>>,
    speed: Speed,
    began: Instant,
    began_at: WallTime,
}

impl Playback {
    /// Begins to play: now is [`Moment::ZERO`].
    ///
    /// - `inputs`: in order of time.
    #[must_use]
    pub fn begin(inputs: Vec<TimedInput>, speed: Speed) -> Self {
        let inputs = inputs.into_iter().peekable();
        Self { inputs, speed, began: Instant::now(), began_at: WallTime::now() }
    }

    fn since_beginning(&self, moment: Moment) -> Duration {
        Duration::from_millis(moment.millis()).div_f64(self.speed.factor())
    }
}

impl Board for Playback {
    async fn next(&mut self, wake: Option<Moment>) -> Happening {
        let Some(at) = self.inputs.peek().map(|input| input.at) else { return Happening::Over };
        // What is due by the core's own time comes before what happens at the same moment, as it does
        // when the core lets time pass by itself.
        let wake = wake.filter(|&wake| wake <= at);
        sleep_until(self.began + self.since_beginning(wake.unwrap_or(at))).await;
        match wake {
            Some(moment) => Happening::Reached(moment),
            None => self.inputs.next().map_or(Happening::Over, Happening::Input),
        }
    }

    fn wall_time(&self, moment: Moment) -> WallTime {
        self.began_at.after(self.since_beginning(moment))
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
        let mut board = Playback::begin(vec![ended.clone()], Speed(2.0));
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
