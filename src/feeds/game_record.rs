//! The game as PDN, made of what the public knows: the final moves of a [`BoardState`], with clock times.
//!
//! An illegal move that stood cannot be written as a move. The position it led to is set up instead, as
//! PDN 3.0 provides (`/FEN "…"/`), and the record goes on from there; for relays it stops there.

use draughtsd_core::event::MoveStatus;
use draughtsd_core::moves::Move;
use draughtsd_core::notation::fen;
use draughtsd_core::notation::pdn::{self, ClockTimes, Game, PlayedMove, SetupCommand};
use draughtsd_core::position::Position;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::GameResult;

use super::board_state::{BoardState, ClockReading, MoveLine};

/// What becomes of an irregular move that stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irregular {
    /// The position it led to is set up, and the record goes on from there.
    SetUp,
    /// The record stops before it: relays know no setup commands, and would refuse the whole game.
    Stop,
}

/// The game so far as PDN; empty before it has begun.
#[must_use]
pub fn pdn(state: &BoardState, irregular: Irregular) -> String {
    record(state, irregular).map(|game| pdn::write(&game)).unwrap_or_default()
}

/// The game so far; `None` before it has begun, or where it began from no position that the rules know.
#[must_use]
pub fn record(state: &BoardState, irregular: Irregular) -> Option<Game> {
    let start = Position::from_setup(&state.start()?).ok()?;
    let mut game = Game::new(start);
    let about = state.about();
    let tags = [
        ("Event", &about.event),
        ("Site", &about.site),
        ("Date", &about.date),
        ("Round", &about.round),
        ("White", &about.white),
        ("Black", &about.black),
    ];
    for (name, value) in tags {
        if let Some(value) = value {
            game.set_tag(name, value);
        }
    }
    if let Some(time_control) = state.time_control() {
        // PDN holds one game, and has no word for a match.
        let control = time_control.split(';').next().unwrap_or_default();
        game.set_tag("TimeControl", control);
    }
    let mut position = start;
    for line in state.moves().iter().take_while(|line| line.status == MoveStatus::Final) {
        let after = fen::parse_position(&line.fen, start.variant()).ok()?;
        match legal_move(&position, line).filter(|&mv| position.play(mv) == after) {
            Some(mv) => game.moves.push(PlayedMove {
                clock: line.clock.map(ClockTimes::from),
                ..PlayedMove::new(&position, mv)
            }),
            None if irregular == Irregular::Stop => break,
            None => game.setups.push(SetupCommand {
                before_ply: game.moves.len(),
                position: after,
                comment: String::new(),
            }),
        }
        position = after;
    }
    game.result = state.ending().map_or(pdn::GameResult::Unknown, |ending| result(ending.result));
    Some(game)
}

fn legal_move(position: &Position, line: &MoveLine) -> Option<Move> {
    let captured: SquareSet = line.captures.iter().copied().collect();
    let told = |mv: &Move| (mv.from, mv.to, mv.captured) == (line.from, line.to, captured);
    position.legal_moves().into_iter().find(told)
}

const fn result(result: GameResult) -> pdn::GameResult {
    match result {
        GameResult::WhiteWins => pdn::GameResult::WhiteWins,
        GameResult::Draw => pdn::GameResult::Draw,
        GameResult::BlackWins => pdn::GameResult::BlackWins,
        GameResult::BothLose => pdn::GameResult::BothLose,
        GameResult::Unknown => pdn::GameResult::Unknown,
    }
}

impl From<ClockReading> for ClockTimes {
    fn from(reading: ClockReading) -> Self {
        Self { white: Some(reading.white_ms), black: Some(reading.black_ms), running: reading.running }
    }
}
