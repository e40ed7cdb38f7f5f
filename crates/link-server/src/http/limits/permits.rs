//! Permits for work that only a few may do at once, shared by tenant, then by user.
//!
//! A request waits for its user's permit, then for its tenant's, and last for one of all (ADR 211). So no more requests
//! of a tenant wait for the last one than the tenant may run at once: a flood delays only the tenant's own requests.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use link_documents::ChildReader;
use link_types::id::{TenantId, UserId};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::http::limits::body::{BodyTimeouts, MinimumRate};
use crate::http::problem::{ApiResult, Problem};

/// Maximum numbers of requests.
#[derive(Clone, Copy, Debug)]
pub struct MaxRequests {
    /// Of all tenants together.
    pub all: usize,
    /// Of one tenant, in both environments together.
    pub of_tenant: usize,
    /// Of one user.
    pub of_user: usize,
}

impl MaxRequests {
    /// No limit.
    pub const UNLIMITED: Self = Self { all: usize::MAX, of_tenant: usize::MAX, of_user: usize::MAX };
}

/// Permits for one kind of work.
#[derive(Debug)]
pub struct Permits {
    running: MaxRequests,
    open: MaxRequests,
    wait: Duration,
    busy: &'static str,
    all: Arc<Semaphore>,
    tenants: Semaphores<TenantId>,
    users: Semaphores<UserId>,
}

/// A semaphore for each key that has requests.
type Semaphores<K> = Mutex<HashMap<K, Weak<Semaphore>>>;

/// The permits of one request. Dropping them releases them.
#[derive(Debug)]
pub struct Permit {
    _all: OwnedSemaphorePermit,
    _of_tenant: OwnedSemaphorePermit,
    _of_user: Option<OwnedSemaphorePermit>,
}

impl Permits {
    /// Creates permits for inspecting files, which computes a file's digest and runs a child process. An archive has up to
    /// 10 files. The wait is shorter than the timeouts of browsers and proxies.
    pub fn for_inspections() -> Self {
        let running = MaxRequests { all: ChildReader::MAX_INSPECTIONS, of_tenant: 2, of_user: 1 };
        Self::new(running, Duration::from_secs(20), "too many files are being inspected")
            .with_open(MaxRequests { all: 260, of_tenant: 34, of_user: 11 })
    }

    /// Creates permits for encoding logos, which runs a child process.
    pub fn for_logos() -> Self {
        let running = MaxRequests { all: ChildReader::MAX_LOGOS, of_tenant: 1, of_user: 1 };
        Self::new(running, Duration::from_secs(15), "too many logos are being encoded")
    }

    /// Creates permits for previews, each with a body of at most 2 MiB in memory.
    pub fn for_previews() -> Self {
        let running = MaxRequests { all: 5, of_tenant: 2, of_user: 2 };
        Self::new(running, Duration::from_secs(3), "too many previews are being drawn")
    }

    /// Creates permits for encoding the logos of previews: one at a time, so that one of the encoder's places is left to
    /// templates that are saved.
    pub fn for_logos_of_previews() -> Self {
        let running = MaxRequests { all: ChildReader::MAX_LOGOS / 2, of_tenant: 1, of_user: 1 };
        Self::new(running, Duration::from_secs(3), "too many logos of previews are being encoded")
    }

    /// Creates permits for rendering exports, which needs a processor core and the account's data in memory. A tenant
    /// renders one at a time, so a request that waited for the same export finds it already rendered.
    pub fn for_exports() -> Self {
        let running = MaxRequests { all: 2, of_tenant: 1, of_user: 1 };
        Self::new(running, Duration::from_secs(15), "too many exports are being rendered")
    }

    /// Creates permits for at most `running` requests. A request waits at most `wait`. `busy` says why it failed.
    pub fn new(running: MaxRequests, wait: Duration, busy: &'static str) -> Self {
        Self {
            running,
            open: MaxRequests::UNLIMITED,
            wait,
            busy,
            all: Arc::new(Semaphore::new(running.all)),
            tenants: Semaphores::default(),
            users: Semaphores::default(),
        }
    }

    /// Limits the requests that run or wait. More fail at once.
    #[must_use]
    pub fn with_open(self, open: MaxRequests) -> Self {
        Self { open, ..self }
    }

