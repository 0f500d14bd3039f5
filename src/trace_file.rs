//! Traces in files: plain or gzip, read line by line with the line number of what is wrong.

use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use draughtsd_core::moment::Moment;
use draughtsd_core::trace::{Header, Input, LineError, TimedInput};
use thiserror::Error;

use crate::input_file::InputFile;

/// No line of a trace is longer; what is longer is not a trace.
const LONGEST_LINE: usize = 64 * 1024;

/// Why a trace could not be read, with the file and the line. The message says all of it; there is no source to
/// be printed as well.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The file could not be opened or read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: LineError,
    },
    /// The compressed data ends too early or is damaged.
    #[error("{}:{line}: the compressed data is damaged or cut off: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line that could not be read, from 1; the lines above it could.
        line: u64,
        /// What is wrong with it.
        reason: io::Error,
    },
    /// A line is too long to be one of a trace.
    #[error(
        "{}:{line}: the line is longer than {LONGEST_LINE} bytes; a trace has one event a line",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// The file has no first line.
    #[error("{}: the file is empty; a trace begins with its header", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A trace opened for reading.
pub struct TraceFile {
    path: PathBuf,
    lines: InputFile,
    line: u64,
    text: String,
    header: Header,
    last: Moment,
    ended: bool,
}

impl std::fmt::Debug for TraceFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TraceFile")
            .field("path", &self.path)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl TraceFile {
    /// Opens a trace and reads its header; `-` is standard input.
    ///
    /// # Errors
    /// [`TraceError`] when the file cannot be read or does not begin with a header.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let failed = |reason| TraceError::Read { path: path.to_owned(), reason };
        let lines = InputFile::open(path).map_err(failed)?;
        let mut file = Self {
            path: path.to_owned(),
            lines,
            line: 0,
            text: String::new(),
            header: Header::new(draughtsd_core::rules::Variant::International),
            last: Moment::ZERO,
            ended: false,
        };
        if !file.next_line()? {
            return Err(TraceError::Empty { path: path.to_owned() });
        }
        file.header = Header::parse(file.text.trim_start_matches('\u{feff}'))
            .map_err(|reason| file.line_error(reason))?;
        Ok(file)
    }

    /// The trace's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The number of the line read last, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    fn line_error(&self, reason: LineError) -> TraceError {
        TraceError::Line { path: self.path.clone(), line: self.line, reason }
    }

    fn read_error(&self, reason: io::Error) -> TraceError {
        match reason.kind() {
            // What the decoder says about its data; files, pipes and terminals have no such errors.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                TraceError::Damaged { path: self.path.clone(), line: self.line, reason }
            }
            _ => TraceError::Read { path: self.path.clone(), reason },
        }
    }

    /// Reads the next line that is not blank; false at the end of the file.
    fn next_line(&mut self) -> Result<bool, TraceError> {
        loop {
            self.text.clear();
            self.line += 1;
            let mut bytes = std::mem::take(&mut self.text).into_bytes();
            let limit = LONGEST_LINE as u64 + 1;
            let read = self.lines.by_ref().take(limit).read_until(b'\n', &mut bytes);
            let count = read.map_err(|reason| self.read_error(reason))?;
            if count > LONGEST_LINE {
                return Err(TraceError::TooLong { path: self.path.clone(), line: self.line });
            }
            self.text = String::from_utf8(bytes)
                .map_err(|_| self.line_error(LineError::Event("the line is not UTF-8".to_owned())))?;
            if count == 0 {
                return Ok(false);
            }
            if !self.text.trim().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Reads the next event; `None` at the end of the file.
    ///
    /// # Errors
    /// [`TraceError`] when the line is not an event of this board, lies before the one above it, or comes after
    /// the end of the recording.
    pub fn next_input(&mut self) -> Result<Option<TimedInput>, TraceError> {
        if !self.next_line()? {
            return Ok(None);
        }
        let timed = TimedInput::parse(self.text.trim(), self.header.board)
            .map_err(|reason| self.line_error(reason))?;
        if timed.at < self.last {
            return Err(self.line_error(LineError::TimeWentBack { before: self.last, now: timed.at }));
        }
        if self.ended {
            return Err(self.line_error(LineError::AfterEnd));
        }
        self.ended = timed.input == Input::End;
        self.last = timed.at;
        Ok(Some(timed))
    }
}
