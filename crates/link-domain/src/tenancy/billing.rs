//! Chargeable events, with exactly one record each.

pub use link_types::billing::BillingKind;
use link_types::billing::{BillingEvent, BillingLine, BillingSummary};
use link_types::id::{BillingEventId, UserId};
use link_types::{Month, Timestamp};

use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;

/// A chargeable event. Its key is (kind, subject), so a retry cannot bill twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingRecord {
    /// Identifier of the event.
    pub id: BillingEventId,
    /// Tenant and environment that are charged.
    pub owner: Owner,
    /// Kind of chargeable event.
    pub kind: BillingKind,
    /// Identifier of the object that is charged.
    pub subject: String,
    /// User that the charge relates to. `None` if it relates to no user.
    pub user_id: Option<UserId>,
    /// When the charge was incurred.
    pub at: TenantTime,
}

impl BillingRecord {
    /// Creates a charge that is incurred now.
    pub fn now(
        owner: &Owner,
        kind: BillingKind,
        subject: impl Into<String>,
        user_id: Option<UserId>,
        context: &mut Context,
    ) -> Self {
        Self {
            id: BillingEventId::from_bytes(context.uuid()),
            owner: owner.clone(),
            kind,
            subject: subject.into(),
            user_id,
            at: context.now().tenant(),
        }
    }

    /// Returns the record as REST shows it.
    pub fn view(self) -> BillingEvent {
        BillingEvent {
            id: self.id,
            created_at: Timestamp::from(self.at),
            kind: self.kind,
            subject_id: self.subject,
            user_id: self.user_id,
        }
    }
}

/// Returns the first instant of a month and that of the next one, in UTC. `None` for a month that the
/// calendar does not have.
pub fn span_of(month: Month) -> Option<(TenantTime, TenantTime)> {
    let start = |month: Month| month.first_day().map(|day| TenantTime::from_micros(day.start().as_micros()));
    start(month).zip(start(month.plus_months(1)))
}

/// Summarizes a month from the counts found. Kinds that were not found have a count of 0.
pub fn summary(month: Month, counts: &[(BillingKind, u64)]) -> BillingSummary {
    let count_of = |kind| counts.iter().filter(|(found, _)| *found == kind).map(|(_, count)| count).sum();
    let items: Vec<BillingLine> =
        BillingKind::ALL.iter().map(|kind| BillingLine { kind: *kind, count: count_of(*kind) }).collect();
    BillingSummary { month, total: items.iter().map(|line| line.count).sum(), items }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_has_a_line_per_kind_and_the_total() {
        let month: Month = "2026-11".parse().unwrap();
        let counts = [(BillingKind::Footprints, 2), (BillingKind::AccountConnected, 3)];
        let summary = summary(month, &counts);
        assert_eq!((summary.total, summary.items.len()), (5, BillingKind::ALL.len()));
        assert_eq!(summary.items[0], BillingLine { kind: BillingKind::AccountConnected, count: 3 });
        assert!(summary.items.contains(&BillingLine { kind: BillingKind::Blacklist, count: 0 }));
    }
}
