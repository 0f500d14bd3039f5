//! What is on the screen: the board, or the table of bounces, with faults and keys below.

use draughtsd_core::square::{Square, SquareSet};

use super::guide::{Guide, Stage};
use super::monitor::Monitor;
use super::screen::{Line, Look};
use crate::scan::meter::{Counts, LATENESS_BOUNDS_US};

/// Each square of the diagram is so wide.
const CELL: usize = 4;
/// The table of bounces has so many lines.
const TABLE_LINES: usize = 17;

/// Everything that is shown.
pub(super) struct View<'a> {
    pub(super) title: &'a str,
    pub(super) monitor: &'a Monitor,
    pub(super) guide: Option<&'a Guide>,
    pub(super) counts: &'a Counts,
    /// Wells, presses and buttons: name, and whether it is closed.
    pub(super) panel: &'a [(String, bool)],
    /// What the Hall sensors read, where there are any.
    pub(super) stack: &'a [String],
    pub(super) problems: &'a [String],
    /// What was done last.
    pub(super) message: &'a str,
    pub(super) width: usize,
}

impl View<'_> {
    /// The page with the board.
    pub(super) fn board(&self) -> Vec<Line> {
        let mut lines = vec![vec![(self.title.to_owned(), Look::Strong)], Line::new()];
        let beside = self.beside();
        let rows = self.monitor.variant().rows();
        for row in 0..rows.max(u8::try_from(beside.len()).unwrap_or(u8::MAX)) {
            let mut line = self.board_row(row);
            if let Some(text) = beside.get(usize::from(row)) {
                let used = if row < rows { 0 } else { CELL * usize::from(rows) };
                line.push((" ".repeat(used + 2), Look::Plain));
                line.push(text.clone());
            }
            lines.push(line);
        }
        lines.push(Line::new());
        lines.extend(self.asking());
        lines.extend(self.below());
        lines
    }

    /// The page with the bounces.
    pub(super) fn bounces(&self) -> Vec<Line> {
        let mut lines = vec![vec![(self.title.to_owned(), Look::Strong)], Line::new()];
        let squares: Vec<Square> = SquareSet::all(self.monitor.variant()).iter().collect();
        let head = "sq  on raw  bnc  longest  ";
        lines.push(vec![(head.repeat(squares.len().div_ceil(TABLE_LINES)), Look::Faint)]);
        for first in 0..TABLE_LINES {
            let mut line = Line::new();
            for &square in squares.iter().skip(first).step_by(TABLE_LINES) {
                let seen = self.monitor.behaviour(square);
                let text = format!(
                    "{square:>2}{:>4}{:>4}{:>5}{:>6} ms  ",
                    seen.closures, seen.changes, seen.bounced, seen.longest_ms
                );
                line.push((text, if seen.bounced > 0 { Look::Strong } else { Look::Plain }));
            }
            lines.push(line);
        }
        lines.push(Line::new());
        lines.extend(self.below());
        lines
    }

    /// The keys, for the bottom line.
    pub(super) fn keys(&self) -> Line {
        let keys = match self.guide.map(Guide::stage) {
            Some(Stage::Clearing) => "Enter: as clear as it gets   x: end the test   q: quit",
            Some(Stage::Asking(_)) => "Space: no answer   b: back   x: end the test   q: quit",
            Some(Stage::Done) | None => {
                "Tab: board/bounces   t: guided test   r: report   c: clear   q: quit"
            }
        };
        vec![(keys.to_owned(), Look::Faint)]
    }

    fn board_row(&self, row: u8) -> Line {
        let rows = self.monitor.variant().rows();
        if row >= rows {
            return Line::new();
        }
        let cells = (0..rows).map(|column| {
            let square = Square::from_row_column(row, column, self.monitor.variant());
            square.map_or_else(|| (" ".repeat(CELL), Look::Plain), |square| self.cell(square))
        });
        cells.collect()
    }

    fn cell(&self, square: Square) -> (String, Look) {
        let (raw, steady) = (self.monitor.raw().contains(square), self.monitor.steady().contains(square));
        let sign = match (raw, steady) {
            (true, true) => '●',
            (false, false) => '·',
            (true, false) => '◔',
            (false, true) => '◕',
        };
        let is_wanted = self.guide.is_some_and(|guide| guide.stage() == Stage::Asking(square));
        let is_faulty = self.monitor.faults().any(|fault| fault.0 == square);
        let look = match (is_wanted, is_faulty, raw || steady) {
            (true, _, _) => Look::Wanted,
            (false, true, _) => Look::Wrong,
            (false, false, true) => Look::Strong,
            (false, false, false) => Look::Faint,
        };
        (format!("{square:>2}{sign} "), look)
    }

    /// The lines beside the board.
    fn beside(&self) -> Vec<(String, Look)> {
        let closed = self.monitor.steady().len();
        let all = self.monitor.variant().square_count();
        let Counts { completed, overruns, worst_us, .. } = self.counts;
        let mut lines = vec![
            ("● closed  · open".to_owned(), Look::Faint),
            ("◔ closing ◕ opening".to_owned(), Look::Faint),
            (String::new(), Look::Plain),
            (format!("{closed} of {all} closed"), Look::Plain),
            (format!("{completed} scans, {overruns} left out"), Look::Plain),
            (format!("9 of 10 within {}", self.lateness()), Look::Plain),
            (format!("the latest {worst_us} us late"), Look::Plain),
        ];
        for end in ["near", "far"] {
            let marked = self.panel.iter().filter(|contact| contact.0.contains(end));
            let shown = marked.map(|(name, closed)| {
                let name = name.replace(&format!("-{end}"), "");
                let initial = name.chars().next().unwrap_or('?');
                let number = name.rsplit('-').next().filter(|last| last.len() == 1).unwrap_or("");
                format!("{initial}{number}{}", if *closed { '●' } else { '·' })
            });
            let text = shown.collect::<Vec<_>>().join(" ");
            lines.push((format!("{end:>4} {text}"), Look::Plain));
        }
        lines
    }

    /// The bound within which nine of ten scans began.
    fn lateness(&self) -> String {
        let all: u64 = self.counts.lateness.iter().sum();
        let mut within = 0;
        for (class, &bound) in LATENESS_BOUNDS_US.iter().enumerate() {
            within += self.counts.lateness[class];
            if within * 10 >= all * 9 {
                return format!("{bound} us");
            }
        }
        "more than 50 ms".to_owned()
    }

    /// What the guided test asks for.
    fn asking(&self) -> Vec<Line> {
        let Some(guide) = self.guide else { return Vec::new() };
        let text = match guide.stage() {
            Stage::Clearing => {
                let left = self.monitor.steady().len();
                format!("Guided test: take all discs off the board ({left} contacts are still closed).")
            }
            Stage::Asking(square) => format!("Guided test: put a disc on square {square}."),
            Stage::Done => "Guided test: done.".to_owned(),
        };
        vec![vec![(text, Look::Wanted)]]
    }

    /// What was done last, and problems.
    fn below(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = self.stack.iter().map(|line| vec![(line.clone(), Look::Plain)]).collect();
        if !self.message.is_empty() {
            lines.push(vec![(self.message.to_owned(), Look::Plain)]);
        }
        for problem in self.problems {
            for (index, text) in wrapped(problem, self.width.saturating_sub(2)).into_iter().enumerate() {
                let bullet = if index == 0 { "! " } else { "  " };
                lines.push(vec![(format!("{bullet}{text}"), Look::Wrong)]);
            }
        }
        lines
    }
}

/// A text in lines of at most `width` characters, broken between words.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("immeasurable", 5), ["immeasurable"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
