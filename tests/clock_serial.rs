//! Clocks on pseudo-terminals: the daemon's thread on one end, a simulated clock (or a Python program) on the other,
//! and what goes wrong with wires and clocks in between.
//!
//! Nothing here depends on how fast the machine is: a test waits for what has to happen, for as long as it takes.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use draughtsd::clock::{Clock, Driver, LinkedClock, PortSettings, SerialPorts};
use draughtsd::simulator::clock::pty::PluggedIn;
use draughtsd::simulator::clock::{Device, End, FramesDevice, LineDevice};
use draughtsd_core::clock::{
    ClockCommand, ClockConnection, ClockEvent, ClockSetting, ClockTrouble, SideSetting, TimeMode, WhiteEnd,
};
use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side::{self, Black, White};
use draughtsd_core::time_control::Bonus;
use draughtsd_core::trace::ClockReport;

#[path = "clock/python.rs"]
mod python;

use python::Python;

/// So long a test waits before it says that something never happened.
const FOR_EVER: Duration = Duration::from_secs(60);

/// A folder with a name for the port that stays the same, as udev would make one.
struct StableName {
    folder: PathBuf,
}

impl StableName {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("draughtsd-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("clock")
    }

    fn leads_to(&self, port: &Path) {
        self.leads_nowhere();
        symlink(port, self.path()).unwrap();
    }

    fn leads_nowhere(&self) {
        let _ = fs::remove_file(self.path());
    }
}

impl Drop for StableName {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The daemon's end.
struct Daemon {
    clock: LinkedClock,
    runtime: tokio::runtime::Runtime,
    seen: Vec<ClockEvent>,
}

impl Daemon {
    fn on(name: &StableName, driver: Driver) -> Self {
        let settings = PortSettings { path: name.path(), baud: driver.baud() };
        let clock = LinkedClock::serial(driver, SerialPorts(settings), WhiteEnd::Left);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        Self { clock, runtime, seen: Vec::new() }
    }

    /// Waits for an event; what comes before it is kept in `seen`.
    #[track_caller]
    fn wait<T>(&mut self, what: &str, wanted: impl Fn(&ClockEvent) -> Option<T>) -> T {
        let until = Instant::now() + FOR_EVER;
        while Instant::now() < until {
            let next = async { tokio::time::timeout(FOR_EVER, self.clock.next()).await };
            let Ok(heard) = self.runtime.block_on(next) else { break };
            self.seen.push(heard.event);
            if let Some(found) = wanted(&heard.event) {
                return found;
            }
        }
        panic!("waited in vain for {what}; seen: {:?}", self.seen);
    }

    #[track_caller]
    fn wait_for(&mut self, event: ClockEvent) {
        self.wait(&format!("{event:?}"), |seen| (*seen == event).then_some(()));
    }

    #[track_caller]
    fn wait_for_report(&mut self, what: &str, wanted: impl Fn(&ClockReport) -> bool) -> ClockReport {
        self.wait(what, |event| match event {
            ClockEvent::Report(report) if wanted(report) => Some(*report),
            _ => None,
        })
    }

    #[track_caller]
    fn connected(&mut self) -> ClockConnection {
        self.wait("a connection", |event| match event {
            ClockEvent::Connection(connection) if *connection != ClockConnection::Lost => Some(*connection),
            _ => None,
        })
    }

    fn lost(&mut self) {
        self.wait_for(ClockEvent::Connection(ClockConnection::Lost));
    }

