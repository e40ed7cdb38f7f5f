//! `/alpha/linkSites`: hosted addresses where people answer a form and link an account without an invitation.

mod check;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::invitations::link_site::{LinkSite as OwnedSite, SiteEditError};
use link_domain::tenancy::embedding_origin::normalize;
use link_types::form_submission::LinkSiteForm;
use link_types::id::{LinkSiteId, LinkTemplateId};
use link_types::link_site::{
    LinkSite, LinkSiteAccess, LinkSiteEndPage, LinkSiteFormVersion, LinkSiteLimits, LinkSiteStartPage,
    LinkSiteStatus, LinkSiteStep,
};
use link_types::list::Page;
use link_types::provider::Translations;
use serde::Deserialize;

use self::check::{check, normalize_host};
use crate::api::link_templates::Origin;
use crate::api::resource_limits::one_more_link_site;
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

/// Returns the routes of link sites.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => LinkSiteCreated, list => read))
        .routes(routes!(get => read, update => LinkSiteUpdated, delete => LinkSiteDeleted))
        .routes(routes!(get_version => read))
}

/// Lists link sites, newest first.
///
/// The list contains the link sites of the environment of the API key. Deleted link sites are not listed.
#[utoipa::path(
    get, path = "/alpha/linkSites", tag = "linkSites", operation_id = "listLinkSites",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of link sites", body = Page<LinkSite>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<LinkSite>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_sites().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| it.view(&app.settings.site_urls()))))
}

