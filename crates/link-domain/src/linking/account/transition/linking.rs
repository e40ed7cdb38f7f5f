//! Linking an account, from a submitted login to its outcome: steps at the source, challenges, failures.

use link_types::LinkErrorCode;
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::event::{AccountFailed, EventData};
use link_types::format::FormatError;
use link_types::id::ChallengeId;
use link_types::link::GuessLimit;

use super::connecting::Emission;
use crate::change::Row;
use crate::change::job::JobKind;
use crate::change::transition::Transition;
use crate::kernel::clock::Wall;
use crate::linking::account::{
    Account, AccountState, Answer, Connection, Failure, IllegalTransitionError, Link, LinkStep,
    PendingChallenge, PendingInput, ProviderResponse, RedirectTicket, Submission, Submitted, error_message,
};
use crate::linking::account_source::{SourceState, Step};
use crate::linking::guesses::{GuessOutcome, TooManyGuessesError, Tries};

impl Transition<'_, Account<()>> {
    pub(super) fn submit(
        &mut self,
        submission: Submission,
        connection: Option<Connection>,
    ) -> Result<AccountState, IllegalTransitionError> {
        let now = self.context.now().wall();
        if submission.login.is_some() {
            submission.tries.check(now)?;
            self.entity.login_hash = Some(submission.tries.own.login_hash);
        }
        // Until the account reconnects, its data remains covered by the earlier consent.
        let consent = match &connection {
            Some(_) => submission.consent,
            None => {
                self.entity.consent = Some(submission.consent.ok_or(IllegalTransitionError::NoConsent)?);
                None
            }
        };
        let (requested_at_version, source) = (self.entity.version, SourceState::default());
        let working = |input| LinkStep::Working {
            requested_at_version,
            source: source.clone(),
            input,
            answering: false,
        };
        let (sync, retention) = (submission.sync, submission.retention);
        match submission.login {
            Some(login) => {
                let login_name = Some(login.name.clone());
                let (counted, tried) = submission.tries.begin(now);
                self.change.rows.extend(rows_of(&counted));
                let submitted = Some(Box::new(Submitted { form: login.form.digest(), tried }));
                let step = working(PendingInput::Login(Box::new(login)));
                self.schedule_step(self.at);
                let on_provider_page = false;
                let link = Link { login_name, sync, retention, consent, submitted, on_provider_page, step };
                Ok(self.linking(link, connection))
            }
            None => {
                let step = working(PendingInput::Continue {});
                let (login_name, submitted, on_provider_page) = (None, None, false);
                let link = Link { login_name, sync, retention, consent, submitted, on_provider_page, step };
                Ok(self.connect(link, connection, source, Emission::Silent))
            }
        }
    }

    pub(super) fn apply_step(
        &mut self,
        mut link: Link,
        connection: Option<Connection>,
        (version, step): (u32, Step),
        tries: Option<Tries>,
    ) -> Result<AccountState, IllegalTransitionError> {
        let before = match &link.step {
            LinkStep::Working { requested_at_version, answering, .. } if *requested_at_version == version => {
                Before::Working { answering: *answering }
            }
            LinkStep::Challenged { requested_at_version, challenge, .. }
                if *requested_at_version == Some(version) =>
            {
                Before::Challenged(challenge.clone())
            }
            LinkStep::Working { .. } | LinkStep::Challenged { .. } | LinkStep::Failed(_) => {
                return Err(IllegalTransitionError::StaleStep);
            }
        };
        let retry_at = self.settle_tries(&mut link, tries, GuessOutcome::from_step(&step));
        Ok(match step {
            Step::Connected { state } => self.connect(link, connection, state, Emission::Connected),
            Step::Challenge { state: source, challenge: posed } => {
                let id = ChallengeId::from_bytes(self.context.uuid());
                if let Some(lasts) = posed.lasts {
                    let account_id = self.entity.id.clone();
                    self.schedule(
                        JobKind::LapseChallenge { account_id, challenge_id: id.clone() },
                        self.at + lasts,
                    );
                }
                let check_after = posed.check_after;
                let ticket = posed.redirect.is_some().then(|| {
                    let secret = self.context.secret();
                    RedirectTicket::issue(&self.entity.owner, &self.entity.id, secret)
                });
                let challenge = Box::new(PendingChallenge::new(id, posed, self.at, ticket));
                let requested_at_version = check_after.map(|_| self.entity.version);
                let step = LinkStep::Challenged { source, challenge, requested_at_version };
                if let Some(wait) = check_after {
                    self.schedule_step(self.at + wait);
                }
                self.linking(Link { step, ..link }, connection)
            }
            Step::Wait { state: source, for_at_least } => {
                let version = self.entity.version;
                let step = match before {
                    Before::Working { answering } => {
                        let input = PendingInput::Continue {};
                        LinkStep::Working { requested_at_version: version, source, input, answering }
                    }
                    Before::Challenged(challenge) => {
                        LinkStep::Challenged { source, challenge, requested_at_version: Some(version) }
                    }
                };
                self.schedule_step(self.at + for_at_least);
                self.linking(Link { step, ..link }, connection)
            }
            Step::Failed { code } => self.fail(link, connection, Failure { code, declined: false, retry_at }),
            Step::Declined {} => {
                let code = LinkErrorCode::InvalidMfa;
                self.fail(link, connection, Failure { code, declined: true, retry_at })
            }
        })
    }

    /// Counts the outcome of the link's try. Returns when the login can be tried again.
    fn settle_tries(&mut self, link: &mut Link, tries: Option<Tries>, outcome: GuessOutcome) -> Wall {
        let now = self.context.now().wall();
        let Some(tries) = tries else { return now };
        let pending = link.tried_login().and_then(|it| it.pending);
        let settled = tries.clone().settle(outcome, pending, now);
        if outcome != GuessOutcome::Undecided {
            link.submitted.iter_mut().for_each(|it| it.tried.pending = None);
        }
        self.change.rows.extend(settled.iter().flat_map(rows_of));
        settled.unwrap_or(tries).next_try_at(now)
    }

    pub(super) fn apply_answer(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        challenge_id: &ChallengeId,
        (answer, tries): (Answer, Option<Tries>),
    ) -> Result<AccountState, IllegalTransitionError> {
        let now = self.context.now().wall();
        let (mut link, (source, challenge)) = apply_challenge(link, challenge_id)?;
        if challenge.has_lapsed(self.at) {
            return Ok(self.time_out(link, connection));
        }
        let input = answer_to(challenge, answer)?;
        if let Some(tries) = tries {
            // The password was right, so only failures of this user and login delay an answer.
            tries.own.check(now).map_err(|wait| TooManyGuessesError { limit: GuessLimit::Login, wait })?;
            let (counted, tried) = tries.begin(now);
            self.change.rows.extend(rows_of(&counted));
            link.submitted.iter_mut().for_each(|it| it.tried = tried.clone());
        }
        Ok(self.work(link, connection, source, input))
    }

    /// Applies the response with which the provider sent the person back. It is not a guess: the provider counts those.
    pub(super) fn apply_redirect(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        challenge_id: &ChallengeId,
        response: ProviderResponse,
    ) -> Result<AccountState, IllegalTransitionError> {
        let (link, (source, challenge)) = apply_challenge(link, challenge_id)?;
        if challenge.posed.redirect.is_none() {
            return Err(IllegalTransitionError::WrongAnswerKind);
        }
        if challenge.has_lapsed(self.at) {
            return Ok(self.time_out(link, connection));
        }
        let retry_at = self.context.now().wall();
        Ok(match response {
            ProviderResponse::Code { code, redirect_uri } => {
                let link = Link { on_provider_page: true, ..link };
                self.work(link, connection, source, PendingInput::Redirect { code, redirect_uri })
            }
            ProviderResponse::Denied => {
                let code = LinkErrorCode::InvalidMfa;
                self.fail(link, connection, Failure { code, declined: true, retry_at })
            }
            ProviderResponse::Failed { code } => {
                self.fail(link, connection, Failure { code, declined: false, retry_at })
            }
        })
    }

    pub(super) fn resend(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        challenge_id: &ChallengeId,
        channel: CodeChannel,
    ) -> Result<AccountState, IllegalTransitionError> {
        let (link, (source, challenge)) = apply_challenge(link, challenge_id)?;
        let rule = challenge.posed.resend.ok_or(IllegalTransitionError::ResendRefused)?;
        if !rule.channels.contains(&channel) {
            return Err(IllegalTransitionError::ResendRefused);
        }
        let wait = (challenge.posed_at + rule.after).since(self.at);
        if !wait.is_zero() {
            return Err(IllegalTransitionError::ResendTooEarly { wait });
        }
        Ok(self.work(link, connection, source, PendingInput::Resend { channel }))
    }

    /// Extends the challenge by as much time as it had initially.
    pub(super) fn extend(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        challenge_id: &ChallengeId,
    ) -> Result<AccountState, IllegalTransitionError> {
        let requested_at_version = match &link.step {
            LinkStep::Challenged { requested_at_version, .. } => *requested_at_version,
            LinkStep::Working { .. } | LinkStep::Failed(_) => None,
        };
        let (link, (source, challenge)) = apply_challenge(link, challenge_id)?;
        if challenge.has_lapsed(self.at) {
            return Ok(self.time_out(link, connection));
        }
        let (challenge, lasts) = challenge.extend(self.at).ok_or(IllegalTransitionError::ExtensionRefused)?;
        let account_id = self.entity.id.clone();
        self.schedule(
            JobKind::LapseChallenge { account_id, challenge_id: challenge_id.clone() },
            self.at + lasts,
        );
        let step = LinkStep::Challenged { source, challenge: Box::new(challenge), requested_at_version };
        Ok(self.linking(Link { step, ..link }, connection))
    }

    fn work(
        &mut self,
        link: Link,
        connection: Option<Connection>,
        source: SourceState,
        input: PendingInput,
    ) -> AccountState {
        let step =
            LinkStep::Working { requested_at_version: self.entity.version, source, input, answering: true };
        self.schedule_step(self.at);
        self.linking(Link { step, ..link }, connection)
    }

    /// Fails with MFA_TIMEOUT. The login can be tried again at once.
    pub(super) fn time_out(&mut self, link: Link, connection: Option<Connection>) -> AccountState {
        let retry_at = self.context.now().wall();
        self.fail(link, connection, Failure { code: LinkErrorCode::MfaTimeout, declined: false, retry_at })
    }

    fn fail(&mut self, link: Link, connection: Option<Connection>, failure: Failure) -> AccountState {
        let code = failure.code;
        self.withdraw(link.provider_access());
        self.emit(EventData::AccountFailed(AccountFailed {
            user_id: self.entity.user_id.clone(),
            account_id: self.entity.id.clone(),
            login_name: link.show_login_name(),
            error_code: code,
            error_message: error_message(code).to_owned(),
            providers: vec![self.entity.provider_id.clone()],
        }));
        self.linking(Link { step: LinkStep::Failed(failure), ..link }, connection)
    }
}

