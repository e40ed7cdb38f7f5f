//! Exports an account's data points as a file: PDF, CSV or JSON; and answers to forms as CSV.
//!
//! # Where to start
//!
//! 1. [`render`]: renders a [`Snapshot`] in a format.
//! 2. [`sheet`]: the contents of a PDF, before layout.
//! 3. [`kinds`]: what they show of each kind of data point.
//! 4. [`pdf`] and [`csv`]: the formats for people.

pub mod csv;
mod forms;
mod kinds;
mod pdf;
mod sheet;
mod snapshot;
mod words;

pub use forms::render as forms;
pub use snapshot::Snapshot;

use link_types::export::ExportFormat;

use self::snapshot::RenderError;

/// Renders an account. `payload` is the file for [`ExportFormat::Json`].
///
/// # Errors
/// [`RenderError`], which does not happen for data that the service itself stored.
pub fn render(format: ExportFormat, snapshot: &Snapshot, payload: Vec<u8>) -> Result<Vec<u8>, RenderError> {
    match format {
        ExportFormat::Json => Ok(payload),
        ExportFormat::Csv => csv::render(&snapshot.bodies),
        ExportFormat::Pdf => pdf::render(&sheet::build(snapshot)?),
    }
}
