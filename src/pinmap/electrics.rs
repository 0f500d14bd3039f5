//! The resistors of the matrix, and the voltages that follow from them.
//!
//! All contacts of a row may be closed at once, as they are at the beginning of a game: the currents of all columns then
//! meet in the row's resistor and lift the level that is read as low. The sums are in `hardware/electronics.md`.

use serde::Deserialize;

/// The resistors that the wires run through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Electrics {
    /// Between each row and its pin, in ohm.
    pub row_series_ohm: u32,
    /// Between each column and its pin, in ohm; the pull-up is on the board's side of it.
    pub column_series_ohm: u32,
    /// From each column to 3.3 V, in ohm.
    pub pull_up_ohm: u32,
}

/// The supply.
const SUPPLY_MV: u32 = 3300;
/// The forward voltage of a Schottky diode at a few tenths of a milliampere, at most.
const DIODE_MV: u32 = 300;
/// What a pin that is driven low has in itself: 0.14 V at 2 mA (Raspberry Pi documentation, "GPIO pads control").
const OUTPUT_OHM: u32 = 70;
/// The strongest pull-up inside a Pi (Raspberry Pi documentation, Pi 4), should it be on as well.
const INTERNAL_PULL_UP_OHM: u32 = 33_000;

impl Electrics {
    /// Up to this, a Pi reads a pin as low for certain (Raspberry Pi documentation, Pi 4).
    pub const LOW_AT_MOST_MV: u32 = 800;
    /// More than this no pin should ever have to carry.
    pub const PIN_AT_MOST_MICROAMPERE: u32 = 16_000;

    /// The level at the pin of a column while `closed` contacts of the driven row are closed, in millivolts, with
    /// everything at its worst and the Pi's own pull-ups on.
    #[must_use]
    pub fn low_level_mv(&self, closed: u32) -> u32 {
        let parallel = |one: f64, other: f64| one * other / (one + other);
        let internal = f64::from(INTERNAL_PULL_UP_OHM) + f64::from(self.column_series_ohm);
        let pull_up = parallel(f64::from(self.pull_up_ohm), internal);
        let row = f64::from(closed) * f64::from(self.row_series_ohm.saturating_add(OUTPUT_OHM));
        let behind_diode = f64::from(SUPPLY_MV - DIODE_MV) * row / (row + pull_up);
        let column = behind_diode + f64::from(DIODE_MV);
        let at_pin = column + (f64::from(SUPPLY_MV) - column) * f64::from(self.column_series_ohm) / internal;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 3300")]
        let rounded = at_pin.round() as u32;
        rounded
    }

    /// The current through a pin that is driven to one rail while its wire touches the other, in microampere.
    #[must_use]
    pub fn fault_microampere(&self) -> u32 {
        let least = self.row_series_ohm.min(self.column_series_ohm).max(1);
        SUPPLY_MV.saturating_mul(1000) / least
    }
}
