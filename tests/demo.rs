//! `draughtsd demo` as a program: its first line, its port, its end.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// A demo under way; ended when the test ends, however it ends.
struct Demo {
    child: Child,
    port: u16,
}

impl Demo {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
            .arg("demo")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
        let port = first.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix("/\n"));
        Self { child, port: port.unwrap_or_else(|| panic!("{first}")).parse().unwrap() }
    }

    fn get(&self, path: &str) -> String {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(connection, "GET {path} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_first_line_is_the_address_and_the_page_is_there() {
    let demo = Demo::start(&["--port", "0"]);
    assert!(demo.get("/").starts_with("HTTP/1.1 200 OK\r\n"));
    assert!(demo.get("/api/v1/game").contains(r#""kind":"snapshot""#));
}

#[test]
fn a_taken_port_is_passed_over() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let demo = Demo::start(&["--port", &port.to_string()]);
    assert!(demo.port > port && demo.port < port.saturating_add(100), "{} after {port}", demo.port);
}

#[test]
fn it_ends_with_the_game_if_it_is_told_to() {
    let mut demo = Demo::start(&["--port", "0", "--board", "russian", "--speed", "1000", "--exit-at-end"]);
    assert!(demo.child.wait().unwrap().success());
}

#[test]
fn a_wrong_speed_is_refused_with_a_reason() {
    let refused =
        Command::new(env!("CARGO_BIN_EXE_draughtsd")).args(["demo", "--speed", "0"]).output().unwrap();
    assert!(!refused.status.success());
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("from 0.1 to 1000"), "{said}");
}
