//! The daemon's own code on a Pi that is not there: its backends read a switch matrix through trapped registers, or
//! through a GPIO character device that a preloaded library plays. See `docs/fake-pi.md`.
//!
//! Each test runs itself once more in a process into which that library is loaded, and does its work there. Time is
//! the recording's: nothing waits, and nothing depends on how busy the machine is.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use draughtsd::config::{Backend, Board, Scan};
use draughtsd::pinmap::{BoardSize, PinMap, Role};
use draughtsd::scan::changes::{Changes, Roles, place_of, places_of};
use draughtsd::scan::diagnosis::{Fault, Watch, dead_wires};
use draughtsd::scan::frame::{Closed, MOST_WIRES, Place};
use draughtsd::scan::{self, Scanner, Words};
use draughtsd::simulator::{HandOptions, SimulatedGame, random_game, simulate};
use draughtsd_core::game::{Game, GameSetup};
use draughtsd_core::moment::Moment;
use draughtsd_core::moves::Move;
use draughtsd_core::position::Position;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};
use draughtsd_core::trace::{ClockLink, Crowning, Input, TimedInput};
use serde_json::Value;

mod daemon;
#[path = "fake_pi/stack.rs"]
mod stack;
#[path = "fake-pi/src/state.rs"]
mod state;

use daemon::{Daemon, draughtsd, folder};
use state::State;

/// A board that the library can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fake {
    /// A Pi 4 by its registers.
    Bcm2711,
    /// A Pi 5 by its registers.
    Rp1,
    /// Any board by its GPIO character device.
    GpioChip,
}

impl Fake {
    const fn name(self) -> &'static str {
        match self {
            Self::Bcm2711 => "bcm2711",
            Self::Rp1 => "rp1",
            Self::GpioChip => "gpiochip",
        }
    }

    const fn backend(self) -> Backend {
        match self {
            Self::Bcm2711 | Self::Rp1 => Backend::Rppal,
            Self::GpioChip => Backend::Gpiocdev,
        }
    }
}

/// Where cargo puts the library: beside this program, whatever the profile and the target.
fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let library = program.with_file_name("libfake_pi.so");
    assert!(library.exists(), "{} is not there; cargo builds it with the tests", library.display());
    library
}

/// Runs `body` in a process with the library loaded: the test of this name once more.
///
/// - `body`: gets the file with the switches, and is told which board there is.
fn on_a_fake(test: &str, fake: Fake, body: impl FnOnce(&Switches)) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}.switches", fake.name()));
    if std::env::var_os("FAKE_PI").as_deref() == Some(OsStr::new(fake.name())) {
        body(&Switches::open(path));
        return;
    }
    if std::env::var_os("FAKE_PI").is_some() {
        // This process is about another of the boards.
        return;
    }
    Switches::create(&path);
    let library = library();
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads", "1"])
        // By a relative name: a path with a space in it cannot be preloaded.
        .current_dir(library.parent().unwrap())
        .env("LD_PRELOAD", "./libfake_pi.so")
        .env("FAKE_PI", fake.name())
        .env("FAKE_PI_STATE", &path)
        .output()
        .unwrap();
    let said = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(run.status.success() && said.contains("1 passed"), "on {fake:?}: {}\n{said}", run.status);
}

/// Does the same on all three boards.
fn on_every_fake(test: &str, body: impl Fn(Fake, &Switches)) {
    for fake in [Fake::Bcm2711, Fake::Rp1, Fake::GpioChip] {
        on_a_fake(test, fake, |switches| body(fake, switches));
    }
}

/// The switches of the fake board.
struct Switches {
    file: File,
    map: PinMap,
}

impl Switches {
    fn sound(map: &PinMap) -> State {
        let rows: Vec<u8> = map.rows().map(|(_, line)| line.pin.bcm).collect();
        let columns: Vec<u8> = map.columns().map(|(_, line)| line.pin.bcm).collect();
        State::new(&rows, &columns)
    }

    fn create(path: &PathBuf) {
        std::fs::write(path, Self::sound(&PinMap::shipped()).to_bytes()).unwrap();
    }

    fn open(path: PathBuf) -> Self {
        let file = File::options().read(true).write(true).open(path).unwrap();
        Self { file, map: PinMap::shipped() }
    }