/// State of the link before the step finished.
enum Before {
    /// The source was working, and the person was waiting.
    Working { answering: bool },
    /// The challenge is still open. The source checked whether it was approved elsewhere.
    Challenged(Box<PendingChallenge>),
}

/// Returns the link's challenge and the session state of the source. Fails unless the challenge is the one the person
/// sees.
pub(super) fn apply_challenge(
    link: Link,
    challenge_id: &ChallengeId,
) -> Result<(Link, (SourceState, PendingChallenge)), IllegalTransitionError> {
    match &link.step {
        LinkStep::Challenged { challenge, .. } if challenge.id != *challenge_id => {
            Err(IllegalTransitionError::StaleChallenge)
        }
        LinkStep::Challenged { source, challenge, .. } => {
            let found = (source.clone(), PendingChallenge::clone(challenge));
            Ok((link, found))
        }
        LinkStep::Working { .. } | LinkStep::Failed(_) => Err(IllegalTransitionError::NoChallenge),
    }
}

/// Converts an answer into the input of the next step, if it is of the requested kind. Encrypted text is checked later.
fn answer_to(challenge: PendingChallenge, answer: Answer) -> Result<PendingInput, IllegalTransitionError> {
    match (challenge.posed.kind, answer) {
        (
            ChallengeKind::OneTimeCode { format, .. }
            | ChallengeKind::Image { format, .. }
            | ChallengeKind::Question { format, .. },
            Answer::Text(text),
        ) => Ok(PendingInput::Text { challenge_id: challenge.id, format, text: Box::new(text) }),
        (ChallengeKind::Choice { choices, .. }, Answer::Choice(value)) => choices
            .iter()
            .any(|choice| choice.value == value)
            .then_some(PendingInput::Choice { value })
            .ok_or(IllegalTransitionError::MalformedAnswer(FormatError::NotAChoice)),
        (
            ChallengeKind::OneTimeCode { .. } | ChallengeKind::Image { .. } | ChallengeKind::Question { .. },
            Answer::Choice(_),
        )
        | (ChallengeKind::Choice { .. }, Answer::Text(_))
        | (
            ChallengeKind::Approve { .. } | ChallengeKind::EmailLink { .. } | ChallengeKind::Redirect { .. },
            _,
        ) => Err(IllegalTransitionError::WrongAnswerKind),
    }
}

/// Returns the rows that store counted tries.
fn rows_of(tries: &Tries) -> impl Iterator<Item = Row> {
    let own = std::iter::once(Row::LoginTries(tries.own.clone()));
    own.chain(tries.counts.iter().cloned().map(Row::GuessCount))
}
