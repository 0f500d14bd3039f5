//! Faults of Hall sensors in words: which sensor, where it goes, what the cause is likely to be.

use super::judge::{Wrong, bounds};
use super::thread::StackFault;
use super::{Reading, Wired};
use crate::pinmap::PinMap;

/// Says what is wrong with the sensors of a board, by the names of its pin map.
#[derive(Clone, Copy, Debug)]
pub struct StackWords<'a> {
    pin_map: &'a PinMap,
    wired: &'a [Wired],
}

impl<'a> StackWords<'a> {
    /// The words for these sensors.
    #[must_use]
    pub const fn new(pin_map: &'a PinMap, wired: &'a [Wired]) -> Self {
        Self { pin_map, wired }
    }

    /// Each fault with its likely cause, as a sentence or two; a converter none of whose sensors answers, as one.
    #[must_use]
    pub fn faults(&self, faults: &[StackFault]) -> Vec<String> {
        let adc_of = |fault: &StackFault| self.wired.get(fault.sensor).map(|wired| wired.sensor.adc);
        let silent_of = |adc| {
            let is_silent = |fault: &&StackFault| fault.wrong == Wrong::Silent && adc_of(fault) == adc;
            faults.iter().filter(is_silent).count()
        };
        let all_of = |adc| self.wired.iter().filter(|wired| Some(wired.sensor.adc) == adc).count();
        let mut words: Vec<String> = Vec::new();
        for fault in faults {
            let adc = adc_of(fault);
            let is_whole = fault.wrong == Wrong::Silent && silent_of(adc) == all_of(adc);
            let text = match adc {
                Some(adc) if is_whole => self.converter(adc),
                _ => self.sensor(fault),
            };
            if words.last() != Some(&text) {
                words.push(text);
            }
        }
        words
    }

    fn converter(&self, adc: u8) -> String {
        let on_it = self.wired.iter().filter(|wired| wired.sensor.adc == adc);
        let sensors: Vec<&str> = on_it.map(|wired| wired.sensor.sensor.as_str()).collect();
        format!(
            "Converter {adc}{} does not answer: its supply, ribbon, plug or the wire of its select line. Nothing is claimed \
             about crownings above {}.",
            self.select(adc),
            sensors.join(", ")
        )
    }

    fn sensor(&self, fault: &StackFault) -> String {
        let Some(wired) = self.wired.get(fault.sensor) else { return String::new() };
        let name = Self::name(wired);
        let expected = wired.points.map_or_else(
            || "a reading".to_owned(),
            |points| {
                let [from, to] = bounds(points);
                format!("{from} to {to}")
            },
        );
        let what = match fault.wrong {
            Wrong::Silent => "does not answer: a bad joint at its converter".to_owned(),
            Wrong::WrongWay { level } => format!(
                "reads {level}, expected {expected}: its wire is broken or touches something, or a disc above it lies upside down"
            ),
            Wrong::TooFar { level } => format!(
                "reads {level}, expected {expected}: its wire is broken or touches something, or something magnetic is near"
            ),
        };
        format!("{name} {what}. Nothing is claimed about crownings there.")
    }

    /// `Sensor H46 under square 46 (converter 2, input 0)`; the square as the game numbers it.
    #[must_use]
    pub fn name(wired: &Wired) -> String {
        let sensor = &wired.sensor;
        format!(
            "Sensor {} under square {} (converter {}, input {})",
            sensor.sensor, wired.square, sensor.adc, sensor.channel
        )
    }

    /// Which line selects a converter: ` (GPIO 7, header pin 26)`.
    fn select(&self, adc: u8) -> String {
        let select = self.pin_map.spi().and_then(|spi| spi.select.get(usize::from(adc).checked_sub(1)?));
        select
            .map(|pin| format!(" (selected by GPIO {}, header pin {})", pin.bcm, pin.header))
            .unwrap_or_default()
    }

    /// A reading with its voltage.
    #[must_use]
    pub fn reading(reading: Reading) -> String {
        match reading {
            Reading::Silent => "no answer".to_owned(),
            Reading::Level(level) => {
                let millivolts = u32::from(level) * 3300 / (u32::from(super::FULL_SCALE) + 1);
                format!("{level} ({}.{:03} V)", millivolts / 1000, millivolts % 1000)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Board;
    use crate::pinmap::BoardSize;
    use crate::scan::stack::Sensors;
    use crate::scan::stack::simulated::{Pieces, SimulatedSensors, calibration};

    fn wired(map: &PinMap) -> Vec<Wired> {
        let wiring = map.wiring(BoardSize::Hundred).unwrap();
        let board = Board::default();
        let reader = Box::new(SimulatedSensors::new(wiring, &board, Pieces::default(), &[]));
        Sensors::new(reader, wiring, &board, Some(&calibration(wiring))).wired().to_vec()
    }

    #[test]
    fn a_sensor_is_told_with_its_converter_and_input() {
        let map = PinMap::shipped();
        let wired = wired(&map);
        let words = StackWords::new(&map, &wired);
        let said = words.faults(&[
            StackFault { sensor: 1, wrong: Wrong::Silent },
            StackFault { sensor: 5, wrong: Wrong::WrongWay { level: 3 } },
            StackFault { sensor: 9, wrong: Wrong::TooFar { level: 4095 } },
        ]);
        assert_eq!(said.len(), 3);
        assert!(
            said[0].starts_with("Sensor H2 under square 2 (converter 1, input 1) does not answer"),
            "{said:?}"
        );
        let wrong_way = "Sensor H46 under square 46 (converter 2, input 0) reads 3, expected 2015 to 2195: ";
        assert!(said[1].starts_with(wrong_way) && said[1].contains("upside down"), "{said:?}");
        assert!(said[2].contains("input 4) reads 4095, expected 2015 to 2195: "), "{said:?}");
    }

    #[test]
    fn a_converter_that_does_not_answer_is_told_once() {
        let map = PinMap::shipped();
        let wired = wired(&map);
        let silent: Vec<StackFault> =
            (5..10).map(|sensor| StackFault { sensor, wrong: Wrong::Silent }).collect();
        let said = StackWords::new(&map, &wired).faults(&silent);
        assert_eq!(said.len(), 1, "{said:?}");
        let expected = "Converter 2 (selected by GPIO 7, header pin 26) does not answer: its supply, ribbon";
        assert!(
            said[0].starts_with(expected) && said[0].ends_with("above H46, H47, H48, H49, H50."),
            "{said:?}"
        );
    }

    #[test]
    fn readings_have_their_voltage() {
        assert_eq!(StackWords::reading(Reading::Level(2048)), "2048 (1.650 V)");
        assert_eq!(StackWords::reading(Reading::Silent), "no answer");
    }
}
