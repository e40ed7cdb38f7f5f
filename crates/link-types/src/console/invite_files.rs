//! Files with people to invite, in the portal.

use serde::{Deserialize, Serialize};

use crate::Sensitive;
use crate::id::{InviteId, InviteTemplateId, LinkSiteId, LinkTemplateId};

/// Maximum number of people that one request invites.
pub const MAX_INVITED_AT_ONCE: u32 = 50;
/// Maximum size of a file in bytes.
pub const MAX_FILE_BYTES: u32 = 1_048_576;

/// A file with people to invite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteFile {
    /// Invite template with the texts.
    pub invite_template_id: InviteTemplateId,
    /// Link template that configures the widget.
    pub link_template_id: LinkTemplateId,
    /// Link site whose steps people do.
    pub link_site_id: Option<LinkSiteId>,
    /// The file, as a `data:` URL in base64.
    pub file: Sensitive,
    /// The first person to invite, from 0. A check does not need it.
    #[serde(default)]
    pub from: u32,
}

words! {
    /// The outcome of a row.
    RowOutcome {
        /// It is not invited yet.
        New = "NEW",
        /// It was invited now.
        Invited = "INVITED",
        /// It was invited before.
        Known = "KNOWN",
    }
}

/// A row of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRow {
    /// Line on which the row begins, from 1.
    pub line: u32,
    /// Outcome.
    pub outcome: RowOutcome,
    /// The invitation, if there is one.
    pub invite_id: Option<InviteId>,
}

/// A fault of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileFault {
    /// Line on which the row begins, from 1.
    pub line: u32,
    /// Name of the column, or empty.
    pub column: String,
    /// Reason, for people.
    pub reason: String,
}

/// The result of a check, or of a part of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileResult {
    /// Number of people in the file.
    pub total: u32,
    /// Faults, at most 200. If there are any, no one is invited.
    pub faults: Vec<FileFault>,
    /// The rows that the request was about: all of a check, and at most 50 of a run.
    pub rows: Vec<FileRow>,
    /// The next person to invite, from 0. Null at the end, and in a check.
    pub next: Option<u32>,
}
