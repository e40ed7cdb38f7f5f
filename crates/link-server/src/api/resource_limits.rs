//! Limits on the number of resources of an owner.
//!
//! Without limits, the units of work of one owner could become so slow that other owners wait for them. Each check
//! belongs to the unit that creates the resource.

use link_domain::invitations::link_site::LINK_SITES_LIMIT;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::link::UNUSED_TOKENS_LIMIT;
use link_domain::notifications::webhook::WEBHOOKS_LIMIT;
use link_domain::tenancy::scenario::SCENARIOS_LIMIT;
use link_domain::tenancy::template::TEMPLATES_LIMIT;
use link_domain::tenancy::tenant::KEYS_LIMIT;
use link_domain::tenancy::user::User;
use link_store::{StoreError, Tx};

use crate::http::problem::{ApiResult, Problem};

/// Checks that the owner can create another webhook.
///
/// # Errors
/// 409 if the limit is reached.
pub(crate) fn one_more_webhook(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    one_more(tx, owner, WEBHOOKS_LIMIT, "webhooks", |tx| tx.webhooks().count(owner))
}

/// Checks that the owner can create another API key. Revoked keys do not count.
///
/// # Errors
/// 409 if the limit is reached.
pub(crate) fn one_more_key(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    // Locks the tenant, so that concurrent units cannot exceed the limit together.
    tx.tenants().get(&owner.tenant)?;
    let live = tx.api_keys().list(owner)?.iter().filter(|key| key.revoked_at.is_none()).count();
    if live < KEYS_LIMIT {
        return Ok(());
    }
    Err(Problem::conflict(format!("The limit of {KEYS_LIMIT} live API keys is reached. Revoke one first.")))
}

/// Checks that the owner can create another link template.
///
/// # Errors
/// 409 if the limit is reached.
pub(super) fn one_more_link_template(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    one_more(tx, owner, TEMPLATES_LIMIT, "link templates", |tx| tx.link_templates().count(owner))
}

/// Checks that the owner can create another consent template.
///
/// # Errors
/// 409 if the limit is reached.
pub(super) fn one_more_consent_template(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    one_more(tx, owner, TEMPLATES_LIMIT, "consent templates", |tx| tx.consent_templates().count(owner))
}

/// Checks that the owner can create another invite template.
///
/// # Errors
/// 409 if the limit is reached.
pub(super) fn one_more_invite_template(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    one_more(tx, owner, TEMPLATES_LIMIT, "invite templates", |tx| tx.invite_templates().count(owner))
}

/// Checks that the owner can create another link site.
///
/// # Errors
/// 409 if the limit is reached.
pub(super) fn one_more_link_site(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    one_more(tx, owner, LINK_SITES_LIMIT, "link sites", |tx| tx.link_sites().count(owner))
}

/// Checks that the owner can create another scenario.
///
/// # Errors
/// 409 if the limit is reached.
pub(super) fn one_more_scenario(tx: &mut Tx<'_>, owner: &Owner) -> ApiResult<()> {
    one_more(tx, owner, SCENARIOS_LIMIT, "scenarios", |tx| tx.scenarios().count(owner))
}

/// Makes room for another link token of a user, whom this unit has locked, by deleting the oldest unused tokens.
///
/// An error instead would prevent linking for this user, and the tenant has no way to delete tokens.
///
/// # Errors
/// If the database cannot be written.
pub(super) fn room_for_a_token(tx: &mut Tx<'_>, user: &User, now: TenantTime) -> ApiResult<()> {
    tx.link_tokens().delete_unused_of_user(&user.owner, &user.id, now, UNUSED_TOKENS_LIMIT - 1)?;
    Ok(())
}

fn one_more(
    tx: &mut Tx<'_>,
    owner: &Owner,
    limit: u64,
    what: &str,
    count: impl FnOnce(&mut Tx<'_>) -> Result<u64, StoreError>,
) -> ApiResult<()> {
    // Locks the tenant, so that concurrent units cannot exceed the limit together.
    tx.tenants().get(&owner.tenant)?;
    if count(tx)? < limit {
        return Ok(());
    }
    Err(Problem::conflict(format!("The limit of {limit} {what} is reached. Delete one first.")))
}
