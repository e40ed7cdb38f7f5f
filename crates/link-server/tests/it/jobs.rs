//! Expiry jobs of the running worker.

use std::time::Duration;

use link_domain::change::Change;
use link_domain::clock::TenantTime;
use link_domain::job::{Job, JobKind};
use link_domain::owner::Owner;
use link_domain::scope::ErasureScope;
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

    wait::until_ok("the next job is due in more than a month", async || {
        let now = service.app.wall();
        let due = service.app.store().read(move |reader| -> ApiResult<_> { Ok(reader.jobs().next_at(now)?) });
        let next = due.await.unwrap();
        next.filter(|next| *next > now + A_MONTH).ok_or(format!("{next:?}"))
    })
    .await;
}

#[tokio::test]
async fn early_scope_expiry_job_is_rescheduled() {
    let service = TestService::start(Backend::Sqlite).await;
    let made = service.post("/alpha/socialSecurities", crate::records::request("525500000100")).await;
    let path = format!("/alpha/socialSecurities/{}", text(&made.body["id"]));
    service.completed(&path, &service.sandbox.clone()).await;

    let (owner, mut context) = (service.owner(), service.app.context(Default::default()));
    let scope = ErasureScope::Record(text(&made.body["id"]).parse().unwrap());
    let (now, key) = (context.now(), format!("expire/{}", scope.as_str()));
    let on_its_day =
        Job::due(&owner, JobKind::ExpireScope { scope }, now.tenant() + A_MONTH * 2, &mut context);
    // The job is due at once, as if the clock had run ahead when it was scheduled.
    let jobs = vec![Job { run_at: now.wall(), ..on_its_day }];
    let change = Change { jobs, ..Change::default() };
    service.app.store().write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();

    wait::until("the job is rescheduled", async || {
        let (owner, key) = (owner.clone(), key.clone());
        let found =
            service.app.store().read(move |reader| -> ApiResult<_> { Ok(reader.jobs().get(&owner, &key)?) });
        let job = found.await.unwrap().expect("the job is kept");
        job.run_at > now.wall() + A_MONTH
    })
    .await;
    assert_eq!(service.get(&path).await.status, 200);
}
