//! Limits concurrent inspections of files, which compute a file's digest and run a child process.

use std::time::Duration;

use link_documents::ChildReader;
use link_types::id::{TenantId, UserId};

use crate::http::limits::fair_semaphore::{FairSemaphore, Most, Permit};
use crate::http::problem::{ApiResult, Problem};

/// Limits on running inspections. A tenant may run 2, which leaves room for others, and a user 1.
const AT_ONCE: Most = Most { altogether: ChildReader::INSPECTIONS, of_group: 2, of_key: 1 };
/// Limits on waiting inspections. An archive has up to 10 files, and the widget uploads 2 at once.
const WAITING: Most = Most { altogether: 256, of_group: 32, of_key: 10 };
/// How long an inspection waits. Shorter than the timeouts of browsers and proxies.
const WAIT: Duration = Duration::from_secs(20);

/// The permits for inspecting files. They are shared by tenant (both environments together), then by user.
#[derive(Debug)]
pub struct InspectionPermits(FairSemaphore<(TenantId, UserId)>);

impl Default for InspectionPermits {
    fn default() -> Self {
        Self(FairSemaphore::with_queue(AT_ONCE, WAITING, WAIT))
    }
}

impl InspectionPermits {
    /// Takes a permit.
    ///
    /// # Errors
    /// 503 with `Retry-After` if no permit becomes free in time, or too many requests wait.
    pub async fn take(&self, tenant: &TenantId, user: &UserId) -> ApiResult<Permit> {
        let busy = || Problem::busy("too many files are being inspected");
        self.0.take((tenant.clone(), user.clone())).await.ok_or_else(busy)
    }
}
