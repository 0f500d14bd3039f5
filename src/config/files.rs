//! The files that a configuration names: each has a name, and what the daemon writes is nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Config, Problem};
use crate::journal::place::{COMPANIONS, companion};

/// The longest name of a socket, in bytes: the system takes 107, with the folder of the service before it, and while the
/// socket is made the number of the process behind it.
const LONGEST_SOCKET: usize = 80;

/// What is wrong with the names.
///
/// - `itself`: the file of the configuration, where it came from one.
pub(super) fn check(config: &Config, itself: Option<&Path>, problems: &mut Vec<Problem>) {
    let (journal, socket) = (&config.journal.file, &config.control.socket);
    let mut refuse = |key: &str, path: &Path, expected: String, advice| {
        problems.push(Problem { key: key.to_owned(), found: format!("{path:?}"), expected, advice });
    };
    let read: Vec<(&str, &Path)> = [
        ("scan.pin-map", Some(&config.scan.pin_map)),
        ("scan.stack-calibration", Some(&config.scan.stack_calibration)),
        ("clock.port", config.clock.port.as_ref()),
        ("simulated.games", config.simulated.games.as_ref()),
        ("recorded.trace", config.recorded.trace.as_ref()),
    ]
    .into_iter()
    .filter_map(|(key, path)| Some((key, path?.as_path())))
    .chain(itself.map(|path| ("the configuration", path)))
    .collect();
    let of_others = |path: &Path| read.iter().find(|(_, other)| is_same(path, other)).map(|(key, _)| *key);

    let kept = "the games are kept there";
    if !is_name(journal) {
        refuse("journal.file", journal, "the name of a file".to_owned(), kept);
    } else if let Some(other) = of_the_journal(journal).iter().find_map(|path| of_others(path)) {
        refuse("journal.file", journal, format!("another file than that of {other}"), kept);
    }
    let reached = "`draughtsd ctl` and `status` reach the daemon there";
    if !is_name(socket) {
        refuse("control.socket", socket, "the name of a file".to_owned(), reached);
    } else if socket.as_os_str().len() > LONGEST_SOCKET {
        refuse("control.socket", socket, format!("a name of at most {LONGEST_SOCKET} bytes"), reached);
    } else if of_the_journal(journal).iter().any(|path| is_same(socket, path)) {
        let expected = "another name than those of journal.file and of what is beside it";
        refuse("control.socket", socket, expected.to_owned(), reached);
    } else if let Some(other) = of_others(socket) {
        refuse("control.socket", socket, format!("another file than that of {other}"), reached);
    }
}

/// Whether a path names a file: no folder, and nothing that no system takes.
fn is_name(path: &Path) -> bool {
    path.file_name().is_some() && !path.as_os_str().as_encoded_bytes().contains(&0)
}

fn of_the_journal(journal: &Path) -> Vec<PathBuf> {
    let companions = COMPANIONS.iter().map(|suffix| companion(journal, suffix));
    [journal.to_owned()].into_iter().chain(companions).collect()
}

/// Whether two names are of one file, as far as can be told without opening it.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
