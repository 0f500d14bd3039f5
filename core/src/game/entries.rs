//! What the arbiter enters, carried out.

use super::Game;
use super::adjournment::{Adjournment, Stage};
use super::draws::Draws;
use super::recall::Felt;
use super::suspension::Suspension;
use super::telling::Telling;
use crate::event::{EndReason, EventBody};
use crate::notation::{fen, movetext};
use crate::piece::Side;
use crate::position::Position;
use crate::sensing::Act;
use crate::square::Square;
use crate::trace::{AdjournEntry, ArbiterInput};

impl Game {
    /// Carries out what the arbiter entered, or says why it cannot be.
    pub(super) fn obey(&mut self, entry: ArbiterInput) {
        match entry {
            ArbiterInput::Start => self.start(),
            ArbiterInput::Rule { alert, decision } => {
                if let Some(body) = self.alerts.rule(&alert, decision) {
                    self.publish(body);
                }
            }
            ArbiterInput::Pause if !self.paused => {
                self.finish_reading();
                self.suspension = None;
                self.paused = true;
                self.timekeeping.stop(self.now);
                self.publish(EventBody::Paused);
            }
            ArbiterInput::Resume if self.paused => {
                self.paused = false;
                self.go_on_from(self.position());
                self.publish(EventBody::Resumed { restart: None });
                let on_turn = self.adjournment.take().map(|_| self.position().turn());
                self.timekeeping.go_on(on_turn, self.now);
            }
            ArbiterInput::Pause | ArbiterInput::Resume => {}
            ArbiterInput::Result { result, reason } => self.end(result, reason.unwrap_or(EndReason::Arbiter)),
            ArbiterInput::Position(text) => match fen::parse_position(&text, self.setup.start.variant()) {
                Ok(position) => {
                    self.finish_reading();
                    self.go_on_from(position);
                    self.suspension.iter_mut().for_each(Suspension::forget);
                    self.set = Some((self.telling.told().len(), position));
                    self.publish(EventBody::PositionSet { fen: position.fen() });
                }
                Err(error) => self.refuse(text, error.to_string()),
            },
            ArbiterInput::Clock(entry) => {
                if let Err(problem) = self.timekeeping.enter(entry, self.now) {
                    self.refuse(format!("clock {entry:?}"), problem.to_owned());
                }
            }
            ArbiterInput::DrawClaim(claim) => self.timekeeping.draw_claim(claim),
            ArbiterInput::Adjourn(entry) => {
                if let Err(problem) = self.adjourn(&entry) {
                    self.refuse(format!("adjourn {entry:?}"), problem);
                }
            }
            ArbiterInput::Seen(alert) => {
                if self.alerts.all().iter().any(|known| known.id == alert) {
                    self.publish(EventBody::AlertSeen { id: alert });
                }
            }
            ArbiterInput::Choose(fen) => self.choose(fen),
            ArbiterInput::Crowned(square) => self.confirm_crowning(square),
        }
    }

    /// The arbiter says which of several explanations is right.
    fn choose(&mut self, fen: String) {
        let Some(chosen) = self.reader.tied_reading(&fen).cloned() else {
            let problem = "no explanation leads to this position; perhaps it is decided by now";
            self.publish(EventBody::Refused { entry: fen, problem: problem.to_owned() });
            return;
        };
        let settled = self.reader.take_all(chosen);
        let release_ms = self.setup.settings.release_ms;
        let news = self.telling.update(settled, &self.reader, self.reader.best(), release_ms);
        self.publish_news(news);
        self.forget_signs();
        self.remember();
        self.tell();
    }

    /// The arbiter has seen the crowning that no contact felt.
    fn confirm_crowning(&mut self, square: Square) {
        let position = self.position();
        let kings = position.kings(Side::White) | position.kings(Side::Black);
        if kings.contains(square) {
            self.feel(Felt::Certain(Act::Stack(square)));
        } else {
            let problem = "no king stands on this square, so none can have been crowned there";
            self.publish(EventBody::Refused { entry: square.to_string(), problem: problem.to_owned() });
        }
    }

    fn refuse(&mut self, entry: String, problem: String) {
        self.publish(EventBody::Refused { entry, problem });
    }

