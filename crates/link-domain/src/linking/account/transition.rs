//! `apply`: the legal inputs of each state.

mod connecting;
mod linking;
mod reading;

use link_types::AccessEnd;
use link_types::event::{AccountChanged, EventData};
use link_types::id::AccountId;

use super::{
    Account, AccountInput, AccountState, Connection, DisconnectCause, Disconnection, IllegalTransitionError,
    Link, LinkStep, Login, Monitor, NewAccount, PENDING_LIFE, RETENTION, Submission,
};
use crate::change::job::JobKind;
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;

impl Account {
    /// Creates an account from the first submitted login of a provider and emits ACCOUNT_CREATED. If the provider needs
    /// no login, the account connects immediately.
    ///
    /// # Errors
    ///
    /// [`IllegalTransitionError::TooManyTries`] if a limit on login tries is reached. The limits count tries across
    /// accounts.
    pub fn begin(
        new: NewAccount,
        submission: Submission,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransitionError> {
        let at = context.now().tenant();
        let account = Account {
            id: AccountId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id: new.user_id,
            provider_id: new.provider_id,
            visit_id: new.visit_id,
            created_at: at,
            updated_at: at,
            version: 0,
            event_count: 0,
            login_hash: None,
            monitor: Monitor::UNSUPPORTED,
            consent: None,
            state: (),
        };
        let mut transition = Transition::for_entity(account, context);
        let created = transition.to_event();
        transition.emit(EventData::AccountCreated(created));
        let state = transition.submit(submission, None)?;
        Ok(transition.finish_in(state))
    }

    /// Applies an input, consuming the account. Returns the account after the input, and everything that must be
    /// written.
    ///
    /// # Errors
    ///
    /// [`IllegalTransitionError`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(
        self,
        input: AccountInput<'_>,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransitionError> {
        if let AccountInput::Submit(submission) = &input
            && self.was_submitted_with(submission.login.as_ref())
        {
            // The client repeats the same submission if it lost the response. It has already been applied.
            return Ok((self, Change::default()));
        }
        if matches!(input, AccountInput::Refresh) && self.is_read_already(context.now().tenant()) {
            // The reading in progress answers the request.
            return Ok((self, Change::default()));
        }
        let (account, state) = self.take_state();
        let mut transition = Transition::for_entity(account, context);
        let state = match input {
            AccountInput::Submit(submission) => match state {
                AccountState::Linking(_) => transition.submit(submission, None)?,
                AccountState::Connected(connection) => transition.submit(submission, Some(*connection))?,
                AccountState::Disconnected(_) => return Err(IllegalTransitionError::AlreadyDisconnected),
            },
            AccountInput::Stepped { version, step, tries } => {
                let (link, connection) = under_way(state)?;
                transition.apply_step(link, connection, (version, step), tries)?
            }
            AccountInput::Answer { challenge_id, answer, tries } => {
                let (link, connection) = under_way(state)?;
                transition.apply_answer(link, connection, &challenge_id, (answer, tries))?
            }
            AccountInput::Redirected { challenge_id, response } => {
                let (link, connection) = under_way(state)?;
                transition.apply_redirect(link, connection, &challenge_id, response)?
            }
            AccountInput::Resend { challenge_id, channel } => {
                let (link, connection) = under_way(state)?;
                transition.resend(link, connection, &challenge_id, channel)?
            }
            AccountInput::Extend { challenge_id } => {
                let (link, connection) = under_way(state)?;
                transition.extend(link, connection, &challenge_id)?
            }
            AccountInput::ChallengeLapsed { challenge_id } => {
                let (link, connection) = under_way(state)?;
                let (link, _) = linking::apply_challenge(link, &challenge_id)?;
                transition.time_out(link, connection)
            }
            AccountInput::Read { task_id, from, read, files, known, history, links } => {
                let connection = require_connection(state)?;
                transition.read(connection, &task_id, (&from, read, files), (known, &history), links)?
            }
            AccountInput::Sync => transition.sync(require_connection(state)?)?,
            AccountInput::Refresh => transition.refresh(require_connection(state)?)?,
            AccountInput::Revoke { by } => match state {
                AccountState::Linking(link) => {
                    transition.withdraw(link.provider_access());
                    transition.end(None, by.access_end())
                }
                AccountState::Connected(connection) => transition.end(Some(*connection), by.access_end()),
                AccountState::Disconnected(_) => return Err(IllegalTransitionError::AlreadyDisconnected),
            },
            AccountInput::Expire => {
                let connection = require_connection(state)?;
                transition.check_due(connection.expires_at)?;
                transition.end(Some(connection), AccessEnd::Expired)
            }
            AccountInput::Abandon => match state {
                AccountState::Linking(link) => {
                    transition.check_due(transition.entity.updated_at + timeout(&link))?;
                    transition.withdraw(link.provider_access());
                    return Ok(transition.remove());
                }
                AccountState::Connected(_) => return Err(IllegalTransitionError::AlreadyConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransitionError::AlreadyDisconnected),
            },
            AccountInput::DisableMonitor { known, links } => {
                transition.disable_sync(require_connection(state)?, known, links)?
            }
            AccountInput::EnableMonitor => transition.enable_sync(require_connection(state)?)?,
        };
        Ok(transition.finish_in(state))
    }

