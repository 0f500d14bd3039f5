//! A table with a board, a clock and hands: a script of what the hands do becomes raw contact inputs, a
//! [`Game`] reads them, and a test says what must be in the record and what the arbiter must have been told.
//!
//! A script is a chain of calls with a clock of its own: [`Table::after`] lets time pass, everything else
//! happens at the moment reached. Squares are numbers. Moves are written as in a record, by squares on every
//! board: `32-28`, `28x19*23`, `32x23x12*28,18`, where the disc is set down on every square named and the
//! discs after the star come off in that order. Alerts are `code ply side state`.
//!
//! What a script must give it must also give on contacts that bounce and flicker, while other discs drop out and
//! hands pass low, and from the other end of the board ([`variations`]).
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;

use draughtsd_core::alert::{Alert, AlertCode, AlertState};
use draughtsd_core::clock::ClockCommand;
use draughtsd_core::event::{Event, EventBody};
use draughtsd_core::game::{Effect, Game, GameSetup, Summary};
use draughtsd_core::matrix::Matrix;
use draughtsd_core::moment::Moment;
use draughtsd_core::notation::fen;
use draughtsd_core::piece::Side;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::settings::Settings;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{
    ArbiterInput, Button, ClockLink, Crowning, Decision, GameResult, Input, TimedInput,
};

mod variations;

/// A script under way.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    setup: GameSetup,
    now: u64,
    closed: SquareSet,
    inputs: Vec<TimedInput>,
    marks: BTreeMap<&'static str, u64>,
}

/// What became of a script.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The record and the alerts at the end.
    pub(crate) summary: Summary,
    /// All events, as they were told.
    pub(crate) events: Vec<Event>,
    /// What the clock was told.
    pub(crate) commands: Vec<ClockCommand>,
    marks: BTreeMap<&'static str, u64>,
}

#[track_caller]
fn square(number: u8) -> Square {
    Square::new(number).expect("a square of the board")
}

impl Table {
    /// A game from its start position, a clock linked, nothing sensed but the squares.
    pub(crate) fn start(variant: Variant) -> Self {
        Self::from_setup(GameSetup::new(variant))
    }

    /// As [`Table::start`], from a position.
    #[track_caller]
    pub(crate) fn of(variant: Variant, fen: &str) -> Self {
        let start = fen::parse_position(fen, variant).expect(fen);
        Self::from_setup(GameSetup { start, closed: start.occupied(), ..GameSetup::new(variant) })
    }

    fn from_setup(setup: GameSetup) -> Self {
        let setup = GameSetup { clock: ClockLink::Linked, ..setup };
        Self { now: 1000, closed: setup.closed, setup, inputs: Vec::new(), marks: BTreeMap::new() }
    }

    /// Without a linked clock; [`Table::white`] and [`Table::black`] then press nothing.
    pub(crate) fn without_clock(mut self) -> Self {
        self.setup.clock = ClockLink::None;
        self
    }

    /// How much time the players have.
    pub(crate) fn time_control(mut self, control: &str) -> Self {
        self.setup.time_control = Some(control.to_owned());
        self
    }

    /// How a crowning is sensed.
    pub(crate) fn crowning(mut self, crowning: Crowning) -> Self {
        self.setup.crowning = crowning;
        self
    }

