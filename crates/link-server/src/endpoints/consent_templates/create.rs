//! `POST /consentTemplates`: makes a consent template.

use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::template::ConsentTemplate as OwnedTemplate;
use link_types::id::ConsentTemplateId;
use link_types::template::ConsentTemplate;
use serde::Deserialize;

use crate::endpoints::quotas::one_more_consent_template;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Body of `POST /consentTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateConsentTemplate {
    /// A label of the kind of consent; TERMS_AND_CONDITIONS when left out.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 64)]
    consent_type: Option<String>,
    /// Heading.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// Version.
    #[schema(min_length = 1, max_length = 64)]
    version: String,
    /// Plain paragraphs, separated by blank lines.
    #[schema(min_length = 1, max_length = 65535)]
    text: String,
    /// Language, a BCP 47 tag; `en` when left out.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
}

/// Make a consent template. 409 when there are 200 already.
#[utoipa::path(
    post, path = "/consentTemplates", tag = "consentTemplates", operation_id = "createConsentTemplate",
    request_body(content = CreateConsentTemplate, example = json!({
        "type": "TERMS",
        "title": "Share your account data",
        "version": "1.0",
        "text": "I agree that Demo Company receives my account data.",
        "locale": "en",
    })),
    responses((status = 201, description = "Made", body = ConsentTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    Body(body): Body<CreateConsentTemplate>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            one_more_consent_template(tx, &owner)?;
            let template = ConsentTemplate {
                id: ConsentTemplateId::from_bytes(context.uuid()),
                created_at: context.now().tenant().into(),
                consent_type: body.consent_type.clone().unwrap_or_else(|| "TERMS_AND_CONDITIONS".to_owned()),
                title: body.title.clone(),
                version: body.version.clone(),
                text: body.text.clone(),
                locale: body.locale.clone().unwrap_or_else(|| "en".to_owned()),
            };
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            Effect::created(&template, Change::row(Row::ConsentTemplate(row)))
        })
        .await
}
