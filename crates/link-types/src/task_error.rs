//! Reasons why a task failed: those of linking, and those of documents (interface: "Errors").

use crate::{LinkErrorCode, archive::ArchiveErrorCode};

words! {
    /// Reason why a task failed. A task of an account has an account linking error code. A task of an archive has an
    /// archive error code.
    TaskErrorCode {
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
        /// The provider or the document reader is currently unavailable.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// An internal error occurred in the service. Contact support.
        SystemError = "SYSTEM_ERROR",
        /// The user has not accepted the provider's terms of service.
        TosRequired = "TOS_REQUIRED",
        /// The authentication type is not supported.
        UnsupportedAuthType = "UNSUPPORTED_AUTH_TYPE",
        /// The multi-factor method is not supported.
        UnsupportedMfaMethod = "UNSUPPORTED_MFA_METHOD",
        /// The content of the pages was not recognized: a picture that is not clear, or that shows no document.
        FileUnableToRecognize = "FILE_UNABLE_TO_RECOGNIZE",
        /// The text of the pages was read, but it is of no known kind of document.
        FileKindUnknown = "FILE_KIND_UNKNOWN",
        /// The files are documents of several people.
        FileSeveralPeople = "FILE_SEVERAL_PEOPLE",
        /// The file is a form whose values are not on its pages.
        FileForm = "FILE_FORM",
        /// The file is a portfolio: a cover of other files.
        FilePortfolio = "FILE_PORTFOLIO",
        /// The document is of a different kind from the one that was selected.
        FileWrongType = "FILE_WRONG_TYPE",
        /// A file is damaged or password-protected.
        FileUnreadable = "FILE_UNREADABLE",
    }
}

impl TaskErrorCode {
    /// Returns the code of a task that failed for a reason of linking.
    pub const fn of_account(code: LinkErrorCode) -> Self {
        match code {
            LinkErrorCode::AccountDisabled => Self::AccountDisabled,
            LinkErrorCode::AccountInaccessible => Self::AccountInaccessible,
            LinkErrorCode::AccountIncomplete => Self::AccountIncomplete,
            LinkErrorCode::AccountLocked => Self::AccountLocked,
            LinkErrorCode::AuthRequired => Self::AuthRequired,
            LinkErrorCode::ExpiredCredentials => Self::ExpiredCredentials,
            LinkErrorCode::InvalidAccountType => Self::InvalidAccountType,
            LinkErrorCode::InvalidAuth => Self::InvalidAuth,
            LinkErrorCode::InvalidCredentials => Self::InvalidCredentials,
            LinkErrorCode::InvalidMfa => Self::InvalidMfa,
            LinkErrorCode::MfaTimeout => Self::MfaTimeout,
            LinkErrorCode::ServiceUnavailable => Self::ServiceUnavailable,
            LinkErrorCode::SystemError => Self::SystemError,
            LinkErrorCode::TosRequired => Self::TosRequired,
            LinkErrorCode::UnsupportedAuthType => Self::UnsupportedAuthType,
            LinkErrorCode::UnsupportedMfaMethod => Self::UnsupportedMfaMethod,
        }
    }

    /// Returns the code of a task that failed for a reason of its archive.
    pub const fn of_archive(code: ArchiveErrorCode) -> Self {
        match code {
            ArchiveErrorCode::FileUnableToRecognize => Self::FileUnableToRecognize,
            ArchiveErrorCode::FileKindUnknown => Self::FileKindUnknown,
            ArchiveErrorCode::FileSeveralPeople => Self::FileSeveralPeople,
            ArchiveErrorCode::FileForm => Self::FileForm,
            ArchiveErrorCode::FilePortfolio => Self::FilePortfolio,
            ArchiveErrorCode::FileWrongType => Self::FileWrongType,
            ArchiveErrorCode::FileUnreadable => Self::FileUnreadable,
            ArchiveErrorCode::ServiceUnavailable => Self::ServiceUnavailable,
            ArchiveErrorCode::SystemError => Self::SystemError,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn task_codes_are_those_of_accounts_and_archives() {
        let accounts = LinkErrorCode::ALL.iter().map(|it| (it.as_str(), TaskErrorCode::of_account(*it)));
        let archives = ArchiveErrorCode::ALL.iter().map(|it| (it.as_str(), TaskErrorCode::of_archive(*it)));
        let mut reached = BTreeSet::new();
        for (word, code) in accounts.chain(archives) {
            assert_eq!(code.as_str(), word);
            reached.insert(code);
        }
        assert_eq!(reached.len(), TaskErrorCode::ALL.len());
    }
}
