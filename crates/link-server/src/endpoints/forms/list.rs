//! `GET /alpha/forms`: the submissions of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_domain::form_submission::FormSubmission;
use link_store::{Created, FormFilter, PageRequest};
use link_types::form_submission::Form;
use link_types::id::{LinkSiteId, UserId};
use link_types::list::Page;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which submissions to list.
pub(super) struct Wanted {
    user_id: Option<UserId>,
    link_site_id: Option<LinkSiteId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "a user's id"),
            link_site_id: query.optional("linkSiteId", "a link site's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// List forms' submissions, newest first.
#[utoipa::path(
    get, path = "/alpha/forms", tag = "forms", operation_id = "listForms",
    params(
        ("userId" = Option<UserId>, Query, description = "Only this user's"),
        ("linkSiteId" = Option<LinkSiteId>, Query, description = "Only those submitted on this link site"),
        CreatedParams, PageParams,
    ),
    responses((status = 200, description = "A page of submissions", body = Page<Form>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<Form>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            let filter = FormFilter {
                user: wanted.user_id.as_ref(),
                site: wanted.link_site_id.as_ref(),
                created: wanted.created,
            };
            Ok(reader.forms(&owner, filter, &wanted.page)?)
        })
        .await?;
    Ok(Json(list::page(page, FormSubmission::view)))
}
