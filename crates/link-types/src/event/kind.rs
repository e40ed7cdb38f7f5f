//! Types of webhook events.

words! {
    /// Type of a webhook event.
    EventType {
        /// A user and their link token were created.
        UserCreated = "USER_CREATED",
        /// Reading data from an account or archive started.
        TaskStarted = "TASK_STARTED",
        /// Reading data from an account or archive finished.
        TaskFinished = "TASK_FINISHED",
        /// A user started linking an account.
        AccountCreated = "ACCOUNT_CREATED",
        /// A user connected an account.
        AccountConnected = "ACCOUNT_CONNECTED",
        /// An account was disconnected: the user or you revoked it, or its 60 days passed.
        AccountDisconnected = "ACCOUNT_DISCONNECTED",
        /// Linking an account failed.
        AccountFailed = "ACCOUNT_FAILED",
        /// A sync task of an account finished.
        AccountSyncTaskFinished = "ACCOUNT_SYNC_TASK_FINISHED",
        /// A user uploaded files.
        ArchiveStarted = "ARCHIVE_STARTED",
        /// An archive was analyzed.
        ArchiveAnalyzed = "ARCHIVE_ANALYZED",
        /// An archive ended: the user or you revoked it, or its 60 days passed.
        ArchiveRevoked = "ARCHIVE_REVOKED",
        /// Creating or analyzing an archive failed.
        ArchiveFailed = "ARCHIVE_FAILED",
        /// An invitation was sent.
        InviteInvited = "INVITE_INVITED",
        /// An invited user linked an account.
        InviteLinked = "INVITE_LINKED",
        /// An identity was added.
        IdentityAdded = "IDENTITY_ADDED",
        /// A rating was added.
        RatingAdded = "RATING_ADDED",
        /// Transactions were added.
        TransactionsAdded = "TRANSACTIONS_ADDED",
        /// Documents were added.
        DocumentsAdded = "DOCUMENTS_ADDED",
        /// Employments were added.
        EmploymentsAdded = "EMPLOYMENTS_ADDED",
        /// Incomes were added.
        IncomesAdded = "INCOMES_ADDED",
        /// Contributions were added.
        ContributionsAdded = "CONTRIBUTIONS_ADDED",
        /// Liabilities were added.
        LiabilitiesAdded = "LIABILITIES_ADDED",
        /// Estimated incomes were computed.
        EincomesAdded = "EINCOMES_ADDED",
        /// An insight was computed.
        InsightAdded = "INSIGHT_ADDED",
        /// A link was detected.
        LinkAdded = "LINK_ADDED",
        /// Documents were updated.
        DocumentsUpdated = "DOCUMENTS_UPDATED",
        /// Employments were updated.
        EmploymentsUpdated = "EMPLOYMENTS_UPDATED",
        /// Incomes were updated.
        IncomesUpdated = "INCOMES_UPDATED",
        /// Estimated incomes were updated.
        EincomesUpdated = "EINCOMES_UPDATED",
        /// Contributions were updated.
        ContributionsUpdated = "CONTRIBUTIONS_UPDATED",
        /// Liabilities were updated.
        LiabilitiesUpdated = "LIABILITIES_UPDATED",
        /// A record was created.
        RecordCreated = "RECORD_CREATED",
        /// Processing of a record finished.
        RecordCompleted = "RECORD_COMPLETED",
        /// A verification was requested.
        VerificationStarted = "VERIFICATION_STARTED",
        /// A verification finished.
        VerificationCompleted = "VERIFICATION_COMPLETED",
        /// The service disabled a webhook whose every attempt failed for 5 days. Other webhooks receive it.
        WebhookDisabled = "WEBHOOK_DISABLED",
    }
}
