//! The shell of `draughtsd`: files, network, devices and the command line around `draughtsd_core`.
#![forbid(unsafe_code)]

pub mod board_loop;
pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod daemon;
pub mod feeds;
pub mod fixtures;
pub mod input_file;
pub mod journal;
pub mod metrics;
pub mod pinmap;
pub mod playback;
pub mod pulse;
pub mod scan;
pub mod service;
pub mod session;
pub mod simulator;
pub mod source;
pub mod staged_game;
pub mod stored_game;
pub mod trace_file;
