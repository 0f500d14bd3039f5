//! The GPIO registers of two generations of Pis, as far as inputs, outputs and pull-ups go.
//!
//! Sources: "BCM2711 ARM Peripherals", chapter 5 (register view, addresses 0x00 to 0xf0); "RP1 Peripherals", 2.4
//! (atomic access) and 3.1 (GPIO, RIO and PADS), both by Raspberry Pi Ltd.

use crate::circuit::Pins;

/// So many pins are on the header.
const PINS: usize = 28;

/// A set of registers in memory that the program writes to.
pub(crate) struct Registers {
    layout: Layout,
    memory: *mut u32,
    /// The output latches: what an output drives. As some other program left them: high.
    latch: u32,
    /// RP1 only: which pins are enabled as outputs.
    enabled: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Bcm2711,
    Rp1,
}

/// Byte offsets in the BCM2711's page.
mod bcm {
    /// Function select: three bits a pin, ten pins a word; 1 is an output.
    pub(super) const FUNCTION: usize = 0x00;
    /// Writing a one sets the latch.
    pub(super) const SET: usize = 0x1c;
    /// Writing a one clears the latch.
    pub(super) const CLEAR: usize = 0x28;
    /// The levels of the pins.
    pub(super) const LEVEL: usize = 0x34;
    /// Pulls: two bits a pin, sixteen pins a word; 1 is up.
    pub(super) const PULL: usize = 0xe4;
}

/// Byte offsets in the RP1's block. Each register also shows at three other addresses, where ones that are written
/// invert, set or clear its bits.
mod rp1 {
    /// Control of pin n at 8 n: its lowest five bits select the function.
    pub(super) const CONTROL: usize = 0x0_0004;
    /// The function that gives the pin to the registers below.
    pub(super) const FUNCTION_RIO: u32 = 5;
    /// Output latches.
    pub(super) const OUT: usize = 0x1_0000;
    /// Output enables.
    pub(super) const ENABLE: usize = 0x1_0004;
    /// The levels of the pins.
    pub(super) const IN: usize = 0x1_0008;
    /// Pads: pin n at 4 n.
    pub(super) const PADS: usize = 0x2_0004;
    /// The two bits of a pad that select its pull; 2 is up.
    pub(super) const PULL_SHIFT: u32 = 2;
    /// The bit of a pad that lets its level be read.
    pub(super) const INPUT_ENABLE: u32 = 1 << 6;
    /// The bit of a pad that keeps it from driving.
    pub(super) const OUTPUT_DISABLE: u32 = 1 << 7;
    /// Where the other addresses begin; two address bits say which of them it is.
    pub(super) const ALIAS_SHIFT: usize = 12;
    /// These two bits.
    pub(super) const ALIAS_MASK: usize = 0x3000;
}

impl Registers {
    pub(crate) const fn bcm2711() -> Self {
        Self { layout: Layout::Bcm2711, memory: std::ptr::null_mut(), latch: u32::MAX, enabled: 0 }
    }

    pub(crate) const fn rp1() -> Self {
        Self { layout: Layout::Rp1, memory: std::ptr::null_mut(), latch: u32::MAX, enabled: 0 }
    }

