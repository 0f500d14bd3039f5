//! The GPIO character device, second version of its interface, as far as requests, reading and setting go.
//!
//! Source: the kernel's `include/uapi/linux/gpio.h`.

use std::ffi::{c_int, c_ulong, c_void};

use crate::circuit::{Pins, levels};
use crate::state::State;
use crate::{FakePi, Model, memory_file};

const GET_CHIP_INFO: c_ulong = 0x8044_b401;
const GET_LINE: c_ulong = 0xc250_b407;
const GET_VALUES: c_ulong = 0xc010_b40e;
const SET_VALUES: c_ulong = 0xc010_b40f;

const INPUT: u64 = 1 << 2;
const OUTPUT: u64 = 1 << 3;
const OPEN_DRAIN: u64 = 1 << 6;
const PULL_UP: u64 = 1 << 8;

const MOST_LINES: usize = 64;
const MOST_ATTRIBUTES: usize = 10;

/// `gpiochip_info`.
#[repr(C)]
struct ChipInfo {
    name: [u8; 32],
    label: [u8; 32],
    lines: u32,
}

/// `gpio_v2_line_config_attribute`; kind 1 is flags, 2 is values.
#[repr(C)]
struct Attribute {
    kind: u32,
    padding: u32,
    value: u64,
    mask: u64,
}

/// `gpio_v2_line_request`.
#[repr(C)]
struct LineRequest {
    offsets: [u32; MOST_LINES],
    consumer: [u8; 32],
    flags: u64,
    attribute_count: u32,
    config_padding: [u32; 5],
    attributes: [Attribute; MOST_ATTRIBUTES],
    line_count: u32,
    event_buffer_size: u32,
    padding: [u32; 5],
    fd: c_int,
}

/// `gpio_v2_line_values`.
#[repr(C)]
struct LineValues {
    bits: u64,
    mask: u64,
}

/// The chip and the one request that is made of it.
pub(crate) struct Chip {
    /// The descriptor of the opened chip.
    pub(crate) fd: c_int,
    lines_fd: c_int,
    count: usize,
    offsets: [u32; MOST_LINES],
    flags: [u64; MOST_LINES],
    values: u64,
}

impl Default for Chip {
    fn default() -> Self {
        Self { fd: -1, lines_fd: -1, count: 0, offsets: [0; MOST_LINES], flags: [0; MOST_LINES], values: 0 }
    }
}

impl Chip {
    /// What the requested lines do to the pins.
    fn pins(&self) -> Pins {
        let mut pins = Pins::default();
        for line in 0..self.count {
            let (flags, is_set) = (self.flags[line], self.values >> line & 1 == 1);
            let bit = 1_u32.checked_shl(self.offsets[line]).unwrap_or(0);
            if flags & OUTPUT != 0 && !is_set {
                pins.low |= bit;
            }
            if flags & (OUTPUT | OPEN_DRAIN) == OUTPUT && is_set {
                pins.high |= bit;
            }
            if flags & PULL_UP != 0 && flags & (INPUT | OUTPUT) != 0 {
                pins.pulled_up |= bit;
            }
        }
        pins
    }

    fn take(&mut self, request: &mut LineRequest) {
        self.count = (request.line_count as usize).min(MOST_LINES);
        self.offsets = request.offsets;
        self.flags = [request.flags; MOST_LINES];
        self.values = 0;
        let attributes = request.attributes.iter().take(request.attribute_count as usize);
        for attribute in attributes {
            for line in (0..self.count).filter(|line| attribute.mask >> line & 1 == 1) {
                match attribute.kind {
                    1 => self.flags[line] = attribute.value,
                    2 => self.values = self.values & !(1 << line) | attribute.value & 1 << line,
                    _ => {}
                }
            }
        }
        self.lines_fd = memory_file(c"gpio-line", b"");
        request.fd = self.lines_fd;
    }

    fn levels(&self, board: &State) -> u64 {
        let levels = levels(self.pins(), board);
        let read = |line: usize| u64::from(levels.checked_shr(self.offsets[line]).unwrap_or(0) & 1);
        (0..self.count).fold(0, |all, line| all | read(line) << line)
    }
}

/// Answers an `ioctl` that is for the chip; `None` for any other.
///
/// # Safety
/// `argument` is what the interface demands for this request.
pub(crate) unsafe fn ioctl(
    fake_pi: &mut FakePi,
    fd: c_int,
    request: c_ulong,
    argument: *mut c_void,
) -> Option<c_int> {
    let mut switches = fake_pi.switches();
    let is_reading = request & 0xffff_ffff == GET_VALUES && fd == fake_pi.chip.lines_fd;
    while is_reading && switches.chip_hangs != 0 {
        // SAFETY: a number is all that it takes.
        unsafe { libc::usleep(1000) };
        switches = fake_pi.switches();
    }
    let chip = &mut fake_pi.chip;
    // Some C libraries extend the request's sign.
    match (request & 0xffff_ffff, fd) {
        (GET_CHIP_INFO, fd) if fd == chip.fd => {
            let label = match &fake_pi.model {
                Model::Registers(registers) => registers.chip_label(),
                Model::ChipOnly => b"some-board",
            };
            let fill = |text: &[u8]| std::array::from_fn(|at| text.get(at).copied().unwrap_or(0));
            let info = ChipInfo { name: fill(b"gpiochip0"), label: fill(label), lines: 54 };
            // SAFETY: the caller's promise.
            unsafe { argument.cast::<ChipInfo>().write_unaligned(info) };
            Some(0)
        }
        (GET_LINE, fd) if fd == chip.fd => {
            // SAFETY: the caller's promise.
            chip.take(unsafe { &mut *argument.cast::<LineRequest>() });
            Some(0)
        }
        (GET_VALUES, fd) if fd == chip.lines_fd && switches.chip_fails != 0 => {
            // SAFETY: this thread's own.
            unsafe { *libc::__errno_location() = libc::EIO };
            Some(-1)
        }
        (GET_VALUES, fd) if fd == chip.lines_fd => {
            // SAFETY: the caller's promise.
            let values = unsafe { &mut *argument.cast::<LineValues>() };
            values.bits = chip.levels(&switches) & values.mask;
            Some(0)
        }
        (SET_VALUES, fd) if fd == chip.lines_fd => {
            // SAFETY: the caller's promise.
            let values = unsafe { &*argument.cast::<LineValues>() };
            chip.values = chip.values & !values.mask | values.bits & values.mask;
            Some(0)
        }
        _ => None,
    }
}
