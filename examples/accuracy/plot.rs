//! Games read exactly against noise, as a picture: one line for each board, and the method to compare
//! with beside them. Lines are told apart by dashes as well as by colour.

use std::fmt::Write as _;

use draughtsd_core::rules::Variant;

use crate::report::sum;
use crate::{Kind, PLOT_LEVELS, Tally};

const WIDTH: u32 = 720;
const HEIGHT: u32 = 400;
const LEFT: u32 = 64;
const RIGHT: u32 = 24;
const TOP: u32 = 28;
const BOTTOM: u32 = 56;

/// Colours that remain apart without colour vision, and dashes.
const LINES: [(Variant, &str, &str); 3] = [
    (Variant::International, "#0072b2", ""),
    (Variant::Brazilian, "#d55e00", "7 4"),
    (Variant::Russian, "#009e73", "2 3"),
];

/// The picture.
pub(crate) fn svg(plot: &[(Kind, Tally)]) -> String {
    let mut svg = String::new();
    let mut line = |written: String| {
        svg.push_str(&written);
        svg.push('\n');
    };
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">"
    ));
    line("<title>Games read exactly, against noise</title>".into());
    line(format!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"));
    for tenth in (0..=100).step_by(20) {
        let y = y_of(tenth * 100);
        line(format!(
            "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{}\" \
             text-anchor=\"end\">{tenth} %</text>",
            WIDTH - RIGHT,
            LEFT - 8,
            y + 4
        ));
    }
    for level in (0..=400).step_by(50) {
        let x = x_of(level);
        line(format!(
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}.{}</text>",
            HEIGHT - BOTTOM + 20,
            level / 100,
            level % 100 / 10
        ));
    }
    let limit = x_of(100);
    line(format!(
        "<line x1=\"{limit}\" y1=\"{TOP}\" x2=\"{limit}\" y2=\"{}\" stroke=\"#888888\" stroke-dasharray=\"4 3\"/>\
         <text x=\"{}\" y=\"{}\" fill=\"#555555\">the most that must be read</text>",
        HEIGHT - BOTTOM,
        limit + 6,
        HEIGHT - BOTTOM - 8
    ));
    line(format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">noise, 1 = limits of docs/trace.md</text>",
        LEFT.midpoint(WIDTH - RIGHT),
        HEIGHT - 14
    ));
    line(format!(
        "<text x=\"{LEFT}\" y=\"18\">games read exactly, all styles; pale: settle and match</text>"
    ));
    for (board, colour, dashes) in LINES {
        let own = points(plot, board, |tally| tally.exact);
        let baseline = points(plot, board, |tally| tally.baseline_exact);
        for (points, opacity, width) in [(own, "1", 2.5), (baseline, "0.4", 2.0)] {
            line(format!(
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                 stroke-dasharray=\"{dashes}\" stroke-opacity=\"{opacity}\"/>"
            ));
        }
    }
    for (index, (board, colour, dashes)) in (0_u32..).zip(LINES) {
        let y = TOP + 14 + 18 * index;
        let x = WIDTH - RIGHT - 150;
        line(format!(
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2.5\" \
             stroke-dasharray=\"{dashes}\"/><text x=\"{}\" y=\"{}\">{board}</text>",
            x + 36,
            x + 44,
            y + 4
        ));
    }
    line("</svg>".into());
    svg
}

/// The points of a line, for a `polyline`.
fn points(plot: &[(Kind, Tally)], board: Variant, part: impl Fn(&Tally) -> u32) -> String {
    let mut points = String::new();
    for level in PLOT_LEVELS {
        let tally = sum(plot, |kind| kind.board == board && kind.level == level);
        if tally.games > 0 {
            let share = u64::from(part(&tally)) * 10_000 / u64::from(tally.games);
            let share = u32::try_from(share).unwrap_or(10_000);
            let _ = write!(points, "{},{} ", x_of(level), y_of(share));
        }
    }
    points
}

fn x_of(level: u32) -> u32 {
    LEFT + level * (WIDTH - LEFT - RIGHT) / 400
}

/// - `share`: of all games, in hundredths of a per cent.
fn y_of(share: u32) -> u32 {
    let height = HEIGHT - TOP - BOTTOM;
    TOP + height - share * height / 10_000
}
