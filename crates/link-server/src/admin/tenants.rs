//! Tenant commands.

use link_domain::kernel::clock::ClockOffset;
use link_types::Timestamp;
use link_types::id::TenantId;
use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::admin::tenant_setup::make_tenant;
use crate::app::App;

pub(super) async fn create(app: &App, id: TenantId, name: String) -> Result<Value, Refusal> {
    if name.trim().is_empty() || name.chars().count() > 200 {
        return Err("the tenant's name must have 1 to 200 characters. People who link accounts see it".into());
    }
    let (change, keys) = make_tenant(app, id.clone(), name);
    let now = app.now(ClockOffset::default());
    app.store()
        .write(move |tx| {
            if tx.tenants().get(&id)?.is_some() {
                return Err(Refusal(format!(
                    "the tenant {id} already exists. Choose another id, or create another key for it with \
                     `linchpin key create --tenant {id}`"
                )));
            }
            Ok(tx.apply(&change, now)?)
        })
        .await?;
    Ok(json!(keys))
}

pub(super) async fn list(app: &App) -> Result<Value, Refusal> {
    let tenants = app.store().read(|reader| reader.tenants().list()).await?;
    let view = |it: &link_domain::tenancy::tenant::Tenant| json!({"id": it.id, "name": it.name, "createdAt": Timestamp::from(it.created_at)});
    Ok(tenants.iter().map(view).collect())
}
