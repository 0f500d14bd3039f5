//! The thread that reads the sensors: fifty times a second, at nobody's expense.
//!
//! It is an ordinary thread that shares nothing with the scan thread but the time line. What it finds goes into a bounded
//! channel; when that is full, a change waits on its sensor, as those of contacts do.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use draughtsd_core::moment::Moment;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{Input, TimedInput};
use tokio::sync::{mpsc, watch};

use super::judge::{Judge, Wrong};
use super::{Reading, Sensors, StackReader, Wired};
use crate::scan::pace::{Pace, now_ns, sleep_until};
use crate::scan::time_line::TimeLine;

/// From one reading to the next: a period of the mains, so that its hum is the same in all of them.
const PERIOD: Duration = Duration::from_millis(20);

/// So many changes may wait for the live loop.
const CHANNEL: usize = 256;

/// A sensor that is not believed, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackFault {
    /// Which: its index in [`Sensing::wired`].
    pub sensor: usize,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// A sensor as it was last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it gave.
    pub reading: Reading,
    /// Whether two discs stand above it; of a faulty sensor, what it said last.
    pub closed: bool,
}

/// What the thread and the others know together.
#[derive(Debug, Default)]
struct Shared {
    readings: AtomicU64,
    stop: AtomicBool,
}

/// Sensors that are being read, for those who look after them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sensing {
    wired: Arc<[Wired]>,
    shared: Arc<Shared>,
    faults: watch::Receiver<Vec<StackFault>>,
    seen: watch::Receiver<Vec<Seen>>,
}

impl Sensing {
    /// The sensors, in the order of everything here.
    #[must_use]
    pub fn wired(&self) -> &[Wired] {
        &self.wired
    }

    /// How often all sensors were read.
    #[must_use]
    pub fn readings(&self) -> u64 {
        self.shared.readings.load(Ordering::Relaxed)
    }

    /// The sensors that are not believed, as they change.
    #[must_use]
    pub fn faults(&self) -> watch::Receiver<Vec<StackFault>> {
        self.faults.clone()
    }

    /// What each sensor gave last, in their order.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.borrow().clone()
    }
}

/// The board's end of it. Dropping it ends the thread.
#[derive(Debug)]
pub(in crate::scan) struct StackContacts {
    pub(in crate::scan) inputs: mpsc::Receiver<TimedInput>,
    pub(in crate::scan) sensing: Sensing,
    /// The squares whose contact was closed at first, and those of which nothing was known.
    pub(in crate::scan) first: (SquareSet, SquareSet),
}

#[cfg(test)]
impl StackContacts {
    /// Contacts that say what is sent.
    pub(in crate::scan) fn that_say(inputs: mpsc::Receiver<TimedInput>) -> Self {
        let (_, faults) = watch::channel(Vec::new());
        let (_, seen) = watch::channel(Vec::new());
        let sensing = Sensing { wired: Arc::default(), shared: Arc::default(), faults, seen };
        Self { inputs, sensing, first: (SquareSet::EMPTY, SquareSet::EMPTY) }
    }
}

impl Drop for StackContacts {
    fn drop(&mut self) {
        // It ends within a reading, and nobody has to wait for a converter that does not answer.
        self.sensing.shared.stop.store(true, Ordering::Relaxed);
    }
}

/// Reads the sensors once, and begins to read them in a thread of their own.
///
/// # Errors
/// When there is no thread to be had.
pub(in crate::scan) fn start(sensors: Sensors, time_line: TimeLine) -> io::Result<StackContacts> {
    let (mut worker, contacts) = Worker::new(sensors, time_line);
    std::thread::Builder::new().name("stack".to_owned()).spawn(move || worker.run())?;
    Ok(contacts)
}

/// What was told of a sensor; `None` of what nothing was told since it was faulty last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    works: bool,
    closed: Option<bool>,
}

/// The thread's own.
struct Worker {
    reader: Box<dyn StackReader>,
    sensors: Vec<(Square, Judge, Told)>,
    time_line: TimeLine,
    shared: Arc<Shared>,
    inputs: mpsc::Sender<TimedInput>,
    faults: watch::Sender<Vec<StackFault>>,
    seen: watch::Sender<Vec<Seen>>,
}

