//! `GET /link/accounts/{id}`: how far an account has come; waits for news when asked to.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use link_store::Signal;
use link_types::id::AccountId;
use link_types::link::AccountProgress;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout_at};

use super::own;
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{FromQuery, PathId, Query, QueryFields};
use crate::http::refusals;

/// The longest wait.
const LONGEST: u64 = 25_000;
/// How soon a change made by another node is seen.
pub(in super::super) const OTHER_NODES: Duration = Duration::from_millis(500);

/// What to wait for, and how long.
pub(in super::super) struct Wait {
    pub(in super::super) after: Option<u32>,
    pub(in super::super) millis: Option<u64>,
}

impl FromQuery for Wait {
    fn take(query: &mut QueryFields) -> Self {
        Self { after: query.optional("after", "a version"), millis: query.in_range("wait", 0, LONGEST) }
    }
}

/// How far an account has come. With `after` and `wait` the answer waits for a later version.
#[utoipa::path(
    get, path = "/link/accounts/{id}", tag = "link", operation_id = "getLinkAccount",
    params(
        ("id" = AccountId, Path, description = "The account"),
        ("after" = Option<u32>, Query, description = "Wait for a version after this one"),
        ("wait" = Option<u64>, Query, description = "Milliseconds to wait, at most 25000"),
    ),
    responses((status = 200, description = "The account under way", body = AccountProgress), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Query(wait): Query<Wait>,
) -> Answer<Json<AccountProgress>> {
    let deadline = Instant::now() + Duration::from_millis(wait.millis.unwrap_or(0));
    let mut news = app.store().subscribe();
    let mut stopping = app.stopping();
    loop {
        let progress = current(&app, &caller, &id).await?;
        let is_news = wait.after.is_none_or(|after| progress.version > after);
        if is_news || Instant::now() >= deadline || *stopping.borrow_and_update() {
            return Ok(Json(progress));
        }
        let pause = deadline.min(Instant::now() + OTHER_NODES);
        tokio::select! {
            // Whatever wakes it, the next round looks for itself.
            _ = timeout_at(pause, changed(&mut news, &id)) => {}
            _ = stopping.changed() => {}
        }
    }
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

async fn changed(news: &mut broadcast::Receiver<Signal>, wanted: &AccountId) {
    loop {
        match news.recv().await {
            Ok(Signal::Account(id)) if id == *wanted => return,
            Ok(Signal::Account(_) | Signal::Archive(_) | Signal::Deliveries | Signal::Jobs) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