    /// Returns whether a reading is under way that a request of the tenant cannot hasten. A reading that waits for
    /// another try can be tried at once, unless the account is not in sync.
    fn is_read_already(&self, now: TenantTime) -> bool {
        let is_in_sync = self.monitor.active_interval().is_some();
        self.run().is_some_and(|run| run.due_at <= now || !is_in_sync)
    }

    /// Returns whether the account's last submission had this login. Each press of the button encrypts the form
    /// again, so an identical encrypted form is a repeated request.
    pub fn was_submitted_with(&self, login: Option<&Login>) -> bool {
        login.is_some_and(|it| self.login_form() == Some(it.form.digest()))
    }
}

impl Entity for Account<()> {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::Account(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    fn advance(&mut self, _: TenantTime) {
        self.version = self.version.saturating_add(1);
    }
}

impl Transition<'_, Account<()>> {
    /// Ends the transition in this state.
    fn finish_in(mut self, state: AccountState) -> (Account, Change) {
        if let AccountState::Linking(link) = &state {
            let due_at = self.at + timeout(link);
            self.schedule(JobKind::RemovePending { account_id: self.entity.id.clone() }, due_at);
        }
        self.map(|account| account.with_state(state)).finish(|it| Row::Account(Box::new(it.clone())))
    }

    /// Deletes an account that never connected.
    fn remove(self) -> (Account, Change) {
        let Self { entity: account, mut change, at, .. } = self;
        change.deletions.push(Deletion::Account(account.id.clone()));
        change.erasures.push(account.scope());
        let state = AccountState::Disconnected(Disconnection {
            at,
            cause: DisconnectCause::Abandoned,
            consent: None,
        });
        (account.with_state(state), change)
    }

    fn check_due(&self, due_at: TenantTime) -> Result<(), IllegalTransitionError> {
        if self.at < due_at { Err(IllegalTransitionError::NotDue { due_at }) } else { Ok(()) }
    }

    fn schedule_step(&mut self, due_at: TenantTime) {
        let account_id = self.entity.id.clone();
        self.schedule(JobKind::StepAccount { account_id, version: self.entity.version }, due_at);
    }

    /// Returns the state of an unconnected or connected account with this link in progress.
    fn linking(&mut self, link: Link, connection: Option<Connection>) -> AccountState {
        match connection {
            Some(connection) => {
                AccountState::Connected(Box::new(Connection { relink: Some(link), ..connection }))
            }
            None => {
                self.entity.updated_at = self.at;
                AccountState::Linking(link)
            }
        }
    }

    fn to_event(&self) -> AccountChanged {
        AccountChanged {
            user_id: self.entity.user_id.clone(),
            account_id: self.entity.id.clone(),
            providers: vec![self.entity.provider_id.clone()],
        }
    }
}

/// Returns how long an account that is not connected may stay inactive. A failed one is kept as long as data is.
const fn timeout(link: &Link) -> std::time::Duration {
    match &link.step {
        LinkStep::Working { .. } | LinkStep::Challenged { .. } => PENDING_LIFE,
        LinkStep::Failed(_) => RETENTION,
    }
}

/// Returns the connection of a connected account.
fn require_connection(state: AccountState) -> Result<Connection, IllegalTransitionError> {
    match state {
        AccountState::Connected(connection) => Ok(*connection),
        AccountState::Linking(_) => Err(IllegalTransitionError::NotConnected),
        AccountState::Disconnected(_) => Err(IllegalTransitionError::AlreadyDisconnected),
    }
}

/// Returns the link in progress, and the connection that it re-authorizes.
fn under_way(state: AccountState) -> Result<(Link, Option<Connection>), IllegalTransitionError> {
    match state {
        AccountState::Linking(link) => Ok((link, None)),
        AccountState::Connected(mut connection) => match connection.relink.take() {
            Some(link) => Ok((link, Some(*connection))),
            None => Err(IllegalTransitionError::AlreadyConnected),
        },
        AccountState::Disconnected(_) => Err(IllegalTransitionError::AlreadyDisconnected),
    }
}
