//! The board as the public sees it now: all public events so far, folded into one document.
//!
//! `/api/v1/game` serves it and a stream begins with it. It is built from envelopes alone, by
//! [`BoardState::apply`], so whoever reads the stream can keep the same state; the live page does
//! (`page/board.js` holds the same fold).
//!
//! Position and contacts are kept apart. The position is what the reading of moves says; the contacts
//! are what stands on the board. Where they differ a disc is in somebody's hand, or waits to be removed.

use std::time::Duration;

use draughtsd_core::clock::ClockConnection;
use draughtsd_core::event::{EndReason, EventBody, MoveRecord, MoveStatus};
use draughtsd_core::moment::Moment;
use draughtsd_core::notation::fen;
use draughtsd_core::piece::Side;
use draughtsd_core::position::Setup;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockLink, ClockReport, GameResult};
use serde::{Deserialize, Serialize};

use super::arbiter_notes::ArbiterNotes;
use super::envelope::{Envelope, EventId};
use super::wall_time::WallTime;

/// What no contact tells about a game. Given by whoever starts it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct About {
    /// Tournament or occasion.
    pub event: Option<String>,
    /// Where it is played.
    pub site: Option<String>,
    /// The date of the game, as PDN writes it: `2026.11.29`.
    pub date: Option<String>,
    /// Round, as text.
    pub round: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Nothing has been heard of it yet.
    Waiting,
    /// Moves are read.
    Playing,
    /// Reading of moves is suspended.
    Paused,
    /// It is adjourned, or being adjourned (CN100 11).
    Adjourned,
    /// It has a result.
    Ended,
    /// The recording stopped without a result.
    Stopped,
}

/// A recorded move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveLine {
    /// Number among the recorded moves, from 1.
    pub ply: u32,
    /// Whose move; a side may have two in a row.
    pub side: Side,
    /// As on the score sheet.
    pub text: String,
    /// Origin.
    pub from: Square,
    /// Target.
    pub to: Square,
    /// Captured squares in route order.
    pub captures: Vec<Square>,
    /// Provisional or final.
    pub status: MoveStatus,
    /// When it was complete.
    pub complete_t: Moment,
    /// The position after it.
    pub fen: String,
    /// What the clock showed when it first spoke after the move.
    pub clock: Option<ClockReading>,
}

impl MoveLine {
    fn new(status: MoveStatus, record: &MoveRecord, fen: &str) -> Self {
        Self {
            ply: record.ply,
            side: record.side,
            text: record.text.clone(),
            from: record.from,
            to: record.to,
            captures: record.captures.clone(),
            status,
            complete_t: record.t,
            fen: fen.to_owned(),
            clock: None,
        }
    }
}

/// What the linked clock last said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockReading {
    /// White's remaining time.
    pub white_ms: u64,
    /// Black's remaining time.
    pub black_ms: u64,
    /// Whose time runs.
    pub running: Option<Side>,
    /// Whose flag has fallen.
    pub flag: Option<Side>,
    /// When it said so.
    pub t: Moment,
}

