//! A recovery sends the events that did not arrive at a webhook.

use link_types::Timestamp;
use link_types::id::EventId;
use link_types::webhook::Recovery;

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::notifications::delivery::{Delivery, RECOVERED_AT_ONCE, SwitchedOffError};
use crate::notifications::event::EventRecord;
use crate::notifications::webhook::Webhook;

/// Reason why a recovery is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecoveryError {
    /// The recovery starts in the future.
    #[error("the recovery starts in the future")]
    InFuture,
    /// The webhook is inactive or disabled.
    #[error(transparent)]
    SwitchedOff(#[from] SwitchedOffError),
}

/// One run of a recovery.
pub struct RecoveryRun {
    /// Start of the period, inclusive.
    pub since: TenantTime,
    /// End of the period, exclusive.
    pub until: TenantTime,
    /// The next [`RECOVERED_AT_ONCE`] events, oldest first, each with its delivery to the webhook if there is one.
    pub events: Vec<(EventRecord, Option<Delivery>)>,
}

/// Starts a recovery of the events since a time. A job sends them.
///
/// # Errors
///
/// [`RecoveryError`] if the time is in the future, or the webhook receives nothing.
pub fn start_recovery(
    webhook: &Webhook,
    since: Timestamp,
    context: &mut Context,
) -> Result<(Recovery, Change), RecoveryError> {
    let (since, until) = (TenantTime::from_micros(since.as_micros()), context.now().tenant());
    if since > until {
        return Err(RecoveryError::InFuture);
    }
    webhook.check_sends()?;
    let since = webhook.recoverable_from(since, until);
    let recovery = Recovery { webhook_id: webhook.id().clone(), since: since.into(), until: until.into() };
    Ok((recovery, Change { jobs: vec![run(webhook, (since, until), None, context)], ..Change::default() }))
}

/// Schedules the deliveries of one run, and the next run if there may be more events. Returns an empty change if the
/// webhook receives nothing.
pub fn recover_deliveries(webhook: &Webhook, recovery: RecoveryRun, context: &mut Context) -> Change {
    let RecoveryRun { since, until, events } = recovery;
    if webhook.check_sends().is_err() {
        return Change::default();
    }
    let has_more = events.len() == RECOVERED_AT_ONCE;
    let last = events.last().filter(|_| has_more).map(|(event, _)| event.id.clone());
    let now = context.now();
    let again = events.into_iter().filter_map(|(event, known)| webhook.recover(&event, known, now));
    let rows = again.map(|delivery| Row::Delivery(Box::new(delivery))).collect();
    let jobs = last.map(|last| run(webhook, (since, until), Some(last), context)).into_iter().collect();
    Change { rows, jobs, ..Change::default() }
}

fn run(
    webhook: &Webhook,
    (since, until): (TenantTime, TenantTime),
    after: Option<EventId>,
    context: &mut Context,
) -> Job {
    let kind = JobKind::RecoverDeliveries { webhook_id: webhook.id().clone(), since, until, after };
    Job::now(&webhook.owner, kind, context)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture;
    use crate::notifications::delivery::{DeliveryState, deliveries_for};

    fn recover(webhook: &Webhook, events: Vec<(EventRecord, Option<Delivery>)>) -> Change {
        let mut context = fixture::context();
        let (since, until) = (TenantTime::from_micros(0), context.now().tenant());
        recover_deliveries(webhook, RecoveryRun { since, until, events }, &mut context)
    }

    fn unsent_events(count: usize) -> Vec<(EventRecord, Option<Delivery>)> {
        let mut context = fixture::context();
        (0..count).map(|_| (fixture::event(&mut context), None)).collect()
    }

    #[test]
    fn recovery_sends_only_events_that_did_not_arrive() {
        let (webhook, mut context) = (fixture::webhook(), fixture::context());
        let events = [DeliveryState::Exhausted, DeliveryState::Delivered].map(|state| {
            let event = fixture::event(&mut context);
            let first = deliveries_for(&event, std::slice::from_ref(&webhook)).remove(0);
            (event, Some(Delivery { state, ..first }))
        });
        let exhausted = events[0].0.id.clone();
        let change = recover(&webhook, events.into());
        assert!(matches!(change.rows.as_slice(), [Row::Delivery(it)] if it.event_id == exhausted));
        assert!(change.jobs.is_empty());
    }

    #[test]
    fn full_run_schedules_the_next_run() {
        let events = unsent_events(RECOVERED_AT_ONCE);
        let last = events.last().map(|(event, _)| event.id.clone());
        let change = recover(&fixture::webhook(), events);
        assert_eq!(change.rows.len(), RECOVERED_AT_ONCE);
        let [job] = change.jobs.as_slice() else { panic!("{:?}", change.jobs) };
        assert!(matches!(&job.kind, JobKind::RecoverDeliveries { after, .. } if *after == last));
    }

    #[test]
    fn switched_off_webhook_recovers_nothing() {
        let mut webhook = fixture::webhook();
        webhook.registration.active = false;
        assert_eq!(recover(&webhook, unsent_events(2)), Change::default());
        let started = start_recovery(&webhook, Timestamp::from_micros(0), &mut fixture::context());
        assert_eq!(started.map(|_| ()), Err(RecoveryError::SwitchedOff(SwitchedOffError)));
    }

    #[test]
    fn recovery_lasts_until_now_and_does_not_start_in_the_future() {
        let mut context = fixture::context();
        let now = context.now().tenant();
        let (recovery, change) = start_recovery(&fixture::webhook(), now.into(), &mut context).unwrap();
        assert_eq!((recovery.since, recovery.until), (now.into(), now.into()));
        assert_eq!(change.jobs.len(), 1);
        let later = (now + Duration::from_secs(1)).into();
        let refused = start_recovery(&fixture::webhook(), later, &mut context).map(|_| ());
        assert_eq!(refused, Err(RecoveryError::InFuture));
    }
}
