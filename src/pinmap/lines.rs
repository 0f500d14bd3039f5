//! Wires of the matrix and where they end: GPIO line, pin of the header, pin of the ribbon.

use std::fmt;

/// A row of the matrix, from 1: driven low while its contacts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(u8);

/// A column of the matrix, from 1: pulled up, and low where a contact of the driven row is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

/// The most rows, and the most columns, that a matrix can have.
pub(super) const MOST_LINES: u8 = 16;

macro_rules! numbered {
    ($name:ident, $what:literal) => {
        impl $name {
            #[doc = concat!("The ", $what, " with this number, if it lies within 1 to 16.")]
            #[must_use]
            pub const fn new(number: u8) -> Option<Self> {
                if number >= 1 && number <= MOST_LINES { Some(Self(number)) } else { None }
            }

            /// The number in the pin map and on the schematics, from 1.
            #[must_use]
            pub const fn number(self) -> u8 {
                self.0
            }

            /// The number counted from 0, for tables and bits.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize - 1
            }

            /// For places in a list that is known to be no longer than `MOST_LINES`.
            pub(super) fn from_index(index: usize) -> Self {
                Self(u8::try_from(index + 1).unwrap_or(MOST_LINES))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

numbered!(Row, "row");
numbered!(Column, "column");

/// A wire from the Pi to the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it begins.
    pub pin: Pin,
    /// Its pin of the 34-way ribbon.
    pub ribbon: u8,
    /// The resistor that it runs through, such as `R3`.
    pub series: String,
    /// The resistor that pulls it up to 3.3 V; columns only.
    pub pull_up: Option<String>,
}

/// A GPIO line and its pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The number of the GPIO line.
    pub bcm: u8,
    /// The pin of the 40-pin header.
    pub header: u8,
}

/// The SPI bus on which the converters of the Hall sensors sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spi {
    /// Clock.
    pub clock: Pin,
    /// From converter to Pi.
    pub miso: Pin,
    /// From Pi to converter.
    pub mosi: Pin,
    /// Selects converter 1 and converter 2.
    pub select: [Pin; 2],
}

/// The pin of the 40-pin header on which each GPIO line is, by the line's number.
///
/// Source: the Raspberry Pi documentation, "GPIO and the 40-pin header"; the same on every Pi with that header.
pub(super) const HEADER_PIN: [u8; 28] = [
    27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37,
    13,
];

/// What a GPIO line of the header is kept free for; none where it may be a row or a column.
pub(super) const fn kept_free(bcm: u8) -> Option<&'static str> {
    match bcm {
        0 | 1 => Some("is for the identification of HATs"),
        2 | 3 => Some("has a pull-up of 1.8 kohm on the Pi and is for I2C"),
        7..=11 => Some("is for SPI"),
        14 | 15 => Some("is for the serial port"),
        _ => None,
    }
}
