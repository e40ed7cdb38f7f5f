//! Updating, disabling and rotating the secret of a webhook.

mod changing;
mod rotation;

use link_types::event::{EventData, WebhookDisabled};

use super::Webhook;
use crate::change::{Change, Deletion, Row};
use crate::kernel::context::Context;
use crate::kernel::subject::Subject;
use crate::notifications::delivery::{Breaker, DISABLED_REASON};
use crate::notifications::event::EventRecord;

impl Webhook {
    /// Disables the webhook if every attempt failed for 5 days. Returns `None` if not, or if the webhook is already
    /// inactive or disabled.
    pub fn disable_if_failing(self, breaker: Breaker, context: &mut Context) -> Option<Change> {
        let fails = self.check_sends().is_ok() && breaker.must_disable(context.now().tenant());
        fails.then(|| self.disable(context))
    }

    /// Disables the webhook, cancels its pending deliveries, and emits WEBHOOK_DISABLED to the tenant's other webhooks.
    fn disable(mut self, context: &mut Context) -> Change {
        self.registration.disabled_reason = Some(DISABLED_REASON.to_owned());
        self.registration.updated_at = context.now().tenant().into();
        let (owner, webhook_id) = (self.owner.clone(), self.id().clone());
        let data = EventData::WebhookDisabled(WebhookDisabled {
            webhook_id: webhook_id.clone(),
            disabled_reason: DISABLED_REASON.to_owned(),
        });
        // Webhooks count no events. Two of these events are 5 days apart, so their order needs no number.
        let event = EventRecord::new(&owner, Subject::Webhook(webhook_id.clone()), 1, data, context);
        let mut change = Change::row(Row::Webhook(self));
        change.events.push(event);
        change.deletions.push(Deletion::PendingDeliveries(webhook_id));
        change
    }

    /// Records the result of a ping. A receiver that accepts a ping gets its deliveries immediately instead of after
    /// the next probe.
    pub fn record_ping(&self, was_accepted: bool) -> Change {
        let closed = if was_accepted { vec![Deletion::Breaker(self.id().clone())] } else { Vec::new() };
        Change { deletions: closed, ..Change::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::notifications::delivery::{DISABLED_AFTER, Failures, deliveries_for};

    #[test]
    fn accepted_ping_closes_the_breaker() {
        let webhook = fixture::webhook();
        let closed = Change { deletions: vec![Deletion::Breaker(webhook.id().clone())], ..Change::default() };
        assert_eq!(webhook.record_ping(true), closed);
        assert_eq!(webhook.record_ping(false), Change::default());
    }

    #[test]
    fn webhook_is_disabled_only_once_and_only_if_it_fails() {
        let (mut context, mut webhook) = (fixture::context(), fixture::webhook());
        let (now, probe_at) = (context.now().tenant(), context.now().wall());
        let failing =
            |since| Breaker::Open { failures: Failures { count: 100, since }, opened_at: now, probe_at };
        let (recent, failing) = (failing(now), failing(now - DISABLED_AFTER));
        assert!(webhook.clone().disable_if_failing(failing, &mut context).is_some());
        assert_eq!(webhook.clone().disable_if_failing(recent, &mut context), None);
        webhook.registration.disabled_reason = Some("failed".into());
        assert_eq!(webhook.disable_if_failing(failing, &mut context), None);
    }

    #[test]
    fn disabled_webhook_sends_nothing_and_has_a_reason() {
        let webhook = fixture::webhook();
        let id = webhook.id().clone();
        let change = webhook.disable(&mut fixture::context());
        let [Row::Webhook(disabled)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert!(disabled.check_sends().is_err());
        assert_eq!(disabled.registration.disabled_reason.as_deref(), Some(DISABLED_REASON));
        assert_eq!(change.deletions, [Deletion::PendingDeliveries(id)]);
    }

    #[test]
    fn disabled_webhook_is_reported_to_the_others_only() {
        let failing = fixture::webhook();
        let mut other = fixture::webhook();
        other.registration.id = link_types::id::WebhookId::from_bytes([4; 16]);
        let mut context = fixture::context();
        let change = failing.disable(&mut context);
        let ([Row::Webhook(disabled)], [event]) = (change.rows.as_slice(), change.events.as_slice()) else {
            panic!("{change:?}")
        };
        let body: serde_json::Value = serde_json::from_slice(event.body(false)).unwrap();
        assert_eq!(body["type"], "WEBHOOK_DISABLED");
        assert_eq!(
            body["data"],
            serde_json::json!({"webhookId": disabled.id().as_str(), "disabledReason": DISABLED_REASON})
        );
        let deliveries = deliveries_for(event, &[disabled.clone(), other.clone()]);
        assert_eq!(deliveries.iter().map(|it| &it.webhook_id).collect::<Vec<_>>(), [other.id()]);
    }
}
