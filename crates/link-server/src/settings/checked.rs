//! The checked settings, and what follows from them.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use link_connectors::mail::{Address, SmtpMailer};
use link_connectors::networks::Networks;
use link_documents::SandboxPolicy;
use link_domain::documents::archive::UploadQuota;
use link_domain::invitations::link_site_host::{ReservedHosts, SiteUrls};
use link_domain::kernel::master_key_source::MasterKeySource;
use link_domain::notifications::mail::MailLimits;
use link_domain::notifications::webhook::RegistrationRules;
use link_store::{FileSettings, S3Settings};
use secrecy::{ExposeSecret as _, SecretString};

use super::backups::BackupSettings;
use super::connector::Connector;
use super::input::SettingsInput;
use super::live::Live;
use super::urls::{DatabaseUrl, host_of, is_this_machine, lets_members_sign_in, without_port};
use super::{SettingsError, SettingsErrors};

/// The checked settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether the service stores nothing on disk.
    pub ephemeral: bool,
    /// Folder of the database, the keys and the admin socket.
    pub data_dir: PathBuf,
    /// Folder of the keys: the data folder, or a folder that nodes with a common database share.
    pub keys_dir: PathBuf,
    /// The source of the master key.
    pub master_key: Arc<dyn MasterKeySource>,
    /// Whether the service starts even if day keys are missing. The data that they protect is then lost.
    pub accept_lost_keys: bool,
    /// PostgreSQL's URL. `None` means SQLite in the data folder.
    pub database_url: Option<DatabaseUrl>,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// The service's URL as tenants and browsers see it, without a trailing slash.
    pub public_url: String,
    /// Base URL of the API that tenants write into their code, without a trailing slash. With several cells, it leads to all of
    /// them, and `public_url` to this one.
    pub api_url: String,
    /// URL of the widget's scripts and frame as browsers see it, without a trailing slash.
    pub sdk_url: String,
    /// URL of invitation pages as browsers see it, without a trailing slash.
    pub hosted_url: String,
    /// Name that tenants point the own hosts of their link sites to. If `None`, they cannot add hosts.
    pub site_host_target: Option<String>,
    /// URL of files and exports as browsers see it, without a trailing slash.
    pub files_url: String,
    /// URL of the developer portal as browsers see it, without a trailing slash.
    pub console_url: String,
    /// The mail server. If `None`, mails are stored, sealed, with the files.
    pub smtp_url: Option<SecretString>,
    /// The sender address of invitations.
    pub mail_from: String,
    /// The address for abuse reports that mails contain.
    pub mail_abuse: String,
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
    /// The settings that a reload changes.
    pub live: Live,
    /// Address of the listener for metrics. `None` if there is none.
    pub metrics_listen: Option<std::net::SocketAddr>,
    /// Number of days for which events of the audit log are kept.
    pub audit_days: std::num::NonZeroU32,
    /// Where uploaded files are stored.
    pub files: FileSettings,
    /// The backups that the service writes. `None` if it writes none.
    pub backups: Option<BackupSettings>,
    /// Whether the service reads documents if the sandbox is incomplete.
    pub document_sandbox: SandboxPolicy,
    /// Connectors to the operator's own providers.
    pub connectors: Vec<Connector>,
    /// How long a stop waits for running work, in seconds.
    pub drain_seconds: u64,
    /// How long a start waits for a database that is away, in seconds.
    pub database_wait_seconds: u64,
    /// Log filter.
    pub log: String,
    /// The settings as configured, with those of the file.
    pub(super) given: Arc<SettingsInput>,
    /// The settings of the file alone.
    pub(super) file: Arc<SettingsInput>,
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
    /// Returns the lifetime of a link token.
    pub fn token_life(&self) -> Duration {
        Duration::from_secs_f64(self.live.now().token_minutes * 60.0)
    }

    /// Returns the names of settings whose value in `new`, as configured, only a restart applies.
    pub fn awaiting_restart(&self, new: &Self) -> Vec<String> {
        let mut names = self.given.differences(&new.given);
        let live = self.live.now();
        names.retain(|name| name != "log" && !live.contains(name));
        names
    }

    /// Returns the names of settings that differ in the file of `new`, without effect: a flag or variable goes before each.
    pub fn list_overridden(&self, new: &Self) -> Vec<String> {
        let effective = self.given.differences(&new.given);
        let mut names = self.file.differences(&new.file);
        names.retain(|name| !effective.contains(name));
        names
    }

    /// Returns the rules for webhook URLs.
    pub fn registration_rules(&self) -> RegistrationRules {
        RegistrationRules { sandbox_http: true }
    }

    /// Returns the parts that share an origin with more rights than they need. Empty if only this machine can reach the
    /// service, as during development.
    pub fn shared_origins(&self) -> Vec<SharedOrigin> {
        if is_this_machine(&self.public_url) {
            return Vec::new();
        }
        let mut shared = Vec::new();
        if [&self.public_url, &self.api_url].iter().any(|it| host_of(it) == host_of(&self.sdk_url)) {
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
        let others = [&self.public_url, &self.api_url, &self.sdk_url, &self.hosted_url, &self.console_url];
        others.iter().all(|it| host_of(it) != files).then_some(files)
    }

    /// Returns the only host that serves the developer portal. `None` if the portal is off, because members could not sign
    /// in.
    pub fn console_host(&self) -> Option<String> {
        lets_members_sign_in(&self.console_url).then(|| host_of(&self.console_url))
    }

    /// Returns whether the host of the developer portal serves nothing else.
    pub fn has_separate_console(&self) -> bool {
        let others = [&self.public_url, &self.api_url, &self.sdk_url, &self.hosted_url, &self.files_url];
        others.iter().all(|it| host_of(it) != host_of(&self.console_url))
    }

    /// Returns the `Host` value of the hosted pages, or `None` if they share it with the API.
    pub fn hosted_host(&self) -> Option<String> {
        let hosted = host_of(&self.hosted_url);
        (hosted != host_of(&self.public_url)).then_some(hosted)
    }

    /// Returns the addresses of link sites.
    pub fn site_urls(&self) -> SiteUrls {
        SiteUrls::new(&self.hosted_url, self.site_host_target.is_some())
    }

    /// Returns the names that tenants cannot add as own hosts, or `None` if they can add no hosts.
    pub fn reserved_hosts(&self) -> Option<ReservedHosts> {
        let target = self.site_host_target.clone()?;
        let own = self.allowed_hosts.iter().map(|it| without_port(it).to_owned()).collect();
        Some(ReservedHosts { target, own })
    }

    /// Returns true if a page of ours can embed the widget, so that a step can continue on a phone. The widget needs a
    /// separate origin.
    pub fn may_hand_off(&self) -> bool {
        host_of(&self.hosted_url) != host_of(&self.sdk_url)
    }

    /// Returns true if browsers reach all pages and the API over TLS.
    pub fn is_https(&self) -> bool {
        let (public, api) = (&self.public_url, &self.api_url);
        [public, api, &self.sdk_url, &self.hosted_url, &self.files_url, &self.console_url]
            .iter()
            .all(|it| it.starts_with("https://"))
    }

    /// Returns the daily limits on mail.
    pub fn mail_limits(&self) -> MailLimits {
        let live = self.live.now();
        MailLimits { per_tenant: live.mails_per_tenant.get(), per_recipient: live.mails_per_recipient.get() }
    }

    /// Returns a user's upload quota for 24 hours.
    pub fn upload_quota(&self) -> UploadQuota {
        let live = self.live.now();
        UploadQuota { files: live.upload_files, bytes: u64::from(live.upload_megabytes) * 1_000_000 }
    }
}

