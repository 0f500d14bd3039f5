//! A stored game run again: the journal's inputs through a new core game.
//!
//! The core gives the same outputs for the same inputs, so a game needs no snapshots to be taken up again: its
//! inputs are enough. What the core says now is compared with what it said then. They differ when another version
//! of the program reads the game, and that is shown, not hidden.

use draughtsd_core::event::{EndReason, Event, EventBody};
use draughtsd_core::game::{Effect, Game, GameSetup, SetupError};
use draughtsd_core::moment::Moment;
use draughtsd_core::trace::{ArbiterInput, Header, Input, LineError, TimedInput};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board_loop::Contacts;
use crate::feeds::board_state::About;
use crate::feeds::wall_time::WallTime;
use crate::journal::archive::StoredGame;
use crate::journal::{Entry, Kind, LateResult};

/// An event as the journal keeps it: an event and its body may both have a key `t`.
#[derive(Debug, Serialize, Deserialize)]
struct KeptEvent {
    t: Moment,
    body: EventBody,
}

/// An event as the body of an entry.
///
/// # Panics
/// Never: an event has only string keys.
#[must_use]
pub fn event_to_text(event: &Event) -> String {
    let kept = KeptEvent { t: event.t, body: event.body.clone() };
    serde_json::to_string(&kept).expect("an event has only string keys")
}

/// The moment of an entry that has one: an input, or that time has passed.
#[must_use]
pub fn moment_of(kind: &str, body: &str) -> Option<Moment> {
    #[derive(Deserialize)]
    struct At {
        t: Moment,
    }
    match Kind::from_name(kind)? {
        Kind::Input | Kind::Entered => serde_json::from_str(body).ok().map(|At { t }| t),
        Kind::Reached => body.parse().ok().map(Moment::from_millis),
        Kind::Event | Kind::About | Kind::Audit | Kind::Gap => None,
    }
}

/// The entries that give a game a result after it was over.
#[must_use]
pub fn late_result(last: Moment, late: LateResult) -> [Entry; 2] {
    let LateResult { game: _, at, result, reason } = late;
    let input = TimedInput { at: last, input: Input::Arbiter(ArbiterInput::Result { result, reason }) };
    let event =
        Event { t: last, body: EventBody::Result { result, reason: reason.unwrap_or(EndReason::Arbiter) } };
    [
        Entry { kind: Kind::Entered, at, body: input.to_line() },
        Entry { kind: Kind::Event, at, body: event_to_text(&event) },
    ]
}

/// An event out of the body of an entry.
///
/// # Errors
/// When it is none, or of a kind that this version does not know.
pub fn event_from_text(text: &str) -> Result<Event, serde_json::Error> {
    let KeptEvent { t, body } = serde_json::from_str(text)?;
    Ok(Event { t, body })
}

/// Why a stored game cannot be run again.
#[derive(Debug, Error)]
pub enum RerunError {
    /// Its header is wrong.
    #[error("game {game}: {reason}")]
    Header {
        /// The game.
        game: u64,
        /// What is wrong.
        reason: LineError,
    },
    /// Its start is wrong.
    #[error("game {game}: {reason}")]
    Start {
        /// The game.
        game: u64,
        /// What is wrong.
        reason: SetupError,
    },
    /// An entry is not of the form that its kind has.
    #[error("game {game}, entry {entry}: {reason}")]
    Entry {
        /// The game.
        game: u64,
        /// The entry, from 1.
        entry: u64,
        /// What is wrong.
        reason: String,
    },
}

/// Where what is said now differs from what was said then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The entry before which it is, from 1.
    pub entry: u64,
    /// What the journal has; `None` where it has nothing.
    pub then: Option<String>,
    /// What the core says now; `None` where it says nothing.
    pub now: Option<String>,
}

/// A stored game, run again.
#[derive(Debug)]
pub struct Rerun {
    /// The header.
    pub header: Header,
    /// Names and the like, as they were entered last.
    pub about: About,
    /// The game as the core has it now.
    pub game: Game,
    /// The contacts, as the inputs leave them.
    pub contacts: Contacts,
    /// The events that the journal has, and when they were.
    pub told: Vec<(Event, WallTime)>,
    /// What the core says after the last entry and the journal does not have: the program was stopped between
    /// an input and what follows from it.
    pub untold: Vec<Event>,
    /// Where the core now says something else than it did then.
    pub differences: Vec<Difference>,
    /// How many inputs came from the board.
    pub taken: u64,
    /// All inputs, those of people included, with their moments: the game as a trace.
    pub inputs: Vec<(Kind, TimedInput)>,
    /// Whether entries are missing.
    pub has_gap: bool,
}