impl ClockReading {
    const fn new(report: ClockReport, t: Moment) -> Self {
        Self {
            white_ms: report.white_ms,
            black_ms: report.black_ms,
            running: report.running,
            flag: report.flag,
            t,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// White's points first.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
}

/// All public events of a game so far, folded.
#[derive(Clone, Debug)]
pub struct BoardState {
    board: String,
    game: String,
    last: EventId,
    t: Moment,
    at: Option<WallTime>,
    about: About,
    phase: Phase,
    variant: Variant,
    clock_link: ClockLink,
    clock_lost: bool,
    time_control: Option<String>,
    start_fen: Option<String>,
    fen: Option<String>,
    setup: Setup,
    contacts: SquareSet,
    crowned: SquareSet,
    moves: Vec<MoveLine>,
    clock: Option<ClockReading>,
    ending: Option<Ending>,
    /// In the arbiter's state alone.
    notes: Option<ArbiterNotes>,
}

impl BoardState {
    /// A game of which nothing has been heard: an empty board.
    ///
    /// - `last`: the event before its first one.
    #[must_use]
    pub fn new(board: &str, game: &str, variant: Variant, about: About, last: EventId) -> Self {
        Self {
            board: board.to_owned(),
            game: game.to_owned(),
            last,
            t: Moment::ZERO,
            at: None,
            about,
            phase: Phase::Waiting,
            variant,
            clock_link: ClockLink::None,
            clock_lost: false,
            time_control: None,
            start_fen: None,
            fen: None,
            setup: empty(variant),
            contacts: SquareSet::EMPTY,
            crowned: SquareSet::EMPTY,
            moves: Vec::new(),
            clock: None,
            ending: None,
            notes: None,
        }
    }

    /// The same state with what is for the arbiter alone.
    #[must_use]
    pub fn with_notes(self) -> Self {
        Self { notes: Some(ArbiterNotes::default()), ..self }
    }

    /// Changes names and the like.
    pub fn set_about(&mut self, about: About) {
        self.about = about;
    }

    /// What is for the arbiter alone; `None` in the public's state.
    #[must_use]
    pub fn notes(&self) -> Option<&ArbiterNotes> {
        self.notes.as_ref()
    }

    /// Where the game stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The position by the reading of moves, once it is known.
    #[must_use]
    pub fn fen(&self) -> Option<&str> {
        self.fen.as_deref()
    }

    /// What the clock last said.
    #[must_use]
    pub fn clock(&self) -> Option<ClockReading> {
        self.clock
    }

    /// Folds one more event in. Events come in the order of their numbers.
    pub fn apply(&mut self, envelope: &Envelope) {
        self.last = envelope.id;
        self.t = self.t.max(envelope.event.t);
        self.at = envelope.at;
        if let Some(notes) = &mut self.notes {
            notes.apply(&envelope.event.body);
        }
        match &envelope.event.body {
            EventBody::GameStarted { variant, fen, clock, time_control, .. } => {
                let (board, game, about) = (self.board.clone(), self.game.clone(), self.about.clone());
                let (t, at, notes) = (self.t, self.at, self.notes.take());
                *self = Self { t, at, notes, ..Self::new(&board, &game, *variant, about, self.last) };
                self.phase = Phase::Playing;
                self.clock_link = *clock;
                self.time_control.clone_from(time_control);
                self.start_fen = Some(fen.clone());
                self.stand_at(fen);
                // Until a contact says otherwise, what the position says stands on the board.
                self.contacts = self.setup.white | self.setup.black;
            }
            EventBody::Contact { square, closed } => set(&mut self.contacts, *square, *closed),
            EventBody::Crown { square, closed } => set(&mut self.crowned, *square, *closed),
            EventBody::Move { status, record, fen } => {
                let line = MoveLine::new(*status, record, fen);
                match self.moves.binary_search_by_key(&record.ply, |known| known.ply) {
                    Ok(index) => {
                        let clock = self.moves[index].clock;
                        self.moves[index] = MoveLine { clock, ..line };
                    }
                    Err(index) => self.moves.insert(index, line),
                }
                // A move may become final after the reply to it is known already.
                if self.moves.last().is_some_and(|last| last.ply == record.ply) {
                    self.stand_at(fen);
                }
            }
            EventBody::Withdrawn { ply, fen } => {
                self.moves.retain(|line| line.ply < *ply);
                self.stand_at(fen);
            }
            EventBody::PositionSet { fen } => self.stand_at(fen),
            EventBody::Clock { report } => {
                let reading = ClockReading::new(*report, envelope.event.t);
                self.clock = Some(reading);
                // A clock that still runs for the mover has not been pressed after his move.
                if let Some(last) = self.moves.last_mut().filter(|last| report.running != Some(last.side)) {
                    last.clock.get_or_insert(reading);
                }
            }
            EventBody::ClockConnection { connection } => {
                self.clock_lost = *connection == ClockConnection::Lost;
            }
            EventBody::Paused => self.phase = Phase::Paused,
            EventBody::Adjourning { .. } | EventBody::Sealing { .. } | EventBody::Adjourned { .. } => {
                self.phase = Phase::Adjourned;
            }
            EventBody::Resumed { restart: None } => self.phase = Phase::Playing,
            EventBody::Result { result, reason } => {
                self.ending = Some(Ending { result: *result, reason: *reason });
                self.phase = Phase::Ended;
            }
            EventBody::RecordingEnded if self.ending.is_none() => self.phase = Phase::Stopped,
            // Nothing of these is shown, or they never reach the public.
            EventBody::RecordingEnded
            | EventBody::Resumed { restart: Some(_) }
            | EventBody::Journal { .. }
            | EventBody::AlertSeen { .. }
            | EventBody::Reserve { .. }
            | EventBody::Press { .. }
            | EventBody::Button { .. }
            | EventBody::ClockTrouble { .. }
            | EventBody::ClockSet { .. }
            | EventBody::TimeMark { .. }
            | EventBody::DrawClaim { .. }
            | EventBody::Confirmed { .. }
            | EventBody::SealedMove { .. }
            | EventBody::Alert { .. }
            | EventBody::AlertWithdrawn { .. }
            | EventBody::Draw { .. }
            | EventBody::Advice { .. }
            | EventBody::Unclear { .. }
            | EventBody::Cleared
            | EventBody::Fault { .. }
            | EventBody::FaultCleared { .. }
            | EventBody::Disturbed { .. }
            | EventBody::Refused { .. }
            | EventBody::Restored => {}
        }
    }

    /// The last event folded in.
    #[must_use]
    pub fn last(&self) -> EventId {
        self.last
    }

    /// The state as a document.
    ///
    /// - `served_at`: now; with `at` it tells how long ago the last event was.
    /// - `pace`: game time that passes in one unit of wall time; 1 but for a demo.
    /// - `delay`: by how much all of this lies back, `served_at` included.
    #[must_use]
    pub fn snapshot(&self, served_at: WallTime, pace: f64, delay: Duration) -> Snapshot<'_> {
        let occupied = self.setup.white | self.setup.black;
        let no_disc = self.contacts - occupied;
        let captured: SquareSet = match self.moves.last() {
            Some(line) => line.captures.iter().copied().collect(),
            None => SquareSet::EMPTY,
        };
        Snapshot {
            kind: "snapshot",
            board: &self.board,
            game: &self.game,
            epoch: self.last.epoch,
            seq: self.last.seq,
            t: self.t,
            at: self.at,
            served_at,
            pace,
            delay_s: delay.as_secs(),
            about: &self.about,
            phase: self.phase,
            variant: self.variant,
            start_fen: self.start_fen.as_deref(),
            fen: self.fen.as_deref(),
            turn: self.fen.is_some().then_some(self.setup.turn),
            white: self.setup.white,
            black: self.setup.black,
            kings: self.setup.kings,
            contacts: self.contacts,
            crowned: self.crowned,
            lifted: occupied - self.contacts,
            set_down: no_disc - captured,
            to_remove: no_disc & captured,
            moves: &self.moves,
            time_control: self.time_control.as_deref(),
            clock_link: self.clock_link,
            clock_lost: self.clock_lost,
            clock: self.clock,
            ending: self.ending,
            notes: self.notes.as_ref(),
        }
    }

    /// The position at the start, once it is known.
    #[must_use]
    pub fn start(&self) -> Option<Setup> {
        fen::parse(self.start_fen.as_deref()?, self.variant).ok()
    }

    /// Names and the like.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The time control, where it is known.
    #[must_use]
    pub fn time_control(&self) -> Option<&str> {
        self.time_control.as_deref()
    }

    /// The recorded moves, oldest first.
    #[must_use]
    pub fn moves(&self) -> &[MoveLine] {
        &self.moves
    }

    /// How the game ended, once it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    fn stand_at(&mut self, fen: &str) {
        // The core writes what it reads; a text that it could not read would leave the pieces as they are.
        if let Ok(setup) = fen::parse(fen, self.variant) {
            self.setup = setup;
            self.fen = Some(fen.to_owned());
        }
    }
}

