//! Hall sensors on a fake Pi: read by the daemon's own code through the kernel's SPI devices, beside the matrix.

use std::process::Command;
use std::time::{Duration, Instant};

use draughtsd::config::{Board, Scan};
use draughtsd::pinmap::{BoardSize, PinMap};
use draughtsd::scan::changes::{Changes, Roles};
use draughtsd::scan::frame::Closed;
use draughtsd::scan::stack::calibration::{Calibration, Points};
use draughtsd::scan::stack::judge::Judge;
use draughtsd::scan::stack::{self, StackReader};
use draughtsd::simulator::{HandOptions, SimulatedGame, random_game, simulate};
use draughtsd_core::game::{Game, GameSetup};
use draughtsd_core::moment::Moment;
use draughtsd_core::moves::Move;
use draughtsd_core::notation::fen;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockLink, Crowning, Input, TimedInput};
use serde_json::Value;

use super::daemon::{self, Daemon, draughtsd, folder};
use super::state::State;
use super::{ACT, Fake, Switches, acts, library, on_every_fake, shows, start_daemon, texts};

/// What every sensor of these tests reads: 54 mV of a man, 80 mV of a king.
const POINTS: Points = Points { empty: 2048, man: 2115, king: 2148 };

/// Sets what a sensor reads; its square as it is wired.
fn set_level(state: &mut State, map: &PinMap, game: Variant, square: Square, level: u16) {
    let wiring = map.wiring(BoardSize::of(game)).unwrap();
    if let Some(sensor) = wiring.stack().iter().find(|sensor| sensor.square == square) {
        state.levels[usize::from(sensor.adc) - 1][usize::from(sensor.channel)] = level;
    }
}

/// The daemon's own reader of the Hall sensors.
fn stack_reader(switches: &Switches, game: Variant) -> Box<dyn StackReader> {
    stack::open(&Scan::default(), switches.map.wiring(BoardSize::of(game)).unwrap()).unwrap()
}

#[test]
fn fake_pi_stack_sensors_are_read_each_through_its_own_input() {
    on_every_fake("stack::fake_pi_stack_sensors_are_read_each_through_its_own_input", |_, switches| {
        let game = Variant::International;
        let wiring = switches.map.wiring(BoardSize::Hundred).unwrap();
        let mut reader = stack_reader(switches, game);
        let level = |index: usize, round: u16| (409 * u16::try_from(index).unwrap() + 7 * round) & 0xfff;
        for round in 0..300 {
            switches.set(&Closed::NONE, |state| {
                for (index, sensor) in wiring.stack().iter().enumerate() {
                    set_level(state, &switches.map, game, sensor.square, level(index, round));
                }
            });
            let read: Vec<Option<u16>> = reader.read().into_iter().map(|reading| reading.level()).collect();
            let expected: Vec<Option<u16>> = (0..10).map(|index| Some(level(index, round))).collect();
            assert_eq!(read, expected);
        }
        // The second converter is not there.
        switches.set(&Closed::NONE, |state| state.levels[1] = [State::NO_CONVERTER; State::INPUTS]);
        let silent: Vec<bool> = reader.read().into_iter().map(|reading| reading.level().is_none()).collect();
        assert_eq!(silent, [false, false, false, false, false, true, true, true, true, true]);
    });
}

/// A game of the simulated hands in which a man is crowned.
fn game_with_a_crowning(start: &Position, board: &Board) -> SimulatedGame {
    let options = HandOptions {
        crowning: board.crowning,
        clock: board.clock,
        noise: "1".parse().unwrap(),
        ..HandOptions::default()
    };
    let has_crowning = |game: &SimulatedGame| {
        game.events.iter().filter(|event| matches!(event.input, Input::Crown { closed: true, .. })).count()
            >= 2
    };
    (1..50)
        .map(|seed| simulate(&random_game(start, 80, seed), start, &options, seed))
        .find(has_crowning)
        .unwrap()
}

