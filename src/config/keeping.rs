//! The tables `[journal]`, `[control]` and `[log]`: what is kept, who may enter something, what is said.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::journal;

/// The longest time for which contacts wait to be written.
const LONGEST_COMMIT_MS: u64 = 10_000;

/// The journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Journal {
    /// The SQLite file; a relative name is in the folder of the service's state, or else in the one in which
    /// the daemon was started.
    pub file: PathBuf,
    /// How long contacts wait for company before they are written; what is promised never waits.
    pub commit_ms: u64,
    /// For how many days games are kept after they ended; 0 is for ever.
    pub keep_days: u32,
}

impl Default for Journal {
    fn default() -> Self {
        Self { file: "draughtsd.db".into(), commit_ms: 100, keep_days: 0 }
    }
}

impl Journal {
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        if self.commit_ms > LONGEST_COMMIT_MS {
            problems.push(Problem {
                key: "journal.commit-ms".to_owned(),
                found: self.commit_ms.to_string(),
                expected: format!("at most {LONGEST_COMMIT_MS}"),
                advice: "a power cut loses contacts that are not older than this; they are compared with the board \
                         afterwards",
            });
        }
    }

    /// The journal's options.
    ///
    /// - `state`: the folder for relative names.
    #[must_use]
    pub fn options(&self, state: &Path) -> journal::Options {
        journal::Options {
            file: state.join(&self.file),
            commit_after: Duration::from_millis(self.commit_ms),
            keep_days: self.keep_days,
        }
    }
}

/// The socket of `draughtsd ctl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Control {
    /// The socket; a relative name is in the folder that the service has for its run, or else in the one in
    /// which the daemon was started.
    pub socket: PathBuf,
}

impl Default for Control {
    fn default() -> Self {
        Self { socket: "control.sock".into() }
    }
}

/// How the daemon talks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Log {
    /// In which form.
    pub format: LogFormat,
    /// From which importance on.
    pub level: LogLevel,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object a line, for programs.
    Json,
}

/// From which importance on the daemon talks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// Only what somebody has to see to.
    Error,
    /// What may become trouble as well.
    Warn,
    /// The course of things as well.
    #[default]
    Info,
    /// What is needed to find a fault as well.
    Debug,
}
