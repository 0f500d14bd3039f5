//! Games with arbitrary inputs: the committed ones of the fuzzer, and as many random ones as there is time for.
//!
//! Half a second's worth by default; `DRAUGHTSD_FUZZ_SECONDS=60` goes on for that long, and
//! `DRAUGHTSD_FUZZ_SEED` begins elsewhere. A failure leaves its input, made as short as it can be, in the file
//! that the message names.

#[path = "../../fuzz/src/reader.rs"]
mod reader;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reader::{hold, trace};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/reader")
}

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Random numbers for inputs: xorshift, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// An input: hands that move, contacts that flutter, or anything.
    fn input(&mut self) -> Vec<u8> {
        let mut bytes = vec![self.byte(), self.byte()];
        let length = 4 + self.below(300);
        let (mut hands, mut few) = (self.below(100), self.below(3) == 0);
        while bytes.len() < usize::try_from(length).expect("a small number") {
            if self.below(40) == 0 {
                (hands, few) = (self.below(100), self.below(3) == 0);
            }
            let hand = self.below(100) < hands;
            let first = if hand { 8 * 22 + self.byte() % 80 } else { self.byte() };
            let argument = if few { self.byte() % 8 } else { self.byte() };
            bytes.extend([first, argument]);
            if first / 8 >= 22 {
                // Mostly well: at a good pace, captured discs off after landing, with a press.
                let badly = self.below(6) == 0;
                bytes.push(if badly { self.byte() } else { self.byte() & 0x07 });
            }
        }
        bytes
    }
}

/// Whether the input fails, and how.
fn failure(bytes: &[u8]) -> Option<String> {
    let error = catch_unwind(|| hold(bytes)).err()?;
    let text = error.downcast_ref::<String>().cloned();
    Some(text.or_else(|| error.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default())
}

/// A shorter input that fails in the same way, as far as one is found.
fn shortest(mut bytes: Vec<u8>, message: &str) -> Vec<u8> {
    let kind = |text: &str| text.chars().filter(|c| c.is_alphabetic()).take(16).collect::<String>();
    let fails = |bytes: &[u8]| failure(bytes).is_some_and(|other| kind(&other) == kind(message));
    let mut size = bytes.len() / 2;
    while size > 0 {
        let mut at = 2.min(bytes.len());
        while at < bytes.len() {
            let mut shorter = bytes.clone();
            shorter.drain(at..(at + size).min(bytes.len()));
            if fails(&shorter) {
                bytes = shorter;
            } else {
                at += size.min(3);
            }
        }
        size /= 2;
    }
    bytes
}

#[track_caller]
fn check(name: &str, bytes: &[u8]) {
    if let Some(message) = failure(bytes) {
        let shorter = shortest(bytes.to_vec(), &message);
        let file = std::env::temp_dir().join(format!("draughtsd-arbitrary-{name}"));
        fs::write(&file, &shorter).expect("the folder for passing files can be written");
        panic!("{name}: {message}\nshortest input: {}\n{}", file.display(), trace_of(&shorter));
    }
}

/// The trace up to the failure is worth more than none.
fn trace_of(bytes: &[u8]) -> String {
    catch_unwind(|| trace(bytes)).unwrap_or_default()
}

#[test]
fn the_committed_inputs_hold() {
    let mut names: Vec<PathBuf> =
        fs::read_dir(corpus()).expect("the corpus").flatten().map(|entry| entry.path()).collect();
    names.sort();
    assert!(names.len() >= 24, "the corpus has {} inputs", names.len());
    for path in names {
        let bytes = fs::read(&path).expect("an input of the corpus");
        check(&path.file_name().unwrap_or_default().to_string_lossy(), &bytes);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long to go on is the caller's choice, not the game's")]
fn random_inputs_hold() {
    let seed = number_of("DRAUGHTSD_FUZZ_SEED").unwrap_or(1);
    let seconds = number_of("DRAUGHTSD_FUZZ_SECONDS");
    let began = Instant::now();
    for n in 0.. {
        let enough = seconds.map_or(n >= 40, |seconds| began.elapsed() >= Duration::from_secs(seconds));
        if enough {
            break;
        }
        let number = seed.wrapping_mul(1_000_003).wrapping_add(n);
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        check(&number.to_string(), &random.input());
    }
}
