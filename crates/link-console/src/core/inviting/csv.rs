//! The result of a check or a run as CSV, for spreadsheets.

use link_types::console::invite_files::{FileFault, FileRow};

/// Returns a file with a line for each row and each fault. It has neither names nor addresses: the line says which row it is.
pub fn result_csv(rows: &[FileRow], faults: &[FileFault]) -> String {
    let mut text = String::from("\u{feff}");
    add(&mut text, ["line", "outcome", "inviteId", "column", "reason"]);
    for row in rows {
        let id = row.invite_id.as_ref().map(|it| it.as_str()).unwrap_or_default();
        add(&mut text, [&row.line.to_string(), row.outcome.as_str(), id, "", ""]);
    }
    for fault in faults {
        add(&mut text, [&fault.line.to_string(), "REFUSED", "", &fault.column, &fault.reason]);
    }
    text
}

fn add(text: &mut String, cells: [&str; 5]) {
    let quoted = cells.map(|cell| {
        // A spreadsheet runs a cell that begins like a formula. A column has its name from the member's file.
        let is_formula =
            cell.trim_start().starts_with(['=', '+', '-', '@']) || cell.starts_with(['\t', '\r', '\n']);
        let mark = if is_formula { "'" } else { "" };
        format!("\"{mark}{}\"", cell.replace('"', "\"\""))
    });
    text.push_str(&quoted.join(","));
    text.push_str("\r\n");
}
