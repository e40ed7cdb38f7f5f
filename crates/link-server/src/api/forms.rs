//! `/alpha/forms`: the forms that people submitted on hosted link sites (interface: Form).

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::invitations::form_submission::FormSubmission;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::stored_at::StoredAt;
use link_store::{Created, FormFilter, Label, PageRequest, PageSize};
use link_types::form_submission::{Form, FormExportFormat, FormStatus};
use link_types::id::{FormId, LinkSiteId, LinkSiteSessionId, UserId};
use link_types::list::Page;
use link_types::problem::FaultCode;

use crate::api::archives::{FileAddress, LIFE};
use crate::app::App;
use crate::exports;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of forms.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list => read))
        .routes(routes!(export => FormsExported))
        .routes(routes!(get => read, delete => FormDeleted))
}

/// Filters of a list or an export of answers.
struct FormsFilter {
    user_id: Option<UserId>,
    link_site_id: Option<LinkSiteId>,
    link_site_session_id: Option<LinkSiteSessionId>,
    status: FormStatus,
    created: Created,
}

impl FormsFilter {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.take_optional("userId", "Return only submissions of this user", "a user's id"),
            link_site_id: query.take_optional(
                "linkSiteId",
                "Return only submissions on this link site",
                "a link site's id",
            ),
            link_site_session_id: query.visit(),
            status: query
                .take_optional(
                    "status",
                    "Return only answers with this status. Defaults to SUBMITTED",
                    "STARTED or SUBMITTED",
                )
                .unwrap_or(FormStatus::Submitted),
            created: query.take_creation_range(),
        }
    }

    fn as_stored(&self) -> FormFilter<'_> {
        FormFilter {
            user: self.user_id.as_ref(),
            site: self.link_site_id.as_ref(),
            visit: self.link_site_session_id.as_ref(),
            status: Some(self.status),
            created: self.created,
        }
    }
}

/// Query of the list of form submissions.
struct ListFormsQuery {
    filter: FormsFilter,
    page: PageRequest,
}

impl FromQuery for ListFormsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { filter: FormsFilter::take(query), page: query.page_of(PageSize::OF_FORMS) }
    }
}

/// Query of an export of answers.
struct ExportFormsQuery {
    filter: FormsFilter,
    format: FormExportFormat,
}

impl FromQuery for ExportFormsQuery {
    fn take(query: &mut QueryFields) -> Self {
        let format = query.take_optional("format", "Format of the file. Defaults to CSV", "CSV or JSON");
        Self { filter: FormsFilter::take(query), format: format.unwrap_or(FormExportFormat::Csv) }
    }
}

/// Lists form submissions, newest first.
///
/// `startDate` and `endDate` are the first and the last day on which the form was begun, in UTC. Answers that people have not
/// submitted are listed only with `status=STARTED`.
#[utoipa::path(
    get, path = "/alpha/forms", tag = "forms", operation_id = "listForms",
    params(Query<ListFormsQuery>),
    responses((status = 200, description = "A page of form submissions", body = Page<Form>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListFormsQuery>,
) -> ApiResult<Json<Page<Form>>> {
    let owner = caller.owner().clone();
    let (page, key) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let page = reader.forms().list(&owner, query.filter.as_stored(), &query.page)?;
            Ok((page, reader.derive_key(Label::Export)))
        })
        .await?;
    let now = caller.now().wall();
    Ok(Json(list::page(page, |form| view_at(&app, now, &key, form))))
}

/// Maximum number of forms in an export.
const MAX_EXPORTED: usize = 1_000;

/// Exports form submissions as a CSV or JSON file.
///
/// The filters are those of the list. An export has at most 1,000 submissions; for more, the response is 422, and a shorter
/// span of days is needed.
#[utoipa::path(
    get, path = "/alpha/forms/export", tag = "forms", operation_id = "exportForms",
    params(Query<ExportFormsQuery>),
    responses(
        (status = 200, description = "The file", content(
            (Vec<Form> = "application/json", example = json!([parse_example(include_str!("forms/get.json"))])),
            (String = "text/csv"),
        )),
        refusals::List,
    ),
    security(("apiKey" = []))
)]
async fn export(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ExportFormsQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let _permit = app.limits.exports.take(&owner.tenant, None).await?;
    let ExportFormsQuery { filter, format } = query;
    let forms = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let (mut forms, mut request) = (Vec::new(), PageRequest::first(PageSize::default()));
            loop {
                let page = reader.forms().list(&owner, filter.as_stored(), &request)?;
                forms.extend(page.items);
                match page.next_cursor {
                    _ if forms.len() > MAX_EXPORTED => return Ok(None),
                    Some(cursor) => request = PageRequest::after(PageSize::default(), cursor),
                    None => return Ok(Some((forms, reader.derive_key(Label::Export)))),
                }
            }
        })
        .await?;
    let (forms, key) = forms.ok_or_else(|| {
        Problem::invalid_field(
            "startDate",
            FaultCode::Invalid,
            "a later day: an export has at most 1,000 submissions",
        )
    })?;
    let now = caller.now().wall();
    let forms: Vec<Form> = forms.into_iter().map(|form| view_at(&app, now, &key, form)).collect();
    let (media_type, name, content) = match format {
        FormExportFormat::Json => {
            ("application/json", "forms.json", serde_json::to_vec(&forms).map_err(Problem::system)?)
        }
        FormExportFormat::Csv => {
            ("text/csv; charset=utf-8", "forms.csv", exports::forms(&forms).map_err(Problem::system)?)
        }
    };
    let disposition =
        HeaderValue::try_from(format!("attachment; filename=\"{name}\"")).map_err(Problem::system)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, content).into_response())
}

/// Retrieves a form submission.
///
/// `data` contains the answers by field name, and `files` the files that the person uploaded. A submission is erased after 60
/// days.
#[utoipa::path(
    get, path = "/alpha/forms/{id}", tag = "forms", operation_id = "getForm",
    params(("id" = FormId, Path, description = "The submission's id")),
    responses((status = 200, description = "The form submission", body = Form, example = json!(parse_example(include_str!("forms/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<FormId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Form>> {
    let owner = caller.owner().clone();
    let (found, key) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            Ok((reader.forms().get(&owner, &id)?, reader.derive_key(Label::Export)))
        })
        .await?;
    let form = found.ok_or_else(Problem::missing)?;
    Ok(Json(view_at(&app, caller.now().wall(), &key, form)))
}

/// Returns a form submission as REST shows it, with URLs of its files that are signed with `key`.
pub(crate) fn view_at(app: &App, now: Wall, key: &[u8; 32], form: FormSubmission) -> Form {
    let (base, owner, id) = (app.files_base(form.owner.mode), form.owner.clone(), form.id.clone());
    form.view(|file| {
        let address = FileAddress { owner: owner.clone(), file: StoredAt::Form(id.clone(), file.clone()) };
        format!("{base}{}", address.sign(key, now, LIFE))
    })
}

/// Erases a form submission.
///
/// The answers are unreadable afterwards, also in backups once their day key is destroyed. Another request returns 404.
#[utoipa::path(
    delete, path = "/alpha/forms/{id}", tag = "forms", operation_id = "deleteForm",
    params(("id" = FormId, Path, description = "The submission's id")),
    responses((status = 204, description = "The form submission is erased"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<FormId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let form = tx.forms().lock(&owner, &id)?.ok_or_else(Problem::missing)?;
            let change = form.erase(&mut context);
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
