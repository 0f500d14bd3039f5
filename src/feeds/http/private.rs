//! The private HTTP server: the arbiter's snapshot and events, metrics, signs of health (`docs/operations.md`).
//!
//! It listens on this machine alone, and still asks where a request comes from: a web page of anybody's, open in a
//! browser on this machine, could otherwise read it. So it sends no permission for other origins, and answers only
//! requests that name this machine as their host.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, HOST, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::json;
use tokio::sync::watch;

use super::{Feeds, reply, stream};
use crate::metrics::Metrics;

/// The text form of Prometheus.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What the private server shows.
#[derive(Clone, Debug)]
pub struct Private {
    /// The arbiter's feeds.
    pub feeds: Arc<Feeds>,
    /// The numbers.
    pub metrics: Metrics,
}

/// What the private server shows, once there is something to show; until then the last game is taken up.
pub type Opened = watch::Receiver<Option<Private>>;

/// The routes, as a service that needs no socket. Whoever comes early is told so by `/readyz`; other requests, those for
/// health aside, wait.
pub fn app(opened: Opened) -> Router {
    let routes = Router::new()
        .route("/api/v1/game", get(game))
        .route("/api/v1/events", get(events))
        .route("/metrics", get(metrics))
        .layer(axum::middleware::from_fn_with_state(opened.clone(), once_opened))
        .with_state(());
    Router::new()
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .merge(routes)
        .fallback(super::no_such_path)
        .method_not_allowed_fallback(super::only_reading)
        .layer(axum::middleware::from_fn(only_this_machine))
        .layer(axum::middleware::map_response(headers))
        .with_state(opened)
}

/// Lets a request through, with what there is to show, when there is.
async fn once_opened(State(mut opened): State<Opened>, mut request: Request, next: Next) -> Response {
    // An error means that the daemon ends before it began.
    let private = opened.wait_for(Option::is_some).await.ok().and_then(|private| private.clone());
    let Some(private) = private else { return starting() };
    request.extensions_mut().insert(private);
    next.run(request).await
}

async fn game(Extension(private): Extension<Private>) -> Response {
    reply::snapshot(private.feeds.first())
}

async fn events(Extension(private): Extension<Private>, headers: HeaderMap, uri: Uri) -> Response {
    stream::open(&private.feeds, private.feeds.first(), &headers, &uri)
}

async fn metrics(Extension(private): Extension<Private>) -> Response {
    ([(CONTENT_TYPE, EXPOSITION), (CACHE_CONTROL, "no-store")], private.metrics.render()).into_response()
}

/// The process answers.
async fn health() -> Response {
    reply::json(StatusCode::OK, &json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// Whether the daemon does all that it promises: the board is read, and what happens is kept. A game goes on without
/// the journal; whoever relies on it has to know.
async fn ready(State(opened): State<Opened>) -> Response {
    let Some(private) = opened.borrow().clone() else { return starting() };
    let (board, journal) = (private.metrics.board_problem(), private.metrics.journal_problem());
    let (status, name) = match (&board, &journal) {
        (None, None) => (StatusCode::OK, "ready"),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "not-ready"),
    };
    let said = |well: &str, problem: Option<&str>| {
        problem.map_or_else(|| json!(well), |problem| json!({ "problem": problem }))
    };
    let board = said("read", board.as_deref());
    let journal = said("kept", journal.as_deref());
    reply::json(status, &json!({ "status": name, "board": board, "journal": journal }))
}

fn starting() -> Response {
    let starting = reply::json(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "starting" }));
    ([(RETRY_AFTER, "1")], starting).into_response()
}

/// Refuses requests that were meant for another host: a name of somebody's that was made to point here.
async fn only_this_machine(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if is_this_machine(host) {
        next.run(request).await
    } else {
        reply::problem(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong-host",
            "this server answers to localhost, 127.0.0.1 and [::1] alone",
        )
    }
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name == "localhost"
        || name.trim_matches(['[', ']']).parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

async fn headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine() {
        for host in ["localhost", "localhost:8081", "127.0.0.1:8081", "127.0.0.1", "[::1]:8081", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["", "example.org", "example.org:8081", "192.168.0.7:8081", "localhost.example.org", "::"]
        {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
