//! Games as JSON, for programs; described in `docs/pdn.md`.

use std::path::Path;

use draughtsd_core::notation::movetext::{self, Notation};
use draughtsd_core::notation::pdn::{self, WriteOptions};
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::rules::draws::{DrawPreset, DrawRule, DrawTracker};
use draughtsd_core::square::Square;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// A game as it is shown.
#[derive(Serialize)]
pub(super) struct Game<'a> {
    file: String,
    game: u64,
    board: Variant,
    tags: Tags<'a>,
    result: &'static str,
    start: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
    moves: Vec<PlayedMove<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    setups: Vec<Setup<'a>>,
    draws: Vec<Draw>,
    fen: String,
}

#[derive(Serialize)]
struct Draw {
    rule: DrawRule,
    ply: usize,
}

/// The tags as one object, in the order of the file; of a name that comes twice, the first.
struct Tags<'a>(&'a [(String, String)]);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (index, (name, value)) in self.0.iter().enumerate() {
            if self.0.iter().position(|(other, _)| other == name) == Some(index) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

#[derive(Serialize)]
struct PlayedMove<'a> {
    ply: usize,
    side: Side,
    text: String,
    from: Square,
    to: Square,
    captures: Vec<Square>,
    promotes: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    #[serde(skip_serializing_if = "<[u8]>::is_empty")]
    nags: &'a [u8],
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
}

#[derive(Serialize)]
struct Clock {
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    running: Option<Side>,
}

#[derive(Serialize)]
struct Setup<'a> {
    before_ply: usize,
    fen: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
}

impl<'a> Game<'a> {
    /// The game as it is shown, moves written by `options`.
    pub(super) fn new(game: &'a pdn::Game, file: &Path, options: &WriteOptions) -> Self {
        let notation = options.notation.unwrap_or(Notation::usual(game.variant));
        let kept = |comment: &'a str| if options.bare { "" } else { comment };
        let moves = game.plies().enumerate().map(|(index, (position, played))| PlayedMove {
            ply: index + 1,
            side: position.turn(),
            text: movetext::write(&position, played.mv, notation, options.capture),
            from: played.mv.from,
            to: played.mv.to,
            captures: captures(&position, played),
            promotes: played.mv.promotes,
            clock: played.clock.filter(|_| !options.bare).map(|times| Clock {
                white_ms: times.white,
                black_ms: times.black,
                running: times.running,
            }),
            nags: if options.bare { &[] } else { &played.nags },
            comment: kept(&played.comment),
        });
        Self {
            file: file.display().to_string(),
            game: game.number,
            board: game.variant,
            tags: Tags(&game.tags),
            result: game.result.text(Variant::International),
            start: game.start.fen(),
            comment: kept(&game.comment),
            moves: moves.collect(),
            setups: game
                .setups
                .iter()
                .map(|setup| Setup {
                    before_ply: setup.before_ply + 1,
                    fen: setup.position.fen(),
                    comment: kept(&setup.comment),
                })
                .collect(),
            draws: draws(game),
            fen: game.end().fen(),
        }
    }
}

/// The draws by rule, each at the ply that completes it; played on or not.
fn draws(game: &pdn::Game) -> Vec<Draw> {
    let mut tracker = DrawTracker::new(DrawPreset::for_variant(game.variant), &game.start);
    let mut setups = game.setups.iter().peekable();
    let mut draws = Vec::new();
    for (index, (position, played)) in game.plies().enumerate() {
        while let Some(setup) = setups.next_if(|setup| setup.before_ply <= index) {
            tracker.set_position(&setup.position);
        }
        let completed = tracker.after_ply(&position, played.mv, &position.play(played.mv));
        draws.extend(completed.into_iter().map(|rule| Draw { rule, ply: index + 1 }));
    }
    draws
}

/// The pieces taken, in the order of the capture.
fn captures(position: &Position, played: &pdn::PlayedMove) -> Vec<Square> {
    if !played.mv.is_capture() {
        return Vec::new();
    }
    position.routes(played.mv).into_iter().next().map_or_else(Vec::new, |route| route.captures)
}
