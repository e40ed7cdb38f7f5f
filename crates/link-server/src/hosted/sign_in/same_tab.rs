//! A login that leads away from a hosted page in the same tab (ADR 264).
//!
//! The frame of the widget cannot lead that page away, and the page takes no address from it: its script only asks here
//! whether a login of the visit's person waits.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::id::AccountId;
use serde::Serialize;

use super::SAME_TAB;
use crate::app::App;
use crate::hosted::visitor::Visitor;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// Where the page's script leads the person.
#[derive(Serialize)]
struct Way {
    /// A path of this host. It contains the ticket.
    path: String,
}

/// Returns the way to the provider's page, or 204 if no login of this account waits for the person of the visit.
pub(in crate::hosted) async fn find_way(
    State(app): State<App>,
    Path(account_id): Path<String>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let visitor = Visitor::find_limited(&app, &headers, network).await?;
    let Some((visit, id)) = visitor.map(|it| it.visit).zip(account_id.parse::<AccountId>().ok()) else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let owner = visit.owner.clone();
    let account = app.store.read(move |reader| reader.accounts().get(&owner, &id)).await?;
    let address = account.filter(|it| it.user_id == visit.user_id).and_then(|it| it.redirect_path());
    let Some(address) = address else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let way = Way { path: format!("{}?{SAME_TAB}", address.expose()) };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(way)).into_response())
}
