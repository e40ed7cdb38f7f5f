//! `/alpha/linkSiteHosts`: host names of a tenant at which people open its link sites (ADR 283).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::invitations::link_site_host::{
    HostError, LinkSiteHost as OwnedHost, NAMED_SITES, ReservedHosts,
};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::kernel::context::Context;
use link_types::id::LinkSiteHostId;
use link_types::link_site_host::LinkSiteHost;
use link_types::list::Page;
use link_types::problem::FaultCode;
use serde::Deserialize;

use crate::adapters::openid::Purpose;
use crate::app::App;
use crate::http::audit::record_lost_host;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PageQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::http::txt_records::find_texts;
use crate::openapi::{parse_example, refusals};

/// Returns the routes of own hosts.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => LinkSiteHostCreated, list => read))
        .routes(routes!(get => read, delete => LinkSiteHostDeleted))
        .routes(routes!(prove => LinkSiteHostProven))
}

/// Returns the names that tenants cannot add.
///
/// # Errors
/// 409 if the service does not offer own hosts.
fn check_offer(app: &App) -> ApiResult<ReservedHosts> {
    app.settings.reserved_hosts().ok_or_else(|| {
        Problem::conflict("This service does not offer own hosts. Its operator can set --site-host-target.")
    })
}

/// Lists your own hosts, newest first.
///
/// The list contains the hosts of the environment of the API key.
#[utoipa::path(
    get, path = "/alpha/linkSiteHosts", tag = "linkSites", operation_id = "listLinkSiteHosts",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of hosts", body = Page<LinkSiteHost>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<LinkSiteHost>>> {
    let (owner, clock) = (caller.owner().clone(), caller.now().offset());
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.link_site_hosts().list(&owner, &request)?) })
        .await?;
    let target = app.settings.site_host_target.as_deref();
    Ok(Json(list::page(page, |it| it.view(target, clock))))
}

/// Retrieves an own host.
///
/// `recordName` and `recordText` are the TXT record that proves it, and `cnameTarget` the name that its CNAME record points to.
#[utoipa::path(
    get, path = "/alpha/linkSiteHosts/{id}", tag = "linkSites", operation_id = "getLinkSiteHost",
    params(("id" = LinkSiteHostId, Path, description = "The host's id")),
    responses((status = 200, description = "The host", body = LinkSiteHost, example = json!(parse_example(include_str!("link_site_hosts/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkSiteHostId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<LinkSiteHost>> {
    let found = find(&app, &caller, id).await?;
    Ok(Json(found.view(app.settings.site_host_target.as_deref(), caller.now().offset())))
}

async fn find(app: &App, caller: &TenantCaller, id: LinkSiteHostId) -> ApiResult<OwnedHost> {
    let owner = caller.owner().clone();
    let found =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.link_site_hosts().get(&owner, &id)?) });
    found.await?.ok_or_else(Problem::missing)
}

/// Body of `POST /alpha/linkSiteHosts`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateLinkSiteHost {
    /// Exact host name, without scheme, port and wildcard. It is stored in lower-case ASCII.
    #[schema(min_length = 1, max_length = 253, example = "apply.shop.example")]
    host: String,
}

/// Adds an own host.
///
/// The host serves nothing until it is proven. An environment has at most 10 hosts. Adding another returns 409, as does a host
/// that your other environment has proven. Returns 409 if the service does not offer own hosts.
#[utoipa::path(
    post, path = "/alpha/linkSiteHosts", tag = "linkSites", operation_id = "createLinkSiteHost",
    request_body(content = CreateLinkSiteHost, example = json!({"host": "apply.shop.example"})),
    responses((status = 201, description = "The added host", body = LinkSiteHost), refusals::Write),
    security(("apiKey" = []))
)]
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateLinkSiteHost>,
) -> ApiResult<Response> {
    let (reserved, owner) = (check_offer(&app)?, caller.owner().clone());
    caller
        .once(move |tx, context| {
            // Locks the tenant, so that concurrent units cannot exceed the limit together.
            tx.tenants().get(&owner.tenant)?;
            let existing = tx.link_site_hosts().of_tenant(&owner.tenant)?;
            let (host, change) = OwnedHost::create(owner.clone(), &body.host, &reserved, &existing, context)?;
            let clock = context.now().offset();
            IdempotentResponse::for_created(&host.view(Some(&reserved.target), clock), change)
        })
        .await
}

