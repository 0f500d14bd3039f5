//! Fuzz target `fen`; what it asserts is in `src/notation.rs`.
#![no_main]

#[path = "../src/notation.rs"]
#[allow(dead_code, reason = "each target uses one of the functions")]
mod notation;

libfuzzer_sys::fuzz_target!(|input: &[u8]| notation::fen(input));
