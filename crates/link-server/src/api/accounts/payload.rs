//! `GET /accounts/{id}/payload`: returns all data points of an account.

use axum::extract::State;
use axum::response::Response;
use link_domain::linking::account::Account;
use link_types::id::AccountId;
use link_types::list::Page;

use crate::api::document_urls::DocumentUrls;
use crate::api::payload::{points_of_source, render};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// All data points of an account, with one key for each kind. A kind without data points is null.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields: the response contains the stored bodies")]
pub struct AccountPayload {
    metadata: link_types::account::Account,
    identity: Option<link_types::data::Identity>,
    rating: Option<link_types::data::Rating>,
    documents: Option<Page<link_types::data::Document>>,
    incomes: Option<Page<link_types::data::Income>>,
    transactions: Option<Page<link_types::data::Transaction>>,
    employments: Option<Page<link_types::data::Employment>>,
    contributions: Option<Page<link_types::data::Contribution>>,
    liabilities: Option<Page<link_types::data::Liability>>,
    eincomes: Option<Page<link_types::data::EstimatedIncome>>,
    links: Option<Page<link_types::data::Link>>,
    insight: Option<link_types::data::Insight>,
}

/// Retrieves all data points of an account.
///
/// The response has the account in `metadata`, and one key for each kind of data points. Lists are
/// `{items, nextCursor}` as in webhooks; they are complete, so `nextCursor` is null. An empty list is null. Returns 404 once the account's data is erased.
#[utoipa::path(
    get, path = "/accounts/{id}/payload", tag = "accounts", operation_id = "getAccountPayload",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's data points", body = AccountPayload, example = json!(shown(include_str!("payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::of(&app, &caller));
    let (account, by_kind) = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let account =
                reader.accounts().get(&owner, &id)?.filter(Account::has_data).ok_or_else(Problem::missing)?;
            let points = points_of_source(reader, &owner, id.as_str(), &urls)?;
            Ok((account, points))
        })
        .await?;
    Ok(list::json_bytes(render(&account.view(), &by_kind)?))
}
