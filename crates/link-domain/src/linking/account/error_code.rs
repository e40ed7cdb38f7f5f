//! The meaning of an error code of linking: its message, and its consequences for the next reading.

use std::time::Duration;

use link_types::{LinkErrorCode, Mode};

/// Describes an error code in the words of the interface.
pub const fn error_message(code: LinkErrorCode) -> &'static str {
    match code {
        LinkErrorCode::AccountDisabled => "The account is disabled at the provider.",
        LinkErrorCode::AccountInaccessible => "The account is inaccessible at the provider.",
        LinkErrorCode::AccountIncomplete => "The provider marks the account as incomplete.",
        LinkErrorCode::AccountLocked => "The account is locked at the provider.",
        LinkErrorCode::AuthRequired => "The credentials were not sent to the provider.",
        LinkErrorCode::ExpiredCredentials => "The credentials have expired.",
        LinkErrorCode::InvalidAccountType => "The provider does not accept this type of account.",
        LinkErrorCode::InvalidAuth => "The authentication process failed. Please contact support.",
        LinkErrorCode::InvalidCredentials => "The credentials are incorrect.",
        LinkErrorCode::InvalidMfa => "The submitted multi-factor credential is invalid.",
        LinkErrorCode::MfaTimeout => "The multi-factor authentication timed out.",
        LinkErrorCode::ServiceUnavailable => "The provider is currently unavailable.",
        LinkErrorCode::SystemError => "A system error occurred in the service. Please contact support.",
        LinkErrorCode::TosRequired => "The person has not accepted the provider's terms of service.",
        LinkErrorCode::UnsupportedAuthType => "The authentication type is not supported.",
        LinkErrorCode::UnsupportedMfaMethod => "The multi-factor method is not supported.",
    }
}

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
