//! The calibration: what each sensor reads on an empty square, under a man and under a king.
//!
//! A small TOML file that `draughtsd sensors --calibrate` writes and people may look at:
//!
//! ```toml
//! version = 1
//!
//! [stack]
//! square-1 = { empty = 2048, man = 2115, king = 2148 }
//! ```
//!
//! Squares are those of the pin map, as they are wired. *man* is the reading furthest from *empty* that one disc gave, *king* the
//! nearest that two gave: the worst cases (`hardware/crowning.md`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use draughtsd_core::square::Square;
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use super::FULL_SCALE;
use crate::config::list_of_problems;
use crate::input_file::read_by_hand;
use crate::pinmap::{ContactId, StackSensor, Wiring};

/// The version of the file's form that this program reads and writes.
pub const VERSION: u32 = 1;

/// The step from man to king has to be this part of what a man alone pulls, or more: one fifth.
const LEAST_STEP: i32 = 5;

/// What one sensor reads, in steps of the converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// With the square and its neighbours empty.
    pub empty: u16,
    /// Under one disc, the furthest from empty.
    pub man: u16,
    /// Under two discs, the nearest to empty.
    pub king: u16,
}

impl Points {
    /// Whether man and king can be told apart by these.
    ///
    /// # Errors
    /// What is wrong with them, what was expected and what to do, in words.
    pub fn check(self) -> Result<(), String> {
        let Self { empty, man, king } = self;
        if let Some(beyond) = [empty, man, king].into_iter().find(|&level| level > FULL_SCALE) {
            return Err(format!("{beyond} is no step of a converter; expected 0 to {FULL_SCALE}"));
        }
        let away = |level: u16| i32::from(level) - i32::from(empty);
        let (of_man, of_king) = (away(man), away(king));
        if of_man == 0 {
            return Err(format!(
                "man is {man}, as empty is; expected tens of steps between them: the sensor does not feel the disc"
            ));
        }
        if of_man.signum() != of_king.signum() {
            return Err(format!(
                "empty {empty}, man {man} and king {king} are not in order; expected man and king on the same side of \
                 empty: a disc lay upside down, calibrate this square again"
            ));
        }
        let step = of_king.abs() - of_man.abs();
        if step * LEAST_STEP < of_man.abs() {
            return Err(format!(
                "the step from man to king is {step}; expected a fifth of what a man pulls ({}) or more, {}: put the sensor \
                 deeper, take magnets that are within 5 % of each other, or see whether a disc lies upside down, then calibrate \
                 this square again",
                of_man.abs(),
                (of_man.abs() + LEAST_STEP - 1) / LEAST_STEP
            ));
        }
        Ok(())
    }
}

/// The calibration of all sensors of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    points: BTreeMap<Square, Points>,
}

/// Why a calibration was refused. The message says all of it; there is no source to be printed as well.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// The file could not be opened or read.
    #[error("{}: {reason}; `draughtsd sensors --calibrate FILE` makes a calibration", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The file holds none that could be used.
    #[error("{}: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Refusal,
    },
}

/// What is wrong with the text of a calibration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// It is no TOML, or has keys or values that are not known: line, caret, and what was expected.
    #[error("{0}")]
    Form(String),
    /// What it says cannot be used: line, key, what was expected and what to do of each, in the order of the file.
    #[error("{}", list_of_problems(.0))]
    Problems(Vec<String>),
}

/// The file as it is written, with the place of each entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCalibration {
    version: Spanned<u32>,
    stack: Spanned<BTreeMap<String, Spanned<Points>>>,
}

impl Calibration {
    /// A calibration of these sensors, by the squares as they are wired.
    #[must_use]
    pub fn of(points: impl IntoIterator<Item = (Square, Points)>) -> Self {
        Self { points: points.into_iter().collect() }
    }

    /// What the sensor under this square reads; the square as it is wired.
    #[must_use]
    pub fn points(&self, square: Square) -> Option<Points> {
        self.points.get(&square).copied()
    }

