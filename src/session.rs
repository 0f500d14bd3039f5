//! The session of a board: its games one after another, each kept in the journal and told on the feeds.
//!
//! There is one way through it. Whatever happens is journalled as it came, goes into the core's game, and what the
//! core says is journalled and then published ([`publisher`] says when). Nothing here decides anything about the
//! game.
//!
//! A session is taken up again from its journal: the last game's inputs are run through a new core game
//! ([`crate::stored_game`]), the feeds' numbers go on, and the contacts as they stand now are compared with those
//! that were kept.

mod answers;
pub mod delay;
pub mod publisher;
mod under_way;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use draughtsd_core::event::{Event, EventBody};
use draughtsd_core::game::{Effect, Game, GameSetup, SetupError};
use draughtsd_core::matrix::Matrix;
use draughtsd_core::moment::Moment;
use draughtsd_core::notation::fen;
use draughtsd_core::trace::{ArbiterInput, Header, Input, Restart, TimedInput};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;
use tracing::Span;

use crate::board_loop::{Board, Contacts, turned, turned_squares};
use crate::control::Answer;
use crate::feeds::board_state::About;
use crate::feeds::wall_time::WallTime;
use crate::journal::archive::StoredGame;
use crate::journal::{Durability, Entry, Journal, Kind, NewGame, Outage, Ticket, Urgency};
use crate::metrics::{Counters, Metrics};
use crate::stored_game::{self, Rerun};
use publisher::Publisher;
use under_way::{Begun, TURNED, UnderWay};

/// How many ticks of the loop lie between two notes in the journal of when the program was last alive.
const TICKS_TO_A_NOTE: u32 = 60;

/// How long a promise may wait for the card before it is said that the card does not answer. Cards that tidy themselves up
/// take a second or two.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// How many ticks of the loop lie between two looks at the clock for the small file.
const TICKS_TO_A_SIGN: u32 = 5;

/// A board's games, one after another.
#[derive(Debug)]
pub struct Session {
    board: String,
    /// What the next game begins with.
    next: NextGame,
    under_way: UnderWay,
    publisher: Publisher,
    keeping: Option<Keeping>,
    next_game_asked: bool,
    /// Answers that wait until what was decided is on the card and published.
    answers: VecDeque<(Ticket, oneshot::Sender<Answer>, Answer)>,
    counters: Arc<Counters>,
    /// Everything that is logged about the game under way carries its number.
    span: Span,
    ticks: u32,
}

/// What a game begins with.
#[derive(Clone, Debug)]
pub struct NextGame {
    /// Its header; without the contacts closed at the beginning, which are the board's.
    pub header: Header,
    /// Names and the like.
    pub about: About,
}

#[derive(Debug)]
struct Keeping {
    journal: Journal,
    durability: watch::Receiver<Durability>,
    /// What was last told of the journal's troubles.
    problem: Option<Arc<str>>,
    /// The first promise that waits for the card, and when it was first seen to.
    held_up: Option<(Ticket, Instant)>,
}

/// What is taken up again.
#[derive(Debug)]
pub struct Before {
    /// The game, as it was stored.
    pub stored: StoredGame,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// The game run again.
    pub rerun: Rerun,
    /// For how long nothing was recorded.
    pub outage: Outage,
}

impl Session {
    /// A session that begins with a new game.
    ///
    /// # Errors
    /// When the header's start is no position.
    pub async fn begin(
        board_id: &str,
        next: NextGame,
        publisher: Publisher,
        journal: Option<Journal>,
        board: &mut impl Board,
    ) -> Result<Self, SetupError> {
        let mut keeping = journal.map(Keeping::new);
        let begun = UnderWay::begin(board_id, &next, keeping.as_mut(), board).await?;
        let Begun { under_way, effects, otherwise } = begun;
        let mut session = Self::new(board_id, next, under_way, publisher, keeping);
        session.announce_game();
        session.perform(effects, board);
        session.enter_all(Moment::ZERO, otherwise, board);
        Ok(session)
    }

