//! A hosted link as REST shows it.

use link_types::host::UiEventName;
use link_types::hosted_link;
use link_types::id::{AccountId, ArchiveId};

use super::HostedLink;

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

impl HostedLink {
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
