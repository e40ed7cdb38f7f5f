//! `GET /accounts/{id}/consent`: returns the consent receipt of an account.

use axum::Json;
use axum::extract::State;
use link_domain::linking::consent::Covered;
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::AccountId;

use crate::api::consent_record;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the consent that was given when the account was linked.
///
/// When the account's data is erased, a minimal receipt remains: the template, the version, the hash of the text,
/// the times, and how the consent ended. The other fields are null then.
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
            let covered = Covered {
                source_id: account.id.to_string(),
                source_type: SourceType::Account,
                user_id: account.user_id.clone(),
            };
            consent_record::record(reader, &owner, covered, account.kept_consent())
        })
        .await?;
    Ok(Json(record))
}
