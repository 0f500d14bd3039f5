//! Which article each code rests on, how loudly it is told, and to whom.

use super::{Addressee, AlertCode, Grade};
use crate::rules::Variant;

/// Article as cited, grade and addressee of a code, in the rule book that goes with the game.
#[must_use]
pub fn of(code: AlertCode, variant: Variant) -> (String, Grade, Addressee) {
    let (on_100, on_64) = article(code);
    let cited = match (variant, on_100, on_64) {
        (_, "", _) => String::new(),
        (Variant::International, number, _) => format!("CN100 {number}"),
        (Variant::Brazilian | Variant::Russian, number, "") => format!("CN64 {number}"),
        (Variant::Brazilian | Variant::Russian, _, number) => format!("CN64 {number}"),
    };
    let (grade, addressee) = weight(code);
    (cited, grade, addressee)
}

/// The article's number on 100 squares and, where it differs, on 64.
const fn article(code: AlertCode) -> (&'static str, &'static str) {
    match code {
        AlertCode::MovedTwice => ("7.4.1", ""),
        AlertCode::IllegalMove => ("7.4.2", ""),
        AlertCode::TouchMove => ("7.4.3, 5.11", "7.4.3, 5.8"),
        AlertCode::TookBack => ("7.4.4", ""),
        AlertCode::MovedOpponentPiece => ("7.4.5", ""),
        AlertCode::CaptureMissed => ("7.4.6", ""),
        AlertCode::UnexplainedLift => ("7.4.7, 5.14", "7.4.7, 5.11"),
        AlertCode::WrongCaptureCount => ("7.4.8, 6.13", "7.4.8, 6.12.1.2"),
        AlertCode::CaptureStoppedShort => ("7.4.9, 6.11", "7.4.9, 6.10"),
        AlertCode::RemovedTooEarly => ("7.4.10, 6.12", "7.4.10, 6.11"),
        AlertCode::LeftCapturedPiece => ("7.4.11", ""),
        AlertCode::RemovedUnjumpedPiece => ("7.4.12", ""),
        AlertCode::RemovalInterrupted => ("7.4.13, 6.12", "7.4.13, 6.11"),
        AlertCode::RemovedOwnPiece => ("7.4.14", ""),
        AlertCode::RemovalOutOfOrder => ("6.6, 6.7, 6.12", "6.5, 6.6, 6.11"),
        AlertCode::MovedUncrownedKing => ("7.4.15, 5.7", "5.5.1.3"),
        AlertCode::NotCrowned => ("5.6", "5.5.1.2"),
        AlertCode::BlackMovedFirst => ("5.3", ""),
        AlertCode::StartPositionWrong => ("7.2", ""),
        AlertCode::PieceMissing => ("7.3", ""),
        AlertCode::BoardDisturbed => ("7.5", ""),
        AlertCode::ClockPressedEarly => ("8.2.2", ""),
        AlertCode::PressForgotten => ("8.2.3", ""),
        AlertCode::FlagFell | AlertCode::MovedAfterFlag => ("8.2.6", ""),
        AlertCode::ClockStopped => ("9.1, 14.3.5", ""),
        AlertCode::ClockTimesChanged => ("9.1, 14.3.4", ""),
        AlertCode::LateArrival => ("8.3.2", ""),
        AlertCode::DrawOfferTooEarly => ("12.4", ""),
        AlertCode::ResultMissing => ("", ""),
    }
}

const fn weight(code: AlertCode) -> (Grade, Addressee) {
    match code {
        AlertCode::TouchMove | AlertCode::UnexplainedLift | AlertCode::NotCrowned => {
            (Grade::Note, Addressee::Opponent)
        }
        AlertCode::MovedTwice
        | AlertCode::IllegalMove
        | AlertCode::TookBack
        | AlertCode::MovedOpponentPiece
        | AlertCode::CaptureMissed
        | AlertCode::WrongCaptureCount
        | AlertCode::CaptureStoppedShort
        | AlertCode::RemovedTooEarly
        | AlertCode::LeftCapturedPiece
        | AlertCode::RemovedUnjumpedPiece
        | AlertCode::RemovalInterrupted
        | AlertCode::RemovedOwnPiece
        | AlertCode::RemovalOutOfOrder
        | AlertCode::MovedUncrownedKing => (Grade::Alert, Addressee::Opponent),
        AlertCode::BlackMovedFirst
        | AlertCode::StartPositionWrong
        | AlertCode::PieceMissing
        | AlertCode::BoardDisturbed
        | AlertCode::FlagFell
        | AlertCode::ClockStopped
        | AlertCode::ClockTimesChanged
        | AlertCode::LateArrival
        | AlertCode::DrawOfferTooEarly
        | AlertCode::ResultMissing => (Grade::Alert, Addressee::Arbiter),
        AlertCode::ClockPressedEarly | AlertCode::MovedAfterFlag => (Grade::Note, Addressee::Arbiter),
        AlertCode::PressForgotten => (Grade::Note, Addressee::Nobody),
    }
}