    /// Takes a permit. Waits for it if necessary.
    ///
    /// # Errors
    /// 503 with `Retry-After` if no permit becomes free in time, or too many requests wait.
    pub async fn take(&self, tenant: &TenantId, user: Option<&UserId>) -> ApiResult<Permit> {
        let of_user = user.map(|user| semaphore(&self.users, user, self.running.of_user));
        let of_tenant = semaphore(&self.tenants, tenant, self.running.of_tenant);
        let all = Arc::clone(&self.all);
        // Each request that runs or waits has these three, and `self` has one more of all.
        let is_over = Arc::strong_count(&all) - 1 > self.open.all
            || Arc::strong_count(&of_tenant) > self.open.of_tenant
            || of_user.as_ref().is_some_and(|it| Arc::strong_count(it) > self.open.of_user);
        let take = async {
            let of_user = match of_user {
                Some(of_user) => Some(of_user.acquire_owned().await?),
                None => None,
            };
            let of_tenant = of_tenant.acquire_owned().await?;
            let all = all.acquire_owned().await?;
            Ok::<_, AcquireError>(Permit { _all: all, _of_tenant: of_tenant, _of_user: of_user })
        };
        let wait = if is_over { Duration::ZERO } else { self.wait };
        match tokio::time::timeout(wait, take).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) | Err(_) => Err(Problem::busy(self.busy)),
        }
    }
}

/// Returns the semaphore of a key. Creates it if the key has no request.
fn semaphore<K: Hash + Eq + Clone>(semaphores: &Semaphores<K>, key: &K, permits: usize) -> Arc<Semaphore> {
    let mut semaphores = semaphores.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = semaphores.get(key).and_then(Weak::upgrade) {
        return found;
    }
    semaphores.retain(|_, semaphore| semaphore.strong_count() > 0);
    let created = Arc::new(Semaphore::new(permits));
    semaphores.insert(key.clone(), Arc::downgrade(&created));
    created
}

/// The maximum numbers of bodies in memory. Two tenants that send slowly leave one to a third.
const MAX_AT_ONCE: MaxRequests = MaxRequests { all: 5, of_tenant: 2, of_user: 2 };
/// How long an upload waits for a permit.
const WAIT: Duration = Duration::from_secs(10);

/// How long a body may take. It holds one of 5 permits, so it must arrive at 100 KB a second or more.
const TIMEOUT: BodyTimeouts = BodyTimeouts {
    silence: Duration::from_secs(5),
    whole: Duration::from_secs(60),
    minimum_rate: MinimumRate { bytes: 500_000, within: Duration::from_secs(5) },
};

/// The permits for uploads in a single request body, and how long a body may take to arrive.
#[derive(Debug)]
pub struct BodyUploadPermits {
    permits: Permits,
    timeout: BodyTimeouts,
}

impl Default for BodyUploadPermits {
    fn default() -> Self {
        Self::new(WAIT, TIMEOUT)
    }
}

impl BodyUploadPermits {
    /// Creates permits with a wait for a permit, and time limits for a body.
    pub fn new(wait: Duration, timeout: BodyTimeouts) -> Self {
        let permits = Permits::new(MAX_AT_ONCE, wait, "too many uploads in a single body are running");
        Self { permits, timeout }
    }

    /// Takes a permit. Call this before reading the body.
    ///
    /// # Errors
    /// 503 with `Retry-After` if no permit becomes free in time.
    pub async fn take(&self, tenant: &TenantId) -> ApiResult<Permit> {
        self.permits.take(tenant, None).await
    }

