//! `draughtsd sensors`: the contacts of a board, live, for building one and for finding what is wrong with it.
//!
//! The board is scanned as the daemon scans it. What is shown is one step earlier than anything about a game:
//! contacts as they are read, with the bounce taken out, how they bounce, and what is wrong with the wires.

mod calibrate;
mod guide;
mod monitor;
mod obliging;
mod recipe;
mod report;
mod screen;
mod view;

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Args;
use draughtsd_core::game::GameSetup;
use draughtsd_core::trace::Crowning;

use self::guide::{Guide, Stage};
use self::monitor::Monitor;
use self::obliging::{Obliging, Wish};
use self::report::Report;
use self::screen::{Pressed, Screen};
use self::view::View;
use super::{Failure, exit};
use crate::config::{Backend, Config, Source};
use crate::pinmap::{BoardSize, ContactId, PinMap};
use crate::scan::changes::{Roles, place_of};
use crate::scan::frame::ScanFrame;
use crate::scan::played::{LifeTime, Played};
use crate::scan::simulated::{WireFault, WireFaultError};
use crate::scan::stack::calibration::{Calibration, CalibrationError};
use crate::scan::stack::simulated::{SensorFault, SensorFaultError, SimulatedSensors};
use crate::scan::stack::{self, Sensors};
use crate::scan::thread::{Started, start};
use crate::scan::{self, BringUpError, Scanner};
use crate::stored_game::contacts_at_the_start;
use crate::trace_file::TraceFile;

/// How long the screen waits for a key before it looks at the board again.
const REFRESH: Duration = Duration::from_millis(40);

/// So many scans `--once` looks at: enough for a fault of the wires to be certain.
const SCANS_ONCE: u64 = 400;

/// Shows the contacts of a board as they are read, for building it and for finding faults.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd sensors --simulated\n  \
    draughtsd sensors --config /etc/draughtsd.toml\n  \
    draughtsd sensors --config board.toml --once\n  \
    draughtsd sensors --simulated --fault no-diode:6/4 --fault column-broken:2\n  \
    draughtsd sensors --config board.toml --calibrate hall.toml\n\n\
    In the view, t begins a guided test: it asks for a disc on each square in turn and writes a report.\n\
    Another program must not use the same pins meanwhile: stop the daemon first.\n\
    Exit code: 69 if the board cannot be read.")]
pub(super) struct Arguments {
    /// The configuration file; without it, the defaults.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A simulated board instead of the configured one.
    #[arg(long)]
    simulated: bool,
    /// Break something on the simulated board: row-low:N, row-high:N, row-broken:N, rows-joined:N/N, column-low:N,
    /// column-broken:N or no-diode:ROW/COLUMN, wires counted from 1; sensor-silent:N, sensor-low:N or sensor-shallow:N for the
    /// Hall sensor under square N. May be given several times.
    #[arg(long = "fault", value_name = "FAULT", requires = "simulated")]
    faults: Vec<Fault>,
    /// Calibrate the Hall sensors, guided step by step, and write the calibration to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "once")]
    calibrate: Option<PathBuf>,
    /// Look at the board for a moment, say what there is, and end; needs no terminal.
    #[arg(long)]
    once: bool,
    /// Where the report is written.
    #[arg(long, value_name = "FILE", default_value = "sensors-report.txt")]
    report: PathBuf,
}

/// Something that is wrong with the simulated board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Wire(WireFault),
    Sensor(SensorFault),
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with("sensor-") {
            return text.parse().map(Self::Sensor).map_err(|error: SensorFaultError| error.to_string());
        }
        text.parse().map(Self::Wire).map_err(|error: WireFaultError| error.to_string())
    }
}

impl Arguments {
    fn wire_faults(&self) -> Vec<WireFault> {
        let of_wires = |fault: &Fault| match fault {
            Fault::Wire(fault) => Some(*fault),
            Fault::Sensor(_) => None,
        };
        self.faults.iter().filter_map(of_wires).collect()
    }

    fn sensor_faults(&self) -> Vec<SensorFault> {
        let of_sensors = |fault: &Fault| match fault {
            Fault::Sensor(fault) => Some(*fault),
            Fault::Wire(_) => None,
        };
        self.faults.iter().filter_map(of_sensors).collect()
    }
}

