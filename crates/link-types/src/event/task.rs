//! Events of tasks, with what was read in them.

use serde::{Deserialize, Serialize};

use crate::{
    LinkErrorCode,
    account::MonitorStatus,
    data::{DataPointKind, Payload, SourceType},
    id::{ProviderId, UserId},
    task::{TaskStatus, TaskType},
};

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
