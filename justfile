# Recipes are short names for scripts and commands; without `just`, read them off here.

# List the recipes.
default:
    @just --list

# Everything that has to pass before a change lands; this is what CI runs.
check:
    .ci/run

# The tests alone.
test *arguments:
    cargo test --locked {{ arguments }}

# The live page with a simulated board: `just demo --board russian --speed 4`.
demo *arguments:
    cargo run --locked --release -- demo {{ arguments }}

# The live page in a headless browser; screenshots in .ci/scratch/shots.
page:
    mkdir -p .ci/scratch
    .ci/page

# Format and fix what can be fixed by machine.
fix:
    cargo clippy --workspace --all-targets --fix --allow-dirty --allow-staged
    cargo fmt --all

# Count moves: `just perft --board brazilian --depth 10`.
perft *arguments:
    cargo run --locked --release -- perft {{ arguments }}

# Measure how exactly simulated games are read, and write docs/accuracy.md and its picture (five minutes).
accuracy *arguments="--games 24 --plot-games 8 --act-games 8":
    cargo run --locked --release --example accuracy -- --out docs {{ arguments }}

# What each contact change costs, and two hours of blitz.
bench-reading:
    cargo bench --locked --bench reading

# Arbitrary inputs against a game, without end (needs `cargo install cargo-fuzz`).
fuzz-reader *arguments:
    cd fuzz && RUSTC_BOOTSTRAP=1 cargo fuzz run reader {{ arguments }}

# What takes too long for every change: all known move counts; the schematics with KiCad 9.
full: check
    .ci/full

# Draw the schematics from hardware/pinmap.toml, check and export them (needs KiCad 9).
schematics:
    hardware/kicad/check.sh --write

# Build for the Raspberry Pi's processors, and run unit tests and program under qemu (installs what it needs on Debian).
cross *targets:
    .ci/cross {{ targets }}

# Count the instructions of a scan in which nothing happens (needs valgrind).
idle-frame:
    benches/idle-frame.sh

# Licences, bans and sources of dependencies, and known holes where the list can be reached.
deny:
    .ci/licences

# The Debian package for amd64 or arm64, judged by lintian: `just deb arm64`.
deb *arguments:
    .ci/deb {{ arguments }}

# How long a contact's change takes to 500 screens, with a card that is slow to flush: `just load --flush-ms 200`.
load *arguments:
    cargo build --locked --release
    cargo run --locked --release --example load -- {{ arguments }}

# Fuzz a target for a minute: fen, movetext or pdn. Needs `cargo install cargo-fuzz`; a stable compiler will do.
fuzz target seconds="60":
    mkdir -p fuzz/target/found/{{ target }}
    cargo fuzz run --sanitizer none {{ target }} fuzz/target/found/{{ target }} fuzz/corpus/{{ target }} -- \
        -max_total_time={{ seconds }} -max_len=3000

# Have other programs judge the PDN we write and the draws we count (needs Python, installs three packages).
judge *arguments:
    tests/judges/judge.sh {{ arguments }}
