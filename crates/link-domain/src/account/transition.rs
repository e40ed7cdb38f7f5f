//! `apply`: what each input makes of an account, and what is written and told for it.

use link_types::challenge::{ChallengeAnswer, ChallengeKind, CodeChannel};
use link_types::event::{AccountChanged, AccountConnected, AccountFailed, EventData, TaskStarted};
use link_types::id::{AccountId, ChallengeId, TaskId};
use link_types::task::TaskType;
use link_types::{LinkErrorCode, Sensitive};

use super::{
    Account, AccountInput, AccountState, Connection, DisconnectCause, Disconnection, Failure,
    IllegalTransition, Link, LinkStep, Monitor, NewAccount, PENDING_LIFE, PendingChallenge, RETENTION,
    Reading, Submission, error_message,
};
use crate::billing::{BillingKind, BillingRecord};
use crate::change::{Change, Deletion, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::event::{EventRecord, Subject};
use crate::job::{Job, JobKind};
use crate::link::LoginTries;
use crate::ports::{SourceInput, SourceState, Step};
use crate::task::{Task, TaskEnding, TaskState};

impl Account {
    /// The first submit for a provider makes the account: ACCOUNT_CREATED. A provider without a login connects
    /// at once.
    ///
    /// # Errors
    ///
    /// [`IllegalTransition::TooManyTries`] when this login was tried too often, with whatever account.
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
        let mut turn = Turn::of(account, context);
        let created = turn.changed();
        turn.tell(EventData::AccountCreated(created));
        turn.submit(submission, None)?;
        Ok(turn.finish())
    }

    /// Applies an input: the account after it, and everything that is to be written for it. The account before it
    /// is consumed.
    ///
    /// # Errors
    ///
    /// [`IllegalTransition`] names why the input does not apply; nothing is to be written then.
    pub fn apply(
        self,
        input: AccountInput<'_>,
        context: &mut Context,
    ) -> Result<(Self, Change), IllegalTransition> {
        let version = self.version;
        let state = self.state.clone();
        let mut turn = Turn::of(self, context);
        match input {
            AccountInput::Submit(submission) => match state {
                AccountState::Linking(_) => turn.submit(submission, None)?,
                AccountState::Connected(connection) => turn.submit(submission, Some(connection))?,
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Stepped { version: owed, .. } if owed != version => {
                return Err(IllegalTransition::StaleStep);
            }
            AccountInput::Stepped { step, tries, .. } => {
                let (link, connection) = under_way(state)?;
                turn.stepped(link, connection, step, tries)?;
            }
            AccountInput::Answer { challenge_id, answer } => {
                let (link, connection) = under_way(state)?;
                turn.answered(link, connection, &challenge_id, answer)?;
            }
            AccountInput::Resend { challenge_id, channel } => {
                let (link, connection) = under_way(state)?;
                turn.resend(link, connection, &challenge_id, channel)?;
            }
            AccountInput::ChallengeLapsed { challenge_id } => {
                let (link, connection) = under_way(state)?;
                let (link, _) = challenged(link, &challenge_id)?;
                turn.fail(link, connection, LinkErrorCode::MfaTimeout, None);
            }
            AccountInput::Read { task_id, read, cursors } => match state {
                AccountState::Connected(connection) => turn.read(connection, &task_id, read, cursors)?,
                AccountState::Linking(_) => return Err(IllegalTransition::NotConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Revoke => match state {
                AccountState::Linking(_) | AccountState::Connected(_) => turn.end(DisconnectCause::Revoked),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Expire => match state {
                AccountState::Connected(connection) if turn.at < connection.expires_at => {
                    return Err(IllegalTransition::NotDue);
                }
                AccountState::Connected(_) => turn.end(DisconnectCause::Expired),
                AccountState::Linking(_) => return Err(IllegalTransition::NotConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::Abandon => match state {
                AccountState::Linking(link) if turn.at < turn.account.updated_at + patience(&link) => {
                    return Err(IllegalTransition::NotDue);
                }
                AccountState::Linking(_) => return Ok(turn.remove()),
                AccountState::Connected(_) => return Err(IllegalTransition::AlreadyConnected),
                AccountState::Disconnected(_) => return Err(IllegalTransition::AlreadyDisconnected),
            },
            AccountInput::DisableMonitor => turn.monitor(state, Monitor::disabled)?,
            AccountInput::EnableMonitor => turn.monitor(state, Monitor::enabled)?,
        }
        Ok(turn.finish())
    }
}

/// The link that is under way, and the connection it re-authorizes.
fn under_way(state: AccountState) -> Result<(Link, Option<Connection>), IllegalTransition> {
    match state {
        AccountState::Linking(link) => Ok((link, None)),
        AccountState::Connected(mut connection) => match connection.relink.take() {
            Some(link) => Ok((link, Some(connection))),
            None => Err(IllegalTransition::AlreadyConnected),
        },
        AccountState::Disconnected(_) => Err(IllegalTransition::AlreadyDisconnected),
    }
}

/// The link's challenge, which must be the one on the person's screen, with what the source remembers.
fn challenged(
    link: Link,
    challenge_id: &ChallengeId,
) -> Result<(Link, (SourceState, PendingChallenge)), IllegalTransition> {
    match &link.step {
        LinkStep::Challenged { challenge, .. } if challenge.id != *challenge_id => {
            Err(IllegalTransition::StaleChallenge)
        }
        LinkStep::Challenged { source, challenge } => {
            let found = (source.clone(), challenge.clone());
            Ok((link, found))
        }
        LinkStep::Working { .. } | LinkStep::Failed(_) => Err(IllegalTransition::NoChallenge),
    }
}

/// How long an account that is not connected waits for its person: a failed one is kept as long as data is.
const fn patience(link: &Link) -> std::time::Duration {
    match &link.step {
        LinkStep::Working { .. } | LinkStep::Challenged { .. } => PENDING_LIFE,
        LinkStep::Failed(_) => RETENTION,
    }
}

/// One application: the account as it changes, and what is written for it.
pub(super) struct Turn<'c> {
    pub(super) account: Account,
    pub(super) change: Change,
    pub(super) context: &'c mut Context,
    pub(super) at: TenantTime,
}

impl<'c> Turn<'c> {
    fn of(mut account: Account, context: &'c mut Context) -> Self {
        account.version = account.version.saturating_add(1);
        let at = context.now().tenant();
        Self { account, change: Change::default(), context, at }
    }

    fn finish(mut self) -> (Account, Change) {
        if let AccountState::Linking(link) = &self.account.state {
            let due_at = self.at + patience(link);
            self.owe(JobKind::RemovePending { account_id: self.account.id.clone() }, due_at);
        }
        self.change.rows.insert(0, Row::Account(Box::new(self.account.clone())));
        (self.account, self.change)
    }

    fn remove(mut self) -> (Account, Change) {
        self.account.state =
            AccountState::Disconnected(Disconnection { at: self.at, cause: DisconnectCause::Abandoned });
        self.change.deletions.push(Deletion::Account(self.account.id.clone()));
        self.change.erasures.push(self.account.scope());
        (self.account, self.change)
    }

    pub(super) fn tell(&mut self, data: EventData) {
        self.account.event_count = self.account.event_count.saturating_add(1);
        let subject = Subject::Account(self.account.id.clone());
        let sequence = self.account.event_count;
        let event = EventRecord::new(&self.account.owner, subject, sequence, data, self.context);
        self.change.events.push(event);
    }

    fn owe(&mut self, kind: JobKind, due_at: TenantTime) {
        let job = Job::due(&self.account.owner, kind, due_at, self.context);
        self.change.jobs.push(job);
    }

    fn owe_step(&mut self, due_at: TenantTime) {
        let account_id = self.account.id.clone();
        self.owe(JobKind::StepAccount { account_id, version: self.account.version }, due_at);
    }

    /// A link is under way again, of an account that is connected or is not.
    fn set_link(&mut self, link: Link, connection: Option<Connection>) {
        self.account.updated_at = if connection.is_some() { self.account.updated_at } else { self.at };
        self.account.state = match connection {
            Some(connection) => AccountState::Connected(Connection { relink: Some(link), ..connection }),
            None => AccountState::Linking(link),
        };
    }

    fn changed(&self) -> AccountChanged {
        AccountChanged {
            user_id: self.account.user_id.clone(),
            account_id: self.account.id.clone(),
            providers: vec![self.account.provider_id.clone()],
        }
    }

    fn submit(
        &mut self,
        submission: Submission,
        connection: Option<Connection>,
    ) -> Result<(), IllegalTransition> {
        let now = self.context.now().wall();
        if submission.login_required {
            submission.tries.check(now).map_err(|wait| IllegalTransition::TooManyTries { wait })?;
            self.account.login_hash = Some(submission.tries.login_hash);
        }
        self.account.consent = Some(submission.consent);
        let input =
            SourceInput::LogIn { login_option: submission.login_option, credentials: submission.credentials };
        let step = LinkStep::Working { source: SourceState::default(), input, answering: false };
        let link = Link { login_name: submission.login_name, monitored: submission.monitored, step };
        if submission.login_required {
            self.set_link(link, connection);
            self.owe_step(self.at);
        } else {
            self.connect(link, connection, SourceState::default(), Telling::Silent);
        }
        Ok(())
    }

    fn stepped(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        step: Step,
        tries: Option<LoginTries>,
    ) -> Result<(), IllegalTransition> {
        let answering = match &link.step {
            LinkStep::Working { answering, .. } => *answering,
            LinkStep::Challenged { .. } | LinkStep::Failed(_) => return Err(IllegalTransition::StaleStep),
        };
        match step {
            Step::Connected { state } => {
                let failed_before = tries.filter(|tries| tries.failures > 0);
                self.change.rows.extend(failed_before.map(|tries| Row::LoginTries(tries.succeeded())));
                self.connect(link, connection, state, Telling::Connected);
            }
            Step::Challenge { state: source, challenge: posed } => {
                let id = ChallengeId::from_bytes(self.context.uuid());
                if let Some(lasts) = posed.lasts {
                    let account_id = self.account.id.clone();
                    self.owe(
                        JobKind::LapseChallenge { account_id, challenge_id: id.clone() },
                        self.at + lasts,
                    );
                }
                let challenge = PendingChallenge { id, posed_at: self.context.now().wall(), posed };
                self.set_link(Link { step: LinkStep::Challenged { source, challenge }, ..link }, connection);
            }
            Step::Wait { state: source, for_at_least } => {
                let input = SourceInput::Continue {};
                self.set_link(
                    Link { step: LinkStep::Working { source, input, answering }, ..link },
                    connection,
                );
                self.owe_step(self.at + for_at_least);
            }
            Step::Failed { code } => self.fail(link, connection, code, tries),
        }
        Ok(())
    }

    fn answered(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        challenge_id: &ChallengeId,
        answer: ChallengeAnswer,
    ) -> Result<(), IllegalTransition> {
        let (link, (source, challenge)) = challenged(link, challenge_id)?;
        if challenge.has_lapsed(self.context.now().wall()) {
            self.fail(link, connection, LinkErrorCode::MfaTimeout, None);
            return Ok(());
        }
        check_answer(&challenge.posed.kind, &answer)?;
        self.work(link, connection, source, answer.into());
        Ok(())
    }

    fn resend(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        challenge_id: &ChallengeId,
        channel: CodeChannel,
    ) -> Result<(), IllegalTransition> {
        let (link, (source, challenge)) = challenged(link, challenge_id)?;
        let rule = challenge.posed.resend.ok_or(IllegalTransition::ResendRefused)?;
        if !rule.channels.contains(&channel) {
            return Err(IllegalTransition::ResendRefused);
        }
        let wait = (challenge.posed_at + rule.after).since(self.context.now().wall());
        if !wait.is_zero() {
            return Err(IllegalTransition::ResendTooEarly { wait });
        }
        self.work(link, connection, source, SourceInput::Resend { channel });
        Ok(())
    }

    fn work(&mut self, link: Link, connection: Option<Connection>, source: SourceState, input: SourceInput) {
        let step = LinkStep::Working { source, input, answering: true };
        self.set_link(Link { step, ..link }, connection);
        self.owe_step(self.at);
    }

    fn fail(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        code: LinkErrorCode,
        tries: Option<LoginTries>,
    ) {
        let now = self.context.now().wall();
        let counted = tries.filter(|_| counts_as_try(code)).map(|tries| tries.failed(now));
        let retry_at = counted.as_ref().map_or(now, LoginTries::next_try_at);
        self.change.rows.extend(counted.map(Row::LoginTries));
        self.tell(EventData::AccountFailed(AccountFailed {
            user_id: self.account.user_id.clone(),
            account_id: self.account.id.clone(),
            login_name: shown(link.login_name.as_ref()),
            error_code: code,
            error_message: error_message(code).to_owned(),
            providers: vec![self.account.provider_id.clone()],
        }));
        self.set_link(Link { step: LinkStep::Failed(Failure { code, retry_at }), ..link }, connection);
    }

    fn connect(&mut self, link: Link, before: Option<Connection>, source: SourceState, telling: Telling) {
        match telling {
            Telling::Connected => self.tell(EventData::AccountConnected(AccountConnected {
                user_id: self.account.user_id.clone(),
                account_id: self.account.id.clone(),
                login_name: shown(link.login_name.as_ref()),
                providers: vec![self.account.provider_id.clone()],
            })),
            Telling::Silent => {}
        }
        let login_name = link.login_name;
        let connection = match before {
            Some(before) => {
                self.account.monitor = self.account.monitor.reauthorized(self.at);
                let reading = match before.reading {
                    Reading::Failed {} => self.start_reading(TaskType::UpdateAccount),
                    Reading::Running { .. } | Reading::Done {} => before.reading,
                };
                Connection { login_name, source, reading, relink: None, ..before }
            }
            None => {
                self.account.updated_at = self.at;
                self.account.monitor = self.account.monitor.connected(link.monitored, self.at);
                let expires_at = self.at + RETENTION;
                self.bill();
                self.owe(JobKind::ExpireAccount { account_id: self.account.id.clone() }, expires_at);
                let reading = self.start_reading(TaskType::LinkAccount);
                Connection { connected_at: self.at, expires_at, login_name, source, reading, relink: None }
            }
        };
        self.account.state = AccountState::Connected(connection);
    }

    fn bill(&mut self) {
        self.change.rows.push(Row::Billing(BillingRecord {
            owner: self.account.owner.clone(),
            kind: BillingKind::AccountConnected,
            subject: self.account.id.to_string(),
            user_id: self.account.user_id.clone(),
            at: self.at,
        }));
    }

    fn start_reading(&mut self, task_type: TaskType) -> Reading {
        let task = Task {
            id: TaskId::from_bytes(self.context.uuid()),
            owner: self.account.owner.clone(),
            task_type,
            user_id: self.account.user_id.clone(),
            account_id: self.account.id.clone(),
            provider_id: self.account.provider_id.clone(),
            started_at: self.at,
            state: TaskState::Started {},
        };
        self.tell(EventData::TaskStarted(TaskStarted {
            user_id: task.user_id.clone(),
            source_id: task.account_id.to_string(),
            source_type: link_types::data::SourceType::Account,
            task_type,
            providers: vec![task.provider_id.clone()],
        }));
        self.owe(
            JobKind::ReadAccount { account_id: task.account_id.clone(), task_id: task.id.clone() },
            self.at,
        );
        self.change.rows.push(Row::Task(task.clone()));
        Reading::Running { task }
    }

    /// The account becomes a tombstone. A reading under way ends without data.
    fn end(&mut self, cause: DisconnectCause) {
        if let AccountState::Connected(Connection { reading: Reading::Running { task }, .. }) =
            &self.account.state
        {
            let task = task.clone();
            self.finish_task(task, TaskEnding::Failed(LinkErrorCode::AccountInaccessible), &[], None);
        }
        self.account.updated_at = self.at;
        self.account.monitor = self.account.monitor.disconnected(self.at);
        self.account.login_hash = None;
        self.account.consent = None;
        self.account.state = AccountState::Disconnected(Disconnection { at: self.at, cause });
        let changed = self.changed();
        self.tell(EventData::AccountDisconnected(changed));
        self.change.erasures.push(self.account.scope());
    }

    fn monitor(
        &mut self,
        state: AccountState,
        turn: impl FnOnce(Monitor, TenantTime) -> Result<Monitor, IllegalTransition>,
    ) -> Result<(), IllegalTransition> {
        match state {
            AccountState::Connected(_) => {
                self.account.monitor = turn(self.account.monitor, self.at)?;
                Ok(())
            }
            AccountState::Linking(_) => Err(IllegalTransition::NotConnected),
            AccountState::Disconnected(_) => Err(IllegalTransition::AlreadyDisconnected),
        }
    }
}

/// Whether connecting is told: ACCOUNT_CONNECTED is only for providers with a login.
#[derive(Clone, Copy)]
enum Telling {
    Connected,
    Silent,
}

/// A guess at a secret counts towards the tries; trouble at the provider does not.
fn counts_as_try(code: LinkErrorCode) -> bool {
    matches!(code, LinkErrorCode::InvalidCredentials | LinkErrorCode::InvalidMfa)
}

fn check_answer(kind: &ChallengeKind, answer: &ChallengeAnswer) -> Result<(), IllegalTransition> {
    match (kind, answer) {
        (
            ChallengeKind::OneTimeCode { format, .. }
            | ChallengeKind::Image { format, .. }
            | ChallengeKind::Question { format, .. },
            ChallengeAnswer::Text { text },
        ) => format.check(text.expose()).map_err(IllegalTransition::MalformedAnswer),
        (ChallengeKind::Choice { choices, .. }, ChallengeAnswer::Choice { value }) => choices
            .iter()
            .any(|choice| choice.value == *value)
            .then_some(())
            .ok_or(IllegalTransition::MalformedAnswer(link_types::format::FormatFault::NotAChoice)),
        (
            ChallengeKind::OneTimeCode { .. } | ChallengeKind::Image { .. } | ChallengeKind::Question { .. },
            ChallengeAnswer::Choice { .. },
        )
        | (ChallengeKind::Choice { .. }, ChallengeAnswer::Text { .. })
        | (ChallengeKind::Approve { .. } | ChallengeKind::EmailLink { .. }, _) => {
            Err(IllegalTransition::WrongAnswerKind)
        }
    }
}

fn shown(login_name: Option<&Sensitive>) -> Option<String> {
    login_name.map(|name| name.expose().to_owned())
}
