//! `draughtsd run`: the daemon.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};

use super::log::Log;
use super::{Failure, exit};
use crate::board_loop::Board as _;
use crate::config::Config;
use crate::daemon::{self, Doors, Reloaded, Signals};
use crate::playback::AtEnd;
use crate::service::Service;
use crate::source::{self, SourceError};

/// Reads a board, keeps its games and serves them, until it is told to stop.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd run --config /etc/draughtsd/draughtsd.toml\n  \
    printf '[board]\\nsource = \"simulated\"\\n' > try.toml && draughtsd run --config try.toml\n\n\
    The first two lines on stdout are the addresses of the live page and of the private server. SIGHUP reads the\n\
    configuration again, SIGTERM and Ctrl-C stop the daemon.\n\n\
    Exit code: 0 when it was told to stop, 66 or 78 for a configuration that cannot be read or is wrong, 69 for\n\
    a port, a journal or a board that cannot be had, 65 or 66 for a recording or games that are wrong or cannot be\n\
    read, 74 when nobody takes the addresses.")]
pub(super) struct Arguments {
    /// The configuration file.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// End when the board has nothing more to say: a recording is over, or the simulated games are.
    #[arg(long)]
    exit_at_end: bool,
}

/// Runs the command until it is told to stop.
///
/// # Errors
/// When the configuration is wrong, or a port or the board cannot be opened.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::read(&arguments.config)?;
    let unavailable = |error: anyhow::Error| Failure::new(exit::UNAVAILABLE, error);
    let log = Log::start(&config.log).context("the log's thread").map_err(unavailable)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the daemon's threads")
        .map_err(unavailable)?;
    let served = runtime.block_on(serve(arguments, config));
    // A board that is still being opened when the daemon is told to stop may never be: nobody waits for it.
    runtime.shutdown_background();
    log.flush();
    served
}

async fn serve(arguments: &Arguments, config: Config) -> Result<(), Failure> {
    let unavailable = |error: anyhow::Error| Failure::new(exit::UNAVAILABLE, error);
    let service = Service::of_this_process();
    // Before anybody can know that we are there: a signal that nobody waits for ends the process.
    let listen = |kind, name: &'static str| signal(kind).context(name).map_err(Failure::internal);
    let hung_up = listen(SignalKind::hangup(), "the signal SIGHUP")?;
    let mut terminated = listen(SignalKind::terminate(), "the signal SIGTERM")?;
    let mut interrupted = listen(SignalKind::interrupt(), "the signal SIGINT")?;
    let doors = Doors::open(&config).await.map_err(unavailable)?;
    let (public, private) = doors.addresses().map_err(unavailable)?;
    let at_end = if arguments.exit_at_end { AtEnd::Over } else { AtEnd::Stand };
    let opening = {
        let config = config.clone();
        tokio::task::spawn_blocking(move || source::open(&config, at_end))
    };
    let (board, next) = tokio::select! {
        opened = opening => opened.context("the board").map_err(unavailable)??,
        _ = terminated.recv() => return Ok(()),
        _ = interrupted.recv() => return Ok(()),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "http://{public}/\nhttp://{private}/")
        .and_then(|()| out.flush())
        .map_err(Failure::output)?;
    drop(out);

    let scanning = board.scanning();
    let (stopping, stop) = watch::channel(false);
    let (reloading, reload) = mpsc::channel(1);
    let file = arguments.config.clone();
    let signals = async {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
            () = reload_on_hangup(hung_up, &file, &service, &reloading) => {}
        }
    };
    let running = daemon::run(config, doors, board, next, Signals { stop, reload }, &service);
    let mut running = std::pin::pin!(running);
    tokio::select! {
        ended = &mut running => {
            ended.map_err(unavailable)?;
            // A board that can no longer be read is a failure, after which the service manager tries again.
            let failure = scanning.and_then(|scanning| scanning.failure());
            return failure.map_or(Ok(()), |failure| Err(Failure::new(exit::UNAVAILABLE, failure)));
        }
        () = signals => {}
    }
    stopping.send_replace(true);
    running.await.map(|_| ()).map_err(unavailable)
}

/// Reads the configuration again whenever SIGHUP comes. A file that is wrong changes nothing.
async fn reload_on_hangup(
    mut hung_up: Signal,
    file: &Path,
    service: &Service,
    reloading: &mpsc::Sender<Reloaded>,
) {
    while hung_up.recv().await.is_some() {
        service.reloading();
        // If nobody takes it, the daemon is about to stop.
        let _ = reloading.send(Config::read(file).map(Box::new)).await;
    }
    std::future::pending().await
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Trace(error) => Self::from(error),
            SourceError::Games { .. } => Self::new(exit::DATA, error),
            SourceError::Gpio(error) => Self::from(error),
        }
    }
}
