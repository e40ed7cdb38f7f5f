//! Creating, changing, opening and deleting a link site.

use link_types::link_site::{self, LinkSiteFormVersion, LinkSiteStatus};

use super::{LinkSite, LinkSiteVersion, SiteClosedError};
use crate::change::{Change, Deletion, Row};
use crate::kernel::owner::Owner;

/// Reason why a link site cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteEditError {
    /// The site is not as the change expects it.
    #[error("The link site was changed since you read it. Read it again, and repeat your change.")]
    Changed,
    /// People have the address of the site.
    #[error("People have opened this address, so it cannot change. Create another link site.")]
    SlugOpened,
    /// People have opened the site.
    #[error("People have opened this link site, so it cannot become a draft again. Close it.")]
    DraftOpened,
}

impl LinkSite {
    /// Creates a link site.
    pub fn create(owner: Owner, site: link_site::LinkSite) -> (Self, Change) {
        let form = site.form.is_some();
        let site = link_site::LinkSite { form_version: form.then_some(1), submissions: 0, ..site };
        let made = Self { owner, site, is_opened: false, is_version_used: false, versions: u32::from(form) };
        let change = made.write_rows(true);
        (made, change)
    }

    /// Replaces the configuration of the site. A form that people have opened becomes another version.
    ///
    /// # Errors
    /// [`SiteEditError`] if people have opened the site, and the part cannot change any more.
    pub fn edit(self, site: link_site::LinkSite) -> Result<(Self, Change), SiteEditError> {
        if self.is_opened && site.slug != self.site.slug {
            return Err(SiteEditError::SlugOpened);
        }
        if self.is_opened && site.status == LinkSiteStatus::Draft {
            return Err(SiteEditError::DraftOpened);
        }
        let is_new_form = site.form.is_some() && site.form != self.site.form;
        let is_new_version = is_new_form && (self.is_version_used || self.site.form.is_none());
        let versions = self.versions + u32::from(is_new_version);
        let site = link_site::LinkSite {
            form_version: site.form.is_some().then_some(versions),
            submissions: self.site.submissions,
            ..site
        };
        let is_version_used = self.is_version_used && !is_new_version;
        let edited = Self { site, is_version_used, versions, ..self };
        let change = edited.write_rows(is_new_form);
        Ok((edited, change))
    }

    fn write_rows(&self, with_form: bool) -> Change {
        let mut rows = vec![Row::LinkSite(Box::new(self.clone()))];
        if let (true, Some(form), Some(version)) = (with_form, &self.site.form, self.site.form_version) {
            let link_site_id = self.site.id.clone();
            let version = LinkSiteFormVersion { link_site_id, version, form: form.clone() };
            rows.push(Row::LinkSiteVersion(Box::new(LinkSiteVersion { owner: self.owner.clone(), version })));
        }
        Change { rows, ..Change::default() }
    }

    /// Records that a visit began. Writes nothing if the site and the version of its form were opened before.
    pub fn record_visit(self) -> Change {
        if self.is_opened && self.is_version_used {
            return Change::default();
        }
        Change::row(Row::LinkSite(Box::new(Self { is_opened: true, is_version_used: true, ..self })))
    }

    /// Records that a form was submitted.
    ///
    /// # Errors
    /// [`SiteClosedError::Full`] if the site has its maximum number of submissions.
    pub fn record_submission(mut self) -> Result<Change, SiteClosedError> {
        if self.is_full() {
            return Err(SiteClosedError::Full);
        }
        self.site.submissions = self.site.submissions.saturating_add(1);
        Ok(Change::row(Row::LinkSite(Box::new(self))))
    }

    /// Deletes the site. If people have opened it, its slug stays reserved and the versions of its form stay readable.
    pub fn delete(self) -> Change {
        let deletion = Deletion::LinkSite { id: self.site.id, is_kept: self.is_opened };
        Change { deletions: vec![deletion], ..Change::default() }
    }
}
