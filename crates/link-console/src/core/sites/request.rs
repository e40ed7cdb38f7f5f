//! The requests of the pages of link sites, and their responses.

use link_types::Mode;
use link_types::form_submission::Form;
use link_types::link_site::{LinkSite, LinkSiteStatus};
use link_types::list::{MAX_SIZE, Page};
use link_types::template::LinkTemplate;
use serde::Serialize;

use super::AnswerQuery;
use super::draft::SiteDraft;
use crate::core::request::Body;
use crate::core::webhook_key::{SiteKey, path_of};

/// A request about link sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteRequest {
    /// List the sites, from the start or from a cursor on.
    List(Option<String>),
    /// List the link templates to choose from.
    Templates,
    /// Read a site.
    Get(SiteKey),
    /// Create a site.
    Create(Box<SiteUpdate>),
    /// Change a site.
    Update(SiteKey, Box<SiteUpdate>),
    /// Close a site.
    Close(SiteKey, SiteClosing),
    /// Delete a site.
    Delete(SiteKey),
    /// List the answers on a site.
    Answers(SiteKey, AnswerQuery),
}

/// A draft to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUpdate {
    /// The draft.
    pub draft: SiteDraft,
    /// The next status, if it changes.
    pub status: Option<LinkSiteStatus>,
    /// The revision that the draft began with. `None` for a new site.
    pub revision: Option<String>,
}

/// The body that closes a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SiteClosing {
    /// The next status.
    pub status: LinkSiteStatus,
    /// The revision that the member sees.
    pub revision: String,
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteResponse {
    /// A page of sites.
    List(Page<LinkSite>),
    /// Link templates.
    Templates(Vec<LinkTemplate>),
    /// A site.
    Site(Box<LinkSite>),
    /// A page of answers.
    Answers(Page<Form>),
    /// Done.
    Done,
}

impl SiteRequest {
    /// Returns the method, the path below `/console/api`, and the body.
    pub fn parts(&self, mode: Mode) -> (&'static str, String, Body<'_>) {
        let body = |it: &SiteUpdate| Body::Site(Box::new(it.draft.body(it.status, it.revision.as_deref())));
        let (method, path, body) = match self {
            Self::List(None) => ("GET", "alpha/linkSites?size=25".to_owned(), Body::None),
            Self::List(Some(cursor)) => {
                ("GET", format!("alpha/linkSites?size=25&cursor={cursor}"), Body::None)
            }
            Self::Templates => ("GET", format!("linkTemplates?size={MAX_SIZE}"), Body::None),
            Self::Get(key) => ("GET", format!("alpha/linkSites/{key}"), Body::None),
            Self::Create(update) => ("POST", "alpha/linkSites".to_owned(), body(update)),
            Self::Update(key, update) => ("PATCH", format!("alpha/linkSites/{key}"), body(update)),
            Self::Close(key, closing) => {
                ("PATCH", format!("alpha/linkSites/{key}"), Body::SiteClosing(closing))
            }
            Self::Delete(key) => ("DELETE", format!("alpha/linkSites/{key}"), Body::None),
            Self::Answers(key, query) => {
                let query = query.text(&key.to_string());
                ("GET", format!("alpha/forms{query}&size=25"), Body::None)
            }
        };
        (method, format!("/{}/{path}", path_of(mode)), body)
    }
}
