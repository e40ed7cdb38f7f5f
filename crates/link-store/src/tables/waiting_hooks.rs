//! The webhooks that have deliveries to claim.

use link_domain::owner::Owner;
use link_types::id::WebhookId;

use super::owner;
use crate::StoreError;
use crate::reader::parse;
use crate::sql::{Row, statements};

/// The deliveries that a queue may claim, with the same condition as its index: pending, not leased, and for a first
/// attempt not waiting for an earlier one.
macro_rules! claimable {
    ($row:literal, $made:literal) => {
        concat!(
            $row,
            ".run_at IS NOT NULL AND ",
            $row,
            ".lease_owner IS NULL AND ",
            $row,
            ".blocked = 0 AND ",
            $row,
            ".attempts_made ",
            $made
        )
    };
}
pub(super) use claimable;

/// Steps along an index from webhook to webhook. For each, selects its owner, when its first delivery is due, whether its
/// breaker is open, whether it was deleted, and how far its clock is ahead.
macro_rules! hooks {
    ($made:literal) => {
        concat!(
            "WITH RECURSIVE hooks (webhook_id) AS (SELECT (SELECT m.webhook_id FROM deliveries m \
             WHERE m.webhook_id > '' AND ",
            claimable!("m", $made),
            " ORDER BY m.webhook_id LIMIT 1) UNION ALL SELECT (SELECT n.webhook_id FROM deliveries n \
             WHERE n.webhook_id > hooks.webhook_id AND ",
            claimable!("n", $made),
            " ORDER BY n.webhook_id LIMIT 1) FROM hooks WHERE hooks.webhook_id IS NOT NULL) \
             SELECT hooks.webhook_id, w.tenant_id, w.mode, (SELECT c.run_at FROM deliveries c \
             WHERE c.webhook_id = hooks.webhook_id AND ",
            claimable!("c", $made),
            " ORDER BY c.run_at LIMIT 1), b.opened_at IS NOT NULL, w.id IS NULL, COALESCE(t.sandbox_offset, 0) \
             FROM hooks LEFT JOIN webhooks w ON w.id = hooks.webhook_id \
             LEFT JOIN tenants t ON t.id = w.tenant_id AND w.mode = 'SANDBOX' \
             LEFT JOIN webhook_breakers b ON b.webhook_id = hooks.webhook_id WHERE hooks.webhook_id IS NOT NULL"
        )
    };
}

statements! {
    HOOKS_FIRST = hooks!("= 0");
    HOOKS_RESEND = hooks!("> 0");
}

/// A webhook that has deliveries to claim.
pub(super) struct Hook {
    /// The id in the deliveries.
    pub(super) webhook: String,
    /// `None` if the id in the deliveries is damaged.
    pub(super) id: Option<WebhookId>,
    /// `None` if the webhook was deleted or its row is damaged.
    pub(super) owner: Option<Owner>,
    /// When its first delivery is due, on the wall clock.
    pub(super) due: i64,
    /// How far the clock of its environment is ahead.
    pub(super) offset: i64,
    /// Whether its breaker is open.
    pub(super) is_open: bool,
    /// Whether it was deleted.
    pub(super) is_deleted: bool,
}

/// Reads a row of [`HOOKS_FIRST`] or [`HOOKS_RESEND`]. Returns `None` if the id is not even text: it must not stop the
/// deliveries of other webhooks.
pub(super) fn hook(row: &Row<'_>) -> Result<Option<Hook>, StoreError> {
    let [webhook, tenant, mode, due, is_open, is_deleted, offset] = [0, 1, 2, 3, 4, 5, 6];
    let webhook = match row.text(webhook) {
        Ok(webhook) => webhook,
        Err(error) => {
            tracing::error!(%error, "The webhook of a delivery could not be read, so the delivery is not sent");
            return Ok(None);
        }
    };
    let id: Option<WebhookId> = parse("deliveries", &webhook).ok();
    let offset = row.int(offset)?;
    Ok(Some(Hook {
        owner: owner("webhooks", row, tenant, mode).ok(),
        due: row.int(due)? - offset,
        offset,
        is_open: row.truth(is_open)?,
        // A damaged id is not in the table of webhooks, although its webhook was not deleted.
        is_deleted: id.is_some() && row.truth(is_deleted)?,
        webhook,
        id,
    }))
}

impl Hook {
    /// Returns the owner and the id, or `None` if either is damaged.
    pub(super) fn target(&self) -> Option<(&Owner, &WebhookId)> {
        self.owner.as_ref().zip(self.id.as_ref())
    }
}
