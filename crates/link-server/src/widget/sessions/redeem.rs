//! Uses the code of a hand-off: gives a phone access to the session that created it.

use std::sync::Arc;

use link_domain::kernel::clock::{Now, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::linking::link::{ExchangeRequest, Handoff, LinkSession, TokenError};
use link_store::{Reader, Tx};
use link_types::link;
use link_types::{Mode, Sensitive};

use super::view::Reading;
use crate::app::App;
use crate::http::extract::handoff_step::step_progress;
use crate::http::problem::ApiResult;

/// Uses a code, and returns the session as the phone sees it.
pub(super) async fn redeem(
    app: &App,
    token: &Sensitive,
    (mode, request): (Mode, ExchangeRequest),
    languages: Languages,
) -> ApiResult<link::LinkSession> {
    let (token, wall, secret) = (Handoff::hash(token), app.wall(), request.secret_hash);
    // Checks with a read first, so that invalid requests do not wait for the writer.
    let checked = request.clone();
    app.store()
        .read(move |reader| -> ApiResult<_> {
            let (handoff, session) = found(reader, &token, mode)?;
            let progress = step_progress(reader, &handoff)?;
            handoff.verdict(&checked, &session, progress, wall)?;
            Ok(())
        })
        .await?;
    let source = Arc::clone(app.source(mode));
    let session = app
        .store()
        .write(move |tx| {
            let reading = Reading { may_hand_off: false, languages: &languages, source: source.as_ref() };
            continue_on_phone(tx, &token, (mode, &request), (wall, &reading))
        })
        .await?;
    app.known_sessions().remember(secret);
    Ok(session)
}

/// Returns the hand-off with this token and its session, if they belong to this environment.
fn found(reader: &mut Reader<'_>, token: &Digest32, mode: Mode) -> ApiResult<(Handoff, LinkSession)> {
    let handoff = reader.link_handoffs().by_token(token)?.filter(|it| it.owner.mode == mode);
    let handoff = handoff.ok_or(TokenError::Invalid)?;
    let session = reader.link_sessions().get(&handoff.session_id)?.ok_or(TokenError::Invalid)?;
    Ok((handoff, session))
}

fn continue_on_phone(
    tx: &mut Tx<'_>,
    token: &Digest32,
    (mode, request): (Mode, &ExchangeRequest),
    (wall, reading): (Wall, &Reading<'_>),
) -> ApiResult<link::LinkSession> {
    let (handoff, _) = found(tx, token, mode)?;
    // Locks both, the session first, and reads them again: the code may have been used or replaced.
    let session = tx.link_sessions().get(&handoff.session_id)?.ok_or(TokenError::Invalid)?;
    let handoff = tx.link_handoffs().get(&session.id)?.filter(|it| it.token_hash == *token);
    let handoff = handoff.ok_or(TokenError::Invalid)?;
    let progress = step_progress(tx, &handoff)?;
    let (handoff, change) = handoff.redeem(request, &session, progress, wall)?;
    let offset = tx.tenants().get(&session.owner.tenant)?.map(|it| it.offset(mode)).unwrap_or_default();
    let now = Now::new(wall, offset);
    tx.apply(&change, now)?;
    let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or(TokenError::Used)?;
    Ok(handoff.on_phone(super::view::view(tx, &session, &attempt, (now, reading))?))
}
