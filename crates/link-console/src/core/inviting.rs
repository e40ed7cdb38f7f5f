//! The page that invites the people of a file: the choice, the check, the run and its result.

pub mod request;
mod respond;
#[cfg(test)]
mod tests;
mod transition;

use link_types::console::invite_files::{FileFault, FileResult, FileRow};
use link_types::id::{InviteTemplateId, LinkSiteId, LinkTemplateId};

use super::failure::Failure;
use super::loaded::Loaded;

/// Something to choose.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Named<I> {
    /// Identifier.
    pub id: I,
    /// Name.
    pub name: String,
}

/// A link site to choose.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedSite {
    /// Identifier.
    pub id: LinkSiteId,
    /// Name.
    pub name: String,
    /// Its link template.
    pub link_template_id: LinkTemplateId,
}

/// The file that the member chose, and what its people are invited with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InviteDraft {
    /// Invite template. Empty before the list is here.
    pub invite_template: String,
    /// Link template.
    pub link_template: String,
    /// Link site. Empty for none.
    pub site: String,
    /// Name of the file. Empty before one is chosen.
    pub file_name: String,
    /// The file, as a `data:` URL in base64.
    pub file: String,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The rows that are done.
    pub rows: Vec<FileRow>,
    /// Number of people in the file.
    pub total: u32,
    /// The next person. `None` at the end.
    pub next: Option<u32>,
    /// Whether a request is under way.
    pub is_sending: bool,
}

/// The state of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inviting {
    /// The invite templates to choose from.
    pub invite_templates: Loaded<Vec<Named<InviteTemplateId>>>,
    /// The link templates to choose from.
    pub link_templates: Loaded<Vec<Named<LinkTemplateId>>>,
    /// The link sites to choose from.
    pub sites: Loaded<Vec<NamedSite>>,
    /// The choices.
    pub draft: InviteDraft,
    /// Whether the file is too large for the service.
    pub is_too_large: bool,
    /// Whether a check is under way.
    pub is_checking: bool,
    /// Why the last check or run failed.
    pub failure: Option<Failure>,
    /// The result of the check. `None` before it, and after another choice.
    pub checked: Option<FileResult>,
    /// The run. `None` before it.
    pub run: Option<Run>,
}

/// Something that happened on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitingInput {
    /// The invite template was chosen.
    InviteTemplateChosen(String),
    /// The link template was chosen.
    LinkTemplateChosen(String),
    /// The link site was chosen.
    SiteChosen(String),
    /// A file was chosen: its name, and its content as a `data:` URL.
    FileChosen(String, String),
    /// The chosen file is too large.
    FileTooLarge,
    /// The member wants the file to be checked.
    CheckWanted,
    /// The member wants the people to be invited, or the run to continue.
    RunWanted,
}

impl Inviting {
    /// Returns whether everything is chosen that a check needs.
    pub fn is_ready(&self) -> bool {
        let draft = &self.draft;
        let chosen = [&draft.invite_template, &draft.link_template, &draft.file];
        let has_lists = matches!(
            (&self.invite_templates, &self.link_templates, &self.sites),
            (Loaded::Ready(_), Loaded::Ready(_), Loaded::Ready(_))
        );
        has_lists && chosen.iter().all(|it| !it.is_empty()) && !self.is_checking && !self.is_running()
    }

    /// Returns why one of the lists could not be loaded.
    pub fn list_failure(&self) -> Option<&Failure> {
        let (invites, links, sites) = (&self.invite_templates, &self.link_templates, &self.sites);
        invites.failure().or_else(|| links.failure()).or_else(|| sites.failure())
    }

    /// Returns whether a run is under way.
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|it| it.is_sending)
    }

    /// Returns how many people of the checked file are not invited yet.
    pub fn new_rows(&self) -> usize {
        let rows = self.checked.iter().flat_map(|it| &it.rows);
        rows.filter(|it| it.invite_id.is_none()).count()
    }

    /// Changes a choice: an earlier check is about another one.
    fn choose(&mut self, change: impl FnOnce(&mut InviteDraft)) {
        change(&mut self.draft);
        (self.checked, self.run, self.failure, self.is_too_large) = (None, None, None, false);
    }
}

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
