//! `/linkSessions`: hosted links, one-time addresses that open the widget on a page of the service.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use link_domain::invitations::hosted_link::{
    self, DEFAULT_LINK_LIFE, HostedLink as OwnedLink, NewHostedLink, VisitResult,
};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::subject::Subject;
use link_domain::tenancy::user::User;
use link_store::{ArchiveFilter, PageRequest, PageSize, Reader, Tx};
use link_types::hosted_link::{CreatedHostedLink, HostedLink};
use link_types::id::{HostedLinkId, LinkTemplateId, UserId};
use link_types::problem::{FaultCode, FieldFault};
use serde::Deserialize;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{parse_example, refusals};

/// The maximum number of archives that a response lists.
const MAX_ARCHIVES: i64 = 100;

/// Returns the routes of hosted links.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create => LinkSessionCreated)).routes(routes!(get => read))
}

/// Retrieves a hosted link.
///
/// `accounts` are all that the person started on the page; each account has its own status. The address is not returned.
#[utoipa::path(
    get, path = "/linkSessions/{id}", tag = "linkSessions", operation_id = "getLinkSession",
    params(("id" = HostedLinkId, Path, description = "The hosted link's id")),
    responses((status = 200, description = "The hosted link", body = HostedLink, example = json!(parse_example(include_str!("link_sessions/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<HostedLinkId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<HostedLink>> {
    let owner = caller.owner().clone();
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let Some(link) = reader.hosted_links().get(&owner, &id)? else { return Ok(None) };
            let result = result_of(reader, &link)?;
            Ok(Some(link.view(result)))
        })
        .await?;
    found.map(Json).ok_or_else(Problem::missing)
}

fn result_of(reader: &mut Reader<'_>, link: &OwnedLink) -> ApiResult<VisitResult> {
    let Some(visit) = &link.visit_id else { return Ok(VisitResult::default()) };
    let filter = ArchiveFilter { visit: Some(visit), ..ArchiveFilter::default() };
    let first = PageRequest::first(PageSize::new(MAX_ARCHIVES)?);
    let archives = reader.archives().list(&link.owner, filter, &first)?.items;
    Ok(VisitResult {
        accounts: reader.hosted_links().accounts(&link.id)?,
        archives: archives.into_iter().map(|it| it.id).collect(),
        last_page: reader.ui_events().last_page_of_visit(visit)?,
    })
}

/// Body of `POST /linkSessions`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateLinkSession {
    /// User who will own the account. Defaults to a new user.
    user_id: Option<UserId>,
    /// Your own identifier of the person, instead of `userId`. A user with it is created if there is none yet.
    #[schema(min_length = 1, max_length = 200, example = "customer-4711")]
    reference: Option<String>,
    /// Link template that configures the widget.
    template_id: LinkTemplateId,
    /// Address to which the person returns, with `linkSessionId` and `status` in its query. It must be exactly one of the
    /// link template's `redirectUrls`. If omitted, the person stays on the page.
    #[schema(max_length = 500, example = "https://app.example.com/linked")]
    redirect_url: Option<String>,
    /// Language of the page, as a BCP 47 tag. Defaults to that of the person's browser.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "es-MX")]
    locale: Option<String>,
    /// Whether your app opens the address, so that the page begins without a first press. Defaults to false: programs
    /// that open every link of a message do not use up the address.
    is_mobile_app: Option<bool>,
    /// Number of seconds in which the address can be opened. Defaults to 1800 (30 minutes). At most 1814400 (21 days).
    #[schema(minimum = 60, maximum = 1814400, example = 1800)]
    expires_in_seconds: Option<u32>,
}

/// Creates a hosted link.
///
/// Open `url` in the person's browser. It works once: the browser that opens it can reload the page and continue, and any
/// other gets a page that says so. After the widget closes, the person returns to `redirectUrl`.
#[utoipa::path(
    post, path = "/linkSessions", tag = "linkSessions", operation_id = "createLinkSession",
    request_body(content = CreateLinkSession, example = json!({
        "reference": "customer-4711",
        "templateId": "lt-0192f0c1a2b37c4d8e5f60718293a4b5",
        "redirectUrl": "https://app.example.com/linked",
    })),
    responses(
        (status = 201, description = "The created hosted link", body = CreatedHostedLink, example = json!(parse_example(include_str!("link_sessions/create.json")))),
        refusals::Write,
    ),
    security(("apiKey" = []))
)]
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateLinkSession>,
) -> ApiResult<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings.hosted_url.clone());
    caller
        .once(move |tx, context| {
            let known = find_checked_user(tx, &owner, &body)?;
            let new = NewHostedLink {
                owner: owner.clone(),
                reference: body.reference.clone(),
                template_id: body.template_id.clone(),
                life: body
                    .expires_in_seconds
                    .map_or(DEFAULT_LINK_LIFE, |it| Duration::from_secs(u64::from(it))),
                redirect_url: body.redirect_url.clone(),
                locale: body.locale.clone(),
                is_mobile_app: body.is_mobile_app.unwrap_or_default(),
            };
            let (link, code, change) = OwnedLink::create(known, new, context);
            let expires_at = link.terms.expires_at;
            let created = CreatedHostedLink {
                id: link.id,
                url: hosted_link::address(&hosted_url, &code),
                expires_at: expires_at.into(),
                user_id: link.user_id.clone(),
            };
            Ok(IdempotentResponse::for_created(&created, change)?
                .about(Subject::User(link.user_id))
                .secret_until(expires_at))
        })
        .await
}

/// Checks the body's references. Returns the user if it already exists.
///
/// # Errors
/// 422 with all faults.
fn find_checked_user(tx: &mut Tx<'_>, owner: &Owner, body: &CreateLinkSession) -> ApiResult<Option<User>> {
    let mut faults: Vec<FieldFault> = Vec::new();
    match tx.link_templates().get_to_cite(owner, &body.template_id)? {
        None => {
            faults.push(fault("templateId", FaultCode::Invalid, "a link template of this environment"));
        }
        Some(found) => {
            let listed = &found.template.redirect_urls;
            if body.redirect_url.as_ref().is_some_and(|it| !listed.contains(it)) {
                faults.push(fault("redirectUrl", FaultCode::Invalid, describe_redirects(listed)));
            }
        }
    }
    let known = match (&body.user_id, &body.reference) {
        (Some(_), Some(_)) => {
            faults.push(fault("reference", FaultCode::Invalid, "either userId or reference"));
            None
        }
        (Some(id), None) => {
            let found = tx.users().get(owner, id)?;
            if found.is_none() {
                faults.push(fault("userId", FaultCode::Invalid, "a user of this environment"));
            }
            found
        }
        (None, Some(reference)) => tx.users().by_reference(owner, reference)?,
        (None, None) => None,
    };
    if faults.is_empty() { Ok(known) } else { Err(Problem::invalid(faults)) }
}

/// Describes the addresses that a link template lists.
fn describe_redirects(listed: &[String]) -> String {
    if listed.is_empty() {
        return "not on the list: the link template has no redirectUrls. Add the address to them".to_owned();
    }
    format!("exactly one of the link template's redirectUrls: {}", listed.join(", "))
}
