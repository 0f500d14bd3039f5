//! `draughtsd replay`: recorded traces through the same core as the daemon.

mod summary;

use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::Input;

use self::summary::SummaryLine;
use super::{Failure, exit};
use crate::feeds::board_state::{About, BoardState};
use crate::feeds::envelope::{Audience, Sequencer};
use crate::feeds::game_record::{self, Irregular};
use crate::trace_file::{TraceError, TraceFile};

/// So many traces at the most are read at once, and their output kept until its turn comes.
const MOST_AT_ONCE: usize = 64;

/// Reads recorded traces through the same core as the daemon.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd replay game.jsonl.gz --output summary\n  \
    draughtsd simulate game.pdn --seed 7 | draughtsd replay - --output pdn\n\n\
    Exit code: 0, or that of the first trace that could not be read: 65 for wrong data, 66 for a file\n\
    that cannot be opened. The other traces are read all the same.\n\n\
    Several files are read at once, as the machine has processors, and printed in the order in which they\n\
    are named.")]
pub(super) struct Arguments {
    /// Traces, plain or gzip; `-` is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Summary)]
    output: Output,
    /// Whose view to print; a PDN has only what is public.
    #[arg(long, value_enum, default_value_t = AudienceArgument::Arbiter)]
    audience: AudienceArgument,
    /// Of a PDN, only what comes before an irregular move that stood, as relays get it; without this the position it
    /// led to is set up with `/FEN "…"/`.
    #[arg(long)]
    relay: bool,
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
enum AudienceArgument {
    /// Everything.
    Arbiter,
    /// Without alerts and marks.
    Public,
}

impl From<AudienceArgument> for Audience {
    fn from(argument: AudienceArgument) -> Self {
        match argument {
            AudienceArgument::Arbiter => Self::Arbiter,
            AudienceArgument::Public => Self::Public,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When a trace cannot be read; the others have been printed all the same.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut first_failure = None;
    let mut note = |outcome: Result<(), Failure>| {
        let Err(failure) = outcome else { return Ok(()) };
        if failure.code() == exit::IO {
            // There is nowhere to print the other traces to.
            return Err(failure);
        }
        failure.complain();
        first_failure.get_or_insert(failure.code());
        Ok(())
    };
    let traces = &arguments.traces;
    if traces.len() == 1 || traces.iter().any(|trace| trace == Path::new("-")) {
        // What comes from a pipe is printed as it comes.
        for trace in traces {
            note(replay(trace, arguments, &mut out))?;
        }
    } else {
        for (printed, outcome) in traces.chunks(MOST_AT_ONCE).flat_map(|batch| replay_all(batch, arguments)) {
            out.write_all(&printed).map_err(Failure::output)?;
            note(outcome)?;
        }
    }
    out.flush().map_err(Failure::output)?;
    match first_failure {
        None => Ok(()),
        Some(code) => Err(Failure::told(code)),
    }
}

/// Replays several traces at once, one on each processor; returns in their order what each prints and whether it could
/// be read.
fn replay_all(traces: &[PathBuf], arguments: &Arguments) -> Vec<(Vec<u8>, Result<(), Failure>)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(trace) = traces.get(index) else { return done };
            let mut printed = Vec::new();
            let outcome = replay(trace, arguments, &mut printed);
            done.push((index, (printed, outcome)));
        }
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(traces.len());
    let mut done: Vec<_> = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let own = work();
        let done = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        own.into_iter().chain(done.flatten()).collect()
    });
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn replay(path: &Path, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut trace = TraceFile::open(path)?;
    let setup = GameSetup::try_from(trace.header())
        .with_context(|| format!("{}:{}", path.display(), trace.line()))
        .map_err(|error| Failure::new(exit::DATA, error))?;
    let mut printer = Printer::new(arguments, setup.start.variant());
    let (mut game, effects) = Game::new(setup);
    printer.take(&effects, out)?;
    let mut ended = false;
    while let Some(timed) = trace.next_input()? {
        ended = timed.input == Input::End;
        printer.take(&game.handle(timed.at, timed.input), out)?;
    }
    if !ended {
        printer.take(&game.handle(game.now(), Input::End), out)?;
    }
    match arguments.output {
        Output::Events => {}
        Output::Summary => {
            let summary = game.summary();
            let line = SummaryLine::new(&summary, arguments.audience.into());
            let line = serde_json::to_string(&line).context("summary").map_err(Failure::internal)?;
            writeln!(out, "{line}").map_err(Failure::output)?;
        }
        Output::Pdn => {
            let irregular = if arguments.relay { Irregular::Stop } else { Irregular::SetUp };
            out.write_all(game_record::pdn(&printer.state, irregular).as_bytes()).map_err(Failure::output)?;
        }
    }
    Ok(())
}

/// Does with the effects of a replayed game what the live feeds do.
struct Printer {
    output: Output,
    sequencer: Sequencer,
    state: BoardState,
}

impl Printer {
    fn new(arguments: &Arguments, variant: Variant) -> Self {
        let audience = match arguments.output {
            Output::Events | Output::Summary => arguments.audience.into(),
            // The record is made of what the public knows.
            Output::Pdn => Audience::Public,
        };
        let sequencer = Sequencer::new("1", "1", 0, audience);
        let state = BoardState::new("1", "1", variant, About::default(), sequencer.last());
        Self { output: arguments.output, sequencer, state }
    }

    fn take(&mut self, effects: &[Effect], out: &mut impl Write) -> Result<(), Failure> {
        if self.output == Output::Summary {
            return Ok(());
        }
        for effect in effects {
            let Effect::Publish(event) = effect else { continue };
            let Some(envelope) = self.sequencer.wrap(event, None) else { continue };
            match self.output {
                Output::Events => writeln!(out, "{}", envelope.to_line()).map_err(Failure::output)?,
                Output::Pdn => self.state.apply(&envelope),
                Output::Summary => {}
            }
        }
        Ok(())
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        let code = match &error {
            TraceError::Read { .. } => exit::NO_INPUT,
            TraceError::Damaged { .. }
            | TraceError::Line { .. }
            | TraceError::TooLong { .. }
            | TraceError::Empty { .. } => exit::DATA,
        };
        Self::new(code, error)
    }
}
