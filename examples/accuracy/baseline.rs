//! The method to compare with, which most electronic boards use: wait until the contacts rest, then
//! match what they show with the positions after one legal move, else after two.
//!
//! It takes no notice of the order of changes, of the clock or of time, and it never looks back: a
//! position that fits no legal move, or several, is left until one fits.

use anyhow::Context as _;
use draughtsd::simulator::SimulatedGame;
use draughtsd_core::moves::Move;
use draughtsd_core::notation::fen;
use draughtsd_core::position::Position;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::Input;

use crate::PlyRead;

/// How long nothing must have changed.
const REST_MS: u64 = 300;

/// The moves that the method finds in a trace.
pub(crate) fn read(simulated: &SimulatedGame) -> anyhow::Result<Vec<PlyRead>> {
    let header = &simulated.header;
    let mut position = match &header.start {
        Some(text) => fen::parse_position(text, header.board).context("the start of a simulated game")?,
        None => Position::start(header.board),
    };
    let mut shown = header.closed.unwrap_or_else(|| position.occupied());
    let mut moves = Vec::new();
    let mut events = simulated.events.iter().peekable();
    while let Some(event) = events.next() {
        match event.input {
            Input::Contact { square, closed: true } => shown = shown.with(square),
            Input::Contact { square, closed: false } => shown = shown.without(square),
            Input::End => {}
            _ => continue,
        }
        let next_change =
            events.clone().find(|next| matches!(next.input, Input::Contact { .. } | Input::End));
        let rests = next_change.is_none_or(|next| next.at.since(event.at) >= REST_MS);
        if rests && shown != position.occupied() {
            for mv in explanation(&position, shown) {
                position = position.play(mv);
                moves.push((mv.from, mv.to, mv.captured));
            }
        }
    }
    Ok(moves)
}

/// The one legal move, or else the one pair of them, after which the contacts would show `shown`.
fn explanation(position: &Position, shown: SquareSet) -> Vec<Move> {
    let legal = position.legal_moves();
    let mut single = legal.iter().filter(|mv| position.play(**mv).occupied() == shown);
    match (single.next(), single.next()) {
        (Some(mv), None) => return vec![*mv],
        (Some(_), Some(_)) => return Vec::new(),
        (None, _) => {}
    }
    let mut found = Vec::new();
    for first in legal {
        let after = position.play(first);
        for second in after.legal_moves() {
            if after.play(second).occupied() == shown {
                if !found.is_empty() {
                    return Vec::new();
                }
                found = vec![first, second];
            }
        }
    }
    found
}
