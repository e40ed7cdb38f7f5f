//! A delivery: one event sent to one webhook. Also the policy of sending: retries, circuit breakers, shares and resends.

mod breaker;
mod claim_shares;
mod lookahead;
mod resending;
mod retry;
mod shares;

use std::time::Duration;

use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, WebhookId};
use link_types::webhook::{DeliveryAttempt, DeliveryStatus, RetryProfile};
use sha2::{Digest, Sha256};

pub use self::breaker::{
    AttemptEnd, Breaker, DISABLED_AFTER, DISABLED_REASON, FAILURES_TO_OPEN, Failures, PROBE_TIME,
};
pub use self::claim_shares::ClaimShares;
pub use self::lookahead::Lookahead;
pub use self::resending::{LISTED_ANSWER, RECOVERED_AT_ONCE, SwitchedOffError};
pub use self::retry::{ATTEMPT_TIMEOUT, CONNECT_TIMEOUT, MAX_RESPONSE_BYTES, retry_delay, retry_span};
pub use self::shares::{AttemptShares, DeliveryQueue, MAX_ATTEMPTS_AT_ONCE};
use super::webhook::Webhook;
use crate::kernel::clock::{Now, TenantTime};
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use crate::notifications::event::EventRecord;
use crate::notifications::webhook_sender::AttemptOutcome;

/// A delivery. The body is not copied: it is the event's [`EventRecord::body`], byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Identifier of the delivery.
    pub id: DeliveryId,
    /// Tenant and environment of the delivery.
    pub owner: Owner,
    /// Event to deliver.
    pub event_id: EventId,
    /// Type of the event.
    pub event_type: EventType,
    /// Webhook to deliver to.
    pub webhook_id: WebhookId,
    /// Object that the event is about. The first attempt waits until the first attempts of all deliveries with the same
    /// webhook and subject and a lower `sequence` have ended.
    pub subject: Subject,
    /// Position of the event among the subject's events.
    pub sequence: u64,
    /// Whether the payload is included: the webhook requested it when the event occurred.
    pub include_payload: bool,
    /// Number of finished attempts, successful or not.
    pub attempts_made: u32,
    /// State of the delivery.
    pub state: DeliveryState,
}

/// State of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// An attempt is due.
    Pending {
        /// When the attempt is due on the tenant's clock.
        due_at: TenantTime,
    },
    /// The receiver responded with a status from 200 to 299.
    Delivered,
    /// All attempts failed.
    Exhausted,
    /// The webhook was deleted or deactivated.
    Cancelled,
}

/// Record of one attempt, for the delivery's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptLog {
    /// Delivery that was attempted.
    pub delivery_id: DeliveryId,
    /// Number of the attempt, starting at 1.
    pub number: u32,
    /// The attempt as REST shows it.
    pub attempt: DeliveryAttempt,
}

/// Returns the deliveries of an event: one for each active webhook of its owner that selects its type. The same event
/// and webhook always give the same delivery.
pub fn deliveries_for(event: &EventRecord, webhooks: &[Webhook]) -> Vec<Delivery> {
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
            state: DeliveryState::Pending { due_at: event.created_at },
        })
        .collect()
}

