//! Link sites: hosted addresses with a form, the widget and an end page, which people open without an invitation.

use link_types::form_submission::LinkSiteForm;
use link_types::id::LinkSiteId;
use link_types::link_site::{self, LinkSiteAccess, LinkSiteStatus, LinkSiteStep};

pub use self::definition::{SiteError, SiteErrorKind, embedders, faults, redirects_to};
pub use self::transition::SiteEditError;
use crate::invitations::form_submission::FormTexts;
use crate::invitations::link_site_host::SiteUrls;
use crate::kernel::clock::TenantTime;
use crate::kernel::languages::Languages;
use crate::kernel::owner::Owner;
use crate::kernel::revision;

mod definition;
mod transition;

/// Maximum number of link sites per owner. Deleted ones do not count.
pub const LINK_SITES_LIMIT: u64 = 200;

/// A link site with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSite {
    /// Tenant and environment of the link site.
    pub owner: Owner,
    /// The link site as REST shows it, without its URL.
    pub site: link_site::LinkSite,
    /// Whether a visit has begun. The address of an opened site never becomes that of another site.
    pub is_opened: bool,
    /// Whether a visit has begun with the current version of the form. The version no longer changes then.
    pub is_version_used: bool,
    /// Number of versions of the form.
    pub versions: u32,
}

/// A version of a link site's form, with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSiteVersion {
    /// Tenant and environment of the link site.
    pub owner: Owner,
    /// The version as REST shows it.
    pub version: link_site::LinkSiteFormVersion,
}

/// Reason why a person cannot open a link site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteClosedError {
    /// The site is not public yet.
    #[error("the link site is a draft")]
    Draft,
    /// The tenant closed the site, or its time has passed.
    #[error("the link site is closed")]
    Closed,
    /// The site has its maximum number of submissions.
    #[error("the link site has all its submissions")]
    Full,
    /// Only people with an invitation can open the site.
    #[error("the link site needs an invitation")]
    InvitationOnly,
}

/// The steps that a person has done in a visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitProgress {
    /// Whether the form is submitted.
    pub is_submitted: bool,
    /// Whether an account is linked.
    pub is_linked: bool,
    /// Whether documents are uploaded.
    pub is_uploaded: bool,
}

impl LinkSite {
    /// Returns the link site as REST shows it.
    pub fn view(self, urls: &SiteUrls) -> link_site::LinkSite {
        let (url, revision) = (urls.address(&self.site.slug, self.site.host.as_deref()), self.revision());
        link_site::LinkSite { url, revision, ..self.site }
    }

    /// Returns the revision of the configuration: part of its digest.
    pub fn revision(&self) -> String {
        let site = link_site::LinkSite { submissions: 0, ..self.site.clone() };
        revision::digest(&site)
    }

    /// Checks that a change is about the configuration as it is.
    ///
    /// # Errors
    /// [`SiteEditError::Changed`] if it was changed since.
    pub fn check_revision(&self, revision: Option<&str>) -> Result<(), SiteEditError> {
        if revision.is_some_and(|it| it != self.revision()) { Err(SiteEditError::Changed) } else { Ok(()) }
    }

    /// Returns the identifier of the link site.
    pub const fn id(&self) -> &LinkSiteId {
        &self.site.id
    }

    /// Checks that a person can open the site now, without an invitation.
    ///
    /// # Errors
    /// [`SiteClosedError`] if not.
    pub fn check_open(&self, now: TenantTime) -> Result<(), SiteClosedError> {
        let closes_at = self.site.limits.closes_at;
        match self.site.status {
            LinkSiteStatus::Draft => Err(SiteClosedError::Draft),
            LinkSiteStatus::Closed => Err(SiteClosedError::Closed),
            LinkSiteStatus::Published if closes_at.is_some_and(|it| it <= now.into()) => {
                Err(SiteClosedError::Closed)
            }
            LinkSiteStatus::Published if self.is_full() => Err(SiteClosedError::Full),
            LinkSiteStatus::Published => match self.site.access {
                LinkSiteAccess::Open | LinkSiteAccess::ProvenEmail => Ok(()),
                LinkSiteAccess::Invitation => Err(SiteClosedError::InvitationOnly),
            },
        }
    }

    /// Checks that a person with an invitation can open the site now.
    ///
    /// # Errors
    /// [`SiteClosedError`] if not.
    pub fn check_open_to_invited(&self, now: TenantTime) -> Result<(), SiteClosedError> {
        match self.check_open(now) {
            Ok(()) | Err(SiteClosedError::InvitationOnly) => Ok(()),
            Err(closed) => Err(closed),
        }
    }

    /// Returns whether people without an invitation must prove an email address.
    pub const fn needs_proof(&self) -> bool {
        match self.site.access {
            LinkSiteAccess::ProvenEmail => true,
            LinkSiteAccess::Open | LinkSiteAccess::Invitation => false,
        }
    }

    /// Returns whether the site has its maximum number of submissions.
    pub fn is_full(&self) -> bool {
        self.site.limits.submissions.is_some_and(|it| self.site.submissions >= it)
    }

    /// Returns the texts of the pages in the best language.
    pub fn texts(&self, languages: &Languages) -> FormTexts<'_> {
        FormTexts::choose(&self.site.locale, &self.site.translations, languages)
    }
}

/// Returns the steps of the site of a link template, which has only a form.
pub const fn steps_of_template(form: Option<&LinkSiteForm>) -> &'static [LinkSiteStep] {
    match form {
        Some(_) => &[LinkSiteStep::Form, LinkSiteStep::Widget, LinkSiteStep::ThankYou],
        None => &[LinkSiteStep::Widget, LinkSiteStep::ThankYou],
    }
}

/// Returns the first step that the person has not done.
pub fn next_step(steps: &[LinkSiteStep], progress: VisitProgress) -> LinkSiteStep {
    let is_next = |step: &&LinkSiteStep| match step {
        LinkSiteStep::Form => !progress.is_submitted,
        LinkSiteStep::Widget => !progress.is_linked && !progress.is_uploaded,
        LinkSiteStep::ThankYou => true,
    };
    steps.iter().find(is_next).copied().unwrap_or(LinkSiteStep::ThankYou)
}

#[cfg(test)]
mod tests;
