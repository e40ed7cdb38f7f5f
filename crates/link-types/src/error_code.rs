//! Reasons why linking an account failed (interface: "Account linking error codes").

words! {
    /// Account linking error code.
    LinkErrorCode {
        /// The provider has disabled the account.
        AccountDisabled = "ACCOUNT_DISABLED",
        /// The account is not accessible at the provider.
        AccountInaccessible = "ACCOUNT_INACCESSIBLE",
        /// The provider has marked the account as incomplete.
        AccountIncomplete = "ACCOUNT_INCOMPLETE",
        /// The provider has locked the account.
        AccountLocked = "ACCOUNT_LOCKED",
        /// No credentials were sent to the provider.
        AuthRequired = "AUTH_REQUIRED",
        /// The credentials have expired.
        ExpiredCredentials = "EXPIRED_CREDENTIALS",
        /// The provider does not accept this type of account.
        InvalidAccountType = "INVALID_ACCOUNT_TYPE",
        /// The authentication process failed. Contact support.
        InvalidAuth = "INVALID_AUTH",
        /// The credentials are incorrect.
        InvalidCredentials = "INVALID_CREDENTIALS",
        /// The answer to the multi-factor challenge is invalid.
        InvalidMfa = "INVALID_MFA",
        /// The multi-factor challenge timed out.
        MfaTimeout = "MFA_TIMEOUT",
        /// The provider is currently unavailable.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// An internal error occurred in the service. Contact support.
        SystemError = "SYSTEM_ERROR",
        /// The user has not accepted the provider's terms of service.
        TosRequired = "TOS_REQUIRED",
        /// The authentication type is not supported.
        UnsupportedAuthType = "UNSUPPORTED_AUTH_TYPE",
        /// The multi-factor method is not supported.
        UnsupportedMfaMethod = "UNSUPPORTED_MFA_METHOD",
    }
}

/// Error code as the widget reads it. A service newer than the widget may send a code that the widget does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorCode {
    /// One of the known codes.
    Known(LinkErrorCode),
    /// A code that this build does not know. The widget shows generic text and passes the code on unchanged.
    Unknown(String),
}

impl ErrorCode {
    /// Returns the code as it appears on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(code) => code.as_str(),
            Self::Unknown(code) => code,
        }
    }
}

impl From<LinkErrorCode> for ErrorCode {
    fn from(code: LinkErrorCode) -> Self {
        Self::Known(code)
    }
}

impl serde::Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for ErrorCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(word.parse().map(Self::Known).unwrap_or(Self::Unknown(word)))
    }
}

#[cfg(feature = "schema")]
string_schema!(ErrorCode, "Account linking error code. New codes may be added.", None, "INVALID_CREDENTIALS");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_error_codes_round_trip() {
        for code in LinkErrorCode::ALL {
            assert_eq!(code.as_str().parse::<LinkErrorCode>(), Ok(*code));
        }
    }

    #[test]
    fn unknown_error_code_round_trips_unchanged() {
        let code: ErrorCode = serde_json::from_str("\"PROVIDER_ON_STRIKE\"").unwrap();
        assert_eq!(code, ErrorCode::Unknown("PROVIDER_ON_STRIKE".into()));
        assert_eq!(serde_json::to_string(&code).unwrap(), "\"PROVIDER_ON_STRIKE\"");
    }
}
