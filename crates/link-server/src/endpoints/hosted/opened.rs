//! `POST /invite/{code}/opened`: the landing page's script says that a browser shows it.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::Change;
use link_domain::digest::Digest32;
use link_domain::invite::InviteInput;
use link_domain::owner::Owner;
use link_types::id::InviteId;

use super::visitor::count;
use crate::app::App;
use crate::http::client::Network;
use crate::http::problem::Answer;
use crate::invited;

pub(super) async fn handler(
    State(app): State<App>,
    Path(code): Path<String>,
    network: Network,
) -> Answer<StatusCode> {
    let hash = Digest32::of(&code);
    let found = app.store().read(move |reader| reader.invite_of_code(&hash)).await?;
    seen(&app, found, InviteInput::LandingOpened, network).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells an invitation what was seen of it; counts by their network who saw what is none. What it knew already takes no
/// turn at writing.
pub(super) async fn seen(
    app: &App,
    found: Option<(Owner, InviteId)>,
    input: InviteInput,
    network: Network,
) -> Answer<()> {
    let Some((owner, id)) = found else { return network.count(app) };
    count(app, &owner, id.as_str())?;
    let context = app.context(app.offset_of(&owner).await?);
    let (of, sought) = (owner.clone(), id.clone());
    let invite = app.store().read(move |reader| reader.invite(&of, &sought)).await?;
    let told = invite.and_then(|it| it.apply(input, &mut context.clone()).ok());
    if told.is_none_or(|(_, change)| change == Change::default()) {
        return Ok(());
    }
    app.store()
        .write(move |tx| -> Answer<_> {
            let mut context = context.clone();
            let change = invited::told(tx, &owner, &id, input, &mut context)?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await
}
