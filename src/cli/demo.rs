//! `draughtsd demo`: a simulated board plays a real game, and the live page shows it.
//!
//! Everything but the copper is the daemon's own: contacts with human handling and noise go through the
//! core and the feeds as they would on a Pi.

use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use draughtsd_core::rules::Variant;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

use super::{Failure, exit};
use crate::board_loop;
use crate::feeds::http::{self, Feeds, Limits};
use crate::feeds::wall_time::WallTime;
use crate::journal::{Numbers, Published};
use crate::playback::{Playback, Speed};
use crate::session::publisher::Publisher;
use crate::session::{NextGame, Session};
use crate::staged_game::StagedGame;

/// How many ports are tried, counted from the wanted one.
const PORTS: u16 = 100;

/// Plays a built-in game on a simulated board, with the live page; needs nothing else.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd demo\n  \
    draughtsd demo --board russian --speed 4\n\n\
    The first line on stdout is the address of the live page. At the end of the game the page stays up\n\
    until Ctrl-C, so that the game can be looked through, or the command ends with --exit-at-end.")]
pub(super) struct Arguments {
    /// Which game is played: international, brazilian or russian.
    #[arg(long, default_value_t = Variant::International)]
    board: Variant,
    /// How many times faster than life, 0.1 to 1000.
    #[arg(long, default_value_t = Speed::LIFE)]
    speed: Speed,
    /// The port of the live page on 127.0.0.1; if it is taken, the next free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Chooses the hands: the same seed plays the same way.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End when the game has ended.
    #[arg(long)]
    exit_at_end: bool,
}

/// Runs the command until it is told to stop, or the game has ended.
///
/// # Errors
/// When no port is free.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the threads of the live page")
        .map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;
    runtime.block_on(play(arguments))
}

async fn play(arguments: &Arguments) -> Result<(), Failure> {
    let listener = listen(arguments.port).await?;
    let address = listener.local_addr().context("the live page's address").map_err(Failure::internal)?;
    announce(address).map_err(Failure::output)?;

    let staged = StagedGame::built_in(arguments.board, arguments.seed)
        .context("the built-in game")
        .map_err(Failure::internal)?;
    let numbers = Numbers { epoch: WallTime::now().unix_ms(), ..Numbers::default() };
    let publisher = Publisher::after(numbers, Published::nowhere(), "1", arguments.board, Duration::ZERO);
    let feed = Arc::clone(publisher.public());
    feed.set_pace(arguments.speed.factor());

    let (stop, mut stopped) = watch::channel(false);
    let feeds = Feeds::new(vec![("1".to_owned(), feed)], Limits::default());
    let server = tokio::spawn(http::serve(listener, feeds, async move {
        // An error means that the other end is gone, which says the same.
        let _ = stopped.wait_for(|&stop| stop).await;
    }));

    let mut board = Playback::of(staged.inputs, arguments.speed);
    let next = NextGame { header: staged.header, about: staged.about };
    let mut session = Session::begin("1", next, publisher, None, &mut board)
        .await
        .context("the built-in game")
        .map_err(Failure::internal)?;
    let to_the_end = async {
        // Nobody enters anything in a demo.
        let (_, mut requests) = mpsc::channel(1);
        board_loop::run(&mut board, &mut session, &mut requests, std::future::pending(), |_| {}).await;
        if !arguments.exit_at_end {
            tell("The game is over; the page stays until Ctrl-C.");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = to_the_end => {}
        told = told_to_stop() => told?,
    }
    stop.send_replace(true);
    server.await.context("the live page").map_err(Failure::internal)
}

/// Binds the wanted port, or the next free one.
async fn listen(wanted: u16) -> Result<TcpListener, Failure> {
    let last = wanted.saturating_add(PORTS - 1);
    for port in wanted..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => {
                let error = anyhow::Error::new(error).context(format!("port {port} of 127.0.0.1"));
                return Err(Failure::new(exit::UNAVAILABLE, error));
            }
        }
    }
    let taken =
        anyhow::anyhow!("the ports {wanted} to {last} of 127.0.0.1 are taken; choose another with --port");
    Err(Failure::new(exit::UNAVAILABLE, taken))
}

fn announce(address: SocketAddr) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "http://{address}/")?;
    out.flush()
}

fn tell(text: &str) {
    // Where nobody reads it, there is nobody to tell that.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Waits for Ctrl-C, or for the signal with which a service manager ends a program.
async fn told_to_stop() -> Result<(), Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated =
        signal(SignalKind::terminate()).context("the signal SIGTERM").map_err(Failure::internal)?;
    tokio::select! {
        told = tokio::signal::ctrl_c() => told.context("the signal SIGINT").map_err(Failure::internal),
        _ = terminated.recv() => Ok(()),
    }
}
