//! The daemon and its service manager: what it says of itself, when it stops saying that it is alive, and what `/readyz`
//! answers meanwhile. The service manager is a socket of the test's own.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::fs;
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use daemon::{Daemon, Heard, PATIENCE, draughtsd, folder, listen, simulated};
use serde_json::json;

/// What a unit with `WatchdogSec=10` gives.
const WATCHDOG_US: &str = "10000000";

/// Longer than the daemon takes between two signs of life, several times over.
const SILENCE: Duration = Duration::from_secs(3);

/// A service manager that listens.
struct Manager {
    socket: UnixDatagram,
    name: String,
}

impl Manager {
    fn new(test: &str) -> Self {
        let name = format!("draughtsd-test-{}-{test}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let socket = UnixDatagram::bind_addr(&address).unwrap();
        Self { socket, name: format!("@{name}") }
    }

    /// The variables that a service manager sets, for a daemon on a card that may hang.
    fn variables<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        [&[("NOTIFY_SOCKET", self.name.as_str()), ("WATCHDOG_USEC", WATCHDOG_US)], more].concat()
    }

    /// The next message, unless none comes for so long.
    fn message_within(&self, time: Duration) -> Option<String> {
        let mut buffer = [0; 4096];
        self.socket.set_read_timeout(Some(time)).unwrap();
        match self.socket.recv(&mut buffer) {
            Ok(length) => Some(String::from_utf8(buffer[..length].to_vec()).unwrap()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The messages up to the first with this line.
    #[track_caller]
    fn until(&self, line: &str) -> Vec<String> {
        let mut messages = Vec::new();
        loop {
            let message =
                self.message_within(PATIENCE).unwrap_or_else(|| panic!("no {line} after {messages:?}"));
            let is_it = message.lines().any(|found| found == line);
            messages.push(message);
            if is_it {
                return messages;
            }
        }
    }

    /// Takes what has come so far.
    fn drain(&self) {
        while self.message_within(Duration::from_millis(1)).is_some() {}
    }
}

#[test]
fn the_service_manager_hears_of_start_life_reload_and_end() {
    let folder = folder("service");
    let manager = Manager::new("told");
    let config = simulated("russian", 1, "");
    let variables = manager.variables(&[]);
    let mut daemon = Daemon::start_with(&folder, &config, |command| {
        command.envs(variables);
    });
    let started = manager.until("READY=1");
    assert_eq!(started, ["READY=1\nSTATUS=reads board 1"]);
    manager.until("WATCHDOG=1");
    manager.until("WATCHDOG=1");

    daemon.signal("HUP");
    let reloading = manager.until("RELOADING=1").pop().unwrap();
    let since = reloading.lines().find_map(|line| line.strip_prefix("MONOTONIC_USEC=")).unwrap();
    assert!(since.parse::<u64>().unwrap() > 0, "{reloading}");
    assert!(manager.until("READY=1").pop().unwrap().contains("reads board 1"));
    // A file that is wrong changes nothing, and the daemon is as ready as before.
    fs::write(folder.join("board.toml"), "[bord]\n").unwrap();
    daemon.signal("HUP");
    manager.until("RELOADING=1");
    let refused = manager.until("READY=1").pop().unwrap();
    assert!(refused.contains("the configuration stays as it was"), "{refused}");
    manager.until("WATCHDOG=1");

    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    manager.until("STOPPING=1");
    assert_eq!(manager.message_within(Duration::from_millis(1)), None, "nothing comes after the end");
}

#[test]
fn signs_of_life_stop_while_the_board_loop_hangs_and_readyz_says_so() {
    let folder = folder("service-hangs");
    let manager = Manager::new("hangs");
    let flag = folder.join("hang");
    let hang = [("SHIM_HANG_NOTE", flag.to_str().unwrap())];
    let config = simulated("russian", 10, "end-after = 1\n");
    let mut daemon = Daemon::start_on_card(&folder, &config, &manager.variables(&hang));
    manager.until("READY=1");
    manager.until("WATCHDOG=1");
    let ready = daemon.wait_for_readiness(200, |_| true);
    assert_eq!(ready, json!({ "status": "ready", "board": "read", "journal": "kept" }));

    fs::write(&flag, "").unwrap();
    daemon.wait_for_file(&folder.join("hang.reached"));
    manager.drain();
    assert_eq!(manager.message_within(SILENCE), None, "a sign of life of a loop that stands");
    let ready = daemon.wait_for_readiness(503, |ready| ready["board"]["problem"].is_string());
    assert_eq!(ready["status"], "not-ready");
    let status = draughtsd(&folder, &["status", "--socket", "control.sock"]);
    assert_eq!(status.status.code(), Some(69), "nobody waits for ever");
    assert!(String::from_utf8_lossy(&status.stderr).contains("its board loop stands"), "{status:?}");
    // The process itself answers, which is what this is for.
    assert_eq!(daemon.ask(&daemon.private, "/healthz").0, 200);

    fs::remove_file(&flag).unwrap();
    manager.until("WATCHDOG=1");
    daemon.wait_for_readiness(200, |ready| ready["status"] == "ready");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    manager.until("STOPPING=1");
}

#[test]
fn a_service_keeps_its_games_on_the_card_and_its_numbers_in_memory() {
    let folder = folder("service-folders");
    for name in ["state", "run"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    let config = simulated("russian", 50, "end-after = 1\n");
    let start = || {
        Daemon::start_with(&folder, &config, |command| {
            command.env("STATE_DIRECTORY", "state").env("RUNTIME_DIRECTORY", "run");
        })
    };
    let mut daemon = start();
    let before = daemon.wait_until("no move is final", |snapshot| snapshot["moves"][0]["status"] == "final");
    daemon.kill();
    let names = |of: &str| {
        let files = fs::read_dir(folder.join(of)).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names("state"), ["draughtsd.db", "draughtsd.db-shm", "draughtsd.db-wal"]);
    assert_eq!(names("run"), ["control.sock", "draughtsd.db-published"]);
    let mut daemon = start();
    let after = daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(after["epoch"], before["epoch"], "the numbers go on");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    assert_eq!(names("state"), ["draughtsd.db"], "one file can be copied");
}

#[test]
fn a_daemon_is_not_ready_before_the_last_game_is_taken_up() {
    let folder = folder("service-starts");
    let config = simulated("russian", 20, "end-after = 1\n");
    let mut daemon = Daemon::start(&folder, &config);
    daemon.wait_until("no move is final", |snapshot| snapshot["moves"][0]["status"] == "final");
    daemon.kill();

    let manager = Manager::new("starts");
    let flag = folder.join("hang");
    fs::write(&flag, "").unwrap();
    let hang = [("SHIM_HANG_OPEN", flag.to_str().unwrap())];
    let mut daemon = Daemon::start_on_card(&folder, &config, &manager.variables(&hang));
    let starting = daemon.wait_for_readiness(503, |_| true);
    assert_eq!(starting, json!({ "status": "starting" }));
    assert_eq!(daemon.ask(&daemon.private, "/healthz").0, 200);
    let early = Heard::default();
    let listener = listen(&daemon.private, &early);
    assert_eq!(manager.message_within(Duration::from_millis(1)), None, "ready before it is");

    fs::remove_file(&flag).unwrap();
    assert_eq!(manager.until("READY=1").len(), 1);
    daemon.wait_for_readiness(200, |ready| ready["status"] == "ready");
    assert_eq!(daemon.snapshot()["moves"][0]["status"], "final");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
    // Whoever came too early has waited, and found the game that was under way.
    listener.join().unwrap();
    let early = early.lock().unwrap();
    assert_eq!((&early[0]["kind"], &early[0]["game"]), (&json!("snapshot"), &json!("1")));
}
