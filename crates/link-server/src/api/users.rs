//! `/users`: a tenant's end users.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, body};
use futures_util::StreamExt as _;
use link_domain::change::{Change, Row};
use link_domain::kernel::subject::Subject;
use link_domain::linking::link::LinkToken;
use link_domain::tenancy::user;
use link_domain::use_cases::MAX_ERASED_AT_ONCE;
use link_domain::use_cases::{NewUser, provide_user};
use link_store::{Created, PageRequest};
use link_types::id::UserId;
use link_types::link::Token;
use link_types::list::Page;
use link_types::user::{User, UserWithToken};
use serde::Deserialize;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::api::payload::{DocumentUrls, UserPayload, UserPieces};
use crate::api::resource_limits::room_for_a_token;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{optional_map, parse_example, parse_payload, refusals};

/// Returns the routes of users.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => UserCreated, list => read))
        .routes(routes!(get => read, update => UserUpdated, delete => UserDeleted))
        .routes(routes!(payload => read))
}

/// Query of the list of users.
struct ListUsersQuery {
    reference: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListUsersQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            reference: query.text("reference", "Return only the user with this reference", 200),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists users, newest first.
///
/// The users are returned without link tokens.
#[utoipa::path(
    get, path = "/users", tag = "users", operation_id = "listUsers",
    params(Query<ListUsersQuery>),
    responses((status = 200, description = "A page of users", body = Page<User>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListUsersQuery>,
) -> ApiResult<Json<Page<User>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            Ok(reader.users().list(&owner, query.reference.as_deref(), query.created, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |user| user.view())))
}

/// Retrieves a user with a new link token.
///
/// A user can have 100 tokens that are neither used nor expired. Creating another deletes the oldest one.
#[utoipa::path(
    get, path = "/users/{id}", tag = "users", operation_id = "getUser",
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 200, description = "The user", body = UserWithToken, example = json!(parse_example(include_str!("users/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<UserWithToken>> {
    let (owner, context, life) = (caller.owner().clone(), caller.context(), app.settings.token_life());
    let user = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let user = tx.users().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            room_for_a_token(tx, &user, context.now().tenant())?;
            let (issued, token) =
                LinkToken::issue(owner.clone(), user.id.clone(), life, &mut context.clone());
            tx.apply(&Change::row(Row::LinkToken(issued)), context.now())?;
            Ok(with_token(&user, token))
        })
        .await?;
    Ok(Json(user))
}

/// Returns a user as shown in the two responses that contain a token.
fn with_token(user: &user::User, token: Token) -> UserWithToken {
    let view = user.view();
    UserWithToken {
        id: view.id,
        created_at: view.created_at,
        reference: view.reference,
        external_metadata: view.external_metadata,
        proven_email: view.proven_email,
        token,
    }
}

/// Body of `POST /users`. An empty object, or no body, creates a user without a reference.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateUser {
    /// Your own identifier of the person. If a user with this reference exists, that user is returned.
    #[schema(min_length = 1, max_length = 200)]
    reference: Option<String>,
    /// At most 5 key-value pairs to store with the user. Replaces those of an existing user. If it is omitted or null,
    /// an existing user keeps its pairs.
    #[schema(schema_with = metadata_schema)]
    external_metadata: Option<BTreeMap<String, String>>,
}

fn metadata_schema() -> Object {
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
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateUser>,
) -> ApiResult<Response> {
    let (owner, life) = (caller.owner().clone(), app.settings.token_life());
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
            let view = with_token(&provided.user, provided.token);
            Ok(IdempotentResponse::new(status, &view, provided.change)?
                .about(Subject::User(provided.user.id))
                .secret_until(provided.token_expires_at))
        })
        .await
}

/// Body of `PATCH /users/{id}`. A field that is omitted or null is unchanged.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateUser {
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
async fn update(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Body(body): Body<UpdateUser>,
) -> ApiResult<Json<User>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let user = app
        .store
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

/// Erases a user and all of the user's data.
///
/// This includes accounts, archives, invitations, forms, tasks, tokens and sessions. Active accounts and archives are
/// revoked first, which emits their events. If a user has more than 20 resources, a background job erases the remaining
/// ones shortly afterwards.
#[utoipa::path(
    delete, path = "/users/{id}", tag = "users", operation_id = "deleteUser",
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 204, description = "The user is erased"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    caller
        .write(move |tx| {
            let mut context = context.clone();
            let user = tx.users().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let user_data = tx.users().data(&owner, &id, MAX_ERASED_AT_ONCE)?;
            let change = user.erase(user_data, &mut context);
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Retrieves all data points of a user.
///
/// The response has the user in `metadata`, and one key for each kind of data points, over all accounts and archives of
/// the user. Lists are `{items, nextCursor}` as in webhooks; they are complete, so `nextCursor` is null. An
/// empty list is null.
#[utoipa::path(
    get, path = "/users/{id}/payload", tag = "users", operation_id = "getUserPayload",
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 200, description = "The user's data points", body = UserPayload, example = json!(parse_payload(include_str!("users/payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn payload(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::for_caller(&app, &caller));
    let user = app.store.read(move |reader| -> ApiResult<_> { Ok(reader.users().get(&owner, &id)?) }).await?;
    let user = user.ok_or_else(Problem::missing)?;
    let mut head = b"{\"metadata\":".to_vec();
    head.extend(serde_json::to_vec(&user.view()).map_err(Problem::system)?);
    let pieces = UserPieces::new(app.store.clone(), user.owner, user.id, urls);
    let points = futures_util::stream::try_unfold(pieces, |mut pieces| async move {
        // The response has already started, so it can only be cut off. The client then notices that it is incomplete.
        let piece = pieces
            .next()
            .await
            .map_err(|_| std::io::Error::other("A payload could not be read completely"))?;
        Ok::<_, std::io::Error>(piece.map(|piece| (piece, pieces)))
    });
    let body = body::Body::from_stream(futures_util::stream::iter([Ok(head)]).chain(points));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}