    /// Sets the switches, on a board that `with` may break.
    fn set(&self, closed: &Closed, with: impl FnOnce(&mut State)) {
        let mut state = Self::sound(&self.map);
        state.closed = std::array::from_fn(|row| closed.in_row(row));
        with(&mut state);
        self.file.write_all_at(&state.to_bytes(), 0).unwrap();
    }

    /// The daemon's own scanner for this board.
    fn scanner(&self, fake: Fake) -> Box<dyn Scanner> {
        let options = Scan { backend: fake.backend(), settle_us: 0, ..Scan::default() };
        scan::open(&options, &Board::default(), &self.map).unwrap()
    }

    fn discs(&self, squares: SquareSet, board: &Board) -> Closed {
        places_of(&self.map, board.game, board.white_side, squares)
    }
}

/// What hands do to the contacts of the matrix, in order of time; buttons are let go after a while. In between there are
/// moments at which nothing changes, since a press counts only when it lasts.
fn acts(game: &SimulatedGame, map: &PinMap, board: &Board) -> Vec<(u64, Option<(Place, bool)>)> {
    let contacts = map.wiring(BoardSize::of(board.game)).unwrap().contacts();
    let place = |wanted: Role| {
        let contact = contacts.iter().find(|c| c.id.role(board.game, board.white_side) == wanted);
        place_of(contact.unwrap()).unwrap()
    };
    let mut acts = Vec::new();
    for TimedInput { at, input } in &game.events {
        let at = at.millis();
        match *input {
            Input::Contact { square, closed } => acts.push((at, Some((place(Role::Square(square)), closed)))),
            Input::Reserve { side, closed, well } => {
                let place = place(Role::Well { side, number: well.unwrap_or(1) });
                acts.extend([(at, Some((place, closed))), (at + 6, None)]);
            }
            Input::Press { side } => {
                let place = place(Role::Press { side });
                acts.extend([
                    (at, Some((place, true))),
                    (at + 6, None),
                    (at + 60, Some((place, false))),
                    (at + 66, None),
                ]);
            }
            _ => {}
        }
    }
    acts.sort_by_key(|act| act.0);
    acts
}

/// Simulated hands play a game on the fake board; returns what was played and what was read.
fn play(fake: Fake, switches: &Switches, variant: Variant, seed: u64) -> (Vec<Move>, Vec<Move>) {
    let board =
        Board { game: variant, crowning: Crowning::Reserve, clock: ClockLink::Linked, ..Board::default() };
    let start = Position::start(variant);
    let options = HandOptions {
        crowning: board.crowning,
        clock: board.clock,
        noise: "1".parse().unwrap(),
        ..HandOptions::default()
    };
    let played = simulate(&random_game(&start, 40, seed), &start, &options, seed);
    let mut closed = switches.discs(start.occupied(), &board);
    for (contact, place) in switches
        .map
        .wiring(BoardSize::of(variant))
        .unwrap()
        .contacts()
        .iter()
        .filter_map(|c| Some((c.id.role(variant, board.white_side), place_of(c)?)))
    {
        if matches!(contact, Role::Well { .. }) {
            closed.set(place, true);
        }
    }
    switches.set(&closed, |_| {});
    let mut scanner = switches.scanner(fake);
    let first = scanner.scan().unwrap();
    assert!(first.self_test.passed(), "{:?}", first.self_test);
    let mut changes = Changes::new(Roles::new(&switches.map, &board).unwrap(), first.closed);
    assert_eq!(changes.closed_squares(), start.occupied());

    let (mut game, _) = Game::new(GameSetup::try_from(&played.header).unwrap());
    let acts = acts(&played, &switches.map, &board);
    for same_moment in acts.chunk_by(|one, other| one.0 == other.0) {
        for &(place, is_closed) in same_moment.iter().filter_map(|act| act.1.as_ref()) {
            closed.set(place, is_closed);
        }
        switches.set(&closed, |_| {});
        let frame = scanner.scan().unwrap();
        assert_eq!(frame.closed, closed);
        changes.next(&frame.closed, Moment::from_millis(same_moment[0].0), |TimedInput { at, input }| {
            game.handle(at, input);
            true
        });
    }
    game.handle(played.events.last().unwrap().at.after(1000), Input::End);
    let truth = played.truth.moves.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>();
    let read: Vec<Move> = game.moves().map(|(ply, _)| ply.mv).collect();
    assert_eq!(read.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>(), truth);
    (random_game(&start, 40, seed), read)
}

