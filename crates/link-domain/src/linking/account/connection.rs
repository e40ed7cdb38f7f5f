//! A connected account: the source's session, and the progress of reading.

use link_types::data::DataPointKind;
use link_types::template::Retention;
use link_types::{LinkErrorCode, Sensitive};
use serde::{Deserialize, Serialize};

use super::link::Link;
use super::{READING_TIME, RETENTION};
use crate::data::batch::ContributionRate;
use crate::data::declined_data::DeclinedData;
use crate::data::task::Task;
use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::kernel::sealed;
use crate::linking::account_source::{Purpose, SourceState};

/// State of a connected account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// When a login first connected the account. It sets the times of continuous sync.
    pub first_connected_at: TenantTime,
    /// When a login last connected the account.
    pub connected_at: TenantTime,
    /// Start of the account's 60 days, as the link template said at the last login.
    pub retention: Retention,
    /// When the data is erased and the account is disconnected.
    pub expires_at: TenantTime,
    /// Login name. `None` for a provider without a login.
    #[serde(with = "sealed::option")]
    pub login_name: Option<Sensitive>,
    /// Digest of the encrypted form that connected the account. `None` for a provider without a login.
    pub submitted: Option<Digest32>,
    /// Session state that the source stores for the login.
    pub source: SourceState,
    /// Whether the person signed in on the provider's page, so that the provider gave an access that it can end.
    #[serde(default)]
    pub on_provider_page: bool,
    /// Progress of reading the data.
    pub reading: Reading,
    /// When a reading last returned data.
    pub read_at: Option<TenantTime>,
    /// Share of the salary that is contributed, as the source last reported it.
    pub contribution_rate: Option<ContributionRate>,
    /// When the tenant last requested a reading.
    pub refreshed_at: Option<TenantTime>,
    /// Link that re-authorizes the account. The account stays connected meanwhile.
    pub relink: Option<Link>,
}

/// Progress of reading an account's data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reading {
    /// The source is being read, or will be read again soon. A job is scheduled for it.
    Running(Box<Run>),
    /// The last reading returned data.
    Done {
        /// Reason why some data is missing.
        missing: Option<LinkErrorCode>,
    },
    /// The last reading returned no data.
    Failed {
        /// Reason for the failure.
        code: LinkErrorCode,
    },
}

/// A reading in progress: up to four tries to read the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Task that reports the reading.
    pub task: Task,
    /// Purpose of the reading.
    pub purpose: Purpose,
    /// When the next try is due. A later time means that the reading waits; otherwise it may be under way.
    pub due_at: TenantTime,
    /// Errors of the tries that failed.
    pub errors: Vec<LinkErrorCode>,
    /// Whether an earlier try returned data.
    pub has_data: bool,
    /// Kinds of data points that earlier tries changed.
    pub changed: Vec<DataPointKind>,
}

impl Connection {
    /// Returns the reading in progress.
    pub fn run(&self) -> Option<&Run> {
        match &self.reading {
            Reading::Running(run) => Some(run),
            Reading::Done { .. } | Reading::Failed { .. } => None,
        }
    }

    /// Returns the session state of a login on the provider's page.
    pub(super) fn provider_access(&self) -> Option<&SourceState> {
        self.on_provider_page.then_some(&self.source)
    }

    /// Returns the connection with the end that its retention sets. After a new login, the data of the last reading is
    /// kept until it can be read again.
    pub(super) fn with_end(self) -> Self {
        let expires_at = match (self.retention, self.read_at) {
            (Retention::FromConnection, _) | (Retention::FromLastSync, None) => self.connected_at + RETENTION,
            (Retention::FromLastSync, Some(read_at)) => {
                (read_at + RETENTION).max(self.connected_at + READING_TIME)
            }
        };
        Self { expires_at, ..self }
    }

    /// Drops what the connection has of declined kinds.
    pub(super) fn without(self, declined: &DeclinedData) -> Self {
        let contribution_rate =
            self.contribution_rate.filter(|_| declined.shares(DataPointKind::Contributions));
        let reading = match self.reading {
            Reading::Running(mut run) => {
                run.changed.retain(|kind| declined.shares(*kind));
                Reading::Running(run)
            }
            reading @ (Reading::Done { .. } | Reading::Failed { .. }) => reading,
        };
        Self { contribution_rate, reading, ..self }
    }
}
