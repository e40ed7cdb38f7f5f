//! Webhook events (interface: "Events"). Each type's `data` has exactly the fields of the interface's table.

#[cfg(feature = "schema")]
mod schema;

use serde::{Deserialize, Serialize};

use crate::{
    LinkErrorCode,
    account::MonitorStatus,
    data::{DataPointKind, Payload, SourceType},
    id::{
        AccountId, ArchiveId, EventId, IdentityId, InsightId, LinkId, ProviderId, RatingId, RecordId,
        SignalId, UserId,
    },
    record::{RecordPayload, RecordStatus, RecordType, ResultCode},
    task::{TaskStatus, TaskType},
    time::Timestamp,
};

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

/// `data` of USER_CREATED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserCreated {
    /// The user.
    pub user_id: UserId,
}

/// `data` of TASK_STARTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskStarted {
    /// The user.
    pub user_id: UserId,
    /// Account or archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Which of the two.
    pub source_type: SourceType,
    /// What the task is for.
    pub task_type: TaskType,
    /// Providers it reads from.
    pub providers: Vec<ProviderId>,
}

/// `payload` of a finished task: the data points with `includePayload`, `{}` without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EventPayload {
    /// All eleven keys.
    Full(Box<Payload>),
    /// Nothing.
    Empty {},
}

impl Default for EventPayload {
    fn default() -> Self {
        Self::Empty {}
    }
}

words! {
    /// A kind of data point that TASK_FINISHED names. The interface's list is closed and has these seven; what else was
    /// read is told by its own `*_ADDED`, and the task names every kind.
    TaskFinishedDataPoint {
        /// Who the person is.
        Identities = "IDENTITIES",
        /// Documents held at the provider.
        Documents = "DOCUMENTS",
        /// Jobs.
        Employments = "EMPLOYMENTS",
        /// Contributions to a fund.
        Contributions = "CONTRIBUTIONS",
        /// Loans.
        Liabilities = "LIABILITIES",
        /// Monthly income estimates.
        Eincomes = "EINCOMES",
        /// Ratings on a platform.
        Ratings = "RATINGS",
    }
}

impl TaskFinishedDataPoint {
    /// The word for a kind; `None` for the four that the event does not name.
    pub const fn of(kind: DataPointKind) -> Option<Self> {
        match kind {
            DataPointKind::Identities => Some(Self::Identities),
            DataPointKind::Documents => Some(Self::Documents),
            DataPointKind::Employments => Some(Self::Employments),
            DataPointKind::Contributions => Some(Self::Contributions),
            DataPointKind::Liabilities => Some(Self::Liabilities),
            DataPointKind::Eincomes => Some(Self::Eincomes),
            DataPointKind::Ratings => Some(Self::Ratings),
            DataPointKind::Incomes
            | DataPointKind::Transactions
            | DataPointKind::Links
            | DataPointKind::Insights => None,
        }
    }
}

/// `data` of TASK_FINISHED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskFinished {
    /// The user.
    pub user_id: UserId,
    /// Account or archive.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Which of the two.
    pub source_type: SourceType,
    /// What the task was for.
    pub task_type: TaskType,
    /// SUCCEEDED, PARTIAL or FAILED.
    pub status: TaskStatus,
    /// Why it failed.
    pub error_code: Option<LinkErrorCode>,
    /// Providers it read from.
    pub providers: Vec<ProviderId>,
    /// The data points read. The interface spells it so here, and `dataPoints` in ACCOUNT_SYNC_TASK_FINISHED.
    pub datapoints: Vec<TaskFinishedDataPoint>,
    /// The data points, if the webhook asks for them.
    pub payload: EventPayload,
}

/// `data` of ACCOUNT_SYNC_TASK_FINISHED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSyncTaskFinished {
    /// The user.
    pub user_id: UserId,
    /// The account.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Always ACCOUNT.
    pub source_type: SourceType,
    /// Providers it read from.
    pub providers: Vec<ProviderId>,
    /// SUCCEEDED, PARTIAL or FAILED.
    pub status: TaskStatus,
    /// State of continuous sync.
    pub monitor_status: MonitorStatus,
    /// The data points read.
    pub data_points: Vec<DataPointKind>,
    /// The data points, if the webhook asks for them.
    pub payload: EventPayload,
}

