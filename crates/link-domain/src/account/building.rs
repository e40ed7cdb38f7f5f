//! Applying one input: the account being changed, and the rows, events and jobs that result.

use link_types::Sensitive;
use link_types::event::{AccountChanged, EventData};

use super::{
    Account, AccountState, Connection, DisconnectCause, Disconnection, Link, LinkStep, PENDING_LIFE,
    RETENTION,
};
use crate::change::{Change, Deletion, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::event::{EventRecord, Subject};
use crate::job::{Job, JobKind};

/// One application of an input: the account being changed, and its change set.
pub(super) struct Transition<'c> {
    pub(super) account: Account,
    pub(super) change: Change,
    pub(super) context: &'c mut Context,
    pub(super) at: TenantTime,
}

impl<'c> Transition<'c> {
    pub(super) fn of(mut account: Account, context: &'c mut Context) -> Self {
        account.version = account.version.saturating_add(1);
        let at = context.now().tenant();
        Self { account, change: Change::default(), context, at }
    }

    pub(super) fn finish(mut self) -> (Account, Change) {
        if let AccountState::Linking(link) = &self.account.state {
            let due_at = self.at + patience(link);
            self.schedule(JobKind::RemovePending { account_id: self.account.id.clone() }, due_at);
        }
        self.change.rows.insert(0, Row::Account(Box::new(self.account.clone())));
        (self.account, self.change)
    }

    pub(super) fn remove(mut self) -> (Account, Change) {
        self.account.state =
            AccountState::Disconnected(Disconnection { at: self.at, cause: DisconnectCause::Abandoned });
        self.change.deletions.push(Deletion::Account(self.account.id.clone()));
        self.change.erasures.push(self.account.scope());
        (self.account, self.change)
    }

    pub(super) fn emit(&mut self, data: EventData) {
        self.account.event_count = self.account.event_count.saturating_add(1);
        let subject = Subject::Account(self.account.id.clone());
        let sequence = self.account.event_count;
        let event = EventRecord::new(&self.account.owner, subject, sequence, data, self.context);
        self.change.events.push(event);
    }

    pub(super) fn schedule(&mut self, kind: JobKind, due_at: TenantTime) {
        let job = Job::due(&self.account.owner, kind, due_at, self.context);
        self.change.jobs.push(job);
    }

    pub(super) fn owe_step(&mut self, due_at: TenantTime) {
        let account_id = self.account.id.clone();
        self.schedule(JobKind::StepAccount { account_id, version: self.account.version }, due_at);
    }

    /// Sets the link in progress of an unconnected or connected account.
    pub(super) fn set_link(&mut self, link: Link, connection: Option<Connection>) {
        self.account.updated_at = if connection.is_some() { self.account.updated_at } else { self.at };
        self.account.state = match connection {
            Some(connection) => {
                AccountState::Connected(Box::new(Connection { relink: Some(link), ..connection }))
            }
            None => AccountState::Linking(link),
        };
    }

    pub(super) fn changed(&self) -> AccountChanged {
        AccountChanged {
            user_id: self.account.user_id.clone(),
            account_id: self.account.id.clone(),
            providers: vec![self.account.provider_id.clone()],
        }
    }
}

/// Returns how long an account that is not connected may stay inactive. A failed one is kept as long as data is.
pub(super) const fn patience(link: &Link) -> std::time::Duration {
    match &link.step {
        LinkStep::Working { .. } | LinkStep::Challenged { .. } => PENDING_LIFE,
        LinkStep::Failed(_) => RETENTION,
    }
}

/// Returns a login name as events contain it.
pub(super) fn shown(login_name: Option<&Sensitive>) -> Option<String> {
    login_name.map(|name| name.expose().to_owned())
}
