//! `PATCH /consentTemplates/{id}`: changes a consent template that nothing cites yet; what is left out stays.

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_store::ConsentUse;
use link_types::id::ConsentTemplateId;
use link_types::template::ConsentTemplate;
use serde::Deserialize;

use crate::app::App;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::PathId;
use crate::http::refusals;

/// Body of `PATCH /consentTemplates/{id}`. A field that is left out, or null, stays as it is.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateConsentTemplate {
    /// A label of the kind of consent.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 64)]
    consent_type: Option<String>,
    /// Heading.
    #[schema(min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Version.
    #[schema(min_length = 1, max_length = 64)]
    version: Option<String>,
    /// Plain paragraphs, separated by blank lines.
    #[schema(min_length = 1, max_length = 65535)]
    text: Option<String>,
    /// Language, a BCP 47 tag.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
}

/// Change a consent template that is not in use.
#[utoipa::path(
    patch, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "updateConsentTemplate",
    request_body(content = UpdateConsentTemplate, example = json!({"version": "1.1", "text": "I agree that Demo Company receives my account data for 60 days."})),
    params(("id" = ConsentTemplateId, Path, description = "The consent template")),
    responses((status = 200, description = "The template as it is now", body = ConsentTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Body(patch): Body<UpdateConsentTemplate>,
) -> Answer<Json<ConsentTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let template = app
        .store()
        .write(move |tx| -> Answer<_> {
            let mut kept = tx.current_consent_template(&owner, &id)?.ok_or_else(Problem::missing)?;
            if let Some(used) = tx.consent_use(&id)? {
                return Err(Problem::conflict(words(used)));
            }
            patch.clone().onto(&mut kept.template);
            tx.apply(&Change::row(Row::ConsentTemplate(kept.clone())), now)?;
            Ok(kept.template)
        })
        .await?;
    Ok(Json(template))
}

const fn words(used: ConsentUse) -> &'static str {
    match used {
        ConsentUse::LinkTemplate => {
            "A link template shows this text, so it does not change: make another consent template and name that one."
        }
        ConsentUse::Receipt => {
            "A consent was given to this text, so it does not change: make another consent template."
        }
    }
}

impl UpdateConsentTemplate {
    fn onto(self, template: &mut ConsentTemplate) {
        let set = |field: &mut String, value: Option<String>| {
            if let Some(value) = value {
                *field = value;
            }
        };
        set(&mut template.consent_type, self.consent_type);
        set(&mut template.title, self.title);
        set(&mut template.version, self.version);
        set(&mut template.text, self.text);
        set(&mut template.locale, self.locale);
    }
}