#[test]
fn fake_pi_4_reads_a_game_through_rppal() {
    on_a_fake("fake_pi_4_reads_a_game_through_rppal", Fake::Bcm2711, |switches| {
        let (played, read) = play(Fake::Bcm2711, switches, Variant::International, 1);
        assert_eq!(read, played);
        assert_eq!(read.len(), 40);
    });
}

#[test]
fn fake_pi_5_reads_a_game_through_rppal() {
    on_a_fake("fake_pi_5_reads_a_game_through_rppal", Fake::Rp1, |switches| {
        let (played, read) = play(Fake::Rp1, switches, Variant::International, 2);
        assert_eq!(read, played);
        assert_eq!(read.len(), 40);
    });
}

#[test]
fn fake_pi_with_a_gpio_chip_reads_a_game_through_gpiocdev() {
    on_a_fake("fake_pi_with_a_gpio_chip_reads_a_game_through_gpiocdev", Fake::GpioChip, |switches| {
        let (played, read) = play(Fake::GpioChip, switches, Variant::Russian, 3);
        assert_eq!(read, played);
        assert_eq!(read.len(), 40);
    });
}

#[test]
fn the_file_of_the_switches_is_read_as_it_is_written() {
    let mut state = Switches::sound(&PinMap::shipped());
    state.closed[3] = 0x8001;
    state.bare[15] = 0x1234;
    (state.rows_low, state.rows_high, state.columns_broken) = (1, 2, 0xff00);
    (state.levels[0][7], state.levels[1][0]) = (4095, 1);
    assert_eq!(State::from_bytes(&state.to_bytes()), state);
}

/// Random contacts, scanned: what is read, and what was set.
fn random_frames(fake: Fake, switches: &Switches, with: impl Fn(&mut State)) -> usize {
    let mut scanner = switches.scanner(fake);
    let mut random = 0x9e37_79b9_u32;
    let mut wrong = 0;
    for _ in 0..200 {
        let mut closed = Closed::NONE;
        for row in 0..8 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            closed.set_row(row, (random >> 24) as u16);
        }
        switches.set(&closed, &with);
        wrong += usize::from(scanner.scan().unwrap().closed != closed);
    }
    wrong
}

#[test]
fn fake_pi_reads_any_contacts_with_diodes_and_ghosts_without() {
    on_every_fake("fake_pi_reads_any_contacts_with_diodes_and_ghosts_without", |fake, switches| {
        assert_eq!(random_frames(fake, switches, |_| {}), 0);
        let wrong = random_frames(fake, switches, |state| state.bare = [u16::MAX; State::MOST_WIRES]);
        assert!(wrong > 190, "without diodes only {wrong} of 200 frames show ghosts");
    });
}

/// Scans until faults can be told.
fn faults(fake: Fake, switches: &Switches) -> Vec<Fault> {
    let mut scanner = switches.scanner(fake);
    let mut watch = Watch::new(MOST_WIRES);
    for _ in 0..300 {
        watch.look(&scanner.scan().unwrap());
    }
    watch.faults().to_vec()
}

fn place(row: usize, column: usize) -> Place {
    Place::new(row, column).unwrap()
}

fn start_position(switches: &Switches) -> Closed {
    switches.discs(Position::start(Variant::International).occupied(), &Board::default())
}

#[test]
fn fake_pi_ghosts_are_traced_to_the_missing_diode() {
    on_every_fake("fake_pi_ghosts_are_traced_to_the_missing_diode", |fake, switches| {
        let mut closed = Closed::NONE;
        for (row, column) in [(1, 2), (1, 3), (5, 3), (5, 4), (6, 4)] {
            closed.set(place(row, column), true);
        }
        switches.set(&closed, |state| state.bare[5] = 1 << 3);
        let frame = switches.scanner(fake).scan().unwrap();
        assert!(frame.closed.contains(place(1, 4)), "no ghost: {:?}", frame.closed);
        let missing = Fault::NoDiode { row: 5, suspects: 1 << 3 };
        assert_eq!(faults(fake, switches), [missing]);
        let said = Words::new(&switches.map, BoardSize::Hundred).fault(missing);
        assert!(said.contains("out of row 6: the diode D29 of square-29 is missing"), "{said}");
    });
}

