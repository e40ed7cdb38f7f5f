//! API key commands. Changes take effect on every node with the commit: on PostgreSQL, each request looks up its key;
//! on SQLite, the only process clears its key cache.

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, TenantTime, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::{ApiKey, KeyError};
use link_store::Tx;
use link_types::console::{KeyDraft, KeyState};
use link_types::{Mode, Timestamp};
use serde_json::{Value, json};

use super::protocol::{AdminError, check_tenant};
use crate::api::resource_limits::one_more_key;
use crate::app::App;

pub(super) async fn issue(app: &App, owner: Owner, draft: &KeyDraft) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let mut context = app.context(ClockOffset::default());
    let created = ApiKey::create(owner, draft, false, &mut context);
    let (key, issued) = created.map_err(|error| AdminError(error.to_string()))?;
    let id = key.id();
    app.store
        .write(move |tx| -> Result<(), AdminError> {
            one_more_key(tx, &key.owner)?;
            Ok(tx.apply(&Change::row(Row::ApiKey(key.clone())), context.now())?)
        })
        .await?;
    Ok(json!({"id": id, "apiKey": issued.key, "apiSecret": issued.secret.expose()}))
}

pub(super) async fn list(app: &App, owner: Owner) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let keys = app.store.read(move |reader| reader.api_keys().list(&owner)).await?;
    let now = app.wall();
    Ok(keys.iter().map(|key| view(key, now)).collect())
}

pub(super) async fn rotate(app: &App, name: &str, again: bool) -> Result<Value, AdminError> {
    let context = app.context(ClockOffset::default());
    change(app, name, move |key| {
        let mut context = context.clone();
        let rotated = if again { key.rotate_again(&mut context) } else { key.rotate(&mut context) };
        let (key, secret) = rotated.map_err(to_refusal)?;
        let response = json!({"id": key.id(), "apiSecret": secret.expose()});
        Ok((key, response))
    })
    .await
}

pub(super) async fn end_rotation(app: &App, name: &str) -> Result<Value, AdminError> {
    let now = app.wall();
    change(app, name, move |key| {
        let key = key.end_rotation().map_err(to_refusal)?;
        let response = view(&key, now);
        Ok((key, response))
    })
    .await
}

pub(super) async fn revoke(app: &App, name: &str) -> Result<Value, AdminError> {
    let (name, now) = (name.to_owned(), app.now(ClockOffset::default()));
    app.store
        .write(move |tx| -> Result<_, AdminError> {
            let hash = find_by_name(tx, &name)?;
            let key = tx.api_keys().get(&hash)?.ok_or_else(unknown_key)?;
            let all = tx.api_keys().list(&key.owner)?;
            let (key, change) = key.revoke_of(&all, now.tenant());
            tx.apply(&change, now)?;
            Ok(view(&key, now.wall()))
        })
        .await
}

fn view(key: &ApiKey, now: Wall) -> Value {
    let state = match (key.state(now), key.previous_secret_hash) {
        (KeyState::Active, Some(_)) => "ROTATING",
        (state, _) => state.as_str(),
    };
    let time = |at: Option<Wall>| at.map(|at| Timestamp::from(TenantTime::from_micros(at.micros())));
    json!({
        "id": key.id(), "name": key.name, "lastFour": key.last_four, "state": state,
        "scopes": key.scopes, "createdAt": Timestamp::from(key.created_at),
        "expiresAt": time(key.expires_at), "lastUsedAt": time(key.last_used_at),
        "revokedAt": key.revoked_at.map(Timestamp::from),
    })
}

async fn change(
    app: &App,
    name: &str,
    mut decide: impl FnMut(ApiKey) -> Result<(ApiKey, Value), AdminError> + Send + 'static,
) -> Result<Value, AdminError> {
    let (name, now) = (name.to_owned(), app.now(ClockOffset::default()));
    app.store
        .write(move |tx| {
            let hash = find_by_name(tx, &name)?;
            let key = tx.api_keys().get(&hash)?.ok_or_else(unknown_key)?;
            let (key, response) = decide(key)?;
            tx.apply(&Change::row(Row::ApiKey(key)), now)?;
            Ok(response)
        })
        .await
}

/// Finds the digest of a key by the full key or by its id.
pub(super) fn find_by_name(tx: &mut Tx<'_>, name: &str) -> Result<Digest32, AdminError> {
    if name.starts_with("lpk_") {
        if !ApiKey::is_key(name) {
            return Err("the key is mistyped: its checksum is wrong. To see the ids of all keys, run \
                        `linchpin key list --tenant TENANT`"
                .into());
        }
        return Ok(Digest32::from_text(name));
    }
    for tenant in tx.tenants().list()? {
        for mode in [Mode::Sandbox, Mode::Production] {
            let keys = tx.api_keys().list(&Owner { tenant: tenant.id.clone(), mode })?;
            if let Some(key) = keys.into_iter().find(|key| key.id() == name) {
                return Ok(key.key_hash);
            }
        }
    }
    Err(unknown_key())
}

fn to_refusal(fault: KeyError) -> AdminError {
    match fault {
        KeyError::Revoked => "the key is revoked. To create another, run `linchpin key create`",
        KeyError::Expired => "the key has expired. To create another, run `linchpin key create`",
        KeyError::NotRotating => {
            "the key has only one secret. To start a rotation, run `linchpin key rotate KEY`"
        }
        KeyError::Rotating => {
            "the key already has two secrets. Once the tenant uses the newer one, end the rotation with \
             `linchpin key rotate KEY --end`. If the newer one was lost, replace it with `--again`"
        }
    }
    .into()
}

fn unknown_key() -> AdminError {
    "the key does not exist. Give the full key (lpk_…) or its id, which `linchpin key list --tenant TENANT` \
     shows"
        .into()
}
