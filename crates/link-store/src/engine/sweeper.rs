//! Sweeping after erasures on PostgreSQL, which keeps the bytes of deleted rows in its pages.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use postgres::Config;

use super::postgres::connect;
use crate::StoreError;

/// An erasure is swept this long after it, together with those that followed; a minute is promised.
const GATHERING: Duration = Duration::from_secs(20);
/// A sweep that cannot get its lock is tried again this much later.
const AGAIN: Duration = Duration::from_secs(5);

/// The wrapped keys are rewritten into a new file, for they are what must not be found; the bodies they opened
/// are waste without them, and their space is given back.
const SWEEP: [&str; 16] = [
    "SET lock_timeout = '2s'",
    "VACUUM FULL scope_keys",
    "VACUUM accounts",
    "VACUUM archives",
    "VACUUM data_points",
    "VACUUM delivery_attempts",
    "VACUUM events",
    "VACUUM exports",
    "VACUUM forms",
    "VACUUM idempotency_keys",
    "VACUUM invites",
    "VACUUM link_attempts",
    "VACUUM records",
    "VACUUM signals",
    "VACUUM surveys",
    "VACUUM users",
];

/// Starts the thread. It ends, after a last sweep, when every sender is gone.
pub(super) fn start(config: &Config) -> Result<(Sender<()>, JoinHandle<()>), StoreError> {
    let (erased, erasures) = channel();
    let config = config.clone();
    let thread = std::thread::Builder::new()
        .name("store-sweep".to_owned())
        .spawn(move || run(&config, &erasures))
        .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
    Ok((erased, thread))
}

fn run(config: &Config, erasures: &Receiver<()>) {
    while erasures.recv().is_ok() {
        gather(erasures, GATHERING);
        while let Err(error) = sweep(config) {
            tracing::warn!(%error, "erased keys are not swept yet; the sweep is tried again");
            if !gather(erasures, AGAIN) {
                return;
            }
        }
    }
}

/// Waits while further erasures come. `false` when there will be no more.
fn gather(erasures: &Receiver<()>, patience: Duration) -> bool {
    let end = Instant::now() + patience;
    loop {
        match erasures.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

fn sweep(config: &Config) -> Result<(), StoreError> {
    let mut connection = connect(config)?;
    SWEEP.iter().try_for_each(|statement| Ok(connection.client.batch_execute(statement)?))
}
