//! Consequences of an error of a reading for the next reading.

use std::time::Duration;

use link_types::{LinkErrorCode, Mode};

/// Remedy for an error of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// The person signs in again in the widget.
    SignIn,
    /// Another try, after a while.
    Retry,
    /// The person or the provider must change something first. The next regular reading shows whether they did.
    Elsewhere,
}

/// Returns what helps against an error of a reading.
pub(super) const fn remedy(code: LinkErrorCode) -> Remedy {
    match code {
        LinkErrorCode::AuthRequired
        | LinkErrorCode::ExpiredCredentials
        | LinkErrorCode::InvalidCredentials
        | LinkErrorCode::InvalidMfa
        | LinkErrorCode::MfaTimeout
        | LinkErrorCode::TosRequired => Remedy::SignIn,
        LinkErrorCode::ServiceUnavailable | LinkErrorCode::SystemError => Remedy::Retry,
        LinkErrorCode::AccountDisabled
        | LinkErrorCode::AccountInaccessible
        | LinkErrorCode::AccountIncomplete
        | LinkErrorCode::AccountLocked
        | LinkErrorCode::InvalidAccountType
        | LinkErrorCode::InvalidAuth
        | LinkErrorCode::UnsupportedAuthType
        | LinkErrorCode::UnsupportedMfaMethod => Remedy::Elsewhere,
    }
}

/// Returns how long to wait after this many failed tries, or `None` if there is no other try. In production, the three
/// more tries are within seven hours. In the sandbox, they are within seconds, so that tests need not wait.
pub(super) fn retry_wait(mode: Mode, failed_tries: usize) -> Option<Duration> {
    let waits = match mode {
        Mode::Production => [15 * 60, 60 * 60, 4 * 60 * 60],
        Mode::Sandbox => [1, 2, 3],
    };
    waits.get(failed_tries.checked_sub(1)?).copied().map(Duration::from_secs)
}
