//! The webhooks that have deliveries to claim.

use link_domain::kernel::owner::Owner;
use link_types::id::WebhookId;

use crate::StoreError;
use crate::reader::parse;
use crate::sql::{Row, statements};
use crate::tables::owner;

/// The deliveries that a queue may claim once they are free, with the same condition as its index: pending, and for a first
/// attempt not waiting for an earlier one.
macro_rules! claimable {
    ($row:literal, $made:literal) => {
        concat!($row, ".run_at IS NOT NULL AND ", $row, ".blocked = 0 AND ", $row, ".attempts_made ", $made)
    };
}
pub(super) use claimable;

/// Whether no worker has a lease on a delivery at this time on the wall clock. A lease that has expired counts as no lease.
macro_rules! free {
    ($row:literal, $now:literal) => {
        concat!("(", $row, ".lease_until IS NULL OR ", $row, ".lease_until <= ", $now, ")")
    };
}
pub(super) use free;

/// Steps along an index from webhook to webhook.
macro_rules! with_hooks {
    ($made:literal) => {
        concat!(
            "WITH RECURSIVE hooks (webhook_id) AS (SELECT (SELECT m.webhook_id FROM deliveries m \
             WHERE m.webhook_id > '' AND ",
            claimable!("m", $made),
            " ORDER BY m.webhook_id LIMIT 1) UNION ALL SELECT (SELECT n.webhook_id FROM deliveries n \
             WHERE n.webhook_id > hooks.webhook_id AND ",
            claimable!("n", $made),
            " ORDER BY n.webhook_id LIMIT 1) FROM hooks WHERE hooks.webhook_id IS NOT NULL) "
        )
    };
}

/// Joins the owner of each webhook, its breaker and its tenant.
macro_rules! hook_joins {
    () => {
        "LEFT JOIN webhooks w ON w.id = hooks.webhook_id \
         LEFT JOIN tenants t ON t.id = w.tenant_id \
         LEFT JOIN webhook_breakers b ON b.webhook_id = hooks.webhook_id "
    };
}

/// How far the clock of a webhook's environment is ahead.
macro_rules! hook_offset {
    () => {
        "CASE w.mode WHEN 'SANDBOX' THEN t.sandbox_offset ELSE 0 END"
    };
}

/// A webhook of a tenant for which the service works, or a deleted webhook.
macro_rules! is_served {
    () => {
        "COALESCE(t.standing, 'ACTIVE') = 'ACTIVE'"
    };
}

/// For each webhook of a tenant that is not suspended, selects its owner, when its first delivery with the condition `$free`
/// is due (NULL if none has it), whether its breaker is open, and how far its clock is ahead. The owner of a deleted webhook is NULL.
macro_rules! hooks {
    ($made:literal, $free:expr) => {
        concat!(
            with_hooks!($made),
            "SELECT hooks.webhook_id, w.tenant_id, w.mode, (SELECT c.run_at FROM deliveries c \
             WHERE c.webhook_id = hooks.webhook_id AND ",
            claimable!("c", $made),
            $free,
            " ORDER BY c.run_at LIMIT 1), b.opened_at IS NOT NULL, COALESCE(",
            hook_offset!(),
            ", 0) FROM hooks ",
            hook_joins!(),
            "WHERE hooks.webhook_id IS NOT NULL AND ",
            is_served!()
        )
    };
}

/// Counts the due and free deliveries of the webhooks whose breakers are closed, at most 1,000. `?1` is now on the wall
/// clock.
macro_rules! count_due {
    ($made:literal) => {
        concat!(
            with_hooks!($made),
            "SELECT COUNT(*) FROM (SELECT 1 FROM hooks ",
            hook_joins!(),
            "JOIN deliveries d ON d.webhook_id = hooks.webhook_id AND ",
            claimable!("d", $made),
            " AND ",
            free!("d", "?1"),
            " AND d.run_at <= ?1 + COALESCE(",
            hook_offset!(),
            ", 0) WHERE b.opened_at IS NULL AND ",
            is_served!(),
            " LIMIT 1000) counted"
        )
    };
}

statements! {
    /// First attempts are due at once, so it does not matter whether the first one is leased, and the statement does not pass
    /// hundreds of leased ones of each webhook.
    HOOKS_FIRST = hooks!("= 0", "");
    /// Of the deliveries that are free at the time `?1` of the wall clock.
    HOOKS_RESEND = hooks!("> 0", concat!(" AND ", free!("c", "?1")));
    COUNT_FIRST = count_due!("= 0");
    COUNT_RESEND = count_due!("> 0");
}

/// A webhook that has deliveries to claim.
pub(in crate::tables) struct Hook {
    pub(in crate::tables) id: WebhookId,
    /// `None` if it was deleted.
    pub(in crate::tables) owner: Option<Owner>,
    /// When its first delivery is due, on the wall clock.
    pub(in crate::tables) due: i64,
    /// How far the clock of its environment is ahead.
    pub(in crate::tables) offset: i64,
    /// Whether its breaker is open.
    pub(in crate::tables) is_open: bool,
}

/// Reads a row of [`HOOKS_FIRST`] or [`HOOKS_RESEND`]. Returns `None` if the webhook has no free delivery.
pub(in crate::tables) fn hook(row: &Row<'_>) -> Result<Option<Hook>, StoreError> {
    let [webhook, tenant, mode, due, is_open, offset] = [0, 1, 2, 3, 4, 5];
    let Some(due) = row.opt_int(due)? else { return Ok(None) };
    let offset = row.int(offset)?;
    let is_deleted = row.opt_str(tenant)?.is_none();
    Ok(Some(Hook {
        id: parse("deliveries", row.str(webhook)?)?,
        owner: if is_deleted { None } else { Some(owner("webhooks", row, tenant, mode)?) },
        due: due - offset,
        offset,
        is_open: row.truth(is_open)?,
    }))
}
