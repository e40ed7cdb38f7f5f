//! The jobs of records and signals: asking their source, and the end of their time.

use std::time::Duration;

use link_domain::change::{Change, ErasureScope};
use link_domain::clock::Now;
use link_domain::context::Context;
use link_domain::job::Job;
use link_domain::ports::{Outcome, SignalFindings};
use link_domain::record::Record;
use link_domain::signal::Signal;
use link_store::{Leased, StoreError, Tx};
use link_types::Timestamp;
use link_types::id::{RecordId, SignalId};
use link_types::record::SocialSecurityResult;

use crate::app::App;
use crate::http::problem::Answer;

/// How long the source of records may take.
const RECORD_PATIENCE: Duration = Duration::from_secs(300);
/// What a source may take beyond the patience it was told of.
const GRACE: Duration = Duration::from_secs(2);

/// Asks the source for a record, and completes it.
pub(super) async fn complete_record(app: &App, job: &Leased<Job>, id: RecordId) -> Answer<()> {
    let (owner, sought) = (job.item.owner.clone(), id.clone());
    let found = app.store().read(move |reader| reader.record(&owner, &sought)).await;
    let outcome = match unless_erased(found)? {
        Some(record) if record.is_processing() => Some(ask_for_record(app, job, &record).await?),
        Some(_) | None => None,
    };
    settle(app, job, move |tx, job, context| {
        let found = unless_erased(tx.record(&job.item.owner, &id))?;
        let (Some(outcome), Some(record)) = (outcome.clone(), found) else { return Ok(Change::default()) };
        // One that has its answer keeps it.
        Ok(record.complete(outcome, context).map(|(_, change)| change).unwrap_or_default())
    })
    .await
}

async fn ask_for_record(
    app: &App,
    job: &Leased<Job>,
    record: &Record,
) -> Answer<Outcome<SocialSecurityResult>> {
    if let Some(refused) = record.refusal() {
        return Ok(refused);
    }
    let now = app.now(app.offset_of(&job.item.owner).await?);
    let today = Timestamp::from(now.tenant()).date();
    let asked = app.record_source(record.owner.mode).social_security(&record.request, today);
    let answer = tokio::time::timeout(RECORD_PATIENCE, asked).await;
    Ok(answer.unwrap_or(Outcome::ServiceUnavailable {}))
}

/// Asks the source for a signal whose request was cut off, or for a verification, and completes it.
pub(super) async fn complete_signal(app: &App, job: &Leased<Job>, id: SignalId) -> Answer<()> {
    let (owner, sought) = (job.item.owner.clone(), id.clone());
    let found = app.store().read(move |reader| reader.signal(&owner, &sought)).await;
    let outcome = match unless_erased(found)? {
        Some(signal) if signal.is_processing() => {
            let now = app.now(app.offset_of(&job.item.owner).await?);
            Some(ask_for_signal(app, &signal, now).await)
        }
        Some(_) | None => None,
    };
    settle(app, job, move |tx, job, context| {
        let found = unless_erased(tx.signal(&job.item.owner, &id))?;
        let (Some(outcome), Some(signal)) = (outcome.clone(), found) else { return Ok(Change::default()) };
        // One that has its answer keeps it.
        Ok(signal.complete(outcome, context).map(|(_, change)| change).unwrap_or_default())
    })
    .await
}

/// What the source says of a signal, within its patience.
pub(crate) async fn ask_for_signal(app: &App, signal: &Signal, now: Now) -> Outcome<SignalFindings> {
    if let Some(refused) = signal.refusal() {
        return refused;
    }
    let (patience, today) = (signal.patience(), Timestamp::from(now.tenant()).date());
    let asked = app.record_source(signal.owner.mode).signal(&signal.request, patience, today);
    tokio::time::timeout(patience + GRACE, asked).await.unwrap_or(Outcome::ServiceUnavailable {})
}

/// Erases what has reached its sixtieth day.
pub(super) async fn expire(app: &App, job: &Leased<Job>, scope: ErasureScope) -> Answer<()> {
    settle(app, job, move |_, _, _| Ok(Change { erasures: vec![scope.clone()], ..Change::default() })).await
}

/// What is sealed with a key whose last day has ended is as good as gone.
fn unless_erased<T>(found: Result<Option<T>, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Err(StoreError::Erased) => Ok(None),
        found => found,
    }
}

/// Applies what the job came to, and finishes it, in one unit; nothing happens when the lease was lost meanwhile.
async fn settle(
    app: &App,
    job: &Leased<Job>,
    mut decide: impl FnMut(&mut Tx<'_>, &Leased<Job>, &mut Context) -> Answer<Change> + Send + 'static,
) -> Answer<()> {
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let job = job.clone();
    app.store()
        .write(move |tx| -> Answer<()> {
            // The clock by which the job was claimed: by another it might not be due yet.
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let now = context.now();
            if now.tenant() < job.item.due_at {
                tx.postpone_job(&job, now.run_at(job.item.due_at))?;
                return Ok(());
            }
            let change = decide(tx, &job, &mut context)?;
            if tx.finish_job(&job)? {
                tx.apply(&change, now)?;
            }
            Ok(())
        })
        .await
}
