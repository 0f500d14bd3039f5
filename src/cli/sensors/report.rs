//! The report of a guided test, as text: what to repair, then every square.

use std::fmt::Write as _;

use draughtsd_core::square::{Square, SquareSet};

use super::guide::{Answer, Guide};
use super::monitor::{Monitor, in_words};
use crate::config::Board;
use crate::feeds::wall_time::WallTime;
use crate::pinmap::{BoardSize, PinMap};
use crate::scan::Words;
use crate::scan::changes::places_of;
use crate::scan::diagnosis::{Fault, dead_wires};
use crate::scan::meter::Counts;
use crate::scan::stack::StackWords;
use crate::scan::stack::thread::Sensing;

/// What a report is made of.
pub(super) struct Report<'a> {
    pub(super) board: &'a Board,
    pub(super) pin_map: &'a PinMap,
    pub(super) backend: &'a str,
    pub(super) monitor: &'a Monitor,
    pub(super) guide: Option<&'a Guide>,
    pub(super) wire_faults: Vec<Fault>,
    /// The Hall sensors, where crownings are sensed by them.
    pub(super) crownings: Option<&'a Sensing>,
    pub(super) counts: Counts,
}

impl Report<'_> {
    /// Everything that is wrong, the wires first, a sentence or two each.
    pub(super) fn problems(&self) -> Vec<String> {
        let words = Words::new(self.pin_map, BoardSize::of(self.board.game));
        let dead = self.dead_wires();
        let of_wires = self.wire_faults.iter().chain(&dead).map(|&fault| words.fault(fault));
        let mut problems: Vec<String> = of_wires.collect();
        problems.extend(self.crownings.into_iter().flat_map(|sensing| {
            StackWords::new(self.pin_map, sensing.wired()).faults(&sensing.faults().borrow())
        }));
        problems.extend(self.monitor.faults().map(|(square, fault)| in_words(square, fault)));
        let Some(guide) = self.guide else { return problems };
        let on_dead_wires = self.squares_on(&dead);
        problems.extend(guide.stuck().iter().map(|square| {
            format!("Square {square} was closed on the cleared board: a switch that sticks, or a bridge across it.")
        }));
        for (square, answer) in guide.answers() {
            match answer {
                Answer::Good => {}
                Answer::WithOthers(others) => problems.push(format!(
                    "Square {square} closes {} as well: a diode is missing, or switches lie too close.",
                    listed(others)
                )),
                Answer::Elsewhere(others) => problems.push(format!(
                    "A disc on square {square} closes {}: wires are swapped, or the pin map is not that of this board.",
                    listed(others)
                )),
                Answer::Silent if on_dead_wires.contains(square) => {}
                Answer::Silent => problems.push(format!(
                    "Square {square} does not answer: a broken switch or joint, a diode the wrong way round, or a magnet \
                     out of reach."
                )),
            }
        }
        problems
    }

    /// Wires none of whose contacts answered.
    fn dead_wires(&self) -> Vec<Fault> {
        let Some(guide) = self.guide else { return Vec::new() };
        let of = |wanted: fn(Answer) -> bool| -> SquareSet {
            guide.answers().filter(|&(_, answer)| wanted(answer)).map(|(square, _)| square).collect()
        };
        let places = |squares| places_of(self.pin_map, self.board.game, self.board.white_side, squares);
        dead_wires(&places(of(|answer| answer != Answer::Silent)), &places(of(|_| true)))
    }

    fn squares_on(&self, faults: &[Fault]) -> SquareSet {
        let is_on = |square: &Square| {
            let place = places_of(
                self.pin_map,
                self.board.game,
                self.board.white_side,
                [*square].into_iter().collect(),
            );
            place.places().any(|place| {
                faults.contains(&Fault::DeadRow { row: place.row() })
                    || faults.contains(&Fault::DeadColumn { column: place.column() })
            })
        };
        SquareSet::all(self.board.game).iter().filter(is_on).collect()
    }

    /// The whole report.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).unwrap_or_default();
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let Board { id, game, .. } = self.board;
        writeln!(text, "Contacts of board {id} ({game}), {}", WallTime::now())?;
        let Counts { completed, overruns, failed, worst_us, .. } = &self.counts;
        writeln!(
            text,
            "Backend {}: {completed} scans, {overruns} left out, {failed} failed, the latest {worst_us} microseconds late.",
            self.backend
        )?;
        let problems = self.problems();
        writeln!(text, "\nProblems: {}", if problems.is_empty() { "none" } else { "" })?;
        for problem in &problems {
            writeln!(text, "- {problem}")?;
        }
        if let Some(sensing) = self.crownings {
            writeln!(text, "\nHall sensors:")?;
            for (wired, seen) in sensing.wired().iter().zip(sensing.seen()) {
                let crowned = match (wired.points, seen.closed) {
                    (None, _) => ", not calibrated",
                    (Some(_), true) => ", two discs",
                    (Some(_), false) => "",
                };
                let name = StackWords::name(wired);
                writeln!(text, "- {name}: {}{crowned}", StackWords::reading(seen.reading))?;
            }
        }
        match self.guide {
            None => writeln!(text, "\nNo guided test was made.")?,
            Some(guide) => {
                let asked = guide.answers().count();
                let good = guide.answers().filter(|&(_, answer)| answer == Answer::Good).count();
                let all = game.square_count();
                writeln!(text, "\nGuided test: {asked} of {all} squares asked for, {good} good.")?;
            }
        }
        writeln!(text, "\nsquare  test       closures  changes  bounced  longest")?;
        for square in SquareSet::all(*game).iter() {
            let answer = self.guide.and_then(|guide| guide.answers().find(|answer| answer.0 == square));
            let tested = match answer {
                None => "-",
                Some((_, Answer::Good)) => "good",
                Some((_, Answer::WithOthers(_))) => "others too",
                Some((_, Answer::Elsewhere(_))) => "elsewhere",
                Some((_, Answer::Silent)) => "silent",
            };
            let seen = self.monitor.behaviour(square);
            writeln!(
                text,
                "{square:>6}  {tested:<10} {:>8} {:>8} {:>8} {:>5} ms",
                seen.closures, seen.changes, seen.bounced, seen.longest_ms
            )?;
        }
        Ok(())
    }
}

