//! A hosted link as its pages read it.

use link_domain::invitations::hosted_link::HostedLink;
use link_domain::kernel::languages::Languages;
use link_domain::tenancy::logo::LogoSize;
use link_store::Reader;
use link_types::template::LinkTemplate;

use crate::http::extract::standing::check_tenant;
use crate::http::problem::ApiResult;

/// A hosted link with its link template.
pub(super) struct LinkPages {
    /// The hosted link.
    pub(super) link: HostedLink,
    /// The link template.
    pub(super) link_template: LinkTemplate,
    /// The sizes of the link template's logos.
    pub(super) logos: Vec<LogoSize>,
    /// The languages of the person, best first.
    pub(super) languages: Languages,
}

impl LinkPages {
    /// Reads the link template. `None` if the tenant deleted it.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        link: HostedLink,
        browser: Languages,
    ) -> ApiResult<Option<Self>> {
        check_tenant(reader, &link.owner)?;
        let found = reader.link_templates().get(&link.owner, &link.template_id)?;
        let Some(link_template) = found.map(|it| it.template) else { return Ok(None) };
        let logos = reader.logos().sizes(&link_template)?;
        let languages = link.languages(browser);
        Ok(Some(Self { link, link_template, logos, languages }))
    }
}
