//! `GET /users/{id}/payload`: returns all data points of a user, from all accounts and archives.

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use link_types::data::{
    Contribution, Document, Employment, EstimatedIncome, Identity, Income, Insight, Liability, Link, Rating,
    Transaction, WithMetadata,
};
use link_types::id::UserId;
use link_types::list::Page;
use link_types::user::User;

use crate::api::document_urls::DocumentUrls;
use crate::api::payload::UserPieces;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// All data points of a user, with one key for each kind.
///
/// A kind without data points is null. The metadata of each data point names its account or archive. Only the newest
/// identity, rating and insight are included; their list endpoints return all of them.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields: the response contains the stored bodies")]
pub struct UserPayload {
    metadata: User,
    identity: Option<WithMetadata<Identity>>,
    rating: Option<WithMetadata<Rating>>,
    documents: Option<Page<WithMetadata<Document>>>,
    incomes: Option<Page<WithMetadata<Income>>>,
    transactions: Option<Page<WithMetadata<Transaction>>>,
    employments: Option<Page<WithMetadata<Employment>>>,
    contributions: Option<Page<WithMetadata<Contribution>>>,
    liabilities: Option<Page<WithMetadata<Liability>>>,
    eincomes: Option<Page<WithMetadata<EstimatedIncome>>>,
    links: Option<Page<WithMetadata<Link>>>,
    insight: Option<WithMetadata<Insight>>,
}

/// Retrieves all data points of a user.
///
/// The response has the user in `metadata`, and one key for each kind of data points, over all accounts and archives of
/// the user. Lists are `{items, nextCursor}` as in webhooks; they are complete, so `nextCursor` is null. An
/// empty list is null.
#[utoipa::path(
    get, path = "/users/{id}/payload", tag = "users", operation_id = "getUserPayload",
    params(("id" = UserId, Path, description = "The user's id")),
    responses((status = 200, description = "The user's data points", body = UserPayload, example = json!(shown(include_str!("payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::of(&app, &caller));
    let user =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.users().get(&owner, &id)?) }).await?;
    let user = user.ok_or_else(Problem::missing)?;
    let mut head = b"{\"metadata\":".to_vec();
    head.extend(serde_json::to_vec(&user.view()).map_err(Problem::system)?);
    let pieces = UserPieces::new(app.store().clone(), user.owner, user.id, urls);
    let points = futures_util::stream::try_unfold(pieces, |mut pieces| async move {
        // The response has already started, so it can only be cut off. The client then notices that it is incomplete.
        let piece = pieces
            .next()
            .await
            .map_err(|_| std::io::Error::other("A payload could not be read completely"))?;
        Ok::<_, std::io::Error>(piece.map(|piece| (piece, pieces)))
    });
    let body = Body::from_stream(futures_util::stream::iter([Ok(head)]).chain(points));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}
