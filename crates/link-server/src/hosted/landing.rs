//! `GET /invite/{code}`: shows the landing page. It does not change anything.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invite::{Completion, Invite, MAILS_AT_MOST};
use maud::html;

use super::page::{Page, text};
use super::visitor::{Invited, Visitor, nowhere};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(invited) = Invited::by_code(&app, &code, network).await? else { return Ok(nowhere(&app)) };
    let visitor = Visitor::find(&app, &headers).await?;
    let is_known = visitor.is_some_and(|it| it.visit.invite_id == invited.invite.id);
    let now = app.now(app.offset_of(&invited.invite.owner).await?);
    Ok(match state_of(&invited.invite, now.tenant()) {
        InviteLinkState::Complete(completion) => super::done::again(&app, &invited, completion, is_known),
        _ if is_known => Redirect::to("/visit").into_response(),
        _ if invited.link_template.is_none() => nowhere(&app),
        InviteLinkState::Open => open(&app, &invited),
        InviteLinkState::OutOfMails => out_of_mails(&app, &invited),
        InviteLinkState::Used => {
            again(&app, &invited, &code, "This link was already used", "Each link works only once.")
        }
        InviteLinkState::Expired => {
            again(&app, &invited, &code, "This link has expired", "It was valid for 30 days.")
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

fn state_of(invite: &Invite, now: link_domain::clock::TenantTime) -> InviteLinkState {
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
    let texts = &invited.template.landing_page;
    let header = invited.fill(&texts.header);
    let card = html! {
        h1 { (header) }
        (text(&invited.fill(&texts.description)))
        form method="post" { button.primary type="submit" { (invited.fill(&texts.button)) } }
    };
    invited.look(app).show(StatusCode::OK, &Page { kind: "landing", title: header, widget: None, card })
}

/// Returns the page for an invitation that has reached its maximum number of mails.
pub(super) fn out_of_mails(app: &App, invited: &Invited) -> Response {
    let company = &invited.template.company.name;
    invited.look(app).say(
        StatusCode::GONE,
        "This invitation has ended",
        &format!("We cannot send another link for it. Please ask {company} for a new invitation."),
    )
}

fn again(app: &App, invited: &Invited, code: &str, heading: &str, why: &str) -> Response {
    let card = html! {
        h1 { (heading) }
        p { (why) " We can send a new one to the same address." }
        form method="post" action={ "/invite/" (code) "/again" } {
            button.primary type="submit" { "Send me a new link" }
        }
    };
    let page = Page { kind: "message", title: heading.to_owned(), widget: None, card };
    invited.look(app).show(StatusCode::GONE, &page)
}
