//! Sleeping workers: each wakes when a commit creates work for it, work becomes due, or the service stops.

use std::time::Duration;

use link_domain::clock::Wall;
use link_store::CommitNotice;
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;

/// The maximum sleep. It bounds the delay until work of another node is seen, and the cost of a missed wake-up.
const LONGEST_SLEEP: Duration = Duration::from_millis(500);

/// Puts a worker to sleep and wakes it.
pub(super) struct Wake {
    news: broadcast::Receiver<CommitNotice>,
    wanted: CommitNotice,
    stopping: watch::Receiver<bool>,
}

impl Wake {
    /// Creates a sleeper that wakes for the signal `wanted`.
    pub(super) fn new(
        news: broadcast::Receiver<CommitNotice>,
        wanted: CommitNotice,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self { news, wanted, stopping }
    }

    /// Returns true if the service is stopping.
    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Sleeps until there may be work. `next` is when the next known work is due.
    ///
    /// Ignores a `next` that was already due when the worker `looked`: such work waits for other work to end, and that
    /// wakes the worker.
    pub(super) async fn sleep(&mut self, looked: Wall, next: Option<Wall>) {
        let until_next = next.filter(|next| *next > looked).map_or(LONGEST_SLEEP, |next| next.since(looked));
        let Self { news, wanted, stopping } = self;
        tokio::select! {
            // The worker looks for work after every wake-up, so spurious ones do no harm.
            _ = timeout(until_next.min(LONGEST_SLEEP), received(news, wanted)) => {}
            _ = stopping.wait_for(|stop| *stop) => {}
        }
    }
}

async fn received(news: &mut broadcast::Receiver<CommitNotice>, wanted: &CommitNotice) {
    loop {
        match news.recv().await {
            Ok(signal) if signal == *wanted => return,
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
