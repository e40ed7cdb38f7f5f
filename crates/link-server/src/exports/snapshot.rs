//! The data to export, and the errors of rendering it.

use std::collections::BTreeMap;

use link_types::account::Account;
use link_types::data::DataPointKind;
use link_types::{Mode, Timestamp};

/// The data of an account at the time of the export.
pub struct Snapshot {
    /// The environment. A sandbox document states that its data is fictitious.
    pub mode: Mode,
    /// The account, as REST returns it.
    pub account: Account,
    /// The provider's name, or its id if the source no longer has the provider.
    pub provider_name: String,
    /// The stored bodies of every kind, newest first.
    pub bodies: BTreeMap<DataPointKind, Vec<Vec<u8>>>,
    /// The time of the export.
    pub at: Timestamp,
}

/// Reason why rendering failed.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A stored body does not match its kind.
    #[error("a stored data point cannot be read")]
    Body(#[from] serde_json::Error),
    /// Rows could not be written.
    #[error("the rows cannot be written: {0}")]
    Rows(#[from] std::io::Error),
    /// Pages could not be written.
    #[error("the pages cannot be written")]
    Pages,
}
