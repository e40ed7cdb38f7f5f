//! `POST /link/accounts/{id}/revocation`: creates the confirmation that revoking an account requires.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::linking::link::confirmation;
use link_store::Label;
use link_types::id::AccountId;
use link_types::uploading::Revocation;

use super::own::own;
use crate::app::App;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Creates the confirmation that revoking an account requires.
///
/// The confirmation is valid in this session for 10 minutes.
#[utoipa::path(
    post, path = "/link/accounts/{id}/revocation", tag = "link", operation_id = "askToRevokeAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 201, description = "The confirmation", body = Revocation, example = json!(shown(include_str!("revocation.json")))), refusals::Act),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: ComputerCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<(StatusCode, Json<Revocation>)> {
    let (session, reach, now) = (caller.session().clone(), caller.reach(), caller.now().wall());
    let confirmation = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let account = own(reader.accounts().get(&session.owner, &id)?, &reach)?;
            let key = reader.derived_key(Label::Confirmation);
            Ok(confirmation(&key, &session.id, account.id.as_str(), now))
        })
        .await?;
    Ok((StatusCode::CREATED, Json(Revocation { confirmation })))
}
