//! Turns of uploads that come in one body: few are in memory at once, and no tenant keeps the others from theirs.

use std::time::Duration;

use link_types::id::TenantId;

use crate::http::body::Patience;
use crate::http::pace::Pace;
use crate::http::problem::{Answer, Problem};
use crate::http::turns::{Turn, Turns};

/// Bodies that are in memory at once.
const AT_ONCE: usize = 4;
/// Of them, those of one tenant at most, in both of its environments, and only while others find one ([`Turns`]).
const OF_A_TENANT: usize = 2;
/// How long an upload waits for its turn.
const WAIT: Duration = Duration::from_secs(10);

/// How long a body may take: it has one of few turns, so it must come at 100 KB a second.
const PATIENCE: Patience = Patience {
    silence: Duration::from_secs(5),
    whole: Duration::from_secs(60),
    pace: Pace { bytes: 500_000, within: Duration::from_secs(5) },
};

/// Who may take such a body in, and how long that may take.
#[derive(Debug)]
pub struct UploadTurns {
    turns: Turns<TenantId>,
    patience: Patience,
}

impl Default for UploadTurns {
    fn default() -> Self {
        Self::new(WAIT, PATIENCE)
    }
}

impl UploadTurns {
    /// So long one waits for a turn, and so long a body may take.
    pub fn new(wait: Duration, patience: Patience) -> Self {
        Self { turns: Turns::new(AT_ONCE, OF_A_TENANT, wait), patience }
    }

    /// The right to take a body in, until it is dropped: before the first byte of it is read.
    ///
    /// # Errors
    /// 503 with `Retry-After` when there was none in time.
    pub async fn take(&self, tenant: &TenantId) -> Answer<Turn> {
        let busy = || Problem::busy("as many uploads in one body as may are under way");
        self.turns.take(tenant.clone()).await.ok_or_else(busy)
    }

    /// How long the body of whoever has a turn may take.
    pub fn patience(&self) -> Patience {
        self.patience
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use futures_util::{StreamExt as _, stream};
    use tokio::time::Instant;

    use super::*;
    use crate::http::body::read;

    #[tokio::test(start_paused = true)]
    async fn upload_with_a_turn_comes_at_100_kb_a_second_or_is_408() {
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
            let read = read(Body::from_stream(body), usize::MAX, UploadTurns::default().patience()).await;
            (read.map(|it| it.len()).map_err(|it| it.status()), begun.elapsed().as_secs())
        };
        assert_eq!(sent(130_000, 20).await, (Ok(2_600_000), 20));
        assert_eq!(sent(1, 60).await, (Err(StatusCode::REQUEST_TIMEOUT), 5), "a byte a second");
        assert_eq!(sent(90_000, 60).await, (Err(StatusCode::REQUEST_TIMEOUT), 5));
    }

    #[tokio::test(start_paused = true)]
    async fn two_tenants_that_upload_all_they_can_leave_a_third_its_turn() {
        let turns = UploadTurns::default();
        let [one, other, third] = ["one", "other", "third"].map(|it| it.parse().unwrap());
        let mut kept = Vec::new();
        for tenant in [&one, &one, &other, &other, &one] {
            kept.extend(turns.take(tenant).await.ok());
        }
        assert_eq!(kept.len(), 3);
        assert!(turns.take(&third).await.is_ok());
    }
}
