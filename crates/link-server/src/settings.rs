//! Settings: a file, the environment and flags, in rising weight.

mod connector;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use link_domain::archive::UploadQuota;
use link_store::{FileSettings, S3Settings};
use secrecy::SecretString;
use serde::Deserialize;

pub use connector::{Connector, ConnectorInput};

/// What a person may set, each as a flag, as `LINCHPIN_*` or as a key of the settings file.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SettingsInput {
    /// Settings file (TOML; the keys are the flags' names).
    #[arg(long, env = "LINCHPIN_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Keep nothing on disk: database, keys, files and mail in memory, gone at the end; for tests.
    #[arg(long, env = "LINCHPIN_EPHEMERAL")]
    ephemeral: bool,
    /// Folder of the database, the keys and the admin socket [default: ./linchpin-data].
    #[arg(long, env = "LINCHPIN_DATA_DIR", value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
    /// Folder of the keys; nodes that share a database must share it [default: the data folder].
    #[arg(long, env = "LINCHPIN_KEYS_DIR", value_name = "FOLDER")]
    keys_dir: Option<PathBuf>,
    /// PostgreSQL instead of SQLite: postgres://… [default: SQLite in the data folder].
    #[arg(long, env = "LINCHPIN_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<DatabaseUrl>,
    /// Address to listen on [default: 127.0.0.1:8787].
    #[arg(long, env = "LINCHPIN_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The service's address as tenants and browsers see it [default: http://localhost:PORT].
    #[arg(long, env = "LINCHPIN_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// Host of the widget's scripts and frame as browsers see it [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_SDK_URL", value_name = "URL")]
    sdk_url: Option<String>,
    /// Host of invitations' pages as browsers see it; it must differ from SDK_URL [default: PUBLIC_URL where it does,
    /// else its other name of this machine].
    #[arg(long, env = "LINCHPIN_HOSTED_URL", value_name = "URL")]
    hosted_url: Option<String>,
    /// Mail server, smtps://user:password@host or smtp://user:password@host?tls=required [default: mails are kept,
    /// sealed, among the files].
    #[arg(long, env = "LINCHPIN_SMTP_URL", value_name = "URL", hide_env_values = true)]
    smtp_url: Option<SecretString>,
    /// Address that invitations come from [default: invites@localhost].
    #[arg(long, env = "LINCHPIN_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// Further `Host` values to answer to, comma separated [default: those of the addresses above].
    #[arg(long, env = "LINCHPIN_ALLOWED_HOSTS", value_name = "HOSTS", value_delimiter = ',')]
    allowed_hosts: Option<Vec<String>>,
    /// Networks webhooks may reach although they are private, comma separated CIDR [default: none].
    #[arg(long, env = "LINCHPIN_WEBHOOK_ALLOW", value_name = "CIDRS", value_delimiter = ',')]
    webhook_allow: Option<Vec<String>>,
    /// Life of a link token in minutes, 0.01 to 300 [default: 30].
    #[arg(long, env = "LINCHPIN_TOKEN_MINUTES", value_name = "MINUTES")]
    token_minutes: Option<f64>,
    /// Requests a second for each key and each session [default: 20].
    #[arg(long, env = "LINCHPIN_RATE_PER_SECOND", value_name = "COUNT")]
    rate_per_second: Option<u32>,
    /// Requests a key or session may send at once [default: 40].
    #[arg(long, env = "LINCHPIN_RATE_BURST", value_name = "COUNT")]
    rate_burst: Option<u32>,
    /// Mean seconds before a webhook's first resend; the second waits twice as long [default: 30].
    #[arg(long, env = "LINCHPIN_RESEND_SECONDS", value_name = "SECONDS")]
    resend_seconds: Option<f64>,
    /// Folder of uploaded files, sealed; nodes that share a database must share it [default: DATA_DIR/files].
    #[arg(long, env = "LINCHPIN_FILES_DIR", value_name = "FOLDER")]
    files_dir: Option<PathBuf>,
    /// Bucket of a store that speaks S3, for uploaded files instead of a folder [default: none].
    #[arg(long, env = "LINCHPIN_S3_BUCKET", value_name = "NAME")]
    s3_bucket: Option<String>,
    /// Address of that store [default: Amazon's of the region].
    #[arg(long, env = "LINCHPIN_S3_ENDPOINT", value_name = "URL")]
    s3_endpoint: Option<String>,
    /// Region of that store [default: us-east-1].
    #[arg(long, env = "LINCHPIN_S3_REGION", value_name = "NAME")]
    s3_region: Option<String>,
    /// Id of the access key to that store.
    #[arg(long, env = "LINCHPIN_S3_ACCESS_KEY_ID", value_name = "ID")]
    s3_access_key_id: Option<String>,
    /// Secret of the access key to that store.
    #[arg(long, env = "LINCHPIN_S3_SECRET_ACCESS_KEY", value_name = "SECRET", hide_env_values = true)]
    s3_secret_access_key: Option<SecretString>,
    /// Files a user may begin to upload within 24 hours, and as many archives [default: 100].
    #[arg(long, env = "LINCHPIN_UPLOAD_FILES", value_name = "COUNT")]
    upload_files: Option<u32>,
    /// Megabytes a user may begin to upload within 24 hours [default: 500].
    #[arg(long, env = "LINCHPIN_UPLOAD_MEGABYTES", value_name = "COUNT")]
    upload_megabytes: Option<u32>,
    /// A connector to providers of your own, as key=value parts with commas between them (docs/connectors.md); may be
    /// given more than once [default: none].
    #[arg(
        long,
        env = "LINCHPIN_CONNECTOR",
        value_name = "KEY=VALUE,…",
        value_delimiter = ';',
        hide_env_values = true
    )]
    connector: Option<Vec<ConnectorInput>>,
    /// Seconds a stop waits for requests and deliveries under way [default: 20].
    #[arg(long, env = "LINCHPIN_DRAIN_SECONDS", value_name = "SECONDS")]
    drain_seconds: Option<u64>,
    /// What to log, as tracing's filter [default: info].
    #[arg(long, env = "LINCHPIN_LOG", value_name = "FILTER")]
    log: Option<String>,
}

