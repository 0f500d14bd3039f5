//! A board, a game, a link and a simulated clock on one virtual time line: hours pass in no time, and each run is the
//! same.

use std::collections::VecDeque;

use draughtsd::simulator::clock::{Device, End};
use draughtsd_core::clock::{ClockCommand, ClockTrouble, Link};
use draughtsd_core::event::{Event, EventBody};
use draughtsd_core::game::{Effect, Game, GameSetup};
use draughtsd_core::moment::Moment;
use draughtsd_core::notation::fen;
use draughtsd_core::piece::Side;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::Square;
use draughtsd_core::trace::{ArbiterInput, ClockLink, ClockReport, Input};

/// How long bytes take from one end of the wire to the other.
const WIRE_MS: u64 = 8;

/// What happens to the bytes of the clock on their way.
pub(crate) type Wire = Box<dyn FnMut(Vec<u8>) -> Vec<u8>>;

/// Everything at one table.
pub(crate) struct World<D, L> {
    pub(crate) now: u64,
    pub(crate) device: D,
    pub(crate) link: L,
    pub(crate) game: Game,
    pub(crate) events: Vec<Event>,
    pub(crate) commands: Vec<ClockCommand>,
    /// What the wire does to bytes from the clock, and to bytes for it.
    pub(crate) from_clock: Wire,
    pub(crate) to_clock: Wire,
    /// The clock's time runs this many thousandths faster.
    pub(crate) fast: u64,
    is_plugged: bool,
    /// White presses on the right, against what the link was told.
    pub(crate) crossed: bool,
    down: VecDeque<(u64, Vec<u8>)>,
    up: VecDeque<(u64, Vec<u8>)>,
    ply: usize,
}

/// What has come to the end of the wire by now.
fn arrived(wire: &mut VecDeque<(u64, Vec<u8>)>, now: u64) -> Vec<Vec<u8>> {
    let count = wire.iter().take_while(|(at, _)| *at <= now).count();
    wire.drain(..count).map(|(_, bytes)| bytes).collect()
}

fn square(number: u8) -> Square {
    Square::new(number).expect("a square of the board")
}

/// Where each side's king goes, back and forth; the two never meet.
const SHUFFLE: [[(u8, u8); 2]; 2] = [[(50, 44), (44, 50)], [(1, 7), (7, 1)]];

impl<D: Device, L: Link> World<D, L> {
    /// A game of two kings with this time control, the clock not plugged in.
    pub(crate) fn new(device: D, link: L, time_control: &str) -> Self {
        let start = fen::parse_position("W:WK50:BK1", Variant::International).expect("a position");
        let setup = GameSetup {
            start,
            closed: start.occupied(),
            clock: ClockLink::Linked,
            time_control: Some(time_control.to_owned()),
            ..GameSetup::new(Variant::International)
        };
        let (game, effects) = Game::new(setup);
        let mut world = Self {
            now: 0,
            device,
            link,
            game,
            events: Vec::new(),
            commands: Vec::new(),
            from_clock: Box::new(|bytes| bytes),
            to_clock: Box::new(|bytes| bytes),
            fast: 0,
            is_plugged: false,
            crossed: false,
            down: VecDeque::new(),
            up: VecDeque::new(),
            ply: 0,
        };
        world.perform(effects);
        world
    }

    pub(crate) fn plug(&mut self) {
        self.is_plugged = true;
        self.link.opened(self.moment());
        self.settle();
    }

    pub(crate) fn unplug(&mut self) {
        self.is_plugged = false;
        self.up.clear();
        self.down.clear();
        self.link.closed(self.moment());
        self.settle();
    }

    /// The arbiter starts the game, or enters something else.
    pub(crate) fn arbiter(&mut self, entry: ArbiterInput) {
        self.input(Input::Arbiter(entry));
    }

    pub(crate) fn input(&mut self, input: Input) {
        let effects = self.game.handle(self.moment(), input);
        self.perform(effects);
        self.settle();
    }

    /// The side on turn thinks for so long, moves its king and presses; the clock's lever is pressed where there is
    /// one.
    pub(crate) fn play(&mut self, think_ms: u64) {
        self.think_and_move(think_ms);
        self.press();
    }

    /// As [`World::play`], without the press.
    pub(crate) fn think_and_move(&mut self, think_ms: u64) {
        assert!(think_ms > 1500, "hands need a moment");
        let (from, to) = SHUFFLE[self.ply % 2][self.ply / 2 % 2];
        self.pass(think_ms - 1200);
        self.input(Input::Contact { square: square(from), closed: false });
        self.pass(700);
        self.input(Input::Contact { square: square(to), closed: true });
        self.pass(500);
    }

