//! A simulated clock on a pseudo-terminal: to the daemon it is a serial port.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use draughtsd_core::moment::Moment;
use serialport::{SerialPort, TTYPort};

use super::Device;

/// How long an act waits for the port to be read at most.
const PATIENCE: Duration = Duration::from_millis(5);

type Act<D> = Box<dyn FnOnce(&mut D, Moment) + Send>;

/// A clock that is plugged in. Dropping it pulls the plug; the device can be taken out and plugged in again.
pub struct PluggedIn<D> {
    acts: Option<Sender<Act<D>>>,
    thread: Option<JoinHandle<D>>,
    path: PathBuf,
}

impl<D: Device + 'static> PluggedIn<D> {
    /// Plugs a clock into a pseudo-terminal of its own.
    ///
    /// - `began`: the beginning of the device's time line.
    ///
    /// # Errors
    /// The system has no pseudo-terminal to give.
    pub fn new(device: D, began: Instant) -> io::Result<Self> {
        let (master, slave) = TTYPort::pair()?;
        let path = PathBuf::from(slave.name().unwrap_or_default());
        let (acts, acted) = channel();
        let thread = std::thread::spawn(move || run(device, master, slave, &acted, began));
        Ok(Self { acts: Some(acts), thread: Some(thread), path })
    }

    /// The port, as the daemon opens it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does something to the clock, and waits until it is done.
    ///
    /// # Panics
    /// When the clock's thread has ended, which it does only when it is unplugged.
    pub fn act<T: Send + 'static>(&self, act: impl FnOnce(&mut D, Moment) -> T + Send + 'static) -> T {
        let (tell, done) = channel();
        let act: Act<D> = Box::new(move |device, now| {
            let _ = tell.send(act(device, now));
        });
        let acts = self.acts.as_ref().expect("it is plugged in");
        acts.send(act).expect("the clock's thread runs while it is plugged in");
        done.recv().expect("every act is done")
    }

    /// Pulls the plug: the port is gone. The clock goes on by itself.
    ///
    /// # Panics
    /// When the clock's thread has panicked.
    #[must_use]
    pub fn unplug(mut self) -> D {
        self.acts = None;
        let thread = self.thread.take().expect("it is plugged in");
        thread.join().expect("the clock's thread does not panic")
    }
}

impl<D> std::fmt::Debug for PluggedIn<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PluggedIn").field("path", &self.path).finish_non_exhaustive()
    }
}

fn run<D: Device>(
    mut device: D,
    mut master: TTYPort,
    slave: TTYPort,
    acts: &Receiver<Act<D>>,
    began: Instant,
) -> D {
    let now = || Moment::from_millis(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX));
    // Held open, so that the daemon may close its end and open it again without the master seeing an error.
    let _slave = slave;
    let mut buffer = [0; 256];
    if master.set_timeout(PATIENCE).is_err() {
        return device;
    }
    loop {
        match acts.try_recv() {
            Ok(act) => act(&mut device, now()),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return device,
        }
        if let Ok(count) = master.read(&mut buffer) {
            device.receive(&buffer[..count], now());
        }
        device.advance(now());
        let bytes = device.take_bytes();
        // Nobody may be reading: then bytes are lost, as on a wire.
        if !bytes.is_empty() && master.write_all(&bytes).is_err() {
            match acts.recv_timeout(PATIENCE) {
                Ok(act) => act(&mut device, now()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return device,
            }
        }
    }
}
