//! A connected account: what the source remembers, and how far reading has come.

use link_types::Sensitive;
use serde::{Deserialize, Serialize};

use super::link::Link;
use crate::clock::TenantTime;
use crate::digest::Digest32;
use crate::ports::SourceState;
use crate::sealed;
use crate::task::Task;

/// What is known of a connected account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// When it first connected.
    pub connected_at: TenantTime,
    /// When its data goes: sixty days later. Re-authorization does not move it.
    pub expires_at: TenantTime,
    /// The login name; null for a provider without one.
    #[serde(with = "sealed::option")]
    pub login_name: Option<Sensitive>,
    /// The digest of the sealed form that connected it; null for a provider without a login.
    #[serde(default)]
    pub submitted: Option<Digest32>,
    /// What the source remembers of the login.
    pub source: SourceState,
    /// How far reading has come.
    pub reading: Reading,
    /// When a reading last brought data.
    #[serde(default)]
    pub read_at: Option<TenantTime>,
    /// A link that re-authorizes the account; the account stays connected meanwhile.
    pub relink: Option<Link>,
}

/// How far reading an account's data has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reading {
    /// The source reads; a job owes it.
    Running {
        /// The task that reports it.
        task: Task,
    },
    /// The last reading brought data.
    Done {},
    /// The last reading brought nothing.
    Failed {},
}
