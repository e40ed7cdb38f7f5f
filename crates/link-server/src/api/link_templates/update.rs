//! `PATCH /linkTemplates/{id}`: updates a link template.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_domain::data::optional_data;
use link_domain::invitations::form_submission;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::revision::Revised as _;
use link_domain::notifications::own_texts::{self, TextErrorKind};
use link_domain::tenancy::embedding_origin::{ORIGIN_LIMIT, normalize};
use link_domain::tenancy::help_url::{self, HelpUrlError};
use link_domain::tenancy::redirect_url::{self, REDIRECT_URL_LIMIT, REDIRECT_URLS_LIMIT};
use link_domain::tenancy::template::LinkTemplate as OwnedTemplate;
use link_domain::tenancy::template_version::TemplateBody;
use link_store::Tx;
use link_types::archive::ArchiveType;
use link_types::data::DataPointKind;
use link_types::form_submission::LinkSiteForm;
use link_types::id::{ConsentTemplateId, LinkTemplateId, ProviderId};
use link_types::problem::{FaultCode, FieldFault};
use link_types::provider::Provider;
use link_types::template::{LinkTemplate, Retention, SyncInterval};
use serde::Deserialize;
use utoipa::ToSchema as _;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use super::theme::{self, ThemeInput, with_urls};
use crate::api::template_versions::versions_of_save;
use crate::app::App;
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::refusals;

/// Body of `PATCH /linkTemplates/{id}`. Fields that are omitted or null are unchanged.
#[derive(Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateLinkTemplate {
    /// Name of the template. People do not see it.
    #[schema(min_length = 1, max_length = 200)]
    pub(super) name: Option<String>,
    /// Exact origins of the pages that may embed the widget.
    #[schema(schema_with = origins_schema)]
    pub(super) allowed_origins: Option<Vec<String>>,
    /// Addresses to which hosted links may return people.
    #[schema(schema_with = redirect_urls_schema)]
    pub(super) redirect_urls: Option<Vec<String>>,
    /// Your company name, as people see it.
    #[schema(min_length = 1, max_length = 200)]
    pub(super) company_name: Option<String>,
    /// Consent template with the text that people accept.
    pub(super) consent_template_id: Option<ConsentTemplateId>,
    /// Whether the page may skip the consent page with `enableConsentPage: false`.
    pub(super) allow_consent_skip: Option<bool>,
    /// Providers to offer. If empty, all are offered.
    #[schema(max_items = 200)]
    pub(super) providers: Option<Vec<ProviderId>>,
    /// Providers to show first.
    #[schema(max_items = 10)]
    pub(super) top_providers: Option<Vec<ProviderId>>,
    /// Whether people may upload documents.
    pub(super) uploads_enabled: Option<bool>,
    /// Kinds of documents that people may upload. If empty, all are allowed.
    #[schema(schema_with = file_types_schema)]
    pub(super) file_types: Option<Vec<ArchiveType>>,
    /// Kinds of data that people may decline. If empty, people decline nothing.
    #[schema(schema_with = optional_data_schema)]
    pub(super) optional_data: Option<Vec<DataPointKind>>,
    /// Your brand. Replaces the brand entirely: send each logo or its URL again.
    pub(super) theme: Option<ThemeInput>,
    /// Your own texts by locale, then by the key of the text. Write arguments as `{$name}`.
    pub(super) texts: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// Whether to sync accounts continuously.
    pub(super) sync_enabled: Option<bool>,
    /// How often to sync an account. Accounts that are already linked keep their interval until the person signs in
    /// again.
    pub(super) sync_interval: Option<SyncInterval>,
    /// Start of the 60 days after which an account's data is erased. If you change `syncEnabled` without it, it
    /// becomes the default. Accounts that are already linked keep theirs until the person signs in again.
    pub(super) retention: Option<Retention>,
    /// Your page with help, an https URL. The widget links to it. An empty text removes the link.
    #[schema(max_length = 500)]
    pub(super) help_url: Option<String>,
    /// Form that invited people submit before the widget opens. A form without fields removes it.
    pub(super) form: Option<LinkSiteForm>,
    /// The `revision` that you read. If the template was changed since, the response is 409. If omitted, the update
    /// applies to the template as it is.
    #[schema(min_length = 1, max_length = 64)]
    pub(super) revision: Option<String>,
}

fn origins_schema() -> Array {
    let origin = ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(ORIGIN_LIMIT))
        .examples(["https://app.example.com"]);
    ArrayBuilder::new()
        .schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::Array, Type::Null]))
        .items(origin)
        .max_items(Some(50))
        .description(Some(
            "Exact origins of the pages that may embed the widget, without wildcards. They are stored as browsers write \
             them.",
        ))
        .build()
}

