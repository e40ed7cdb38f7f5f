//! `GET /continue/{templateId}`: the page on which a phone continues a step of the widget.
//!
//! The token of the hand-off is in the URL's fragment, so it is in no request and no log. The page's script passes it to
//! the widget, whose first page asks whether to continue.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::notifications::service_text::{Locale, ServiceText};
use link_types::id::LinkTemplateId;
use maud::html;

use super::page::{Look, Page, Passage};
use super::visitor::Browser;
use crate::app::App;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    Path(template_id): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    network.loads_frame(&app)?;
    let Ok(id) = template_id.parse::<LinkTemplateId>() else { return Ok(nowhere(&app, &browser)) };
    let read = app.store.read(move |reader| -> ApiResult<_> {
        let Some(found) = reader.link_templates().get_of_any_owner(&id)? else { return Ok(None) };
        check_tenant(reader, &found.owner)?;
        let logos = reader.logos().sizes(&found.template)?;
        Ok(Some((found.template, logos)))
    });
    let Some((template, logos)) = read.await? else { return Ok(nowhere(&app, &browser)) };
    let look = Look::of_link_template(&app, &template, &logos, Locale::choose(&browser.languages, None));
    let title = Passage::ours(look.text(ServiceText::PagePhoneTitle));
    let card = html! {
        (title.heading())
        // The script shows the other texts.
        p.status role="status" id="status" data-scan=(look.text(ServiceText::PagePhoneScan))
            data-done=(look.text(ServiceText::PagePhoneDone))
            data-broken=(look.text(ServiceText::PagePhoneBroken)) {
            (look.text(ServiceText::PagePhoneOpening))
        }
        noscript { p.trouble { (look.text(ServiceText::PagePhoneScript)) } }
    };
    let widget = Some(template.id.as_str().to_owned());
    Ok(look.show(StatusCode::OK, &Page { kind: "phone", title, widget, redirect: None, card }))
}

fn nowhere(app: &App, browser: &Browser) -> Response {
    let look = Look::plain(app, browser);
    let text = look.text(ServiceText::PagePhoneScan);
    look.stop(StatusCode::NOT_FOUND, ServiceText::PagePhoneUnknownTitle, text, None)
}
