//! `GET /visit/done`: shows the success page.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_types::invite::InviteStatus;
use maud::html;

use super::page::{Page, text};
use super::visitor::{Invited, Visitor, over};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(Visitor { invited, .. }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app));
    };
    // A person who only uploaded documents is done as well, and that invitation's status stays WIDGET_OPENED.
    match invited.invite.progress.status < InviteStatus::WidgetOpened {
        true => Ok(Redirect::to("/visit").into_response()),
        false => Ok(page(&app, &invited)),
    }
}

/// Returns the page of a link that has done its work. It names no person, because anybody may have the link. `is_known`
/// says whether this browser took part in the invitation.
pub(super) fn again(app: &App, invited: &Invited, is_known: bool) -> Response {
    let company = &invited.template.company.name;
    let (heading, message) = if is_known {
        (
            "You have already done this",
            format!("Your account is linked to {company}. There is nothing left to do."),
        )
    } else {
        (
            "This invitation is complete",
            format!(
                "An account was linked with it. If it was sent to you and you did not do this, tell {company}."
            ),
        )
    };
    invited.look(app).say(StatusCode::OK, heading, &message)
}

/// Returns the success page.
fn page(app: &App, invited: &Invited) -> Response {
    let texts = &invited.template.success_page;
    let header = invited.fill(&texts.header);
    let card = html! {
        svg.done viewBox="0 0 48 48" aria-hidden="true" {
            circle cx="24" cy="24" r="22" {}
            path d="M15 24.5l6.5 6.5L34 18" {}
        }
        h1 { (header) }
        (text(&invited.fill(&texts.description)))
    };
    invited.look(app).show(StatusCode::OK, &Page { kind: "done", title: header, widget: None, card })
}
