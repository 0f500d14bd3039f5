//! The inputs kept from fuzzing, replayed without a fuzzer.

use std::fs;
use std::path::Path;

#[path = "../fuzz/src/clock.rs"]
mod clock;
#[path = "../fuzz/src/notation.rs"]
mod notation;

#[test]
fn what_was_found_by_fuzzing_stays_found() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in notation::TARGETS.into_iter().chain(clock::TARGETS) {
        let mut inputs: Vec<_> = fs::read_dir(corpus.join(name))
            .expect("a folder for each target")
            .map(|entry| entry.expect("a file").path())
            .collect();
        inputs.sort();
        assert!(inputs.len() > 10, "{name}");
        for path in inputs {
            // Printed only where the target fails.
            println!("{}", path.display());
            target(&fs::read(&path).expect("a readable file"));
        }
    }
}
