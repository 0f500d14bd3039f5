//! A virtual board with hands: turns games into the contact traces that players would leave.
//!
//! Two players' hands carry a game out on a table of discs ([`Style`]), contacts under the board make
//! of it what real ones make of it ([`Noise`], [`Fault`]), and the result is a trace with its [`Truth`],
//! the moves that were really played. It serves `draughtsd simulate` and `demo`, and the tests that a
//! reading is measured by.
//!
//! The path of a game: moves → `hands` (who does what when) → `script` (ideal contacts) → `contacts`
//! (noise) → `fault` → trace. Hands know the rules' names for acts but nothing of how a reader works or
//! where its thresholds lie; what they promise is what `docs/trace.md` promises of real boards.
//!
//! The same game, options and seed give the same trace, byte for byte, on every platform.

use draughtsd_core::moment::Moment;
use draughtsd_core::moves::Move;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::{ClockLink, Crowning, Header, Input, TimedInput};

mod contacts;
mod fault;
mod gap;
mod hands;
mod noise;
mod path;
mod random;
mod random_game;
mod script;
mod style;
mod table;
mod truth;

pub use fault::{Fault, FaultError};
pub use noise::{Level, Noise, NoiseError};
pub use random::{Purpose, Random};
pub use style::{Style, StyleError};
pub use truth::{Truth, TruthAlert, TruthMove};

use contacts::{Change, Contacts};
use fault::Stream;
use hands::{Finished, Hands, Setting};
use script::Lead;

/// How a game is to be handled and sensed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandOptions {
    /// How the players handle the discs.
    pub style: Style,
    /// What contacts and hands do besides.
    pub noise: Noise,
    /// How a crowning is sensed.
    pub crowning: Crowning,
    /// Whether a clock is linked.
    pub clock: ClockLink,
    /// How often, in a thousand plies, the scanner loses the next one or two.
    pub gaps: u32,
    /// Faulty contacts.
    pub faults: Vec<Fault>,
}

impl Default for HandOptions {
    /// Book style without noise, stack contacts, a linked clock.
    fn default() -> Self {
        Self {
            style: Style::Book,
            noise: Noise::NONE,
            crowning: Crowning::Stack,
            clock: ClockLink::Linked,
            gaps: 0,
            faults: Vec::new(),
        }
    }
}

/// A simulated game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedGame {
    /// The trace's first line.
    pub header: Header,
    /// The trace's events, in order of time.
    pub events: Vec<TimedInput>,
    /// What really happened.
    pub truth: Truth,
}

impl SimulatedGame {
    /// The trace as text, one line for the header and one for each event.
    #[must_use]
    pub fn trace(&self) -> String {
        let mut text = self.header.to_line();
        text.push('\n');
        for event in &self.events {
            text.push_str(&event.to_line());
            text.push('\n');
        }
        text
    }
}

/// Carries out a game.
///
/// - `game`: legal moves from `start`; the first one that is not legal ends the game before it.
/// - `seed`: of everything that is left to chance.
#[must_use]
pub fn simulate(game: &[Move], start: &Position, options: &HandOptions, seed: u64) -> SimulatedGame {
    let variant = start.variant();
    let setting = Setting {
        style: options.style,
        noise: options.noise,
        crowning: options.crowning,
        clock: options.clock,
    };
    let mut hands = Hands::new(start, setting, Random::new(seed, Purpose::Hands));
    let mut gaps = Random::new(seed, Purpose::Gaps);
    let mut position = *start;
    let mut rest = &legal_part(game, start)[..];
    while let Some((&mv, after)) = rest.split_first() {
        let lost = gap::lost_plies(&position, rest, options.gaps, &mut gaps);
        let done = if lost > 0 {
            hands.play_unseen(&position, &rest[..lost]);
            &rest[..lost]
        } else {
            hands.play(&position, mv, after.is_empty());
            &rest[..1]
        };
        position = done.iter().fold(position, |at, mv| at.play(*mv));
        rest = &rest[done.len()..];
    }
    let finished = hands.finish();
    let stream = contact_stream(start, options, seed, &finished);
    let truth = Truth {
        kind: kind(options).to_owned(),
        board: variant,
        seed,
        style: options.style.to_string(),
        moves: finished.moves,
        alerts: Vec::new(),
        fen: position.fen(),
        clock: options.clock == ClockLink::Linked,
    };
    let header = Header {
        start: (*start != Position::start(variant)).then(|| start.fen()),
        crowning: options.crowning,
        clock: options.clock,
        closed: (stream.closed != start.occupied()).then_some(stream.closed),
        note: Some(note(options, seed)),
        ..Header::new(variant)
    };
    SimulatedGame { header, events: merged(stream, finished.performed.inputs, finished.end), truth }
}

