//! A real game, carried out by simulated hands on noisy contacts, with a clock beside it and without long
//! thoughts: what the demo plays, and the simulated board of the daemon.

use anyhow::{Context as _, anyhow};
use draughtsd_core::moment::Moment;
use draughtsd_core::notation::pdn;
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::time_control::{GameClock, TimeControl};
use draughtsd_core::trace::{
    ArbiterInput, Button, ClockLink, Crowning, GameResult, Header, Input, TimedInput,
};

use crate::feeds::board_state::About;
use crate::fixtures;
use crate::simulator::{HandOptions, Noise, Style, simulate};

/// The longest time in which nothing happens before the first move is complete: whoever starts a demo wants
/// to see something. Not shorter than a disc lifted on purpose is off its square.
const FIRST_PAUSE_MS: u64 = 450;

/// The longest time in which nothing happens. Longer than every time by which reading judges an act, so
/// that what the hands do means the same as without the cut.
const LONGEST_PAUSE_MS: u64 = 3200;

/// From the last move to the end of the game.
const TO_THE_END_MS: u64 = 2500;

/// What each player has for the game, in seconds.
const CLOCK_S: u32 = 600;

/// Everything that is to be known beforehand.
#[derive(Debug)]
pub struct StagedGame {
    /// The header of its trace.
    pub header: Header,
    /// What happens, in order of time.
    pub inputs: Vec<TimedInput>,
    /// Names and the like.
    pub about: About,
}

impl StagedGame {
    /// The built-in game of a board.
    ///
    /// - `seed`: of everything that the hands and the contacts leave to chance.
    ///
    /// # Errors
    /// Never, unless the program was built with a game that is none.
    pub fn built_in(board: Variant, seed: u64) -> anyhow::Result<Self> {
        Self::new(&built_in(board)?, seed)
    }

    /// A game, staged.
    ///
    /// # Errors
    /// Never, unless the program was built with a level of noise that is none.
    pub fn new(game: &pdn::Game, seed: u64) -> anyhow::Result<Self> {
        let moves: Vec<_> = game.moves.iter().map(|played| played.mv).collect();
        let options = HandOptions {
            style: Style::Pairs,
            noise: "1".parse::<Noise>().map_err(|error| anyhow!("{error}"))?,
            crowning: Crowning::Stack,
            clock: ClockLink::Linked,
            ..HandOptions::default()
        };
        let simulated = simulate(&moves, &game.start, &options, seed);
        let known = |name: &str| game.tag(name).filter(|value| *value != "?").map(str::to_owned);
        let player = |name: &str| known(name).map(|name| given_name_first(&name));
        Ok(Self {
            header: Header {
                time_control: Some(TimeControl::sudden_death(CLOCK_S).to_string()),
                ..simulated.header
            },
            inputs: with_clock(without_long_pauses(with_ending(simulated.events, game))),
            about: About {
                event: known("Event"),
                site: known("Site"),
                date: known("Date"),
                round: known("Round"),
                white: player("White"),
                black: player("Black"),
            },
        })
    }
}

/// The built-in game of a board.
///
/// # Errors
/// Never, unless the program was built with a game that is none.
pub fn built_in(board: Variant) -> anyhow::Result<pdn::Game> {
    let text = match board {
        Variant::International => fixtures::INTERNATIONAL,
        Variant::Brazilian => fixtures::BRAZILIAN,
        Variant::Russian => fixtures::RUSSIAN,
    };
    Ok(pdn::Reader::new(text.as_bytes()).next().context("no game")??)
}

/// `Boomstra, Roel`, as PDN has it, becomes `Roel Boomstra`.
fn given_name_first(name: &str) -> String {
    match name.split_once(", ") {
        Some((family, given)) => format!("{given} {family}"),
        None => name.to_owned(),
    }
}

