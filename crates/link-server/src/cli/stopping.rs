//! The signals that stop a service or let it read its settings again.
//!
//! A separate thread waits for them: if the reader of the log or the database does not respond, the threads of the
//! service may all be blocked, and a stop must end the process nevertheless.

use std::io::IsTerminal as _;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

/// How long a stop may take after the time for running work: the database is closed in it. With the defaults, the process
/// ends before systemd's `TimeoutStopSec` of our unit.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(8);
/// The exit status of a process that did not stop in time, or was signalled a second time.
const NOT_STOPPED: i32 = 1;

/// The signals of this process, from the call of [`Signals::listen`] on.
pub(super) struct Signals {
    stop: watch::Receiver<bool>,
    /// Gets a message for each SIGHUP that does not stop the service.
    pub(super) reloads: mpsc::Receiver<()>,
}

impl Signals {
    /// Starts to listen. After the first SIGINT or SIGTERM, the process ends at the latest after `drain` and 8 seconds, or
    /// with the second one. SIGHUP stops a service in a terminal, because the terminal was closed; elsewhere it asks for
    /// a reload.
    ///
    /// # Errors
    /// If the signals cannot be received.
    pub(super) fn listen(drain: Duration) -> std::io::Result<Self> {
        let (stopping, stop) = watch::channel(false);
        let (reload, reloads) = mpsc::channel(1);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let [interrupt, terminate, hangup] = {
            let _entered = runtime.enter();
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal)
        };
        let (mut stops, mut hangup) = (Stops { interrupt: interrupt?, terminate: terminate? }, hangup?);
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            runtime.block_on(async {
                loop {
                    tokio::select! {
                        () = stops.next() => break,
                        _ = hangup.recv() => {
                            if std::io::stdin().is_terminal() {
                                break;
                            }
                            // A reload that is still waiting reads the newest settings.
                            let _is_waiting = reload.try_send(());
                        }
                    }
                }
                stopping.send_replace(true);
                tokio::select! {
                    () = sleep(drain + CLOSE_TIMEOUT) => {}
                    () = stops.next() => {}
                }
            });
            // Standard error is not written: its reader may be what does not respond.
            std::process::exit(NOT_STOPPED);
        })?;
        Ok(Self { stop, reloads })
    }

    /// Returns a future that completes when the service must stop.
    pub(super) fn stop(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stop = self.stop.clone();
        async move {
            // The thread ends only with the process.
            drop(stop.wait_for(|it| *it).await);
        }
    }
}

struct Stops {
    interrupt: Signal,
    terminate: Signal,
}

impl Stops {
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
