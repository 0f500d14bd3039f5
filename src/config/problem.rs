//! What does not fit together in a configuration: the key, what was found, what was expected, what to do.

use std::fmt;

/// One thing that is out of bounds, or contradicts another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Table and key: `reading.pass-ms`.
    pub key: String,
    /// The value that was found.
    pub found: String,
    /// What it should be.
    pub expected: String,
    /// Why, and what to do about it.
    pub advice: &'static str,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; expected {}: {}", self.key, self.found, self.expected, self.advice)
    }
}

/// All problems of a file, one a line after their number.
pub(crate) fn list(problems: &[impl fmt::Display]) -> String {
    let count = match problems.len() {
        1 => "1 problem".to_owned(),
        more => format!("{more} problems"),
    };
    problems.iter().fold(count, |text, problem| format!("{text}\n  {problem}"))
}