    /// A session that goes on with the last game of an earlier run.
    ///
    /// - `publisher`: has taken up already what the public is told of it ([`Publisher::go_on`]).
    pub async fn go_on(
        board_id: &str,
        next: NextGame,
        publisher: Publisher,
        journal: Journal,
        before: Before,
        board: &mut impl Board,
    ) -> Self {
        let mut keeping = Keeping::new(journal);
        let Before { stored, entries, rerun, outage } = before;
        keeping.journal.go_on(stored.number, stored.game.clone(), entries);
        let under_way = UnderWay::from_rerun(&stored, &rerun);
        let Rerun { told, untold, differences, .. } = rerun;
        let (game_id, variant) = (under_way.number.to_string(), under_way.header.board);
        let told = told.iter().map(|(event, at)| (event, *at));
        publisher.arbiter().go_on_with(&game_id, variant, under_way.about.clone(), told);
        board.enter(under_way.place());
        let mut session = Self::new(board_id, next, under_way, publisher, Some(keeping));
        untold.into_iter().for_each(|event| session.tell(event, board));
        if !differences.is_empty() {
            session.correct(board);
        }
        session.restart(outage, board).await;
        session
    }

    /// This version of the program reads the game otherwise than the one that published it: what differs is
    /// withdrawn and told again, so that the feeds and the game agree from here on.
    fn correct(&mut self, board: &impl Board) {
        let told: Vec<String> = self
            .publisher
            .arbiter()
            .look(|state| state.moves().iter().map(|line| line.fen.clone()).collect());
        let game = &self.under_way.game;
        let records = game.summary().moves;
        let moves: Vec<_> = game.moves().map(|(ply, status)| (ply.after.fen(), status)).collect();
        let same = told.iter().zip(&moves).take_while(|(then, (now, _))| *then == now).count();
        let t = game.now();
        let mut news = Vec::new();
        if let (true, Ok(ply)) = (same < told.len(), u32::try_from(same + 1)) {
            let before = same.checked_sub(1).and_then(|last| moves.get(last));
            let fen = before.map_or_else(|| self.under_way.start_fen(), |(fen, _)| fen.clone());
            news.push(EventBody::Withdrawn { ply, fen });
        }
        for (record, (fen, status)) in records.into_iter().zip(moves).skip(same) {
            news.push(EventBody::Move { status, record, fen });
        }
        tracing::warn!(withdrawn = told.len() - same, told = news.len(), "what was published is put right");
        news.into_iter().for_each(|body| self.tell(Event { t, body }, board));
    }

    fn new(
        board_id: &str,
        next: NextGame,
        under_way: UnderWay,
        publisher: Publisher,
        keeping: Option<Keeping>,
    ) -> Self {
        Self {
            board: board_id.to_owned(),
            next,
            under_way,
            publisher,
            keeping,
            next_game_asked: false,
            answers: VecDeque::new(),
            counters: Arc::default(),
            span: Span::none(),
            ticks: 0,
        }
    }

