//! The checks of a link site that need the database.

use link_domain::invitations::link_site::{self, LinkSite as OwnedSite, SiteError, SiteErrorKind};
use link_domain::invitations::link_site_host::SiteUrls;
use link_domain::kernel::domain_proof::check_domain;
use link_domain::kernel::owner::Owner;
use link_store::Tx;
use link_types::link_site::LinkSite;
use link_types::problem::FaultCode;

use crate::http::problem::{ApiResult, Problem, fault};

/// Checks a link site: its references must exist, its slug must be free, and its parts must be valid.
pub(super) fn check(
    tx: &mut Tx<'_>,
    (owner, urls): (&Owner, &SiteUrls),
    before: Option<&OwnedSite>,
    site: &LinkSite,
) -> ApiResult<()> {
    let template = tx.link_templates().get_to_cite(owner, &site.link_template_id)?;
    let mut faults = Vec::new();
    if before.is_none_or(|it| it.site.slug != site.slug) && tx.link_sites().slug_is_taken(&site.slug)? {
        faults.push(fault(
            "slug",
            FaultCode::Invalid,
            "not the slug of another link site, also a deleted one",
        ));
    }
    if template.is_none() && before.is_none_or(|it| it.site.link_template_id != site.link_template_id) {
        faults.push(fault("linkTemplateId", FaultCode::Invalid, "a link template of this environment"));
    }
    if let Some(host) = &site.host
        && before.is_none_or(|it| it.site.host.as_ref() != Some(host))
        && !urls.has_own_hosts()
    {
        faults.push(fault("host", FaultCode::Invalid, "no host: this service does not offer own hosts"));
    } else if let Some(host) = &site.host
        && !tx.link_site_hosts().is_proven(owner, host)?
    {
        let expected = "one of the linkSiteHosts of this environment, proven";
        faults.push(fault("host", FaultCode::Invalid, expected));
    }
    let before = before.map(|it| &it.site);
    let of_parts = link_site::faults(site, before, template.as_ref());
    faults.extend(of_parts.into_iter().map(|SiteError { path, kind }| {
        let is_missing = matches!(kind, SiteErrorKind::FormMissing);
        let code = if is_missing { FaultCode::Missing } else { FaultCode::Invalid };
        fault(path, code, kind.to_string())
    }));
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}

/// Returns a host as it is stored. An empty text removes it. One that is not a host name stays as it is, and `check` reports it.
pub(super) fn normalize_host(text: String) -> Option<String> {
    let host = check_domain(&text).unwrap_or(text);
    (!host.trim().is_empty()).then_some(host)
}
