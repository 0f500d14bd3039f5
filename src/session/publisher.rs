//! When an event goes out: at once, or after it is durable.
//!
//! Final moves, alerts and decisions are promises: nobody may see one that a power cut could undo, so they wait
//! for the journal. Contacts and provisional moves promise nothing and overtake what waits. Everything else keeps
//! its place in the row, that of its audience: nothing public waits for what is the arbiter's alone, or the wait would
//! tell of it.
//!
//! Numbers are given when an event goes out, so each feed's sequence is in the order of publication. The public may be
//! behind: [`delay`](super::delay).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use draughtsd_core::event::{Event, EventBody, MoveStatus};
use draughtsd_core::rules::Variant;
use tokio::time::Instant;

use super::delay::{Delayed, Past, Told};
use crate::feeds::board_feed::BoardFeed;
use crate::feeds::board_state::About;
use crate::feeds::envelope::{Audience, EventId};
use crate::feeds::wall_time::WallTime;
use crate::journal::{Numbers, Published, Ticket, Urgency};

/// The feeds of a board, and what waits to go out on them.
#[derive(Debug)]
pub struct Publisher {
    public: Delayed,
    arbiter: Arc<BoardFeed>,
    waiting: VecDeque<Waiting>,
    published: Published,
}

#[derive(Debug)]
struct Waiting {
    ticket: Ticket,
    told: Told,
    /// Whether the public has it already, or is not to have it.
    public_is_done: bool,
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
        | EventBody::Advice { .. }
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
    /// - `delay`: by how much the public is behind; zero for nothing.
    #[must_use]
    pub fn after(
        numbers: Numbers,
        published: Published,
        board: &str,
        variant: Variant,
        delay: Duration,
    ) -> Self {
        let feed = |seq, audience| {
            let last = EventId { epoch: numbers.epoch, seq };
            Arc::new(BoardFeed::after(last, board, variant, audience))
        };
        let (public, arbiter) =
            (feed(numbers.public, Audience::Public), feed(numbers.arbiter, Audience::Arbiter));
        Self { public: Delayed::new(public, delay), arbiter, waiting: VecDeque::new(), published }
    }

    /// Takes up what the public was told, or is still to be told, of games of an earlier run.
    pub fn go_on(&mut self, past: Past) {
        self.public.go_on(past);
    }

    /// The public feed.
    #[must_use]
    pub const fn public(&self) -> &Arc<BoardFeed> {
        self.public.feed()
    }

    /// The arbiter's feed.
    #[must_use]
    pub fn arbiter(&self) -> &Arc<BoardFeed> {
        &self.arbiter
    }

