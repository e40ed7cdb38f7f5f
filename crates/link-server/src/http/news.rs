//! Answers that wait for news of what they are about.

use std::time::Duration;

use link_store::Watched;
use tokio::time::{Instant, sleep_until};

use super::long_polls::Poller;
use super::problem::Answer;
use crate::app::App;

/// Looks, and looks again at each commit that is about `about`, until what it sees is news, its patience is over, a newer
/// poll takes its place or the service stops. Gives what it saw last.
///
/// Nothing is read while nothing changes: one task hears of commits for all that wait ([`super::long_polls`]).
///
/// # Errors
/// Those of looking.
pub async fn awaited<T, Looking>(
    app: &App,
    (whose, about, patience): (Poller, Watched, Duration),
    version: impl Fn(&T) -> u32,
    is_news: impl Fn(&T) -> bool,
    look: impl Fn() -> Looking,
) -> Answer<T>
where
    Looking: Future<Output = Answer<T>>,
{
    if patience.is_zero() {
        return look().await;
    }
    let deadline = Instant::now() + patience;
    // Before the first look: what is committed after it is heard of.
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
            // Whatever wakes it, the next round looks for itself.
            () = poll.woken() => {}
            () = sleep_until(deadline) => {}
            _ = stopping.changed() => {}
        }
    }
}
