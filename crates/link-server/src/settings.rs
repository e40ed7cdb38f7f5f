//! Settings: a file, the environment and flags, in rising weight.

mod connections;
mod connector;
mod database_url;
mod input;
mod log_filter;
mod origin;
mod security_contact;

use std::net::SocketAddr;
use std::path::PathBuf;

use link_connectors::documents::SandboxPolicy;
use link_connectors::networks::{InvalidNetwork, Networks};
use link_domain::archive::UploadQuota;
use link_domain::mail::MailLimits;
use link_store::FileSettings;
use secrecy::SecretString;

pub use connections::ConnectionLimits;
pub use connector::{Connector, ConnectorInput};
pub use database_url::DatabaseUrl;
pub use input::{DEFAULT_DATA_DIR, SettingsInput};
use origin::{host_of, is_this_machine};

/// The settings in force.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether nothing is kept on disk.
    pub ephemeral: bool,
    /// Folder of the database, the keys and the admin socket.
    pub data_dir: PathBuf,
    /// Folder of the keys: the data folder, unless nodes that share a database share another.
    pub keys_dir: PathBuf,
    /// Whether the service starts although keys of days are missing: what they sealed is lost then.
    pub accept_lost_keys: bool,
    /// PostgreSQL's address; none means SQLite in the data folder.
    pub database_url: Option<DatabaseUrl>,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// The service's address as tenants and browsers see it, without a trailing slash.
    pub public_url: String,
    /// Host of scripts and frame as browsers see it, without a trailing slash.
    pub sdk_url: String,
    /// Host of invitations' pages as browsers see it, without a trailing slash.
    pub hosted_url: String,
    /// Host of files and exports as browsers see it, without a trailing slash.
    pub files_url: String,
    /// The mail server; none means that mails are kept, sealed, among the files.
    pub smtp_url: Option<SecretString>,
    /// The address that invitations come from.
    pub mail_from: String,
    /// The address that mails name for reports of abuse.
    pub mail_abuse: String,
    /// Mails an environment of a tenant may send within a day of UTC.
    pub mails_per_tenant: std::num::NonZeroU32,
    /// Mails one address may get within a day of UTC.
    pub mails_per_recipient: std::num::NonZeroU32,
    /// `Host` values that are answered.
    pub allowed_hosts: Vec<String>,
    /// Private networks that webhooks may reach.
    pub webhook_allow: Vec<String>,
    /// Proxies whose word for a client's address is taken.
    pub trusted_proxies: Networks,
    /// Limits of connections.
    pub connections: ConnectionLimits,
    /// Where to report vulnerabilities, as a URI.
    pub security_contact: Option<String>,
    /// Life of a link token in minutes.
    pub token_minutes: f64,
    /// Requests a second for each caller.
    pub rate_per_second: std::num::NonZeroU32,
    /// Requests at once for each caller.
    pub rate_burst: std::num::NonZeroU32,
    /// Requests a second of all API keys of a tenant's environment together; as many of all its end users.
    pub tenant_rate_per_second: std::num::NonZeroU32,
    /// The same at once.
    pub tenant_rate_burst: std::num::NonZeroU32,
    /// Long polls that wait at once.
    pub long_polls: std::num::NonZeroU32,
    /// Mean seconds before a webhook's first resend.
    pub resend_seconds: f64,
    /// Where uploaded files lie.
    pub files: FileSettings,
    /// Files, and archives, a user may begin to upload within 24 hours.
    pub upload_files: u32,
    /// Megabytes a user may begin to upload within 24 hours.
    pub upload_megabytes: u32,
    /// Whether documents are read without the whole sandbox.
    pub document_sandbox: SandboxPolicy,
    /// Connectors to providers of the operator's own.
    pub connectors: Vec<Connector>,
    /// Seconds a stop waits.
    pub drain_seconds: u64,
    /// Log filter.
    pub log: String,
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum SettingsError {
    #[error("the settings file {path} cannot be read: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the settings file {path} is not valid: {message}")]
    Invalid { path: PathBuf, message: String },
    #[error("--database-url must be like postgres://user:password@host/database, or host=… user=… dbname=…")]
    DatabaseUrl,
    #[error("--{name} must be an http or https address without a path")]
    Url { name: &'static str },
    #[error("--ephemeral keeps nothing on disk and needs no --{name}: leave out one of the two")]
    Ephemeral { name: &'static str },
    #[error("--{with} needs --{name}")]
    Missing { name: &'static str, with: &'static str },
    #[error("the connector {name:?}: {fault}")]
    Connector { name: String, fault: String },
    #[error("--{name}: {fault}")]
    Network { name: &'static str, fault: InvalidNetwork },
    #[error(
        "--log: {part:?} is neither a level (off, error, warn, info, debug, trace) nor a target with one: write it like \
         debug, or info,link_server=debug"
    )]
    Log { part: String },
    #[error("--security-contact must be an e-mail address or an https address")]
    SecurityContact,
    #[error("--{name} must be {range}")]
    Range { name: &'static str, range: &'static str },
    #[error("{0}")]
    Service(String),
    #[error("{} settings cannot be used:{}", .0.len(), lines(.0))]
    Several(Vec<SettingsError>),
}

fn lines(faults: &[SettingsError]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

/// What stands on an origin that something else of the service has too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedOrigin {
    /// The widget, on the API's.
    Widget,
    /// Files and exports, on the API's, the widget's or that of invitations' pages.
    Files,
}

impl SharedOrigin {
    /// What an operator is told at the start.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Widget => "the widget has the API's host: give --sdk-url one of its own",
            Self::Files => "files and exports have no host of their own: give --files-url one",
        }
    }
}

