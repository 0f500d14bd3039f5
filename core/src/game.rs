//! A game: inputs with their moments in, effects out. The one path that the live daemon, `replay`,
//! the tests and the demo share.
//!
//! [`Game`] owns sensing and reading and turns what they find into events. It has timers of its own
//! ([`Game::next_wake`]) but no clock: time passes only by [`Game::handle`] and [`Game::advance`],
//! and what is due is done at its own moment, however late the shell asks. That is what makes a live
//! game and its replay the same, byte for byte.

mod adjournment;
mod alerts;
mod diagnosis;
mod doubt;
mod draws;
mod entries;
mod evidence;
mod faults;
mod procedure;
mod recall;
mod record;
mod restoring;
mod suspension;
mod suspicion;
mod telling;
mod timekeeping;

use thiserror::Error;

use crate::alert::FlagNote;
use crate::clock::ClockCommand;
use crate::event::{Certainty, EndReason, Event, EventBody, MoveStatus};
use crate::matrix::Matrix;
use crate::moment::Moment;
use crate::notation::fen;
use crate::piece::Side;
use crate::position::Position;
use crate::reading::{Incident, Ply, Reader};
use crate::rules::Variant;
use crate::sensing::faults::Watch;
use crate::sensing::shadow::Shadow;
use crate::sensing::{Act, Contact, Sensed, Sensing, Sign};
use crate::settings::Settings;
use crate::square::SquareSet;
use crate::trace::{Button, ClockLink, ClockReport, Crowning, GameResult, Header, Input};

use adjournment::Adjournment;
use alerts::Alerts;
use diagnosis::Diagnosis;
use doubt::Doubt;
use draws::Draws;
use evidence::{Changes, Scene};
use procedure::Procedure;
use recall::{Felt, Recall};
pub use record::{DrawNote, Summary};
use restoring::Restoring;
use suspension::Suspension;
use telling::{News, Telling};
use timekeeping::Timekeeping;

/// What a game starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// The position on the board at the beginning.
    pub start: Position,
    /// How a crowning is sensed.
    pub crowning: Crowning,
    /// Whether a clock is linked.
    pub clock: ClockLink,
    /// Contacts closed at the beginning.
    pub closed: SquareSet,
    /// How the contacts are wired, where that is known.
    pub matrix: Option<Matrix>,
    /// Thresholds in force.
    pub settings: Settings,
    /// The time control, in the notation of the configuration.
    pub time_control: Option<String>,
}

/// Why a game cannot start from a header.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The FEN of the start is wrong.
    #[error("start: {0}")]
    Start(fen::FenError),
}

impl GameSetup {
    /// The game of `variant` from its start position, with nothing sensed but the contacts.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        let start = Position::start(variant);
        Self {
            start,
            crowning: Crowning::None,
            clock: ClockLink::None,
            closed: start.occupied(),
            matrix: None,
            settings: Settings::default(),
            time_control: None,
        }
    }
}

impl GameSetup {
    fn reader(&self, position: Position, ply: u32, board: SquareSet) -> Reader {
        Reader::new(self.settings.clone(), self.crowning, self.clock, position, ply, board)
    }
}

impl TryFrom<&Header> for GameSetup {
    type Error = SetupError;

    fn try_from(header: &Header) -> Result<Self, SetupError> {
        let start = match &header.start {
            Some(text) => fen::parse_position(text, header.board).map_err(SetupError::Start)?,
            None => Position::start(header.board),
        };
        Ok(Self {
            start,
            crowning: header.crowning,
            clock: header.clock,
            closed: header.closed.unwrap_or_else(|| start.occupied()),
            matrix: header.matrix.clone(),
            settings: header.settings.clone().unwrap_or_default(),
            time_control: header.time_control.clone(),
        })
    }
}

