//! What is written down: positions, moves and games as text.

pub mod fen;
pub mod movetext;
pub mod pdn;
