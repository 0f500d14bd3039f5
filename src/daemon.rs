//! The daemon: everything that a board needs, put together by the configuration.
//!
//! Order matters. Ports and the control socket are taken first, so that a second daemon stops before it touches the
//! journal; then the journal is opened and the last game, if it is still under way, taken up again; then the board is
//! read. At the end it is the other way round, and the journal is closed last.

use std::env;
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::board_loop::{self, Board, Ended};
use crate::config::Config;
use crate::control::Request;
use crate::control::socket::ControlSocket;
use crate::feeds::board_state::About;
use crate::feeds::http::{self, Feeds, Limits, private};
use crate::journal::archive::{Archive, Verdict};
use crate::journal::{Found, Journal, Mark, Numbers, Outage, Published};
use crate::metrics::Metrics;
use crate::service::Service;
use crate::session::publisher::Publisher;
use crate::session::{Before, NextGame, Session};
use crate::stored_game;

/// How many commands may wait for the board loop; whoever comes then waits.
const REQUESTS: usize = 16;

/// What a daemon needs that may be refused: its ports and its socket.
#[derive(Debug)]
pub struct Doors {
    /// For spectators.
    pub public: TcpListener,
    /// For the arbiter and for whoever watches.
    pub private: TcpListener,
    /// For commands.
    pub control: ControlSocket,
}

impl Doors {
    /// Opens them.
    ///
    /// # Errors
    /// Which one could not be opened, and why.
    pub async fn open(config: &Config) -> Result<Self> {
        // Whoever asks for a delay must not be served without one.
        ensure!(
            config.public.delay_min == 0,
            "public.delay-min is {}, but this version serves the public without delay; set it to 0",
            config.public.delay_min
        );
        Ok(Self {
            public: bind("public.listen", config.public.listen).await?,
            private: bind("private.listen", config.private.listen).await?,
            control: control_socket(config).await?,
        })
    }

    /// Where spectators find the board, and where the private server is.
    ///
    /// # Errors
    /// What the system says.
    pub fn addresses(&self) -> Result<(SocketAddr, SocketAddr)> {
        Ok((self.public.local_addr()?, self.private.local_addr()?))
    }
}

async fn bind(key: &str, address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!("{key} {address}: is another daemon at work, or has the machine no such address?")
    })
}

async fn control_socket(config: &Config) -> Result<ControlSocket> {
    let path = control_path(config);
    ControlSocket::bind(&path).await.with_context(|| format!("control.socket {}", path.display()))
}

/// Where the control socket is: an absolute name as it is, a relative one in the folder that the service manager
/// gives for a run.
#[must_use]
pub fn control_path(config: &Config) -> PathBuf {
    folder("RUNTIME_DIRECTORY").join(&config.control.socket)
}

/// Where the journal is: an absolute name as it is, a relative one in the folder that the service manager gives
/// for state.
#[must_use]
pub fn journal_path(config: &Config) -> PathBuf {
    folder("STATE_DIRECTORY").join(&config.journal.file)
}

/// A folder that the service manager names; the present one without it.
fn folder(variable: &str) -> PathBuf {
    let named = env::var_os(variable).unwrap_or_default();
    // Several folders are separated by colons; ours has one.
    let first = named.to_string_lossy().split(':').next().map(PathBuf::from);
    first.unwrap_or_default()
}

/// What ends or changes a daemon from outside.
#[derive(Debug)]
pub struct Signals {
    /// Stop, when true.
    pub stop: watch::Receiver<bool>,
    /// Configurations that were read again, checked.
    pub reload: mpsc::Receiver<Config>,
}

