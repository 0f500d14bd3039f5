//! `draughtsd sensors` on a terminal: what is on the screen, the guided test, and the report.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

const ROWS: u16 = 30;
const COLUMNS: u16 = 90;

/// Longer than anything takes on a busy machine; nothing waits for it but a test that fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// The command on a terminal, and what the terminal shows. Ended with the test, however it ends.
struct OnTerminal {
    child: Child,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl OnTerminal {
    fn start(arguments: &[&str]) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let size = Winsize { ws_row: ROWS, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(theirs.as_fd(), size).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
            .arg("sensors")
            .args(arguments)
            .env("TERM", "xterm-256color")
            .stdin(Stdio::from(theirs.try_clone().unwrap()))
            .stdout(Stdio::from(theirs.try_clone().unwrap()))
            .stderr(Stdio::from(theirs))
            .spawn()
            .unwrap();
        let keyboard = File::from(ours);
        let mut reading = keyboard.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // An error is how a terminal says that nobody is at its other end any more.
            while let Ok(count) = reading.read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keyboard, output, screen: vt100::Parser::new(ROWS, COLUMNS, 0) }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen is as `wanted` says.
    #[track_caller]
    fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) {
        let began = Instant::now();
        loop {
            let text = self.screen.screen().contents();
            if wanted(&text) {
                return;
            }
            let Some(left) = PATIENCE.checked_sub(began.elapsed()) else { panic!("no {what}:\n{text}") };
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(_) => panic!("no {what}:\n{text}"),
            }
        }
    }

    #[track_caller]
    fn until_all_shown(&mut self, wanted: &[&str]) {
        self.until(&wanted.join(", "), |text| wanted.iter().all(|part| text.contains(part)));
    }

    /// Waits for its end; the terminal is as it was.
    #[track_caller]
    fn until_ended(mut self) {
        self.until("end", |_| true);
        assert!(self.child.wait().unwrap().success());
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_secs(10)) {
            self.screen.process(&bytes);
        }
        assert!(!self.screen.screen().alternate_screen() && !self.screen.screen().hide_cursor());
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn the_board_is_shown_with_its_contacts_and_its_bounces() {
    let mut terminal = OnTerminal::start(&["--simulated"]);
    // The first rows of the diagram: discs on 1 to 20, light squares empty.
    terminal.until_all_shown(&[
        "Contacts: international board, simulated, 1000 scans a second",
        "\n     1●      2●      3●      4●      5●",
        "\n 6●      7●      8●      9●     10●",
        "\n    21·     22·     23·     24·     25·",
        "40 of 50 closed",
    ]);
    terminal.press("\t");
    terminal.until_all_shown(&["longest", "\n 1   0", " 50   0", "t: guided test"]);
    terminal.press("q");
    terminal.until_ended();
}

#[test]
fn faults_of_the_wiring_are_told_in_words() {
    let mut terminal = OnTerminal::start(&["--simulated", "--fault", "row-high:3"]);
    terminal.until_all_shown(&["! Row 3 (GPIO 27, header pin 13", "does not go low when it is"]);
    terminal.press("\u{3}");
    terminal.until_ended();
}

#[test]
fn the_guided_test_asks_for_every_square_and_writes_a_report() {
    let report = temporary("sensors-report.txt");
    let config = temporary("sensors-guided.toml");
    std::fs::write(&config, "[board]\ngame = \"russian\"\n").unwrap();
    let arguments = ["--simulated", "--config", config.to_str().unwrap()];
    let faults = ["--fault", "column-broken:2", "--report", report.to_str().unwrap()];
    let mut terminal = OnTerminal::start(&[&arguments[..], &faults].concat());
    terminal.until_all_shown(&["18 of 32 closed"]);
    terminal.press("t");
    for number in 1..=32 {
        let asked = format!("put a disc on square {number}.");
        terminal.until_all_shown(&[&asked]);
        // The contacts of the second column do not answer, and people say so.
        if number % 4 == 2 {
            terminal.press(" ");
        }
        terminal.until("next square", |text| !text.contains(&asked));
    }
    terminal.until_all_shown(&["The report is in", "! Column 2 (GPIO 12, header pin 32"]);
    let text = std::fs::read_to_string(&report).unwrap();
    assert!(text.starts_with("Contacts of board 1 (russian), 20"), "{text}");
    assert!(text.contains("\n- Column 2 (GPIO 12, header pin 32, ribbon 19, R12"), "{text}");
    assert!(text.contains("32 of 32 squares asked for, 24 good."), "{text}");
    // The simulated contact closes, opens and closes again in three scans.
    assert!(text.contains("\n     1  good              1 "), "{text}");
    assert!(text.contains("\n     2  silent            0        0        0     0 ms"), "{text}");
    terminal.press("q");
    terminal.until_ended();
}

/// A configuration of a Russian board with Hall sensors.
fn with_hall_sensors(name: &str) -> PathBuf {
    let config = temporary(name);
    std::fs::write(&config, "[board]\nsource = \"simulated\"\ngame = \"russian\"\ncrowning = \"stack\"\n")
        .unwrap();
    config
}

