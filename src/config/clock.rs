//! The table `[clock]`: the linked clock and how much time the players have. Whether one is linked at all says
//! `board.clock`.

use std::path::PathBuf;

use draughtsd_core::clock::WhiteEnd;
use draughtsd_core::time_control::Match;
use draughtsd_core::trace::ClockLink;
use serde::{Deserialize, Serialize};

use super::Problem;
use crate::clock::{Driver, PortSettings};

/// The baud rates that a serial port of every system knows.
const BAUDS: [u32; 8] = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200];

/// The linked clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Clock {
    /// What is behind it.
    pub driver: Driver,
    /// The serial port, by a name that stays the same when the clock is plugged in again.
    pub port: Option<PathBuf>,
    /// Bits per second; left out, the driver's own.
    pub baud: Option<u32>,
    /// Which end of the clock is White's.
    pub white_end: WhiteEnd,
    /// The time control, as in PDN's tag `TimeControl`, with `;match-2` or `;play-off` for a match.
    pub time_control: Option<String>,
}

impl Clock {
    /// The time control and what becomes of it between games; `None` where none is set, or it is wrong.
    #[must_use]
    pub fn time_control(&self) -> Option<Match> {
        self.time_control.as_ref()?.parse().ok()
    }

    /// The serial port, where one is set.
    #[must_use]
    pub fn port_settings(&self) -> Option<PortSettings> {
        let path = self.port.clone()?;
        Some(PortSettings { path, baud: self.baud.unwrap_or(self.driver.baud()) })
    }

    pub(super) fn check(&self, link: ClockLink, problems: &mut Vec<Problem>) {
        let mut problem = |key: &str, found: String, expected: String, advice: &'static str| {
            problems.push(Problem { key: format!("clock.{key}"), found, expected, advice });
        };
        if let Some(text) = &self.time_control
            && let Err(error) = text.parse::<Match>()
        {
            problem(
                "time-control",
                format!("{text:?}"),
                error.to_string(),
                "times are in seconds: 80 minutes and 60 seconds a move are 4800+60",
            );
        }
        if let Some(baud) = self.baud.filter(|baud| !BAUDS.contains(baud)) {
            problem(
                "baud",
                baud.to_string(),
                format!("one of {BAUDS:?}"),
                "the clock's own rate; left out, it is 115200 for `line` and 9600 for `frames`",
            );
        }
        if link == ClockLink::None {
            return;
        }
        let nothing = || "nothing".to_owned();
        if self.driver == Driver::Internal {
            if self.time_control.is_none() {
                problem(
                    "time-control",
                    nothing(),
                    "a time control, such as \"4800+60\"".to_owned(),
                    "the daemon keeps the time itself, so it has to know how much there is",
                );
            }
            if let Some(port) = &self.port {
                problem(
                    "port",
                    format!("{:?}", port.display().to_string()),
                    "nothing with clock.driver = \"internal\"".to_owned(),
                    "take the port away, or say what speaks on it",
                );
            }
        } else if self.port.is_none() {
            problem(
                "port",
                nothing(),
                "a serial port, such as \"/dev/serial/by-id/usb-…\"".to_owned(),
                "board.clock is \"linked\"; `ls /dev/serial/by-id` shows the ports that are there",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(clock: &Clock, link: ClockLink, expected: &[&str]) {
        let mut problems = Vec::new();
        clock.check(link, &mut problems);
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, expected, "{problems:#?}");
    }

    #[test]
    fn a_linked_clock_needs_a_port_or_a_time_control() {
        use ClockLink::{Linked, None as NoClock};
        let unset = Clock::default;
        check(&unset(), NoClock, &[]);
        check(&unset(), Linked, &["clock.port"]);
        check(&Clock { port: Some("/dev/ttyUSB0".into()), ..unset() }, Linked, &[]);
        let internal = Clock { driver: Driver::Internal, ..unset() };
        check(&internal, Linked, &["clock.time-control"]);
        check(&Clock { time_control: Some("300+3".to_owned()), ..internal.clone() }, Linked, &[]);
        check(&Clock { port: Some("x".into()), ..internal }, Linked, &["clock.time-control", "clock.port"]);
    }

    #[test]
    fn time_controls_and_rates_are_looked_at_whether_a_clock_is_linked_or_not() {
        let wrong =
            Clock { time_control: Some("80 min".to_owned()), baud: Some(115_201), ..Clock::default() };
        check(&wrong, ClockLink::None, &["clock.time-control", "clock.baud"]);
        let play_off = Clock { time_control: Some("1200+5;play-off".to_owned()), ..Clock::default() };
        check(&play_off, ClockLink::None, &[]);
    }
}
