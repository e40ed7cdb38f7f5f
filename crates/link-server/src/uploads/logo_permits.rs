//! Limits concurrent encodings of logos, which run a child process.

use std::time::Duration;

use link_documents::ChildReader;
use link_types::id::TenantId;

use crate::http::limits::fair_semaphore::{FairSemaphore, Permit};
use crate::http::problem::{ApiResult, Problem};

/// The maximum number of one tenant's encodings, in both environments together.
const OF_A_TENANT: usize = 1;
/// How long a request waits for a permit.
const WAIT: Duration = Duration::from_secs(15);

/// The permits for encoding logos.
#[derive(Debug)]
pub struct LogoPermits(FairSemaphore<TenantId>);

impl Default for LogoPermits {
    fn default() -> Self {
        Self(FairSemaphore::new(ChildReader::LOGOS, OF_A_TENANT, WAIT))
    }
}

impl LogoPermits {
    /// Takes a permit.
    ///
    /// # Errors
    /// 503 with `Retry-After` if no permit becomes free in time.
    pub async fn take(&self, tenant: &TenantId) -> ApiResult<Permit> {
        let busy = || Problem::busy("too many logos are being encoded");
        self.0.take(tenant.clone()).await.ok_or_else(busy)
    }
}
