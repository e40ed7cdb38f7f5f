//! `GET /users/{id}/payload`: everything known of a user, through whatever account or archive.

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
use link_types::user::User;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::endpoints::payload::UserPieces;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Everything known of one user, in the keys of the interface. Each data point says with its metadata what it came
/// from; of identities, ratings and insights the newest is shown, and their lists have all.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "only the document reads these fields: the bodies are passed on as they are stored"
)]
pub struct UserPayload {
    metadata: User,
    identity: Option<WithMetadata<Identity>>,
    rating: Option<WithMetadata<Rating>>,
    documents: Option<Vec<WithMetadata<Document>>>,
    incomes: Option<Vec<WithMetadata<Income>>>,
    transactions: Option<Vec<WithMetadata<Transaction>>>,
    employments: Option<Vec<WithMetadata<Employment>>>,
    contributions: Option<Vec<WithMetadata<Contribution>>>,
    liabilities: Option<Vec<WithMetadata<Liability>>>,
    eincomes: Option<Vec<WithMetadata<EstimatedIncome>>>,
    links: Option<Vec<WithMetadata<Link>>>,
    insight: Option<WithMetadata<Insight>>,
}

/// Everything known of a user.
#[utoipa::path(
    get, path = "/users/{id}/payload", tag = "users", operation_id = "getUserPayload",
    params(("id" = UserId, Path, description = "The user")),
    responses((status = 200, description = "The user's data points", body = UserPayload, example = json!(shown(include_str!("payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let user = app.store().read(move |reader| -> Answer<_> { Ok(reader.user(&owner, &id)?) }).await?;
    let user = user.ok_or_else(Problem::missing)?;
    let mut head = b"{\"metadata\":".to_vec();
    head.extend(serde_json::to_vec(&user.view()).map_err(Problem::system)?);
    let pieces = UserPieces::new(app.store().clone(), user.owner, user.id);
    let rest = futures_util::stream::try_unfold(pieces, |mut pieces| async move {
        // The answer has begun: all that is left is to break it off, so that nobody takes it for whole.
        let piece =
            pieces.next().await.map_err(|_| std::io::Error::other("a payload was not read to its end"))?;
        Ok::<_, std::io::Error>(piece.map(|piece| (piece, pieces)))
    });
    let body = Body::from_stream(futures_util::stream::iter([Ok(head)]).chain(rest));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}
