//! The jobs of tenants: advancing a sandbox's clock, erasing the rest of a deleted user's data, and erasing a deleted tenant.

use std::time::Duration;

use link_domain::change::job::{Job, JobQueue};
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::sandbox_clock::{Advance, AdvanceStep, DueWork};
use link_domain::tenancy::tenant::Tenant;
use link_domain::use_cases::TenantData;
use link_domain::use_cases::erased_at_once;
use link_store::{Leased, Reader, StoreError};
use link_types::Mode;
use link_types::id::{TenantId, UserId};
use tokio::time::Instant;

use super::housekeeping;
use crate::app::App;
use crate::http::problem::ApiResult;

/// How long the job runs before it runs again, behind the advances of other tenants.
const TURN: Duration = Duration::from_secs(2);
/// How soon the job looks again whether the due work is done. Doubles up to [`MAX_LOOK`].
const LOOK: Duration = Duration::from_millis(5);
const MAX_LOOK: Duration = Duration::from_millis(160);

/// How long the erasure of a tenant waits for jobs that erase the rest of its users' data.
const CLEANUP_PAUSE: Duration = Duration::from_secs(2);
/// The number of rows that one step of a tenant's erasure deletes.
const ROWS_AT_ONCE: u64 = 2_000;

/// The job's action after a step.
enum Next {
    /// Looks again after a wait.
    Wait,
    /// Takes the next step.
    Continue,
    /// Removes what has expired, and ends the advance.
    End,
    /// Nothing: the advance has ended, or another worker has the job.
    Stop,
}

/// Advances the clock step by step. After a crash, the job continues at the clock's instant.
pub(super) async fn advance(app: &App, job: &Leased<Job>, tenant: TenantId) -> ApiResult<()> {
    let (began, mut look, mut is_tidy) = (Instant::now(), LOOK, false);
    loop {
        match step(app, job, &tenant, is_tidy).await? {
            Next::Wait => {
                tokio::time::sleep(look).await;
                look = (look * 2).min(MAX_LOOK);
            }
            Next::Continue => look = LOOK,
            Next::End => {
                housekeeping::tidy_sandbox(app, &sandbox(&tenant)).await?;
                is_tidy = true;
            }
            Next::Stop => return Ok(()),
        }
        if began.elapsed() >= TURN || app.is_stopping() {
            return run_again(app, job).await;
        }
    }
}

fn sandbox(tenant: &TenantId) -> Owner {
    Owner { tenant: tenant.clone(), mode: Mode::Sandbox }
}

async fn step(app: &App, job: &Leased<Job>, tenant: &TenantId, is_tidy: bool) -> ApiResult<Next> {
    let (local, id) = (app.wall(), tenant.clone());
    // Look first without a lock. Usually, the work is not done yet.
    let found = app.store.read(move |reader| {
        let tenant = reader.tenants().get(&id)?;
        look(reader, tenant, local)
    });
    if let Some(Seen { advance, tenant, due, now }) = found.await?
        && advance.step(tenant, due, now) == AdvanceStep::Wait
    {
        return Ok(Next::Wait);
    }
    let (job, id) = (job.clone(), tenant.clone());
    app.store
        .write(move |tx| -> ApiResult<Next> {
            let tenant = tx.tenants().get(&id)?;
            let Some(Seen { advance, tenant, due, now }) = look(tx, tenant, local)? else {
                tx.jobs().finish(&job)?;
                return Ok(Next::Stop);
            };
            match advance.step(tenant, due, now) {
                AdvanceStep::Wait => Ok(Next::Wait),
                AdvanceStep::Move(change) => {
                    tx.apply(&change, now)?;
                    Ok(Next::Continue)
                }
                AdvanceStep::Finish(_) if !is_tidy => Ok(Next::End),
                AdvanceStep::Finish(change) => {
                    if tx.jobs().finish(&job)? {
                        tx.apply(&change, now)?;
                    }
                    Ok(Next::Stop)
                }
            }
        })
        .await
}

/// The rows and times that a step depends on.
struct Seen {
    advance: Advance,
    tenant: Tenant,
    due: DueWork,
    now: Now,
}

