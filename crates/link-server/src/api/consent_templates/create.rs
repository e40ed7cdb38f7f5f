//! `POST /consentTemplates`: creates a consent template.

use std::collections::BTreeMap;

use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::tenancy::template::{ConsentTemplate as OwnedTemplate, TRANSLATIONS_LIMIT};
use link_types::id::ConsentTemplateId;
use link_types::template::{ConsentTemplate, ConsentTranslation};
use serde::Deserialize;
use utoipa::openapi::{Object, Ref};

use super::check;
use crate::api::resource_limits::one_more_consent_template;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::ApiResult;
use crate::openapi::{language_tag, optional_map, refusals};

/// Body of `POST /consentTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateConsentTemplate {
    /// Your label for the kind of consent. Defaults to TERMS_AND_CONDITIONS.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 64)]
    consent_type: Option<String>,
    /// Heading of the consent page.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// Version of the text.
    #[schema(min_length = 1, max_length = 64)]
    version: String,
    /// Text as plain paragraphs separated by blank lines.
    #[schema(min_length = 1, max_length = 65535)]
    text: String,
    /// Language of the text, as a BCP 47 tag. Defaults to `en`.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
    /// The same heading and text in other languages.
    #[schema(schema_with = translations_schema)]
    translations: Option<BTreeMap<String, ConsentTranslation>>,
}

pub(super) fn translations_schema() -> Object {
    optional_map(
        "The same heading and text in other languages, by BCP 47 tag, at most 20.",
        TRANSLATIONS_LIMIT,
        language_tag(),
        Ref::from_schema_name("ConsentTranslation").into(),
    )
}

/// Creates a consent template.
///
/// An environment has at most 200 consent templates. Creating another returns 409.
#[utoipa::path(
    post, path = "/consentTemplates", tag = "consentTemplates", operation_id = "createConsentTemplate",
    request_body(content = CreateConsentTemplate, example = json!({
        "type": "TERMS",
        "title": "Share your account data",
        "version": "1.0",
        "text": "I agree that Demo Company receives my account data.",
        "locale": "en",
        "translations": {"es-MX": {"title": "Comparte los datos de tu cuenta", "text": "Acepto que Demo Company reciba los datos de mi cuenta."}},
    })),
    responses((status = 201, description = "The created consent template", body = ConsentTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    Body(body): Body<CreateConsentTemplate>,
) -> ApiResult<Response> {
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
                translations: body.translations.clone().unwrap_or_default(),
            };
            check(&template)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            IdempotentResponse::created(&template, Change::row(Row::ConsentTemplate(row)))
        })
        .await
}
