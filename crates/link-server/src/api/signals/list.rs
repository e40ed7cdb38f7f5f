//! `GET` of the signals of one kind.

use axum::response::Response;
use link_store::{Created, PageRequest};
use link_types::signal::SignalKind;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, QueryFields};
use crate::http::list::raw_page;
use crate::http::problem::{ApiResult, Problem};

/// Query of the list of signals.
pub(super) struct ListSignalsQuery {
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListSignalsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { created: query.created(), page: query.page() }
    }
}

/// Returns a page of the signals of this kind, newest first.
pub(super) async fn list(
    app: &App,
    caller: &TenantCaller,
    kind: SignalKind,
    query: ListSignalsQuery,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            Ok(reader.signals().list(&owner, kind, query.created, &query.page)?)
        })
        .await?;
    let bodies: Result<Vec<_>, _> =
        page.items.iter().map(|signal| serde_json::to_vec(&signal.view())).collect();
    raw_page(&bodies.map_err(Problem::system)?, page.next_cursor.as_deref())
}
