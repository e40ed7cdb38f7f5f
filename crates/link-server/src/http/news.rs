//! Answers that wait for news of what they are about.

use std::time::Duration;

use link_store::Signal;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout_at};

use super::problem::Answer;
use crate::app::App;

/// How soon a change made by another node is seen.
const OTHER_NODES: Duration = Duration::from_millis(500);

/// Looks, and looks again at each signal that is about it, until what it sees is news, its patience is over or the service
/// stops. Gives what it saw last.
///
/// # Errors
/// Those of looking.
pub async fn awaited<T, Looking>(
    app: &App,
    patience: Duration,
    is_about: impl Fn(&Signal) -> bool,
    is_news: impl Fn(&T) -> bool,
    look: impl Fn() -> Looking,
) -> Answer<T>
where
    Looking: Future<Output = Answer<T>>,
{
    let deadline = Instant::now() + patience;
    let mut signals = app.store().subscribe();
    let mut stopping = app.stopping();
    loop {
        let seen = look().await?;
        if is_news(&seen) || Instant::now() >= deadline || *stopping.borrow_and_update() {
            return Ok(seen);
        }
        let pause = deadline.min(Instant::now() + OTHER_NODES);
        tokio::select! {
            // Whatever wakes it, the next round looks for itself.
            _ = timeout_at(pause, changed(&mut signals, &is_about)) => {}
            _ = stopping.changed() => {}
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