    /// Sets both times to so many minutes; the given side runs.
    fn set(&mut self, minutes: u64, bonus: Bonus, running: Option<Side>) {
        let side = |side| SideSetting {
            left_ms: minutes * 60_000,
            mode: if running == Some(side) { TimeMode::Down } else { TimeMode::Stopped },
            bonus,
        };
        self.clock.command(ClockCommand::Set(ClockSetting { white: side(White), black: side(Black) }));
    }
}

fn near(left_ms: u64, expected_ms: u64) -> bool {
    // A slow machine lets time pass; nobody waits for two minutes here.
    left_ms <= expected_ms + 1000 && left_ms + 2 * 60_000 > expected_ms
}

/// A clock that was plugged in, connected and set to ten minutes, White's time running.
fn playing<D: Device + 'static>(
    test: &str,
    driver: Driver,
    device: D,
    bonus: Bonus,
) -> (StableName, Daemon, PluggedIn<D>) {
    let name = StableName::new(test);
    let plugged = PluggedIn::new(device, Instant::now()).unwrap();
    name.leads_to(plugged.path());
    let mut daemon = Daemon::on(&name, driver);
    daemon.connected();
    daemon.set(10, bonus, Some(White));
    daemon.wait_for_report("ten minutes", |report| {
        near(report.white_ms, 600_000) && report.running == Some(White)
    });
    (name, daemon, plugged)
}

fn line(test: &str) -> (StableName, Daemon, PluggedIn<LineDevice>) {
    playing(test, Driver::Line, LineDevice::new(1), Bonus::Fischer { ms: 5000 })
}

fn frames(test: &str) -> (StableName, Daemon, PluggedIn<FramesDevice>) {
    playing(test, Driver::Frames, FramesDevice::new(), Bonus::Fischer { ms: 5000 })
}

fn press<D: Device + 'static>(plugged: &PluggedIn<D>, end: End) {
    plugged.act(move |device, now| device.press(end, now));
}

fn garbage<D: Device + 'static>(device: D, plugged_in: Instant, name: &StableName) -> PluggedIn<Noisy<D>> {
    let plugged = PluggedIn::new(Noisy { device, noise: Vec::new(), keeps: 1 }, plugged_in).unwrap();
    name.leads_to(plugged.path());
    plugged
}

/// A clock on a bad wire: bytes are put in, doubled and lost.
struct Noisy<D> {
    device: D,
    /// Put before everything that the clock sends.
    noise: Vec<u8>,
    /// How often everything that it sends arrives.
    keeps: usize,
}

impl<D: Device> Device for Noisy<D> {
    fn receive(&mut self, bytes: &[u8], now: Moment) {
        self.device.receive(bytes, now);
    }

    fn advance(&mut self, now: Moment) {
        self.device.advance(now);
    }

    fn next_wake(&self) -> Option<Moment> {
        self.device.next_wake()
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        let bytes = self.device.take_bytes();
        if bytes.is_empty() {
            return bytes;
        }
        let mut all = self.noise.clone();
        for _ in 0..self.keeps {
            all.extend(&bytes);
        }
        all
    }

    fn press(&mut self, end: End, now: Moment) {
        self.device.press(end, now);
    }

    fn set_by_hand(&mut self, left_ms: u64, right_ms: u64, now: Moment) {
        self.device.set_by_hand(left_ms, right_ms, now);
    }

    fn stop_by_hand(&mut self, now: Moment) {
        self.device.stop_by_hand(now);
    }

    fn power_cycle(&mut self, now: Moment) {
        self.device.power_cycle(now);
    }

    fn shows(&mut self, now: Moment) -> ClockReport {
        self.device.shows(now)
    }

    fn text(&self) -> Option<&str> {
        self.device.text()
    }
}

// Set and run, presses, texts.

#[test]
fn clock_line_is_set_pressed_and_shows_a_text() {
    let (_name, mut daemon, plugged) = line("line-plays");
    press(&plugged, End::Left);
    daemon.wait_for(ClockEvent::Press(White));
    let report = daemon.wait_for_report("White's bonus", |report| report.running == Some(Black));
    assert!(near(report.white_ms, 605_000), "{report:?}");
    press(&plugged, End::Left);
    press(&plugged, End::Right);
    daemon.wait_for(ClockEvent::Press(Black));
    daemon.clock.command(ClockCommand::Text("2-0".to_owned()));
    while plugged.act(|device, _| device.text().map(str::to_owned)) != Some("2-0".to_owned()) {
        std::thread::yield_now();
    }
    daemon.clock.command(ClockCommand::EndText);
    while plugged.act(|device, _| device.text().is_some()) {
        std::thread::yield_now();
    }
    let presses = daemon.seen.iter().filter(|event| matches!(event, ClockEvent::Press(_))).count();
    assert_eq!(presses, 2, "a press of a side that stands is none");
}

