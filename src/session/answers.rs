//! What the session does with a command, and what it answers.

use draughtsd_core::event::{EndReason, EventBody};
use draughtsd_core::trace::{
    AdjournEntry, ArbiterInput, ClockEntry, ClockReport, GameResult, Input, TimedInput,
};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::Session;
use crate::board_loop::Board;
use crate::config::problems_of;
use crate::control::{Answer, Command, Refusal, Request, Who};
use crate::feeds::board_state::About;
use crate::journal::{Kind, Ticket, Urgency};
use crate::metrics::Counters;

/// The longest time that somebody may say a clock shows, or is to show: longer than any has digits for.
const LONGEST_TIME_MS: u64 = 100 * 60 * 60 * 1000;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 2000;

fn check_times(times_ms: [u64; 2]) -> Result<(), Refusal> {
    if times_ms.into_iter().all(|time| time < LONGEST_TIME_MS) {
        return Ok(());
    }
    Err(Refusal::new("no-such-time", "times are in milliseconds and below 100 hours, as clocks show them"))
}

impl Session {
    /// Does what was asked for.
    pub fn answer(&mut self, request: Request, board: &mut impl Board) {
        match request {
            Request::Command { command, who, answer } => self.obey(&command, &who, answer, board),
            Request::Reload { about, settings } => {
                if let Some(about) = about {
                    self.set_about(about);
                }
                self.next.header.settings = Some(settings);
            }
        }
    }

    /// Carries a command out, keeps who asked for it, and answers once that is durable.
    fn obey(
        &mut self,
        command: &Command,
        who: &Who,
        answer: oneshot::Sender<Answer>,
        board: &mut impl Board,
    ) {
        let _entered = self.span.clone().entered();
        Counters::count(&self.counters.commands);
        let changes_something =
            !matches!(command, Command::Status {} | Command::Alerts {} | Command::Explanations {});
        let done = self.carry_out(command, board);
        let ticket = if changes_something { self.audit(command, who, &done) } else { None };
        let said = match done {
            Ok(value) => Answer::Ok(value),
            Err(refusal) => Answer::Refused(refusal),
        };
        match ticket {
            Some(ticket) => self.answers.push_back((ticket, answer, said)),
            // Whoever asked may have gone away.
            None => _ = answer.send(said),
        }
    }

    /// Gives the answers to everything that is on the card, and published, up to `upto`.
    pub(super) fn give_answers(&mut self, upto: Ticket) {
        while self.answers.front().is_some_and(|(ticket, ..)| *ticket <= upto) {
            let Some((_, answer, said)) = self.answers.pop_front() else { return };
            // Whoever asked may have gone away.
            let _ = answer.send(said);
        }
    }

    fn audit(&mut self, command: &Command, who: &Who, done: &Result<Value, Refusal>) -> Option<Ticket> {
        let refused = done.as_ref().err().map(|refusal| refusal.message.as_str());
        tracing::info!(?who, ?command, refused, "asked");
        let entry = json!({ "who": who, "command": command, "refused": refused });
        self.keep(Kind::Audit, entry.to_string(), Urgency::Promise)
    }

    fn carry_out(&mut self, command: &Command, board: &mut impl Board) -> Result<Value, Refusal> {
        match command {
            Command::Status {} => Ok(self.status()),
            Command::Alerts {} => Ok(self.notes("alerts")),
            Command::Explanations {} => Ok(self.notes("explanations")),
            Command::Seen { alert } => self.about_alert(ArbiterInput::Seen(alert.clone()), alert, board),
            Command::Rule { alert, decision } => {
                let entry = ArbiterInput::Rule { alert: alert.clone(), decision: *decision };
                self.about_alert(entry, alert, board)
            }
            Command::Choose { fen } => self.arbiter(ArbiterInput::Choose(fen.clone()), board),
            Command::Position { fen } => self.arbiter(ArbiterInput::Position(fen.clone()), board),
            Command::Crowned { square } => self.arbiter(ArbiterInput::Crowned(*square), board),
            Command::Start {} => self.arbiter(ArbiterInput::Start, board),
            Command::Pause {} => self.arbiter(ArbiterInput::Pause, board),
            Command::Adjourn { step } => self.adjourn(step.clone(), board),
            Command::Resume {} => self.arbiter(ArbiterInput::Resume, board),
            Command::Result { result, reason, game } => self.result(*result, *reason, *game, board),
            Command::Clock { entry } => self.clock(*entry, board),
            Command::ClockShows { report } => self.clock_shows(*report, board),
            Command::DrawClaim { claim } => self.arbiter(ArbiterInput::DrawClaim(*claim), board),
            Command::SwapSides {} => self.swap_sides_as_asked(board),
            Command::About { about } => self.change_about(about),
            Command::Note { text } if text.chars().count() > LONGEST_NOTE => {
                let message = format!("a note has at most {LONGEST_NOTE} characters; make several of it");
                Err(Refusal::new("too-long", message))
            }
            Command::Note { .. } => Ok(json!({})),
            Command::NextGame {} => self.ask_for_next_game(),
        }
    }

    fn arbiter(&mut self, entry: ArbiterInput, board: &mut impl Board) -> Result<Value, Refusal> {
        self.entered(Input::Arbiter(entry), board)
    }

    fn entered(&mut self, input: Input, board: &mut impl Board) -> Result<Value, Refusal> {
        let at = board.now();
        let bodies = self.enter(TimedInput { at, input }, board);
        let refused = bodies.iter().find_map(|body| match body {
            EventBody::Refused { problem, .. } => Some(problem.clone()),
            _ => None,
        });
        match refused {
            Some(problem) => Err(Refusal::new("refused", problem)),
            None => Ok(json!({ "fen": self.game().position().fen() })),
        }
    }

