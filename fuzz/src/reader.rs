//! A game with arbitrary inputs: bytes become what contacts, clock, buttons and the arbiter do, and the game
//! must stay sound whatever they are.
//!
//! [`hold`] is what `cargo test` runs on the committed inputs and the fuzzer on its own. It holds a game to this:
//!
//! - it never panics, and what it keeps and tells for one input has bounds;
//! - its position is the one that its events tell, folded: last moved to, gone back to, or set;
//! - plies are told in order, without a gap, and what is final never becomes provisional again;
//! - the public is told of no alert, no mark and no doubt;
//! - it is all the same whether time passes in one step or in many.
//!
//! Arbitrary bytes would never make a move, so one kind of input is a hand that makes a legal one, well or
//! badly. A time step is in the first byte of each input, so that inputs stay short and can be changed one by one.

use std::fmt::Write as _;

use draughtsd_core::clock::{ClockConnection, ClockTrouble};
use draughtsd_core::event::{Event, EventBody, MoveStatus};
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::matrix::Matrix;
use draughtsd_core::moment::Moment;
use draughtsd_core::notation::fen;
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{
    AdjournEntry, ArbiterInput, Button, ClockEntry, ClockLink, ClockReport, Crowning, Decision, DrawClaim,
    GameResult, Header, Input, TimedInput,
};

/// So many hypotheses may be kept between two inputs, where contacts are in the shadow of others.
const MOST_HYPOTHESES: usize = 144;
/// So many signs may be without an explanation.
const MOST_OPEN: usize = 48;
/// So many moves may be in doubt.
const MOST_IN_DOUBT: usize = 128;
/// So many irregular acts may rest on one hypothesis.
const MOST_INCIDENTS: usize = 128;
/// So much may be told at one input, and for each second that passed before it.
const MOST_TOLD: usize = 160;

/// Positions to start from, or to be set: openings, captures to the full, and far rows about to be reached.
const POSITIONS: [(Variant, &str); 12] = [
    (Variant::International, "start"),
    (Variant::International, "W:W32,37,42:B10,18,28,31"),
    (Variant::International, "W:W7,50:B15,45"),
    (Variant::International, "B:W6,9,10,20,21,22,K31,37,41,42,43:BK17,K24,1,2"),
    (Variant::Brazilian, "start"),
    (Variant::Brazilian, "W:Wa3,c3,Ke1:Bb4,d4,f6,h8"),
    (Variant::Brazilian, "W:Wa7,c7:Bb2,h2"),
    (Variant::Brazilian, "B:WKh8,a1,c1:Bd2,e7,Kb8"),
    (Variant::Russian, "start"),
    (Variant::Russian, "W:Wa3,c3,Ke1:Bb4,d4,f6,h8"),
    (Variant::Russian, "W:Wa7,c5,Kg1:Bb6,d6,h2"),
    (Variant::Russian, "B:WKh8,a1,c1:Bd2,e7,Kb8"),
];

/// Time steps in milliseconds, around the thresholds of sensing and reading.
const STEPS: [u64; 8] = [0, 4, 40, 130, 340, 700, 1600, 3200];

/// Reads the bytes as a game and holds it to what a game must be.
///
/// # Panics
/// When it is not.
pub(crate) fn hold(bytes: &[u8]) {
    Run::of(bytes, false);
}

/// The bytes as a trace, to look at what they do and to hand to `draughtsd replay`; holds the game to nothing.
#[allow(dead_code, reason = "for those who look into a failure")]
pub(crate) fn trace(bytes: &[u8]) -> String {
    Run::of(bytes, true).lines
}

/// Bytes read one by one.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// The next byte; zero when there is none.
    fn or_zero(&mut self) -> usize {
        usize::from(self.next().unwrap_or_default())
    }
}

fn position(index: usize) -> Position {
    let (variant, text) = POSITIONS[index % POSITIONS.len()];
    match text {
        "start" => Position::start(variant),
        text => fen::parse_position(text, variant).expect(text),
    }
}

