//! An account's data points as a file: tables on pages, rows for a spreadsheet, or the payload itself.
//!
//! # Where to start
//!
//! 1. [`render`]: a [`Snapshot`] in a format.
//! 2. [`sheet`]: what a person reads, before it is laid out.
//! 3. [`pdf`] and [`csv`]: the two that are written for a person.

mod csv;
mod pdf;
mod renderings;
mod sheet;

pub use renderings::Renderings;

use std::collections::BTreeMap;

use link_types::account::Account;
use link_types::data::DataPointKind;
use link_types::export::ExportFormat;
use link_types::{Mode, Timestamp};

/// What of an account is rendered.
pub struct Snapshot {
    /// The environment: what is in the sandbox is invented, and a document says so.
    pub mode: Mode,
    /// The account as REST shows it.
    pub account: Account,
    /// The provider's name; its id when the source no longer knows it.
    pub provider_name: String,
    /// The bodies of every kind as they are stored, newest first.
    pub bodies: BTreeMap<DataPointKind, Vec<Vec<u8>>>,
    /// The moment of the export.
    pub at: Timestamp,
}

/// Why an account was not rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderFault {
    /// A stored body is not of its kind.
    #[error("a stored data point cannot be read")]
    Body(#[from] serde_json::Error),
    /// Rows could not be written.
    #[error("the rows cannot be written: {0}")]
    Rows(#[from] std::io::Error),
    /// Pages could not be written.
    #[error("the pages cannot be written")]
    Pages,
}

/// The file. `payload` is what [`ExportFormat::Json`] holds.
///
/// # Errors
/// [`RenderFault`]: none of them is to be expected of what the service itself stored.
pub fn render(format: ExportFormat, snapshot: &Snapshot, payload: Vec<u8>) -> Result<Vec<u8>, RenderFault> {
    match format {
        ExportFormat::Json => Ok(payload),
        ExportFormat::Csv => csv::render(&snapshot.bodies),
        ExportFormat::Pdf => pdf::render(&sheet::of(snapshot)?),
    }
}