/// Runs the command.
///
/// # Errors
/// When the board cannot be read, or there is no terminal.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut config = match &arguments.config {
        Some(path) => Config::read(path)?,
        None => Config::default(),
    };
    if arguments.simulated || config.board.source == Source::Simulated {
        (config.board.source, config.scan.backend) = (Source::Simulated, Backend::Simulated);
    }
    let pin_map = scan::pin_map(&config.scan, &config.board)?;
    if !arguments.once && !io::stdout().is_terminal() {
        let error = anyhow!("standard output is no terminal; --once says what there is without one");
        return Err(Failure::new(exit::USAGE, error));
    }
    if let Some(file) = &arguments.calibrate {
        return calibrate::run(&config, &pin_map, &arguments.sensor_faults(), file);
    }
    let mut bench = Bench::new(config, pin_map, arguments)?;
    if arguments.once {
        return bench.once();
    }
    let mut screen = Screen::open().context("the terminal").map_err(|error| Failure::new(exit::IO, error))?;
    let ended = bench.show(&mut screen);
    drop(screen);
    ended.context("the terminal").map_err(|error| Failure::new(exit::IO, error))?;
    bench.complain_of_failure()
}

impl From<BringUpError> for Failure {
    fn from(error: BringUpError) -> Self {
        let code = match &error {
            BringUpError::PinMap(_)
            | BringUpError::NoWiring { .. }
            | BringUpError::NoSensors { .. }
            | BringUpError::Calibration(_) => exit::CONFIG,
            BringUpError::Open(_) | BringUpError::Start(_) => exit::UNAVAILABLE,
        };
        Self::new(code, error)
    }
}

/// A board on the workbench.
struct Bench<'a> {
    arguments: &'a Arguments,
    config: Config,
    pin_map: PinMap,
    title: String,
    started: Started,
    monitor: Monitor,
    guide: Option<Guide>,
    wish: Wish,
    message: String,
}

impl<'a> Bench<'a> {
    fn new(mut config: Config, pin_map: PinMap, arguments: &'a Arguments) -> Result<Self, Failure> {
        let (board, sensors): (Box<dyn Scanner>, _) = if config.board.source == Source::Recorded {
            (Box::new(recorded(&mut config, &pin_map)?), None)
        } else if config.scan.backend == Backend::Simulated {
            let mut played = Played::hands(&pin_map, &config.board, LifeTime::default());
            arguments.wire_faults().into_iter().for_each(|fault| played.circuit().add_fault(fault));
            let sensors = simulated_sensors(&config, &pin_map, &played, &arguments.sensor_faults())?;
            (Box::new(played), sensors)
        } else {
            let calibration = calibration_so_far(&config, &pin_map)?;
            scan::open_with_sensors(&config.scan, &config.board, &pin_map, calibration.as_ref())?
        };
        let mut started = begin(board, &config, &pin_map)?;
        if let Some(sensors) = sensors {
            started.sense_crownings(sensors).map_err(BringUpError::from)?;
        }
        let monitor = Monitor::new(config.board.game, config.reading.clone(), started.closed);
        let backend = what(&config);
        let title = format!(
            "Contacts: {} board, {backend}, {} scans a second",
            config.board.game, config.scan.rate_hz
        );
        let message = started.warnings.join("; ");
        let (guide, wish) = (None, Wish::default());
        Ok(Self { arguments, config, pin_map, title, started, monitor, guide, wish, message })
    }

    /// Says once what there is.
    fn once(&mut self) -> Result<(), Failure> {
        let scanning = &self.started.scanning;
        while scanning.meter().completed() < SCANS_ONCE && scanning.failure().is_none() {
            std::thread::sleep(REFRESH);
        }
        self.look();
        let closed: Vec<String> =
            self.contacts().into_iter().filter(|contact| contact.1).map(|(id, _)| id.to_string()).collect();
        let mut out = io::stdout().lock();
        writeln!(out, "{}\nClosed contacts: {}", self.report().text(), closed.join(" "))
            .map_err(Failure::output)?;
        self.complain_of_failure()
    }

    fn complain_of_failure(&self) -> Result<(), Failure> {
        match self.started.scanning.failure() {
            Some(error) => Err(Failure::new(exit::UNAVAILABLE, error)),
            None => Ok(()),
        }
    }

