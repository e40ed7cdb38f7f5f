//! Sending again what a receiver missed: one delivery, or all since a moment.

use link_types::webhook::DeliveryStatus;

use super::delivery::{Delivery, DeliveryState, deliveries_owed};
use super::{Webhook, retry_span};
use crate::clock::{Now, TenantTime};
use crate::event::{EVENT_MEMORY, EventRecord};

/// Events that one run of a recovery looks at; the next run goes on after them.
pub const RECOVERED_AT_ONCE: usize = 200;

/// The bytes that a list shows of what a receiver answered; the delivery by itself has the rest.
pub const LISTED_ANSWER: usize = 1_024;

/// The webhook is switched off: nothing is sent there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the webhook is switched off")]
pub struct SwitchedOff;

impl Webhook {
    /// Whether anything may be sent.
    ///
    /// # Errors
    ///
    /// [`SwitchedOff`] when nothing may.
    pub fn check_sends(&self) -> Result<(), SwitchedOff> {
        let sends = self.registration.active && self.registration.disabled_reason.is_none();
        if sends { Ok(()) } else { Err(SwitchedOff) }
    }

    /// The first moment of a recovery that is asked for now, from `since` on: nothing is owed from before the webhook,
    /// and nothing is begun that would be removed with its event before its last attempt.
    pub fn recoverable_from(&self, since: TenantTime, now: TenantTime) -> TenantTime {
        let lasting = now - (EVENT_MEMORY - retry_span(self.registration.retry_profile));
        since.max(TenantTime::from_micros(self.registration.created_at.as_micros())).max(lasting)
    }

    /// What recovering makes of one event: `known` is its delivery to this webhook, if there ever was one. Null when
    /// nothing is owed: it arrived, it is on its way, or the webhook does not select it.
    pub fn recovered(&self, event: &EventRecord, known: Option<Delivery>, now: Now) -> Option<Delivery> {
        let owed = deliveries_owed(event, std::slice::from_ref(self), now).pop()?;
        match known {
            None => Some(owed),
            Some(delivery) => match delivery.status() {
                DeliveryStatus::Exhausted | DeliveryStatus::Cancelled => Some(delivery.resent(now)),
                DeliveryStatus::Delivered | DeliveryStatus::Pending => None,
            },
        }
    }
}

impl Delivery {
    /// The delivery with an attempt due now, whatever became of it before. Attempts after it follow the retry profile
    /// where that still has some.
    pub fn resent(self, now: Now) -> Self {
        let due_at = now.tenant();
        Self { state: DeliveryState::Pending { due_at, run_at: now.run_at(due_at) }, ..self }
    }

    /// The delivery as REST shows it.
    pub fn view(self, attempts: Vec<link_types::webhook::DeliveryAttempt>) -> link_types::webhook::Delivery {
        let next_attempt_at = match self.state {
            DeliveryState::Pending { due_at, .. } => Some(due_at.into()),
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
    #[case::never_owed(None, true)]
    #[case::exhausted(Some(DeliveryState::Exhausted), true)]
    #[case::cancelled(Some(DeliveryState::Cancelled), true)]
    #[case::delivered(Some(DeliveryState::Delivered), false)]
    fn recovering_sends_what_did_not_arrive(#[case] known: Option<DeliveryState>, #[case] sent: bool) {
        let mut context = fixture::context();
        let (event, webhook, now) = (fixture::event(&mut context), fixture::webhook(), context.now());
        let first = deliveries_owed(&event, std::slice::from_ref(&webhook), now).remove(0);
        let known = known.map(|state| Delivery { state, ..first.clone() });
        let recovered = webhook.recovered(&event, known, now);
        assert_eq!(recovered.is_some(), sent);
        assert!(recovered.is_none_or(|it| it == first), "the same delivery, due now");
    }

    #[test]
    fn what_is_on_its_way_or_not_selected_is_left_alone() {
        let mut context = fixture::context();
        let (event, mut webhook, now) = (fixture::event(&mut context), fixture::webhook(), context.now());
        let pending = deliveries_owed(&event, std::slice::from_ref(&webhook), now).pop();
        assert_eq!(webhook.recovered(&event, pending, now), None);
        webhook.registration.event_types = EventSelection::Only(vec![EventType::TaskStarted]);
        assert_eq!(webhook.recovered(&event, None, now), None);
    }

    #[test]
    fn nothing_is_recovered_from_before_the_webhook() {
        let (webhook, now) = (fixture::webhook(), TenantTime::from_micros(9));
        assert_eq!(webhook.recoverable_from(TenantTime::from_micros(-5), now), TenantTime::from_micros(0));
        assert_eq!(webhook.recoverable_from(TenantTime::from_micros(5), now), TenantTime::from_micros(5));
    }

    #[test]
    fn nothing_is_recovered_that_goes_before_its_last_attempt() {
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
