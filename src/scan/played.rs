//! Recorded and simulated boards: a recording played back on a simulated matrix.
//!
//! Discs come down on contacts, contacts pull wires low, and the matrix is scanned as any other. What a recording
//! has besides contacts (clock reports, the arbiter's entries) is not the board's and is left out; presses
//! and buttons are pressed for a moment.

use std::iter::Peekable;
use std::time::{Duration, Instant};
use std::{fmt, vec};

use draughtsd_core::moment::Moment;
use draughtsd_core::position::Position;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::{Input, TimedInput};

use super::changes::place_of;
use super::frame::Place;
use super::matrix::Matrix;
use super::simulated::Circuit;
use super::stack::simulated::Pieces;
use super::{ScanError, ScanFrame, Scanner};
use crate::config::Board;
use crate::pinmap::{BoardSize, PinMap, Role};
use crate::simulator::{HandOptions, Level, Noise, Style, random_game, simulate};

/// The hands' game: its longest length, and what it is made up from.
const PLIES: usize = 200;
const SEED: u64 = 1;

/// For so long they sit before the start position.
const WAIT_MS: u64 = 3000;

/// For so long a button is pressed.
const PRESS_MS: u64 = 80;

/// A source of time for a board that is played.
pub trait PlayTime: Send {
    /// The moment of the recording that is to be shown now.
    fn now(&mut self) -> Moment;
}

/// As it was recorded, from the first scan on.
#[derive(Debug, Default)]
pub struct LifeTime {
    began: Option<Instant>,
}

impl PlayTime for LifeTime {
    fn now(&mut self) -> Moment {
        let began = *self.began.get_or_insert_with(Instant::now);
        Moment::from_millis(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}

impl<F: FnMut() -> Moment + Send> PlayTime for F {
    fn now(&mut self) -> Moment {
        self()
    }
}

/// A board on which a recording is played.
pub struct Played<T> {
    matrix: Matrix<Circuit>,
    contacts: Vec<(Role, Place)>,
    inputs: Peekable<vec::IntoIter<TimedInput>>,
    /// What stands above the Hall sensors, if somebody reads those.
    pieces: Pieces,
    /// Buttons that are pressed, and when they are let go.
    pressed: Vec<(Moment, Place)>,
    time: T,
}

impl<T> fmt::Debug for Played<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played")
            .field("matrix", &self.matrix)
            .field("next", &self.inputs.len())
            .finish_non_exhaustive()
    }
}

impl<T: PlayTime> Played<T> {
    /// A board on which discs stand on the squares `first` and `inputs` will be played.
    ///
    /// - `inputs`: in order of time.
    #[must_use]
    pub fn new(pin_map: &PinMap, board: &Board, first: SquareSet, inputs: Vec<TimedInput>, time: T) -> Self {
        let wiring = pin_map.wiring(BoardSize::of(board.game)).map_or(&[][..], |wiring| wiring.contacts());
        let contacts: Vec<(Role, Place)> = wiring
            .iter()
            .filter_map(|contact| Some((contact.id.role(board.game, board.white_side), place_of(contact)?)))
            .collect();
        let mut circuit = Circuit::new(pin_map.rows().len(), pin_map.columns().len());
        for &(role, place) in &contacts {
            // The crowning discs lie in their wells until they are needed.
            circuit.set(
                place,
                match role {
                    Role::Square(square) => first.contains(square),
                    Role::Well { .. } => true,
                    Role::Press { .. } | Role::Button { .. } => false,
                },
            );
        }
        let matrix = Matrix::new(circuit, Duration::ZERO);
        let pieces = Pieces::default();
        first.iter().for_each(|square| pieces.set_disc(square, true));
        Self { matrix, contacts, inputs: inputs.into_iter().peekable(), pieces, pressed: Vec::new(), time }
    }

    /// A board on which simulated hands play a game of their own, with the noise of real contacts.
    #[must_use]
    pub fn hands(pin_map: &PinMap, board: &Board, time: T) -> Self {
        let start = Position::start(board.game);
        let options = HandOptions {
            style: Style::Pairs,
            noise: Noise::of(Level::FULL),
            crowning: board.crowning,
            clock: board.clock,
            ..HandOptions::default()
        };
        let mut game = simulate(&random_game(&start, PLIES, SEED), &start, &options, SEED);
        game.events.iter_mut().for_each(|event| event.at = event.at.after(WAIT_MS));
        Self::new(pin_map, board, start.occupied(), game.events, time)
    }

    /// The circuit, to break something in it.
    pub const fn circuit(&mut self) -> &mut Circuit {
        self.matrix.lines_mut()
    }

    /// The discs above the Hall sensors.
    #[must_use]
    pub fn pieces(&self) -> Pieces {
        self.pieces.clone()
    }

