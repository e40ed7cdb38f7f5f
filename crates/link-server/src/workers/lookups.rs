//! The jobs of records and signals: querying their source, and expiry.

use std::time::Duration;

use link_domain::change::Change;
use link_domain::change::job::Job;
use link_domain::kernel::clock::Now;
use link_domain::kernel::scope::ErasureScope;
use link_domain::lookups::record::Record;
use link_domain::lookups::record_source::{Outcome, Queried, RecordQuery, SignalFindings, SignalQuery};
use link_domain::lookups::signal::Signal;
use link_store::Leased;
use link_types::id::RecordId;
use link_types::record::SocialSecurityResult;
use link_types::signal::SignalId;

use super::settle::{Ending, settle};
use crate::app::App;
use crate::http::problem::ApiResult;

/// How long the source of records may take to respond. It may respond with a task.
const RECORD_TIMEOUT: Duration = Duration::from_secs(120);
/// The margin on top of the time limit that a source is given.
const GRACE: Duration = Duration::from_secs(2);

/// Queries the source for a record, and completes the record or schedules the next query.
pub(super) async fn complete_record(app: &App, job: &Leased<Job>, id: RecordId) -> ApiResult<()> {
    let (owner, sought) = (job.item.owner.clone(), id.clone());
    let found = app.store.read(move |reader| reader.records().get(&owner, &sought)).await?;
    let queried = match found {
        Some(record) if record.is_processing() => Some(ask_for_record(app, job, &record).await?),
        Some(_) | None => None,
    };
    settle(app, job, move |tx, job, context| {
        let found = tx.records().get(&job.owner, &id)?;
        let (Some(queried), Some(record)) = (queried.clone(), found) else { return Ok(Ending::nothing()) };
        // A record or signal that is already complete stays as it is.
        let completed = record.apply_response(queried, context).map(|(_, change)| change);
        Ok(Ending::Done(completed.unwrap_or_default()))
    })
    .await
}

async fn ask_for_record(
    app: &App,
    job: &Leased<Job>,
    record: &Record,
) -> ApiResult<Queried<SocialSecurityResult>> {
    if let Some(refused) = record.refusal() {
        return Ok(Queried::Ended(refused));
    }
    let at = app.now(app.offset_of(&job.item.owner).await?).tenant();
    let query = RecordQuery { id: &record.id, request: &record.request, task: record.task(), at };
    let asked = app.ports.record_source(record.owner.mode).social_security(query);
    let response = tokio::time::timeout(RECORD_TIMEOUT, asked).await;
    Ok(response.unwrap_or(Queried::Ended(Outcome::ServiceUnavailable {})))
}

/// Queries the source for a signal whose request was cut off, or for a verification, and completes it or schedules the
/// next query.
pub(super) async fn complete_signal(app: &App, job: &Leased<Job>, id: SignalId) -> ApiResult<()> {
    let (owner, sought) = (job.item.owner.clone(), id.clone());
    let found = app.store.read(move |reader| reader.signals().get(&owner, &sought)).await?;
    let queried = match found {
        Some(signal) if signal.is_processing() => {
            let now = app.now(app.offset_of(&job.item.owner).await?);
            Some(ask_for_signal(app, &signal, now).await)
        }
        Some(_) | None => None,
    };
    settle(app, job, move |tx, job, context| {
        let found = tx.signals().get(&job.owner, &id)?;
        let (Some(queried), Some(signal)) = (queried.clone(), found) else { return Ok(Ending::nothing()) };
        // A record or signal that is already complete stays as it is.
        let completed = signal.apply_response(queried, context).map(|(_, change)| change);
        Ok(Ending::Done(completed.unwrap_or_default()))
    })
    .await
}

/// Queries the source for a signal, within the signal's time limit. For a synchronous signal, this waits for the
/// source's task.
pub(crate) async fn ask_for_signal(app: &App, signal: &Signal, now: Now) -> Queried<SignalFindings> {
    if let Some(refused) = signal.refusal() {
        return Queried::Ended(refused);
    }
    let (timeout, at) = (signal.timeout(), now.tenant());
    let asked = async {
        let mut task = signal.task().cloned();
        loop {
            let (id, request) = (&signal.id, &signal.request);
            let query = SignalQuery { id, request, task: task.as_ref(), timeout, at };
            match app.ports.record_source(signal.owner.mode).signal(query).await {
                Queried::Waiting { task: next, after } if signal.kind().is_synchronous() => {
                    task = Some(next);
                    tokio::time::sleep(after).await;
                }
                queried @ (Queried::Waiting { .. } | Queried::Ended(_)) => return queried,
            }
        }
    };
    let response = tokio::time::timeout(timeout + GRACE, asked).await;
    response.unwrap_or(Queried::Ended(Outcome::ServiceUnavailable {}))
}

/// Erases a scope that has reached the end of its retention of 60 days.
pub(super) async fn expire(app: &App, job: &Leased<Job>, scope: ErasureScope) -> ApiResult<()> {
    settle(app, job, move |tx, job, context| {
        Ok(Ending::Done(match &scope {
            ErasureScope::Form(id) => match tx.forms().lock(&job.owner, id)? {
                Some(form) => form.erase(context),
                // It is erased, or nothing can decrypt it: its files are unknown.
                None => scope.clone().remove(&job.owner, context),
            },
            ErasureScope::Account(_)
            | ErasureScope::Archive(_)
            | ErasureScope::Record(_)
            | ErasureScope::Signal(_)
            | ErasureScope::Invite(_) => Change { erasures: vec![scope.clone()], ..Change::default() },
        }))
    })
    .await
}
