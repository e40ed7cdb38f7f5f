//! `/alpha/socialSecurities` and `/socialSecurities`, which are the same: social security records of people.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::kernel::subject::Subject;
use link_domain::lookups::record::Record;
use link_store::{Created, PageRequest, Watched};
use link_types::Mode;
use link_types::id::{RecordId, UserId};
use link_types::list::Page;
use link_types::problem::FaultCode;
use link_types::record::{SocialSecurity, SocialSecurityRequest};
use serde_json::{Value, json};

use crate::api::consent_templates;
use crate::app::App;
use crate::app::long_polls::Poller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::http::{list, polling};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of social security records.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create_alpha => RecordCreated, list_alpha => read))
        .routes(routes!(get_alpha => read, erase_alpha => RecordDeleted))
        .routes(routes!(create_plain => RecordCreated, list_plain => read))
        .routes(routes!(get_plain => read, erase_plain => RecordDeleted))
}

/// Query of the list of records.
struct ListSocialSecuritiesQuery {
    user_id: Option<UserId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListSocialSecuritiesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.take_optional("userId", "Return only records of this user", "a user's id"),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists social security records, newest first.
///
/// The list contains records in every status. Listing is free of charge.
#[utoipa::path(
    get, path = "/alpha/socialSecurities", tag = "records", operation_id = "listAlphaSocialSecurities",
    params(Query<ListSocialSecuritiesQuery>),
    responses((status = 200, description = "A page of records", body = Page<SocialSecurity>), refusals::List),
    security(("apiKey" = []))
)]
async fn list_alpha(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListSocialSecuritiesQuery>,
) -> ApiResult<Json<Page<SocialSecurity>>> {
    records(&app, &caller, query).await
}

/// Lists social security records, newest first. Same as `GET /alpha/socialSecurities`.
///
/// The path without `/alpha` returns the same list, because a part of the interface describes it.
#[utoipa::path(
    get, path = "/socialSecurities", tag = "records", operation_id = "listSocialSecurities",
    params(Query<ListSocialSecuritiesQuery>),
    responses((status = 200, description = "A page of records", body = Page<SocialSecurity>), refusals::List),
    security(("apiKey" = []))
)]
async fn list_plain(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListSocialSecuritiesQuery>,
) -> ApiResult<Json<Page<SocialSecurity>>> {
    records(&app, &caller, query).await
}

async fn records(
    app: &App,
    caller: &TenantCaller,
    query: ListSocialSecuritiesQuery,
) -> ApiResult<Json<Page<SocialSecurity>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            Ok(reader.records().list(&owner, query.user_id.as_ref(), query.created, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |record| record.view())))
}

/// How long a request in the sandbox waits for the record to be complete.
///
/// The first request thus already gets the result.
const SANDBOX_TIMEOUT: Duration = Duration::from_secs(5);