/// A whole game with crownings goes through both: discs through the matrix, second discs through the Hall sensors.
#[test]
fn fake_pi_reads_a_game_whose_crownings_are_sensed_by_stack_sensors() {
    on_every_fake(
        "stack::fake_pi_reads_a_game_whose_crownings_are_sensed_by_stack_sensors",
        |fake, switches| {
            let board = Board {
                game: Variant::Russian,
                crowning: Crowning::Stack,
                clock: ClockLink::Linked,
                ..Board::default()
            };
            let start = Position::start(board.game);
            let played = game_with_a_crowning(&start, &board);
            let wiring = switches.map.wiring(BoardSize::SixtyFour).unwrap();
            let mut closed = switches.discs(start.occupied(), &board);
            let mut seconds = SquareSet::EMPTY;
            let set = |closed: &Closed, seconds: SquareSet| {
                let standing = Roles::new(&switches.map, &board).unwrap().squares(closed);
                switches.set(closed, |state| {
                    for sensor in wiring.stack() {
                        let level = match (standing.contains(sensor.square), seconds.contains(sensor.square))
                        {
                            (_, true) => POINTS.king,
                            (true, false) => POINTS.man,
                            (false, false) => POINTS.empty,
                        };
                        set_level(state, &switches.map, board.game, sensor.square, level);
                    }
                });
            };
            set(&closed, seconds);
            let (mut scanner, mut reader) = (switches.scanner(fake), stack_reader(switches, board.game));
            let mut changes =
                Changes::new(Roles::new(&switches.map, &board).unwrap(), scanner.scan().unwrap().closed);
            let mut judges: Vec<Judge> =
                reader.read().into_iter().map(|first| Judge::new(Some(POINTS), first)).collect();
            let (mut game, _) = Game::new(GameSetup::try_from(&played.header).unwrap());
            let crownings = played.events.iter().filter_map(|event| match event.input {
                Input::Crown { square, closed } => Some((event.at.millis(), square, closed)),
                _ => None,
            });
            let mut crownings = crownings.peekable();
            let acts = acts(&played, &switches.map, &board);
            let mut acts = acts.into_iter().peekable();
            let (end, mut sensed) = (played.events.last().unwrap().at.millis() + 1000, 0);
            for now in 0..=end {
                let at = Moment::from_millis(now);
                let mut is_changed = false;
                while let Some((_, act)) = acts.next_if(|act| act.0 == now) {
                    if let Some((place, is_closed)) = act {
                        closed.set(place, is_closed);
                    }
                    is_changed = true;
                }
                while let Some((_, square, closed)) = crownings.next_if(|crowning| crowning.0 == now) {
                    seconds = if closed { seconds.with(square) } else { seconds.without(square) };
                    is_changed = true;
                }
                if is_changed {
                    set(&closed, seconds);
                    let frame = scanner.scan().unwrap();
                    changes.next(&frame.closed, at, |TimedInput { at, input }| {
                        game.handle(at, input);
                        true
                    });
                }
                if now % 20 != 0 {
                    continue;
                }
                for ((judge, reading), sensor) in judges.iter_mut().zip(reader.read()).zip(wiring.stack()) {
                    let before = judge.is_closed();
                    judge.look(reading, at);
                    assert_eq!(judge.fault(), None);
                    if judge.is_closed() != before {
                        sensed += usize::from(!before);
                        game.handle(at, Input::Crown { square: sensor.square, closed: !before });
                    }
                }
            }
            game.handle(Moment::from_millis(end), Input::End);
            let read: Vec<Move> = game.moves().map(|(ply, _)| ply.mv).collect();
            let truth: Vec<(Square, Square)> = played.truth.moves.iter().map(|mv| (mv.from, mv.to)).collect();
            assert_eq!(read.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>(), truth);
            assert!(sensed >= 2, "{sensed}");
            // Nothing else is made of it than of what the hands' own contacts said.
            let (mut direct, _) = Game::new(GameSetup::try_from(&played.header).unwrap());
            for TimedInput { at, input } in &played.events {
                direct.handle(*at, input.clone());
            }
            let alerts = |game: &Game| -> Vec<String> {
                game.summary().alerts.into_iter().map(|alert| alert.id).collect()
            };
            assert_eq!(alerts(&game), alerts(&direct));
            assert!(!alerts(&game).iter().any(|id| id.contains("crowned")), "{:?}", alerts(&game));
        },
    );
}