/// A database address: its password is never shown.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl(SecretString);

impl DatabaseUrl {
    /// The address itself, for the driver alone.
    pub fn expose(&self) -> &str {
        secrecy::ExposeSecret::expose_secret(&self.0)
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DatabaseUrl(..)")
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = SettingsError;

    fn try_from(text: String) -> Result<Self, SettingsError> {
        text.parse()
    }
}

impl std::str::FromStr for DatabaseUrl {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let known = ["postgres://", "postgresql://", "host="].iter().any(|it| text.starts_with(it));
        known.then(|| Self(SecretString::from(text))).ok_or(SettingsError::DatabaseUrl)
    }
}

/// The settings in force.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether nothing is kept on disk.
    pub ephemeral: bool,
    /// Folder of the database, the keys and the admin socket.
    pub data_dir: PathBuf,
    /// Folder of the keys: the data folder, unless nodes that share a database share another.
    pub keys_dir: PathBuf,
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
    /// The mail server; none means that mails are kept, sealed, among the files.
    pub smtp_url: Option<SecretString>,
    /// The address that invitations come from.
    pub mail_from: String,
    /// `Host` values that are answered.
    pub allowed_hosts: Vec<String>,
    /// Private networks that webhooks may reach.
    pub webhook_allow: Vec<String>,
    /// Life of a link token in minutes.
    pub token_minutes: f64,
    /// Requests a second for each caller.
    pub rate_per_second: std::num::NonZeroU32,
    /// Requests at once for each caller.
    pub rate_burst: std::num::NonZeroU32,
    /// Mean seconds before a webhook's first resend.
    pub resend_seconds: f64,
    /// Where uploaded files lie.
    pub files: FileSettings,
    /// Files, and archives, a user may begin to upload within 24 hours.
    pub upload_files: u32,
    /// Megabytes a user may begin to upload within 24 hours.
    pub upload_megabytes: u32,
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
    #[error("--{name} must be {range}")]
    Range { name: &'static str, range: &'static str },
}

impl Settings {
    /// What one user may upload within 24 hours.
    pub fn upload_quota(&self) -> UploadQuota {
        UploadQuota { files: self.upload_files, bytes: u64::from(self.upload_megabytes) * 1_000_000 }
    }
}

