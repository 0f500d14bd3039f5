//! The private HTTP server: the arbiter's snapshot and events, metrics, signs of health (`docs/operations.md`).
//!
//! It listens on this machine alone, and still asks where a request comes from: a web page of anybody's, open in a
//! browser on this machine, could otherwise read it. So it sends no permission for other origins, and answers only
//! requests that name this machine as their host.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::json;

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

/// The routes, as a service that needs no socket.
pub fn app(private: Private) -> Router {
    Router::new()
        .route("/api/v1/game", get(game))
        .route("/api/v1/events", get(events))
        .route("/metrics", get(metrics))
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .fallback(super::no_such_path)
        .method_not_allowed_fallback(super::only_reading)
        .layer(axum::middleware::from_fn(only_this_machine))
        .layer(axum::middleware::map_response(headers))
        .with_state(private)
}

async fn game(State(private): State<Private>) -> Response {
    reply::snapshot(private.feeds.first())
}

async fn events(State(private): State<Private>, headers: HeaderMap, uri: Uri) -> Response {
    stream::open(&private.feeds, private.feeds.first(), &headers, &uri)
}

async fn metrics(State(private): State<Private>) -> Response {
    ([(CONTENT_TYPE, EXPOSITION), (CACHE_CONTROL, "no-store")], private.metrics.render()).into_response()
}

/// The process answers.
async fn health() -> Response {
    reply::json(StatusCode::OK, &json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// The board is read; whether what happens is kept is said as well, and stops nothing.
async fn ready(State(private): State<Private>) -> Response {
    let problem = private.metrics.journal_problem();
    let journal = problem.as_deref().map_or(json!("kept"), |problem| json!({ "problem": problem }));
    reply::json(StatusCode::OK, &json!({ "status": "ready", "journal": journal }))
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
