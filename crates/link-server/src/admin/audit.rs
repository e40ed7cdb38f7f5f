//! The audit log on the administration socket: records the operator's acts, and checks a tenant's chain.

use link_domain::kernel::clock::{ClockOffset, TenantTime};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::audit::{Act, ChainCheck, Ending, event};
use link_domain::tenancy::tenant::standing::TenantStoppedError;
use link_store::StoreError;
use link_types::Timestamp;
use link_types::audit::{ActorType, AuditAction, AuditActor};
use link_types::id::{LinkTemplateId, TenantId};
use serde_json::{Value, json};

use super::protocol::{AdminError, check_tenant};
use super::{AdminRequest, carry_out, keys};
use crate::app::App;
use crate::http::audit::record;
use crate::workers;

/// The number of events that one read checks.
const AT_ONCE: usize = 1_000;

/// The field of a result that the command line prints to standard error.
pub(crate) const WARNING: &str = "moveWarning";

const MOVING: &str = "the tenant is being moved to another cell, or was. Nothing of it changes here";
const MOVED_MEANWHILE: &str = "the change was made, but the tenant began to move to another cell at the same time, and its export \
                               may lack the change. Export the tenant again with --again, or repeat the command in the other \
                               cell after the activation";

/// Carries out a request, and records it if it is an act for a tenant.
pub(super) async fn carry_out_and_record(app: &App, request: AdminRequest) -> Result<Value, AdminError> {
    let Act::Audited(action) = request.act() else { return carry_out(app, request).await };
    let named = request.names();
    let (tenant, mode, named) = (named.0.cloned(), named.1, named.2.map(str::to_owned));
    let owner = match (tenant, &named) {
        (Some(tenant), _) => Some(Owner { tenant, mode }),
        (None, Some(named)) => owner_of(app, named).await?,
        (None, None) => None,
    };
    let bound = owner.as_ref().filter(|_| !request.is_of_standing()).map(|it| it.tenant.clone());
    if let Some(tenant) = &bound {
        check_here(app, tenant.clone(), MOVING).await?;
    }
    let result = carry_out(app, request).await;
    let Some(owner) = owner else { return result };
    // A tenant that does not exist has no log.
    if result.is_ok() || check_tenant(app, &owner.tenant).await.is_ok() {
        let made = result.as_ref().ok().and_then(|it| it["id"].as_str().map(str::to_owned));
        add(app, owner, action, made.or(named), result.is_ok()).await;
    }
    // The tenant may have been marked between the first look and the command's own unit.
    match (bound, result) {
        (Some(tenant), Ok(made)) => match check_here(app, tenant, MOVED_MEANWHILE).await {
            Ok(()) => Ok(made),
            Err(AdminError(why)) => warn(made, why),
        },
        (_, result) => result,
    }
}

/// Adds a warning to a result, which may have a secret that is shown only once.
fn warn(mut result: Value, why: String) -> Result<Value, AdminError> {
    match result.as_object_mut() {
        Some(fields) => {
            fields.insert(WARNING.to_owned(), why.into());
            Ok(result)
        }
        None => Err(AdminError(why)),
    }
}

/// Refuses to change something of a tenant that is on its way to another cell, which would not have the change.
async fn check_here(app: &App, id: TenantId, why: &'static str) -> Result<(), AdminError> {
    let tenant = app.store.read(move |reader| reader.tenants().get(&id)).await?;
    match tenant.map(|it| it.check_erasable()) {
        Some(Err(TenantStoppedError)) => Err(why.into()),
        Some(Ok(())) | None => Ok(()),
    }
}

async fn add(app: &App, owner: Owner, action: AuditAction, subject: Option<String>, is_done: bool) {
    let actor = AuditActor { kind: ActorType::Operator, id: None };
    let ending = if is_done { Ending::Done } else { Ending::Failed(None) };
    let mut context = app.context(ClockOffset::default());
    let event = event(action, actor, ending, subject.as_deref(), None, &mut context);
    record(app, owner, event).await;
}

/// Returns the owner of an API key or a link template.
async fn owner_of(app: &App, named: &str) -> Result<Option<Owner>, AdminError> {
    let named = named.to_owned();
    app.store
        .write(move |tx| -> Result<_, AdminError> {
            if let Ok(id) = named.parse::<LinkTemplateId>() {
                return Ok(tx.link_templates().get_of_any_owner(&id)?.map(|it| it.owner));
            }
            match keys::find_by_name(tx, &named) {
                Ok(hash) => Ok(tx.api_keys().get(&hash)?.map(|it| it.owner)),
                Err(_) => Ok(None),
            }
        })
        .await
}

/// Checks a tenant's chain from its first event to its last one.
pub(super) async fn verify(app: &App, tenant: TenantId) -> Result<Value, AdminError> {
    check_tenant(app, &tenant).await?;
    workers::audit::chain(app).await?;
    let checked = tenant.clone();
    let (chain, fault) = app
        .store
        .read(move |reader| -> Result<_, StoreError> {
            let chain = reader.audit_events().chain(&checked)?;
            let (mut check, mut after) = (ChainCheck::new(chain), chain.removed.sequence);
            loop {
                let events = reader.audit_events().after(&checked, after, AT_ONCE)?;
                if let Some(fault) = events.iter().find_map(|it| check.check(it).err()) {
                    return Ok((chain, Some(fault)));
                }
                match events.last() {
                    Some(last) => after = last.end.sequence,
                    None => return Ok((chain, check.end().err())),
                }
            }
        })
        .await?;
    if let Some(fault) = fault {
        return Err(AdminError(format!(
            "the audit log of the tenant {tenant} is not as the service wrote it: {fault}"
        )));
    }
    let now = TenantTime::from_micros(app.wall().micros());
    Ok(json!({
        "events": chain.last.sequence - chain.removed.sequence,
        "first": chain.removed.sequence + 1,
        "last": chain.last.sequence,
        "hash": chain.last.hash_text(),
        "checkedAt": Timestamp::from(now),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warning_keeps_the_secret_that_is_shown_once() {
        let warned = warn(json!({"id": "lpk_a", "secret": "lps_b"}), MOVED_MEANWHILE.to_owned());
        let Ok(warned) = warned else { panic!("the result is kept") };
        assert_eq!((&warned["secret"], &warned[WARNING]), (&json!("lps_b"), &json!(MOVED_MEANWHILE)));
        assert!(
            warn(Value::Null, MOVED_MEANWHILE.to_owned()).is_err(),
            "without a place for it, it is the result"
        );
    }
}
