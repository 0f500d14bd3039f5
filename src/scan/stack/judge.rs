//! One sensor's readings against its calibration: whether two discs stand above it, and whether it can be believed.
//!
//! Everything is reckoned in steps away from *empty*, on the side to which a magnet pulls the sensor.

use draughtsd_core::moment::Moment;

use super::Reading;
use super::calibration::Points;

/// Two discs have stood there for so long before it counts: a hand that puts the second one down has let go.
const CLOSES_AFTER_MS: u64 = 200;
/// A reading out of bounds for so long is a fault.
const FAULTY_AFTER_MS: u64 = 1000;
/// A reading within bounds for so long takes it back.
const WORKS_AFTER_MS: u64 = 1000;

/// What is wrong with a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrong {
    /// Its converter does not answer.
    Silent,
    /// It is pulled to the other side of empty than a disc pulls it.
    WrongWay {
        /// What it read.
        level: u16,
    },
    /// It is pulled further than a king pulls it.
    TooFar {
        /// What it read.
        level: u16,
    },
}

/// Steps away from empty at which something is decided, each side by side with what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Away {
    steps: i32,
    man: i32,
    king: i32,
}

impl Away {
    fn of(level: u16, points: Points) -> Self {
        let sign = if points.king >= points.empty { 1 } else { -1 };
        let away = |value: u16| sign * (i32::from(value) - i32::from(points.empty));
        Self { steps: away(level), man: away(points.man), king: away(points.king) }
    }

    /// Above man + 2/3 of the step from man to king.
    const fn closes(self) -> bool {
        3 * self.steps > self.man + 2 * self.king
    }

    /// Below man + 1/3 of the step.
    const fn opens(self) -> bool {
        3 * self.steps < 2 * self.man + self.king
    }

    /// Half of what a man pulls, on the other side, is left to drift.
    const fn is_wrong_way(self) -> bool {
        2 * self.steps < -self.man
    }

    const fn is_too_far(self) -> bool {
        2 * self.steps > 3 * self.king
    }
}

/// The bounds within which a sensor is believed, in steps of the converter, the lower one first. A bound beyond what the
/// converter has is the end of that.
#[must_use]
pub fn bounds(points: Points) -> [u16; 2] {
    let of_man = i32::from(points.man) - i32::from(points.empty);
    let of_king = i32::from(points.king) - i32::from(points.empty);
    let bound = |away: i32| {
        let level = i32::from(points.empty) + away;
        u16::try_from(level.clamp(0, i32::from(super::FULL_SCALE))).unwrap_or_default()
    };
    let mut bounds = [bound(-of_man / 2), bound(of_king * 3 / 2)];
    bounds.sort_unstable();
    bounds
}

/// What is known of one sensor.
#[derive(Clone, Debug)]
pub struct Judge {
    points: Option<Points>,
    closed: bool,
    /// Since when it has read as with two discs, while it is not closed.
    king_since: Option<Moment>,
    fault: Option<Wrong>,
    /// Since when its readings have been at odds with `fault`, and what was wrong with the first of them.
    otherwise: Option<(Moment, Option<Wrong>)>,
}

impl Judge {
    /// Begins with a first reading. One that is out of bounds makes the sensor faulty from the beginning: until it has
    /// been right for a while nothing is known of it.
    #[must_use]
    pub fn new(points: Option<Points>, first: Reading) -> Self {
        let fault = wrong(points, first);
        let closed = match (fault, away(points, first)) {
            (None, Some(away)) => away.closes(),
            _ => false,
        };
        Self { points, closed, king_since: None, fault, otherwise: None }
    }

    /// Whether two discs stand there; of a faulty sensor, what it said last.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// What is wrong with the sensor; while it is, it claims nothing.
    #[must_use]
    pub const fn fault(&self) -> Option<Wrong> {
        self.fault
    }

    /// Takes a reading in.
    ///
    /// - `at`: when; not before that of the reading before.
    pub fn look(&mut self, reading: Reading, at: Moment) {
        let wrong = wrong(self.points, reading);
        self.believe(wrong, at);
        let away = away(self.points, reading).filter(|_| wrong.is_none() && self.fault.is_none());
        let Some(away) = away else {
            self.king_since = None;
            return;
        };
        match (self.closed, away.closes(), away.opens()) {
            (true, _, true) => self.closed = false,
            (false, true, _) => {
                let since = *self.king_since.get_or_insert(at);
                self.closed = at.since(since) >= CLOSES_AFTER_MS;
            }
            _ => {}
        }
        if self.closed || !away.closes() {
            self.king_since = None;
        }
    }

    /// Whether the sensor can be believed, by whether its readings have been out of bounds for long.
    fn believe(&mut self, wrong: Option<Wrong>, at: Moment) {
        if wrong.is_some() == self.fault.is_some() {
            self.otherwise = None;
            return;
        }
        let (since, first) = *self.otherwise.get_or_insert((at, wrong));
        let enough = if wrong.is_some() { FAULTY_AFTER_MS } else { WORKS_AFTER_MS };
        if at.since(since) >= enough {
            self.fault = first;
            self.otherwise = None;
        }
    }
}

fn away(points: Option<Points>, reading: Reading) -> Option<Away> {
    Some(Away::of(reading.level()?, points?))
}

