//! `GET /users/{id}/payload`: everything known of a user, through whatever account or archive.

use axum::extract::State;
use axum::response::Response;
use link_store::DataPointFilter;
use link_types::data::{
    Contribution, Document, Employment, EstimatedIncome, Identity, Income, Insight, Liability, Link, Rating,
    Transaction, WithMetadata,
};
use link_types::id::UserId;
use link_types::user::User;

use crate::app::App;
use crate::endpoints::payload::{all_points, render};
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::{list, refusals};

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
    responses((status = 200, description = "The user's data points", body = UserPayload), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<UserId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let (user, by_kind) = app
        .store()
        .read(move |reader| -> Answer<_> {
            let user = reader.user(&owner, &id)?.ok_or_else(Problem::missing)?;
            let filter = DataPointFilter { user: Some(&id), ..DataPointFilter::default() };
            let points = all_points(reader, &owner, filter, |point| point.rest_json())?;
            Ok((user, points))
        })
        .await?;
    Ok(list::json_bytes(render(&user.view(), &by_kind)?))
}
