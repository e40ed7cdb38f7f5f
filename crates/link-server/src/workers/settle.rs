//! Finishing jobs: a job's result is written and the job is deleted in one unit of work.

use link_domain::change::Change;
use link_domain::change::job::Job;
use link_domain::documents::archive;
use link_domain::invitations::{hosted_link, invite};
use link_domain::kernel::clock::{Now, TenantTime};
use link_domain::kernel::context::Context;
use link_domain::kernel::retention::clock_jump;
use link_domain::linking::account;
use link_store::{Leased, Tx};

use crate::app::App;
use crate::http::problem::ApiResult;

/// The result of a job.
pub(super) enum Ending {
    /// The job is done. The change may be empty.
    Done(Change),
    /// The job is not due before this time.
    NotDue(TenantTime),
}

impl Ending {
    /// Creates a result without a change, for a job that is no longer needed.
    pub(super) fn nothing() -> Self {
        Self::Done(Change::default())
    }

    /// Converts the result of a transition. A transition that is no longer allowed changes nothing.
    pub(super) fn from_result<T>(applied: Result<(T, Change), impl Into<Self>>) -> Self {
        applied.map_or_else(Into::into, |(_, change)| Self::Done(change))
    }
}

impl From<account::IllegalTransitionError> for Ending {
    fn from(refused: account::IllegalTransitionError) -> Self {
        if let account::IllegalTransitionError::NotDue { due_at } = refused {
            return Self::NotDue(due_at);
        }
        Self::nothing()
    }
}

impl From<archive::IllegalArchiveTransitionError> for Ending {
    fn from(refused: archive::IllegalArchiveTransitionError) -> Self {
        if let archive::IllegalArchiveTransitionError::NotDue { due_at } = refused {
            return Self::NotDue(due_at);
        }
        Self::nothing()
    }
}

impl From<invite::InviteError> for Ending {
    fn from(refused: invite::InviteError) -> Self {
        if let invite::InviteError::NotDue { due_at } = refused {
            return Self::NotDue(due_at);
        }
        Self::nothing()
    }
}

impl From<hosted_link::HostedLinkError> for Ending {
    fn from(refused: hosted_link::HostedLinkError) -> Self {
        if let hosted_link::HostedLinkError::NotDue { due_at } = refused {
            return Self::NotDue(due_at);
        }
        Self::nothing()
    }
}

/// Decides the result of a job, applies it, and finishes the job in one unit of work. Does nothing if the lease was
/// lost.
pub(super) async fn settle(
    app: &App,
    job: &Leased<Job>,
    mut decide: impl FnMut(&mut Tx<'_>, &Job, &mut Context) -> ApiResult<Ending> + Send + 'static,
) -> ApiResult<()> {
    let (local, seed) = (app.wall(), app.random_bytes());
    let job = job.clone();
    app.store
        .write(move |tx| -> ApiResult<()> {
            // Use the clock by which the job was claimed. By another clock it might not be due yet.
            let offset = tx.tenants().offset(&job.item.owner)?;
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let now = context.now();
            let ending = match job.item.is_early(now.tenant()) {
                true => Ending::NotDue(job.item.due_at),
                false => decide(tx, &job.item, &mut context)?,
            };
            match ending {
                Ending::NotDue(due_at) => {
                    tx.jobs().reschedule(&job, due_at)?;
                }
                Ending::Done(change) => {
                    if tx.jobs().finish(&job)? {
                        tx.apply(&change, now)?;
                    }
                }
            }
            Ok(())
        })
        .await
}

/// Finishes a job without a change.
pub(super) async fn finish(app: &App, job: &Leased<Job>) -> ApiResult<()> {
    let job = job.clone();
    Ok(app.store.write(move |tx| tx.jobs().finish(&job).map(drop)).await?)
}

/// Removes the resource of a failed job if its key is permanently gone, and finishes the job. Returns true if it did.
///
/// This happens after restoring an old backup, which may contain resources that have expired since.
pub(super) async fn remove_lost(app: &App, job: &Leased<Job>) -> ApiResult<bool> {
    let Some(thing) = job.item.kind.opens() else { return Ok(false) };
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let (job, lost) = (job.clone(), thing.clone());
    let is_lost = app
        .store
        .write(move |tx| -> ApiResult<bool> {
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let (owner, now) = (&job.item.owner, context.now());
            let is_paused = clock_jump(tx.retention_clock().last_reading()?, now.wall()).is_some();
            let is_lost = !is_paused && tx.scopes().is_lost(owner, &lost, now.wall())?;
            if is_lost && tx.jobs().finish(&job)? {
                tx.apply(&lost.clone().remove(owner, &mut context), now)?;
                tracing::warn!(
                    thing = lost.as_str(),
                    "Removed a resource that has expired and whose key is destroyed"
                );
            }
            Ok(is_lost)
        })
        .await?;
    Ok(is_lost)
}
