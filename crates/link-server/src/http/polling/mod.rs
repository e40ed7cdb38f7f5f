//! Long polling: requests that wait for a change.

use std::time::Duration;

use axum::Json;
use link_store::Watched;
use tokio::time::{Instant, sleep_until};

use crate::app::App;
use crate::app::long_polls::Poller;
use crate::http::extract::query::{FromQuery, QueryFields};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;

/// Waits for a change, and returns the state that `look` last read.
///
/// Calls `look` once, and again after each commit to `about`. Ends when `is_news` accepts the state, `timeout` is
/// over, a newer poll replaces this one, or the service stops. It reads nothing while nothing changes: one task
/// receives the commits for all polls ([`LongPolls`](crate::app::long_polls::LongPolls)).
///
/// # Errors
/// Those of `look`.
pub async fn wait_for_change<T, Looking>(
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
    let poll = app.limits.long_polls.open(&app.store, whose, about);
    let mut stopping = app.stopping.clone();
    loop {
        let seen = look().await?;
        let is_over = Instant::now() >= deadline || *stopping.borrow_and_update() || poll.is_over();
        if is_over || is_news(&seen) {
            return Ok(seen);
        }
        poll.waits(version(&seen));
        tokio::select! {
            // The next iteration reads the state, so spurious wake-ups do no harm.
            () = poll.wait() => {}
            () = sleep_until(deadline) => {}
            _ = stopping.changed() => {}
        }
    }
}

/// The maximum time to wait, in milliseconds.
const MAX_WAIT_MS: u32 = 25_000;

/// The version to wait for, and how long to wait.
pub(crate) struct Wait {
    after: Option<u32>,
    millis: Option<u32>,
}

impl FromQuery for Wait {
    fn take(query: &mut QueryFields) -> Self {
        let (of_after, of_wait) = (
            "The response waits until the version is greater than this one",
            "Maximum time to wait, in milliseconds",
        );
        Self {
            after: query.in_range("after", of_after, (0, i32::MAX.unsigned_abs())),
            millis: query.in_range("wait", of_wait, (0, MAX_WAIT_MS)),
        }
    }
}

impl Wait {
    /// Waits until the version is greater than `after`. Calls `look` again after each commit to `about`.
    ///
    /// Also ends if the wait is over, a newer poll of the session replaces this one, or the service stops.
    pub(crate) async fn news<T, Looking>(
        self,
        app: &App,
        caller: &SessionCaller,
        about: Watched,
        version: impl Fn(&T) -> u32,
        look: impl Fn() -> Looking,
    ) -> ApiResult<Json<T>>
    where
        Looking: Future<Output = ApiResult<T>>,
    {
        let timeout = Duration::from_millis(self.millis.unwrap_or(0).into());
        let session = caller.session();
        let whose = Poller { tenant: session.owner.tenant.clone(), session: Some(session.id.clone()) };
        let is_news = |seen: &T| self.after.is_none_or(|after| version(seen) > after);
        wait_for_change(app, (whose, about, timeout), &version, is_news, look).await.map(Json)
    }
}
