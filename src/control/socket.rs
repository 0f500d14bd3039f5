//! The Unix socket of `draughtsd ctl`: one command a line, one answer a line, both JSON.
//!
//! Who may connect is decided by the file: it belongs to the daemon's user and group and is closed to all others
//! (0660). On top of that the peer's user is asked of the kernel and kept with each command. A peer that says nothing
//! for `SILENT`, or does not read its answer within `READING`, is hung up on, and a line longer than `LONGEST_LINE` is not read.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tracing::Instrument as _;

use super::{Answer, Refusal, Request, Who};

/// How long a peer may say nothing.
const SILENT: Duration = Duration::from_secs(60);

/// How long a peer may take to read an answer.
const READING: Duration = Duration::from_secs(10);

/// The longest command, in bytes.
const LONGEST_LINE: u64 = 64 * 1024;

/// How many peers may be connected at once; more wait.
const MOST_PEERS: usize = 16;

/// A socket that is listened on; its file goes when this does.
#[derive(Debug)]
pub struct ControlSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl ControlSocket {
    /// Listens. A socket that an earlier run left behind is replaced; one that somebody listens on is not.
    ///
    /// # Errors
    /// What the system says, or [`io::ErrorKind::AddrInUse`] if another daemon is at work.
    pub async fn bind(path: &Path) -> io::Result<Self> {
        if UnixStream::connect(path).await.is_ok() {
            return Err(io::Error::new(io::ErrorKind::AddrInUse, "another daemon listens on it"));
        }
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.file_type().is_socket() => fs::remove_file(path)?,
            Ok(_) => return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is there and no socket")),
            Err(_) => {}
        }
        // Made under another name first, so that nobody can connect before it is closed to strangers.
        let making = path.with_extension(format!("{}", std::process::id()));
        let listener = UnixListener::bind(&making)?;
        fs::set_permissions(&making, Permissions::from_mode(0o660))?;
        fs::rename(&making, path)?;
        Ok(Self { listener, path: path.to_owned() })
    }

    /// Takes commands until the other end of `requests` is gone. May be cancelled at any time.
    pub async fn serve(self, requests: mpsc::Sender<Request>) {
        let places = std::sync::Arc::new(tokio::sync::Semaphore::new(MOST_PEERS));
        loop {
            let Ok(place) = std::sync::Arc::clone(&places).acquire_owned().await else { return };
            match self.listener.accept().await {
                Ok((peer, _)) => {
                    let requests = requests.clone();
                    tokio::spawn(async move {
                        // How a connection ends is the peer's business.
                        let _ = meet(peer, requests).await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "the control socket takes nobody in");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        // If it is gone already, so much the better.
        let _ = fs::remove_file(&self.path);
    }
}

/// Asks who the peer is, and talks to it.
async fn meet(peer: UnixStream, requests: mpsc::Sender<Request>) -> io::Result<()> {
    let credentials = peer.peer_cred()?;
    let who = Who { via: "socket".to_owned(), uid: Some(credentials.uid()), pid: credentials.pid() };
    let span = tracing::debug_span!("peer", uid = who.uid, pid = who.pid);
    let talking = async {
        tracing::debug!("connected");
        let ended = talk(peer, &who, &requests).await;
        tracing::debug!(error = ended.as_ref().err().map(tracing::field::display), "gone");
        ended
    };
    talking.instrument(span).await
}

async fn talk(peer: UnixStream, who: &Who, requests: &mpsc::Sender<Request>) -> io::Result<()> {
    let (read, mut write) = peer.into_split();
    let mut read = BufReader::new(read);
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut read).take(LONGEST_LINE);
        let count = timeout(SILENT, limited.read_until(b'\n', &mut line)).await??;
        if count == 0 {
            return Ok(());
        }
        let is_whole = line.ends_with(b"\n") || count < usize::try_from(LONGEST_LINE).unwrap_or(usize::MAX);
        let answer = if is_whole { ask(&line, who, requests).await } else { too_long() };
        let mut text = serde_json::to_vec(&answer)?;
        text.push(b'\n');
        timeout(READING, write.write_all(&text)).await??;
        if !is_whole {
            return Ok(());
        }
    }
}

async fn ask(line: &[u8], who: &Who, requests: &mpsc::Sender<Request>) -> Answer {
    let command = match serde_json::from_slice(line) {
        Ok(command) => command,
        Err(error) => return Answer::Refused(Refusal::new("not-a-command", error.to_string())),
    };
    let (answer, answered) = oneshot::channel();
    let request = Request::Command { command, who: who.clone(), answer };
    let gone = || Answer::Refused(Refusal::new("stopping", "the daemon is about to stop"));
    if requests.send(request).await.is_err() {
        return gone();
    }
    answered.await.unwrap_or_else(|_| gone())
}

fn too_long() -> Answer {
    Answer::Refused(Refusal::new("too-long", format!("a command has at most {LONGEST_LINE} bytes")))
}

/// Sends one command to a daemon and waits for its answer.
///
/// # Errors
/// When nobody listens, or the answer is none.
pub async fn send(path: &Path, command: &super::Command) -> io::Result<Answer> {
    let mut stream = UnixStream::connect(path).await?;
    let mut line = serde_json::to_vec(command)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).await?;
    Ok(serde_json::from_str(&answer)?)
}