/// What the shell is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Hand this event to the feeds.
    Publish(Event),
    /// Tell the linked clock; nothing where there is none. A replay has nobody to tell.
    Clock(ClockCommand),
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    setup: GameSetup,
    now: Moment,
    sensing: Sensing,
    watch: Watch,
    reader: Reader,
    diagnosis: Diagnosis,
    recall: Recall,
    shadows: Vec<Shadow>,
    doubt: Doubt,
    telling: Telling,
    draws: Draws,
    alerts: Alerts,
    changes: Changes,
    restoring: Restoring,
    procedure: Procedure,
    timekeeping: Timekeeping,
    adjournment: Option<Adjournment>,
    result: Option<(GameResult, EndReason)>,
    /// The position that the arbiter set last, and after how many moves.
    set: Option<(usize, Position)>,
    started: bool,
    paused: bool,
    /// The linked clock stands though the arbiter did not stop it.
    suspension: Option<Suspension>,
    /// When time alone next changes what is read or told.
    reading_due: Option<Moment>,
    /// Something other than a contact came in that has not been told of yet.
    unread: bool,
    effects: Vec<Effect>,
}

impl Game {
    /// A game that begins now, at [`Moment::ZERO`], and what is to be done about it.
    #[must_use]
    pub fn new(setup: GameSetup) -> (Self, Vec<Effect>) {
        let variant = setup.start.variant();
        let stacked = match setup.crowning {
            Crowning::Stack => setup.start.kings(Side::White) | setup.start.kings(Side::Black),
            Crowning::Reserve | Crowning::None => SquareSet::EMPTY,
        };
        let sensing = Sensing::new(setup.settings.clone(), SquareSet::all(variant), setup.closed, stacked)
            .wired(setup.matrix.clone());
        let reader = setup.reader(setup.start, 1, setup.closed);
        let mut game = Self {
            now: Moment::ZERO,
            sensing,
            watch: Watch::new(variant, setup.matrix.clone(), setup.closed),
            reader,
            diagnosis: Diagnosis::default(),
            recall: Recall::default(),
            shadows: Vec::new(),
            doubt: Doubt::default(),
            telling: Telling::default(),
            draws: Draws::new(setup.settings.draw_rules.preset(variant), &setup.start),
            alerts: Alerts::new(variant, setup.settings.alert_policy()),
            changes: Changes::default(),
            restoring: Restoring::default(),
            procedure: Procedure::new(variant, setup.settings.clone()),
            timekeeping: Timekeeping::new(setup.clock, setup.time_control.as_deref()),
            adjournment: None,
            result: None,
            set: None,
            started: false,
            paused: false,
            suspension: None,
            reading_due: None,
            unread: true,
            effects: Vec::new(),
            setup,
        };
        game.publish(EventBody::GameStarted {
            variant,
            fen: game.setup.start.fen(),
            crowning: game.setup.crowning,
            clock: game.setup.clock,
            time_control: game.setup.time_control.clone(),
        });
        game.tell_contacts_at_the_start(stacked);
        game.reader.name_wrong_start();
        game.remember();
        game.reading_due = game.next_reading();
        game.tell_time();
        let effects = std::mem::take(&mut game.effects);
        (game, effects)
    }

    /// Tells the contacts that are not as the position has them: nobody could guess those.
    fn tell_contacts_at_the_start(&mut self, stacked: SquareSet) {
        let occupied = self.setup.start.occupied();
        for square in (occupied - self.setup.closed).iter() {
            self.publish(EventBody::Contact { square, closed: false });
        }
        for square in (self.setup.closed - occupied).iter() {
            self.publish(EventBody::Contact { square, closed: true });
        }
        for square in stacked.iter() {
            self.publish(EventBody::Crown { square, closed: true });
        }
    }

    /// The moment up to which time has passed.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// The next moment at which something is due; the shell calls [`Game::advance`] then.
    #[must_use]
    pub fn next_wake(&self) -> Option<Moment> {
        let time = self.timekeeping.deadline(self.now).filter(|_| self.result.is_none());
        self.next_sensing().into_iter().chain(time).min()
    }

    /// The next moment at which sensing or reading has something to decide.
    fn next_sensing(&self) -> Option<Moment> {
        // What is due by now but waits for sensing to make up its mind is seen to when that happens.
        let reading = self.reading_due.filter(|&due| due > self.now);
        self.sensing.deadline().into_iter().chain(reading).min()
    }

