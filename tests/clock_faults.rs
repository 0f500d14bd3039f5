//! What goes wrong with clocks in the course of a game, on a virtual time line: each is survived, each is an event, and
//! afterwards the game has the clock's times. What goes wrong on the wire itself is in `clock_serial.rs`.

use draughtsd::simulator::clock::{Device, End, FramesDevice, LineDevice};
use draughtsd_core::clock::frames::FramesLink;
use draughtsd_core::clock::line::LineLink;
use draughtsd_core::clock::{ClockCommand, ClockTrouble, Link, WhiteEnd};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::trace::{ArbiterInput, ClockEntry};

#[path = "clock/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use world::World;

fn line(control: &str) -> World<LineDevice, LineLink> {
    started(World::new(LineDevice::new(1), LineLink::new(WhiteEnd::Left), control))
}

fn frames(control: &str) -> World<FramesDevice, FramesLink> {
    let mut device = FramesDevice::new();
    device.set_by_hand(60_000, 60_000, Moment::ZERO);
    started(World::new(device, FramesLink::new(WhiteEnd::Left), control))
}

fn started<D: Device, L: Link>(mut world: World<D, L>) -> World<D, L> {
    world.plug();
    world.pass(3000);
    world.arbiter(ArbiterInput::Start);
    world
}

/// The clock and the game agree, within a second.
#[track_caller]
fn agree<D: Device, L: Link>(world: &mut World<D, L>) {
    let (shown, reckoned) = (world.shown(), world.reckoned());
    assert_eq!(shown.running, reckoned.running);
    for (shown, reckoned) in [(shown.white_ms, reckoned.white_ms), (shown.black_ms, reckoned.black_ms)] {
        assert!(shown.abs_diff(reckoned) <= 1000, "the clock has {shown}, the game {reckoned}");
    }
}

fn clock_codes<D: Device, L: Link>(world: &World<D, L>) -> Vec<&'static str> {
    world.codes().into_iter().filter(|code| code.starts_with("clock")).collect()
}

#[test]
fn clock_that_runs_fast_or_slow_is_told_of_once_and_followed() {
    fn plays<D: Device, L: Link>(mut world: World<D, L>) -> Vec<ClockTrouble> {
        for _ in 0..12 {
            world.play(20_000);
        }
        world.pass(3000);
        agree(&mut world);
        assert!(clock_codes(&world).is_empty(), "{:?}", clock_codes(&world));
        world.troubles()
    }
    let fast = |fast| {
        let mut world = World::new(LineDevice::new(1), LineLink::new(WhiteEnd::Left), "3600+10");
        world.fast = fast;
        plays(started(world))
    };
    assert_eq!(fast(50), [ClockTrouble::RunsFast]);
    assert_eq!(fast(2), [], "two parts in a thousand are good enough");
    let mut world = World::new(FramesDevice::new(), FramesLink::new(WhiteEnd::Left), "3600");
    world.device.set_by_hand(60_000, 60_000, Moment::ZERO);
    world.fast = 50;
    assert_eq!(plays(started(world)), [ClockTrouble::RunsFast]);
}

#[test]
fn clock_whose_sides_are_swapped_is_told_of_and_put_right_by_the_arbiter() {
    // White sits on the right, and the link was told that he sits on the left.
    let mut world = World::new(LineDevice::new(1), LineLink::new(WhiteEnd::Left), "600");
    world.crossed = true;
    let mut world = started(world);
    // The arbiter tips the lever so that White's time runs; to the link that is Black's.
    world.device.press(End::Left, world.device_moment());
    for _ in 0..5 {
        world.play(5000);
    }
    world.pass(2000);
    assert_eq!(world.troubles(), [ClockTrouble::SidesSwapped]);
    world.arbiter(ArbiterInput::Clock(ClockEntry::Swap));
    world.pass(2000);
    for _ in 0..4 {
        world.play(5000);
    }
    world.pass(2000);
    assert_eq!(world.troubles(), [ClockTrouble::SidesSwapped], "said once, and right since");
    let (shown, reckoned) = (world.shown(), world.reckoned());
    assert!(shown.black_ms.abs_diff(reckoned.white_ms) < 1000, "{shown:?} {reckoned:?}");
    assert_eq!(shown.running.map(|side| side.opponent()), reckoned.running);
}

#[test]
fn clock_set_by_hand_to_other_times_is_an_alert_and_the_game_has_them() {
    fn plays<D: Device, L: Link>(mut world: World<D, L>) {
        world.play(8000);
        world.play(8000);
        let now = world.device_moment();
        world.device.set_by_hand(1_500_000, 400_000, now);
        world.pass(5000);
        agree(&mut world);
        assert_eq!(clock_codes(&world), ["clock-times-changed"]);
        assert!(world.reckoned().white_ms > 1_400_000);
        // The arbiter puts them back.
        world.arbiter(ArbiterInput::Clock(ClockEntry::Set { white_ms: 580_000, black_ms: 590_000 }));
        world.pass(3000);
        agree(&mut world);
        world.play(8000);
        world.pass(2000);
        agree(&mut world);
        assert_eq!(clock_codes(&world), ["clock-times-changed"], "his own entry is no change");
        assert!(world.shown().white_ms < 580_000);
    }
    plays(line("600"));
    plays(frames("600"));
}

