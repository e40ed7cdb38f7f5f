//! Settings as configured, and how they are merged and checked.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use link_connectors::mail::{Address, SmtpMailer};
use link_connectors::networks::Networks;
use link_connectors::webhook::AllowedNetworks;
use link_documents::SandboxPolicy;
use link_store::{FileSettings, S3Settings};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::connections::ConnectionInput;
use super::database_url::DatabaseUrl;
use super::origin::{host_of, origin, other_name};
use super::{ConnectorInput, Settings, SettingsError, log_filter, security_contact};

/// The default data folder.
pub const DEFAULT_DATA_DIR: &str = "./linchpin-data";

/// All settings. Each can be a flag, an environment variable `LINCHPIN_*` or a key of the settings file.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SettingsInput {
    /// Settings file (TOML). Its keys are the names of the flags.
    #[arg(long, env = "LINCHPIN_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Store nothing on disk. Database, keys, files and mail stay in memory and are lost at the end. For tests.
    #[arg(long, env = "LINCHPIN_EPHEMERAL")]
    ephemeral: bool,
    /// Folder of the database, the keys and the admin socket [default: ./linchpin-data].
    #[arg(long, env = "LINCHPIN_DATA_DIR", value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
    /// Folder of the keys. Nodes that share a database must share it [default: the data folder].
    #[arg(long, env = "LINCHPIN_KEYS_DIR", value_name = "FOLDER")]
    keys_dir: Option<PathBuf>,
    /// Start even if keys of current or future days are missing. The data they protect, including users, is lost.
    #[arg(long, env = "LINCHPIN_ACCEPT_LOST_KEYS")]
    accept_lost_keys: bool,
    /// Use PostgreSQL instead of SQLite: postgres://… Connections to another machine use TLS and verify the
    /// certificate, unless sslmode says otherwise [default: SQLite in the data folder].
    #[arg(long, env = "LINCHPIN_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<DatabaseUrl>,
    /// Address to listen on [default: 127.0.0.1:8787].
    #[arg(long, env = "LINCHPIN_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The service's URL as tenants and browsers see it [default: http://localhost:PORT].
    #[arg(long, env = "LINCHPIN_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// URL of the widget's scripts and frame as browsers see it [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_SDK_URL", value_name = "URL")]
    sdk_url: Option<String>,
    /// URL of invitation pages as browsers see it. Its host must differ from that of SDK_URL [default: PUBLIC_URL if it
    /// differs from SDK_URL, otherwise PUBLIC_URL with localhost and 127.0.0.1 swapped].
    #[arg(long, env = "LINCHPIN_HOSTED_URL", value_name = "URL")]
    hosted_url: Option<String>,
    /// URL of files and exports as browsers see it. A separate host serves nothing else [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_FILES_URL", value_name = "URL")]
    files_url: Option<String>,
    /// Mail server, smtps://user:password@host or smtp://user:password@host?tls=required [default: mails are stored,
    /// encrypted, with the files].
    #[arg(long, env = "LINCHPIN_SMTP_URL", value_name = "URL", hide_env_values = true)]
    smtp_url: Option<SecretString>,
    /// Sender address of invitations [default: invites@localhost].
    #[arg(long, env = "LINCHPIN_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// Address for abuse reports, which mails contain [default: the address in --mail-from].
    #[arg(long, env = "LINCHPIN_MAIL_ABUSE", value_name = "ADDRESS")]
    mail_abuse: Option<String>,
    /// Mails that a tenant's environment may send in a UTC day. Further ones wait for the next day [default: 1000].
    #[arg(long, env = "LINCHPIN_MAILS_PER_TENANT", value_name = "COUNT")]
    mails_per_tenant: Option<u32>,
    /// Mails to one address in a UTC day, from all tenants together. Further ones wait for the next day [default: 10].
    #[arg(long, env = "LINCHPIN_MAILS_PER_RECIPIENT", value_name = "COUNT")]
    mails_per_recipient: Option<u32>,
    /// Additional `Host` values to accept, separated by commas [default: the hosts of the URLs above].
    #[arg(long, env = "LINCHPIN_ALLOWED_HOSTS", value_name = "HOSTS", value_delimiter = ',')]
    allowed_hosts: Option<Vec<String>>,
    /// Private networks that webhooks may reach, as CIDRs separated by commas [default: none].
    #[arg(long, env = "LINCHPIN_WEBHOOK_ALLOW", value_name = "CIDRS", value_delimiter = ',')]
    webhook_allow: Option<Vec<String>>,
    /// Networks of proxies whose `X-Forwarded-For` is trusted, as CIDRs separated by commas [default: none].
    #[arg(long, env = "LINCHPIN_TRUSTED_PROXIES", value_name = "CIDRS", value_delimiter = ',')]
    trusted_proxies: Option<Vec<String>>,
    /// Lifetime of a link token in minutes, 0.01 to 300 [default: 30].
    #[arg(long, env = "LINCHPIN_TOKEN_MINUTES", value_name = "MINUTES")]
    token_minutes: Option<f64>,
    /// Requests a second for each key and each session [default: 20].
    #[arg(long, env = "LINCHPIN_RATE_PER_SECOND", value_name = "COUNT")]
    rate_per_second: Option<u32>,
    /// Requests a key or session may send at once [default: 40].
    #[arg(long, env = "LINCHPIN_RATE_BURST", value_name = "COUNT")]
    rate_burst: Option<u32>,
    /// Requests a second for all keys of a tenant's environment together, and the same for all its end users
    /// [default: 500].
    #[arg(long, env = "LINCHPIN_TENANT_RATE_PER_SECOND", value_name = "COUNT")]
    tenant_rate_per_second: Option<u32>,
    /// Requests at once for all keys of a tenant's environment together, and the same for all its end users
    /// [default: 1000].
    #[arg(long, env = "LINCHPIN_TENANT_RATE_BURST", value_name = "COUNT")]
    tenant_rate_burst: Option<u32>,
    /// Long polls that may wait at once. Above this, the oldest poll of the tenant with the most polls ends
    /// [default: 4096].
    #[arg(long, env = "LINCHPIN_LONG_POLLS", value_name = "COUNT")]
    long_polls: Option<u32>,
    /// Mean seconds before the first retry of a webhook delivery. The second waits twice as long [default: 30].
    #[arg(long, env = "LINCHPIN_RESEND_SECONDS", value_name = "SECONDS")]
    resend_seconds: Option<f64>,
    /// Folder of uploaded files, encrypted. Nodes that share a database must share it [default: DATA_DIR/files].
    #[arg(long, env = "LINCHPIN_FILES_DIR", value_name = "FOLDER")]
    files_dir: Option<PathBuf>,
    /// S3 bucket for uploaded files, instead of a folder [default: none].
    #[arg(long, env = "LINCHPIN_S3_BUCKET", value_name = "NAME")]
    s3_bucket: Option<String>,
    /// URL of the S3 service [default: Amazon's in the region].
    #[arg(long, env = "LINCHPIN_S3_ENDPOINT", value_name = "URL")]
    s3_endpoint: Option<String>,
    /// Region of the S3 service [default: us-east-1].
    #[arg(long, env = "LINCHPIN_S3_REGION", value_name = "NAME")]
    s3_region: Option<String>,
    /// Id of the access key to the S3 service.
    #[arg(long, env = "LINCHPIN_S3_ACCESS_KEY_ID", value_name = "ID")]
    s3_access_key_id: Option<String>,
    /// Secret of the access key to the S3 service.
    #[arg(long, env = "LINCHPIN_S3_SECRET_ACCESS_KEY", value_name = "SECRET", hide_env_values = true)]
    s3_secret_access_key: Option<SecretString>,
    /// Uploads that a user may start within 24 hours, and the same number of archives [default: 100].
    #[arg(long, env = "LINCHPIN_UPLOAD_FILES", value_name = "COUNT")]
    upload_files: Option<u32>,
    /// Total size in megabytes of the uploads that a user may start within 24 hours [default: 500].
    #[arg(long, env = "LINCHPIN_UPLOAD_MEGABYTES", value_name = "COUNT")]
    upload_megabytes: Option<u32>,
    /// Whether documents are read if the sandbox is incomplete: required (no) or best-effort (yes, with the layers that
    /// the system supports) [default: required on Linux, best-effort elsewhere].
    #[arg(long, env = "LINCHPIN_DOCUMENT_SANDBOX", value_name = "POLICY")]
    document_sandbox: Option<SandboxPolicy>,
    /// A connector to your own providers, as key=value pairs separated by commas (docs/how-to/connectors.md). Can be
    /// repeated [default: none].
    #[arg(
        long,
        env = "LINCHPIN_CONNECTOR",
        value_name = "KEY=VALUE,…",
        value_delimiter = ';',
        hide_env_values = true
    )]
    pub(super) connector: Option<Vec<ConnectorInput>>,
    /// Maximum number of open connections. The limit on open files may reduce it [default: 4096].
    #[arg(long, env = "LINCHPIN_MAX_CONNECTIONS", value_name = "COUNT")]
    max_connections: Option<u32>,
    /// Maximum number of open connections from one IPv4 address or IPv6 /64 network. Trusted proxies and this machine
    /// are exempt [default: 256].
    #[arg(long, env = "LINCHPIN_MAX_CONNECTIONS_PER_NETWORK", value_name = "COUNT")]
    max_connections_per_network: Option<u32>,
    /// Seconds that a client has to send the whole head of a request [default: 10].
    #[arg(long, env = "LINCHPIN_HEAD_SECONDS", value_name = "SECONDS")]
    head_seconds: Option<f64>,
    /// Seconds that a connection stays open between two requests. Must be longer than the proxy's timeout [default:
    /// 75].
    #[arg(long, env = "LINCHPIN_IDLE_SECONDS", value_name = "SECONDS")]
    idle_seconds: Option<f64>,
    /// Seconds after which a client that reads nothing of its response is disconnected [default: 30].
    #[arg(long, env = "LINCHPIN_WRITE_SECONDS", value_name = "SECONDS")]
    write_seconds: Option<f64>,
    /// Contact for reports of vulnerabilities in /.well-known/security.txt: an email address or https URL
    /// [default: none].
    #[arg(long, env = "LINCHPIN_SECURITY_CONTACT", value_name = "CONTACT")]
    security_contact: Option<String>,
    /// Seconds that a stop waits for running requests and deliveries [default: 20].
    #[arg(long, env = "LINCHPIN_DRAIN_SECONDS", value_name = "SECONDS")]
    drain_seconds: Option<u64>,
    /// Log filter: off, error, warn, info, debug or trace, optionally for a single target, as in info,link_server=debug
    /// [default: info].
    #[arg(long, env = "LINCHPIN_LOG", value_name = "FILTER")]
    log: Option<String>,
}

