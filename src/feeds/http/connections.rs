//! Connections: how many there may be, how long they may do nothing, how they end.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tracing::Instrument as _;

/// How long a connection may take to say what it wants, at its beginning and between two requests.
const SILENT: Duration = Duration::from_secs(15);

/// How long a connection may refuse what is sent to it before it is closed.
const STALLED: Duration = Duration::from_secs(30);

/// How long to wait when no more connections can be taken, as when the process has run out of files.
const BREATHER: Duration = Duration::from_secs(1);

/// Takes connections until `closing` says so, then lets them finish; whoever calls decides for how long.
///
/// - `most`: how many connections may be open at once; more wait in the kernel's queue.
pub(super) async fn serve(listener: TcpListener, app: Router, most: usize, closing: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(most));
    let mut open = JoinSet::new();
    let mut closed = pin!(until_closed(closing.clone()));
    loop {
        let accepted = async {
            // The semaphore is never closed; if it were, nobody could come in any more.
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            Ok::<_, io::Error>((listener.accept().await?, place))
        };
        tokio::select! {
            () = &mut closed => break,
            // Keeps the list of finished connections short.
            Some(_) = open.join_next() => {}
            // Cancelled, it gives its place back, and the connection stays in the queue.
            accepted = accepted => match accepted {
                Ok(((connection, peer), place)) => {
                    let span = tracing::debug_span!("peer", %peer);
                    let done = answer(connection, app.clone(), closing.clone()).instrument(span);
                    open.spawn(async move {
                        done.await;
                        drop(place);
                    });
                }
                // A connection that broke before it was taken is not worth a pause, but what is wrong with the
                // others will not be right at once.
                Err(error) if is_the_peers(&error) => {}
                Err(_) => tokio::time::sleep(BREATHER).await,
            },
        }
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

fn is_the_peers(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn answer(connection: TcpStream, app: Router, closing: watch::Receiver<bool>) {
    tune(&connection);
    tracing::debug!("connected");
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SILENT);
    let mut serving = pin!(http.serve_connection(TokioIo::new(connection), TowerToHyperService::new(app)));
    // How a connection ends is the peer's business; there is nobody to tell it to.
    tokio::select! {
        ended = serving.as_mut() => {
            tracing::debug!(error = ended.err().map(tracing::field::display), "gone");
            return;
        }
        () = until_closed(closing) => {}
    }
    serving.as_mut().graceful_shutdown();
    let _ = serving.await;
}

/// A reader that went away without a word, or does not read, must not be held for ever. The kernel
/// counts both what is unacknowledged and what waits for a closed window. Failing to set it costs that
/// protection only.
fn tune(connection: &TcpStream) {
    let _ = connection.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = SockRef::from(connection).set_tcp_user_timeout(Some(STALLED));
}

/// Ready when the server is told to close, or when nobody is left who could tell it.
pub(super) async fn until_closed(mut closing: watch::Receiver<bool>) {
    let _ = closing.wait_for(|&closing| closing).await;
}
