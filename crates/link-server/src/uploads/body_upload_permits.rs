//! Limits concurrent uploads in a single request body: few bodies are in memory at once, and every tenant gets a share.

use std::time::Duration;

use link_types::id::TenantId;

use crate::http::limits::body::BodyTimeouts;
use crate::http::limits::minimum_rate::MinimumRate;
use crate::http::limits::permits::{MaxRequests, Permit, Permits};
use crate::http::problem::ApiResult;

/// The maximum numbers of bodies in memory. Two tenants that send slowly leave one to a third.
const AT_ONCE: MaxRequests = MaxRequests { all: 5, of_tenant: 2, of_user: 2 };
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
        let permits = Permits::new(AT_ONCE, wait, "too many uploads in a single body are running");
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