pub(super) fn redirect_urls_schema() -> Array {
    let address = ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(REDIRECT_URL_LIMIT))
        .examples(["https://app.example.com/linked"]);
    ArrayBuilder::new()
        .schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::Array, Type::Null]))
        .items(address)
        .max_items(Some(REDIRECT_URLS_LIMIT))
        .unique_items(true)
        .description(Some(
            "Exact addresses to which hosted links may return people, each once: https URLs, or addresses of an app \
             whose scheme has the reverse name of your domain, like com.example.app:/linked. In the sandbox, also \
             http://localhost and http://127.0.0.1. None has a fragment.",
        ))
        .build()
}

pub(super) fn file_types_schema() -> Array {
    ArrayBuilder::new()
        .schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::Array, Type::Null]))
        .items(Ref::from_schema_name(ArchiveType::name()))
        .max_items(Some(20))
        .unique_items(true)
        .description(Some(
            "Kinds of documents that people may upload, each once. If omitted or empty, all are allowed.",
        ))
        .build()
}

pub(super) fn optional_data_schema() -> Array {
    ArrayBuilder::new()
        .schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::Array, Type::Null]))
        .items(Ref::from_schema_name(DataPointKind::name()))
        .max_items(Some(20))
        .unique_items(true)
        .description(Some(
            "Kinds of data that people may decline, each once. At least one kind that providers return, and one of each \
             provider that the template offers, stays required. Requires that `allowConsentSkip` is false. If omitted or \
             empty, people decline nothing.",
        ))
        .build()
}

/// Updates a link template.
///
/// Fields that are omitted or null are unchanged, and objects and lists are replaced entirely. Widgets that are open
/// keep the settings of their start. With `revision`, the response is 409 if another update came first.
#[utoipa::path(
    patch, path = "/linkTemplates/{id}", tag = "linkTemplates", operation_id = "updateLinkTemplate",
    request_body(content = UpdateLinkTemplate, example = json!({"allowedOrigins": ["https://app.example.com"], "uploadsEnabled": true, "fileTypes": ["PAYSLIP"]})),
    params(("id" = LinkTemplateId, Path, description = "The link template's id")),
    responses((status = 200, description = "The updated link template", body = LinkTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkTemplateId>,
    Body(mut patch): Body<UpdateLinkTemplate, { theme::BODY_LIMIT }>,
) -> ApiResult<Json<LinkTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let known = app.ports.source(owner.mode).providers();
    let brand = theme::encode(&app, &owner.tenant, patch.theme.take()).await?;
    let sdk_url = app.settings.sdk_url.clone();
    let template = caller
        .write(move |tx| -> ApiResult<_> {
            let mut template = tx.link_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            template.template.check_revision(patch.revision.as_deref())?;
            let before = template.template.clone();
            patch.clone().onto(&mut template.template);
            check(tx, &owner, Some(&before), &template.template, &known)?;
            let logos = match brand.clone() {
                Some(brand) => theme::set(&mut template.template, brand)?,
                None => Change::default(),
            };
            let [before, saved] =
                [before, template.template.clone()].map(|it| TemplateBody::Link(Box::new(it)));
            let versions = versions_of_save(tx, &owner, Some(before), saved, now)?;
            let row = Change::row(Row::LinkTemplate(template.clone()));
            tx.apply(&logos.then(versions).then(row), now)?;
            Ok(with_urls(template.template, &sdk_url))
        })
        .await?;
    Ok(Json(template))
}

impl UpdateLinkTemplate {
    pub(super) fn onto(self, template: &mut LinkTemplate) {
        fn set<T>(field: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *field = value;
            }
        }
        set(&mut template.name, self.name);
        // An origin that is not one stays as it is, and `check` reports it.
        let written = |it: String| normalize(&it).unwrap_or(it);
        set(
            &mut template.allowed_origins,
            self.allowed_origins.map(|it| it.into_iter().map(written).collect()),
        );
        set(&mut template.redirect_urls, self.redirect_urls);
        set(&mut template.company_name, self.company_name);
        set(&mut template.consent_template_id, self.consent_template_id);
        set(&mut template.allow_consent_skip, self.allow_consent_skip);
        set(&mut template.providers, self.providers);
        set(&mut template.top_providers, self.top_providers);
        set(&mut template.uploads_enabled, self.uploads_enabled);
        set(&mut template.file_types, self.file_types);
        set(&mut template.optional_data, self.optional_data.map(optional_data::sort_kinds));
        set(&mut template.texts, self.texts);
        OwnedTemplate::set_sync(template, self.sync_enabled, self.retention);
        set(&mut template.sync_interval, self.sync_interval);
        if let Some(help_url) = self.help_url {
            template.help_url = Some(help_url).filter(|it| !it.is_empty());
        }
        if let Some(form) = self.form {
            template.form = Some(form).filter(|it| !it.fields.is_empty());
        }
    }
}

