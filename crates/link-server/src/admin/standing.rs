//! Commands that suspend, resume and delete a tenant.

use link_domain::change::Change;
use link_domain::kernel::clock::{ClockOffset, TenantTime, Wall};
use link_domain::kernel::context::Context;
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::tenant::standing::{DeletionMode, Standing, StandingError};
use link_types::Timestamp;
use link_types::id::TenantId;
use serde_json::{Value, json};

use super::moves::leave;
use super::protocol::{AdminError, check_tenant};
use crate::app::App;

pub(super) async fn suspend(app: &App, id: TenantId) -> Result<Value, AdminError> {
    change_standing(app, id, |tenant, context| tenant.suspend(context.now().wall())).await
}

pub(super) async fn resume(app: &App, id: TenantId) -> Result<Value, AdminError> {
    change_standing(app, id, |tenant, context| tenant.resume(context.now().wall())).await
}

pub(super) async fn delete(
    app: &App,
    id: TenantId,
    name: String,
    (now, moved): (bool, bool),
    imported: Option<String>,
) -> Result<Value, AdminError> {
    if let Some(code) = imported {
        return leave(app, id, name, &code).await;
    }
    let mode = match (now, moved) {
        (_, true) => DeletionMode::Moved,
        (true, false) => DeletionMode::AtOnce,
        (false, false) => DeletionMode::AfterGrace,
    };
    change_standing(app, id, move |tenant, context| tenant.delete(&name, mode, context)).await
}

pub(super) async fn change_standing(
    app: &App,
    id: TenantId,
    decide: impl Fn(Tenant, &mut Context) -> Result<(Tenant, Change), StandingError> + Send + 'static,
) -> Result<Value, AdminError> {
    check_tenant(app, &id).await?;
    let context = app.context(ClockOffset::default());
    app.store
        .write(move |tx| -> Result<Value, AdminError> {
            let mut context = context.clone();
            let Some(tenant) = tx.tenants().get(&id)? else { return Err("the tenant does not exist".into()) };
            let (tenant, change) = decide(tenant, &mut context).map_err(|it| AdminError(it.to_string()))?;
            tx.apply(&change, context.now())?;
            Ok(view(&tenant))
        })
        .await
}

/// Returns a tenant as the commands show it.
pub(super) fn view(tenant: &Tenant) -> Value {
    let time = |at: Wall| Timestamp::from(TenantTime::from_micros(at.micros()));
    let (state, since, erase_at) = match tenant.standing {
        Standing::Active => ("ACTIVE", None, None),
        Standing::Suspended { since } => ("SUSPENDED", Some(since), None),
        Standing::Moving { since, .. } => ("MOVING", Some(since), None),
        Standing::Arriving { since, .. } => ("ARRIVING", Some(since), None),
        Standing::Deleted { since, erase_at, .. } => ("DELETED", Some(since), Some(erase_at)),
        Standing::Erased { since, .. } => ("ERASED", Some(since), None),
    };
    json!({
        "id": tenant.id,
        "name": tenant.name,
        "createdAt": Timestamp::from(tenant.created_at),
        "state": state,
        "isRouted": tenant.is_routed(),
        "since": since.map(time),
        "eraseAt": erase_at.map(time),
    })
}