impl SettingsInput {
    /// Merges the flags and environment (already merged by clap) with the file and the defaults, and checks the result.
    ///
    /// # Errors
    /// If the file cannot be read, or contains an unknown key, or a value is not valid.
    pub fn settle(self) -> Result<Settings, SettingsError> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Self::default(),
        };
        let mut faults = Faults::default();
        let listen = self.listen.or(file.listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8787)));
        let own_url = format!("http://localhost:{}", listen.port());
        let public_url = self.public_url.or(file.public_url).unwrap_or_else(|| own_url.clone());
        let public_url = faults.or(origin("public-url", &public_url), own_url);
        let sdk_url = match self.sdk_url.or(file.sdk_url) {
            Some(url) => faults.or(origin("sdk-url", &url), public_url.clone()),
            None => public_url.clone(),
        };
        let hosted_url = match self.hosted_url.or(file.hosted_url) {
            Some(url) => faults.or(origin("hosted-url", &url), public_url.clone()),
            None if public_url != sdk_url => public_url.clone(),
            None => other_name(&public_url),
        };
        let files_url = match self.files_url.or(file.files_url) {
            Some(url) => faults.or(origin("files-url", &url), public_url.clone()),
            None => public_url.clone(),
        };
        let mut allowed_hosts = self.allowed_hosts.or(file.allowed_hosts).unwrap_or_default();
        allowed_hosts.extend([
            host_of(&public_url),
            host_of(&sdk_url),
            host_of(&hosted_url),
            host_of(&files_url),
            listen.to_string(),
        ]);
        if listen.ip().is_loopback() {
            allowed_hosts.push(format!("localhost:{}", listen.port()));
        }
        let mut positive = |name, value, usual| {
            let value =
                std::num::NonZeroU32::new(value).ok_or(SettingsError::Range { name, range: "at least 1" });
            faults.or(value, usual)
        };
        let rate_per_second = self.rate_per_second.or(file.rate_per_second).unwrap_or(20);
        let rate_per_second = positive("rate-per-second", rate_per_second, std::num::NonZeroU32::MIN);
        let rate_burst = self.rate_burst.or(file.rate_burst).unwrap_or(40);
        let rate_burst = positive("rate-burst", rate_burst, std::num::NonZeroU32::MIN);
        let tenant_rate_per_second =
            self.tenant_rate_per_second.or(file.tenant_rate_per_second).unwrap_or(500);
        let tenant_rate_per_second =
            positive("tenant-rate-per-second", tenant_rate_per_second, std::num::NonZeroU32::MIN);
        let tenant_rate_burst = self.tenant_rate_burst.or(file.tenant_rate_burst).unwrap_or(1_000);
        let tenant_rate_burst = positive("tenant-rate-burst", tenant_rate_burst, std::num::NonZeroU32::MIN);
        let long_polls = self.long_polls.or(file.long_polls).unwrap_or(4_096);
        let long_polls = positive("long-polls", long_polls, std::num::NonZeroU32::MIN);
        let mails_per_tenant = self.mails_per_tenant.or(file.mails_per_tenant).unwrap_or(1_000);
        let mails_per_tenant = positive("mails-per-tenant", mails_per_tenant, std::num::NonZeroU32::MIN);
        let mails_per_recipient = self.mails_per_recipient.or(file.mails_per_recipient).unwrap_or(10);
        let mails_per_recipient =
            positive("mails-per-recipient", mails_per_recipient, std::num::NonZeroU32::MIN);
        let token_minutes = self.token_minutes.or(file.token_minutes).unwrap_or(30.0);
        if !(0.01..=300.0).contains(&token_minutes) {
            faults.add(SettingsError::Range { name: "token-minutes", range: "0.01 to 300" });
        }
        let resend_seconds = self.resend_seconds.or(file.resend_seconds).unwrap_or(30.0);
        if !(0.01..=3600.0).contains(&resend_seconds) {
            faults.add(SettingsError::Range { name: "resend-seconds", range: "0.01 to 3600" });
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
            faults.add(SettingsError::Ephemeral { name });
        }
        let data_dir = self.data_dir.or(file.data_dir).unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR));
        let endpoint = self.s3_endpoint.or(file.s3_endpoint);
        let region = self.s3_region.or(file.s3_region);
        let access_key_id = self.s3_access_key_id.or(file.s3_access_key_id);
        let secret_access_key = self.s3_secret_access_key.or(file.s3_secret_access_key);
        let bucket = match self.s3_bucket.or(file.s3_bucket) {
            Some(bucket) => {
                let missing = |name| SettingsError::Missing { name, with: "s3-bucket" };
                let access_key_id = access_key_id.ok_or_else(|| missing("s3-access-key-id"));
                let secret_access_key = secret_access_key.ok_or_else(|| missing("s3-secret-access-key"));
                Some(S3Settings {
                    bucket,
                    endpoint,
                    region: region.unwrap_or_else(|| "us-east-1".to_owned()),
                    access_key_id: faults.or(access_key_id, String::new()),
                    secret_access_key: faults.or(secret_access_key, SecretString::default()),
                })
            }
            None => {
                let useless = [
                    ("s3-endpoint", endpoint.is_some()),
                    ("s3-region", region.is_some()),
                    ("s3-access-key-id", access_key_id.is_some()),
                    ("s3-secret-access-key", secret_access_key.is_some()),
                ];
                for (with, _) in useless.into_iter().filter(|(_, given)| *given) {
                    faults.add(SettingsError::Missing { name: "s3-bucket", with });
                }
                None
            }
        };
        let proxies = self.trusted_proxies.or(file.trusted_proxies).unwrap_or_default();
        let trusted_proxies = Networks::parse(proxies.iter().map(String::as_str))
            .map_err(|fault| SettingsError::Network { name: "trusted-proxies", fault });
        let trusted_proxies = faults.or(trusted_proxies, Networks::default());
        let webhook_allow = self.webhook_allow.or(file.webhook_allow).unwrap_or_default();
        let allowed = AllowedNetworks::parse(webhook_allow.iter().map(String::as_str)).map(drop);
        faults.or(allowed.map_err(|error| SettingsError::Service(format!("--webhook-allow: {error}"))), ());
        let mail_from = self.mail_from.or(file.mail_from).unwrap_or_else(|| "invites@localhost".to_owned());
        let smtp_url = self.smtp_url.or(file.smtp_url);
        match (mail_from.parse::<Address>(), &smtp_url) {
            (Ok(from), Some(url)) => {
                let mailer = SmtpMailer::new(url.expose_secret(), from).map(drop);
                faults.or(mailer.map_err(|error| SettingsError::Service(format!("--smtp-url {error}"))), ());
            }
            (Ok(_), None) => {}
            (Err(_), _) => {
                faults.add(SettingsError::Service("--mail-from must be an email address".to_owned()));
            }
        }
        let connectors = self.connector.or(file.connector).unwrap_or_default();
        let connectors = connectors.into_iter().map(ConnectorInput::settle);
        let connectors = connectors.filter_map(|it| faults.or(it.map(Some), None)).collect();
        let database_url = self.database_url.or(file.database_url);
        let database_url = database_url.and_then(|it| faults.or(it.checked().map(Some), None));
        let log = self.log.or(file.log).filter(|it| !it.is_empty()).unwrap_or_else(|| "info".to_owned());
        let log = faults.or(log_filter::checked(log), String::new());
        let security_contact = self.security_contact.or(file.security_contact);
        let security_contact = security_contact.map(|it| security_contact::contact(&it)).transpose();
        let security_contact = faults.or(security_contact, None);
        faults.none()?;
        let connections = ConnectionInput {
            total: self.max_connections.or(file.max_connections),
            per_network: self.max_connections_per_network.or(file.max_connections_per_network),
            trusted_proxies: &proxies,
            head: self.head_seconds.or(file.head_seconds),
            idle: self.idle_seconds.or(file.idle_seconds),
            write: self.write_seconds.or(file.write_seconds),
        };
        Ok(Settings {
            connections: connections.settle()?,
            security_contact,
            connectors,
            keys_dir: self.keys_dir.or(file.keys_dir).unwrap_or_else(|| data_dir.clone()),
            accept_lost_keys: self.accept_lost_keys || file.accept_lost_keys,
            database_url,
            listen,
            public_url,
            sdk_url,
            hosted_url,
            files_url,
            smtp_url,
            mail_abuse: self.mail_abuse.or(file.mail_abuse).unwrap_or_else(|| mail_from.clone()),
            mail_from,
            mails_per_tenant,
            mails_per_recipient,
            allowed_hosts,
            trusted_proxies,
            webhook_allow,
            token_minutes,
            rate_per_second,
            rate_burst,
            tenant_rate_per_second,
            tenant_rate_burst,
            long_polls,
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
            document_sandbox: self.document_sandbox.or(file.document_sandbox).unwrap_or_default(),
            drain_seconds: self.drain_seconds.or(file.drain_seconds).unwrap_or(20),
            log,
        })
    }
}

