//! Connecting an account, and ending the connection.

use link_types::data::DataPointKind;
use link_types::event::{AccountConnected, AccountDisconnected, EventData};
use link_types::task::TaskType;
use link_types::{AccessEnd, LinkErrorCode};

use crate::change::job::JobKind;
use crate::change::transition::Transition;
use crate::change::{Deletion, Row};
use crate::data::data_point::Known;
use crate::data::findings::Findings;
use crate::data::payload::PayloadLinks;
use crate::data::task::TaskEnding;
use crate::linking::account::{
    Account, AccountState, Connection, DisconnectCause, Disconnection, IllegalTransitionError, Link, Reading,
};
use crate::linking::account_source::{Purpose, SourceState};
use crate::linking::consent::Consent;
use crate::linking::link_history::Linked;
use crate::linking::withdrawal::{MAX_WITHDRAWALS, WITHDRAWAL_LIFE, Withdrawal};
use crate::tenancy::billing::BillingKind;

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
                login_name: link.show_login_name(),
                providers: vec![self.entity.provider_id.clone()],
            })),
            Emission::Silent => {}
        }
        let submitted = link.form();
        let before = match link.consent {
            Some(consent) => self.consent(consent, before),
            None => before,
        };
        if self.entity.declined_data().shares(DataPointKind::Links) {
            self.change.rows.push(Row::Linked(Linked {
                owner: self.entity.owner.clone(),
                user_id: self.entity.user_id.clone(),
                provider_id: self.entity.provider_id.clone(),
                account_id: self.entity.id.clone(),
                at: self.at,
            }));
        }
        let (login_name, on_provider_page) = (link.login_name, link.on_provider_page);
        self.entity.updated_at = self.at;
        self.entity.monitor = self.entity.monitor.after_login(link.sync, self.at);
        let (connected_at, retention) = (self.at, link.retention);
        if !on_provider_page {
            self.withdraw(before.as_ref().and_then(Connection::provider_access));
        }
        let connection = match before {
            Some(before) => {
                let reading = match before.reading {
                    Reading::Running(run) => self.read_with_new_login(*run),
                    Reading::Done { .. } | Reading::Failed { .. } => {
                        self.read_after_login(TaskType::UpdateAccount)
                    }
                };
                Connection {
                    connected_at,
                    retention,
                    login_name,
                    submitted,
                    source,
                    on_provider_page,
                    reading,
                    relink: None,
                    ..before
                }
            }
            None => {
                self.bill(BillingKind::AccountConnected, Some(self.entity.user_id.clone()));
                let reading = self.read_after_login(TaskType::LinkAccount);
                Connection {
                    first_connected_at: self.at,
                    connected_at,
                    retention,
                    expires_at: self.at,
                    login_name,
                    submitted,
                    source,
                    on_provider_page,
                    reading,
                    read_at: None,
                    contribution_rate: None,
                    refreshed_at: None,
                    relink: None,
                }
            }
        };
        AccountState::Connected(Box::new(self.until_its_end(connection)))
    }

    /// Sets when the account expires, and schedules it.
    pub(super) fn until_its_end(&mut self, connection: Connection) -> Connection {
        let connection = connection.with_end();
        let account_id = self.entity.id.clone();
        self.schedule(JobKind::ExpireAccount { account_id }, connection.expires_at);
        connection
    }

    /// Replaces the consent. If the person declined kinds of data that they shared before, deletes them and what was
    /// computed from them. The reading after the login computes the rest again.
    fn consent(&mut self, consent: Consent, before: Option<Connection>) -> Option<Connection> {
        let (earlier, now) = (self.entity.declined_data(), consent.declined_data());
        self.entity.consent = Some(consent);
        let before = before?;
        let kinds = || DataPointKind::ALL.iter().copied();
        let is_withdrawn = kinds().any(|kind| earlier.shares(kind) && !now.shares(kind));
        let is_computed_now =
            kinds().any(|kind| kind.is_derived() && now.shares(kind) && !earlier.shares(kind));
        if !is_withdrawn && !is_computed_now {
            return Some(before);
        }
        let account_id = self.entity.id.clone();
        let kinds = kinds().filter(|kind| !now.shares(*kind) || kind.is_derived()).collect();
        self.change.deletions.push(Deletion::DataPoints { account_id: account_id.clone(), kinds });
        if is_withdrawn {
            self.change.deletions.push(Deletion::DataCopies(account_id.clone()));
        }
        if !now.shares(DataPointKind::Links) {
            self.change.deletions.push(Deletion::AccountLinks(account_id.clone()));
            if earlier.shares(DataPointKind::Links) {
                self.change.deletions.push(Deletion::LinksOfOthers(account_id));
            }
        }
        Some(before.without(&now))
    }

    /// Turns the account into a tombstone. A running task fails without data.
    pub(super) fn end(&mut self, before: Option<Connection>, reason: AccessEnd) -> AccountState {
        self.entity.updated_at = self.at;
        self.entity.monitor = self.entity.monitor.disconnect(self.at);
        if let Some(connection) = &before {
            self.withdraw(connection.provider_access());
            self.withdraw(connection.relink.as_ref().and_then(Link::provider_access));
        }
        if let Some(Reading::Running(run)) = before.map(|it| it.reading) {
            let ending = TaskEnding::Failed(LinkErrorCode::AccountInaccessible);
            self.finish_task(*run, ending, &Findings::none(), None);
        }
        self.entity.login_hash = None;
        let consent = self.entity.consent.take().map(Consent::stub);
        self.change.deletions.push(Deletion::AccountLinks(self.entity.id.clone()));
        self.emit(EventData::AccountDisconnected(AccountDisconnected {
            user_id: self.entity.user_id.clone(),
            account_id: self.entity.id.clone(),
            reason,
            providers: vec![self.entity.provider_id.clone()],
        }));
        self.change.erasures.push(self.entity.scope());
        let cause = match reason {
            AccessEnd::User | AccessEnd::Tenant => DisconnectCause::Revoked,
            AccessEnd::Expired => DisconnectCause::Expired,
        };
        AccountState::Disconnected(Disconnection { at: self.at, cause, consent })
    }

    /// Has the provider asked to end an access that the account no longer uses.
    pub(super) fn withdraw(&mut self, access: Option<&SourceState>) {
        let Some(state) = access else { return };
        let account_id = self.entity.id.clone();
        let earlier = self.change.rows.iter().filter(|it| matches!(it, Row::Withdrawal(_))).count();
        let number = u64::from(self.entity.version) * MAX_WITHDRAWALS + earlier as u64;
        self.change.rows.push(Row::Withdrawal(Withdrawal {
            account_id: account_id.clone(),
            number,
            owner: self.entity.owner.clone(),
            provider_id: self.entity.provider_id.clone(),
            state: state.clone(),
            ends_at: self.at + WITHDRAWAL_LIFE,
        }));
        self.schedule(JobKind::WithdrawAccess { account_id, number }, self.at);
    }

    /// Disables sync. A sync that waits for another try ends.
    pub(super) fn disable_sync(
        &mut self,
        connection: Connection,
        known: Known,
        links: &dyn PayloadLinks,
    ) -> Result<AccountState, IllegalTransitionError> {
        self.entity.monitor = self.entity.monitor.disable(self.at)?;
        match connection.run() {
            Some(run) if run.purpose == Purpose::Sync && !run.errors.is_empty() => {
                let (run, code) = (run.clone(), run.errors.last().copied());
                let findings = Findings::from_unchanged(known, &self.entity.declined_data());
                Ok(self.end_reading(connection, run, code, &findings, Some(links)))
            }
            Some(_) | None => Ok(AccountState::Connected(Box::new(connection))),
        }
    }

    /// Enables sync, and schedules it unless a reading runs. The end of a reading schedules it, too.
    pub(super) fn enable_sync(
        &mut self,
        connection: Connection,
    ) -> Result<AccountState, IllegalTransitionError> {
        let before = self.entity.monitor;
        self.entity.monitor = before.enable(self.at)?;
        if connection.run().is_none() && before.active_interval().is_none() {
            self.schedule_sync(&connection);
        }
        Ok(AccountState::Connected(Box::new(connection)))
    }
}
