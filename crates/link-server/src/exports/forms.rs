//! Renders answers to forms as CSV: one row for each form, and one column for each field of any of them.

use std::collections::BTreeSet;

use link_types::form_submission::{Form, FormAnswer};

use super::csv::{Cell, format_cell, writer};
use super::snapshot::RenderError;

/// The columns before those of the answers, whose names begin with `data.`.
const COLUMNS: [&str; 11] = [
    "id",
    "createdAt",
    "status",
    "submittedAt",
    "name",
    "userId",
    "linkSiteId",
    "linkSiteSessionId",
    "formVersion",
    "reference",
    "provenEmail",
];

/// Renders forms in their order, under one row of headings.
///
/// # Errors
/// [`RenderError`] if the rows cannot be written.
pub fn render(forms: &[Form]) -> Result<Vec<u8>, RenderError> {
    let names: BTreeSet<&String> = forms.iter().flat_map(|it| it.data.keys()).collect();
    let mut writer = writer();
    let headings =
        COLUMNS.iter().map(|it| (*it).to_owned()).chain(names.iter().map(|it| format!("data.{it}")));
    writer.write_record(headings).map_err(std::io::Error::from)?;
    for form in forms {
        let text = |text: Option<String>| Cell::Text(text.unwrap_or_default());
        let cells = [
            text(Some(form.id.to_string())),
            text(Some(form.created_at.to_string())),
            text(Some(form.status.to_string())),
            text(form.submitted_at.map(|it| it.to_string())),
            text(form.name.clone()),
            text(Some(form.user_id.to_string())),
            text(Some(form.link_site_id.to_string())),
            text(Some(form.link_site_session_id.to_string())),
            Cell::Number(form.form_version.map(|it| it.to_string()).unwrap_or_default()),
            text(Some(form.reference.clone())),
            text(form.proven_email.clone()),
        ];
        let answers = names.iter().map(|name| text(form.data.get(*name).map(answer)));
        writer
            .write_record(cells.into_iter().chain(answers).map(format_cell))
            .map_err(std::io::Error::from)?;
    }
    writer.into_inner().map_err(|error| RenderError::Rows(error.into_error()))
}

fn answer(answer: &FormAnswer) -> String {
    match answer {
        FormAnswer::Text(text) => text.clone(),
        FormAnswer::Ticked(is_ticked) => is_ticked.to_string(),
        FormAnswer::Chosen(chosen) => chosen.join("; "),
        FormAnswer::Unanswered => String::new(),
    }
}