/// A matrix whose wires follow the board.
fn matrix(variant: Variant) -> Matrix {
    let crossings = SquareSet::all(variant).iter().map(|square| {
        let (row, column) = square.row_column(variant);
        [row, column / 2]
    });
    Matrix::new(crossings.collect()).expect("no two squares have row and column in common")
}

fn side(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::White } else { Side::Black }
}

/// A game under way, and the same game with time passing in small steps.
struct Run {
    game: Game,
    stepped: Game,
    now: u64,
    /// Where discs stand, and what the contacts read.
    closed: SquareSet,
    shown: SquareSet,
    /// The square whose diode is missing.
    bare: Option<Square>,
    matrix: Matrix,
    stacked: SquareSet,
    log: Log,
    keeps_trace: bool,
    lines: String,
}

impl Run {
    fn of(bytes: &[u8], keeps_trace: bool) -> Self {
        let mut bytes = Bytes(bytes);
        let start = position(bytes.or_zero());
        let how = bytes.or_zero();
        let mut closed = start.occupied();
        if how & 0x10 != 0 {
            // The board is not set up as it should be.
            let odd = bytes.or_zero() % usize::from(start.variant().square_count());
            let square = Square::ALL[odd];
            if !closed.remove(square) {
                closed.insert(square);
            }
        }
        let setup = GameSetup {
            start,
            closed,
            crowning: [Crowning::Stack, Crowning::Reserve, Crowning::None][how % 3],
            clock: if how & 0x20 == 0 { ClockLink::Linked } else { ClockLink::None },
            time_control: (how & 0x40 != 0).then(|| "600+5".to_owned()),
            matrix: (how & 0x88 != 0).then(|| matrix(start.variant())),
            ..GameSetup::new(start.variant())
        };
        let mut header = Header::new(start.variant());
        header.start = Some(start.fen());
        header.closed = Some(closed);
        header.crowning = setup.crowning;
        header.clock = setup.clock;
        header.time_control.clone_from(&setup.time_control);
        header.matrix.clone_from(&setup.matrix);
        // One of the diodes may be missing.
        let bare = (how & 0x80 != 0)
            .then(|| Square::ALL[bytes.or_zero() % usize::from(start.variant().square_count())]);
        let (game, effects) = Game::new(setup);
        let mut run = Self {
            stepped: game.clone(),
            game,
            now: 0,
            closed,
            shown: closed,
            bare,
            matrix: matrix(start.variant()),
            stacked: SquareSet::EMPTY,
            log: Log::default(),
            keeps_trace,
            lines: String::new(),
        };
        run.write(&header.to_line());
        run.log.take(&effects);
        while let Some(first) = bytes.next() {
            run.now += STEPS[usize::from(first % 8)];
            run.act(first / 8, &mut bytes);
        }
        run.now += 5000;
        run.input(Input::End);
        run
    }

    fn write(&mut self, line: &str) {
        if self.keeps_trace {
            writeln!(self.lines, "{line}").expect("text can be appended to");
        }
    }

    fn square(&self, number: usize) -> Square {
        Square::ALL[number % usize::from(self.game.position().variant().square_count())]
    }

    fn act(&mut self, kind: u8, bytes: &mut Bytes<'_>) {
        let argument = bytes.or_zero();
        match kind {
            0..=11 => self.toggle(self.square(argument)),
            12 => {
                // A state that the contact has already.
                let square = self.square(argument);
                self.input(Input::Contact { square, closed: self.closed.contains(square) });
            }
            13 if argument & 0xe0 == 0xe0 => {
                self.input(Input::CrownSensor { square: self.square(argument), works: argument & 1 == 1 });
            }
            13 => {
                let square = self.square(argument);
                if !self.stacked.remove(square) {
                    self.stacked.insert(square);
                }
                self.input(Input::Crown { square, closed: self.stacked.contains(square) });
            }
            14 => {
                let closed = argument & 2 != 0;
                self.input(Input::Reserve { side: side(argument), closed, well: None });
            }
            15 | 16 => self.input(Input::Press { side: side(argument) }),
            17 => self.input(Input::Press { side: self.game.position().turn().opponent() }),
            18 => {
                let button = match argument >> 1 {
                    0..=79 => Button::Adjust,
                    80..=119 => Button::Draw,
                    120..=126 => Button::Arbiter,
                    _ => Button::Resign,
                };
                self.input(Input::Button { button, side: side(argument) });
            }
            19 => self.arbiter(argument),
            20 => {
                let report = ClockReport {
                    white_ms: u64::try_from(argument).unwrap_or_default() * 1000,
                    black_ms: 60_000,
                    running: (!argument.is_multiple_of(3)).then(|| side(argument / 3)),
                    flag: (argument > 250).then(|| side(argument)),
                };
                self.input(Input::Clock(report));
            }
            21 => {
                self.now += u64::try_from(argument).unwrap_or_default() * 60;
                self.pass_time();
            }
            31 => self.clock(argument, u64::try_from(bytes.or_zero()).unwrap_or_default()),
            _ => self.hand(argument, bytes.or_zero()),
        }
    }

