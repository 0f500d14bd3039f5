//! Simulated hands that play one game after another: each ends, the discs are set up, the next begins.

use std::io::Read as _;
use std::path::Path;

use draughtsd_core::game::GameSetup;
use draughtsd_core::notation::pdn;
use draughtsd_core::rules::Variant;
use draughtsd_core::trace::{ArbiterInput, GameResult, Header, Input, TimedInput};

use super::{NextGame, Source, SourceError};
use crate::board_loop::Contacts;
use crate::config::Config;
use crate::input_file::InputFile;
use crate::playback::{AtEnd, Playback, Script};
use crate::staged_game::{self, StagedGame};
use crate::stored_game::contacts_at_the_start;

/// From the end of a game until the discs are set up.
const SETTING_UP_MS: u64 = 4000;

/// Between two discs that are set up.
const A_DISC_MS: u64 = 150;

/// So long a file with games may be, in bytes as they are read: tens of thousands of games.
const LONGEST_GAMES: u64 = 16 * 1024 * 1024;

/// Opens the board of the simulated hands.
pub(super) fn open(config: &Config, at_end: AtEnd) -> Result<(Source, NextGame), SourceError> {
    let variant = config.board.game;
    let games = match &config.simulated.games {
        Some(file) => read_games(file, variant)?,
        None => vec![staged_game::built_in(variant).map_err(|error| failed(Path::new("built in"), &error))?],
    };
    let first =
        stage(&games, 1, config.simulated.seed).map_err(|error| failed(Path::new("built in"), &error))?;
    let header = Header { settings: super::next_game(config).header.settings, ..first.header };
    let at_the_start = GameSetup::try_from(&header).map(|setup| contacts_at_the_start(&setup));
    let contacts = at_the_start.unwrap_or_default();
    let (seed, end_after) = (config.simulated.seed, config.simulated.end_after);
    let scripts = Box::new(move |number| {
        if end_after != 0 && number > end_after {
            return Some(Script { inputs: Vec::new(), at_end });
        }
        let staged = stage(&games, number, seed).ok()?;
        let is_open_ended = has_no_end(game_of(&games, number));
        let mut inputs = with_its_end(staged.inputs, is_open_ended);
        if number == end_after {
            return Some(Script { inputs, at_end });
        }
        set_discs_up(&mut inputs, contacts);
        Some(Script { inputs, at_end: AtEnd::Stand })
    });
    let playback = Playback::new(scripts, Some(contacts), config.simulated.speed);
    Ok((Source::Played(playback), NextGame { header, about: first.about }))
}

/// The game of this number: the games come round, the hands are others each time.
fn stage(games: &[pdn::Game], number: u64, seed: u64) -> anyhow::Result<StagedGame> {
    StagedGame::new(game_of(games, number), seed.wrapping_add(number))
}

fn game_of(games: &[pdn::Game], number: u64) -> &pdn::Game {
    let count = games.len() as u64;
    &games[usize::try_from(number.saturating_sub(1) % count).unwrap_or_default()]
}

/// Whether neither the board nor the file says how the game ended.
fn has_no_end(game: &pdn::Game) -> bool {
    let is_told = matches!(
        game.result,
        pdn::GameResult::WhiteWins | pdn::GameResult::BlackWins | pdn::GameResult::Draw
    );
    !is_told && game.end().ending().is_none()
}

fn read_games(file: &Path, variant: Variant) -> Result<Vec<pdn::Game>, SourceError> {
    let opened = InputFile::open(file).map_err(|error| failed(file, &error))?;
    let mut limited = opened.take(LONGEST_GAMES + 1);
    let mut games = Vec::new();
    for game in pdn::Reader::new(&mut limited) {
        let game = game.map_err(|error| failed(file, &error))?;
        let fits = game.start == draughtsd_core::position::Position::start(variant) && game.setups.is_empty();
        if fits && !game.moves.is_empty() {
            games.push(game);
        }
    }
    if limited.limit() == 0 {
        return Err(failed(
            file,
            &format!("longer than {LONGEST_GAMES} bytes; hands need no more games than that"),
        ));
    }
    if games.is_empty() {
        return Err(failed(file, &format!("no game of the {variant} kind from its start position")));
    }
    Ok(games)
}

fn failed(file: &Path, reason: &impl std::fmt::Display) -> SourceError {
    SourceError::Games { file: file.to_owned(), reason: reason.to_string() }
}

/// Puts in the end of the game, where it has none. The recording of one game would stop there; the board is not
/// taken away.
fn with_its_end(mut inputs: Vec<TimedInput>, is_open_ended: bool) -> Vec<TimedInput> {
    inputs.retain(|input| input.input != Input::End);
    if let Some(last) = inputs.last().map(|input| input.at).filter(|_| is_open_ended) {
        let input = Input::Arbiter(ArbiterInput::Result { result: GameResult::Unknown, reason: None });
        inputs.push(TimedInput { at: last, input });
    }
    inputs
}

/// Sets the discs up again after the game.
fn set_discs_up(inputs: &mut Vec<TimedInput>, at_the_start: Contacts) {
    let mut contacts = at_the_start;
    inputs.iter().for_each(|input| contacts.apply(&input.input));
    let Some(last) = inputs.last().map(|input| input.at) else { return };
    let changes = contacts.changes_to(at_the_start).into_iter();
    let moments = (0..).map(|n| last.after(SETTING_UP_MS + n * A_DISC_MS));
    inputs.extend(moments.zip(changes).map(|(at, input)| TimedInput { at, input }));
}
