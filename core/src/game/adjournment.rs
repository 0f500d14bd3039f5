//! Adjournment and resumption, step by step (CN100 11.3, 11.4).
//!
//! Moves are not read from the recording of the position until the game is resumed, so a sealed move that somebody
//! sets out on the board is no move, and no feed has it. What was sealed becomes known when the arbiter enters it.

use crate::piece::Side;

/// How far an adjournment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The position is recorded; both are to confirm it (11.3.1).
    Recorded,
    /// The player on turn thinks about the move he seals (11.3.3).
    Sealing,
    /// The envelope is closed (11.3.5); before it is opened both are to confirm position and times (11.4).
    Sealed,
    /// The envelope is open (11.4).
    Opened,
}

/// An adjournment under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjournment {
    pub(super) stage: Stage,
    confirmed: [bool; 2],
}

impl Adjournment {
    pub(super) fn new() -> Self {
        Self { stage: Stage::Recorded, confirmed: [false; 2] }
    }

    pub(super) fn confirm(&mut self, side: Side) {
        self.confirmed[side as usize] = true;
    }

    /// Goes from one stage to the next.
    ///
    /// # Errors
    /// What has to be done before.
    pub(super) fn advance(&mut self, to: Stage) -> Result<(), &'static str> {
        let both = self.confirmed == [true; 2];
        match (self.stage, to) {
            (Stage::Recorded, Stage::Sealing) | (Stage::Sealed, Stage::Opened) if !both => {
                Err("both players have to confirm what was recorded first (11.3.1, 11.4)")
            }
            (Stage::Recorded, Stage::Sealing)
            | (Stage::Sealing, Stage::Sealed)
            | (Stage::Sealed, Stage::Opened) => {
                self.stage = to;
                if to == Stage::Sealed {
                    self.confirmed = [false; 2];
                }
                Ok(())
            }
            _ => {
                Err("the steps of an adjournment are position, confirmed, sealing, sealed, confirmed, opened")
            }
        }
    }
}
