//! The real daemon with a clock on a pseudo-terminal, and the arbiter at the command line.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;
#[path = "clock/python.rs"]
mod python;

use daemon::{Daemon, folder};
use python::Python;

/// A board on which nobody moves, with a clock on this port.
fn config(port: &std::path::Path, control: &str) -> String {
    format!(
        "[board]\nsource = \"recorded\"\ngame = \"russian\"\nclock = \"linked\"\n[clock]\nport = \"{}\"\n\
         time-control = \"{control}\"\n[public]\nlisten = \"127.0.0.1:0\"\n[private]\nlisten = \"127.0.0.1:0\"\n\
         [recorded]\ntrace = \"quiet.jsonl\"\n",
        port.display()
    )
}

/// A folder with the recording of that board.
fn quiet(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    let trace = "{\"trace\":1,\"board\":\"russian\",\"crowning\":\"none\"}\n{\"t\":36000000,\"end\":true}\n";
    std::fs::write(folder.join("quiet.jsonl"), trace).unwrap();
    folder
}

#[track_caller]
fn enter(daemon: &Daemon, arguments: &[&str]) {
    let output = daemon.ctl(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Waits until the clock shows that this end runs.
fn until_it_shows(clock: &mut Python, running: &str) -> Vec<String> {
    loop {
        let shown = clock.shows();
        if shown[2] == running {
            return shown;
        }
        std::thread::yield_now();
    }
}

#[test]
fn clock_beside_the_daemon_is_started_stopped_lost_and_found() {
    let mut clock = match Python::start() {
        Ok(clock) => clock,
        Err(error) => {
            println!("skipped: the clock in Python needs `python3`, which cannot be started: {error}");
            return;
        }
    };
    let folder = quiet("clock-daemon");
    let config = config(&clock.port, "600+5");
    let mut daemon = Daemon::start(&folder, &config);
    daemon.wait_until("the clock is not set", |game| game["clock"]["white_ms"] == 600_000);
    while clock.shows()[0] != "600000" {
        std::thread::yield_now();
    }

    enter(&daemon, &["start"]);
    until_it_shows(&mut clock, "left");
    clock.tell("press left");
    let pressed = daemon.wait_until("the press is not heard", |game| game["clock"]["running"] == "black");
    let white_ms = pressed["clock"]["white_ms"].as_u64().unwrap();
    assert!((480_000..=605_000).contains(&white_ms), "{white_ms}");

    enter(&daemon, &["pause"]);
    let stopped = until_it_shows(&mut clock, "none");
    enter(&daemon, &["resume"]);
    until_it_shows(&mut clock, "right");

    // The daemon is killed; White's clock runs and is pressed without it.
    daemon.kill();
    clock.tell("press right");
    clock.tell("press left");
    let daemon = Daemon::start(&folder, &config);
    daemon.wait_until("the clock's own times are not taken", |game| {
        game["clock"]["running"] == "black" && game["clock"]["white_ms"].as_u64() > Some(600_000)
    });
    let shown = clock.shows();
    assert_eq!(shown[2..5], ["right", "2", "1"], "nobody stopped it: {shown:?}, {stopped:?} before");

    // It is switched off and on again, and is told the times.
    clock.tell("cycle");
    until_it_shows(&mut clock, "right");
    assert!(clock.shows()[0].parse::<u64>().unwrap() > 600_000);

    assert!(daemon.get(&daemon.public, "/games.pdn").contains("[TimeControl \"600+5\"]"));
    drop(clock);
    daemon.wait_until("the clock is not missed", |game| game["clock_lost"] == true);
}

#[test]
fn clock_of_a_play_off_takes_what_is_left_into_the_next_game() {
    let mut clock = match Python::start() {
        Ok(clock) => clock,
        Err(error) => {
            println!("skipped: the clock in Python needs `python3`, which cannot be started: {error}");
            return;
        }
    };
    let port = clock.port.clone();
    let mut shows = |left_ms: &str, right_ms: &str| {
        while clock.shows()[..2] != [left_ms, right_ms] {
            std::thread::yield_now();
        }
    };
    let folder = quiet("clock-play-off");
    let config = config(&port, "1200+5;play-off");
    let daemon = Daemon::start(&folder, &config);
    shows("1200000", "1200000");
    // Black has a minute less when the first game is drawn; in the second he is White.
    enter(&daemon, &["clock", "set", "0:10:00", "0:09:00"]);
    enter(&daemon, &["result", "1-1"]);
    enter(&daemon, &["next-game"]);
    shows("540000", "600000");
    // The second is won, so the match is over.
    enter(&daemon, &["result", "2-0"]);
    enter(&daemon, &["next-game"]);
    shows("1200000", "1200000");
    assert!(daemon.get(&daemon.public, "/games.pdn").contains("[TimeControl \"1200+5\"]"));
}