/// Limits on the number of connections, and on how long a connection may be inactive.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Maximum number of open connections, at least 1.
    pub total: usize,
    /// Maximum number of open connections from one network (an IPv4 address or IPv6 /64), at least 1.
    pub per_network: usize,
    /// Networks that are exempt from `per_network`: trusted proxies and this machine.
    pub exempt: Networks,
    /// Time from the accept, or from the last response, to the whole head of the next request.
    pub idle: Duration,
    /// Time within which a client must accept more bytes of a response.
    pub write: Duration,
}

/// The limits as configured. An absent value has a default.
pub(super) struct ConnectionInput<'a> {
    pub(super) total: Option<u32>,
    pub(super) per_network: Option<u32>,
    pub(super) trusted_proxies: &'a [String],
    pub(super) idle: Option<f64>,
    pub(super) write: Option<f64>,
}

/// A proxy on the service's own machine is exempt without configuration.
const THIS_MACHINE: [&str; 2] = ["127.0.0.0/8", "::1/128"];

impl ConnectionInput<'_> {
    pub(super) fn settle(self) -> Result<ConnectionLimits, SettingsError> {
        let exempt = self.trusted_proxies.iter().map(String::as_str).chain(THIS_MACHINE);
        Ok(ConnectionLimits {
            total: count("max-connections", self.total, 4096)?,
            per_network: count("max-connections-per-network", self.per_network, 256)?,
            exempt: Networks::parse(exempt)
                .map_err(|fault| SettingsError::Network { name: "trusted-proxies", fault })?,
            idle: seconds("idle-seconds", self.idle, 75.0)?,
            write: seconds("write-seconds", self.write, 30.0)?,
        })
    }
}

