//! `POST /invite/{code}/opened`: records that a browser showed the landing page. The page's script sends it.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::Change;
use link_domain::invitations::invite::InviteInput;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_types::id::InviteId;

use super::visitor::count;
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
) -> ApiResult<StatusCode> {
    let hash = Digest32::of(&code);
    let found = app.store().read(move |reader| reader.invites().by_code(&hash)).await?;
    seen(&app, found, InviteInput::LandingOpened, network).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Applies an input to an invitation. If there is none, counts the request against the limit of the caller's network.
///
/// Reads first, so that an input that changes nothing does not wait for the writer.
pub(super) async fn seen(
    app: &App,
    found: Option<(Owner, InviteId)>,
    input: InviteInput,
    network: Network,
) -> ApiResult<()> {
    let Some((owner, id)) = found else { return network.count(app) };
    count(app, &owner, id.as_str())?;
    let context = app.context(app.offset_of(&owner).await?);
    let (read_owner, read_id) = (owner.clone(), id.clone());
    let invite = app.store().read(move |reader| reader.invites().get(&read_owner, &read_id)).await?;
    let applied = invite.and_then(|it| it.apply(input, &mut context.clone()).ok());
    if applied.is_none_or(|(_, change)| change == Change::default()) {
        return Ok(());
    }
    app.store()
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(invite) = tx.invites().get(&owner, &id)? else { return Ok(()) };
            Ok(tx.apply(&invite.note(input, &mut context), context.now())?)
        })
        .await
}
