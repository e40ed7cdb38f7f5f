//! API keys. What is written here holds on every node from the commit on: on PostgreSQL each request looks its key up, on
//! SQLite there is one process, and it forgets the keys it remembers when one changes.

use link_domain::change::{Change, Row};
use link_domain::clock::{ClockOffset, Now};
use link_domain::digest::Digest32;
use link_domain::owner::Owner;
use link_domain::tenant::{ApiKey, KeyFault};
use link_store::Tx;
use link_types::{Mode, Timestamp};
use serde_json::{Value, json};

use super::{Refusal, check_tenant};
use crate::app::App;
use crate::endpoints::quotas::one_more_key;

pub(super) async fn issue(app: &App, owner: Owner) -> Result<Value, Refusal> {
    check_tenant(app, &owner.tenant).await?;
    let mut context = app.context(ClockOffset::default());
    let (key, issued) = ApiKey::issue(owner, &mut context);
    let id = key.id();
    app.store()
        .write(move |tx| -> Result<(), Refusal> {
            one_more_key(tx, &key.owner)?;
            Ok(tx.apply(&Change::row(Row::ApiKey(key.clone())), context.now())?)
        })
        .await?;
    Ok(json!({"id": id, "apiKey": issued.key, "apiSecret": issued.secret.expose()}))
}

pub(super) async fn list(app: &App, owner: Owner) -> Result<Value, Refusal> {
    check_tenant(app, &owner.tenant).await?;
    let keys = app.store().read(move |reader| reader.api_keys(&owner)).await?;
    Ok(keys.iter().map(view).collect())
}

pub(super) async fn rotate(app: &App, name: &str, again: bool) -> Result<Value, Refusal> {
    let context = app.context(ClockOffset::default());
    change(app, name, move |key, _| {
        let mut context = context.clone();
        let rotated = if again { key.rotate_again(&mut context) } else { key.rotate(&mut context) };
        let (key, secret) = rotated.map_err(refused)?;
        let answer = json!({"id": key.id(), "apiSecret": secret.expose()});
        Ok((key, answer))
    })
    .await
}

pub(super) async fn end_rotation(app: &App, name: &str) -> Result<Value, Refusal> {
    change(app, name, |key, _| {
        let key = key.end_rotation().map_err(refused)?;
        let answer = view(&key);
        Ok((key, answer))
    })
    .await
}

pub(super) async fn revoke(app: &App, name: &str) -> Result<Value, Refusal> {
    change(app, name, |key, now| {
        let key = key.revoke(now.tenant());
        let answer = view(&key);
        Ok((key, answer))
    })
    .await
}

fn view(key: &ApiKey) -> Value {
    let state = match (key.revoked_at, key.previous_secret_hash) {
        (Some(_), _) => "REVOKED",
        (None, Some(_)) => "ROTATING",
        (None, None) => "ACTIVE",
    };
    json!({
        "id": key.id(), "state": state, "createdAt": Timestamp::from(key.created_at),
        "revokedAt": key.revoked_at.map(Timestamp::from),
    })
}

async fn change(
    app: &App,
    name: &str,
    mut decide: impl FnMut(ApiKey, Now) -> Result<(ApiKey, Value), Refusal> + Send + 'static,
) -> Result<Value, Refusal> {
    let (name, now) = (name.to_owned(), app.now(ClockOffset::default()));
    app.store()
        .write(move |tx| {
            let hash = named(tx, &name)?;
            let key = tx.api_key(&hash)?.ok_or_else(unknown)?;
            let (key, answer) = decide(key, now)?;
            tx.apply(&Change::row(Row::ApiKey(key)), now)?;
            Ok(answer)
        })
        .await
}

/// The digest of the key that is named in full, or by its id.
fn named(tx: &mut Tx<'_>, name: &str) -> Result<Digest32, Refusal> {
    if name.starts_with("lpk_") {
        if !ApiKey::is_key(name) {
            return Err("this key is mistyped: its checksum does not fit. `linchpin key list --tenant TENANT` shows ids".into());
        }
        return Ok(Digest32::of(name));
    }
    for tenant in tx.tenants()? {
        for mode in [Mode::Sandbox, Mode::Production] {
            let keys = tx.api_keys(&Owner { tenant: tenant.id.clone(), mode })?;
            if let Some(key) = keys.into_iter().find(|key| key.id() == name) {
                return Ok(key.key_hash);
            }
        }
    }
    Err(unknown())
}

fn refused(fault: KeyFault) -> Refusal {
    match fault {
        KeyFault::Revoked => "this key is revoked: `linchpin key create` makes another",
        KeyFault::NotRotating => "this key has one secret alone: `linchpin key rotate KEY` begins a rotation",
        KeyFault::Rotating => {
            "this key has two secrets already: `linchpin key rotate KEY --end` ends the older once the tenant uses the \
             newer, `--again` puts another in the place of the newer, if that was lost"
        }
    }
    .into()
}

fn unknown() -> Refusal {
    "there is no such key: name it in full (lpk_…) or by the id that `linchpin key list --tenant TENANT` shows".into()
}
