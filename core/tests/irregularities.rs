//! Every row of the table of irregular acts that the reader names: corrected, accepted, and the acts next to
//! it that must raise nothing, at their limits and just past them.
//!
//! Tests are named `CODE_ARTICLE_what`. Positions are as thin as the act allows; where the boards differ, the
//! test is repeated on them.

#[path = "irregularities/boards.rs"]
mod boards;
#[path = "irregularities/captures.rs"]
mod captures;
#[path = "irregularities/clock.rs"]
mod clock;
#[path = "irregularities/crowning.rs"]
mod crowning;
#[path = "irregularities/limits.rs"]
mod limits;
#[path = "irregularities/moves.rs"]
mod moves;
#[path = "irregularities/policies.rs"]
mod policies;
#[path = "irregularities/procedure.rs"]
mod procedure;
#[path = "irregularities/put_right.rs"]
mod put_right;
#[path = "irregularities/removal.rs"]
mod removal;
#[path = "irregularities/sequences.rs"]
mod sequences;
mod table;

/// The arbiter's guide has a row for every code, with its articles on 100 and on 64 squares.
#[test]
fn the_guide_has_every_code() {
    use draughtsd_core::alert::policy::RuleBook;
    use draughtsd_core::alert::{AlertCode, articles};
    use draughtsd_core::rules::Variant::{Brazilian, International};

    let guide = include_str!("../../docs/arbiter-guide.md");
    let names = [
        "moved-twice",
        "illegal-move",
        "touch-move",
        "took-back",
        "moved-opponent-piece",
        "capture-missed",
        "unexplained-lift",
        "wrong-capture-count",
        "capture-stopped-short",
        "removed-too-early",
        "left-captured-piece",
        "removed-unjumped-piece",
        "removal-interrupted",
        "removed-own-piece",
        "removal-out-of-order",
        "moved-uncrowned-king",
        "not-crowned",
        "black-moved-first",
        "start-position-wrong",
        "piece-missing",
        "board-disturbed",
        "clock-pressed-early",
        "press-forgotten",
        "flag-fell",
        "moved-after-flag",
        "clock-stopped",
        "clock-times-changed",
        "late-arrival",
        "draw-offer-too-early",
        "result-missing",
    ];
    for name in names {
        let code: AlertCode = serde_json::from_str(&format!("\"{name}\"")).expect(name);
        let row = guide.lines().find(|line| line.trim_start_matches("| ").starts_with(&format!("`{name}`")));
        let row = row.expect(name);
        for variant in [International, Brazilian] {
            let cited = articles::cited(code, RuleBook::ByGame, variant);
            let numbers = cited.split_once(' ').map_or("", |(_, numbers)| numbers);
            assert!(row.contains(numbers), "{name}: {numbers} is not in: {row}");
        }
    }
}
