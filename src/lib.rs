//! The shell of `draughtsd`: files, network, devices and the command line around `draughtsd_core`.
#![forbid(unsafe_code)]

pub mod cli;
pub mod fixtures;
pub mod simulator;
pub mod trace_file;
