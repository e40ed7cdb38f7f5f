//! `GET /continue/{templateId}`: the page on which a phone continues a step of the widget.
//!
//! The token of the hand-off is in the URL's fragment, so it is in no request and no log. The page's script passes it to
//! the widget, whose first page asks whether to continue.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use link_types::id::LinkTemplateId;
use maud::html;

use super::page::{Look, Page};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    Path(template_id): Path<String>,
    network: Network,
) -> ApiResult<Response> {
    network.loads_frame(&app)?;
    let Ok(id) = template_id.parse::<LinkTemplateId>() else { return Ok(nowhere(&app)) };
    let found = app.store().read(move |reader| reader.link_templates().get_of_any_owner(&id)).await?;
    let Some(template) = found else { return Ok(nowhere(&app)) };
    let title = "Continue on your phone";
    let card = html! {
        h1 { (title) }
        p.status role="status" id="status" { "The page is loading." }
        noscript { p.trouble { "This requires JavaScript. Please enable it for this page." } }
    };
    let widget = Some(template.template.id.as_str().to_owned());
    let page = Page { kind: "phone", title: title.to_owned(), widget, card };
    Ok(Look::of_link_template(&app, &template).show(StatusCode::OK, &page))
}

fn nowhere(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::NOT_FOUND,
        "This code is not valid",
        "Show a new code on your computer, and scan it again.",
    )
}
