//! A scanned board as the live loop sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use draughtsd_core::moment::Moment;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::{Input, TimedInput};
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::thread::{Scanning, Shared, end};
use super::time_line::TimeLine;
use crate::board_loop::{Board, Contacts, Happening, Place};
use crate::feeds::wall_time::WallTime;

/// How long it waits for the scan that passes a moment which has come.
const NEXT_SCAN: Duration = Duration::from_millis(1);

/// The board behind a scan thread. Dropping it ends the thread.
///
/// The thread counts time from its own beginning; the board turns its moments into those of the game that
/// was entered.
///
/// A moment at which the core wants to be woken is reached when a scan has passed it, not when the clock
/// has: what happened before it may still be on its way, and moments never go back.
#[derive(Debug)]
pub struct ScannedBoard {
    inputs: mpsc::Receiver<TimedInput>,
    /// An input that was received before it was its turn, in the thread's time.
    ahead: Option<TimedInput>,
    shared: Arc<Shared>,
    /// The thread's time line.
    time_line: TimeLine,
    /// When, by the thread, the game was entered, and the game's moment then.
    entered: (Moment, Moment),
    /// The latest moment that was given or handed over, in milliseconds: nothing may come from before it.
    given: AtomicU64,
    /// The squares whose contact is closed, as far as was handed over.
    closed: SquareSet,
    /// How many scans there were when it was last asked whether it is alive.
    completed: u64,
    /// The thread and what is known of it; none in tests.
    running: Option<(Scanning, JoinHandle<()>)>,
}

impl ScannedBoard {
    /// - `closed`: the squares whose contact was closed in the first scan.
    pub(super) const fn new(
        inputs: mpsc::Receiver<TimedInput>,
        closed: SquareSet,
        shared: Arc<Shared>,
        time_line: TimeLine,
        running: Option<(Scanning, JoinHandle<()>)>,
    ) -> Self {
        Self {
            inputs,
            ahead: None,
            shared,
            time_line,
            entered: (Moment::ZERO, Moment::ZERO),
            given: AtomicU64::new(0),
            closed,
            completed: 0,
            running,
        }
    }

    /// A game begins, or goes on, whose time line shows `now`.
    pub fn enter(&mut self, now: Moment) {
        self.entered = (self.time_line.now(), now);
        self.given = AtomicU64::new(now.millis());
    }

    /// The moment that it is now in the game. What is handed over later has no earlier moment.
    ///
    /// While inputs are waiting it does not go on: they keep their own moments, however late the loop is, and whatever
    /// is entered meanwhile comes before them.
    #[must_use]
    pub fn now(&self) -> Moment {
        let given = self.given.load(Ordering::Relaxed);
        if self.ahead.is_some() || !self.inputs.is_empty() {
            return Moment::from_millis(given);
        }
        let now = self.in_game(self.time_line.now()).millis().max(given);
        self.given.store(now, Ordering::Relaxed);
        Moment::from_millis(now)
    }

    /// The squares whose contact is closed. What is waiting to be handed over counts as handed over.
    pub fn closed_squares(&mut self) -> SquareSet {
        self.waiting();
        self.closed
    }

    /// Hands over everything that is waiting, without waiting for more.
    pub fn waiting(&mut self) -> Vec<TimedInput> {
        let ahead = self.ahead.take();
        let waiting = std::iter::from_fn(|| self.inputs.try_recv().ok());
        let waiting: Vec<TimedInput> = ahead.into_iter().chain(waiting).collect();
        waiting.into_iter().map(|received| self.turned(received)).collect()
    }

    /// Whether scans were completed since it was asked last.
    pub fn is_alive(&mut self) -> bool {
        let before = std::mem::replace(&mut self.completed, self.shared.meter().completed());
        self.completed > before
    }

    fn note(&mut self, input: &Input) {
        match *input {
            Input::Contact { square, closed: true } => {
                self.closed.insert(square);
            }
            Input::Contact { square, closed: false } => {
                self.closed.remove(square);
            }
            _ => {}
        }
    }

    fn in_game(&self, at: Moment) -> Moment {
        let (entered, origin) = self.entered;
        origin.after(at.since(entered))
    }

    /// Notes an input that was received, and turns its moment into the game's.
    fn turned(&mut self, received: TimedInput) -> TimedInput {
        self.note(&received.input);
        let at = self.in_game(received.at).millis().max(*self.given.get_mut());
        *self.given.get_mut() = at;
        TimedInput { at: Moment::from_millis(at), ..received }
    }

    /// What is due now; `None` if it has to wait.
    fn due(&mut self, wake: Option<Moment>) -> Option<Happening> {
        // Read before the channel: what was sent before it is in there.
        let reached = self.in_game(self.shared.reached());
        if self.ahead.is_none() {
            self.ahead = match self.inputs.try_recv() {
                Ok(input) => Some(input),
                Err(mpsc::error::TryRecvError::Empty) => None,
                Err(mpsc::error::TryRecvError::Disconnected) => return Some(Happening::Over),
            };
        }
        // What is due by the core's own time comes before what happens at the same moment, as in a replay.
        if let (Some(input), Some(wake)) = (&self.ahead, wake)
            && wake <= self.in_game(input.at)
        {
            return Some(Happening::Reached(wake));
        }
        if let Some(input) = self.ahead.take() {
            return Some(Happening::Input(self.turned(input)));
        }
        wake.filter(|&wake| wake <= reached).map(Happening::Reached)
    }
}

