//! The job that erases the rest of a deleted user's data.

use link_domain::change::job::Job;
use link_domain::kernel::clock::Now;
use link_domain::kernel::context::Context;
use link_domain::tenancy::user::ERASED_AT_ONCE;
use link_store::Leased;
use link_types::id::UserId;

use crate::app::App;
use crate::http::problem::ApiResult;

/// Erases up to [`ERASED_AT_ONCE`] resources of a deleted user, and runs again if there are more.
pub(super) async fn erase(app: &App, job: &Leased<Job>, user_id: UserId) -> ApiResult<()> {
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let job = job.clone();
    app.store()
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
