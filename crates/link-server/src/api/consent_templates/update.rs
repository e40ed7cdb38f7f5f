//! `PATCH /consentTemplates/{id}`: updates a consent template that is not in use.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_store::ConsentUse;
use link_types::id::ConsentTemplateId;
use link_types::template::{ConsentTemplate, ConsentTranslation};
use serde::Deserialize;

use super::check;
use super::create::translations_schema;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Body of `PATCH /consentTemplates/{id}`. Fields that are omitted or null are unchanged.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateConsentTemplate {
    /// Your label for the kind of consent.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 64)]
    consent_type: Option<String>,
    /// Heading of the consent page.
    #[schema(min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Version of the text.
    #[schema(min_length = 1, max_length = 64)]
    version: Option<String>,
    /// Text as plain paragraphs separated by blank lines.
    #[schema(min_length = 1, max_length = 65535)]
    text: Option<String>,
    /// Language of the text, as a BCP 47 tag.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
    /// The same heading and text in other languages. Replaces all translations.
    #[schema(schema_with = translations_schema)]
    translations: Option<BTreeMap<String, ConsentTranslation>>,
}

/// Updates a consent template.
///
/// Returns 409 if a link template uses the text, or if a consent was given to it.
#[utoipa::path(
    patch, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "updateConsentTemplate",
    request_body(content = UpdateConsentTemplate, example = json!({"version": "1.1", "text": "I agree that Demo Company receives my account data for 60 days."})),
    params(("id" = ConsentTemplateId, Path, description = "The consent template's id")),
    responses((status = 200, description = "The updated consent template", body = ConsentTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Body(patch): Body<UpdateConsentTemplate>,
) -> ApiResult<Json<ConsentTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let template = app
        .store()
        .write(move |tx| -> ApiResult<_> {
            let mut stored = tx.consent_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            if let Some(used) = tx.consent_templates().usage(&id)? {
                return Err(Problem::conflict(in_use(used)));
            }
            patch.clone().onto(&mut stored.template);
            check(&stored.template)?;
            tx.apply(&Change::row(Row::ConsentTemplate(stored.clone())), now)?;
            Ok(stored.template)
        })
        .await?;
    Ok(Json(template))
}

const fn in_use(used: ConsentUse) -> &'static str {
    match used {
        ConsentUse::LinkTemplate => {
            "A link template uses this text, so it cannot change. Create a new consent template instead."
        }
        ConsentUse::Receipt => {
            "A consent was given to this text, so it cannot change. Create a new consent template instead."
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
        if let Some(translations) = self.translations {
            template.translations = translations;
        }
    }
}
