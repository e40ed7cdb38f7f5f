//! Lines about something that strangers can repeat: one a minute, with how often it happened.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time from one line to the next.
const EVERY: Duration = Duration::from_secs(60);

/// Counts what happens, and says when a line is due.
#[derive(Debug, Default)]
pub struct Sampled(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    count: u64,
}

impl Sampled {
    /// Counts one more. Returns how many there were since the last line, this one included, if a line is due: the first
    /// time, and then once a minute.
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
    fn sampled_lines_come_once_a_minute_with_their_count() {
        let (sampled, start) = (Sampled::default(), Instant::now());
        assert_eq!(sampled.count(start), Some(1));
        assert_eq!(sampled.count(start + Duration::from_secs(1)), None);
        assert_eq!(sampled.count(start + Duration::from_secs(59)), None);
        assert_eq!(sampled.count(start + EVERY), Some(3));
        assert_eq!(sampled.count(start + EVERY), None);
    }
}
