//! Problems of inputs that an account or archive does not accept in its state.

use std::fmt::Display;

use axum::http::{HeaderValue, header};
use link_domain::documents::archive;
use link_domain::linking::account;
use link_domain::linking::link::{HandoffError, ReloginError};
use link_domain::tenancy::template::ConsentError;
use link_domain::use_cases::{AccountRefusedError, SubmitError};
use link_types::archive::FileFault;
use link_types::problem::{FaultCode, ProblemCode};

use super::retry::whole_seconds;
use super::{Problem, format_fault};

impl From<account::IllegalTransitionError> for Problem {
    fn from(illegal: account::IllegalTransitionError) -> Self {
        let detail = sentence(&illegal);
        match illegal {
            account::IllegalTransitionError::MalformedAnswer(wrong) => {
                Self::invalid(vec![format_fault("answer", wrong)])
            }
            account::IllegalTransitionError::TooManyTries { wait, .. } => {
                let detail = format!("{detail} `Retry-After` says how long to wait.");
                Self::new(ProblemCode::LoginLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))
            }
            account::IllegalTransitionError::ResendTooEarly { wait }
            | account::IllegalTransitionError::RefreshedAlready { wait } => {
                Self::new(ProblemCode::RequestLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))
            }
            account::IllegalTransitionError::NoConsent => Self::new(ProblemCode::ConsentRequired, detail),
            account::IllegalTransitionError::StaleStep
            | account::IllegalTransitionError::NoChallenge
            | account::IllegalTransitionError::StaleChallenge
            | account::IllegalTransitionError::WrongAnswerKind
            | account::IllegalTransitionError::ResendRefused
            | account::IllegalTransitionError::ExtensionRefused
            | account::IllegalTransitionError::NotConnected
            | account::IllegalTransitionError::AlreadyConnected
            | account::IllegalTransitionError::AlreadyDisconnected
            | account::IllegalTransitionError::StaleReading
            | account::IllegalTransitionError::NotDue { .. }
            | account::IllegalTransitionError::MonitorUnsupported
            | account::IllegalTransitionError::SyncInactive => Self::conflict(detail),
        }
    }
}

impl From<ConsentError> for Problem {
    fn from(refused: ConsentError) -> Self {
        match refused {
            ConsentError::DeclinedRequired => {
                let expected = "kinds of the link template's `optionalData`";
                Self::invalid_field("consent.dataChoice.declined", FaultCode::Invalid, expected)
            }
            ConsentError::OtherTemplate
            | ConsentError::OtherVersion
            | ConsentError::OtherLocale
            | ConsentError::OtherInterval
            | ConsentError::OtherRetention
            | ConsentError::OtherChoice
            | ConsentError::SkipNotAllowed
            | ConsentError::Missing => {
                let detail = format!("{} Read the session again, and ask the person.", sentence(&refused));
                Self::new(ProblemCode::ConsentRequired, detail)
            }
        }
    }
}

impl From<ReloginError> for Problem {
    fn from(refused: ReloginError) -> Self {
        match refused {
            ReloginError::Missing => Self::missing(),
            ReloginError::NotConnected => Self::conflict(sentence(&refused)),
            ReloginError::OtherLogin => {
                let detail = "Sign in with the login that connected the account in `accountId`.";
                Self::new(ProblemCode::AccountMismatch, detail)
            }
        }
    }
}

impl From<HandoffError> for Problem {
    fn from(refused: HandoffError) -> Self {
        Self::conflict(sentence(&refused))
    }
}

impl From<AccountRefusedError> for Problem {
    fn from(refused: AccountRefusedError) -> Self {
        match refused {
            AccountRefusedError::Quota(exceeded) => exceeded.into(),
            AccountRefusedError::Account(illegal) => illegal.into(),
        }
    }
}

impl From<archive::IllegalArchiveTransitionError> for Problem {
    fn from(illegal: archive::IllegalArchiveTransitionError) -> Self {
        match illegal {
            archive::IllegalArchiveTransitionError::Refused(fault) => Self::file(fault),
            archive::IllegalArchiveTransitionError::QuotaExceeded => Self::file(FileFault::QuotaExceeded),
            archive::IllegalArchiveTransitionError::UnknownFile => Self::missing(),
            archive::IllegalArchiveTransitionError::AlreadySubmitted
            | archive::IllegalArchiveTransitionError::NotSubmitted
            | archive::IllegalArchiveTransitionError::NoFiles
            | archive::IllegalArchiveTransitionError::Incomplete
            | archive::IllegalArchiveTransitionError::AlreadyComplete
            | archive::IllegalArchiveTransitionError::StaleOffset { .. }
            | archive::IllegalArchiveTransitionError::StaleReading
            | archive::IllegalArchiveTransitionError::AlreadyRevoked
            | archive::IllegalArchiveTransitionError::NotDue { .. } => Self::conflict(sentence(&illegal)),
        }
    }
}

impl From<SubmitError> for Problem {
    fn from(refused: SubmitError) -> Self {
        match refused {
            SubmitError::Archive(illegal) => illegal.into(),
            SubmitError::Consent(refused) => refused.into(),
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
