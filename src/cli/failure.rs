//! How a command fails: an exit code, and what is said about it on stderr.

use std::io::{self, Write as _};

use super::exit;

/// A failure of a command.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    /// What to say; `None` when everything has been said, or nobody listens any more.
    error: Option<anyhow::Error>,
}

impl Failure {
    /// A failure with its exit code and what to say about it.
    #[must_use]
    pub fn new(code: u8, error: impl Into<anyhow::Error>) -> Self {
        Self { code, error: Some(error.into()) }
    }

    /// A failure about which everything has been said already.
    #[must_use]
    pub const fn told(code: u8) -> Self {
        Self { code, error: None }
    }

    /// Standard output could not be written; a reader that went away (`| head`) is not worth a word.
    #[must_use]
    pub fn output(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::told(exit::IO);
        }
        Self::new(exit::IO, anyhow::Error::new(error).context("standard output"))
    }

    /// Something that should not happen happened.
    #[must_use]
    pub fn internal(error: anyhow::Error) -> Self {
        Self::new(exit::SOFTWARE, error.context("internal error, please report it"))
    }

    /// The exit code.
    #[must_use]
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// Says on stderr what went wrong.
    pub fn complain(&self) {
        if let Some(error) = &self.error {
            // Where nobody reads it, there is nobody to tell that.
            let _ = writeln!(io::stderr(), "draughtsd: {error:#}");
        }
    }
}
