//! The ways in which players handle discs.
//!
//! A [`Style`] is a name; behind it stands a [`Manner`], a table of times and odds that the hands
//! draw from. Everything in these tables is within what a reader has to bear without noise being
//! asked for: landings between two jumps last 150 ms or more, a disc passing low over a square
//! closes it for at most 100 ms, captured discs come off in the order of capture or the reverse.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A way of handling the discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// As the rule book has it: set down on every landing square, captured discs one by one.
    #[default]
    Book,
    /// Captures in one stroke, without setting the disc down on the way.
    Direct,
    /// Captured discs are taken off two at a time.
    Pairs,
    /// Quick: low passes, sliding discs, replies begun before the last captured disc is off.
    Blitz,
    /// Deliberate: long holds, hesitations on the disc's own square, announced adjusting.
    Slow,
    /// Careless: discs half on their squares, the clock pressed before the last captured disc is off.
    Sloppy,
    /// The last seconds of a blitz game: replies overlap several times in a row, few presses.
    Scramble,
    /// A left hand that reaches over the board and drags captured discs across it.
    Sweep,
    /// Both players' acts overlap wherever the rules allow it.
    BothHands,
    /// Discs wait in the hand or beside the board; captured ones go back to the wells.
    Parked,
}

impl Style {
    /// All styles.
    pub const ALL: [Self; 10] = [
        Self::Book,
        Self::Direct,
        Self::Pairs,
        Self::Blitz,
        Self::Slow,
        Self::Sloppy,
        Self::Scramble,
        Self::Sweep,
        Self::BothHands,
        Self::Parked,
    ];

    /// The name on the command line and in the truth.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Direct => "direct",
            Self::Pairs => "pairs",
            Self::Blitz => "blitz",
            Self::Slow => "slow",
            Self::Sloppy => "sloppy",
            Self::Scramble => "scramble",
            Self::Sweep => "sweep",
            Self::BothHands => "both-hands",
            Self::Parked => "parked",
        }
    }

    /// Whether one act is over before the next begins, so that between two moves the contacts show
    /// the position.
    #[must_use]
    pub const fn rests_between_moves(self) -> bool {
        matches!(self, Self::Book | Self::Direct | Self::Pairs | Self::Slow | Self::Parked)
    }

    pub(super) const fn manner(self) -> Manner {
        const CALM: Manner = Manner {
            think: (1500, 6000),
            transit: (300, 900),
            leg: 250,
            rest: (250, 700),
            removal: (450, 1000),
            press: (250, 1100),
            landings: 1000,
            reverse: 500,
            pairs: 0,
            slide: 0,
            pass: 0,
            drag: 0,
            visit: 0,
            overlap: 0,
            lead: (0, 0),
            quick_reply: 0,
            hold: 0,
            hesitate: 0,
            adjust: 0,
            press_early: 0,
            press_late: 0,
            press_forgotten: 0,
            crown_by_lifting: 0,
            crown_by_opponent: 0,
            crown_first: 0,
            wells: 0,
            reach: Reach::Right,
        };
        match self {
            Self::Book => CALM,
            Self::Direct => Manner { landings: 0, ..CALM },
            Self::Pairs => Manner { landings: 500, pairs: 1000, ..CALM },
            Self::Blitz => Manner {
                think: (150, 1200),
                transit: (200, 650),
                leg: 150,
                rest: (150, 400),
                removal: (200, 600),
                press: (80, 450),
                landings: 500,
                pairs: 250,
                slide: 350,
                pass: 450,
                visit: 30,
                overlap: 350,
                lead: (30, 500),
                press_late: 50,
                press_forgotten: 50,
                ..CALM
            },
            Self::Slow => Manner {
                think: (3000, 15000),
                transit: (600, 2500),
                leg: 500,
                rest: (400, 2200),
                removal: (700, 4000),
                press: (400, 2500),
                hold: 100,
                hesitate: 120,
                adjust: 30,
                crown_by_lifting: 300,
                crown_by_opponent: 200,
                wells: 200,
                ..CALM
            },
            Self::Sloppy => Manner {
                think: (800, 5000),
                landings: 600,
                rest: (150, 800),
                removal: (300, 1400),
                pairs: 200,
                slide: 400,
                pass: 300,
                drag: 300,
                visit: 80,
                overlap: 100,
                lead: (30, 400),
                hesitate: 40,
                press_early: 250,
                press_late: 150,
                press_forgotten: 80,
                crown_by_lifting: 400,
                crown_by_opponent: 100,
                crown_first: 250,
                wells: 300,
                ..CALM
            },
            Self::Scramble => Manner {
                think: (90, 450),
                transit: (150, 400),
                leg: 120,
                rest: (150, 260),
                removal: (130, 400),
                press: (60, 250),
                landings: 250,
                pairs: 350,
                slide: 400,
                pass: 500,
                drag: 200,
                visit: 20,
                overlap: 800,
                lead: (30, 900),
                quick_reply: 500,
                press_late: 100,
                press_forgotten: 350,
                ..CALM
            },
            Self::Sweep => Manner {
                think: (900, 5000),
                landings: 300,
                pairs: 200,
                slide: 250,
                pass: 850,
                drag: 850,
                reach: Reach::Left,
                ..CALM
            },
            Self::BothHands => Manner {
                think: (300, 2500),
                transit: (250, 800),
                rest: (150, 500),
                removal: (250, 900),
                press: (150, 700),
                landings: 500,
                pass: 200,
                overlap: 900,
                lead: (30, 1600),
                quick_reply: 250,
                press_late: 250,
                press_forgotten: 100,
                crown_by_opponent: 250,
                ..CALM
            },
            Self::Parked => Manner {
                landings: 500,
                hold: 350,
                removal: (450, 1600),
                wells: 1000,
                crown_by_lifting: 150,
                ..CALM
            },
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = StyleError;

    fn from_str(text: &str) -> Result<Self, StyleError> {
        Self::ALL.into_iter().find(|style| style.name() == text).ok_or_else(|| StyleError(text.to_owned()))
    }
}

/// Not the name of a style.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a style: one of {list}", list = Style::ALL.map(Style::name).join(", "))]
pub struct StyleError(pub String);

/// Over which edge of the board, as White sees it, captured discs leave: each player's right or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// A right hand.
    Right,
    /// A left hand.
    Left,
}

