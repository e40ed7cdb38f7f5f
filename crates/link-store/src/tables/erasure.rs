//! Erases a scope: its key, data points and files, and the personal data in its events and logs.

use link_domain::change::Deletion;
use link_domain::clock::{Now, Wall};
use link_domain::owner::Owner;
use link_domain::scope::ErasureScope;

use crate::{StoreError, Tx};

impl Tx<'_> {
    /// Returns whether a resource exists but can never be opened again: its last day ended several days ago, and its
    /// key is gone. A key that disappeared earlier may have been lost by mistake and can be restored.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn is_lost(&mut self, owner: &Owner, thing: &ErasureScope, now: Wall) -> Result<bool, StoreError> {
        let opened = match thing {
            ErasureScope::Account(id) => self.account(owner, id).map(drop),
            ErasureScope::Archive(id) => self.archive(owner, id).map(drop),
            ErasureScope::Record(id) => self.record(owner, id).map(drop),
            ErasureScope::Signal(id) => self.signal(owner, id).map(drop),
            ErasureScope::Form(id) => self.form(owner, id).map(drop),
            ErasureScope::Invite(id) => self.invite(owner, id).map(drop),
        };
        match opened {
            Ok(()) => Ok(false),
            Err(StoreError::Erased) => self.last_day_has_ended(thing.as_str(), now),
            Err(error) => Err(error),
        }
    }

    /// Makes everything sealed for a scope unreadable, in the same transaction as the rest of the unit.
    ///
    /// Pending deliveries then carry the stripped event.
    pub(crate) fn erase(&mut self, scope: &ErasureScope, now: Now) -> Result<(), StoreError> {
        self.delete_data_points_of(scope.as_str())?;
        self.delete_exports_of(scope.as_str())?;
        self.delete_files_of_archive(scope.as_str())?;
        match scope {
            ErasureScope::Record(id) => self.delete_record(id)?,
            ErasureScope::Signal(id) => self.delete_signal(id)?,
            ErasureScope::Form(id) => self.delete_form(id)?,
            ErasureScope::Invite(id) => self.strip_invite(id)?,
            ErasureScope::Account(_) | ErasureScope::Archive(_) => {}
        }
        self.strip_events_of(scope.as_str())?;
        self.strip_attempts_of(scope.as_str())?;
        self.delete_answers_about(scope.as_str())?;
        self.destroy_scope(scope.as_str(), now.wall().micros())
    }

    pub(crate) fn delete(&mut self, deletion: &Deletion, now: Now) -> Result<(), StoreError> {
        match deletion {
            Deletion::Account(id) => {
                self.erase(&ErasureScope::Account(id.clone()), now)?;
                self.delete_account(id)
            }
            Deletion::Archive(id) => {
                self.erase(&ErasureScope::Archive(id.clone()), now)?;
                self.delete_archive(id)
            }
            Deletion::ConsentTemplate(id) => self.hide_consent_template(id),
            Deletion::LinkTemplate(id) => self.hide_link_template(id),
            Deletion::InviteTemplate(id) => self.hide_invite_template(id),
            Deletion::Invite(id) => {
                self.erase(&ErasureScope::Invite(id.clone()), now)?;
                self.delete_invite(id)
            }
            Deletion::File(id) => self.delete_file(id),
            Deletion::User { owner, user_id } => self.delete_user(owner, user_id, now),
            Deletion::Webhook(id) => self.delete_webhook(id, now.wall()),
            Deletion::Scenario(id) => self.delete_scenario(id),
            Deletion::PendingDeliveries(webhook) => {
                self.cancel_deliveries_of(webhook)?;
                // Closing releases the remaining deliveries, so that claims find and cancel them.
                self.close_breaker(webhook, now.wall())
            }
            Deletion::Breaker(webhook) => self.close_breaker(webhook, now.wall()),
        }
    }
}
