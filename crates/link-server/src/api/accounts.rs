//! `/accounts`: the accounts that people linked.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::Change;
use link_domain::data::data_point::Known;
use link_domain::kernel::context::Context;
use link_domain::kernel::source::RevokedBy;
use link_domain::kernel::source::Source;
use link_domain::kernel::subject::Subject;
use link_domain::linking::account::{self, AccountInput, AccountSummary};
use link_domain::linking::consent::Covered;
use link_domain::use_cases::revoke_account;
use link_store::{AccountFilter, Created, PageRequest, Tx};
use link_types::account::{Account, ConnectionStatus, MonitorStatus};
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::{AccountId, LinkSiteSessionId, ProviderId, UserId};
use link_types::list::Page;
use link_types::task::Task;

use crate::api::consent_templates;
use crate::api::payload::{AccountPayload, DocumentUrls, EventLinks, points_of_source, render};
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, parse_payload, refusals};

/// Returns the routes of accounts.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list => read, by_query => AccountRevoked))
        .routes(routes!(get => read, by_path => AccountRevoked))
        .routes(routes!(payload => read))
        .routes(routes!(consent => read))
        .routes(routes!(disable_monitor => AccountMonitorDisabled))
        .routes(routes!(enable_monitor => AccountMonitorEnabled))
        .routes(routes!(refresh => AccountRefreshed))
        .routes(routes!(super::exports::create => AccountExported))
}

/// Applies a transition to an account, once for each idempotency key, and returns 204.
async fn apply_once(
    caller: TenantCaller,
    id: AccountId,
    transition: impl Fn(&mut Tx<'_>, account::Account, &mut Context) -> ApiResult<Change> + Send + 'static,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let account = tx.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change = transition(tx, account, context)?;
            Ok(IdempotentResponse::no_content(change).about(Subject::Account(id.clone())))
        })
        .await
}

/// Query of the list of accounts.
struct ListAccountsQuery {
    user_id: Option<UserId>,
    provider_id: Option<ProviderId>,
    connection_status: Option<ConnectionStatus>,
    monitor_status: Option<MonitorStatus>,
    link_site_session_id: Option<LinkSiteSessionId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListAccountsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.take_optional("userId", "Return only accounts of this user", "a user's id"),
            provider_id: query.take_optional(
                "providerId",
                "Return only accounts at this provider",
                "a provider's id",
            ),
            connection_status: query.take_optional(
                "connectionStatus",
                "Return only accounts with this status",
                "PENDING, AWAITING_MFA, ERROR, CONNECTED or DISCONNECTED",
            ),
            monitor_status: query.take_optional(
                "monitorStatus",
                "Return only accounts with this status of continuous sync",
                "UNSUPPORTED, ACTIVE, USER_ACTION_REQUIRED or CUSTOMER_DISABLED",
            ),
            link_site_session_id: query.visit(),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists accounts, newest first.
///
/// The list contains accounts in every status, also disconnected ones, which have no data. The filters can be combined.
#[utoipa::path(
    get, path = "/accounts", tag = "accounts", operation_id = "listAccounts",
    params(Query<ListAccountsQuery>),
    responses((status = 200, description = "A page of accounts", body = Page<Account>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListAccountsQuery>,
) -> ApiResult<Json<Page<Account>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter = AccountFilter {
                user: query.user_id.as_ref(),
                provider: query.provider_id.as_ref(),
                connection: query.connection_status,
                monitor: query.monitor_status,
                visit: query.link_site_session_id.as_ref(),
                created: query.created,
            };
            Ok(reader.accounts().summaries(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, AccountSummary::view)))
}

/// Retrieves an account.
///
/// A disconnected account remains until its user is erased. `connection.endReason` says whether it was revoked or has
/// expired.
#[utoipa::path(
    get, path = "/accounts/{id}", tag = "accounts", operation_id = "getAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account", body = Account, example = json!(parse_example(include_str!("accounts/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Account>> {
    let owner = caller.owner().clone();
    let account =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.accounts().summary(&owner, &id)?) }).await?;
    account.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}

/// Retrieves all data points of an account.
///
/// The response has the account in `metadata`, and one key for each kind of data points. Lists are
/// `{items, nextCursor}` as in webhooks; they are complete, so `nextCursor` is null. An empty list is null. Returns 404 once the account's data is erased.
#[utoipa::path(
    get, path = "/accounts/{id}/payload", tag = "accounts", operation_id = "getAccountPayload",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's data points", body = AccountPayload, example = json!(parse_payload(include_str!("accounts/payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn payload(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::for_caller(&app, &caller));
    let (account, by_kind) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let account = reader
                .accounts()
                .get(&owner, &id)?
                .filter(account::Account::has_data)
                .ok_or_else(Problem::missing)?;
            let points = points_of_source(reader, &owner, id.as_str(), &urls)?;
            Ok((account, points))
        })
        .await?;
    Ok(list::json_bytes(render(&account.view(), &by_kind)?))
}

