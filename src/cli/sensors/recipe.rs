//! The guided calibration of Hall sensors, step by step, as `hardware/crowning.md` has it: empty, a man in five places, a
//! king in five places.
//!
//! Squares are as they are wired. No terminal and no clock here: mean readings in, what to ask for next out.

use draughtsd_core::square::Square;

use crate::pinmap::StackSensor;
use crate::scan::stack::calibration::{Calibration, Points};
use crate::scan::stack::{FULL_SCALE, Reading};

/// Where discs are put: the centre, and 5 mm towards each corner.
pub(super) const PLACES: [&str; 5] = [
    "in the centre of",
    "5 mm towards the first corner of",
    "5 mm towards the second corner of",
    "5 mm towards the third corner of",
    "5 mm towards the fourth corner of",
];

/// Without a field a sensor gives half of its supply: the converter's middle, give or take what sensors differ by.
const MIDDLE: u16 = FULL_SCALE / 2 + 1;
const MIDDLE_WITHIN: u16 = 400;
/// A disc pulls its sensor by so many steps or more; less is noise.
const LEAST_PULL: i32 = 10;

/// Readings of one measurement differ by so many steps at most: more than twice what a DRV5055 and its converter are said
/// to have of noise.
const STEADY_WITHIN: u16 = 24;

/// How many readings a mean is taken of.
const READINGS_EMPTY: usize = 100;
const READINGS_A_PLACE: usize = 25;

/// How many discs stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Discs {
    /// One.
    Man,
    /// Two.
    King,
}

/// Where the calibration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The board is to be empty.
    Empty,
    /// Discs are to stand on a square.
    Put {
        /// The square.
        square: Square,
        /// How many.
        discs: Discs,
        /// Which of the five [`PLACES`].
        place: usize,
    },
    /// Everything is measured.
    Done,
}

/// What a sensor gave in one measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mean {
    /// The mean of its readings; silent if one of them was.
    reading: Reading,
    /// From the lowest to the highest of them.
    spread: u16,
}

impl Mean {
    /// The mean of a sensor's readings.
    pub(super) fn of(readings: &[Reading]) -> Self {
        let silent = Self { reading: Reading::Silent, spread: 0 };
        let levels: Option<Vec<u16>> = readings.iter().map(|reading| reading.level()).collect();
        let Some(levels) = levels else { return silent };
        let (Some(lowest), Some(highest)) = (levels.iter().min(), levels.iter().max()) else { return silent };
        let count = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        let sum: u32 = levels.iter().map(|&level| u32::from(level)).sum();
        let mean = u16::try_from((sum + count / 2) / count);
        Self { reading: mean.map_or(Reading::Silent, Reading::Level), spread: highest - lowest }
    }
}

/// A guided calibration.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    sensors: Vec<StackSensor>,
    empty: Vec<u16>,
    /// The sensor whose square it is the turn of.
    turn: usize,
    /// What its sensor read in each place so far, men first.
    measured: Vec<u16>,
    points: Vec<Points>,
    complaint: Option<String>,
}

impl Recipe {
    /// The calibration of these sensors.
    pub(super) fn new(sensors: &[StackSensor]) -> Self {
        Self {
            sensors: sensors.to_vec(),
            empty: Vec::new(),
            turn: 0,
            measured: Vec::new(),
            points: Vec::new(),
            complaint: None,
        }
    }

    pub(super) fn step(&self) -> Step {
        if self.empty.is_empty() {
            return Step::Empty;
        }
        let Some(sensor) = self.sensors.get(self.turn) else { return Step::Done };
        let (discs, place) = match self.measured.len().checked_sub(PLACES.len()) {
            None => (Discs::Man, self.measured.len()),
            Some(place) => (Discs::King, place),
        };
        Step::Put { square: sensor.square, discs, place }
    }

    /// How many readings the mean of this step is taken of.
    pub(super) fn readings(&self) -> usize {
        if self.step() == Step::Empty { READINGS_EMPTY } else { READINGS_A_PLACE }
    }

