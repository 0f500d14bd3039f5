//! The `draughtsd` program: hands its arguments to [`draughtsd::cli`] and exits with its code.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    draughtsd::cli::main()
}