/// Retrieves a link site.
///
/// `submissions` is the number of submitted forms, and `formVersion` the version of `form`.
#[utoipa::path(
    get, path = "/alpha/linkSites/{id}", tag = "linkSites", operation_id = "getLinkSite",
    params(("id" = LinkSiteId, Path, description = "The link site's id")),
    responses((status = 200, description = "The link site", body = LinkSite, example = json!(parse_example(include_str!("link_sites/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkSiteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<LinkSite>> {
    let owner = caller.owner().clone();
    let found =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.link_sites().get(&owner, &id)?) }).await?;
    found.map(|it| Json(it.view(&app.settings.site_urls()))).ok_or_else(Problem::missing)
}

/// Retrieves a version of a link site's form.
///
/// A version does not change once a person has opened it, and stays readable after the link site is deleted.
#[utoipa::path(
    get, path = "/alpha/linkSites/{id}/versions/{version}", tag = "linkSites", operation_id = "getLinkSiteVersion",
    params(
        ("id" = LinkSiteId, Path, description = "The link site's id"),
        ("version" = u32, Path, description = "Number of the version, from 1"),
    ),
    responses((status = 200, description = "The version", body = LinkSiteFormVersion, example = json!(parse_example(include_str!("link_sites/version.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get_version(
    State(app): State<App>,
    caller: TenantCaller,
    Path((id, version)): Path<(String, String)>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<LinkSiteFormVersion>> {
    let id: LinkSiteId = id.parse().map_err(|_| Problem::missing())?;
    let version: u32 = version.parse().map_err(|_| Problem::missing())?;
    let (owner, of) = (caller.owner().clone(), id.clone());
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_sites().version(&owner, &of, version)?) })
        .await?;
    let form = found.ok_or_else(Problem::missing)?;
    Ok(Json(LinkSiteFormVersion { link_site_id: id, version, form }))
}

/// Body of `POST /alpha/linkSites`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateLinkSite {
    /// Name of the link site. People do not see it.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Last part of the address. Unique in the whole service.
    #[schema(min_length = 3, max_length = 60, pattern = "^[a-z0-9-]{3,60}$", example = "demo-loans")]
    slug: String,
    /// Own host that the address has: one of your `linkSiteHosts` that is proven. If omitted, the service's.
    #[schema(max_length = 253, example = "apply.shop.example")]
    host: Option<String>,
    /// State of the link site. Defaults to DRAFT.
    status: Option<LinkSiteStatus>,
    /// People who can open the link site. Defaults to OPEN.
    access: Option<LinkSiteAccess>,
    /// Link template with the brand, and the configuration of the widget.
    link_template_id: LinkTemplateId,
    /// Steps, in order: FORM, WIDGET or both, and then THANK_YOU.
    #[schema(min_items = 2, max_items = 3)]
    steps: Vec<LinkSiteStep>,
    /// Form of the step FORM.
    form: Option<LinkSiteForm>,
    /// Names of HIDDEN fields, and `reference`, whose values the address can have in its query.
    #[schema(max_items = 20)]
    prefill: Option<Vec<String>>,
    /// Exact origins of the pages that may show the link site in a frame. Each must be one of the link template's
    /// `allowedOrigins`. They are stored as browsers write them. If omitted, no page may.
    #[schema(max_items = 20)]
    embed_origins: Option<Vec<Origin>>,
    /// Texts of the first page.
    start_page: LinkSiteStartPage,
    /// End of the link site.
    end_page: LinkSiteEndPage,
    /// When the link site closes by itself. If omitted, it does not.
    limits: Option<LinkSiteLimits>,
    /// Language of the texts, as a BCP 47 tag. Defaults to `en`.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
    /// Translations of the texts of `startPage` and `endPage`, by BCP 47 tag and then by the text. At most 20 languages.
    translations: Option<Translations>,
}

/// Creates a link site.
///
/// An environment has at most 200 link sites. Creating another returns 409.
#[utoipa::path(
    post, path = "/alpha/linkSites", tag = "linkSites", operation_id = "createLinkSite",
    request_body(content = CreateLinkSite, example = json!({
        "name": "Loans, spring",
        "slug": "demo-loans",
        "status": "PUBLISHED",
        "linkTemplateId": "lt-0192f0c1a2b37c4d8e5f60718293a4b5",
        "steps": ["FORM", "WIDGET", "THANK_YOU"],
        "form": {
            "name": "About the loan",
            "reference": "loan-2026",
            "fields": [
                {"name": "purpose", "label": "What is it for?", "type": "CHOICE", "required": true, "choices": ["Car", "Home"]},
                {
                    "name": "brand", "label": "Which brand?", "type": "TEXT", "required": true,
                    "condition": {"join": "ALL", "rules": [{"field": "purpose", "operator": "EQUALS", "values": ["Car"]}]},
                },
                {"name": "campaign", "label": "Campaign", "type": "HIDDEN"},
            ],
        },
        "prefill": ["campaign", "reference"],
        "startPage": {"title": "Apply for a loan", "text": "Answer a few questions, and link the account of your employer."},
        "endPage": {"title": "Thank you", "text": "We will write to you within two days.", "redirectUrl": null},
        "limits": {"closesAt": null, "submissions": 1000},
    })),
    responses((status = 201, description = "The created link site", body = LinkSite), refusals::Write),
    security(("apiKey" = []))
)]
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateLinkSite>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), app.settings.site_urls());
    caller
        .once(move |tx, context| {
            one_more_link_site(tx, &owner)?;
            let body = body.clone();
            let site = LinkSite {
                id: LinkSiteId::from_bytes(context.uuid()),
                created_at: context.now().tenant().into(),
                name: body.name,
                slug: body.slug,
                url: String::new(),
                host: body.host.and_then(normalize_host),
                status: body.status.unwrap_or(LinkSiteStatus::Draft),
                access: body.access.unwrap_or(LinkSiteAccess::Open),
                link_template_id: body.link_template_id,
                steps: body.steps,
                form: body.form.filter(|it| !it.fields.is_empty()),
                form_version: None,
                prefill: body.prefill.unwrap_or_default(),
                embed_origins: format_origins(body.embed_origins.unwrap_or_default()),
                start_page: body.start_page,
                end_page: body.end_page,
                limits: body.limits.unwrap_or_default(),
                submissions: 0,
                locale: body.locale.unwrap_or_else(|| "en".to_owned()),
                translations: body.translations.unwrap_or_default(),
                revision: String::new(),
            };
            check(tx, (&owner, &urls), None, &site)?;
            let (site, change) = OwnedSite::create(owner.clone(), site);
            IdempotentResponse::for_created(&site.view(&urls), change)
        })
        .await
}

/// Returns origins as browsers write them. One that is not an origin stays as it is, and `check` reports it.
fn format_origins(origins: Vec<Origin>) -> Vec<String> {
    origins.into_iter().map(|it| normalize(&it.0).unwrap_or(it.0)).collect()
}

