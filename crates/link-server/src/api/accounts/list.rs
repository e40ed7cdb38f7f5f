//! `GET /accounts`: lists the accounts of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_domain::linking::account::AccountSummary;
use link_store::{AccountFilter, Created, PageRequest};
use link_types::account::{Account, ConnectionStatus, MonitorStatus};
use link_types::id::{LinkSiteSessionId, ProviderId, UserId};
use link_types::list::Page;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of accounts.
pub(super) struct ListAccountsQuery {
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
            user_id: query.optional("userId", "Return only accounts of this user", "a user's id"),
            provider_id: query.optional(
                "providerId",
                "Return only accounts at this provider",
                "a provider's id",
            ),
            connection_status: query.optional(
                "connectionStatus",
                "Return only accounts with this status",
                "PENDING, AWAITING_MFA, ERROR, CONNECTED or DISCONNECTED",
            ),
            monitor_status: query.optional(
                "monitorStatus",
                "Return only accounts with this status of continuous sync",
                "UNSUPPORTED, ACTIVE, USER_ACTION_REQUIRED or CUSTOMER_DISABLED",
            ),
            link_site_session_id: query.visit(),
            created: query.created(),
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
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListAccountsQuery>,
) -> ApiResult<Json<Page<Account>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
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