    /// The next moment after the reader's present at which time alone can change what is told.
    fn next_reading(&self) -> Option<Moment> {
        if self.result.is_some() {
            return None;
        }
        if self.paused {
            return self.procedure.start_due().filter(|&due| due > self.now);
        }
        let release_ms = self.setup.settings.release_ms;
        let frozen = self.suspension.as_ref().map(|suspension| suspension.frozen_from(release_ms));
        if let Some(frozen) = frozen.filter(|&frozen| frozen <= self.reader.now()) {
            return self.procedure.deadline().filter(|&due| due > self.now.max(frozen));
        }
        let dues = [
            frozen,
            self.reader.deadline(),
            self.telling.release_due(release_ms),
            self.alerts.deadline(),
            self.procedure.deadline(),
            self.doubt.due(release_ms),
            self.ending_due(),
        ];
        dues.into_iter().flatten().filter(|&due| due > self.reader.now()).min()
    }

    /// Lets time pass up to `now`; a moment that has passed already changes nothing.
    pub fn advance(&mut self, now: Moment) -> Vec<Effect> {
        self.pass_time(now);
        self.tell_time();
        std::mem::take(&mut self.effects)
    }

    /// Takes in what happened at `at`; an `at` that has passed already counts as now.
    pub fn handle(&mut self, at: Moment, input: Input) -> Vec<Effect> {
        self.pass_time(at);
        self.take_in(input);
        self.sense();
        self.tell_time();
        std::mem::take(&mut self.effects)
    }

    fn pass_time(&mut self, to: Moment) {
        while let Some(due) = self.next_wake().filter(|&due| due <= to) {
            self.now = self.now.max(due);
            self.tell_time();
            self.sense();
            self.tell_time();
        }
        self.now = self.now.max(to);
    }

    fn take_in(&mut self, input: Input) {
        let now = self.now;
        self.unread |= !matches!(input, Input::Contact { .. } | Input::Crown { .. });
        match input {
            Input::Contact { square, closed } => {
                self.feel(Felt::Change(Contact::Square(square), closed));
                if let Some(finding) = self.watch.change(now, square, closed) {
                    self.draw_conclusions(finding);
                }
            }
            Input::Crown { square, closed } => self.feel(Felt::Change(Contact::Crown(square), closed)),
            Input::CrownSensor { square, works } => {
                self.feel(Felt::Certain(Act::CrownSensor { square, works }));
            }
            Input::Reserve { side, closed, well: _ } => {
                self.publish(EventBody::Reserve { side, closed });
                let act = if closed { Act::ReturnSpare(side) } else { Act::TakeSpare(side) };
                self.feel(Felt::Certain(act));
            }
            Input::Press { side } => {
                let side = self.timekeeping.side_of(side);
                self.go_on_reading();
                self.publish(EventBody::Press { side });
                self.procedure.acted(side);
                self.timekeeping.pressed(side, now);
                self.feel(Felt::Certain(Act::Press(side)));
            }
            Input::Clock(report) => self.hear_clock(report),
            Input::ClockConnection(connection) => {
                // Whether a clock stands that is not heard nobody knows.
                self.go_on_reading();
                self.timekeeping.connection(connection, now);
            }
            Input::ClockTrouble(trouble) => self.publish(EventBody::ClockTrouble { trouble }),
            Input::Button { button, side } => {
                self.publish(EventBody::Button { button, side });
                match button {
                    Button::Adjust => self.feel(Felt::Certain(Act::Adjust(side))),
                    Button::Resign => self.end(GameResult::win_for(side.opponent()), EndReason::Resigned),
                    Button::Draw => self.offer_draw(side),
                    Button::Arbiter => self.procedure.acted(side),
                }
            }
            Input::Arbiter(entry) => self.obey(entry),
            Input::Restart(restart) => self.publish(EventBody::Resumed { restart: Some(restart) }),
            Input::End => {
                self.finish_recording();
                self.publish(EventBody::RecordingEnded);
            }
        }
    }

    /// Sensing takes in what happened now.
    fn feel(&mut self, felt: Felt) {
        self.recall.note(self.now, felt);
        match felt {
            Felt::Change(contact, closed) => self.sensing.change(self.now, contact, closed),
            Felt::Certain(act) => self.sensing.certain(self.now, act),
        }
    }

