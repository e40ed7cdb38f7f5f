//! A TCP relay in front of a server's Unix socket, whose connections can fall silent: bytes are still accepted, and nothing
//! arrives.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A running relay. It accepts connections until the process ends.
pub struct Relay {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    target: Mutex<PathBuf>,
    is_new_silent: AtomicBool,
    opened: AtomicUsize,
    open: Mutex<Vec<Arc<AtomicBool>>>,
}

impl Relay {
    /// Starts a relay on a free port of this machine to a Unix socket.
    ///
    /// # Panics
    ///
    /// If no port is free.
    #[must_use]
    pub fn start(target: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared { target: Mutex::new(target.to_owned()), ..Shared::default() });
        let accepting = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                accepting.take(stream);
            }
        });
        Self { port, shared }
    }

    /// Returns the port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the number of connections that were ever opened.
    #[must_use]
    pub fn count_opened(&self) -> usize {
        self.shared.opened.load(Ordering::Relaxed)
    }

    /// Makes all open connections silent.
    pub fn silence_open(&self) {
        for silent in self.shared.open.lock().unwrap().drain(..) {
            silent.store(true, Ordering::Relaxed);
        }
    }

    /// Makes new connections silent, or no longer.
    pub fn silence_new(&self, silent: bool) {
        self.shared.is_new_silent.store(silent, Ordering::Relaxed);
    }

    /// Leads new connections to another socket, as an address that moved. If nothing listens there, they are closed.
    pub fn move_to(&self, target: &Path) {
        target.clone_into(&mut self.shared.target.lock().unwrap());
    }
}

impl Shared {
    fn take(&self, client: TcpStream) {
        self.opened.fetch_add(1, Ordering::Relaxed);
        let silent = Arc::new(AtomicBool::new(self.is_new_silent.load(Ordering::Relaxed)));
        self.open.lock().unwrap().push(Arc::clone(&silent));
        let target = self.target.lock().unwrap().clone();
        let Ok(server) = UnixStream::connect(target) else { return };
        let (to_server, to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let also_silent = Arc::clone(&silent);
        let end_server = server.try_clone().unwrap();
        std::thread::spawn(move || {
            pass(client, to_server, &silent);
            drop(end_server.shutdown(Shutdown::Both));
        });
        std::thread::spawn(move || {
            let end_client = to_client.try_clone().unwrap();
            pass(server, to_client, &also_silent);
            if !also_silent.load(Ordering::Relaxed) {
                drop(end_client.shutdown(Shutdown::Both));
            }
        });
    }
}

/// Passes bytes on until one side closes. Discards them while the connection is silent.
fn pass(mut from: impl Read, mut to: impl Write, silent: &AtomicBool) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !silent.load(Ordering::Relaxed) && to.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
}
