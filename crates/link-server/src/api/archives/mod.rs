//! `/archives`: documents that people, or tenants on their behalf, uploaded.

mod create;
pub(super) mod file_address;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get as on_get;
use link_domain::documents::archive::{Archive, IllegalArchiveTransitionError};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::source::RevokedBy;
use link_domain::kernel::stored_at::StoredAt;
use link_domain::linking::consent::Covered;
use link_domain::use_cases::revoke_archive;
use link_store::{ArchiveFilter, Created, Label, PageRequest};
use link_types::archive::{self, ArchiveStatus};
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::{ArchiveId, FileId, LinkSiteSessionId, UserId};
use link_types::list::Page;

pub(super) use self::file_address::{FileAddress, LIFE};
use crate::api::consent_templates;
use crate::api::payload::{ArchivePayload, DocumentUrls, points_of_source, render};
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, parse_payload, refusals};

/// Returns the routes of archives.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list => read, create::handler => ArchiveCreated))
        .routes(routes!(get => read, revoke => ArchiveRevoked))
        .routes(routes!(payload => read))
        .routes(routes!(consent => read))
        // Clients get this URL from an archive's `files`, so it is not an operation of the document.
        .route("/files/{tenant}/{archive}/{file}", on_get(file_address::get))
}

/// Query of the list of archives.
struct ListArchivesQuery {
    user_id: Option<UserId>,
    link_site_session_id: Option<LinkSiteSessionId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListArchivesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.take_optional("userId", "Return only archives of this user", "a user's id"),
            link_site_session_id: query.visit(),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists archives, newest first.
///
/// The list contains submitted archives in every status, also revoked ones, which have no files.
#[utoipa::path(
    get, path = "/archives", tag = "archives", operation_id = "listArchives",
    params(Query<ListArchivesQuery>),
    responses((status = 200, description = "A page of archives", body = Page<archive::Archive>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListArchivesQuery>,
) -> ApiResult<Json<Page<archive::Archive>>> {
    let owner = caller.owner().clone();
    let (page, key) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter = ArchiveFilter {
                user: query.user_id.as_ref(),
                visit: query.link_site_session_id.as_ref(),
                created: query.created,
            };
            Ok((reader.archives().list(&owner, filter, &query.page)?, reader.derive_key(Label::Export)))
        })
        .await?;
    let items = page.items.iter().filter_map(|archive| view(&app, &caller, &key, archive)).collect();
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

/// Retrieves an archive.
///
/// The URLs of its files are valid for 1 hour.
#[utoipa::path(
    get, path = "/archives/{id}", tag = "archives", operation_id = "getArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The archive", body = archive::Archive, example = json!(parse_example(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<archive::Archive>> {
    let owner = caller.owner().clone();
    let (archive, key) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            Ok((reader.archives().get(&owner, &id)?, reader.derive_key(Label::Export)))
        })
        .await?;
    archive.and_then(|it| view(&app, &caller, &key, &it)).map(Json).ok_or_else(Problem::missing)
}

/// Retrieves all data points of an archive.
///
/// The response has the archive in `metadata`, and one key for each kind of data points. Lists are
/// `{items, nextCursor}` as in webhooks; they are complete, so `nextCursor` is null. An empty list is null. Returns 404 once the archive's data is erased.
#[utoipa::path(
    get, path = "/archives/{id}/payload", tag = "archives", operation_id = "getArchivePayload",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The archive's data points", body = ArchivePayload, example = json!(parse_payload(include_str!("payload.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn payload(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::for_caller(&app, &caller));
    let (archive, by_kind, key) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let archive = reader.archives().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let points = points_of_source(reader, &owner, id.as_str(), &urls)?;
            Ok((archive, points, reader.derive_key(Label::Export)))
        })
        .await?;
    let metadata = view(&app, &caller, &key, &archive)
        .filter(|it| it.state.status != ArchiveStatus::Revoked)
        .ok_or_else(Problem::missing)?;
    Ok(list::json_bytes(render(&metadata, &by_kind)?))
}

/// Retrieves the consent that was given when the archive was created.
///
/// When the archive's data is erased, a minimal receipt remains: the template, the version, the hash of the text,
/// the times, and how the consent ended. The other fields are null then.
#[utoipa::path(
    get, path = "/archives/{id}/consent", tag = "archives", operation_id = "getArchiveConsent",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 200, description = "The consent receipt", body = ConsentRecord, example = json!(parse_example(include_str!("consent.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn consent(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<ConsentRecord>> {
    let owner = caller.owner().clone();
    let record = app
        .store
        .read(move |reader| -> ApiResult<_> {
            // Archives that are not submitted are invisible to the tenant.
            let archive = reader.archives().get(&owner, &id)?.filter(|it| it.submitted_at.is_some());
            let archive = archive.ok_or_else(Problem::missing)?;
            let covered = Covered {
                source_id: archive.id.to_string(),
                source_type: SourceType::Archive,
                user_id: archive.user_id.clone(),
            };
            consent_templates::record(reader, &owner, covered, archive.kept_consent())
        })
        .await?;
    Ok(Json(record))
}

/// Revokes an archive.
///
/// Its files and data are erased. The archive itself remains, with the status REVOKED.
#[utoipa::path(
    delete, path = "/archives/{id}", tag = "archives", operation_id = "revokeArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 204, description = "The archive is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
async fn revoke(
    caller: TenantCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    caller
        .write(move |tx| {
            let archive = tx.archives().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change =
                revoke_archive(archive, RevokedBy::Tenant, &mut context.clone()).map_err(|illegal| {
                    // Archives that are not submitted are invisible to the tenant.
                    let is_invisible = illegal == IllegalArchiveTransitionError::NotSubmitted;
                    if is_invisible { Problem::missing() } else { illegal.into() }
                })?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the archive as REST shows it, with file URLs that are valid from now on. `None` if it is not submitted.
fn view(app: &App, caller: &TenantCaller, key: &[u8; 32], archive: &Archive) -> Option<archive::Archive> {
    view_at(app, caller.now().wall(), key, archive)
}

/// Builds the [`view`] for a caller whose clock shows `now`.
pub(crate) fn view_at(app: &App, now: Wall, key: &[u8; 32], archive: &Archive) -> Option<archive::Archive> {
    let base = app.files_base(archive.owner.mode);
    let url = |file_id: &FileId| {
        let address = FileAddress {
            owner: archive.owner.clone(),
            file: StoredAt::Archive(archive.id.clone(), file_id.clone()),
        };
        format!("{base}{}", address.sign(key, now, LIFE))
    };
    archive.view(url)
}
