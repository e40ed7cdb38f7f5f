//! Tenants.

use link_domain::clock::ClockOffset;
use link_types::Timestamp;
use link_types::id::TenantId;
use serde_json::{Value, json};

use super::Refusal;
use crate::app::App;
use crate::tenant_setup::make_tenant;

pub(super) async fn create(app: &App, id: TenantId, name: String) -> Result<Value, Refusal> {
    if name.trim().is_empty() || name.chars().count() > 200 {
        return Err("a tenant's name has 1 to 200 characters: people who link accounts see it".into());
    }
    let (change, keys) = make_tenant(app, id.clone(), name);
    let now = app.now(ClockOffset::default());
    app.store()
        .write(move |tx| {
            if tx.tenant(&id)?.is_some() {
                return Err(Refusal(format!(
                    "there is a tenant {id} already: choose another id, or `linchpin key create --tenant {id}` for \
                     another key of it"
                )));
            }
            Ok(tx.apply(&change, now)?)
        })
        .await?;
    Ok(json!(keys))
}

pub(super) async fn list(app: &App) -> Result<Value, Refusal> {
    let tenants = app.store().read(|reader| reader.tenants()).await?;
    let view = |it: &link_domain::tenant::Tenant| json!({"id": it.id, "name": it.name, "createdAt": Timestamp::from(it.created_at)});
    Ok(tenants.iter().map(view).collect())
}
