//! A login that leads away from a hosted page in the same tab (ADR 264).
//!
//! The frame of the widget cannot lead that page away, and the page takes no address from it: its script only asks here
//! whether a login of the visit's person waits.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::invitations::visit::Visit;
use link_domain::linking::account::Account;
use link_types::id::AccountId;
use serde::Serialize;

use super::own_host::start_address;
use super::{SAME_TAB, cookie};
use crate::app::App;
use crate::hosted::embedding::SECRET_HEADER;
use crate::hosted::token::token_over;
use crate::hosted::visitor::Visitor;
use crate::http::limits::network::Network;
use crate::http::middleware::site_host::own_host;
use crate::http::problem::ApiResult;

/// Where the page's script leads the person.
#[derive(Serialize)]
struct Way {
    /// A path of this host, or an address on the service's host. It contains the ticket.
    path: String,
}

/// Returns whether the person who comes back continues in this window: its browser is in the visit of the account's
/// person, and did not leave from a page that waits in another window. A visit replaces the one before it in a browser.
pub(super) async fn continues_here(
    app: &App,
    headers: &HeaderMap,
    account: Option<&Account>,
) -> ApiResult<bool> {
    let kept = account.and_then(|it| cookie::read(app, headers, &it.id));
    if kept.is_some_and(|it| !it.is_same_tab) {
        return Ok(false);
    }
    let visit = Visitor::find(app, headers).await?.map(|it| it.visit);
    let is_own =
        |visit: Visit| account.is_none_or(|it| (&it.owner, &it.user_id) == (&visit.owner, &visit.user_id));
    Ok(visit.is_some_and(is_own))
}

/// Returns the way to the provider's page, or 204 if no login of this account waits for the person of the visit.
pub(in crate::hosted) async fn find_way(
    State(app): State<App>,
    Path(account_id): Path<String>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let visit = Visitor::find_limited(&app, &headers, network).await?.ok_or_else(token_over)?.visit;
    let Ok(id) = account_id.parse::<AccountId>() else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let owner = visit.owner.clone();
    let account = app.store.read(move |reader| reader.accounts().get(&owner, &id)).await?;
    let address = account.filter(|it| it.user_id == visit.user_id).and_then(|it| it.redirect_path());
    let Some(address) = address else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let path = match (headers.contains_key(SECRET_HEADER), own_host(&headers)) {
        // A page in a frame leads to the provider in another tab, which the person closes.
        (true, None) => address.expose().to_owned(),
        (true, Some(_)) => format!("{}{}", app.settings.hosted_url, address.expose()),
        (false, None) => format!("{}?{SAME_TAB}", address.expose()),
        (false, Some(host)) => start_address(&app, address.expose(), host),
    };
    let way = Way { path };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(way)).into_response())
}
