//! The URLs of the service's parts, and the hosts that it accepts.

use std::net::SocketAddr;

use super::error::Faults;
use super::origin::{host_of, origin, other_name};

/// The URLs as configured. An absent value has a default.
pub(super) struct UrlInput {
    pub(super) public: Option<String>,
    pub(super) sdk: Option<String>,
    pub(super) hosted: Option<String>,
    pub(super) files: Option<String>,
    pub(super) allowed_hosts: Option<Vec<String>>,
}

/// The checked URLs, without a trailing slash.
pub(super) struct Urls {
    pub(super) public: String,
    pub(super) sdk: String,
    pub(super) hosted: String,
    pub(super) files: String,
    /// The accepted `Host` values: the configured ones, and those of the URLs.
    pub(super) allowed_hosts: Vec<String>,
}

impl UrlInput {
    pub(super) fn settle(self, listen: SocketAddr, faults: &mut Faults) -> Urls {
        let own = format!("http://localhost:{}", listen.port());
        let public = self.public.unwrap_or_else(|| own.clone());
        let public = faults.or(origin("public-url", &public), own);
        let sdk = match self.sdk {
            Some(url) => faults.or(origin("sdk-url", &url), public.clone()),
            None => public.clone(),
        };
        let hosted = match self.hosted {
            Some(url) => faults.or(origin("hosted-url", &url), public.clone()),
            None if public != sdk => public.clone(),
            None => other_name(&public),
        };
        let files = match self.files {
            Some(url) => faults.or(origin("files-url", &url), public.clone()),
            None => public.clone(),
        };
        let mut allowed_hosts = self.allowed_hosts.unwrap_or_default();
        allowed_hosts.extend([&public, &sdk, &hosted, &files].map(|it| host_of(it)));
        allowed_hosts.push(listen.to_string());
        if listen.ip().is_loopback() {
            allowed_hosts.push(format!("localhost:{}", listen.port()));
        }
        Urls { public, sdk, hosted, files, allowed_hosts }
    }
}
