//! The service as the first process of a container. The kernel hands the first process all orphans, here the processes
//! below a document reader that was killed, and keeps each as a zombie until its status is read. So the first process
//! runs the service as its child, passes signals on, and reads the status of every process that ends.

use std::io;
use std::process::{Command, ExitCode};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use tokio::signal::unix::{SignalKind, signal};

/// The exit status of a process that a signal ended: 128 and the signal's number, as shells report it.
const SIGNALLED: i32 = 128;

/// Returns whether this process is the first one of its container.
pub(super) fn is_first_process() -> bool {
    std::process::id() == 1
}

/// Runs this program with the same arguments as a child, until it ends. Returns its status.
///
/// # Errors
/// If the child cannot be started.
pub(super) fn run_as_child() -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut ended = signal(SignalKind::child())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        let child = Command::new(std::env::current_exe()?).args(std::env::args_os().skip(1)).spawn()?;
        let child = Pid::from_child(&child);
        loop {
            let passed_on = tokio::select! {
                _ = ended.recv() => None,
                _ = interrupt.recv() => Some(Signal::INT),
                _ = terminate.recv() => Some(Signal::TERM),
                _ = hangup.recv() => Some(Signal::HUP),
            };
            match passed_on {
                // It fails only if the child has just ended, which the next round finds.
                Some(signal) => drop(kill_process(child, signal)),
                None => {
                    if let Some(code) = reap(child) {
                        return Ok(code);
                    }
                }
            }
        }
    })
}

/// Reads the status of every process that has ended. Returns that of the service if it is among them.
fn reap(service: Pid) -> Option<ExitCode> {
    let mut code = None;
    while let Ok(Some((pid, status))) = waitpid(None, WaitOptions::NOHANG) {
        if pid == service {
            let signalled = status.terminating_signal().map_or(SIGNALLED, |it| SIGNALLED + it);
            let status = status.exit_status().unwrap_or(signalled);
            code = Some(ExitCode::from(u8::try_from(status).unwrap_or(u8::MAX)));
        }
    }
    code
}