    pub(crate) fn press(&mut self) {
        let white = self.ply.is_multiple_of(2);
        self.ply += 1;
        let end = if white == self.crossed { End::Right } else { End::Left };
        self.device.press(end, self.device_moment());
        self.settle();
    }

    /// Lets time pass.
    pub(crate) fn pass(&mut self, millis: u64) {
        let until = self.now + millis;
        while self.now < until {
            let device = self.device.next_wake().map(|wake| self.daemon_time(wake.millis()));
            let queued = self.down.front().into_iter().chain(self.up.front()).map(|(at, _)| *at);
            let wakes = self.link.next_wake().into_iter().chain(self.game.next_wake());
            let next = wakes.map(Moment::millis).chain(device).chain(queued).min().unwrap_or(until);
            self.now = next.clamp(self.now + 1, until);
            self.settle();
        }
    }

    /// Does all that is due now.
    fn settle(&mut self) {
        let now = self.now;
        for bytes in arrived(&mut self.down, now) {
            self.device.receive(&bytes, self.device_moment());
        }
        for bytes in arrived(&mut self.up, now) {
            self.link.receive(&bytes, Moment::from_millis(now));
        }
        self.device.advance(self.device_moment());
        self.link.advance(self.moment());
        let effects = self.game.advance(self.moment());
        self.perform(effects);
        for (_, event) in self.link.take_events() {
            if let Some(input) = event.input() {
                let effects = self.game.handle(self.moment(), input);
                self.perform(effects);
            }
        }
        let bytes = self.device.take_bytes();
        let bytes = if bytes.is_empty() { bytes } else { (self.from_clock)(bytes) };
        if self.is_plugged && !bytes.is_empty() {
            self.up.push_back((now + WIRE_MS, bytes));
        }
        let bytes = self.link.take_bytes();
        let bytes = if bytes.is_empty() { bytes } else { (self.to_clock)(bytes) };
        if self.is_plugged && !bytes.is_empty() {
            self.down.push_back((now + WIRE_MS, bytes));
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Publish(event) => self.events.push(event),
                Effect::Clock(command) => {
                    self.commands.push(command.clone());
                    self.link.command(command, Moment::from_millis(self.now));
                }
            }
        }
    }

    fn moment(&self) -> Moment {
        Moment::from_millis(self.now)
    }

    pub(crate) fn device_moment(&self) -> Moment {
        Moment::from_millis(self.now + self.now * self.fast / 1000)
    }

    fn daemon_time(&self, millis: u64) -> u64 {
        (millis * 1000).div_ceil(1000 + self.fast)
    }

    /// What the clock has now.
    pub(crate) fn shown(&mut self) -> ClockReport {
        let now = self.device_moment();
        self.device.shows(now)
    }

    /// What the game reckons now.
    pub(crate) fn reckoned(&self) -> ClockReport {
        self.game.clock_times().expect("a time control")
    }

    pub(crate) fn troubles(&self) -> Vec<ClockTrouble> {
        let trouble = |event: &Event| match event.body {
            EventBody::ClockTrouble { trouble } => Some(trouble),
            _ => None,
        };
        self.events.iter().filter_map(trouble).collect()
    }

    /// The codes of the alerts, in the order in which they opened.
    pub(crate) fn codes(&self) -> Vec<&'static str> {
        self.game.summary().alerts.iter().map(|alert| alert.code.name()).collect()
    }

    pub(crate) fn connections(&self) -> Vec<String> {
        let connection = |event: &Event| match event.body {
            EventBody::ClockConnection { connection } => Some(format!("{connection:?}")),
            _ => None,
        };
        self.events.iter().filter_map(connection).collect()
    }

    /// Both ends of the wire have these times, within `tolerance_ms`.
    #[track_caller]
    pub(crate) fn check(&mut self, white_ms: u64, black_ms: u64, running: Side, tolerance_ms: u64) {
        for (who, times) in [("the clock", self.shown()), ("the game", self.reckoned())] {
            let off = times.white_ms.abs_diff(white_ms).max(times.black_ms.abs_diff(black_ms));
            assert!(
                off <= tolerance_ms,
                "at {} {who} has {} {}, in truth {white_ms} {black_ms}: {off} ms off",
                self.now,
                times.white_ms,
                times.black_ms
            );
            assert_eq!(times.running, Some(running), "{who} at {}", self.now);
        }
    }
}
