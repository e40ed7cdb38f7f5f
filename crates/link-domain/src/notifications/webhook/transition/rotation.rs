//! Changing the signing secret without a gap: both secrets sign for a day, or until the tenant confirms the new one.

use link_types::Sensitive;
use link_types::problem::{FaultCode, FieldFault};

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::kernel::context::Context;
use crate::notifications::webhook::registration::{check_secret, fault, hint};
use crate::notifications::webhook::{NoRotationError, ROTATION, Webhook};

impl Webhook {
    /// Starts a rotation, or restarts the one in progress with another secret. A job ends it after [`ROTATION`].
    ///
    /// # Errors
    ///
    /// Returns the errors in the secret.
    pub fn rotate(self, secret: Sensitive, context: &mut Context) -> Result<(Self, Change), Vec<FieldFault>> {
        let mut faults = Vec::new();
        check_secret(&secret, &mut faults);
        if secret == self.secret {
            faults.push(fault("secret", FaultCode::Invalid, "must differ from the current secret"));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let ends_at = context.now().tenant() + ROTATION;
        let mut webhook = self;
        webhook.registration.next_secret_hint = Some(hint(&secret));
        webhook.registration.rotation_ends_at = Some(ends_at.into());
        webhook.registration.updated_at = context.now().tenant().into();
        webhook.next_secret = Some(secret);
        let end = JobKind::EndRotation { webhook_id: webhook.id().clone() };
        let change = Change {
            rows: vec![Row::Webhook(webhook.clone())],
            jobs: vec![Job::due(&webhook.owner, end, ends_at, context)],
            ..Change::default()
        };
        Ok((webhook, change))
    }

    /// Ends the rotation: the next secret becomes the current one.
    ///
    /// # Errors
    ///
    /// [`NoRotationError`] if no rotation is in progress.
    pub fn confirm_secret(self, context: &Context) -> Result<(Self, Change), NoRotationError> {
        let mut webhook = self;
        let secret = webhook.next_secret.take().ok_or(NoRotationError)?;
        webhook.registration.secret_hint = hint(&secret);
        webhook.registration.next_secret_hint = None;
        webhook.registration.rotation_ends_at = None;
        webhook.registration.updated_at = context.now().tenant().into();
        webhook.secret = secret;
        let change = Change::row(Row::Webhook(webhook.clone()));
        Ok((webhook, change))
    }

    /// Ends the rotation if its time is over. Returns `None` if it is not over, or if there is none.
    pub fn rotation_lapsed(self, context: &Context) -> Option<Change> {
        let ends_at = self.registration.rotation_ends_at?;
        let over = ends_at <= context.now().tenant().into();
        over.then(|| self.confirm_secret(context).ok()).flatten().map(|(_, change)| change)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture;

    fn rotating() -> (Webhook, Change) {
        fixture::webhook().rotate(Sensitive::new("the next secret, long"), &mut fixture::context()).unwrap()
    }

    #[test]
    fn rotation_keeps_the_current_secret_for_a_day() {
        let (webhook, change) = rotating();
        assert_eq!(webhook.secret, fixture::webhook().secret);
        assert_eq!(webhook.registration.next_secret_hint.as_deref(), Some("long"));
        assert_eq!(change.jobs[0].due_at, fixture::context().now().tenant() + ROTATION);
    }

    #[test]
    fn confirming_activates_the_next_secret_once() {
        let context = fixture::context();
        let (webhook, _) = rotating().0.confirm_secret(&context).unwrap();
        assert_eq!((webhook.secret.expose(), &webhook.next_secret), ("the next secret, long", &None));
        assert_eq!(webhook.registration.secret_hint, "long");
        assert_eq!(webhook.confirm_secret(&context), Err(NoRotationError));
    }

    #[test]
    fn rotation_ends_after_exactly_one_day() {
        let just_before = fixture::context_after(ROTATION - Duration::from_millis(1));
        assert_eq!(rotating().0.rotation_lapsed(&just_before), None);
        let after = fixture::context_after(ROTATION);
        let Some(change) = rotating().0.rotation_lapsed(&after) else { panic!("the rotation must end") };
        let [Row::Webhook(webhook)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert_eq!(webhook.secret.expose(), "the next secret, long");
        assert_eq!(fixture::webhook().rotation_lapsed(&after), None);
    }

    #[test]
    fn current_secret_is_rejected_as_next_secret() {
        let secret = fixture::webhook().secret;
        assert_eq!(fixture::webhook().rotate(secret, &mut fixture::context()).unwrap_err().len(), 1);
    }
}
