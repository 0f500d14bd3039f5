//! A board that cannot be opened, or not yet: the daemon says so, and can be stopped all the same.

#![cfg(target_os = "linux")]

mod daemon;

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use daemon::{PATIENCE, draughtsd, folder, simulated};

#[test]
fn games_without_end_are_refused() {
    let folder = folder("endless-games");
    fs::write(folder.join("board.toml"), simulated("russian", 1, "games = \"/dev/zero\"\n")).unwrap();
    let run = draughtsd(&folder, &["run", "--config", "board.toml"]);
    assert_eq!(run.status.code(), Some(65), "{run:?}");
    assert!(String::from_utf8_lossy(&run.stderr).contains("/dev/zero: "), "{run:?}");
}

#[test]
fn a_daemon_that_still_waits_for_its_board_is_stopped_like_any_other() {
    for (name, source, key) in [("fifo-games", "simulated", "games"), ("fifo-trace", "recorded", "trace")] {
        for signal in ["TERM", "INT"] {
            let folder = folder(name);
            assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
            let config = simulated("russian", 1, "").replace("simulated", source);
            fs::write(folder.join("board.toml"), format!("{config}{key} = \"pipe\"\n")).unwrap();
            let mut child = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
                .args(["run", "--config", "board.toml"])
                .current_dir(&folder)
                .env_remove("RUNTIME_DIRECTORY")
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            // It has all it needs but the board.
            let began = Instant::now();
            while !folder.join("control.sock").exists() {
                assert!(began.elapsed() < PATIENCE, "no socket");
                sleep(Duration::from_millis(10));
            }
            let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
            assert!(kill.unwrap().success());
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if began.elapsed() > PATIENCE {
                    child.kill().unwrap();
                    panic!("{name}: SIG{signal} does not stop it");
                }
                sleep(Duration::from_millis(10));
            };
            assert_eq!(status.code(), Some(0), "{name} {signal}");
            assert!(!folder.join("control.sock").exists(), "the socket goes");
        }
    }
}