impl Worker {
    fn new(sensors: Sensors, time_line: TimeLine) -> (Self, StackContacts) {
        let Sensors { mut reader, wired } = sensors;
        let readings = reader.read();
        let begin = |(sensor, &reading): (&Wired, &Reading)| {
            let judge = Judge::new(sensor.points, reading);
            let works = judge.fault().is_none();
            let closed = works.then_some(judge.is_closed());
            (sensor.square, judge, Told { works, closed })
        };
        let sensors: Vec<_> = wired.iter().zip(&readings).map(begin).collect();
        let squares = |wanted: fn(&Told) -> bool| -> SquareSet {
            sensors.iter().filter(|(_, _, told)| wanted(told)).map(|&(square, ..)| square).collect()
        };
        let first = (squares(|told| told.closed == Some(true)), squares(|told| !told.works));
        let shared = Arc::new(Shared::default());
        let (inputs_sender, inputs) = mpsc::channel(CHANNEL);
        let (faults_sender, faults) = watch::channel(faults_of(&sensors));
        let (seen_sender, seen) = watch::channel(seen(&sensors, &readings));
        let sensing = Sensing { wired: wired.into(), shared: Arc::clone(&shared), faults, seen };
        let worker = Self {
            reader,
            sensors,
            time_line,
            shared,
            inputs: inputs_sender,
            faults: faults_sender,
            seen: seen_sender,
        };
        (worker, StackContacts { inputs, sensing, first })
    }

    fn run(&mut self) {
        let mut pace = Pace::new(PERIOD, now_ns());
        while !self.shared.stop.load(Ordering::Relaxed) {
            sleep_until(pace.deadline_ns());
            pace.begin(now_ns());
            let readings = self.reader.read();
            self.take(&readings, self.time_line.now());
        }
    }

    fn take(&mut self, readings: &[Reading], at: Moment) {
        for ((square, judge, told), &reading) in self.sensors.iter_mut().zip(readings) {
            judge.look(reading, at);
            let inputs = &self.inputs;
            tell(*square, judge, told, |input| inputs.try_send(TimedInput { at, input }).is_ok());
        }
        self.shared.readings.fetch_add(1, Ordering::Relaxed);
        let faults = faults_of(&self.sensors);
        self.faults.send_if_modified(|known| {
            let is_news = *known != faults;
            *known = faults;
            is_news
        });
        self.seen.send_replace(seen(&self.sensors, readings));
    }
}

/// Tells what is not as it was told; what is not taken is told after a later reading, if it is still so.
fn tell(square: Square, judge: &Judge, told: &mut Told, mut send: impl FnMut(Input) -> bool) {
    let works = judge.fault().is_none();
    if works != told.works && send(Input::CrownSensor { square, works }) {
        *told = Told { works, closed: None };
    }
    let closed = judge.is_closed();
    let is_news = told.works && works && told.closed != Some(closed);
    if is_news && send(Input::Crown { square, closed }) {
        told.closed = Some(closed);
    }
}

fn faults_of(sensors: &[(Square, Judge, Told)]) -> Vec<StackFault> {
    let fault = |(sensor, (_, judge, _)): (usize, &(Square, Judge, Told))| {
        judge.fault().map(|wrong| StackFault { sensor, wrong })
    };
    sensors.iter().enumerate().filter_map(fault).collect()
}

fn seen(sensors: &[(Square, Judge, Told)], readings: &[Reading]) -> Vec<Seen> {
    let seen = |((_, judge, _), &reading): (&(Square, Judge, Told), &Reading)| Seen {
        reading,
        closed: judge.is_closed(),
    };
    sensors.iter().zip(readings).map(seen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::stack::calibration::Points;

    const POINTS: Points = Points { empty: 2048, man: 2115, king: 2148 };

    fn judge(level: u16) -> Judge {
        Judge::new(Some(POINTS), Reading::Level(level))
    }

    #[test]
    fn what_is_not_taken_is_told_later_if_it_is_still_so() {
        let square = Square::ALL[0];
        let mut told = Told { works: true, closed: Some(false) };
        let mut sent = Vec::new();
        tell(square, &judge(2148), &mut told, |_| false);
        tell(square, &judge(2148), &mut told, |input| {
            sent.push(input);
            true
        });
        tell(square, &judge(2148), &mut told, |_| panic!("told already"));
        assert_eq!(sent, [Input::Crown { square, closed: true }]);
    }

    #[test]
    fn a_faulty_sensor_says_that_it_is_and_afterwards_how_things_stand() {
        let square = Square::ALL[0];
        let mut told = Told { works: true, closed: Some(true) };
        let mut sent = Vec::new();
        for level in [0, 0, 2148] {
            tell(square, &judge(level), &mut told, |input| {
                sent.push(input);
                true
            });
        }
        let works = |works| Input::CrownSensor { square, works };
        assert_eq!(sent, [works(false), works(true), Input::Crown { square, closed: true }]);
    }
}