#[test]
fn fake_pi_without_any_diode_is_told_as_such() {
    on_every_fake("fake_pi_without_any_diode_is_told_as_such", |fake, switches| {
        switches.set(&start_position(switches), |state| state.bare = [u16::MAX; State::MOST_WIRES]);
        let found = faults(fake, switches);
        assert!(found.iter().all(|fault| matches!(fault, Fault::NoDiode { .. })), "{found:?}");
        assert_eq!(found.len(), 8, "{found:?}");
    });
}

#[test]
fn fake_pi_stuck_rows_are_told() {
    on_every_fake("fake_pi_stuck_rows_are_told", |fake, switches| {
        let start = start_position(switches);
        switches.set(&start, |state| state.rows_low = 1 << 2);
        assert_eq!(faults(fake, switches), [Fault::RowHeldLow { row: 2 }]);
        switches.set(&start, |state| state.rows_high = 1 << 6);
        assert_eq!(faults(fake, switches), [Fault::RowHeldHigh { row: 6 }]);
    });
}

#[test]
fn fake_pi_a_dead_column_is_told() {
    on_every_fake("fake_pi_a_dead_column_is_told", |fake, switches| {
        let start = start_position(switches);
        switches.set(&start, |state| state.columns_broken = 1 << 1);
        let frame = switches.scanner(fake).scan().unwrap();
        assert_eq!(dead_wires(&frame.closed, &start), [Fault::DeadColumn { column: 1 }]);
        switches.set(&start, |_| {});
        let frame = switches.scanner(fake).scan().unwrap();
        assert_eq!(dead_wires(&frame.closed, &start), []);
    });
}

/// Not the test's own process, but the program itself, with its scan thread.
#[test]
fn fake_pi_is_read_by_the_program_itself() {
    for fake in [Fake::Bcm2711, Fake::Rp1, Fake::GpioChip] {
        let file = |kind: &str| {
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("program-{}.{kind}", fake.name()))
        };
        let (switches, config) = (file("switches"), file("toml"));
        let backend = fake.backend().name();
        std::fs::write(&config, format!("[scan]\nbackend = \"{backend}\"\n")).unwrap();
        Switches::create(&switches);
        let board = Switches::open(switches.clone());
        let mut closed = Closed::NONE;
        closed.set(place(0, 0), true);
        closed.set(place(7, 6), true);
        board.set(&closed, |state| state.rows_high = 1 << 4);
        let library = library();
        let run = Command::new(env!("CARGO_BIN_EXE_draughtsd"))
            .args(["sensors", "--once", "--config", config.to_str().unwrap()])
            .current_dir(library.parent().unwrap())
            .env("LD_PRELOAD", "./libfake_pi.so")
            .env("FAKE_PI", fake.name())
            .env("FAKE_PI_STATE", &switches)
            .output()
            .unwrap();
        let [said, complained] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(run.status.success(), "{fake:?}: {complained}");
        assert!(said.contains("\nClosed contacts: square-1 square-50\n"), "{fake:?}: {said}");
        assert!(said.contains("\n- Row 5 (GPIO 23, header pin 16"), "{fake:?}: {said}");
    }
}

/// A hand is slower than this, so that nothing it does is taken for a knock.
const ACT: Duration = Duration::from_millis(450);

/// The daemon on a fake board.
fn start_daemon(folder: &Path, config: &str, fake: Fake) -> Daemon {
    Daemon::start_with(folder, config, |command| {
        command
            .env("LD_PRELOAD", "./libfake_pi.so")
            .env("FAKE_PI", fake.name())
            .env("FAKE_PI_STATE", "switches");
    })
}

/// Whether a snapshot has discs on these squares and no others.
fn shows(snapshot: &Value, squares: SquareSet) -> bool {
    let contacts = snapshot["contacts"].as_array().unwrap();
    let shown = contacts.iter().filter_map(|square| Square::new(u8::try_from(square.as_u64()?).ok()?));
    shown.collect::<SquareSet>() == squares
}

/// The moves of a snapshot.
fn texts(snapshot: &Value) -> Vec<String> {
    let moves = snapshot["moves"].as_array().unwrap().iter();
    moves.map(|mv| mv["text"].as_str().unwrap().to_owned()).collect()
}