    /// Reads a file and checks all of it.
    ///
    /// # Errors
    /// [`CalibrationError`] when it cannot be read or is refused by [`Calibration::parse`].
    pub fn read(path: &Path, wiring: &Wiring) -> Result<Self, CalibrationError> {
        let text = read_by_hand(path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .map_err(|reason| CalibrationError::Read { path: path.to_owned(), reason })?;
        Self::parse(&text, wiring)
            .map_err(|reason| CalibrationError::Refused { path: path.to_owned(), reason })
    }

    /// Reads the text of a calibration and checks all of it against the board: each of its sensors is there, and no other.
    ///
    /// # Errors
    /// [`Refusal`]: the first mistake of form, or else everything that cannot be used.
    pub fn parse(text: &str, wiring: &Wiring) -> Result<Self, Refusal> {
        let raw: RawCalibration =
            toml::from_str(text).map_err(|error| Refusal::Form(error.to_string().trim_end().to_owned()))?;
        let mut problems = Vec::new();
        let mut problem = |at: usize, key: &str, what: String| {
            let line = 1 + text.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count();
            problems.push((line, format!("line {line}: {key}: {what}")));
        };
        let version = *raw.version.get_ref();
        if version != VERSION {
            let what = format!("is {version}; this program reads version {VERSION}");
            problem(raw.version.span().start, "version", what);
        }
        let mut points = BTreeMap::new();
        for (key, entry) in raw.stack.get_ref() {
            let (at, path) = (entry.span().start, format!("stack.{key}"));
            match square(key, wiring) {
                Some(square) => _ = points.insert(square, *entry.get_ref()),
                None => problem(at, &path, format!("no sensor is there; expected {}", expected(wiring))),
            }
            if let Err(what) = entry.get_ref().check() {
                problem(at, &path, what);
            }
        }
        for sensor in wiring.stack().iter().filter(|sensor| !points.contains_key(&sensor.square)) {
            let key = format!("stack.square-{}", sensor.square);
            let what = format!(
                "is missing; {} under it was not calibrated: calibrate the board again",
                sensor.sensor
            );
            problem(raw.stack.span().start, &key, what);
        }
        problems.sort();
        if problems.is_empty() {
            Ok(Self { points })
        } else {
            Err(Refusal::Problems(problems.into_iter().map(|(_, text)| text).collect()))
        }
    }

    /// The text of the file.
    ///
    /// - `about`: the first line, after the `#`.
    #[must_use]
    pub fn text(&self, about: &str) -> String {
        let mut text = format!(
            "# {about}\n#\n# What each Hall sensor reads, in steps of its converter: on an empty square, under a man (the furthest from empty), and\n\
             # under a king (the nearest). Squares as they are wired. `draughtsd check` says whether the file is in order.\n\
             version = {VERSION}\n\n[stack]\n"
        );
        for (square, Points { empty, man, king }) in &self.points {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "square-{square} = {{ empty = {empty}, man = {man}, king = {king} }}");
        }
        text
    }

    /// Whether a file could be written there; nothing is left behind.
    ///
    /// # Errors
    /// What the system says.
    pub fn try_place(path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let making = making(path);
        File::create(&making)?;
        fs::remove_file(making)
    }

    /// Writes the file whole or not at all: what is there already stays until the new one is on the card.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path, about: &str) -> io::Result<()> {
        let making = making(path);
        let written = File::create(&making).and_then(|mut file| {
            file.write_all(self.text(about).as_bytes())?;
            file.sync_all()?;
            fs::rename(&making, path)
        });
        if written.is_err() {
            // The half of a file is of no use; that it may not be there is no news.
            let _ = fs::remove_file(&making);
        }
        written
    }
}

/// The name of the file while it is written.
fn making(path: &Path) -> PathBuf {
    let mut making = path.as_os_str().to_owned();
    making.push(".new");
    PathBuf::from(making)
}

/// The square that a key names, if there is a sensor under it.
fn square(key: &str, wiring: &Wiring) -> Option<Square> {
    match key.parse() {
        Ok(ContactId::Square(square)) => {
            wiring.stack().iter().any(|sensor| sensor.square == square).then_some(square)
        }
        _ => None,
    }
}

