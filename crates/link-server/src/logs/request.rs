//! Whose lines they are: what is logged while a request is served carries its id.

use std::sync::Arc;

use axum::extract::MatchedPath;

tokio::task_local! {
    static SERVED: Option<Request>;
}

/// What a line says of the request that it belongs to.
#[derive(Debug, Clone)]
pub struct Request {
    /// The id that its answer carries too.
    pub id: Arc<str>,
    /// The pattern that its path matched, if it matched one.
    pub route: Option<MatchedPath>,
}

impl Request {
    /// The pattern, or a word for there being none. Never the path: a path can hold ids, a query can hold anything.
    #[must_use]
    pub fn route(&self) -> &str {
        self.route.as_ref().map_or("unmatched", MatchedPath::as_str)
    }
}

/// Does this work for a request: its lines are the request's.
pub async fn serving<F: Future>(request: Request, work: F) -> F::Output {
    SERVED.scope(Some(request), work).await
}

/// Logs a request's lines outside of its work.
pub fn as_served<T>(request: Request, log: impl FnOnce() -> T) -> T {
    SERVED.sync_scope(Some(request), log)
}

/// Work that begins here and goes on elsewhere, in a task of its own: its lines stay the request's.
pub fn still_serving<F: Future>(work: F) -> impl Future<Output = F::Output> {
    SERVED.scope(SERVED.try_with(Clone::clone).ok().flatten(), work)
}

/// Tells the request that is being served here, if one is.
pub(super) fn with_served<T>(tell: impl FnOnce(&Request) -> T) -> Option<T> {
    SERVED.try_with(|served| served.as_ref().map(tell)).ok().flatten()
}
