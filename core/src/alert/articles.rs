//! Which article each code rests on, how loudly it is told, and to whom.

use super::policy::RuleBook;
use super::{Addressee, AlertCode, Grade};
use crate::rules::Variant;

/// The article of a code as it is cited, `CN100 7.4.6`; empty where no article says it.
#[must_use]
pub fn cited(code: AlertCode, book: RuleBook, variant: Variant) -> String {
    let (on_100, on_64) = article(code);
    cite(on_100, on_64, book, variant)
}

/// As [`cited`], for a quiet move by a piece that could not capture while another had to (7.4.2).
#[must_use]
pub fn cited_for_another_piece(book: RuleBook, variant: Variant) -> String {
    cite("7.4.2", "", book, variant)
}

fn cite(on_100: &str, on_64: &str, book: RuleBook, variant: Variant) -> String {
    match book.for_game(variant) {
        _ if on_100.is_empty() => String::new(),
        RuleBook::Fmjd => "FMJD, article not verified".to_owned(),
        RuleBook::Cn64 if !on_64.is_empty() => format!("CN64 {on_64}"),
        RuleBook::Cn64 => format!("CN64 {on_100}"),
        RuleBook::Cn100 | RuleBook::ByGame => format!("CN100 {on_100}"),
    }
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

/// How loudly and to whom an act is told at a tournament.
pub(crate) const fn weight(code: AlertCode) -> (Grade, Addressee) {
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
