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
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The first pause between two looks. Each pause is twice as long as the one before, up to [`MAX_PAUSE`].
const MIN_PAUSE: Duration = Duration::from_micros(200);
const MAX_PAUSE: Duration = Duration::from_millis(20);

/// Waits until the condition holds.
///
/// # Panics
///
/// If it does not hold within [`TIMEOUT`]. The message contains `what`, such as `the invitation is sent`.
#[track_caller]
pub fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    until_ok(what, async move || if holds().await { Ok(()) } else { Err("not yet") })
}

/// Waits until there is a value and returns it.
///
/// # Panics
///
/// If there is none within [`TIMEOUT`]. The message contains `what`.
#[track_caller]
pub fn until_some<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> impl Future<Output = T> {
    until_ok(what, async move || find().await.ok_or("nothing yet"))
}

/// Waits until an attempt succeeds and returns its value. The error describes the present state, for the message.
///
/// # Panics
///
/// If no attempt succeeds within [`TIMEOUT`]. The message contains `what` and the last error.
#[track_caller]
pub fn until_ok<T, E: Display>(
    what: &str,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> impl Future<Output = T> {
    let caller = Location::caller();
    async move {
        let found = retry_for(TIMEOUT, async move || attempt().await).await;
        found.unwrap_or_else(|last| give_up(caller, what, &last))
    }
}

/// Repeats an attempt until it succeeds, and returns the last error if it does not within `limit`.
///
/// # Errors
///
/// The error of the last attempt.
pub async fn retry_for<T, E>(
    limit: Duration,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, E> {
    let mut pauses = Pauses::within(limit);
    loop {
        match (attempt().await, pauses.next()) {
            // Blocking the thread would stop what the test waits for.
            (Err(_), Some(pause)) => tokio::time::sleep(pause).await,
            (last, _) => return last,
        }
    }
}

/// The same for code that may block its thread.
pub mod blocking {
    use std::fmt::Display;
    use std::panic::Location;
    use std::time::Duration;

    use super::{Pauses, TIMEOUT, give_up};

    /// Waits until the condition holds.
    ///
    /// # Panics
    ///
    /// If it does not hold within [`TIMEOUT`]. The message contains `what`.
    #[track_caller]
    pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
        until_ok(what, || if holds() { Ok(()) } else { Err("not yet") });
    }

    /// Waits until there is a value and returns it.
    ///
    /// # Panics
    ///
    /// If there is none within [`TIMEOUT`]. The message contains `what`.
    #[track_caller]
    pub fn until_some<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
        until_ok(what, || find().ok_or("nothing yet"))
    }

    /// Waits until an attempt succeeds and returns its value. The error describes the present state, for the message.
    ///
    /// # Panics
    ///
    /// If no attempt succeeds within [`TIMEOUT`]. The message contains `what` and the last error.
    #[track_caller]
    pub fn until_ok<T, E: Display>(what: &str, mut attempt: impl FnMut() -> Result<T, E>) -> T {
        let caller = Location::caller();
        retry_for(TIMEOUT, &mut attempt).unwrap_or_else(|last| give_up(caller, what, &last))
    }

    /// Repeats an attempt until it succeeds, and returns the last error if it does not within `limit`.
    ///
    /// # Errors
    ///
    /// The error of the last attempt.
    pub fn retry_for<T, E>(limit: Duration, mut attempt: impl FnMut() -> Result<T, E>) -> Result<T, E> {
        let mut pauses = Pauses::within(limit);
        loop {
            match (attempt(), pauses.next()) {
                (Err(_), Some(pause)) => std::thread::sleep(pause),
                (last, _) => return last,
            }
        }
    }
}

/// The pauses between looks, until the limit.
struct Pauses {
    // The clock of tokio may be paused.
    began: Instant,
    limit: Duration,
    next: Duration,
}

impl Pauses {
    fn within(limit: Duration) -> Self {
        Self { began: Instant::now(), limit, next: MIN_PAUSE }
    }
}

impl Iterator for Pauses {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let pause = self.next;
        self.next = (pause * 2).min(MAX_PAUSE);
        (self.began.elapsed() < self.limit).then_some(pause)
    }
}

fn give_up(caller: &Location<'_>, what: &str, last: &dyn Display) -> ! {
    panic!("{caller}: waited {TIMEOUT:?} until {what}. At the end: {last}")
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
    fn pauses_grow_up_to_a_maximum() {
        let pauses: Vec<Duration> = Pauses::within(TIMEOUT).take(10).collect();
        assert_eq!(pauses[..3], [MIN_PAUSE, MIN_PAUSE * 2, MIN_PAUSE * 4]);
        assert_eq!(pauses[9], MAX_PAUSE);
    }

    #[tokio::test]
    async fn retries_end_at_the_limit_with_the_last_error() {
        let mut looks = 0;
        let limit = Duration::from_millis(5);
        let last: Result<(), i32> = retry_for(limit, async || {
            looks += 1;
            Err(looks)
        })
        .await;
        assert_eq!(last, Err(looks));
        assert!(looks > 1);
        assert_eq!(blocking::retry_for(Duration::ZERO, || Err::<(), _>("once")), Err("once"));
    }

    #[test]
    fn timeout_names_the_condition_its_state_and_the_caller() {
        let overdue = std::panic::catch_unwind(|| {
            give_up(Location::caller(), "the mail arrives", &"0 mails");
        });
        let panic = *overdue.unwrap_err().downcast::<String>().unwrap();
        assert!(panic.ends_with("waited 60s until the mail arrives. At the end: 0 mails"), "{panic}");
        assert!(panic.contains(file!()), "{panic}");
    }
}