    /// The numbers of both feeds.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        let public = self.public().last();
        Numbers { epoch: public.epoch, public: public.seq, arbiter: self.arbiter.last().seq }
    }

    /// How many events wait to be durable.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The first that waits to be durable.
    #[must_use]
    pub fn first_waiting(&self) -> Option<Ticket> {
        self.waiting.front().map(|waiting| waiting.ticket)
    }

    /// How much waits until the public may know of it.
    #[must_use]
    pub fn delayed(&self) -> usize {
        self.public.waiting()
    }

    /// A game begins, once everything of the one before it is told.
    pub fn begin_game(&mut self, number: u64, variant: Variant, about: &About) {
        self.tell_in_turn(Told::Game { number, variant, about: about.clone() });
    }

    /// Names and the like of the game have changed.
    pub fn set_about(&mut self, about: &About) {
        if self.game_waits() {
            self.tell_in_turn(Told::About(about.clone()));
        } else {
            self.tell(Told::About(about.clone()), false);
        }
    }

    /// Tells what promises nothing itself after everything that waits.
    fn tell_in_turn(&mut self, told: Told) {
        match self.waiting.back() {
            Some(last) => {
                let ticket = last.ticket;
                self.waiting.push_back(Waiting { ticket, told, public_is_done: false });
            }
            None => self.tell(told, false),
        }
    }

    fn game_waits(&self) -> bool {
        self.waiting.iter().any(|waiting| matches!(waiting.told, Told::Game { .. }))
    }

    /// Tells both audiences, or the arbiter alone.
    fn tell(&mut self, told: Told, public_is_done: bool) {
        match told {
            Told::Event(event, at) => {
                if let (false, Some(event)) = (public_is_done, event.for_public()) {
                    self.tell_public(Told::Event(event, at));
                }
                self.tell_arbiter(&event, at);
            }
            Told::Game { number, variant, ref about } => {
                self.arbiter.begin_game(&number.to_string(), variant, about.clone());
                self.tell_public(told);
            }
            Told::About(ref about) => {
                self.arbiter.set_about(about.clone());
                self.tell_public(told);
            }
        }
    }

    /// When the public may know of something more; `None` while nothing waits for that.
    #[must_use]
    pub fn next_for_the_public(&self) -> Option<Instant> {
        self.public.next_due()
    }

    /// Tells the public what has waited long enough.
    pub fn tell_what_is_due(&mut self) {
        while let Some(told) = self.public.next() {
            self.tell_now(told);
        }
    }

    fn tell_public(&mut self, told: Told) {
        if let Some(told) = self.public.hold(told) {
            self.tell_now(told);
        }
    }

    fn tell_now(&mut self, told: Told) {
        let Numbers { epoch, public, arbiter } = self.numbers();
        let is_event = matches!(told, Told::Event(..));
        // Before anybody can see it: a number that was seen is never given again, even if the process ends
        // between the two.
        let after = self.public.let_out_after(&told);
        self.published.write(Numbers { epoch, public: public + u64::from(is_event), arbiter }, after);
        self.public.tell(told);
    }

    /// Publishes an event now, or when `ticket` is durable.
    ///
    /// - `ticket`: its place in the journal; `None` where nothing is kept, or nothing can be.
    pub fn offer(&mut self, event: Event, at: WallTime, ticket: Option<Ticket>) {
        let public_event = event.for_public();
        let public_waits = ticket.is_some() && self.must_wait(&event, |waiting| !waiting.public_is_done);
        let public_is_done = public_event.is_none() || !public_waits;
        let arbiter_waits = ticket.filter(|_| self.must_wait(&event, |_| true));
        if let (false, Some(event)) = (public_waits, public_event) {
            self.tell_public(Told::Event(event, at));
        }
        match arbiter_waits {
            Some(ticket) => {
                self.waiting.push_back(Waiting { ticket, told: Told::Event(event, at), public_is_done });
            }
            None => self.tell_arbiter(&event, at),
        }
    }

    /// Publishes what is durable up to `upto`.
    pub fn release(&mut self, upto: Ticket) {
        while self.waiting.front().is_some_and(|waiting| waiting.ticket <= upto) {
            let Some(Waiting { told, public_is_done, .. }) = self.waiting.pop_front() else { return };
            self.tell(told, public_is_done);
        }
    }

    /// Whether an event has to wait for those before it, or to be durable.
    ///
    /// - `counts`: whether one that waits counts for the audience.
    fn must_wait(&self, event: &Event, counts: impl Fn(&Waiting) -> bool) -> bool {
        if self.game_waits() {
            return true;
        }
        let mut before = self.waiting.iter().filter(|waiting| counts(waiting));
        match &event.body {
            EventBody::Contact { .. } | EventBody::Crown { .. } | EventBody::Reserve { .. } => false,
            EventBody::Move { status: MoveStatus::Provisional, record, .. } => {
                before.any(|waiting| precedes(&waiting.told, record.ply))
            }
            _ => urgency(event) == Urgency::Promise || before.next().is_some(),
        }
    }

    /// Notes that the program is alive, with the numbers as they are.
    pub fn note(&mut self) {
        self.published.write(self.numbers(), self.public.let_out());
    }

    /// Tells the arbiter alone, now.
    pub fn tell_arbiter(&mut self, event: &Event, at: WallTime) {
        let numbers = self.numbers();
        self.published.write(Numbers { arbiter: numbers.arbiter + 1, ..numbers }, self.public.let_out());
        self.arbiter.publish(event, Some(at));
    }
}

