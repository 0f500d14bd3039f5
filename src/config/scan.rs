//! The table `[scan]`: how the contacts are reached, and how they are scanned.

use std::path::PathBuf;
use std::time::Duration;

use draughtsd_core::trace::Crowning;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Problem;
use super::board::{Board, Source};

/// The slowest rate: a disc passing in the hand would be missed.
const SLOWEST_HZ: u32 = 100;
/// The fastest rate; the time of one scan is the limit that matters.
const FASTEST_HZ: u32 = 4000;
/// The longest wait after a row is driven.
const LONGEST_SETTLE_US: u64 = 100;
/// No board has more rows.
const MOST_ROWS: u64 = 16;
/// The highest real-time priority.
const HIGHEST_PRIORITY: u8 = 99;
/// The highest processor number.
const HIGHEST_CPU: u16 = 1023;

/// The scanning of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scan {
    /// Through what the wires are reached.
    pub backend: Backend,
    /// The GPIO chip, for the backend `gpiocdev`.
    pub chip: PathBuf,
    /// A pin map of one's own; empty: that of `hardware/pinmap.toml`.
    pub pin_map: PathBuf,
    /// Scans a second.
    pub rate_hz: u32,
    /// How long the columns take to follow a row.
    pub settle_us: u64,
    /// Real-time priority (`SCHED_FIFO`) of the scan thread, 1 to 99; 0: none.
    pub realtime_priority: u8,
    /// On which processor the scan thread is kept.
    pub cpu: Cpu,
    /// The SPI bus with the converters of the Hall sensors: the name of its devices before the point.
    pub stack_bus: PathBuf,
    /// The calibration of the Hall sensors.
    pub stack_calibration: PathBuf,
}

/// Through what the wires of the board are reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// The registers of a Raspberry Pi.
    #[default]
    Rppal,
    /// The kernel's GPIO character device: any Linux board.
    Gpiocdev,
    /// No wires: simulated hands play on a simulated matrix.
    Simulated,
}

impl Backend {
    /// The name, as it stands in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rppal => "rppal",
            Self::Gpiocdev => "gpiocdev",
            Self::Simulated => "simulated",
        }
    }
}

/// A choice of processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cpu {
    /// Wherever the system likes.
    #[default]
    Any,
    /// The processor with this number, from 0.
    Number(u16),
}

impl Serialize for Cpu {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Any => serializer.serialize_str("any"),
            Self::Number(number) => serializer.serialize_u16(*number),
        }
    }
}

impl<'de> Deserialize<'de> for Cpu {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Cpu;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("\"any\" or the number of a processor, from 0")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Cpu, E> {
                if text == "any" {
                    Ok(Cpu::Any)
                } else {
                    Err(E::invalid_value(de::Unexpected::Str(text), &self))
                }
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Cpu, E> {
                let known = u16::try_from(number).map(Cpu::Number);
                known.map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Cpu, E> {
                let known = u16::try_from(number).map(Cpu::Number);
                known.map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            backend: Backend::default(),
            chip: PathBuf::from("/dev/gpiochip0"),
            pin_map: PathBuf::new(),
            rate_hz: 1000,
            settle_us: 10,
            realtime_priority: 0,
            cpu: Cpu::default(),
            stack_bus: PathBuf::from("/dev/spidev0"),
            stack_calibration: PathBuf::new(),
        }
    }
}

impl Scan {
    /// The time from one scan to the next.
    #[must_use]
    pub fn period(&self) -> Duration {
        Duration::from_secs(1) / self.rate_hz.max(1)
    }

