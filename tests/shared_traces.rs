//! Example traces made by hands that are not this project's, compared with what really happened.
//!
//! They are not part of the repository. They are looked for in `traces` of the folder that `DRAUGHTSD_SHARED`
//! names, or of `../shared`; where there are none, the test says so and passes. Each `KIND-BOARD-SEED.jsonl(.gz)`
//! has its truth beside it in `KIND-BOARD-SEED.truth.json`.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use draughtsd::trace_file::TraceFile;
use draughtsd_core::alert::AlertCode;
use draughtsd_core::game::{Game, GameSetup, Summary};
use draughtsd_core::notation::fen;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::Input;
use serde::Deserialize;

/// What really happened.
#[derive(Deserialize)]
struct Truth {
    kind: String,
    board: Variant,
    moves: Vec<TrueMove>,
    alerts: Vec<TrueAlert>,
    fen: String,
}

#[derive(Deserialize)]
struct TrueMove {
    ply: u32,
    from: Square,
    to: Square,
    captures: SquareSet,
    /// True for an irregular move that was accepted: its captures are what left the board. Null where only the
    /// handling was irregular.
    irregular: Option<bool>,
}

#[derive(Deserialize)]
struct TrueAlert {
    code: AlertCode,
    ply: u32,
    side: Option<String>,
    /// Null: not judged.
    state: Option<String>,
}

/// What is counted for a kind.
#[derive(Default)]
struct Score {
    traces: u32,
    exact: u32,
    planted: usize,
    found: usize,
    raised_wrongly: usize,
    states: u32,
    states_right: u32,
    wrong: Vec<String>,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "exact {}/{}  alerts {}/{}  false {}  states {}/{}",
            self.exact,
            self.traces,
            self.found,
            self.planted,
            self.raised_wrongly,
            self.states_right,
            self.states
        )
    }
}

impl Score {
    fn add(&mut self, name: &str, truth: &Truth, summary: &Summary) {
        let exact = same_moves(truth, summary) && same_position(truth, summary);
        self.traces += 1;
        self.exact += u32::from(exact);

        // As many times as they occur: an alert that is raised twice is one too many.
        let judged = |code: AlertCode| {
            truth.kind.ends_with("procedure")
                || !matches!(code, AlertCode::PressForgotten | AlertCode::ClockPressedEarly)
        };
        let mut missing: Vec<(AlertCode, u32)> = truth.alerts.iter().map(|a| (a.code, a.ply)).collect();
        let planted = missing.len();
        let mut extra = Vec::new();
        for alert in summary.alerts.iter().filter(|alert| judged(alert.code)) {
            let of_truth = truth.alerts.iter().find(|a| (a.code, a.ply) == (alert.code, alert.ply));
            let side = alert.side.map(|side| side.to_string());
            let right_side = of_truth.is_none_or(|a| a.side.is_none() || a.side == side);
            let at = missing.iter().position(|&m| m == (alert.code, alert.ply));
            match at.filter(|_| right_side) {
                Some(at) => {
                    missing.swap_remove(at);
                }
                None => extra.push((alert.code, alert.ply)),
            }
            if let Some(state) = of_truth.and_then(|a| a.state.as_ref()) {
                let told = serde_json::to_value(alert.state).unwrap();
                self.states += 1;
                self.states_right += u32::from(told == state.as_str());
            }
        }
        self.planted += planted;
        self.found += planted - missing.len();
        self.raised_wrongly += extra.len();
        if !exact || !missing.is_empty() || !extra.is_empty() {
            let moves = if exact { "exact" } else { "moves or position differ" };
            self.wrong.push(format!("{name}: {moves}, missing {missing:?}, extra {extra:?}"));
        }
    }
}

fn same_moves(truth: &Truth, summary: &Summary) -> bool {
    truth.moves.len() == summary.moves.len()
        && truth.moves.iter().zip(&summary.moves).all(|(truth, told)| {
            let captures: SquareSet = told.captures.iter().copied().collect();
            let loosely = truth.irregular == Some(true);
            (truth.ply, truth.from, truth.to) == (told.ply, told.from, told.to)
                && (loosely || truth.captures == captures)
        })
}

/// Men and kings of both sides; whose turn it is is not judged.
fn same_position(truth: &Truth, summary: &Summary) -> bool {
    let pieces = |text: &str| {
        let setup = fen::parse(text, truth.board).unwrap_or_else(|error| panic!("{text}: {error}"));
        [setup.white, setup.black, setup.kings]
    };
    pieces(&truth.fen) == pieces(&summary.fen)
}

fn replay(path: &Path) -> Summary {
    let mut trace = TraceFile::open(path).unwrap_or_else(|error| panic!("{error}"));
    let setup =
        GameSetup::try_from(trace.header()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut game, _) = Game::new(setup);
    let mut ended = false;
    while let Some(timed) = trace.next_input().unwrap_or_else(|error| panic!("{error}")) {
        ended = timed.input == Input::End;
        game.handle(timed.at, timed.input);
    }
    if !ended {
        game.handle(game.now(), Input::End);
    }
    game.summary()
}

fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    std::env::var_os("DRAUGHTSD_SHARED").map_or_else(beside, PathBuf::from).join("traces")
}

#[test]
fn traces_of_other_hands_are_read_as_they_were_played() {
    let folder = folder();
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: no example traces in {}", folder.display());
        return;
    };
    let names: BTreeSet<String> = entries
        .filter_map(|entry| {
            entry.unwrap().file_name().into_string().ok()?.strip_suffix(".truth.json").map(str::to_owned)
        })
        .collect();
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for name in &names {
        let truth = fs::read_to_string(folder.join(format!("{name}.truth.json"))).unwrap();
        let truth: Truth = serde_json::from_str(&truth).unwrap_or_else(|error| panic!("{name}: {error}"));
        let plain = folder.join(format!("{name}.jsonl"));
        let path = if plain.exists() { plain } else { folder.join(format!("{name}.jsonl.gz")) };
        let summary = replay(&path);
        scores.entry(truth.kind.clone()).or_default().add(name, &truth, &summary);
    }
    for (kind, score) in &scores {
        println!("{kind:10} {score}");
        score.wrong.iter().for_each(|wrong| println!("    {wrong}"));
    }
    assert!(!scores.is_empty(), "no traces in {}", folder.display());
    for (kind, score) in &scores {
        assert_eq!(score.exact, score.traces, "{kind}: games not read exactly");
        assert_eq!(score.raised_wrongly, 0, "{kind}: alerts where nothing irregular happened");
        assert_eq!(score.found, score.planted, "{kind}: irregular acts not named");
        assert_eq!(score.states_right, score.states, "{kind}: what became of the alerts");
        let regular = matches!(kind.as_str(), "clean" | "noisy" | "blitz" | "gap");
        assert!(!regular || score.planted == 0, "{kind}: a truth with alerts is no truth of this kind");
    }
}
