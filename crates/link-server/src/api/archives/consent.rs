//! `GET /archives/{id}/consent`: returns the consent receipt of an archive.

use axum::Json;
use axum::extract::State;
use link_domain::linking::consent::Covered;
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::ArchiveId;

use crate::api::consent_record;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves the consent that was given when the archive was created.
///
/// When the archive's data is erased, a minimal receipt remains: the template, the version, the hash of the text,
/// the times, and how the consent ended. The other fields are null then.
#[utoipa::path(
    get, path = "/archives/{id}/consent", tag = "archives", operation_id = "getArchiveConsent",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The consent receipt", body = ConsentRecord, example = json!(shown(include_str!("consent.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ConsentRecord>> {
    let owner = caller.owner().clone();
    let record = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            // Archives that are not submitted are invisible to the tenant.
            let archive = reader.archives().get(&owner, &id)?.filter(|it| it.submitted_at.is_some());
            let archive = archive.ok_or_else(Problem::missing)?;
            let covered = Covered {
                source_id: archive.id.to_string(),
                source_type: SourceType::Archive,
                user_id: archive.user_id.clone(),
            };
            consent_record::record(reader, &owner, covered, archive.kept_consent())
        })
        .await?;
    Ok(Json(record))
}
