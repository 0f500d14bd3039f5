//! Ports: bytes in and out with a time limit, and what opens them.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// An open port.
pub trait Port {
    /// Waits for bytes. `Ok(0)`: nothing came in time.
    ///
    /// # Errors
    /// The port is gone.
    fn read(&mut self, buffer: &mut [u8], patience: Duration) -> io::Result<usize>;

    /// Sends all of these bytes.
    ///
    /// # Errors
    /// The port is gone, or takes nothing.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// Where a port comes from.
pub trait SourceOfPorts: fmt::Debug + Send {
    /// Opens the port; called again after it was lost.
    ///
    /// # Errors
    /// It is not there, or may not be opened.
    fn open(&self) -> io::Result<Box<dyn Port>>;
}

/// Which serial port it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortSettings {
    /// A name that stays the same when the clock is plugged in again: `/dev/serial/by-id/…`.
    pub path: PathBuf,
    /// Bits per second; 8 data bits, no parity, 1 stop bit, no flow control.
    pub baud: u32,
}

/// Serial ports of the system.
#[derive(Clone, Debug)]
pub struct SerialPorts(pub PortSettings);

/// Writing takes no longer than this: a line of 120 bytes at 9600 baud takes 125 ms.
const WRITE_PATIENCE: Duration = Duration::from_millis(1000);

impl SourceOfPorts for SerialPorts {
    fn open(&self) -> io::Result<Box<dyn Port>> {
        let PortSettings { path, baud } = &self.0;
        // What is behind a link may change with each time it is plugged in, and the name of the device with it.
        let path = path.canonicalize()?;
        let port = serialport::new(path.to_string_lossy(), *baud).timeout(WRITE_PATIENCE).open()?;
        // What came in before anybody listened is out of date.
        port.clear(serialport::ClearBuffer::Input)?;
        Ok(Box::new(SerialPort(port)))
    }
}

struct SerialPort(Box<dyn serialport::SerialPort>);

impl Port for SerialPort {
    fn read(&mut self, buffer: &mut [u8], patience: Duration) -> io::Result<usize> {
        self.0.set_timeout(patience.max(Duration::from_millis(1)))?;
        match self.0.read(buffer) {
            // A port that is ready and has nothing is one whose other end is gone.
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(count),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Ok(0),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            Err(error) => Err(error),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.set_timeout(WRITE_PATIENCE)?;
        self.0.write_all(bytes)
    }
}
