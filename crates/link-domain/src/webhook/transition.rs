//! Updating, disabling and rotating the secret of a webhook.

mod changing;
mod rotation;

use super::{DISABLED_REASON, Webhook};
use crate::change::{Change, Deletion, Row};
use crate::context::Context;

impl Webhook {
    /// Disables the webhook after 5 days without an accepted attempt. Its pending deliveries are cancelled.
    pub fn disable(mut self, context: &Context) -> Change {
        self.registration.disabled_reason = Some(DISABLED_REASON.to_owned());
        self.registration.updated_at = context.now().tenant().into();
        let id = self.id().clone();
        let mut change = Change::row(Row::Webhook(self));
        change.deletions.push(Deletion::PendingDeliveries(id));
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn disabled_webhook_sends_nothing_and_has_a_reason() {
        let webhook = fixture::webhook();
        let id = webhook.id().clone();
        let change = webhook.disable(&fixture::context());
        let [Row::Webhook(disabled)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert!(disabled.check_sends().is_err());
        assert_eq!(disabled.registration.disabled_reason.as_deref(), Some(DISABLED_REASON));
        assert_eq!(change.deletions, [Deletion::PendingDeliveries(id)]);
    }
}
