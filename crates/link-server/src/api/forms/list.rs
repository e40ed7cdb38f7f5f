//! `GET /alpha/forms`: lists the form submissions of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_domain::invitations::form_submission::FormSubmission;
use link_store::{Created, FormFilter, PageRequest, PageSize};
use link_types::form_submission::Form;
use link_types::id::{LinkSiteId, LinkSiteSessionId, UserId};
use link_types::list::Page;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of form submissions.
pub(super) struct ListFormsQuery {
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
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListFormsQuery>,
) -> ApiResult<Json<Page<Form>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
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
