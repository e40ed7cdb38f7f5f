//! `GET /visit`: shows the link template's form until it is submitted, and then the widget.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::html;

use super::page::{Page, text};
use super::questions;
use super::visitor::{Invited, Visitor, nowhere, over};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(Visitor { visit, invited }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app));
    };
    let Some(link_template) = &invited.link_template else { return Ok(nowhere(&app)) };
    let is_answered =
        app.store().read(move |reader| reader.forms().exists_for_visit(&visit.owner, &visit.id)).await?;
    match &link_template.template.form {
        Some(form) if !is_answered => {
            let card = questions::card(form, &BTreeMap::new(), &[]);
            Ok(questions::page(&app, &invited, form, StatusCode::OK, card))
        }
        Some(_) | None => Ok(widget(&app, &invited, link_template.template.id.as_str())),
    }
}

fn widget(app: &App, invited: &Invited, template_id: &str) -> Response {
    let texts = &invited.template.landing_page;
    let header = invited.fill(&texts.header);
    let card = html! {
        h1 { (header) }
        (text(&invited.fill(&texts.description)))
        p.status role="status" id="status" { "The window for linking your account is opening." }
        button.primary id="connect" type="button" disabled { (invited.fill(&texts.button)) }
        noscript { p.trouble { "Linking an account requires JavaScript. Please enable it for this page." } }
    };
    let page = Page { kind: "widget", title: header, widget: Some(template_id.to_owned()), card };
    invited.look(app).show(StatusCode::OK, &page)
}