    /// With other settings.
    pub(crate) fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.setup.settings);
        self
    }

    /// The contact of this square is open at the beginning, whatever stands there.
    pub(crate) fn open_at_start(mut self, number: u8) -> Self {
        self.closed.remove(square(number));
        self.setup.closed = self.closed;
        self
    }

    /// The contact of this square is closed at the beginning.
    pub(crate) fn closed_at_start(mut self, number: u8) -> Self {
        self.closed.insert(square(number));
        self.setup.closed = self.closed;
        self
    }

    /// The contact of this square is open or closed at the beginning, whatever the script does to the disc.
    pub(crate) fn with_contact_at_start(mut self, number: u8, closed: bool) -> Self {
        let contacts = self.setup.closed.without(square(number));
        self.setup.closed = if closed { contacts.with(square(number)) } else { contacts };
        self
    }

    /// The inputs so far without those that `lost` picks.
    pub(crate) fn without(mut self, lost: impl Fn(Moment, &Input) -> bool) -> Self {
        self.inputs.retain(|timed| !lost(timed.at, &timed.input));
        self
    }

    /// How the contacts are wired.
    pub(crate) fn wired(mut self, matrix: &Matrix) -> Self {
        self.setup.matrix = Some(matrix.clone());
        self
    }

    /// Contacts read closed what `reading` makes of the magnets over them: in the script so far, and at the beginning.
    pub(crate) fn reads_as(mut self, reading: impl Fn(Moment, SquareSet) -> SquareSet) -> Self {
        let mut magnets = self.setup.closed;
        let mut shown = reading(Moment::ZERO, magnets);
        self.setup.closed = shown;
        let mut inputs = Vec::new();
        for timed in std::mem::take(&mut self.inputs) {
            let Input::Contact { square, closed } = timed.input else {
                inputs.push(timed);
                continue;
            };
            magnets = if closed { magnets.with(square) } else { magnets.without(square) };
            let now = reading(timed.at, magnets);
            inputs.extend((now ^ shown).iter().map(|square| TimedInput {
                at: timed.at,
                input: Input::Contact { square, closed: now.contains(square) },
            }));
            shown = now;
        }
        self.inputs = inputs;
        self
    }

    /// Lets time pass.
    pub(crate) fn after(mut self, millis: u64) -> Self {
        self.now += millis;
        self
    }

    /// Remembers the moment reached.
    pub(crate) fn mark(mut self, name: &'static str) -> Self {
        self.marks.insert(name, self.now);
        self
    }

    /// An input at the moment reached.
    pub(crate) fn input(mut self, input: Input) -> Self {
        self.inputs.push(TimedInput { at: Moment::from_millis(self.now), input });
        self
    }

    /// The contact of a square opens.
    #[track_caller]
    pub(crate) fn lift(mut self, number: u8) -> Self {
        assert!(self.closed.remove(square(number)), "nothing stands on {number}");
        self.input(Input::Contact { square: square(number), closed: false })
    }

    /// The contact of a square closes.
    #[track_caller]
    pub(crate) fn place(mut self, number: u8) -> Self {
        assert!(self.closed.insert(square(number)), "something stands on {number} already");
        self.input(Input::Contact { square: square(number), closed: true })
    }

    /// A disc is lifted and is back this much later.
    #[track_caller]
    pub(crate) fn lift_for(self, number: u8, millis: u64) -> Self {
        self.lift(number).after(millis).place(number)
    }

    /// A disc is put down and is up again this much later.
    #[track_caller]
    pub(crate) fn place_for(self, number: u8, millis: u64) -> Self {
        self.place(number).after(millis).lift(number)
    }

    /// A disc is lifted, carried for half a second, and put down.
    #[track_caller]
    pub(crate) fn carry(self, from: u8, to: u8) -> Self {
        self.lift(from).after(500).place(to)
    }

    /// A disc is carried over these squares and set down on each for a third of a second.
    #[track_caller]
    pub(crate) fn path(mut self, squares: &[u8]) -> Self {
        let (last, before) = squares.split_last().expect("a path");
        for (index, &number) in before.iter().enumerate() {
            if index > 0 {
                self = self.place(number).after(320);
            }
            self = self.lift(number).after(400);
        }
        self.place(*last)
    }

    /// Discs are taken off one after the other, with half a second before each.
    #[track_caller]
    pub(crate) fn off(mut self, squares: &[u8]) -> Self {
        for &number in squares {
            self = self.after(500).lift(number);
        }
        self
    }

    /// A player presses the clock.
    pub(crate) fn press(self, side: Side) -> Self {
        self.input(Input::Press { side })
    }

    /// A button at the table.
    pub(crate) fn button(self, button: Button, side: Side) -> Self {
        self.input(Input::Button { button, side })
    }

    /// A player announces adjusting.
    pub(crate) fn adjust(self, side: Side) -> Self {
        self.button(Button::Adjust, side)
    }

    /// A second disc is put on the disc of a far-row square.
    pub(crate) fn stack(self, number: u8) -> Self {
        self.input(Input::Crown { square: square(number), closed: true })
    }

    /// Two discs no longer stand on a far-row square.
    pub(crate) fn unstack(self, number: u8) -> Self {
        self.input(Input::Crown { square: square(number), closed: false })
    }

    /// The sensor behind a stack contact fails, or works again.
    pub(crate) fn crown_sensor(self, number: u8, works: bool) -> Self {
        self.input(Input::CrownSensor { square: square(number), works })
    }

    /// A spare disc is taken from a well of this colour.
    pub(crate) fn spare(self, side: Side) -> Self {
        self.input(Input::Reserve { side, closed: false, well: None })
    }

    /// A spare disc is given back to a well of this colour.
    pub(crate) fn give_back(self, side: Side) -> Self {
        self.input(Input::Reserve { side, closed: true, well: None })
    }

    /// The arbiter enters something.
    pub(crate) fn arbiter(self, entry: ArbiterInput) -> Self {
        self.input(Input::Arbiter(entry))
    }

    /// The arbiter rules.
    pub(crate) fn rule(self, alert: &str, decision: Decision) -> Self {
        self.arbiter(ArbiterInput::Rule { alert: alert.to_owned(), decision })
    }

    /// The arbiter enters the result.
    pub(crate) fn result(self, result: GameResult) -> Self {
        self.arbiter(ArbiterInput::Result { result, reason: None })
    }

    /// White's hand makes a move, a second after what was before, and presses if a clock is linked.
    #[track_caller]
    pub(crate) fn white(self, mv: &str) -> Self {
        self.hand(mv).pressed(Side::White)
    }

    /// Black's hand makes a move, a second after what was before, and presses if a clock is linked.
    #[track_caller]
    pub(crate) fn black(self, mv: &str) -> Self {
        self.hand(mv).pressed(Side::Black)
    }

    /// A hand makes a move, a second after what was before, and presses nothing.
    #[track_caller]
    pub(crate) fn hand(self, mv: &str) -> Self {
        let (path, taken) = mv.split_once('*').unwrap_or((mv, ""));
        let numbers = |text: &str| -> Vec<u8> {
            text.split(['-', 'x', ','])
                .filter(|number| !number.is_empty())
                .map(|number| number.parse().expect(mv))
                .collect()
        };
        self.after(1000).path(&numbers(path)).off(&numbers(taken))
    }

    fn pressed(self, side: Side) -> Self {
        match self.setup.clock {
            ClockLink::Linked => self.after(400).press(side),
            ClockLink::None => self,
        }
    }

    /// Reads the script as a live game does; the recording stops five seconds later, or at [`Table::end`].
    pub(crate) fn read(self) -> Reading {
        let mut end = self.now + 5000;
        let (mut game, effects) = Game::new(self.setup);
        let (mut events, mut commands) = (Vec::new(), Vec::new());
        let mut take = |effects: Vec<Effect>| {
            for effect in effects {
                match effect {
                    Effect::Publish(event) => events.push(event),
                    Effect::Clock(command) => commands.push(command),
                }
            }
        };
        take(effects);
        for TimedInput { at, input } in self.inputs {
            // A live daemon wakes up when something is due, so that it is told then and not with the next
            // input.
            while let Some(due) = game.next_wake().filter(|&due| due < at) {
                take(game.advance(due));
            }
            if input == Input::End {
                end = at.millis();
                break;
            }
            take(game.handle(at, input));
        }
        while let Some(due) = game.next_wake().filter(|due| due.millis() < end) {
            take(game.advance(due));
        }
        take(game.handle(Moment::from_millis(end), Input::End));
        let reading = Reading { summary: game.summary(), events, commands, marks: self.marks };
        reading.tells_the_public_nothing();
        reading
    }

    /// The recording stops now and not five seconds later.
    pub(crate) fn end(self) -> Self {
        self.input(Input::End)
    }

    /// Reads the script and compares record and alerts: as it stands, and in its [`variations`].
    #[track_caller]
    pub(crate) fn expect(self, moves: &str, alerts: &[&str]) -> Reading {
        variations::bouncing(self.clone()).expect_once(moves, alerts);
        for seed in 0..2 {
            variations::knocked(self.clone(), seed).expect_once(moves, alerts);
            variations::flickering(self.clone(), seed).expect_once(moves, alerts);
            variations::passing_low(self.clone(), seed).expect_once(moves, alerts);
        }
        if let Some(turned) = variations::turned_round(self.clone(), alerts) {
            let alerts = variations::alerts_turned_round(alerts);
            let alerts: Vec<&str> = alerts.iter().map(String::as_str).collect();
            turned.expect_once(&variations::moves_turned_round(moves, self.setup.start.variant()), &alerts);
        }
        self.expect_once(moves, alerts)
    }

    #[track_caller]
    fn expect_once(self, moves: &str, alerts: &[&str]) -> Reading {
        let reading = self.read();
        let mut expected: Vec<String> = alerts.iter().map(|&alert| alert.to_owned()).collect();
        expected.sort();
        let mut found: Vec<String> = reading.summary.alerts.iter().map(alert_text).collect();
        found.sort();
        let read = reading.summary.moves.iter().map(move_text).collect::<Vec<_>>().join(" ");
        assert_eq!((read.as_str(), &found), (moves, &expected), "(moves, alerts): read, expected");
        let known = |alert: &Alert| expected.iter().any(|text| text.starts_with(&act_text(alert)));
        for event in &reading.events {
            if let EventBody::Alert { alert } = &event.body {
                assert!(known(alert), "told at {} and withdrawn: {}", event.t, alert_text(alert));
            }
        }
        reading.tells_in_time();
        reading
    }

    /// Reads the script; the record must be this and nothing may be told to the arbiter.
    #[track_caller]
    pub(crate) fn silent(self, moves: &str) -> Reading {
        self.expect(moves, &[])
    }
}