#[test]
fn clock_frames_is_set_pressed_and_given_its_bonus() {
    let (_name, mut daemon, plugged) = frames("frames-plays");
    press(&plugged, End::Left);
    daemon.wait_for(ClockEvent::Press(White));
    daemon.wait_for_report("Black's time", |report| report.running == Some(Black));
    while plugged.act(|device, now| device.shows(now).white_ms) < 601_000 {
        std::thread::yield_now();
    }
    press(&plugged, End::Right);
    daemon.wait_for(ClockEvent::Press(Black));
    daemon.clock.command(ClockCommand::Text("1-1".to_owned()));
    while plugged.act(|device, _| device.text().map(str::to_owned)) != Some("1-1".to_owned()) {
        std::thread::yield_now();
    }
}

// Unplugged, and plugged in again under another name.

/// Plugs a clock in so that its port has another name than `old`.
fn plug_in_elsewhere<D: Device + 'static>(device: D, old: &Path) -> PluggedIn<D> {
    // The old name is free, and the system gives free names again: something else has to take it.
    let mut spares = Vec::new();
    while spares.len() < 16 && spares.last().is_none_or(|spare: &PluggedIn<LineDevice>| spare.path() != old) {
        spares.push(PluggedIn::new(LineDevice::new(9), Instant::now()).unwrap());
    }
    let plugged = PluggedIn::new(device, Instant::now()).unwrap();
    assert_ne!(plugged.path(), old);
    plugged
}

#[test]
fn clock_line_unplugged_and_plugged_in_under_another_name() {
    let (name, mut daemon, plugged) = line("line-replug");
    let old = plugged.path().to_owned();
    let mut device = plugged.unplug();
    name.leads_nowhere();
    daemon.lost();
    // Meanwhile White presses on the clock itself.
    device.press(End::Left, Moment::ZERO);
    let plugged = plug_in_elsewhere(device, &old);
    name.leads_to(plugged.path());
    assert_eq!(daemon.connected(), ClockConnection::Kept);
    let report = daemon.wait_for_report("its own times", |report| report.running == Some(Black));
    assert!(near(report.white_ms, 605_000) && near(report.black_ms, 600_000), "{report:?}");
}

#[test]
fn clock_frames_unplugged_and_plugged_in_under_another_name() {
    let (name, mut daemon, plugged) = frames("frames-replug");
    let old = plugged.path().to_owned();
    let mut device = plugged.unplug();
    name.leads_nowhere();
    daemon.lost();
    device.press(End::Left, Moment::ZERO);
    let plugged = plug_in_elsewhere(device, &old);
    name.leads_to(plugged.path());
    assert_eq!(daemon.connected(), ClockConnection::KeptWithoutBonus);
    let report = daemon.wait_for_report("its own times", |report| report.running == Some(Black));
    assert!(near(report.white_ms, 600_000), "{report:?}");
}

#[test]
fn clock_line_that_lost_its_power_or_is_another_one_knows_nothing_of_the_game() {
    let (_name, mut daemon, plugged) = line("line-power");
    plugged.act(|device, now| device.power_cycle(now));
    assert_eq!(daemon.connected(), ClockConnection::Reset);
    daemon.set(3, Bonus::None, Some(Black));
    daemon.wait_for_report("the new times", |report| report.running == Some(Black));
}

#[test]
fn clock_frames_that_lost_its_power_knows_nothing_of_the_game() {
    let (name, mut daemon, plugged) = frames("frames-power");
    let mut device = plugged.unplug();
    name.leads_nowhere();
    daemon.lost();
    let began = Instant::now();
    device.power_cycle(Moment::ZERO);
    device.set_by_hand(1_800_000, 1_800_000, Moment::ZERO);
    let plugged = PluggedIn::new(device, began).unwrap();
    name.leads_to(plugged.path());
    assert_eq!(daemon.connected(), ClockConnection::Reset);
}