/// `data` of ACCOUNT_CREATED and ACCOUNT_DISCONNECTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountChanged {
    /// The user.
    pub user_id: UserId,
    /// The account.
    pub account_id: AccountId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_CONNECTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountConnected {
    /// The user.
    pub user_id: UserId,
    /// The account.
    pub account_id: AccountId,
    /// The login's name at the provider; null once the account is erased.
    #[cfg_attr(feature = "schema", schema(example = "ana.ruiz"))]
    pub login_name: Option<String>,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of ACCOUNT_FAILED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountFailed {
    /// The user.
    pub user_id: UserId,
    /// The account.
    pub account_id: AccountId,
    /// The login's name at the provider; null once the account is erased.
    #[cfg_attr(feature = "schema", schema(example = "ana.ruiz"))]
    pub login_name: Option<String>,
    /// Why.
    pub error_code: LinkErrorCode,
    /// The code in words.
    #[cfg_attr(feature = "schema", schema(example = "the user name or the password is wrong"))]
    pub error_message: String,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of ARCHIVE_STARTED, ARCHIVE_ANALYZED and ARCHIVE_REVOKED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveChanged {
    /// The user.
    pub user_id: UserId,
    /// The archive.
    pub archive_id: ArchiveId,
}

/// `data` of ARCHIVE_FAILED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFailed {
    /// The user.
    pub user_id: UserId,
    /// The archive.
    pub archive_id: ArchiveId,
    /// Why, like FILE_UNABLE_TO_RECOGNIZE.
    #[cfg_attr(feature = "schema", schema(example = "FILE_UNABLE_TO_RECOGNIZE"))]
    pub error_code: String,
    /// The code in words.
    #[cfg_attr(feature = "schema", schema(example = "the document could not be recognized"))]
    pub error_message: String,
}

/// `data` of INVITE_INVITED and INVITE_LINKED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteChanged {
    /// The user.
    pub user_id: UserId,
    /// The invitation, prefix `iv-`.
    #[cfg_attr(feature = "schema", schema(example = "iv-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub invite_id: String,
}

/// `data` of IDENTITY_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct IdentityAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The identity.
    pub identity_id: IdentityId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of RATING_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RatingAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The rating.
    pub rating_id: RatingId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of the `*S_ADDED` events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DataPointsAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// How many.
    #[cfg_attr(feature = "schema", schema(example = 12))]
    pub count: u32,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of INSIGHT_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InsightAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The insight.
    pub id: InsightId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of LINK_ADDED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkAdded {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// The link.
    pub id: LinkId,
    /// Its provider.
    pub providers: Vec<ProviderId>,
}

/// `data` of the `*_UPDATED` events (`resources.md`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DataPointsUpdated {
    /// The user.
    pub user_id: UserId,
    /// The source.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub account_id: String,
    /// How many.
    #[cfg_attr(feature = "schema", schema(example = 12))]
    pub count: u32,
    /// The earliest day touched.
    pub updated_from: Option<crate::Date>,
    /// The latest day touched.
    pub updated_to: Option<crate::Date>,
    /// When.
    pub updated_at: Timestamp,
    /// Its provider.
    pub providers: Vec<ProviderId>,
    /// The documents touched; only in DOCUMENTS_UPDATED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = json!(["d-0192f0c1a2b37c4d8e5f60718293a4b5"])))]
    pub updated_ids: Option<Vec<String>>,
}

/// `data` of RECORD_CREATED and RECORD_COMPLETED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordChanged {
    /// The record.
    pub record_id: RecordId,
    /// Always SOCIAL_SECURITY.
    pub record_type: RecordType,
    /// The user, where the record is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub user_id: Option<UserId>,
    /// State of the record; only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<RecordStatus>,
    /// Result; only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_code: Option<ResultCode>,
    /// Result in words; only in RECORD_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "data was found"))]
    pub result_message: Option<String>,
    /// The whole record; only in RECORD_COMPLETED, and gone once the record is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub payload: Option<Box<RecordPayload>>,
}

/// `data` of VERIFICATION_STARTED and VERIFICATION_COMPLETED (`resources.md`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VerificationChanged {
    /// The verification, prefix `vf-`.
    pub verification_id: SignalId,
    /// State; only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<RecordStatus>,
    /// Result; only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_code: Option<ResultCode>,
    /// Result in words; only in VERIFICATION_COMPLETED.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "data was found"))]
    pub result_message: Option<String>,
}

/// The `data` of an event. On the wire it stands bare beside `type`; [`Event`] keeps the two together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
#[expect(
    missing_docs,
    reason = "each variant is the event of its name, documented at EventType and at its data"
)]
pub enum EventData {
    UserCreated(UserCreated),
    TaskStarted(TaskStarted),
    TaskFinished(TaskFinished),
    AccountCreated(AccountChanged),
    AccountConnected(AccountConnected),
    AccountDisconnected(AccountChanged),
    AccountFailed(AccountFailed),
    AccountSyncTaskFinished(AccountSyncTaskFinished),
    ArchiveStarted(ArchiveChanged),
    ArchiveAnalyzed(ArchiveChanged),
    ArchiveRevoked(ArchiveChanged),
    ArchiveFailed(ArchiveFailed),
    InviteInvited(InviteChanged),
    InviteLinked(InviteChanged),
    IdentityAdded(IdentityAdded),
    RatingAdded(RatingAdded),
    TransactionsAdded(DataPointsAdded),
    DocumentsAdded(DataPointsAdded),
    EmploymentsAdded(DataPointsAdded),
    IncomesAdded(DataPointsAdded),
    ContributionsAdded(DataPointsAdded),
    LiabilitiesAdded(DataPointsAdded),
    EincomesAdded(DataPointsAdded),
    InsightAdded(InsightAdded),
    LinkAdded(LinkAdded),
    DocumentsUpdated(DataPointsUpdated),
    EmploymentsUpdated(DataPointsUpdated),
    IncomesUpdated(DataPointsUpdated),
    EincomesUpdated(DataPointsUpdated),
    ContributionsUpdated(DataPointsUpdated),
    LiabilitiesUpdated(DataPointsUpdated),
    RecordCreated(RecordChanged),
    RecordCompleted(RecordChanged),
    VerificationStarted(VerificationChanged),
    VerificationCompleted(VerificationChanged),
}

