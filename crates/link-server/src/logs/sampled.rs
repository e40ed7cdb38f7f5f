//! Limits log lines about events that anyone can cause: one line a minute, with the number of events.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The minimum time between two lines.
const EVERY: Duration = Duration::from_secs(60);

/// Counts events, and decides when a line is due.
#[derive(Debug, Default)]
pub struct Sampled(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    count: u64,
}

impl Sampled {
    /// Counts an event. If a line is due, returns the number of events since the last line, including this one. The
    /// first event is due at once, later ones once a minute.
    pub fn count(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.count += 1;
        if state.last.is_some_and(|last| now.saturating_duration_since(last) < EVERY) {
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampled_line_is_due_once_a_minute_with_count() {
        let (sampled, start) = (Sampled::default(), Instant::now());
        assert_eq!(sampled.count(start), Some(1));
        assert_eq!(sampled.count(start + Duration::from_secs(1)), None);
        assert_eq!(sampled.count(start + Duration::from_secs(59)), None);
        assert_eq!(sampled.count(start + EVERY), Some(3));
        assert_eq!(sampled.count(start + EVERY), None);
    }
}