#[test]
fn clock_that_is_not_there_yet_is_found_when_it_is_plugged_in() {
    for driver in [Driver::Line, Driver::Frames] {
        let name = StableName::new(&format!("later-{driver:?}"));
        let mut daemon = Daemon::on(&name, driver);
        daemon.lost();
        let began = Instant::now();
        match driver {
            Driver::Line => {
                let plugged = PluggedIn::new(LineDevice::new(1), began).unwrap();
                name.leads_to(plugged.path());
                daemon.connected();
            }
            _ => {
                let mut device = FramesDevice::new();
                device.set_by_hand(60_000, 60_000, Moment::ZERO);
                let plugged = PluggedIn::new(device, began).unwrap();
                name.leads_to(plugged.path());
                daemon.connected();
            }
        }
    }
}

// Garbage, duplicates, zeros, lost answers.

#[test]
fn clock_line_with_garbage_and_everything_sent_twice() {
    let name = StableName::new("line-garbage");
    let plugged = garbage(LineDevice::new(1), Instant::now(), &name);
    plugged.act(|noisy, _| {
        noisy.keeps = 2;
        noisy.noise = b"\x00\xff\x8d\x00\nTIME 1 1 1 left left 9 9*0000\n".to_vec();
    });
    let mut daemon = Daemon::on(&name, Driver::Line);
    daemon.connected();
    daemon.set(10, Bonus::None, Some(White));
    daemon.wait_for_report("ten minutes", |report| near(report.white_ms, 600_000));
    for end in [End::Left, End::Right, End::Left] {
        press(&plugged, end);
        let side = if end == End::Left { White } else { Black };
        daemon.wait_for(ClockEvent::Press(side));
    }
    daemon.clock.command(ClockCommand::Text("x".to_owned()));
    while plugged.act(|noisy, _| noisy.text().is_none()) {
        std::thread::yield_now();
    }
    let seen = |event| daemon.seen.iter().filter(|seen| **seen == event).count();
    assert_eq!(seen(ClockEvent::Trouble(ClockTrouble::Garbage)), 1, "told once, not with every byte");
    assert_eq!((seen(ClockEvent::Press(White)), seen(ClockEvent::Press(Black))), (2, 1));
}

#[test]
fn clock_frames_with_garbage_zeros_and_everything_sent_twice() {
    let name = StableName::new("frames-garbage");
    let plugged = garbage(FramesDevice::new(), Instant::now(), &name);
    plugged.act(|noisy, now| {
        noisy.keeps = 2;
        noisy.noise = vec![0x13, 0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0x8d, 0, 10, 0x0b, 0x7f];
        noisy.device.set_by_hand(1_000_000, 1_000_000, now);
    });
    let mut daemon = Daemon::on(&name, Driver::Frames);
    daemon.connected();
    daemon.set(10, Bonus::None, Some(White));
    daemon.wait_for_report("ten minutes", |report| near(report.white_ms, 600_000) && report.white_ms > 0);
    for end in [End::Left, End::Right] {
        press(&plugged, end);
        daemon.wait_for(ClockEvent::Press(if end == End::Left { White } else { Black }));
    }
    let zero = |event: &ClockEvent| matches!(event, ClockEvent::Report(report) if report.white_ms == 0);
    assert!(!daemon.seen.iter().any(zero), "0:00 was believed: {:?}", daemon.seen);
    let garbage = ClockEvent::Trouble(ClockTrouble::Garbage);
    assert_eq!(daemon.seen.iter().filter(|seen| **seen == garbage).count(), 1);
}

/// The answers to commands are lost: they are repeated, carried out once, and told as trouble.
#[test]
fn clock_line_whose_answers_are_lost() {
    let (_name, mut daemon, plugged) =
        playing("line-lost-answers", Driver::Line, Deaf::new(LineDevice::new(1)), Bonus::None);
    plugged.act(|device, _| device.loses_answers = true);
    daemon.set(5, Bonus::None, Some(Black));
    daemon.wait_for(ClockEvent::Trouble(ClockTrouble::Unanswered));
    plugged.act(|device, _| device.loses_answers = false);
    // What it was told may not have reached it, so it is told again.
    assert_eq!(daemon.connected(), ClockConnection::Reset);
    daemon.set(5, Bonus::None, Some(Black));
    daemon.wait_for_report("five minutes", |report| near(report.black_ms, 300_000));
}

