//! The line protocol, version 1: lines of text between the daemon and a clock or gateway built at home.
//!
//! `hardware/clock-protocol.md` specifies it for those who build the other end. Here are the lines with their
//! checksum ([`Lines`], [`seal`]), what they say ([`Request`], [`Message`]) and the daemon's end of it
//! ([`LineLink`]). The two ends of the clock are *left* and *right*; colours are the link's to map.

mod framing;
mod link;
mod message;

pub use framing::{LONGEST_LINE, LineError, Lines, checksum, seal};
pub use link::LineLink;
pub use message::{Ends, Message, Refusal, Request, Status, Welcome};

/// The version of the protocol that this program speaks.
pub const VERSION: u8 = 1;
