//! The service manager: that the daemon is ready, alive, reloading, about to stop (`sd_notify(3)`).
//!
//! A line of text sent to the socket that `NOTIFY_SOCKET` names. Without a service manager nothing is sent.

use std::env;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use crate::scan::pace::now_ns;

/// The way to the service manager.
#[derive(Debug)]
pub struct Service {
    socket: Option<(UnixDatagram, SocketAddr)>,
    watchdog: Option<Duration>,
}

impl Service {
    /// The service manager that started this process, if one did.
    #[must_use]
    pub fn of_this_process() -> Self {
        let watchdog = env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse().ok());
        Self { socket: open(), watchdog: watchdog.map(Duration::from_micros) }
    }

    /// How long the daemon may show no sign of life, if that is watched.
    #[must_use]
    pub const fn watchdog(&self) -> Option<Duration> {
        self.watchdog
    }

    /// Devices and ports are open, the board is read; or that is so again after a reload.
    pub fn ready(&self, status: &str) {
        self.send(&format!("READY=1\nSTATUS={status}"));
    }

    /// The configuration is being read again; [`Service::ready`] follows, however that ends.
    pub fn reloading(&self) {
        self.send(&format!("RELOADING=1\nMONOTONIC_USEC={}", now_ns() / 1000));
    }

    /// The board was read since the last sign of life.
    pub fn alive(&self) {
        if self.watchdog.is_some() {
            self.send("WATCHDOG=1");
        }
    }

    /// The daemon is about to stop.
    pub fn stopping(&self) {
        self.send("STOPPING=1");
    }

    fn send(&self, text: &str) {
        if let Some((socket, address)) = &self.socket {
            // A service manager that does not listen kills us sooner or later; there is nobody to tell.
            let _ = socket.send_to_addr(text.as_bytes(), address);
        }
    }
}

fn open() -> Option<(UnixDatagram, SocketAddr)> {
    let path = env::var_os("NOTIFY_SOCKET")?;
    let address = match path.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(&path),
    };
    let socket = UnixDatagram::unbound().ok()?;
    socket.set_nonblocking(true).ok()?;
    Some((socket, address.ok()?))
}
