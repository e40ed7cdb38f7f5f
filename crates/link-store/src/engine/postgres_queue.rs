//! The queue of one kind of work, between the callers and the threads that own the connections.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A first-in, first-out queue whose consumers are the threads with a connection. Threads without one take work only if no
/// other has a connection, and then refuse it.
pub(super) struct WorkQueue<W> {
    state: Mutex<State<W>>,
    changed: Condvar,
}

struct State<W> {
    work: VecDeque<Queued<W>>,
    is_open: bool,
    connected: usize,
}

/// Work and the time when it was queued.
pub(super) struct Queued<W> {
    pub(super) since: Instant,
    pub(super) work: W,
}

/// The next act of a thread without a connection.
pub(super) enum Next<W> {
    /// Refuse this work.
    Refuse(W),
    /// Try to connect again.
    Connect,
    /// End.
    Closed,
}

impl<W> WorkQueue<W> {
    pub(super) fn new() -> Self {
        let state = State { work: VecDeque::new(), is_open: true, connected: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Queues work. Returns it if the queue is closed.
    pub(super) fn push(&self, work: W) -> Result<(), W> {
        let mut state = self.lock_state();
        if !state.is_open {
            return Err(work);
        }
        state.work.push_back(Queued { since: Instant::now(), work });
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Returns work to the front of the queue, because this thread has lost its connection.
    pub(super) fn put_back(&self, queued: Queued<W>) {
        self.lock_state().work.push_front(queued);
        // All: a thread without a connection may wait for this, too.
        self.changed.notify_all();
    }

    /// Waits for work. Returns `None` if the queue is closed and empty.
    pub(super) fn pop(&self) -> Option<Queued<W>> {
        let mut state = self.lock_state();
        loop {
            if let Some(queued) = state.work.pop_front() {
                return Some(queued);
            }
            if !state.is_open {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits at most this long for work that no other thread can do, because none has a connection.
    pub(super) fn pop_if_unconnected(&self, pause: Duration) -> Next<W> {
        let end = Instant::now() + pause;
        let mut state = self.lock_state();
        loop {
            if state.connected == 0
                && let Some(queued) = state.work.pop_front()
            {
                return Next::Refuse(queued.work);
            }
            if !state.is_open && (state.work.is_empty() || state.connected > 0) {
                return Next::Closed;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Connect;
            }
            if !state.work.is_empty() {
                // This thread may have taken the notification that was meant for one with a connection.
                self.changed.notify_one();
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Counts a thread with a connection until the guard is dropped.
    pub(super) fn connect(&self) -> Connected<'_, W> {
        self.lock_state().connected += 1;
        Connected(self)
    }

    /// Rejects further work. What is queued is still done.
    pub(super) fn close(&self) {
        self.lock_state().is_open = false;
        self.changed.notify_all();
    }

    fn lock_state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread with a connection.
pub(super) struct Connected<'q, W>(&'q WorkQueue<W>);

impl<W> Drop for Connected<'_, W> {
    fn drop(&mut self) {
        let mut state = self.0.lock_state();
        state.connected -= 1;
        let is_last = state.connected == 0;
        drop(state);
        if is_last {
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unconnected_thread_leaves_work_to_connected_ones() {
        let queue = WorkQueue::new();
        let connected = queue.connect();
        queue.push(1).unwrap();
        assert!(matches!(queue.pop_if_unconnected(Duration::ZERO), Next::Connect));
        drop(connected);
        assert!(matches!(queue.pop_if_unconnected(Duration::ZERO), Next::Refuse(1)));
    }

    #[test]
    fn closed_queue_hands_out_what_is_left() {
        let queue = WorkQueue::new();
        queue.push(1).unwrap();
        queue.close();
        assert_eq!(queue.push(2), Err(2));
        assert_eq!(queue.pop().map(|it| it.work), Some(1));
        assert!(queue.pop().is_none());
        assert!(matches!(queue.pop_if_unconnected(Duration::ZERO), Next::Closed));
    }
}
