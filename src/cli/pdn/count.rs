//! `draughtsd pdn count`: how many games and plies, without looking at the moves.

use std::io::{self, Write as _};

use anyhow::Context as _;
use clap::Args;
use draughtsd_core::notation::pdn::GameResult;
use serde::Serialize;

use super::{Files, Input, say};
use crate::cli::Failure;

/// Counts games, plies and results, without looking at the moves.
///
/// Whether the moves are legal is for `draughtsd pdn check` to say.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd pdn count *.pdn\n  \
    draughtsd pdn count --json archive.pdn.gz")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Write one JSON object for each file instead of a table.
    #[arg(long)]
    json: bool,
}

/// What was counted of a file.
#[derive(Default, Serialize)]
struct Counts {
    file: String,
    games: u64,
    unreadable: u64,
    plies: u64,
    longest: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    other_results: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut total = Counts { file: "total".to_owned(), ..Counts::default() };
    if !arguments.json {
        write_row(
            &mut out,
            ["games", "unreadable", "plies", "longest", "white", "draw", "black", "other", "file"],
        )
        .map_err(Failure::output)?;
    }
    let counted = Files::new(&arguments.input).each(|files, mut file| {
        let mut counts = Counts { file: file.path.display().to_string(), ..Counts::default() };
        while let Some(outline) = file.reader.next_outline() {
            match outline {
                Ok(outline) => {
                    let plies = outline.ply_count() as u64;
                    counts.games += 1;
                    counts.plies += plies;
                    counts.longest = counts.longest.max(plies);
                    *counts.of_result(outline.result()) += 1;
                }
                Err(error) => {
                    files.bad_game(&error);
                    counts.unreadable += 1;
                    file.meter.clear();
                    say(&error.to_string());
                }
            }
            file.meter.game(counts.games);
        }
        file.meter.clear();
        total.add(&counts);
        if arguments.json {
            let line = serde_json::to_string(&counts).context("counts").map_err(Failure::internal)?;
            writeln!(out, "{line}").map_err(Failure::output)
        } else {
            counts.write(&mut out).map_err(Failure::output)
        }
    });
    if !arguments.json && arguments.input.files.len() > 1 {
        total.write(&mut out).map_err(Failure::output)?;
    }
    counted
}

impl Counts {
    fn of_result(&mut self, result: GameResult) -> &mut u64 {
        match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::BlackWins => &mut self.black_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::BothLose | GameResult::Other | GameResult::Unknown => &mut self.other_results,
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.unreadable += other.unreadable;
        self.plies += other.plies;
        self.longest = self.longest.max(other.longest);
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
        self.other_results += other.other_results;
    }

    fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let numbers = [
            self.games,
            self.unreadable,
            self.plies,
            self.longest,
            self.white_wins,
            self.draws,
            self.black_wins,
            self.other_results,
        ]
        .map(|number| number.to_string());
        let [games, unreadable, plies, longest, white, draw, black, other] =
            numbers.each_ref().map(String::as_str);
        write_row(out, [games, unreadable, plies, longest, white, draw, black, other, &self.file])
    }
}

fn write_row(out: &mut impl io::Write, row: [&str; 9]) -> io::Result<()> {
    let [games, unreadable, plies, longest, white, draw, black, other, file] = row;
    writeln!(
        out,
        "{games:>9} {unreadable:>10} {plies:>11} {longest:>7} {white:>8} {draw:>8} {black:>8} {other:>8}  {file}"
    )
}
