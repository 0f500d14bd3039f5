//! The public's feed behind a delay: what is told waits its time, and everything that the public is served (page, snapshot,
//! stream, PDN) is made of what has come through. Results, clocks, names and the beginning of the next game wait like
//! everything else.
//!
//! The wait is counted by a clock that cannot be set. What waits is not kept anywhere but in the journal; over a restart it
//! is taken from there ([`Past`]). **Invariant:** nothing comes through early. Where it is not known how long ago something
//! was told (a power cut on a machine without a clock of its own, a system clock that was set), it counts as less, so
//! that after a restart the public may be behind by more than the delay and see the last minutes once more.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use draughtsd_core::event::{Event, EventBody};
use draughtsd_core::moment::Moment;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::Header;
use tokio::time::Instant;

use crate::feeds::board_feed::BoardFeed;
use crate::feeds::board_state::About;
use crate::feeds::wall_time::WallTime;
use crate::journal::archive::StoredGame;
use crate::journal::{Entry, Kind, LetOut, MARK_EVERY, Outage};
use crate::stored_game::{event_from_text, moment_of};

/// So many things may wait before contacts that have changed again since are left out: more than an hour of bouncing
/// contacts, 20 MB.
const MANY: usize = 100_000;

/// Something that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A game begins.
    Game {
        /// Its number.
        number: u64,
        /// Which game it is.
        variant: Variant,
        /// Names and the like.
        about: About,
    },
    /// Names and the like have changed.
    About(About),
    /// Something happened, at this time by the calendar.
    Event(Event, WallTime),
}

/// The public's feed, and what waits to get there.
#[derive(Debug)]
pub struct Delayed {
    feed: Arc<BoardFeed>,
    delay: Duration,
    waiting: VecDeque<(Instant, Told)>,
    /// At how many that wait it is looked whether some can be left out.
    thin_out_at: usize,
    let_out: LetOut,
}

impl Delayed {
    /// A feed behind this delay; zero for none.
    pub(super) fn new(feed: Arc<BoardFeed>, delay: Duration) -> Self {
        feed.set_delay(delay);
        Self { feed, delay, waiting: VecDeque::new(), thin_out_at: MANY, let_out: LetOut::default() }
    }

    /// The feed.
    pub(super) const fn feed(&self) -> &Arc<BoardFeed> {
        &self.feed
    }

    /// What has come through so far.
    pub(super) const fn let_out(&self) -> LetOut {
        self.let_out
    }

    /// How much waits.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// When the next thing comes through; `None` while nothing waits.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.waiting.front().map(|(due, _)| *due)
    }

    /// Lets something wait its time. Gives it back if there is no delay, and nothing to wait for.
    pub(super) fn hold(&mut self, told: Told) -> Option<Told> {
        if self.delay.is_zero() {
            return Some(told);
        }
        self.waiting.push_back((Instant::now() + self.delay, told));
        if self.waiting.len() >= self.thin_out_at {
            self.thin_out();
        }
        None
    }

    /// The next thing that has waited long enough.
    pub(super) fn next(&mut self) -> Option<Told> {
        let now = Instant::now();
        let is_due = self.waiting.front().is_some_and(|(due, _)| *due <= now);
        is_due.then(|| self.waiting.pop_front()).flatten().map(|(_, told)| told)
    }

    /// Tells the public. Events get the next number.
    pub(super) fn tell(&mut self, told: Told) {
        self.let_out = self.let_out_after(&told);
        match told {
            Told::Game { number, variant, about } => {
                self.feed.begin_game(&number.to_string(), variant, about);
            }
            Told::About(about) => self.feed.set_about(about),
            Told::Event(event, at) => self.feed.publish(&event, Some(at)),
        }
    }

    /// What has come through once this has.
    pub(super) const fn let_out_after(&self, told: &Told) -> LetOut {
        match told {
            Told::Game { number, .. } => LetOut { game: *number, events: 0 },
            Told::About(_) => self.let_out,
            Told::Event(..) => LetOut { events: self.let_out.events + 1, ..self.let_out },
        }
    }

    /// Goes on where the last run of the program left off: what has waited long enough is taken as told, the rest waits
    /// on.
    pub(super) fn go_on(&mut self, past: Past) {
        let now = Instant::now();
        let mut told = past.told.into_iter().peekable();
        let mut due = Vec::new();
        while let Some(item) = told.next_if(|(age, _)| *age >= self.delay) {
            due.push(item.1);
        }
        self.waiting = told.map(|(age, told)| (now + (self.delay - age), told)).collect();
        let is_game = |told: &Told| matches!(told, Told::Game { .. });
        let Some(from) = due.iter().rposition(is_game) else { return };
        let mut game = due.drain(from..);
        let Some(Told::Game { number, variant, mut about }) = game.next() else { return };
        let mut events = Vec::new();
        for told in game {
            match told {
                Told::About(new) => about = new,
                Told::Event(event, at) => events.push((event, at)),
                // It is the last one.
                Told::Game { .. } => {}
            }
        }
        self.let_out = LetOut { game: number, events: events.len() as u64 };
        let events = events.iter().map(|(event, at)| (event, *at));
        self.feed.go_on_with(&number.to_string(), variant, about, events);
    }

    /// Leaves out changes of contacts that have changed again since: a contact without rest must not fill memory in an
    /// hour.
    fn thin_out(&mut self) {
        let mut later = SquareSet::EMPTY;
        let mut kept = VecDeque::with_capacity(self.waiting.len());
        for (due, told) in std::mem::take(&mut self.waiting).into_iter().rev() {
            match &told {
                Told::Game { .. } => later = SquareSet::EMPTY,
                Told::Event(Event { body: EventBody::Contact { square, .. }, .. }, _) => {
                    if later.contains(*square) {
                        continue;
                    }
                    later.insert(*square);
                }
                _ => {}
            }
            kept.push_front((due, told));
        }
        self.waiting = kept;
        self.thin_out_at = MANY.max(2 * self.waiting.len());
    }
}