/// Lifts discs and sets them down, one act after the other, and waits until each is seen.
fn act(daemon: &Daemon, switches: &Switches, standing: &mut SquareSet, squares: &[u8]) {
    for &number in squares {
        let square: SquareSet = [Square::new(number).unwrap()].into_iter().collect();
        *standing = *standing ^ square;
        switches.set(&switches.discs(*standing, &Board::default()), |_| {});
        daemon.wait_until("the act is seen", |snapshot| shows(snapshot, *standing));
        std::thread::sleep(ACT);
    }
}

/// Discs are moved on the fake board while the daemon, `draughtsd run`, reads it. Each act waits until the daemon has
/// seen the one before.
fn daemon_reads_moves(fake: Fake) {
    let folder = folder(&format!("fake-pi-daemon-{}", fake.name()));
    std::fs::copy(library(), folder.join("libfake_pi.so")).unwrap();
    let path = folder.join("switches");
    Switches::create(&path);
    let switches = Switches::open(path);
    switches.set(&start_position(&switches), |_| {});
    let config = format!(
        "[scan]\nbackend = \"{}\"\n[public]\nlisten = \"127.0.0.1:0\"\n[private]\nlisten = \"127.0.0.1:0\"\n",
        fake.backend().name()
    );
    let mut daemon = start_daemon(&folder, &config, fake);
    let mut standing = Position::start(Variant::International).occupied();
    daemon.wait_until("the start position", |snapshot| shows(snapshot, standing));
    let moves = ["32-28", "19-23", "28x19", "14x23"];
    act(&daemon, &switches, &mut standing, &[32, 28, 19, 23, 28, 19, 23, 14, 23, 19]);
    let closed = switches.discs(standing, &Board::default());
    daemon.wait_until("the moves", |snapshot| texts(snapshot) == moves);

    let numbers = daemon.get(&daemon.private, "/metrics");
    let scans = numbers.lines().find_map(|line| line.strip_prefix("draughtsd_scans_total{board=\"1\"} "));
    assert!(scans.unwrap().parse::<u64>().unwrap() > 100, "{numbers}");
    assert!(numbers.contains("draughtsd_scan_lateness_seconds_bucket{board=\"1\",le=\"+Inf\"}"), "{numbers}");

    switches.set(&closed, |state| state.rows_high = 1 << 4);
    daemon.wait_for_log("Row 5 (GPIO 23, header pin 16");
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
}

#[test]
fn fake_pi_4_is_read_by_the_daemon() {
    daemon_reads_moves(Fake::Bcm2711);
}

#[test]
fn fake_pi_5_is_read_by_the_daemon() {
    daemon_reads_moves(Fake::Rp1);
}

#[test]
fn fake_pi_with_a_gpio_chip_is_read_by_the_daemon() {
    daemon_reads_moves(Fake::GpioChip);
}

#[test]
fn fake_pi_discs_moved_while_the_daemon_was_down_are_shown() {
    let fake = Fake::GpioChip;
    let folder = folder("fake-pi-outage");
    std::fs::copy(library(), folder.join("libfake_pi.so")).unwrap();
    let path = folder.join("switches");
    Switches::create(&path);
    let switches = Switches::open(path);
    switches.set(&start_position(&switches), |_| {});
    let config = "[scan]\nbackend = \"gpiocdev\"\n[public]\nlisten = \"127.0.0.1:0\"\n\
                  [private]\nlisten = \"127.0.0.1:0\"\n";
    let mut standing = Position::start(Variant::International).occupied();
    let mut daemon = start_daemon(&folder, config, fake);
    daemon.wait_until("the start position", |snapshot| shows(snapshot, standing));
    act(&daemon, &switches, &mut standing, &[32, 28, 19, 23]);
    daemon.wait_until("the moves", |snapshot| texts(snapshot) == ["32-28", "19-23"]);
    daemon.kill();

    // Somebody bumped into the table, and three discs fell off.
    let before = standing;
    let fallen: SquareSet = [6, 40, 45].map(|number| Square::new(number).unwrap()).into_iter().collect();
    standing = standing ^ fallen;
    switches.set(&switches.discs(standing, &Board::default()), |_| {});
    let mut daemon = start_daemon(&folder, config, fake);
    let snapshot = daemon.wait_until("the board as it stands", |snapshot| shows(snapshot, standing));
    assert_eq!(texts(&snapshot), ["32-28", "19-23"], "the game goes on where it was");
    let restarts = daemon.arbiter_snapshot()["arbiter"]["restarts"].clone();
    assert_eq!(restarts.as_array().unwrap().len(), 1, "{restarts}");
    assert_eq!(restarts[0]["changed"], serde_json::json!([6, 40, 45]));
    assert!(restarts[0]["outage_ms"].is_u64(), "{restarts}");
    let status: Value = serde_json::from_slice(&daemon.ctl(&["status"]).stdout).unwrap();
    assert_eq!(status["game"]["number"], 1);
    daemon.wait_for_log("the game goes on after the program was down");

    // The discs are put back, and the game is played on.
    for number in [6, 40, 45] {
        act(&daemon, &switches, &mut standing, &[number]);
    }
    assert_eq!(standing, before);
    act(&daemon, &switches, &mut standing, &[28, 19, 23, 14, 23, 19]);
    daemon.wait_until("the moves", |snapshot| texts(snapshot) == ["32-28", "19-23", "28x19", "14x23"]);
    assert_eq!(daemon.stop(), 0, "{}", daemon.log());
}

