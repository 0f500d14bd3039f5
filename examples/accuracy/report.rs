//! The measurement as a page for `docs`.

use std::fmt::Write as _;

use draughtsd::simulator::Style;
use draughtsd_core::rules::Variant;

use crate::acts::{ActTally, LevelTally};
use crate::{Arguments, Kind, TABLE_LEVELS, Tally};

const HEAD: &str = "\
# How exactly games are read

Games made up from seeds, carried out by the simulated hands of this project (`draughtsd simulate`) and read back. A game
counts as *exact* when every move and the last position are right; *plies* are those read right from the beginning of
their game on; *false alerts* are counted per 1,000 plies, and none of these games deserves one.

*Noise* 1 is the most that a board and its players may do and must still be read (`docs/trace.md`, \"what happens on
real boards\"); at 0.5 everything is half as long and half as frequent; at 0 only the style is at work. The last two
columns are the method that most boards use, on the same traces: wait for 300 ms of rest, match the position with one
legal move, else with two (`examples/accuracy/baseline.rs`).

![Games read exactly, against noise](accuracy.svg)
";

const FOOT: &str = "
What the numbers cannot say: these hands are simulated, and by the same project. They know nothing of the reader's
thresholds, but they do only what somebody thought of. Recordings from real boards are worth more; see `docs/trace.md`
for how to contribute one.
";

/// The page.
pub(crate) fn markdown(table: &[(Kind, Tally)], acts: &[LevelTally], arguments: &Arguments) -> String {
    let mut text = String::from(HEAD);
    let mut line = |written: String| {
        text.push_str(&written);
        text.push('\n');
    };
    for board in Variant::ALL {
        line(format!("\n## {board}\n"));
        line(
            "| style | noise | games | exact | plies | false alerts | exact, baseline | plies, baseline |"
                .into(),
        );
        line("|---|---|---|---|---|---|---|---|".into());
        for style in Style::ALL {
            for level in TABLE_LEVELS {
                let kind = Kind { board, style, level };
                let Some((_, tally)) = table.iter().find(|(other, _)| *other == kind) else { continue };
                line(row(&style.to_string(), &noise(level), tally));
            }
        }
        for level in TABLE_LEVELS {
            let all = sum(table, |kind| kind.board == board && kind.level == level);
            line(row("**all**", &noise(level), &all));
        }
    }
    for level in acts {
        line(format!("\n## Irregular acts, noise {}\n", noise(level.level)));
        line(format!(
            "{} games of all boards and styles, {} of them exact; {} plies, the record of an act that stood included.\n",
            level.games,
            percent(level.exact, level.games),
            level.plies
        ));
        line("| act | planted | told | with the right end | told too late | false alerts |".into());
        line("|---|---|---|---|---|---|".into());
        let mut all = ActTally::default();
        for (code, acts) in &level.codes {
            line(act_row(code.name(), acts));
            all.planted += acts.planted;
            all.told += acts.told;
            all.right_state += acts.right_state;
            all.late += acts.late;
            all.false_alerts += acts.false_alerts;
        }
        line(act_row("**all**", &all));
    }
    let mut recipe = String::new();
    let _ = write!(
        recipe,
        "\nMade by `cargo run --release --example accuracy -- --games {} --plot-games {} --act-games {} --seed {} --plies {}",
        arguments.games, arguments.plot_games, arguments.act_games, arguments.seed, arguments.plies
    );
    if let Some(gap) = arguments.gap {
        let _ = write!(recipe, " --gap {gap}");
    }
    recipe.push_str(" --out docs`.");
    line(recipe);
    text.push_str(FOOT);
    text
}

/// All games of the kinds that `is_meant`.
pub(crate) fn sum(table: &[(Kind, Tally)], is_meant: impl Fn(&Kind) -> bool) -> Tally {
    let mut all = Tally::default();
    table.iter().filter(|(kind, _)| is_meant(kind)).for_each(|(_, tally)| all.add(tally));
    all
}

fn noise(level: u32) -> String {
    format!("{}.{}", level / 100, level % 100 / 10)
}

fn row(style: &str, noise: &str, tally: &Tally) -> String {
    let games = u64::from(tally.games);
    format!(
        "| {style} | {noise} | {games} | {} | {} | {} | {} | {} |",
        percent(u64::from(tally.exact), games),
        percent(tally.plies_right, tally.plies),
        per_thousand(u64::from(tally.false_alerts), tally.plies),
        percent(u64::from(tally.baseline_exact), games),
        percent(tally.baseline_plies_right, tally.plies),
    )
}

fn act_row(name: &str, acts: &ActTally) -> String {
    let ActTally { planted, told, right_state, late, false_alerts } = *acts;
    let [told, right_state] = [told, right_state].map(|part| percent(part, planted));
    format!("| {name} | {planted} | {told} | {right_state} | {late} | {false_alerts} |")
}

/// Rounded down to hundredths, so that 100 % means all of them.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let hundredths = part * 10_000 / whole;
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// Rounded up to hundredths, so that 0 means none.
fn per_thousand(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let hundredths = (part * 100_000).div_ceil(whole);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