/// Whether a provisional move of this ply, told before this, would be undone by it or make no sense.
fn precedes(told: &Told, ply: u32) -> bool {
    let Told::Event(Event { body, .. }, _) = told else { return false };
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

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::event::EndReason;
    use draughtsd_core::moment::Moment;
    use draughtsd_core::piece::Side;
    use draughtsd_core::square::Square;
    use draughtsd_core::trace::{Button, DrawClaim, GameResult};

    #[test]
    fn nothing_public_waits_for_what_is_the_arbiters_alone() {
        let variant = Variant::Russian;
        let mut publisher =
            Publisher::after(Numbers::default(), Published::nowhere(), "1", variant, Duration::ZERO);
        let seqs = |publisher: &Publisher| (publisher.public().last().seq, publisher.arbiter().last().seq);
        let mut order = 0;
        let mut offer = |publisher: &mut Publisher, body| {
            order += 1;
            let event = Event { t: Moment::ZERO, body };
            publisher.offer(event, WallTime::now(), Some(Ticket::of_order(order)));
            seqs(publisher)
        };
        // Kept before it is told, and for the arbiter alone.
        let claim = EventBody::DrawClaim { claim: DrawClaim::White };
        assert_eq!(offer(&mut publisher, claim), (0, 0));
        // What follows it waits on the arbiter's side, and not on the other.
        assert_eq!(offer(&mut publisher, EventBody::Press { side: Side::White }), (1, 0));
        let button = EventBody::Button { button: Button::Draw, side: Side::White };
        assert_eq!(offer(&mut publisher, button), (1, 0));
        // A promise waits on both, and what follows it as well.
        let result = EventBody::Result { result: GameResult::Draw, reason: EndReason::Arbiter };
        assert_eq!(offer(&mut publisher, result), (1, 0));
        assert_eq!(offer(&mut publisher, EventBody::Press { side: Side::Black }), (1, 0));
        publisher.release(Ticket::of_order(1));
        assert_eq!(seqs(&publisher), (1, 1));
        publisher.release(Ticket::of_order(3));
        assert_eq!(seqs(&publisher), (1, 3));
        publisher.release(Ticket::LAST);
        assert_eq!(seqs(&publisher), (3, 5));
    }

    #[test]
    fn a_game_begins_when_everything_of_the_one_before_is_told() {
        let variant = Variant::Russian;
        let mut publisher =
            Publisher::after(Numbers::default(), Published::nowhere(), "1", variant, Duration::ZERO);
        let shown = |publisher: &Publisher| {
            let of = |feed: &BoardFeed| {
                let snapshot: serde_json::Value = serde_json::from_str(&feed.snapshot().data).unwrap();
                format!("{} {} {}", snapshot["game"], snapshot["phase"], snapshot["about"]["white"])
            };
            let shown = of(publisher.public());
            assert_eq!(shown, of(publisher.arbiter()));
            shown
        };
        publisher.begin_game(1, variant, &About::default());
        let event = |body| Event { t: Moment::ZERO, body };
        let result = EventBody::Result { result: GameResult::Draw, reason: EndReason::Arbiter };
        publisher.offer(event(result), WallTime::now(), Some(Ticket::of_order(1)));
        publisher.begin_game(2, variant, &About::default());
        publisher.set_about(&About { white: Some("A".into()), ..About::default() });
        // Not even a contact overtakes the beginning of its game.
        let contact = EventBody::Contact { square: Square::new(7).unwrap(), closed: true };
        publisher.offer(event(contact), WallTime::now(), Some(Ticket::of_order(2)));
        assert_eq!(shown(&publisher), r#""1" "waiting" null"#);
        publisher.release(Ticket::of_order(1));
        assert_eq!(shown(&publisher), r#""2" "waiting" "A""#);
        assert_eq!(publisher.public().last().seq, 1);
        publisher.release(Ticket::of_order(2));
        assert_eq!(publisher.public().last().seq, 2);
    }
}
