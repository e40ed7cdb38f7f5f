//! The outcome of each published login.

use std::time::Duration;

use link_domain::linking::account_source::{Credentials, SourceInput, Step};
use link_domain::tenancy::scenario::ScenarioOutcome;
use link_types::provider::Provider;
use link_types::{LinkErrorCode, Sensitive};

use super::ask::{Ask, Elsewhere, Sent};
use super::published::{ENDED_ACCESS, PASSWORD, PublishedOutcome};
use super::redirect::{Exchanged, RedirectPage, exchange};
use super::state::Stage;

const TRIES: u8 = 3;
const WAITS: u8 = 3;
const WAIT: Duration = Duration::from_secs(3);

/// The possible outcomes of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scenario {
    Connects,
    ConnectsSlowly,
    Asks(Vec<Ask>),
    Redirects,
    Fails(LinkErrorCode),
}

impl Scenario {
    fn for_login(login: &str) -> Option<Self> {
        match PublishedOutcome::for_login(login)? {
            PublishedOutcome::Connects => Some(Self::Connects),
            PublishedOutcome::ConnectsSlowly => Some(Self::ConnectsSlowly),
            PublishedOutcome::Asks(asks) => Some(Self::Asks(asks.to_vec())),
            PublishedOutcome::Redirects => Some(Self::Redirects),
            PublishedOutcome::Fails(code) => Some(Self::Fails(code)),
            PublishedOutcome::ShowsLimit(_) => Some(Self::Fails(LinkErrorCode::InvalidCredentials)),
        }
    }
}

/// Returns the login word of a step, or `None` if there is none yet.
pub(super) fn login_of(provider: &Provider, stage: &Stage, input: &SourceInput) -> Option<String> {
    match (stage, input) {
        (_, SourceInput::LogIn { login_option, credentials }) => {
            read_credentials(provider, login_option.as_deref(), credentials).ok().map(|(login, _)| login)
        }
        (
            Stage::Slow { login, .. }
            | Stage::Challenged { login, .. }
            | Stage::Redirected { login, .. }
            | Stage::LoggedIn { login, .. },
            SourceInput::AnswerText { .. }
            | SourceInput::AnswerChoice { .. }
            | SourceInput::AnswerRedirect { .. }
            | SourceInput::Resend { .. }
            | SourceInput::Continue {},
        ) => Some(login.clone()),
        (
            Stage::Fresh {},
            SourceInput::AnswerText { .. }
            | SourceInput::AnswerChoice { .. }
            | SourceInput::AnswerRedirect { .. }
            | SourceInput::Resend { .. }
            | SourceInput::Continue {},
        ) => None,
    }
}

/// Returns the next step of a login. `own` is the tenant's outcome, if the login is the tenant's own.
pub(super) fn step(
    provider: &Provider,
    own: Option<&ScenarioOutcome>,
    stage: Stage,
    (input, page): (&SourceInput, &RedirectPage),
) -> Step {
    match (stage, input) {
        (_, SourceInput::LogIn { login_option, credentials }) => {
            match read_credentials(provider, login_option.as_deref(), credentials) {
                Ok((login, password)) => log_in(login, &password, own, page),
                Err(code) => Step::Failed { code },
            }
        }
        (Stage::Slow { login, waits_left }, SourceInput::Continue {}) => match waits_left.checked_sub(1) {
            None => connect(login),
            Some(waits_left) => wait(login, waits_left),
        },
        (Stage::Challenged { login, answered, tries_left, sent }, input) => {
            let asks = asks(&login, own);
            let Some(ask) = asks.get(answered).map(|ask| ask.for_channel(sent.channel)) else {
                return Step::Failed { code: LinkErrorCode::SystemError };
            };
            match (PendingChallenge { login, answered, tries_left, sent, ask }.step(input, &asks), own) {
                (Step::Connected { .. }, Some(ScenarioOutcome { error_code: Some(code), .. })) => {
                    Step::Failed { code: *code }
                }
                (step, _) => step,
            }
        }
        (Stage::Redirected { login, verifier, nonce }, SourceInput::AnswerRedirect { code, .. }) => {
            match exchange(code, &verifier, &nonce) {
                Ok(Exchanged::Connects) => connect(login),
                Ok(Exchanged::ConnectsSlowly) => wait(login, WAITS - 1),
                Ok(Exchanged::ConnectsOnce) => connect(ENDED_ACCESS.to_owned()),
                Err(code) => Step::Failed { code },
            }
        }
        (Stage::Redirected { .. }, _) => Step::Failed { code: LinkErrorCode::InvalidAuth },
        (
            Stage::Fresh {} | Stage::Slow { .. } | Stage::LoggedIn { .. },
            SourceInput::AnswerText { .. }
            | SourceInput::AnswerChoice { .. }
            | SourceInput::AnswerRedirect { .. }
            | SourceInput::Resend { .. }
            | SourceInput::Continue {},
        ) => Step::Failed { code: LinkErrorCode::InvalidAuth },
    }
}

