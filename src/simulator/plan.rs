//! Irregular acts to be planted in a game, and how they are written: `took-back:corrected@12`.

use std::fmt;
use std::str::FromStr;

use draughtsd_core::alert::AlertCode;
use thiserror::Error;

use super::random::{Purpose, Random};

/// An irregular act to be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What kind of act.
    pub code: AlertCode,
    /// What becomes of it.
    pub outcome: Outcome,
    /// Not before this ply; it is done where the position allows it.
    pub from_ply: u32,
}

/// What becomes of an irregular act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is put right before the opponent moves.
    Corrected,
    /// The opponent moves, and so accepts it.
    Accepted,
}

use Outcome::{Accepted, Corrected};

/// The acts that hands can do, each with what may become of it.
const ACTS: [(AlertCode, &[Outcome]); 24] = [
    (AlertCode::TouchMove, &[Accepted]),
    (AlertCode::UnexplainedLift, &[Accepted]),
    (AlertCode::TookBack, &[Corrected, Accepted]),
    (AlertCode::MovedTwice, &[Corrected, Accepted]),
    (AlertCode::IllegalMove, &[Corrected, Accepted]),
    (AlertCode::MovedOpponentPiece, &[Corrected, Accepted]),
    (AlertCode::CaptureMissed, &[Corrected, Accepted]),
    (AlertCode::WrongCaptureCount, &[Corrected, Accepted]),
    (AlertCode::CaptureStoppedShort, &[Corrected, Accepted]),
    (AlertCode::RemovedTooEarly, &[Accepted]),
    (AlertCode::LeftCapturedPiece, &[Corrected, Accepted]),
    (AlertCode::RemovedUnjumpedPiece, &[Corrected, Accepted]),
    (AlertCode::RemovedOwnPiece, &[Corrected, Accepted]),
    (AlertCode::RemovalOutOfOrder, &[Accepted]),
    (AlertCode::RemovalInterrupted, &[Accepted]),
    (AlertCode::MovedUncrownedKing, &[Accepted]),
    (AlertCode::NotCrowned, &[Corrected]),
    (AlertCode::PieceMissing, &[Corrected]),
    (AlertCode::BoardDisturbed, &[Corrected]),
    (AlertCode::BlackMovedFirst, &[Corrected]),
    (AlertCode::StartPositionWrong, &[Corrected]),
    (AlertCode::ClockPressedEarly, &[Accepted]),
    (AlertCode::PressForgotten, &[Accepted]),
    (AlertCode::DrawOfferTooEarly, &[Accepted]),
];

impl Planned {
    /// Every act that can be planted, with each outcome it may have, from the first ply on.
    pub fn all() -> impl Iterator<Item = Self> {
        ACTS.into_iter().flat_map(|(code, outcomes)| {
            outcomes.iter().map(move |&outcome| Self { code, outcome, from_ply: 1 })
        })
    }

    /// Acts of all kinds but those of the clock and of the game's first moment, one about every
    /// `every` plies, for a game of `plies`.
    #[must_use]
    pub fn at_random(plies: u32, every: u32, seed: u64) -> Vec<Self> {
        let mut random = Random::new(seed, Purpose::Plan);
        let acts: Vec<Self> = Self::all().filter(|act| !act.is_procedure()).collect();
        let mut plan = Vec::new();
        let mut ply = 1 + random.below(every);
        while ply < plies {
            if let Some(&act) = random.pick(&acts) {
                plan.push(Self { from_ply: ply, ..act });
            }
            ply += 1 + random.below(2 * every);
        }
        plan
    }

    /// Whether the act is one of the clock or of the game's first moment, which happen too often by
    /// noise, or only once, to be strewn over a game.
    #[must_use]
    pub const fn is_procedure(&self) -> bool {
        matches!(
            self.code,
            AlertCode::BlackMovedFirst
                | AlertCode::StartPositionWrong
                | AlertCode::ClockPressedEarly
                | AlertCode::PressForgotten
                | AlertCode::DrawOfferTooEarly
        )
    }
}

impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match self.outcome {
            Corrected => "corrected",
            Accepted => "accepted",
        };
        write!(f, "{}:{outcome}@{}", self.code, self.from_ply)
    }
}

/// Not an act that can be planted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not an act that hands can do: CODE, CODE:corrected or CODE:accepted, with @PLY for a later ply; \
     the codes are {list}",
    list = ACTS.map(|(code, _)| code.name()).join(", ")
)]
pub struct PlannedError(pub String);

impl FromStr for Planned {
    type Err = PlannedError;

    /// Without an outcome it is the first that the act may have, without a ply the first.
    fn from_str(text: &str) -> Result<Self, PlannedError> {
        parse(text).ok_or_else(|| PlannedError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Planned> {
    let (act, ply) = text.split_once('@').unwrap_or((text, "1"));
    let (code, outcome) = act.split_once(':').unwrap_or((act, ""));
    let (code, outcomes) = ACTS.into_iter().find(|(known, _)| known.name() == code)?;
    let wanted = match outcome {
        "" => *outcomes.first()?,
        "corrected" => Corrected,
        "accepted" => Accepted,
        _ => return None,
    };
    let outcome = *outcomes.iter().find(|&&outcome| outcome == wanted)?;
    Some(Planned { code, outcome, from_ply: ply.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_written_and_read_back() {
        for act in Planned::all() {
            assert_eq!(act.to_string().parse(), Ok(act));
        }
        let short: Planned = "took-back".parse().unwrap();
        assert_eq!(short.to_string(), "took-back:corrected@1");
        for text in ["", "flag-fell", "took-back:ruled", "touch-move:corrected", "took-back@x"] {
            assert_eq!(text.parse::<Planned>(), Err(PlannedError(text.to_owned())));
        }
    }
}
