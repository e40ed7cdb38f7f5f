//! `/console/api/session/identity`: the caller's own identity at the provider of their tenant.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Deletion};
use link_domain::console::single_sign_on::Aim;
use link_domain::kernel::clock::{ClockOffset, TenantTime};
use link_store::StoreError;
use link_types::console::single_sign_on::OwnIdentity;
use serde::Deserialize;

use super::super::body::ConsoleBody;
use super::super::caller::ConsoleCaller;
use super::start::lead_away;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// The body of a request without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::console) struct NoFields {}

/// Shows whether the member has linked an identity.
pub(in crate::console) async fn show(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<OwnIdentity>> {
    view(&app, &caller).await
}

async fn view(app: &App, caller: &ConsoleCaller) -> ApiResult<Json<OwnIdentity>> {
    let (tenant, member) = (caller.tenant.id.clone(), caller.member.id.clone());
    let own = app
        .store
        .read(move |reader| {
            let linked = reader.console_identities().of_member(&member)?;
            Ok::<_, StoreError>(OwnIdentity {
                is_offered: reader.identity_providers().get(&tenant)?.is_some(),
                linked_at: linked.map(|it| TenantTime::from_micros(it.created_at.micros()).into()),
            })
        })
        .await?;
    Ok(Json(own))
}

/// Leads to the provider, to link the identity that the member has there.
pub(in crate::console) async fn link(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(NoFields {}): ConsoleBody<NoFields>,
) -> ApiResult<Response> {
    let tenant = caller.tenant.id.clone();
    let provider = app.store.read(move |reader| reader.identity_providers().get(&tenant)).await?;
    let provider = provider.ok_or_else(|| Problem::conflict("Your organization has no single sign-on."))?;
    lead_away(&app, &provider, Aim::Link(caller.session.id)).await
}

/// Unlinks the identity. The session goes on, and ends at the latest after 7 days. The member's other sessions that began with the
/// provider end, because another person may have signed in with the account.
pub(in crate::console) async fn unlink(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<OwnIdentity>> {
    let (acting, now) = (caller.clone(), app.now(ClockOffset::default()));
    app.store
        .write(move |tx| -> ApiResult<_> {
            acting.check_again(tx, now.wall())?;
            let (member, except) = (acting.member.id.clone(), acting.session.id.clone());
            let deletions =
                vec![Deletion::Identity(member.clone()), Deletion::ProviderSessions { member, except }];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    view(&app, &caller).await
}