/// Checks the parts of a template that changed: references must exist, and texts and the form must be valid.
///
/// Unchanged parts were valid when they were set and are not checked again. Since then, a provider may be temporarily
/// unknown, or the consent template deleted.
pub(super) fn check(
    tx: &mut Tx<'_>,
    owner: &Owner,
    before: Option<&LinkTemplate>,
    template: &LinkTemplate,
    known: &[Provider],
) -> ApiResult<()> {
    let mut faults: Vec<FieldFault> = Vec::new();
    let consent = &template.consent_template_id;
    if before.is_none_or(|it| it.consent_template_id != *consent)
        && tx.consent_templates().get(owner, consent)?.is_none()
    {
        faults.push(fault("consentTemplateId", FaultCode::Invalid, "a consent template of this environment"));
    }
    if before.is_none_or(|it| it.allowed_origins != template.allowed_origins) {
        for (index, origin) in template.allowed_origins.iter().enumerate() {
            if let Err(wrong) = normalize(origin) {
                let field = format!("allowedOrigins[{index}]");
                faults.push(fault(field, FaultCode::Invalid, wrong.to_string()));
            }
        }
    }
    if before.is_none_or(|it| it.redirect_urls != template.redirect_urls) {
        for (index, url) in template.redirect_urls.iter().enumerate() {
            let field = || format!("redirectUrls[{index}]");
            if let Err(wrong) = redirect_url::check(url, owner.mode) {
                faults.push(fault(field(), FaultCode::Invalid, wrong.to_string()));
            } else if template.redirect_urls[..index].contains(url) {
                faults.push(fault(field(), FaultCode::Invalid, "each address once"));
            }
        }
    }
    for (field, named, had) in [
        ("providers", &template.providers, before.map(|it| &it.providers)),
        ("topProviders", &template.top_providers, before.map(|it| &it.top_providers)),
    ] {
        for (index, provider) in named.iter().enumerate() {
            if !known.iter().any(|it| it.id == *provider) && had.is_none_or(|it| !it.contains(provider)) {
                faults.push(fault(
                    format!("{field}[{index}]"),
                    FaultCode::Invalid,
                    "a provider of this environment",
                ));
            }
        }
    }
    for (index, kind) in template.file_types.iter().enumerate() {
        if template.file_types[..index].contains(kind) {
            faults.push(fault(format!("fileTypes[{index}]"), FaultCode::Invalid, "each kind once"));
        }
    }
    if before.is_none_or(|it| {
        it.optional_data != template.optional_data
            || it.providers != template.providers
            || it.allow_consent_skip != template.allow_consent_skip
    }) {
        faults.extend(
            optional_data::faults(template, known)
                .into_iter()
                .map(|found| fault("optionalData".to_owned(), FaultCode::Invalid, found.to_string())),
        );
    }
    if let Some(Err(wrong)) = template.help_url.as_deref().map(help_url::check) {
        let code = match wrong {
            HelpUrlError::TooLong => FaultCode::TooLong,
            HelpUrlError::Invalid => FaultCode::Invalid,
        };
        faults.push(fault("helpUrl", code, wrong.to_string()));
    }
    if before.is_none_or(|it| it.texts != template.texts) {
        faults.extend(own_texts::faults(&template.texts).into_iter().map(|found| {
            let field =
                if found.path.is_empty() { "texts".to_owned() } else { format!("texts.{}", found.path) };
            fault(field, text_fault(found.kind), found.kind.to_string())
        }));
    }
    if before.is_none_or(|it| it.form != template.form) {
        faults.extend(
            template.form.iter().flat_map(form_submission::faults).map(|found| {
                fault(format!("form.{}", found.path), FaultCode::Invalid, found.kind.to_string())
            }),
        );
    }
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}

const fn text_fault(kind: TextErrorKind) -> FaultCode {
    match kind {
        TextErrorKind::UnknownLocale | TextErrorKind::UnknownKey => FaultCode::Unknown,
        TextErrorKind::TooMany => FaultCode::TooLong,
        TextErrorKind::Length | TextErrorKind::Argument | TextErrorKind::Fixed => FaultCode::Invalid,
    }
}
