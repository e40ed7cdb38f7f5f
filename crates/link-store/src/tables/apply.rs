//! The only writer of a [`Change`]: state, events, deliveries and jobs commit together.

use std::collections::BTreeMap;

use link_domain::change::{Change, Row};
use link_domain::clock::Now;
use link_domain::owner::Owner;
use link_domain::webhook::{Webhook, deliveries_for};

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
            self.insert_event(event)?;
            if !webhooks.contains_key(&event.owner) {
                webhooks.insert(&event.owner, self.webhooks_of(&event.owner)?);
            }
            let registered = webhooks.get(&event.owner).map(Vec::as_slice).unwrap_or_default();
            for delivery in deliveries_for(event, registered, now) {
                self.insert_delivery(&delivery)?;
            }
        }
        for job in &change.jobs {
            self.put_job(job)?;
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
            Row::Tenant(tenant) => self.put_tenant(tenant),
            Row::ApiKey(key) => self.put_api_key(key),
            Row::ConsentTemplate(template) => self.put_consent_template(template),
            Row::LinkTemplate(template) => self.put_link_template(template),
            Row::User(user) => self.put_user(user, now.wall()),
            Row::LinkToken(token) => self.put_link_token(token),
            Row::LinkSession(session) => self.put_link_session(session),
            Row::Attempt(attempt) => self.put_link_attempt(attempt),
            Row::LoginTries(tries) => self.put_login_tries(tries),
            Row::GuessCount(count) => self.put_guess_count(count),
            Row::UiEvents(told) => self.put_ui_events(told),
            Row::Survey(survey) => self.put_survey(survey),
            Row::Account(account) => self.put_account(account),
            Row::Export(file) => self.insert_export(file),
            Row::Linked(linked) => self.insert_link(linked),
            Row::Archive(archive) => self.put_archive(archive),
            Row::File { id, archive_id } => self.put_file(id, archive_id),
            Row::Segment(segment) => self.put_segment(segment),
            Row::UploadUse(begun) => self.put_upload_use(begun),
            Row::QuotaUse(used) => self.put_quota_use(used),
            Row::Task(task) => self.put_task(task),
            Row::DataPoint(point) => self.put_data_point(point),
            Row::Record(record) => self.put_record(record),
            Row::Signal(signal) => self.put_signal(signal),
            Row::InviteTemplate(template) => self.put_invite_template(template),
            Row::Invite(invite) => self.put_invite(invite),
            Row::Visit(visit) => self.put_visit(visit),
            Row::InviteAccount { account_id, invite_id } => self.put_invite_account(account_id, invite_id),
            Row::ConsentCited(template) => self.cite_consent_template(template),
            Row::Form(form) => self.insert_form(form),
            Row::Webhook(webhook) => self.put_webhook(webhook),
            Row::Delivery(delivery) => self.put_again(delivery, now.wall()),
            Row::Scope { scope, ends_at } => {
                self.scope_key_until(scope.as_str(), Day::of(ends_at.micros())).map(drop)
            }
            Row::Scenario(scenario) => self.put_scenario(scenario),
            Row::Billing(record) => self.put_billing(record),
        }
    }
}
