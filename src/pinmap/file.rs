//! The file as it is written, with the place of each entry.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::electrics::Electrics;

/// Entries by their key, each with its place in the text.
pub(super) type Table<T> = BTreeMap<String, Spanned<T>>;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawMap {
    pub(super) version: Spanned<u32>,
    pub(super) electrics: Spanned<Electrics>,
    pub(super) rows: Spanned<Table<RawLine>>,
    pub(super) columns: Spanned<Table<RawLine>>,
    pub(super) spi: Option<RawSpi>,
    pub(super) board_100: Option<RawBoard>,
    pub(super) board_64: Option<RawBoard>,
}

/// A row or a column.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawLine {
    pub(super) bcm: u8,
    pub(super) pin: u8,
    pub(super) ribbon: u8,
    pub(super) series: String,
    pub(super) pull_up: Option<String>,
}

/// A GPIO line with its pin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPin {
    pub(super) bcm: u8,
    pub(super) pin: u8,
}

/// The SPI bus.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawSpi {
    pub(super) clock: Spanned<RawPin>,
    pub(super) miso: Spanned<RawPin>,
    pub(super) mosi: Spanned<RawPin>,
    pub(super) select_1: Spanned<RawPin>,
    pub(super) select_2: Spanned<RawPin>,
}

/// One board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBoard {
    pub(super) contacts: Spanned<Table<RawContact>>,
    #[serde(default)]
    pub(super) stack: Option<Spanned<Table<RawSensor>>>,
}

/// One contact.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawContact {
    pub(super) row: u8,
    pub(super) column: u8,
    pub(super) switch: String,
    pub(super) diode: String,
}

/// One Hall sensor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSensor {
    pub(super) adc: u8,
    pub(super) channel: u8,
    pub(super) sensor: String,
}
