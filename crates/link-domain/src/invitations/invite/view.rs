//! An invitation as REST shows it.

use link_types::Sensitive;
use link_types::invite;

use super::landing_address;
use super::{Invite, InviteDetails};

impl Invite {
    /// Returns the invitation as REST shows it. `hosted_url` is the base URL of the hosted pages.
    pub fn view(&self, hosted_url: &str) -> invite::Invite {
        let details = self.details.as_ref();
        let of = |pick: fn(&InviteDetails) -> Option<&Sensitive>| {
            details.and_then(pick).map(|text| text.expose().to_owned())
        };
        let progress = &self.progress;
        let is_open = !progress.link_used && self.completion().is_none();
        invite::Invite {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            full_name: of(|it| Some(&it.full_name)),
            first_name: of(|it| it.first_name.as_ref()),
            last_name: of(|it| it.last_name.as_ref()),
            email_address: of(|it| Some(&it.email_address)),
            locale: details.and_then(|it| it.locale.clone()),
            invite_template_id: self.invite_template_id.clone(),
            link_template_id: self.link_template_id.clone(),
            link_site_id: self.link_site_id.clone(),
            user_id: self.user_id.clone(),
            status: progress.status,
            invited_at: progress.invited_at.map(Into::into),
            linked_at: progress.linked_at.map(Into::into),
            uploaded_at: progress.uploaded_at.map(Into::into),
            link_site_session_id: self.visit_id.clone(),
            updated_at: self.updated_at.into(),
            landing_page_url: details.filter(|_| is_open).map(|it| landing_address(hosted_url, &it.code)),
            mail_error: progress.mail_error,
            mail_error_message: progress.mail_error.map(|it| it.message().to_owned()),
            logs: progress.logs.clone(),
        }
    }
}