    /// Shows the board until people have seen enough, or it can no longer be read.
    fn show(&mut self, screen: &mut Screen) -> io::Result<()> {
        let mut shows_board = true;
        while self.started.scanning.failure().is_none() {
            self.look();
            let problems = self.report().problems();
            let panel = self.panel();
            let stack = self.stack();
            let counts = self.started.scanning.meter().counts();
            let view = View {
                title: &self.title,
                monitor: &self.monitor,
                guide: self.guide.as_ref(),
                counts: &counts,
                panel: &panel,
                stack: &stack,
                problems: &problems,
                message: &self.message,
                width: screen.width(),
            };
            let lines = if shows_board { view.board() } else { view.bounces() };
            screen.paint(lines, view.keys())?;
            match screen.pressed(REFRESH)? {
                Some(Pressed::Quit | Pressed::Key('q')) => return Ok(()),
                Some(Pressed::Tab) => shows_board = !shows_board,
                Some(pressed) => self.obey(pressed),
                None => {}
            }
        }
        Ok(())
    }

    /// Takes in what the contacts did.
    fn look(&mut self) {
        let inputs = self.started.board.waiting();
        let now = self.started.board.now();
        self.monitor.take(&inputs, now);
        let Some(guide) = &mut self.guide else { return };
        let before = guide.stage();
        guide.look(self.monitor.steady(), now);
        self.follow(before);
    }

    fn obey(&mut self, pressed: Pressed) {
        let steady = self.monitor.steady();
        let Some(guide) = &mut self.guide else { return self.obey_without_test(pressed) };
        let before = guide.stage();
        match (before, pressed) {
            (Stage::Clearing, Pressed::Enter) | (Stage::Asking(_), Pressed::Key(' ')) => guide.skip(steady),
            (Stage::Asking(_), Pressed::Key('b')) => guide.back(steady),
            (Stage::Clearing | Stage::Asking(_), Pressed::Key('x')) => {
                self.guide = None;
                self.wish.set(None);
                return;
            }
            (Stage::Done, _) => return self.obey_without_test(pressed),
            _ => {}
        }
        self.follow(before);
    }

    fn obey_without_test(&mut self, pressed: Pressed) {
        match pressed {
            Pressed::Key('t') => self.begin_test(),
            Pressed::Key('r') => self.write_report(),
            Pressed::Key('c') => {
                self.monitor.clear();
                self.message.clear();
            }
            _ => {}
        }
    }

    fn begin_test(&mut self) {
        self.message.clear();
        if self.config.board.source == Source::Recorded {
            self.message = "A recording cannot put discs where they are asked for.".to_owned();
            return;
        }
        if self.config.scan.backend == Backend::Simulated {
            // The hands that played until now give way to one that does as the test asks.
            let (faults, wish) = (self.arguments.wire_faults(), self.wish.clone());
            let board = Obliging::new(&self.pin_map, &self.config.board, &faults, wish);
            match begin(Box::new(board), &self.config, &self.pin_map) {
                Ok(started) => self.started = started,
                Err(error) => {
                    self.message = error.to_string();
                    return;
                }
            }
        }
        let closed = self.started.board.closed_squares();
        self.monitor = Monitor::new(self.config.board.game, self.config.reading.clone(), closed);
        self.guide = Some(Guide::new(self.config.board.game));
    }

    /// Does what follows from the test having gone on.
    fn follow(&mut self, before: Stage) {
        let Some(stage) = self.guide.as_ref().map(Guide::stage).filter(|&stage| stage != before) else {
            return;
        };
        self.wish.set(match stage {
            Stage::Asking(square) => Some(square),
            Stage::Clearing | Stage::Done => None,
        });
        if stage == Stage::Done {
            self.write_report();
        }
    }

    fn write_report(&mut self) {
        let path = &self.arguments.report;
        self.message = match fs::write(path, self.report().text()) {
            Ok(()) => format!("The report is in {}.", path.display()),
            Err(error) => format!("The report could not be written: {}: {error}", path.display()),
        };
    }