    /// Why the last measurement was not taken.
    pub(super) fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    /// What to do now.
    pub(super) fn wanted(&self) -> String {
        match self.step() {
            Step::Empty => "Take all discs off the board and away from it, then press Enter.".to_owned(),
            Step::Put { square, discs, place } => {
                let discs = match discs {
                    Discs::Man => "one disc, dot up,",
                    Discs::King => "two discs, dots up,",
                };
                format!("Put {discs} {} square {square}, then press Enter.", PLACES[place])
            }
            Step::Done => "Everything is measured.".to_owned(),
        }
    }

    /// How many steps are done, and how many there are.
    pub(super) fn progress(&self) -> (usize, usize) {
        let of_a_square = 2 * PLACES.len();
        let empty = usize::from(!self.empty.is_empty());
        (empty + self.turn * of_a_square + self.measured.len(), 1 + self.sensors.len() * of_a_square)
    }

    /// The sensor whose square it is the turn of.
    pub(super) fn sensor(&self) -> Option<(usize, &StackSensor)> {
        let is_put = matches!(self.step(), Step::Put { .. });
        self.sensors.get(self.turn).filter(|_| is_put).map(|sensor| (self.turn, sensor))
    }

    /// Takes the mean readings of all sensors for the step.
    pub(super) fn take(&mut self, means: &[Mean]) {
        let taken = match self.step() {
            Step::Empty => self.take_empty(means),
            Step::Put { square, discs, .. } => self.take_discs(means, square, discs),
            Step::Done => Ok(()),
        };
        self.complaint = taken.err();
    }

    /// Back to the place before, or to the square before.
    pub(super) fn back(&mut self) {
        self.complaint = None;
        if self.measured.pop().is_some() {
            return;
        }
        match self.turn.checked_sub(1) {
            Some(before) => {
                self.turn = before;
                self.points.truncate(before);
            }
            None => self.empty.clear(),
        }
    }

    /// What was measured, once it is everything.
    pub(super) fn calibration(&self) -> Option<Calibration> {
        let points = self.sensors.iter().map(|sensor| sensor.square).zip(self.points.iter().copied());
        (self.step() == Step::Done).then(|| Calibration::of(points))
    }

    fn take_empty(&mut self, means: &[Mean]) -> Result<(), String> {
        let mut levels = Vec::new();
        for (index, sensor) in self.sensors.iter().enumerate() {
            let level = level_of(sensor, means.get(index))?;
            if level.abs_diff(MIDDLE) > MIDDLE_WITHIN {
                return Err(format!(
                    "{} reads {level} with nothing above it; expected {} to {}, half of its supply: look at its three legs \
                     and its wire, and whether a disc is near",
                    name(sensor),
                    MIDDLE - MIDDLE_WITHIN,
                    MIDDLE + MIDDLE_WITHIN
                ));
            }
            levels.push(level);
        }
        self.empty = levels;
        Ok(())
    }

    fn take_discs(&mut self, means: &[Mean], square: Square, discs: Discs) -> Result<(), String> {
        let sensor = self.sensors[self.turn].clone();
        let level = level_of(&sensor, means.get(self.turn))?;
        let pull = self.pull(self.turn, level);
        let nearest = self.most_pulled(means);
        if pull.abs() < LEAST_PULL || nearest.is_some_and(|(index, _)| index != self.turn) {
            return Err(match nearest {
                Some((index, pull)) if index != self.turn && pull.abs() >= LEAST_PULL => format!(
                    "{} feels the disc more than {} does: is it on square {square}, or are their wires swapped?",
                    name(&self.sensors[index]),
                    name(&sensor)
                ),
                _ => format!(
                    "{} feels no disc: it reads {level}, {} with the board empty. Is one on square {square}, and the sensor \
                     on the axis of its reed, its marked side up?",
                    name(&sensor),
                    self.empty[self.turn]
                ),
            });
        }
        let first = self.measured.first().map_or(pull, |&first| self.pull(self.turn, first));
        if first.signum() != pull.signum() {
            return Err("the disc pulls the other way than the first one did: one of them lies upside down"
                .to_owned());
        }
        self.measured.push(level);
        if discs == Discs::King && self.measured.len() == 2 * PLACES.len() {
            return self.finish_square();
        }
        Ok(())
    }

