//! What each published login leads to.

use std::time::Duration;

use link_domain::ports::{Credentials, SourceInput, Step};
use link_types::LinkErrorCode;
use link_types::challenge::CodeChannel;
use link_types::provider::Provider;

use super::ask::{Ask, Elsewhere};
use super::state::Stage;

const PASSWORD: &str = "pass";
const TRIES: u8 = 3;
const WAITS: u8 = 3;
const WAIT: Duration = Duration::from_secs(3);

/// The outcomes that a login can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scenario {
    Connects,
    ConnectsSlowly,
    Asks(&'static [Ask]),
    Fails(LinkErrorCode),
}

impl Scenario {
    fn of(login: &str) -> Option<Self> {
        Some(match login {
            "good" | "many" | "partial" | "reauth" => Self::Connects,
            "slow" => Self::ConnectsSlowly,
            "mfa-otp" => Self::Asks(&[Ask::Code]),
            "mfa-choice" => Self::Asks(&[Ask::Choice]),
            "mfa-image" => Self::Asks(&[Ask::Image]),
            "mfa-question" => Self::Asks(&[Ask::Question]),
            "mfa-push" => Self::Asks(&[Ask::Push]),
            "mfa-push-denied" => Self::Asks(&[Ask::RefusedPush]),
            "mfa-push-timeout" => Self::Asks(&[Ask::ForgottenPush]),
            "mfa-email" => Self::Asks(&[Ask::EmailLink]),
            "mfa-timeout" => Self::Asks(&[Ask::HastyCode]),
            "mfa-many" => Self::Asks(&[Ask::Choice, Ask::Code, Ask::Question]),
            other => Self::Fails(other.strip_prefix("error-")?.parse().ok()?),
        })
    }
}

/// The next step of a login.
pub(super) fn step(provider: &Provider, stage: Stage, input: &SourceInput) -> Step {
    match (stage, input) {
        (_, SourceInput::LogIn { login_option, credentials }) => {
            log_in(provider, login_option.as_deref(), credentials)
        }
        (Stage::Slow { login, waits_left }, SourceInput::Continue {}) => match waits_left.checked_sub(1) {
            None => connected(login),
            Some(waits_left) => wait(login, waits_left),
        },
        (Stage::Challenged { login, answered, tries_left, channel }, input) => {
            let Some(ask) = asks(&login).get(answered).copied() else {
                return Step::Failed { code: LinkErrorCode::SystemError };
            };
            Asked { login, answered, tries_left, channel, ask }.hears(input)
        }
        (
            Stage::Fresh {} | Stage::Slow { .. } | Stage::LoggedIn { .. },
            SourceInput::AnswerText { .. }
            | SourceInput::AnswerChoice { .. }
            | SourceInput::Resend { .. }
            | SourceInput::Continue {},
        ) => Step::Failed { code: LinkErrorCode::InvalidAuth },
    }
}

fn log_in(provider: &Provider, login_option: Option<&str>, credentials: &Credentials) -> Step {
    let option = provider.login_options.iter().find(|option| Some(option.id.as_str()) == login_option);
    let Some(option) = option else {
        return Step::Failed { code: LinkErrorCode::UnsupportedAuthType };
    };
    let value = |secret: bool| {
        let field = option.fields.iter().find(|field| field.is_secret() == secret)?;
        credentials.0.get(&field.name).filter(|value| !value.is_empty())
    };
    let (Some(name), Some(password)) = (value(false), value(true)) else {
        return Step::Failed { code: LinkErrorCode::AuthRequired };
    };
    let login = word(name.expose());
    match Scenario::of(&login).filter(|_| password.expose() == PASSWORD) {
        Some(Scenario::Connects) => connected(login),
        Some(Scenario::ConnectsSlowly) => wait(login, WAITS - 1),
        Some(Scenario::Asks(asks)) => next(login, 0, asks),
        Some(Scenario::Fails(code)) => Step::Failed { code },
        None => Step::Failed { code: LinkErrorCode::InvalidCredentials },
    }
}

/// The word that a login name stands for: what comes before an `@`. Upper and lower case count only in the codes.
fn word(name: &str) -> String {
    let local = name.trim().split('@').next().unwrap_or_default();
    let (prefix, rest) = local.split_at_checked("error-".len()).unwrap_or((local, ""));
    if prefix.eq_ignore_ascii_case("error-") {
        format!("error-{}", rest.to_ascii_uppercase())
    } else {
        local.to_ascii_lowercase()
    }
}

fn asks(login: &str) -> &'static [Ask] {
    match Scenario::of(login) {
        Some(Scenario::Asks(asks)) => asks,
        Some(Scenario::Connects | Scenario::ConnectsSlowly | Scenario::Fails(_)) | None => &[],
    }
}

fn connected(login: String) -> Step {
    Step::Connected { state: Stage::LoggedIn { login }.to_state() }
}

fn wait(login: String, waits_left: u8) -> Step {
    Step::Wait { state: Stage::Slow { login, waits_left }.to_state(), for_at_least: WAIT }
}

/// The next question, or none.
fn next(login: String, answered: usize, asks: &[Ask]) -> Step {
    match asks.get(answered) {
        Some(ask) => {
            Asked { login, answered, tries_left: TRIES, channel: CodeChannel::Sms, ask: *ask }.pose(false)
        }
        None => connected(login),
    }
}

/// A question on the person's screen.
struct Asked {
    login: String,
    answered: usize,
    tries_left: u8,
    channel: CodeChannel,
    ask: Ask,
}

impl Asked {
    fn pose(self, wrong_answer: bool) -> Step {
        let Self { login, answered, tries_left, channel, ask } = self;
        let challenge = ask.posed(tries_left, wrong_answer, channel);
        Step::Challenge {
            state: Stage::Challenged { login, answered, tries_left, channel }.to_state(),
            challenge,
        }
    }

    fn hears(self, input: &SourceInput) -> Step {
        let ask = self.ask;
        match input {
            SourceInput::AnswerText { text } => self.judged(ask.is_text_right(text.expose())),
            SourceInput::AnswerChoice { value } => self.judged(ask.is_choice_right(value)),
            SourceInput::Resend { channel } => Self { channel: *channel, ..self }.pose(false),
            SourceInput::Continue {} => match ask.elsewhere() {
                Elsewhere::Approved => self.judged(true),
                Elsewhere::Refused => Step::Failed { code: LinkErrorCode::InvalidMfa },
                Elsewhere::Nothing => self.pose(false),
            },
            SourceInput::LogIn { .. } => Step::Failed { code: LinkErrorCode::InvalidAuth },
        }
    }

    fn judged(self, right: bool) -> Step {
        if right {
            let asks = asks(&self.login);
            return next(self.login, self.answered + 1, asks);
        }
        match self.tries_left.saturating_sub(1) {
            0 => Step::Failed { code: LinkErrorCode::InvalidMfa },
            tries_left => Self { tries_left, ..self }.pose(true),
        }
    }
}