    /// Returns how long a body may take to arrive.
    pub fn timeout(&self) -> BodyTimeouts {
        self.timeout
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use futures_util::{StreamExt as _, stream};
    use tokio::time::Instant;

    use super::*;
    use crate::http::limits::body::read;

    const WAIT: Duration = Duration::from_secs(10);

    fn permits() -> Permits {
        let running = MaxRequests { all: 4, of_tenant: 2, of_user: 1 };
        let open = MaxRequests { all: 10, of_tenant: 6, of_user: 3 };
        Permits::new(running, WAIT, "too many").with_open(open)
    }

    fn person(tenant: &str, user: u8) -> (TenantId, UserId) {
        let tenant: TenantId = tenant.parse().unwrap();
        let user = UserId::from_bytes(&tenant, [user; 16]);
        (tenant, user)
    }

    async fn take(permits: &Permits, tenant: &str, user: u8) -> ApiResult<Permit> {
        let (tenant, user) = person(tenant, user);
        permits.take(&tenant, Some(&user)).await
    }

    #[tokio::test(start_paused = true)]
    async fn tenant_and_user_get_no_more_than_their_permits() {
        let permits = permits();
        let first = take(&permits, "a", 1).await.unwrap();
        assert!(take(&permits, "a", 1).await.is_err(), "the user has one");
        let _second = take(&permits, "a", 2).await.unwrap();
        assert!(take(&permits, "a", 3).await.is_err(), "the tenant has two");
        let _others = [take(&permits, "b", 1).await.unwrap(), take(&permits, "b", 2).await.unwrap()];
        assert!(take(&permits, "c", 1).await.is_err(), "all four are taken");
        drop(first);
        assert!(take(&permits, "c", 1).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn flood_of_a_tenant_does_not_delay_another() {
        let permits = Arc::new(permits());
        let _running = [take(&permits, "flood", 1).await.unwrap(), take(&permits, "flood", 2).await.unwrap()];
        let began = Instant::now();
        let mut flood = Vec::new();
        for user in 1..5 {
            let permits = Arc::clone(&permits);
            flood.push(tokio::spawn(async move { take(&permits, "flood", user).await.is_ok() }));
            tokio::task::yield_now().await;
        }
        assert!(take(&permits, "flood", 9).await.is_err(), "too many of the tenant wait");
        assert!(take(&permits, "honest", 1).await.is_ok());
        assert_eq!(began.elapsed(), Duration::ZERO);
        for waiting in flood {
            assert!(!waiting.await.unwrap());
        }
        assert_eq!(began.elapsed(), WAIT);
    }

    #[tokio::test(start_paused = true)]
    async fn released_permit_is_passed_on_and_leaves_no_entry() {
        let permits = Arc::new(permits());
        let first = take(&permits, "a", 1).await.unwrap();
        let waiting = |user| {
            let permits = Arc::clone(&permits);
            tokio::spawn(async move { take(&permits, "a", user).await.is_ok() })
        };
        let (gone, next) = (waiting(1), waiting(1));
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        drop(first);
        assert!(next.await.unwrap());
        drop(take(&permits, "b", 1).await.unwrap());
        assert_eq!((permits.all.available_permits(), Arc::strong_count(&permits.all)), (4, 1));
        let left = |count: usize| assert!(count <= 1, "dead entries are removed with the next one");
        left(permits.tenants.lock().unwrap().len());
        left(permits.users.lock().unwrap().len());
    }

    #[tokio::test(start_paused = true)]
    async fn single_body_upload_below_100_kb_per_second_is_408() {
        let sent = async |bytes: usize, pieces: usize| {
            let piece = vec![b' '; bytes];
            let body = stream::iter(0..pieces).then(move |_| {
                let piece = piece.clone();
                async move {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    Ok::<_, std::io::Error>(piece)
                }
            });
            let begun = Instant::now();
            let read =
                read(Body::from_stream(body), usize::MAX, BodyUploadPermits::default().timeout()).await;
            (read.map(|it| it.len()).map_err(|it| it.status()), begun.elapsed().as_secs())
        };
        assert_eq!(sent(130_000, 20).await, (Ok(2_600_000), 20));
        assert_eq!(sent(1, 60).await, (Err(StatusCode::REQUEST_TIMEOUT), 5), "1 byte a second");
        assert_eq!(sent(90_000, 60).await, (Err(StatusCode::REQUEST_TIMEOUT), 5));
    }

    #[tokio::test(start_paused = true)]
    async fn two_busy_tenants_leave_a_permit_for_a_third() {
        let permits = BodyUploadPermits::default();
        let [one, other, third] = ["one", "other", "third"].map(|it| it.parse().unwrap());
        let mut kept = Vec::new();
        for tenant in [&one, &one, &other, &other, &one] {
            kept.extend(permits.take(tenant).await.ok());
        }
        assert_eq!(kept.len(), 4);
        assert!(permits.take(&third).await.is_ok());
    }
}