#[test]
fn fake_pi_that_is_no_longer_read_is_told_to_whoever_watches() {
    let fake = Fake::GpioChip;
    let folder = folder("fake-pi-hangs");
    std::fs::copy(library(), folder.join("libfake_pi.so")).unwrap();
    let path = folder.join("switches");
    Switches::create(&path);
    let switches = Switches::open(path);
    let closed = start_position(&switches);
    switches.set(&closed, |_| {});
    let config = "[scan]\nbackend = \"gpiocdev\"\n[public]\nlisten = \"127.0.0.1:0\"\n\
                  [private]\nlisten = \"127.0.0.1:0\"\n";
    let mut daemon = start_daemon(&folder, config, fake);
    daemon.wait_for_readiness(200, |ready| ready["board"] == "read");
    // The chip does not answer: no scan is completed, though the loop goes on.
    switches.set(&closed, |state| state.chip_hangs = 1);
    let ready = daemon.wait_for_readiness(503, |ready| ready["status"] == "not-ready");
    assert!(ready["board"]["problem"].as_str().unwrap().contains("was not read for"), "{ready}");
    assert_eq!(ready["journal"], "kept");
    switches.set(&closed, |_| {});
    daemon.wait_for_readiness(200, |ready| ready["board"] == "read");
    // The chip is gone: after two seconds the daemon ends, for the service manager to start it again.
    switches.set(&closed, |state| state.chip_fails = 1);
    assert_eq!(daemon.wait_for_the_end(), 69, "{}", daemon.log());
    daemon.wait_for_log("/dev/gpiochip0");
}

#[test]
fn without_a_board_the_daemon_says_what_is_missing() {
    let folder = folder("fake-pi-none");
    let config = "[scan]\nbackend = \"gpiocdev\"\nchip = \"/dev/gpiochip-none\"\n[public]\nlisten = \"127.0.0.1:0\"\n\
                  [private]\nlisten = \"127.0.0.1:0\"\n";
    std::fs::write(folder.join("board.toml"), config).unwrap();
    let run = draughtsd(&folder, &["run", "--config", "board.toml"]);
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(69), "{said}");
    assert!(said.contains("/dev/gpiochip-none: No such file"), "{said}");
}

#[test]
fn without_a_fake_pi_the_backends_name_the_alternatives() {
    let map = PinMap::shipped();
    let refused = |scan: &Scan| {
        let Err(error) = scan::open(scan, &Board::default(), &map) else { panic!("this is a Pi") };
        error.to_string()
    };
    if !std::path::Path::new("/sys/firmware/devicetree/base/compatible").exists() {
        let said = refused(&Scan::default());
        assert!(
            said.contains("no Raspberry Pi") && said.contains("gpiocdev") && said.contains("simulated"),
            "{said}"
        );
    }
    let chip = Scan { backend: Backend::Gpiocdev, chip: "/dev/gpiochip-none".into(), ..Scan::default() };
    assert!(refused(&chip).starts_with("/dev/gpiochip-none: No such file"), "{}", refused(&chip));
}
