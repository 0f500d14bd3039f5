//! The command line as a whole: help, completions and manual pages, the configuration and its check.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use clap::CommandFactory as _;
use draughtsd::cli::Arguments;
use draughtsd::config::Config;
use draughtsd::pinmap;

fn draughtsd(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_draughtsd")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn commands() -> Vec<clap::Command> {
    Arguments::command().get_subcommands().cloned().collect()
}

#[test]
fn the_arguments_are_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn every_command_says_what_it_does_and_gives_an_example() {
    for command in commands().iter().chain([&Arguments::command()]) {
        let name = command.get_name();
        assert!(command.get_about().is_some(), "{name} does not say what it does");
        let after = command.get_after_help().unwrap_or_else(|| panic!("{name} has no example")).to_string();
        assert!(after.starts_with("Example"), "{name}: {after}");
        assert!(
            after.contains(&format!("\n  draughtsd{}", if name == "draughtsd" { "" } else { " " })),
            "{name}: {after}"
        );
        assert!(name == "draughtsd" || after.contains(&format!("draughtsd {name}")), "{name}: {after}");
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{name}: {} is not explained", argument.get_id());
        }
    }
}

#[test]
fn a_configuration_without_end_is_refused() {
    let checked = draughtsd(&["check", "--config", "/dev/zero"]);
    assert_eq!(checked.status.code(), Some(66));
    assert!(text(checked.stderr).contains("longer than"));
}

#[test]
fn a_complaint_that_nobody_reads_changes_no_exit_code() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_draughtsd"));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = command.args(["check", "--config", "/none.toml"]).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(66));
}

#[test]
fn completions_know_every_command_in_every_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let done = draughtsd(&["completions", shell]);
        assert!(done.status.success());
        let script = text(done.stdout);
        for command in commands() {
            assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
        }
        assert!(script.contains("audience"), "{shell}");
    }
    assert_eq!(draughtsd(&["completions", "cmd"]).status.code(), Some(64));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = folder("man").join("man1");
    let done = draughtsd(&["man", "--out", folder.to_str().unwrap()]);
    assert!(done.status.success() && done.stdout.is_empty(), "{done:?}");
    let mut pages: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    let mut expected = vec!["draughtsd.1".to_owned()];
    expected.extend(commands().iter().map(|command| format!("draughtsd-{}.1", command.get_name())));
    expected.sort();
    assert_eq!(pages, expected);
    for page in pages {
        let page = fs::read_to_string(folder.join(page)).unwrap();
        assert!(page.contains(".TH draughtsd") && page.contains(".SH EXAMPLE"), "{page}");
    }
    let top = draughtsd(&["man"]);
    assert_eq!(text(top.stdout), fs::read_to_string(folder.join("draughtsd.1")).unwrap());
}

#[test]
fn the_printed_configuration_passes_the_check() {
    let printed = draughtsd(&["config"]);
    let path = folder("printed").join("board.toml");
    fs::write(&path, &printed.stdout).unwrap();
    let checked = draughtsd(&["check", "--config", path.to_str().unwrap()]);
    assert!(checked.status.success(), "{checked:?}");
    assert!(text(checked.stdout).ends_with("board.toml: in order (board 1, international)\n"));
}

#[test]
fn every_example_configuration_is_in_order() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("config/examples");
    let mut found = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let config = Config::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(config.board.game.to_string().as_str()));
        found += 1;
    }
    assert_eq!(found, 3, "one for each game");
}

#[test]
fn a_pin_map_that_cannot_be_wired_fails_the_check() {
    let folder = folder("pin-map");
    let (config, map) = (folder.join("board.toml"), folder.join("pins.toml"));
    fs::write(
        &config,
        format!("[board]\ngame = \"russian\"\n[scan]\npin-map = {:?}\n", map.to_str().unwrap()),
    )
    .unwrap();
    let check = |content: &str, code: i32, words: &str| {
        fs::write(&map, content).unwrap();
        let done = draughtsd(&["check", "--config", config.to_str().unwrap()]);
        let (code_found, said) = (done.status.code(), text(done.stderr));
        assert!(code_found == Some(code) && said.contains(words), "{code_found:?} {said:?}");
    };
    check(pinmap::DEFAULT, 0, "");
    let twice = pinmap::DEFAULT.replacen("bcm = 18, pin = 12", "bcm = 17, pin = 11", 1);
    check(&twice, 78, "pins.toml: 1 problem\n  line 23: rows.2: GPIO 17 is taken by rows.1 already\n");
    check(&pinmap::DEFAULT.replacen("square-1 ", "square-99 ", 1), 78, "board-100.contacts.square-99");
    let large_only = &pinmap::DEFAULT[..pinmap::DEFAULT.find("# Brazilian and Russian").unwrap()];
    check(
        large_only,
        78,
        "the pin map describes no board for russian; it needs the table [board-64.contacts]",
    );
    fs::remove_file(&map).unwrap();
    let done = draughtsd(&["check", "--config", config.to_str().unwrap()]);
    assert!(!done.status.success() && text(done.stderr).contains("pins.toml: No such file"));
}

#[test]
fn a_wrong_configuration_is_told_from_a_missing_one() {
    let path = folder("wrong").join("board.toml");
    let path = path.to_str().unwrap();
    let check = |content: &str| {
        fs::write(path, content).unwrap();
        let done = draughtsd(&["check", "--config", path]);
        assert_eq!(done.status.code(), Some(78), "{done:?}");
        assert!(done.stdout.is_empty());
        let said = text(done.stderr);
        assert_eq!(said.matches(path).count(), 1, "said twice: {said}");
        said
    };
    let said = check("[reading]\nreleas-ms = 1000\n");
    assert!(said.starts_with(&format!("draughtsd: {path}: ")), "{said}");
    assert!(said.contains("2 | releas-ms = 1000") && said.contains("did you mean `release-ms`?"), "{said}");
    assert_eq!(said.matches("unknown field").count(), 1, "said twice: {said}");

    let said = check("[reading]\npass-ms = 400\nrelease-ms = 200\n");
    assert!(said.contains("2 problems"), "{said}");
    assert!(
        said.contains("\n  reading.pass-ms is 400; expected less than reading.dropout-ms, which is 320: "),
        "{said}"
    );
    assert!(said.contains("\n  reading.release-ms is 200; expected more than "), "{said}");

    let missing = draughtsd(&["check", "--config", "/nowhere/board.toml"]);
    assert_eq!(missing.status.code(), Some(66));
    assert!(text(missing.stderr).contains("/nowhere/board.toml: No such file"));
    assert_eq!(draughtsd(&["check", "--config", "/"]).status.code(), Some(66));
}