    fn hear_clock(&mut self, report: ClockReport) {
        let at_rest = self.paused || self.result.is_some();
        let told = self.telling.told();
        let note = |side: Side| {
            let counted = |told: &&telling::Told| told.ply.side == side && told.ply.pressed.is_some();
            let last = told.iter().rposition(|told| counted(&told));
            FlagNote {
                counted_ply: last.map(record::ply_number),
                counted_moves: u32::try_from(told.iter().filter(counted).count()).unwrap_or(u32::MAX),
                draw_claim: None,
            }
        };
        let ply = self.next_ply();
        let ran = self.timekeeping.runs();
        let Some(report) = self.timekeeping.report(report, ply, self.now, at_rest, note) else { return };
        self.publish(EventBody::Clock { report });
        if report.running.is_some() {
            self.go_on_reading();
        } else if ran && report.flag.is_none() && !at_rest && !self.timekeeping.is_stopped() {
            self.suspend_reading();
        }
    }

    /// Whether what hands do is read.
    fn is_reading(&self) -> bool {
        self.result.is_none() && !self.paused && self.suspension.is_none()
    }

    /// Reads signs that are complete up to `horizon`.
    fn observe(&mut self, signs: &[Sign], horizon: Moment) {
        self.reader.observe(signs);
        self.reader.pass_time(horizon);
        self.diagnosis.note(signs, horizon);
    }

    /// Tells what keeping the time has to say, to the feeds and to the clock.
    fn tell_time(&mut self) {
        if self.result.is_none() {
            self.timekeeping.pass_time(self.now);
        }
        let (news, commands) = self.timekeeping.take_news();
        for body in news {
            self.publish(body);
        }
        self.effects.extend(commands.into_iter().map(Effect::Clock));
    }

    /// The number of the ply under way.
    fn next_ply(&self) -> u32 {
        record::ply_number(self.telling.told().len())
    }

    fn offer_draw(&mut self, side: Side) {
        let told = self.telling.told();
        let own_moves = told.iter().filter(|told| told.ply.side == side).count();
        // An offer comes after the move and before the press (CN100 12.4), so it goes with that move.
        let just_moved = told.last().is_some_and(|told| told.ply.side == side && told.ply.pressed.is_none());
        let ply = self.next_ply() - u32::from(just_moved);
        self.procedure.offered_draw(side, own_moves, ply, self.now);
    }

    /// Lets sensing decide what is due and the reader read it.
    fn sense(&mut self) {
        // A coincidence is looked at before its signs are read.
        if let Some(finding) = self.watch.settle(self.now) {
            self.draw_conclusions(finding);
        }
        let Sensed { flips, signs } = self.sensing.step(self.now);
        for flip in flips {
            self.changes.note(&flip);
            let body = match flip.contact {
                Contact::Square(square) => EventBody::Contact { square, closed: flip.closed },
                Contact::Crown(square) => EventBody::Crown { square, closed: flip.closed },
            };
            self.effects.push(Effect::Publish(Event { t: flip.at, body }));
        }
        // Most raw changes are bounce: as long as they mean nothing and nothing is due, nothing is new.
        let horizon = self.sensing.horizon(self.now);
        let due = self.reading_due.is_some_and(|due| due <= horizon);
        if signs.is_empty() && !due && !self.unread {
            return;
        }
        self.unread = false;
        self.read(&signs);
        self.tell();
        if self.is_reading() && !signs.is_empty() {
            self.diagnose(&signs);
        }
        self.reading_due = self.next_reading();
    }

    fn read(&mut self, signs: &[Sign]) {
        if self.result.is_some() {
            return;
        }
        let start = Position::start(self.setup.start.variant()).occupied();
        let far_from_it = self.telling.told().len() > 3 && self.position().occupied() != start;
        if self.paused {
            // Moves are not read, but the next game may be set up.
            self.procedure.watch_start(self.sensing.standing(), start, far_from_it, self.now);
            self.procedure.pass_start(self.now, self.next_ply());
        } else if let Some(suspension) = &mut self.suspension {
            let horizon = self.sensing.horizon(self.now);
            let signs = suspension.keep(signs, horizon);
            let until = horizon.min(suspension.frozen_from(self.setup.settings.release_ms));
            self.observe(signs, until);
            self.procedure.watch_start(self.sensing.standing(), start, far_from_it, self.now);
            self.procedure.pass_time(self.now, self.position().turn(), self.next_ply());
        } else {
            self.observe(signs, self.sensing.horizon(self.now));
            self.procedure.watch_start(self.reader.board(), start, far_from_it, self.now);
            self.procedure.pass_time(self.now, self.position().turn(), self.next_ply());
        }
    }

