//! When to ask again a service that is away, and what to say about it.

use std::time::Duration;

use crate::failure::CallError;

/// The pause after the first failure. It doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause, unless the service asks for a longer one.
const MAX_PAUSE: Duration = Duration::from_secs(8);
/// The longest pause that a service can ask for.
const MAX_REQUESTED_PAUSE: Duration = Duration::from_secs(60);

/// The failures in a row, and the growing pauses after them.
#[derive(Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Notes a failure. Returns how long to wait, and whether it is the first one of an outage.
    pub(super) fn fail(&mut self, error: &CallError) -> (Duration, bool) {
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(self.failures)).min(MAX_PAUSE);
        let requested = match error {
            CallError::Busy { retry_after, .. } => retry_after.unwrap_or_default(),
            CallError::Unreached(_)
            | CallError::Refused { .. }
            | CallError::Moved { .. }
            | CallError::Foreign { .. } => Duration::ZERO,
        };
        self.failures = self.failures.saturating_add(1);
        (pause.max(requested.min(MAX_REQUESTED_PAUSE)), self.failures == 1)
    }

    /// Notes a success. Returns whether it ends an outage.
    pub(super) fn succeed(&mut self) -> bool {
        std::mem::take(&mut self.failures) > 0
    }
}

#[cfg(test)]
mod tests {
    use link_connectors::reach::ReachError;

    use super::*;

    #[test]
    fn pauses_grow_to_a_limit_and_outage_is_reported_once() {
        let mut backoff = Backoff::default();
        let away = CallError::Unreached(ReachError::Refused);
        let failures: Vec<_> = (0..7).map(|_| backoff.fail(&away)).collect();
        let millis: Vec<_> = failures.iter().map(|(pause, _)| pause.as_millis()).collect();
        assert_eq!(millis, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
        assert_eq!(failures.iter().filter(|(_, is_first)| *is_first).count(), 1);
        assert!(backoff.succeed() && !backoff.succeed());
        let retry_after = Some(Duration::from_secs(3_600));
        let busy = CallError::Busy { status: 429, detail: String::new(), retry_after };
        assert_eq!(backoff.fail(&busy), (MAX_REQUESTED_PAUSE, true));
    }
}
