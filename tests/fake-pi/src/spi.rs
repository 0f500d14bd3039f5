//! Two MCP3208 behind SPI devices, bit by bit as the converter's data sheet has it.
//!
//! Sources: the kernel's `include/uapi/linux/spi/spidev.h`; Microchip DS21298, chapter 5. The clock edges are not there, only their
//! order; a clock that is too fast, or the wrong mode, gives what a converter would give: nonsense.
//!
//! Unlike the rest of the library this may be used by one thread while another uses the registers or the GPIO chip: it has nothing in
//! common with them but the file with the switches, which is only read.

use std::ffi::{c_int, c_ulong, c_void};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering::Relaxed};

use crate::memory_file;
use crate::state::State;

/// The devices' paths.
const PATHS: [&[u8]; State::CONVERTERS] = [b"/dev/spidev0.0", b"/dev/spidev0.1"];

const SET_MODE: c_ulong = 0x4001_6b01;
const SET_BIT_ORDER: c_ulong = 0x4001_6b02;
const SET_WORD: c_ulong = 0x4001_6b03;
const SET_SPEED: c_ulong = 0x4004_6b04;
/// A message of no transfers; each of them adds its size.
const MESSAGE: c_ulong = 0x4000_6b00;
const SIZE_SHIFT: u32 = 16;
const SIZE_MASK: c_ulong = 0x3fff;

/// What the converters' clock may be at 3.3 V.
const FASTEST_HZ: u32 = 1_000_000;

/// `spi_ioc_transfer`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Transfer {
    to_chip: u64,
    from_chip: u64,
    length: u32,
    speed_hz: u32,
    delay_us: u16,
    bits_per_word: u8,
    cs_change: u8,
    tx_nbits: u8,
    rx_nbits: u8,
    word_delay_us: u8,
    padding: u8,
}

/// A device and the converter behind it.
struct Device {
    fd: AtomicI32,
    mode: AtomicU32,
    speed_hz: AtomicU32,
    /// Whether the select line was left low by the last message.
    held: AtomicBool,
}

static DEVICES: [Device; State::CONVERTERS] = [const {
    Device {
        fd: AtomicI32::new(-1),
        mode: AtomicU32::new(u32::MAX),
        speed_hz: AtomicU32::new(u32::MAX),
        held: AtomicBool::new(false),
    }
}; State::CONVERTERS];

/// What is opened in the place of an SPI device; `None` for other paths.
pub(crate) fn open(path: &[u8]) -> Option<c_int> {
    let index = PATHS.iter().position(|known| *known == path)?;
    let fd = memory_file(c"spidev", b"");
    DEVICES[index].fd.store(fd, Relaxed);
    Some(fd)
}

/// Where a conversion stands: bits to the chip and from it go at the same time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    /// Zeros are passed over until the start bit comes.
    Waiting,
    /// So many bits came after it, and these: whether one input is measured against ground, and three for its number.
    Asked(u8, u8),
    /// The input is sampled: one clock, in which nobody holds the line.
    Sampling(u8),
    /// The low bit before the value.
    Null(u8),
    /// So many bits of the value are left.
    Telling(u16, u8),
    /// Everything is told; the line stays low.
    Told,
}

impl Conversion {
    /// One clock: takes a bit, and gives one. Nobody holds the line where it gives a high one before the null bit.
    fn clock(self, bit: bool, levels: &[u16; State::INPUTS]) -> (Self, bool) {
        match self {
            Self::Waiting => (if bit { Self::Asked(0, 0) } else { self }, true),
            Self::Asked(count, bits) => {
                let bits = bits << 1 | u8::from(bit);
                let next = if count == 3 { Self::Sampling(bits) } else { Self::Asked(count + 1, bits) };
                (next, true)
            }
            Self::Sampling(asked) => (Self::Null(asked), true),
            Self::Null(asked) => {
                // Two inputs against each other: not what our sensors are wired for.
                let is_single = asked & 0b1000 != 0;
                let level = if is_single { levels[usize::from(asked & 0b111)] } else { 0 };
                (Self::Telling(level, 12), false)
            }
            Self::Telling(level, left) => {
                let next = if left == 1 { Self::Told } else { Self::Telling(level, left - 1) };
                (next, level >> (left - 1) & 1 == 1)
            }
            Self::Told => (self, false),
        }
    }
}

