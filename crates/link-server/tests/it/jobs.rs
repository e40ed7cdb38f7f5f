//! Jobs of the running worker.

use std::time::Duration;

use link_domain::change::Change;
use link_domain::clock::{TenantTime, Wall};
use link_domain::job::{Job, JobKind};
use link_domain::owner::Owner;
use link_server::http::problem::Answer;
use link_store::test_support::Backend;
use link_types::Mode;
use link_types::id::AccountId;

use crate::service::{TestService, text};

const A_MONTH: Duration = Duration::from_secs(30 * 86_400);

#[tokio::test]
async fn an_expiry_that_runs_too_early_is_put_off_to_its_day_and_not_lost() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let session = service.session().await;
        let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
        let linked = service.settled(&session, &progress).await;
        service.until_event("TASK_FINISHED").await;
        let account_id: AccountId = text(&linked["accountId"]).parse().unwrap();

        // As a clock that runs ahead would have them: both are due at once.
        let mut context = service.app.context(Default::default());
        let tenants =
            service.app.store().read(|reader| -> Answer<_> { Ok(reader.tenants()?) }).await.unwrap();
        let owner = Owner { tenant: tenants[0].id.clone(), mode: Mode::Sandbox };
        let long_ago = TenantTime::from_micros(context.now().wall().micros()) - Duration::from_secs(60);
        let kinds = [
            JobKind::ExpireAccount { account_id: account_id.clone() },
            JobKind::RemovePending { account_id: account_id.clone() },
        ];
        let jobs = kinds.map(|kind| Job::due(&owner, kind, long_ago, &mut context)).into();
        let change = Change { jobs, ..Change::default() };
        let now = context.now();
        service.app.store().write(move |tx| -> Answer<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();

        let mut next: Option<Wall> = None;
        for _ in 0..200 {
            let now = service.app.wall();
            let due = service.app.store().read(move |reader| -> Answer<_> { Ok(reader.next_job_at(now)?) });
            next = due.await.unwrap();
            if next.is_some_and(|next| next > now + A_MONTH) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        assert!(next.is_some_and(|next| next > service.app.wall() + A_MONTH), "{next:?} on {backend:?}");
    }
}