impl EventData {
    /// The type that stands beside this data.
    pub const fn event_type(&self) -> EventType {
        match self {
            Self::UserCreated(_) => EventType::UserCreated,
            Self::TaskStarted(_) => EventType::TaskStarted,
            Self::TaskFinished(_) => EventType::TaskFinished,
            Self::AccountCreated(_) => EventType::AccountCreated,
            Self::AccountConnected(_) => EventType::AccountConnected,
            Self::AccountDisconnected(_) => EventType::AccountDisconnected,
            Self::AccountFailed(_) => EventType::AccountFailed,
            Self::AccountSyncTaskFinished(_) => EventType::AccountSyncTaskFinished,
            Self::ArchiveStarted(_) => EventType::ArchiveStarted,
            Self::ArchiveAnalyzed(_) => EventType::ArchiveAnalyzed,
            Self::ArchiveRevoked(_) => EventType::ArchiveRevoked,
            Self::ArchiveFailed(_) => EventType::ArchiveFailed,
            Self::InviteInvited(_) => EventType::InviteInvited,
            Self::InviteLinked(_) => EventType::InviteLinked,
            Self::IdentityAdded(_) => EventType::IdentityAdded,
            Self::RatingAdded(_) => EventType::RatingAdded,
            Self::TransactionsAdded(_) => EventType::TransactionsAdded,
            Self::DocumentsAdded(_) => EventType::DocumentsAdded,
            Self::EmploymentsAdded(_) => EventType::EmploymentsAdded,
            Self::IncomesAdded(_) => EventType::IncomesAdded,
            Self::ContributionsAdded(_) => EventType::ContributionsAdded,
            Self::LiabilitiesAdded(_) => EventType::LiabilitiesAdded,
            Self::EincomesAdded(_) => EventType::EincomesAdded,
            Self::InsightAdded(_) => EventType::InsightAdded,
            Self::LinkAdded(_) => EventType::LinkAdded,
            Self::DocumentsUpdated(_) => EventType::DocumentsUpdated,
            Self::EmploymentsUpdated(_) => EventType::EmploymentsUpdated,
            Self::IncomesUpdated(_) => EventType::IncomesUpdated,
            Self::EincomesUpdated(_) => EventType::EincomesUpdated,
            Self::ContributionsUpdated(_) => EventType::ContributionsUpdated,
            Self::LiabilitiesUpdated(_) => EventType::LiabilitiesUpdated,
            Self::RecordCreated(_) => EventType::RecordCreated,
            Self::RecordCompleted(_) => EventType::RecordCompleted,
            Self::VerificationStarted(_) => EventType::VerificationStarted,
            Self::VerificationCompleted(_) => EventType::VerificationCompleted,
        }
    }
}

/// The envelope of a delivery: `id`, `version`, `type`, `createdAt`, `data`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Unique per event; the same in every delivery of it.
    pub id: EventId,
    /// Always 1.
    pub version: u8,
    /// The type.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// When it happened.
    pub created_at: Timestamp,
    /// What happened.
    pub data: EventData,
}

impl Event {
    /// An envelope around data; the type follows from it.
    pub const fn new(id: EventId, created_at: Timestamp, data: EventData) -> Self {
        Self { id, version: 1, event_type: data.event_type(), created_at, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_the_interface_envelope() {
        let user_id: UserId = "demo-0192f0c1a2b37c4d8e5f60718293a4b5".parse().unwrap();
        let event = Event::new(
            EventId::from_bytes([1; 16]),
            Timestamp::from_micros(0),
            EventData::UserCreated(UserCreated { user_id: user_id.clone() }),
        );
        assert_eq!(
            serde_json::to_value(&event).unwrap(),
            serde_json::json!({
                "id": format!("et-{}", "01".repeat(16)), "version": 1, "type": "USER_CREATED",
                "createdAt": "1970-01-01T00:00:00.000Z", "data": { "userId": user_id },
            })
        );
    }

    #[test]
    fn an_event_without_payload_has_an_empty_object() {
        assert_eq!(serde_json::to_string(&EventPayload::default()).unwrap(), "{}");
    }
}
