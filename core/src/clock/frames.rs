//! Frames: the public byte layout in which electronic boards pass on what their clock says, and take what it is told.
//!
//! For adapters that speak it; nothing is promised about the programs and boards of its makers, whose names and
//! constants are not used here. What it cannot do shapes this driver: times are whole seconds up to 9:59:59, there
//! is no bonus (the driver adds it with each press), nothing has a number, and an answer is a time message in disguise.
//!
//! - Bytes with bit 7 set begin a message: identity, length (two bytes of 7 bits, which count all of it), data below
//!   0x80. So a reader finds its way again after garbage ([`Frames`]).
//! - One command is in flight at a time; it is repeated once.
//! - Values that cannot be are ignored, and so are frames of zeros. A time that is not what running, bonus and setting
//!   make of the last one has to be said twice before it is believed.

mod beside;
mod bytes;
mod link;

pub use bytes::{Acknowledgement, Command, Frame, FrameError, Frames, Hms, Times};
pub use link::FramesLink;
