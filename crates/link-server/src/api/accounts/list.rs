//! `GET /accounts`: lists the accounts of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_domain::account::AccountSummary;
use link_store::{AccountFilter, Created, PageRequest};
use link_types::account::Account;
use link_types::id::UserId;
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
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListAccountsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "Return only accounts of this user", "a user's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists accounts, newest first.
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
            let filter = AccountFilter { user: query.user_id.as_ref(), created: query.created };
            Ok(reader.accounts().summaries(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, AccountSummary::view)))
}
