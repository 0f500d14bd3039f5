//! One board's feed for one audience: what is kept of it, and how readers get at it.
//!
//! [`BoardFeed::publish`] numbers an event, folds it into the state, keeps it for those who come back,
//! and hands it to those who listen, all in one step; [`BoardFeed::subscribe`] is one step as well. So a
//! reader that takes what it is given in order misses nothing and sees nothing twice.
//!
//! **Slow readers.** Publishing never waits. Each listener may fall [`QUEUE`] frames behind; one that
//! falls further behind is cut off, and may come back with the id of the last event it saw: the last
//! [`KEPT`] frames are kept for that, and whoever is older than those gets a snapshot instead.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use draughtsd_core::event::Event;
use draughtsd_core::rules::Variant;
use tokio::sync::broadcast;

use super::board_state::{About, BoardState};
use super::envelope::{Audience, EventId, Sequencer};
use super::game_record::{self, Irregular};
use super::wall_time::WallTime;

/// How many frames a listener may fall behind.
pub const QUEUE: usize = 1024;

/// How many frames are kept for readers that come back: a long game with all its contacts.
pub const KEPT: usize = 8192;

/// What a reader gets: an event or a whole snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The event, or for a snapshot the last event that it contains.
    pub id: EventId,
    /// Which of the two.
    pub kind: FrameKind,
    /// One line of JSON.
    pub data: Arc<str>,
}

/// What a [`Frame`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// One event.
    Event,
    /// The whole state: forget what was before.
    Snapshot,
}

/// What a new reader begins with, and where the rest comes from.
#[derive(Debug)]
pub struct Subscription {
    /// To be read first.
    pub backlog: Vec<Frame>,
    /// Everything after that. A lagging receiver is to be cut off.
    pub live: broadcast::Receiver<Frame>,
}

/// One board's feed for one audience.
#[derive(Debug)]
pub struct BoardFeed {
    kept: Mutex<Kept>,
    live: broadcast::Sender<Frame>,
}

#[derive(Debug)]
struct Kept {
    sequencer: Sequencer,
    state: BoardState,
    frames: VecDeque<Frame>,
    pace: f64,
    delay: Duration,
}

impl BoardFeed {
    /// A board on which no game has begun.
    ///
    /// - `board`: its id, such as `1`.
    /// - `epoch`: the run of the program; must grow from one run to the next.
    #[must_use]
    pub fn new(board: &str, epoch: u64, variant: Variant) -> Self {
        Self::after(EventId { epoch, seq: 0 }, board, variant, Audience::Public)
    }

    /// A board on which no game has begun in this run of the program.
    ///
    /// - `last`: the event after which the numbers go on.
    #[must_use]
    pub fn after(last: EventId, board: &str, variant: Variant, audience: Audience) -> Self {
        let sequencer = Sequencer::after(last, board, audience);
        let state = fresh_state(&sequencer, variant, About::default());
        let kept = Kept { sequencer, state, frames: VecDeque::new(), pace: 1.0, delay: Duration::ZERO };
        Self { kept: Mutex::new(kept), live: broadcast::channel(QUEUE).0 }
    }

    /// Says how fast game time passes; 1 but for a demo. To be called before the game begins.
    pub fn set_pace(&self, pace: f64) {
        self.lock().pace = pace;
    }

    /// Says how long everything waited before it was published. Snapshots are as of then: a clock that runs shows what it
    /// showed.
    pub fn set_delay(&self, delay: Duration) {
        self.lock().delay = delay;
    }

    /// The next events belong to a new game. Readers get a snapshot, which is how they learn of `about`.
    pub fn begin_game(&self, game: &str, variant: Variant, about: About) {
        self.go_on_with(game, variant, about, std::iter::empty());
    }

