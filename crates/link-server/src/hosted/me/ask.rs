//! `/me`: the form for an address, and the response, which is the same for every address.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::kernel::clock::ClockOffset;
use link_domain::notifications::mail::{address_hash, is_mailbox};
use link_domain::notifications::page_link::{LinkPurpose, PageLink};
use link_domain::notifications::service_text::ServiceText;
use link_store::Label;
use link_types::Sensitive;
use maud::html;

use super::form::read_fields;
use super::session::PageCaller;
use crate::app::App;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::visitor::Browser;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

pub(super) async fn show(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if PageCaller::find(&app, &headers, network).await?.is_some() {
        return Ok(Redirect::to("/me/data").into_response());
    }
    Ok(form(&Look::plain(&app, &browser), StatusCode::OK))
}

fn form(look: &Look, status: StatusCode) -> Response {
    let title = Passage::ours(look.text(ServiceText::MeTitle));
    let is_wrong = status != StatusCode::OK;
    let card = html! {
        (title.heading())
        p { (look.text(ServiceText::MeAskText)) }
        form.questions method="post" action="/me" novalidate {
            div.question {
                label for="address" { (look.text(ServiceText::MeAskLabel)) }
                input type="email" id="address" name="address" required autocomplete="email"
                    aria-describedby=[is_wrong.then_some("address-note")] aria-invalid=[is_wrong.then_some("true")];
                @if is_wrong {
                    div.note id="address-note" { p.fault { (look.text(ServiceText::PageFormEmail)) } }
                }
            }
            button.primary type="submit" { (look.text(ServiceText::MeAskButton)) }
        }
    };
    look.show(status, &Page { kind: "form", title, widget: None, redirect: None, card })
}

/// Requests a link. Known and unknown addresses write the same rows, and a job decides what to send.
pub(super) async fn ask(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    body: Body,
) -> ApiResult<Response> {
    network.count(&app)?;
    let look = Look::plain(&app, &browser);
    let address = read_fields(body).await?.remove("address").unwrap_or_default();
    let address = Sensitive::new(address.trim());
    if !is_mailbox(address.expose()) {
        return Ok(form(&look, StatusCode::UNPROCESSABLE_ENTITY));
    }
    let (context, locale) = (app.context(ClockOffset::default()), look.locale().tag().to_owned());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let hash = address_hash(&tx.derive_key(Label::Lookup), address.expose());
            let earlier = tx.page_links().get(&hash)?;
            let asked = PageLink::ask(
                LinkPurpose::OwnPage,
                hash,
                address.clone(),
                locale.clone(),
                earlier.as_ref(),
                &mut context,
            );
            Ok(tx.apply(&asked, context.now())?)
        })
        .await?;
    Ok(look.say(StatusCode::OK, ServiceText::MeAskedTitle, ServiceText::MeAskedText))
}