    /// Makes the points of a square, if man and king can be told apart by them; else the square is measured again.
    fn finish_square(&mut self) -> Result<(), String> {
        let measured = std::mem::take(&mut self.measured);
        let (men, kings) = measured.split_at(PLACES.len());
        let empty = self.empty[self.turn];
        let away = |level: &&u16| level.abs_diff(empty);
        let (Some(&man), Some(&king)) = (men.iter().max_by_key(away), kings.iter().min_by_key(away)) else {
            return Ok(());
        };
        let points = Points { empty, man, king };
        points.check().map_err(|problem| format!("{}: {problem}", name(&self.sensors[self.turn])))?;
        self.points.push(points);
        self.turn += 1;
        Ok(())
    }

    /// How many steps from empty, and to which side.
    fn pull(&self, index: usize, level: u16) -> i32 {
        i32::from(level) - self.empty.get(index).map_or(0, |&empty| i32::from(empty))
    }

    /// The sensor that is pulled most.
    fn most_pulled(&self, means: &[Mean]) -> Option<(usize, i32)> {
        let pulled = |(index, mean): (usize, &Mean)| Some((index, self.pull(index, mean.reading.level()?)));
        means.iter().enumerate().filter_map(pulled).max_by_key(|(_, pull)| pull.abs())
    }
}

/// `H46 (converter 2, input 0)`.
fn name(sensor: &StackSensor) -> String {
    format!("{} (converter {}, input {})", sensor.sensor, sensor.adc, sensor.channel)
}