/// Returns the login word and the password.
fn read_credentials(
    provider: &Provider,
    login_option: Option<&str>,
    credentials: &Credentials,
) -> Result<(String, Sensitive), LinkErrorCode> {
    let option = provider.login_options.iter().find(|option| Some(option.id.as_str()) == login_option);
    let option = option.ok_or(LinkErrorCode::UnsupportedAuthType)?;
    let value = |secret: bool| {
        let field = option.fields.iter().find(|field| field.is_secret() == secret)?;
        credentials.0.get(&field.name).filter(|value| !value.is_empty())
    };
    match (value(false), value(true)) {
        (Some(name), Some(password)) => Ok((word(name.expose()), password.clone())),
        (Some(_) | None, Some(_) | None) => Err(LinkErrorCode::AuthRequired),
    }
}

fn log_in(login: String, password: &Sensitive, own: Option<&ScenarioOutcome>, page: &RedirectPage) -> Step {
    if let Some(own) = own {
        let asks = asks(&login, Some(own));
        return match own.error_code {
            _ if password.expose() != own.password => {
                Step::Failed { code: LinkErrorCode::InvalidCredentials }
            }
            Some(code) if asks.is_empty() => Step::Failed { code },
            Some(_) | None => next(login, 0, &asks),
        };
    }
    match Scenario::for_login(&login).filter(|_| password.expose() == PASSWORD) {
        Some(Scenario::Connects) => connect(login),
        Some(Scenario::ConnectsSlowly) => wait(login, WAITS - 1),
        Some(Scenario::Asks(asks)) => next(login, 0, &asks),
        Some(Scenario::Redirects) => page.pose(login),
        Some(Scenario::Fails(code)) => Step::Failed { code },
        None => Step::Failed { code: LinkErrorCode::InvalidCredentials },
    }
}

/// Returns the login word of a login name: the part before an `@`. Only error codes are case-sensitive.
pub(super) fn word(name: &str) -> String {
    let local = name.trim().split('@').next().unwrap_or_default();
    let (prefix, rest) = local.split_at_checked("error-".len()).unwrap_or((local, ""));
    if prefix.eq_ignore_ascii_case("error-") {
        format!("error-{}", rest.to_ascii_uppercase())
    } else {
        local.to_ascii_lowercase()
    }
}

fn asks(login: &str, own: Option<&ScenarioOutcome>) -> Vec<Ask> {
    if let Some(own) = own {
        return own.asks.iter().map(|ask| Ask::from(*ask)).collect();
    }
    match Scenario::for_login(login) {
        Some(Scenario::Asks(asks)) => asks,
        Some(Scenario::Connects | Scenario::ConnectsSlowly | Scenario::Redirects | Scenario::Fails(_))
        | None => Vec::new(),
    }
}

fn connect(login: String) -> Step {
    Step::Connected { state: Stage::after_login(login).to_state() }
}

fn wait(login: String, waits_left: u8) -> Step {
    Step::Wait { state: Stage::Slow { login, waits_left }.to_state(), for_at_least: WAIT }
}

/// Poses the next challenge, or connects if there is none.
fn next(login: String, answered: usize, asks: &[Ask]) -> Step {
    match asks.get(answered) {
        Some(ask) => {
            PendingChallenge { login, answered, tries_left: TRIES, sent: Sent::first(*ask), ask: *ask }
                .pose(false)
        }
        None => connect(login),
    }
}

/// A challenge on the user's screen.
struct PendingChallenge {
    login: String,
    answered: usize,
    tries_left: u8,
    sent: Sent,
    ask: Ask,
}

impl PendingChallenge {
    fn pose(self, wrong_answer: bool) -> Step {
        let Self { login, answered, tries_left, sent, ask } = self;
        let challenge = ask.into_challenge(tries_left, wrong_answer, sent);
        Step::Challenge {
            state: Stage::Challenged { login, answered, tries_left, sent }.to_state(),
            challenge,
        }
    }

    fn step(self, input: &SourceInput, asks: &[Ask]) -> Step {
        let ask = self.ask;
        match input {
            SourceInput::AnswerText { text } => self.judge(ask.is_text_right(text.expose()), asks),
            SourceInput::AnswerChoice { value } => self.judge(ask.is_choice_right(value), asks),
            SourceInput::Resend { channel } => {
                Self { sent: self.sent.again(*channel), ask: ask.for_channel(*channel), ..self }.pose(false)
            }
            SourceInput::Continue {} => match ask.elsewhere() {
                Elsewhere::Approved => self.judge(true, asks),
                Elsewhere::Refused => Step::Declined {},
                Elsewhere::Nothing => self.pose(false),
            },
            SourceInput::LogIn { .. } | SourceInput::AnswerRedirect { .. } => {
                Step::Failed { code: LinkErrorCode::InvalidAuth }
            }
        }
    }

    fn judge(self, right: bool, asks: &[Ask]) -> Step {
        if right {
            return next(self.login, self.answered + 1, asks);
        }
        match self.tries_left.saturating_sub(1) {
            0 => Step::Failed { code: LinkErrorCode::InvalidMfa },
            tries_left => Self { tries_left, ..self }.pose(true),
        }
    }
}
