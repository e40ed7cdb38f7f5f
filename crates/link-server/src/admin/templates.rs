//! Link template commands.

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::owner::Owner;
use link_domain::linking::link::OPENING_MEMORY;
use link_domain::tenancy::embedding_origin::normalized;
use link_types::id::LinkTemplateId;
use link_types::template::LinkTemplate;
use serde_json::{Value, json};

use super::lookup::{check_tenant, one_page};
use super::refusal::Refusal;
use crate::api::link_templates::with_urls;
use crate::app::App;

/// The number of survey answers shown.
const ANSWERS: u32 = 20;
const UNKNOWN: &str =
    "the link template does not exist. To see all of them, run `linchpin template list --tenant TENANT`";

pub(super) async fn list(app: &App, owner: Owner) -> Result<Value, Refusal> {
    check_tenant(app, &owner.tenant).await?;
    let page = one_page()?;
    let found = app.store().read(move |reader| reader.link_templates().list(&owner, &page)).await?;
    Ok(found.items.into_iter().map(|it| shown(app, it.template)).collect())
}

pub(super) async fn show(app: &App, id: LinkTemplateId) -> Result<Value, Refusal> {
    let (wanted, since) = (id.clone(), app.wall() - OPENING_MEMORY);
    let (found, exits, traps, surveys) = app
        .store()
        .read(move |reader| {
            let found = reader.link_templates().get_of_any_owner(&wanted)?.ok_or(UNKNOWN)?;
            let (exits, traps) =
                (reader.ui_events().exit_points(&wanted, since)?, reader.ui_events().traps(&wanted, since)?);
            Ok::<_, Refusal>((found, exits, traps, reader.surveys().newest(&wanted, ANSWERS)?))
        })
        .await?;
    let exits = exits.iter().map(|(name, openings)| json!({"lastEvent": name, "openings": openings}));
    let traps = traps.iter().map(|(trap, count)| json!({"trap": trap, "count": count}));
    Ok(json!({
        "template": shown(app, found.template),
        "refusedOrigins": app.refused_origins().of(&id),
        "exitPoints": exits.collect::<Vec<_>>(),
        "traps": traps.collect::<Vec<_>>(),
        "notFound": surveys.iter().map(|it| json!(it.answer)).collect::<Vec<_>>(),
    }))
}

pub(super) async fn allow(app: &App, id: LinkTemplateId, origins: Vec<String>) -> Result<Value, Refusal> {
    let written = origins.iter().map(|it| {
        normalized(it)
            .map_err(|wrong| Refusal(format!("{it} is not accepted as an origin. Expected: {wrong}")))
    });
    let origins = written.collect::<Result<Vec<_>, _>>()?;
    let now = app.now(ClockOffset::default());
    let template = app
        .store()
        .write(move |tx| {
            let owner = tx.link_templates().get_of_any_owner(&id)?.ok_or(UNKNOWN)?.owner;
            let mut found = tx.link_templates().get(&owner, &id)?.ok_or(UNKNOWN)?;
            found.template.allowed_origins.clone_from(&origins);
            tx.apply(&Change::row(Row::LinkTemplate(found.clone())), now)?;
            Ok::<_, Refusal>(found.template)
        })
        .await?;
    Ok(shown(app, template))
}

fn shown(app: &App, template: LinkTemplate) -> Value {
    json!(with_urls(template, &app.settings().sdk_url))
}
