//! The pure half of `draughtsd`: rules, notation, sensing, reading of moves, game flow.
//!
//! Nothing here opens a file, reads a clock or starts a thread. The same inputs give the same
//! outputs, byte for byte, which is what makes a recorded game replayable.
#![forbid(unsafe_code)]

pub mod alert;
pub mod clock;
pub mod event;
pub mod game;
pub mod geometry;
pub mod matrix;
pub mod moment;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod position;
pub mod reading;
pub mod rules;
pub mod sensing;
pub mod settings;
pub mod square;
pub mod time_control;
pub mod trace;
