//! Replies other than streams: JSON, problems, and texts with an entity tag.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::feeds::board_feed::BoardFeed;

const JSON: &str = "application/json";

/// A board's snapshot; never to be cached, it is old the moment it is served.
pub(super) fn snapshot(feed: Option<&Arc<BoardFeed>>) -> Response {
    let Some(feed) = feed else { return no_such_board() };
    let data = feed.snapshot().data;
    ([(CONTENT_TYPE, JSON), (CACHE_CONTROL, "no-store")], data.to_string()).into_response()
}

/// A JSON document.
pub(super) fn json(status: StatusCode, document: &Value) -> Response {
    (status, [(CONTENT_TYPE, JSON), (CACHE_CONTROL, "no-store")], document.to_string()).into_response()
}

/// A refusal: `error` is stable and for programs, `message` is for people.
pub(super) fn problem(status: StatusCode, error: &str, message: &str) -> Response {
    json(status, &json!({ "error": error, "message": message }))
}

pub(super) fn no_such_board() -> Response {
    problem(StatusCode::NOT_FOUND, "no-such-board", "there is no board of this id; see /api/v1/boards")
}

/// A text that may be kept, but must be asked about each time; `304` if the asker has it already.
pub(super) fn tagged(media_type: &'static str, content: Vec<u8>, request: &HeaderMap) -> Response {
    let tag = entity_tag(&content);
    let known = request
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|value| value.trim().trim_start_matches("W/"))
        .any(|value| value == "*" || value == tag);
    let (status, body) =
        if known { (StatusCode::NOT_MODIFIED, Body::empty()) } else { (StatusCode::OK, content.into()) };
    let headers =
        [(CONTENT_TYPE, media_type.to_owned()), (CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    (status, headers, body).into_response()
}

/// A short name for the content: 64 bits of FNV-1a. It tells versions of one file apart; it need not
/// withstand anybody who wants two contents to have one name.
fn entity_tag(content: &[u8]) -> String {
    let hash = content.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}
