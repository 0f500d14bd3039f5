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

pub mod clock;
mod compare;
mod contacts;
mod fault;
mod gap;
mod hands;
mod noise;
mod path;
mod plan;
mod random;
mod random_game;
mod script;
mod style;
mod table;
mod truth;

pub use compare::Comparison;
pub use fault::{Fault, FaultError};
pub use noise::{Level, Noise, NoiseError};
pub use plan::{Outcome, Planned, PlannedError};
pub use random::{Purpose, Random};
pub use style::{Style, StyleError};
pub use truth::{Truth, TruthAlert, TruthMove};

use contacts::{Change, Contacts};
use fault::Stream;
use hands::{Finished, Hands, Planting, Setting};
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
    /// How much longer than the style has it a player thinks before each move, in milliseconds. Replies that overlap
    /// the move before or follow at once do so all the same.
    pub think_ms: u64,
    /// How often, in a thousand plies, the scanner loses the next one or two.
    pub gaps: u32,
    /// Faulty contacts.
    pub faults: Vec<Fault>,
    /// Irregular acts, in order of ply.
    pub plan: Vec<Planned>,
}

impl Default for HandOptions {
    /// Book style without noise, stack contacts, a linked clock.
    fn default() -> Self {
        Self {
            style: Style::Book,
            noise: Noise::NONE,
            crowning: Crowning::Stack,
            clock: ClockLink::Linked,
            think_ms: 0,
            gaps: 0,
            faults: Vec::new(),
            plan: Vec::new(),
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
    /// Irregular acts that were planned and never found their occasion.
    pub not_planted: Vec<Planned>,
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
/// - `game`: legal moves from `start`; the first one that is not legal ends the game before it. After
///   an irregular act that stood, the game goes on with other moves, up to as many plies.
/// - `seed`: of everything that is left to chance.
#[must_use]
pub fn simulate(game: &[Move], start: &Position, options: &HandOptions, seed: u64) -> SimulatedGame {
    let variant = start.variant();
    let setting = Setting {
        style: options.style,
        noise: options.noise,
        crowning: options.crowning,
        clock: options.clock,
        think_ms: options.think_ms,
        presses_always: is_procedure(options),
    };
    let mut hands = Hands::new(start, setting, Random::new(seed, Purpose::Hands));
    let mut gaps = Random::new(seed, Purpose::Gaps);
    let mut line = Line::new(start, legal_part(game, start), seed);
    let mut plan = Plan { acts: options.plan.clone(), not_before: 0 };
    while let Some(&mv) = line.rest().first() {
        let position = line.position;
        let remaining = line.remaining(hands.plies());
        if remaining == 0 {
            break;
        }
        if let Some(planting) = plan.carry_out(&mut hands, &line, remaining) {
            if let Planting::Played(after) = planting {
                line.go_to(after);
                continue;
            }
        } else {
            let lost = gap::lost_plies(&position, line.rest(), options.gaps, &mut gaps);
            if lost > 0 {
                hands.play_unseen(&position, &line.rest()[..lost]);
                let after = line.rest()[..lost].iter().fold(position, |at, mv| at.play(*mv));
                line.go_to(after);
                continue;
            }
        }
        let after = position.play(mv);
        hands.play(&position, mv, remaining == 1 || !after.has_legal_move());
        line.go_to(after);
    }
    let position = line.position;
    let finished = hands.finish();
    let stream = contact_stream(start, options, seed, &finished);
    let truth = Truth {
        kind: kind(options).to_owned(),
        board: variant,
        seed,
        style: options.style.to_string(),
        moves: finished.moves,
        alerts: finished.alerts.clone(),
        fen: position.fen(),
        clock: options.clock == ClockLink::Linked,
    };
    let header = Header {
        start: (*start != Position::start(variant)).then(|| start.fen()),
        crowning: options.crowning,
        clock: options.clock,
        closed: (stream.closed != start.occupied()).then_some(stream.closed),
        matrix: Some(path::matrix(variant)),
        note: Some(note(options, seed)),
        ..Header::new(variant)
    };
    let events = merged(stream, finished.performed.inputs, finished.end);
    SimulatedGame { header, events, truth, not_planted: plan.acts }
}

/// A game made up from the seed: legal moves with some sense in them, until a side has lost or for at
/// most `plies`.
#[must_use]
pub fn random_game(start: &Position, plies: usize, seed: u64) -> Vec<Move> {
    random_game::play(start, plies, &mut Random::new(seed, Purpose::Moves))
}

/// The moves still to be made: those of the given game, and others once it has been left.
#[derive(Debug)]
struct Line {
    position: Position,
    given: Vec<Move>,
    /// How many plies the game may have.
    plies: usize,
    random: Random,
}

impl Line {
    fn new(start: &Position, given: Vec<Move>, seed: u64) -> Self {
        let plies = given.len();
        Self { position: *start, given, plies, random: Random::new(seed, Purpose::Moves) }
    }

    /// The next moves; none at the end of the game.
    fn rest(&self) -> &[Move] {
        &self.given
    }

    fn remaining(&self, played: usize) -> usize {
        self.plies.saturating_sub(played)
    }

    /// Goes on from `position`, which the next move or two of the line may have led to.
    fn go_to(&mut self, position: Position) {
        let mut at = self.position;
        self.position = position;
        for count in 0..self.given.len().min(2) {
            at = at.play(self.given[count]);
            if at == position {
                self.given.drain(..=count);
                if !self.given.is_empty() {
                    return;
                }
            }
        }
        self.given = random_game::choose(&position, &mut self.random).into_iter().collect();
    }
}

/// Irregular acts still to be done.
#[derive(Debug)]
struct Plan {
    acts: Vec<Planned>,
    /// The next act waits until so many plies are played.
    not_before: usize,
}

impl Plan {
    /// An act must leave room for the reply that accepts it.
    const ROOM: usize = 4;
    /// So many plies lie between two acts, so that one is settled before the next.
    const APART: usize = 2;

    /// Does the first of the acts that are due and that the position allows.
    fn carry_out(&mut self, hands: &mut Hands, line: &Line, remaining: usize) -> Option<Planting> {
        if remaining < Self::ROOM || hands.plies() < self.not_before {
            return None;
        }
        let ply = u32::try_from(hands.plies() + 1).unwrap_or(u32::MAX);
        for index in 0..self.acts.len() {
            let act = self.acts[index];
            if act.from_ply > ply {
                continue;
            }
            if let Some(planting) = hands.plant(&line.position, line.rest(), &act) {
                self.acts.remove(index);
                self.not_before = hands.plies() + Self::APART;
                return Some(planting);
            }
        }
        None
    }
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
    if is_procedure(options) {
        "procedure"
    } else if !options.plan.is_empty() {
        if options.noise == Noise::NONE { "irregular" } else { "mixed" }
    } else if !options.faults.is_empty() {
        "fault"
    } else if options.gaps > 0 {
        "gap"
    } else if options.noise != Noise::NONE {
        "noisy"
    } else {
        "clean"
    }
}

/// Whether every forgotten press is to be judged, so that none may come by itself.
fn is_procedure(options: &HandOptions) -> bool {
    options.plan.iter().any(Planned::is_procedure)
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
    let closed = start.occupied() - finished.performed.missing;
    let initially = leads(variant, options.crowning).into_iter().map(|lead| {
        let closed = match lead {
            Lead::Contact(square) => closed.contains(square),
            Lead::Crown(square) => start.to_setup().kings.contains(square),
        };
        (lead, closed)
    });
    let mut contacts =
        Contacts::new(initially, &finished.performed.edges, finished.lost.clone(), finished.end);
    contacts.add_passes(&finished.performed.passes);
    contacts.add_noise(&options.noise, finished.moves.len(), &mut random);
    let changes = contacts.changes(&options.noise, &mut random);
    let stream = Stream { closed, changes };
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
