//! `draughtsd completions`: what a shell needs to complete the command line, made of the command line itself.

use std::io::{self, Write as _};

use clap::{Args, CommandFactory as _, ValueEnum};
use clap_complete::{Shell, generate};

use super::Failure;

/// Prints the completions of a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    draughtsd completions bash > ~/.local/share/bash-completion/completions/draughtsd\n  \
    draughtsd completions zsh > ~/.zfunc/_draughtsd\n  \
    draughtsd completions fish > ~/.config/fish/completions/draughtsd.fish")]
pub(super) struct Arguments {
    /// The shell.
    #[arg(value_enum)]
    shell: ShellArgument,
}

/// The shells that people log into a Pi with.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ShellArgument {
    Bash,
    Zsh,
    Fish,
}

impl From<ShellArgument> for Shell {
    fn from(shell: ShellArgument) -> Self {
        match shell {
            ShellArgument::Bash => Self::Bash,
            ShellArgument::Zsh => Self::Zsh,
            ShellArgument::Fish => Self::Fish,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Made in memory, since the generator panics when its output cannot be written.
    let mut text = Vec::new();
    generate(Shell::from(arguments.shell), &mut super::Arguments::command(), "draughtsd", &mut text);
    io::stdout().lock().write_all(&text).map_err(Failure::output)
}