/// Proves an own host with its TXT record.
///
/// The service looks the record up at once. If it has the text, the host is yours: if another tenant had it, that tenant loses
/// it. Returns 409 if the record is missing, your other environment has proven the host, or the service does not offer own hosts.
#[utoipa::path(
    post, path = "/alpha/linkSiteHosts/{id}/prove", tag = "linkSites", operation_id = "proveLinkSiteHost",
    params(("id" = LinkSiteHostId, Path, description = "The host's id")),
    responses((status = 200, description = "The proven host", body = LinkSiteHost), refusals::Act),
    security(("apiKey" = []))
)]
async fn prove(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkSiteHostId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (reserved, owner) = (check_offer(&app)?, caller.owner().clone());
    if let Some(earlier) = caller.find_earlier_response().await? {
        return Ok(earlier);
    }
    let found = find(&app, &caller, id.clone()).await?;
    let texts = find_texts(&app, (&owner.tenant, Purpose::SiteHosts), &found.record_name()).await?;
    let proven = caller
        .once(move |tx, context| {
            // Locks the tenant, so that its two environments cannot prove a host together.
            tx.tenants().get(&owner.tenant)?;
            let existing = tx.link_site_hosts().of_tenant(&owner.tenant)?;
            let host = tx.link_site_hosts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (host, change) = host.prove(&texts, &existing, context)?;
            // The audit log is in real time.
            let now = Now::new(context.now().wall(), ClockOffset::default());
            record_lost_host(tx, &host, &mut Context::new(now, context.secret()))?;
            let clock = context.now().offset();
            IdempotentResponse::ok(&host.view(Some(&reserved.target), clock), change)
        })
        .await;
    forget_after(&app, &proven);
    proven
}

/// Deletes an own host.
///
/// It stops working. Returns 409 if link sites have it.
#[utoipa::path(
    delete, path = "/alpha/linkSiteHosts/{id}", tag = "linkSites", operation_id = "deleteLinkSiteHost",
    params(("id" = LinkSiteHostId, Path, description = "The host's id")),
    responses((status = 204, description = "The host is deleted"), refusals::Act),
    security(("apiKey" = []))
)]
async fn delete(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<LinkSiteHostId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let deleted = caller
        .write(move |tx| -> ApiResult<_> {
            let host = tx.link_site_hosts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let sites = tx.link_sites().with_host(&owner, &host.host, NAMED_SITES)?;
            Ok(tx.apply(&host.delete(sites)?, now)?)
        })
        .await;
    forget_after(&app, &deleted);
    deleted.map(|()| StatusCode::NO_CONTENT)
}

/// Lets the hosts be read again if an act changed one, or may have: a database that fails may have done it. A refused act must not
/// cause reads.
fn forget_after<T>(app: &App, ended: &ApiResult<T>) {
    if ended.as_ref().err().is_none_or(|it| it.status().is_server_error()) {
        app.caches.site_hosts.forget();
    }
}

impl From<HostError> for Problem {
    fn from(refused: HostError) -> Self {
        match refused {
            HostError::Host | HostError::OfService => {
                Self::invalid_field("host", FaultCode::Invalid, refused.to_string())
            }
            HostError::Exists
            | HostError::InOtherEnvironment
            | HostError::Limit
            | HostError::NotFound
            | HostError::InUse(_) => Self::conflict(refused.to_string()),
        }
    }
}
