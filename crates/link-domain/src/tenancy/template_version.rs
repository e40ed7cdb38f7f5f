//! Versions of templates: what was saved, and when, so that a tenant can compare and restore.

use link_types::invite_template::InviteTemplate;
use link_types::template::{ConsentTemplate, LinkTemplate};
use link_types::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::kernel::owner::Owner;

/// Maximum number of versions that are kept of a template, the newest ones.
pub const MAX_VERSIONS: u32 = 20;

/// A template of any kind, as it was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplateBody {
    /// A link template. The URLs of its logos are paths.
    Link(Box<LinkTemplate>),
    /// A consent template.
    Consent(Box<ConsentTemplate>),
    /// An invite template.
    Invite(Box<InviteTemplate>),
}

/// A version of a template, with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateVersion {
    /// Tenant and environment of the template.
    pub owner: Owner,
    /// Number of the version, from 1.
    pub version: u32,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// The template as it was saved.
    pub body: TemplateBody,
}

impl TemplateBody {
    /// Returns the identifier of the template.
    pub fn id(&self) -> &str {
        match self {
            Self::Link(template) => template.id.as_str(),
            Self::Consent(template) => template.id.as_str(),
            Self::Invite(template) => template.id.as_str(),
        }
    }

    /// Returns when the template was created.
    fn created_at(&self) -> Timestamp {
        match self {
            Self::Link(template) => template.created_at,
            Self::Consent(template) => template.created_at,
            Self::Invite(template) => template.created_at,
        }
    }
}

/// Returns the versions that saving a template adds. `last` is the number of the newest version, 0 if none is kept.
///
/// The first save also adds the state before it, which the service itself may have created. A save that changes nothing
/// adds none.
pub fn versions_of_save(
    owner: &Owner,
    before: Option<TemplateBody>,
    after: TemplateBody,
    last: u32,
    now: Timestamp,
) -> Vec<TemplateVersion> {
    if before.as_ref() == Some(&after) {
        return Vec::new();
    }
    let first = before.filter(|_| last == 0).map(|body| (body.created_at(), body));
    let saved = first.into_iter().chain([(now, after)]);
    let numbered = (last + 1..).zip(saved);
    numbered
        .map(|(version, (saved_at, body))| TemplateVersion { owner: owner.clone(), version, saved_at, body })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::kernel::revision::{ChangedError, Revised as _};

    fn body(name: &str) -> TemplateBody {
        let (link, _) = fixture::templates();
        TemplateBody::Link(Box::new(LinkTemplate { name: name.to_owned(), ..link.template }))
    }

    fn save(before: Option<TemplateBody>, after: TemplateBody, last: u32) -> Vec<(u32, i64, TemplateBody)> {
        let (link, _) = fixture::templates();
        let saved = versions_of_save(&link.owner, before, after, last, Timestamp::from_micros(9));
        saved.into_iter().map(|it| (it.version, it.saved_at.as_micros(), it.body)).collect()
    }

    #[test]
    fn new_template_gets_its_first_version() {
        assert_eq!(save(None, body("Loans"), 0), [(1, 9, body("Loans"))]);
    }

    #[test]
    fn first_change_also_keeps_the_state_before_it() {
        let saved = save(Some(body("Default")), body("Loans"), 0);
        assert_eq!(saved, [(1, 0, body("Default")), (2, 9, body("Loans"))]);
    }

    #[test]
    fn later_change_adds_one_version() {
        assert_eq!(save(Some(body("Default")), body("Loans"), 4), [(5, 9, body("Loans"))]);
    }

    #[test]
    fn save_without_a_change_adds_no_version() {
        assert_eq!(save(Some(body("Loans")), body("Loans"), 4), []);
    }

    #[test]
    fn revision_of_a_template_follows_its_content() {
        let (link, _) = fixture::templates();
        let shown = link.template.clone().with_revision();
        assert_eq!(shown.revision, link.template.revision());
        assert_eq!(shown.check_revision(Some(&shown.revision)), Ok(()));
        assert_eq!(shown.check_revision(None), Ok(()));
        let edited = LinkTemplate { name: "Cars".into(), ..link.template };
        assert_eq!(edited.check_revision(Some(&shown.revision)), Err(ChangedError));
    }
}
