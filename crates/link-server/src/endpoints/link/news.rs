//! The long poll: an answer that waits for news of what it is about.

use std::time::Duration;

use axum::Json;
use link_store::Signal;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout_at};

use crate::app::App;
use crate::http::problem::Answer;
use crate::http::query::{FromQuery, QueryFields};

/// The longest wait.
const LONGEST: u64 = 25_000;
/// How soon a change made by another node is seen.
const OTHER_NODES: Duration = Duration::from_millis(500);

/// What to wait for, and how long.
pub(super) struct Wait {
    after: Option<u32>,
    millis: Option<u64>,
}

impl FromQuery for Wait {
    fn take(query: &mut QueryFields) -> Self {
        let after = query.in_range("after", 0, i32::MAX.unsigned_abs().into());
        let after = after.and_then(|it| it.try_into().ok());
        Self { after, millis: query.in_range("wait", 0, LONGEST) }
    }
}

impl Wait {
    /// Looks again at each signal that is about it, until its version is news, the wait is over or the service stops.
    pub(super) async fn news<T, Looking>(
        self,
        app: &App,
        is_about: impl Fn(&Signal) -> bool,
        version: impl Fn(&T) -> u32,
        look: impl Fn() -> Looking,
    ) -> Answer<Json<T>>
    where
        Looking: Future<Output = Answer<T>>,
    {
        let deadline = Instant::now() + Duration::from_millis(self.millis.unwrap_or(0));
        let mut signals = app.store().subscribe();
        let mut stopping = app.stopping();
        loop {
            let seen = look().await?;
            let is_news = self.after.is_none_or(|after| version(&seen) > after);
            if is_news || Instant::now() >= deadline || *stopping.borrow_and_update() {
                return Ok(Json(seen));
            }
            let pause = deadline.min(Instant::now() + OTHER_NODES);
            tokio::select! {
                // Whatever wakes it, the next round looks for itself.
                _ = timeout_at(pause, changed(&mut signals, &is_about)) => {}
                _ = stopping.changed() => {}
            }
        }
    }
}

async fn changed(signals: &mut broadcast::Receiver<Signal>, is_about: impl Fn(&Signal) -> bool) {
    loop {
        match signals.recv().await {
            Ok(signal) if is_about(&signal) => return,
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
