//! `GET /visit/done`: shows the success page.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invite::{Completion, Invite};
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
    match invited.invite.progress.status < InviteStatus::WidgetOpened {
        true => Ok(Redirect::to("/visit").into_response()),
        false => Ok(page(&app, &invited)),
    }
}

/// Returns the page of a link that has done its work. It names no person, because anybody may have the link. `is_known`
/// says whether this browser took part in the invitation.
pub(super) fn again(app: &App, invited: &Invited, completion: Completion, is_known: bool) -> Response {
    let company = &invited.template.company.name;
    let (heading, message) = match (is_known, completion) {
        (true, Completion::Linked) => (
            "You have already done this",
            format!("Your account is linked to {company}. There is nothing left to do."),
        ),
        (true, Completion::Uploaded) => (
            "You have already done this",
            format!("Your documents were uploaded for {company}. There is nothing left to do."),
        ),
        (false, completion) => {
            let what = match completion {
                Completion::Linked => "An account was linked with it.",
                Completion::Uploaded => "Documents were uploaded with it.",
            };
            (
                "This invitation is complete",
                format!("{what} If it was sent to you and you did not do this, tell {company}."),
            )
        }
    };
    invited.look(app).say(StatusCode::OK, heading, &message)
}

/// Returns what the person did, as the success page says it. `None` if they only opened the widget.
fn outcome(invite: &Invite) -> Option<&'static str> {
    match (invite.progress.linked_at, invite.progress.uploaded_at) {
        (Some(_), Some(_)) => Some("Your account is linked, and your documents were uploaded."),
        (Some(_), None) => Some("Your account is linked."),
        (None, Some(_)) => Some("Your documents were uploaded."),
        (None, None) => None,
    }
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
        @if let Some(outcome) = outcome(&invited.invite) { p.outcome { (outcome) } }
        (text(&invited.fill(&texts.description)))
    };
    invited.look(app).show(StatusCode::OK, &Page { kind: "done", title: header, widget: None, card })
}
