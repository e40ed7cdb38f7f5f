//! `/invite/{code}`: the landing page, the visit that it starts, another mail, and the records that it was seen.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::change::Change;
use link_domain::invitations::invite::{
    AskedBy, Completion, Invite, InviteError, InviteInput, LINK_LIFE, MAX_MAILS,
};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::service_text::{ServiceText, Value};
use link_domain::use_cases::enter_invite;
use link_store::{Reader, StoreError};
use link_types::id::InviteId;
use maud::html;

use super::invited::Invited;
use super::page::{Page, Passage};
use super::visitor::{Browser, Visitor, begin_visit, count, nowhere};
use crate::app::App;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
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
    let is_known = visitor.is_some_and(|it| it.visit.invite_id() == Some(&invited.invite.id));
    let now = app.now(app.offset_of(&invited.invite.owner).await?);
    Ok(match state_of(&invited.invite, now.tenant()) {
        InviteLinkState::Complete(completion) => super::show::again(&app, &invited, completion, is_known),
        _ if is_known => Redirect::to("/visit").into_response(),
        _ if invited.link_template.is_none() => nowhere(&app, &browser),
        InviteLinkState::Open => match &invited.site {
            Some(site) => match site.check_open_to_invited(now.tenant()) {
                Ok(()) => open(&app, &invited),
                Err(closed) => super::link_sites::closed_page(&invited.look(&app), closed),
            },
            None => open(&app, &invited),
        },
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
    } else if progress.mails >= MAX_MAILS {
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
    look.show(StatusCode::OK, &Page { kind: "landing", title, widget: None, redirect: None, card })
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
    look.show(StatusCode::GONE, &Page { kind: "message", title, widget: None, redirect: None, card })
}

pub(super) async fn enter(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let Some(invited) = Invited::by_code(&app, &code, network, &browser).await? else {
        return Ok(nowhere(&app, &browser));
    };
    if invited.link_template.is_none() {
        return Ok(nowhere(&app, &browser));
    }
    let context = app.context(app.offset_of(&invited.invite.owner).await?);
    let hash = Digest32::from_text(&code);
    let begun = app
        .store
        .write(move |tx| -> Result<_, StoreError> {
            let mut context = context.clone();
            let Some(invite) = Invited::lock_by_code(tx, &hash)? else { return Ok(None) };
            let site = match &invite.link_site_id {
                Some(id) => {
                    let site = tx.link_sites().get(&invite.owner, id)?;
                    // The landing page explains why the site cannot be opened.
                    let Some(site) =
                        site.filter(|it| it.check_open_to_invited(context.now().tenant()).is_ok())
                    else {
                        return Ok(None);
                    };
                    Some(site)
                }
                None => None,
            };
            let Ok((secret, change)) = enter_invite(invite, site, &mut context) else { return Ok(None) };
            tx.apply(&change, context.now())?;
            Ok(Some(secret))
        })
        .await?;
    // The code was used since it was read. The landing page explains that.
    let Some(secret) = begun else { return Ok(Redirect::to(&format!("/invite/{code}")).into_response()) };
    begin_visit(&app, &secret)
}

// `POST /invite/{code}/opened`: records that a browser showed the landing page. The page's script sends it.

pub(super) async fn record_opening(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
) -> ApiResult<StatusCode> {
    let hash = Digest32::from_text(&code);
    let found = app.store.read(move |reader| reader.invites().by_code(&hash)).await?;
    apply_input(&app, found, InviteInput::LandingOpened, network).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Applies an input to an invitation. If there is none, counts the request against the limit of the caller's network.
///
/// Reads first, so that an input that changes nothing does not wait for the writer.
pub(super) async fn apply_input(
    app: &App,
    found: Option<(Owner, InviteId)>,
    input: InviteInput,
    network: Network,
) -> ApiResult<()> {
    let Some((owner, id)) = found else { return network.count(app) };
    count(app, &owner, id.as_str())?;
    let context = app.context(app.offset_of(&owner).await?);
    let (read_owner, read_id) = (owner.clone(), id.clone());
    let read = move |reader: &mut Reader<'_>| -> ApiResult<_> {
        check_tenant(reader, &read_owner)?;
        Ok(reader.invites().get(&read_owner, &read_id)?)
    };
    let invite = app.store.read(read).await?;
    let applied = invite.and_then(|it| it.apply(input, &mut context.clone()).ok());
    if applied.is_none_or(|(_, change)| change == Change::default()) {
        return Ok(());
    }
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(invite) = tx.invites().get(&owner, &id)? else { return Ok(()) };
            Ok(tx.apply(&invite.note(input, &mut context), context.now())?)
        })
        .await
}

/// Redirects to the landing page, so that reloading the response's URL works.
pub(super) async fn back_to_landing(address: Uri) -> Redirect {
    // Uses the encoded path: a decoded code may not be a valid URL.
    Redirect::to(address.path().strip_suffix("/again").unwrap_or("/"))
}

pub(super) async fn ask_again(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let Some(invited) = Invited::by_code(&app, &code, network, &browser).await? else {
        return Ok(nowhere(&app, &browser));
    };
    let context = app.context(app.offset_of(&invited.invite.owner).await?);
    let hash = Digest32::from_text(&code);
    let asked = app
        .store
        .write(move |tx| -> Result<_, StoreError> {
            let mut context = context.clone();
            let Some(invite) = Invited::lock_by_code(tx, &hash)? else {
                return Ok(Err(InviteError::Revoked));
            };
            match invite.apply(InviteInput::Resend(AskedBy::Person), &mut context) {
                Ok((_, change)) => Ok(Ok(tx.apply(&change, context.now())?)),
                Err(refused) => Ok(Err(refused)),
            }
        })
        .await?;
    let look = invited.look(&app);
    Ok(match asked {
        Ok(()) => look.say(StatusCode::OK, ServiceText::PageLinkSentTitle, ServiceText::PageLinkSentText),
        Err(InviteError::TooEarly { .. }) => look.say(
            StatusCode::TOO_MANY_REQUESTS,
            ServiceText::PageLinkEarlyTitle,
            ServiceText::PageLinkEarlyText,
        ),
        Err(InviteError::Linked) => super::show::again(&app, &invited, Completion::Linked, false),
        Err(InviteError::Uploaded) => super::show::again(&app, &invited, Completion::Uploaded, false),
        Err(InviteError::MailsSpent) => out_of_mails(&app, &invited),
        Err(
            InviteError::Revoked
            | InviteError::LinkUsed
            | InviteError::LinkLapsed
            | InviteError::StaleMail
            | InviteError::NotDue { .. },
        ) => nowhere(&app, &browser),
    })
}

// `GET /invite/opened/{picture}`: returns the mail's tracking pixel.
//
// The response to an unknown name is the same, until the caller's network has requested too many unknown names.

/// A transparent pixel.
const GIF: &[u8] =
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\
                     \x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

pub(super) async fn picture(
    State(app): State<App>,
    Path(picture): Path<String>,
    network: Network,
) -> ApiResult<Response> {
    let hash = Digest32::from_text(&picture);
    let found = app.store.read(move |reader| reader.invites().by_pixel(&hash)).await?;
    let is_known = found.is_some();
    match apply_input(&app, found, InviteInput::MailOpened, network).await {
        // A known pixel is always returned, so that the mail displays correctly.
        Err(problem) if is_known && problem.status() == StatusCode::TOO_MANY_REQUESTS => {}
        seen => seen?,
    }
    let mut response = GIF.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}
