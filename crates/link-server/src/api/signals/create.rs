//! `POST` of a signal.
//!
//! A synchronous signal is stored as PROCESSING. The request then asks the source outside of any transaction and
//! returns the result. Meanwhile the request holds the lease of the signal's job, so that a worker takes over if the
//! request is cut off. An asynchronous signal, a verification, is left to its job.

use std::pin::pin;

use axum::response::Response;
use link_domain::change::Change;
use link_domain::kernel::owner::Owner;
use link_domain::lookups::signal::Signal;
use link_domain::notifications::event::Subject;
use link_store::{RENEWAL, Reader, StoreError, WorkerId};
use link_types::problem::FaultCode;
use link_types::signal::{SignalId, SignalRequest, SignalStarted};

use crate::api::consent_named;
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::{Begun, IdempotentResponse};
use crate::http::problem::{ApiResult, Problem, fault};
use crate::workers::records::ask_for_signal;

/// Creates a signal.
///
/// # Errors
/// 422 if the request has neither a mobile number nor an email address.
pub(super) async fn create(app: &App, caller: &TenantCaller, request: SignalRequest) -> ApiResult<Response> {
    if !request.names_somebody() {
        let faults = [("mobileNumber", "emailAddress"), ("emailAddress", "mobileNumber")];
        let missing =
            |(field, other)| fault(field, FaultCode::Missing, format!("required unless you send {other}"));
        return Err(Problem::invalid(faults.map(missing).to_vec()));
    }
    if request.kind().is_synchronous() {
        at_once(app, caller, request).await
    } else {
        start(caller, request).await
    }
}

async fn start(caller: &TenantCaller, request: SignalRequest) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            consent_named::check(tx, &owner, request.consent().consent_template_id.as_ref())?;
            let (signal, change) = Signal::create(owner.clone(), request.clone(), context);
            let started = SignalStarted { id: signal.id.clone() };
            Ok(IdempotentResponse::created(&started, change)?.about(Subject::Signal(signal.id)))
        })
        .await
}

async fn at_once(app: &App, caller: &TenantCaller, request: SignalRequest) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let worker = WorkerId::from_random(app.random_bytes());
    let holder = worker.clone();
    let begun = caller
        .begin(is_over, move |tx, context| {
            consent_named::check(tx, &owner, request.consent().consent_template_id.as_ref())?;
            let (signal, change) = Signal::create(owner.clone(), request.clone(), context);
            let effect = IdempotentResponse::created(&signal.view(), change)?
                .about(Subject::Signal(signal.id.clone()))
                .holding(&owner, signal.completion_key(), holder.clone());
            Ok((effect, signal))
        })
        .await?;
    match begun {
        Begun::Answered(response) => Ok(response),
        Begun::Open(id) => once_completed(caller, id).await,
        Begun::Mine(signal) => settle(app, caller, &signal, worker).await,
    }
}

async fn settle(app: &App, caller: &TenantCaller, signal: &Signal, worker: WorkerId) -> ApiResult<Response> {
    let asked = ask_for_signal(app, signal, caller.now());
    let queried = while_held(app, signal, worker, asked).await;
    let (owner, id) = (signal.owner.clone(), signal.id.clone());
    caller
        .settle(move |tx, context| {
            let signal = tx.signals().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            tx.jobs().withdraw(&owner, &signal.completion_key())?;
            let (signal, change) = match signal.is_processing() {
                true => signal.queried(queried.clone(), context).map_err(Problem::system)?,
                false => (signal, Change::default()),
            };
            Ok(IdempotentResponse::created(&signal.view(), change)?.about(Subject::Signal(signal.id.clone())))
        })
        .await
}

/// Waits for the source, and renews the lease of the signal's job meanwhile.
async fn while_held<T>(app: &App, signal: &Signal, worker: WorkerId, asked: impl Future<Output = T>) -> T {
    let mut asked = pin!(asked);
    let mut renewals = tokio::time::interval(RENEWAL);
    // The first tick is immediate, and the lease is still new.
    renewals.tick().await;
    loop {
        tokio::select! {
            outcome = &mut asked => return outcome,
            _ = renewals.tick() => {}
        }
        let (owner, key, worker) = (signal.owner.clone(), signal.completion_key(), worker.clone());
        let now = app.wall();
        let held: Result<bool, StoreError> =
            app.store().write(move |tx| tx.jobs().hold(&owner, &key, &worker, now)).await;
        if let Err(error) = held {
            tracing::error!(%error, "Could not renew the lease of a signal's job");
        }
    }
}

/// Returns true if a signal is complete. If its request was cut off, its job completes it.
fn is_over(reader: &mut Reader<'_>, owner: &Owner, id: &str) -> ApiResult<bool> {
    let id: SignalId = id.parse().map_err(Problem::system)?;
    Ok(reader.signals().get(owner, &id)?.is_none_or(|signal| !signal.is_processing()))
}

/// Returns the response to a repeated request whose first one got no response.
///
/// Once the job has completed the signal, all repeated requests get the same response. Before that, they get 409.
async fn once_completed(caller: &TenantCaller, id: Option<String>) -> ApiResult<Response> {
    let id: SignalId = id.ok_or_else(Problem::missing)?.parse().map_err(Problem::system)?;
    let owner = caller.owner().clone();
    caller
        .settle(move |tx, _| {
            let signal = tx.signals().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            if signal.is_processing() {
                return Err(Problem::at_work());
            }
            let effect = IdempotentResponse::created(&signal.view(), Change::default())?;
            Ok(effect.about(Subject::Signal(signal.id.clone())))
        })
        .await
}
