//! Sleeping workers: each wakes when a commit creates work for it, work becomes due, or the service stops.

use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_store::CommitNotice;
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, timeout_at};

/// The maximum sleep. It bounds the delay until work of another node is seen, and the cost of a missed wake-up.
const MAX_SLEEP: Duration = Duration::from_millis(500);

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
        self.sleep_until(deadline(looked, next)).await;
    }

    /// Sleeps until there may be work, or until a [`deadline`].
    pub(super) async fn sleep_until(&mut self, deadline: Instant) {
        let Self { news, wanted, stopping } = self;
        tokio::select! {
            // The worker looks for work after every wake-up, so spurious ones do no harm.
            _ = timeout_at(deadline, receive(news, wanted)) => {}
            _ = stopping.wait_for(|stop| *stop) => {}
        }
    }

    /// Forgets the notices so far, because the worker looks for work now.
    pub(super) fn forget(&mut self) {
        while let Ok(_) | Err(broadcast::error::TryRecvError::Lagged(_)) = self.news.try_recv() {}
    }
}

/// Returns when to look for work again if nothing wakes the worker, which `looked` just now. `next` is when the next
/// known work is due.
pub(super) fn deadline(looked: Wall, next: Option<Wall>) -> Instant {
    let until_next = next.filter(|next| *next > looked).map_or(MAX_SLEEP, |next| next.since(looked));
    Instant::now() + until_next.min(MAX_SLEEP)
}

async fn receive(news: &mut broadcast::Receiver<CommitNotice>, wanted: &CommitNotice) {
    loop {
        match news.recv().await {
            Ok(signal) if signal == *wanted => return,
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
