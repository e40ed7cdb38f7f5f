//! The query parameters of long polls.

use std::time::Duration;

use axum::Json;
use link_store::Watched;

use crate::app::App;
use crate::http::extract::query::{FromQuery, QueryFields};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::polling::long_polls::Poller;
use crate::http::polling::news;
use crate::http::problem::ApiResult;

/// The maximum time to wait, in milliseconds.
const MAX_WAIT_MS: u32 = 25_000;

/// The version to wait for, and how long to wait.
pub(super) struct Wait {
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
    pub(super) async fn news<T, Looking>(
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
        news::awaited(app, (whose, about, timeout), &version, is_news, look).await.map(Json)
    }
}
