//! The real binary as a daemon: started on ports of its own in a folder of its own, listened to, killed.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]
#![allow(dead_code, reason = "each test uses its part")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything takes on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A folder of a test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A configuration with a simulated board, on ports that the system chooses.
pub(crate) fn simulated(board: &str, speed: u32, more: &str) -> String {
    format!(
        "[board]\nsource = \"simulated\"\ngame = \"{board}\"\n[public]\nlisten = \"127.0.0.1:0\"\n\
         [private]\nlisten = \"127.0.0.1:0\"\n[simulated]\nspeed = {speed}\n{more}"
    )
}

/// A daemon under way; killed when the test ends, however it ends.
pub(crate) struct Daemon {
    pub(crate) child: Child,
    pub(crate) public: String,
    pub(crate) private: String,
    pub(crate) folder: PathBuf,
}

impl Daemon {
    /// Starts the daemon in a folder with this configuration, which also is the folder of its journal.
    pub(crate) fn start(folder: &Path, config: &str) -> Self {
        Self::start_with(folder, config, |_| {})
    }

    pub(crate) fn start_with(folder: &Path, config: &str, prepare: impl FnOnce(&mut Command)) -> Self {
        fs::write(folder.join("board.toml"), config).unwrap();
        let log = fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_draughtsd"));
        command
            .args(["run", "--config", "board.toml"])
            .current_dir(folder)
            .env_remove("STATE_DIRECTORY")
            .env_remove("RUNTIME_DIRECTORY")
            .env_remove("NOTIFY_SOCKET")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        prepare(&mut command);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut address = || {
            let line =
                lines.next().unwrap_or_else(|| panic!("no address; see {}", folder.display())).unwrap();
            line.trim_start_matches("http://").trim_end_matches('/').to_owned()
        };
        let (public, private) = (address(), address());
        Self { child, public, private, folder: folder.to_owned() }
    }

    /// Starts the daemon on a card that can fail: with the shim of `tests/power/shim.c`, and what that goes by.
    pub(crate) fn start_on_card(folder: &Path, config: &str, variables: &[(&str, &str)]) -> Self {
        let library = folder.join("shim.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/power/shim.c");
        let mut compile = Command::new("cc");
        let built = compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
        assert!(built.unwrap().success());
        // By a relative name: a path with a space in it cannot be preloaded.
        Self::start_with(folder, config, |command| {
            command.env("LD_PRELOAD", "./shim.so").envs(variables.iter().copied());
        })
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and waits for the end.
    pub(crate) fn stop(&mut self) -> i32 {
        self.signal("TERM");
        self.wait_for_the_end()
    }

    /// Waits until the daemon has ended by itself. Returns its exit code.
    pub(crate) fn wait_for_the_end(&mut self) -> i32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(began.elapsed() < PATIENCE, "the daemon does not stop");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    /// The body of a reply.
    pub(crate) fn get(&self, address: &str, path: &str) -> String {
        self.ask(address, path).1
    }

    /// The status and the body of a reply.
    pub(crate) fn ask(&self, address: &str, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    /// Asks `/readyz` until it answers so.
    #[track_caller]
    pub(crate) fn wait_for_readiness(&self, status: u16, what: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let (answered, body) = self.ask(&self.private, "/readyz");
            let said: Value = serde_json::from_str(&body).unwrap();
            if answered == status && what(&said) {
                return said;
            }
            assert!(began.elapsed() < PATIENCE, "{answered} {body}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the log has this text.
    #[track_caller]
    pub(crate) fn wait_for_log(&self, text: &str) {
        let began = Instant::now();
        while !self.log().contains(text) {
            assert!(began.elapsed() < PATIENCE, "{text}: {}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until there is this file.
    #[track_caller]
    pub(crate) fn wait_for_file(&self, file: &Path) {
        let began = Instant::now();
        while !file.exists() {
            assert!(began.elapsed() < PATIENCE, "{} does not come: {}", file.display(), self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn snapshot(&self) -> Value {
        serde_json::from_str(&self.get(&self.public, "/api/v1/game")).unwrap()
    }

    pub(crate) fn arbiter_snapshot(&self) -> Value {
        serde_json::from_str(&self.get(&self.private, "/api/v1/game")).unwrap()
    }

    /// `draughtsd ctl`.
    pub(crate) fn ctl(&self, arguments: &[&str]) -> Output {
        draughtsd(&self.folder, &[&["ctl", "--socket", "control.sock"], arguments].concat())
    }

    /// Waits until `done` says so of the public snapshot.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, mut done: impl FnMut(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let snapshot = self.snapshot();
            if done(&snapshot) {
                return snapshot;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: {snapshot}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program in a folder.
pub(crate) fn draughtsd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_draughtsd"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The journals in a folder that were set aside, without what belongs to them.
pub(crate) fn set_aside(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_aside = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.contains(".damaged-") && !name.ends_with("-wal") && !name.ends_with("-shm")
    };
    files.filter(is_aside).collect()
}

/// Everything that one stream carried, in order.
pub(crate) type Heard = Arc<Mutex<Vec<Value>>>;

/// Listens to a stream until it ends. Snapshots have the kind `snapshot`.
pub(crate) fn listen(address: &str, heard: &Heard) -> JoinHandle<()> {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let heard = Arc::clone(heard);
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            // The daemon was killed.
            let Ok(line) = line else { return };
            let Some(data) = line.strip_prefix("data: ") else { continue };
            // The last line may be cut off.
            let Ok(event) = serde_json::from_str::<Value>(data) else { return };
            if event.get("kind").is_some() {
                heard.lock().unwrap().push(event);
            }
        }
    })
}

/// Numbers that look random and are the same each time.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From 0 to `below`, exclusive.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }
}
