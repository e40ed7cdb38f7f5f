//! Settings from a file, the environment and flags. Flags override the environment, which overrides the file.

mod connections;
mod connector;
mod database_url;
mod input;
mod log_filter;
mod origin;
mod security_contact;

use std::net::SocketAddr;
use std::path::PathBuf;

use link_connectors::networks::{InvalidNetwork, Networks};
use link_documents::SandboxPolicy;
use link_domain::archive::UploadQuota;
use link_domain::mail::MailLimits;
use link_store::FileSettings;
use secrecy::SecretString;

pub use connections::ConnectionLimits;
pub use connector::{Connector, ConnectorInput};
pub use database_url::DatabaseUrl;
pub use input::{DEFAULT_DATA_DIR, SettingsInput};
use origin::{host_of, is_this_machine};

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

/// Why settings are not valid.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each variant describes it")]
pub enum SettingsError {
    #[error("the settings file {path} cannot be read: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the settings file {path} is not valid: {message}")]
    Invalid { path: PathBuf, message: String },
    #[error("--database-url must be like postgres://user:password@host/database, or host=… user=… dbname=…")]
    DatabaseUrl,
    #[error("--{name} must be an http or https URL without a path")]
    Url { name: &'static str },
    #[error("--ephemeral stores nothing on disk, so it cannot be used with --{name}. Remove one of the two")]
    Ephemeral { name: &'static str },
    #[error("--{with} requires --{name}")]
    Missing { name: &'static str, with: &'static str },
    #[error("connector {name:?}: {fault}")]
    Connector { name: String, fault: String },
    #[error("--{name}: {fault}")]
    Network { name: &'static str, fault: InvalidNetwork },
    #[error(
        "--log: {part:?} is not a level (off, error, warn, info, debug, trace) or a target with a level. \
         Examples: debug, or info,link_server=debug"
    )]
    Log { part: String },
    #[error("--security-contact must be an email address or an https URL")]
    SecurityContact,
    #[error("--{name} must be {range}")]
    Range { name: &'static str, range: &'static str },
    #[error("{0}")]
    Service(String),
    #[error("{} settings are not valid:{}", .0.len(), lines(.0))]
    Several(Vec<SettingsError>),
}

fn lines(faults: &[SettingsError]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        settings: SettingsInput,
    }

    fn settle(arguments: &[&str]) -> Result<Settings, SettingsError> {
        let all = std::iter::once("linchpin").chain(arguments.iter().copied());
        <Command as clap::Parser>::parse_from(all).settings.settle()
    }

    #[test]
    fn defaults_apply_without_settings() {
        let settings = settle(&[]).unwrap();
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8787");
        assert_eq!(settings.public_url, "http://localhost:8787");
        assert_eq!(settings.sdk_url, settings.public_url);
        assert_eq!(settings.hosted_url, "http://127.0.0.1:8787", "not the frame's origin");
        assert!(settings.allowed_hosts.contains(&"localhost:8787".to_owned()));
    }