/// Retrieves a social security record.
///
/// In the sandbox, the response waits until the record is complete, for at most 5 seconds.
#[utoipa::path(
    get, path = "/alpha/socialSecurities/{id}", tag = "records", operation_id = "getAlphaSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 200, description = "The record", body = SocialSecurity, example = json!(parse_example(include_str!("social_securities/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get_alpha(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<SocialSecurity>> {
    record(&app, &caller, id).await
}

/// Retrieves a social security record. Same as `GET /alpha/socialSecurities/{id}`.
///
/// In the sandbox, the response waits until the record is complete, for at most 5 seconds.
#[utoipa::path(
    get, path = "/socialSecurities/{id}", tag = "records", operation_id = "getSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 200, description = "The record", body = SocialSecurity, example = json!(parse_example(include_str!("social_securities/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get_plain(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<SocialSecurity>> {
    record(&app, &caller, id).await
}

async fn record(app: &App, caller: &TenantCaller, id: RecordId) -> ApiResult<Json<SocialSecurity>> {
    let owner = caller.owner();
    let timeout = match owner.mode {
        Mode::Sandbox => SANDBOX_TIMEOUT,
        Mode::Production => Duration::ZERO,
    };
    let whose = Poller { tenant: owner.tenant.clone(), session: None };
    let waits = (whose, Watched::Record(id.clone()), timeout);
    let is_complete = |record: &Record| !record.is_processing();
    let look = async || -> ApiResult<Record> {
        let (owner, id) = (owner.clone(), id.clone());
        let found =
            app.store.read(move |reader| -> ApiResult<_> { Ok(reader.records().get(&owner, &id)?) }).await?;
        found.ok_or_else(Problem::missing)
    };
    let record = polling::wait_for_change(app, waits, |record| record.version, is_complete, look).await?;
    Ok(Json(record.view()))
}

/// Returns the example body.
fn example() -> Value {
    json!({
        "templateId": "tpl-sss003001",
        "consent": {
            "consentedAt": "2026-11-20T11:07:11.000Z",
            "type": "TERMS",
            "version": "1.0",
            "consentedWith": "I agree that Demo Company asks for my data.",
        },
        "mobileNumber": "525500000100",
        "fullName": "Valeria Montelongo Olmedal",
        "curp": "HEGG560427MVZRRL04",
        "emailAddress": "valeria@example.com",
    })
}

/// Requests a social security record.
///
/// The event RECORD_COMPLETED reports when the record has its result.
#[utoipa::path(
    post, path = "/alpha/socialSecurities", tag = "records", operation_id = "createAlphaSocialSecurity",
    request_body(content = SocialSecurityRequest, example = json!(example())),
    responses((status = 201, description = "The record, with the status PROCESSING", body = SocialSecurity, example = json!(parse_example(include_str!("social_securities/create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
async fn create_alpha(caller: TenantCaller, Body(body): Body<SocialSecurityRequest>) -> ApiResult<Response> {
    create(&caller, body).await
}

/// Requests a social security record. Same as `POST /alpha/socialSecurities`.
///
/// The event RECORD_COMPLETED reports when the record has its result.
#[utoipa::path(
    post, path = "/socialSecurities", tag = "records", operation_id = "createSocialSecurity",
    request_body(content = SocialSecurityRequest, example = json!(example())),
    responses((status = 201, description = "The record, with the status PROCESSING", body = SocialSecurity, example = json!(parse_example(include_str!("social_securities/create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
async fn create_plain(caller: TenantCaller, Body(body): Body<SocialSecurityRequest>) -> ApiResult<Response> {
    create(&caller, body).await
}

async fn create(caller: &TenantCaller, request: SocialSecurityRequest) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            consent_templates::check_cited(tx, &owner, request.consent.consent_template_id.as_ref())?;
            if let Some(id) = &request.user_id
                && tx.users().get(&owner, id)?.is_none()
            {
                return Err(Problem::invalid_field(
                    "userId",
                    FaultCode::Invalid,
                    "a user of this environment",
                ));
            }
            let (record, change) = Record::create(owner.clone(), request.clone(), context);
            Ok(IdempotentResponse::for_created(&record.view(), change)?.about(Subject::Record(record.id)))
        })
        .await
}

/// Erases a social security record.
///
/// Its events remain, with ids and codes only.
#[utoipa::path(
    delete, path = "/alpha/socialSecurities/{id}", tag = "records", operation_id = "deleteAlphaSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 204, description = "The record is erased"), refusals::Read),
    security(("apiKey" = []))
)]
async fn erase_alpha(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    erase(&app, &caller, id).await
}

/// Erases a social security record. Same as `DELETE /alpha/socialSecurities/{id}`.
///
/// Its events remain, with ids and codes only.
#[utoipa::path(
    delete, path = "/socialSecurities/{id}", tag = "records", operation_id = "deleteSocialSecurity",
    params(("id" = RecordId, Path, description = "The record's id")),
    responses((status = 204, description = "The record is erased"), refusals::Read),
    security(("apiKey" = []))
)]
async fn erase_plain(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<RecordId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    erase(&app, &caller, id).await
}

async fn erase(app: &App, caller: &TenantCaller, id: RecordId) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let record = tx.records().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&record.erase(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
