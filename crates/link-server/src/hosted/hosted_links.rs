//! `/l/{code}`: the first page of a hosted link, the visit that it starts, and the return to the tenant.
//!
//! A GET does not change anything, so that programs that open every link of a message do not use up the address.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invitations::hosted_link::{HostedLinkError, HostedLinkInput};
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::service_text::ServiceText;
use link_domain::use_cases::enter_hosted_link;
use maud::html;
use serde::Serialize;

use super::link_pages::LinkPages;
use super::page::{Look, Page, Passage};
use super::token::token_over;
use super::visitor::{Browser, Host, Visitor, begin_visit, count};
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// Finds the hosted link by its address's code. Counts unknown codes against the limit of the caller's network.
async fn find(
    app: &App,
    code: &str,
    network: Network,
    Browser { languages: browser, .. }: &Browser,
) -> ApiResult<Option<LinkPages>> {
    let (hash, browser) = (Digest32::from_text(code), browser.clone());
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let Some(link) = reader.hosted_links().by_code(&hash)? else { return Ok(None) };
            LinkPages::read(reader, link, browser)
        })
        .await?;
    match &found {
        Some(found) => count(app, &found.link.owner, found.link.id.as_str())?,
        None => network.count(app)?,
    }
    Ok(found)
}

/// Returns the heading, the text and the button of the page before the widget.
pub(super) fn introduce(look: &Look) -> (Passage, Passage, Passage) {
    (
        Passage::ours(look.text_with_company(ServiceText::DefaultLandingIntro)),
        Passage::ours(look.text(ServiceText::DefaultLandingText)),
        Passage::ours(look.text(ServiceText::DefaultLandingButton)),
    )
}

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(pages) = find(&app, &code, network, &browser).await? else {
        return Ok(unknown_page(&app, &browser));
    };
    let visitor = Visitor::find(&app, &headers).await?;
    if visitor.is_some_and(|it| pages.link.visit_id.as_ref() == Some(&it.visit.id)) {
        return Ok(Redirect::to("/visit").into_response());
    }
    let (look, now) = (Look::for_link(&app, &pages), app.now(app.offset_of(&pages.link.owner).await?));
    if let Err(refused) = pages.link.check_open(now.tenant()) {
        return Ok(refused_page(&look, refused));
    }
    let (title, text, button) = introduce(&look);
    let card = html! {
        (title.heading())
        (text.paragraphs())
        // An app opens the address itself, so the script presses the button.
        form method="post" data-at-once[pages.link.terms.is_mobile_app] {
            button.primary type="submit" { (button.text()) }
        }
    };
    Ok(look.show(StatusCode::OK, &Page { kind: "hosted", title, widget: None, redirect: None, card }))
}

pub(super) async fn enter(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let Some(pages) = find(&app, &code, network, &browser).await? else {
        return Ok(unknown_page(&app, &browser));
    };
    let context = app.context(app.offset_of(&pages.link.owner).await?);
    let hash = Digest32::from_text(&code);
    let begun = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(link) = tx.hosted_links().by_code(&hash)? else { return Ok(None) };
            let Ok((secret, change)) = enter_hosted_link(link, &mut context) else { return Ok(None) };
            tx.apply(&change, context.now())?;
            Ok(Some(secret))
        })
        .await?;
    // The address was used since it was read, or by this browser. The first page continues or explains that.
    let Some(secret) = begun else { return Ok(Redirect::to(&format!("/l/{code}")).into_response()) };
    begin_visit(&app, &secret)
}

/// The response to the page's script, which returns the person.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Return {
    /// The tenant's address with the outcome. Null if there is none.
    return_url: Option<String>,
}

/// `POST /visit/finish`: records that the person left the widget. The page's script sends it after each closing.
pub(super) async fn finish(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let visitor = Visitor::find_limited(&app, &headers, network).await?.ok_or_else(token_over)?;
    let Host::Link(pages) = visitor.host else { return Err(Problem::missing()) };
    let context = app.context(app.offset_of(&pages.link.owner).await?);
    let (owner, id) = (pages.link.owner.clone(), pages.link.id.clone());
    let link = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let link = tx.hosted_links().get(&owner, &id)?.ok_or_else(token_over)?;
            let Ok((link, change)) = link.clone().apply(HostedLinkInput::Leave, &mut context) else {
                return Ok(link);
            };
            tx.apply(&change, context.now())?;
            Ok(link)
        })
        .await?;
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((no_store, Json(Return { return_url: link.return_url(&pages.link_template) })).into_response())
}

fn refused_page(look: &Look, refused: HostedLinkError) -> Response {
    let (title, text) = match refused {
        HostedLinkError::Used => (ServiceText::PageLinkUsedTitle, ServiceText::PageHostedUsedText),
        HostedLinkError::Expired | HostedLinkError::NotDue { .. } => {
            (ServiceText::PageLinkExpiredTitle, ServiceText::PageHostedExpiredText)
        }
    };
    look.say_with_company(StatusCode::GONE, title, text)
}

fn unknown_page(app: &App, browser: &Browser) -> Response {
    Look::plain(app, browser).say(
        StatusCode::NOT_FOUND,
        ServiceText::PageLinkUnknownTitle,
        ServiceText::PageSiteUnknownText,
    )
}