/// Runs a daemon until it is told to stop, or the board has nothing more to say.
///
/// # Errors
/// When the journal's thread cannot be started, or the start of a game is no position.
pub async fn run(
    config: Config,
    doors: Doors,
    mut board: impl Board,
    next: NextGame,
    signals: Signals,
    service: &Service,
) -> Result<Ended> {
    let mut session = begin(&config, next, &mut board).await?;
    let (requests, mut incoming) = mpsc::channel(REQUESTS);
    let (closing, closed) = watch::channel(false);
    let metrics = Metrics { scanning: board.scanning(), ..session.metrics() };
    let servers = serve(doors, &session, metrics, &requests, &config, &closed);
    service.ready(&format!("reads board {}", config.board.id));
    let Signals { mut stop, reload } = signals;
    let stopped = async move {
        // An error means that nobody can tell us to stop any more, which is no reason to.
        if stop.wait_for(|&stop| stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let reloading = forward_reloads(reload, config, requests);
    let running = board_loop::run(&mut board, &mut session, &mut incoming, stopped, || service.alive());
    let ended = tokio::select! {
        ended = running => ended,
        never = reloading => match never {},
    };
    service.stopping();
    drop(incoming);
    closing.send_replace(true);
    servers.join_all().await;
    session.close().await;
    Ok(ended)
}

/// Hands configurations that were read again to the board loop.
async fn forward_reloads(
    mut reload: mpsc::Receiver<Config>,
    mut config: Config,
    requests: mpsc::Sender<Request>,
) -> std::convert::Infallible {
    while let Some(new) = reload.recv().await {
        for key in config.fixed_differences(&new) {
            tracing::warn!(key, "changed in the file, but only a restart changes it");
        }
        let about = (config.event != new.event).then(|| About::from(&new.event));
        let settings = new.reading.clone();
        tracing::info!("the configuration was read again");
        if requests.send(Request::Reload { about, settings }).await.is_err() {
            break;
        }
        config = new;
    }
    std::future::pending().await
}

/// Takes up the last game, or begins one.
async fn begin(config: &Config, next: NextGame, board: &mut impl Board) -> Result<Session> {
    let file = journal_path(config);
    let (journal, found) =
        Journal::open(config.journal.options(&folder("STATE_DIRECTORY"))).context("the journal's thread")?;
    if let Some((aside, why)) = &found.set_aside {
        tracing::error!(
            file = %aside.display(),
            why,
            "the journal could not be used and was set aside; a new one begins, and a game that was under way \
             is not taken up"
        );
    }
    let now = Mark::now(Numbers::default());
    let numbers = numbers(&file, &found, &now);
    let published = Published::open(&file, &now).unwrap_or_else(|error| {
        tracing::warn!(%error, "the numbers of the feeds cannot be noted beside the journal");
        Published::nowhere()
    });
    let publisher = Publisher::after(numbers, published, &config.board.id, next.header.board);
    match last_game(&file, &config.board.id, &found, &now) {
        Some(before) => Ok(Session::go_on(&config.board.id, next, publisher, journal, before, board).await),
        None => Session::begin(&config.board.id, next, publisher, Some(journal), board)
            .await
            .context("the start of the game"),
    }
}

fn numbers(file: &Path, found: &Found, now: &Mark) -> Numbers {
    let published = Published::read(file, now).map(|published| published.numbers);
    Mark::go_on(found.mark.as_ref(), published, now)
}

/// The game that was under way when the program was last down.
fn last_game(file: &Path, board: &str, found: &Found, now: &Mark) -> Option<Before> {
    if !file.exists() {
        return None;
    }
    let read = || -> Result<Option<Before>> {
        let archive = Archive::open(file)?;
        let Some(stored) = archive.under_way(board)? else { return Ok(None) };
        let entries = archive.entries(stored.number)?;
        if let Verdict::Broken { entry, problem } = archive.verify(stored.number)? {
            tracing::error!(game = stored.number, entry, problem, "the journal of this game was changed");
        }
        let rerun = stored_game::rerun(&stored, &entries)?;
        let by_mark = || found.mark.as_ref().map_or(Outage::Unknown, |mark| mark.until(now));
        let outage = Published::read(file, now).map_or_else(by_mark, |published| published.until(now));
        Ok(Some(Before { stored, entries, rerun, outage }))
    };
    match read() {
        Ok(before) => {
            if let Some(before) = &before {
                tell_differences(before);
            }
            before
        }
        Err(error) => {
            tracing::error!(
                error = format!("{error:#}"),
                "the last game cannot be taken up; a new one begins"
            );
            None
        }
    }
}

fn tell_differences(before: &Before) {
    if before.rerun.has_gap {
        tracing::warn!(game = before.stored.number, "the journal has a gap in this game");
    }
    for difference in before.rerun.differences.iter().take(20) {
        tracing::warn!(?difference, "this version of the program reads the game otherwise");
    }
}

/// Starts the servers; they end when `closed` says so.
fn serve(
    doors: Doors,
    session: &Session,
    metrics: Metrics,
    requests: &mpsc::Sender<Request>,
    config: &Config,
    closed: &watch::Receiver<bool>,
) -> JoinSet<()> {
    let until_closed = || {
        let mut closed = closed.clone();
        async move {
            // An error means that the daemon is gone, which says the same.
            let _ = closed.wait_for(|&closed| closed).await;
        }
    };
    let Doors { public, private, control } = doors;
    let id = config.board.id.clone();
    let publisher = session.publisher();
    let public_feeds = Feeds::new(vec![(id.clone(), Arc::clone(publisher.public()))], Limits::default());
    let arbiter_feeds = Feeds::new(vec![(id, Arc::clone(publisher.arbiter()))], Limits::default());
    let private_app = private::app(private::Private { feeds: Arc::clone(&arbiter_feeds), metrics });
    let requests = requests.clone();
    let mut servers = JoinSet::new();
    servers.spawn(http::serve(public, public_feeds, until_closed()));
    let closed_private = until_closed();
    servers.spawn(async move {
        http::serve_app(private, private_app, &arbiter_feeds, closed_private).await;
    });
    servers.spawn(until_either(control.serve(requests), until_closed()));
    servers
}

async fn until_either(one: impl Future<Output = ()>, other: impl Future<Output = ()>) {
    tokio::select! {
        () = one => {}
        () = other => {}
    }
}
