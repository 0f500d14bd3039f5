//! Feeds: how the outside world follows a board.
//!
//! The core's events come in at one end ([`board_feed::BoardFeed::publish`]); server-sent events, the
//! snapshot, PDN and the live page come out at the other ([`http`]). Nothing here decides anything about
//! the game, and nothing here can slow it down: publishing never waits for a reader.
//!
//! **Invariant:** what leaves through this folder's HTTP server went through
//! [`Event::for_public`](draughtsd_core::event::Event::for_public). The arbiter has a listener of his own.

pub mod arbiter_notes;
pub mod board_feed;
pub mod board_state;
pub mod envelope;
pub mod game_record;
pub mod http;
pub mod wall_time;
