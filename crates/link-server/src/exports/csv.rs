//! Renders CSV (RFC 4180) for spreadsheets and programs. All kinds of data points have the same columns. Cells that a
//! spreadsheet would interpret as a formula are escaped.

mod flat;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ::csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use link_types::data::DataPointKind;
use serde_json::Value;

use super::kinds::COLUMNS;
use super::snapshot::RenderError;

/// A cell. Text is escaped if it looks like a formula; numbers never are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Text(String),
    Number(String),
}

/// Makes spreadsheets read the file as UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Renders the rows of all kinds, newest first, under one row of headings.
///
/// # Errors
/// [`RenderError`] if a stored body is not JSON, or the rows cannot be written.
pub(super) fn render(bodies: &BTreeMap<DataPointKind, Vec<Vec<u8>>>) -> Result<Vec<u8>, RenderError> {
    let mut writer = writer();
    writer.write_record(COLUMNS).map_err(std::io::Error::from)?;
    for kind in DataPointKind::ALL {
        for body in bodies.get(kind).into_iter().flatten() {
            let body: Value = serde_json::from_slice(body)?;
            for mut cells in flat::rows(*kind, &body) {
                let record =
                    COLUMNS.iter().map(|column| cells.remove(column).map(format_cell).unwrap_or_default());
                writer.write_record(record).map_err(std::io::Error::from)?;
            }
        }
    }
    writer.into_inner().map_err(|error| RenderError::Rows(error.into_error()))
}

/// Creates a writer of rows, with every cell in quotes.
pub(super) fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .quote_style(QuoteStyle::Always)
        .from_writer(BYTE_ORDER_MARK.to_vec())
}

/// Renders rows of text under a row of headings.
///
/// # Errors
/// [`RenderError`] if the rows cannot be written.
pub fn table<const N: usize>(
    headings: &[&str; N],
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<Vec<u8>, RenderError> {
    let mut writer = writer();
    writer.write_record(headings).map_err(std::io::Error::from)?;
    for row in rows {
        writer
            .write_record(row.into_iter().map(|it| format_cell(Cell::Text(it))))
            .map_err(std::io::Error::from)?;
    }
    writer.into_inner().map_err(|error| RenderError::Rows(error.into_error()))
}

/// Formats a cell. Spreadsheets interpret some text as a formula even in quotes. An apostrophe before it prevents that.
pub(super) fn format_cell(cell: Cell) -> String {
    match cell {
        Cell::Number(number) => number,
        Cell::Text(text) if is_formula(&text) => format!("'{text}"),
        Cell::Text(text) => text,
    }
}

/// Returns true if a spreadsheet may interpret a text as a formula. Some ignore leading invisible characters, some
/// accept the full-width signs of East Asian keyboards, and some start a new cell at a tab or line break.
fn is_formula(text: &str) -> bool {
    let invisible = |it: char| {
        it.is_whitespace() || it.is_control() || matches!(it, '\u{200b}'..='\u{200f}' | '\u{feff}')
    };
    let signs = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(invisible).starts_with(signs)
}
