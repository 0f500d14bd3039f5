//! The public HTTP server: live page, snapshot, server-sent events, PDN (`docs/http-api.md`).
//!
//! It only ever reads: GET and HEAD, no cookies, no forms, nothing from other hosts. Everything it gives
//! is public, so any web page may read the API and embed the live page.

mod connections;
mod page;
pub mod private;
mod reply;
mod stream;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CONTENT_SECURITY_POLICY, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use super::board_feed::BoardFeed;
use super::game_record::Irregular;

/// How much may go on at once. What is shared by all does not grow with these; each costs a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open streams; whoever comes then is told to come back later. Default 1000.
    pub streams: usize,
    /// Open connections, streams included; whoever comes then waits. Default 1200.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { streams: 1000, connections: 1200 }
    }
}

/// How long open requests may take to end once the server is told to stop.
const GRACE: Duration = Duration::from_secs(2);

/// The page fetches from its own origin alone; its script and style are files, none is inline.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                              connect-src 'self'; base-uri 'none'; form-action 'none'";

/// The boards that a server shows, and what its streams share.
#[derive(Debug)]
pub struct Feeds {
    boards: Vec<(String, Arc<BoardFeed>)>,
    limits: Limits,
    streams: Arc<Semaphore>,
    closing: watch::Sender<bool>,
}

impl Feeds {
    /// A server's boards by id. The short paths show the first one.
    #[must_use]
    pub fn new(boards: Vec<(String, Arc<BoardFeed>)>, limits: Limits) -> Arc<Self> {
        let streams = Arc::new(Semaphore::new(limits.streams));
        Arc::new(Self { boards, limits, streams, closing: watch::Sender::new(false) })
    }

    /// Ends all streams, now and those to come.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    fn board(&self, id: &str) -> Option<&Arc<BoardFeed>> {
        self.boards.iter().find(|(known, _)| known == id).map(|(_, feed)| feed)
    }

    fn first(&self) -> Option<&Arc<BoardFeed>> {
        self.boards.first().map(|(_, feed)| feed)
    }
}

/// The routes, as a service that needs no socket.
pub fn app(feeds: Arc<Feeds>) -> Router {
    let api = Router::new()
        .route("/game", get(game))
        .route("/events", get(events))
        .route("/boards", get(board_list))
        .route("/boards/{id}/game", get(board_game))
        .route("/boards/{id}/events", get(board_events));
    page::routes()
        .nest("/api/v1", api)
        .route("/games.pdn", get(games_pdn))
        .route("/relay.pdn", get(relay_pdn))
        .route("/healthz", get(health))
        .fallback(no_such_path)
        .method_not_allowed_fallback(only_reading)
        .layer(axum::middleware::map_response(common_headers))
        .with_state(feeds)
}

/// Serves until `shutdown` is ready; then ends the streams and gives open requests a moment to finish.
pub async fn serve(listener: TcpListener, feeds: Arc<Feeds>, shutdown: impl Future<Output = ()> + Send) {
    let (app, limits) = (app(Arc::clone(&feeds)), feeds.limits);
    let shutdown = async {
        shutdown.await;
        feeds.close();
    };
    serve_app(listener, app, limits, shutdown).await;
}

/// Serves `app` until `shutdown` is ready, which has to end its streams; then gives open requests a moment to finish.
pub async fn serve_app(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()> + Send,
) {
    let (closing, closed) = watch::channel(false);
    let serving = connections::serve(listener, app, limits.connections, closed);
    let out_of_patience = async {
        shutdown.await;
        closing.send_replace(true);
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = serving => {}
        // Cancels requests that are still open: readers that do not read.
        () = out_of_patience => {}
    }
}

async fn game(State(feeds): State<Arc<Feeds>>) -> Response {
    reply::snapshot(feeds.first())
}

async fn board_game(State(feeds): State<Arc<Feeds>>, Path(id): Path<String>) -> Response {
    reply::snapshot(feeds.board(&id))
}

async fn events(State(feeds): State<Arc<Feeds>>, headers: HeaderMap, uri: Uri) -> Response {
    stream::open(&feeds, feeds.first(), &headers, &uri)
}

async fn board_events(
    State(feeds): State<Arc<Feeds>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    stream::open(&feeds, feeds.board(&id), &headers, &uri)
}

async fn board_list(State(feeds): State<Arc<Feeds>>) -> Response {
    let boards: Vec<_> = feeds.boards.iter().map(|(id, _)| json!({ "id": id })).collect();
    reply::json(StatusCode::OK, &json!({ "boards": boards }))
}

async fn games_pdn(State(feeds): State<Arc<Feeds>>, headers: HeaderMap) -> Response {
    pdn(&feeds, Irregular::SetUp, &headers)
}

async fn relay_pdn(State(feeds): State<Arc<Feeds>>, headers: HeaderMap) -> Response {
    pdn(&feeds, Irregular::Stop, &headers)
}

fn pdn(feeds: &Feeds, irregular: Irregular, headers: &HeaderMap) -> Response {
    let pdn: String = feeds.boards.iter().map(|(_, feed)| feed.pdn(irregular)).collect();
    reply::tagged("text/plain; charset=utf-8", pdn.into_bytes(), headers)
}

async fn health(State(feeds): State<Arc<Feeds>>) -> Response {
    let version = env!("CARGO_PKG_VERSION");
    reply::json(StatusCode::OK, &json!({ "status": "ok", "version": version, "boards": feeds.boards.len() }))
}

async fn no_such_path() -> Response {
    reply::problem(StatusCode::NOT_FOUND, "not-found", "there is nothing at this path; see docs/http-api.md")
}

async fn only_reading() -> Response {
    reply::problem(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "only GET and HEAD are answered")
}

async fn common_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag"));
    response
}
