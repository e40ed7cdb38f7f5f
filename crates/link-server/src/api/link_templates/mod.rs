//! `/linkTemplates`: the configurations of the widget.

mod theme;
mod update;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::{Change, Deletion, Row};
use link_domain::kernel::context::Context;
use link_domain::tenancy::route_code::draw_template_id;
use link_domain::tenancy::template::LinkTemplate as OwnedTemplate;
use link_domain::tenancy::template_version::TemplateBody;
use link_types::archive::ArchiveType;
use link_types::data::DataPointKind;
use link_types::form_submission::LinkSiteForm;
use link_types::id::{ConsentTemplateId, LinkTemplateId, ProviderId, TenantId};
use link_types::list::Page;
use link_types::template::{BrandTheme, LinkTemplate, Retention, SyncInterval};
use serde::Deserialize;

use self::theme::ThemeInput;
use self::update::{UpdateLinkTemplate, check};
use crate::api::resource_limits::one_more_link_template;
use crate::api::template_versions::versions_of_save;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PageQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

pub(crate) use theme::{encode_logo, with_urls};

/// Returns the routes of link templates.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => LinkTemplateCreated, list => read))
        .routes(routes!(get => read, update::handler => LinkTemplateUpdated, delete => LinkTemplateDeleted))
}

/// Lists link templates, newest first.
///
/// The list contains the templates of the environment of the API key. Deleted templates are not listed.
#[utoipa::path(
    get, path = "/linkTemplates", tag = "linkTemplates", operation_id = "listLinkTemplates",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of link templates", body = Page<LinkTemplate>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<LinkTemplate>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_templates().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| with_urls(it.template, &app.settings.sdk_url))))
}

/// Retrieves a link template.
///
/// The id of a link template is not a secret: your page passes it to the widget as `templateId`.
#[utoipa::path(
    get, path = "/linkTemplates/{id}", tag = "linkTemplates", operation_id = "getLinkTemplate",
    params(("id" = LinkTemplateId, Path, description = "The link template's id")),
    responses((status = 200, description = "The link template", body = LinkTemplate, example = json!(parse_example(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<LinkTemplate>> {
    let owner = caller.owner().clone();
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_templates().get(&owner, &id)?) })
        .await?;
    found.map(|it| Json(with_urls(it.template, &app.settings.sdk_url))).ok_or_else(Problem::missing)
}

/// Body of `POST /linkTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateLinkTemplate {
    /// Name of the template. People do not see it.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Exact origins of the pages that may embed the widget. They are stored as browsers write them. If omitted, no page
    /// may in production, and in the sandbox the pages of this machine may: http://localhost and the like, on any port.
    #[schema(max_items = 50)]
    allowed_origins: Option<Vec<Origin>>,
    /// Addresses to which hosted links may return people. Defaults to none.
    #[schema(schema_with = update::redirect_urls_schema)]
    redirect_urls: Option<Vec<String>>,
    /// Your company name, as people see it.
    #[schema(min_length = 1, max_length = 200)]
    company_name: String,
    /// Consent template with the text that people accept.
    consent_template_id: ConsentTemplateId,
    /// Whether the page may skip the consent page with `enableConsentPage: false`. Defaults to false.
    allow_consent_skip: Option<bool>,
    /// Providers to offer. Defaults to all.
    #[schema(max_items = 200)]
    providers: Option<Vec<ProviderId>>,
    /// Providers to show first.
    #[schema(max_items = 10)]
    top_providers: Option<Vec<ProviderId>>,
    /// Whether people may upload documents. Defaults to true.
    uploads_enabled: Option<bool>,
    /// Kinds of documents that people may upload. Defaults to all.
    #[schema(schema_with = update::file_types_schema)]
    file_types: Option<Vec<ArchiveType>>,
    /// Kinds of data that people may decline. Defaults to none.
    #[schema(schema_with = update::optional_data_schema)]
    optional_data: Option<Vec<DataPointKind>>,
    /// Your brand.
    theme: Option<ThemeInput>,
    /// Your own texts by locale, then by the key of the text. Write arguments as `{$name}`.
    texts: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// Whether to sync accounts continuously. Defaults to true.
    sync_enabled: Option<bool>,
    /// How often to sync an account. Defaults to MONTHLY.
    sync_interval: Option<SyncInterval>,
    /// Start of the 60 days after which an account's data is erased. Defaults to FROM_LAST_SYNC if `syncEnabled`
    /// is true, and to FROM_CONNECTION otherwise.
    retention: Option<Retention>,
    /// Your page with help, an https URL. If omitted, the widget has no link to it.
    #[schema(max_length = 500)]
    help_url: Option<String>,
    /// Form that invited people submit before the widget opens. If omitted, there is no form.
    form: Option<LinkSiteForm>,
}

