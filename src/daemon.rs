//! The daemon: everything that a board needs, put together by the configuration.
//!
//! Order matters. Ports and the control socket are taken first, so that a second daemon stops before it touches the
//! journal; then the journal is opened and the last game, if it is still under way, taken up again, while the private
//! server says that the daemon starts; then the board is read. At the end it is the other way round, and the journal is closed last.

use std::env;
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::board_loop::{self, Board, Ended};
use crate::config::{Config, ConfigError};
use crate::control::Request;
use crate::control::socket::ControlSocket;
use crate::feeds::board_feed::BoardFeed;
use crate::feeds::http::private::Private;
use crate::feeds::http::{self, Feeds, Limits, private};
use crate::journal::archive::{Archive, Verdict};
use crate::journal::place::{PUBLISHED, companion};
use crate::journal::{Journal, LetOut, Mark, Numbers, Outage, Published};
use crate::metrics::Metrics;
use crate::service::Service;
use crate::session::delay::Past;
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

/// Where the numbers of the feeds are noted: in the folder that the service manager gives for a run, which is in memory, so
/// that the board loop does not wait for the card; beside the journal where there is none.
fn published_path(config: &Config) -> PathBuf {
    let beside = companion(&journal_path(config), PUBLISHED);
    let run = folder("RUNTIME_DIRECTORY");
    if run.as_os_str().is_empty() { beside } else { run.join(beside.file_name().unwrap_or_default()) }
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
    /// Configurations that were read again.
    pub reload: mpsc::Receiver<Reloaded>,
}

/// A configuration that was read again and checked, or what is wrong with it.
pub type Reloaded = Result<Box<Config>, ConfigError>;

