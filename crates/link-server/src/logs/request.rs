//! Attaches the request's id to all lines that are logged while the request is served.

use std::sync::Arc;

use axum::extract::MatchedPath;

tokio::task_local! {
    static SERVED: Option<Request>;
}

/// The request that a line belongs to.
#[derive(Debug, Clone)]
pub struct Request {
    /// The request's id, which is also in its response.
    pub id: Arc<str>,
    /// The route that matched the path, if any.
    pub route: Option<MatchedPath>,
}

impl Request {
    /// Returns the route's pattern, or `unmatched`. Never returns the path, which may contain ids.
    #[must_use]
    pub fn route(&self) -> &str {
        self.route.as_ref().map_or("unmatched", MatchedPath::as_str)
    }
}

/// Runs `work` for a request. Lines that it logs belong to the request.
pub async fn serving<F: Future>(request: Request, work: F) -> F::Output {
    SERVED.scope(Some(request), work).await
}

/// Logs lines of a request after its work.
pub fn as_served<T>(request: Request, log: impl FnOnce() -> T) -> T {
    SERVED.sync_scope(Some(request), log)
}

/// Wraps work that continues in another task, so that its lines still belong to the current request.
pub fn still_serving<F: Future>(work: F) -> impl Future<Output = F::Output> {
    SERVED.scope(SERVED.try_with(Clone::clone).ok().flatten(), work)
}

/// Calls `read` with the request that is being served, if there is one.
pub(super) fn with_served<T>(read: impl FnOnce(&Request) -> T) -> Option<T> {
    SERVED.try_with(|served| served.as_ref().map(read)).ok().flatten()
}
