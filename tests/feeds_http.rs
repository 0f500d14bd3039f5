//! The public HTTP server from outside: what it answers, how streams begin, go on and end.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use draughtsd::feeds::board_feed::{BoardFeed, QUEUE};
use draughtsd::feeds::board_state::About;
use draughtsd::feeds::http::{Feeds, Limits, app, serve};
use draughtsd_core::event::{Event, EventBody, MoveRecord, MoveStatus};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{ClockLink, Crowning};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower::ServiceExt as _;

fn contact(t: u64) -> Event {
    let square = Square::new(32).unwrap();
    Event { t: Moment::from_millis(t), body: EventBody::Contact { square, closed: t.is_multiple_of(2) } }
}

fn moved(text: &str, status: MoveStatus) -> Event {
    let (from, to) = text.split_once('-').unwrap();
    let record = MoveRecord {
        ply: 1,
        side: Side::White,
        text: text.to_owned(),
        from: from.parse().unwrap(),
        to: to.parse().unwrap(),
        captures: Vec::new(),
        t: Moment::from_millis(3),
        irregular: Vec::new(),
        certainty: None,
    };
    let body = EventBody::Move { status, record, fen: format!("B:W{to}:B19") };
    Event { t: Moment::from_millis(4), body }
}

fn begun() -> Arc<BoardFeed> {
    let feed = BoardFeed::new("7", 5, Variant::International);
    feed.begin_game("1", Variant::International, About::default());
    let started = EventBody::GameStarted {
        variant: Variant::International,
        fen: "W:W32:B19".to_owned(),
        crowning: Crowning::None,
        clock: ClockLink::None,
        time_control: None,
    };
    feed.publish(&Event { t: Moment::ZERO, body: started }, None);
    Arc::new(feed)
}

fn server() -> (Arc<BoardFeed>, Arc<Feeds>) {
    let feed = begun();
    (Arc::clone(&feed), Feeds::new(vec![("7".to_owned(), feed)], Limits::default()))
}

async fn ask(feeds: &Arc<Feeds>, request: Request<Body>) -> Response {
    app(Arc::clone(feeds)).oneshot(request).await.unwrap()
}

async fn get(feeds: &Arc<Feeds>, path: &str) -> Response {
    ask(feeds, Request::get(path).body(Body::empty()).unwrap()).await
}

