//! Updating a webhook. Omitted fields are unchanged.

use link_types::problem::FieldFault;

use crate::change::{Change, Deletion, Row};
use crate::kernel::context::Context;
use crate::notifications::webhook::{Registration, RegistrationRules, Update, Webhook, register};

impl Webhook {
    /// Changes the given fields. Deactivating the webhook cancels its pending deliveries. Setting `active: true` or
    /// another URL enables a disabled webhook.
    ///
    /// # Errors
    ///
    /// Returns every error in the resulting webhook, by field.
    pub fn update(
        self,
        update: Update,
        rules: RegistrationRules,
        context: &mut Context,
    ) -> Result<(Self, Change), Vec<FieldFault>> {
        let before = &self.registration;
        let types = || before.event_types.words().into_iter().map(str::to_owned).collect();
        let another_secret = update.secret.is_some();
        let enabled =
            update.active == Some(true) || update.url.as_ref().is_some_and(|url| *url != before.url);
        let asked = Registration {
            name: Some(update.name.unwrap_or_else(|| before.name.clone())),
            url: update.url.unwrap_or_else(|| before.url.clone()),
            event_types: update.event_types.unwrap_or_else(types),
            active: Some(update.active.unwrap_or(before.active)),
            secret: Some(update.secret.unwrap_or_else(|| self.secret.clone())),
            include_payload: Some(update.include_payload.unwrap_or(before.include_payload)),
            retry_profile: Some(update.retry_profile.unwrap_or(before.retry_profile)),
        };
        let after = register(self.owner.clone(), asked, rules, context)?;
        let mut webhook = Self {
            registration: link_types::webhook::Webhook {
                id: before.id.clone(),
                created_at: before.created_at,
                trace_context: update.trace_context.unwrap_or(before.trace_context),
                ..after.registration
            },
            ..after
        };
        if !enabled {
            webhook.registration.disabled_reason = self.registration.disabled_reason;
        }
        if !another_secret {
            webhook.next_secret = self.next_secret;
            webhook.registration.next_secret_hint = self.registration.next_secret_hint;
            webhook.registration.rotation_ends_at = self.registration.rotation_ends_at;
        }
        let mut change = Change::row(Row::Webhook(webhook.clone()));
        if !webhook.registration.active {
            change.deletions.push(Deletion::PendingDeliveries(webhook.id().clone()));
        }
        if enabled {
            change.deletions.push(Deletion::Breaker(webhook.id().clone()));
        }
        Ok((webhook, change))
    }
}

#[cfg(test)]
mod tests {
    use link_types::Sensitive;

    use super::*;
    use crate::fixture;

    const RULES: RegistrationRules = RegistrationRules { sandbox_http: true };

    fn update_webhook(update: Update) -> (Webhook, Change) {
        let mut context = fixture::context();
        let (rotating, _) =
            fixture::webhook().rotate(Sensitive::new("the next secret of a tenant"), &mut context).unwrap();
        rotating.update(update, RULES, &mut context).unwrap()
    }

    #[test]
    fn omitted_fields_and_a_running_rotation_are_unchanged() {
        let (webhook, change) = update_webhook(Update { name: Some("Payroll".into()), ..Update::default() });
        let before = fixture::webhook().registration;
        assert_eq!(webhook.registration.name, "Payroll");
        assert_eq!((&webhook.registration.id, &webhook.registration.url), (&before.id, &before.url));
        assert_eq!(webhook.next_secret, Some(Sensitive::new("the next secret of a tenant")));
        assert!(webhook.registration.rotation_ends_at.is_some());
        assert!(change.deletions.is_empty());
    }

    #[test]
    fn trace_context_is_off_until_an_update_turns_it_on() {
        let mut context = fixture::context();
        let mut update = |webhook: Webhook, trace_context| {
            webhook.update(Update { trace_context, ..Update::default() }, RULES, &mut context).unwrap().0
        };
        let unasked = update(fixture::webhook(), None);
        assert!(!unasked.registration.trace_context);
        let traced = update(unasked, Some(true));
        assert!(traced.registration.trace_context);
        let kept = update(traced, None);
        assert!(kept.registration.trace_context, "an update without the field changes nothing");
        assert!(!update(kept, Some(false)).registration.trace_context);
    }

    #[test]
    fn new_secret_is_effective_now_and_ends_the_rotation() {
        let (webhook, _) = update_webhook(Update {
            secret: Some(Sensitive::new("a fresh secret of a tenant")),
            ..Update::default()
        });
        assert_eq!(
            (webhook.secret, webhook.next_secret),
            (Sensitive::new("a fresh secret of a tenant"), None)
        );
        assert_eq!(webhook.registration.rotation_ends_at, None);
    }

    #[test]
    fn disabled_webhook_is_enabled_by_active_or_another_url() {
        let mut context = fixture::context();
        let mut disabled = fixture::webhook();
        disabled.registration.disabled_reason = Some("failed".into());
        let mut reason = |update| {
            let (webhook, _) = disabled.clone().update(update, RULES, &mut context).unwrap();
            webhook.registration.disabled_reason
        };
        assert_eq!(reason(Update { active: Some(true), ..Update::default() }), None);
        let moved = Update { url: Some("https://example.com/moved".into()), ..Update::default() };
        assert_eq!(reason(moved), None);
        let renamed = Update { name: Some("Payroll".into()), ..Update::default() };
        assert_eq!(reason(renamed).as_deref(), Some("failed"));
    }

    #[test]
    fn deactivating_cancels_pending_deliveries() {
        let (webhook, change) = update_webhook(Update { active: Some(false), ..Update::default() });
        assert_eq!(change.deletions, [Deletion::PendingDeliveries(webhook.id().clone())]);
    }
}
