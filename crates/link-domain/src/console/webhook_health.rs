//! How the latest deliveries of a webhook went.

use link_types::console::{DeliveryHealth, WebhookHealth};
use link_types::id::WebhookId;
use link_types::webhook::{Delivery, DeliveryAttempt, DeliveryStatus};

/// The number of deliveries that the health of a webhook counts.
pub const COUNTED: i64 = 20;

/// Returns the health of a webhook by its latest deliveries, newest first.
pub fn webhook_health(id: WebhookId, latest: &[Delivery]) -> WebhookHealth {
    let attempts = || latest.iter().flat_map(|delivery| &delivery.attempts);
    let last = |accepted: bool| attempts().filter(|it| is_accepted(it) == accepted).map(|it| it.at).max();
    WebhookHealth {
        webhook_id: id,
        recent: latest.iter().map(outcome).collect(),
        last_success_at: last(true),
        last_failure_at: last(false),
    }
}

fn outcome(delivery: &Delivery) -> DeliveryHealth {
    match delivery.status {
        DeliveryStatus::Delivered => DeliveryHealth::Accepted,
        DeliveryStatus::Exhausted => DeliveryHealth::Failing,
        DeliveryStatus::Pending if delivery.attempts.is_empty() => DeliveryHealth::Waiting,
        DeliveryStatus::Pending => DeliveryHealth::Failing,
        DeliveryStatus::Cancelled => DeliveryHealth::Waiting,
    }
}

fn is_accepted(attempt: &DeliveryAttempt) -> bool {
    attempt.response_status.is_some_and(|status| (200..300).contains(&status))
}

#[cfg(test)]
mod tests {
    use link_types::Timestamp;
    use link_types::event::EventType;
    use link_types::id::{DeliveryId, EventId};

    use super::*;

    fn delivery(status: DeliveryStatus, attempts: &[(i64, u16)]) -> Delivery {
        let attempt = |(second, status): &(i64, u16)| DeliveryAttempt {
            at: Timestamp::from_micros(second * 1_000_000),
            duration_ms: 1,
            response_status: Some(*status),
            response_body: None,
            error: None,
        };
        Delivery {
            id: DeliveryId::from_bytes([1; 16]),
            event_id: EventId::from_bytes([1; 16]),
            event_type: EventType::AccountConnected,
            webhook_id: WebhookId::from_bytes([1; 16]),
            status,
            next_attempt_at: None,
            attempts: attempts.iter().map(attempt).collect(),
        }
    }

    #[test]
    fn health_shows_outcomes_and_the_last_success_and_failure() {
        let latest = [
            delivery(DeliveryStatus::Pending, &[]),
            delivery(DeliveryStatus::Pending, &[(9, 500)]),
            delivery(DeliveryStatus::Delivered, &[(5, 503), (7, 204)]),
            delivery(DeliveryStatus::Exhausted, &[(3, 404)]),
            delivery(DeliveryStatus::Cancelled, &[]),
        ];
        let health = webhook_health(WebhookId::from_bytes([1; 16]), &latest);
        use DeliveryHealth::{Accepted, Failing, Waiting};
        assert_eq!(health.recent, [Waiting, Failing, Accepted, Failing, Waiting]);
        assert_eq!(health.last_success_at, Some(Timestamp::from_micros(7_000_000)));
        assert_eq!(health.last_failure_at, Some(Timestamp::from_micros(9_000_000)));
    }

    #[test]
    fn webhook_without_deliveries_has_no_times() {
        let health = webhook_health(WebhookId::from_bytes([1; 16]), &[]);
        assert_eq!((health.recent, health.last_success_at, health.last_failure_at), (vec![], None, None));
    }
}