    /// Brings the contacts to this moment.
    fn play_to(&mut self, now: Moment) {
        let circuit = self.matrix.lines_mut();
        self.pressed.retain(|&(until, place)| {
            let held = until > now;
            if !held {
                circuit.set(place, false);
            }
            held
        });
        while let Some(TimedInput { input, .. }) = self.inputs.next_if(|input| input.at <= now) {
            match input {
                Input::Contact { square, closed } => self.pieces.set_disc(square, closed),
                Input::Crown { square, closed } => self.pieces.set_second(square, closed),
                _ => {}
            }
            let Some((role, closed)) = role_of(&input) else { continue };
            let Some(&(_, place)) = self.contacts.iter().find(|contact| contact.0 == role) else { continue };
            self.matrix.lines_mut().set(place, closed);
            if matches!(role, Role::Press { .. } | Role::Button { .. }) {
                self.pressed.push((now.after(PRESS_MS), place));
            }
        }
    }
}

impl<T: PlayTime> Scanner for Played<T> {
    fn scan(&mut self) -> Result<ScanFrame, ScanError> {
        let now = self.time.now();
        self.play_to(now);
        self.matrix.scan()
    }
}

/// Which contact an input is about, and whether it closes; none if it is about no contact of the matrix.
fn role_of(input: &Input) -> Option<(Role, bool)> {
    match *input {
        Input::Contact { square, closed } => Some((Role::Square(square), closed)),
        Input::Reserve { side, closed, well } => {
            Some((Role::Well { side, number: well.unwrap_or(1) }, closed))
        }
        Input::Press { side } => Some((Role::Press { side }, true)),
        Input::Button { button, side } => Some((Role::Button { button, side }, true)),
        Input::Crown { .. }
        | Input::CrownSensor { .. }
        | Input::Clock(_)
        | Input::ClockConnection(_)
        | Input::ClockTrouble(_)
        | Input::Arbiter(_)
        | Input::Restart(_)
        | Input::End => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::changes::{Changes, Roles};
    use crate::scan::stack::StackReader as _;
    use crate::scan::stack::simulated::{SimulatedSensors, calibration};
    use draughtsd_core::square::Square;
    use draughtsd_core::trace::{ClockLink, Crowning};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A recording played on a matrix and scanned every millisecond is the recording again.
    #[test]
    fn what_is_played_comes_back_from_the_wires() {
        let board = Board { crowning: Crowning::Reserve, clock: ClockLink::Linked, ..Board::default() };
        let start = Position::start(board.game);
        let options = HandOptions { crowning: Crowning::Reserve, ..HandOptions::default() };
        let game = simulate(&random_game(&start, 4, 3), &start, &options, 3);
        let map = PinMap::shipped();
        let ms = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&ms);
        let time = move || Moment::from_millis(clock.load(Ordering::Relaxed));
        let mut played = Played::new(&map, &board, start.occupied(), game.events.clone(), time);
        let first = played.scan().unwrap();
        assert!(first.self_test.passed());
        let mut changes = Changes::new(Roles::new(&map, &board).unwrap(), first.closed);
        assert_eq!(changes.closed_squares(), start.occupied());

        let mut told = Vec::new();
        let end = game.events.last().unwrap().at.millis();
        for now in 1..=end + 10 {
            ms.store(now, Ordering::Relaxed);
            let frame = played.scan().unwrap();
            changes.next(&frame.closed, Moment::from_millis(now), |input| {
                told.push(input);
                true
            });
        }
        let contacts = |inputs: &[TimedInput]| -> Vec<TimedInput> {
            let mut of_squares: Vec<TimedInput> =
                inputs.iter().filter(|input| matches!(input.input, Input::Contact { .. })).cloned().collect();
            // Within a millisecond the order of the wires is as good as any.
            of_squares.sort_by_key(|input| (input.at, format!("{:?}", input.input)));
            of_squares
        };
        assert_eq!(contacts(&told), contacts(&game.events));
        let presses = |inputs: &[TimedInput]| {
            inputs.iter().filter(|input| matches!(input.input, Input::Press { .. })).count()
        };
        assert_eq!(presses(&told), presses(&game.events));
        assert!(presses(&told) >= 2);
    }

    #[test]
    fn a_crowning_comes_back_from_the_hall_sensors() {
        let (board, map) = (Board::default(), PinMap::shipped());
        let square = Square::new(46).unwrap();
        let timed = |ms, input| TimedInput { at: Moment::from_millis(ms), input };
        let inputs = vec![
            timed(10, Input::Contact { square, closed: true }),
            timed(20, Input::Crown { square, closed: true }),
            timed(30, Input::Crown { square, closed: false }),
        ];
        let mut now = 0;
        let time = move || {
            now += 10;
            Moment::from_millis(now)
        };
        let mut played = Played::new(&map, &board, SquareSet::EMPTY, inputs, time);
        let wiring = map.wiring(BoardSize::Hundred).unwrap();
        let mut sensors = SimulatedSensors::new(wiring, &board, played.pieces(), &[]);
        let points = calibration(wiring).points(square).unwrap();
        for expected in [points.man, points.king, points.man] {
            played.scan().unwrap();
            let level = sensors.read()[5].level().unwrap();
            assert!(level.abs_diff(expected) <= 3, "{level}, expected {expected}");
        }
    }

    #[test]
    fn hands_begin_with_the_start_position() {
        let board = Board::default();
        let map = PinMap::shipped();
        let mut played = Played::hands(&map, &board, LifeTime::default());
        let frame = played.scan().unwrap();
        let roles = Roles::new(&map, &board).unwrap();
        assert_eq!(roles.squares(&frame.closed), Position::start(board.game).occupied());
    }
}
