//! When an event goes out: at once, or after it is durable.
//!
//! Final moves, alerts and decisions are promises: nobody may see one that a power cut could undo, so they wait
//! for the journal. Contacts and provisional moves promise nothing and overtake what waits. Everything else keeps
//! its place in the row.
//!
//! Numbers are given when an event goes out, so each feed's sequence is in the order of publication.

use std::collections::VecDeque;
use std::sync::Arc;

use draughtsd_core::event::{Event, EventBody, MoveStatus};

use draughtsd_core::rules::Variant;

use crate::feeds::board_feed::BoardFeed;
use crate::feeds::envelope::{Audience, EventId};
use crate::feeds::wall_time::WallTime;
use crate::journal::{Numbers, Published, Ticket, Urgency};

/// The feeds of a board, and what waits to go out on them.
#[derive(Debug)]
pub struct Publisher {
    public: Arc<BoardFeed>,
    arbiter: Arc<BoardFeed>,
    waiting: VecDeque<Waiting>,
    published: Published,
}

#[derive(Debug)]
struct Waiting {
    ticket: Ticket,
    event: Event,
    at: WallTime,
}

/// Whether an event has to be durable before it goes out.
#[must_use]
pub fn urgency(event: &Event) -> Urgency {
    match &event.body {
        EventBody::Move { status: MoveStatus::Final, .. }
        | EventBody::Withdrawn { .. }
        | EventBody::PositionSet { .. }
        | EventBody::Alert { .. }
        | EventBody::AlertSeen { .. }
        | EventBody::AlertWithdrawn { .. }
        | EventBody::Draw { .. }
        | EventBody::DrawClaim { .. }
        | EventBody::Adjourning { .. }
        | EventBody::Confirmed { .. }
        | EventBody::Sealing { .. }
        | EventBody::Adjourned { .. }
        | EventBody::SealedMove { .. }
        | EventBody::Paused
        | EventBody::Resumed { .. }
        | EventBody::Result { .. }
        | EventBody::RecordingEnded => Urgency::Promise,
        EventBody::Move { status: MoveStatus::Provisional, .. }
        | EventBody::GameStarted { .. }
        | EventBody::Contact { .. }
        | EventBody::Crown { .. }
        | EventBody::Reserve { .. }
        | EventBody::Refused { .. }
        | EventBody::Press { .. }
        | EventBody::Clock { .. }
        | EventBody::ClockConnection { .. }
        | EventBody::ClockTrouble { .. }
        | EventBody::ClockSet { .. }
        | EventBody::TimeMark { .. }
        | EventBody::Button { .. }
        | EventBody::Unclear { .. }
        | EventBody::Cleared
        | EventBody::Fault { .. }
        | EventBody::FaultCleared { .. }
        | EventBody::Disturbed { .. }
        | EventBody::Restored
        | EventBody::Journal { .. } => Urgency::Routine,
    }
}

impl Publisher {
    /// Feeds of a board whose numbers go on after these.
    ///
    /// - `published`: where the numbers are noted before they are used.
    #[must_use]
    pub fn after(numbers: Numbers, published: Published, board: &str, variant: Variant) -> Self {
        let feed = |seq, audience| {
            let last = EventId { epoch: numbers.epoch, seq };
            Arc::new(BoardFeed::after(last, board, variant, audience))
        };
        let (public, arbiter) =
            (feed(numbers.public, Audience::Public), feed(numbers.arbiter, Audience::Arbiter));
        Self { public, arbiter, waiting: VecDeque::new(), published }
    }

    /// The public feed.
    #[must_use]
    pub fn public(&self) -> &Arc<BoardFeed> {
        &self.public
    }

    /// The arbiter's feed.
    #[must_use]
    pub fn arbiter(&self) -> &Arc<BoardFeed> {
        &self.arbiter
    }

    /// The numbers of both feeds.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        let public = self.public.last();
        Numbers { epoch: public.epoch, public: public.seq, arbiter: self.arbiter.last().seq }
    }

    /// How many events wait to be durable.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Publishes an event now, or when `ticket` is durable.
    ///
    /// - `ticket`: its place in the journal; `None` where nothing is kept, or nothing can be.
    pub fn offer(&mut self, event: Event, at: WallTime, ticket: Option<Ticket>) {
        match ticket {
            Some(ticket) if self.must_wait(&event) => self.waiting.push_back(Waiting { ticket, event, at }),
            _ => self.publish(&event, at),
        }
    }

    /// Publishes what is durable up to `upto`.
    pub fn release(&mut self, upto: Ticket) {
        while self.waiting.front().is_some_and(|waiting| waiting.ticket <= upto) {
            let Some(waiting) = self.waiting.pop_front() else { return };
            self.publish(&waiting.event, waiting.at);
        }
    }

    /// Publishes everything that waits: the journal cannot keep its promise, and the game goes on.
    pub fn release_all(&mut self) {
        self.release(Ticket::LAST);
    }

    fn must_wait(&self, event: &Event) -> bool {
        match &event.body {
            EventBody::Contact { .. } | EventBody::Crown { .. } | EventBody::Reserve { .. } => false,
            EventBody::Move { status: MoveStatus::Provisional, record, .. } => {
                self.waiting.iter().any(|waiting| precedes(&waiting.event.body, record.ply))
            }
            _ => urgency(event) == Urgency::Promise || !self.waiting.is_empty(),
        }
    }

    /// Notes that the program is alive, with the numbers as they are.
    pub fn note(&self) {
        self.published.write(self.numbers());
    }

    /// Publishes an event for the arbiter alone, now.
    pub fn tell_arbiter(&self, event: &Event, at: WallTime) {
        let numbers = self.numbers();
        self.published.write(Numbers { arbiter: numbers.arbiter + 1, ..numbers });
        self.arbiter.publish(event, Some(at));
    }

    fn publish(&self, event: &Event, at: WallTime) {
        let Numbers { epoch, public, arbiter } = self.numbers();
        let public = public + u64::from(event.for_public().is_some());
        // Before anybody can see them: a number that was seen is never given again, even if the process ends
        // between the two.
        self.published.write(Numbers { epoch, public, arbiter: arbiter + 1 });
        self.public.publish(event, Some(at));
        self.arbiter.publish(event, Some(at));
    }
}

/// Whether a provisional move of this ply, told before `body`, would be undone by it or make no sense.
fn precedes(body: &EventBody, ply: u32) -> bool {
    match body {
        EventBody::Move { record, .. } => record.ply >= ply,
        EventBody::GameStarted { .. }
        | EventBody::Withdrawn { .. }
        | EventBody::PositionSet { .. }
        | EventBody::Adjourning { .. }
        | EventBody::Paused
        | EventBody::Resumed { .. }
        | EventBody::Result { .. } => true,
        _ => false,
    }
}
