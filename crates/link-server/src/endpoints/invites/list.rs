//! `GET /invites`: the invitations of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, InviteFilter, PageRequest};
use link_types::id::UserId;
use link_types::invite::{Invite, InviteStatus};
use link_types::list::Page;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which invitations to list.
pub(super) struct Wanted {
    user_id: Option<UserId>,
    status: Option<InviteStatus>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "a user's id"),
            status: query.optional("status", "a status, like LINKED"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// List invitations, newest first.
#[utoipa::path(
    get, path = "/invites", tag = "invites", operation_id = "listInvites",
    params(
        ("userId" = Option<UserId>, Query, description = "Only this user's"),
        ("status" = Option<InviteStatus>, Query, description = "Only those that have come so far and no further"),
        CreatedParams, PageParams,
    ),
    responses((status = 200, description = "A page of invitations", body = Page<Invite>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<Invite>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            let filter = InviteFilter {
                user: wanted.user_id.as_ref(),
                status: wanted.status,
                created: wanted.created,
            };
            Ok(reader.invites(&owner, filter, &wanted.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |invite| invite.view(&app.settings().hosted_url))))
}
