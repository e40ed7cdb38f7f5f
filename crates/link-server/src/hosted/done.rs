//! `GET /visit/done`: shows the success page.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invitations::invite::{Completion, Invite};
use link_domain::notifications::service_text::ServiceText;
use link_types::invite::InviteStatus;
use maud::html;

use super::browser::Browser;
use super::page::Page;
use super::visitor::{Invited, Visitor, over};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(Visitor { invited, .. }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    match invited.invite.progress.status < InviteStatus::WidgetOpened {
        true => Ok(Redirect::to("/visit").into_response()),
        false => Ok(page(&app, &invited)),
    }
}

/// Returns the page of a link that has done its work. It names no person, because anybody may have the link. `is_known`
/// says whether this browser took part in the invitation.
pub(super) fn again(app: &App, invited: &Invited, completion: Completion, is_known: bool) -> Response {
    let (heading, message) = match (is_known, completion) {
        (true, Completion::Linked) => {
            (ServiceText::PageCompleteKnownTitle, ServiceText::PageCompleteKnownLinked)
        }
        (true, Completion::Uploaded) => {
            (ServiceText::PageCompleteKnownTitle, ServiceText::PageCompleteKnownUploaded)
        }
        (false, Completion::Linked) => (ServiceText::PageCompleteTitle, ServiceText::PageCompleteLinked),
        (false, Completion::Uploaded) => (ServiceText::PageCompleteTitle, ServiceText::PageCompleteUploaded),
    };
    invited.look(app).say_with_company(StatusCode::OK, heading, message)
}

/// Returns what the person did, as the success page says it. `None` if they only opened the widget.
const fn outcome(invite: &Invite) -> Option<ServiceText> {
    match (invite.progress.linked_at, invite.progress.uploaded_at) {
        (Some(_), Some(_)) => Some(ServiceText::PageDoneBoth),
        (Some(_), None) => Some(ServiceText::PageDoneLinked),
        (None, Some(_)) => Some(ServiceText::PageDoneUploaded),
        (None, None) => None,
    }
}

/// Returns the success page.
fn page(app: &App, invited: &Invited) -> Response {
    let look = invited.look(app);
    let title = invited.passage(&look, |it| &it.success_page.header);
    let card = html! {
        svg.done viewBox="0 0 48 48" aria-hidden="true" {
            circle cx="24" cy="24" r="22" {}
            path d="M15 24.5l6.5 6.5L34 18" {}
        }
        (title.heading())
        @if let Some(outcome) = outcome(&invited.invite) { p.outcome { (look.text(outcome)) } }
        (invited.passage(&look, |it| &it.success_page.description).paragraphs())
    };
    look.show(StatusCode::OK, &Page { kind: "done", title, widget: None, card })
}
