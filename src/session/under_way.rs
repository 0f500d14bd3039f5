//! The game under way, and the contacts beside it.

use draughtsd_core::event::{Event, EventBody};
use draughtsd_core::game::{Effect, Game, GameSetup, SetupError};
use draughtsd_core::moment::Moment;
use draughtsd_core::position::Position;
use draughtsd_core::time_control::{BetweenGames, Match};
use draughtsd_core::trace::{ClockEntry, GameResult, Header, Input, TimedInput};

use super::{Keeping, NextGame};
use crate::board_loop::{Board, Contacts, Place};
use crate::feeds::board_state::About;
use crate::feeds::wall_time::WallTime;
use crate::journal::archive::StoredGame;
use crate::journal::{Kind, NewGame};
use crate::stored_game::{self, Rerun};

/// The note in the header of a game whose board turned out to stand the other way round.
pub(super) const TURNED: &str = "White sits at the other end than was configured";

/// A game and what the session knows of it.
#[derive(Debug)]
pub(super) struct UnderWay {
    pub(super) number: u64,
    pub(super) header: Header,
    pub(super) about: About,
    pub(super) game: Game,
    pub(super) contacts: Contacts,
    /// How many inputs came from the board.
    pub(super) taken: u64,
    /// All inputs, as the game took them in.
    pub(super) inputs: Vec<(Kind, TimedInput)>,
    /// It has a result, or its recording stopped.
    pub(super) is_over: bool,
    /// Since when the discs have stood as at the beginning of a game, once it is over and they stood otherwise.
    pub(super) ready_since: Option<Moment>,
    pub(super) stood_otherwise: bool,
}

/// A game that has just begun.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) under_way: UnderWay,
    pub(super) effects: Vec<Effect>,
    /// What stack contacts say that a header has no room for: a disc that stands on another at the beginning, a sensor that
    /// is faulty.
    pub(super) otherwise: Vec<Input>,
}

impl UnderWay {
    /// The times that the next game of a play-off begins with: those left in this one, unless it was won.
    pub(super) fn times_for_the_next_game(&self) -> Option<ClockEntry> {
        let of_match: Match = self.header.time_control.as_ref()?.parse().ok()?;
        let result = self.game.summary().result;
        let is_won = matches!(result, GameResult::WhiteWins | GameResult::BlackWins);
        if of_match.between != BetweenGames::CarriedOver || is_won || result == GameResult::Unknown {
            return None;
        }
        let left = self.game.clock_times()?;
        let [(_, white_ms), (_, black_ms)] = of_match.next_start(left.white_ms, left.black_ms);
        Some(ClockEntry::Set { white_ms, black_ms })
    }

    pub(super) async fn begin(
        board_id: &str,
        next: &NextGame,
        keeping: Option<&mut Keeping>,
        board: &mut impl Board,
    ) -> Result<Begun, SetupError> {
        let mut header = next.header.clone();
        let now = WallTime::now();
        let is_turned = header.note.as_deref() == Some(TURNED);
        let turn = |contacts: Contacts| if is_turned { contacts.turned(header.board) } else { contacts };
        let contacts = board.contacts().await.map(turn);
        header.closed = contacts.map(|contacts| contacts.closed).or(header.closed);
        let setup = GameSetup::try_from(&header)?;
        if header.closed == Some(setup.start.occupied()) {
            header.closed = None;
        }
        let number = keeping.map_or(1, |keeping| {
            keeping.journal.begin_game(NewGame {
                board: board_id.to_owned(),
                header: header.to_line(),
                about: serde_json::to_string(&next.about).unwrap_or_default(),
                began_at: now,
            })
        });
        board.enter(Place { game: number, now: Moment::ZERO, taken: 0 });
        let (under_way, effects) = Self::new(number, header, next.about.clone(), setup);
        let at_first = under_way.contacts;
        let stands = contacts.map_or(at_first, |contacts| Contacts { closed: at_first.closed, ..contacts });
        Ok(Begun { under_way, effects, otherwise: at_first.changes_to(stands) })
    }

    pub(super) fn new(number: u64, header: Header, about: About, setup: GameSetup) -> (Self, Vec<Effect>) {
        let contacts = stored_game::contacts_at_the_start(&setup);
        let (game, begun) = Game::new(setup);
        let under_way = Self {
            number,
            header,
            about,
            game,
            contacts,
            taken: 0,
            inputs: Vec::new(),
            is_over: false,
            ready_since: None,
            stood_otherwise: false,
        };
        (under_way, begun)
    }

    pub(super) fn from_rerun(stored: &StoredGame, rerun: &Rerun) -> Self {
        let over = |event: &Event| matches!(event.body, EventBody::Result { .. } | EventBody::RecordingEnded);
        let mut under_way = Self {
            number: stored.number,
            header: rerun.header.clone(),
            about: rerun.about.clone(),
            game: rerun.game.clone(),
            contacts: rerun.contacts,
            taken: rerun.taken,
            inputs: rerun.inputs.clone(),
            is_over: rerun.told.iter().any(|(event, _)| over(event)),
            ready_since: None,
            stood_otherwise: rerun.game.moves().next().is_some(),
        };
        under_way.look_at_the_discs(rerun.game.now());
        under_way
    }

    /// The position with which the game began.
    pub(super) fn start_fen(&self) -> String {
        let given = self.header.start.clone();
        given.unwrap_or_else(|| Position::start(self.header.board).fen())
    }

    pub(super) fn is_turned(&self) -> bool {
        self.header.note.as_deref() == Some(TURNED)
    }

    pub(super) fn place(&self) -> Place {
        Place { game: self.number, now: self.game.now(), taken: self.taken }
    }

    /// Once a game is over, looks whether the discs are being set up for the next one.
    pub(super) fn look_at_the_discs(&mut self, now: Moment) {
        if !self.is_over {
            return;
        }
        let start = Position::start(self.header.board).occupied();
        let stands = self.contacts.closed == start;
        self.stood_otherwise |= !stands;
        if !stands {
            self.ready_since = None;
        } else if self.stood_otherwise && self.ready_since.is_none() {
            self.ready_since = Some(now);
        }
    }
}
