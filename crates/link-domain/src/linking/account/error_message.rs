//! The messages of error codes.

use link_types::LinkErrorCode;

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
