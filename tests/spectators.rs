//! Spectators that take nothing: the board goes on, those who read get everything, and those who do not are cut off by the
//! policy that `docs/http-api.md` states. Over real sockets, and without a word about how fast anything is.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use daemon::{Daemon, Heard, PATIENCE, folder, listen, simulated};
use socket2::{Domain, Socket, Type};

/// How many readers take nothing.
const STALLED: usize = 40;

/// The kernel counts a refused byte for 30 seconds, and looks every now and then.
const CUT_OFF: Duration = Duration::from_secs(180);

/// A reader that asks for the stream and takes nothing of it. Its end of the connection has next to no room, so that
/// the daemon's end fills up with a fraction of a game.
fn stalled(address: &str) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(1).unwrap();
    socket.connect(&address.parse::<SocketAddr>().unwrap().into()).unwrap();
    let mut stream = TcpStream::from(socket);
    write!(stream, "GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    stream
}

/// How many streams of the public feed are open.
fn listeners(daemon: &Daemon) -> usize {
    let numbers = daemon.get(&daemon.private, "/metrics");
    let line = numbers.lines().find_map(|line| line.strip_prefix("draughtsd_public_listeners{board=\"1\"} "));
    line.unwrap().parse().unwrap()
}

#[track_caller]
fn wait_for_listeners(daemon: &Daemon, wanted: usize, patience: Duration) {
    let began = Instant::now();
    while listeners(daemon) != wanted {
        assert!(began.elapsed() < patience, "{} instead of {wanted}", listeners(daemon));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn readers_that_take_nothing_hold_nobody_up_and_are_cut_off() {
    let folder = folder("spectators");
    let mut daemon = Daemon::start(&folder, &simulated("russian", 20, "end-after = 1\n"));
    let heard = Heard::default();
    let healthy = listen(&daemon.public, &heard);
    let mut readers: Vec<TcpStream> = (0..STALLED).map(|_| stalled(&daemon.public)).collect();
    wait_for_listeners(&daemon, STALLED + 1, PATIENCE);

    // The board is read to the end of the game, and the one who reads gets all of it.
    let snapshot = daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    // Those who take nothing are cut off without asking for anything; the one who reads stays.
    wait_for_listeners(&daemon, 1, CUT_OFF);
    for reader in &mut readers {
        check_cut_off(reader);
    }
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    healthy.join().unwrap();

    let heard = heard.lock().unwrap();
    let seqs: Vec<u64> = heard.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(heard[0]["kind"], "snapshot");
    assert!(seqs.windows(2).all(|pair| pair[1] == pair[0] + 1), "{seqs:?}");
    assert!(seqs.last().unwrap() >= &snapshot["seq"].as_u64().unwrap());
    let contacts = heard.iter().filter(|event| event["kind"] == "contact").count();
    assert!(contacts > 200, "{contacts}");
    let finals = heard.iter().filter(|event| event["kind"] == "move" && event["status"] == "final").count();
    assert_eq!(finals, snapshot["moves"].as_array().unwrap().len());
}

/// The connection is over: what its own kernel still holds can be read, and then comes the end.
#[track_caller]
fn check_cut_off(reader: &mut TcpStream) {
    reader.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut taken = Vec::new();
    match reader.read_to_end(&mut taken) {
        Ok(_) => {}
        Err(error) => assert!(
            matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::TimedOut),
            "{error} after {} bytes",
            taken.len()
        ),
    }
    // It never had the whole game.
    assert!(!String::from_utf8_lossy(&taken).contains("\"kind\":\"result\""));
}