impl Settings {
    /// What shares an origin that has more rights than it needs. Nothing where the service is only reached from this
    /// machine, as on a developer's.
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

    /// The `Host` value under which files and exports are served, and nothing else; `None` where they share one.
    pub fn files_host(&self) -> Option<String> {
        let files = host_of(&self.files_url);
        let others = [&self.public_url, &self.sdk_url, &self.hosted_url];
        others.iter().all(|it| host_of(it) != files).then_some(files)
    }

    /// The `Host` value under which alone the hosted pages are served; `None` where they share one with the API.
    pub fn hosted_host(&self) -> Option<String> {
        let hosted = host_of(&self.hosted_url);
        (hosted != host_of(&self.public_url)).then_some(hosted)
    }

    /// Whether browsers reach every page and the API over TLS.
    pub fn is_https(&self) -> bool {
        [&self.public_url, &self.sdk_url, &self.hosted_url, &self.files_url]
            .iter()
            .all(|it| it.starts_with("https://"))
    }

    /// How many mails go out within a day.
    pub fn mail_limits(&self) -> MailLimits {
        MailLimits { per_tenant: self.mails_per_tenant.get(), per_recipient: self.mails_per_recipient.get() }
    }

    /// What one user may upload within 24 hours.
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
    fn without_anything_the_defaults_hold() {
        let settings = settle(&[]).unwrap();
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8787");
        assert_eq!(settings.public_url, "http://localhost:8787");
        assert_eq!(settings.sdk_url, settings.public_url);
        assert_eq!(settings.hosted_url, "http://127.0.0.1:8787", "another origin than the frame's");
        assert!(settings.allowed_hosts.contains(&"localhost:8787".to_owned()));
    }