impl Reading {
    /// The alert must open between two marks.
    #[track_caller]
    pub(crate) fn opens(self, code: &str, not_before: &str, before: &str) -> Self {
        let (earliest, latest) = (self.marks[not_before], self.marks[before]);
        let opened = self.opened(code);
        assert!(
            (earliest..=latest).contains(&opened),
            "{code} opened at {opened}, not from {earliest} ({not_before}) to {latest} ({before})"
        );
        self
    }

    /// The alert must open within so many milliseconds after a mark.
    #[track_caller]
    pub(crate) fn opens_within(self, code: &str, mark: &str, millis: u64) -> Self {
        let (from, opened) = (self.marks[mark], self.opened(code));
        assert!(
            (from..=from + millis).contains(&opened),
            "{code} opened at {opened}, not within {millis} of {from} ({mark})"
        );
        self
    }

    /// What the opponent accepted by his reply was told before the reply was complete (CN100 7.7). Three
    /// codes have times of their own.
    #[track_caller]
    fn tells_in_time(&self) {
        let of_its_own = ["left-captured-piece", "not-crowned", "press-forgotten"];
        let accepted = self.summary.alerts.iter().filter(|alert| alert.state == AlertState::Accepted);
        for alert in accepted.filter(|alert| !of_its_own.contains(&alert.code.name())) {
            let mut later = self.summary.moves.iter().filter(|record| record.ply >= alert.ply);
            let reply = later.find(|record| match alert.side {
                Some(side) => record.side != side,
                None => true,
            });
            let told = self.told(alert);
            if let Some(reply) = reply {
                assert!(told <= reply.t, "{} told at {told}, after the reply at {}", alert.id, reply.t);
            }
        }
    }

