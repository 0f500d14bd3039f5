//! `draughtsd sensors --calibrate FILE`: the guided calibration of the Hall sensors, on a terminal.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow};

use super::recipe::{Discs, Mean, Recipe, Step};
use super::screen::{Line, Look, Pressed, Screen};
use super::view::wrapped;
use crate::cli::{Failure, exit};
use crate::config::{Backend, Config};
use crate::feeds::wall_time::WallTime;
use crate::pinmap::{PinMap, Wiring};
use crate::scan::BringUpError;
use crate::scan::stack::calibration::Calibration;
use crate::scan::stack::simulated::{Pieces, SensorFault, SimulatedSensors};
use crate::scan::stack::{self, Reading, StackReader, StackWords};

/// How long the screen waits for a key before it reads the sensors again.
const REFRESH: Duration = Duration::from_millis(100);
/// From one reading of a measurement to the next.
const BETWEEN_READINGS: Duration = Duration::from_millis(5);

/// Runs the calibration and writes the file.
pub(super) fn run(
    config: &Config,
    pin_map: &PinMap,
    faults: &[SensorFault],
    file: &Path,
) -> Result<(), Failure> {
    let wiring = stack::wiring(pin_map, &config.board)?;
    let pieces = (config.scan.backend == Backend::Simulated).then(Pieces::default);
    let reader: Box<dyn StackReader> = match &pieces {
        Some(pieces) => Box::new(SimulatedSensors::new(wiring, &config.board, pieces.clone(), faults)),
        None => stack::open(&config.scan, wiring).map_err(BringUpError::from)?,
    };
    let cannot = |error: io::Error| {
        let error = anyhow!(error).context(format!("the calibration cannot be written: {}", file.display()));
        Failure::new(exit::IO, error)
    };
    // Before a hundred discs are put down for nothing.
    Calibration::try_place(file).map_err(cannot)?;
    let mut bench = Bench { config, wiring, reader, pieces, recipe: Recipe::new(wiring.stack()) };
    let mut screen = Screen::open().context("the terminal").map_err(|error| Failure::new(exit::IO, error))?;
    let ended = bench.guide(&mut screen);
    drop(screen);
    ended.context("the terminal").map_err(|error| Failure::new(exit::IO, error))?;
    let Some(calibration) = bench.recipe.calibration() else {
        return Err(Failure::new(exit::IO, anyhow!("not everything was measured; nothing was written")));
    };
    let board = &config.board;
    let about = format!("Calibration of board {} ({}), {}", board.id, board.game, WallTime::now());
    if let Err(error) = calibration.write(file, &about) {
        io::stdout().lock().write_all(calibration.text(&about).as_bytes()).map_err(Failure::output)?;
        return Err(cannot(error));
    }
    let told = format!("The calibration is in {}; `stack-calibration` in [scan] names it.\n", file.display());
    // Nobody may be there any more to read it.
    let _ = io::stderr().write_all(told.as_bytes());
    Ok(())
}

/// The sensors on the workbench.
struct Bench<'a> {
    config: &'a Config,
    wiring: &'a Wiring,
    reader: Box<dyn StackReader>,
    /// The discs of a simulated board, which are where they are asked for.
    pieces: Option<Pieces>,
    recipe: Recipe,
}

impl Bench<'_> {
    /// Goes through the steps until everything is measured, or somebody gives up.
    fn guide(&mut self, screen: &mut Screen) -> io::Result<()> {
        while self.recipe.step() != Step::Done {
            self.oblige();
            let readings = self.reader.read();
            self.paint(screen, &readings, &self.recipe.wanted())?;
            match screen.pressed(REFRESH)? {
                Some(Pressed::Quit | Pressed::Key('q')) => return Ok(()),
                Some(Pressed::Key('b')) => self.recipe.back(),
                Some(Pressed::Enter) => {
                    self.paint(screen, &readings, "Measuring: touch nothing.")?;
                    let means = self.measure();
                    self.recipe.take(&means);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The mean readings of all sensors.
    fn measure(&mut self) -> Vec<Mean> {
        let mut readings: Vec<Vec<Reading>> = vec![Vec::new(); self.wiring.stack().len()];
        for _ in 0..self.recipe.readings() {
            for (of_sensor, reading) in readings.iter_mut().zip(self.reader.read()) {
                of_sensor.push(reading);
            }
            std::thread::sleep(BETWEEN_READINGS);
        }
        readings.iter().map(|of_sensor| Mean::of(of_sensor)).collect()
    }

    /// Puts the discs of a simulated board where they are asked for.
    fn oblige(&self) {
        let Some(pieces) = &self.pieces else { return };
        for sensor in self.wiring.stack() {
            let square = stack::square_of(sensor, &self.config.board);
            let (disc, second, off_centre) = match self.recipe.step() {
                Step::Put { square: asked, discs, place } if asked == sensor.square => {
                    (true, discs == Discs::King, place > 0)
                }
                _ => (false, false, false),
            };
            pieces.set_disc(square, disc);
            pieces.set_second(square, second);
            pieces.set_off_centre(square, off_centre);
        }
    }

    fn paint(&self, screen: &mut Screen, readings: &[Reading], wanted: &str) -> io::Result<()> {
        let width = screen.width();
        let (done, all) = self.recipe.progress();
        let title =
            format!("Calibration: {} board, step {} of {all}", self.config.board.game, (done + 1).min(all));
        let mut lines: Vec<Line> = vec![vec![(title, Look::Strong)], Line::new()];
        let put = |lines: &mut Vec<Line>, text: &str, look| {
            lines.extend(wrapped(text, width).into_iter().map(|line| vec![(line, look)]));
        };
        put(&mut lines, wanted, Look::Wanted);
        lines.push(Line::new());
        put(&mut lines, self.recipe.complaint().unwrap_or_default(), Look::Wrong);
        lines.push(Line::new());
        let asked = self.recipe.sensor().map(|(index, _)| index);
        for (index, (sensor, &reading)) in self.wiring.stack().iter().zip(readings).enumerate() {
            let text = format!(
                "{:>4}  square {:>2}  converter {}, input {}  {}",
                sensor.sensor,
                sensor.square,
                sensor.adc,
                sensor.channel,
                StackWords::reading(reading)
            );
            let look = if asked == Some(index) { Look::Strong } else { Look::Faint };
            lines.push(vec![(text, look)]);
        }
        lines.push(Line::new());
        put(&mut lines, "Squares are as they are wired: 1 is at the far end.", Look::Faint);
        let keys = "Enter: measure   b: back   q: quit, and write nothing";
        screen.paint(lines, vec![(keys.to_owned(), Look::Faint)])
    }
}
