//! Expiry jobs of the running worker.

use std::time::Duration;

use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::Mode;
use link_types::id::AccountId;

use crate::service::{TestService, text};

const A_MONTH: Duration = Duration::from_secs(30 * 86_400);

#[tokio::test]
async fn early_account_expiry_job_is_rescheduled() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    // The provider has no continuous sync, whose job would be due sooner.
    let progress = service.submit(&session, "ph_sahod_payroll", "good", "pass").await;
    let linked = service.settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let account_id: AccountId = text(&linked["accountId"]).parse().unwrap();

    // Both jobs are due at once, as if the clock had run ahead when they were scheduled.
    let mut context = service.app.context(Default::default());
    let tenants =
        service.app.store().read(|reader| -> ApiResult<_> { Ok(reader.tenants().list()?) }).await.unwrap();
    let owner = Owner { tenant: tenants[0].id.clone(), mode: Mode::Sandbox };
    let long_ago = TenantTime::from_micros(context.now().wall().micros()) - Duration::from_secs(60);
    let kinds = [
        JobKind::ExpireAccount { account_id: account_id.clone() },
        JobKind::RemovePending { account_id: account_id.clone() },
    ];
    let jobs = kinds.map(|kind| Job::due(&owner, kind, long_ago, &mut context)).into();
    let change = Change { jobs, ..Change::default() };
    let now = context.now();
    service.app.store().write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();

    wait::until_ok("both jobs have run", async || {
        let keys = [format!("expire/{account_id}"), format!("pending/{account_id}")];
        let owner = owner.clone();
        let found = service
            .app
            .store()
            .read(move |reader| -> ApiResult<_> { Ok(keys.map(|key| reader.jobs().get(&owner, &key))) });
        let now = service.app.now(Default::default()).tenant();
        let due = found.await.unwrap().map(|job| job.unwrap().map(|job| job.due_at));
        match due {
            [Some(expires), pending] if expires > now + A_MONTH && pending.is_none_or(|it| it > now) => {
                Ok(())
            }
            _ => Err(format!("{due:?}")),
        }
    })
    .await;
}
