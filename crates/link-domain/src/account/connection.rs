//! A connected account: the source's session, and the progress of reading.

use link_types::Sensitive;
use serde::{Deserialize, Serialize};

use super::link::Link;
use crate::clock::TenantTime;
use crate::digest::Digest32;
use crate::ports::SourceState;
use crate::sealed;
use crate::task::Task;

/// State of a connected account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// When the account first connected.
    pub connected_at: TenantTime,
    /// When the data is erased: 60 days later. Re-authorization does not move it.
    pub expires_at: TenantTime,
    /// Login name. `None` for a provider without a login.
    #[serde(with = "sealed::option")]
    pub login_name: Option<Sensitive>,
    /// Digest of the encrypted form that connected the account. `None` for a provider without a login.
    #[serde(default)]
    pub submitted: Option<Digest32>,
    /// Session state that the source stores for the login.
    pub source: SourceState,
    /// Progress of reading the data.
    pub reading: Reading,
    /// When a reading last returned data.
    #[serde(default)]
    pub read_at: Option<TenantTime>,
    /// Link that re-authorizes the account. The account stays connected meanwhile.
    pub relink: Option<Link>,
}

/// Progress of reading an account's data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reading {
    /// The source is being read. A job is scheduled for it.
    Running {
        /// Task that reports the reading.
        task: Task,
    },
    /// The last reading returned data.
    Done {},
    /// The last reading returned no data.
    Failed {},
}
