//! `POST /invite/{code}/again`: sends the person another mail, to the same address as the first one.

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::{Redirect, Response};
use link_domain::invitations::invite::{AskedBy, Completion, InviteError, InviteInput};
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::service_text::ServiceText;
use link_store::StoreError;

use super::browser::Browser;
use super::visitor::{Invited, nowhere};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

/// Redirects to the landing page, so that reloading the response's URL works.
pub(super) async fn back(address: Uri) -> Redirect {
    // Uses the encoded path: a decoded code may not be a valid URL.
    Redirect::to(address.path().strip_suffix("/again").unwrap_or("/"))
}

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let Some(invited) = Invited::by_code(&app, &code, network, &browser).await? else {
        return Ok(nowhere(&app, &browser));
    };
    let context = app.context(app.offset_of(&invited.invite.owner).await?);
    let hash = Digest32::of(&code);
    let asked = app
        .store()
        .write(move |tx| -> Result<_, StoreError> {
            let mut context = context.clone();
            let Some(invite) = Invited::locked(tx, &hash)? else { return Ok(Err(InviteError::Revoked)) };
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
        Err(InviteError::Linked) => super::done::again(&app, &invited, Completion::Linked, false),
        Err(InviteError::Uploaded) => super::done::again(&app, &invited, Completion::Uploaded, false),
        Err(InviteError::MailsSpent) => super::landing::out_of_mails(&app, &invited),
        Err(
            InviteError::Revoked
            | InviteError::LinkUsed
            | InviteError::LinkLapsed
            | InviteError::StaleMail
            | InviteError::NotDue { .. },
        ) => nowhere(&app, &browser),
    })
}
