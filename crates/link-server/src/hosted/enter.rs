//! `POST /invite/{code}`: exchanges the link's one-time code for a visit.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::kernel::digest::Digest32;
use link_domain::use_cases::enter_invite;
use link_store::StoreError;

use super::browser::Browser;
use super::visitor::{Invited, cookie, nowhere};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::{ApiResult, Problem};

pub(super) async fn handler(
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
    let hash = Digest32::of(&code);
    let begun = app
        .store()
        .write(move |tx| -> Result<_, StoreError> {
            let mut context = context.clone();
            let Some(invite) = Invited::locked(tx, &hash)? else { return Ok(None) };
            let Ok((secret, change)) = enter_invite(invite, &mut context) else { return Ok(None) };
            tx.apply(&change, context.now())?;
            Ok(Some(secret))
        })
        .await?;
    // The code was used since it was read. The landing page explains that.
    let Some(secret) = begun else { return Ok(Redirect::to(&format!("/invite/{code}")).into_response()) };
    let cookie =
        cookie(&app, &secret).ok_or_else(|| Problem::system("A visit's cookie is not a valid header"))?;
    Ok((
        StatusCode::SEE_OTHER,
        [(header::SET_COOKIE, cookie), (header::LOCATION, "/visit".parse().map_err(Problem::system)?)],
    )
        .into_response())
}
