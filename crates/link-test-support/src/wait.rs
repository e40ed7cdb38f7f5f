//! Waits for a condition that other tasks, threads or processes make true.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use link_test_support::wait;
//!
//! let done = AtomicBool::new(false);
//! std::thread::scope(|scope| {
//!     scope.spawn(|| done.store(true, Ordering::Relaxed));
//!     wait::blocking::until("the thread is done", || done.load(Ordering::Relaxed));
//! });
//! ```

use std::fmt::Display;
use std::panic::Location;
use std::time::{Duration, Instant};

/// How long a condition may take. Generous, because it only ends tests that would hang: machines may be slow.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The first pause between two looks. Each pause is twice as long as the one before, up to [`LONGEST`].
const SHORTEST: Duration = Duration::from_micros(200);
const LONGEST: Duration = Duration::from_millis(20);

/// Waits until the condition holds.
///
/// # Panics
///
/// If it does not hold within [`PATIENCE`]. The message contains `what`, such as `the invitation is sent`.
#[track_caller]
pub fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    until_ok(what, async move || if holds().await { Ok(()) } else { Err("not yet") })
}

/// Waits until there is a value and returns it.
///
/// # Panics
///
/// If there is none within [`PATIENCE`]. The message contains `what`.
#[track_caller]
pub fn until_some<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> impl Future<Output = T> {
    until_ok(what, async move || find().await.ok_or("nothing yet"))
}

/// Waits until an attempt succeeds and returns its value. The error describes the present state, for the message.
///
/// # Panics
///
/// If no attempt succeeds within [`PATIENCE`]. The message contains `what` and the last error.
#[track_caller]
pub fn until_ok<T, E: Display>(
    what: &str,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> impl Future<Output = T> {
    let mut wait = Wait::new(what);
    async move {
        loop {
            match attempt().await {
                Ok(value) => return value,
                // Blocking the thread would stop what the test waits for.
                Err(error) => tokio::time::sleep(wait.pause(&error)).await,
            }
        }
    }
}

/// The same for code that may block its thread.
pub mod blocking {
    use std::fmt::Display;

    use super::Wait;

    /// Waits until the condition holds.
    ///
    /// # Panics
    ///
    /// If it does not hold within [`PATIENCE`](super::PATIENCE). The message contains `what`.
    #[track_caller]
    pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
        until_ok(what, || if holds() { Ok(()) } else { Err("not yet") });
    }

    /// Waits until there is a value and returns it.
    ///
    /// # Panics
    ///
    /// If there is none within [`PATIENCE`](super::PATIENCE). The message contains `what`.
    #[track_caller]
    pub fn until_some<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
        until_ok(what, || find().ok_or("nothing yet"))
    }

    /// Waits until an attempt succeeds and returns its value. The error describes the present state, for the message.
    ///
    /// # Panics
    ///
    /// If no attempt succeeds within [`PATIENCE`](super::PATIENCE). The message contains `what` and the last error.
    #[track_caller]
    pub fn until_ok<T, E: Display>(what: &str, mut attempt: impl FnMut() -> Result<T, E>) -> T {
        let mut wait = Wait::new(what);
        loop {
            match attempt() {
                Ok(value) => return value,
                Err(error) => std::thread::sleep(wait.pause(&error)),
            }
        }
    }
}

/// One wait in progress.
struct Wait<'a> {
    what: &'a str,
    caller: &'static Location<'static>,
    // The clock of tokio may be paused.
    began: Instant,
    pause: Duration,
}

impl<'a> Wait<'a> {
    #[track_caller]
    fn new(what: &'a str) -> Self {
        Self { what, caller: Location::caller(), began: Instant::now(), pause: SHORTEST }
    }

    /// Returns the time until the next look. Panics if the wait took too long.
    fn pause(&mut self, last: &dyn Display) -> Duration {
        let Self { what, caller, .. } = self;
        assert!(
            self.began.elapsed() < PATIENCE,
            "{caller}: waited {PATIENCE:?} until {what}. At the end: {last}"
        );
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn waits_until_another_task_is_done() {
        let (send, mut receive) = tokio::sync::oneshot::channel();
        tokio::spawn(async move { send.send(7) });
        assert_eq!(until_some("a number is sent", async || receive.try_recv().ok()).await, 7);
    }

    #[test]
    fn blocking_wait_returns_the_first_value() {
        let mut looks = 0;
        let found = blocking::until_some("three looks", || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!((found, looks), (3, 3));
    }

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let mut wait = Wait::new("the end");
        let pauses: Vec<Duration> = (0..10).map(|_| wait.pause(&"not yet")).collect();
        assert_eq!(pauses[..3], [SHORTEST, SHORTEST * 2, SHORTEST * 4]);
        assert_eq!(pauses[9], LONGEST);
    }

    #[test]
    fn timeout_names_the_condition_its_state_and_the_caller() {
        let overdue = std::panic::catch_unwind(|| {
            let mut wait = Wait::new("the mail arrives");
            wait.began = Instant::now().checked_sub(PATIENCE).unwrap();
            wait.pause(&"0 mails")
        });
        let panic = *overdue.unwrap_err().downcast::<String>().unwrap();
        assert!(panic.ends_with("waited 60s until the mail arrives. At the end: 0 mails"), "{panic}");
        assert!(panic.contains(file!()), "{panic}");
    }
}
