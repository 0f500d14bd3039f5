//! Server-sent events: one reader's view of a board's feed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use std::vec;

use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};

use super::connections::until_closed;
use super::{Feeds, reply};
use crate::feeds::board_feed::{BoardFeed, Frame, FrameKind};
use crate::feeds::envelope::EventId;

/// How often a silent stream shows that it is alive. Readers may take three times this as the sign that
/// it is not.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// How long a browser waits before it comes back by itself.
const RETRY: Duration = Duration::from_secs(1);

/// Keeps proxies of the common kind from collecting events before they pass them on.
const UNBUFFERED: (HeaderName, &str) = (HeaderName::from_static("x-accel-buffering"), "no");

/// Opens a stream after the event that the reader names, or with a snapshot.
pub(super) fn open(feeds: &Feeds, feed: Option<&Arc<BoardFeed>>, headers: &HeaderMap, uri: &Uri) -> Response {
    let Some(feed) = feed else { return reply::no_such_board() };
    let Ok(place) = Arc::clone(&feeds.streams).try_acquire_owned() else {
        let full = reply::problem(
            StatusCode::SERVICE_UNAVAILABLE,
            "too-many-streams",
            "all streams are taken; come back later or poll the snapshot",
        );
        return ([(RETRY_AFTER, "10")], full).into_response();
    };
    let subscription = feed.subscribe(last_seen(headers, uri));
    let reader = Reader {
        backlog: subscription.backlog.into_iter(),
        live: subscription.live,
        closing: feeds.closing.subscribe(),
        greeted: false,
        _place: place,
    };
    let alive = Event::default().comment("keep-alive").event("heartbeat").data("{}");
    let events = Sse::new(stream::unfold(reader, Reader::next))
        .keep_alive(KeepAlive::new().interval(HEARTBEAT).event(alive));
    ([UNBUFFERED], events).into_response()
}

/// The last event that the reader saw, from the header that browsers send when they come back by
/// themselves, or from the query, which a script can set. Anything unreadable counts as none.
fn last_seen(headers: &HeaderMap, uri: &Uri) -> Option<EventId> {
    let from_query = || {
        let pairs = uri.query()?.split('&');
        pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == "last-event-id")
    };
    let text = match headers.get("last-event-id") {
        Some(value) => value.to_str().ok()?,
        None => from_query()?.1,
    };
    EventId::parse(text)
}

struct Reader {
    backlog: vec::IntoIter<Frame>,
    live: broadcast::Receiver<Frame>,
    closing: watch::Receiver<bool>,
    greeted: bool,
    _place: OwnedSemaphorePermit,
}

impl Reader {
    /// The next event for the socket; `None` ends the stream: the server closes, or the reader fell too
    /// far behind. It comes back with the id of the last event it got.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        let frame = match self.backlog.next() {
            Some(frame) => frame,
            None => tokio::select! {
                // Both branches may be cancelled: neither takes anything before it is ready. What waits
                // is sent before the stream closes.
                biased;
                frame = self.live.recv() => match frame {
                    Ok(frame) => frame,
                    Err(error) => {
                        tracing::debug!(%error, "cut off");
                        return None;
                    }
                },
                () = until_closed(self.closing.clone()) => return None,
            },
        };
        let mut event = Event::default().id(frame.id.to_string()).data(&*frame.data);
        if frame.kind == FrameKind::Snapshot {
            event = event.event("snapshot");
        }
        if !self.greeted {
            event = event.retry(RETRY);
            self.greeted = true;
        }
        Some((Ok(event), self))
    }
}