#[test]
fn the_guided_calibration_goes_through_all_places_and_writes_the_file() {
    let config = with_hall_sensors("sensors-calibrate.toml");
    let file = temporary("sensors-hall.toml");
    let _ = std::fs::remove_file(&file);
    let arguments = ["--simulated", "--config", config.to_str().unwrap()];
    let calibrate = ["--calibrate", file.to_str().unwrap()];
    let mut terminal = OnTerminal::start(&[&arguments[..], &calibrate].concat());
    terminal.until_all_shown(&["Calibration: russian board, step 1 of 81", "Take all discs off the board"]);
    terminal.press("\r");
    let mut step = 2;
    for square in [1, 2, 3, 4, 29, 30, 31, 32] {
        for discs in ["one disc, dot up,", "two discs, dots up,"] {
            for place in 0..5 {
                let place = if place == 0 { "in the centre of" } else { "5 mm towards the" };
                let wanted = [
                    format!("step {step} of 81"),
                    format!("Put {discs} {place}"),
                    format!("square {square}, then press"),
                ];
                terminal.until_all_shown(&wanted.each_ref().map(String::as_str));
                // Once, one goes back and does it again.
                if step == 4 {
                    terminal.press("b");
                    terminal.until_all_shown(&["step 3 of 81"]);
                    terminal.press("\r");
                    terminal.until_all_shown(&["step 4 of 81"]);
                }
                assert!(!file.exists());
                terminal.press("\r");
                step += 1;
            }
        }
    }
    terminal.until_ended();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Calibration of board 1 (russian), 20"), "{text}");
    let measured: toml::Table = text.parse().unwrap();
    for square in [1, 2, 3, 4, 29, 30, 31, 32] {
        let points = &measured["stack"][&format!("square-{square}")];
        // Every reading has a step more or less, a mean of many hardly.
        for (point, expected) in [("empty", 2048), ("man", 2115), ("king", 2146)] {
            let level = points[point].as_integer().unwrap();
            assert!((expected - 1..=expected + 1).contains(&level), "{text}");
        }
    }
    // A daemon on such sensors takes it.
    let gpio = "[board]\ngame = \"russian\"\ncrowning = \"stack\"\n[scan]\nstack-calibration = ";
    std::fs::write(&config, format!("{gpio}{file:?}\n")).unwrap();
    let checked =
        Command::new(env!("CARGO_BIN_EXE_draughtsd")).arg("check").arg("--config").arg(&config).output();
    assert!(checked.unwrap().status.success());
}

#[test]
fn a_sensor_that_lies_too_near_is_refused_with_what_to_do() {
    let config = with_hall_sensors("sensors-shallow.toml");
    let file = temporary("sensors-shallow-hall.toml");
    let _ = std::fs::remove_file(&file);
    let arguments = ["--simulated", "--config", config.to_str().unwrap(), "--fault", "sensor-shallow:1"];
    let calibrate = ["--calibrate", file.to_str().unwrap()];
    let mut terminal = OnTerminal::start(&[&arguments[..], &calibrate].concat());
    for step in 1..=11 {
        terminal.until_all_shown(&[&format!("step {step} of 81")]);
        terminal.press("\r");
    }
    terminal.until_all_shown(&[
        "step 2 of 81",
        "H1 (converter 1, input 0): the step from man to king is",
        "sensor deeper",
    ]);
    terminal.press("q");
    terminal.until("end", |_| true);
    assert_eq!(terminal.child.wait().unwrap().code(), Some(74));
    assert!(!file.exists());
}

#[test]
fn hall_sensors_are_shown_and_their_faults_told() {
    let config = with_hall_sensors("sensors-hall-view.toml");
    let arguments = ["--simulated", "--config", config.to_str().unwrap()];
    let broken = ["--fault", "sensor-silent:2", "--fault", "sensor-low:29"];
    let mut terminal = OnTerminal::start(&[&arguments[..], &broken].concat());
    terminal.until_all_shown(&[
        "kings   1·",
        "   2!----",
        "kings  29!   0",
        "! Sensor H2 under square 2 (converter 1, input 1) does not answer",
        "! Sensor H29 under square 29 (converter 2, input 0) reads 0, expected",
    ]);
    terminal.press("q");
    terminal.until_ended();
    let said = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
        .arg("sensors")
        .args([&arguments[..], &broken, &["--once"]].concat())
        .output()
        .unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.contains("\n- Sensor H2 under square 2 (converter 1, input 1): no answer\n"), "{text}");
    assert!(text.contains("\n- Sensor H29 under square 29 (converter 2, input 0): 0 (0.000 V)\n"), "{text}");
}

#[test]
fn without_a_terminal_it_says_once_what_there_is() {
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_draughtsd")).arg("sensors").args(arguments).output().unwrap()
    };
    let said = run(&["--simulated", "--once", "--fault", "column-low:8"]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(said.status.success() && text.contains("Backend simulated: "), "{text}");
    assert!(text.contains("\n- Column 8 (GPIO 21, header pin 40"), "{text}");
    assert!(text.contains("\nClosed contacts: square-1 square-2 square-3"), "{text}");

    let trace = temporary("sensors-recorded.jsonl");
    let closes = "{\"t\":1,\"contact\":17,\"closed\":true}";
    std::fs::write(&trace, format!("{{\"trace\":1,\"board\":\"russian\",\"closed\":[3]}}\n{closes}\n"))
        .unwrap();
    let config = temporary("sensors-recorded.toml");
    let recorded = format!("[board]\nsource = \"recorded\"\n[recorded]\ntrace = {trace:?}\n");
    std::fs::write(&config, recorded).unwrap();
    let said = run(&["--config", config.to_str().unwrap(), "--once"]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.contains("Backend recorded: "), "{text}{}", String::from_utf8_lossy(&said.stderr));
    // The wells are full at the beginning.
    assert!(text.contains("\nClosed contacts: square-3 square-17 well-near-1"), "{text}");

    let refused = run(&["--simulated"]);
    assert_eq!(refused.status.code(), Some(64));
    let refused = run(&["--simulated", "--fault", "row-low:0"]);
    assert_eq!(refused.status.code(), Some(64));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("wires counted from 1"));
}
