//! Registers that do something when they are written: a page that may only be read, and what happens on a write.
//!
//! A write raises SIGSEGV. The handler opens the page and sets the processor's trap flag, so that the one instruction runs
//! and SIGTRAP follows; its handler does what the hardware would have done, works out the levels, and closes the
//! page again. Reads go through untouched: levels are brought up to date at every write, and a scan writes before it reads.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use crate::registers::Registers;
use crate::{FakePi, Model, circuit, fake_pi, interpose};

/// The page as the program has it, and its size.
static PAGE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static PAGE_SIZE: AtomicUsize = AtomicUsize::new(0);
/// The offset of the write that is being let through.
static PENDING: AtomicUsize = AtomicUsize::new(0);

/// The trap flag of the processor's flags: a trap follows the next instruction.
const TRAP_FLAG: i64 = 0x100;
/// The bit of a page fault's error code that tells a write.
const FAULT_WRITE: i64 = 2;

/// Takes over the two signals.
pub(crate) fn install() {
    for (signal, handler) in [
        (libc::SIGSEGV, on_fault as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void)),
        (libc::SIGTRAP, on_step),
    ] {
        // SAFETY: a zeroed `sigaction` is an empty mask and no flags; the handlers allocate nothing and take no lock.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
            action.sa_sigaction = handler as libc::sighandler_t;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Maps the registers for the program, twice: once as it sees them, closed to writes, and once for the fake Pi.
///
/// Returns what `mmap` returns.
pub(crate) fn map_registers(registers: &mut Registers, fd: c_int) -> *mut c_void {
    let size = registers.size();
    let map = |protection| {
        // SAFETY: a new mapping anywhere of a file in memory that has this size.
        unsafe { interpose::system_mmap(std::ptr::null_mut(), size, protection, libc::MAP_SHARED, fd, 0) }
    };
    let (page, ours) = (map(libc::PROT_READ), map(libc::PROT_READ | libc::PROT_WRITE));
    if page == libc::MAP_FAILED || ours == libc::MAP_FAILED {
        return libc::MAP_FAILED;
    }
    // SAFETY: just mapped with this size, and never unmapped.
    unsafe { registers.attach(ours.cast()) };
    PAGE_SIZE.store(size, Relaxed);
    PAGE.store(page, Relaxed);
    page
}

extern "C" fn on_fault(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system hands over valid pointers.
    let (address, context) =
        unsafe { ((*info).si_addr() as usize, &mut *context.cast::<libc::ucontext_t>()) };
    let registers = &mut context.uc_mcontext.gregs;
    let is_write = registers[libc::REG_ERR as usize] & FAULT_WRITE != 0;
    let offset = address.wrapping_sub(PAGE.load(Relaxed) as usize);
    if is_write && offset < PAGE_SIZE.load(Relaxed) {
        PENDING.store(offset, Relaxed);
        protect(libc::PROT_READ | libc::PROT_WRITE);
        registers[libc::REG_EFL as usize] |= TRAP_FLAG;
        return;
    }
    // Not ours: the default handling, when the instruction is run again, ends the program as it would have been.
    // SAFETY: sets a handler that is always there.
    unsafe { libc::signal(libc::SIGSEGV, libc::SIG_DFL) };
}

extern "C" fn on_step(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system hands over a valid pointer.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    context.uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP_FLAG;
    if let Some(fake_pi) = fake_pi() {
        after_write(fake_pi, PENDING.load(Relaxed));
    }
    protect(libc::PROT_READ);
}

fn after_write(fake_pi: &mut FakePi, offset: usize) {
    let switches = fake_pi.switches();
    if let Model::Registers(registers) = &mut fake_pi.model {
        registers.written(offset);
        let levels = circuit::levels(registers.pins(), &switches);
        registers.show(levels);
    }
}

fn protect(protection: c_int) {
    // SAFETY: the page was mapped with this size.
    unsafe { libc::mprotect(PAGE.load(Relaxed), PAGE_SIZE.load(Relaxed), protection) };
}
