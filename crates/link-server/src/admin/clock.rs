//! Clock commands: advancing and stopping a sandbox's clock.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::sandbox_clock::AdvanceTo;
use link_types::id::TenantId;
use link_types::{Mode, Timestamp};
use serde_json::{Value, json};

use super::lookup::check_tenant;
use super::refusal::Refusal;
use crate::api::clock::{self, begin, read};
use crate::app::App;

pub(super) async fn show(app: &App, tenant: TenantId) -> Result<Value, Refusal> {
    check_tenant(app, &tenant).await?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let now = app.now(app.offset_of(&owner).await?);
    let clock = app.store().read(move |reader| read(reader, &owner, now)).await?;
    Ok(json!(clock))
}

pub(super) async fn stop(app: &App, tenant: TenantId) -> Result<Value, Refusal> {
    check_tenant(app, &tenant).await?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let now = app.now(app.offset_of(&owner).await?);
    app.store()
        .write(move |tx| {
            let (clock, change) = clock::stop(tx, &owner, now)?;
            tx.apply(&change, now)?;
            Ok(json!(clock))
        })
        .await
}

pub(super) async fn advance(
    app: &App,
    tenant: TenantId,
    seconds: Option<u64>,
    until: Option<Timestamp>,
) -> Result<Value, Refusal> {
    check_tenant(app, &tenant).await?;
    let until = until.map(|until| TenantTime::from_micros(until.as_micros()));
    let to = AdvanceTo::either(seconds, until).ok_or("give either the seconds or the time")?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let context = app.context(app.offset_of(&owner).await?);
    app.store()
        .write(move |tx| {
            let mut context = context.clone();
            let (clock, change) = begin(tx, &owner, to, &mut context)?;
            tx.apply(&change, context.now())?;
            Ok(json!(clock))
        })
        .await
}