    /// The next events belong to a game of which these are told already. They get no numbers; readers get a
    /// snapshot with them.
    pub fn go_on_with<'a>(
        &self,
        game: &str,
        variant: Variant,
        about: About,
        told: impl Iterator<Item = (&'a Event, WallTime)>,
    ) {
        let mut kept = self.lock();
        kept.sequencer.begin_game(game);
        let mut state = fresh_state(&kept.sequencer, variant, about);
        for (event, at) in told {
            if let Some(envelope) = kept.sequencer.wrap_again(event, Some(at)) {
                state.apply(&envelope);
            }
        }
        kept.state = state;
        let frame = kept.snapshot();
        self.send(&mut kept, frame);
    }

    /// Changes names and the like. Readers get a snapshot.
    pub fn set_about(&self, about: About) {
        let mut kept = self.lock();
        kept.state.set_about(about);
        let frame = kept.snapshot();
        self.send(&mut kept, frame);
    }

    /// The number of the last event.
    #[must_use]
    pub fn last(&self) -> EventId {
        self.lock().sequencer.last()
    }

    /// Looks at the state.
    pub fn look<T>(&self, at: impl FnOnce(&BoardState) -> T) -> T {
        at(&self.lock().state)
    }

    /// Publishes an event, if it is for the public.
    ///
    /// - `at`: when it happened by the calendar.
    pub fn publish(&self, event: &Event, at: Option<WallTime>) {
        let mut kept = self.lock();
        let Some(envelope) = kept.sequencer.wrap(event, at) else { return };
        kept.state.apply(&envelope);
        let frame = Frame { id: envelope.id, kind: FrameKind::Event, data: Arc::from(envelope.to_line()) };
        self.send(&mut kept, frame);
    }

    /// The game so far as PDN; empty before it has begun.
    #[must_use]
    pub fn pdn(&self, irregular: Irregular) -> String {
        game_record::pdn(&self.lock().state, irregular)
    }

    /// The state now.
    #[must_use]
    pub fn snapshot(&self) -> Frame {
        self.lock().snapshot()
    }

    /// Begins to listen.
    ///
    /// - `after`: the last event the reader saw. If everything since is kept, it is sent; if not, or
    ///   with `None`, the reader begins with a snapshot.
    #[must_use]
    pub fn subscribe(&self, after: Option<EventId>) -> Subscription {
        let kept = self.lock();
        let backlog =
            after.and_then(|after| kept.frames_after(after)).unwrap_or_else(|| vec![kept.snapshot()]);
        Subscription { backlog, live: self.live.subscribe() }
    }

    /// How many readers listen now.
    #[must_use]
    pub fn listeners(&self) -> usize {
        self.live.receiver_count()
    }

    fn send(&self, kept: &mut Kept, frame: Frame) {
        if kept.frames.len() == KEPT {
            kept.frames.pop_front();
        }
        kept.frames.push_back(frame.clone());
        // An error means that nobody listens.
        let _ = self.live.send(frame);
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // No code that holds the lock leaves a half-made state behind, even if it should panic.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fresh_state(sequencer: &Sequencer, variant: Variant, about: About) -> BoardState {
    let state = BoardState::new(sequencer.board(), sequencer.game(), variant, about, sequencer.last());
    match sequencer.audience() {
        Audience::Public => state,
        Audience::Arbiter => state.with_notes(),
    }
}

impl Kept {
    fn snapshot(&self) -> Frame {
        let data = self.state.snapshot(WallTime::now().before(self.delay), self.pace, self.delay).to_json();
        Frame { id: self.sequencer.last(), kind: FrameKind::Snapshot, data: Arc::from(data) }
    }

