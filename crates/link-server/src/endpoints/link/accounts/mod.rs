//! Accounts under way in the widget.

pub(super) mod answer;
mod credentials;
pub(super) mod extend;
pub(super) mod get;
pub(super) mod resend;
pub(super) mod revocation;
pub(super) mod revoke;
pub(super) mod start;

use std::time::Duration;

use axum::http::{HeaderValue, header};
use link_domain::account::{Account, IllegalTransition};
use link_types::problem::ProblemCode;

use crate::http::problem::{Answer, Problem, format_fault};

/// The caller's own account of this id: one of the session's user.
fn own(account: Option<Account>, user: &link_types::id::UserId) -> Answer<Account> {
    account.filter(|it| it.user_id == *user).ok_or_else(Problem::missing)
}

impl From<IllegalTransition> for Problem {
    fn from(illegal: IllegalTransition) -> Self {
        let detail = illegal.to_string();
        match illegal {
            IllegalTransition::MalformedAnswer(wrong) => Self::invalid(vec![format_fault("answer", wrong)]),
            IllegalTransition::TooManyTries { wait } | IllegalTransition::ResendTooEarly { wait } => {
                Self::new(ProblemCode::RequestLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))
            }
            IllegalTransition::StaleStep
            | IllegalTransition::NoChallenge
            | IllegalTransition::StaleChallenge
            | IllegalTransition::WrongAnswerKind
            | IllegalTransition::ResendRefused
            | IllegalTransition::ExtensionRefused
            | IllegalTransition::NotConnected
            | IllegalTransition::AlreadyConnected
            | IllegalTransition::AlreadyDisconnected
            | IllegalTransition::StaleReading
            | IllegalTransition::NotDue { .. }
            | IllegalTransition::MonitorUnsupported => Self::conflict(detail),
        }
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX)
}