    fn clock(&mut self, entry: ClockEntry, board: &mut impl Board) -> Result<Value, Refusal> {
        match entry {
            ClockEntry::Set { white_ms, black_ms } => check_times([white_ms, black_ms])?,
            ClockEntry::Correction { ms, .. } => check_times([ms, 0])?,
            ClockEntry::Run(_) | ClockEntry::Stop | ClockEntry::Split(_) | ClockEntry::Swap => {}
        }
        self.arbiter(ArbiterInput::Clock(entry), board)
    }

    fn clock_shows(&mut self, report: ClockReport, board: &mut impl Board) -> Result<Value, Refusal> {
        check_times([report.white_ms, report.black_ms])?;
        self.entered(Input::Clock(report), board)
    }

    fn about_alert(
        &mut self,
        entry: ArbiterInput,
        alert: &str,
        board: &mut impl Board,
    ) -> Result<Value, Refusal> {
        let known = self.game().summary().alerts.iter().any(|known| known.id == alert);
        if !known {
            let message = format!("this game has no alert `{alert}`; `draughtsd ctl alerts` lists them");
            return Err(Refusal::new("no-such-alert", message));
        }
        self.arbiter(entry, board)
    }

    fn adjourn(&mut self, step: AdjournEntry, board: &mut impl Board) -> Result<Value, Refusal> {
        self.arbiter(ArbiterInput::Adjourn(step), board)?;
        let position = self.game().position();
        let clock = self.publisher.arbiter().look(|state| state.clock());
        let moves = self.game().moves().count();
        Ok(json!({ "fen": position.fen(), "turn": position.turn(), "moves": moves, "clock": clock }))
    }

    fn result(
        &mut self,
        result: GameResult,
        reason: Option<EndReason>,
        game: Option<u64>,
        board: &mut impl Board,
    ) -> Result<Value, Refusal> {
        let Some(number) = game.filter(|&number| number != self.under_way.number) else {
            return self.arbiter(ArbiterInput::Result { result, reason }, board);
        };
        if number > self.under_way.number {
            let message = format!("there is no game {number} yet; this one is {}", self.under_way.number);
            return Err(Refusal::new("no-such-game", message));
        }
        let Some(keeping) = &mut self.keeping else {
            return Err(Refusal::new("no-journal", "earlier games are not kept"));
        };
        if !keeping.journal.has_game(number) {
            let message =
                format!("the journal has no game {number}; `draughtsd games list` shows which it has");
            return Err(Refusal::new("no-such-game", message));
        }
        keeping.journal.late_result(number, result, reason);
        Ok(json!({ "game": number }))
    }

    fn swap_sides_as_asked(&mut self, board: &mut impl Board) -> Result<Value, Refusal> {
        if self.under_way.is_over {
            return Err(Refusal::new("over", "the game is over; change board.white-side for the next one"));
        }
        let from = self.under_way.number;
        self.swap_sides(board);
        Ok(json!({ "from": from }))
    }

    fn change_about(&mut self, change: &About) -> Result<Value, Refusal> {
        if change == &About::default() {
            return Err(Refusal::new("nothing-to-change", "say what is to change: event, white, black, …"));
        }
        let text = |new: &Option<String>, old: &Option<String>| match new {
            Some(text) if text.is_empty() => None,
            Some(text) => Some(text.clone()),
            None => old.clone(),
        };
        let old = &self.under_way.about;
        let about = About {
            event: text(&change.event, &old.event),
            site: text(&change.site, &old.site),
            date: text(&change.date, &old.date),
            round: text(&change.round, &old.round),
            white: text(&change.white, &old.white),
            black: text(&change.black, &old.black),
        };
        if let Some(problem) = problems_of(&about).first() {
            return Err(Refusal::new("not-one-line", problem.to_string()));
        }
        let told = json!(about);
        self.set_about(about);
        Ok(told)
    }

    fn ask_for_next_game(&mut self) -> Result<Value, Refusal> {
        let has_moves = self.game().moves().next().is_some();
        if has_moves && self.game().summary().result == GameResult::Unknown {
            let message = "the game has no result yet; enter one first (`*` for none)";
            return Err(Refusal::new("no-result", message));
        }
        self.next_game_asked = true;
        Ok(json!({ "ended": self.under_way.number }))
    }

    fn notes(&self, which: &str) -> Value {
        let notes = self.publisher.arbiter().look(|state| json!(state.notes()));
        notes.get(which).cloned().unwrap_or_default()
    }

    /// How things are, for `status`.
    #[must_use]
    pub fn status(&self) -> Value {
        let (public, arbiter) = (self.publisher.public(), self.publisher.arbiter());
        let game = arbiter.look(|state| {
            json!({
                "number": self.under_way.number,
                "phase": state.phase(),
                "fen": state.fen(),
                "moves": state.moves().len(),
                "open_alerts": state.notes().map_or(0, |notes| notes.open_alerts()),
                "explanations": state.notes().map_or(0, |notes| notes.explanations.len()),
                "faults": state.notes().map(|notes| notes.faults.clone()),
                "ending": state.ending(),
                "t": self.game().now(),
            })
        });
        let journal = self.keeping.as_ref().map(|keeping| {
            json!({
                "file": keeping.journal.file(),
                "problem": keeping.problem.as_deref(),
                "waiting": self.publisher.waiting(),
            })
        });
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "board": self.board,
            "variant": self.under_way.header.board,
            "game": game,
            "journal": journal,
            "feeds": {
                "epoch": public.last().epoch,
                "public": {
                    "seq": public.last().seq,
                    "listeners": public.listeners(),
                    "delayed": self.publisher.delayed(),
                },
                "arbiter": { "seq": arbiter.last().seq, "listeners": arbiter.listeners() },
            },
        })
    }
}
