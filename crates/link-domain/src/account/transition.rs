//! `apply`: the legal inputs of each state.

use link_types::LinkErrorCode;
use link_types::event::EventData;
use link_types::id::AccountId;

use super::building::{Transition, patience};
use super::linking::challenged;
use super::{
    Account, AccountInput, AccountState, Connection, DisconnectCause, Disconnection, IllegalTransition, Link,
    Monitor, NewAccount, Submission,
};
use crate::change::Change;
use crate::context::Context;

impl Account {
    /// Creates an account from the first submitted login of a provider and emits ACCOUNT_CREATED. If the provider needs
    /// no login, the account connects immediately.
    ///
    /// # Errors
    ///
    /// [`IllegalTransition::TooManyTries`] if a limit on login tries is reached. The limits count tries across
    /// accounts.
    pub fn begin(
        new: NewAccount,
        submission: Submission,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        let at = context.now().tenant();
        let account = Self {
            id: AccountId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id: new.user_id,
            provider_id: new.provider_id,
            created_at: at,
            updated_at: at,
            version: 0,
            event_count: 0,
            login_hash: None,
            monitor: Monitor::UNSUPPORTED,
            consent: None,
            state: AccountState::Disconnected(Disconnection { at, cause: DisconnectCause::Abandoned }),
        };
        let mut transition = Transition::of(account, context);
        let created = transition.changed();
        transition.emit(EventData::AccountCreated(created));
        transition.submit(submission, None)?;
        Ok(transition.finish())
    }

    /// Applies an input, consuming the account. Returns the account after the input, and everything that must be
    /// written.
    ///
    /// # Errors
    ///
    /// [`IllegalTransition`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(
        self,
        input: AccountInput<'_>,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        if let AccountInput::Submit(submission) = &input
            && self.was_submitted_with(submission)
        {
            // The client repeats the same submission if it lost the response. It has already been applied.
            return Ok((self, Change::default()));
        }
        let state = self.state.clone();
        let mut transition = Transition::of(self, context);
        match input {
            AccountInput::Submit(submission) => match state {
                AccountState::Linking(_) => transition.submit(submission, None)?,
                AccountState::Connected(connection) => transition.submit(submission, Some(*connection))?,
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Stepped { version, step, tries } => {
                let (link, connection) = under_way(state)?;
                transition.stepped(link, connection, (version, step), tries)?;
            }
            AccountInput::Answer { challenge_id, answer, tries } => {
                let (link, connection) = under_way(state)?;
                transition.answered(link, connection, &challenge_id, (answer, tries))?;
            }
            AccountInput::Resend { challenge_id, channel } => {
                let (link, connection) = under_way(state)?;
                transition.resend(link, connection, &challenge_id, channel)?;
            }
            AccountInput::Extend { challenge_id } => {
                let (link, connection) = under_way(state)?;
                transition.extend(link, connection, &challenge_id)?;
            }
            AccountInput::ChallengeLapsed { challenge_id } => {
                let (link, connection) = under_way(state)?;
                let (link, _) = challenged(link, &challenge_id)?;
                transition.fail(link, connection, LinkErrorCode::MfaTimeout, None);
            }
            AccountInput::Read { task_id, from, read, history, cursors } => match state {
                AccountState::Connected(connection) => {
                    transition.read(*connection, &task_id, (&from, read), &history, cursors)?;
                }
                AccountState::Linking(_) => return Err(IllegalTransition::NotConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Revoke => match state {
                AccountState::Linking(_) | AccountState::Connected(_) => {
                    transition.end(DisconnectCause::Revoked)
                }
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Expire => match state {
                AccountState::Connected(connection) if transition.at < connection.expires_at => {
                    return Err(IllegalTransition::NotDue { due_at: connection.expires_at });
                }
                AccountState::Connected(_) => transition.end(DisconnectCause::Expired),
                AccountState::Linking(_) => return Err(IllegalTransition::NotConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Abandon => match state {
                AccountState::Linking(link)
                    if transition.at < transition.account.updated_at + patience(&link) =>
                {
                    let due_at = transition.account.updated_at + patience(&link);
                    return Err(IllegalTransition::NotDue { due_at });
                }
                AccountState::Linking(_) => return Ok(transition.remove()),
                AccountState::Connected(_) => return Err(IllegalTransition::AlreadyConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::DisableMonitor => transition.monitor(state, Monitor::disabled)?,
            AccountInput::EnableMonitor => transition.monitor(state, Monitor::enabled)?,
        }
        Ok(transition.finish())
    }
}

impl Account {
    /// Returns whether the account's last submission was this one. Each press of the button encrypts the form again, so
    /// an identical encrypted form is a repeated request.
    fn was_submitted_with(&self, submission: &Submission) -> bool {
        let Some(login) = &submission.login else { return false };
        let last = match &self.state {
            AccountState::Linking(link) => link.form(),
            AccountState::Connected(connection) => match &connection.relink {
                Some(link) => link.form(),
                None => connection.submitted,
            },
            AccountState::Disconnected(_) => None,
        };
        last == Some(login.form.digest())
    }
}

/// Returns the link in progress, and the connection that it re-authorizes.
fn under_way(state: AccountState) -> Result<(Link, Option<Connection>), IllegalTransition> {
    match state {
        AccountState::Linking(link) => Ok((link, None)),
        AccountState::Connected(mut connection) => match connection.relink.take() {
            Some(link) => Ok((link, Some(*connection))),
            None => Err(IllegalTransition::AlreadyConnected),
        },
        AccountState::Disconnected(_) => Err(IllegalTransition::AlreadyDisconnected),
    }
}