    #[rstest::rstest]
    #[case::on_this_machine(&[], &[])]
    #[case::by_its_other_names(&["--public-url", "http://127.0.0.1:8787"], &[])]
    #[case::by_a_name_that_begins_alike(
        &["--public-url", "https://localhost.example"],
        &[SharedOrigin::Widget, SharedOrigin::Files]
    )]
    #[case::one_host_for_all(
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
    #[case::each_its_own(
        &[
            "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
            "--files-url", "https://files.example"
        ],
        &[]
    )]
    fn who_shares_a_host_in_production_is_told(
        #[case] arguments: &[&str],
        #[case] expected: &[SharedOrigin],
    ) {
        assert_eq!(settle(arguments).unwrap().shared_origins(), expected);
    }

    #[test]
    fn every_host_of_ours_is_answered() {
        let settings =
            settle(&["--public-url", "https://api.example", "--files-url", "https://files.example"]);
        let settings = settings.unwrap();
        assert!(settings.allowed_hosts.contains(&"files.example".to_owned()), "{:?}", settings.allowed_hosts);
    }

    #[test]
    fn a_flag_outweighs_the_file_and_the_file_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.toml");
        std::fs::write(&path, "token-minutes = 5\nrate-burst = 7\n").unwrap();
        let settings = settle(&["--config", path.to_str().unwrap(), "--rate-burst", "9"]).unwrap();
        assert_eq!(settings.token_minutes, 5.0);
        assert_eq!(settings.rate_burst.get(), 9);
    }

    #[test]
    fn an_ephemeral_service_has_no_place_on_disk() {
        assert!(matches!(settle(&["--ephemeral"]).unwrap().files, FileSettings::Memory));
        let refused = settle(&["--ephemeral", "--data-dir", "/data"]).unwrap_err();
        assert!(matches!(refused, SettingsError::Ephemeral { name: "data-dir" }));
    }

    #[test]
    fn keys_are_in_the_data_folder_unless_nodes_share_another() {
        let settings = settle(&["--data-dir", "/data"]).unwrap();
        assert_eq!(settings.keys_dir, Path::new("/data"));
        let settings = settle(&["--data-dir", "/data", "--keys-dir", "/shared/keys"]).unwrap();
        assert_eq!((settings.data_dir, settings.keys_dir), ("/data".into(), "/shared/keys".into()));
    }

    #[test]
    fn an_unknown_key_of_the_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.toml");
        std::fs::write(&path, "tokn-minutes = 5\n").unwrap();
        let error = settle(&["--config", path.to_str().unwrap()]).unwrap_err();
        assert!(error.to_string().contains("tokn-minutes"), "{error}");
    }

    #[rstest::rstest]
    #[case::a_word_for_a_number(
        "token-minutes = 5\nrate-burst = \"many\"\n",
        "line 2, rate-burst: invalid type"
    )]
    #[case::no_address("listen = \"nonsense\"\n", "line 1, listen: invalid socket address")]
    #[case::no_toml("rate-burst 5\n", "line 1: ")]
    #[case::no_database("\ndatabase-url = \"mysql://u:canary@h/d\"\n", "line 2, database-url: ")]
    fn a_wrong_value_of_the_file_is_refused_by_line_and_key(#[case] text: &str, #[case] said: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.toml");
        std::fs::write(&path, text).unwrap();
        let error = settle(&["--config", path.to_str().unwrap()]).unwrap_err().to_string();
        assert!(error.contains(&format!("linchpin.toml is not valid: {said}")), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }

    #[test]
    fn what_to_log_is_a_level_or_that_of_a_target() {
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
            assert!(refused.contains("write it like debug"), "{filter}: {refused}");
        }
    }

    #[test]
    fn a_public_url_with_a_path_is_refused() {
        assert!(matches!(
            settle(&["--public-url", "http://localhost/x"]),
            Err(SettingsError::Url { name: "public-url" })
        ));
    }

    #[test]
    fn files_are_in_the_data_folder_unless_a_bucket_is_named_with_its_key() {
        let settings = settle(&["--data-dir", "/data"]).unwrap();
        assert!(matches!(settings.files, FileSettings::Folder(path) if path == Path::new("/data/files")));
        let alone = settle(&["--s3-bucket", "files", "--s3-access-key-id", "id"]).unwrap_err();
        assert_eq!(alone.to_string(), "--s3-bucket needs --s3-secret-access-key");
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
    fn a_database_password_is_never_printed() {
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
    fn proxies_are_networks_and_what_is_none_ends_the_start() {
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
