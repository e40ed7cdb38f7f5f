//! Connecting an account, and ending the connection.

use link_types::LinkErrorCode;
use link_types::event::{AccountConnected, EventData};
use link_types::id::TaskId;
use link_types::task::TaskType;

use crate::account::{
    Account, AccountState, Connection, DisconnectCause, Disconnection, IllegalTransition, Link, Monitor,
    RETENTION, Reading,
};
use crate::billing::{BillingKind, BillingRecord};
use crate::change::Row;
use crate::clock::TenantTime;
use crate::findings::Findings;
use crate::job::JobKind;
use crate::link_history::Linked;
use crate::ports::SourceState;
use crate::source::Source;
use crate::task::{Task, TaskEnding, TaskState};
use crate::transition::Transition;

/// Whether connecting emits ACCOUNT_CONNECTED. Providers without a login do not emit it.
#[derive(Clone, Copy)]
pub(super) enum Emission {
    Connected,
    Silent,
}

impl Transition<'_, Account<()>> {
    pub(super) fn connect(
        &mut self,
        link: Link,
        before: Option<Connection>,
        source: SourceState,
        emission: Emission,
    ) -> AccountState {
        match emission {
            Emission::Connected => self.emit(EventData::AccountConnected(AccountConnected {
                user_id: self.entity.user_id.clone(),
                account_id: self.entity.id.clone(),
                login_name: link.shown_login_name(),
                providers: vec![self.entity.provider_id.clone()],
            })),
            Emission::Silent => {}
        }
        let submitted = link.form();
        if link.consent.is_some() {
            self.entity.consent = link.consent;
        }
        self.change.rows.push(Row::Linked(Linked {
            owner: self.entity.owner.clone(),
            user_id: self.entity.user_id.clone(),
            provider_id: self.entity.provider_id.clone(),
            account_id: self.entity.id.clone(),
            at: self.at,
        }));
        let login_name = link.login_name;
        let connection = match before {
            Some(before) => {
                self.entity.monitor = self.entity.monitor.reauthorized(self.at);
                let reading = match before.reading {
                    Reading::Failed {} => self.start_reading(TaskType::UpdateAccount),
                    Reading::Running { .. } | Reading::Done {} => before.reading,
                };
                Connection { login_name, submitted, source, reading, relink: None, ..before }
            }
            None => {
                self.entity.updated_at = self.at;
                self.entity.monitor = self.entity.monitor.connected(link.monitored, self.at);
                let expires_at = self.at + RETENTION;
                self.bill();
                self.schedule(JobKind::ExpireAccount { account_id: self.entity.id.clone() }, expires_at);
                let reading = self.start_reading(TaskType::LinkAccount);
                let connected_at = self.at;
                Connection {
                    connected_at,
                    expires_at,
                    login_name,
                    submitted,
                    source,
                    reading,
                    read_at: None,
                    relink: None,
                }
            }
        };
        AccountState::Connected(Box::new(connection))
    }

    fn bill(&mut self) {
        self.change.rows.push(Row::Billing(BillingRecord::now(
            &self.entity.owner,
            BillingKind::AccountConnected,
            self.entity.id.to_string(),
            Some(self.entity.user_id.clone()),
            self.context,
        )));
    }

    fn start_reading(&mut self, task_type: TaskType) -> Reading {
        let task = Task {
            id: TaskId::from_bytes(self.context.uuid()),
            owner: self.entity.owner.clone(),
            task_type,
            user_id: self.entity.user_id.clone(),
            source: Source::Account(self.entity.id.clone()),
            provider_id: self.entity.provider_id.clone(),
            started_at: self.at,
            state: TaskState::Started {},
        };
        self.emit(EventData::TaskStarted(task.started_event()));
        self.schedule(
            JobKind::ReadAccount { account_id: self.entity.id.clone(), task_id: task.id.clone() },
            self.at,
        );
        self.change.rows.push(Row::Task(task.clone()));
        Reading::Running { task }
    }

    /// Turns the account into a tombstone. A running task fails without data.
    pub(super) fn end(&mut self, before: Option<Connection>, cause: DisconnectCause) -> AccountState {
        if let Some(Reading::Running { task }) = before.map(|it| it.reading) {
            let ending = TaskEnding::Failed(LinkErrorCode::AccountInaccessible);
            self.finish_task(task, ending, &Findings::none(), None);
        }
        self.entity.updated_at = self.at;
        self.entity.monitor = self.entity.monitor.disconnected(self.at);
        self.entity.login_hash = None;
        self.entity.consent = None;
        let changed = self.changed();
        self.emit(EventData::AccountDisconnected(changed));
        self.change.erasures.push(self.entity.scope());
        AccountState::Disconnected(Disconnection { at: self.at, cause })
    }

    pub(super) fn monitor(
        &mut self,
        state: AccountState,
        transition: impl FnOnce(Monitor, TenantTime) -> Result<Monitor, IllegalTransition>,
    ) -> Result<AccountState, IllegalTransition> {
        match state {
            AccountState::Connected(_) => {
                self.entity.monitor = transition(self.entity.monitor, self.at)?;
                Ok(state)
            }
            AccountState::Linking(_) => Err(IllegalTransition::NotConnected),
            AccountState::Disconnected(_) => Err(IllegalTransition::AlreadyDisconnected),
        }
    }
}