/// Runs a stored game again.
///
/// # Errors
/// When the header or an entry is not what it should be.
pub fn rerun(stored: &StoredGame, entries: &[Entry]) -> Result<Rerun, RerunError> {
    let number = stored.number;
    let header =
        Header::parse(&stored.game.header).map_err(|reason| RerunError::Header { game: number, reason })?;
    let setup = GameSetup::try_from(&header).map_err(|reason| RerunError::Start { game: number, reason })?;
    let contacts = contacts_at_the_start(&setup);
    let about = serde_json::from_str(&stored.game.about).unwrap_or_default();
    let (game, begun) = Game::new(setup);
    let mut run = Running {
        rerun: Rerun {
            header,
            about,
            game,
            contacts,
            told: Vec::new(),
            untold: Vec::new(),
            differences: Vec::new(),
            taken: 0,
            inputs: Vec::new(),
            has_gap: false,
        },
        said: events(begun).into_iter(),
        entry: 0,
    };
    for entry in entries {
        run.entry += 1;
        run.take(entry).map_err(|reason| RerunError::Entry { game: number, entry: run.entry, reason })?;
    }
    run.rerun.untold = run.said.collect();
    Ok(run.rerun)
}

/// The contacts with which a game begins.
#[must_use]
pub fn contacts_at_the_start(setup: &GameSetup) -> Contacts {
    use draughtsd_core::piece::Side;
    use draughtsd_core::square::SquareSet;
    use draughtsd_core::trace::Crowning;
    let stacked = match setup.crowning {
        Crowning::Stack => setup.start.kings(Side::White) | setup.start.kings(Side::Black),
        Crowning::Reserve | Crowning::None => SquareSet::EMPTY,
    };
    Contacts { closed: setup.closed, stacked, unsensed: SquareSet::EMPTY }
}

/// What was said to the world. The clock was told at the time, and is told anew when it is heard again.
fn events(effects: Vec<Effect>) -> Vec<Event> {
    let event = |effect| match effect {
        Effect::Publish(event) => Some(event),
        Effect::Clock(_) => None,
    };
    effects.into_iter().filter_map(event).collect()
}

struct Running {
    rerun: Rerun,
    /// What the core has said and no entry has matched yet.
    said: std::vec::IntoIter<Event>,
    entry: u64,
}

impl Running {
    fn take(&mut self, entry: &Entry) -> Result<(), String> {
        match entry.kind {
            Kind::Input | Kind::Entered => {
                let input = TimedInput::parse(&entry.body, self.rerun.header.board)
                    .map_err(|error| error.to_string())?;
                self.rerun.taken += u64::from(entry.kind == Kind::Input);
                self.rerun.contacts.apply(&input.input);
                self.rerun.inputs.push((entry.kind, input.clone()));
                let effects = self.rerun.game.handle(input.at, input.input);
                self.go_on(effects);
            }
            Kind::Reached => {
                let moment = entry.body.parse().map_err(|_| "not a moment in milliseconds".to_owned())?;
                let effects = self.rerun.game.advance(Moment::from_millis(moment));
                self.go_on(effects);
            }
            Kind::Event => {
                let then = event_from_text(&entry.body).map_err(|error| error.to_string())?;
                match self.said.next() {
                    Some(now) if now == then => {}
                    now => self.differ(Some(&then), now.as_ref()),
                }
                self.rerun.told.push((then, entry.at));
            }
            Kind::About => {
                self.rerun.about = serde_json::from_str(&entry.body).map_err(|error| error.to_string())?;
            }
            Kind::Audit => {}
            Kind::Gap => self.rerun.has_gap = true,
        }
        Ok(())
    }

    /// The core has said something more; whatever it said before is not in the journal.
    fn go_on(&mut self, effects: Vec<Effect>) {
        for now in std::mem::take(&mut self.said) {
            self.differ(None, Some(&now));
        }
        self.said = events(effects).into_iter();
    }

    fn differ(&mut self, then: Option<&Event>, now: Option<&Event>) {
        self.rerun.differences.push(Difference {
            entry: self.entry,
            then: then.map(event_to_text),
            now: now.map(event_to_text),
        });
    }
}
