//! Fuzz target `reader`; what it asserts is in `src/reader.rs`.
#![no_main]

#[path = "../src/reader.rs"]
mod reader;

libfuzzer_sys::fuzz_target!(|input: &[u8]| reader::hold(input));
