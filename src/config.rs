//! The daemon's configuration: a TOML file with one table for each concern.
//!
//! Three steps, none of which opens a device or a port: reading the file, its form ([`Config::parse`], whose
//! errors show line and caret), and what it says ([`Config::check`], which reports everything that does not
//! fit together at once). Tables and keys are written with hyphens, units are in their names, and a key that
//! nobody knows is an error: a misspelt threshold must not pass for the default.
//!
//! The shipped file, [`DEFAULT`], shows every key with its default, commented out. What the keys of the
//! table `[reading]` mean is [`Settings`]' to say.

mod board;
mod clock;
mod event;
mod files;
mod form;
mod keeping;
mod played;
mod private;
mod problem;
mod public;
mod reading;
mod scan;

use std::io;
use std::path::{Path, PathBuf};

use draughtsd_core::settings::Settings;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::feeds::board_state::About;
use crate::input_file::read_by_hand;

pub use board::{Board, Source, WhiteSide};
pub use clock::Clock;
pub use event::problems_of;
pub use form::FormError;
pub use keeping::{Control, Journal, Log, LogFormat, LogLevel};
pub use played::{Recorded, Simulated};
pub use private::Private;
pub use problem::Problem;
pub(crate) use problem::list as list_of_problems;
pub use public::Public;
pub use scan::{Backend, Cpu, Scan};

/// The shipped configuration file: every key with its default, as comments.
pub const DEFAULT: &str = include_str!("../config/draughtsd.toml");

/// The configuration of one board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The board: its game and what it is built with.
    pub board: Board,
    /// How the contacts are reached and scanned.
    pub scan: Scan,
    /// The linked clock and the time control.
    pub clock: Clock,
    /// The thresholds with which contacts are read.
    pub reading: Settings,
    /// What no contact tells about the game.
    pub event: About,
    /// What spectators are served.
    pub public: Public,
    /// What the arbiter and whoever watches the daemon are served.
    pub private: Private,
    /// What is kept.
    pub journal: Journal,
    /// Who may enter something.
    pub control: Control,
    /// What is said.
    pub log: Log,
    /// Simulated hands.
    pub simulated: Simulated,
    /// A recording.
    pub recorded: Recorded,
}

/// Why a configuration file was refused. The message says all of it; there is no source to be printed as well.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file could not be opened or read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The file is no TOML, or has keys or values that are not known.
    #[error("{}: {reason}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        reason: FormError,
    },
    /// Values are out of bounds, or contradict each other.
    #[error("{}: {}", path.display(), problem::list(problems))]
    Problems {
        /// The file.
        path: PathBuf,
        /// All of them.
        problems: Vec<Problem>,
    },
}

