//! Problems from the errors of transitions, of files and of the store.

use std::fmt::Display;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use link_domain::documents::archive;
use link_domain::linking::account;
use link_domain::linking::link::{HandoffError, ReloginError};
use link_domain::tenancy::quota::QuotaExceededError;
use link_domain::tenancy::template::ConsentError;
use link_domain::tenancy::tenant::standing::TenantStoppedError;
use link_domain::use_cases::{AccountRefusedError, SubmitError};
use link_store::StoreError;
use link_types::archive::FileFault;
use link_types::problem::{FaultCode, ProblemCode};

use super::format_fault;
use crate::app::readiness::StorageError;
use crate::http::problem::Problem;

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

impl Problem {
    /// Creates the problem for a rejected file: 413 if it is too large or over a quota, 460 (tus: Checksum Mismatch) if
    /// its bytes do not match the announced hash, and 422 otherwise.
    pub fn file(fault: FileFault) -> Self {
        let (code, detail) = match fault {
            FileFault::Empty => (ProblemCode::InvalidParameters, "The file is empty."),
            FileFault::TooLarge => {
                (ProblemCode::PayloadTooLarge, "A file may have at most 15,000,000 bytes.")
            }
            FileFault::UnsupportedFormat => (
                ProblemCode::InvalidParameters,
                "The file's content is not a PDF, JPEG, HEIC, PNG, WebP or TIFF.",
            ),
            FileFault::ExtraBytes => {
                (ProblemCode::InvalidParameters, "The file holds other data besides the document.")
            }
            FileFault::Encrypted => {
                (ProblemCode::InvalidParameters, "The file is protected with a password.")
            }
            FileFault::Damaged => {
                (ProblemCode::InvalidParameters, "The file is incomplete or cannot be read.")
            }
            FileFault::TooManyPages => (ProblemCode::InvalidParameters, "A file may have at most 30 pages."),
            FileFault::TooManyPixels => {
                (ProblemCode::InvalidParameters, "A page may have at most 80,000,000 pixels.")
            }
            FileFault::TooManyFiles => {
                (ProblemCode::InvalidParameters, "The archive already has 10 files or a file in this slot.")
            }
            FileFault::QuotaExceeded => {
                (ProblemCode::PayloadTooLarge, "The user has reached the upload quota. Try again later.")
            }
            FileFault::HashMismatch => {
                (ProblemCode::InvalidParameters, "The uploaded bytes do not match `sha256`.")
            }
        };
        let mut problem = Self { file_fault: Some(fault), ..Self::new(code, detail) };
        if fault == FileFault::HashMismatch {
            problem.status = StatusCode::from_u16(460).unwrap_or(problem.status);
        }
        problem
    }
}

impl Problem {
    /// Returns a 409: the first request with the same `Idempotency-Key` is still running.
    pub fn at_work() -> Self {
        Self::conflict(
            "The first request with this `Idempotency-Key` is still running. Try again in a few seconds.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// Returns a 429: too many resends and pings of the tenant's webhooks are running. Each ends within 15 seconds.
    pub fn pings_under_way() -> Self {
        Self::new(
            ProblemCode::RequestLimitExceeded,
            "Too many pings and resends of your webhooks are running. Try again in a few seconds.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }

    /// Returns a 503: all slots for this work are taken. Only the log shows `cause`.
    pub fn busy(cause: &'static str) -> Self {
        Self::unavailable(cause).with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }
}

impl From<TenantStoppedError> for Problem {
    fn from(TenantStoppedError: TenantStoppedError) -> Self {
        let detail = "The operator of the service has suspended this tenant. Ask the operator.";
        Self::new(ProblemCode::TenantSuspended, detail)
    }
}

impl From<QuotaExceededError> for Problem {
    fn from(exceeded: QuotaExceededError) -> Self {
        Self::new(
            ProblemCode::RequestLimitExceeded,
            "The user has reached a quota. `Retry-After` says how long to wait.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(exceeded.wait)))
    }
}

/// Rounds a wait up to the whole seconds of `Retry-After`.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX)
}

/// Describes the expected value of `cursor`.
pub const BAD_CURSOR: &str =
    "a nextCursor of this list, without other filters than those it was returned for";

impl From<StoreError> for Problem {
    #[expect(clippy::wildcard_enum_match_arm, reason = "any other store error is an internal error")]
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::BadCursor => Self::invalid_field("cursor", FaultCode::Invalid, BAD_CURSOR),
            StoreError::Erased => Self::missing(),
            StoreError::Duplicate(_) | StoreError::Stale { .. } => {
                Self::conflict("Another request changed the same resource at the same time. Try again.")
            }
            StoreError::Busy => {
                Self::conflict("Another request for the same resource is still running. Try again.")
                    .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            }
            StoreError::Closed => Self::unavailable("the store is closed"),
            away if away.is_away() => Self::unavailable(away).with_away_database(),
            passing if passing.passes() => Self::unavailable(passing),
            full if full.is_unwritable() => Self {
                detail: "The service cannot write to its database. Nothing was changed. Try again later."
                    .into(),
                ..Self::unavailable(full)
            }
            .with_storage_fault(StorageError::Unwritable)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("5")),
            damaged if damaged.is_damage() => Self::system(damaged).with_storage_fault(StorageError::Damaged),
            other => Self::system(other),
        }
    }
}