    fn report(&self) -> Report<'_> {
        Report {
            board: &self.config.board,
            pin_map: &self.pin_map,
            backend: what(&self.config),
            monitor: &self.monitor,
            guide: self.guide.as_ref(),
            wire_faults: self.started.scanning.faults().borrow().clone(),
            crownings: self.started.scanning.crownings(),
            counts: self.started.scanning.meter().counts(),
        }
    }

    /// Every contact, and whether it is closed.
    fn contacts(&self) -> Vec<(ContactId, bool)> {
        let frame: ScanFrame = *self.started.scanning.frames().borrow();
        let wiring = self.pin_map.wiring(BoardSize::of(self.config.board.game));
        let contacts = wiring.map_or(&[][..], |wiring| wiring.contacts()).iter();
        contacts.filter_map(|contact| Some((contact.id, frame.closed.contains(place_of(contact)?)))).collect()
    }

    /// What the Hall sensors read, a line for each converter: square, whether two discs stand there, and the reading.
    fn stack(&self) -> Vec<String> {
        let Some(sensing) = self.started.scanning.crownings() else { return Vec::new() };
        let faults = sensing.faults().borrow().clone();
        let mut lines: Vec<(u8, String)> = Vec::new();
        for (index, (wired, seen)) in sensing.wired().iter().zip(sensing.seen()).enumerate() {
            let is_faulty = faults.iter().any(|fault| fault.sensor == index);
            let sign = match (is_faulty, wired.points, seen.closed) {
                (true, ..) => '!',
                (false, None, _) => '?',
                (false, Some(_), true) => '●',
                (false, Some(_), false) => '·',
            };
            let level = seen.reading.level().map_or_else(|| "----".to_owned(), |level| level.to_string());
            let text = format!(" {:>3}{sign}{level:>4}", wired.square);
            match lines.last_mut().filter(|line| line.0 == wired.sensor.adc) {
                Some((_, line)) => line.push_str(&text),
                None => lines.push((wired.sensor.adc, format!("kings{text}"))),
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Wells, presses and buttons.
    fn panel(&self) -> Vec<(String, bool)> {
        let contacts = self.contacts().into_iter();
        contacts
            .filter(|contact| !matches!(contact.0, ContactId::Square(_)))
            .map(|(id, closed)| (id.to_string(), closed))
            .collect()
    }
}

/// What the contacts are reached through, or comes in their stead.
const fn what(config: &Config) -> &'static str {
    match config.board.source {
        Source::Recorded => "recorded",
        Source::Gpio | Source::Simulated => config.scan.backend.name(),
    }
}

/// The Hall sensors of a simulated board, where crownings are sensed by them.
fn simulated_sensors(
    config: &Config,
    pin_map: &PinMap,
    played: &Played<LifeTime>,
    faults: &[SensorFault],
) -> Result<Option<Sensors>, BringUpError> {
    if config.board.crowning != Crowning::Stack {
        return Ok(None);
    }
    let wiring = stack::wiring(pin_map, &config.board)?;
    let reader = SimulatedSensors::new(wiring, &config.board, played.pieces(), faults);
    let calibration = stack::simulated::calibration(wiring);
    Ok(Some(Sensors::new(Box::new(reader), wiring, &config.board, Some(&calibration))))
}

/// The calibration that the configuration names; `None` as long as there is no such file: then the sensors are shown
/// as they read.
fn calibration_so_far(config: &Config, pin_map: &PinMap) -> Result<Option<Calibration>, BringUpError> {
    match stack::calibration(&config.scan, &config.board, pin_map) {
        Err(BringUpError::Calibration(CalibrationError::Read { reason, .. }))
            if reason.kind() == io::ErrorKind::NotFound =>
        {
            Ok(None)
        }
        read => read,
    }
}

/// A recording on the matrix; the board becomes the one of which it is.
fn recorded(config: &mut Config, pin_map: &PinMap) -> Result<Played<LifeTime>, Failure> {
    let mut trace = TraceFile::open(&config.recorded.trace.clone().unwrap_or_default())?;
    let setup = GameSetup::try_from(trace.header())
        .context("the recording's first line")
        .map_err(|error| Failure::new(exit::DATA, error))?;
    config.board.game = trace.header().board;
    let mut inputs = Vec::new();
    while let Some(input) = trace.next_input()? {
        inputs.push(input);
    }
    let first = contacts_at_the_start(&setup).closed;
    Ok(Played::new(pin_map, &config.board, first, inputs, LifeTime::default()))
}

/// Begins to scan, every contact.
fn begin(scanner: Box<dyn Scanner>, config: &Config, pin_map: &PinMap) -> Result<Started, BringUpError> {
    let game = config.board.game;
    let roles = Roles::all(pin_map, &config.board).ok_or(BringUpError::NoWiring { game })?;
    Ok(start(scanner, roles, &config.scan)?)
}
