//! The command line: one module per command, data on stdout, talk on stderr, sysexits exit codes.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod check;
mod completions;
mod config;
mod ctl;
mod demo;
mod failure;
mod games;
mod log;
mod man;
mod pdn;
mod perft;
mod replay;
mod run;
mod sensors;
mod simulate;
mod status;

pub use failure::Failure;

/// Exit codes, named after `sysexits.h`.
pub mod exit {
    /// The command was used wrongly.
    pub const USAGE: u8 = 64;
    /// The input data was incorrect.
    pub const DATA: u8 = 65;
    /// An input file could not be read.
    pub const NO_INPUT: u8 = 66;
    /// Something the program needs is not available (a port, a device).
    pub const UNAVAILABLE: u8 = 69;
    /// Something that should not happen happened; please report it.
    pub const SOFTWARE: u8 = 70;
    /// An output could not be written.
    pub const IO: u8 = 74;
    /// The configuration is wrong.
    pub const CONFIG: u8 = 78;
}

/// Reads an electronic draughts board: contacts in, game out.
#[derive(Debug, Parser)]
#[command(name = "draughtsd", version, about, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  \
    draughtsd demo\n  \
    draughtsd replay game.jsonl.gz --output pdn\n\n\
    Each command has examples of its own: draughtsd replay --help")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Completions(completions::Arguments),
    Config(config::Arguments),
    Ctl(ctl::Arguments),
    Demo(demo::Arguments),
    Games(games::Arguments),
    Man(man::Arguments),
    Pdn(pdn::Arguments),
    Perft(perft::Arguments),
    Replay(replay::Arguments),
    Run(run::Arguments),
    Sensors(sensors::Arguments),
    Simulate(simulate::Arguments),
    Status(status::Arguments),
}

/// Runs the program with the process's arguments and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no failure; clap knows which of its messages go to stdout.
            let used_wrongly = error.use_stderr();
            return match error.print() {
                Ok(()) if !used_wrongly => ExitCode::SUCCESS,
                Ok(()) => ExitCode::from(exit::USAGE),
                Err(_) => ExitCode::from(exit::IO),
            };
        }
    };
    let done = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        Command::Ctl(arguments) => ctl::run(arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Pdn(arguments) => pdn::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Sensors(arguments) => sensors::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Status(arguments) => status::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.complain();
            ExitCode::from(failure.code())
        }
    }
}