    /// Where the session's numbers are read.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        Metrics {
            board: self.board.clone(),
            public: Arc::clone(self.publisher.public()),
            arbiter: Arc::clone(self.publisher.arbiter()),
            counters: Arc::clone(&self.counters),
            written: self.keeping.as_ref().map(|keeping| keeping.journal.written()),
            durability: self.durability(),
            scanning: None,
            pulse: Arc::default(),
        }
    }

    /// Compares the contacts as they stand with those that were kept, and tells of the outage.
    async fn restart(&mut self, outage: Outage, board: &mut impl Board) {
        let kept = self.under_way.contacts;
        let variant = self.under_way.header.board;
        let turn = |contacts: Contacts| match self.under_way.is_turned() {
            true => contacts.turned(variant),
            false => contacts,
        };
        let now = board.contacts().await.map_or(kept, turn);
        let changes = kept.changes_to(now);
        let changed = (kept.closed ^ now.closed) | ((kept.stacked ^ now.stacked) - now.unsensed);
        let at = self.under_way.game.now();
        self.span = game_span(&self.board, self.under_way.number);
        let _entered = self.span.clone().entered();
        tracing::info!(outage_ms = outage.millis(), ?changed, "the game goes on after the program was down");
        let restart = Restart { outage_ms: outage.millis(), changed };
        self.enter(TimedInput { at, input: Input::Restart(restart) }, board);
        self.enter_all(at, changes, board);
    }

    fn enter_all(&mut self, at: Moment, inputs: Vec<Input>, board: &mut impl Board) {
        for input in inputs {
            self.enter(TimedInput { at, input }, board);
        }
    }

    /// The next moment at which something is due.
    #[must_use]
    pub fn next_wake(&self) -> Option<Moment> {
        self.under_way.game.next_wake().into_iter().chain(self.next_game_due()).min()
    }

    /// When the discs have stood long enough as at the beginning of a game.
    fn next_game_due(&self) -> Option<Moment> {
        let long_enough = self.next.header.settings.clone().unwrap_or_default().start_position_ms;
        self.under_way.ready_since.map(|since| since.after(long_enough))
    }

    /// Whether the next game begins now.
    #[must_use]
    pub fn is_next_game_due(&self, now: Moment) -> bool {
        self.next_game_asked || self.next_game_due().is_some_and(|due| due <= now)
    }

    /// Takes in what happened on the board.
    pub fn take(&mut self, input: TimedInput, board: &mut impl Board) {
        Counters::count(&self.counters.inputs);
        self.under_way.taken += 1;
        let input =
            if self.under_way.is_turned() { turned(input, self.under_way.header.board) } else { input };
        self.handle(Kind::Input, input, board);
    }

    /// Takes in what somebody entered, or the program itself has to say.
    fn enter(&mut self, input: TimedInput, board: &mut impl Board) -> Vec<EventBody> {
        self.handle(Kind::Entered, input, board)
    }

    fn handle(&mut self, kind: Kind, input: TimedInput, board: &mut impl Board) -> Vec<EventBody> {
        let _entered = self.span.clone().entered();
        // An input never lies before the game's present; written down as it is taken in.
        let input = TimedInput { at: input.at.max(self.under_way.game.now()), ..input };
        self.keep(kind, input.to_line(), Urgency::Routine);
        self.under_way.contacts.apply(&input.input);
        self.under_way.inputs.push((kind, input.clone()));
        let effects = self.under_way.game.handle(input.at, input.input);
        let bodies = bodies(&effects);
        self.perform(effects, board);
        self.under_way.look_at_the_discs(input.at);
        bodies
    }

    /// Time has passed up to `moment`.
    pub fn reach(&mut self, moment: Moment, board: &mut impl Board) {
        let _entered = self.span.clone().entered();
        let effects = self.under_way.game.advance(moment);
        if effects.is_empty() {
            return;
        }
        self.keep(Kind::Reached, moment.millis().to_string(), Urgency::Routine);
        self.perform(effects, board);
        self.under_way.look_at_the_discs(moment);
    }

    /// Does what the core said.
    fn perform(&mut self, effects: Vec<Effect>, board: &mut impl Board) {
        for effect in effects {
            match effect {
                Effect::Publish(event) => self.tell(event, board),
                Effect::Clock(command) => board.command_clock(command),
            }
        }
    }

    /// Journals and publishes an event.
    fn tell(&mut self, event: Event, board: &impl Board) {
        Counters::count(&self.counters.events);
        tracing::debug!(t = event.t.millis(), body = ?event.body, "told");
        self.under_way.is_over |= matches!(event.body, EventBody::Result { .. } | EventBody::RecordingEnded);
        let at = board.wall_time(event.t);
        let text = stored_game::event_to_text(&event);
        let ticket = self.keep_at(Kind::Event, text, publisher::urgency(&event), at);
        self.publisher.offer(event, at, ticket);
    }

    fn keep(&mut self, kind: Kind, body: String, urgency: Urgency) -> Option<Ticket> {
        self.keep_at(kind, body, urgency, WallTime::now())
    }

    /// Journals an entry. Returns the ticket to wait for; `None` where there is nothing to wait for.
    fn keep_at(&mut self, kind: Kind, body: String, urgency: Urgency, at: WallTime) -> Option<Ticket> {
        let keeping = self.keeping.as_mut()?;
        let ticket = keeping.journal.append(Entry { kind, at, body }, urgency);
        keeping.problem.is_none().then_some(ticket)
    }

    /// How far the journal is; `None` without one.
    #[must_use]
    pub fn durability(&self) -> Option<watch::Receiver<Durability>> {
        self.keeping.as_ref().map(|keeping| keeping.journal.durability())
    }

    /// When the public may know of something more; `None` while nothing waits for that.
    #[must_use]
    pub fn next_for_the_public(&self) -> Option<Instant> {
        self.publisher.next_for_the_public()
    }

    /// Tells the public what has waited long enough.
    pub fn tell_the_public(&mut self) {
        self.publisher.tell_what_is_due();
    }

    /// Publishes what has become durable, and tells when the journal can no longer keep what happens.
    pub fn release(&mut self) {
        let Some(keeping) = &mut self.keeping else { return };
        let durability = keeping.durability.borrow_and_update().clone();
        let news = keeping.problem != durability.problem;
        keeping.problem.clone_from(&durability.problem);
        if news {
            let problem = durability.problem.as_deref();
            match problem {
                Some(problem) => tracing::error!(
                    problem,
                    "the journal cannot be written: moves are published without being kept"
                ),
                None => tracing::info!("the journal is written again, and nothing is missing in it"),
            }
            let body = EventBody::Journal { problem: problem.map(str::to_owned) };
            let event = Event { t: self.under_way.game.now(), body };
            self.publisher.tell_arbiter(&event, WallTime::now());
        }
        let upto = if durability.problem.is_some() { Ticket::LAST } else { durability.upto };
        self.publisher.release(upto);
        self.give_answers(upto);
    }

    /// Called about once a second.
    pub fn tick(&mut self) {
        Counters::count(&self.counters.ticks);
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(TICKS_TO_A_SIGN) {
            self.publisher.note();
        }
        if self.ticks.is_multiple_of(TICKS_TO_A_NOTE) {
            self.note_in_journal();
        }
        self.look_whether_the_card_answers();
    }

    /// A card that does not answer holds up every promise; the game is published all the same, and that is said.
    fn look_whether_the_card_answers(&mut self) {
        let answer = self.answers.front().map(|(ticket, ..)| *ticket);
        let first = self.publisher.first_waiting().into_iter().chain(answer).min();
        let Some(keeping) = &mut self.keeping else { return };
        match (first, keeping.held_up) {
            (Some(first), Some((ticket, since))) if first == ticket => {
                if since.elapsed() > LONGEST_WAIT {
                    keeping.journal.does_not_answer(first, since.elapsed());
                }
            }
            _ => keeping.held_up = first.map(|first| (first, Instant::now())),
        }
    }

    /// Notes in the journal where the feeds are, and that the program is alive.
    fn note_in_journal(&mut self) {
        let numbers = self.publisher.numbers();
        if let Some(keeping) = &mut self.keeping {
            keeping.journal.note(numbers);
        }
    }

    /// Ends the game under way and begins the next.
    pub async fn next_game(&mut self, board: &mut impl Board) {
        self.next_game_asked = false;
        if let Some(keeping) = &mut self.keeping {
            keeping.journal.end_game(WallTime::now());
        }
        let begun = UnderWay::begin(&self.board, &self.next, self.keeping.as_mut(), board).await;
        let Begun { under_way, effects, otherwise } = match begun {
            Ok(begun) => begun,
            Err(error) => {
                // The header was good for the game before this one, and only the contacts are new.
                tracing::error!(%error, "the next game cannot begin");
                return;
            }
        };
        let carried_over = self.under_way.times_for_the_next_game();
        self.under_way = under_way;
        self.announce_game();
        self.perform(effects, board);
        self.enter_all(Moment::ZERO, otherwise, board);
        if let Some(times) = carried_over {
            let input = Input::Arbiter(ArbiterInput::Clock(times));
            self.enter(TimedInput { at: Moment::ZERO, input }, board);
        }
    }

    /// White sits at the other end: the game is read again with the squares numbered from there, under a number
    /// of its own. The one before it ends where it is, with all that was entered.
    ///
    /// A start that is given stays: it is numbered as White sees it, wherever he sits. What was entered about the game as
    /// it was misread (rulings, choices, crownings, positions that do not fit the discs) is left out.
    pub fn swap_sides(&mut self, board: &mut impl Board) {
        let variant = self.under_way.header.board;
        let note = if self.under_way.is_turned() { None } else { Some(TURNED.to_owned()) };
        self.next.header.note.clone_from(&note);
        let closed = self.under_way.header.closed.map(|squares| turned_squares(squares, variant));
        let matrix = self.under_way.header.matrix.as_ref().map(Matrix::turned);
        self.next.header.matrix.clone_from(&matrix);
        let header = Header { closed, matrix, note, ..self.under_way.header.clone() };
        let Ok(setup) = GameSetup::try_from(&header) else {
            // The header was good for the game before this one, and only the contacts are other ones.
            tracing::error!("the sides cannot be swapped: the header of the game is no longer one");
            return;
        };
        let about = self.under_way.about.clone();
        let number = self.keeping.as_mut().map_or(self.under_way.number + 1, |keeping| {
            keeping.journal.hold();
            keeping.journal.end_game(WallTime::now());
            keeping.journal.begin_game(NewGame {
                board: self.board.clone(),
                header: header.to_line(),
                about: serde_json::to_string(&about).unwrap_or_default(),
                began_at: WallTime::now(),
            })
        });
        let (inputs, taken) = (std::mem::take(&mut self.under_way.inputs), self.under_way.taken);
        let (under_way, begun) = UnderWay::new(number, header, about, setup);
        self.under_way = under_way;
        self.announce_game();
        self.perform(begun, board);
        for (kind, input) in inputs {
            let input = turned(input, variant);
            if self.is_of_the_misreading(&input.input) {
                tracing::warn!(
                    input = input.to_line(),
                    "left out, since it was about the game as it was misread"
                );
            } else {
                self.handle(kind, input, board);
            }
        }
        self.under_way.taken = taken;
        if let Some(keeping) = &mut self.keeping {
            keeping.journal.release();
        }
    }

    /// Whether what somebody entered makes no sense now that the squares have other numbers.
    fn is_of_the_misreading(&self, input: &Input) -> bool {
        match input {
            Input::Arbiter(ArbiterInput::Position(fen)) => {
                let entered = fen::parse(fen, self.under_way.header.board);
                let occupied = entered.map(|entered| entered.white | entered.black);
                occupied != Ok(self.under_way.contacts.closed)
            }
            Input::Arbiter(
                ArbiterInput::Rule { .. }
                | ArbiterInput::Seen(_)
                | ArbiterInput::Choose(_)
                | ArbiterInput::Crowned(_),
            ) => true,
            _ => false,
        }
    }

    fn announce_game(&mut self) {
        Counters::count(&self.counters.games);
        self.span = game_span(&self.board, self.under_way.number);
        let _entered = self.span.clone().entered();
        tracing::info!("a game begins");
        let UnderWay { number, header, about, .. } = &self.under_way;
        self.publisher.begin_game(*number, header.board, about);
    }

    /// Changes names and the like, of this game and of those to come.
    pub fn set_about(&mut self, about: About) {
        self.keep(Kind::About, serde_json::to_string(&about).unwrap_or_default(), Urgency::Promise);
        self.publisher.set_about(&about);
        self.under_way.about = about.clone();
        self.next.about = about;
    }

    /// The feeds.
    #[must_use]
    pub fn publisher(&self) -> &Publisher {
        &self.publisher
    }

    /// The game under way.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.under_way.game
    }

    /// Writes everything down and ends. Returns the game as it is.
    pub async fn close(mut self) -> Game {
        if let Some(mut keeping) = self.keeping.take() {
            keeping.journal.flush().await;
            let durability = keeping.durability.borrow().clone();
            self.publisher.release(durability.upto);
            self.give_answers(durability.upto);
            self.publisher.note();
            keeping.journal.note(self.publisher.numbers());
            keeping.journal.close().await;
        }
        self.under_way.game
    }
}

fn game_span(board: &str, game: u64) -> Span {
    tracing::info_span!("game", board, game)
}

fn bodies(effects: &[Effect]) -> Vec<EventBody> {
    let body = |effect: &Effect| match effect {
        Effect::Publish(event) => Some(event.body.clone()),
        Effect::Clock(_) => None,
    };
    effects.iter().filter_map(body).collect()
}

impl Keeping {
    fn new(journal: Journal) -> Self {
        Self { durability: journal.durability(), journal, problem: None, held_up: None }
    }
}
