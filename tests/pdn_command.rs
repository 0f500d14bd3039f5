//! `draughtsd pdn` as a broadcaster runs it: files, pipes, archives, exit codes.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use draughtsd::fixtures;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A folder of its own for each test, empty at its beginning.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pdn-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).expect("a file");
    path.to_str().expect("a plain path").to_owned()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("written");
    encoder.finish().expect("finished")
}

/// Runs `draughtsd pdn` with `stdin` piped in.
fn run_with(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
        .arg("pdn")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(stdin).expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

/// Exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = run_with(arguments, b"");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

const BAD: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. 32-28 19-23 2. 28-19 *\n";

fn all_three() -> String {
    [fixtures::INTERNATIONAL, fixtures::RUSSIAN, fixtures::BRAZILIAN].join("\n")
}

#[test]
fn check_finds_nothing_in_good_files() {
    let folder = folder("check-good");
    let plain = write(&folder, "three.pdn", all_three());
    let zipped = write(&folder, "three.pdn.gz", gzip(&all_three()));
    let (code, out, err) = run(&["check", &plain, &zipped]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(
        err,
        format!(
            "{plain}: 3 games, 0 wrong; 270 plies in the others\n\
             {zipped}: 3 games, 0 wrong; 270 plies in the others\n"
        )
    );
}

#[test]
fn check_names_file_game_move_and_alternatives() {
    let folder = folder("check-bad");
    let file =
        write(&folder, "bad.pdn", format!("{}\n{BAD}\n{}", fixtures::INTERNATIONAL, fixtures::RUSSIAN));
    let (code, out, err) = run(&["check", &file]);
    assert_eq!(code, 65);
    let line = 9 + fixtures::INTERNATIONAL.lines().count() - 4;
    assert_eq!(
        out,
        format!(
            "{file}:{line}: game 2 (A - B), move 2 of white: `28-19` is a capture and is written `28x19`; legal: 28x19\n"
        )
    );
    assert_eq!(err, format!("{file}: 3 games, 1 wrong; 199 plies in the others\n"));
    let (code, out, _) = run(&["check", "--quiet", "--most", "0", &file]);
    assert_eq!((code, out.as_str()), (65, ""));
}

#[test]
fn the_kind_of_game_may_be_told() {
    let output = run_with(&["check", "--board", "international", "-"], b"1. c3-d4 *");
    assert_eq!(output.status.code(), Some(65));
    let output = run_with(&["check", "--board", "brazilian", "-"], b"1. c3-d4 *");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn convert_gives_strict_pdn_and_leaves_bad_games_out() {
    let input = format!("01. 32-28 19-23 02. 28:19 14:23 (2... 13x24) 1-1\n\n{BAD}\n{}", fixtures::BRAZILIAN);
    let output = run_with(&["convert", "-"], &gzip(&input));
    assert_eq!(output.status.code(), Some(65));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        out.contains(
            "[Result \"1-1\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[Event \"Online"
        ),
        "{out}"
    );
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        err.starts_with("-:6: game 2 (A - B), move 2 of white: ")
            && err.ends_with("-: 1 variation left out\n"),
        "{err}"
    );
    // What comes out needs no more repair.
    let again = run_with(&["convert", "-"], out.as_bytes());
    assert_eq!(
        (again.status.code(), String::from_utf8(again.stdout).as_deref()),
        (Some(0), Ok(out.as_str()))
    );
}

#[test]
fn convert_changes_notation_and_sign() {
    let output = run_with(
        &["convert", "--notation", "numeric", "--capture", "colon", "--bare", "-"],
        fixtures::RUSSIAN.as_bytes(),
    );
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(out.contains("[GameType \"25,W,8,8,N2,0\"]\n\n1. 22-17 11-15 2."), "{out}");
    assert!(out.contains(" 5. 20:11 7:16 "), "{out}");
    let again = run_with(&["convert", "-"], out.as_bytes());
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&String::from_utf8(again.stdout).expect("UTF-8")), words(fixtures::RUSSIAN));
}

#[test]
fn convert_to_json() {
    let output = run_with(
        &["convert", "--to", "json", "-"],
        b"[White \"A\"] [Result \"1-1\"] {x} 1. 32-28! {[%clock w0:10:00 B0:09:00] y} 19-23 /FEN \"W:W28:B23\"/ {z} 28x19 *",
    );
    assert_eq!(output.status.code(), Some(0));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    let game: serde_json::Value = serde_json::from_str(out.trim_end()).expect("one object on one line");
    let expected = serde_json::json!({
        "file": "-", "game": 1, "board": "international", "tags": {"White": "A", "Result": "1-1"}, "result": "1-1",
        "start": "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
        "comment": "x",
        "moves": [
            {"ply": 1, "side": "white", "text": "32-28", "from": 32, "to": 28, "captures": [], "promotes": false,
             "clock": {"white_ms": 600_000, "black_ms": 540_000, "running": "black"}, "nags": [1], "comment": "y"},
            {"ply": 2, "side": "black", "text": "19-23", "from": 19, "to": 23, "captures": [], "promotes": false},
            {"ply": 3, "side": "white", "text": "28x19", "from": 28, "to": 19, "captures": [23], "promotes": false},
        ],
        "setups": [{"before_ply": 3, "fen": "W:W28:B23", "comment": "z"}],
        "draws": [],
        "fen": "B:W19:B",
    });
    assert_eq!(game, expected);
}

