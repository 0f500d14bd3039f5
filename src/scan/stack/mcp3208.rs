//! What is said to an MCP3208, and what it answers: a converter of 12 bits with eight inputs.
//!
//! Source: Microchip DS21298, figure 6-1 (three bytes, SPI mode 0,0). The bits of a conversion:
//!
//! ```text
//!  to it     0 0 0 0 0 1 1 D2   D1 D0 - - - -   -   -      - - - - - - - -      1 1: start, one input against ground
//!  from it   - - - - - - -  -    -  - - 0 B11 B10 B9 B8    B7 … B0              0: always low, before the twelve bits
//! ```

use super::Reading;

/// The highest step.
pub const FULL_SCALE: u16 = 4095;

/// How fast its clock may be at 3.3 V: the data sheet has 1 MHz at 2.7 V and 2 MHz at 5 V.
pub(super) const CLOCK_HZ: u32 = 1_000_000;

/// One conversion. The select line has to rise between two of them.
pub(super) type Frame = [u8; 3];

/// Asks for one input, 0 to 7, against ground.
pub(super) const fn request(input: u8) -> Frame {
    [0b0000_0110 | (input >> 2 & 1), input << 6, 0]
}

/// What the answer says. Where the low bit before the value is high, nobody holds the line: no converter is there.
pub(super) fn reading(answer: Frame) -> Reading {
    let [_, high, low] = answer;
    if high & 0b1_0000 != 0 {
        return Reading::Silent;
    }
    Reading::Level(u16::from(high & 0b1111) << 8 | u16::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_those_of_the_data_sheet() {
        assert_eq!(request(0), [0b110, 0, 0]);
        assert_eq!(request(3), [0b110, 0b1100_0000, 0]);
        assert_eq!(request(4), [0b111, 0, 0]);
        assert_eq!(request(7), [0b111, 0b1100_0000, 0]);
    }

    #[test]
    fn answers_are_twelve_bits_after_a_low_one() {
        assert_eq!(reading([0xff, 0b1110_1000, 0b0000_0001]), Reading::Level(0b1000_0000_0001));
        assert_eq!(reading([0, 0, 0]), Reading::Level(0));
        assert_eq!(reading([0, 0b0000_1111, 0xff]), Reading::Level(FULL_SCALE));
        assert_eq!(reading([0xff, 0xff, 0xff]), Reading::Silent);
    }
}