/// Puts in what the discs cannot say, before the recording stops: that a player resigned, or that the
/// arbiter entered the draw.
fn with_ending(mut inputs: Vec<TimedInput>, game: &pdn::Game) -> Vec<TimedInput> {
    if game.end().ending().is_some() {
        return inputs;
    }
    let resigns = |side| Some(Input::Button { button: Button::Resign, side });
    let said = match game.result {
        pdn::GameResult::WhiteWins => resigns(Side::Black),
        pdn::GameResult::BlackWins => resigns(Side::White),
        pdn::GameResult::Draw => {
            Some(Input::Arbiter(ArbiterInput::Result { result: GameResult::Draw, reason: None }))
        }
        pdn::GameResult::BothLose | pdn::GameResult::Other | pdn::GameResult::Unknown => None,
    };
    let (Some(input), Some(end)) = (said, inputs.pop()) else { return inputs };
    let at = end.at.after(TO_THE_END_MS);
    inputs.push(TimedInput { at, input });
    inputs.push(TimedInput { at, ..end });
    inputs
}

fn without_long_pauses(mut inputs: Vec<TimedInput>) -> Vec<TimedInput> {
    let mut before = Moment::ZERO;
    let mut longest = FIRST_PAUSE_MS;
    let mut saved = 0;
    for TimedInput { at, input } in &mut inputs {
        let pause = at.since(before);
        before = *at;
        saved += pause.saturating_sub(longest);
        *at = Moment::from_millis(at.millis() - saved);
        if matches!(input, Input::Press { .. }) {
            longest = LONGEST_PAUSE_MS;
        }
    }
    inputs
}

/// Puts a clock beside the board: it reports whenever somebody presses it, and stops with the recording.
fn with_clock(inputs: Vec<TimedInput>) -> Vec<TimedInput> {
    let mut clock = GameClock::new(TimeControl::sudden_death(CLOCK_S));
    clock.run(Side::White, Moment::ZERO);
    let report = |clock: &GameClock, at| Input::Clock(clock.report(at));
    let mut all = vec![TimedInput { at: Moment::ZERO, input: report(&clock, Moment::ZERO) }];
    for input in inputs {
        let at = input.at;
        let report = match input.input {
            Input::Press { side } => clock.press(side, at).map(|_| report(&clock, at)),
            Input::End => {
                clock.stop(at);
                Some(report(&clock, at))
            }
            _ => None,
        };
        let (ends, report) = (input.input == Input::End, report.map(|input| TimedInput { at, input }));
        // Nothing comes after the end.
        let both = if ends { [report, Some(input)] } else { [Some(input), report] };
        all.extend(both.into_iter().flatten());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::event::{EventBody, MoveStatus};
    use draughtsd_core::game::{Effect, Game, GameSetup};

    /// Ten minutes, less what a slow machine may add.
    const LONGEST_MS: u64 = 580_000;

    /// Three seconds, less what it takes to start the program and to open the page.
    const FIRST_MOVE_MS: u64 = 2500;

    #[track_caller]
    fn check(board: Variant, seed: u64, text: &str, result: GameResult) {
        let staged = StagedGame::built_in(board, seed).unwrap();
        let last = staged.inputs.last().unwrap();
        assert_eq!(last.input, Input::End);
        assert!(last.at.millis() < LONGEST_MS, "{board} {seed}: {}", last.at);

        let (mut game, _) = Game::new(GameSetup::try_from(&staged.header).unwrap());
        let mut first_move = None;
        for TimedInput { at, input } in staged.inputs {
            for effect in game.handle(at, input) {
                let Effect::Publish(event) = effect else { continue };
                let moved = matches!(event.body, EventBody::Move { .. });
                first_move = first_move.or(moved.then_some(event.t));
            }
        }
        let first_move = first_move.unwrap();
        assert!(first_move.millis() < FIRST_MOVE_MS, "{board} {seed}: {first_move}");
        let expected = pdn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
        let expected: Vec<_> = expected.moves.iter().map(|played| (played.mv, MoveStatus::Final)).collect();
        let read: Vec<_> = game.moves().map(|(ply, status)| (ply.mv, status)).collect();
        assert_eq!(read, expected, "{board} {seed}");
        assert_eq!(game.summary().result, result, "{board} {seed}");
    }

    #[test]
    fn every_built_in_game_is_short_enough_and_read_as_it_was_played() {
        for seed in 1..=8 {
            check(Variant::International, seed, fixtures::INTERNATIONAL, GameResult::Draw);
            check(Variant::Brazilian, seed, fixtures::BRAZILIAN, GameResult::WhiteWins);
            check(Variant::Russian, seed, fixtures::RUSSIAN, GameResult::WhiteWins);
        }
    }
}
