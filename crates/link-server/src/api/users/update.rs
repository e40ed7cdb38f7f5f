//! `PATCH /users/{id}`: updates the metadata of a user.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use link_types::id::UserId;
use link_types::user::User;
use serde::Deserialize;

use super::create::metadata_schema;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Body of `PATCH /users/{id}`. A field that is omitted or null is unchanged.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateUser {
    /// At most 5 key-value pairs. Replaces all pairs of the user.
    #[schema(schema_with = metadata_schema)]
    external_metadata: Option<BTreeMap<String, String>>,
}

/// Updates the metadata of a user.
///
/// The pairs in `externalMetadata` replace all pairs of the user; an empty object removes them. The `reference` of a user
/// never changes. The response contains no link token, and no event is emitted.
#[utoipa::path(
    patch, path = "/users/{id}", tag = "users", operation_id = "updateUser",
    request_body(content = UpdateUser, example = json!({"externalMetadata": {"branch": "south"}})),
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 200, description = "The updated user", body = User), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Body(body): Body<UpdateUser>,
) -> ApiResult<Json<User>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let user = app
        .store()
        .write(move |tx| -> ApiResult<_> {
            let user = tx.users().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let Some(metadata) = body.external_metadata.clone() else { return Ok(user) };
            let (user, change) = user.with_metadata(metadata);
            tx.apply(&change, now)?;
            Ok(user)
        })
        .await?;
    Ok(Json(user.view()))
}