/// All errors found in the settings. Reporting them together lets an operator fix them in one go.
#[derive(Default)]
struct Faults(Vec<SettingsError>);

impl Faults {
    fn add(&mut self, fault: SettingsError) {
        self.0.push(fault);
    }

    /// Returns the value. On an error, records it and returns `instead`, so that the rest can be checked.
    fn or<T>(&mut self, settled: Result<T, SettingsError>, instead: T) -> T {
        settled.unwrap_or_else(|fault| {
            self.add(fault);
            instead
        })
    }

    fn none(mut self) -> Result<(), SettingsError> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(self.0.remove(0)),
            _ => Err(SettingsError::Several(self.0)),
        }
    }
}

fn read_file(path: &Path) -> Result<SettingsInput, SettingsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    toml::from_str(&text)
        .map_err(|error| SettingsError::Invalid { path: path.to_owned(), message: placed(&text, &error) })
}

/// Keys whose values contain secrets.
const SECRETS: [&str; 5] = ["database-url", "smtp-url", "s3-access-key-id", "s3-secret-access-key", "secret"];

/// Describes an error with its line number and key, but not the line itself, which may contain a password.
fn placed(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return message.to_owned();
    };
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let key = line.split_once('=').map(|(key, _)| key.trim());
    let is_key = |key: &&str| key.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
    match key.filter(is_key) {
        // The parser's message would quote the value.
        Some(key) if SECRETS.contains(&key) && message.starts_with("invalid type") => {
            format!("line {number}, {key}: must be a quoted string")
        }
        Some(key) => format!("line {number}, {key}: {message}"),
        None => format!("line {number}: {message}"),
    }
}
