//! The clock in Python (`reference.py`), which was written from the specification alone, as a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The clock in Python, on a pseudo-terminal of its own. Dropping it ends the process.
pub(crate) struct Python {
    process: Child,
    commands: ChildStdin,
    says: BufReader<ChildStdout>,
    /// The daemon's end.
    pub(crate) port: PathBuf,
}

impl Python {
    /// Starts the Python clock, if there is Python.
    pub(crate) fn start() -> std::io::Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clock/reference.py");
        let mut process =
            Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let commands = process.stdin.take().unwrap();
        let mut says = BufReader::new(process.stdout.take().unwrap());
        let mut port = String::new();
        says.read_line(&mut port).unwrap();
        Ok(Self { process, commands, says, port: PathBuf::from(port.trim()) })
    }

    /// Does something to the clock.
    pub(crate) fn tell(&mut self, command: &str) {
        writeln!(self.commands, "{command}").unwrap();
        self.commands.flush().unwrap();
    }

    /// Both times, who runs, both counters of presses, the text.
    pub(crate) fn shows(&mut self) -> Vec<String> {
        self.tell("show");
        let mut line = String::new();
        self.says.read_line(&mut line).unwrap();
        line.split_whitespace().skip(1).map(str::to_owned).collect()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
