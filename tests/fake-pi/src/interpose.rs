//! The calls that are answered in the system's stead: what the program opens, maps and asks of the GPIO chip and of SPI devices.
//!
//! Everything else goes straight to the kernel. `open` and `ioctl` take a variable number of arguments in C; here they take
//! as many as are ever used, which comes to the same in this processor's calling convention.

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use crate::{Model, chip, fake_pi, memory_file, spi, switches, trap};

/// The file in memory that stands for the registers, once it has been opened.
static REGISTERS_FD: AtomicI32 = AtomicI32::new(-1);

const CHIP: &[u8] = b"/dev/gpiochip0";
const DEVICE_TREE: &[u8] = b"/sys/firmware/devicetree/base/compatible";

/// Opens a file as the kernel has it.
///
/// # Safety
/// As `open`.
pub(crate) unsafe fn system_open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller's promise.
    let fd = unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, flags, mode) };
    fd as c_int
}

/// Maps memory as the kernel does.
///
/// # Safety
/// As `mmap`.
pub(crate) unsafe fn system_mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: i64,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    let mapped = unsafe { libc::syscall(libc::SYS_mmap, address, length, protection, flags, fd, offset) };
    mapped as *mut c_void
}

/// What is opened in the place of a device of a Pi; `None` for other paths.
fn opened_instead(path: &CStr) -> Option<c_int> {
    let fake_pi = fake_pi()?;
    let path = path.to_bytes();
    if let Some(fd) = spi::open(path) {
        return Some(fd);
    }
    if path == CHIP {
        fake_pi.chip.fd = memory_file(c"gpiochip0", b"");
        return Some(fake_pi.chip.fd);
    }
    let Model::Registers(registers) = &fake_pi.model else { return None };
    if path == registers.device() {
        let fd = memory_file(c"gpiomem", b"");
        // SAFETY: a file in memory of our own.
        unsafe { libc::ftruncate(fd, registers.size() as i64) };
        REGISTERS_FD.store(fd, Relaxed);
        return Some(fd);
    }
    (path == DEVICE_TREE).then(|| memory_file(c"compatible", registers.compatible()))
}

/// # Safety
/// As `open` in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { opened_instead(CStr::from_ptr(path)).unwrap_or_else(|| system_open(path, flags, mode)) }
}

/// # Safety
/// As `open64` in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the same call, on a 64-bit system.
    unsafe { open(path, flags, mode) }
}

/// # Safety
/// As `mmap` in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: i64,
) -> *mut c_void {
    // Once: the program closes the file afterwards, and its number may become another's.
    if fd >= 0
        && REGISTERS_FD.compare_exchange(fd, -1, Relaxed, Relaxed).is_ok()
        && let Some(fake_pi) = fake_pi()
        && let Model::Registers(registers) = &mut fake_pi.model
    {
        return trap::map_registers(registers, fd);
    }
    // SAFETY: the caller's promise.
    unsafe { system_mmap(address, length, protection, flags, fd, offset) }
}

/// # Safety
/// As `mmap64` in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn mmap64(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: i64,
) -> *mut c_void {
    // SAFETY: the same call, on a 64-bit system.
    unsafe { mmap(address, length, protection, flags, fd, offset) }
}

/// # Safety
/// As `ioctl` in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    if let Some(answer) = unsafe { spi::ioctl(switches, fd, request, argument) } {
        return answer;
    }
    if let Some(fake_pi) = fake_pi() {
        // SAFETY: the caller's promise.
        if let Some(answer) = unsafe { chip::ioctl(fake_pi, fd, request, argument) } {
            return answer;
        }
    }
    // SAFETY: the caller's promise.
    let answer: c_long = unsafe { libc::syscall(libc::SYS_ioctl, fd, request, argument) };
    answer as c_int
}

/// The chip's path is its own real path, though there is no such file.
///
/// # Safety
/// As `realpath` in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn realpath(path: *const c_char, resolved: *mut c_char) -> *mut c_char {
    type RealPath = unsafe extern "C" fn(*const c_char, *mut c_char) -> *mut c_char;
    // SAFETY: the caller's promise. The next library's function of this name is the C library's, with this type.
    unsafe {
        if fake_pi().is_some() && resolved.is_null() && CStr::from_ptr(path).to_bytes() == CHIP {
            return libc::strdup(path);
        }
        let next = libc::dlsym(libc::RTLD_NEXT, c"realpath".as_ptr());
        if next.is_null() {
            return std::ptr::null_mut();
        }
        std::mem::transmute::<*mut c_void, RealPath>(next)(path, resolved)
    }
}
