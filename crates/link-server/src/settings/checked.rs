//! The checked settings, and what follows from them.

use std::net::SocketAddr;
use std::path::PathBuf;

use link_connectors::networks::Networks;
use link_documents::SandboxPolicy;
use link_domain::documents::archive::UploadQuota;
use link_domain::notifications::mail::MailLimits;
use link_store::FileSettings;
use secrecy::SecretString;

use super::connections::ConnectionLimits;
use super::connector::Connector;
use super::database_url::DatabaseUrl;
use super::origin::{host_of, is_this_machine};

/// The checked settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether the service stores nothing on disk.
    pub ephemeral: bool,
    /// Folder of the database, the keys and the admin socket.
    pub data_dir: PathBuf,
    /// Folder of the keys: the data folder, or a folder that nodes with a common database share.
    pub keys_dir: PathBuf,
    /// Whether the service starts even if day keys are missing. The data that they protect is then lost.
    pub accept_lost_keys: bool,
    /// PostgreSQL's URL. `None` means SQLite in the data folder.
    pub database_url: Option<DatabaseUrl>,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// The service's URL as tenants and browsers see it, without a trailing slash.
    pub public_url: String,
    /// URL of the widget's scripts and frame as browsers see it, without a trailing slash.
    pub sdk_url: String,
    /// URL of invitation pages as browsers see it, without a trailing slash.
    pub hosted_url: String,
    /// URL of files and exports as browsers see it, without a trailing slash.
    pub files_url: String,
    /// The mail server. If `None`, mails are stored, sealed, with the files.
    pub smtp_url: Option<SecretString>,
    /// The sender address of invitations.
    pub mail_from: String,
    /// The address for abuse reports that mails contain.
    pub mail_abuse: String,
    /// Maximum number of mails that a tenant's environment may send in a UTC day.
    pub mails_per_tenant: std::num::NonZeroU32,
    /// Maximum number of mails to one address in a UTC day.
    pub mails_per_recipient: std::num::NonZeroU32,
    /// Accepted `Host` values.
    pub allowed_hosts: Vec<String>,
    /// Private networks that webhooks may reach.
    pub webhook_allow: Vec<String>,
    /// Proxies that are trusted to report the client's address.
    pub trusted_proxies: Networks,
    /// Limits on connections.
    pub connections: ConnectionLimits,
    /// Contact for reports of vulnerabilities, as a URI.
    pub security_contact: Option<String>,
    /// Lifetime of a link token in minutes.
    pub token_minutes: f64,
    /// Requests a second for each caller.
    pub rate_per_second: std::num::NonZeroU32,
    /// Requests at once for each caller.
    pub rate_burst: std::num::NonZeroU32,
    /// Requests a second for all API keys of a tenant's environment together, and the same for all its end users.
    pub tenant_rate_per_second: std::num::NonZeroU32,
    /// Requests at once for all API keys of a tenant's environment together, and the same for all its end users.
    pub tenant_rate_burst: std::num::NonZeroU32,
    /// Maximum number of waiting long polls.
    pub long_polls: std::num::NonZeroU32,
    /// Mean seconds before the first retry of a webhook delivery.
    pub resend_seconds: f64,
    /// Where uploaded files are stored.
    pub files: FileSettings,
    /// Maximum number of uploads, and of archives, that a user may start within 24 hours.
    pub upload_files: u32,
    /// Maximum size of uploads in megabytes that a user may start within 24 hours.
    pub upload_megabytes: u32,
    /// Whether the service reads documents if the sandbox is incomplete.
    pub document_sandbox: SandboxPolicy,
    /// Connectors to the operator's own providers.
    pub connectors: Vec<Connector>,
    /// How long a stop waits for running work, in seconds.
    pub drain_seconds: u64,
    /// Log filter.
    pub log: String,
}

/// A part of the service that shares its origin with another part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedOrigin {
    /// The widget shares the API's origin.
    Widget,
    /// Files and exports share the origin of the API, the widget or the invitation pages.
    Files,
}

impl SharedOrigin {
    /// Returns the advice that the operator gets at the start.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Widget => "The widget shares the API's host. Set --sdk-url to a separate host",
            Self::Files => "Files and exports share a host. Set --files-url to a separate host",
        }
    }
}

impl Settings {
    /// Returns the parts that share an origin with more rights than they need. Empty if only this machine can reach the
    /// service, as during development.
    pub fn shared_origins(&self) -> Vec<SharedOrigin> {
        if is_this_machine(&self.public_url) {
            return Vec::new();
        }
        let mut shared = Vec::new();
        if host_of(&self.sdk_url) == host_of(&self.public_url) {
            shared.push(SharedOrigin::Widget);
        }
        if self.files_host().is_none() {
            shared.push(SharedOrigin::Files);
        }
        shared
    }

    /// Returns the host that serves only files and exports, or `None` if they share one.
    pub fn files_host(&self) -> Option<String> {
        let files = host_of(&self.files_url);
        let others = [&self.public_url, &self.sdk_url, &self.hosted_url];
        others.iter().all(|it| host_of(it) != files).then_some(files)
    }

    /// Returns the `Host` value of the hosted pages, or `None` if they share it with the API.
    pub fn hosted_host(&self) -> Option<String> {
        let hosted = host_of(&self.hosted_url);
        (hosted != host_of(&self.public_url)).then_some(hosted)
    }

    /// Returns true if a page of ours can embed the widget, so that a step can continue on a phone. The widget needs a
    /// separate origin.
    pub fn may_hand_off(&self) -> bool {
        host_of(&self.hosted_url) != host_of(&self.sdk_url)
    }

    /// Returns true if browsers reach all pages and the API over TLS.
    pub fn is_https(&self) -> bool {
        [&self.public_url, &self.sdk_url, &self.hosted_url, &self.files_url]
            .iter()
            .all(|it| it.starts_with("https://"))
    }

    /// Returns the daily limits on mail.
    pub fn mail_limits(&self) -> MailLimits {
        MailLimits { per_tenant: self.mails_per_tenant.get(), per_recipient: self.mails_per_recipient.get() }
    }

    /// Returns a user's upload quota for 24 hours.
    pub fn upload_quota(&self) -> UploadQuota {
        UploadQuota { files: self.upload_files, bytes: u64::from(self.upload_megabytes) * 1_000_000 }
    }
}