    /// Everything after an event, or `None` if that is no longer known.
    fn frames_after(&self, after: EventId) -> Option<Vec<Frame>> {
        let last = self.sequencer.last();
        if after.epoch != last.epoch || after.seq > last.seq {
            return None;
        }
        let oldest = self.frames.iter().find(|frame| frame.kind == FrameKind::Event)?.id.seq;
        if after.seq == 0 || after.seq + 1 < oldest {
            return None;
        }
        // The snapshot at the beginning of a game has the number of the event before it. Whoever saw
        // that event may not have seen the snapshot; to send it again does no harm.
        let since = |frame: &&Frame| {
            frame.id.seq > after.seq || (frame.id.seq == after.seq && frame.kind == FrameKind::Snapshot)
        };
        Some(self.frames.iter().filter(since).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::event::EventBody;
    use draughtsd_core::moment::Moment;
    use draughtsd_core::square::Square;
    use tokio::sync::broadcast::error::TryRecvError;

    fn contact(t: u64) -> Event {
        let square = Square::new(32).unwrap();
        Event { t: Moment::from_millis(t), body: EventBody::Contact { square, closed: t.is_multiple_of(2) } }
    }

    fn feed(events: u64) -> BoardFeed {
        let feed = BoardFeed::new("1", 5, Variant::International);
        feed.begin_game("1", Variant::International, About::default());
        (0..events).for_each(|t| feed.publish(&contact(t), None));
        feed
    }

    /// What a reader that comes back with `after` gets first: `s` for a snapshot, numbers of events.
    #[track_caller]
    fn check(feed: &BoardFeed, after: Option<&str>, expected: &str) {
        let after = after.map(|text| EventId::parse(text).unwrap());
        let told: Vec<String> = feed
            .subscribe(after)
            .backlog
            .iter()
            .map(|frame| match frame.kind {
                FrameKind::Event => frame.id.seq.to_string(),
                FrameKind::Snapshot => format!("s{}", frame.id.seq),
            })
            .collect();
        assert_eq!(told.join(" "), expected);
    }

    #[test]
    fn a_new_reader_begins_with_a_snapshot() {
        check(&feed(3), None, "s3");
        check(&feed(0), None, "s0");
    }

    #[test]
    fn whoever_comes_back_gets_what_he_missed() {
        let feed = feed(5);
        check(&feed, Some("5-3"), "4 5");
        check(&feed, Some("5-5"), "");
        check(&feed, Some("5-1"), "2 3 4 5");
    }

    #[test]
    fn an_unknown_place_is_answered_with_a_snapshot() {
        let feed = feed(5);
        check(&feed, Some("5-0"), "s5");
        check(&feed, Some("4-3"), "s5");
        check(&feed, Some("6-3"), "s5");
        check(&feed, Some("5-6"), "s5");
    }

    #[test]
    fn a_place_that_is_no_longer_kept_is_answered_with_a_snapshot() {
        let kept = u64::try_from(KEPT).unwrap();
        let feed = feed(kept + 10);
        let last = kept + 10;
        check(&feed, Some("5-5"), &format!("s{last}"));
        let oldest = feed.lock().frames.front().unwrap().id.seq;
        assert_eq!(feed.subscribe(Some(EventId { epoch: 5, seq: oldest - 1 })).backlog.len(), KEPT);
    }

    #[test]
    fn a_new_game_is_told_by_a_snapshot_to_all() {
        let feed = feed(2);
        let mut listening = feed.subscribe(None).live;
        feed.begin_game("2", Variant::Russian, About { white: Some("A".into()), ..About::default() });
        let frame = listening.try_recv().unwrap();
        assert_eq!((frame.kind, frame.id.seq), (FrameKind::Snapshot, 2));
        assert!(frame.data.contains(r#""game":"2""#) && frame.data.contains(r#""white":"A""#));
        feed.publish(&contact(1), None);
        // Also to those who were away: the last of the old game may be all they know.
        check(&feed, Some("5-2"), "s2 3");
        check(&feed, Some("5-1"), "2 s2 3");
    }

    #[test]
    fn a_reader_that_lags_is_told_so_and_the_others_are_not_held_up() {
        let feed = feed(0);
        let mut slow = feed.subscribe(None).live;
        let behind = u64::try_from(QUEUE).unwrap() + 1;
        (0..behind).for_each(|t| feed.publish(&contact(t), None));
        assert!(matches!(slow.try_recv(), Err(TryRecvError::Lagged(_))));
        assert_eq!(feed.snapshot().id.seq, behind);
    }
}