/// What was measured, if that is worth anything.
fn level_of(sensor: &StackSensor, mean: Option<&Mean>) -> Result<u16, String> {
    let level = mean.and_then(|mean| mean.reading.level());
    let spread = mean.map_or(0, |mean| mean.spread);
    match level {
        None => Err(format!(
            "the converter of {} does not answer: look at its supply, its ribbon and its select line",
            name(sensor)
        )),
        Some(_) if spread > STEADY_WITHIN => Err(format!(
            "{} wandered by {spread} steps while it was measured; expected {STEADY_WITHIN} at most: a disc or a hand moved, \
             or its output is not connected",
            name(sensor)
        )),
        Some(level) => Ok(level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pinmap::{BoardSize, PinMap};

    fn recipe() -> Recipe {
        let map = PinMap::shipped();
        Recipe::new(map.wiring(BoardSize::SixtyFour).unwrap().stack())
    }

    /// Readings of eight sensors on an empty board, but for one.
    fn levels(sensor: usize, level: u16) -> Vec<Mean> {
        let reading = |index| Reading::Level(if index == sensor { level } else { 2048 });
        (0..8).map(|index| Mean { reading: reading(index), spread: 8 }).collect()
    }

    /// Measures all of a square.
    fn measure(recipe: &mut Recipe, sensor: usize, men: [u16; 5], kings: [u16; 5]) {
        for level in men.into_iter().chain(kings) {
            recipe.take(&levels(sensor, level));
        }
    }

    #[track_caller]
    fn check_complaint(recipe: &Recipe, expected: &str) {
        let said = recipe.complaint().unwrap_or_default();
        assert!(said.contains(expected), "{said}");
    }

    const MEN: [u16; 5] = [2115, 2112, 2113, 2114, 2110];
    const KINGS: [u16; 5] = [2148, 2140, 2143, 2141, 2145];

    #[test]
    fn every_square_is_measured_in_turn_and_the_worst_cases_are_kept() {
        let mut recipe = recipe();
        assert_eq!((recipe.step(), recipe.progress()), (Step::Empty, (0, 81)));
        recipe.take(&levels(0, 2048));
        for sensor in 0..8 {
            let Step::Put { square, discs: Discs::Man, place: 0 } = recipe.step() else {
                panic!("{:?}", recipe.step())
            };
            assert_eq!(Some(square), recipe.sensor().map(|(_, sensor)| sensor.square));
            assert_eq!(recipe.calibration(), None);
            measure(&mut recipe, sensor, MEN, KINGS);
            assert_eq!(recipe.complaint(), None);
        }
        assert_eq!((recipe.step(), recipe.progress()), (Step::Done, (81, 81)));
        let calibration = recipe.calibration().unwrap();
        let points = Points { empty: 2048, man: 2115, king: 2140 };
        assert_eq!(calibration.points(Square::new(32).unwrap()), Some(points));
    }

    #[test]
    fn what_cannot_be_right_is_asked_for_again() {
        let mut recipe = recipe();
        recipe.take(&levels(3, 12));
        check_complaint(
            &recipe,
            "H4 (converter 1, input 3) reads 12 with nothing above it; expected 1648 to 2448",
        );
        recipe.take(&[Mean { reading: Reading::Silent, spread: 0 }; 8]);
        check_complaint(&recipe, "the converter of H1 (converter 1, input 0) does not answer");
        let mut wandering = levels(0, 2048);
        wandering[6].spread = 25;
        recipe.take(&wandering);
        check_complaint(
            &recipe,
            "H31 (converter 2, input 2) wandered by 25 steps while it was measured; expected 24",
        );
        assert_eq!(recipe.step(), Step::Empty);
        recipe.take(&levels(0, 2048));
        // Only the sensor whose turn it is has to be at rest.
        wandering[0].reading = Reading::Level(2115);
        recipe.take(&wandering);
        assert_eq!((recipe.complaint(), recipe.progress()), (None, (2, 81)));
        recipe.back();

        recipe.take(&levels(0, 2050));
        check_complaint(
            &recipe,
            "H1 (converter 1, input 0) feels no disc: it reads 2050, 2048 with the board empty",
        );
        recipe.take(&levels(1, 2115));
        check_complaint(&recipe, "H2 (converter 1, input 1) feels the disc more than H1");
        assert_eq!(recipe.progress(), (1, 81));
        recipe.take(&levels(0, 2115));
        recipe.take(&levels(0, 1981));
        check_complaint(&recipe, "upside down");
        assert_eq!(recipe.progress(), (2, 81));
    }

    #[test]
    fn a_step_below_a_fifth_of_a_man_is_refused_and_the_square_measured_again() {
        let mut recipe = recipe();
        recipe.take(&levels(0, 2048));
        measure(&mut recipe, 0, MEN, [2148, 2127, 2148, 2148, 2148]);
        check_complaint(
            &recipe,
            "H1 (converter 1, input 0): the step from man to king is 12; expected a fifth",
        );
        check_complaint(&recipe, "put the sensor deeper");
        assert_eq!(recipe.progress(), (1, 81));
        measure(&mut recipe, 0, MEN, KINGS);
        assert_eq!((recipe.complaint(), recipe.progress()), (None, (11, 81)));
    }

    #[test]
    fn one_can_go_back_place_by_place_and_square_by_square() {
        let mut recipe = recipe();
        recipe.take(&levels(0, 2048));
        measure(&mut recipe, 0, MEN, KINGS);
        recipe.take(&levels(1, 2115));
        recipe.back();
        assert_eq!(recipe.progress(), (11, 81));
        recipe.back();
        assert_eq!(recipe.progress(), (1, 81));
        recipe.back();
        assert_eq!(recipe.step(), Step::Empty);
    }

    #[test]
    fn a_mean_is_rounded_and_silent_if_a_reading_was() {
        let level = Reading::Level;
        let mean = |mean, spread| Mean { reading: level(mean), spread };
        assert_eq!(Mean::of(&[level(2048), level(2049)]), mean(2049, 1));
        assert_eq!(Mean::of(&[level(2048), level(2048), level(2051)]), mean(2049, 3));
        assert_eq!(Mean::of(&[level(2048), Reading::Silent]).reading, Reading::Silent);
        assert_eq!(Mean::of(&[]).reading, Reading::Silent);
    }
}
