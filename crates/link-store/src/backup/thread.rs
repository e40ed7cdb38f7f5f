//! Threads for work on disks, which may be away.

use std::path::Path;

use tokio::sync::oneshot;

use crate::StoreError;

/// Runs a closure on a new thread. A stop does not wait for it, as it would for a thread of the runtime.
///
/// # Errors
///
/// [`StoreError`] if there can be no more threads, or the closure panicked.
pub async fn on_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    let (done, result) = oneshot::channel();
    std::thread::Builder::new()
        .name("backup".to_owned())
        .spawn(move || drop(done.send(run())))
        .map_err(StoreError::file("cannot start a thread for", Path::new("the backup")))?;
    result.await.map_err(|_| StoreError::Panicked)
}
