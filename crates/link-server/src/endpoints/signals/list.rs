//! `GET` of the signals of one kind.

use axum::response::Response;
use link_store::{Created, PageRequest};
use link_types::signal::SignalKind;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::list::raw_page;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, QueryFields};

/// Which signals to list.
pub(super) struct Wanted {
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self { created: query.created(), page: query.page() }
    }
}

/// A page of the signals of this kind, newest first.
pub(super) async fn list(
    app: &App,
    caller: &TenantCaller,
    kind: SignalKind,
    wanted: Wanted,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> { Ok(reader.signals(&owner, kind, wanted.created, &wanted.page)?) })
        .await?;
    let bodies: Result<Vec<_>, _> =
        page.items.iter().map(|signal| serde_json::to_vec(&signal.view())).collect();
    raw_page(&bodies.map_err(Problem::system)?, page.next_cursor.as_deref())
}
