//! A game of two hours with the clock unplugged five times: afterwards its times are the true ones.
//!
//! The truth is reckoned here, from the moments at which the players press and nothing else.

use draughtsd::simulator::clock::{Device, FramesDevice, LineDevice};
use draughtsd_core::clock::frames::FramesLink;
use draughtsd_core::clock::internal::InternalClock;
use draughtsd_core::clock::line::LineLink;
use draughtsd_core::clock::{ClockCommand, ClockEvent, Link, WhiteEnd};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side::{self, Black, White};
use draughtsd_core::time_control::{Bonus, TimeControl};
use draughtsd_core::trace::ArbiterInput;

#[path = "clock/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use world::World;

/// Two hours.
const GAME_MS: u64 = 2 * 3600 * 1000;

/// Both times, by the moments of the presses alone.
struct Truth {
    left_ms: [u64; 2],
    running: Side,
    since: u64,
    bonus: Bonus,
}

impl Truth {
    fn begin(control: &str, now: u64) -> Self {
        let control: TimeControl = control.parse().expect("a time control");
        let bonus = control.period(0).bonus;
        Self { left_ms: [control.starting_ms(); 2], running: White, since: now, bonus }
    }

    fn press(&mut self, now: u64) {
        let used = now - self.since;
        let left = &mut self.left_ms[self.running as usize];
        *left = *left - used + self.bonus.for_move(used);
        (self.running, self.since) = (self.running.opponent(), now);
    }

    fn at(&self, now: u64) -> (u64, u64) {
        let left = |side: Side| {
            self.left_ms[side as usize] - if self.running == side { now - self.since } else { 0 }
        };
        (left(White), left(Black))
    }
}

/// Numbers that are different and always the same.
struct Numbers(u64);

impl Numbers {
    fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        least + (self.0 >> 33) % (most - least)
    }
}

/// Plays for two hours; five times the plug is pulled, for a minute and a half or so, wherever the game is. After each
/// outage and at the end both the clock and the game have the true times.
fn two_hours<D: Device, L: Link>(device: D, link: L, control: &str, seed: u64, tolerance_ms: u64) {
    let mut world = World::new(device, link, control);
    let mut numbers = Numbers(seed);
    world.plug();
    world.pass(1500);
    world.arbiter(ArbiterInput::Start);
    let mut truth = Truth::begin(control, world.now);
    let mut outages = 0;
    let mut back_at = None;
    while world.now < GAME_MS {
        let think = numbers.between(4000, 70_000);
        // The plug is pulled, or put back, somewhere within the player's thought.
        let first = numbers.between(500, think - 2500);
        world.pass(first);
        if let Some(at) = back_at {
            if world.now >= at {
                world.plug();
                back_at = None;
            }
        } else if outages < 5 && world.now > (outages + 1) * GAME_MS / 7 {
            world.unplug();
            outages += 1;
            back_at = Some(world.now + numbers.between(1000, 180_000));
        }
        world.play(think - first);
        truth.press(world.now);
        if back_at.is_none() {
            world.pass(3000);
            let (white, black) = truth.at(world.now);
            world.check(white, black, truth.running, tolerance_ms);
        }
    }
    assert_eq!(outages, 5);
    assert!(back_at.is_none(), "the last outage is over");
    let odd: Vec<_> = world.codes().into_iter().filter(|code| code.starts_with("clock")).collect();
    assert!(odd.is_empty(), "{odd:?}");
    assert_eq!(world.connections().len(), 11, "{:?}", world.connections());
}

#[test]
fn clock_on_the_line_is_right_within_100_ms_after_five_outages() {
    for (seed, control) in [(1, "5400+30"), (2, "7200"), (3, "4800+60"), (4, "6000d20"), (5, "5400+30")] {
        two_hours(LineDevice::new(7), LineLink::new(WhiteEnd::Left), control, seed, 100);
    }
}

#[test]
fn clock_behind_frames_is_right_within_a_second_after_five_outages() {
    for (seed, control) in [(1, "5400+30"), (2, "7200"), (3, "4800+60"), (4, "7200"), (5, "5400+30")] {
        two_hours(FramesDevice::new(), FramesLink::new(WhiteEnd::Left), control, seed, 1000);
    }
}

/// The daemon's own clock has no plug; what can fail is that nobody wakes it for a while.
#[test]
fn clock_of_the_daemon_is_right_within_100_ms_after_five_stalls() {
    let control = "5400+30";
    let mut clock = InternalClock::new();
    let mut numbers = Numbers(9);
    clock.opened(Moment::ZERO);
    let (mut game, effects) = draughtsd_core::game::Game::new(draughtsd_core::game::GameSetup {
        clock: draughtsd_core::trace::ClockLink::Linked,
        time_control: Some(control.to_owned()),
        ..draughtsd_core::game::GameSetup::new(draughtsd_core::rules::Variant::International)
    });
    let mut commands = Vec::new();
    let gather = |effects: Vec<draughtsd_core::game::Effect>, commands: &mut Vec<ClockCommand>| {
        for effect in effects {
            if let draughtsd_core::game::Effect::Clock(command) = effect {
                commands.push(command);
            }
        }
    };
    drop(effects);
    let mut now = 1000;
    let at = Moment::from_millis;
    for (heard, event) in clock.take_events() {
        let input = ClockEvent::input(event);
        gather(input.map(|input| game.handle(heard, input)).unwrap_or_default(), &mut commands);
    }
    let started = draughtsd_core::trace::Input::Arbiter(ArbiterInput::Start);
    gather(game.handle(at(now), started), &mut commands);
    let mut truth = Truth::begin(control, now);
    let (mut moves, mut stalls) = (0, 0);
    while now < GAME_MS {
        let think = numbers.between(2000, 70_000);
        let stalls_now = moves % 20 == 10 && stalls < 5;
        stalls += u64::from(stalls_now);
        moves += 1;
        for command in commands.drain(..) {
            clock.command(command, at(now));
        }
        if !stalls_now {
            clock.advance(at(now + think / 2));
        }
        now += think;
        clock.press(truth.running, at(now));
        truth.press(now);
        for (heard, event) in clock.take_events() {
            let input = ClockEvent::input(event);
            gather(input.map(|input| game.handle(heard, input)).unwrap_or_default(), &mut commands);
        }
        let (white, black) = truth.at(now);
        let times = game.clock_times().expect("a time control");
        assert!(
            times.white_ms.abs_diff(white).max(times.black_ms.abs_diff(black)) <= 100,
            "{times:?} at {now}"
        );
    }
    assert_eq!(stalls, 5);
}