    /// The recording stops: what is pending is decided now, and what nothing decides is said and not entered.
    fn finish_recording(&mut self) {
        self.sense_to_the_end();
        let reading = self.result.is_none() && !self.paused;
        let equals = if reading { self.reader.equals() } else { Vec::new() };
        if equals.is_empty() {
            self.finish_reading();
        } else if let Some(doubt) = self.doubt.tell(equals) {
            self.publish(doubt);
        }
    }

    /// Lets everything that is still in the air come down.
    fn sense_to_the_end(&mut self) {
        let end = self.now.after(self.setup.settings.release_ms + self.setup.settings.dropout_ms);
        while let Some(due) = self.next_sensing().filter(|&due| due <= end) {
            self.now = self.now.max(due);
            self.sense();
        }
    }

    /// Everything that is pending is decided now: the game is paused, or the arbiter set a position.
    fn finish_reading(&mut self) {
        self.sense_to_the_end();
        self.settle();
    }

    /// What was told is settled, whatever comes.
    fn settle(&mut self) {
        let chosen = self.telling.choose(&self.reader).clone();
        let settled = self.reader.take_all(chosen);
        let chosen = self.reader.best();
        let news = self.telling.update(settled, &self.reader, chosen, self.setup.settings.release_ms);
        self.publish_news(news);
        self.tell();
    }

    /// Tells what is new about moves, draws and irregular acts.
    fn tell(&mut self) {
        let settled = self.reader.take_agreed();
        let chosen = self.telling.choose(&self.reader);
        let news = self.telling.update(settled, &self.reader, chosen, self.setup.settings.release_ms);
        self.publish_news(news);
        self.tell_draws();
        self.tell_alerts();
        self.tell_restoring();
        self.tell_doubt();
        self.end_by_rule();
    }

    fn publish_news(&mut self, news: Vec<News>) {
        for new in news {
            if let News::Move(index) = new {
                let Ply { side, landed, .. } = *self.telling.told()[index].ply;
                self.procedure.moved(side);
                self.timekeeping.moved(side, record::ply_number(index), landed, self.now);
            }
            let body = self.body_of(new);
            self.publish(body);
        }
    }

    fn body_of(&self, news: News) -> EventBody {
        match news {
            News::Move(index) => {
                let told = &self.telling.told()[index];
                let record = record::move_record(index, &told.ply, self.alerts.all());
                EventBody::Move { status: told.status, record, fen: told.ply.after.fen() }
            }
            News::Withdrawn(index) => {
                let fen = self.position_after(index).fen();
                EventBody::Withdrawn { ply: record::ply_number(index), fen }
            }
        }
    }

    /// Tells which draw rules the final moves complete.
    fn tell_draws(&mut self) {
        let told = self.telling.told();
        let new = self.draws.follow(told);
        let advice = match self.timekeeping.left_without_bonus(self.now) {
            Some(left_ms) => self.draws.advise(told, left_ms),
            None => Vec::new(),
        };
        for body in advice {
            self.publish(body);
        }
        for note in new {
            self.publish(EventBody::Draw { rule: note.rule, ply: note.ply });
            if self.setup.settings.declare_draws && self.result.is_none() {
                self.end(GameResult::Draw, EndReason::RuleDraw);
            }
        }
    }

    /// Tells what is new about irregular acts.
    fn tell_alerts(&mut self) {
        let settled = self.reader.take_closed();
        let chosen = self.telling.choose(&self.reader);
        let reader = &self.reader;
        let (procedure, time) = (self.procedure.incidents(), self.timekeeping.incidents());
        let heard = |incident: &&Incident| !self.timekeeping.is_hearsay(incident);
        let settled = settled.into_iter().filter(|incident| heard(&incident)).collect();
        let held = chosen.incidents().iter().filter(heard).chain(procedure).chain(time).collect();
        let counts = |incident: &Incident| {
            let read = || incident.due <= reader.now() && reader.all_have(chosen, incident);
            procedure.contains(incident) || time.contains(incident) || read()
        };
        let (told, start, changes) = (self.telling.told(), self.setup.start, &self.changes);
        let scene = |incident: &Incident| {
            let scene = Scene::of(incident, told, chosen, start);
            let evidence = scene.evidence(changes);
            (scene, evidence)
        };
        let news = self.alerts.update(held, settled, reader.now(), counts, scene);
        for body in news {
            self.publish(body);
        }
    }

