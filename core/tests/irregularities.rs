//! Every row of the table of irregular acts that the reader names: corrected, accepted, and the acts next to
//! it that must raise nothing, at their limits and just past them.
//!
//! Tests are named `CODE_ARTICLE_what`. Positions are as thin as the act allows; where the boards differ, the
//! test is repeated on them.

#[path = "irregularities/captures.rs"]
mod captures;
#[path = "irregularities/clock.rs"]
mod clock;
#[path = "irregularities/crowning.rs"]
mod crowning;
#[path = "irregularities/moves.rs"]
mod moves;
#[path = "irregularities/procedure.rs"]
mod procedure;
#[path = "irregularities/removal.rs"]
mod removal;
mod table;