/// What the public was told, or is still to be told, of games of an earlier run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// In order, each with the time that it has waited at least.
    told: Vec<(Duration, Told)>,
}

impl Past {
    /// Looks back by so much at least, and to the beginning of a game.
    ///
    /// - `games`: a board's games with their entries, the last one first. No more are taken than are needed.
    /// - `let_out`: what had come through, if that is known.
    /// - `outage`: for how long nothing was recorded.
    ///
    /// # Errors
    /// That of the first game that cannot be had.
    pub fn of<E>(
        games: impl Iterator<Item = Result<(StoredGame, Vec<Entry>), E>>,
        delay: Duration,
        let_out: Option<LetOut>,
        outage: Outage,
    ) -> Result<Self, E> {
        // The last entry may be as much younger than the mark from which the outage is counted.
        let outage = Duration::from_millis(outage.millis().unwrap_or(0)).saturating_sub(MARK_EVERY);
        let mut since = outage;
        let mut backwards = Vec::new();
        for game in games {
            let (stored, entries) = game?;
            let (mut told, length) = told_of(&stored, &entries);
            let mut events = 0;
            for (age, told) in &mut told {
                // Names that changed after the last event that came through may not have.
                let needed = match told {
                    Told::Game { .. } => 0,
                    Told::Event(..) => {
                        events += 1;
                        events
                    }
                    Told::About(_) => events + 1,
                };
                let is_out = let_out.is_some_and(|let_out| let_out.has(stored.number, needed));
                *age = if is_out { Duration::MAX } else { since + *age };
            }
            backwards.extend(told.into_iter().rev());
            since += length;
            if since >= delay {
                break;
            }
        }
        backwards.reverse();
        Ok(Self { told: backwards })
    }
}

/// What the public is told of a stored game, in order, each with the time from then to the game's last entry; and how long
/// the game lasted. Neither is longer than it was: a game's own time line stops while the program is down, and the calendar
/// can be set, so of two entries the shorter of both times counts. An event was told when what it follows from came in; names
/// have no moment, and count as told with what comes after them.
fn told_of(stored: &StoredGame, entries: &[Entry]) -> (Vec<(Duration, Told)>, Duration) {
    let variant = Header::parse(&stored.game.header).map_or(Variant::International, |header| header.board);
    let mut told = Vec::new();
    let mut later: Option<(Moment, WallTime)> = None;
    let mut age = Duration::ZERO;
    // From here on events wait for the entry that they follow from.
    let mut untimed = 0;
    // Results that were entered after the game was over, and stand at its end, are not told on the feeds.
    let is_late = |entry: &&Entry| {
        let may_be = matches!(entry.kind, Kind::Entered | Kind::Event);
        may_be && stored.ended_at.is_some_and(|ended_at| entry.at > ended_at)
    };
    for entry in entries.iter().rev().skip_while(is_late) {
        if let Some(moment) = moment_of(entry.kind.name(), &entry.body) {
            if let Some((then, at)) = later {
                let by_calendar = at.unix_ms().saturating_sub(entry.at.unix_ms());
                age += Duration::from_millis(then.since(moment).min(by_calendar));
            }
            later = Some((moment, entry.at));
            untimed = set_ages(&mut told, untimed, age);
        }
        let news = match entry.kind {
            Kind::Event => {
                let event = event_from_text(&entry.body).ok().filter(|event| event.for_public().is_some());
                event.map(|event| Told::Event(event, entry.at))
            }
            Kind::About => serde_json::from_str(&entry.body).ok().map(Told::About),
            _ => None,
        };
        told.extend(news.map(|news| (age, news)));
    }
    set_ages(&mut told, untimed, age);
    let about = serde_json::from_str(&stored.game.about).unwrap_or_default();
    told.push((age, Told::Game { number: stored.number, variant, about }));
    told.reverse();
    (told, age)
}

/// Sets the age of the events from `from` on. Returns how many things there are.
fn set_ages(told: &mut [(Duration, Told)], from: usize, age: Duration) -> usize {
    for (of_event, _) in told[from..].iter_mut().filter(|(_, told)| matches!(told, Told::Event(..))) {
        *of_event = age;
    }
    told.len()
}