/// A fake board with Hall sensors before the daemon.
struct Crowned {
    daemon: Daemon,
    switches: Switches,
    standing: SquareSet,
    /// Sensors that read otherwise than on an empty square.
    levels: Vec<(u8, u16)>,
    /// The first converter is not there.
    is_converter_missing: bool,
}

impl Crowned {
    const CONFIG: &str = "[board]\ncrowning = \"stack\"\n[scan]\nstack-calibration = \"hall.toml\"\n\
                          [public]\nlisten = \"127.0.0.1:0\"\n[private]\nlisten = \"127.0.0.1:0\"\n";

    /// Starts the daemon; the arbiter says which position stands.
    ///
    /// - `with`: what is broken on the board at the beginning.
    fn start(name: &str, fake: Fake, fen: &str, with: impl FnOnce(&mut State)) -> Self {
        let folder = folder(name);
        std::fs::copy(library(), folder.join("libfake_pi.so")).unwrap();
        let path = folder.join("switches");
        Switches::create(&path);
        let switches = Switches::open(path);
        let wiring = switches.map.wiring(BoardSize::Hundred).unwrap();
        let calibration = Calibration::of(wiring.stack().iter().map(|sensor| (sensor.square, POINTS)));
        calibration.write(&folder.join("hall.toml"), "Calibration").unwrap();
        let standing = fen::parse_position(fen, Variant::International).unwrap().occupied();
        switches.set(&switches.discs(standing, &Board::default()), with);
        let config =
            Self::CONFIG.replace("[scan]\n", &format!("[scan]\nbackend = {:?}\n", fake.backend().name()));
        let daemon = start_daemon(&folder, &config, fake);
        let table = Self { daemon, switches, standing, levels: Vec::new(), is_converter_missing: false };
        table.daemon.wait_until("the position", |snapshot| shows(snapshot, standing));
        let set = table.daemon.ctl(&["position", fen]);
        assert!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
        table
    }

    /// Everything as it stands.
    fn set(&self) {
        self.switches.set(&self.switches.discs(self.standing, &Board::default()), |state| {
            for &(number, level) in &self.levels {
                let square = Square::new(number).unwrap();
                set_level(state, &self.switches.map, Variant::International, square, level);
            }
            if self.is_converter_missing {
                state.levels[0] = [State::NO_CONVERTER; State::INPUTS];
            }
        });
    }

    fn set_level(&mut self, square: u8, level: u16) {
        self.levels.retain(|known| known.0 != square);
        self.levels.push((square, level));
        self.set();
    }

    /// Lifts a disc and puts it down elsewhere; on a far-row square its sensor feels it.
    fn moves(&mut self, from: u8, to: u8, level: u16) {
        for number in [from, to] {
            let square: SquareSet = [Square::new(number).unwrap()].into_iter().collect();
            self.standing = self.standing ^ square;
            let is_down = self.standing.contains(Square::new(number).unwrap());
            self.set_level(number, if is_down { level } else { POINTS.empty });
            let standing = self.standing;
            self.daemon.wait_until("the act is seen", |snapshot| shows(snapshot, standing));
            std::thread::sleep(ACT);
        }
    }