    fn told(&self, alert: &Alert) -> Moment {
        let of_it = |event: &&Event| matches!(&event.body, EventBody::Alert { alert: a } if a.id == alert.id);
        self.events.iter().find(of_it).expect("every alert is told").t
    }

    /// When the arbiter was told of an alert with this code.
    #[track_caller]
    fn opened(&self, code: &str) -> u64 {
        self.events
            .iter()
            .find_map(|event| match &event.body {
                EventBody::Alert { alert } if alert.code.name() == code => Some(event.t.millis()),
                _ => None,
            })
            .expect("the alert was told")
    }

    /// The position at the end, as FEN.
    #[track_caller]
    pub(crate) fn fen(self, fen: &str) -> Self {
        assert_eq!(self.summary.fen, fen);
        self
    }

    /// The article of the first alert, as cited.
    #[track_caller]
    pub(crate) fn article(self, article: &str) -> Self {
        let cited = self.summary.alerts.first().map(|alert| alert.article.as_str());
        assert_eq!(cited, Some(article));
        self
    }

    /// The squares of the first alert; the first is the one the act is about.
    #[track_caller]
    pub(crate) fn about(self, number: u8) -> Self {
        let first = self.summary.alerts.first().and_then(|alert| alert.squares.first().copied());
        assert_eq!(first, Some(square(number)));
        self
    }