/// Retrieves the consent that was given when the account was linked.
///
/// When the account's data is erased, a minimal receipt remains: the template, the version, the hash of the text,
/// the times, and how the consent ended. The other fields are null then.
#[utoipa::path(
    get, path = "/accounts/{id}/consent", tag = "accounts", operation_id = "getAccountConsent",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The consent receipt", body = ConsentRecord, example = json!(parse_example(include_str!("accounts/consent.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn consent(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ConsentRecord>> {
    let owner = caller.owner().clone();
    let record = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let account = reader.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let covered = Covered {
                source_id: account.id.to_string(),
                source_type: SourceType::Account,
                user_id: account.user_id.clone(),
            };
            consent_templates::record(reader, &owner, covered, account.kept_consent())
        })
        .await?;
    Ok(Json(record))
}

/// Query of `DELETE /accounts`. The id is required, so that no request revokes all accounts.
struct RevokeAccountQuery {
    id: Option<AccountId>,
}

impl FromQuery for RevokeAccountQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { id: query.take_required("id", "The account's id", "an account's id") }
    }
}

/// Revokes the account with this `id`.
///
/// The account's data is erased. The account itself remains, with the status DISCONNECTED.
#[utoipa::path(
    delete, path = "/accounts", tag = "accounts", operation_id = "revokeAccountByQuery",
    params(Query<RevokeAccountQuery>),
    responses((status = 204, description = "The account is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
async fn by_query(caller: TenantCaller, Query(query): Query<RevokeAccountQuery>) -> ApiResult<StatusCode> {
    let id = query.id.ok_or_else(Problem::missing)?;
    revoke(&caller, id).await
}

/// Revokes an account.
///
/// The account's data is erased. The account itself remains, with the status DISCONNECTED.
#[utoipa::path(
    delete, path = "/accounts/{id}", tag = "accounts", operation_id = "revokeAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "The account is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
async fn by_path(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    revoke(&caller, id).await
}

async fn revoke(caller: &TenantCaller, id: AccountId) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    caller
        .write(move |tx| {
            let account = tx.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change = revoke_account(account, RevokedBy::Tenant, &mut context.clone())?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads an account in continuous sync again now.
///
/// Returns the task that reports the reading: the one in progress, if there is one. A reading that failed and waits
/// for another try is tried now. At most one request an hour starts a reading or a try; others return 429. An account
/// whose `monitorStatus` is not ACTIVE returns 409.
#[utoipa::path(
    post, path = "/accounts/{id}/refresh", tag = "accounts", operation_id = "refreshAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 202, description = "The task that reports the reading", body = Task, example = json!(parse_example(include_str!("accounts/refresh.json")))), refusals::Write),
    security(("apiKey" = []))
)]
async fn refresh(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let account = tx.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (account, change) = account.apply(AccountInput::Refresh, context)?;
            let task = account.running_task().ok_or_else(|| Problem::system("No reading was started"))?;
            let response = IdempotentResponse::new(StatusCode::ACCEPTED, &task.view(), change)?;
            Ok(response.about(Subject::Account(id.clone())))
        })
        .await
}

/// Restarts continuous sync of an account.
///
/// If the person must sign in again first, sync continues after that.
#[utoipa::path(
    post, path = "/accounts/{id}/enableMonitor", tag = "accounts", operation_id = "enableMonitor",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "Continuous sync is enabled"), refusals::Write),
    security(("apiKey" = []))
)]
async fn enable_monitor(
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    apply_once(caller, id, |_, account, context| Ok(account.apply(AccountInput::EnableMonitor, context)?.1))
        .await
}

/// Stops continuous sync of an account.
///
/// Its data remains, and `monitorStatus` becomes CUSTOMER_DISABLED. Returns 409 if the account is not connected, or has
/// no continuous sync.
#[utoipa::path(
    post, path = "/accounts/{id}/disableMonitor", tag = "accounts", operation_id = "disableMonitor",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "Continuous sync is stopped"), refusals::Write),
    security(("apiKey" = []))
)]
async fn disable_monitor(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    apply_once(caller, id, move |tx, account, context| {
        let known = Known::from_points(tx.data_points().of_account(&account.owner, &account.id)?);
        let source = Source::Account(account.id.clone());
        let links = EventLinks::new(&app, tx, (&account.owner, &source), context.now().wall())?;
        let input = AccountInput::DisableMonitor { known: known.map_err(Problem::system)?, links: &links };
        Ok(account.apply(input, context)?.1)
    })
    .await
}
