//! `GET /link/accounts/{id}`: how far an account has come; waits for news when asked to.

use axum::Json;
use axum::extract::State;
use link_store::Watched;
use link_types::id::AccountId;
use link_types::link::AccountProgress;

use super::own;
use crate::app::App;
use crate::endpoints::link::news::Wait;
use crate::endpoints::openapi::shown;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{PathId, Query};
use crate::http::refusals;

/// How far an account has come. With `after` and `wait` the answer waits for a later version.
#[utoipa::path(
    get, path = "/link/accounts/{id}", tag = "link", operation_id = "getLinkAccount",
    params(
        ("id" = AccountId, Path, description = "The account"),
        ("after" = Option<u32>, Query, description = "Wait for a version after this one"),
        ("wait" = Option<u64>, Query, description = "Milliseconds to wait, at most 25000", maximum = 25000),
    ),
    responses((status = 200, description = "The account under way", body = AccountProgress, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Query(wait): Query<Wait>,
) -> Answer<Json<AccountProgress>> {
    let about = Watched::Account(id.clone());
    wait.news(&app, &caller, about, |it: &AccountProgress| it.version, || current(&app, &caller, &id)).await
}

async fn current(app: &App, caller: &SessionCaller, id: &AccountId) -> Answer<AccountProgress> {
    let (owner, user, id, now) =
        (caller.owner().clone(), caller.session().user_id.clone(), id.clone(), caller.now());
    app.store()
        .read(move |reader| -> Answer<_> {
            Ok(own(reader.account(&owner, &id)?, &user)?.progress(now.wall()))
        })
        .await
}
