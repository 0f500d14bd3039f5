//! Lines and their checksum: `PAYLOAD*CCCC` and a line feed.

use thiserror::Error;

/// The longest line, its line feed included. What is longer is no line.
pub const LONGEST_LINE: usize = 120;

/// Why bytes are no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// More than [`LONGEST_LINE`] bytes without a line feed.
    #[error("more than {LONGEST_LINE} bytes without a line feed")]
    TooLong,
    /// A byte that is no printable ASCII.
    #[error("a byte that is not printable ASCII")]
    NotText,
    /// No `*` and four hexadecimal digits at the end.
    #[error("no checksum: `*` and four hexadecimal digits end a line")]
    NoChecksum,
    /// The checksum is another one.
    #[error("the checksum is wrong: some of the line was lost or changed on its way")]
    Checksum,
    /// No message begins like this.
    #[error("not a message of this protocol")]
    Unknown,
    /// A field of the message is missing or is none.
    #[error("a field is missing, or its value cannot be")]
    Field,
}

/// CRC-16 with polynomial 0x1021 and initial value 0xFFFF over a payload; `123456789` gives 0x29B1.
#[must_use]
pub fn checksum(payload: &[u8]) -> u16 {
    payload.iter().fold(0xffff, |mut crc: u16, byte| {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
        }
        crc
    })
}

/// The whole line of a payload, with checksum and line feed.
#[must_use]
pub fn seal(payload: &str) -> String {
    format!("{payload}*{:04X}\n", checksum(payload.as_bytes()))
}

/// Collects bytes to lines, in memory that does not depend on what comes in.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    line: Vec<u8>,
    too_long: bool,
}

impl Lines {
    /// Takes in a byte. Returns the payload of the line that it ends, or what is wrong with that line; blank
    /// lines are nothing.
    pub fn push(&mut self, byte: u8) -> Option<Result<String, LineError>> {
        if byte != b'\n' {
            if self.line.len() + 1 < LONGEST_LINE {
                self.line.push(byte);
            } else {
                self.too_long = true;
            }
            return None;
        }
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            return Some(Err(LineError::TooLong));
        }
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        (!line.is_empty()).then(|| payload(line))
    }

    /// Forgets what has come in of a line.
    pub fn clear(&mut self) {
        self.line.clear();
        self.too_long = false;
    }
}

fn payload(line: &[u8]) -> Result<String, LineError> {
    let text = std::str::from_utf8(line).map_err(|_| LineError::NotText)?;
    if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Err(LineError::NotText);
    }
    let (payload, sum) = text.rsplit_once('*').ok_or(LineError::NoChecksum)?;
    if sum.len() != 4 || !sum.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(LineError::NoChecksum);
    }
    let sum = u16::from_str_radix(sum, 16).map_err(|_| LineError::NoChecksum)?;
    if sum == checksum(payload.as_bytes()) { Ok(payload.to_owned()) } else { Err(LineError::Checksum) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<Result<String, LineError>> {
        let mut lines = Lines::default();
        bytes.iter().filter_map(|&byte| lines.push(byte)).collect()
    }

    #[test]
    fn the_checksum_is_the_one_of_the_specification() {
        assert_eq!(checksum(b"123456789"), 0x29b1);
        assert_eq!(seal("HELLO 1 1"), "HELLO 1 1*AF90\n");
    }

    #[test]
    fn lines_are_read_whatever_comes_between_them() {
        let good = seal("ASK 1");
        assert_eq!(read(good.as_bytes()), [Ok("ASK 1".to_owned())]);
        assert_eq!(read(good.replace('\n', "\r\n").as_bytes()), [Ok("ASK 1".to_owned())]);
        assert_eq!(read(b"\n\r\n"), []);
        assert_eq!(read(b"ASK 1*0000\n"), [Err(LineError::Checksum)]);
        for line in [b"ASK 1\n".as_slice(), b"ASK 1*12G4\n", b"ASK*12345\n"] {
            assert_eq!(read(line), [Err(LineError::NoChecksum)]);
        }
        assert_eq!(read(b"\xff\x00\n"), [Err(LineError::NotText)]);
        let mut bytes = vec![b'x'; 100_000];
        bytes.push(b'\n');
        bytes.extend(good.as_bytes());
        assert_eq!(read(&bytes), [Err(LineError::TooLong), Ok("ASK 1".to_owned())]);
    }
}