/// `square 3`, `squares 3 and 4`, `squares 3, 4 and 5`.
fn listed(squares: SquareSet) -> String {
    let numbers: Vec<String> = squares.iter().map(|square| square.to_string()).collect();
    match numbers.as_slice() {
        [] => "nothing".to_owned(),
        [one] => format!("square {one}"),
        [most @ .., last] => format!("squares {} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::moment::Moment;
    use draughtsd_core::settings::Settings;

    #[test]
    fn a_dead_column_is_one_problem_and_not_many() {
        let board = Board::default();
        let map = PinMap::shipped();
        let monitor = Monitor::new(board.game, Settings::default(), SquareSet::EMPTY);
        let mut guide = Guide::new(board.game);
        guide.look(SquareSet::EMPTY, Moment::ZERO);
        let contacts = map.wiring(BoardSize::Hundred).unwrap().contacts();
        let mut ms = 0;
        for square in SquareSet::all(board.game).iter() {
            let contact = &contacts[square.index()];
            let answers: SquareSet = [square].into_iter().collect();
            if contact.column.number() == 2 || square.number() == 45 {
                guide.skip(SquareSet::EMPTY);
                continue;
            }
            for _ in 0..2 {
                ms += 200;
                guide.look(answers, Moment::from_millis(ms));
            }
            guide.look(SquareSet::EMPTY, Moment::from_millis(ms));
        }
        let report = Report {
            board: &board,
            pin_map: &map,
            backend: "simulated",
            monitor: &monitor,
            guide: Some(&guide),
            wire_faults: Vec::new(),
            crownings: None,
            counts: Counts::default(),
        };
        let problems = report.problems();
        assert_eq!(problems.len(), 2, "{problems:#?}");
        assert!(problems[0].starts_with("Column 2 (GPIO 12, header pin 32"), "{problems:#?}");
        assert!(problems[1].starts_with("Square 45 does not answer"), "{problems:#?}");
        let text = report.text();
        assert!(text.contains("50 of 50 squares asked for, 41 good"), "{text}");
        assert!(text.contains("\n    45  silent "), "{text}");
    }

    #[test]
    fn squares_are_listed_as_people_would() {
        let set = |numbers: &[u8]| -> SquareSet { numbers.iter().filter_map(|&n| Square::new(n)).collect() };
        assert_eq!(listed(set(&[3])), "square 3");
        assert_eq!(listed(set(&[3, 4, 9])), "squares 3, 4 and 9");
    }
}