    pub(super) fn check(&self, board: &Board, problems: &mut Vec<Problem>) {
        let is_sensed = board.source == Source::Gpio && board.crowning == Crowning::Stack;
        if is_sensed && self.backend != Backend::Simulated && self.stack_calibration.as_os_str().is_empty() {
            problems.push(Problem {
                key: "scan.stack-calibration".to_owned(),
                found: "left out".to_owned(),
                expected: "the name of a calibration, since board.crowning is \"stack\"".to_owned(),
                advice: "`draughtsd sensors --calibrate FILE` makes one with the discs of the board",
            });
        }
        let before = problems.len();
        let mut within = |key: &str, value: u64, from: u64, to: u64, advice| {
            if !(from..=to).contains(&value) {
                problems.push(Problem {
                    key: format!("scan.{key}"),
                    found: value.to_string(),
                    expected: format!("{from} to {to}"),
                    advice,
                });
            }
        };
        within(
            "rate-hz",
            self.rate_hz.into(),
            SLOWEST_HZ.into(),
            FASTEST_HZ.into(),
            "1000 is a scan every millisecond, which is as finely as a game is timed",
        );
        within(
            "settle-us",
            self.settle_us,
            0,
            LONGEST_SETTLE_US,
            "10 is enough with the external pull-ups of hardware/, 40 without them",
        );
        within(
            "realtime-priority",
            self.realtime_priority.into(),
            0,
            HIGHEST_PRIORITY.into(),
            "0 is no real-time priority; 20 is plenty for one that is to be served before other programs",
        );
        if let Cpu::Number(number) = self.cpu {
            within("cpu", number.into(), 0, HIGHEST_CPU.into(), "a Pi has the processors 0 to 3");
        }
        let period_us = u64::from(1_000_000 / self.rate_hz.max(1));
        if problems.len() == before && self.settle_us * MOST_ROWS > period_us {
            problems.push(Problem {
                key: "scan.settle-us".to_owned(),
                found: self.settle_us.to_string(),
                expected: format!("at most {} with scan.rate-hz {}", period_us / MOST_ROWS, self.rate_hz),
                advice: "waiting for 16 rows alone would take longer than one scan may",
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scan: Scan, expected: &[&str]) {
        check_of(&Board::default(), scan, expected);
    }

    #[track_caller]
    fn check_of(board: &Board, scan: Scan, expected: &[&str]) {
        let mut problems = Vec::new();
        scan.check(board, &mut problems);
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, expected, "{problems:#?}");
    }

    #[test]
    fn values_out_of_bounds_are_named() {
        let standard = Scan::default;
        check(standard(), &[]);
        check(Scan { rate_hz: 0, ..standard() }, &["scan.rate-hz"]);
        check(Scan { rate_hz: 4001, ..standard() }, &["scan.rate-hz"]);
        check(Scan { settle_us: 101, ..standard() }, &["scan.settle-us"]);
        check(Scan { settle_us: 40, rate_hz: 1000, ..standard() }, &[]);
        check(Scan { settle_us: 40, rate_hz: 4000, ..standard() }, &["scan.settle-us"]);
        check(Scan { realtime_priority: 100, ..standard() }, &["scan.realtime-priority"]);
        check(Scan { cpu: Cpu::Number(1024), ..standard() }, &["scan.cpu"]);
    }

    #[test]
    fn hall_sensors_that_are_read_need_a_calibration() {
        let board = Board { crowning: Crowning::Stack, ..Board::default() };
        check_of(&board, Scan::default(), &["scan.stack-calibration"]);
        check_of(&board, Scan { stack_calibration: "hall.toml".into(), ..Scan::default() }, &[]);
        check_of(&board, Scan { backend: Backend::Simulated, ..Scan::default() }, &[]);
        let simulated = Board { source: Source::Simulated, ..board };
        check_of(&simulated, Scan::default(), &[]);
    }

    #[test]
    fn a_processor_is_a_number_or_any() {
        let cpu = |text: &str| crate::config::Config::parse(&format!("[scan]\ncpu = {text}\n"));
        assert_eq!(cpu("3").unwrap().scan.cpu, Cpu::Number(3));
        assert_eq!(cpu("\"any\"").unwrap().scan.cpu, Cpu::Any);
        for refused in ["-1", "70000", "\"fast\"", "1.5"] {
            let said = cpu(refused).unwrap_err().to_string();
            assert!(said.contains("\"any\" or the number of a processor"), "{said}");
        }
    }
}
