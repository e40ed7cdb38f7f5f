//! The jobs of tenants: advancing a sandbox's clock, and erasing the rest of a deleted user's data.

use std::time::Duration;

use link_domain::change::job::{Job, JobQueue};
use link_domain::kernel::clock::{Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::sandbox_clock::{Advance, AdvanceStep, DueWork};
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::user::ERASED_AT_ONCE;
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

/// Erases up to [`ERASED_AT_ONCE`] resources of a deleted user, and runs again if there are more.
pub(super) async fn erase_user(app: &App, job: &Leased<Job>, user_id: UserId) -> ApiResult<()> {
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let job = job.clone();
    app.store
        .write(move |tx| -> ApiResult<()> {
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let (owner, now) = (&job.item.owner, context.now());
            let user_data = tx.users().data(owner, &user_id, ERASED_AT_ONCE)?;
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
