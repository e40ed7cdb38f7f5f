//! Turns at writing exports: it takes a processor and the whole account's data in memory.

use std::time::Duration;

use link_types::id::TenantId;

use crate::http::problem::{Answer, Problem};
use crate::http::turns::{Turn, Turns};

/// Exports that are written at once.
const AT_ONCE: usize = 2;
/// Of them, those of one tenant, in both of its environments.
const OF_A_TENANT: usize = 1;
/// How long one waits for its turn.
const WAIT: Duration = Duration::from_secs(15);

/// Who may write an export: a tenant one at a time, so that the others need not wait for all of theirs, and whoever waited
/// for the very same finds it written.
#[derive(Debug)]
pub struct Renderings(Turns<TenantId>);

impl Default for Renderings {
    fn default() -> Self {
        Self(Turns::new(AT_ONCE, OF_A_TENANT, WAIT))
    }
}

impl Renderings {
    /// The right to write it, until it is dropped.
    ///
    /// # Errors
    /// 503 with `Retry-After` when there was none in time.
    pub async fn take(&self, tenant: &TenantId) -> Answer<Turn> {
        let busy = || Problem::busy("as many exports as may are being written");
        self.0.take(tenant.clone()).await.ok_or_else(busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_tenants_exports_leave_room_for_anothers() {
        let renderings = Renderings::default();
        let [many, other, third] = ["many", "other", "third"].map(|it| it.parse().unwrap());
        let _turn = renderings.take(&many).await.unwrap();
        assert!(renderings.take(&many).await.is_err(), "it has its own");
        let _turn = renderings.take(&other).await.expect("there is one left");
        assert!(renderings.take(&third).await.is_err(), "there are two altogether");
    }
}