#[test]
fn split_makes_a_file_of_each_game() {
    let folder = folder("split");
    let file =
        write(&folder, "all.pdn", format!("{}\n{BAD}\n{}", fixtures::INTERNATIONAL, fixtures::RUSSIAN));
    let into = folder.join("boards");
    let into = into.to_str().expect("a plain path");
    let (code, out, err) = run(&["split", &file, "--into", into]);
    assert_eq!(code, 65);
    assert_eq!(out, format!("{into}/game-1.pdn\n{into}/game-3.pdn\n"));
    assert!(err.contains("game 2 (A - B)") && err.ends_with("2 games\n"), "{err}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let third = fs::read_to_string(format!("{into}/game-3.pdn")).expect("the file");
    assert_eq!(words(&third), words(fixtures::RUSSIAN));
    // Files that are there stay, unless told otherwise.
    let (code, _, err) = run(&["split", &file, "--into", into]);
    assert_eq!(code, 74, "{err}");
    assert!(err.contains("game-1.pdn"), "{err}");
    assert_eq!(run(&["split", &file, "--into", into, "--force"]).0, 65);
}

#[test]
fn split_by_a_tag() {
    let folder = folder("split-by");
    let games: Vec<String> =
        ["1", "2", "1", ""].iter().map(|round| format!("[Round \"{round}\"]\n\n1. 32-28 *\n")).collect();
    let file = write(&folder, "all.pdn", games.join("\n"));
    let into = folder.join("out");
    let into = into.to_str().expect("a plain path");
    let (code, out, _) = run(&["split", &file, "--by", "Round", "--into", into]);
    assert_eq!((code, out), (0, format!("{into}/1.pdn\n{into}/2.pdn\n{into}/unknown.pdn\n")));
    let (_, count, _) = run(&["count", "--json", &format!("{into}/1.pdn")]);
    assert!(count.contains("\"games\":2,"), "{count}");
}

#[test]
fn count_gives_a_table_or_json() {
    let folder = folder("count");
    let file = write(&folder, "three.pdn.gz", gzip(&all_three()));
    let bad = write(&folder, "bad.pdn", "1. 32-28 (");
    let (code, out, _) = run(&["count", &file, &bad]);
    assert_eq!(code, 65);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        rows[0],
        ["games", "unreadable", "plies", "longest", "white", "draw", "black", "other", "file"]
    );
    assert_eq!(rows[1], ["3", "0", "270", "120", "2", "1", "0", "0", file.as_str()]);
    assert_eq!(rows[2], ["0", "1", "0", "0", "0", "0", "0", "0", bad.as_str()]);
    assert_eq!(rows[3], ["3", "1", "270", "120", "2", "1", "0", "0", "total"]);
    let (code, out, _) = run(&["count", "--json", &file]);
    assert_eq!(code, 0);
    let counts: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&counts["games"], &counts["plies"], &counts["draws"]), (&3.into(), &270.into(), &1.into()));
}

#[test]
fn exit_codes_are_those_of_sysexits() {
    let folder = folder("codes");
    let good = write(&folder, "good.pdn", "1. 32-28 *");
    let torn = write(&folder, "torn.pdn.gz", &gzip(&all_three())[..200]);
    let missing = folder.join("missing.pdn");
    let missing = missing.to_str().expect("a plain path");
    assert_eq!(run(&["check"]).0, 64);
    assert_eq!(run(&["check", "--board", "chess", &good]).0, 64);
    assert_eq!(run(&["nonsense"]).0, 64);
    assert_eq!(run(&["--help"]).0, 0);
    let (code, _, err) = run(&["check", missing, &good]);
    assert_eq!(code, 66);
    // The file after it is read all the same.
    assert!(err.contains("missing.pdn: ") && err.contains("good.pdn: 1 game, 0 wrong"), "{err}");
    assert_eq!(run(&["check", folder.to_str().expect("a plain path")]).0, 66);
    let (code, out, _) = run(&["check", &torn]);
    assert_eq!(code, 65, "{out}");
    assert!(out.contains("cannot be read further"), "{out}");
}

#[test]
fn every_command_shows_an_example() {
    for command in [
        &["--help"][..],
        &["check", "--help"],
        &["convert", "--help"],
        &["split", "--help"],
        &["count", "--help"],
    ] {
        let (code, out, _) = run(command);
        assert_eq!(code, 0);
        assert!(out.contains("Examples:\n  draughtsd pdn "), "{out}");
    }
}
