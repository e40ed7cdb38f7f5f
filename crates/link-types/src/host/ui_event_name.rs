//! Names of UI events.

words! {
    /// The `eventName` of `onUIEvent`. The first fifteen are stable; the others are informational.
    UiEventName {
        /// The consent page opened.
        ConsentPageOpened = "ConsentPageOpened",
        /// The provider list opened.
        ProviderListPageOpened = "ProviderListPageOpened",
        /// The list of login options opened.
        LoginOptionsPageOpened = "LoginOptionsPageOpened",
        /// The login form opened.
        LoginPageOpened = "LoginPageOpened",
        /// A challenge opened.
        MfaPageOpened = "MfaPageOpened",
        /// The success page opened after an account was linked.
        ConnectSuccessPageOpened = "ConnectSuccessPageOpened",
        /// The error page opened after linking failed.
        ConnectErrorPageOpened = "ConnectErrorPageOpened",
        /// The list of connected accounts opened.
        AccountListPageOpened = "AccountListPageOpened",
        /// The confirmation for revoking an account opened.
        AccountRevokePageOpened = "AccountRevokePageOpened",
        /// The employer survey opened.
        EmployerSurveyPageOpened = "EmployerSurveyPageOpened",
        /// The list of document types opened.
        FileTypeListPageOpened = "FileTypeListPageOpened",
        /// The upload page for one document type opened.
        FileTypePageOpened = "FileTypePageOpened",
        /// The success page opened after an upload.
        ArchiveSuccessPageOpened = "ArchiveSuccessPageOpened",
        /// The confirmation for removing an upload opened.
        RevokeArchivePageOpened = "RevokeArchivePageOpened",
        /// The page for an expired token opened.
        TokenExpiredPageOpened = "TokenExpiredPageOpened",
        /// The person gave consent.
        ConsentGiven = "ConsentGiven",
        /// The person selected a provider.
        ProviderSelected = "ProviderSelected",
        /// The person submitted a login.
        LoginSubmitted = "LoginSubmitted",
        /// The person answered a challenge, or opened the provider's login page.
        MfaSubmitted = "MfaSubmitted",
        /// The person requested more time for a challenge.
        MfaExtended = "MfaExtended",
        /// The person requested a new one-time code.
        MfaResent = "MfaResent",
        /// The person revoked an account.
        AccountRevoked = "AccountRevoked",
        /// The person revoked an upload.
        ArchiveRevoked = "ArchiveRevoked",
        /// The person submitted files.
        FilesSubmitted = "FilesSubmitted",
        /// The progress page opened while the service reads an upload.
        ArchiveProgressPageOpened = "ArchiveProgressPageOpened",
        /// The error page opened after an upload could not be read.
        ArchiveErrorPageOpened = "ArchiveErrorPageOpened",
        /// The person submitted an employer that is not listed.
        SurveySubmitted = "SurveySubmitted",
        /// The progress page opened while the service links an account.
        ConnectProgressPageOpened = "ConnectProgressPageOpened",
        /// The code for the phone opened, or the first page on the phone.
        HandoffPageOpened = "HandoffPageOpened",
        /// The confirmation for leaving the widget opened.
        LeavePageOpened = "LeavePageOpened",
        /// The page opened on which the person chooses what to share.
        DataChoicePageOpened = "DataChoicePageOpened",
        /// The person opened the tenant's help in another tab.
        HelpOpened = "HelpOpened",
    }
}

impl UiEventName {
    /// Returns whether a page opened. The question before leaving is a dialog on a page, not a page.
    pub fn is_page(self) -> bool {
        self.as_str().ends_with("PageOpened") && self != Self::LeavePageOpened
    }
}
