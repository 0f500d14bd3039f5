//! The live page's files, carried inside the program.

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;

use super::{Feeds, reply};

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Path, media type, content.
const FILES: [(&str, &str, &str); 8] = [
    ("/", HTML, include_str!("../page/index.html")),
    ("/page/page.css", STYLE, include_str!("../page/page.css")),
    ("/page/icon.svg", PICTURE, include_str!("../page/icon.svg")),
    ("/page/main.js", SCRIPT, include_str!("../page/main.js")),
    ("/page/state.js", SCRIPT, include_str!("../page/state.js")),
    ("/page/stream.js", SCRIPT, include_str!("../page/stream.js")),
    ("/page/board.js", SCRIPT, include_str!("../page/board.js")),
    ("/page/panel.js", SCRIPT, include_str!("../page/panel.js")),
];

pub(super) fn routes() -> Router<Arc<Feeds>> {
    FILES.into_iter().fold(Router::new(), |router, (path, media_type, content)| {
        let file = move |headers: HeaderMap| async move {
            reply::tagged(media_type, content.as_bytes().to_vec(), &headers)
        };
        router.route(path, get(file))
    })
}
