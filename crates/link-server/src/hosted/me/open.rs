//! `/me/open/{code}`: the mailed link. A GET changes nothing, because programs open the links in mails; the button opens
//! the session.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::page_link::LinkPurpose;
use link_domain::notifications::service_text::ServiceText;
use maud::html;

use super::session::cookie;
use crate::app::App;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::visitor::Browser;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

pub(super) async fn show(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    network.count(&app)?;
    let look = Look::plain(&app, &browser);
    let (hash, now) = (Digest32::from_text(&code), app.wall());
    let purpose = LinkPurpose::OwnPage;
    let link = app.store.read(move |reader| reader.page_links().find_mailed(&hash, purpose)).await?;
    if link.is_none_or(|it| !it.lasts(now)) {
        return Ok(over(&look));
    }
    let title = Passage::ours(look.text(ServiceText::MeOpenTitle));
    let card = html! {
        (title.heading())
        p { (look.text(ServiceText::MeOpenText)) }
        form method="post" { button.primary type="submit" { (look.text(ServiceText::MeOpenButton)) } }
    };
    Ok(look.show(StatusCode::OK, &Page { kind: "message", title, widget: None, redirect: None, card }))
}

/// Returns the page of a link that was used, has expired, or never existed.
fn over(look: &Look) -> Response {
    let title = Passage::ours(look.text(ServiceText::PageLinkUnknownTitle));
    let card = html! {
        (title.heading())
        p { (look.text(ServiceText::MeOpenOver)) }
        a.primary href="/me" { (look.text(ServiceText::MeAskAgain)) }
    };
    look.show(StatusCode::GONE, &Page { kind: "message", title, widget: None, redirect: None, card })
}

pub(super) async fn open(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    network.count(&app)?;
    let (hash, context) = (Digest32::from_text(&code), app.context(ClockOffset::default()));
    let opened = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let link = tx.page_links().by_code(&hash)?;
            let Some((secret, change)) = link.and_then(|it| it.open(&mut context)) else { return Ok(None) };
            tx.apply(&change, context.now())?;
            Ok(Some(secret))
        })
        .await?;
    let Some(secret) = opened else { return Ok(over(&Look::plain(&app, &browser))) };
    let cookie =
        cookie(&app, Some(&secret)).ok_or_else(|| Problem::system("A cookie is not a valid header"))?;
    let location = header::HeaderValue::from_static("/me/data");
    Ok((StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, location)]).into_response())
}
