//! Types of webhook events.

/// Defines [`EventType`] from one line per type: its word, and the type of its `data`. The events of data points replace `@`.
macro_rules! event_types {
    (
        {$($event:ident = $event_word:literal as $EventData:ident $english:literal $spanish:literal)*}
        $(#[doc = $about:literal])*
        EventType {
            $( $(#[doc = $says:literal])* $variant:ident = $word:literal as $Data:ident, )+
            @
            $( $(#[doc = $later_says:literal])* $later:ident = $later_word:literal as $LaterData:ident, )+
        }
    ) => {
        event_types! {
            $(#[doc = $about])*
            EventType {
                $( $(#[doc = $says])* $variant = $word as $Data, )+
                $( #[doc = $english] $event = $event_word as $EventData, )*
                $( $(#[doc = $later_says])* $later = $later_word as $LaterData, )+
            }
        }
    };
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

crate::data_points! { events event_types
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
        @
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
