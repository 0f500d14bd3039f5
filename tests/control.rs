//! `draughtsd ctl`, `status` and `games` against the real daemon: what is entered is done, answered, published to whom
//! it concerns and kept with the name of whoever entered it.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod daemon;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;

use daemon::{Daemon, draughtsd, folder, simulated};
use serde_json::{Value, json};

/// A board on which nothing happens until somebody enters it: the recording has one early change.
fn quiet_board(name: &str) -> Daemon {
    quiet_board_with(name, "", |_| {})
}

fn quiet_board_with(name: &str, more: &str, prepare: impl FnOnce(&mut std::process::Command)) -> Daemon {
    let folder = folder(name);
    std::fs::write(
        folder.join("quiet.jsonl"),
        "{\"trace\":1,\"board\":\"russian\",\"crowning\":\"none\"}\n{\"t\":36000000,\"end\":true}\n",
    )
    .unwrap();
    let config = "[board]\nsource = \"recorded\"\ngame = \"russian\"\n[public]\nlisten = \"127.0.0.1:0\"\n\
                  [private]\nlisten = \"127.0.0.1:0\"\n[recorded]\ntrace = \"quiet.jsonl\"\n";
    Daemon::start_with(&folder, &format!("{config}{more}"), prepare)
}

#[track_caller]
fn done(daemon: &Daemon, arguments: &[&str]) -> Value {
    let output = daemon.ctl(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn refused(daemon: &Daemon, arguments: &[&str]) -> String {
    let output = daemon.ctl(arguments);
    assert_eq!(output.status.code(), Some(65), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_entered_is_done_and_kept_with_whoever_entered_it() {
    let mut daemon = quiet_board("control");
    let status = done(&daemon, &["status"]);
    assert_eq!((&status["board"], &status["game"]["number"]), (&json!("1"), &json!(1)));

    assert_eq!(done(&daemon, &["about", "--white", "Surname, First", "--round", "3"])["round"], "3");
    assert_eq!(daemon.snapshot()["about"]["white"], "Surname, First");
    assert!(refused(&daemon, &["about"]).contains("say what is to change"));
    assert!(
        refused(&daemon, &["about", "--black", "a\nb"]).contains("black is \"a\\nb\"; expected one line")
    );
    assert!(refused(&daemon, &["about", "--site", &"x".repeat(201)]).contains("at most 200 characters"));
    assert!(refused(&daemon, &["about", "--date", "3 May"]).contains("a date like"));
    assert_eq!(done(&daemon, &["about", "--round", ""])["round"], Value::Null);

    done(&daemon, &["start"]);
    done(&daemon, &["pause"]);
    assert_eq!(daemon.snapshot()["phase"], "paused");
    done(&daemon, &["resume"]);
    assert_eq!(daemon.snapshot()["phase"], "playing");

    let position = "W:W21,22,29,30:B1,2,5";
    assert_eq!(done(&daemon, &["position", position])["fen"], position);
    assert_eq!(daemon.snapshot()["fen"], position);
    assert!(refused(&daemon, &["position", "W:W99"]).contains("99"));
    assert!(refused(&daemon, &["crowned", "22"]).contains("no king"));
    assert!(refused(&daemon, &["rule", "1-touch-move-1", "stands"]).contains("no alert"));
    assert!(refused(&daemon, &["seen", "1-touch-move-1"]).contains("no alert"));
    assert!(refused(&daemon, &["choose", "1"]).contains("no explanation 1"));
    assert!(refused(&daemon, &["choose", position]).contains("no explanation"));
    done(&daemon, &["clock", "shows", "0:45:00", "0:44:10", "--running", "white"]);
    assert_eq!(daemon.snapshot()["clock"]["black_ms"], 2_650_000);
    for absurd in [["clock", "shows", "100:00:00", "1"], ["clock", "set", "1", "100:00:00"]] {
        assert!(refused(&daemon, &absurd).contains("below 100 hours"));
    }
    done(&daemon, &["note", "the lamp over board 7 flickers"]);
    let envelope = done(&daemon, &["adjourn", "position"]);
    assert_eq!((&envelope["fen"], &envelope["turn"]), (&json!(position), &json!("white")));
    assert_eq!(daemon.snapshot()["phase"], "adjourned");

    done(&daemon, &["result", "1-1"]);
    assert_eq!(daemon.snapshot()["ending"]["result"], "1-1");
    done(&daemon, &["next-game"]);
    let next = daemon.wait_until("the next game does not begin", |snapshot| snapshot["game"] == "2");
    assert_eq!(next["about"]["white"], "Surname, First");
    // The result of the first game turns out to have been another one.
    done(&daemon, &["result", "2-0", "--game", "1", "--reason", "forfeit"]);
    for none in ["0", "7"] {
        assert!(refused(&daemon, &["result", "2-0", "--game", none]).contains(&format!("no game {none}")));
    }
    assert_eq!(daemon.stop(), 0);

    let folder = &daemon.folder;
    let shown = draughtsd(folder, &["games", "show", "1"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!((&shown["result"], &shown["reason"]), (&json!("2-0"), &json!("forfeit")));
    let entered = shown["entered"].as_array().unwrap();
    assert!(entered.len() >= 14, "{entered:?}");
    for entry in entered {
        assert_eq!(entry["entry"]["who"]["via"], "socket", "{entry}");
        assert!(entry["entry"]["who"]["uid"].is_u64() && entry["entry"]["command"]["do"].is_string());
    }
    assert!(
        entered.iter().any(|entry| entry["entry"]["command"]["text"] == "the lamp over board 7 flickers")
    );
    assert!(entered.iter().any(|entry| entry["entry"]["refused"].is_string()));
    let verified = draughtsd(folder, &["games", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
    assert!(draughtsd(folder, &["games", "re-read"]).status.success());
}

#[test]
fn a_game_is_exported_so_that_it_reads_the_same() {
    let folder = folder("export");
    let mut daemon = Daemon::start(&folder, &simulated("brazilian", 200, "end-after = 1\n"));
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0);

    let trace = draughtsd(&folder, &["games", "export", "1", "--output", "trace"]);
    std::fs::write(folder.join("game.jsonl"), &trace.stdout).unwrap();
    let replayed = draughtsd(&folder, &["replay", "game.jsonl", "--output", "pdn"]);
    let moves = |pdn: &[u8]| {
        let game = draughtsd_core::notation::pdn::Reader::new(pdn).next().unwrap().unwrap();
        game.moves.iter().map(|played| played.mv).collect::<Vec<_>>()
    };
    let exported = draughtsd(&folder, &["games", "export", "1", "--output", "pdn"]);
    assert_eq!(moves(&replayed.stdout), moves(&exported.stdout));
    assert_eq!(moves(&exported.stdout).len(), 71);
    let entries = draughtsd(&folder, &["games", "export", "1", "--output", "json"]);
    assert!(entries.stdout.split(|&byte| byte == b'\n').count() > 1000);
    let list = String::from_utf8(draughtsd(&folder, &["games", "list"]).stdout).unwrap();
    assert!(list.starts_with("1\t1\t") && list.contains("71 moves"), "{list}");
    assert_eq!(draughtsd(&folder, &["games", "show", "9"]).status.code(), Some(66));
    assert_eq!(draughtsd(&folder, &["games", "--journal", "none.db", "list"]).status.code(), Some(66));
}

#[test]
fn a_journal_that_was_tampered_with_shows_it() {
    let folder = folder("tampered");
    let mut daemon = Daemon::start(&folder, &simulated("russian", 200, "end-after = 1\n"));
    daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
    assert_eq!(daemon.stop(), 0);
    let journal = rusqlite::Connection::open(folder.join("draughtsd.db")).unwrap();
    journal.execute("UPDATE entry SET body = body || ' ' WHERE number = 40", []).unwrap();
    drop(journal);
    let verified = draughtsd(&folder, &["games", "verify", "1"]);
    assert_eq!(verified.status.code(), Some(65));
    let said = String::from_utf8(verified.stdout).unwrap();
    assert!(said.contains("does not hold at entry"), "{said}");
}

#[test]
fn the_sides_are_swapped_and_the_game_is_read_again() {
    let folder = folder("sides");
    // Black's man 12 goes to 16, as the contacts have it; in truth White sits there, and played 21-17.
    std::fs::write(
        folder.join("turned.jsonl"),
        "{\"trace\":1,\"board\":\"russian\"}\n{\"t\":1000,\"contact\":12,\"closed\":false}\n\
         {\"t\":1900,\"contact\":16,\"closed\":true}\n{\"t\":36000000,\"end\":true}\n",
    )
    .unwrap();
    let config = "[board]\nsource = \"recorded\"\ngame = \"russian\"\n[public]\nlisten = \"127.0.0.1:0\"\n\
                  [private]\nlisten = \"127.0.0.1:0\"\n[recorded]\ntrace = \"turned.jsonl\"\nspeed = 20\n";
    let mut daemon = Daemon::start(&folder, config);
    daemon.wait_until("the contacts do not change", |snapshot| {
        snapshot["contacts"].as_array().unwrap().contains(&json!(16))
    });
    assert_eq!(done(&daemon, &["swap-sides"])["from"], 1);
    let read = daemon.wait_until("the move is not read", |snapshot| {
        snapshot["game"] == "2" && !snapshot["moves"].as_array().unwrap().is_empty()
    });
    assert_eq!((&read["moves"][0]["side"], &read["moves"][0]["from"]), (&json!("white"), &json!(21)));
    // And it stays so over a restart.
    daemon.kill();
    let daemon = Daemon::start(&folder, config);
    // The move may have been provisional when the daemon was killed, and is told again once it is final.
    let read =
        daemon.wait_until("the move is gone", |snapshot| !snapshot["moves"].as_array().unwrap().is_empty());
    assert_eq!((&read["game"], &read["moves"][0]["to"]), (&json!("2"), &json!(17)));
}

#[test]
fn what_was_entered_about_the_misread_game_is_left_out_when_the_sides_are_swapped() {
    let mut daemon = quiet_board("sides-entered");
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    done(&daemon, &["start"]);
    done(&daemon, &["position", "W:W21,22,29,30:B1,2,5"]);
    done(&daemon, &["swap-sides"]);
    let read = daemon.wait_until("the game is not read again", |snapshot| {
        snapshot["game"] == "2" && snapshot["phase"] == "playing"
    });
    assert_eq!(read["white"].as_array().unwrap().len(), 12, "there is no such position on the board: {read}");
    daemon.wait_for_log("left out, since it was about the game as it was misread");
    // One that fits the discs as the squares are numbered now is one of the true board.
    done(&daemon, &["position", start]);
    done(&daemon, &["swap-sides"]);
    daemon.wait_until("the position is not set again", |snapshot| {
        snapshot["game"] == "3" && snapshot["fen"] == start
    });
    // All of it is kept with the games in which it was entered.
    assert_eq!(daemon.stop(), 0);
    let entries = draughtsd(&daemon.folder, &["games", "export", "1", "--output", "json"]);
    assert!(String::from_utf8(entries.stdout).unwrap().contains("W:W21,22,29,30:B1,2,5"));
    assert!(draughtsd(&daemon.folder, &["games", "verify"]).status.success());
}

#[test]
fn the_socket_is_closed_to_strangers_and_hears_no_nonsense() {
    let daemon = quiet_board("socket");
    let path = daemon.folder.join("control.sock");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o660);

    let mut socket = UnixStream::connect(&path).unwrap();
    let mut answers = BufReader::new(socket.try_clone().unwrap()).lines();
    let nonsense = ["", "{", "[]", "{\"do\":\"dance\"}", "{\"do\":\"rule\",\"alert\":\"1\"}", "\u{0}\u{ff}"];
    let commands =
        ["status", "alerts", "explanations", "start", "pause", "resume", "swap-sides", "next-game"];
    let unknown_keys = commands.map(|command| format!("{{\"do\":\"{command}\",\"now\":1}}"));
    let nested = ["{\"do\":\"about\",\"about\":{\"white\":\"A\",\"rating\":1}}".to_owned()];
    for nonsense in nonsense.map(str::to_owned).into_iter().chain(unknown_keys).chain(nested) {
        writeln!(socket, "{nonsense}").unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["refused"]["error"], "not-a-command", "{nonsense}: {answer}");
    }
    writeln!(socket, "{{\"do\":\"status\"}}").unwrap();
    let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
    assert_eq!(answer["ok"]["board"], "1");
    // A line without end is not read to its end.
    let long = vec![b'x'; 70_000];
    let _ = socket.write_all(&long);
    let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
    assert_eq!(answer["refused"]["error"], "too-long");

    // A second daemon in the same folder stops before it touches anything.
    let second = draughtsd(&daemon.folder, &["run", "--config", "board.toml"]);
    assert_eq!(second.status.code(), Some(69));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another daemon"), "{second:?}");
}

#[test]
fn peers_that_do_not_read_their_answers_are_hung_up_on() {
    let daemon = quiet_board("socket-unread");
    let path = daemon.folder.join("control.sock");
    let peers: Vec<UnixStream> = (0..16)
        .map(|_| {
            let mut peer = UnixStream::connect(&path).unwrap();
            peer.set_nonblocking(true).unwrap();
            // Until neither side takes any more.
            while peer.write_all(b"{\"do\":\"status\"}\n").is_ok() {}
            peer
        })
        .collect();
    let began = std::time::Instant::now();
    while daemon.ctl(&["status"]).status.code() != Some(0) {
        assert!(began.elapsed() < daemon::PATIENCE, "nobody comes in any more");
    }
    drop(peers);
}

#[test]
fn nobody_listening_is_said_with_what_to_do() {
    let folder = folder("nobody");
    for arguments in [&["ctl", "--socket", "none.sock", "status"][..], &["status", "--socket", "none.sock"]] {
        let output = draughtsd(&folder, arguments);
        assert_eq!(output.status.code(), Some(69));
        assert!(String::from_utf8_lossy(&output.stderr).contains("does the daemon run"), "{output:?}");
    }
}

#[test]
fn a_log_that_nobody_reads_ends_no_game_and_holds_none_up() {
    for (name, is_closed) in [("log-closed", true), ("log-not-read", false)] {
        let folder = folder(name);
        let config = simulated("russian", 200, "end-after = 1\n[log]\nlevel = \"debug\"\n");
        let mut daemon = Daemon::start_with(&folder, &config, |command| {
            command.stderr(std::process::Stdio::piped());
        });
        let log = daemon.child.stderr.take();
        // A pipe takes 64 KB, which is a small part of what is said.
        let not_read = log.filter(|_| !is_closed);
        daemon.wait_until("the game does not end", |snapshot| snapshot["phase"] == "ended");
        assert_eq!(daemon.stop(), 0);
        assert!(draughtsd(&folder, &["games", "verify"]).status.success());
        let Some(mut log) = not_read else { continue };
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        assert!((4_000..70_000).contains(&text.len()), "{}: the pipe was not full", text.len());
    }
}

#[test]
fn lines_of_the_log_that_found_no_room_are_counted() {
    for format in ["text", "json"] {
        let mut daemon =
            quiet_board_with("log-slow", &format!("[log]\nformat = \"{format}\"\n"), |command| {
                command.stderr(std::process::Stdio::piped());
            });
        let log = daemon.child.stderr.take().unwrap();
        let mut socket = UnixStream::connect(daemon.folder.join("control.sock")).unwrap();
        let mut answers = BufReader::new(socket.try_clone().unwrap()).lines();
        let notes = 2000;
        for number in 0..notes {
            let text = format!("note {number} {}", "x".repeat(1500));
            writeln!(socket, "{}", json!({ "do": "note", "text": text })).unwrap();
            assert!(answers.next().unwrap().unwrap().starts_with("{\"ok\""));
        }
        let reading = std::thread::spawn(move || {
            let lines: Vec<String> = BufReader::new(log).lines().map(Result::unwrap).collect();
            let written = lines.iter().filter(|line| line.contains("xxxx")).count();
            let missing = lines.iter().filter(|line| line.contains("lines of the log are missing here"));
            let missing: usize = missing.map(|line| count_in(line, format)).sum();
            (written, missing)
        });
        assert_eq!(daemon.stop(), 0);
        let (written, missing) = reading.join().unwrap();
        assert!(written < 1000, "{written}");
        assert_eq!(written + missing, notes, "{format}");
    }
}

/// How many lines a line says are missing.
fn count_in(line: &str, format: &str) -> usize {
    if format == "json" {
        let said: Value = serde_json::from_str(line).unwrap();
        return usize::try_from(said["lines"].as_u64().unwrap()).unwrap();
    }
    line.rsplit_once("lines=").unwrap().1.parse().unwrap()
}

#[test]
fn a_configuration_that_was_changed_is_read_again() {
    let daemon = quiet_board("reload");
    let config = std::fs::read_to_string(daemon.folder.join("board.toml")).unwrap();
    let changed = config.replace("russian", "brazilian") + "[event]\nwhite = \"New, Name\"\n";
    std::fs::write(daemon.folder.join("board.toml"), changed).unwrap();
    daemon.signal("HUP");
    daemon.wait_until("the name is not read", |snapshot| snapshot["about"]["white"] == "New, Name");
    daemon.wait_for_log("board.game");
    std::fs::write(daemon.folder.join("board.toml"), "[bord]\n").unwrap();
    daemon.signal("HUP");
    daemon.wait_for_log("stays as it was");
    assert_eq!(daemon.snapshot()["about"]["white"], "New, Name");
}

#[test]
fn the_private_server_answers_this_machine_alone() {
    let daemon = quiet_board("private");
    assert!(daemon.get(&daemon.private, "/metrics").contains("# TYPE draughtsd_inputs_total counter"));
    let ready: Value = serde_json::from_str(&daemon.get(&daemon.private, "/readyz")).unwrap();
    assert_eq!((&ready["status"], &ready["journal"]), (&json!("ready"), &json!("kept")));
    assert!(daemon.get(&daemon.public, "/metrics").contains("not-found"), "nothing private is public");

    let mut stream = std::net::TcpStream::connect(&daemon.private).unwrap();
    write!(stream, "GET /api/v1/game HTTP/1.1\r\nhost: example.org\r\nconnection: close\r\n\r\n").unwrap();
    let mut reply = String::new();
    std::io::Read::read_to_string(&mut stream, &mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 421") && !reply.contains("access-control"), "{reply}");
}
