//! The thread that scans: absolute deadlines, and nothing in it that could wait for anybody.
//!
//! What it finds goes into a bounded channel. When that is full, because the live loop is stuck, a change waits on
//! the contact itself: it is told with a later frame, if it is still so, and counted as deferred.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use draughtsd_core::moment::Moment;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::TimedInput;
use rustix::thread::{CpuSet, sched_setaffinity};
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use tokio::sync::{mpsc, watch};

use super::changes::{Changes, Roles};
use super::diagnosis::{Fault, Watch};
use super::frame::{MOST_WIRES, ScanFrame};
use super::meter::{Counts, Meter};
use super::pace::{Pace, now_ns, sleep_until};
use super::time_line::TimeLine;
use super::{ScanError, ScannedBoard, Scanner, stack};
use crate::config::{Cpu, Scan};

/// So many changes may wait for the live loop: all contacts of a board, bouncing for a while.
const CHANNEL: usize = 4096;

/// A board that fails to be read for so long is given up.
const GIVE_UP_AFTER: Duration = Duration::from_secs(2);

/// What the thread and the others know together.
#[derive(Debug, Default)]
pub(super) struct Shared {
    meter: Meter,
    /// Everything up to this moment, in milliseconds, has been scanned and sent.
    reached: AtomicU64,
    stop: AtomicBool,
    failure: Mutex<Option<ScanError>>,
}

impl Shared {
    pub(super) const fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Nothing will be sent any more that happened before this moment.
    pub(super) fn reached(&self) -> Moment {
        Moment::from_millis(self.reached.load(Ordering::Acquire))
    }

