//! Tests of due times and retries.

use rstest::rstest;

use super::*;
use crate::fixture;

#[rstest]
#[case::expiry(JobKind::ExpireAccount { account_id: AccountId::from_bytes([1; 16]) }, true)]
#[case::delete_orphans(
    JobKind::DeleteOrphans { holder: (&ArchiveId::from_bytes([1; 16])).into(), since: Wall::from_micros(0) },
    true
)]
#[case::step(JobKind::StepAccount { account_id: AccountId::from_bytes([1; 16]), version: 1 }, false)]
fn only_jobs_of_time_are_early(#[case] kind: JobKind, #[case] is_early: bool) {
    let mut context = fixture::context();
    let now = context.now().tenant();
    let due_at = now + Duration::from_secs(1);
    let job = Job::due(&fixture::owner(), kind, due_at, &mut context);
    assert_eq!(job.is_early(now), is_early);
    assert!(!job.is_early(due_at));
}

#[rstest]
#[case::first(1, 2)]
#[case::second(2, 4)]
#[case::eighth(8, 256)]
#[case::later(30, 256)]
fn failed_job_waits_longer_after_each_attempt(#[case] attempts: u32, #[case] seconds: u64) {
    let kind = JobKind::ForgetMail { invite_id: InviteId::from_bytes([1; 16]) };
    let job = Job::now(&fixture::owner(), kind, &mut fixture::context());
    assert_eq!(Job { attempts, ..job }.retry_wait(), Duration::from_secs(seconds));
}
