//! What each published login leads to.

use std::time::Duration;

use link_domain::ports::{Credentials, PosedChallenge, Resend, SourceInput, Step};
use link_types::LinkErrorCode;
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::format::FieldFormat;
use link_types::provider::{Choice, Provider};

use super::state::Stage;

const PASSWORD: &str = "pass";
const CODE: &str = "1234";
const WRONG_CHOICE: &str = "none";
const TRIES: u8 = 3;
const CHALLENGE_LASTS: Duration = Duration::from_secs(5 * 60);
const RESEND_AFTER: Duration = Duration::from_secs(20);

/// The outcomes that a login can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scenario {
    Connects,
    AsksForCode,
    AsksForChoice,
    Fails(LinkErrorCode),
}

impl Scenario {
    fn of(login: &str) -> Option<Self> {
        match login {
            "good" | "many" => Some(Self::Connects),
            "mfa-otp" => Some(Self::AsksForCode),
            "mfa-choice" => Some(Self::AsksForChoice),
            other => other.strip_prefix("error-")?.parse().ok().map(Self::Fails),
        }
    }
}

/// The next step of a login.
pub(super) fn step(provider: &Provider, stage: Stage, input: &SourceInput) -> Step {
    match (stage, input) {
        (_, SourceInput::LogIn { login_option, credentials }) => {
            log_in(provider, login_option.as_deref(), credentials)
        }
        (Stage::Challenged { login, tries_left }, SourceInput::AnswerText { text }) => {
            answered(login, tries_left, text.expose().trim() == CODE)
        }
        (Stage::Challenged { login, tries_left }, SourceInput::AnswerChoice { value }) => {
            answered(login, tries_left, value != WRONG_CHOICE)
        }
        (Stage::Challenged { login, tries_left }, SourceInput::Resend { channel }) => {
            challenge(login, tries_left, false, *channel)
        }
        (Stage::Challenged { login, tries_left }, SourceInput::Continue {}) => {
            challenge(login, tries_left, false, CodeChannel::Sms)
        }
        (
            Stage::Fresh {} | Stage::LoggedIn { .. },
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
    let scenario = Scenario::of(&login).filter(|_| password.expose() == PASSWORD);
    match scenario {
        Some(Scenario::Connects) => Step::Connected { state: Stage::LoggedIn { login }.to_state() },
        Some(Scenario::AsksForCode | Scenario::AsksForChoice) => {
            challenge(login, TRIES, false, CodeChannel::Sms)
        }
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

fn answered(login: String, tries_left: u8, right: bool) -> Step {
    if right {
        return Step::Connected { state: Stage::LoggedIn { login }.to_state() };
    }
    match tries_left.saturating_sub(1) {
        0 => Step::Failed { code: LinkErrorCode::InvalidMfa },
        left => challenge(login, left, true, CodeChannel::Sms),
    }
}

fn challenge(login: String, tries_left: u8, wrong_answer: bool, channel: CodeChannel) -> Step {
    let asks_for_choice = Scenario::of(&login) == Some(Scenario::AsksForChoice);
    let (kind, resend) = if asks_for_choice {
        (employer_question(), None)
    } else {
        let channels = vec![CodeChannel::Sms, CodeChannel::Voice];
        (one_time_code(channel), Some(Resend { after: RESEND_AFTER, channels }))
    };
    let challenge = PosedChallenge {
        kind,
        lasts: Some(CHALLENGE_LASTS),
        check_after: None,
        extendable: false,
        resend,
        tries_left: Some(tries_left),
        wrong_answer,
    };
    Step::Challenge { state: Stage::Challenged { login, tries_left }.to_state(), challenge }
}

fn one_time_code(channel: CodeChannel) -> ChallengeKind {
    let destination = Some("•••• 0142".to_owned());
    ChallengeKind::OneTimeCode { channel, destination, format: FieldFormat::Digits { min: 4, max: 4 } }
}

fn employer_question() -> ChallengeKind {
    let choice = |value: &str, label: &str| Choice { value: value.to_owned(), label: label.to_owned() };
    ChallengeKind::Choice {
        question: "Which of these companies have you worked for?".to_owned(),
        choices: vec![
            choice("aurora", "Talleres Aurora"),
            choice("bahia", "Bahía Azul Foods"),
            choice("cumbre", "Cumbre Logistics"),
            choice(WRONG_CHOICE, "None of these"),
        ],
    }
}
