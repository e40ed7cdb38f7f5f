//! `/consentTemplates`: the texts that people accept, and how consents refer to them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::{Change, Deletion, Row};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::revision::Revised as _;
use link_domain::linking::consent::{Covered, KeptConsent};
use link_domain::linking::consent_reading::find_unknown_placeholder;
use link_domain::tenancy::template::{
    ConsentTemplate as OwnedTemplate, TRANSLATIONS_LIMIT, TranslationError, check_translations,
};
use link_domain::tenancy::template_version::TemplateBody;
use link_store::{ConsentUse, Reader, Tx};
use link_types::consent::ConsentRecord;
use link_types::id::ConsentTemplateId;
use link_types::list::Page;
use link_types::problem::{FaultCode, FieldFault};
use link_types::template::{ConsentTemplate, ConsentTranslation};
use serde::Deserialize;
use utoipa::openapi::{Object, Ref};

use crate::api::resource_limits::one_more_consent_template;
use crate::api::template_versions::versions_of_save;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PageQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{language_tag, optional_map, parse_example, refusals};

/// Returns the routes of consent templates.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => ConsentTemplateCreated, list => read))
        .routes(routes!(get => read, update => ConsentTemplateUpdated, delete => ConsentTemplateDeleted))
}

/// Returns the fault of the field `translations`.
pub(super) fn translation_fault(found: TranslationError) -> FieldFault {
    let code = match found {
        TranslationError::TooMany => FaultCode::TooLong,
        TranslationError::Key => FaultCode::Invalid,
    };
    fault("translations", code, found.to_string())
}

/// Rejects unknown placeholders, and translations whose keys are not other languages.
fn check(template: &ConsentTemplate) -> ApiResult<()> {
    let translations = template.translations.iter();
    let texts = translations.map(|(locale, it)| (format!("translations.{locale}.text"), &it.text));
    let mut faults: Vec<_> = [("text".to_owned(), &template.text)]
        .into_iter()
        .chain(texts)
        .filter_map(|(field, text)| {
            let name = find_unknown_placeholder(text)?;
            let message = format!("${{{name}}} is not a placeholder: use ${{reading}} or ${{retention}}");
            Some(fault(field, FaultCode::Unknown, message))
        })
        .collect();
    faults.extend(check_translations(&template.locale, &template.translations).err().map(translation_fault));
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}

/// Lists consent templates, newest first.
///
/// The list contains the templates of the environment of the API key. Deleted templates are not listed.
#[utoipa::path(
    get, path = "/consentTemplates", tag = "consentTemplates", operation_id = "listConsentTemplates",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of consent templates", body = Page<ConsentTemplate>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<ConsentTemplate>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.consent_templates().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| it.template.with_revision())))
}

/// Retrieves a consent template.
///
/// The response includes all translations. Returns 404 for a deleted template, even if a consent still refers to it.
#[utoipa::path(
    get, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "getConsentTemplate",
    params(("id" = ConsentTemplateId, Path, description = "The consent template's id")),
    responses((status = 200, description = "The consent template", body = ConsentTemplate, example = json!(parse_example(include_str!("consent_templates/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ConsentTemplate>> {
    let owner = caller.owner().clone();
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.consent_templates().get(&owner, &id)?) })
        .await?;
    found.map(|it| Json(it.template.with_revision())).ok_or_else(Problem::missing)
}

/// Body of `POST /consentTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateConsentTemplate {
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

fn translations_schema() -> Object {
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
async fn create(caller: TenantCaller, Body(body): Body<CreateConsentTemplate>) -> ApiResult<Response> {
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
                revision: String::new(),
            };
            check(&template)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            let saved = TemplateBody::Consent(Box::new(template.clone()));
            let change = versions_of_save(tx, &owner, None, saved, context.now())?;
            IdempotentResponse::for_created(
                &template.with_revision(),
                change.then(Change::row(Row::ConsentTemplate(row))),
            )
        })
        .await
}

/// Body of `PATCH /consentTemplates/{id}`. Fields that are omitted or null are unchanged.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateConsentTemplate {
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
    /// The `revision` that you read. If the template was changed since, the response is 409. If omitted, the update
    /// applies to the template as it is.
    #[schema(min_length = 1, max_length = 64)]
    revision: Option<String>,
}

/// Updates a consent template.
///
/// Returns 409 if a link template uses the text, or if a consent was given to it. With `revision`, also if another update
/// came first.
#[utoipa::path(
    patch, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "updateConsentTemplate",
    request_body(content = UpdateConsentTemplate, example = json!({"version": "1.1", "text": "I agree that Demo Company receives my account data for 60 days."})),
    params(("id" = ConsentTemplateId, Path, description = "The consent template's id")),
    responses((status = 200, description = "The updated consent template", body = ConsentTemplate), refusals::Write),
    security(("apiKey" = []))
)]
async fn update(
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Body(patch): Body<UpdateConsentTemplate>,
) -> ApiResult<Json<ConsentTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let template = caller
        .write(move |tx| -> ApiResult<_> {
            let mut stored = tx.consent_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            stored.template.check_revision(patch.revision.as_deref())?;
            if let Some(used) = tx.consent_templates().usage(&id)? {
                return Err(Problem::conflict(in_use(used)));
            }
            let before = TemplateBody::Consent(Box::new(stored.template.clone()));
            patch.clone().onto(&mut stored.template);
            check(&stored.template)?;
            let saved = TemplateBody::Consent(Box::new(stored.template.clone()));
            let change = versions_of_save(tx, &owner, Some(before), saved, now)?;
            tx.apply(&change.then(Change::row(Row::ConsentTemplate(stored.clone()))), now)?;
            Ok(stored.template)
        })
        .await?;
    Ok(Json(template.with_revision()))
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

/// Deletes a consent template.
///
/// Consent receipts and link templates that refer to it keep its text.
#[utoipa::path(
    delete, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "deleteConsentTemplate",
    params(("id" = ConsentTemplateId, Path, description = "The consent template's id")),
    responses((status = 204, description = "The consent template is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    caller
        .write(move |tx| -> ApiResult<_> {
            tx.consent_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::ConsentTemplate(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks that the template exists in the caller's environment, if the request names one.
///
/// The template is locked until the commit. After that it cannot change, because the record or signal refers to it.
///
/// # Errors
/// 422 if the template does not exist.
pub(super) fn check_cited(
    tx: &mut Tx<'_>,
    owner: &Owner,
    named: Option<&ConsentTemplateId>,
) -> ApiResult<()> {
    match named {
        Some(id) if tx.consent_templates().get_to_cite(owner, id)?.is_none() => Err(Problem::invalid_field(
            "consent.consentTemplateId",
            FaultCode::Invalid,
            "a consent template of this environment",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Returns the receipt: with the text that was shown, or the minimal one if the data was erased.
///
/// # Errors
/// 404 if no consent was given.
pub(super) fn record(
    reader: &mut Reader<'_>,
    owner: &Owner,
    covered: Covered,
    consent: Option<KeptConsent>,
) -> ApiResult<ConsentRecord> {
    match consent.ok_or_else(Problem::missing)? {
        KeptConsent::Ended { stub, at, reason } => Ok(stub.record(covered, at, reason)),
        KeptConsent::Whole(consent) => {
            let template = reader
                .consent_templates()
                .get_kept(owner, &consent.receipt.consent_template_id)?
                .ok_or_else(|| Problem::system("A consent refers to a missing template"))?;
            Ok(consent.record(covered, &template))
        }
    }
}
