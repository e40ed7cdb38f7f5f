//! Tests of the steps of an advance.

use rstest::rstest;

use super::*;
use crate::change::job::JobKind;
use crate::change::{Change, Row};
use crate::fixture;
use crate::kernel::clock::{ClockOffset, Now};
use crate::kernel::context::Context;
use crate::tenancy::tenant::Tenant;
use crate::tenancy::tenant::standing::Standing;

const DAY: Duration = Duration::from_secs(86_400);

fn tenant(offset: Duration) -> Tenant {
    Tenant {
        id: fixture::owner().tenant,
        name: "Demo".into(),
        created_at: fixture::context().now().tenant(),
        sandbox_offset: ClockOffset::from_micros(offset.as_micros().try_into().unwrap()),
        standing: Standing::Active,
    }
}

fn context(offset: Duration) -> Context {
    let now = Now::new(fixture::context().now().wall(), tenant(offset).sandbox_offset);
    Context::new(now, [3; 32])
}

fn begin_advance(to: AdvanceTo) -> Advance {
    Advance::begin(&tenant(Duration::ZERO), None, to, &mut context(Duration::ZERO)).unwrap().0
}

/// Applies a step, and returns the tenant and the advance after it.
fn apply_move(step: AdvanceStep) -> (Tenant, Advance) {
    let AdvanceStep::Move(change) = step else { panic!("{step:?}") };
    match change.rows.as_slice() {
        [Row::Tenant(tenant), Row::Advance(advance)] => (tenant.clone(), advance.clone()),
        rows => panic!("{rows:?}"),
    }
}

#[test]
fn advance_begins_with_one_job() {
    let mut context = context(DAY);
    let now = context.now().tenant();
    let (advance, change) = Advance::begin(&tenant(DAY), None, AdvanceTo::After(DAY), &mut context).unwrap();
    assert_eq!((advance.from, advance.until, advance.steps), (now, now + DAY, 0));
    let kind = JobKind::AdvanceClock { tenant: tenant(DAY).id };
    assert_eq!(change.jobs.iter().map(|job| &job.kind).collect::<Vec<_>>(), [&kind]);
    assert_eq!((change.jobs[0].key.as_str(), change.jobs[0].due_at), ("clock/demo", now));
    assert_eq!(change.rows, [Row::Advance(advance)]);
}

#[rstest]
#[case::now(Duration::ZERO, AdvanceTo::After(Duration::ZERO), Some(AdvanceError::NotAhead))]
#[case::past(Duration::ZERO, AdvanceTo::Until(TenantTime::from_micros(0)), Some(AdvanceError::NotAhead))]
#[case::a_microsecond(Duration::ZERO, AdvanceTo::After(Duration::from_micros(1)), None)]
#[case::farthest(Duration::ZERO, AdvanceTo::After(MAX_OFFSET), None)]
#[case::too_far(Duration::from_micros(1), AdvanceTo::After(MAX_OFFSET), Some(AdvanceError::TooFar))]
#[case::overflow(Duration::ZERO, AdvanceTo::After(Duration::MAX), Some(AdvanceError::TooFar))]
fn clock_moves_forward_and_not_too_far(
    #[case] offset: Duration,
    #[case] to: AdvanceTo,
    #[case] refused: Option<AdvanceError>,
) {
    let begun = Advance::begin(&tenant(offset), None, to, &mut context(offset));
    assert_eq!(begun.err(), refused);
}

#[test]
fn second_advance_waits_for_the_first_to_finish() {
    let running = begin_advance(AdvanceTo::After(DAY));
    let begin = |last: &Advance| {
        let (tenant, mut context) = (tenant(Duration::ZERO), context(Duration::ZERO));
        Advance::begin(&tenant, Some(last), AdvanceTo::After(DAY), &mut context).map(drop)
    };
    assert_eq!(begin(&running), Err(AdvanceError::InProgress));
    assert_eq!(begin(&Advance { state: AdvanceState::Finished, ..running }), Ok(()));
}

#[test]
fn clock_waits_for_due_work_at_most_a_minute() {
    let (advance, now) = (begin_advance(AdvanceTo::After(DAY)), context(Duration::ZERO).now());
    let due = DueWork { is_due: true, next_at: None };
    let step = |waited| {
        let now = Now::new(now.wall() + waited, ClockOffset::default());
        advance.clone().step(tenant(Duration::ZERO), due, now)
    };
    assert_eq!(step(TIMEOUT - Duration::from_secs(1)), AdvanceStep::Wait);
    assert_eq!(apply_move(step(TIMEOUT)).0.sandbox_offset, now.offset_at(advance.until - TIMEOUT));
}

#[rstest]
#[case::next_work(Some(3_600), 3_600)]
#[case::work_after_the_end(Some(90_000), 86_400)]
#[case::nothing(None, 86_400)]
fn clock_moves_to_the_next_work_or_the_end(#[case] next: Option<u64>, #[case] by: u64) {
    let (advance, now) = (begin_advance(AdvanceTo::After(DAY)), context(Duration::ZERO).now());
    let next_at = next.map(|seconds| now.tenant() + Duration::from_secs(seconds));
    let (tenant, advance) =
        apply_move(advance.step(tenant(Duration::ZERO), DueWork { is_due: false, next_at }, now));
    assert_eq!(tenant.sandbox_offset.micros(), i64::try_from(by).unwrap() * 1_000_000);
    assert_eq!((advance.steps, advance.is_running()), (1, true));
}

#[test]
fn advance_finishes_once_the_work_at_its_end_is_done() {
    let advance = begin_advance(AdvanceTo::After(DAY));
    let now = context(DAY).now();
    let due = |is_due| DueWork { is_due, next_at: Some(now.tenant() + DAY) };
    assert_eq!(advance.clone().step(tenant(DAY), due(true), now), AdvanceStep::Wait);
    let finished = Advance { state: AdvanceState::Finished, ..advance.clone() };
    let end = AdvanceStep::Finish(Change::row(Row::Advance(finished.clone())));
    assert_eq!(advance.step(tenant(DAY), due(false), now), end);
    assert_eq!(finished.step(tenant(DAY), due(true), now), AdvanceStep::Finish(Change::default()));
}

#[test]
fn advance_without_work_takes_one_step_and_keeps_real_time() {
    let (advance, now) = (begin_advance(AdvanceTo::After(DAY)), context(Duration::ZERO).now());
    let later = Now::new(now.wall() + Duration::from_secs(5), now.offset());
    let (tenant, advance) = apply_move(advance.step(tenant(Duration::ZERO), DueWork::default(), later));
    let now = Now::new(later.wall(), tenant.sandbox_offset);
    assert_eq!(now.tenant(), advance.until, "the clock shows the end, however long the advance took");
}