/// A game made up from the seed: legal moves with some sense in them, until a side has lost or for at
/// most `plies`.
#[must_use]
pub fn random_game(start: &Position, plies: usize, seed: u64) -> Vec<Move> {
    random_game::play(start, plies, &mut Random::new(seed, Purpose::Moves))
}

fn legal_part(game: &[Move], start: &Position) -> Vec<Move> {
    let mut position = *start;
    let legal = game.iter().take_while(|mv| {
        let is_legal = position.legal_moves().contains(mv);
        position = position.play(**mv);
        is_legal
    });
    legal.copied().collect()
}

fn kind(options: &HandOptions) -> &'static str {
    if !options.faults.is_empty() {
        "fault"
    } else if options.gaps > 0 {
        "gap"
    } else if options.noise != Noise::NONE {
        "noisy"
    } else {
        "clean"
    }
}

fn note(options: &HandOptions, seed: u64) -> String {
    let mut note = format!("simulated: seed {seed}, style {}, noise {}", options.style, options.noise);
    for fault in &options.faults {
        note.push_str(", fault ");
        note.push_str(&fault.to_string());
    }
    note
}

/// What the contacts under the board read.
fn contact_stream(start: &Position, options: &HandOptions, seed: u64, finished: &Finished) -> Stream {
    let variant = start.variant();
    let mut random = Random::new(seed, Purpose::Contacts);
    let initially = leads(variant, options.crowning).into_iter().map(|lead| {
        let closed = match lead {
            Lead::Contact(square) => start.occupied().contains(square),
            Lead::Crown(square) => start.to_setup().kings.contains(square),
        };
        (lead, closed)
    });
    let mut contacts =
        Contacts::new(initially, &finished.performed.edges, finished.lost.clone(), finished.end);
    contacts.add_passes(&finished.performed.passes);
    contacts.add_noise(&options.noise, finished.moves.len(), &mut random);
    let changes = contacts.changes(&options.noise, &mut random);
    let stream = Stream { closed: start.occupied(), changes };
    let mut random = Random::new(seed, Purpose::Faults);
    fault::apply(&options.faults, variant, stream, finished.end, &mut random)
}

/// Every contact under the board.
fn leads(variant: Variant, crowning: Crowning) -> Vec<Lead> {
    let squares = SquareSet::all(variant).iter();
    let mut leads: Vec<Lead> = squares.clone().map(Lead::Contact).collect();
    if crowning == Crowning::Stack {
        leads.extend(squares.filter(|&s| path::is_far_row(variant, s)).map(Lead::Crown));
    }
    leads
}

/// One stream in order of time; what is under the board comes first within a millisecond.
fn merged(stream: Stream, inputs: Vec<TimedInput>, end: u64) -> Vec<TimedInput> {
    let contacts = stream.changes.into_iter().map(|Change { at, lead, closed }| {
        let input = match lead {
            Lead::Contact(square) => Input::Contact { square, closed },
            Lead::Crown(square) => Input::Crown { square, closed },
        };
        TimedInput { at: Moment::from_millis(at), input }
    });
    let mut events: Vec<TimedInput> = contacts.chain(inputs).collect();
    events.sort_by_key(|event| event.at);
    events.push(TimedInput { at: Moment::from_millis(end), input: Input::End });
    events
}