/// Reads what a step depends on. Returns `None` if no advance is in progress.
fn look(reader: &mut Reader<'_>, tenant: Option<Tenant>, local: Wall) -> Result<Option<Seen>, StoreError> {
    let Some(tenant) = tenant else { return Ok(None) };
    let advance = reader.clock_advances().get(&tenant.id)?.filter(Advance::is_running);
    let Some(advance) = advance else { return Ok(None) };
    let now = Now::new(reader.wall_clock(local)?, tenant.offset(Mode::Sandbox));
    // While retention is paused, nothing runs in its queue, and waiting for it would stop the clock.
    let paused = housekeeping::is_paused(reader, local)?.then_some(JobQueue::Retention);
    let due = reader.clock_advances().due_work(&tenant.id, paused, now)?;
    Ok(Some(Seen { advance, tenant, due, now }))
}

/// Releases the job, so that it runs again behind those that are due by now.
async fn run_again(app: &App, job: &Leased<Job>) -> ApiResult<()> {
    let (local, job) = (app.wall(), job.clone());
    app.store
        .write(move |tx| -> ApiResult<()> {
            let now = Now::new(tx.wall_clock(local)?, tx.tenants().offset(&job.item.owner)?);
            tx.jobs().reschedule(&job, now.tenant())?;
            Ok(())
        })
        .await
}

/// Erases some resources of a deleted user, and runs again if there are more.
pub(super) async fn erase_user(app: &App, job: &Leased<Job>, user_id: UserId) -> ApiResult<()> {
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let job = job.clone();
    app.store
        .write(move |tx| -> ApiResult<()> {
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let (owner, now) = (&job.item.owner, context.now());
            let user_data = tx.users().data(owner, &user_id, erased_at_once(job.item.attempts))?;
            let held = match user_data.more {
                true => tx.jobs().reschedule(&job, now.tenant())?,
                false => tx.jobs().finish(&job)?,
            };
            if held {
                let change = user_data.erase(owner, &user_id, &mut context);
                tx.apply(&change, now)?;
            }
            Ok(())
        })
        .await
}

/// The state of a tenant's erasure after a step.
enum Erasure {
    /// There is more to erase.
    More,
    /// Other jobs must end before.
    Waits,
    /// Nothing is left, or the deletion was undone, or another worker has the job.
    Over,
}

/// Erases a deleted tenant step by step. After a crash, the job continues with what is left.
pub(super) async fn erase_tenant(app: &App, job: &Leased<Job>, tenant: TenantId) -> ApiResult<()> {
    let began = Instant::now();
    loop {
        match erase_some(app, job, &tenant).await? {
            Erasure::More if began.elapsed() < TURN && !app.is_stopping() => {}
            Erasure::More => return run_again(app, job).await,
            Erasure::Waits => {
                let (job, run_at) = (job.clone(), app.wall() + CLEANUP_PAUSE);
                app.store.write(move |tx| tx.jobs().postpone(&job, run_at)).await?;
                return Ok(());
            }
            Erasure::Over => return Ok(()),
        }
    }
}

async fn erase_some(app: &App, job: &Leased<Job>, tenant: &TenantId) -> ApiResult<Erasure> {
    let (local, seed) = (app.wall(), app.random_bytes());
    let (job, id) = (job.clone(), tenant.clone());
    app.store
        .write(move |tx| -> ApiResult<Erasure> {
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, ClockOffset::default()), seed);
            let now = context.now();
            let tenant = tx.tenants().get(&id)?.filter(|it| it.is_erasing(now.wall()));
            let Some(tenant) = tenant else {
                tx.jobs().finish(&job)?;
                return Ok(Erasure::Over);
            };
            // A wrong clock must not end the grace (ADR 140).
            if tenant.is_erased_by_age() && housekeeping::is_paused(tx, local)? {
                return Ok(Erasure::Waits);
            }
            match tx.tenants().data(&id, erased_at_once(job.item.attempts))? {
                TenantData::Cleanups => Ok(Erasure::Waits),
                TenantData::Rows => {
                    if tx.tenants().delete_rows(&id, ROWS_AT_ONCE)? {
                        return Ok(Erasure::More);
                    }
                    if tx.jobs().finish(&job)? {
                        let (_, change) = tenant.finish_erasure(now.wall());
                        tx.apply(&change, now)?;
                        tracing::info!(tenant = %id, "The data of a deleted tenant are erased");
                    }
                    Ok(Erasure::Over)
                }
                found @ (TenantData::User { .. } | TenantData::Objects { .. }) => {
                    let change = found.erase(&mut context);
                    tx.apply(&change, now)?;
                    Ok(Erasure::More)
                }
            }
        })
        .await
}