#[test]
fn clock_stopped_by_a_player_is_an_alert_and_stands_in_the_game_too() {
    fn plays<D: Device, L: Link>(mut world: World<D, L>) {
        world.play(8000);
        let now = world.device_moment();
        world.device.stop_by_hand(now);
        world.pass(5000);
        assert_eq!(clock_codes(&world), ["clock-stopped"]);
        agree(&mut world);
        world.arbiter(ArbiterInput::Clock(ClockEntry::Run(Black)));
        world.pass(3000);
        agree(&mut world);
        assert_eq!(world.shown().running, Some(Black));
    }
    plays(line("600"));
    plays(frames("600"));
}

#[test]
fn clock_with_garbage_lost_and_doubled_bytes_for_a_whole_game() {
    fn plays<D: Device, L: Link>(mut world: World<D, L>, tolerance_ms: u64) {
        let mut count: u32 = 0;
        world.from_clock = Box::new(move |bytes| {
            count += 1;
            match count % 7 {
                // Lost, doubled, cut off, with a byte changed, with garbage before it.
                0 => Vec::new(),
                1 => [bytes.clone(), bytes].concat(),
                2 => bytes[..bytes.len() / 2].to_vec(),
                3 => bytes
                    .iter()
                    .enumerate()
                    .map(|(at, byte)| if at == 4 { byte ^ 0x04 } else { *byte })
                    .collect(),
                4 => [b"\x8d\x00\x8d\nOK 1\n\x13".to_vec(), bytes].concat(),
                _ => bytes,
            }
        });
        let began = world.now;
        let mut used = [0, 0];
        let mut turn_began = began;
        for ply in 0..60_u32 {
            world.play(4000 + u64::from(ply % 5) * 3000);
            used[usize::from(ply % 2 == 1)] += world.now - turn_began;
            turn_began = world.now;
        }
        world.from_clock = Box::new(|bytes| bytes);
        world.pass(15_000);
        used[0] += world.now - turn_began;
        world.check(3_600_000 - used[0], 3_600_000 - used[1], White, tolerance_ms);
        assert!(world.troubles().contains(&ClockTrouble::Garbage));
        // Told now and then, not with every byte.
        assert!(world.troubles().len() < 60, "{}", world.troubles().len());
    }
    plays(line("3600"), 100);
    plays(frames("3600"), 1000);
}

#[test]
fn clock_to_which_every_other_request_is_lost() {
    let mut world = line("600+5");
    let mut count = 0;
    world.to_clock = Box::new(move |bytes| {
        count += 1;
        if count % 2 == 0 { bytes } else { Vec::new() }
    });
    for _ in 0..6 {
        world.play(4000);
        world.arbiter(ArbiterInput::Pause);
        world.pass(2000);
        agree(&mut world);
        assert_eq!(world.shown().running, None);
        world.arbiter(ArbiterInput::Resume);
        world.pass(2000);
        agree(&mut world);
    }
    assert!(clock_codes(&world).is_empty(), "{:?}", clock_codes(&world));
}

#[test]
fn clock_that_loses_power_goes_on_with_the_times_that_the_game_kept() {
    fn plays<D: Device, L: Link>(mut world: World<D, L>, replug: bool) {
        world.play(10_000);
        world.play(10_000);
        let before = world.reckoned();
        let now = world.device_moment();
        if replug {
            world.unplug();
        }
        world.device.power_cycle(now);
        world.device.set_by_hand(1_800_000, 1_800_000, now);
        world.pass(1000);
        if replug {
            world.plug();
        }
        world.pass(5000);
        agree(&mut world);
        let shown = world.shown();
        assert!(before.white_ms.abs_diff(shown.white_ms) < 8000, "{before:?} {shown:?}");
        assert!(world.connections().contains(&"Reset".to_owned()));
    }
    plays(line("600"), false);
    plays(line("600"), true);
    plays(frames("600"), true);
}

#[test]
fn clock_shows_the_result_and_stands() {
    let mut world = line("600");
    world.play(5000);
    world.input(draughtsd_core::trace::Input::Button {
        button: draughtsd_core::trace::Button::Resign,
        side: Black,
    });
    world.pass(1000);
    assert_eq!(world.device.text(), Some("2-0"));
    assert_eq!(world.shown().running, None);
    assert!(matches!(world.commands.last(), Some(ClockCommand::Text(_))));
}
