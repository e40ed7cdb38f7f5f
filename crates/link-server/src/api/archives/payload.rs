//! `GET /archives/{id}/payload`: returns all data points of an archive.

use axum::extract::State;
use axum::response::Response;
use link_store::Label;
use link_types::archive::{Archive, ArchiveStatus};
use link_types::data::{
    Contribution, Document, Employment, EstimatedIncome, Identity, Income, Insight, Liability, Link, Rating,
    Transaction,
};
use link_types::id::ArchiveId;
use link_types::list::Page;

use super::view::view;
use crate::api::document_urls::DocumentUrls;
use crate::api::payload::{points_of_source, render};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// All data points of an archive, with one key for each kind. A kind without data points is null.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields: the response contains the stored bodies")]
pub struct ArchivePayload {
    metadata: Archive,
    identity: Option<Identity>,
    rating: Option<Rating>,
    documents: Option<Page<Document>>,
    incomes: Option<Page<Income>>,
    transactions: Option<Page<Transaction>>,
    employments: Option<Page<Employment>>,
    contributions: Option<Page<Contribution>>,
    liabilities: Option<Page<Liability>>,
    eincomes: Option<Page<EstimatedIncome>>,
    links: Option<Page<Link>>,
    insight: Option<Insight>,
}

/// Retrieves all data points of an archive.
///
/// The response has the archive in `metadata`, and one key for each kind of data points. Lists are
/// `{items, nextCursor}` as in webhooks; they are complete, so `nextCursor` is null. An empty list is null. Returns 404 once the archive's data is erased.
#[utoipa::path(
    get, path = "/archives/{id}/payload", tag = "archives", operation_id = "getArchivePayload",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The archive's data points", body = ArchivePayload, example = json!(shown(include_str!("payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::of(&app, &caller));
    let (archive, by_kind, key) = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let archive = reader.archives().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let points = points_of_source(reader, &owner, id.as_str(), &urls)?;
            Ok((archive, points, reader.derived_key(Label::Export)))
        })
        .await?;
    let metadata = view(&app, &caller, &key, &archive)
        .filter(|it| it.state.status != ArchiveStatus::Revoked)
        .ok_or_else(Problem::missing)?;
    Ok(list::json_bytes(render(&metadata, &by_kind)?))
}