/// What is wrong with one reading. Of a sensor that was never calibrated nothing is known but whether it answers.
fn wrong(points: Option<Points>, reading: Reading) -> Option<Wrong> {
    let Reading::Level(level) = reading else { return Some(Wrong::Silent) };
    let away = away(points, reading)?;
    if away.is_wrong_way() {
        Some(Wrong::WrongWay { level })
    } else {
        away.is_too_far().then_some(Wrong::TooFar { level })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 54 and 80 mV of 3.3 V, as with a DRV5055A1 and discs of 10 x 1 mm.
    const POINTS: Points = Points { empty: 2048, man: 2115, king: 2148 };
    /// The same with the magnets' other pole downwards.
    const REVERSED: Points = Points { empty: 2048, man: 1981, king: 1948 };

    /// Readings `(from ms, level)`, each held until the next, looked at every 20 ms: when it closed and opened, failed and
    /// worked again.
    fn changes(points: Points, levels: &[(u64, u16)], end: u64) -> Vec<(u64, &'static str)> {
        let mut judge = Judge::new(Some(points), Reading::Level(levels[0].1));
        let mut changes = Vec::new();
        for at in (0..end).step_by(20) {
            let level = levels.iter().rev().find(|level| level.0 <= at).unwrap().1;
            let (closed, works) = (judge.is_closed(), judge.fault().is_none());
            judge.look(Reading::Level(level), Moment::from_millis(at));
            match (closed, judge.is_closed()) {
                (false, true) => changes.push((at, "closes")),
                (true, false) => changes.push((at, "opens")),
                _ => {}
            }
            match (works, judge.fault().is_none()) {
                (true, false) => changes.push((at, "fails")),
                (false, true) => changes.push((at, "works")),
                _ => {}
            }
        }
        changes
    }

    #[test]
    fn a_second_disc_closes_it_after_a_while_and_the_first_alone_opens_it() {
        let levels = [(0, 2048), (1000, 2115), (2000, 2148), (4000, 2115)];
        assert_eq!(changes(POINTS, &levels, 5000), [(2200, "closes"), (4000, "opens")]);
        let reversed = [(0, 2048), (1000, 1981), (2000, 1948), (4000, 1981)];
        assert_eq!(changes(REVERSED, &reversed, 5000), [(2200, "closes"), (4000, "opens")]);
    }

    #[test]
    fn between_the_thresholds_it_stays_as_it_is() {
        // man + 2/3 of the step is 2137, man + 1/3 is 2126.
        assert_eq!(changes(POINTS, &[(0, 2115), (1000, 2137)], 3000), []);
        assert_eq!(changes(POINTS, &[(0, 2115), (1000, 2138)], 3000), [(1200, "closes")]);
        assert_eq!(changes(POINTS, &[(0, 2148), (1000, 2126)], 3000), []);
        assert_eq!(changes(POINTS, &[(0, 2148), (1000, 2125)], 3000), [(1000, "opens")]);
    }

    #[test]
    fn a_passing_hand_or_a_spike_closes_nothing() {
        let passing = [(0, 2115), (1000, 2150), (1180, 2115), (1200, 2150), (1380, 2115)];
        assert_eq!(changes(POINTS, &passing, 3000), []);
        // Too far is no king, and begins the count anew.
        let spike = [(0, 2115), (1000, 2148), (1180, 2300), (1200, 2148)];
        assert_eq!(changes(POINTS, &spike, 3000), [(1400, "closes")]);
    }

    #[test]
    fn out_of_bounds_it_fails_and_claims_nothing_until_it_has_been_right_for_a_while() {
        for broken in [0, 4095, 2048 - 34, 2048 + 151] {
            let levels = [(0, 2148), (1000, broken), (5000, 2115)];
            let expected = [(2000, "fails"), (6000, "opens"), (6000, "works")];
            assert_eq!(changes(POINTS, &levels, 8000), expected, "{broken}");
        }
        for sound in [2048 - 33, 2048 + 150] {
            assert!(
                !changes(POINTS, &[(0, 2148), (1000, sound)], 8000).contains(&(2000, "fails")),
                "{sound}"
            );
        }
        assert_eq!(bounds(POINTS), [2048 - 33, 2048 + 150]);
        assert_eq!(bounds(REVERSED), [2048 - 150, 2048 + 33]);
        // A short disturbance is nothing.
        assert_eq!(changes(POINTS, &[(0, 2148), (1000, 0), (1980, 2148)], 8000), []);
    }

    #[test]
    fn what_is_wrong_at_first_is_a_fault_at_once() {
        assert_eq!(Judge::new(Some(POINTS), Reading::Silent).fault(), Some(Wrong::Silent));
        let reversed = Judge::new(Some(POINTS), Reading::Level(1981));
        assert_eq!((reversed.fault(), reversed.is_closed()), (Some(Wrong::WrongWay { level: 1981 }), false));
        assert!(Judge::new(Some(POINTS), Reading::Level(2148)).is_closed());
        // Nothing is known of a sensor that was not calibrated, but whether it answers.
        let unknown = Judge::new(None, Reading::Level(0));
        assert_eq!((unknown.fault(), unknown.is_closed()), (None, false));
        assert_eq!(Judge::new(None, Reading::Silent).fault(), Some(Wrong::Silent));
    }
}
