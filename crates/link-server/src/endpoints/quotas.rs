//! How many of a thing there may be: what grows without an end makes every unit of its owner slower, and others wait
//! behind it. Each check is of the unit that makes one more.

use link_domain::clock::TenantTime;
use link_domain::link::UNUSED_TOKENS_LIMIT;
use link_domain::owner::Owner;
use link_domain::scenario::SCENARIOS_LIMIT;
use link_domain::template::TEMPLATES_LIMIT;
use link_domain::tenant::KEYS_LIMIT;
use link_domain::user::User;
use link_domain::webhook::WEBHOOKS_LIMIT;
use link_store::{StoreError, Tx};

use crate::http::problem::{Answer, Problem};

/// Refuses a webhook beyond the owner's last.
///
/// # Errors
/// 409 when there are as many as may be.
pub(crate) fn one_more_webhook(tx: &mut Tx<'_>, owner: &Owner) -> Answer<()> {
    one_more(tx, owner, WEBHOOKS_LIMIT, "webhooks", |tx| tx.webhook_count(owner))
}

/// Refuses an API key beyond the owner's last live one.
///
/// # Errors
/// 409 when there are as many as may be.
pub(crate) fn one_more_key(tx: &mut Tx<'_>, owner: &Owner) -> Answer<()> {
    // Locked: two units that would both make the last one take turns.
    tx.tenant(&owner.tenant)?;
    let live = tx.api_keys(owner)?.iter().filter(|key| key.revoked_at.is_none()).count();
    if live < KEYS_LIMIT {
        return Ok(());
    }
    Err(Problem::conflict(format!("There are {KEYS_LIMIT} live keys already: revoke one first.")))
}

/// Refuses a link template beyond the owner's last.
///
/// # Errors
/// 409 when there are as many as may be.
pub(super) fn one_more_link_template(tx: &mut Tx<'_>, owner: &Owner) -> Answer<()> {
    one_more(tx, owner, TEMPLATES_LIMIT, "link templates", |tx| tx.link_template_count(owner))
}

/// Refuses a consent template beyond the owner's last.
///
/// # Errors
/// 409 when there are as many as may be.
pub(super) fn one_more_consent_template(tx: &mut Tx<'_>, owner: &Owner) -> Answer<()> {
    one_more(tx, owner, TEMPLATES_LIMIT, "consent templates", |tx| tx.consent_template_count(owner))
}

/// Refuses an invite template beyond the owner's last.
///
/// # Errors
/// 409 when there are as many as may be.
pub(super) fn one_more_invite_template(tx: &mut Tx<'_>, owner: &Owner) -> Answer<()> {
    one_more(tx, owner, TEMPLATES_LIMIT, "invite templates", |tx| tx.invite_template_count(owner))
}

/// Refuses a scenario beyond the owner's last.
///
/// # Errors
/// 409 when there are as many as may be.
pub(super) fn one_more_scenario(tx: &mut Tx<'_>, owner: &Owner) -> Answer<()> {
    one_more(tx, owner, SCENARIOS_LIMIT, "scenarios", |tx| tx.scenario_count(owner))
}

/// Makes room for one more link token of a user whom this unit has locked: the oldest unused ones go. A refusal would keep
/// everybody from linking as this user, and there is nothing that its tenant could delete.
///
/// # Errors
/// When the database cannot be written.
pub(super) fn room_for_a_token(tx: &mut Tx<'_>, user: &User, now: TenantTime) -> Answer<()> {
    tx.delete_unused_tokens_of_user(&user.owner, &user.id, now, UNUSED_TOKENS_LIMIT - 1)?;
    Ok(())
}

fn one_more(
    tx: &mut Tx<'_>,
    owner: &Owner,
    limit: u64,
    what: &str,
    count: impl FnOnce(&mut Tx<'_>) -> Result<u64, StoreError>,
) -> Answer<()> {
    // Locked: two units that would both make the last one take turns.
    tx.tenant(&owner.tenant)?;
    if count(tx)? < limit {
        return Ok(());
    }
    Err(Problem::conflict(format!("There are {limit} {what} already: delete one first.")))
}
