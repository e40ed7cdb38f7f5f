//! Commands about tenants, the clocks of their sandboxes and their link templates.

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, TenantTime};
use link_domain::kernel::owner::Owner;
use link_domain::linking::link::OPENING_MEMORY;
use link_domain::tenancy::embedding_origin::normalize;
use link_domain::tenancy::sandbox_clock::AdvanceTo;
use link_types::id::{LinkTemplateId, TenantId};
use link_types::template::LinkTemplate;
use link_types::{Mode, Timestamp};
use serde_json::{Value, json};

use super::protocol::{AdminError, check_tenant, one_page};
use super::standing::view;
use crate::admin::tenant_setup::make_tenant;
use crate::api::clock::{self, begin, read};
use crate::api::link_templates::with_urls;
use crate::app::App;

pub(super) async fn create(app: &App, id: TenantId, name: String) -> Result<Value, AdminError> {
    if name.trim().is_empty() || name.chars().count() > 200 {
        return Err("the tenant's name must have 1 to 200 characters. People who link accounts see it".into());
    }
    let (change, keys) = make_tenant(app, id.clone(), name);
    let now = app.now(ClockOffset::default());
    app.store
        .write(move |tx| {
            if tx.tenants().get(&id)?.is_some() {
                return Err(AdminError(format!(
                    "the tenant {id} already exists. Choose another id, or create another key for it with \
                     `linchpin key create --tenant {id}`"
                )));
            }
            Ok(tx.apply(&change, now)?)
        })
        .await?;
    Ok(json!(keys))
}

pub(super) async fn list(app: &App) -> Result<Value, AdminError> {
    let tenants = app.store.read(|reader| reader.tenants().list()).await?;
    Ok(tenants.iter().map(view).collect())
}

pub(super) async fn show_clock(app: &App, tenant: TenantId) -> Result<Value, AdminError> {
    check_tenant(app, &tenant).await?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let now = app.now(app.offset_of(&owner).await?);
    let clock = app.store.read(move |reader| read(reader, &owner, now)).await?;
    Ok(json!(clock))
}

pub(super) async fn stop_clock(app: &App, tenant: TenantId) -> Result<Value, AdminError> {
    check_tenant(app, &tenant).await?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let now = app.now(app.offset_of(&owner).await?);
    app.store
        .write(move |tx| {
            let (clock, change) = clock::stop_clock(tx, &owner, now)?;
            tx.apply(&change, now)?;
            Ok(json!(clock))
        })
        .await
}

pub(super) async fn advance_clock(
    app: &App,
    tenant: TenantId,
    seconds: Option<u64>,
    until: Option<Timestamp>,
) -> Result<Value, AdminError> {
    check_tenant(app, &tenant).await?;
    let until = until.map(|until| TenantTime::from_micros(until.as_micros()));
    let to = AdvanceTo::either(seconds, until).ok_or("give either the seconds or the time")?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let context = app.context(app.offset_of(&owner).await?);
    app.store
        .write(move |tx| {
            let mut context = context.clone();
            let (clock, change) = begin(tx, &owner, to, &mut context)?;
            tx.apply(&change, context.now())?;
            Ok(json!(clock))
        })
        .await
}

/// The number of survey answers shown.
const ANSWERS: u32 = 20;
const UNKNOWN: &str =
    "the link template does not exist. To see all of them, run `linchpin template list --tenant TENANT`";

pub(super) async fn list_templates(app: &App, owner: Owner) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let page = one_page()?;
    let found = app.store.read(move |reader| reader.link_templates().list(&owner, &page)).await?;
    Ok(found.items.into_iter().map(|it| template_view(app, it.template)).collect())
}

pub(super) async fn show_template(app: &App, id: LinkTemplateId) -> Result<Value, AdminError> {
    let (wanted, since) = (id.clone(), app.wall() - OPENING_MEMORY);
    let (found, exits, traps, surveys) = app
        .store
        .read(move |reader| {
            let found = reader.link_templates().get_of_any_owner(&wanted)?.ok_or(UNKNOWN)?;
            let (exits, traps) =
                (reader.ui_events().exit_points(&wanted, since)?, reader.ui_events().traps(&wanted, since)?);
            Ok::<_, AdminError>((found, exits, traps, reader.surveys().newest(&wanted, ANSWERS)?))
        })
        .await?;
    let exits = exits.iter().map(|(name, openings)| json!({"lastEvent": name, "openings": openings}));
    let traps = traps.iter().map(|(trap, count)| json!({"trap": trap, "count": count}));
    Ok(json!({
        "template": template_view(app, found.template),
        "refusedOrigins": app.reports.refused_origins.for_template(&id),
        "exitPoints": exits.collect::<Vec<_>>(),
        "traps": traps.collect::<Vec<_>>(),
        "notFound": surveys.iter().map(|it| json!(it.answer)).collect::<Vec<_>>(),
    }))
}

pub(super) async fn allow(app: &App, id: LinkTemplateId, origins: Vec<String>) -> Result<Value, AdminError> {
    let written = origins.iter().map(|it| {
        normalize(it)
            .map_err(|wrong| AdminError(format!("{it} is not accepted as an origin. Expected: {wrong}")))
    });
    let origins = written.collect::<Result<Vec<_>, _>>()?;
    let now = app.now(ClockOffset::default());
    let template = app
        .store
        .write(move |tx| {
            let owner = tx.link_templates().get_of_any_owner(&id)?.ok_or(UNKNOWN)?.owner;
            let mut found = tx.link_templates().get(&owner, &id)?.ok_or(UNKNOWN)?;
            found.template.allowed_origins.clone_from(&origins);
            tx.apply(&Change::row(Row::LinkTemplate(found.clone())), now)?;
            Ok::<_, AdminError>(found.template)
        })
        .await?;
    Ok(template_view(app, template))
}

fn template_view(app: &App, template: LinkTemplate) -> Value {
    json!(with_urls(template, &app.settings.sdk_url))
}
