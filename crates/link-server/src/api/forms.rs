//! `/alpha/forms`: the forms that people submitted on hosted link sites (interface: Form).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::Change;
use link_domain::invitations::form_submission::FormSubmission;
use link_store::{Created, FormFilter, PageRequest, PageSize};
use link_types::form_submission::Form;
use link_types::id::{FormId, LinkSiteId, LinkSiteSessionId, UserId};
use link_types::list::Page;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{refusals, shown};

/// Returns the routes of forms.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list => read)).routes(routes!(get => read, delete => FormDeleted))
}

/// Query of the list of form submissions.
struct ListFormsQuery {
    user_id: Option<UserId>,
    link_site_id: Option<LinkSiteId>,
    link_site_session_id: Option<LinkSiteSessionId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListFormsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "Return only submissions of this user", "a user's id"),
            link_site_id: query.optional(
                "linkSiteId",
                "Return only submissions on this link site",
                "a link site's id",
            ),
            link_site_session_id: query.visit(),
            created: query.created(),
            page: query.page_of(PageSize::OF_FORMS),
        }
    }
}

/// Lists form submissions, newest first.
///
/// `startDate` and `endDate` are the first and the last day of submission, in UTC.
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
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter = FormFilter {
                user: query.user_id.as_ref(),
                site: query.link_site_id.as_ref(),
                visit: query.link_site_session_id.as_ref(),
                created: query.created,
            };
            Ok(reader.forms().list(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, FormSubmission::view)))
}

/// Retrieves a form submission.
///
/// `data` contains the answers by field name. A submission is erased after 60 days.
#[utoipa::path(
    get, path = "/alpha/forms/{id}", tag = "forms", operation_id = "getForm",
    params(("id" = FormId, Path, description = "The submission's id")),
    responses((status = 200, description = "The form submission", body = Form, example = json!(shown(include_str!("forms/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<FormId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Form>> {
    let owner = caller.owner().clone();
    let found =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.forms().get(&owner, &id)?) }).await?;
    found.map(|it| Json(it.view())).ok_or_else(Problem::missing)
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
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let form = tx.forms().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&Change { erasures: vec![form.scope()], ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