    pub(super) fn reach(&self, moment: Moment) {
        self.reached.store(moment.millis(), Ordering::Release);
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A board whose scanning has begun, for those who look after it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Scanning {
    shared: Arc<Shared>,
    faults: watch::Receiver<Vec<Fault>>,
    frames: watch::Receiver<ScanFrame>,
    crownings: Option<stack::thread::Sensing>,
}

impl Scanning {
    /// The same, of a board whose Hall sensors are read as well.
    pub(super) fn with_crownings(&mut self, sensing: stack::thread::Sensing) {
        self.crownings = Some(sensing);
    }

    /// The counters: scans, lateness, overruns. The watchdog is fed while [`Meter::completed`] grows.
    #[must_use]
    pub fn meter(&self) -> &Meter {
        &self.shared.meter
    }

    /// The faults of the wiring, as they change.
    #[must_use]
    pub fn faults(&self) -> watch::Receiver<Vec<Fault>> {
        self.faults.clone()
    }

    /// The frames that differ from the one before, the last of them at a time: for eyes.
    #[must_use]
    pub fn frames(&self) -> watch::Receiver<ScanFrame> {
        self.frames.clone()
    }

    /// The Hall sensors, where crownings are sensed by them.
    #[must_use]
    pub const fn crownings(&self) -> Option<&stack::thread::Sensing> {
        self.crownings.as_ref()
    }

    /// Why the board can no longer be read; `None` while it can, or when scanning was ended on purpose.
    #[must_use]
    pub fn failure(&self) -> Option<ScanError> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a board was like when scanning began.
#[derive(Debug)]
pub struct Started {
    /// The board, for the live loop.
    pub board: ScannedBoard,
    /// The squares whose contact was closed in the first scan.
    pub closed: SquareSet,
    /// The same as a frame, with what the self-test saw.
    pub first: ScanFrame,
    /// For those who look after it.
    pub scanning: Scanning,
    /// What was asked for and could not be had, without which it works all the same: real-time priority, a processor.
    pub warnings: Vec<String>,
}

impl Started {
    /// Begins to read the board's Hall sensors, in a thread of their own.
    ///
    /// # Errors
    /// [`StartError`] when the thread cannot be started.
    pub fn sense_crownings(&mut self, sensors: stack::Sensors) -> Result<(), StartError> {
        let sensing = self.board.sense_crownings(sensors)?;
        self.scanning.with_crownings(sensing);
        Ok(())
    }
}

/// Why scanning did not begin.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The first scan failed.
    #[error("the first scan failed: {0}")]
    Scan(#[from] ScanError),
    /// There is no thread to be had.
    #[error("the scan thread: {0}")]
    Thread(#[from] io::Error),
}

/// Reads the board once, and begins to scan it in a thread of its own, until the [`ScannedBoard`] is dropped.
///
/// # Errors
/// [`StartError`] when the first scan fails, or the thread cannot be started.
pub fn start(mut scanner: Box<dyn Scanner>, roles: Roles, options: &Scan) -> Result<Started, StartError> {
    let first = scanner.scan()?;
    let time_line = TimeLine::begin(Moment::ZERO);
    let (mut worker, ends) = Worker::new(scanner, &first, roles, time_line, options.period());
    let closed = worker.changes.closed_squares();
    let shared = Arc::clone(&worker.shared);
    let (priority, cpu) = (options.realtime_priority, options.cpu);
    let (warn, warned) = std::sync::mpsc::channel();
    let thread = std::thread::Builder::new().name("scan".to_owned()).spawn(move || {
        // Nobody hears it only if `start` has failed meanwhile.
        let _ = warn.send(prefer(priority, cpu));
        worker.run();
    })?;
    let warnings = warned.recv().unwrap_or_default();
    let scanning =
        Scanning { shared: Arc::clone(&shared), faults: ends.faults, frames: ends.frames, crownings: None };
    let running = Some((scanning.clone(), thread));
    let board = ScannedBoard::new(ends.inputs, closed, shared, time_line, running);
    Ok(Started { board, closed, first, scanning, warnings })
}

/// Does the thread's work for so many frames here and now, without waiting for deadlines. Returns the counters.
/// For measuring what a frame costs.
///
/// # Errors
/// [`ScanError`] when the board cannot be read.
pub fn tread(mut scanner: Box<dyn Scanner>, roles: Roles, frames: u64) -> Result<Counts, ScanError> {
    let first = scanner.scan()?;
    let time_line = TimeLine::begin(Moment::ZERO);
    let (mut worker, _ends) = Worker::new(scanner, &first, roles, time_line, Scan::default().period());
    for _ in 0..frames {
        worker.step()?;
    }
    Ok(worker.shared.meter.counts())
}

/// Sets the thread's priority and processor; returns what could not be had.
fn prefer(priority: u8, cpu: Cpu) -> Vec<String> {
    let mut warnings = Vec::new();
    if priority > 0 {
        let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
        let wanted =
            ThreadPriority::try_from(priority).map_err(|error| error.to_owned()).and_then(|wanted| {
                set_thread_priority_and_policy(thread_native_id(), wanted, fifo)
                    .map_err(|error| error.to_string())
            });
        if let Err(reason) = wanted {
            warnings.push(format!(
                "no real-time priority {priority} for the scan thread: {reason}; systemd grants it with LimitRTPRIO={priority}"
            ));
        }
    }
    if let Cpu::Number(number) = cpu {
        let mut set = CpuSet::new();
        set.set(usize::from(number));
        if let Err(reason) = sched_setaffinity(None, &set) {
            warnings.push(format!("the scan thread cannot be kept on processor {number}: {reason}"));
        }
    }
    warnings
}

/// The thread's own.
struct Worker {
    scanner: Box<dyn Scanner>,
    changes: Changes,
    watch: Watch,
    time_line: TimeLine,
    pace: Pace,
    last: ScanFrame,
    shared: Arc<Shared>,
    inputs: mpsc::Sender<TimedInput>,
    faults: watch::Sender<Vec<Fault>>,
    frames: watch::Sender<ScanFrame>,
    failures_in_a_row: u64,
    most_failures: u64,
}

/// The other ends of a worker's channels.
struct Ends {
    inputs: mpsc::Receiver<TimedInput>,
    faults: watch::Receiver<Vec<Fault>>,
    frames: watch::Receiver<ScanFrame>,
}

impl Worker {
    fn new(
        scanner: Box<dyn Scanner>,
        first: &ScanFrame,
        roles: Roles,
        time_line: TimeLine,
        period: Duration,
    ) -> (Self, Ends) {
        let shared = Arc::new(Shared::default());
        shared.reach(time_line.now());
        let (inputs_sender, inputs) = mpsc::channel(CHANNEL);
        let (faults_sender, faults) = watch::channel(Vec::new());
        let (frames_sender, frames) = watch::channel(*first);
        let most_failures = GIVE_UP_AFTER.as_nanos() / period.as_nanos().max(1);
        let worker = Self {
            scanner,
            changes: Changes::new(roles, first.closed),
            watch: Watch::new(MOST_WIRES),
            time_line,
            pace: Pace::new(period, now_ns()),
            last: *first,
            shared,
            inputs: inputs_sender,
            faults: faults_sender,
            frames: frames_sender,
            failures_in_a_row: 0,
            most_failures: u64::try_from(most_failures).unwrap_or(u64::MAX).max(1),
        };
        (worker, Ends { inputs, faults, frames })
    }

    fn run(&mut self) {
        while !self.shared.stop.load(Ordering::Relaxed) {
            sleep_until(self.pace.deadline_ns());
            if let Err(error) = self.step() {
                *self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                return;
            }
        }
    }

    /// One scan and everything that comes of it.
    fn step(&mut self) -> Result<(), ScanError> {
        let kept = self.pace.begin(now_ns());
        self.shared.meter.begin(kept.late_ns, kept.missed);
        match self.scanner.scan() {
            Ok(frame) => {
                self.failures_in_a_row = 0;
                self.shared.meter.complete();
                self.take(&frame);
                Ok(())
            }
            Err(error) => {
                self.shared.meter.fail();
                self.failures_in_a_row += 1;
                if self.failures_in_a_row < self.most_failures { Ok(()) } else { Err(error) }
            }
        }
    }

    fn take(&mut self, frame: &ScanFrame) {
        let at = self.time_line.now();
        let (inputs, shared) = (&self.inputs, &self.shared);
        self.changes.next(&frame.closed, at, |input| match inputs.try_send(input) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                shared.meter.defer();
                false
            }
            Err(mpsc::error::TrySendError::Closed(_)) => {
                shared.stop();
                false
            }
        });
        self.shared.reach(at);
        if self.watch.look(frame) {
            self.faults.send_replace(self.watch.faults().to_vec());
        }
        if frame.closed != self.last.closed || frame.self_test.passed() != self.last.self_test.passed() {
            self.last = *frame;
            self.frames.send_replace(*frame);
        }
    }
}

/// A running scan thread, ended with the board it belongs to.
pub(super) fn end(shared: &Shared, thread: Option<JoinHandle<()>>) {
    shared.stop();
    if let Some(thread) = thread {
        // A thread that panicked has said so; with `panic = "abort"` nobody gets here then.
        let _ = thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_loop::{Board as _, Happening};
    use crate::config::Board;
    use crate::pinmap::PinMap;
    use crate::scan::frame::Place;
    use crate::scan::matrix::Matrix;
    use crate::scan::simulated::Circuit;
    use draughtsd_core::square::Square;
    use draughtsd_core::trace::Input;
    use std::sync::atomic::AtomicBool;

    /// A board on which a disc appears on square 1 when it is told to.
    struct OneDisc {
        matrix: Matrix<Circuit>,
        disc: Arc<AtomicBool>,
    }

    impl Scanner for OneDisc {
        fn scan(&mut self) -> Result<ScanFrame, ScanError> {
            let place = Place::new(0, 0).expect("the first wires");
            self.matrix.lines_mut().set(place, self.disc.load(Ordering::Relaxed));
            self.matrix.scan()
        }
    }

    /// A board that cannot be read after its first scan.
    struct Unplugged(u32);

    impl Scanner for Unplugged {
        fn scan(&mut self) -> Result<ScanFrame, ScanError> {
            self.0 += 1;
            let error =
                || ScanError { device: "/dev/gpiochip9".to_owned(), reason: "no such device".to_owned() };
            if self.0 == 1 { Ok(ScanFrame::default()) } else { Err(error()) }
        }
    }

    fn roles() -> Roles {
        Roles::new(&PinMap::shipped(), &Board::default()).unwrap()
    }

    #[tokio::test]
    async fn a_disc_comes_through_with_a_moment_that_lies_between() {
        let disc = Arc::new(AtomicBool::new(false));
        let matrix = Matrix::new(Circuit::new(8, 8), Duration::ZERO);
        let scanner = OneDisc { matrix, disc: Arc::clone(&disc) };
        let mut started = start(Box::new(scanner), roles(), &Scan::default()).unwrap();
        assert!(started.closed.is_empty() && started.warnings.is_empty());
        let before = started.board.now();
        disc.store(true, Ordering::Relaxed);
        let Happening::Input(TimedInput { at, input }) = started.board.next(None).await else {
            panic!("over")
        };
        assert_eq!(input, Input::Contact { square: Square::new(1).unwrap(), closed: true });
        assert!(before <= at && at <= started.board.now(), "{before} {at}");
        assert!(started.board.is_alive());
        assert_eq!(started.scanning.failure(), None);
    }

    #[tokio::test]
    async fn a_wake_up_comes_when_everything_before_it_has_been_scanned() {
        let scanner = Matrix::new(Circuit::new(8, 8), Duration::ZERO);
        let mut started = start(Box::new(scanner), roles(), &Scan::default()).unwrap();
        let wake = Moment::from_millis(5);
        assert_eq!(started.board.next(Some(wake)).await, Happening::Reached(wake));
        assert!(started.scanning.shared.reached() >= wake);
    }

    #[tokio::test]
    async fn a_board_that_is_unplugged_is_over_and_says_why() {
        let options = Scan { rate_hz: 1, ..Scan::default() };
        assert_eq!(options.period(), Duration::from_secs(1));
        let fast = Scan { rate_hz: 2000, ..Scan::default() };
        let mut started = start(Box::new(Unplugged(0)), roles(), &fast).unwrap();
        assert_eq!(started.board.next(None).await, Happening::Over);
        let failure = started.scanning.failure().unwrap();
        assert_eq!(failure.to_string(), "/dev/gpiochip9: no such device");
        let counts = started.scanning.meter().counts();
        assert_eq!((counts.completed, counts.failed), (0, 4000));
    }

    #[test]
    fn what_cannot_be_had_is_said_and_done_without() {
        let scanner = Matrix::new(Circuit::new(8, 8), Duration::ZERO);
        let options = Scan { cpu: Cpu::Number(1023), ..Scan::default() };
        let mut started = start(Box::new(scanner), roles(), &options).unwrap();
        assert_eq!(started.warnings.len(), 1, "{:?}", started.warnings);
        assert!(started.warnings[0].starts_with("the scan thread cannot be kept on processor 1023: "));
        started.board.closed_squares();
        assert_eq!(started.scanning.failure(), None);
    }

    #[test]
    fn a_frame_in_which_nothing_happens_is_counted_and_nothing_else() {
        let scanner = Matrix::new(Circuit::new(8, 8), Duration::ZERO);
        let counts = tread(Box::new(scanner), roles(), 50).unwrap();
        assert_eq!((counts.completed, counts.failed, counts.deferred), (50, 0, 0));
    }
}