#[test]
fn clock_frames_whose_answers_are_lost() {
    let (_name, mut daemon, plugged) =
        playing("frames-lost-answers", Driver::Frames, Deaf::new(FramesDevice::new()), Bonus::None);
    plugged.act(|device, _| device.loses_answers = true);
    daemon.set(5, Bonus::None, Some(Black));
    daemon.wait_for(ClockEvent::Trouble(ClockTrouble::Unanswered));
    plugged.act(|device, _| device.loses_answers = false);
    daemon.wait_for_report("five minutes", |report| near(report.black_ms, 300_000));
}

/// A clock that carries out what it is told, and whose answers do not arrive.
struct Deaf<D> {
    device: D,
    loses_answers: bool,
}

impl<D> Deaf<D> {
    fn new(device: D) -> Self {
        Self { device, loses_answers: false }
    }
}

impl<D: Device> Device for Deaf<D> {
    fn receive(&mut self, bytes: &[u8], now: Moment) {
        if self.loses_answers {
            // Times still come through.
            let before = self.device.take_bytes();
            self.device.receive(bytes, now);
            self.device.take_bytes();
            drop(before);
        } else {
            self.device.receive(bytes, now);
        }
    }

    fn advance(&mut self, now: Moment) {
        self.device.advance(now);
    }

    fn next_wake(&self) -> Option<Moment> {
        self.device.next_wake()
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        self.device.take_bytes()
    }

    fn press(&mut self, end: End, now: Moment) {
        self.device.press(end, now);
    }

    fn set_by_hand(&mut self, left_ms: u64, right_ms: u64, now: Moment) {
        self.device.set_by_hand(left_ms, right_ms, now);
    }

    fn stop_by_hand(&mut self, now: Moment) {
        self.device.stop_by_hand(now);
    }

    fn power_cycle(&mut self, now: Moment) {
        self.device.power_cycle(now);
    }

    fn shows(&mut self, now: Moment) -> ClockReport {
        self.device.shows(now)
    }

    fn text(&self) -> Option<&str> {
        self.device.text()
    }
}

#[test]
fn clock_that_refuses_to_be_set_is_told_of_and_heard() {
    let (_name, mut daemon, plugged) = line("line-stubborn");
    plugged.act(|device, _| device.is_stubborn = true);
    daemon.set(5, Bonus::None, None);
    daemon.wait_for(ClockEvent::Trouble(ClockTrouble::Refused));
    press(&plugged, End::Left);
    daemon.wait_for(ClockEvent::Press(White));

    // This one is asked again for a while, and believed as it is after that.
    let (_name, mut daemon, plugged) = frames("frames-stubborn");
    plugged.act(|device, _| device.is_stubborn = true);
    daemon.set(5, Bonus::None, Some(Black));
    daemon.wait_for(ClockEvent::Trouble(ClockTrouble::Refused));
    press(&plugged, End::Left);
    daemon.wait_for(ClockEvent::Press(White));
}

// Set, stopped and switched by hand.

#[test]
fn clock_set_and_stopped_by_hand_is_reported() {
    let (_name, mut daemon, plugged) = line("line-by-hand");
    plugged.act(|device, now| device.set_by_hand(120_000, 60_000, now));
    daemon.wait_for_report("the times set by hand", |report| near(report.black_ms, 60_000));
    plugged.act(|device, now| device.stop_by_hand(now));
    daemon.wait_for_report("a clock that stands", |report| report.running.is_none());

    // Whole seconds and no numbers: an odd time has to be said twice before it is believed.
    let (_name, mut daemon, plugged) = frames("frames-by-hand");
    plugged.act(|device, now| device.set_by_hand(120_000, 60_000, now));
    daemon.wait_for_report("the times set by hand", |report| near(report.black_ms, 61_000));
    plugged.act(|device, now| device.stop_by_hand(now));
    daemon.wait_for_report("a clock that stands", |report| report.running.is_none());
}