    /// Something about the clock that is neither a press nor a report.
    fn clock(&mut self, argument: usize, more: u64) {
        let arbiter = |entry| Input::Arbiter(entry);
        let clock = |entry| arbiter(ArbiterInput::Clock(entry));
        let connections = [
            ClockConnection::Lost,
            ClockConnection::Kept,
            ClockConnection::KeptWithoutBonus,
            ClockConnection::Reset,
        ];
        let input = match argument % 16 {
            0..=5 => Input::ClockConnection(connections[argument / 16 % 4]),
            6 => clock(ClockEntry::Run(side(argument / 16))),
            7 => clock(ClockEntry::Stop),
            8 => clock(ClockEntry::Set { white_ms: more * 100, black_ms: u64::MAX >> (more % 64) }),
            9 => {
                let ran = (!argument.is_multiple_of(3)).then(|| side(argument / 32));
                clock(ClockEntry::Correction { offender: side(argument / 16), ms: more * 2000, ran })
            }
            10 => clock(ClockEntry::Split(side(argument / 16))),
            11 => clock(ClockEntry::Swap),
            12 => arbiter(ArbiterInput::DrawClaim(DrawClaim::White)),
            13 => Input::ClockTrouble(ClockTrouble::Garbage),
            _ => arbiter(ArbiterInput::Adjourn(match argument / 16 % 8 {
                0 | 1 => AdjournEntry::Position,
                2 | 3 => AdjournEntry::Confirmed(side(argument)),
                4 => AdjournEntry::Sealing,
                5 => AdjournEntry::Sealed,
                _ => AdjournEntry::Opened(
                    self.game.position().legal_moves().first().map_or_else(String::new, |mv| {
                        draughtsd_core::notation::movetext::score_sheet(&self.game.position(), *mv)
                    }),
                ),
            })),
        };
        self.input(input);
    }

    fn arbiter(&mut self, argument: usize) {
        let entry = match argument {
            0..=9 => ArbiterInput::Start,
            10..=49 => ArbiterInput::Pause,
            50..=99 => ArbiterInput::Resume,
            100..=129 => ArbiterInput::Position(position(argument).fen()),
            130..=159 => {
                let position = self.game.position();
                ArbiterInput::Position(position.with_turn(position.turn().opponent()).fen())
            }
            160..=163 => ArbiterInput::Position("W:W99".to_owned()),
            164..=167 => {
                let explanation = self.game.reader().hypotheses().nth(argument % 4);
                ArbiterInput::Choose(explanation.map_or_else(String::new, |one| one.position().fen()))
            }
            168..=169 => match self.closed.iter().nth(argument % 4) {
                Some(square) => ArbiterInput::Crowned(square),
                None => ArbiterInput::Pause,
            },
            170..=249 => {
                let alerts = self.game.summary().alerts;
                let alert = alerts.get(argument % 8).map_or("1-illegal-move-1", |alert| &alert.id).to_owned();
                let decision = [Decision::Corrected, Decision::Stands, Decision::BoardError][argument % 3];
                ArbiterInput::Rule { alert, decision }
            }
            _ => ArbiterInput::Result { result: GameResult::Draw, reason: None },
        };
        self.input(Input::Arbiter(entry));
    }

