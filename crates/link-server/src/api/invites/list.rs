//! `GET /invites`: lists the invitations of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, InviteFilter, PageRequest};
use link_types::id::{LinkSiteSessionId, UserId};
use link_types::invite::{Invite, InviteStatus};
use link_types::list::Page;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of invitations.
pub(super) struct ListInvitesQuery {
    user_id: Option<UserId>,
    status: Option<InviteStatus>,
    link_site_session_id: Option<LinkSiteSessionId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListInvitesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "Return only invitations of this user", "a user's id"),
            status: query.optional(
                "status",
                "Return only invitations with this status",
                "a status, like LINKED",
            ),
            link_site_session_id: query.visit(),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists invitations, newest first.
///
/// The list contains invitations in every status. After an invitation is revoked, its names, address and link are null.
#[utoipa::path(
    get, path = "/invites", tag = "invites", operation_id = "listInvites",
    params(Query<ListInvitesQuery>),
    responses((status = 200, description = "A page of invitations", body = Page<Invite>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListInvitesQuery>,
) -> ApiResult<Json<Page<Invite>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let filter = InviteFilter {
                user: query.user_id.as_ref(),
                status: query.status,
                visit: query.link_site_session_id.as_ref(),
                created: query.created,
            };
            Ok(reader.invites().list(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |invite| invite.view(&app.settings().hosted_url))))
}
