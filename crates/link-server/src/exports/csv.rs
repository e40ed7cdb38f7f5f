//! Rows for a spreadsheet: one a data point, the same columns for every kind, so that any program can read it
//! (RFC 4180). Cells that a spreadsheet would take for a formula are made text.

mod columns;
mod flat;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ::csv::{QuoteStyle, Terminator, WriterBuilder};
use link_types::data::DataPointKind;
use serde_json::Value;

use self::columns::COLUMNS;
use super::RenderFault;

/// A cell: text is guarded, a number of ours is not.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Text(String),
    Number(String),
}

/// Without it spreadsheets take UTF-8 for the letters of an older time.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The rows of every kind, newest first, under one line of headings.
///
/// # Errors
/// [`RenderFault`] when a stored body is no JSON, or the rows cannot be written.
pub(super) fn render(bodies: &BTreeMap<DataPointKind, Vec<Vec<u8>>>) -> Result<Vec<u8>, RenderFault> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .quote_style(QuoteStyle::Always)
        .from_writer(BYTE_ORDER_MARK.to_vec());
    writer.write_record(COLUMNS).map_err(std::io::Error::from)?;
    for kind in DataPointKind::ALL {
        for body in bodies.get(kind).into_iter().flatten() {
            let body: Value = serde_json::from_slice(body)?;
            for mut cells in flat::rows(*kind, &body) {
                let record =
                    COLUMNS.iter().map(|column| cells.remove(column).map(written).unwrap_or_default());
                writer.write_record(record).map_err(std::io::Error::from)?;
            }
        }
    }
    writer.into_inner().map_err(|error| RenderFault::Rows(error.into_error()))
}

/// A cell as it is written. Spreadsheets take some text for a formula, whatever quotes stand around it; with an
/// apostrophe before it, it is text to them.
fn written(cell: Cell) -> String {
    match cell {
        Cell::Number(number) => number,
        Cell::Text(text) if is_formula(&text) => format!("'{text}"),
        Cell::Text(text) => text,
    }
}

/// Whether a spreadsheet may take it for a formula: some look past what cannot be seen, some know the wide signs of
/// East Asian keyboards, and some begin a cell anew at a tab or a line break.
fn is_formula(text: &str) -> bool {
    let unseen = |it: char| {
        it.is_whitespace() || it.is_control() || matches!(it, '\u{200b}'..='\u{200f}' | '\u{feff}')
    };
    let signs = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(unseen).starts_with(signs)
}
