//! Two MCP3208 behind the kernel's SPI devices, by the crate `spidev`; works beside either GPIO backend.
//!
//! `/dev/spidev0.0` selects the converter on GPIO 8 (header pin 24), `/dev/spidev0.1` that on GPIO 7 (pin 26). Clock is GPIO 11
//! (pin 23), from the converters GPIO 9 (pin 21), to them GPIO 10 (pin 19), all at 3.3 V.
//!
//! Troubleshooting: `no such file` means that `dtparam=spi=on` is not in `config.txt`, or the Pi was not restarted since;
//! `permission denied`, that the user is not in the group `spi`.

use std::io;
use std::path::{Path, PathBuf};

use spidev::{SpiModeFlags, Spidev, SpidevOptions, SpidevTransfer};

use super::mcp3208::{self, Frame};
use super::{Reading, StackReader};
use crate::pinmap::StackSensor;
use crate::scan::OpenError;

/// The converters of a board.
pub(super) struct Converters {
    converters: Vec<Converter>,
    /// For each sensor, its converter and which of that converter's requests is its.
    sensors: Vec<(usize, usize)>,
}

struct Converter {
    adc: u8,
    device: Spidev,
    requests: Vec<Frame>,
}

impl Converters {
    /// Takes the converters over that have sensors.
    ///
    /// - `bus`: the devices' name before the point, such as `/dev/spidev0`.
    pub(super) fn open(bus: &Path, sensors: &[StackSensor]) -> Result<Self, OpenError> {
        let mut opened = Self { converters: Vec::new(), sensors: Vec::new() };
        for sensor in sensors {
            let known = opened.converters.iter().position(|converter| converter.adc == sensor.adc);
            let index = match known {
                Some(index) => index,
                None => {
                    opened.converters.push(Converter::open(bus, sensor.adc)?);
                    opened.converters.len() - 1
                }
            };
            let requests = &mut opened.converters[index].requests;
            opened.sensors.push((index, requests.len()));
            requests.push(mcp3208::request(sensor.channel));
        }
        Ok(opened)
    }
}

impl Converter {
    fn open(bus: &Path, adc: u8) -> Result<Self, OpenError> {
        let mut name = bus.as_os_str().to_owned();
        name.push(format!(".{}", adc.saturating_sub(1)));
        let path = PathBuf::from(name);
        let opened = Spidev::open(&path).and_then(|mut device| {
            let options = SpidevOptions::new()
                .bits_per_word(8)
                .max_speed_hz(mcp3208::CLOCK_HZ)
                .mode(SpiModeFlags::SPI_MODE_0)
                .build();
            device.configure(&options).map(|()| device)
        });
        match opened {
            Ok(device) => Ok(Self { adc, device, requests: Vec::new() }),
            Err(error) => Err(refused(&path, &error)),
        }
    }

    /// All of its conversions in one call; `None` where the system refuses.
    fn answers(&self) -> Option<Vec<Frame>> {
        let mut answers = vec![Frame::default(); self.requests.len()];
        let last = self.requests.len().saturating_sub(1);
        let transfer = |(index, (request, answer)): (usize, (_, _))| -> SpidevTransfer<'_, '_> {
            let request: &Frame = request;
            let answer: &mut Frame = answer;
            let mut transfer = SpidevTransfer::read_write(request, answer);
            // The line is let go between two conversions. After the last one this would mean to keep hold of it.
            transfer.cs_change = u8::from(index < last);
            transfer
        };
        let mut transfers: Vec<SpidevTransfer<'_, '_>> =
            self.requests.iter().zip(&mut answers).enumerate().map(transfer).collect();
        self.device.transfer_multiple(&mut transfers).ok()?;
        Some(answers)
    }
}

fn refused(device: &Path, error: &io::Error) -> OpenError {
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => "is the user in the group `spi`?",
        io::ErrorKind::NotFound => "is `dtparam=spi=on` in config.txt, and was the Pi restarted since?",
        _ => "is it an SPI device, and is another program using it?",
    };
    OpenError::Spi { device: device.to_owned(), reason: error.to_string(), advice }
}

impl StackReader for Converters {
    fn read(&mut self) -> Vec<Reading> {
        let answers: Vec<Option<Vec<Frame>>> = self.converters.iter().map(Converter::answers).collect();
        let reading = |&(converter, request): &(usize, usize)| {
            let answer = answers[converter].as_ref().map(|answers| answers[request]);
            answer.map_or(Reading::Silent, mcp3208::reading)
        };
        self.sensors.iter().map(reading).collect()
    }
}