/// Derives the id. The first 48 bits are the event's timestamp, so that deliveries sort by creation time. The rest is a
/// hash.
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
    /// Returns whether no event of its subject can have a lower number.
    pub const fn is_first_of_subject(&self) -> bool {
        self.sequence <= 1
    }

    /// Returns the status as REST shows it.
    pub const fn status(&self) -> DeliveryStatus {
        match self.state {
            DeliveryState::Pending { .. } => DeliveryStatus::Pending,
            DeliveryState::Delivered => DeliveryStatus::Delivered,
            DeliveryState::Exhausted => DeliveryStatus::Exhausted,
            DeliveryState::Cancelled => DeliveryStatus::Cancelled,
        }
    }

    /// Records an attempt that started at `began` and ends now. If the delivery was cancelled meanwhile, its state is
    /// unchanged, but the attempt is still logged.
    pub fn record_attempt(
        self,
        outcome: &AttemptOutcome,
        profile: RetryProfile,
        began: TenantTime,
        now: Now,
        fraction: f64,
    ) -> (Self, AttemptLog) {
        let attempts_made = self.attempts_made.saturating_add(1);
        let state = match self.state {
            DeliveryState::Pending { .. } if outcome.is_accepted() => DeliveryState::Delivered,
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

    /// Multiplies the wait until the next attempt by the operator's `pace`.
    #[must_use]
    pub fn with_pace(self, now: Now, pace: f64) -> Self {
        let state = match self.state {
            DeliveryState::Pending { due_at } => pending(now, due_at.since(now.tenant()).mul_f64(pace)),
            DeliveryState::Delivered | DeliveryState::Exhausted | DeliveryState::Cancelled => self.state,
        };
        Self { state, ..self }
    }

    /// Returns an attempt that started at `began` as REST shows it.
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
    DeliveryState::Pending { due_at: now.tenant() + wait }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::notifications::webhook_sender::{ReceiverResponse, SendError};
    use link_types::webhook::EventSelection;
    use rstest::rstest;

    fn outcome_with_status(status: u16) -> AttemptOutcome {
        let answer = ReceiverResponse { status, body: "ok".into() };
        AttemptOutcome { took: Duration::from_millis(7), result: Ok(answer) }
    }

    fn new_delivery() -> Delivery {
        let mut context = fixture::context();
        let event = fixture::event(&mut context);
        deliveries_for(&event, &[fixture::webhook()]).remove(0)
    }

    #[rstest]
    #[case::selected(EventSelection::Only(vec![EventType::UserCreated]), true, 1)]
    #[case::all(EventSelection::All, true, 1)]
    #[case::other_type(EventSelection::Only(vec![EventType::TaskStarted]), true, 0)]
    #[case::deactivated(EventSelection::All, false, 0)]
    fn event_is_delivered_to_active_webhooks_that_select_it(
        #[case] event_types: EventSelection,
        #[case] active: bool,
        #[case] count: usize,
    ) {
        let mut context = fixture::context();
        let event = fixture::event(&mut context);
        let mut webhook = fixture::webhook();
        webhook.registration.event_types = event_types;
        webhook.registration.active = active;
        assert_eq!(deliveries_for(&event, &[webhook]).len(), count);
    }

    #[test]
    fn webhook_of_another_environment_gets_no_delivery() {
        let mut context = fixture::context();
        let event = fixture::event(&mut context);
        let mut webhook = fixture::webhook();
        webhook.owner.mode = link_types::Mode::Production;
        assert_eq!(deliveries_for(&event, &[webhook]), []);
    }

    #[test]
    fn delivery_id_is_derived_from_event_and_webhook() {
        assert_eq!(new_delivery().id, new_delivery().id);
    }

    #[test]
    fn delivery_is_exhausted_after_three_failed_attempts() {
        let now = fixture::context().now();
        let mut delivery = new_delivery();
        for wait in [30, 60] {
            (delivery, _) = delivery.record_attempt(
                &outcome_with_status(500),
                RetryProfile::Standard,
                now.tenant(),
                now,
                0.5,
            );
            let due_at = now.tenant() + Duration::from_secs(wait);
            assert_eq!(delivery.state, DeliveryState::Pending { due_at });
        }
        let failed = AttemptOutcome { took: Duration::ZERO, result: Err(SendError::TimedOut) };
        let (delivery, log) =
            delivery.record_attempt(&failed, RetryProfile::Standard, now.tenant(), now, 0.5);
        assert_eq!((delivery.status(), log.number), (DeliveryStatus::Exhausted, 3));
        assert_eq!(log.attempt.error.as_deref(), Some("no response within 15 seconds"));
    }

    #[rstest]
    #[case(200, DeliveryStatus::Delivered)]
    #[case(299, DeliveryStatus::Delivered)]
    #[case(301, DeliveryStatus::Pending)]
    #[case(404, DeliveryStatus::Pending)]
    fn only_status_200_to_299_counts_as_delivered(#[case] status: u16, #[case] expected: DeliveryStatus) {
        let now = fixture::context().now();
        let (delivery, log) = new_delivery().record_attempt(
            &outcome_with_status(status),
            RetryProfile::Standard,
            now.tenant(),
            now,
            0.5,
        );
        assert_eq!(delivery.status(), expected);
        assert_eq!(log.attempt.response_status, Some(status));
    }

    #[test]
    fn attempt_on_a_cancelled_delivery_is_only_logged() {
        let now = fixture::context().now();
        let cancelled = Delivery { state: DeliveryState::Cancelled, ..new_delivery() };
        let (delivery, log) = cancelled.record_attempt(
            &outcome_with_status(200),
            RetryProfile::Standard,
            now.tenant(),
            now,
            0.5,
        );
        assert_eq!((delivery.status(), log.number), (DeliveryStatus::Cancelled, 1));
    }

    #[test]
    fn pace_multiplies_only_the_wait_of_a_pending_delivery() {
        let now = fixture::context().now();
        let due = Delivery { state: super::pending(now, Duration::from_secs(30)), ..new_delivery() };
        let sooner = due.with_pace(now, 0.1);
        assert_eq!(sooner.state, super::pending(now, Duration::from_secs(3)));
        let exhausted = Delivery { state: DeliveryState::Exhausted, ..sooner };
        assert_eq!(exhausted.clone().with_pace(now, 0.1), exhausted);
    }
}
