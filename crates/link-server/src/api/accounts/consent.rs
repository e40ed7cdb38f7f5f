//! `GET /accounts/{id}/consent`: returns the consent receipt of an account.

use axum::Json;
use axum::extract::State;
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::AccountId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PathId, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the consent that was given when the account was linked.
///
/// The consent is erased with the account's data.
#[utoipa::path(
    get, path = "/accounts/{id}/consent", tag = "accounts", operation_id = "getAccountConsent",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The consent receipt", body = ConsentRecord, example = json!(shown(include_str!("consent.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ConsentRecord>> {
    let owner = caller.owner().clone();
    let record = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let account = reader.accounts().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let consent = account.consent.ok_or_else(Problem::missing)?;
            let template = reader
                .consent_templates()
                .get_kept(&owner, &consent.receipt.consent_template_id)?
                .ok_or_else(|| Problem::system("A consent refers to a missing template"))?;
            Ok(consent.record(account.id.to_string(), SourceType::Account, account.user_id, &template))
        })
        .await?;
    Ok(Json(record))
}
