//! Where a board's contacts come from, by the configuration.

mod gpio;
mod simulated;

use std::path::PathBuf;

use draughtsd_core::moment::Moment;
use draughtsd_core::trace::{ClockLink, Header, TimedInput};
use thiserror::Error;

use crate::board_loop::{Board, Contacts, Happening, Place};
use crate::clock::{Clocked, Driver, LinkedClock, SerialPorts};
use crate::config::{self, Config};
use crate::feeds::wall_time::WallTime;
use crate::playback::{AtEnd, Playback, Script};
use crate::scan::thread::Scanning;
use crate::scan::{BringUpError, ScannedBoard};
use crate::session::NextGame;
use crate::trace_file::{TraceError, TraceFile};

/// A board, whichever the configuration names.
#[derive(Debug)]
pub enum Source {
    /// Simulated hands, or a recording.
    Played(Playback),
    /// A switch matrix that is scanned.
    Scanned(ScannedBoard),
}

/// Why there is no board.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The recording cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The games for the simulated hands cannot be read.
    #[error("{}: {reason}", file.display())]
    Games {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The switch matrix cannot be scanned.
    #[error(transparent)]
    Gpio(#[from] BringUpError),
}

/// Opens the board that the configuration names. Returns with it what a game on it begins with.
///
/// # Errors
/// [`SourceError`]: the file or device at fault.
pub fn open(config: &Config, at_end: AtEnd) -> Result<(Clocked<Source>, NextGame), SourceError> {
    let (source, mut next) = match config.board.source {
        config::Source::Gpio => gpio::open(config)?,
        config::Source::Simulated => simulated::open(config, at_end)?,
        config::Source::Recorded => recorded(config, at_end)?,
    };
    let board = with_clock(config, source);
    if board.has_clock() {
        next.header.clock = ClockLink::Linked;
        next.header.time_control = time_control(config);
    }
    Ok((board, next))
}

/// The board with the clock that the configuration names. Hands that are simulated, and recordings, have a
/// clock of their own, and get another only where a port is named.
fn with_clock(config: &Config, source: Source) -> Clocked<Source> {
    let clock = &config.clock;
    let is_played = config.board.source != config::Source::Gpio;
    match (config.board.clock, clock.driver, clock.port_settings()) {
        (ClockLink::None, ..) => Clocked::without(source),
        (ClockLink::Linked, Driver::Internal, _) if is_played => Clocked::without(source),
        (ClockLink::Linked, Driver::Internal, _) => Clocked::with_buttons(source, LinkedClock::internal()),
        (ClockLink::Linked, driver, Some(port)) => {
            Clocked::with(source, LinkedClock::serial(driver, SerialPorts(port), clock.white_end))
        }
        (ClockLink::Linked, _, None) => Clocked::without(source),
    }
}

/// The time control as the configuration has it, with the kind of match.
fn time_control(config: &Config) -> Option<String> {
    config.clock.time_control().map(|of_match| of_match.to_string())
}

/// What a game begins with by the configuration alone.
#[must_use]
pub fn next_game(config: &Config) -> NextGame {
    let board = &config.board;
    let settings =
        (config.reading != draughtsd_core::settings::Settings::default()).then(|| config.reading.clone());
    let header = Header {
        crowning: board.crowning,
        clock: board.clock,
        time_control: time_control(config),
        settings,
        ..Header::new(board.game)
    };
    NextGame { header, about: config.event.clone() }
}

fn recorded(config: &Config, at_end: AtEnd) -> Result<(Source, NextGame), SourceError> {
    let path = config.recorded.trace.clone().unwrap_or_default();
    let mut trace = TraceFile::open(&path)?;
    let header = trace.header().clone();
    let mut inputs: Vec<TimedInput> = Vec::new();
    while let Some(input) = trace.next_input()? {
        inputs.push(input);
    }
    // The recording is of one game, whatever number the journal gives it.
    let scripts = Box::new(move |_| Some(Script { inputs: inputs.clone(), at_end }));
    let playback = Playback::new(scripts, None, config.recorded.speed);
    Ok((Source::Played(playback), NextGame { header, about: config.event.clone() }))
}

impl Board for Source {
    async fn next(&mut self, wake: Option<Moment>) -> Happening {
        match self {
            Self::Played(board) => board.next(wake).await,
            Self::Scanned(board) => board.next(wake).await,
        }
    }

    fn wall_time(&self, moment: Moment) -> WallTime {
        match self {
            Self::Played(board) => board.wall_time(moment),
            Self::Scanned(board) => board.wall_time(moment),
        }
    }

    fn now(&self) -> Moment {
        match self {
            Self::Played(board) => board.now(),
            Self::Scanned(board) => board.now(),
        }
    }

    async fn contacts(&mut self) -> Option<Contacts> {
        match self {
            Self::Played(board) => board.contacts().await,
            Self::Scanned(board) => board.contacts().await,
        }
    }

    fn enter(&mut self, place: Place) {
        match self {
            Self::Played(board) => board.enter(place),
            Self::Scanned(board) => Board::enter(board, place),
        }
    }

    fn is_alive(&mut self) -> bool {
        match self {
            Self::Played(board) => board.is_alive(),
            Self::Scanned(board) => board.is_alive(),
        }
    }

    fn scanning(&self) -> Option<Scanning> {
        match self {
            Self::Played(_) => None,
            Self::Scanned(board) => board.scanning(),
        }
    }
}
