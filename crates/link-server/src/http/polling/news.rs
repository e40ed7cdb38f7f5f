//! Long polling: requests that wait for a change.

use std::time::Duration;

use link_store::Watched;
use tokio::time::{Instant, sleep_until};

use super::long_polls::Poller;
use crate::app::App;
use crate::http::problem::ApiResult;

/// Waits for a change, and returns the state that `look` last read.
///
/// Calls `look` once, and again after each commit to `about`. Ends when `is_news` accepts the state, `timeout` is
/// over, a newer poll replaces this one, or the service stops. It reads nothing while nothing changes: one task
/// receives the commits for all polls ([`super::long_polls`]).
///
/// # Errors
/// Those of `look`.
pub async fn awaited<T, Looking>(
    app: &App,
    (whose, about, timeout): (Poller, Watched, Duration),
    version: impl Fn(&T) -> u32,
    is_news: impl Fn(&T) -> bool,
    look: impl Fn() -> Looking,
) -> ApiResult<T>
where
    Looking: Future<Output = ApiResult<T>>,
{
    if timeout.is_zero() {
        return look().await;
    }
    let deadline = Instant::now() + timeout;
    // Open the poll before the first look, so that no commit in between is missed.
    let poll = app.long_polls().open(app.store(), whose, about);
    let mut stopping = app.stopping();
    loop {
        let seen = look().await?;
        let is_over = Instant::now() >= deadline || *stopping.borrow_and_update() || poll.is_over();
        if is_over || is_news(&seen) {
            return Ok(seen);
        }
        poll.waits(version(&seen));
        tokio::select! {
            // The next iteration reads the state, so spurious wake-ups do no harm.
            () = poll.woken() => {}
            () = sleep_until(deadline) => {}
            _ = stopping.changed() => {}
        }
    }
}
