//! `GET /visit`: shows the link template's form until it is submitted, and then the widget.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use link_domain::notifications::service_text::ServiceText;
use maud::html;

use super::browser::Browser;
use super::page::Page;
use super::questions;
use super::visitor::{Invited, Visitor, nowhere, over};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(Visitor { visit, invited }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    let Some(link_template) = &invited.link_template else { return Ok(nowhere(&app, &browser)) };
    let is_answered =
        app.store().read(move |reader| reader.forms().exists_for_visit(&visit.owner, &visit.id)).await?;
    match &link_template.template.form {
        Some(form) if !is_answered => {
            Ok(questions::page(&app, &invited, form, StatusCode::OK, &BTreeMap::new(), &[]))
        }
        Some(_) | None => Ok(widget(&app, &invited, link_template.template.id.as_str())),
    }
}

fn widget(app: &App, invited: &Invited, template_id: &str) -> Response {
    let look = invited.look(app);
    let title = invited.passage(&look, |it| &it.landing_page.header);
    let button = invited.passage(&look, |it| &it.landing_page.button);
    let card = html! {
        (title.heading())
        (invited.passage(&look, |it| &it.landing_page.description).paragraphs())
        // The script shows the other texts.
        p.status role="status" id="status" data-closed=(look.text(ServiceText::PageWidgetClosed))
            data-limited=(look.text(ServiceText::PageWidgetLimited))
            data-broken=(look.text(ServiceText::PageWidgetBroken)) {
            (look.text(ServiceText::PageWidgetOpening))
        }
        button.primary id="connect" type="button" disabled lang=[button.lang()] dir=[button.dir()] {
            (button.text())
        }
        noscript { p.trouble { (look.text(ServiceText::PageWidgetScript)) } }
    };
    let page = Page { kind: "widget", title, widget: Some(template_id.to_owned()), card };
    look.show(StatusCode::OK, &page)
}
