//! The types of events.

words! {
    /// The type of an event.
    EventType {
        /// A user and link token are created.
        UserCreated = "USER_CREATED",
        /// Account data sync starts.
        TaskStarted = "TASK_STARTED",
        /// Account data sync finishes.
        TaskFinished = "TASK_FINISHED",
        /// The user starts linking.
        AccountCreated = "ACCOUNT_CREATED",
        /// The user connected an account.
        AccountConnected = "ACCOUNT_CONNECTED",
        /// The user disconnected or revoked the link.
        AccountDisconnected = "ACCOUNT_DISCONNECTED",
        /// Linking was unsuccessful.
        AccountFailed = "ACCOUNT_FAILED",
        /// An account sync task completed.
        AccountSyncTaskFinished = "ACCOUNT_SYNC_TASK_FINISHED",
        /// The user uploaded files.
        ArchiveStarted = "ARCHIVE_STARTED",
        /// An archive was analyzed.
        ArchiveAnalyzed = "ARCHIVE_ANALYZED",
        /// The user removed permission on an archive.
        ArchiveRevoked = "ARCHIVE_REVOKED",
        /// Archive creation or analysis failed.
        ArchiveFailed = "ARCHIVE_FAILED",
        /// An invitation was sent.
        InviteInvited = "INVITE_INVITED",
        /// An invited user linked an account.
        InviteLinked = "INVITE_LINKED",
        /// Identity data added.
        IdentityAdded = "IDENTITY_ADDED",
        /// Ratings data added.
        RatingAdded = "RATING_ADDED",
        /// Transactions added.
        TransactionsAdded = "TRANSACTIONS_ADDED",
        /// Documents added.
        DocumentsAdded = "DOCUMENTS_ADDED",
        /// Employments added.
        EmploymentsAdded = "EMPLOYMENTS_ADDED",
        /// Incomes added.
        IncomesAdded = "INCOMES_ADDED",
        /// Contributions added.
        ContributionsAdded = "CONTRIBUTIONS_ADDED",
        /// Liabilities added.
        LiabilitiesAdded = "LIABILITIES_ADDED",
        /// Estimated incomes derived.
        EincomesAdded = "EINCOMES_ADDED",
        /// An insight was derived.
        InsightAdded = "INSIGHT_ADDED",
        /// A link was detected.
        LinkAdded = "LINK_ADDED",
        /// Documents updated.
        DocumentsUpdated = "DOCUMENTS_UPDATED",
        /// Employments updated.
        EmploymentsUpdated = "EMPLOYMENTS_UPDATED",
        /// Incomes updated.
        IncomesUpdated = "INCOMES_UPDATED",
        /// Estimated incomes updated.
        EincomesUpdated = "EINCOMES_UPDATED",
        /// Contributions updated.
        ContributionsUpdated = "CONTRIBUTIONS_UPDATED",
        /// Liabilities updated.
        LiabilitiesUpdated = "LIABILITIES_UPDATED",
        /// A record was created.
        RecordCreated = "RECORD_CREATED",
        /// Record processing finished.
        RecordCompleted = "RECORD_COMPLETED",
        /// A verification was requested.
        VerificationStarted = "VERIFICATION_STARTED",
        /// A verification was finished.
        VerificationCompleted = "VERIFICATION_COMPLETED",
    }
}
