//! `draughtsd replay` as a program: several traces, wrong traces, what goes where and with which exit code.
//!
//! The traces are written by hand here; how moves are read is other tests' business.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use draughtsd_core::rules::Variant;
use draughtsd_core::settings::Settings;
use draughtsd_core::trace::{Header, TimedInput};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

const HEADER: &str = r#"{"trace":1,"board":"international","clock":"linked"}"#;

/// White plays 32-28, Black 19-23, White takes 28x19, Black takes back 14x23.
const OPENING: [&str; 18] = [
    r#"{"t":1000,"contact":32,"closed":false}"#,
    r#"{"t":1800,"contact":28,"closed":true}"#,
    r#"{"t":2400,"press":"white"}"#,
    r#"{"t":4000,"contact":19,"closed":false}"#,
    r#"{"t":4800,"contact":23,"closed":true}"#,
    r#"{"t":5400,"press":"black"}"#,
    r#"{"t":7000,"contact":28,"closed":false}"#,
    r#"{"t":7800,"contact":19,"closed":true}"#,
    r#"{"t":8600,"contact":23,"closed":false}"#,
    r#"{"t":9200,"press":"white"}"#,
    r#"{"t":11000,"contact":14,"closed":false}"#,
    r#"{"t":11800,"contact":23,"closed":true}"#,
    r#"{"t":12600,"contact":19,"closed":false}"#,
    r#"{"t":13200,"press":"black"}"#,
    r#"{"t":13300,"clock":{"white_ms":590000,"black_ms":591000,"running":"white","flag":null}}"#,
    r#"{"t":15000,"button":"draw","side":"white"}"#,
    r#"{"t":18000,"arbiter":{"result":"1-1"}}"#,
    r#"{"t":20000,"end":true}"#,
];

/// White touches 31, puts it back and plays 32-28 instead; Black replies.
const TOUCHED: [&str; 9] = [
    r#"{"t":1000,"contact":31,"closed":false}"#,
    r#"{"t":2500,"contact":31,"closed":true}"#,
    r#"{"t":4500,"contact":32,"closed":false}"#,
    r#"{"t":5300,"contact":28,"closed":true}"#,
    r#"{"t":6000,"press":"white"}"#,
    r#"{"t":8000,"contact":19,"closed":false}"#,
    r#"{"t":8800,"contact":23,"closed":true}"#,
    r#"{"t":9500,"press":"black"}"#,
    r#"{"t":15000,"end":true}"#,
];

fn trace(header: &str, events: &[&str]) -> String {
    events.iter().fold(header.to_owned() + "\n", |text, event| text + event + "\n")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A folder of one test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path.into_os_string().into_string().unwrap()
    }
}

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_draughtsd"));
    command.arg("replay").args(arguments).stdin(Stdio::null());
    command
}

fn replay(arguments: &[&str]) -> Said {
    command(arguments).output().unwrap().into()
}

