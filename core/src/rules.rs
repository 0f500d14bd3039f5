//! The rules of the three games: which moves are legal, which are conceivable, and how many there are.
//!
//! [`Variant`] names the game and [`Rules`] is its table of constants, each with the article it rests on.
//! Generators work on padded bitboards (`bitboard`) and are specialised at compile time by game and side; the
//! rest of the program uses them through [`Position`](crate::position::Position).

pub(crate) mod bitboard;
pub(crate) mod conceivable;
pub mod draws;
pub(crate) mod movegen;
mod perft;
pub(crate) mod routes;
mod variant;

pub use perft::perft;
pub use variant::{Rules, UnknownVariant, Variant};
