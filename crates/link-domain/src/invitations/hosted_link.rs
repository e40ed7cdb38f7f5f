//! A hosted link: a one-time address that opens the widget on a page of the service, and returns the person to the tenant.
//! Its visit has tokens and sessions like that of an invitation (ADR 244).

use std::time::Duration;

use link_types::Sensitive;
use link_types::host::UiEventName;
use link_types::hosted_link;
use link_types::hosted_link::HostedLinkStatus;
use link_types::id::{AccountId, ArchiveId, HostedLinkId, LinkSiteSessionId, LinkTemplateId, UserId};
use link_types::template::LinkTemplate;
use serde::{Deserialize, Serialize};

use super::visit::VISIT_LIFE;
use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::kernel::languages::Languages;
use crate::kernel::owner::Owner;

mod transition;

#[cfg(test)]
mod tests;

/// How long an address can be opened if the tenant sets nothing: 30 minutes.
pub const DEFAULT_LINK_LIFE: Duration = Duration::from_secs(30 * 60);
/// How long an address can be opened at most: 21 days.
pub const MAX_LINK_LIFE: Duration = Duration::from_secs(21 * 86_400);
/// How long after the opening an account of the visit completes the link: 1 day. Its provider may take longer than the visit.
const COMPLETION_TIME: Duration = Duration::from_secs(86_400);
/// How long a hosted link is kept after its end: 60 days.
pub const HOSTED_LINK_RETENTION: Duration = Duration::from_secs(60 * 86_400);

/// A hosted link. It contains no personal data, and of its address only the digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedLink {
    /// Identifier of the hosted link.
    pub id: HostedLinkId,
    /// Tenant and environment of the hosted link.
    pub owner: Owner,
    /// User who will own the account.
    pub user_id: UserId,
    /// Link template that configures the widget.
    pub template_id: LinkTemplateId,
    /// When the hosted link was created.
    pub created_at: TenantTime,
    /// When the hosted link last changed.
    pub updated_at: TenantTime,
    /// Version number that increases with every change.
    pub version: u32,
    /// Number of events emitted for this hosted link. It determines their order.
    pub event_count: u64,
    /// SHA-256 of the address's code, by which the store finds the hosted link.
    pub code_hash: Digest32,
    /// The visit, from the opening of the address on.
    pub visit_id: Option<LinkSiteSessionId>,
    /// Status of the hosted link.
    pub status: HostedLinkStatus,
    /// When the address was opened.
    pub opened_at: Option<TenantTime>,
    /// When the hosted link came to an end.
    pub ended_at: Option<TenantTime>,
    /// Terms that the tenant set. They do not change.
    pub terms: HostedLinkTerms,
}

/// Terms of a hosted link, which the tenant set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostedLinkTerms {
    /// Until when the address can be opened.
    pub expires_at: TenantTime,
    /// Address to which the person returns.
    pub redirect_url: Option<String>,
    /// Language of the page, as a BCP 47 tag.
    pub locale: Option<String>,
    /// Whether an app opens the address.
    pub is_mobile_app: bool,
}

/// User, link template and terms of a new hosted link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewHostedLink {
    /// Tenant and environment of the hosted link.
    pub owner: Owner,
    /// The tenant's own identifier of the person, for a user who does not exist yet.
    pub reference: Option<String>,
    /// Link template that configures the widget.
    pub template_id: LinkTemplateId,
    /// How long the address can be opened.
    pub life: Duration,
    /// Address to which the person returns.
    pub redirect_url: Option<String>,
    /// Language of the page, as a BCP 47 tag.
    pub locale: Option<String>,
    /// Whether an app opens the address.
    pub is_mobile_app: bool,
}

/// An input to a hosted link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostedLinkInput {
    /// The address was opened, and this visit began.
    Enter(LinkSiteSessionId),
    /// An account was linked, or documents were uploaded, in the visit.
    Complete,
    /// The person left the widget.
    Leave,
    /// The address, or the visit, may have expired.
    Lapse,
    /// The hosted link may have reached the end of its retention.
    Expire,
}

/// Reason why an input is illegal in the hosted link's state. The hosted link is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostedLinkError {
    /// The address was opened before.
    #[error("the address was already opened")]
    Used,
    /// The address has expired.
    #[error("the address has expired")]
    Expired,
    /// The input arrived before it was due.
    #[error("it is too early for this operation")]
    NotDue {
        /// When the input is due.
        due_at: TenantTime,
    },
}

impl HostedLink {
    /// Checks that the address can be opened now.
    ///
    /// # Errors
    /// [`HostedLinkError`] if not.
    pub fn check_open(&self, now: TenantTime) -> Result<(), HostedLinkError> {
        match self.status {
            HostedLinkStatus::Created if now < self.terms.expires_at => Ok(()),
            HostedLinkStatus::Expired if self.visit_id.is_none() => Err(HostedLinkError::Expired),
            HostedLinkStatus::Created => Err(HostedLinkError::Expired),
            HostedLinkStatus::Opened
            | HostedLinkStatus::Completed
            | HostedLinkStatus::Closed
            | HostedLinkStatus::Expired => Err(HostedLinkError::Used),
        }
    }

    /// Returns when the hosted link expires, if it does not come to an end before.
    fn lapses_at(&self) -> TenantTime {
        self.opened_at.map_or(self.terms.expires_at, |it| it + VISIT_LIFE)
    }

    /// Returns the languages of the person, best first: the hosted link's, and then those of the browser.
    pub fn languages(&self, browser: Languages) -> Languages {
        browser.preferring(self.terms.locale.as_deref())
    }

    /// Returns the address of the tenant with the outcome. `None` if there is none, or the link template no longer lists it.
    pub fn return_url(&self, template: &LinkTemplate) -> Option<String> {
        let url = self.terms.redirect_url.as_ref().filter(|it| template.redirect_urls.contains(it))?;
        let mark = if url.contains('?') { '&' } else { '?' };
        Some(format!("{url}{mark}linkSessionId={}&status={}", self.id, self.status))
    }

    /// Returns the hosted link as REST shows it.
    pub fn view(self, result: VisitResult) -> hosted_link::HostedLink {
        let VisitResult { accounts, archives, last_page } = result;
        hosted_link::HostedLink {
            id: self.id,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
            expires_at: self.terms.expires_at.into(),
            user_id: self.user_id,
            template_id: self.template_id,
            status: self.status,
            redirect_url: self.terms.redirect_url,
            locale: self.terms.locale,
            is_mobile_app: self.terms.is_mobile_app,
            opened_at: self.opened_at.map(Into::into),
            ended_at: self.ended_at.map(Into::into),
            link_site_session_id: self.visit_id,
            accounts,
            archives,
            last_page,
        }
    }
}

/// Returns the address with this code, under the base URL of the hosted pages.
pub fn address(hosted_url: &str, code: &Sensitive) -> String {
    format!("{hosted_url}/l/{}", code.expose())
}

/// Result of the visit of a hosted link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisitResult {
    /// Accounts that were made.
    pub accounts: Vec<AccountId>,
    /// Archives that were submitted.
    pub archives: Vec<ArchiveId>,
    /// Last page of the widget that opened.
    pub last_page: Option<UiEventName>,
}