/// The keys that are expected.
fn expected(wiring: &Wiring) -> String {
    let name = |sensor: &StackSensor| format!("square-{}", sensor.square);
    wiring.stack().iter().map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pinmap::{BoardSize, PinMap};

    const POINTS: Points = Points { empty: 2048, man: 2115, king: 2148 };

    fn russian() -> Wiring {
        PinMap::shipped().wiring(BoardSize::SixtyFour).unwrap().clone()
    }

    fn sound() -> Calibration {
        Calibration::of(russian().stack().iter().map(|sensor| (sensor.square, POINTS)))
    }

    #[test]
    fn what_is_written_is_read() {
        let calibration = sound();
        let text = calibration.text("Calibration of board 1");
        assert!(text.contains("\nsquare-29 = { empty = 2048, man = 2115, king = 2148 }\n"), "{text}");
        assert_eq!(Calibration::parse(&text, &russian()).unwrap(), calibration);
    }

    /// Expects the problems of a sound file in which `old` became `new`.
    #[track_caller]
    fn check(old: &str, new: &str, expected: &[&str]) {
        let text = sound().text("x");
        assert!(text.contains(old), "{text}");
        let refused = Calibration::parse(&text.replace(old, new), &russian()).unwrap_err();
        let said = refused.to_string();
        let is_told = |part: &&str| said.contains(*part);
        assert!(expected.iter().all(is_told), "{said}");
        if let Refusal::Problems(problems) = refused {
            assert_eq!(problems.len(), expected.len(), "{said}");
        }
    }

    #[test]
    fn everything_that_cannot_be_used_is_told_with_line_and_key() {
        let line = "square-2 = { empty = 2048, man = 2115, king = 2148 }";
        check("version = 1", "version = 2", &["line 5: version: is 2; this program reads version 1"]);
        check(line, "", &["line 7: stack.square-2: is missing; H2 under it was not calibrated"]);
        check(
            "square-29 ",
            "square-19 ",
            &["stack.square-19: no sensor is there; expected square-1, ", "stack.square-29: is missing"],
        );
        let of_two =
            |empty, man, king| format!("square-2 = {{ empty = {empty}, man = {man}, king = {king} }}");
        let told =
            |with: String, what: &str| check(line, &with, &[&format!("line 9: stack.square-2: {what}")]);
        told(of_two(2048, 2048, 2148), "man is 2048, as empty is");
        told(of_two(2048, 2000, 2148), "empty 2048, man 2000 and king 2148 are not in order");
        told(
            of_two(2048, 2148, 2115),
            "the step from man to king is -33; expected a fifth of what a man pulls (100) or more, 20",
        );
        told(
            of_two(2048, 2115, 2128),
            "the step from man to king is 13; expected a fifth of what a man pulls (67) or more, 14: put the sensor deeper",
        );
        told(of_two(2048, 2115, 4096), "4096 is no step of a converter; expected 0 to 4095");
        let just_enough = sound().text("x").replace(line, &of_two(2048, 2115, 2129));
        assert!(Calibration::parse(&just_enough, &russian()).is_ok());
    }

    #[test]
    fn an_unknown_key_is_shown_with_its_line() {
        let line = "square-2 = { empty = 2048, man = 2115, king = 2148 }";
        check(
            line,
            "square-2 = { empty = 2048, man = 2115, kings = 2148 }",
            &["line 9, column ", "unknown field `kings`, expected one of `empty`, `man`, `king`"],
        );
        check("[stack]", "[hall]", &["unknown field `hall`, expected `version` or `stack`"]);
        check("2048", "-1", &["line 8, column "]);
    }

    #[test]
    fn a_file_is_written_whole_or_stays_as_it_was() {
        let folder = std::env::temp_dir().join(format!("draughtsd-calibration-{}", std::process::id()));
        let path = folder.join("hall.toml");
        let missing = sound().write(&path, "x").unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(Calibration::try_place(&folder).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        fs::write(&path, "older").unwrap();
        Calibration::try_place(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "older");
        sound().write(&path, "x").unwrap();
        assert_eq!(Calibration::read(&path, &russian()).unwrap(), sound());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
