//! Since when a reader keeps erased pages in SQLite's write-ahead log.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shared by the writer, which truncates the log, and by those who report it.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldLog(Arc<Mutex<Option<Instant>>>);

impl HeldLog {
    /// Records that truncating the log failed. Logs it if it is the first time.
    pub(super) fn begin(&self) {
        let mut since = self.lock_state();
        if since.is_none() {
            *since = Some(Instant::now());
            tracing::warn!(
                "A reader keeps erased pages in the write-ahead log; truncating it is retried each second"
            );
        }
    }

    /// Records that the log was truncated.
    pub(super) fn end(&self) {
        if let Some(since) = self.lock_state().take() {
            let seconds = since.elapsed().as_secs_f32();
            tracing::info!(seconds, "The write-ahead log was truncated, so erased pages have left it");
        }
    }

    /// Returns for how long truncating the log has failed.
    pub(super) fn lasts(&self) -> Option<Duration> {
        self.lock_state().map(|since| since.elapsed())
    }

    fn lock_state(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