    /// The device through which a program maps them.
    pub(crate) const fn device(&self) -> &'static [u8] {
        match self.layout {
            Layout::Bcm2711 => b"/dev/gpiomem",
            Layout::Rp1 => b"/dev/gpiomem0",
        }
    }

    /// How many bytes they take.
    pub(crate) const fn size(&self) -> usize {
        match self.layout {
            Layout::Bcm2711 => 0x1000,
            Layout::Rp1 => 0x3_0000,
        }
    }

    /// What the device tree says of the board.
    pub(crate) const fn compatible(&self) -> &'static [u8] {
        match self.layout {
            Layout::Bcm2711 => b"raspberrypi,4-model-b\0brcm,bcm2711\0",
            Layout::Rp1 => b"raspberrypi,5-model-b\0brcm,bcm2712\0",
        }
    }

    /// What the GPIO chip of the board is called.
    pub(crate) const fn chip_label(&self) -> &'static [u8] {
        match self.layout {
            Layout::Bcm2711 => b"pinctrl-bcm2711",
            Layout::Rp1 => b"pinctrl-rp1",
        }
    }

    /// Takes the memory in which they are.
    ///
    /// # Safety
    /// `memory` points to [`Registers::size`] bytes that can be read and written from now on.
    pub(crate) const unsafe fn attach(&mut self, memory: *mut u32) {
        self.memory = memory;
    }

    fn read(&self, offset: usize) -> u32 {
        // SAFETY: see `attach`; every offset used here lies within the size. Nobody else writes at this moment.
        unsafe { self.memory.byte_add(offset).read_volatile() }
    }

    fn write(&mut self, offset: usize, value: u32) {
        // SAFETY: as in `read`.
        unsafe { self.memory.byte_add(offset).write_volatile(value) }
    }

    /// The program has written the word at this offset: does what the hardware would.
    pub(crate) fn written(&mut self, offset: usize) {
        let offset = offset & !3;
        let value = self.read(offset);
        match self.layout {
            Layout::Bcm2711 => match offset {
                bcm::SET => {
                    self.latch |= value;
                    self.write(offset, 0);
                }
                bcm::CLEAR => {
                    self.latch &= !value;
                    self.write(offset, 0);
                }
                _ => {}
            },
            Layout::Rp1 => self.written_rp1(offset, value),
        }
    }

    fn written_rp1(&mut self, offset: usize, value: u32) {
        let target = offset & !rp1::ALIAS_MASK;
        let alias = (offset & rp1::ALIAS_MASK) >> rp1::ALIAS_SHIFT;
        let before = match target {
            rp1::OUT => self.latch,
            rp1::ENABLE => self.enabled,
            _ => self.read(target),
        };
        let after = match alias {
            1 => before ^ value,
            2 => before | value,
            3 => before & !value,
            _ => value,
        };
        if alias != 0 {
            self.write(offset, 0);
        }
        self.write(target, after);
        match target {
            rp1::OUT => self.latch = after,
            rp1::ENABLE => self.enabled = after,
            _ => {}
        }
    }

    /// What the registers make of the pins.
    pub(crate) fn pins(&self) -> Pins {
        let mut pins = Pins::default();
        for pin in 0..PINS {
            let (is_output, is_pulled_up) = match self.layout {
                Layout::Bcm2711 => {
                    let function = self.read(bcm::FUNCTION + 4 * (pin / 10)) >> (pin % 10 * 3) & 7;
                    let pull = self.read(bcm::PULL + 4 * (pin / 16)) >> (pin % 16 * 2) & 3;
                    (function == 1, pull == 1)
                }
                Layout::Rp1 => {
                    let function = self.read(rp1::CONTROL + 8 * pin) & 31;
                    let pad = self.read(rp1::PADS + 4 * pin);
                    let drives = self.enabled >> pin & 1 == 1 && pad & rp1::OUTPUT_DISABLE == 0;
                    let is_pulled_up = pad >> rp1::PULL_SHIFT & 3 == 2 && pad & rp1::INPUT_ENABLE != 0;
                    (function == rp1::FUNCTION_RIO && drives, is_pulled_up)
                }
            };
            let bit = 1 << pin;
            match (is_output, self.latch & bit != 0) {
                (true, true) => pins.high |= bit,
                (true, false) => pins.low |= bit,
                (false, _) => {}
            }
            if is_pulled_up {
                pins.pulled_up |= bit;
            }
        }
        pins
    }

    /// Shows the levels of the pins to the program.
    pub(crate) fn show(&mut self, levels: u32) {
        let offset = match self.layout {
            Layout::Bcm2711 => bcm::LEVEL,
            Layout::Rp1 => rp1::IN,
        };
        self.write(offset, levels);
    }
}