/// Waits until it is worth looking whether a moment has been reached.
async fn wait_for(time_line: TimeLine, (entered, origin): (Moment, Moment), wake: Option<Moment>) {
    match wake {
        Some(wake) => sleep(time_line.until(entered.after(wake.since(origin))).max(NEXT_SCAN)).await,
        None => std::future::pending().await,
    }
}

impl Board for ScannedBoard {
    async fn next(&mut self, wake: Option<Moment>) -> Happening {
        loop {
            if let Some(happening) = self.due(wake) {
                return happening;
            }
            let waited = wait_for(self.time_line, self.entered, wake);
            // Cancelled while it waits, an input stays in the channel; one that was received is kept in `ahead`.
            tokio::select! {
                received = self.inputs.recv() => match received {
                    Some(input) => self.ahead = Some(input),
                    None => return Happening::Over,
                },
                () = waited => {}
            }
        }
    }

    fn wall_time(&self, moment: Moment) -> WallTime {
        let (entered, origin) = self.entered;
        self.time_line.wall_time(entered.after(moment.since(origin)))
    }

    fn now(&self) -> Moment {
        Self::now(self)
    }

    async fn contacts(&mut self) -> Option<Contacts> {
        Some(Contacts { closed: self.closed_squares(), ..Contacts::default() })
    }

    fn enter(&mut self, place: Place) {
        Self::enter(self, place.now);
    }

    fn is_alive(&mut self) -> bool {
        Self::is_alive(self)
    }

    fn scanning(&self) -> Option<Scanning> {
        self.running.as_ref().map(|(scanning, _)| scanning.clone())
    }
}

impl Drop for ScannedBoard {
    fn drop(&mut self) {
        end(&self.shared, self.running.take().map(|(_, thread)| thread));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::square::Square;

    fn board() -> (mpsc::Sender<TimedInput>, Arc<Shared>, ScannedBoard) {
        let (sender, receiver) = mpsc::channel(8);
        let shared = Arc::new(Shared::default());
        let line = TimeLine::begin(Moment::ZERO);
        let board = ScannedBoard::new(receiver, SquareSet::EMPTY, Arc::clone(&shared), line, None);
        (sender, shared, board)
    }

    fn end_at(ms: u64) -> TimedInput {
        TimedInput { at: Moment::from_millis(ms), input: Input::End }
    }

    #[test]
    fn a_wake_up_waits_for_what_happened_before_it() {
        let (sender, shared, mut board) = board();
        let wake = Some(Moment::from_millis(100));
        shared.reach(Moment::from_millis(99));
        assert_eq!(board.due(wake), None);
        sender.try_send(end_at(98)).unwrap();
        assert_eq!(board.due(wake), Some(Happening::Input(end_at(98))));
        assert_eq!(board.due(wake), None);
        shared.reach(Moment::from_millis(100));
        assert_eq!(board.due(wake), Some(Happening::Reached(Moment::from_millis(100))));
    }

    #[test]
    fn a_wake_up_comes_before_what_happens_at_its_moment_or_later() {
        let (sender, _, mut board) = board();
        sender.try_send(end_at(100)).unwrap();
        let wake = Moment::from_millis(100);
        assert_eq!(board.due(Some(wake)), Some(Happening::Reached(wake)));
        assert_eq!(board.due(Some(Moment::from_millis(101))), Some(Happening::Input(end_at(100))));
        drop(sender);
        assert_eq!(board.due(None), Some(Happening::Over));
    }

    #[test]
    fn moments_are_those_of_the_game_that_was_entered() {
        let (sender, shared, mut board) = board();
        board.entered = (Moment::from_millis(40), Moment::from_millis(9000));
        // What was on its way when the game was entered belongs to its beginning.
        sender.try_send(end_at(39)).unwrap();
        assert_eq!(board.due(None), Some(Happening::Input(end_at(9000))));
        sender.try_send(end_at(45)).unwrap();
        assert_eq!(board.due(None), Some(Happening::Input(end_at(9005))));
        shared.reach(Moment::from_millis(50));
        let wake = Moment::from_millis(9010);
        assert_eq!(board.due(Some(wake)), Some(Happening::Reached(wake)));
        assert_eq!(board.due(Some(wake.after(1))), None);
    }

    #[test]
    fn nothing_comes_from_before_a_moment_that_was_given() {
        let (sender, _, mut board) = board();
        board.enter(Moment::from_millis(5000));
        let now = board.now();
        sender.try_send(end_at(0)).unwrap();
        assert_eq!(board.due(None), Some(Happening::Input(TimedInput { at: now, input: Input::End })));
    }

    #[test]
    fn inputs_that_wait_keep_their_moments() {
        let (sender, _, mut board) = board();
        board.entered = (Moment::ZERO, Moment::from_millis(5000));
        for ms in [1, 2, 4] {
            sender.try_send(end_at(ms)).unwrap();
        }
        let mut moments = Vec::new();
        for _ in 0..3 {
            moments.push(board.now().millis());
            let Some(Happening::Input(input)) = board.due(None) else { panic!("nothing waits") };
            moments.push(input.at.millis());
        }
        assert_eq!(moments, [0, 5001, 5001, 5002, 5002, 5004]);
    }

    #[test]
    fn the_contacts_are_those_of_the_last_scan() {
        let (sender, _, mut board) = board();
        let square = Square::new(7).unwrap();
        let contact = |closed| TimedInput { at: Moment::ZERO, input: Input::Contact { square, closed } };
        sender.try_send(contact(true)).unwrap();
        assert_eq!(board.closed_squares().len(), 1);
        sender.try_send(contact(false)).unwrap();
        assert!(matches!(board.due(None), Some(Happening::Input(_))));
        assert!(board.closed_squares().is_empty());
    }
}
