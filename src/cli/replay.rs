//! `draughtsd replay`: recorded traces through the same core as the daemon.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::trace::Input;

use super::{Failure, exit};
use crate::trace_file::{TraceError, TraceFile};

/// Reads recorded traces through the same core as the daemon.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd replay game.jsonl.gz --output summary\n  \
    draughtsd simulate game.pdn --seed 7 | draughtsd replay - --output pdn\n\n\
    Exit code: 0, or that of the first trace that could not be read: 65 for wrong data, 66 for a file\n\
    that cannot be opened. The other traces are read all the same.")]
pub struct Arguments {
    /// Traces, plain or gzip; `-` is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Summary)]
    output: Output,
    /// Whose view of the events to print.
    #[arg(long, value_enum, default_value_t = Audience::Arbiter)]
    audience: Audience,
}

/// What `replay` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One JSON object a trace: moves, alerts, draws, result, last position.
    Summary,
    /// JSON Lines as the live feeds carry them.
    Events,
    /// The game as PDN.
    Pdn,
}

/// Who looks on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Audience {
    /// Everything.
    Arbiter,
    /// Without alerts and marks.
    Public,
}

/// Runs the command.
///
/// # Errors
/// When a trace cannot be read; the others have been printed all the same.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut first_failure = None;
    for trace in &arguments.traces {
        if let Err(failure) = replay(trace, arguments, &mut out) {
            failure.complain();
            first_failure.get_or_insert(failure.code());
        }
    }
    out.flush().map_err(Failure::output)?;
    match first_failure {
        None => Ok(()),
        Some(code) => Err(Failure::told(code)),
    }
}

fn replay(path: &Path, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut trace = TraceFile::open(path)?;
    let setup = GameSetup::try_from(trace.header())
        .with_context(|| format!("{}:1", path.display()))
        .map_err(|error| Failure::new(exit::DATA, error))?;
    let (mut game, mut effects) = Game::new(setup);
    let mut print_events = |effects: &mut Vec<Effect>| -> Result<(), Failure> {
        for Effect::Publish(event) in effects.drain(..) {
            if arguments.output == Output::Events {
                let event = match arguments.audience {
                    Audience::Arbiter => Some(event),
                    Audience::Public => event.for_public(),
                };
                if let Some(event) = event {
                    let line = serde_json::to_string(&event).context("event").map_err(Failure::internal)?;
                    writeln!(out, "{line}").map_err(Failure::output)?;
                }
            }
        }
        Ok(())
    };
    print_events(&mut effects)?;
    while let Some(timed) = trace.next_input()? {
        print_events(&mut game.handle(timed.at, timed.input))?;
    }
    print_events(&mut game.handle(game.now(), Input::End))?;
    if arguments.output == Output::Summary {
        let line = serde_json::to_string(&game.summary()).context("summary").map_err(Failure::internal)?;
        writeln!(out, "{line}").map_err(Failure::output)?;
    }
    Ok(())
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        let code = match &error {
            TraceError::Read { .. } => exit::NO_INPUT,
            TraceError::Line { .. } | TraceError::TooLong { .. } | TraceError::Empty { .. } => exit::DATA,
        };
        Self::new(code, error)
    }
}
