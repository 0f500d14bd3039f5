//! A Raspberry Pi without a Raspberry Pi: a shared library that is preloaded (`LD_PRELOAD`) into a program which
//! reads a switch matrix, and shows it the devices, registers and wires that it would find on a real board.
//!
//! For tests only, on Linux on x86-64 only; elsewhere the library is empty. What it proves and what it cannot
//! is in `docs/fake-pi.md`.
//!
//! ```text
//!  program ── open, mmap ──→ interpose ── a page that must not be written ──→ trap ── one write ──→ registers
//!     │                          │                                                                  │
//!     └─ ioctl ─────────────────→ chip ── which pins are driven, which pulled up ──→ circuit ←──────┘
//!                                                                                       ↑
//!                                                     the file with the switches (state) ┘
//! ```
//!
//! The environment says what is shown:
//!
//! - `FAKE_PI`: `bcm2711` (a Pi 4 through its registers), `rp1` (a Pi 5 through its registers) or `gpiochip` (any
//!   board with a GPIO character device). Without it the library does nothing.
//! - `FAKE_PI_STATE`: the path of the file with the switches, as `state.rs` has it. It may be rewritten at any time.
//!
//! SPI devices (`/dev/spidev0.0`, `/dev/spidev0.1`) are there with any of them, each with a converter behind it (`spi`).
//!
//! Only one thread at a time may use the registers: a write is let through by single-stepping the thread that
//! makes it, with the page open for everybody meanwhile.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod chip;
mod circuit;
mod interpose;
mod registers;
mod spi;
#[expect(dead_code, reason = "half of the form is writing, which the tests do")]
mod state;
mod trap;

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use chip::Chip;
use registers::Registers;
use state::State;

/// What is shown to the program.
struct FakePi {
    model: Model,
    chip: Chip,
}

/// The file with the switches, mapped for reading; null in a program that is not to be shown a fake Pi.
static STATE: AtomicPtr<[u8; State::SIZE]> = AtomicPtr::new(std::ptr::null_mut());

/// The switches as they are now.
fn switches() -> Option<State> {
    let state = STATE.load(Relaxed);
    if state.is_null() {
        return None;
    }
    // SAFETY: `start` mapped so many bytes of the file, and they stay mapped. Another process may be writing them;
    // a copy that is half old and half new is a board whose contacts are changing, which is what it is.
    Some(State::from_bytes(&unsafe { state.read_volatile() }))
}

/// Which board it is.
enum Model {
    /// One whose registers are mapped by the program.
    Registers(Registers),
    /// One with nothing but the GPIO character device.
    ChipOnly,
}

impl FakePi {
    /// The switches as they are now.
    fn switches(&self) -> State {
        switches().unwrap_or_default()
    }
}

/// The one fake Pi of this process; `None` in a program that is not to be shown any.
struct Global(UnsafeCell<Option<FakePi>>);

// SAFETY: written once before `main`, and afterwards used by one thread at a time, as the crate's documentation demands
// of the program.
unsafe impl Sync for Global {}

static FAKE_PI: Global = Global(UnsafeCell::new(None));

/// The fake Pi, if there is one.
fn fake_pi() -> Option<&'static mut FakePi> {
    // SAFETY: see `Global`. No reference is kept from one call of the library to the next.
    unsafe { (*FAKE_PI.0.get()).as_mut() }
}

/// Runs before the program: before Rust's own handling of faults is set up, which leaves handlers alone that are there.
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    let Some(name) = std::env::var_os("FAKE_PI") else { return };
    let model = match name.as_bytes() {
        b"bcm2711" => Model::Registers(Registers::bcm2711()),
        b"rp1" => Model::Registers(Registers::rp1()),
        b"gpiochip" => Model::ChipOnly,
        _ => give_up(c"fake-pi: FAKE_PI is bcm2711, rp1 or gpiochip\n"),
    };
    let path = std::env::var_os("FAKE_PI_STATE").unwrap_or_default();
    let Ok(path) = std::ffi::CString::new(path.as_bytes()) else {
        give_up(c"fake-pi: FAKE_PI_STATE is no path\n")
    };
    // SAFETY: the path ends in a zero; the calls have no other demands, and their results are looked at.
    let state = unsafe {
        let fd = interpose::system_open(path.as_ptr(), libc::O_RDONLY, 0);
        if fd < 0 {
            give_up(c"fake-pi: the file of FAKE_PI_STATE cannot be opened\n");
        }
        interpose::system_mmap(std::ptr::null_mut(), State::SIZE, libc::PROT_READ, libc::MAP_SHARED, fd, 0)
    };
    if state == libc::MAP_FAILED {
        give_up(c"fake-pi: the file of FAKE_PI_STATE cannot be mapped\n");
    }
    STATE.store(state.cast(), Relaxed);
    let fake_pi = FakePi { model, chip: Chip::default() };
    // SAFETY: nothing else runs yet.
    unsafe { *FAKE_PI.0.get() = Some(fake_pi) };
    trap::install();
}

/// A file in memory with this content, to be read from its beginning.
fn memory_file(name: &CStr, content: &[u8]) -> c_int {
    // SAFETY: name and content are valid for the calls, which keep neither.
    unsafe {
        let fd = libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 || libc::write(fd, content.as_ptr().cast::<c_void>(), content.len()) < 0 {
            give_up(c"fake-pi: no file in memory\n");
        }
        libc::lseek(fd, 0, libc::SEEK_SET);
        fd
    }
}

/// Ends the process with a word on stderr: a test must not go on without what it tests.
fn give_up(message: &CStr) -> ! {
    let bytes = message.to_bytes();
    // SAFETY: the message is valid for its length.
    unsafe {
        libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len());
        libc::_exit(101)
    }
}