impl SettingsInput {
    /// Settles flags and environment (already merged by clap) over the file over the defaults.
    ///
    /// # Errors
    /// A file that cannot be read, an unknown key, a value out of range.
    pub fn settle(self) -> Result<Settings, SettingsError> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Self::default(),
        };
        let listen = self.listen.or(file.listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8787)));
        let public_url = self
            .public_url
            .or(file.public_url)
            .unwrap_or_else(|| format!("http://localhost:{}", listen.port()));
        let public_url = origin("public-url", &public_url)?;
        let sdk_url = match self.sdk_url.or(file.sdk_url) {
            Some(url) => origin("sdk-url", &url)?,
            None => public_url.clone(),
        };
        let hosted_url = match self.hosted_url.or(file.hosted_url) {
            Some(url) => origin("hosted-url", &url)?,
            None if public_url != sdk_url => public_url.clone(),
            None => other_name(&public_url),
        };
        let mut allowed_hosts = self.allowed_hosts.or(file.allowed_hosts).unwrap_or_default();
        allowed_hosts.extend([
            host_of(&public_url),
            host_of(&sdk_url),
            host_of(&hosted_url),
            listen.to_string(),
        ]);
        if listen.ip().is_loopback() {
            allowed_hosts.push(format!("localhost:{}", listen.port()));
        }
        let positive = |name, value| {
            std::num::NonZeroU32::new(value).ok_or(SettingsError::Range { name, range: "at least 1" })
        };
        let token_minutes = self.token_minutes.or(file.token_minutes).unwrap_or(30.0);
        if !(0.01..=300.0).contains(&token_minutes) {
            return Err(SettingsError::Range { name: "token-minutes", range: "0.01 to 300" });
        }
        let resend_seconds = self.resend_seconds.or(file.resend_seconds).unwrap_or(30.0);
        if !(0.01..=3600.0).contains(&resend_seconds) {
            return Err(SettingsError::Range { name: "resend-seconds", range: "0.01 to 3600" });
        }
        let ephemeral = self.ephemeral || file.ephemeral;
        let kept = [
            ("data-dir", self.data_dir.is_some() || file.data_dir.is_some()),
            ("keys-dir", self.keys_dir.is_some() || file.keys_dir.is_some()),
            ("files-dir", self.files_dir.is_some() || file.files_dir.is_some()),
            ("database-url", self.database_url.is_some() || file.database_url.is_some()),
            ("s3-bucket", self.s3_bucket.is_some() || file.s3_bucket.is_some()),
        ];
        if let Some((name, _)) = kept.into_iter().find(|(_, given)| ephemeral && *given) {
            return Err(SettingsError::Ephemeral { name });
        }
        let data_dir = self.data_dir.or(file.data_dir).unwrap_or_else(|| PathBuf::from("./linchpin-data"));
        let bucket = match self.s3_bucket.or(file.s3_bucket) {
            Some(bucket) => Some(S3Settings {
                bucket,
                endpoint: self.s3_endpoint.or(file.s3_endpoint),
                region: self.s3_region.or(file.s3_region).unwrap_or_else(|| "us-east-1".to_owned()),
                access_key_id: self
                    .s3_access_key_id
                    .or(file.s3_access_key_id)
                    .ok_or(SettingsError::Missing { name: "s3-access-key-id", with: "s3-bucket" })?,
                secret_access_key: self
                    .s3_secret_access_key
                    .or(file.s3_secret_access_key)
                    .ok_or(SettingsError::Missing { name: "s3-secret-access-key", with: "s3-bucket" })?,
            }),
            None => None,
        };
        let connectors = self.connector.or(file.connector).unwrap_or_default();
        let connectors = connectors.into_iter().map(ConnectorInput::settle).collect::<Result<_, _>>()?;
        Ok(Settings {
            connectors,
            keys_dir: self.keys_dir.or(file.keys_dir).unwrap_or_else(|| data_dir.clone()),
            database_url: self.database_url.or(file.database_url),
            listen,
            public_url,
            sdk_url,
            hosted_url,
            smtp_url: self.smtp_url.or(file.smtp_url),
            mail_from: self.mail_from.or(file.mail_from).unwrap_or_else(|| "invites@localhost".to_owned()),
            allowed_hosts,
            webhook_allow: self.webhook_allow.or(file.webhook_allow).unwrap_or_default(),
            token_minutes,
            rate_per_second: positive(
                "rate-per-second",
                self.rate_per_second.or(file.rate_per_second).unwrap_or(20),
            )?,
            rate_burst: positive("rate-burst", self.rate_burst.or(file.rate_burst).unwrap_or(40))?,
            resend_seconds,
            files: match bucket {
                Some(settings) => FileSettings::S3(settings),
                None if ephemeral => FileSettings::Memory,
                None => FileSettings::Folder(
                    self.files_dir.or(file.files_dir).unwrap_or_else(|| data_dir.join("files")),
                ),
            },
            ephemeral,
            data_dir,
            upload_files: self.upload_files.or(file.upload_files).unwrap_or(100),
            upload_megabytes: self.upload_megabytes.or(file.upload_megabytes).unwrap_or(500),
            drain_seconds: self.drain_seconds.or(file.drain_seconds).unwrap_or(20),
            log: self.log.or(file.log).unwrap_or_else(|| "info".to_owned()),
        })
    }
}

fn read_file(path: &Path) -> Result<SettingsInput, SettingsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|error| SettingsError::Invalid {
        path: path.to_owned(),
        message: error.message().to_owned(),
    })
}

/// The address without a trailing slash, once it is seen to have a scheme, a host and no path.
fn origin(name: &'static str, url: &str) -> Result<String, SettingsError> {
    let url = url.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(url.to_owned()),
        Some(_) | None => Err(SettingsError::Url { name }),
    }
}

/// This machine's address by its other name, which browsers take for another origin; any other address as it is.
fn other_name(origin: &str) -> String {
    match origin.split_once("://localhost") {
        Some((scheme, rest)) if rest.is_empty() || rest.starts_with(':') => {
            format!("{scheme}://127.0.0.1{rest}")
        }
        Some(_) | None => origin.replacen("://127.0.0.1", "://localhost", 1),
    }
}

fn host_of(origin: &str) -> String {
    origin.split_once("://").map_or(origin, |(_, host)| host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
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
    fn a_database_password_is_never_printed() {
        let settings = settle(&["--database-url", "postgres://u:canary@h/d"]).unwrap();
        assert!(!format!("{settings:?}").contains("canary"));
    }
}
