//! The only writer of a [`Change`]: state, events, deliveries and jobs commit together.

use std::collections::BTreeMap;

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::Now;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::delivery::deliveries_for;
use link_domain::notifications::webhook::Webhook;

use crate::keys::Day;
use crate::{StoreError, Tx};

impl Tx<'_> {
    /// Writes everything in a change, in the order of [`Change`]'s fields. Also creates the deliveries for its events.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] if an account or archive has a newer version by now, [`StoreError::Erased`] if something
    /// must be sealed for a source that was erased, and [`StoreError`] if the database cannot be written.
    pub fn apply(&mut self, change: &Change, now: Now) -> Result<(), StoreError> {
        for row in &change.rows {
            self.put(row, now)?;
        }
        let mut webhooks: BTreeMap<&Owner, Vec<Webhook>> = BTreeMap::new();
        for event in &change.events {
            self.events().insert(event)?;
            if !webhooks.contains_key(&event.owner) {
                webhooks.insert(&event.owner, self.webhooks().all_of(&event.owner)?);
            }
            let registered = webhooks.get(&event.owner).map(Vec::as_slice).unwrap_or_default();
            self.deliveries().insert_all(&deliveries_for(event, registered))?;
        }
        for job in &change.jobs {
            self.jobs().put(job)?;
        }
        for deletion in &change.deletions {
            self.delete(deletion, now)?;
        }
        for scope in &change.erasures {
            self.erase(scope, now)?;
        }
        Ok(())
    }

    fn put(&mut self, row: &Row, now: Now) -> Result<(), StoreError> {
        match row {
            Row::Tenant(tenant) => self.tenants().put(tenant),
            Row::Advance(advance) => self.clock_advances().put(advance),
            Row::ApiKey(key) => self.api_keys().put(key),
            Row::KeyRequest(request) => self.key_requests().put(request),
            Row::Member(member) => self.console_members().put(member, now.wall()),
            Row::SignInAddress(address) => self.console_addresses().put(address),
            Row::ConsoleSession(session) => self.console_sessions().put(session),
            Row::Passkey(passkey) => self.console_passkeys().put(passkey),
            Row::IdentityProvider(provider) => self.identity_providers().put(provider),
            Row::SignOnDomain(domain) => self.identity_providers().put_domain(domain),
            Row::Departure(departure) => self.console_identities().put_departure(departure),
            Row::Identity(identity) => self.console_identities().put(identity),
            Row::ConsentTemplate(template) => self.consent_templates().put(template),
            Row::LinkTemplate(template) => self.link_templates().put(template),
            Row::TemplateVersion(version) => self.template_versions().put(version),
            Row::Logo(logo) => self.logos().put(logo),
            Row::User(user) => self.users().put(user, now.wall()),
            Row::LinkToken(token) => self.link_tokens().put(token),
            Row::LinkSession(session) => self.link_sessions().put(session),
            Row::Handoff(handoff) => self.link_handoffs().put(handoff),
            Row::Attempt(attempt) => self.link_attempts().put(attempt),
            Row::LoginTries(tries) => self.login_tries().put(tries),
            Row::GuessCount(count) => self.guess_counts().put(count),
            Row::UiEvents(report) => self.ui_events().put(report),
            Row::Funnel(count) => self.funnel().count(count),
            Row::Survey(survey) => self.surveys().put(survey),
            Row::Account(account) => self.accounts().put(account),
            Row::Export(file) => self.exports().insert(file),
            Row::Withdrawal(withdrawal) => self.withdrawals().put(withdrawal),
            Row::Linked(linked) => self.account_links().insert(linked),
            Row::Archive(archive) => self.archives().put(archive),
            Row::File { id, holder } => self.files().put(id, holder),
            Row::Segment(segment) => self.files().put_segment(segment),
            Row::UploadUse(begun) => self.upload_uses().put(begun),
            Row::QuotaUse(used) => self.quota_uses().put(used),
            Row::Task(task) => self.tasks().put(task),
            Row::DataPoint(point) => self.data_points().put(point),
            Row::ProviderFile(file) => self.provider_files().put(file),
            Row::Record(record) => self.records().put(record),
            Row::Signal(signal) => self.signals().put(signal),
            Row::InviteTemplate(template) => self.invite_templates().put(template),
            Row::Invite(invite) => self.invites().put(invite),
            Row::InvitedRow(row) => self.invited_rows().put(row),
            Row::HostedLink(link) => self.hosted_links().put(link),
            Row::LinkSite(site) => self.link_sites().put(site),
            Row::LinkSiteVersion(version) => self.link_sites().put_version(version),
            Row::LinkSiteHost(host) => self.link_site_hosts().put(host),
            Row::Visit(visit) => self.visits().put(visit, now.wall()),
            Row::GivenData(given) => self.given_data().put(given),
            Row::PageLink(link) => self.page_links().put(link),
            Row::PageSession(session) => self.page_sessions().put(session),
            Row::InviteAccount { account_id, invite_id } => self.invites().put_account(account_id, invite_id),
            Row::HostedLinkAccount { account_id, hosted_link_id } => {
                self.hosted_links().put_account(hosted_link_id, account_id, now)
            }
            Row::ConsentCited(template) => self.consent_templates().cite(template),
            Row::Form(form) => self.forms().put(form),
            Row::Webhook(webhook) => self.webhooks().put(webhook),
            Row::Delivery(delivery) => self.deliveries().put_again(delivery, now.wall()),
            Row::Scope { scope, ends_at } => {
                self.scope_key_until(scope.as_str(), Day::from_micros(ends_at.micros())).map(drop)
            }
            Row::Scenario(scenario) => self.scenarios().put(scenario),
            Row::Billing(record) => self.billing_events().put(record),
        }
    }
}
