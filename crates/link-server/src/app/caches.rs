//! The results that this process keeps, so that it need not compute, read or ask for them again.

use crate::adapters::openid::OpenIdProviders;
use crate::app::packed_pages::PackedPages;
use crate::app::site_hosts::SiteHosts;
use crate::http::validation::schema::PublishedSchemas;

/// The caches of this process.
pub struct Caches {
    /// The published schemas of request bodies.
    pub schemas: PublishedSchemas,
    /// The discovery documents of the OpenID providers of tenants, and the permits that limit concurrent look-ups.
    pub openid: OpenIdProviders,
    /// Own hosts of link sites that are proven.
    pub site_hosts: SiteHosts,
    /// Compressed pages of the frame.
    pub packed_pages: PackedPages,
}
