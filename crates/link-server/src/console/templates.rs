//! `/console/api/{environment}/templateVersions/{id}`: what was saved of a template, newest first.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use link_domain::tenancy::template_version::{TemplateBody, TemplateVersion};
use link_types::console::Items;
use link_types::console::templates::TemplateVersion as Shown;
use link_types::id::{ConsentTemplateId, InviteTemplateId, LinkTemplateId};
use serde::Serialize;

use super::caller::ConsoleCaller;
use crate::api::link_templates::with_urls;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Lists the versions of a template of any kind. The prefix of the id names the kind.
pub(super) async fn list_versions(
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    caller: ConsoleCaller,
) -> ApiResult<Response> {
    let owner = caller.owner();
    let versions = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let exists = if let Ok(id) = id.parse::<LinkTemplateId>() {
                reader.link_templates().get(&owner, &id)?.is_some()
            } else if let Ok(id) = id.parse::<ConsentTemplateId>() {
                reader.consent_templates().get(&owner, &id)?.is_some()
            } else if let Ok(id) = id.parse::<InviteTemplateId>() {
                reader.invite_templates().get(&owner, &id)?.is_some()
            } else {
                false
            };
            if !exists {
                return Err(Problem::missing());
            }
            Ok(reader.template_versions().of_template(&owner, &id)?)
        })
        .await?;
    let items = versions.into_iter().map(|it| show(it, &app.settings.sdk_url)).collect();
    Ok(Json(Items { items }).into_response())
}

/// A template of any kind, as REST shows it.
#[derive(Serialize)]
#[serde(untagged)]
enum AnyTemplate {
    Link(Box<link_types::template::LinkTemplate>),
    Consent(Box<link_types::template::ConsentTemplate>),
    Invite(Box<link_types::invite_template::InviteTemplate>),
}

fn show(version: TemplateVersion, sdk_url: &str) -> Shown<AnyTemplate> {
    let TemplateVersion { owner: _, version, saved_at, body } = version;
    let template = match body {
        TemplateBody::Link(template) => AnyTemplate::Link(Box::new(with_urls(*template, sdk_url))),
        TemplateBody::Consent(template) => AnyTemplate::Consent(template),
        TemplateBody::Invite(template) => AnyTemplate::Invite(template),
    };
    Shown { version, saved_at, template }
}