    #[rstest::rstest]
    #[case::on_this_machine(&[], &[])]
    #[case::on_loopback_address(&["--public-url", "http://127.0.0.1:8787"], &[])]
    #[case::name_starting_with_localhost(
        &["--public-url", "https://localhost.example"],
        &[SharedOrigin::Widget, SharedOrigin::Files]
    )]
    #[case::all_on_one_host(
        &["--public-url", "https://api.example"],
        &[SharedOrigin::Widget, SharedOrigin::Files]
    )]
    #[case::files_with_the_api(
        &["--public-url", "https://api.example", "--sdk-url", "https://widget.example"],
        &[SharedOrigin::Files]
    )]
    #[case::files_with_the_widget(
        &[
            "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
            "--files-url", "https://widget.example/"
        ],
        &[SharedOrigin::Files]
    )]
    #[case::files_with_invitations(
        &[
            "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
            "--hosted-url", "https://invites.example", "--files-url", "https://Invites.example"
        ],
        &[SharedOrigin::Files]
    )]
    #[case::all_on_separate_hosts(
        &[
            "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
            "--files-url", "https://files.example"
        ],
        &[]
    )]
    fn shared_origins_are_reported_in_production(
        #[case] arguments: &[&str],
        #[case] expected: &[SharedOrigin],
    ) {
        assert_eq!(settle(arguments).unwrap().shared_origins(), expected);
    }

    #[test]
    fn configured_hosts_are_allowed() {
        let settings =
            settle(&["--public-url", "https://api.example", "--files-url", "https://files.example"]);
        let settings = settings.unwrap();
        assert!(settings.allowed_hosts.contains(&"files.example".to_owned()), "{:?}", settings.allowed_hosts);
    }

    #[test]
    fn flag_overrides_file_and_file_overrides_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.toml");
        std::fs::write(&path, "token-minutes = 5\nrate-burst = 7\n").unwrap();
        let settings = settle(&["--config", path.to_str().unwrap(), "--rate-burst", "9"]).unwrap();
        assert_eq!(settings.token_minutes, 5.0);
        assert_eq!(settings.rate_burst.get(), 9);
    }

    #[test]
    fn ephemeral_service_rejects_data_dir() {
        assert!(matches!(settle(&["--ephemeral"]).unwrap().files, FileSettings::Memory));
        let refused = settle(&["--ephemeral", "--data-dir", "/data"]).unwrap_err();
        assert!(matches!(refused, SettingsError::Ephemeral { name: "data-dir" }));
    }

    #[test]
    fn keys_dir_defaults_to_data_dir() {
        let settings = settle(&["--data-dir", "/data"]).unwrap();
        assert_eq!(settings.keys_dir, Path::new("/data"));
        let settings = settle(&["--data-dir", "/data", "--keys-dir", "/shared/keys"]).unwrap();
        assert_eq!((settings.data_dir, settings.keys_dir), ("/data".into(), "/shared/keys".into()));
    }

    #[test]
    fn unknown_key_in_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.toml");
        std::fs::write(&path, "tokn-minutes = 5\n").unwrap();
        let error = settle(&["--config", path.to_str().unwrap()]).unwrap_err();
        assert!(error.to_string().contains("tokn-minutes"), "{error}");
    }

    #[rstest::rstest]
    #[case::string_for_number(
        "token-minutes = 5\nrate-burst = \"many\"\n",
        "line 2, rate-burst: invalid type"
    )]
    #[case::invalid_address("listen = \"nonsense\"\n", "line 1, listen: invalid socket address")]
    #[case::invalid_toml("rate-burst 5\n", "line 1: ")]
    #[case::unsupported_database("\ndatabase-url = \"mysql://u:canary@h/d\"\n", "line 2, database-url: ")]
    fn invalid_value_in_file_is_named_by_line_and_key(#[case] text: &str, #[case] said: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.toml");
        std::fs::write(&path, text).unwrap();
        let error = settle(&["--config", path.to_str().unwrap()]).unwrap_err().to_string();
        assert!(error.contains(&format!("linchpin.toml is not valid: {said}")), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }

    #[test]
    fn log_filter_accepts_levels_and_targets() {
        for filter in [
            "debug",
            "WARN",
            "info,link_server=debug",
            "off, link_store=trace",
            "link_store",
            "warn,link_server[request]=debug",
        ] {
            assert_eq!(settle(&["--log", filter]).unwrap().log, filter);
        }
        assert_eq!(settle(&["--log", ""]).unwrap().log, "info");
        for filter in ["debgu", ",,,=,", "info,", "=debug", "link_server=", "link_server=debgu"] {
            let refused = settle(&["--log", filter]).unwrap_err().to_string();
            assert!(refused.contains("Examples: debug"), "{filter}: {refused}");
        }
    }

    #[test]
    fn public_url_with_path_is_rejected() {
        assert!(matches!(
            settle(&["--public-url", "http://localhost/x"]),
            Err(SettingsError::Url { name: "public-url" })
        ));
    }

    #[test]
    fn files_default_to_data_dir_and_bucket_needs_keys() {
        let settings = settle(&["--data-dir", "/data"]).unwrap();
        assert!(matches!(settings.files, FileSettings::Folder(path) if path == Path::new("/data/files")));
        let alone = settle(&["--s3-bucket", "files", "--s3-access-key-id", "id"]).unwrap_err();
        assert_eq!(alone.to_string(), "--s3-bucket requires --s3-secret-access-key");
        let key = ["--s3-access-key-id", "id", "--s3-secret-access-key", "canary"];
        let settings = settle(&[["--s3-bucket", "files"].as_slice(), &key].concat()).unwrap();
        assert!(matches!(&settings.files, FileSettings::S3(bucket) if bucket.region == "us-east-1"));
        assert!(!format!("{settings:?}").contains("canary"));
    }

    #[test]
    fn document_sandbox_is_required_on_linux_by_default() {
        let default = settle(&[]).unwrap().document_sandbox;
        assert_eq!(default == SandboxPolicy::Required, cfg!(target_os = "linux"));
        let relaxed = settle(&["--document-sandbox", "best-effort"]).unwrap();
        assert_eq!(relaxed.document_sandbox, SandboxPolicy::BestEffort);
    }

    #[test]
    fn database_password_is_not_in_debug_output() {
        let settings = settle(&["--database-url", "postgres://u:canary@h/d"]).unwrap();
        assert!(!format!("{settings:?}").contains("canary"));
    }

    #[test]
    fn connection_limits_have_defaults_and_ranges() {
        let limits = settle(&["--trusted-proxies", "10.0.0.0/8"]).unwrap().connections;
        assert_eq!((limits.total, limits.per_network), (4096, 256));
        assert_eq!([limits.head, limits.idle, limits.write].map(|it| it.as_secs()), [10, 75, 30]);
        for (peer, is_exempt) in
            [("127.0.0.1", true), ("::1", true), ("10.1.2.3", true), ("192.0.2.1", false)]
        {
            assert_eq!(limits.exempt.contains(peer.parse().unwrap()), is_exempt, "{peer}");
        }
        for (flag, value) in [
            ("--max-connections", "0"),
            ("--max-connections-per-network", "0"),
            ("--head-seconds", "0.01"),
            ("--idle-seconds", "NaN"),
            ("--write-seconds", "4000"),
        ] {
            let refused = settle(&[flag, value]).unwrap_err().to_string();
            assert!(refused.starts_with(flag), "{refused}");
        }
    }

    #[test]
    fn trusted_proxies_must_be_networks() {
        assert_eq!(settle(&[]).unwrap().trusted_proxies, Networks::default());
        let settings = settle(&["--trusted-proxies", "127.0.0.0/8,::1/128"]).unwrap();
        assert!(settings.trusted_proxies.contains("::1".parse().unwrap()));
        let refused = settle(&["--trusted-proxies", "127.0.0.1"]).unwrap_err().to_string();
        assert_eq!(
            refused,
            "--trusted-proxies: expected a network like 10.0.0.0/8 or fd00::/8, not \"127.0.0.1\""
        );
    }
}
