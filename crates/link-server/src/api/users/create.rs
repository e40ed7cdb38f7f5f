//! `POST /users`: creates a user, or retrieves the one with this `reference`. Both also create a link token.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::notifications::event::Subject;
use link_domain::use_cases::{NewUser, provide_user};
use link_types::user::UserWithToken;
use serde::Deserialize;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::api::resource_limits::room_for_a_token;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::ApiResult;
use crate::openapi::{optional_map, refusals};

/// Body of `POST /users`. An empty object, or no body, creates a user without a reference.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateUser {
    /// Your own identifier of the person. If a user with this reference exists, that user is returned.
    #[schema(min_length = 1, max_length = 200)]
    reference: Option<String>,
    /// At most 5 key-value pairs to store with the user. Replaces those of an existing user. If it is omitted or null,
    /// an existing user keeps its pairs.
    #[schema(schema_with = metadata_schema)]
    external_metadata: Option<BTreeMap<String, String>>,
}

pub(super) fn metadata_schema() -> Object {
    let ascii = || ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[\\x20-\\x7E]*$"));
    optional_map(
        "At most 5 key-value pairs of printable ASCII. Keys have at most 50 characters, values at most 500.",
        5,
        ascii().min_length(Some(1)).max_length(Some(50)),
        ascii().max_length(Some(500)).into(),
    )
}

/// Creates a user, or retrieves the user with this reference.
///
/// `externalMetadata` replaces that of an existing user. The response contains a new link token. A user can have 100
/// tokens that are neither used nor expired. Creating another deletes the oldest one.
#[utoipa::path(
    post, path = "/users", tag = "users", operation_id = "createUser",
    request_body(content = CreateUser, example = json!({"reference": "customer-4711", "externalMetadata": {"branch": "north"}})),
    responses(
        (status = 201, description = "The created user", body = UserWithToken),
        (status = 200, description = "The existing user with this reference", body = UserWithToken),
        refusals::Write,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateUser>,
) -> ApiResult<Response> {
    let (owner, life) = (caller.owner().clone(), app.token_life());
    caller
        .once(move |tx, context| {
            let known = match &body.reference {
                Some(reference) => tx.users().by_reference(&owner, reference)?,
                None => None,
            };
            if let Some(user) = &known {
                room_for_a_token(tx, user, context.now().tenant())?;
            }
            let new = NewUser {
                owner: owner.clone(),
                reference: body.reference.clone(),
                external_metadata: body.external_metadata.clone(),
            };
            let provided = provide_user(known, new, life, context);
            let status = if provided.is_new { StatusCode::CREATED } else { StatusCode::OK };
            let view = super::get::with_token(&provided.user, provided.token);
            Ok(IdempotentResponse::new(status, &view, provided.change)?
                .about(Subject::User(provided.user.id))
                .secret_until(provided.token_expires_at))
        })
        .await
}
