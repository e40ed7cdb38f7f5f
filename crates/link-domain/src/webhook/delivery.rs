//! A delivery: one event on its way to one webhook.

use std::time::Duration;

use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, WebhookId};
use link_types::webhook::{DeliveryAttempt, DeliveryStatus, RetryProfile};
use sha2::{Digest, Sha256};

use super::{Webhook, retry_delay};
use crate::clock::{Now, TenantTime, Wall};
use crate::event::{EventRecord, Subject};
use crate::owner::Owner;
use crate::ports::AttemptOutcome;

/// A delivery. The body is not copied: it is [`EventRecord::body`] of the event, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id.
    pub id: DeliveryId,
    /// Whose delivery.
    pub owner: Owner,
    /// The event.
    pub event_id: EventId,
    /// Its type.
    pub event_type: EventType,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// What the event is about: the first attempt waits until the first attempt of every delivery of the same
    /// webhook and subject with a lower `sequence` has ended.
    pub subject: Subject,
    /// The event's place among the subject's events.
    pub sequence: u64,
    /// Whether the payload is sent: the webhook asked for it when the event happened.
    pub include_payload: bool,
    /// Attempts that ended, one way or the other.
    pub attempts_made: u32,
    /// How far it has come.
    pub state: DeliveryState,
}

/// How far a delivery has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// An attempt is due.
    Pending {
        /// When, on the tenant's clock.
        due_at: TenantTime,
        /// When, on the wall: claims look at this alone.
        run_at: Wall,
    },
    /// The receiver answered 200 to 299.
    Delivered,
    /// Every attempt failed.
    Exhausted,
    /// The webhook went, or was switched off.
    Cancelled,
}

/// The record of one attempt, for the delivery's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptLog {
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// Its number, from 1.
    pub number: u32,
    /// The attempt as REST shows it.
    pub attempt: DeliveryAttempt,
}

/// The deliveries that an event owes: one to each active webhook of its owner that selects its type. The same
/// event and webhook always give the same delivery.
pub fn deliveries_owed(event: &EventRecord, webhooks: &[Webhook], now: Now) -> Vec<Delivery> {
    webhooks
        .iter()
        .filter(|webhook| webhook.owner == event.owner)
        .filter(|webhook| webhook.registration.active && webhook.registration.disabled_reason.is_none())
        .filter(|webhook| webhook.registration.event_types.includes(event.event_type))
        .map(|webhook| Delivery {
            id: delivery_id(&event.id, webhook.id()),
            owner: event.owner.clone(),
            event_id: event.id.clone(),
            event_type: event.event_type,
            webhook_id: webhook.id().clone(),
            subject: event.subject.clone(),
            sequence: event.sequence,
            include_payload: webhook.registration.include_payload,
            attempts_made: 0,
            state: DeliveryState::Pending { due_at: event.created_at, run_at: now.run_at(event.created_at) },
        })
        .collect()
}

/// The event's own moment in the first 48 bits, so that deliveries sort by creation; the rest is a hash.
fn delivery_id(event: &EventId, webhook: &WebhookId) -> DeliveryId {
    let hash = Sha256::new().chain_update(event.as_str()).chain_update(webhook.as_str()).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    let digits = event.as_str().trim_start_matches(EventId::PREFIX);
    for (byte, at) in bytes[..6].iter_mut().zip((0..).step_by(2)) {
        *byte = digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0);
    }
    bytes[6] = 0x70 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    DeliveryId::from_bytes(bytes)
}

impl Delivery {
    /// The status in the words of REST.
    pub const fn status(&self) -> DeliveryStatus {
        match self.state {
            DeliveryState::Pending { .. } => DeliveryStatus::Pending,
            DeliveryState::Delivered => DeliveryStatus::Delivered,
            DeliveryState::Exhausted => DeliveryStatus::Exhausted,
            DeliveryState::Cancelled => DeliveryStatus::Cancelled,
        }
    }

    /// After an attempt that began at `began` and ends now. A delivery that is over by now (it was cancelled
    /// meanwhile) stays so: the attempt is logged all the same.
    pub fn attempted(
        self,
        outcome: &AttemptOutcome,
        profile: RetryProfile,
        began: TenantTime,
        now: Now,
        fraction: f64,
    ) -> (Self, AttemptLog) {
        let attempts_made = self.attempts_made.saturating_add(1);
        let state = match self.state {
            DeliveryState::Pending { .. } if outcome.accepted() => DeliveryState::Delivered,
            DeliveryState::Pending { .. } => match retry_delay(profile, attempts_made, fraction) {
                Some(wait) => pending(now, wait),
                None => DeliveryState::Exhausted,
            },
            DeliveryState::Delivered | DeliveryState::Exhausted | DeliveryState::Cancelled => self.state,
        };
        let attempt = Self::attempt(outcome, began);
        let log = AttemptLog { delivery_id: self.id.clone(), number: attempts_made, attempt };
        (Self { attempts_made, state, ..self }, log)
    }

