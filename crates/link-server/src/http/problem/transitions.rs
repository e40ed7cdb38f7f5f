//! Problems of inputs that an account or archive does not accept in its state.

use std::fmt::Display;

use axum::http::{HeaderValue, header};
use link_domain::documents::archive;
use link_domain::linking::account;
use link_domain::linking::link::{HandoffRefused, ReloginRefused};
use link_domain::tenancy::template::ConsentRefused;
use link_domain::use_cases::{AccountRefused, SubmitRefused};
use link_types::archive::FileFault;
use link_types::problem::{FaultCode, ProblemCode};

use super::retry::whole_seconds;
use super::{Problem, format_fault};

impl From<account::IllegalTransition> for Problem {
    fn from(illegal: account::IllegalTransition) -> Self {
        let detail = sentence(&illegal);
        match illegal {
            account::IllegalTransition::MalformedAnswer(wrong) => {
                Self::invalid(vec![format_fault("answer", wrong)])
            }
            account::IllegalTransition::TooManyTries { wait, .. } => {
                let detail = format!("{detail} `Retry-After` says how long to wait.");
                Self::new(ProblemCode::LoginLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))
            }
            account::IllegalTransition::ResendTooEarly { wait }
            | account::IllegalTransition::RefreshedAlready { wait } => {
                Self::new(ProblemCode::RequestLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))
            }
            account::IllegalTransition::NoConsent => Self::new(ProblemCode::ConsentRequired, detail),
            account::IllegalTransition::StaleStep
            | account::IllegalTransition::NoChallenge
            | account::IllegalTransition::StaleChallenge
            | account::IllegalTransition::WrongAnswerKind
            | account::IllegalTransition::ResendRefused
            | account::IllegalTransition::ExtensionRefused
            | account::IllegalTransition::NotConnected
            | account::IllegalTransition::AlreadyConnected
            | account::IllegalTransition::AlreadyDisconnected
            | account::IllegalTransition::StaleReading
            | account::IllegalTransition::NotDue { .. }
            | account::IllegalTransition::MonitorUnsupported
            | account::IllegalTransition::SyncInactive => Self::conflict(detail),
        }
    }
}

impl From<ConsentRefused> for Problem {
    fn from(refused: ConsentRefused) -> Self {
        match refused {
            ConsentRefused::DeclinedRequired => {
                let expected = "kinds of the link template's `optionalData`";
                Self::invalid_field("consent.dataChoice.declined", FaultCode::Invalid, expected)
            }
            ConsentRefused::OtherTemplate
            | ConsentRefused::OtherVersion
            | ConsentRefused::OtherLocale
            | ConsentRefused::OtherInterval
            | ConsentRefused::OtherRetention
            | ConsentRefused::OtherChoice
            | ConsentRefused::SkipNotAllowed
            | ConsentRefused::Missing => {
                let detail = format!("{} Read the session again, and ask the person.", sentence(&refused));
                Self::new(ProblemCode::ConsentRequired, detail)
            }
        }
    }
}

impl From<ReloginRefused> for Problem {
    fn from(refused: ReloginRefused) -> Self {
        match refused {
            ReloginRefused::Missing => Self::missing(),
            ReloginRefused::NotConnected => Self::conflict(sentence(&refused)),
            ReloginRefused::OtherLogin => {
                let detail = "Sign in with the login that connected the account in `accountId`.";
                Self::new(ProblemCode::AccountMismatch, detail)
            }
        }
    }
}

impl From<HandoffRefused> for Problem {
    fn from(refused: HandoffRefused) -> Self {
        Self::conflict(sentence(&refused))
    }
}

impl From<AccountRefused> for Problem {
    fn from(refused: AccountRefused) -> Self {
        match refused {
            AccountRefused::Quota(exceeded) => exceeded.into(),
            AccountRefused::Account(illegal) => illegal.into(),
        }
    }
}

impl From<archive::IllegalArchiveTransition> for Problem {
    fn from(illegal: archive::IllegalArchiveTransition) -> Self {
        match illegal {
            archive::IllegalArchiveTransition::Refused(fault) => Self::file(fault),
            archive::IllegalArchiveTransition::QuotaExceeded => Self::file(FileFault::QuotaExceeded),
            archive::IllegalArchiveTransition::UnknownFile => Self::missing(),
            archive::IllegalArchiveTransition::AlreadySubmitted
            | archive::IllegalArchiveTransition::NotSubmitted
            | archive::IllegalArchiveTransition::NoFiles
            | archive::IllegalArchiveTransition::Incomplete
            | archive::IllegalArchiveTransition::AlreadyComplete
            | archive::IllegalArchiveTransition::StaleOffset { .. }
            | archive::IllegalArchiveTransition::StaleReading
            | archive::IllegalArchiveTransition::AlreadyRevoked
            | archive::IllegalArchiveTransition::NotDue { .. } => Self::conflict(sentence(&illegal)),
        }
    }
}

impl From<SubmitRefused> for Problem {
    fn from(refused: SubmitRefused) -> Self {
        match refused {
            SubmitRefused::Archive(illegal) => illegal.into(),
            SubmitRefused::Consent(refused) => refused.into(),
        }
    }
}

/// Turns the message of a domain error into a sentence for people.
fn sentence(error: &impl Display) -> String {
    let message = error.to_string();
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}
