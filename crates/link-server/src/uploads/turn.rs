//! Turns of uploads that come in one body: few are in memory at once.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::App;
use crate::http::problem::Problem;

/// Bodies that are in memory at once.
const AT_ONCE: usize = 4;

/// Who may take such a body in.
#[derive(Clone, Debug)]
pub struct UploadTurns(Arc<Semaphore>);

impl Default for UploadTurns {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

/// The right to take one in, until it is dropped. An endpoint names it after its caller and before its body.
pub struct UploadTurn(#[expect(dead_code, reason = "held, never looked at")] OwnedSemaphorePermit);

impl FromRequestParts<App> for UploadTurn {
    type Rejection = Problem;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self, Problem> {
        let turns = Arc::clone(&app.body_turns().0);
        turns.acquire_owned().await.map(Self).map_err(Problem::system)
    }
}
