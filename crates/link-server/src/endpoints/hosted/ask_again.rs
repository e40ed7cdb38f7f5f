//! `POST /invite/{code}/again`: the person asks for another mail. It goes where the first one went.

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::{Redirect, Response};
use link_domain::digest::Digest32;
use link_domain::invite::{AskedBy, InviteInput, InviteRefused};
use link_store::StoreError;

use super::visitor::{Invited, nowhere};
use crate::app::App;
use crate::http::client::Network;
use crate::http::problem::Answer;

/// Who loads the answer's address anew comes back to where they asked from.
pub(super) async fn back(address: Uri) -> Redirect {
    // As it was written: what a code decodes to may be no address.
    Redirect::to(address.path().strip_suffix("/again").unwrap_or("/"))
}

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
) -> Answer<Response> {
    let Some(invited) = Invited::by_code(&app, &code, network).await? else { return Ok(nowhere(&app)) };
    let context = app.context(app.offset_of(&invited.invite.owner).await?);
    let hash = Digest32::of(&code);
    let asked = app
        .store()
        .write(move |tx| -> Result<_, StoreError> {
            let mut context = context.clone();
            let Some(invite) = Invited::locked(tx, &hash)? else { return Ok(Err(InviteRefused::Revoked)) };
            match invite.apply(InviteInput::Resend(AskedBy::Person), &mut context) {
                Ok((_, change)) => Ok(Ok(tx.apply(&change, context.now())?)),
                Err(refused) => Ok(Err(refused)),
            }
        })
        .await?;
    let look = invited.look(&app);
    Ok(match asked {
        Ok(()) => look.say(
            StatusCode::OK,
            "A new link is on its way",
            "It goes to the address that the first one went to. You can close this page.",
        ),
        Err(InviteRefused::TooEarly { .. }) => look.say(
            StatusCode::TOO_MANY_REQUESTS,
            "A mail went out a moment ago",
            "Give it a minute to arrive. If it does not, ask once more.",
        ),
        Err(InviteRefused::Linked) => super::done::page(&app, &invited),
        Err(InviteRefused::MailsSpent) => super::landing::spent(&app, &invited),
        Err(
            InviteRefused::Revoked
            | InviteRefused::LinkUsed
            | InviteRefused::LinkLapsed
            | InviteRefused::StaleMail
            | InviteRefused::NotDue { .. },
        ) => nowhere(&app),
    })
}