/// Body of `PATCH /alpha/linkSites/{id}`. Fields that are omitted or null are unchanged. Objects and lists are replaced
/// entirely.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateLinkSite {
    /// Name of the link site. People do not see it.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Last part of the address. It cannot change once a person has opened the link site.
    #[schema(min_length = 3, max_length = 60, pattern = "^[a-z0-9-]{3,60}$", example = "demo-loans")]
    slug: Option<String>,
    /// Own host that the address has: one of your `linkSiteHosts` that is proven. An empty text removes it.
    #[schema(max_length = 253, example = "apply.shop.example")]
    host: Option<String>,
    /// State of the link site. It cannot become DRAFT once a person has opened the link site.
    status: Option<LinkSiteStatus>,
    /// People who can open the link site.
    access: Option<LinkSiteAccess>,
    /// Link template with the brand, and the configuration of the widget.
    link_template_id: Option<LinkTemplateId>,
    /// Steps, in order: FORM, WIDGET or both, and then THANK_YOU.
    #[schema(min_items = 2, max_items = 3)]
    steps: Option<Vec<LinkSiteStep>>,
    /// Form of the step FORM. A form without fields removes it.
    form: Option<LinkSiteForm>,
    /// Names of HIDDEN fields, and `reference`, whose values the address can have in its query.
    #[schema(max_items = 20)]
    prefill: Option<Vec<String>>,
    /// Exact origins of the pages that may show the link site in a frame, from the link template's `allowedOrigins`.
    #[schema(max_items = 20)]
    embed_origins: Option<Vec<Origin>>,
    /// Texts of the first page.
    start_page: Option<LinkSiteStartPage>,
    /// End of the link site.
    end_page: Option<LinkSiteEndPage>,
    /// When the link site closes by itself.
    limits: Option<LinkSiteLimits>,
    /// Language of the texts, as a BCP 47 tag.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
    /// Translations of the texts of `startPage` and `endPage`. Replaces all translations.
    translations: Option<Translations>,
    /// The `revision` that you read. If the link site was changed since, the response is 409. If omitted, the update
    /// applies to the link site as it is.
    #[schema(min_length = 1, max_length = 64)]
    revision: Option<String>,
}

/// Updates a link site.
///
/// Fields that are omitted or null are unchanged, and objects and lists are replaced entirely. People who are answering
/// the form keep the version that they opened. With `revision`, the response is 409 if another update came first.
#[utoipa::path(
    patch, path = "/alpha/linkSites/{id}", tag = "linkSites", operation_id = "updateLinkSite",
    request_body(content = UpdateLinkSite, example = json!({"status": "CLOSED", "name": "Loans, spring (ended)"})),
    params(("id" = LinkSiteId, Path, description = "The link site's id")),
    responses((status = 200, description = "The updated link site", body = LinkSite), refusals::Write),
    security(("apiKey" = []))
)]
async fn update(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkSiteId>,
    Body(patch): Body<UpdateLinkSite>,
) -> ApiResult<Json<LinkSite>> {
    let (owner, now, urls) = (caller.owner().clone(), caller.now(), app.settings.site_urls());
    let shown = urls.clone();
    let site = caller
        .write(move |tx| -> ApiResult<_> {
            let stored = tx.link_sites().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            stored.check_revision(patch.revision.as_deref())?;
            let mut site = stored.site.clone();
            patch.clone().onto(&mut site);
            check(tx, (&owner, &shown), Some(&stored), &site)?;
            let (site, change) = stored.edit(site)?;
            tx.apply(&change, now)?;
            Ok(site)
        })
        .await?;
    Ok(Json(site.view(&urls)))
}

impl UpdateLinkSite {
    fn onto(self, site: &mut LinkSite) {
        fn set<T>(field: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *field = value;
            }
        }
        set(&mut site.name, self.name);
        set(&mut site.slug, self.slug);
        set(&mut site.host, self.host.map(normalize_host));
        set(&mut site.status, self.status);
        set(&mut site.access, self.access);
        set(&mut site.link_template_id, self.link_template_id);
        set(&mut site.steps, self.steps);
        if let Some(form) = self.form {
            site.form = Some(form).filter(|it| !it.fields.is_empty());
        }
        set(&mut site.prefill, self.prefill);
        set(&mut site.embed_origins, self.embed_origins.map(format_origins));
        set(&mut site.start_page, self.start_page);
        set(&mut site.end_page, self.end_page);
        set(&mut site.limits, self.limits);
        set(&mut site.locale, self.locale);
        set(&mut site.translations, self.translations);
    }
}

/// Deletes a link site.
///
/// Its address stops working, and no other link site gets it if a person has opened it. The answers stay.
#[utoipa::path(
    delete, path = "/alpha/linkSites/{id}", tag = "linkSites", operation_id = "deleteLinkSite",
    params(("id" = LinkSiteId, Path, description = "The link site's id")),
    responses((status = 204, description = "The link site is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<LinkSiteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    caller
        .write(move |tx| -> ApiResult<_> {
            let site = tx.link_sites().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&site.delete(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<SiteEditError> for Problem {
    fn from(refused: SiteEditError) -> Self {
        Self::conflict(refused.to_string())
    }
}
