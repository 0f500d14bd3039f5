//! `draughtsd man`: the manual pages, made of the command line itself.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;

use super::{Failure, exit};

/// Prints the manual page, or writes the pages of all commands into a folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd man | man -l -\n  \
    draughtsd man --out ~/.local/share/man/man1 && man draughtsd-replay")]
pub(super) struct Arguments {
    /// Write one page for each command into this folder, which is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When the pages cannot be written.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut command = super::Arguments::command().disable_help_subcommand(true);
    command.build();
    match &arguments.out {
        None => io::stdout().lock().write_all(page(&command)?.as_bytes()).map_err(Failure::output),
        Some(folder) => {
            fs::create_dir_all(folder)
                .with_context(|| folder.display().to_string())
                .map_err(|error| Failure::new(exit::IO, error))?;
            write_page(&command, folder)?;
            command.get_subcommands().try_for_each(|command| write_page(command, folder))
        }
    }
}

fn write_page(command: &Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(command)?)
        .with_context(|| path.display().to_string())
        .map_err(|error| Failure::new(exit::IO, error))
}

/// A page in the form that `man` reads.
fn page(command: &Command) -> Result<String, Failure> {
    let manual = format!("draughtsd {}", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).manual("Electronic draughts boards").source(manual);
    let mut text = Vec::new();
    page.render(&mut text).context("manual page").map_err(Failure::internal)?;
    let text = String::from_utf8(text).context("manual page").map_err(Failure::internal)?;
    // The generator does not know that what stands after the options are examples.
    Ok(text
        .replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n")
        .replace(".SH EXTRA\nExample:\n", ".SH EXAMPLE\n"))
}
