//! The pure half of `draughtsd`: rules, notation, sensing, reading of moves, game flow.
//!
//! Nothing here opens a file, reads a clock or starts a thread. The same inputs give the same
//! outputs, byte for byte, which is what makes a recorded game replayable.
#![forbid(unsafe_code)]

pub mod moment;