    fn toggle(&mut self, square: Square) {
        if !self.closed.remove(square) {
            self.closed.insert(square);
        }
        let ghosts = self.bare.map_or(SquareSet::EMPTY, |bare| self.matrix.ghosts(bare, self.closed));
        let shown = self.closed | ghosts;
        let changed = std::mem::replace(&mut self.shown, shown) ^ shown;
        for square in changed.iter() {
            self.input(Input::Contact { square, closed: shown.contains(square) });
        }
    }

    fn contact(&mut self, square: Square, closed: bool) {
        if self.closed.contains(square) != closed {
            self.toggle(square);
        }
    }

    /// A hand makes a legal move of the position as it is read; `how` says how well.
    fn hand(&mut self, which: usize, how: usize) {
        let position = self.game.position();
        let position =
            if how & 0x80 == 0 { position } else { position.with_turn(position.turn().opponent()) };
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[which % moves.len()];
        let pace = STEPS[2 + how % 4];
        self.contact(mv.from, false);
        self.now += pace;
        let removed_first = how & 0x10 != 0;
        let mut captured: Vec<Square> = mv.captured.iter().collect();
        if how & 0x20 != 0 {
            captured.pop();
        }
        if removed_first {
            self.take_off(&captured, pace);
        }
        self.contact(mv.to, true);
        self.now += pace;
        if !removed_first {
            self.take_off(&captured, pace);
        }
        if how & 0x40 == 0 {
            self.input(Input::Press { side: position.turn() });
            self.now += pace;
        }
        if how & 0x0c == 0x0c {
            self.contact(mv.to, false);
            self.now += pace;
            self.contact(mv.from, true);
        }
    }

    fn take_off(&mut self, squares: &[Square], pace: u64) {
        for &square in squares {
            self.contact(square, false);
            self.now += pace;
        }
    }

    fn pass_time(&mut self) {
        let at = Moment::from_millis(self.now);
        let before = self.game.now();
        let effects = self.game.advance(at);
        let mut in_steps = self.step_to(at);
        in_steps.extend(self.stepped.advance(at));
        self.compare(before, &effects, &in_steps);
    }

    fn input(&mut self, input: Input) {
        let at = Moment::from_millis(self.now);
        let timed = TimedInput { at, input };
        if self.keeps_trace {
            self.write(&timed.to_line());
        }
        let before = self.game.now();
        let effects = self.game.handle(at, timed.input.clone());
        let mut in_steps = self.step_to(at);
        in_steps.extend(self.stepped.handle(at, timed.input));
        self.compare(before, &effects, &in_steps);
    }

    /// Lets time pass in steps of uneven length, at its own deadlines among them.
    fn step_to(&mut self, at: Moment) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut step = 1;
        loop {
            let now = self.stepped.now();
            let wake = self.stepped.next_wake().unwrap_or(Moment::LAST);
            assert!(wake > now, "due at {wake}, now is {now}");
            let next = wake.min(now.after(step));
            if next >= at {
                return effects;
            }
            effects.extend(self.stepped.advance(next));
            step = (step * 5) % 997 + 1;
        }
    }

    fn compare(&mut self, before: Moment, effects: &[Effect], in_steps: &[Effect]) {
        if self.keeps_trace {
            return;
        }
        assert_eq!(effects, in_steps, "time in one step and time in many, up to {}", self.game.now());
        let seconds = usize::try_from(self.game.now().since(before) / 1000).unwrap_or(usize::MAX);
        let told = effects.len();
        assert!(told <= MOST_TOLD * (1 + seconds), "{told} events after {seconds} s");
        self.log.take(effects);
        self.is_bounded();
        let position = self.game.position().fen();
        assert_eq!(position, self.log.position(), "the position and what was told of it");
        assert_eq!(self.game.summary().fen, position, "the summary's position");
        assert_eq!(self.game.moves().count(), self.log.plies.len(), "moves told");
    }

    fn is_bounded(&self) {
        let reader = self.game.reader();
        let count = reader.hypotheses().count();
        assert!((1..=MOST_HYPOTHESES).contains(&count), "{count} hypotheses");
        for hypothesis in reader.hypotheses() {
            let (open, plies) = (hypothesis.open().len(), hypothesis.plies().len());
            assert!(open <= MOST_OPEN, "{open} signs without an explanation");
            assert!(plies <= MOST_IN_DOUBT, "{plies} moves in doubt");
            let incidents = hypothesis.incidents().len();
            assert!(incidents <= MOST_INCIDENTS, "{incidents} incidents in one hypothesis");
        }
    }
}

