//! The own hosts of link sites, as this process knows them.
//!
//! Anyone can send requests with any `Host`, so these must not cause reads of the database. The process reads all proven
//! hosts at once, at most every 30 seconds, and not at all without requests for an unknown host. A change by this process
//! counts at once, and one by another process after 30 seconds at the latest.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link_domain::invitations::link_site_host::LinkSiteHost;
use link_domain::kernel::owner::Owner;
use link_store::StoreError;
use tokio::time::{Instant, timeout};

use crate::http::problem::{ApiResult, Problem};

/// How long the hosts are used before they are read again.
const REMEMBERED: Duration = Duration::from_secs(30);
/// How long after a failure the hosts are read again. Meanwhile, those that were read before count.
const FAILED_FOR: Duration = Duration::from_secs(1);
/// How long a request waits for the read of another one.
const TURN_TIMEOUT: Duration = Duration::from_secs(2);

/// The own hosts that are proven, with their owners.
#[derive(Debug, Default)]
pub struct SiteHosts {
    known: Mutex<Option<Known>>,
    /// Locked during a read, so that concurrent requests wait for it.
    turn: tokio::sync::Mutex<()>,
    /// Number of changes by this process. Hosts that were read before a change are old.
    changes: AtomicU64,
}

type Hosts = Arc<HashMap<String, Owner>>;

#[derive(Clone, Debug)]
struct Known {
    /// `None` if no read has succeeded.
    hosts: Option<Hosts>,
    valid_until: Instant,
    changes: u64,
}

impl SiteHosts {
    /// Returns the owner of a proven host, which is in lower case and has no port. `read` reads the proven hosts, if that is
    /// necessary.
    ///
    /// # Errors
    /// If the database cannot be read, and was not read before; 503 if that was so a moment ago, or the read takes too long.
    pub async fn owner_of(
        &self,
        read: impl Future<Output = Result<Vec<LinkSiteHost>, StoreError>>,
        host: &str,
    ) -> ApiResult<Option<Owner>> {
        if let Some(known) = self.valid() {
            return known.owner_of(host);
        }
        let turn = timeout(TURN_TIMEOUT, self.turn.lock()).await;
        let _turn = turn.map_err(|_| Problem::unavailable("the own hosts are being read"))?;
        if let Some(known) = self.valid() {
            return known.owner_of(host);
        }
        let changes = self.changes.load(Ordering::SeqCst);
        let (hosts, life, failure) = match read.await {
            // Of two tenants that prove a host at the same moment, the later one has it.
            Ok(found) => {
                let hosts = found.into_iter().map(|it| (it.host, it.owner)).collect();
                (Some(Arc::new(hosts)), REMEMBERED, None)
            }
            Err(error) => {
                (self.lock_known().as_ref().and_then(|it| it.hosts.clone()), FAILED_FOR, Some(error))
            }
        };
        let known = Known { hosts, valid_until: Instant::now() + life, changes };
        *self.lock_known() = Some(known.clone());
        match failure {
            Some(error) if known.hosts.is_none() => Err(error.into()),
            Some(_) | None => known.owner_of(host),
        }
    }

    /// Lets the next request read the hosts again, because this process changed one.
    pub fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    fn valid(&self) -> Option<Known> {
        let known = self.lock_known();
        let changes = self.changes.load(Ordering::SeqCst);
        let is_valid = |it: &&Known| it.valid_until > Instant::now() && it.changes == changes;
        known.as_ref().filter(is_valid).cloned()
    }

    fn lock_known(&self) -> MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn owner_of(&self, host: &str) -> ApiResult<Option<Owner>> {
        let hosts = self.hosts.as_ref();
        let hosts = hosts.ok_or_else(|| Problem::unavailable("the own hosts could not be read"))?;
        Ok(hosts.get(host).cloned())
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    const HOST: &str = "apply.shop.example";

    fn refuse() -> Result<Vec<LinkSiteHost>, StoreError> {
        Err(StoreError::Erased)
    }

    #[tokio::test(start_paused = true)]
    async fn failed_read_is_repeated_after_a_second_only() {
        let hosts = SiteHosts::default();
        assert!(hosts.owner_of(ready(refuse()), HOST).await.is_err());
        let again = hosts.owner_of(async { panic!("a read within a second") }, HOST).await;
        assert_eq!(again.unwrap_err().status(), 503);
        tokio::time::advance(FAILED_FOR).await;
        assert_eq!(hosts.owner_of(ready(Ok(Vec::new())), HOST).await.unwrap(), None);
        tokio::time::advance(REMEMBERED).await;
        assert_eq!(hosts.owner_of(ready(refuse()), HOST).await.unwrap(), None, "those of before count");
    }

    #[tokio::test(start_paused = true)]
    async fn request_does_not_wait_for_a_slow_read() {
        let hosts = Arc::new(SiteHosts::default());
        let slow = Arc::clone(&hosts);
        let reading = tokio::spawn(async move { slow.owner_of(pending(), HOST).await });
        tokio::task::yield_now().await;
        let waiting = hosts.owner_of(async { panic!("a second read at the same time") }, HOST).await;
        assert_eq!(waiting.unwrap_err().status(), 503);
        reading.abort();
    }
}