async fn text(response: Response) -> String {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn json(response: Response) -> Value {
    serde_json::from_str(&text(response).await).unwrap()
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

/// A stream under way.
struct Listening(Body);

impl Listening {
    async fn open(feeds: &Arc<Feeds>, path: &str, last_event_id: Option<&str>) -> Self {
        let mut request = Request::get(path);
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        let response = ask(feeds, request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(header(&response, "content-type"), "text/event-stream");
        Self(response.into_body())
    }

    /// The next block of the stream; `None` at its end.
    async fn next(&mut self) -> Option<String> {
        let frame = self.0.frame().await?.unwrap();
        let bytes: Bytes = frame.into_data().unwrap();
        Some(String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[track_caller]
    fn expect(block: Option<String>, id: &str, kind: &str) {
        let block = block.expect("the stream goes on");
        assert!(block.contains(&format!("id: {id}\n")), "{block}");
        assert!(block.contains(&format!(r#""kind":"{kind}""#)), "{block}");
        assert_eq!(block.contains("event: snapshot\n"), kind == "snapshot", "{block}");
    }
}

#[tokio::test]
async fn the_snapshot_is_the_same_by_its_short_and_its_long_path() {
    let (_, feeds) = server();
    let mut short = json(get(&feeds, "/api/v1/game").await).await;
    let mut long = json(get(&feeds, "/api/v1/boards/7/game").await).await;
    assert_eq!(short["fen"], "W:W32:B19");
    assert_eq!((&short["board"], &short["seq"]), (&"7".into(), &1.into()));
    for document in [&mut short, &mut long] {
        document["served_at"] = Value::Null;
    }
    assert_eq!(short, long);
    assert_eq!(json(get(&feeds, "/api/v1/boards").await).await["boards"][0]["id"], "7");
}

#[tokio::test]
async fn what_is_not_there_is_said_in_json() {
    let (_, feeds) = server();
    for path in
        ["/nothing", "/api/v1/nothing", "/api/v1/boards/8/game", "/api/v1/boards/8/events", "/page/../x"]
    {
        let response = get(&feeds, path).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(header(&response, "content-type"), "application/json", "{path}");
        assert!(json(response).await["error"].is_string(), "{path}");
    }
}

#[tokio::test]
async fn only_reading_is_answered() {
    let (_, feeds) = server();
    for path in ["/", "/api/v1/game", "/api/v1/events", "/games.pdn", "/healthz"] {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let request = Request::builder().method(&method).uri(path).body(Body::empty()).unwrap();
            let response = ask(&feeds, request).await;
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            assert_eq!(json(response).await["error"], "method-not-allowed");
        }
        let head = Request::head(path).body(Body::empty()).unwrap();
        assert_eq!(ask(&feeds, head).await.status(), StatusCode::OK, "HEAD {path}");
    }
}

#[tokio::test]
async fn every_answer_says_what_a_browser_may_do_with_it() {
    let (_, feeds) = server();
    for path in ["/", "/page/main.js", "/api/v1/game", "/api/v1/events", "/games.pdn", "/nothing"] {
        let response = get(&feeds, path).await;
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{path}");
        let policy = header(&response, "content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert!(!policy.contains("http"), "{path}: {policy}");
    }
    assert_eq!(header(&get(&feeds, "/api/v1/game").await, "cache-control"), "no-store");
}

#[tokio::test]
async fn files_are_sent_again_only_when_they_have_changed() {
    let (feed, feeds) = server();
    for path in ["/", "/page/page.css", "/page/main.js", "/page/icon.svg", "/games.pdn"] {
        let first = get(&feeds, path).await;
        assert_eq!(header(&first, "cache-control"), "no-cache", "{path}");
        let tag = header(&first, "etag");
        let again = Request::get(path).header("if-none-match", format!("\"x\", W/{tag}"));
        let again = ask(&feeds, again.body(Body::empty()).unwrap()).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(text(again).await, "", "{path}");
    }
    let before = header(&get(&feeds, "/games.pdn").await, "etag");
    feed.publish(&moved("32-28", MoveStatus::Provisional), None);
    assert_eq!(header(&get(&feeds, "/games.pdn").await, "etag"), before, "only what is final is written");
    feed.publish(&moved("32-28", MoveStatus::Final), None);
    let after = get(&feeds, "/games.pdn").await;
    assert_ne!(header(&after, "etag"), before);
    assert_eq!(header(&after, "content-type"), "text/plain; charset=utf-8");
    assert!(text(after).await.contains("1. 32-28 *"));
}

#[tokio::test]
async fn the_page_refers_to_nothing_elsewhere() {
    let (_, feeds) = server();
    let html = text(get(&feeds, "/").await).await;
    let references: Vec<&str> = html
        .split(['"', '\''])
        .collect::<Vec<_>>()
        .windows(2)
        .filter(|pair| pair[0].ends_with("href=") || pair[0].ends_with("src="))
        .map(|pair| pair[1])
        .collect();
    assert!(references.len() > 4, "{references:?}");
    for reference in references.into_iter().filter(|reference| !reference.starts_with('#')) {
        assert!(!reference.contains(':') && !reference.starts_with('/'), "{reference}");
        assert_eq!(get(&feeds, &format!("/{reference}")).await.status(), StatusCode::OK, "{reference}");
    }
}

#[tokio::test]
async fn a_stream_begins_with_a_snapshot_and_goes_on_with_events() {
    let (feed, feeds) = server();
    let mut listening = Listening::open(&feeds, "/api/v1/events", None).await;
    Listening::expect(listening.next().await, "5-1", "snapshot");
    feed.publish(&contact(10), None);
    Listening::expect(listening.next().await, "5-2", "contact");
}

#[tokio::test]
async fn whoever_comes_back_goes_on_where_he_was() {
    let (feed, feeds) = server();
    (1..5).for_each(|t| feed.publish(&contact(t), None));
    let by_header = Listening::open(&feeds, "/api/v1/events", Some("5-3")).await;
    let by_query = Listening::open(&feeds, "/api/v1/boards/7/events?x=1&last-event-id=5-3", None).await;
    for mut listening in [by_header, by_query] {
        Listening::expect(listening.next().await, "5-4", "contact");
        Listening::expect(listening.next().await, "5-5", "contact");
    }
}

#[tokio::test]
async fn whoever_comes_back_after_a_restart_gets_a_snapshot() {
    let (_, feeds) = server();
    for id in ["4-1", "5-9", "nonsense"] {
        let mut listening = Listening::open(&feeds, "/api/v1/events", Some(id)).await;
        Listening::expect(listening.next().await, "5-1", "snapshot");
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_shows_that_it_is_alive() {
    let (_, feeds) = server();
    let mut listening = Listening::open(&feeds, "/api/v1/events", None).await;
    listening.next().await;
    let block = listening.next().await.unwrap();
    assert!(block.starts_with(": keep-alive\n") && block.contains("event: heartbeat\n"), "{block}");
    // Without an id: the reader's place stays what it was.
    assert!(!block.contains("id:"), "{block}");
}

#[tokio::test]
async fn a_reader_that_falls_too_far_behind_is_cut_off_and_can_come_back() {
    let (feed, feeds) = server();
    let mut slow = Listening::open(&feeds, "/api/v1/events", None).await;
    Listening::expect(slow.next().await, "5-1", "snapshot");
    let many = u64::try_from(QUEUE).unwrap() + 1;
    (0..many).for_each(|t| feed.publish(&contact(t), None));
    assert_eq!(slow.next().await, None);
    let mut again = Listening::open(&feeds, "/api/v1/events", Some("5-1")).await;
    Listening::expect(again.next().await, "5-2", "contact");
}

#[tokio::test]
async fn there_are_only_so_many_streams() {
    let feed = begun();
    let feeds = Feeds::new(vec![("7".to_owned(), feed)], Limits { streams: 1, ..Limits::default() });
    let first = Listening::open(&feeds, "/api/v1/events", None).await;
    let refused = get(&feeds, "/api/v1/events").await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(header(&refused, "retry-after"), "10");
    assert_eq!(json(refused).await["error"], "too-many-streams");
    drop(first);
    Listening::open(&feeds, "/api/v1/events", None).await;
}

#[tokio::test]
async fn streams_end_when_the_server_closes_but_not_before_what_waits_is_sent() {
    let (feed, feeds) = server();
    let mut listening = Listening::open(&feeds, "/api/v1/events", None).await;
    listening.next().await;
    feed.publish(&contact(1), None);
    feeds.close();
    Listening::expect(listening.next().await, "5-2", "contact");
    assert_eq!(listening.next().await, None);
}

/// A server on a socket.
struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Server {
    async fn start(feeds: Arc<Feeds>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(listener, feeds, async {
            let _ = stopped.await;
        }));
        Self { address, stop, serving }
    }

    async fn connect(&self, says: &str) -> TcpStream {
        let mut connection = TcpStream::connect(self.address).await.unwrap();
        connection.write_all(says.as_bytes()).await.unwrap();
        connection
    }
}

/// Reads until `wanted` has come, or to the end of the connection.
async fn read_until(connection: &mut TcpStream, wanted: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(wanted) {
        let mut buffer = [0; 4096];
        match connection.read(&mut buffer).await.unwrap() {
            0 => break,
            length => seen.push_str(&String::from_utf8_lossy(&buffer[..length])),
        }
    }
    seen
}

const STREAM: &str = "GET /api/v1/events HTTP/1.1\r\nHost: board\r\n\r\n";
const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: board\r\n\r\n";

#[tokio::test]
async fn a_server_told_to_stop_ends_although_a_reader_listens() {
    let server = Server::start(server().1).await;
    let mut reader = server.connect(STREAM).await;
    let seen = read_until(&mut reader, "event: snapshot").await;
    assert!(seen.starts_with("HTTP/1.1 200 OK\r\n") && seen.contains("event: snapshot"), "{seen}");

    server.stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(10), server.serving).await.unwrap().unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}

// In these the runtime's clock runs ahead whenever nothing else goes on, so nobody waits for the limits.

#[tokio::test(start_paused = true)]
async fn a_connection_that_does_not_say_what_it_wants_is_closed() {
    let server = Server::start(server().1).await;
    let mut silent = server.connect("GET /healthz HTTP/1.1\r\nHost: bo").await;
    assert!(!read_until(&mut silent, "200 OK").await.contains("200 OK"));
    let mut idle = server.connect(HEALTH).await;
    assert!(read_until(&mut idle, "version").await.starts_with("HTTP/1.1 200 OK"));
    read_until(&mut idle, "more").await;
}

#[tokio::test(start_paused = true)]
async fn connections_beyond_the_limit_wait_for_their_turn() {
    let limits = Limits { connections: 1, ..Limits::default() };
    let server = Server::start(Feeds::new(vec![("7".to_owned(), begun())], limits)).await;
    let first = server.connect(STREAM).await;
    let mut second = server.connect(HEALTH).await;
    let waited = tokio::time::timeout(Duration::from_secs(60), read_until(&mut second, "200 OK")).await;
    assert!(waited.is_err());
    drop(first);
    assert!(read_until(&mut second, "200 OK").await.starts_with("HTTP/1.1 200 OK"));
}
