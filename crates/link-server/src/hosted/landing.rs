//! `GET /invite/{code}`: shows the landing page. It does not change anything.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invitations::invite::{Completion, Invite, LINK_LIFE, MAILS_AT_MOST};
use link_domain::notifications::service_text::{ServiceText, Value};
use maud::html;

use super::browser::Browser;
use super::page::Page;
use super::passage::Passage;
use super::visitor::{Invited, Visitor, nowhere};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(invited) = Invited::by_code(&app, &code, network, &browser).await? else {
        return Ok(nowhere(&app, &browser));
    };
    let visitor = Visitor::find(&app, &headers).await?;
    let is_known = visitor.is_some_and(|it| it.visit.invite_id == invited.invite.id);
    let now = app.now(app.offset_of(&invited.invite.owner).await?);
    Ok(match state_of(&invited.invite, now.tenant()) {
        InviteLinkState::Complete(completion) => super::done::again(&app, &invited, completion, is_known),
        _ if is_known => Redirect::to("/visit").into_response(),
        _ if invited.link_template.is_none() => nowhere(&app, &browser),
        InviteLinkState::Open => open(&app, &invited),
        InviteLinkState::OutOfMails => out_of_mails(&app, &invited),
        InviteLinkState::Used => {
            again(&app, &invited, &code, ServiceText::PageLinkUsedTitle, ServiceText::PageLinkUsedText)
        }
        InviteLinkState::Expired => {
            again(&app, &invited, &code, ServiceText::PageLinkExpiredTitle, ServiceText::PageLinkExpiredText)
        }
    })
}

enum InviteLinkState {
    Open,
    Used,
    Expired,
    OutOfMails,
    Complete(Completion),
}

fn state_of(invite: &Invite, now: link_domain::kernel::clock::TenantTime) -> InviteLinkState {
    let progress = &invite.progress;
    let is_expired = invite.has_lapsed(now);
    if let Some(completion) = invite.completion() {
        InviteLinkState::Complete(completion)
    } else if !progress.link_used && !is_expired {
        InviteLinkState::Open
    } else if progress.mails >= MAILS_AT_MOST {
        InviteLinkState::OutOfMails
    } else if progress.link_used {
        InviteLinkState::Used
    } else {
        InviteLinkState::Expired
    }
}

fn open(app: &App, invited: &Invited) -> Response {
    let look = invited.look(app);
    let title = invited.passage(&look, |it| &it.landing_page.header);
    let button = invited.passage(&look, |it| &it.landing_page.button);
    let card = html! {
        (title.heading())
        (invited.passage(&look, |it| &it.landing_page.description).paragraphs())
        form method="post" {
            button.primary type="submit" lang=[button.lang()] dir=[button.dir()] { (button.text()) }
        }
    };
    look.show(StatusCode::OK, &Page { kind: "landing", title, widget: None, card })
}

/// Returns the page for an invitation that has reached its maximum number of mails.
pub(super) fn out_of_mails(app: &App, invited: &Invited) -> Response {
    invited.look(app).say_with_company(
        StatusCode::GONE,
        ServiceText::PageLinkEndedTitle,
        ServiceText::PageLinkEndedText,
    )
}

fn again(app: &App, invited: &Invited, code: &str, heading: ServiceText, why: ServiceText) -> Response {
    let look = invited.look(app);
    let title = Passage::ours(look.text(heading));
    let days = Value::Count(LINK_LIFE.as_secs() / 86_400);
    let card = html! {
        (title.heading())
        p { (look.text_with(why, days)) }
        form method="post" action={ "/invite/" (code) "/again" } {
            button.primary type="submit" { (look.text(ServiceText::PageLinkAgain)) }
        }
    };
    look.show(StatusCode::GONE, &Page { kind: "message", title, widget: None, card })
}