/// Exact origin. Capitals, the scheme's own port and a final slash are accepted and removed.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, max_length = 255, example = "https://app.example.com")]
pub(in crate::api) struct Origin(pub(in crate::api) String);

/// Creates a link template.
///
/// An environment has at most 200 link templates. Creating another returns 409.
#[utoipa::path(
    post, path = "/linkTemplates", tag = "linkTemplates", operation_id = "createLinkTemplate",
    request_body(content = CreateLinkTemplate, example = json!({
        "name": "Loans",
        "companyName": "Demo Company",
        "consentTemplateId": "ct-0192f0c1a2b37c4d8e5f60718293a4b5",
        "allowedOrigins": ["https://app.example.com"],
        "providers": ["mx_social_security", "ph_social_security"],
        "theme": {"accent": "#1f6feb"},
    })),
    responses((status = 201, description = "The created link template", body = LinkTemplate), refusals::Write),
    security(("apiKey" = []))
)]
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(mut body): Body<CreateLinkTemplate, { theme::BODY_LIMIT }>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let known = app.ports.source(owner.mode).providers();
    if let Some(response) = caller.find_earlier_response().await? {
        return Ok(response);
    }
    let brand = theme::encode(&app, &owner.tenant, body.theme.take()).await?;
    let sdk_url = app.settings.sdk_url.clone();
    caller
        .once(move |tx, context| {
            let mut template = body.clone().template(&owner.tenant, context);
            let logos = match brand.clone() {
                Some(brand) => theme::set(&mut template, brand)?,
                None => Change::default(),
            };
            one_more_link_template(tx, &owner)?;
            check(tx, &owner, None, &template, &known)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            let saved = TemplateBody::Link(Box::new(template.clone()));
            let versions = versions_of_save(tx, &owner, None, saved, context.now())?;
            let change = logos.then(versions).then(Change::row(Row::LinkTemplate(row)));
            IdempotentResponse::for_created(&with_urls(template, &sdk_url), change)
        })
        .await
}

impl CreateLinkTemplate {
    fn template(self, tenant: &TenantId, context: &mut Context) -> LinkTemplate {
        let mut template = LinkTemplate {
            id: draw_template_id(tenant, context),
            created_at: context.now().tenant().into(),
            name: self.name,
            allowed_origins: Vec::new(),
            redirect_urls: Vec::new(),
            company_name: self.company_name,
            consent_template_id: self.consent_template_id,
            allow_consent_skip: false,
            providers: Vec::new(),
            top_providers: Vec::new(),
            uploads_enabled: true,
            file_types: Vec::new(),
            optional_data: Vec::new(),
            texts: BTreeMap::new(),
            theme: BrandTheme::default(),
            sync_enabled: true,
            sync_interval: SyncInterval::DEFAULT,
            retention: Retention::default_of(true),
            help_url: None,
            form: None,
            revision: String::new(),
        };
        let optional = UpdateLinkTemplate {
            allowed_origins: self.allowed_origins.map(|it| it.into_iter().map(|it| it.0).collect()),
            redirect_urls: self.redirect_urls,
            allow_consent_skip: self.allow_consent_skip,
            providers: self.providers,
            top_providers: self.top_providers,
            uploads_enabled: self.uploads_enabled,
            file_types: self.file_types,
            optional_data: self.optional_data,
            texts: self.texts,
            sync_enabled: self.sync_enabled,
            sync_interval: self.sync_interval,
            retention: self.retention,
            help_url: self.help_url,
            form: self.form,
            ..UpdateLinkTemplate::default()
        };
        optional.onto(&mut template);
        template
    }
}

/// Deletes a link template.
///
/// The widget can no longer open with it. Linked accounts are unchanged.
#[utoipa::path(
    delete, path = "/linkTemplates/{id}", tag = "linkTemplates", operation_id = "deleteLinkTemplate",
    params(("id" = LinkTemplateId, Path, description = "The link template's id")),
    responses((status = 204, description = "The link template is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<LinkTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    caller
        .write(move |tx| -> ApiResult<_> {
            tx.link_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::LinkTemplate(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