/// Runs a daemon until it is told to stop, or the board has nothing more to say.
///
/// # Errors
/// When another daemon has the journal, its thread cannot be started, or the start of a game is no position.
pub async fn run(
    config: Config,
    doors: Doors,
    mut board: impl Board,
    next: NextGame,
    signals: Signals,
    service: &Service,
) -> Result<Ended> {
    let Doors { public, private, control } = doors;
    let mut servers = Servers::new();
    let opening = servers.private(private);
    let mut session = begin(&config, next, &mut board).await?;
    let (requests, mut incoming) = mpsc::channel(REQUESTS);
    let metrics = Metrics { scanning: board.scanning(), ..session.metrics() };
    let pulse = Arc::clone(&metrics.pulse);
    servers.control(control, requests.clone());
    servers.public(public, &config.board.id, session.publisher().public());
    let feeds = servers.arbiter(&config.board.id, session.publisher().arbiter());
    opening.send_replace(Some(Private { feeds, metrics }));
    service.ready(&status(&config));
    let Signals { mut stop, reload } = signals;
    let stopped = async move {
        // An error means that nobody can tell us to stop any more, which is no reason to.
        if stop.wait_for(|&stop| stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let reloading = forward_reloads(reload, config, requests, service);
    let beat = |is_read| {
        pulse.beat(is_read);
        if is_read {
            service.alive();
        }
    };
    let running = board_loop::run(&mut board, &mut session, &mut incoming, stopped, beat);
    let ended = tokio::select! {
        ended = running => ended,
        never = reloading => match never {},
    };
    service.stopping();
    drop(incoming);
    servers.close().await;
    session.close().await;
    Ok(ended)
}

/// What people see in `systemctl status`.
fn status(config: &Config) -> String {
    format!("reads board {}", config.board.id)
}

/// Hands configurations that were read again to the board loop. An error stands for one that is wrong.
async fn forward_reloads(
    mut reload: mpsc::Receiver<Reloaded>,
    mut config: Config,
    requests: mpsc::Sender<Request>,
    service: &Service,
) -> std::convert::Infallible {
    while let Some(read) = reload.recv().await {
        let new = match read {
            Ok(new) => *new,
            Err(error) => {
                tracing::error!(%error, "the configuration stays as it was");
                service
                    .ready(&format!("{}; the configuration stays as it was: see the log", status(&config)));
                continue;
            }
        };
        for key in config.fixed_differences(&new) {
            tracing::warn!(key, "changed in the file, but only a restart changes it");
        }
        let about = (config.event != new.event).then(|| new.event.clone());
        let settings = new.reading.clone();
        tracing::info!("the configuration was read again");
        if requests.send(Request::Reload { about, settings }).await.is_err() {
            break;
        }
        config = new;
        service.ready(&status(&config));
    }
    std::future::pending().await
}

/// Takes up the last game, or begins one.
async fn begin(config: &Config, next: NextGame, board: &mut impl Board) -> Result<Session> {
    let file = journal_path(config);
    let (mut journal, found) =
        Journal::open(config.journal.options(&folder("STATE_DIRECTORY"))).context("journal.file")?;
    if let Some((aside, why)) = &found.set_aside {
        tracing::error!(
            file = %aside.display(),
            why,
            "the journal could not be used and was set aside; a new one begins, and a game that was under way \
             is not taken up"
        );
    }
    let now = Mark::now(Numbers::default());
    let small_file = published_path(config);
    let (published, sign) = Published::open(&small_file, &now).unwrap_or_else(|error| {
        tracing::warn!(%error, file = %small_file.display(), "the numbers of the feeds cannot be noted");
        (Published::nowhere(), None)
    });
    let numbers = Mark::go_on(found.mark.as_ref(), sign.map(|sign| sign.numbers), &now);
    let outage = Mark::outage(found.mark.as_ref(), sign, &now);
    // A small file of another journal's knows nothing of this one's games.
    let let_out = sign.map(|sign| sign.let_out).filter(|let_out| journal.has_game(let_out.game));
    // Before anything else is written: no entry may be much younger than the last mark.
    journal.note(numbers);
    let delay = config.public.delay();
    let mut publisher = Publisher::after(numbers, published, &config.board.id, next.header.board, delay);
    let before = last_game(&file, &config.board.id, outage);
    if before.is_some() || !delay.is_zero() {
        publisher.go_on(past(&file, config, let_out, outage));
    }
    match before {
        Some(before) => Ok(Session::go_on(&config.board.id, next, publisher, journal, before, board).await),
        None => Session::begin(&config.board.id, next, publisher, Some(journal), board)
            .await
            .context("the start of the game"),
    }
}

/// What the public was told, or is still to be told, of the last games.
fn past(file: &Path, config: &Config, let_out: Option<LetOut>, outage: Outage) -> Past {
    let read = || -> Result<Past> {
        if !file.exists() {
            return Ok(Past::default());
        }
        let archive = Archive::open(file)?;
        let games = archive.numbers_of(&config.board.id)?.into_iter();
        let with_entries =
            games.map(|number| -> Result<_> { Ok((archive.game(number)?, archive.entries(number)?)) });
        Past::of(with_entries, config.public.delay(), let_out, outage)
    };
    read().unwrap_or_else(|error| {
        tracing::warn!(
            error = format!("{error:#}"),
            "spectators are shown nothing of the games before this one"
        );
        Past::default()
    })
}

/// The game that was under way when the program was last down.
fn last_game(file: &Path, board: &str, outage: Outage) -> Option<Before> {
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

/// The servers of a daemon, which end together.
struct Servers {
    running: JoinSet<()>,
    closing: watch::Sender<bool>,
}

impl Servers {
    fn new() -> Self {
        Self { running: JoinSet::new(), closing: watch::Sender::new(false) }
    }

    /// Ready when the servers are to end.
    fn until_closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closed = self.closing.subscribe();
        async move {
            // An error means that the daemon is gone, which says the same.
            let _ = closed.wait_for(|&closed| closed).await;
        }
    }

    /// Serves on the private port, at first no more than that the daemon starts: the last game is taken up, which takes
    /// seconds with a year of games on a slow card. What there is to show is put in when it is there.
    fn private(&mut self, listener: TcpListener) -> watch::Sender<Option<Private>> {
        let (opening, opened) = watch::channel(None);
        let app = private::app(opened);
        self.running.spawn(http::serve_app(listener, app, Limits::default(), self.until_closed()));
        opening
    }

    fn public(&mut self, listener: TcpListener, board: &str, feed: &Arc<BoardFeed>) {
        let feeds = Feeds::new(vec![(board.to_owned(), Arc::clone(feed))], Limits::default());
        self.running.spawn(http::serve(listener, feeds, self.until_closed()));
    }

    /// The arbiter's feed, whose streams end with the servers.
    fn arbiter(&mut self, board: &str, feed: &Arc<BoardFeed>) -> Arc<Feeds> {
        let feeds = Feeds::new(vec![(board.to_owned(), Arc::clone(feed))], Limits::default());
        let (closing, until_closed) = (Arc::clone(&feeds), self.until_closed());
        self.running.spawn(async move {
            until_closed.await;
            closing.close();
        });
        feeds
    }

    fn control(&mut self, socket: ControlSocket, requests: mpsc::Sender<Request>) {
        let until_closed = self.until_closed();
        self.running.spawn(async move {
            tokio::select! {
                () = socket.serve(requests) => {}
                () = until_closed => {}
            }
        });
    }

    /// Ends them, and waits until they have.
    async fn close(self) {
        self.closing.send_replace(true);
        self.running.join_all().await;
    }
}
