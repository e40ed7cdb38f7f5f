//! Limits concurrent exports. Rendering one needs a processor core and the account's data in memory.

use std::time::Duration;

use link_types::id::TenantId;

use crate::http::limits::fair_semaphore::{FairSemaphore, Permit};
use crate::http::problem::{ApiResult, Problem};

/// The maximum number of exports that are rendered at once.
const AT_ONCE: usize = 2;
/// The maximum number of one tenant's exports, in both environments together.
const OF_A_TENANT: usize = 1;
/// How long an export waits for a permit.
const WAIT: Duration = Duration::from_secs(15);

/// The permits for rendering exports. A tenant renders one at a time, so it cannot delay others, and a request that
/// waited for the same export finds it already rendered.
#[derive(Debug)]
pub struct Renderings(FairSemaphore<TenantId>);

impl Default for Renderings {
    fn default() -> Self {
        Self(FairSemaphore::new(AT_ONCE, OF_A_TENANT, WAIT))
    }
}

impl Renderings {
    /// Takes a permit.
    ///
    /// # Errors
    /// 503 with `Retry-After` if no permit becomes free in time.
    pub async fn take(&self, tenant: &TenantId) -> ApiResult<Permit> {
        let busy = || Problem::busy("too many exports are being rendered");
        self.0.take(tenant.clone()).await.ok_or_else(busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn exports_of_tenant_leave_slots_for_another() {
        let renderings = Renderings::default();
        let [many, other, third] = ["many", "other", "third"].map(|it| it.parse().unwrap());
        let _turn = renderings.take(&many).await.unwrap();
        assert!(renderings.take(&many).await.is_err(), "the tenant already renders one");
        let _turn = renderings.take(&other).await.expect("one permit is left");
        assert!(renderings.take(&third).await.is_err(), "both permits are taken");
    }
}
