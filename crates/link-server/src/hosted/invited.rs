//! An invitation, as its pages show it.

use link_domain::invitations::invite::{Invite, InviteTexts, Variables, texts_for};
use link_domain::invitations::link_site::LinkSite;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::tenancy::logo::LogoSize;
use link_domain::tenancy::template::LinkTemplate;
use link_store::{Reader, StoreError, Tx};
use link_types::invite_template::InviteTemplate;

use super::page::{Look, Passage};
use super::visitor::{Browser, count};
use crate::app::App;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// An invitation with its templates.
pub(super) struct Invited {
    /// The invitation, which is not revoked.
    pub(super) invite: Invite,
    /// The invite template with the texts.
    pub(super) template: InviteTemplate,
    /// The link template. `None` if the tenant deleted it.
    pub(super) link_template: Option<LinkTemplate>,
    /// The sizes of the link template's logos.
    pub(super) logos: Vec<LogoSize>,
    /// The link site with the steps. `None` for those of the link template.
    pub(super) site: Option<LinkSite>,
    /// The languages of the person, best first.
    pub(super) languages: Languages,
}

impl Invited {
    /// Finds the invitation by its link's code. Counts unknown codes against the limit of the caller's network.
    pub(super) async fn by_code(
        app: &App,
        code: &str,
        network: Network,
        browser: &Browser,
    ) -> ApiResult<Option<Self>> {
        let (hash, browser) = (Digest32::from_text(code), browser.languages.clone());
        let found = app
            .store
            .read(move |reader| -> ApiResult<_> {
                let Some((owner, id)) = reader.invites().by_code(&hash)? else { return Ok(None) };
                let Some(invite) = reader.invites().get(&owner, &id)? else { return Ok(None) };
                Self::read(reader, invite, browser)
            })
            .await?;
        match &found {
            Some(found) => count(app, &found.invite.owner, found.invite.id.as_str())?,
            None => network.count(app)?,
        }
        Ok(found)
    }

    /// Finds and locks the invitation by its link's code. It may be revoked.
    pub(super) fn lock_by_code(tx: &mut Tx<'_>, code: &Digest32) -> Result<Option<Invite>, StoreError> {
        let Some((owner, id)) = tx.invites().by_code(code)? else { return Ok(None) };
        tx.invites().get(&owner, &id)
    }

    pub(super) fn read(
        reader: &mut Reader<'_>,
        invite: Invite,
        browser: Languages,
    ) -> ApiResult<Option<Self>> {
        if invite.details.is_none() {
            return Ok(None);
        }
        check_tenant(reader, &invite.owner)?;
        let template = reader.invite_templates().get_kept(&invite.owner, &invite.invite_template_id)?;
        let link_template = reader.link_templates().get(&invite.owner, &invite.link_template_id)?;
        let logos = match &link_template {
            Some(found) => reader.logos().sizes(&found.template)?,
            None => Vec::new(),
        };
        let site = match &invite.link_site_id {
            Some(id) => {
                let Some(site) = reader.link_sites().get(&invite.owner, id)? else { return Ok(None) };
                Some(site)
            }
            None => None,
        };
        let languages = invite.languages(browser);
        Ok(template.map(|it| Self { invite, template: it.template, link_template, logos, site, languages }))
    }

    /// Returns the tenant's texts in the best language for the person.
    pub(super) fn texts(&self) -> InviteTexts<'_> {
        texts_for(&self.template, &self.languages)
    }

    /// Returns one of the tenant's texts for a page, with its variables filled in.
    pub(super) fn passage(
        &self,
        look: &Look,
        pick: impl for<'a> FnOnce(InviteTexts<'a>) -> &'a str,
    ) -> Passage {
        let texts = self.texts();
        let full_name = self.invite.details.as_ref().map_or("", |it| it.full_name.expose());
        let variables =
            Variables { company_name: &self.template.company.name, full_name, locale: texts.locale };
        Passage::of_tenant(variables.fill(pick(texts)), texts.locale, look.locale())
    }

    /// Returns the branding of the invitation's pages.
    pub(super) fn look(&self, app: &App) -> Look {
        Look::for_invitation(app, self)
    }
}