/// The document that `/api/v1/game` serves, described in `docs/http-api.md`.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot<'a> {
    kind: &'static str,
    board: &'a str,
    game: &'a str,
    epoch: u64,
    seq: u64,
    t: Moment,
    at: Option<WallTime>,
    served_at: WallTime,
    pace: f64,
    delay_s: u64,
    about: &'a About,
    phase: Phase,
    variant: Variant,
    start_fen: Option<&'a str>,
    fen: Option<&'a str>,
    turn: Option<Side>,
    white: SquareSet,
    black: SquareSet,
    kings: SquareSet,
    contacts: SquareSet,
    crowned: SquareSet,
    lifted: SquareSet,
    set_down: SquareSet,
    to_remove: SquareSet,
    moves: &'a [MoveLine],
    time_control: Option<&'a str>,
    clock_link: ClockLink,
    clock_lost: bool,
    clock: Option<ClockReading>,
    ending: Option<Ending>,
    #[serde(rename = "arbiter", skip_serializing_if = "Option::is_none")]
    notes: Option<&'a ArbiterNotes>,
}

impl Snapshot<'_> {
    /// The document as JSON, on one line.
    ///
    /// # Panics
    /// Never: the document has only string keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a snapshot has only string keys")
    }
}

const fn empty(variant: Variant) -> Setup {
    Setup {
        variant,
        turn: Side::White,
        white: SquareSet::EMPTY,
        black: SquareSet::EMPTY,
        kings: SquareSet::EMPTY,
    }
}

