//! `POST` of a signal. A synchronous one is written down as PROCESSING, asked for outside of any transaction, and
//! answered with its result; what a crash cuts off a job takes up. A verification is left to its job at once.

use axum::response::Response;
use link_domain::change::Change;
use link_domain::event::Subject;
use link_domain::signal::Signal;
use link_types::id::SignalId;
use link_types::signal::{SignalRequest, SignalStarted};

use crate::app::App;
use crate::endpoints::consent_named;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::{Begun, Effect};
use crate::http::problem::{Answer, Problem};
use crate::workers::records::ask_for_signal;

/// Asks for a signal.
pub(super) async fn create(app: &App, caller: &TenantCaller, request: SignalRequest) -> Answer<Response> {
    if request.kind().is_synchronous() {
        at_once(app, caller, request).await
    } else {
        start(caller, request).await
    }
}

async fn start(caller: &TenantCaller, request: SignalRequest) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            consent_named::check(tx, &owner, request.consent().consent_template_id.as_ref())?;
            let (signal, change) = Signal::create(owner.clone(), request.clone(), context);
            let started = SignalStarted { id: signal.id.clone() };
            Ok(Effect::created(&started, change)?.about(Subject::Signal(signal.id)))
        })
        .await
}

async fn at_once(app: &App, caller: &TenantCaller, request: SignalRequest) -> Answer<Response> {
    let owner = caller.owner().clone();
    let begun = caller
        .begin(move |tx, context| {
            consent_named::check(tx, &owner, request.consent().consent_template_id.as_ref())?;
            let (signal, change) = Signal::create(owner.clone(), request.clone(), context);
            let effect = Effect::created(&signal.view(), change)?.about(Subject::Signal(signal.id.clone()));
            Ok((effect, signal))
        })
        .await?;
    match begun {
        Begun::Answered(response) => Ok(response),
        Begun::Open(id) => once_completed(caller, id).await,
        Begun::Mine(signal) => settle(app, caller, &signal).await,
    }
}

async fn settle(app: &App, caller: &TenantCaller, signal: &Signal) -> Answer<Response> {
    let outcome = ask_for_signal(app, signal, caller.now()).await;
    let (owner, id) = (signal.owner.clone(), signal.id.clone());
    caller
        .settle(move |tx, context| {
            let signal = tx.signal(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (signal, change) = match signal.is_processing() {
                true => signal.complete(outcome.clone(), context).map_err(Problem::system)?,
                false => (signal, Change::default()),
            };
            Ok(Effect::created(&signal.view(), change)?.about(Subject::Signal(signal.id.clone())))
        })
        .await
}

/// The answer to a repeated request whose first one was never answered. A job completes what that one left; from then
/// on everybody is answered the same, before it nobody is told of a result that is not there.
async fn once_completed(caller: &TenantCaller, id: Option<String>) -> Answer<Response> {
    let id: SignalId = id.ok_or_else(Problem::missing)?.parse().map_err(Problem::system)?;
    let owner = caller.owner().clone();
    caller
        .settle(move |tx, _| {
            let signal = tx.signal(&owner, &id)?.ok_or_else(Problem::missing)?;
            if signal.is_processing() {
                return Err(Problem::at_work());
            }
            let effect = Effect::created(&signal.view(), Change::default())?;
            Ok(effect.about(Subject::Signal(signal.id.clone())))
        })
        .await
}