impl Config {
    /// Reads a configuration file and checks all of it.
    ///
    /// # Errors
    /// [`ConfigError`] when the file cannot be read, is not of the known form, or contradicts itself.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let bytes =
            read_by_hand(path).map_err(|reason| ConfigError::Read { path: path.to_owned(), reason })?;
        let config = FormError::text_of(&bytes)
            .and_then(Self::parse)
            .map_err(|reason| ConfigError::Form { path: path.to_owned(), reason })?;
        let problems = config.check_of(Some(path));
        if problems.is_empty() {
            Ok(config)
        } else {
            Err(ConfigError::Problems { path: path.to_owned(), problems })
        }
    }

    /// Reads the text of a configuration file. What is left out has its default.
    ///
    /// # Errors
    /// [`FormError`] for the first thing that is no TOML, or not known.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        toml::from_str(text).map_err(|error| FormError::new(&error))
    }

    /// The keys that differ in `new` and take effect only when the daemon is started again: all but those of
    /// `[event]` and `[reading]`.
    #[must_use]
    pub fn fixed_differences(&self, new: &Self) -> Vec<String> {
        form::differences(self, new)
            .into_iter()
            .filter(|(table, _)| !matches!(table.as_str(), "event" | "reading"))
            .map(|(table, key)| format!("{table}.{key}"))
            .collect()
    }

    /// Everything that is out of bounds or does not fit together, in the order of the tables.
    #[must_use]
    pub fn check(&self) -> Vec<Problem> {
        self.check_of(None)
    }

    /// The same, of a configuration that came from a file.
    fn check_of(&self, itself: Option<&Path>) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.board.check(&mut problems);
        self.scan.check(&self.board, &mut problems);
        self.clock.check(self.board.clock, &mut problems);
        reading::check(&self.reading, &mut problems);
        let of_event = problems_of(&self.event).into_iter();
        problems.extend(of_event.map(|problem| Problem { key: format!("event.{}", problem.key), ..problem }));
        self.public.check(&mut problems);
        self.private.check(&self.public, &mut problems);
        self.journal.check(&mut problems);
        files::check(self, itself, &mut problems);
        self.recorded.check(self.board.source, &mut problems);
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped file with its keys no longer commented out.
    fn uncommented() -> String {
        let is_key = |line: &&str| line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
        DEFAULT
            .lines()
            .map(|line| line.strip_prefix('#').filter(is_key).unwrap_or(line))
            .fold(String::new(), |text, line| text + line + "\n")
    }

    #[test]
    fn the_shipped_file_is_the_default_as_it_is_and_with_its_comments_taken_away() {
        assert_eq!(Config::parse(DEFAULT), Ok(Config::default()));
        let shown = Config::parse(&uncommented()).unwrap();
        // These have no default to be shown.
        let (clock, event) = (shown.clock.clone(), shown.event.clone());
        let (simulated, recorded) = (shown.simulated.clone(), shown.recorded.clone());
        assert_eq!(shown, Config { clock, event, simulated, recorded, ..Config::default() });
        assert_eq!(Config::default().check(), []);
        assert_eq!(shown.check(), []);
    }

    #[test]
    fn the_shipped_file_shows_every_key() {
        let text = uncommented();
        for (table, key) in form::known_keys() {
            let shown = text
                .split("\n[")
                .find_map(|part| part.strip_prefix(&format!("{table}]")))
                .unwrap_or_else(|| panic!("config/draughtsd.toml has no table [{table}]"));
            let here = shown.lines().any(|line| line.starts_with(&format!("{key} = ")));
            assert!(here, "config/draughtsd.toml does not show `#{key} = …` in [{table}]");
        }
    }

    #[test]
    fn an_empty_file_is_the_default() {
        assert_eq!(Config::parse(""), Ok(Config::default()));
    }

    #[track_caller]
    fn refused(text: &str) -> String {
        Config::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_key_is_shown_with_its_line_and_the_nearest_known_one() {
        let said = refused("[board]\ngame = \"russian\"\n\n[reading]\ndropout-msec = 400\n");
        assert!(said.contains("line 5, column 1"), "{said}");
        assert!(said.contains("5 | dropout-msec = 400\n  | ^^^^^^^^^^^^"), "{said}");
        assert!(said.ends_with("did you mean `dropout-ms`?"), "{said}");

        assert!(refused("[board]\nwhite_side = \"near\"\n").ends_with("did you mean `white-side`?"));
        assert!(refused("[bord]\n").ends_with("did you mean `board`?"));
        assert!(refused("[board]\ngame = \"brasilian\"\n").ends_with("did you mean `brazilian`?"));
    }

    #[test]
    fn a_key_in_the_wrong_table_is_sent_to_its_own() {
        let said = refused("[board]\nlisten = \"127.0.0.1:1\"\n");
        assert!(said.ends_with("`listen` belongs in [private] or [public]"), "{said}");
        assert!(refused("release-ms = 1200\n").ends_with("`release-ms` belongs in [reading]"));
    }

    #[test]
    fn what_is_like_no_known_key_gets_the_list_alone() {
        let said = refused("[public]\nwebhook = 1\n");
        assert!(said.ends_with("expected `listen` or `delay-min`"), "{said}");
    }

    #[test]
    fn values_of_the_wrong_kind_are_shown_with_what_was_expected() {
        let said = refused("[public]\nlisten = \"localhost\"\n");
        assert!(said.contains("line 2, column 10"), "{said}");
        assert!(said.contains("an address with a port, such as 127.0.0.1:8080 or [::]:8080"), "{said}");
        assert!(refused("[reading]\npass-ms = -1\n").contains("line 2, column 11"));
        assert!(refused("[reading]\npass-ms = \"125\"\n").contains("invalid type: string \"125\""));
        assert!(refused("[board\n").contains("line 1"));
        let twice = refused("[board]\nid = \"1\"\nid = \"2\"\n");
        assert!(twice.contains("duplicate key") && twice.contains("line 3"), "{twice}");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        let refused = FormError::text_of(b"[board]\nid = \"\xff\"\n").unwrap_err();
        assert!(refused.to_string().contains("line 2"), "{refused}");
    }

    #[test]
    fn names_of_files_are_names_and_two_things_have_two() {
        let keys = |text: &str| -> Vec<String> {
            Config::parse(text).unwrap().check().into_iter().map(|problem| problem.key).collect()
        };
        for name in ["", "/", "..", "a\\u0000b"] {
            assert_eq!(keys(&format!("[journal]\nfile = \"{name}\"\n")), ["journal.file"], "{name}");
            assert_eq!(keys(&format!("[control]\nsocket = \"{name}\"\n")), ["control.socket"], "{name}");
        }
        for socket in ["draughtsd.db", "draughtsd.db-wal", "draughtsd.db-published", &"x".repeat(81)] {
            assert_eq!(keys(&format!("[control]\nsocket = \"{socket}\"\n")), ["control.socket"], "{socket}");
        }
        for written in ["[journal]\nfile", "[control]\nsocket"] {
            for read in [
                "[scan]\npin-map",
                "[scan]\nstack-calibration",
                "[simulated]\ngames",
                "[recorded]\ntrace",
                "[clock]\nport",
            ] {
                let text = format!("{written} = \"games.pdn\"\n{read} = \"games.pdn\"\n");
                assert_eq!(keys(&text).len(), 1, "{text}");
            }
        }
        assert_eq!(
            keys("[journal]\nfile = \"a.pdn\"\n[recorded]\ntrace = \"a.pdn-wal\"\n"),
            ["journal.file"]
        );
    }

    #[test]
    fn everything_that_does_not_fit_together_is_reported_at_once() {
        let config = Config::parse(
            "[board]\nid = \"table 1\"\n[reading]\nbounce-ms = 130\nrelease-ms = 100\n[public]\ndelay-min = 61\n",
        )
        .unwrap();
        let problems = config.check();
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, ["board.id", "reading.bounce-ms", "reading.release-ms", "public.delay-min"]);
        let error = ConfigError::Problems { path: "hall.toml".into(), problems };
        let said = error.to_string();
        assert!(said.starts_with("hall.toml: 4 problems\n  board.id is \"table 1\"; expected "), "{said}");
    }
}