    /// Takes a step of an adjournment (CN100 11.3, 11.4), or says why it cannot be taken.
    fn adjourn(&mut self, entry: &AdjournEntry) -> Result<(), String> {
        if *entry == AdjournEntry::Position {
            if self.result.is_some() || self.adjournment.is_some() {
                return Err("the game is over, or adjourned already".to_owned());
            }
            self.obey(ArbiterInput::Pause);
            self.adjournment = Some(Adjournment::new());
            let (fen, [white_ms, black_ms]) = self.as_it_stands();
            self.publish(EventBody::Adjourning { fen, white_ms, black_ms });
            return Ok(());
        }
        let position = self.position();
        let side = position.turn();
        let adjournment = self.adjournment.as_mut().ok_or("the first step is `position`")?;
        match entry {
            AdjournEntry::Position => {}
            AdjournEntry::Confirmed(side) => {
                adjournment.confirm(*side);
                self.publish(EventBody::Confirmed { side: *side });
            }
            AdjournEntry::Sealing => {
                adjournment.advance(Stage::Sealing)?;
                self.publish(EventBody::Sealing { side });
                self.timekeeping.go_on(Some(side), self.now);
            }
            AdjournEntry::Sealed => {
                adjournment.advance(Stage::Sealed)?;
                self.timekeeping.stop(self.now);
                let (fen, [white_ms, black_ms]) = self.as_it_stands();
                self.publish(EventBody::Adjourned { fen, white_ms, black_ms });
            }
            AdjournEntry::Opened(text) => {
                let mv = movetext::parse(&position, text).map_err(|error| {
                    format!("{error}; an illegal sealed move loses (11.3.6): enter the result then")
                })?;
                adjournment.advance(Stage::Opened)?;
                let text = movetext::score_sheet(&position, mv);
                self.publish(EventBody::SealedMove { side, text });
            }
        }
        Ok(())
    }

    /// The position and, where they are known, White's and Black's times.
    fn as_it_stands(&self) -> (String, [Option<u64>; 2]) {
        let times = self.timekeeping.times(self.now);
        (self.position().fen(), [times.map(|times| times.white_ms), times.map(|times| times.black_ms)])
    }

    /// Reads on from a position, whatever stands on the board now.
    pub(super) fn go_on_from(&mut self, position: Position) {
        let board = self.sensing.standing();
        let incidents = self.reader.best().incidents().to_vec();
        let unsensed = self.reader.unsensed();
        self.reader = self.setup.reader(position, self.next_ply(), board);
        self.reader.keep_incidents(incidents);
        self.reader.distrust_crown_sensors(unsensed);
        self.reader.mask(self.diagnosis.masked());
        self.reader.hide_all(self.sensing.hidden());
        self.forget_signs();
        self.reader.pass_time(self.sensing.horizon(self.now));
        self.remember();
    }

    /// The arbiter starts the game: what hands did to the discs before was no part of it.
    fn start(&mut self) {
        if self.started || self.result.is_some() {
            return;
        }
        self.started = true;
        self.suspension = None;
        self.timekeeping.start(self.now);
        // A position that he set before is the one he starts from.
        let start = self.set.map_or(self.setup.start, |(_, position)| position);
        self.set = self.set.map(|_| (0, start));
        if !self.telling.told().is_empty() {
            self.publish(EventBody::Withdrawn { ply: 1, fen: start.fen() });
        }
        for body in self.alerts.clear() {
            self.publish(body);
        }
        self.telling = Telling::default();
        self.draws = Draws::new(self.setup.settings.draw_rules.preset(start.variant()), &start);
        let board = self.sensing.standing();
        let unsensed = self.reader.unsensed();
        self.reader = self.setup.reader(start, 1, board);
        self.reader.distrust_crown_sensors(unsensed);
        self.reader.note_start();
        self.reader.mask(self.diagnosis.masked());
        self.reader.hide_all(self.sensing.hidden());
        self.forget_signs();
        self.reader.pass_time(self.sensing.horizon(self.now));
        self.reader.name_wrong_start();
        self.remember();
    }
}
