//! `POST /users`: creates a user, or retrieves the one with this `reference`; either way with a link token.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::event::Subject;
use link_domain::link::LinkToken;
use link_domain::user::User;
use link_types::user::UserWithToken;
use serde::Deserialize;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema, Type};

use crate::app::App;
use crate::endpoints::quotas::room_for_a_token;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Body of `POST /users`. An empty object makes a user without a reference.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateUser {
    /// The tenant's own key of the person: a known one retrieves the user.
    #[schema(min_length = 1, max_length = 200)]
    reference: Option<String>,
    /// At most 5 pairs to keep beside the user.
    #[serde(default)]
    #[schema(schema_with = metadata_schema)]
    external_metadata: BTreeMap<String, String>,
}

fn metadata_schema() -> Object {
    let ascii = "^[\\x20-\\x7E]*$";
    let mut object = ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some("At most 5 pairs of printable ASCII; keys to 50 characters, values to 500."))
        .max_properties(Some(5))
        .additional_properties(Some(AdditionalProperties::RefOr(RefOr::T(Schema::Object(
            ObjectBuilder::new().schema_type(Type::String).max_length(Some(500)).pattern(Some(ascii)).build(),
        )))))
        .build();
    object.property_names = Some(Box::new(
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(50))
            .pattern(Some(ascii))
            .build()
            .into(),
    ));
    object
}

/// Create a user, or retrieve the one with this reference; the answer carries a fresh link token. Of more than
/// 100 that are neither used nor expired, the oldest goes.
#[utoipa::path(
    post, path = "/users", tag = "users", operation_id = "createUser",
    request_body(content = CreateUser, example = json!({"reference": "customer-4711", "externalMetadata": {"branch": "north"}})),
    responses(
        (status = 201, description = "Created", body = UserWithToken),
        (status = 200, description = "Retrieved by its reference", body = UserWithToken),
        refusals::Write,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateUser>,
) -> Answer<Response> {
    let (owner, life) = (caller.owner().clone(), app.token_life());
    caller
        .once(move |tx, context| {
            let known = match &body.reference {
                Some(reference) => tx.user_by_reference(&owner, reference)?,
                None => None,
            };
            let (status, user, created) = match known {
                Some(user) => {
                    room_for_a_token(tx, &user, context.now().tenant())?;
                    (StatusCode::OK, user, Change::default())
                }
                None => {
                    let (reference, metadata) = (body.reference.clone(), body.external_metadata.clone());
                    let (user, change) = User::create(owner.clone(), reference, metadata, context);
                    (StatusCode::CREATED, user, change)
                }
            };
            let (issued, token) = LinkToken::issue(owner.clone(), user.id.clone(), life, context);
            let (ends, subject) = (issued.expires_at, Subject::User(user.id.clone()));
            let change = created.then(Change::row(Row::LinkToken(issued)));
            let view = super::get::with_token(&user, token);
            Ok(Effect::new(status, &view, change)?.about(subject).secret_until(ends))
        })
        .await
}
