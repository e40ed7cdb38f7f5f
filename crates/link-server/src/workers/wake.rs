//! How a worker sleeps: until a commit brings it work, something comes due, or the service stops.

use std::time::Duration;

use link_domain::clock::Wall;
use link_store::Signal;
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;

/// How soon work that another node committed is seen; and how long any mistake of timing can cost.
const LONGEST_SLEEP: Duration = Duration::from_millis(500);

/// A worker's alarm clock.
pub(super) struct Wake {
    news: broadcast::Receiver<Signal>,
    wanted: Signal,
    stopping: watch::Receiver<bool>,
}

impl Wake {
    /// Wakes for this kind of news.
    pub(super) fn new(
        news: broadcast::Receiver<Signal>,
        wanted: Signal,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self { news, wanted, stopping }
    }

    /// Whether the service is to stop.
    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Sleeps until there may be work. `next` is when the next known work is due. What was due when the worker
    /// `looked` and was not to be had waits for something else to end, and that wakes the worker.
    pub(super) async fn sleep(&mut self, looked: Wall, next: Option<Wall>) {
        let until_next = next.filter(|next| *next > looked).map_or(LONGEST_SLEEP, |next| next.since(looked));
        let Self { news, wanted, stopping } = self;
        tokio::select! {
            // Whatever ends the sleep, the worker looks for work itself.
            _ = timeout(until_next.min(LONGEST_SLEEP), heard(news, wanted)) => {}
            _ = stopping.wait_for(|stop| *stop) => {}
        }
    }
}

async fn heard(news: &mut broadcast::Receiver<Signal>, wanted: &Signal) {
    loop {
        match news.recv().await {
            Ok(signal) if signal == *wanted => return,
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