fn replay_stdin(input: &[u8], arguments: &[&str]) -> Said {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap().into()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[track_caller]
fn check_moves(summary: &Value, expected: &[&str]) {
    let moves = summary["moves"].as_array().unwrap();
    let texts: Vec<&str> = moves.iter().map(|played| played["text"].as_str().unwrap()).collect();
    assert_eq!(texts, expected, "{summary}");
}

#[test]
fn a_summary_has_every_key_of_its_form() {
    let folder = Folder::new("summary");
    let said = replay(&[&folder.file("opening.jsonl", trace(HEADER, &OPENING)), "--output", "summary"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let lines = json_lines(&said.out);
    assert_eq!(lines.len(), 1);
    check_moves(&lines[0], &["32-28", "19-23", "28x19", "14x23"]);
    let keys: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["alerts", "board", "draws", "fen", "moves", "reason", "result"]);
    assert_eq!(lines[0]["board"], "international");
    assert_eq!((&lines[0]["result"], &lines[0]["reason"]), (&"1-1".into(), &"arbiter".into()));
    let capture = serde_json::json!({
        "ply": 3, "side": "white", "text": "28x19", "from": 28, "to": 19, "captures": [23], "t": 9200, "irregular": []
    });
    assert_eq!(lines[0]["moves"][2], capture);
}

#[test]
fn one_bad_trace_does_not_stop_the_others() {
    let folder = Folder::new("several");
    let good = folder.file("good.jsonl", trace(HEADER, &OPENING));
    let bad = folder.file("bad.jsonl", trace(HEADER, &[OPENING[0], "what is this"]));
    let zipped = folder.file("good.jsonl.gz", gzip(&trace(HEADER, &OPENING[..6])));
    let said = replay(&[&good, &bad, "/nowhere/x.jsonl", &zipped, "--output", "summary"]);
    let lines = json_lines(&said.out);
    assert_eq!(lines.len(), 2);
    check_moves(&lines[0], &["32-28", "19-23", "28x19", "14x23"]);
    check_moves(&lines[1], &["32-28", "19-23"]);
    assert_eq!(said.code, Some(65), "the code is that of the first that failed");
    let complaints: Vec<&str> = said.err.lines().collect();
    assert_eq!(complaints.len(), 2, "{}", said.err);
    assert!(
        complaints[0].starts_with(&format!("draughtsd: {bad}:3: not a trace event: ")),
        "{}",
        complaints[0]
    );
    assert!(complaints[1].starts_with("draughtsd: /nowhere/x.jsonl: No such file"), "{}", complaints[1]);
    assert_eq!(complaints[1].matches("No such file").count(), 1, "said twice: {}", complaints[1]);

    assert_eq!(replay(&["/nowhere/x.jsonl", &bad, &good]).code, Some(66));
}

#[test]
fn what_is_no_file_is_no_input() {
    let folder = Folder::new("folder");
    let said = replay(&[folder.0.to_str().unwrap()]);
    assert_eq!(said.code, Some(66), "{}", said.err);
    assert!(said.err.contains("Is a directory"), "{}", said.err);
}

#[test]
fn a_dash_is_standard_input_plain_or_gzip() {
    let text = trace(HEADER, &OPENING);
    for input in [text.as_bytes(), &gzip(&text)] {
        let said = replay_stdin(input, &["-"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        check_moves(&json_lines(&said.out)[0], &["32-28", "19-23", "28x19", "14x23"]);
    }
    let said = replay_stdin(b"", &["-"]);
    assert_eq!(said.code, Some(65));
    assert!(said.err.starts_with("draughtsd: -: the file is empty"), "{}", said.err);
}

#[test]
fn gzip_is_known_by_its_content_and_may_have_several_parts() {
    let folder = Folder::new("gzip");
    let text = trace(HEADER, &OPENING);
    let (first, second) = text.split_at(text.len() / 2);
    let parts = [gzip(first), gzip(second)].concat();
    let said = replay(&[&folder.file("no-ending", parts)]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    check_moves(&json_lines(&said.out)[0], &["32-28", "19-23", "28x19", "14x23"]);
}

#[test]
fn line_ends_blank_lines_and_a_byte_order_mark_do_not_matter() {
    let folder = Folder::new("line-ends");
    let text = format!("\u{feff}{}", trace(HEADER, &OPENING)).replace('\n', "\r\n\r\n");
    let without_last_end = text.trim_end().to_owned();
    for (name, text) in [("windows.jsonl", text), ("cut.jsonl", without_last_end)] {
        let said = replay(&[&folder.file(name, text)]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        check_moves(&json_lines(&said.out)[0], &["32-28", "19-23", "28x19", "14x23"]);
    }
}

#[test]
fn a_trace_without_an_end_is_read_to_where_it_stops() {
    let folder = Folder::new("no-end");
    let said = replay(&[&folder.file("x.jsonl", trace(HEADER, &OPENING[..14]))]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let summary = &json_lines(&said.out)[0];
    check_moves(summary, &["32-28", "19-23", "28x19", "14x23"]);
    assert_eq!((&summary["result"], &summary["reason"]), (&"*".into(), &Value::Null));
}

/// Refused: a message, and the line it is about.
#[track_caller]
fn refused(name: &str, content: impl AsRef<[u8]>, line: u32, message: &str) {
    let file = Folder::new(name).file("x.jsonl", content);
    let said = replay(&[&file]);
    assert_eq!((said.code, said.out.as_str()), (Some(65), ""), "{}", said.err);
    assert!(said.err.starts_with(&format!("draughtsd: {file}:{line}: ")), "{}", said.err);
    assert!(said.err.contains(message), "{}", said.err);
    assert_eq!(said.err.matches(message).count(), 1, "said twice: {}", said.err);
}

/// Refused: an event line, the third of the file.
#[track_caller]
fn refused_event(name: &str, event: &str, message: &str) {
    refused(name, trace(HEADER, &[OPENING[0], event]), 3, message);
}

#[test]
fn damaged_compression_is_wrong_data() {
    let whole = gzip(&trace(HEADER, &OPENING));
    let file = Folder::new("truncated").file("x.jsonl.gz", &whole[..whole.len() - 20]);
    let said = replay(&[&file, "--output", "summary"]);
    assert_eq!((said.code, said.out.as_str()), (Some(65), ""), "{}", said.err);
    assert!(said.err.contains("the compressed data is damaged or cut off"), "{}", said.err);
    assert!(said.err.starts_with(&format!("draughtsd: {file}:")), "{}", said.err);

    refused("truncated-at-once", &whole[..12], 1, "damaged or cut off");
    let mut flipped = whole;
    for byte in &mut flipped[20..40] {
        *byte ^= 0x5a;
    }
    let file = Folder::new("flipped").file("x.jsonl.gz", flipped);
    assert_eq!(replay(&[&file]).code, Some(65));
}

#[test]
fn bytes_that_are_no_trace_are_refused_with_their_line() {
    refused_event("nul", "\0\0\0\0", "not a trace event");
    refused_event("nul-within", "{\"t\":1\0}", "not a trace event");
    refused("all-nul", [0; 4096], 1, "not a trace header");
    refused("latin1", [trace(HEADER, &[]).as_bytes(), b"\"\xe9\"\n"].concat(), 2, "the line is not UTF-8");
    refused("not-json", "Event,Site\n1,2\n", 1, "not a trace header");
    refused("long", trace(HEADER, &[&"x".repeat(70_000)]), 2, "longer than 65536 bytes");
    refused(
        "endless",
        [trace(HEADER, &[]).as_bytes(), &[b' '; 1 << 20]].concat(),
        2,
        "longer than 65536 bytes",
    );
    let deep = format!("{{\"t\":1,\"arbiter\":{}", "[".repeat(10_000));
    refused_event("deep", &deep, "not a trace event");
}

#[test]
fn headers_that_are_wrong_say_how() {
    refused("no-header", trace(OPENING[0], &OPENING[1..]), 1, r#"the first line is like {"trace":1,"#);
    refused(
        "version",
        trace(r#"{"trace":2,"board":"international"}"#, &[]),
        1,
        "of version 2; this program reads version 1",
    );
    let future = r#"{"trace":7,"board":"frisian","wells":4}"#;
    refused("future", trace(future, &[]), 1, "of version 7; this program reads version 1");
    refused(
        "header-key",
        trace(r#"{"trace":1,"board":"russian","crowned":"stack"}"#, &[]),
        1,
        "unknown field `crowned`",
    );
    refused("no-board", trace(r#"{"trace":1}"#, &[]), 1, "missing field `board`");
    refused("board", trace(r#"{"trace":1,"board":"chess"}"#, &[]), 1, "unknown variant `chess`");
    refused(
        "start",
        trace(r#"{"trace":1,"board":"russian","start":"W:Wzz:Bh8"}"#, &[]),
        1,
        "`zz` names no square",
    );
    refused(
        "closed",
        trace(r#"{"trace":1,"board":"russian","closed":[1,40]}"#, &[]),
        1,
        "square 40 is not on the russian board",
    );
    refused(
        "setting",
        trace(r#"{"trace":1,"board":"russian","settings":{"pas-ms":1}}"#, &[]),
        1,
        "unknown field `pas-ms`",
    );
    let day = format!(r#"{{"trace":1,"board":"russian","settings":{{"release-ms":{}}}}}"#, u64::MAX);
    refused("threshold", trace(&day, &[]), 1, "the threshold `release-ms`");
}

#[test]
fn events_that_are_wrong_say_how() {
    refused_event("back", r#"{"t":999,"press":"white"}"#, "t goes back from 1000 ms to 999 ms");
    refused_event(
        "off-board",
        r#"{"t":1000,"contact":51,"closed":true}"#,
        "`51` is not a square from 1 to 50",
    );
    refused_event("zero", r#"{"t":1000,"contact":0,"closed":true}"#, "`0` is not a square from 1 to 50");
    let russian = trace(r#"{"trace":1,"board":"russian"}"#, &[r#"{"t":1,"contact":33,"closed":true}"#]);
    refused(
        "off-small-board",
        russian,
        2,
        "square 33 is not on the russian board, whose squares are 1 to 32",
    );
    refused_event("crown", r#"{"t":1000,"crown":25,"closed":true}"#, "square 25 is on no far row");
    refused_event("key", r#"{"t":1000,"contact":31,"closed":true,"hand":"left"}"#, "unknown field `hand`");
    refused_event("kind", r#"{"t":1000,"sneeze":true}"#, "unknown field `sneeze`");
    refused_event("two-kinds", r#"{"t":1000,"press":"white","end":true}"#, "found press and end");
    refused_event("no-kind", r#"{"t":1000}"#, "found none");
    refused_event("no-time", r#"{"press":"white"}"#, "missing field `t`");
    refused_event("fraction", r#"{"t":1000.5,"press":"white"}"#, "1000.5");
    refused_event("negative", r#"{"t":-5,"press":"white"}"#, "-5");
    refused_event("no-closed", r#"{"t":1000,"contact":31}"#, "the key `closed` is missing");
    refused_event("no-side", r#"{"t":1000,"button":"draw"}"#, "the key `side` is missing");
    refused_event("well", r#"{"t":1000,"press":"white","well":1}"#, "the key `well` does not belong");
    refused_event("twice", r#"{"t":1000,"t":1001,"press":"white"}"#, "duplicate field `t`");
    refused_event("end-false", r#"{"t":1000,"end":false}"#, "`end` is always true");
    refused_event("entry", r#"{"t":1000,"arbiter":{}}"#, "an arbiter's entry has exactly one of");
    refused_event("result", r#"{"t":1000,"arbiter":{"result":"3-0"}}"#, "unknown variant `3-0`");
    let after = trace(HEADER, &[r#"{"t":5,"end":true}"#, r#"{"t":6,"press":"white"}"#]);
    refused("after-end", after, 3, "an event after `end`");
}

#[test]
fn a_position_that_cannot_be_read_is_the_arbiters_slip_and_no_wrong_trace() {
    let slip = r#"{"t":3000,"arbiter":{"position":"W:W99:B1"}}"#;
    let file =
        Folder::new("slip").file("x.jsonl", trace(HEADER, &[OPENING[0], OPENING[1], OPENING[2], slip]));
    let said = replay(&[&file, "--output", "events"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.contains(r#""kind":"refused""#), "{}", said.out);
    assert!(!replay(&[&file, "--output", "events", "--audience", "public"]).out.contains("refused"));
}

#[test]
fn the_last_representable_moment_is_a_moment() {
    let last = format!(r#"{{"t":{},"end":true}}"#, u64::MAX);
    let file = Folder::new("last-moment").file("x.jsonl", trace(HEADER, &[OPENING[0], OPENING[1], &last]));
    let said = replay(&[&file]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
}

/// All keys anywhere in a document.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                found.push(key.clone());
                keys(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_public_is_told_nothing_that_is_the_arbiters() {
    let file = Folder::new("audiences").file("touched.jsonl", trace(HEADER, &TOUCHED));
    let arbiter = replay(&[&file, "--output", "summary"]);
    let summary = &json_lines(&arbiter.out)[0];
    check_moves(summary, &["32-28", "19-23"]);
    assert_eq!(summary["alerts"][0]["code"], "touch-move", "{summary}");
    assert_eq!(summary["moves"][0]["irregular"], serde_json::json!(["touch-move"]));

    let public = replay(&[&file, "--output", "summary", "--audience", "public"]);
    check_moves(&json_lines(&public.out)[0], &["32-28", "19-23"]);

    let arbiters_events = replay(&[&file, "--output", "events"]);
    assert!(arbiters_events.out.contains(r#""kind":"alert""#), "{}", arbiters_events.out);
    let public_events = replay(&[&file, "--output", "events", "--audience", "public"]);
    for (number, event) in json_lines(&public_events.out).iter().enumerate() {
        assert_eq!(event["seq"], number + 1, "{event}");
        assert_eq!(event["at"], Value::Null);
        for key in ["board", "game", "epoch", "t", "kind"] {
            assert!(event.get(key).is_some(), "{key}: {event}");
        }
    }
    for said in [public, public_events] {
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        let mut found = Vec::new();
        json_lines(&said.out).iter().for_each(|line| keys(line, &mut found));
        for hidden in ["alert", "alerts", "irregular", "certainty", "draws", "explanations", "article"] {
            assert!(!found.iter().any(|key| key == hidden), "{hidden}: {}", said.out);
        }
        assert!(!said.out.contains("touch-move") && !said.out.contains("alert"), "{}", said.out);
    }
}

#[test]
fn the_pdn_is_the_public_record_for_either_audience() {
    let file = Folder::new("pdn").file("opening.jsonl", trace(HEADER, &OPENING));
    let arbiter = replay(&[&file, "--output", "pdn"]);
    let public = replay(&[&file, "--output", "pdn", "--audience", "public"]);
    assert_eq!((arbiter.code, public.code), (Some(0), Some(0)));
    assert_eq!(arbiter.out, public.out);
    assert!(arbiter.out.contains("[Result \"1-1\"]\n"), "{}", arbiter.out);
    assert!(arbiter.out.contains("\n1. 32-28 19-23 2. 28x19 14x23 "), "{}", arbiter.out);
}

#[test]
fn for_relays_the_pdn_stops_before_an_irregular_move_that_stood() {
    let illegal = [
        r#"{"t":1000,"contact":32,"closed":false}"#,
        r#"{"t":1600,"contact":28,"closed":true}"#,
        r#"{"t":3000,"contact":19,"closed":false}"#,
        r#"{"t":3600,"contact":24,"closed":true}"#,
        r#"{"t":5000,"contact":36,"closed":false}"#,
        r#"{"t":5600,"contact":26,"closed":true}"#,
        r#"{"t":8000,"contact":20,"closed":false}"#,
        r#"{"t":8600,"contact":25,"closed":true}"#,
        r#"{"t":14000,"end":true}"#,
    ];
    let file =
        Folder::new("relay").file("illegal.jsonl", trace(r#"{"trace":1,"board":"international"}"#, &illegal));
    let ours = replay(&[&file, "--output", "pdn"]).out;
    let relay = replay(&[&file, "--output", "pdn", "--relay"]).out;
    assert!(ours.contains("/FEN \"") && ours.contains("20-25"), "{ours}");
    assert!(relay.contains("1. 32-28 19-24") && !relay.contains("/FEN"), "{relay}");
    assert!(!relay.contains("20-25"), "{relay}");
}

#[test]
fn the_same_trace_gives_the_same_bytes() {
    let file = Folder::new("same").file("touched.jsonl", trace(HEADER, &TOUCHED));
    for output in ["summary", "events", "pdn"] {
        let once = replay(&[&file, "--output", output]);
        let twice = replay(&[&file, &file, "--output", output]);
        assert_eq!(once.out.repeat(2), twice.out, "{output}");
    }
}

#[test]
fn traces_read_at_once_are_printed_in_the_order_of_their_names() {
    let folder = Folder::new("at-once");
    let long = folder.file("long.jsonl", trace(HEADER, &OPENING));
    let touched = folder.file("touched.jsonl", trace(HEADER, &TOUCHED));
    let short = folder.file("short.jsonl", trace(HEADER, &OPENING[..6]));
    let bad = folder.file("bad.jsonl", trace(HEADER, &[OPENING[0], "what is this"]));
    let names: Vec<&str> = [&long, &short, &touched, &bad, &short].map(String::as_str).repeat(40);
    for output in ["summary", "events", "pdn"] {
        let alone = [&long, &short, &touched, &bad, &short].map(|name| replay(&[name, "--output", output]));
        let said = replay(&[&names[..], &["--output", output]].concat());
        assert_eq!(said.code, Some(65), "{output}");
        assert_eq!(said.out, alone.each_ref().map(|one| one.out.as_str()).concat().repeat(40), "{output}");
        assert_eq!(said.err, alone[3].err.repeat(40), "{output}");
    }
}

#[test]
fn a_reader_that_goes_away_is_not_worth_a_word() {
    let file = Folder::new("pipe").file("opening.jsonl", trace(HEADER, &OPENING));
    let files = vec![file.as_str(); 300];
    let mut child = command(&[&files[..], &["--output", "events"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 10]).unwrap();
    drop(out);
    let said = Said::from(child.wait_with_output().unwrap());
    assert_eq!((said.code, said.err.as_str()), (Some(74), ""));
}

#[test]
fn output_that_cannot_be_written_is_said_once() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let file = Folder::new("full").file("opening.jsonl", trace(HEADER, &OPENING));
    let files = vec![file.as_str(); 300];
    let said = Said::from(command(&files).stdout(full).output().unwrap());
    assert_eq!(said.code, Some(74));
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    assert!(said.err.starts_with("draughtsd: standard output: "), "{}", said.err);
}

#[test]
fn wrong_arguments_are_wrong_usage() {
    for arguments in
        [&[][..], &["x.jsonl", "--output", "xml"], &["x.jsonl", "--audience", "players"], &["--nonsense"]]
    {
        let said = replay(arguments);
        assert_eq!((said.code, said.out.as_str()), (Some(64), ""), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn the_documented_form_is_the_form_that_is_read() {
    let text = include_str!("../docs/trace.md");
    let (mut headers, mut events) = (0, 0);
    // Examples stand in fences of their own or in the cells of tables, there between backticks.
    for example in text.lines().flat_map(|line| line.split('`')).filter(|part| part.starts_with("{\"t")) {
        if example.starts_with("{\"trace\"") {
            Header::parse(example).unwrap_or_else(|error| panic!("{example}: {error}"));
            headers += 1;
        } else {
            let parsed = TimedInput::parse(example, Variant::International);
            parsed.unwrap_or_else(|error| panic!("{example}: {error}"));
            events += 1;
        }
    }
    assert!(headers >= 2 && events >= 20, "{headers} headers, {events} events");
    for (key, default) in Settings::default().entries() {
        assert!(text.contains(&format!("| `{key}` | {default} | ")), "docs/trace.md lacks {key} = {default}");
    }
}
