//! Advances of a sandbox's clock (ADR 170). An advance visits each instant at which the tenant's work is due, and waits
//! there until that work is done.

use std::time::Duration;

use link_types::clock::{ClockAdvance, ClockAdvanceStatus};
use link_types::id::TenantId;

use crate::kernel::clock::{TenantTime, Wall};

mod transition;

pub use transition::AdvanceStep;

/// How far a sandbox's clock may be ahead of the wall clock: 10 years of 365 days.
pub const MAX_OFFSET: Duration = Duration::from_secs(3_650 * 86_400);
/// How long an advance waits for the work of one instant: 60 seconds. Work that takes longer, and a webhook that never
/// responds, do not stop the clock.
pub const TIMEOUT: Duration = Duration::from_secs(60);
/// An advance also waits for the first retries of jobs that failed in the service, which run again within 10 seconds of real
/// time: it would pass the next syncs meanwhile.
pub const RETRY_HORIZON: Duration = Duration::from_secs(10);
/// The number of retries of a job that an advance waits for. A job that keeps failing does not slow an advance.
pub const MAX_AWAITED_RETRIES: i64 = 3;

/// The latest advance of a tenant's sandbox clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Tenant of the sandbox.
    pub tenant: TenantId,
    /// Time on the tenant's clock when the advance began.
    pub from: TenantTime,
    /// Time on the tenant's clock at which the advance ends.
    pub until: TenantTime,
    /// Number of instants that the clock has visited.
    pub steps: u32,
    /// State of the advance.
    pub state: AdvanceState,
}

/// State of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdvanceState {
    /// The clock is at an instant before the end.
    Running {
        /// When the clock moved to the instant.
        moved_at: Wall,
    },
    /// The clock has passed the end, and the work that was due is done.
    Finished,
    /// The tenant stopped it before the end.
    Stopped,
}

/// How far to advance a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdvanceTo {
    /// To this much later.
    After(Duration),
    /// To this time on the tenant's clock.
    Until(TenantTime),
}

impl AdvanceTo {
    /// Reads a request, which names either the seconds or the time. `None` if it names both or neither.
    pub fn either(seconds: Option<u64>, until: Option<TenantTime>) -> Option<Self> {
        match (seconds, until) {
            (Some(seconds), None) => Some(Self::After(Duration::from_secs(seconds))),
            (None, Some(until)) => Some(Self::Until(until)),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

/// Reason why a clock cannot be advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvanceError {
    /// Another advance is in progress.
    #[error("the clock is being advanced")]
    InProgress,
    /// The time is not after the present time of the clock.
    #[error("the time is not in the future")]
    NotAhead,
    /// The clock would be more than [`MAX_OFFSET`] ahead.
    #[error("the clock can be at most 3650 days ahead of real time")]
    TooFar,
}

/// Work of a sandbox that is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DueWork {
    /// Whether work is due now or in progress, or a job is retried soon in real time.
    pub is_due: bool,
    /// When the next work is due on the tenant's clock.
    pub next_at: Option<TenantTime>,
}

impl DueWork {
    /// Combines the work of two kinds.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let next_at = match (self.next_at, other.next_at) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self { is_due: self.is_due || other.is_due, next_at }
    }
}

impl Advance {
    /// Returns the advance as REST shows it.
    pub fn view(&self) -> ClockAdvance {
        ClockAdvance {
            status: match self.state {
                AdvanceState::Running { .. } => ClockAdvanceStatus::Started,
                AdvanceState::Finished => ClockAdvanceStatus::Finished,
                AdvanceState::Stopped => ClockAdvanceStatus::Stopped,
            },
            from: self.from.into(),
            until: self.until.into(),
            stops: self.steps,
        }
    }

    /// Returns whether the advance is in progress.
    pub const fn is_running(&self) -> bool {
        matches!(self.state, AdvanceState::Running { .. })
    }
}

#[cfg(test)]
mod tests;