    /// Tells which discs are not where they belong, until all are.
    fn tell_restoring(&mut self) {
        if !self.is_reading() {
            return;
        }
        let chosen = self.telling.choose(&self.reader);
        let news = self.restoring.update(chosen, self.sensing.standing(), self.reader.masked());
        if let Some(body) = news {
            self.publish(body);
        }
    }

    /// Tells when nothing decides between several readings, and when something does.
    fn tell_doubt(&mut self) {
        let reading = self.is_reading();
        let tied = if reading { self.reader.tied() } else { Some(Vec::new()) };
        if let Some(body) = self.doubt.update(tied, self.now, self.setup.settings.release_ms) {
            self.publish(body);
        }
    }

    /// When the last move is settled that leaves the side on turn without a move or a piece: a disc lifted soon after
    /// it may have been taken off with it.
    fn ending_due(&self) -> Option<Moment> {
        let last = self.telling.told().last().filter(|told| told.status == MoveStatus::Final)?;
        last.ply.after.ending()?;
        let release_ms = self.setup.settings.release_ms;
        let settled = last.ply.complete().after(release_ms);
        let open = self.telling.choose(&self.reader).open().iter();
        let lifted = open.filter(|sign| matches!(sign.act, Act::Lift(_)) && sign.at <= settled);
        lifted.map(|sign| sign.at.after(release_ms)).chain([settled]).max()
    }

    /// Ends the game where the side on turn has lost by CN100 12.2.2 or 12.2.3.
    fn end_by_rule(&mut self) {
        if self.result.is_some() {
            return;
        }
        let last = self.telling.told().last().filter(|told| told.status == MoveStatus::Final);
        let Some(last) = last else { return };
        let after = last.ply.after;
        // An irregular act never ends a game by itself: it may still be put right.
        let chosen = self.telling.choose(&self.reader);
        if chosen.incidents().iter().any(Incident::disputes_position) {
            return;
        }
        // Nor while its own handling is still under way: what goes wrong with it is told first.
        if !chosen.standing().is_empty() || self.ending_due().is_some_and(|due| due > self.reader.now()) {
            return;
        }
        if let Some(ending) = after.ending() {
            self.end(GameResult::win_for(after.turn().opponent()), ending.into());
        }
    }

    fn end(&mut self, result: GameResult, reason: EndReason) {
        self.result = Some((result, reason));
        self.publish(EventBody::Result { result, reason });
        self.timekeeping.end(result, self.now);
    }

    fn publish(&mut self, body: EventBody) {
        self.effects.push(Effect::Publish(Event { t: self.now, body }));
    }

    /// Both times as they are reckoned now: by the linked clock's reports, and by presses and moments where it
    /// cannot be heard. `None` where no time control is known.
    #[must_use]
    pub fn clock_times(&self) -> Option<ClockReport> {
        self.timekeeping.times(self.now)
    }

    /// What became of the game so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let plies: Vec<&Ply> = self.telling.told().iter().map(|told| &*told.ply).collect();
        let draws = self.draws.notes().to_vec();
        record::summary(&self.position(), &plies, self.alerts.all(), draws, self.result)
    }

    /// The moves as they were last told, oldest first, and whether each is final.
    pub fn moves(&self) -> impl Iterator<Item = (&Ply, MoveStatus)> {
        self.telling.told().iter().map(|told| (&*told.ply, told.status))
    }

    /// What the moves are read with, for those who want to see what else was thought of.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The position after the moves told so far, or the one that the arbiter set since the last of them.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position_after(self.telling.told().len())
    }

    fn position_after(&self, plies: usize) -> Position {
        match self.set {
            Some((after, position)) if after == plies => position,
            _ => self.telling.told()[..plies].last().map_or(self.setup.start, |told| told.ply.after),
        }
    }
}

impl From<crate::position::Ending> for EndReason {
    fn from(ending: crate::position::Ending) -> Self {
        match ending {
            crate::position::Ending::NoPieces => Self::NoPieces,
            crate::position::Ending::Blocked => Self::Blocked,
        }
    }
}

impl From<&Ply> for Certainty {
    fn from(ply: &Ply) -> Self {
        if ply.deduced { Self::Deduced } else { Self::Seen }
    }
}
