//! Why linking an account failed (interface: "Account linking error codes").

words! {
    /// The sixteen error codes of account linking.
    LinkErrorCode {
        /// Disabled at the provider.
        AccountDisabled = "ACCOUNT_DISABLED",
        /// Inaccessible at the provider.
        AccountInaccessible = "ACCOUNT_INACCESSIBLE",
        /// Marked incomplete by the provider.
        AccountIncomplete = "ACCOUNT_INCOMPLETE",
        /// Locked at the provider.
        AccountLocked = "ACCOUNT_LOCKED",
        /// Credentials were not sent to the provider.
        AuthRequired = "AUTH_REQUIRED",
        /// Credentials expired.
        ExpiredCredentials = "EXPIRED_CREDENTIALS",
        /// Not a valid account per the provider.
        InvalidAccountType = "INVALID_ACCOUNT_TYPE",
        /// Authentication process failed (contact support).
        InvalidAuth = "INVALID_AUTH",
        /// Credentials incorrect.
        InvalidCredentials = "INVALID_CREDENTIALS",
        /// Submitted multi-factor credential invalid.
        InvalidMfa = "INVALID_MFA",
        /// Multi-factor authentication timed out.
        MfaTimeout = "MFA_TIMEOUT",
        /// Provider currently unavailable.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// System error in the service (contact support).
        SystemError = "SYSTEM_ERROR",
        /// Terms of service of the provider not consented.
        TosRequired = "TOS_REQUIRED",
        /// Authentication type unsupported.
        UnsupportedAuthType = "UNSUPPORTED_AUTH_TYPE",
        /// Multi-factor method unsupported.
        UnsupportedMfaMethod = "UNSUPPORTED_MFA_METHOD",
    }
}

/// An error code as the widget reads it: a service newer than the widget may send one it does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorCode {
    /// One of the sixteen.
    Known(LinkErrorCode),
    /// A code this build does not know; shown with safe words and passed on unchanged.
    Unknown(String),
}

impl ErrorCode {
    /// The code as it stands on the wire.
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
string_schema!(
    ErrorCode,
    "An account linking error code; new ones may be added.",
    None,
    "INVALID_CREDENTIALS"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixteen_codes_and_each_reads_back() {
        assert_eq!(LinkErrorCode::ALL.len(), 16);
        for code in LinkErrorCode::ALL {
            assert_eq!(code.as_str().parse::<LinkErrorCode>(), Ok(*code));
        }
    }

    #[test]
    fn an_unknown_code_is_kept_as_it_came() {
        let code: ErrorCode = serde_json::from_str("\"PROVIDER_ON_STRIKE\"").unwrap();
        assert_eq!(code, ErrorCode::Unknown("PROVIDER_ON_STRIKE".into()));
        assert_eq!(serde_json::to_string(&code).unwrap(), "\"PROVIDER_ON_STRIKE\"");
    }
}