#[test]
fn clock_whose_flag_falls_says_whose() {
    for driver in [Driver::Line, Driver::Frames] {
        let name = StableName::new(&format!("flag-{driver:?}"));
        let began = Instant::now();
        let hand = |device: &mut dyn Device, now| device.set_by_hand(1_000_000, 1500, now);
        let check = |daemon: &mut Daemon| {
            daemon
                .wait_for_report("Black's flag", |report| report.flag == Some(Black) && report.black_ms == 0);
        };
        if driver == Driver::Line {
            let plugged = PluggedIn::new(LineDevice::new(1), began).unwrap();
            name.leads_to(plugged.path());
            let mut daemon = Daemon::on(&name, driver);
            daemon.connected();
            daemon.set(10, Bonus::None, Some(Black));
            daemon.wait_for_report("a set clock", |report| report.running == Some(Black));
            plugged.act(move |device, now| hand(device, now));
            check(&mut daemon);
        } else {
            let plugged = PluggedIn::new(FramesDevice::new(), began).unwrap();
            name.leads_to(plugged.path());
            plugged.act(|device, now| device.set_by_hand(60_000, 60_000, now));
            let mut daemon = Daemon::on(&name, driver);
            daemon.connected();
            daemon.set(10, Bonus::None, Some(Black));
            daemon.wait_for_report("a set clock", |report| report.running == Some(Black));
            plugged.act(move |device, now| hand(device, now));
            check(&mut daemon);
        }
    }
}

// The daemon's own clock.

#[test]
fn clock_of_the_daemon_is_set_and_pressed() {
    let mut clock = LinkedClock::internal();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let next = |clock: &mut LinkedClock| {
        runtime.block_on(async { tokio::time::timeout(FOR_EVER, clock.next()).await.unwrap().event })
    };
    assert_eq!(next(&mut clock), ClockEvent::Connection(ClockConnection::Reset));
    let side = |left_ms, mode| SideSetting { left_ms, mode, bonus: Bonus::None };
    let white = side(600_000, TimeMode::Down);
    clock.command(ClockCommand::Set(ClockSetting { white, black: side(1, TimeMode::Stopped) }));
    assert!(matches!(next(&mut clock), ClockEvent::Report(report) if report.running == Some(White)));
    clock.press(Black);
    clock.press(White);
    assert_eq!(next(&mut clock), ClockEvent::Press(White));
    assert!(matches!(next(&mut clock), ClockEvent::Report(report) if report.running == Some(Black)));
    // Black had a millisecond.
    assert!(matches!(next(&mut clock), ClockEvent::Report(report) if report.flag == Some(Black)));
}

// Another implementation, in another language.

#[test]
fn clock_written_in_python_from_the_specification_is_understood() {
    let mut python = match Python::start() {
        Ok(python) => python,
        Err(error) => {
            println!("skipped: the clock in Python needs `python3`, which cannot be started: {error}");
            return;
        }
    };
    let name = StableName::new("python");
    name.leads_to(&python.port);
    let mut daemon = Daemon::on(&name, Driver::Line);
    assert_eq!(daemon.connected(), ClockConnection::Reset, "it was never set");
    daemon.set(10, Bonus::Fischer { ms: 5000 }, Some(White));
    daemon.wait_for_report("ten minutes", |report| {
        near(report.white_ms, 600_000) && report.running == Some(White)
    });
    python.tell("press left");
    daemon.wait_for(ClockEvent::Press(White));
    let report = daemon.wait_for_report("the bonus", |report| report.running == Some(Black));
    assert!(near(report.white_ms, 605_000), "{report:?}");
    python.tell("press left");
    python.tell("press right");
    daemon.wait_for(ClockEvent::Press(Black));
    let shown = python.shows();
    assert_eq!(shown[2..5], ["left", "1", "1"]);
    python.tell("hand 90000 80000");
    daemon.wait_for_report("times set by hand", |report| near(report.black_ms, 80_000));
    python.tell("low");
    daemon.wait_for(ClockEvent::Trouble(ClockTrouble::LowBattery));
    daemon.clock.command(ClockCommand::Text("2-0".to_owned()));
    while python.shows()[5] != "2-0" {
        std::thread::yield_now();
    }
    python.tell("cycle");
    assert_eq!(daemon.connected(), ClockConnection::Reset);
}