    /// An attempt that began at `began`, as REST shows it.
    pub fn attempt(outcome: &AttemptOutcome, began: TenantTime) -> DeliveryAttempt {
        let (answer, error) = match &outcome.result {
            Ok(answer) => (Some(answer), None),
            Err(error) => (None, Some(error.to_string())),
        };
        DeliveryAttempt {
            at: began.into(),
            duration_ms: u32::try_from(outcome.took.as_millis()).unwrap_or(u32::MAX),
            response_status: answer.map(|answer| answer.status),
            response_body: answer.map(|answer| answer.body.clone()),
            error,
        }
    }
}

fn pending(now: Now, wait: Duration) -> DeliveryState {
    let due_at = now.tenant() + wait;
    DeliveryState::Pending { due_at, run_at: now.run_at(due_at) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::ports::{ReceiverAnswer, SendError};
    use link_types::webhook::EventSelection;
    use rstest::rstest;

    fn answered(status: u16) -> AttemptOutcome {
        let answer = ReceiverAnswer { status, body: "ok".into() };
        AttemptOutcome { took: Duration::from_millis(7), result: Ok(answer) }
    }

    fn owed() -> Delivery {
        let mut context = fixture::context();
        let event = fixture::event(&mut context);
        deliveries_owed(&event, &[fixture::webhook()], context.now()).remove(0)
    }

    #[rstest]
    #[case::chosen(EventSelection::Only(vec![EventType::UserCreated]), true, 1)]
    #[case::all(EventSelection::All, true, 1)]
    #[case::another(EventSelection::Only(vec![EventType::TaskStarted]), true, 0)]
    #[case::switched_off(EventSelection::All, false, 0)]
    fn an_event_goes_to_the_active_webhooks_that_select_it(
        #[case] event_types: EventSelection,
        #[case] active: bool,
        #[case] count: usize,
    ) {
        let mut context = fixture::context();
        let event = fixture::event(&mut context);
        let mut webhook = fixture::webhook();
        webhook.registration.event_types = event_types;
        webhook.registration.active = active;
        assert_eq!(deliveries_owed(&event, &[webhook], context.now()).len(), count);
    }

    #[test]
    fn another_environments_webhook_gets_nothing() {
        let mut context = fixture::context();
        let event = fixture::event(&mut context);
        let mut webhook = fixture::webhook();
        webhook.owner.mode = link_types::Mode::Production;
        assert_eq!(deliveries_owed(&event, &[webhook], context.now()), []);
    }

    #[test]
    fn the_same_event_and_webhook_owe_the_same_delivery() {
        assert_eq!(owed().id, owed().id);
    }

    #[test]
    fn three_refused_attempts_exhaust_a_delivery() {
        let now = fixture::context().now();
        let mut delivery = owed();
        for wait in [30, 60] {
            (delivery, _) =
                delivery.attempted(&answered(500), RetryProfile::Standard, now.tenant(), now, 0.5);
            let due_at = now.tenant() + Duration::from_secs(wait);
            assert_eq!(delivery.state, DeliveryState::Pending { due_at, run_at: now.run_at(due_at) });
        }
        let failed = AttemptOutcome { took: Duration::ZERO, result: Err(SendError::TimedOut) };
        let (delivery, log) = delivery.attempted(&failed, RetryProfile::Standard, now.tenant(), now, 0.5);
        assert_eq!((delivery.status(), log.number), (DeliveryStatus::Exhausted, 3));
        assert_eq!(log.attempt.error.as_deref(), Some("no answer within 15 seconds"));
    }

    #[rstest]
    #[case(200, DeliveryStatus::Delivered)]
    #[case(299, DeliveryStatus::Delivered)]
    #[case(301, DeliveryStatus::Pending)]
    #[case(404, DeliveryStatus::Pending)]
    fn only_a_status_of_200_to_299_delivers(#[case] status: u16, #[case] expected: DeliveryStatus) {
        let now = fixture::context().now();
        let (delivery, log) =
            owed().attempted(&answered(status), RetryProfile::Standard, now.tenant(), now, 0.5);
        assert_eq!(delivery.status(), expected);
        assert_eq!(log.attempt.response_status, Some(status));
    }

    #[test]
    fn an_attempt_that_ends_after_the_webhook_went_is_logged_and_changes_nothing() {
        let now = fixture::context().now();
        let cancelled = Delivery { state: DeliveryState::Cancelled, ..owed() };
        let (delivery, log) =
            cancelled.attempted(&answered(200), RetryProfile::Standard, now.tenant(), now, 0.5);
        assert_eq!((delivery.status(), log.number), (DeliveryStatus::Cancelled, 1));
    }
}