fn count(name: &'static str, given: Option<u32>, default: usize) -> Result<usize, SettingsError> {
    match given.map(|it| usize::try_from(it).unwrap_or(usize::MAX)) {
        Some(0) => Err(SettingsError::Range { name, range: "at least 1" }),
        given => Ok(given.unwrap_or(default)),
    }
}

fn seconds(name: &'static str, given: Option<f64>, default: f64) -> Result<Duration, SettingsError> {
    let seconds = given.unwrap_or(default);
    if (0.1..=3600.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(SettingsError::Range { name, range: "0.1 to 3600" })
    }
}

/// The mail settings as configured. An absent address has a default.
pub(super) struct MailInput {
    pub(super) smtp_url: Option<SecretString>,
    pub(super) from: Option<String>,
    pub(super) abuse: Option<String>,
}

/// The checked mail settings.
pub(super) struct Mail {
    pub(super) smtp_url: Option<SecretString>,
    pub(super) from: String,
    pub(super) abuse: String,
}

impl MailInput {
    pub(super) fn settle(self, faults: &mut SettingsErrors) -> Mail {
        let from = self.from.unwrap_or_else(|| "invites@localhost".to_owned());
        match (from.parse::<Address>(), &self.smtp_url) {
            (Ok(from), Some(url)) => {
                let mailer = SmtpMailer::new(url.expose_secret(), from).map(drop);
                faults.or(mailer.map_err(|error| SettingsError::Service(format!("--smtp-url {error}"))), ());
            }
            (Ok(_), None) => {}
            (Err(_), _) => {
                faults.add(SettingsError::Service("--mail-from must be an email address".to_owned()));
            }
        }
        Mail { smtp_url: self.smtp_url, abuse: self.abuse.unwrap_or_else(|| from.clone()), from }
    }
}

/// The storage of files as configured.
pub(super) struct ObjectInput {
    pub(super) folder: Option<PathBuf>,
    pub(super) bucket: Option<String>,
    pub(super) endpoint: Option<String>,
    pub(super) region: Option<String>,
    pub(super) access_key_id: Option<String>,
    pub(super) secret_access_key: Option<SecretString>,
}

impl ObjectInput {
    /// Returns where files are stored, and the settings of the bucket of backups, if there is one.
    pub(super) fn settle(
        self,
        ephemeral: bool,
        data_dir: &Path,
        backups: Option<&str>,
        faults: &mut SettingsErrors,
    ) -> (FileSettings, Option<FileSettings>) {
        let mut in_bucket = None;
        if self.bucket.is_some() || backups.is_some() {
            let with = if self.bucket.is_some() { "s3-bucket" } else { "backup-to" };
            let missing = |name| SettingsError::Missing { name, with };
            let access_key_id = self.access_key_id.ok_or_else(|| missing("s3-access-key-id"));
            let secret_access_key = self.secret_access_key.ok_or_else(|| missing("s3-secret-access-key"));
            in_bucket = Some(S3Settings {
                bucket: String::new(),
                endpoint: self.endpoint,
                region: self.region.unwrap_or_else(|| "us-east-1".to_owned()),
                access_key_id: faults.or(access_key_id, String::new()),
                secret_access_key: faults.or(secret_access_key, SecretString::default()),
            });
        } else {
            let useless = [
                ("s3-endpoint", self.endpoint.is_some()),
                ("s3-region", self.region.is_some()),
                ("s3-access-key-id", self.access_key_id.is_some()),
                ("s3-secret-access-key", self.secret_access_key.is_some()),
            ];
            for (with, _) in useless.into_iter().filter(|(_, given)| *given) {
                faults.add(SettingsError::Missing { name: "s3-bucket", with });
            }
        }
        let bucket = |name: &str| {
            in_bucket.clone().map(|it| FileSettings::S3(S3Settings { bucket: name.to_owned(), ..it }))
        };
        let in_folder = || {
            if ephemeral {
                return FileSettings::Memory;
            }
            FileSettings::Folder(self.folder.unwrap_or_else(|| data_dir.join("files")))
        };
        let files = self.bucket.as_deref().and_then(bucket).unwrap_or_else(in_folder);
        (files, backups.and_then(bucket))
    }
}