fn set(squares: &mut SquareSet, square: Square, closed: bool) {
    if closed {
        squares.insert(square);
    } else {
        squares.remove(square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feeds::envelope::{Audience, Sequencer};
    use draughtsd_core::event::Event;
    use draughtsd_core::trace::Crowning;
    use serde_json::Value;

    const START: &str = "W:W32,33,K6:B18,22,28";

    struct Folding {
        sequencer: Sequencer,
        state: BoardState,
        t: u64,
    }

    impl Folding {
        fn begin() -> Self {
            let sequencer = Sequencer::new("1", "1", 5, Audience::Public);
            let state = BoardState::new("1", "1", Variant::International, About::default(), sequencer.last());
            let started = EventBody::GameStarted {
                variant: Variant::International,
                fen: START.to_owned(),
                crowning: Crowning::None,
                clock: ClockLink::None,
                time_control: None,
            };
            Self { sequencer, state, t: 0 }.then(started)
        }

        fn then(mut self, body: EventBody) -> Self {
            self.t += 100;
            let event = Event { t: Moment::from_millis(self.t), body };
            let envelope = self.sequencer.wrap(&event, None).expect("a public event");
            self.state.apply(&envelope);
            self
        }

        fn contact(self, number: u8, closed: bool) -> Self {
            self.then(EventBody::Contact { square: square(number), closed })
        }

        fn plays(self, ply: u32, text: &str, captures: &[u8], status: MoveStatus, fen: &str) -> Self {
            let (from, to) = text.split_once(['-', 'x']).unwrap();
            let t = Moment::from_millis(self.t);
            let record = MoveRecord {
                ply,
                side: if ply % 2 == 1 { Side::White } else { Side::Black },
                text: text.to_owned(),
                from: from.parse().unwrap(),
                to: to.parse().unwrap(),
                captures: captures.iter().map(|&number| square(number)).collect(),
                t,
                irregular: Vec::new(),
                certainty: None,
            };
            self.then(EventBody::Move { status, record, fen: fen.to_owned() })
        }

        fn document(&self) -> Value {
            let snapshot = self.state.snapshot(WallTime::from_unix_ms(0), 1.0, Duration::ZERO);
            serde_json::from_str(&snapshot.to_json()).unwrap()
        }

        #[track_caller]
        fn check(&self, key: &str, expected: &str) {
            assert_eq!(self.document()[key].to_string(), expected, "{key}");
        }
    }

    fn square(number: u8) -> Square {
        Square::new(number).unwrap()
    }

    #[test]
    fn before_the_first_event_the_board_is_empty() {
        let last = EventId { epoch: 5, seq: 0 };
        let state = BoardState::new("1", "1", Variant::Russian, About::default(), last);
        let document =
            serde_json::to_value(state.snapshot(WallTime::from_unix_ms(0), 1.0, Duration::ZERO)).unwrap();
        assert_eq!(document["phase"], "waiting");
        assert_eq!(document["fen"], Value::Null);
        assert_eq!(document["turn"], Value::Null);
        assert_eq!(document["contacts"].to_string(), "[]");
    }

    #[test]
    fn a_game_begins_with_its_discs_on_the_board() {
        let folding = Folding::begin();
        folding.check("phase", r#""playing""#);
        folding.check("white", "[6,32,33]");
        folding.check("kings", "[6]");
        folding.check("contacts", "[6,18,22,28,32,33]");
        folding.check("seq", "1");
        folding.check("epoch", "5");
    }

    #[test]
    fn position_and_contacts_are_kept_apart() {
        // White lifts 32, holds it, takes 28 and 18 by 32x23x12; Black's discs still stand.
        let folding = Folding::begin().contact(32, false);
        folding.check("lifted", "[32]");
        folding.check("set_down", "[]");
        let folding = folding.contact(23, true);
        folding.check("set_down", "[23]");
        let folding = folding.contact(23, false).contact(12, true);
        let after = "B:W12,33,K6:B22";
        let folding = folding.plays(1, "32x12", &[28, 18], MoveStatus::Provisional, after);
        folding.check("to_remove", "[18,28]");
        folding.check("set_down", "[]");
        folding.check("lifted", "[]");
        folding.check("turn", r#""black""#);
        let folding = folding.contact(28, false).contact(18, false);
        folding.check("to_remove", "[]");
        folding.check("contacts", "[6,12,22,33]");
    }

    #[test]
    fn the_last_word_on_a_ply_wins() {
        let (one, other) = ("B:W28,33:B1", "B:W27,33:B1");
        let folding = Folding::begin().plays(1, "32-28", &[], MoveStatus::Provisional, one).plays(
            1,
            "32-27",
            &[],
            MoveStatus::Final,
            other,
        );
        let moves = folding.document()["moves"].clone();
        assert_eq!(moves.as_array().unwrap().len(), 1);
        assert_eq!((&moves[0]["text"], &moves[0]["status"]), (&"32-27".into(), &"final".into()));
        folding.check("fen", r#""B:W27,33:B1""#);
    }

    #[test]
    fn a_move_may_become_final_after_its_reply_is_known() {
        let (first, second) = ("B:W28:B1", "W:W28:B6");
        let folding = Folding::begin()
            .plays(1, "32-28", &[], MoveStatus::Provisional, first)
            .plays(2, "1-6", &[], MoveStatus::Provisional, second)
            .plays(1, "32-28", &[], MoveStatus::Final, first);
        folding.check("fen", r#""W:W28:B6""#);
        let moves = folding.document()["moves"].clone();
        assert_eq!((&moves[0]["status"], &moves[1]["ply"]), (&"final".into(), &2.into()));
    }

    #[test]
    fn withdrawn_takes_the_ply_and_all_later_ones() {
        let folding = Folding::begin()
            .plays(1, "32-28", &[], MoveStatus::Final, "B:W28:B1")
            .plays(2, "1-6", &[], MoveStatus::Final, "W:W28:B6")
            .then(EventBody::Withdrawn { ply: 1, fen: START.to_owned() });
        folding.check("moves", "[]");
        folding.check("turn", r#""white""#);
    }

    #[test]
    fn the_clock_is_as_it_last_said() {
        let report = ClockReport { white_ms: 1000, black_ms: 2000, running: Some(Side::Black), flag: None };
        let folding = Folding::begin().then(EventBody::Clock { report });
        folding.check("clock", r#"{"black_ms":2000,"flag":null,"running":"black","t":200,"white_ms":1000}"#);
    }

    #[test]
    fn a_move_keeps_what_the_clock_showed_after_it() {
        let report = |white_ms, running| EventBody::Clock {
            report: ClockReport { white_ms, black_ms: 9, running, flag: None },
        };
        let after = "B:W28:B1";
        let folding = Folding::begin()
            .then(report(5000, Some(Side::White)))
            .plays(1, "32-28", &[], MoveStatus::Provisional, after)
            .then(report(4000, Some(Side::White)))
            .then(report(3000, Some(Side::Black)))
            .then(report(3000, None))
            .plays(1, "32-28", &[], MoveStatus::Final, after);
        let clock = folding.document()["moves"][0]["clock"].clone();
        assert_eq!((&clock["white_ms"], &clock["running"]), (&3000.into(), &"black".into()));
    }

    #[test]
    fn phases_follow_the_game() {
        let folding = Folding::begin().then(EventBody::Paused);
        folding.check("phase", r#""paused""#);
        let folding = folding.then(EventBody::Resumed { restart: None });
        folding.check("phase", r#""playing""#);
        let stopped = Folding::begin().then(EventBody::RecordingEnded);
        stopped.check("phase", r#""stopped""#);
        let result = EventBody::Result { result: GameResult::Draw, reason: EndReason::Agreed };
        let ended = folding.then(result).then(EventBody::RecordingEnded);
        ended.check("phase", r#""ended""#);
        ended.check("ending", r#"{"reason":"agreed","result":"1-1"}"#);
    }

    #[test]
    fn a_new_start_forgets_the_old_game_but_not_its_place() {
        let started = EventBody::GameStarted {
            variant: Variant::Russian,
            fen: "W:W32:B1".to_owned(),
            crowning: Crowning::None,
            clock: ClockLink::Linked,
            time_control: None,
        };
        let folding = Folding::begin().plays(1, "32-28", &[], MoveStatus::Final, "B:W28:B1").then(started);
        folding.check("moves", "[]");
        folding.check("variant", r#""russian""#);
        folding.check("clock_link", r#""linked""#);
        folding.check("seq", "3");
    }

    #[test]
    fn a_fen_that_cannot_be_read_changes_nothing() {
        let folding = Folding::begin().then(EventBody::PositionSet { fen: "nonsense".to_owned() });
        folding.check("white", "[6,32,33]");
    }
}