/// A span of milliseconds, both ends included.
pub(super) type Span = (u64, u64);

/// The times and odds of a style. Odds are in a thousand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// From the end of the move before to the lift.
    pub think: Span,
    /// From the lift to the touch-down.
    pub transit: Span,
    /// More of it for each further leg flown without touching down.
    pub leg: u64,
    /// On a landing square between two jumps.
    pub rest: Span,
    /// From the landing to the first removal, and from one removal to the next.
    pub removal: Span,
    /// From the last act to the press.
    pub press: Span,
    /// A landing square on the way is touched.
    pub landings: u32,
    /// The captured discs come off last one first.
    pub reverse: u32,
    /// They come off two at a time.
    pub pairs: u32,
    /// A disc is slid to its square rather than carried.
    pub slide: u32,
    /// A square on the way is passed low.
    pub pass: u32,
    /// A square under a captured disc's way off the board is passed low.
    pub drag: u32,
    /// Another legal square is tried first.
    pub visit: u32,
    /// The reply is begun before the last captured disc is off.
    pub overlap: u32,
    /// How long before it the reply begins.
    pub lead: Span,
    /// The reply is begun as soon as the disc stands, before the press.
    pub quick_reply: u32,
    /// The disc is held in the air for seconds.
    pub hold: u32,
    /// The disc is put back on its square and taken up again.
    pub hesitate: u32,
    /// Own discs are adjusted, announced with the button.
    pub adjust: u32,
    /// The clock is pressed before the last captured disc is off.
    pub press_early: u32,
    /// The clock is pressed when the opponent already moves.
    pub press_late: u32,
    /// The clock is not pressed.
    pub press_forgotten: u32,
    /// The promoted disc is taken up and put down crowned.
    pub crown_by_lifting: u32,
    /// The opponent crowns.
    pub crown_by_opponent: u32,
    /// The crowning comes before the removal.
    pub crown_first: u32,
    /// Captured discs are put into free wells.
    pub wells: u32,
    /// Which hand.
    pub reach: Reach,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for style in Style::ALL {
            assert_eq!(style.name().parse(), Ok(style));
        }
        let refused = "fast".parse::<Style>().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`fast` is not a style: one of book, direct, pairs, blitz, slow, sloppy, scramble, sweep, both-hands, parked"
        );
    }

    /// What is promised of deliberate acts (`docs/trace.md`, "what happens on real boards").
    #[test]
    fn manners_stay_within_what_must_be_read() {
        for style in Style::ALL {
            let manner = style.manner();
            assert!(manner.rest.0 >= 150, "{style}: a landing lasts 150 ms or more");
            assert!(manner.removal.0 > 40, "{style}: removals closer than 40 ms carry no order");
            assert!(manner.removal.1 < 10_000, "{style}: a longer pause interrupts the removal");
        }
    }
}
