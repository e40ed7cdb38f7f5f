//! The decision after each query of a record or signal, which a source may answer with a task.

use std::time::Duration;

use crate::kernel::clock::TenantTime;
use crate::lookups::record_source::{Outcome, Queried, SourceTask};

/// How long a source may work on a task, from the creation of its record or verification: 1 hour.
const TIMEOUT: Duration = Duration::from_secs(3_600);

/// Next step of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NextQuery<T> {
    /// The query has ended.
    Ended(Outcome<T>),
    /// The task is queried at this time.
    Poll {
        /// The source's task.
        task: SourceTask,
        /// The time on the tenant's clock.
        at: TenantTime,
    },
}

impl<T> NextQuery<T> {
    /// Decides after a response at `now`. A task that takes longer than 1 hour from `created_at` ends with
    /// SERVICE_UNAVAILABLE.
    pub(crate) fn after(queried: Queried<T>, created_at: TenantTime, now: TenantTime) -> Self {
        match queried {
            Queried::Ended(outcome) => Self::Ended(outcome),
            Queried::Waiting { after, .. } if now + after > created_at + TIMEOUT => {
                Self::Ended(Outcome::ServiceUnavailable {})
            }
            Queried::Waiting { task, after } => Self::Poll { task, at: now + after },
        }
    }
}
