//! Erases a scope: its key, data points and files, and the personal data in its events and logs.

use link_domain::change::Deletion;
use link_domain::data::data_point::DataPoint;
use link_domain::kernel::clock::{Now, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_types::data::DataPointKind;
use link_types::id::AccountId;

use super::scopes::Scopes;
use crate::{StoreError, Tx};

impl Tx<'_> {
    /// Makes everything sealed for a scope unreadable, in the same transaction as the rest of the unit.
    ///
    /// Pending deliveries then carry the stripped event.
    pub(crate) fn erase(&mut self, scope: &ErasureScope, now: Now) -> Result<(), StoreError> {
        self.data_points().delete_of_scope(scope.as_str())?;
        self.exports().delete_of_scope(scope.as_str())?;
        self.provider_files().delete_of_scope(scope.as_str())?;
        self.files().delete_of_holder(scope.as_str())?;
        self.given_data().delete(scope.as_str())?;
        match scope {
            ErasureScope::Record(id) => self.records().delete(id)?,
            ErasureScope::Signal(id) => self.signals().delete(id)?,
            ErasureScope::Form(id) => self.forms().delete(id)?,
            ErasureScope::Invite(id) => self.invites().strip(id)?,
            ErasureScope::Account(_) | ErasureScope::Archive(_) => {}
        }
        self.events().strip_scope(scope.as_str())?;
        self.delivery_attempts().strip_scope(scope.as_str())?;
        self.idempotency_keys().delete_about(scope.as_str())?;
        self.scopes().destroy(scope.as_str(), now.wall().micros())
    }

    /// Deletes data points of an account.
    fn delete_data_points(&mut self, account: &AccountId, kinds: &[DataPointKind]) -> Result<(), StoreError> {
        for kind in kinds {
            self.data_points().delete_of_kind(account.as_str(), *kind)?;
        }
        if kinds.contains(&DataPointKind::Documents) {
            self.provider_files().delete_of_scope(account.as_str())?;
        }
        Ok(())
    }

    /// Computes the links of the user's other accounts at the provider again, after the times of this account were deleted,
    /// and deletes their copies. Waits for a concurrent reading of each: it may be about to store the times again.
    fn delete_times_from_others(&mut self, account: &AccountId) -> Result<(), StoreError> {
        for other in self.accounts().others_at_provider(account)? {
            let links = match self.data_points().of_kind(other.as_str(), DataPointKind::Links) {
                // Their key is gone.
                Err(StoreError::Erased) => Vec::new(),
                links => links?,
            };
            for point in links {
                let DataPoint { owner, user_id, provider_id, .. } = &point;
                let history = self.account_links().history(owner, user_id, provider_id)?;
                let replaced = history.to_data_point_like(&point);
                let replaced =
                    replaced.map_err(|fault| StoreError::undecodable("data_points", fault.to_string()))?;
                match replaced {
                    Some(replaced) => self.data_points().put(&replaced)?,
                    None => self.data_points().delete_of_kind(other.as_str(), DataPointKind::Links)?,
                }
                self.delete_data_copies(&other)?;
            }
        }
        Ok(())
    }

    /// Deletes the copies of an account's data points in exports, events and responses.
    fn delete_data_copies(&mut self, account: &AccountId) -> Result<(), StoreError> {
        self.exports().delete_of_scope(account.as_str())?;
        self.events().strip_payloads(account.as_str())?;
        // Receivers may have repeated the data in their responses.
        self.delivery_attempts().strip_scope(account.as_str())
    }

    pub(crate) fn delete(&mut self, deletion: &Deletion, now: Now) -> Result<(), StoreError> {
        match deletion {
            Deletion::Account(id) => {
                self.erase(&ErasureScope::Account(id.clone()), now)?;
                self.accounts().delete(id)
            }
            Deletion::Archive(id) => {
                self.erase(&ErasureScope::Archive(id.clone()), now)?;
                self.archives().delete(id)
            }
            Deletion::Withdrawal(account, number) => self.withdrawals().delete(account, *number, now),
            Deletion::AccountLinks(id) => self.account_links().delete(id),
            Deletion::LinksOfOthers(id) => self.delete_times_from_others(id),
            Deletion::DataPoints { account_id, kinds } => self.delete_data_points(account_id, kinds),
            Deletion::DataCopies(account_id) => self.delete_data_copies(account_id),
            Deletion::ConsentTemplate(id) => {
                self.template_versions().delete(id.as_str())?;
                self.consent_templates().hide(id)
            }
            Deletion::LinkTemplate(id) => {
                self.template_versions().delete(id.as_str())?;
                self.logos().delete_unused(id, &[])?;
                self.link_templates().hide(id)
            }
            Deletion::UnusedLogos { template_id, used } => self.logos().delete_unused(template_id, used),
            Deletion::InviteTemplate(id) => {
                self.template_versions().delete(id.as_str())?;
                self.invite_templates().hide(id)
            }
            Deletion::Invite(id) => {
                self.erase(&ErasureScope::Invite(id.clone()), now)?;
                self.invited_rows().delete(id)?;
                self.invites().delete(id)
            }
            Deletion::HostedLink(id) => self.hosted_links().delete(id),
            Deletion::LinkSite { id, is_kept } => self.link_sites().delete(id, *is_kept),
            Deletion::LinkSiteHost(id) => self.link_site_hosts().delete(id),
            Deletion::SameHostOfOthers { id, host, token } => {
                self.link_site_hosts().take_from_others(id, host, token)
            }
            Deletion::GivenToOthers { scope, except } => {
                self.given_data().delete_unless(scope, except.as_ref())
            }
            Deletion::PageSession(secret_hash) => self.page_sessions().delete(secret_hash),
            Deletion::File(id) => self.files().delete(id),
            Deletion::User { owner, user_id } => self.users().delete(owner, user_id, now),
            Deletion::Webhook(id) => self.webhooks().delete(id, now.wall()),
            Deletion::Member(id) => self.console_members().delete(id, now),
            Deletion::SignInAddress(member) => self.console_addresses().delete(member),
            Deletion::ConsoleSession(id) => self.console_sessions().delete(id),
            Deletion::Passkey(id) => self.console_passkeys().delete(id),
            Deletion::AccessGivenBy(member) => self.console_members().delete_access_given_by(member),
            Deletion::IdentityProvider(tenant) => self.identity_providers().delete(tenant),
            Deletion::ProviderAccess(tenant) => self.identity_providers().delete_access(tenant),
            Deletion::SessionsWithoutProvider(tenant) => {
                self.identity_providers().delete_other_sessions(tenant)
            }
            Deletion::Identity(member) => self.console_identities().delete(member),
            Deletion::ProviderSessions { member, except } => {
                self.console_identities().delete_sessions(member, except)
            }
            Deletion::Departure(state) => self.console_identities().delete_departure(state),
            Deletion::SignOnDomain { tenant, domain } => {
                self.identity_providers().delete_domain(tenant, domain)
            }
            Deletion::DomainOfOthers { tenant, domain } => {
                self.identity_providers().delete_domain_of_others(tenant, domain)
            }
            Deletion::ApiKey(key_hash) => self.api_keys().delete(key_hash),
            Deletion::Scenario(id) => self.scenarios().delete(id),
            Deletion::PendingDeliveries(webhook) => {
                self.deliveries().cancel_of_webhook(webhook)?;
                // Closing releases the remaining deliveries, so that claims find and cancel them.
                self.breakers().close(webhook, now.wall())
            }
            Deletion::Breaker(webhook) => self.breakers().close(webhook, now.wall()),
        }
    }
}

impl Scopes<'_, Tx<'_>> {
    /// Returns whether a resource exists but can never be opened again: its last day ended several days ago, and its
    /// key is gone. A key that disappeared earlier may have been lost by mistake and can be restored.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn is_lost(&mut self, owner: &Owner, thing: &ErasureScope, now: Wall) -> Result<bool, StoreError> {
        let opened = match thing {
            ErasureScope::Account(id) => self.0.accounts().get(owner, id).map(drop),
            ErasureScope::Archive(id) => self.0.archives().get(owner, id).map(drop),
            ErasureScope::Record(id) => self.0.records().get(owner, id).map(drop),
            ErasureScope::Signal(id) => self.0.signals().get(owner, id).map(drop),
            ErasureScope::Form(id) => self.0.forms().get(owner, id).map(drop),
            ErasureScope::Invite(id) => self.0.invites().get(owner, id).map(drop),
        };
        match opened {
            Ok(()) => Ok(false),
            Err(StoreError::Erased) => self.last_day_has_ended(thing.as_str(), now),
            Err(error) => Err(error),
        }
    }
}