    /// Waits until these are the alerts about crownings.
    #[track_caller]
    fn until_alerts(&self, expected: &[(String, Value, String)]) {
        let began = Instant::now();
        while self.alerts() != expected {
            assert!(
                began.elapsed() < daemon::PATIENCE,
                "{:?}: {}",
                self.alerts(),
                self.daemon.arbiter_snapshot()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The alerts about crownings: code, squares and state.
    fn alerts(&self) -> Vec<(String, Value, String)> {
        let snapshot = self.daemon.arbiter_snapshot();
        let alerts = snapshot["arbiter"]["alerts"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let alert = |alert: &Value| (text(&alert["code"]), alert["squares"].clone(), text(&alert["state"]));
        alerts.iter().map(alert).filter(|alert| alert.0.contains("crowned")).collect()
    }
}

/// White promotes three times: crowned in time, not crowned, and above a sensor that is broken.
fn daemon_senses_crownings(fake: Fake) {
    let name = format!("fake-pi-stack-{}", fake.name());
    let mut table = Crowned::start(&name, fake, "W:W7,8,10,50:B22,24", |_| {});
    table.moves(7, 1, POINTS.man);
    table.set_level(1, POINTS.king);
    table.daemon.wait_until("the crown", |snapshot| snapshot["crowned"] == serde_json::json!([1]));
    table.moves(24, 30, 0);
    table.moves(8, 3, POINTS.man);
    table.moves(30, 35, 0);
    table.daemon.wait_until("the moves", |snapshot| texts(snapshot) == ["7-1", "24-30", "8-3", "30-35"]);
    let not_crowned = ("not-crowned".to_owned(), serde_json::json!([3]), "open".to_owned());
    table.until_alerts(std::slice::from_ref(&not_crowned));

    // The wire of the sensor under square 5 touches ground.
    table.set_level(5, 0);
    table
        .daemon
        .wait_for_log("Sensor H5 under square 5 (converter 1, input 4) reads 0, expected 2015 to 2198");
    let numbers = table.daemon.get(&table.daemon.private, "/metrics");
    assert!(numbers.contains("draughtsd_stack_faults{board=\"1\"} 1\n"), "{numbers}");
    table.moves(10, 5, 0);
    table.moves(22, 27, 0);
    table.moves(5, 10, 0);
    table.moves(27, 31, 0);
    let moves = ["7-1", "24-30", "8-3", "30-35", "10-5", "22-27", "5-10", "27-31"];
    table.daemon.wait_until("the moves", |snapshot| texts(snapshot) == moves);
    table.until_alerts(&[not_crowned]);
    // The other one is crowned after all.
    table.set_level(3, POINTS.king);
    let corrected = ("not-crowned".to_owned(), serde_json::json!([3]), "corrected".to_owned());
    table.until_alerts(&[corrected]);
    assert_eq!(table.daemon.stop(), 0, "{}", table.daemon.log());
}

#[test]
fn fake_pi_4_senses_crownings_by_stack_sensors_in_the_daemon() {
    daemon_senses_crownings(Fake::Bcm2711);
}

#[test]
fn fake_pi_with_a_gpio_chip_senses_crownings_by_stack_sensors_in_the_daemon() {
    daemon_senses_crownings(Fake::GpioChip);
}

#[test]
fn fake_pi_a_converter_that_is_missing_at_the_start_claims_nothing() {
    let missing = |state: &mut State| state.levels[0] = [State::NO_CONVERTER; State::INPUTS];
    let fen = "W:W7,50:B22,24";
    let mut table = Crowned::start("fake-pi-stack-missing", Fake::GpioChip, fen, missing);
    table.daemon.wait_for_log("Converter 1 (selected by GPIO 8, header pin 24) does not answer");
    table.is_converter_missing = true;
    for (from, to) in [(7, 1), (24, 30), (1, 7), (30, 35)] {
        table.moves(from, to, POINTS.man);
    }
    table.daemon.wait_until("the moves", |snapshot| texts(snapshot) == ["7-1", "24-30", "1-7", "30-35"]);
    assert_eq!(table.alerts(), []);
    assert_eq!(table.daemon.stop(), 0, "{}", table.daemon.log());
}

#[test]
fn fake_pi_stack_sensors_are_compared_after_a_restart() {
    let fake = Fake::GpioChip;
    let mut table = Crowned::start("fake-pi-stack-restart", fake, "W:W7,50:B22,24", |_| {});
    table.moves(7, 1, POINTS.man);
    table.daemon.kill();
    // The king is crowned while the program is down, and the second converter comes off.
    let folder = table.daemon.folder.clone();
    table.switches.set(&table.switches.discs(table.standing, &Board::default()), |state| {
        set_level(state, &table.switches.map, Variant::International, Square::new(1).unwrap(), POINTS.king);
        state.levels[1] = [State::NO_CONVERTER; State::INPUTS];
    });
    let config = std::fs::read_to_string(folder.join("board.toml")).unwrap();
    table.daemon = start_daemon(&folder, &config, fake);
    table.daemon.wait_until("the crown", |snapshot| snapshot["crowned"] == serde_json::json!([1]));
    let restarts = table.daemon.arbiter_snapshot()["arbiter"]["restarts"].clone();
    assert_eq!(restarts[0]["changed"], serde_json::json!([1]), "{restarts}");
    table.daemon.wait_for_log("Converter 2 (selected by GPIO 7, header pin 26) does not answer");
    assert_eq!(table.alerts(), []);
    assert_eq!(table.daemon.stop(), 0, "{}", table.daemon.log());
}

#[test]
fn fake_pi_stack_sensors_are_shown_before_they_are_calibrated() {
    let folder = folder("fake-pi-stack-raw");
    let path = folder.join("switches");
    Switches::create(&path);
    let switches = Switches::open(path);
    switches.set(&Closed::NONE, |state| {
        set_level(state, &switches.map, Variant::International, Square::new(46).unwrap(), POINTS.king);
        state.levels[0] = [State::NO_CONVERTER; State::INPUTS];
    });
    std::fs::copy(library(), folder.join("libfake_pi.so")).unwrap();
    let config = Crowned::CONFIG.replace("[scan]\n", "[scan]\nbackend = \"gpiocdev\"\n");
    std::fs::write(folder.join("board.toml"), config).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
        .args(["sensors", "--once", "--config", "board.toml"])
        .current_dir(&folder)
        .env("LD_PRELOAD", "./libfake_pi.so")
        .env("FAKE_PI", Fake::GpioChip.name())
        .env("FAKE_PI_STATE", "switches")
        .output()
        .unwrap();
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let king = "\n- Sensor H46 under square 46 (converter 2, input 0): 2148 (1.730 V), not calibrated\n";
    assert!(said.contains(king) && said.contains("\n- Converter 1 (selected by GPIO 8"), "{said}");
}

#[test]
fn without_spi_or_calibration_the_daemon_says_what_is_missing() {
    let folder = folder("fake-pi-no-spi");
    let run = |scan: &str| {
        let config = format!("[board]\ncrowning = \"stack\"\n[scan]\nbackend = \"gpiocdev\"\n{scan}\n");
        std::fs::write(folder.join("board.toml"), config).unwrap();
        let run = draughtsd(&folder, &["check", "--config", "board.toml"]);
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let (code, said) = run("");
    assert!(
        code == Some(78) && said.contains("scan.stack-calibration is left out; expected the name"),
        "{said}"
    );
    let (code, said) = run("stack-calibration = \"hall.toml\"");
    assert!(
        code == Some(78) && said.contains("hall.toml: No such file") && said.contains("--calibrate"),
        "{said}"
    );
    std::fs::write(
        folder.join("hall.toml"),
        "version = 1\n[stack]\nsquare-1 = { empty = 1, man = 2, king = 3 }\n",
    )
    .unwrap();
    let (code, said) = run("stack-calibration = \"hall.toml\"");
    assert!(
        code == Some(78) && said.contains("hall.toml: 9 problems\n  line 2: stack.square-2: is missing"),
        "{said}"
    );

    let map = PinMap::shipped();
    let scan = Scan { stack_bus: folder.join("spidev9"), ..Scan::default() };
    let Err(error) = stack::open(&scan, map.wiring(BoardSize::Hundred).unwrap()) else { panic!("SPI") };
    let said = error.to_string();
    assert!(said.contains("spidev9.0: No such file") && said.contains("dtparam=spi=on"), "{said}");
}