/// A move as it was last told.
struct ToldPly {
    status: MoveStatus,
    text: String,
    fen: String,
}

/// What the events tell, folded as a spectator would.
#[derive(Default)]
struct Log {
    start: String,
    plies: Vec<ToldPly>,
    /// A position that was set after so many moves.
    set: Option<(usize, String)>,
}

impl Log {
    /// The position that stands by what was told.
    fn position(&self) -> &str {
        match &self.set {
            Some((after, fen)) if *after == self.plies.len() => fen,
            _ => self.plies.last().map_or(&self.start, |ply| &ply.fen),
        }
    }

    fn take(&mut self, effects: &[Effect]) {
        for effect in effects {
            let Effect::Publish(event) = effect else { continue };
            self.fold(&event.body);
            if let Some(public) = event.for_public() {
                assert_public(&public);
            }
        }
    }

    fn fold(&mut self, body: &EventBody) {
        match body {
            EventBody::GameStarted { fen, .. } => self.start.clone_from(fen),
            EventBody::Move { status, record, fen } => {
                let index = usize::try_from(record.ply).expect("a small number") - 1;
                assert!(index <= self.plies.len(), "ply {} is told after {}", record.ply, self.plies.len());
                let told = ToldPly { status: *status, text: record.text.clone(), fen: fen.clone() };
                let is_last = index + 1 >= self.plies.len();
                match self.plies.get_mut(index) {
                    Some(old) => {
                        let same = old.text == told.text;
                        let stays = same && told.status == MoveStatus::Final;
                        let provisional = old.status == MoveStatus::Provisional;
                        assert!(stays || provisional, "ply {} changes after it was final", record.ply);
                        assert!(same || is_last, "only the last move gives way to another");
                        *old = told;
                    }
                    None => self.plies.push(told),
                }
            }
            EventBody::Withdrawn { ply, fen } => {
                let index = usize::try_from(*ply).expect("a small number") - 1;
                assert!(index < self.plies.len(), "ply {ply} is withdrawn of {}", self.plies.len());
                self.go_back_to(index);
                if index == 0 {
                    // The arbiter may start the game from a position that he set in the meantime.
                    self.set = Some((0, fen.clone()));
                }
                assert_eq!(self.position(), fen, "ply {ply} is withdrawn to what stood before it");
            }
            EventBody::PositionSet { fen } => self.set = Some((self.plies.len(), fen.clone())),
            _ => {}
        }
    }

    fn go_back_to(&mut self, index: usize) {
        self.plies.truncate(index);
        if self.set.as_ref().is_some_and(|&(after, _)| after > index) {
            self.set = None;
        }
    }
}

/// The public may be told of contacts, moves without marks, presses, the clock and the result.
fn assert_public(event: &Event) {
    match &event.body {
        EventBody::Move { record, .. } => {
            assert!(record.irregular.is_empty() && record.certainty.is_none(), "{event:?}");
        }
        EventBody::GameStarted { .. }
        | EventBody::Contact { .. }
        | EventBody::Crown { .. }
        | EventBody::Reserve { .. }
        | EventBody::Withdrawn { .. }
        | EventBody::PositionSet { .. }
        | EventBody::Press { .. }
        | EventBody::Clock { .. }
        | EventBody::ClockConnection { .. }
        | EventBody::Adjourning { .. }
        | EventBody::Sealing { .. }
        | EventBody::Adjourned { .. }
        | EventBody::SealedMove { .. }
        | EventBody::Paused
        | EventBody::Resumed { .. }
        | EventBody::Result { .. }
        | EventBody::RecordingEnded => {}
        other => panic!("the public is told {other:?}"),
    }
}