/// Answers an `ioctl` that is for an SPI device; `None` for any other.
///
/// # Safety
/// `argument` is what the interface demands for this request.
pub(crate) unsafe fn ioctl(
    board: impl FnOnce() -> Option<State>,
    fd: c_int,
    request: c_ulong,
    argument: *mut c_void,
) -> Option<c_int> {
    let index = DEVICES.iter().position(|device| fd >= 0 && device.fd.load(Relaxed) == fd)?;
    let device = &DEVICES[index];
    // Some C libraries extend the request's sign.
    let request = request & 0xffff_ffff;
    match request {
        // SAFETY: the caller's promise.
        SET_MODE => device.mode.store(unsafe { argument.cast::<u8>().read_unaligned() }.into(), Relaxed),
        // SAFETY: the caller's promise.
        SET_SPEED => device.speed_hz.store(unsafe { argument.cast::<u32>().read_unaligned() }, Relaxed),
        SET_BIT_ORDER | SET_WORD => {}
        _ if request & !(SIZE_MASK << SIZE_SHIFT) == MESSAGE => {
            let count = (request >> SIZE_SHIFT & SIZE_MASK) as usize / size_of::<Transfer>();
            let levels = board()?.levels[index];
            let mut conversion =
                if device.held.load(Relaxed) { Conversion::Told } else { Conversion::Waiting };
            let mut total = 0;
            for at in 0..count {
                // SAFETY: the caller's promise: so many transfers are there, and their buffers.
                let transfer = unsafe { argument.cast::<Transfer>().add(at).read_unaligned() };
                // SAFETY: the same.
                unsafe { device.transfer(&transfer, &levels, &mut conversion) };
                // Between two transfers the line is let go if this says so; after the last one it is kept low by it.
                let is_last = at + 1 == count;
                if !is_last && transfer.cs_change != 0 {
                    conversion = Conversion::Waiting;
                }
                device.held.store(is_last && transfer.cs_change != 0, Relaxed);
                total += transfer.length as c_int;
            }
            return Some(total);
        }
        _ => return None,
    }
    Some(0)
}

impl Device {
    /// Bytes to the chip and from it, the highest bit first.
    ///
    /// # Safety
    /// The transfer's buffers are as long as it says, or null.
    unsafe fn transfer(
        &self,
        transfer: &Transfer,
        levels: &[u16; State::INPUTS],
        conversion: &mut Conversion,
    ) {
        let set = self.speed_hz.load(Relaxed);
        let speed_hz = if transfer.speed_hz == 0 { set } else { transfer.speed_hz };
        let is_understood = self.mode.load(Relaxed) == 0 && speed_hz <= FASTEST_HZ;
        for at in 0..transfer.length as usize {
            let mut asked = 0;
            if transfer.to_chip != 0 {
                // SAFETY: the caller's promise.
                asked = unsafe { (transfer.to_chip as *const u8).add(at).read() };
            }
            let mut given = 0;
            for bit in (0..8).rev() {
                let (next, answer) = conversion.clock(asked >> bit & 1 == 1, levels);
                *conversion = next;
                given = given << 1 | u8::from(answer);
            }
            let is_there = levels.iter().any(|&level| level != State::NO_CONVERTER);
            let given = match (is_there, is_understood) {
                (false, _) => 0xff,
                (true, false) => 0xa5,
                (true, true) => given,
            };
            if transfer.from_chip != 0 {
                // SAFETY: the caller's promise.
                unsafe { (transfer.from_chip as *mut u8).add(at).write(given) };
            }
        }
    }
}
