//! Turns at looking at a whole file: its digest and the child process that inspects it.

use std::time::Duration;

use link_connectors::documents::ChildReader;
use link_types::id::{TenantId, UserId};

use crate::http::problem::{Answer, Problem};
use crate::http::turns::{Most, Turn, Turns};

/// Inspections at once: of a tenant as many as leave the others a place, of a user one.
const AT_ONCE: Most = Most { altogether: ChildReader::INSPECTIONS, of_group: 2, of_key: 1 };
/// Inspections that wait. An archive has ten files, and the widget sends two at once.
const WAITING: Most = Most { altogether: 256, of_group: 32, of_key: 10 };
/// How long one waits: shorter than browsers and proxies wait for an answer.
const WAIT: Duration = Duration::from_secs(20);

/// Who may have a file looked at. Shares are by tenant, both of its environments together, then by user.
#[derive(Debug)]
pub struct InspectionTurns(Turns<(TenantId, UserId)>);

impl Default for InspectionTurns {
    fn default() -> Self {
        Self(Turns::with_queue(AT_ONCE, WAITING, WAIT))
    }
}

impl InspectionTurns {
    /// The right to have a file looked at, until it is dropped.
    ///
    /// # Errors
    /// 503 with `Retry-After` if there was none in time, or too many wait.
    pub async fn take(&self, tenant: &TenantId, user: &UserId) -> Answer<Turn> {
        let busy = || Problem::busy("as many files as may are being inspected");
        self.0.take((tenant.clone(), user.clone())).await.ok_or_else(busy)
    }
}
