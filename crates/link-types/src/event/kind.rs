//! Types of webhook events.

/// Defines [`EventType`] from one line per type: its word, and the type of its `data`.
macro_rules! event_types {
    (
        $(#[doc = $about:literal])*
        EventType { $( $(#[doc = $says:literal])* $variant:ident = $word:literal as $Data:ident, )+ }
    ) => {
        words! {
            $(#[doc = $about])*
            EventType { $( $(#[doc = $says])* $variant = $word ),+ }
        }

        #[cfg(feature = "schema")]
        impl EventType {
            /// Returns the name of the schema of the event's `data`.
            pub(crate) const fn data_schema(self) -> &'static str {
                match self {
                    $( Self::$variant => stringify!($Data) ),+
                }
            }
        }
    };
}

event_types! {
    /// Type of a webhook event.
    EventType {
        /// A user and their link token were created.
        UserCreated = "USER_CREATED" as UserCreated,
        /// Reading data from an account or archive started.
        TaskStarted = "TASK_STARTED" as TaskStarted,
        /// Reading data from an account or archive finished.
        TaskFinished = "TASK_FINISHED" as TaskFinished,
        /// A user started linking an account.
        AccountCreated = "ACCOUNT_CREATED" as AccountChanged,
        /// A user connected an account.
        AccountConnected = "ACCOUNT_CONNECTED" as AccountConnected,
        /// An account was disconnected: the user or you revoked it, or its 60 days passed.
        AccountDisconnected = "ACCOUNT_DISCONNECTED" as AccountDisconnected,
        /// Linking an account failed.
        AccountFailed = "ACCOUNT_FAILED" as AccountFailed,
        /// A sync task of an account finished.
        AccountSyncTaskFinished = "ACCOUNT_SYNC_TASK_FINISHED" as AccountSyncTaskFinished,
        /// A user uploaded files.
        ArchiveStarted = "ARCHIVE_STARTED" as ArchiveChanged,
        /// An archive was analyzed.
        ArchiveAnalyzed = "ARCHIVE_ANALYZED" as ArchiveChanged,
        /// An archive ended: the user or you revoked it, or its 60 days passed.
        ArchiveRevoked = "ARCHIVE_REVOKED" as ArchiveRevoked,
        /// Creating or analyzing an archive failed.
        ArchiveFailed = "ARCHIVE_FAILED" as ArchiveFailed,
        /// An invitation was sent.
        InviteInvited = "INVITE_INVITED" as InviteChanged,
        /// An invited user linked an account.
        InviteLinked = "INVITE_LINKED" as InviteChanged,
        /// A person linked an account or uploaded documents by a hosted link.
        LinkSessionCompleted = "LINK_SESSION_COMPLETED" as LinkSessionChanged,
        /// A person left the page of a hosted link before that.
        LinkSessionClosed = "LINK_SESSION_CLOSED" as LinkSessionChanged,
        /// A hosted link was not opened, or not brought to an end, in time.
        LinkSessionExpired = "LINK_SESSION_EXPIRED" as LinkSessionChanged,
        /// An identity was added.
        IdentityAdded = "IDENTITY_ADDED" as IdentityAdded,
        /// A rating was added.
        RatingAdded = "RATING_ADDED" as RatingAdded,
        /// Transactions were added.
        TransactionsAdded = "TRANSACTIONS_ADDED" as DataPointsAdded,
        /// Documents were added.
        DocumentsAdded = "DOCUMENTS_ADDED" as DataPointsAdded,
        /// Employments were added.
        EmploymentsAdded = "EMPLOYMENTS_ADDED" as DataPointsAdded,
        /// Incomes were added.
        IncomesAdded = "INCOMES_ADDED" as DataPointsAdded,
        /// Contributions were added.
        ContributionsAdded = "CONTRIBUTIONS_ADDED" as DataPointsAdded,
        /// Liabilities were added.
        LiabilitiesAdded = "LIABILITIES_ADDED" as DataPointsAdded,
        /// Estimated incomes were computed.
        EincomesAdded = "EINCOMES_ADDED" as DataPointsAdded,
        /// An insight was computed.
        InsightAdded = "INSIGHT_ADDED" as InsightAdded,
        /// A link was detected.
        LinkAdded = "LINK_ADDED" as LinkAdded,
        /// Documents were updated.
        DocumentsUpdated = "DOCUMENTS_UPDATED" as DataPointsUpdated,
        /// Employments were updated.
        EmploymentsUpdated = "EMPLOYMENTS_UPDATED" as DataPointsUpdated,
        /// Incomes were updated.
        IncomesUpdated = "INCOMES_UPDATED" as DataPointsUpdated,
        /// Estimated incomes were updated.
        EincomesUpdated = "EINCOMES_UPDATED" as DataPointsUpdated,
        /// Contributions were updated.
        ContributionsUpdated = "CONTRIBUTIONS_UPDATED" as DataPointsUpdated,
        /// Liabilities were updated.
        LiabilitiesUpdated = "LIABILITIES_UPDATED" as DataPointsUpdated,
        /// A record was created.
        RecordCreated = "RECORD_CREATED" as RecordChanged,
        /// Processing of a record finished.
        RecordCompleted = "RECORD_COMPLETED" as RecordChanged,
        /// A verification was requested.
        VerificationStarted = "VERIFICATION_STARTED" as VerificationChanged,
        /// A verification finished.
        VerificationCompleted = "VERIFICATION_COMPLETED" as VerificationChanged,
        /// The service disabled a webhook whose every attempt failed for 5 days. Other webhooks receive it.
        WebhookDisabled = "WEBHOOK_DISABLED" as WebhookDisabled,
    }
}
