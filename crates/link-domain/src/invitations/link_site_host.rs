//! Own hosts of link sites: names of a tenant at which people open its link sites. The tenant proves each with a TXT record.

use link_types::id::{LinkSiteHostId, LinkSiteId};
use link_types::link_site_host::{self, LinkSiteHostStatus};

use crate::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use crate::kernel::domain_proof::DomainProof;
use crate::kernel::owner::Owner;

mod transition;

/// Maximum number of own hosts of a tenant's environment.
pub const HOSTS_LIMIT: usize = 10;
/// How many link sites an error names that have a host.
pub const NAMED_SITES: usize = 5;
/// The record that proves a host.
const PROOF: DomainProof = DomainProof::new("_linchpin-site", "linchpin-site=");

/// An own host of link sites, with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSiteHost {
    /// Identifier of the host.
    pub id: LinkSiteHostId,
    /// Tenant and environment of the host.
    pub owner: Owner,
    /// When the host was added.
    pub created_at: TenantTime,
    /// The host name, in lower-case ASCII, without a port.
    pub host: String,
    /// Random token that the record must have.
    pub token: String,
    /// When the host was last proven. `None` before that.
    pub proven_at: Option<Wall>,
}

/// Reason why a host cannot be added, proven or deleted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The text is not a host name with at least two labels.
    #[error("a host name without scheme, port and wildcard, for example apply.shop.example")]
    Host,
    /// The service has the name itself.
    #[error("a host name of yours: this one belongs to the service")]
    OfService,
    /// The environment has the host.
    #[error("You have this host already.")]
    Exists,
    /// The other environment of the tenant has proven the host.
    #[error("Your other environment has this host. Delete it there first.")]
    InOtherEnvironment,
    /// The environment has the maximum number of hosts.
    #[error("The limit of {HOSTS_LIMIT} hosts is reached. Delete one first.")]
    Limit,
    /// No TXT record has the token.
    #[error(
        "No TXT record with the name `recordName` has the text `recordText` yet. New records can take some hours to \
         appear. Try again later."
    )]
    NotFound,
    /// Link sites have the host. Contains at most [`NAMED_SITES`] of them.
    #[error("Link sites have this host: {}. Give them another one, or none, first.", list(.0))]
    InUse(Vec<LinkSiteId>),
}

fn list(sites: &[LinkSiteId]) -> String {
    sites.iter().map(LinkSiteId::as_str).collect::<Vec<_>>().join(", ")
}

/// Names that tenants cannot add as own hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReservedHosts {
    /// Name that tenants point their hosts to. Names below it are reserved, too.
    pub target: String,
    /// Names of the service itself, without ports.
    pub own: Vec<String>,
}

impl ReservedHosts {
    fn contains(&self, host: &str) -> bool {
        let is_below = host.strip_suffix(&self.target).is_some_and(|it| it.ends_with('.'));
        is_below || host == self.target || self.own.iter().any(|it| it == host)
    }
}

impl LinkSiteHost {
    /// Returns the name of the TXT record.
    pub fn record_name(&self) -> String {
        PROOF.record_name(&self.host)
    }

    /// Returns the text that the TXT record must have.
    pub fn record_text(&self) -> String {
        PROOF.record_text(&self.token)
    }

    /// Returns the host as REST shows it, with times of the tenant's clock. `target` is the name that tenants point their hosts
    /// to, if the service offers own hosts at present.
    pub fn view(self, target: Option<&str>, clock: ClockOffset) -> link_site_host::LinkSiteHost {
        let (record_name, record_text) = (self.record_name(), self.record_text());
        let is_proven = self.proven_at.is_some();
        link_site_host::LinkSiteHost {
            id: self.id,
            created_at: self.created_at.into(),
            host: self.host,
            status: if is_proven { LinkSiteHostStatus::Proven } else { LinkSiteHostStatus::Pending },
            record_name,
            record_text,
            cname_target: target.map(str::to_owned),
            proven_at: self.proven_at.map(|at| Now::new(at, clock).tenant().into()),
        }
    }
}

/// The addresses of link sites, which follow from the URL of the hosted pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUrls {
    hosted_url: String,
    /// Whether link sites can have own hosts.
    has_own_hosts: bool,
}

impl SiteUrls {
    /// Creates the addresses. `hosted_url` is an origin.
    pub fn new(hosted_url: &str, has_own_hosts: bool) -> Self {
        Self { hosted_url: hosted_url.to_owned(), has_own_hosts }
    }

    /// Returns the address of a link site, with the own host if it has one.
    pub fn address(&self, slug: &str, host: Option<&str>) -> String {
        match host.filter(|_| self.has_own_hosts) {
            Some(host) => format!("{}/s/{slug}", self.origin(host)),
            None => format!("{}/s/{slug}", self.hosted_url),
        }
    }

    /// Returns the origin of an own host, which has the scheme and the port of the hosted pages.
    pub fn origin(&self, host: &str) -> String {
        let (scheme, port) = self.scheme_and_port();
        format!("{scheme}://{host}{port}")
    }

    /// Returns whether link sites can have own hosts.
    pub const fn has_own_hosts(&self) -> bool {
        self.has_own_hosts
    }

    /// Returns the host of an origin that an own host would have.
    pub fn host_in<'o>(&self, origin: &'o str) -> Option<&'o str> {
        let (scheme, port) = self.scheme_and_port();
        let host = origin.strip_prefix(scheme)?.strip_prefix("://")?.strip_suffix(port)?;
        (!host.is_empty() && !host.contains([':', '/', '@'])).then_some(host)
    }

    fn scheme_and_port(&self) -> (&str, &str) {
        let (scheme, authority) = self.hosted_url.split_once("://").unwrap_or(("https", &self.hosted_url));
        let digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        match authority.rsplit_once(':') {
            Some((name, port)) if digits(port) => (scheme, authority.get(name.len()..).unwrap_or_default()),
            Some(_) | None => (scheme, ""),
        }
    }
}

#[cfg(test)]
mod tests;