    /// The squares of the first alert of this code; the first is the one the act is about.
    #[track_caller]
    pub(crate) fn about_of(self, code: AlertCode, number: u8) -> Self {
        let alert = self.summary.alerts.iter().find(|alert| alert.code == code);
        assert_eq!(alert.and_then(|alert| alert.squares.first().copied()), Some(square(number)));
        self
    }

    /// The moves at the end, as they are written in scripts.
    pub(crate) fn moves(&self) -> Vec<String> {
        self.summary.moves.iter().map(move_text).collect()
    }

    /// Whatever a player could not see for himself must not be in the public's events.
    #[track_caller]
    pub(crate) fn tells_the_public_nothing(&self) {
        for event in self.events.iter().filter_map(Event::for_public) {
            assert_public(&event);
        }
    }

    /// The position at the end.
    pub(crate) fn position(&self) -> Position {
        fen::parse_position(&self.summary.fen, self.summary.board).expect("the summary's FEN")
    }
}

/// Refuses an event of the public that tells of an alert, a mark, a doubt or a guess.
#[track_caller]
pub(crate) fn assert_public(event: &Event) {
    let text = serde_json::to_string(event).expect("an event is JSON");
    for word in ["alert", "irregular", "certainty", "unclear", "explanations", "disturbed", "fault", "button"]
    {
        assert!(!text.contains(word), "`{word}` in a public event: {text}");
    }
    assert!(event.for_public().as_ref() == Some(event), "the public's event is not the public's: {text}");
}

fn act_text(alert: &Alert) -> String {
    let side = alert.side.map_or_else(|| "none".to_owned(), |side| side.to_string());
    format!("{} {} {side} ", alert.code, alert.ply)
}

fn alert_text(alert: &Alert) -> String {
    let state = match alert.state {
        AlertState::Open => "open",
        AlertState::Corrected => "corrected",
        AlertState::Accepted => "accepted",
        AlertState::Ruled => "ruled",
    };
    format!("{}{state}", act_text(alert))
}

fn move_text(record: &draughtsd_core::event::MoveRecord) -> String {
    let mut captures = record.captures.clone();
    captures.sort_unstable();
    let mut text = format!("{}{}{}", record.from, if captures.is_empty() { '-' } else { 'x' }, record.to);
    for (index, captured) in captures.iter().enumerate() {
        text.push(if index == 0 { '*' } else { ',' });
        text.push_str(&captured.to_string());
    }
    text
}
