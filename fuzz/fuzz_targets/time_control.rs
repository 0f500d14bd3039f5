//! Fuzz target `time_control`; what it asserts is in `src/clock.rs`.
#![no_main]

#[path = "../src/clock.rs"]
#[allow(dead_code, reason = "each target uses one of the functions")]
mod clock;

libfuzzer_sys::fuzz_target!(|input: &[u8]| clock::control(input));
