//! Resending events that a receiver missed: one delivery, or all events since a point in time.

use link_types::webhook::DeliveryStatus;

use super::retry::retry_span;
use super::{Delivery, DeliveryState, deliveries_for};
use crate::kernel::clock::{Now, TenantTime};
use crate::notifications::event::{EVENT_MEMORY, EventRecord};
use crate::notifications::webhook::Webhook;

/// Number of events that one run of a recovery processes. The next run continues after them.
pub const RECOVERED_AT_ONCE: usize = 200;

/// Number of bytes of a response body that lists return. The single delivery has the rest.
pub const LISTED_ANSWER: usize = 1_024;

/// Error for a webhook that is inactive or disabled and receives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the webhook is inactive or disabled")]
pub struct SwitchedOffError;

impl Webhook {
    /// Checks that the webhook may receive deliveries.
    ///
    /// # Errors
    ///
    /// [`SwitchedOffError`] if the webhook is inactive or disabled.
    pub fn check_sends(&self) -> Result<(), SwitchedOffError> {
        let sends = self.registration.active && self.registration.disabled_reason.is_none();
        if sends { Ok(()) } else { Err(SwitchedOffError) }
    }

    /// Returns the start of a recovery that is requested now for the time from `since` on. It is not before the
    /// webhook's creation. It also excludes events that would be deleted before their last attempt.
    pub fn recoverable_from(&self, since: TenantTime, now: TenantTime) -> TenantTime {
        let lasting = now - (EVENT_MEMORY - retry_span(self.registration.retry_profile));
        since.max(TenantTime::from_micros(self.registration.created_at.as_micros())).max(lasting)
    }

    /// Returns the delivery that recovers an event. `known` is the event's existing delivery to this webhook, if any.
    /// `None` if nothing must be sent: the event was delivered, is pending, or is not selected by the webhook.
    pub fn recover(&self, event: &EventRecord, known: Option<Delivery>, now: Now) -> Option<Delivery> {
        let fresh = deliveries_for(event, std::slice::from_ref(self)).pop()?;
        match known {
            None => Some(fresh),
            Some(delivery) => match delivery.status() {
                DeliveryStatus::Exhausted | DeliveryStatus::Cancelled => Some(delivery.resend(now)),
                DeliveryStatus::Delivered | DeliveryStatus::Pending => None,
            },
        }
    }
}

impl Delivery {
    /// Schedules an attempt now, regardless of the delivery's state. Later attempts follow the retry profile, as far as
    /// it has attempts left.
    pub fn resend(self, now: Now) -> Self {
        let due_at = now.tenant();
        Self { state: DeliveryState::Pending { due_at }, ..self }
    }

    /// Returns the delivery as REST shows it.
    pub fn view(self, attempts: Vec<link_types::webhook::DeliveryAttempt>) -> link_types::webhook::Delivery {
        let next_attempt_at = match self.state {
            DeliveryState::Pending { due_at } => Some(due_at.into()),
            DeliveryState::Delivered | DeliveryState::Exhausted | DeliveryState::Cancelled => None,
        };
        link_types::webhook::Delivery {
            status: self.status(),
            id: self.id,
            event_id: self.event_id,
            event_type: self.event_type,
            webhook_id: self.webhook_id,
            next_attempt_at,
            attempts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use link_types::event::EventType;
    use link_types::webhook::{EventSelection, RetryProfile};
    use rstest::rstest;

    #[rstest]
    #[case::no_delivery(None, true)]
    #[case::exhausted(Some(DeliveryState::Exhausted), true)]
    #[case::cancelled(Some(DeliveryState::Cancelled), true)]
    #[case::delivered(Some(DeliveryState::Delivered), false)]
    fn recovery_resends_events_that_did_not_arrive(#[case] known: Option<DeliveryState>, #[case] sent: bool) {
        let mut context = fixture::context();
        let (event, webhook, now) = (fixture::event(&mut context), fixture::webhook(), context.now());
        let first = deliveries_for(&event, std::slice::from_ref(&webhook)).remove(0);
        let known = known.map(|state| Delivery { state, ..first.clone() });
        let recovered = webhook.recover(&event, known, now);
        assert_eq!(recovered.is_some(), sent);
        assert!(recovered.is_none_or(|it| it == first), "the same delivery is due now");
    }

    #[test]
    fn recovery_skips_pending_and_unselected_events() {
        let mut context = fixture::context();
        let (event, mut webhook, now) = (fixture::event(&mut context), fixture::webhook(), context.now());
        let pending = deliveries_for(&event, std::slice::from_ref(&webhook)).pop();
        assert_eq!(webhook.recover(&event, pending, now), None);
        webhook.registration.event_types = EventSelection::Only(vec![EventType::TaskStarted]);
        assert_eq!(webhook.recover(&event, None, now), None);
    }

    #[test]
    fn recovery_starts_at_the_webhooks_creation() {
        let (webhook, now) = (fixture::webhook(), TenantTime::from_micros(9));
        assert_eq!(webhook.recoverable_from(TenantTime::from_micros(-5), now), TenantTime::from_micros(0));
        assert_eq!(webhook.recoverable_from(TenantTime::from_micros(5), now), TenantTime::from_micros(5));
    }

    #[test]
    fn recovery_skips_events_deleted_before_their_retries() {
        const DAY: i64 = 86_400_000_000;
        let (mut webhook, now) = (fixture::webhook(), TenantTime::from_micros(100 * DAY));
        let ages = [RetryProfile::Standard, RetryProfile::Extended].map(|profile| {
            webhook.registration.retry_profile = profile;
            let first = webhook.recoverable_from(TenantTime::from_micros(0), now);
            (now.micros() - first.micros()) as f64 / DAY as f64
        });
        assert!((59.99..60.0).contains(&ages[0]), "{ages:?}");
        assert!((56.0..57.0).contains(&ages[1]), "{ages:?}");
    }
}
