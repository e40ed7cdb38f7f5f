//! The requests of the page that invites people, and their responses.

use link_types::Mode;
use link_types::console::invite_files::FileResult;
use link_types::id::{InviteTemplateId, LinkTemplateId};
use link_types::list::MAX_SIZE;
use serde::Serialize;

use super::{InviteDraft, Named, NamedSite};
use crate::core::webhook_key::path_of;

/// A request of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitingRequest {
    /// List the invite templates.
    InviteTemplates,
    /// List the link templates.
    LinkTemplates,
    /// List the link sites.
    Sites,
    /// Check a file.
    Check(Box<InviteDraft>),
    /// Invite the people of a file from this one on.
    Run(Box<InviteDraft>, u32),
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitingResponse {
    /// Invite templates.
    InviteTemplates(Vec<Named<InviteTemplateId>>),
    /// Link templates.
    LinkTemplates(Vec<Named<LinkTemplateId>>),
    /// Link sites.
    Sites(Vec<NamedSite>),
    /// The result of a check or of a part of a run.
    Result(Box<FileResult>),
}

/// The body with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileBody<'d> {
    invite_template_id: &'d str,
    link_template_id: &'d str,
    link_site_id: Option<&'d str>,
    file: &'d str,
    from: u32,
}

impl InviteDraft {
    fn body(&self, from: u32) -> FileBody<'_> {
        FileBody {
            invite_template_id: &self.invite_template,
            link_template_id: &self.link_template,
            link_site_id: Some(self.site.as_str()).filter(|it| !it.is_empty()),
            file: &self.file,
            from,
        }
    }
}

impl InvitingRequest {
    /// Returns the method, the path below `/console/api`, and the body.
    pub fn parts(&self, mode: Mode) -> (&'static str, String, Option<FileBody<'_>>) {
        let (method, path, body) = match self {
            Self::InviteTemplates => ("GET", format!("inviteTemplates?size={MAX_SIZE}"), None),
            Self::LinkTemplates => ("GET", format!("linkTemplates?size={MAX_SIZE}"), None),
            Self::Sites => ("GET", format!("alpha/linkSites?size={MAX_SIZE}"), None),
            Self::Check(draft) => ("POST", "inviteFileChecks".to_owned(), Some(draft.body(0))),
            Self::Run(draft, from) => ("POST", "inviteFiles".to_owned(), Some(draft.body(*from))),
        };
        (method, format!("/{}/{path}", path_of(mode)), body)
    }
}
