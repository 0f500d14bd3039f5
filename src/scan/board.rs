//! A scanned board as the live loop sees it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use draughtsd_core::moment::Moment;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::TimedInput;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::stack::Sensors;
use super::stack::thread::{Sensing, StackContacts};
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
/// Hall sensors, where there are any, are read by a thread of their own. What it has to say comes at its moment if it can, and
/// else at the first that is left: it took a while to be certain of it anyhow, and nobody waits for it.
///
/// A moment at which the core wants to be woken is reached when a scan has passed it, not when the clock
/// has: what happened before it may still be on its way, and moments never go back.
#[derive(Debug)]
pub struct ScannedBoard {
    inputs: mpsc::Receiver<TimedInput>,
    /// The Hall sensors, if crownings are sensed by them.
    crownings: Option<StackContacts>,
    /// An input that was received before it was its turn, in the thread's time.
    ahead: Option<TimedInput>,
    shared: Arc<Shared>,
    /// The thread's time line.
    time_line: TimeLine,
    /// When, by the thread, the game was entered, and the game's moment then.
    entered: (Moment, Moment),
    /// The latest moment that was given or handed over, in milliseconds: nothing may come from before it.
    given: AtomicU64,
    /// The contacts, as far as was handed over.
    contacts: Contacts,
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
            crownings: None,
            ahead: None,
            shared,
            time_line,
            entered: (Moment::ZERO, Moment::ZERO),
            given: AtomicU64::new(0),
            contacts: Contacts { closed, stacked: SquareSet::EMPTY, unsensed: SquareSet::EMPTY },
            completed: 0,
            running,
        }
    }

    /// Begins to read the Hall sensors. Returns them, for those who look after them.
    pub(super) fn sense_crownings(&mut self, sensors: Sensors) -> io::Result<Sensing> {
        let crownings = super::stack::thread::start(sensors, self.time_line)?;
        (self.contacts.stacked, self.contacts.unsensed) = crownings.first;
        let sensing = crownings.sensing.clone();
        if let Some((scanning, _)) = &mut self.running {
            scanning.with_crownings(sensing.clone());
        }
        self.crownings = Some(crownings);
        Ok(sensing)
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
        let is_waiting = |crownings: &StackContacts| !crownings.inputs.is_empty();
        if self.ahead.is_some() || !self.inputs.is_empty() || self.crownings.as_ref().is_some_and(is_waiting)
        {
            return Moment::from_millis(given);
        }
        let now = self.in_game(self.time_line.now()).millis().max(given);
        self.given.store(now, Ordering::Relaxed);
        Moment::from_millis(now)
    }

    /// The squares whose contact is closed. What is waiting to be handed over counts as handed over.
    pub fn closed_squares(&mut self) -> SquareSet {
        self.waiting();
        self.contacts.closed
    }

    /// Hands over everything that is waiting, without waiting for more.
    pub fn waiting(&mut self) -> Vec<TimedInput> {
        let ahead = self.ahead.take();
        let waiting = std::iter::from_fn(|| self.inputs.try_recv().ok());
        let mut waiting: Vec<TimedInput> = ahead.into_iter().chain(waiting).collect();
        waiting.extend(std::iter::from_fn(|| crowning(&mut self.crownings)));
        waiting.into_iter().map(|received| self.turned(received)).collect()
    }

    /// Whether scans were completed since it was asked last.
    pub fn is_alive(&mut self) -> bool {
        let before = std::mem::replace(&mut self.completed, self.shared.meter().completed());
        self.completed > before
    }

    fn in_game(&self, at: Moment) -> Moment {
        let (entered, origin) = self.entered;
        origin.after(at.since(entered))
    }

    /// Notes an input that was received, and turns its moment into the game's.
    fn turned(&mut self, received: TimedInput) -> TimedInput {
        self.contacts.apply(&received.input);
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
                Err(mpsc::error::TryRecvError::Empty) => crowning(&mut self.crownings),
                Err(mpsc::error::TryRecvError::Disconnected) => return Some(Happening::Over),
            };
        }
        // What is due by the core's own time comes before what happens at the same moment, as in a replay.
        if let (Some(input), Some(wake)) = (&self.ahead, wake)
            && wake <= self.in_game(input.at)
        {
            return Some(self.woken(wake));
        }
        if let Some(input) = self.ahead.take() {
            return Some(Happening::Input(self.turned(input)));
        }
        wake.filter(|&wake| wake <= reached).map(|wake| self.woken(wake))
    }

    /// A moment at which the core wants to be woken has come: nothing may come from before it.
    fn woken(&mut self, wake: Moment) -> Happening {
        let given = self.given.get_mut();
        *given = wake.millis().max(*given);
        Happening::Reached(wake)
    }
}

/// What the Hall sensors have to say; nothing where there are none.
fn crowning(crownings: &mut Option<StackContacts>) -> Option<TimedInput> {
    crownings.as_mut()?.inputs.try_recv().ok()
}

/// The same, waited for.
async fn next_crowning(crownings: &mut Option<StackContacts>) -> TimedInput {
    if let Some(crownings) = crownings
        && let Some(input) = crownings.inputs.recv().await
    {
        return input;
    }
    // There are none, or their thread has ended.
    std::future::pending().await
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
                received = next_crowning(&mut self.crownings) => self.ahead = Some(received),
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
        self.waiting();
        Some(self.contacts)
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
    use draughtsd_core::trace::Input;

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

    #[tokio::test]
    async fn hall_sensors_speak_in_between_and_never_from_before() {
        let (contacts, shared, mut board) = board();
        let (sender, receiver) = mpsc::channel(8);
        board.crownings = Some(StackContacts::that_say(receiver));
        let square = Square::new(3).unwrap();
        let crown =
            |ms, closed| TimedInput { at: Moment::from_millis(ms), input: Input::Crown { square, closed } };
        sender.try_send(crown(95, true)).unwrap();
        assert_eq!(board.next(None).await, Happening::Input(crown(95, true)));
        // The core was woken meanwhile: what the slower thread says of a moment before comes now.
        let wake = Moment::from_millis(100);
        shared.reach(wake);
        assert_eq!(board.due(Some(wake)), Some(Happening::Reached(wake)));
        sender.try_send(crown(99, false)).unwrap();
        assert_eq!(board.due(None), Some(Happening::Input(crown(100, false))));
        let faulty = Input::CrownSensor { square, works: false };
        sender.try_send(TimedInput { at: wake, input: faulty }).unwrap();
        let stands = Board::contacts(&mut board).await.unwrap();
        assert_eq!((stands.stacked, stands.unsensed), (SquareSet::EMPTY, square.into()));
        // The board is over with its own thread, whatever becomes of the other.
        drop(sender);
        assert_eq!(board.due(None), None);
        drop(contacts);
        assert_eq!(board.next(None).await, Happening::Over);
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
