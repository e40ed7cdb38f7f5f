//! Every setting as configured.

mod settle;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use link_documents::SandboxPolicy;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::connector::ConnectorInput;
use super::urls::DatabaseUrl;

/// The default data folder.
pub const DEFAULT_DATA_DIR: &str = "./linchpin-data";

/// All settings. Each can be a flag, an environment variable `LINCHPIN_*` or a key of the settings file.
#[derive(Clone, Debug, Default, Args, Deserialize)]
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
    /// Program that wraps and unwraps the master key, such as a script around a KMS [default: the key is in its file as it
    /// is].
    #[arg(long, env = "LINCHPIN_MASTER_KEY_COMMAND", value_name = "PROGRAM")]
    master_key_command: Option<PathBuf>,
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
    /// Base URL of the API that tenants write into their code, if it is not PUBLIC_URL: with several cells, the one that leads
    /// to all of them (docs/how-to/cells.md) [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_API_URL", value_name = "URL")]
    api_url: Option<String>,
    /// URL of the widget's scripts and frame as browsers see it [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_SDK_URL", value_name = "URL")]
    sdk_url: Option<String>,
    /// URL of invitation pages as browsers see it. Its host must differ from that of SDK_URL [default: PUBLIC_URL if it
    /// differs from SDK_URL, otherwise PUBLIC_URL with localhost and 127.0.0.1 swapped].
    #[arg(long, env = "LINCHPIN_HOSTED_URL", value_name = "URL")]
    hosted_url: Option<String>,
    /// Host name of the service that tenants point the own hosts of their link sites to, with CNAME records
    /// (docs/how-to/own-host.md) [default: none, tenants cannot add hosts].
    #[arg(long, env = "LINCHPIN_SITE_HOST_TARGET", value_name = "NAME")]
    site_host_target: Option<String>,
    /// URL of files and exports as browsers see it. A separate host serves nothing else [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_FILES_URL", value_name = "URL")]
    files_url: Option<String>,
    /// URL of the developer portal as browsers see it. A separate host serves nothing else [default: PUBLIC_URL].
    #[arg(long, env = "LINCHPIN_CONSOLE_URL", value_name = "URL")]
    console_url: Option<String>,
    /// Mail server, smtps://user:password@host or smtp://user:password@host?tls=required [default: mails are stored,
    /// encrypted, with the files].
    #[arg(long, env = "LINCHPIN_SMTP_URL", value_name = "URL", hide_env_values = true)]
    smtp_url: Option<SecretString>,
    /// Sender address of invitations [default: `invites@localhost`].
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
    /// Private networks that webhooks may reach, as CIDRs, and host names that sandbox webhooks may reach over plain http,
    /// separated by commas [default: none].
    #[arg(long, env = "LINCHPIN_WEBHOOK_ALLOW", value_name = "CIDRS_OR_HOSTS", value_delimiter = ',')]
    webhook_allow: Option<Vec<String>>,
    /// Networks of proxies whose `X-Forwarded-For` is trusted, as CIDRs separated by commas [default: none].
    #[arg(long, env = "LINCHPIN_TRUSTED_PROXIES", value_name = "CIDRS", value_delimiter = ',')]
    trusted_proxies: Option<Vec<String>>,
    /// Lifetime of a link token in minutes, 0.01 to 300 [default: 30].
    #[arg(long, env = "LINCHPIN_TOKEN_MINUTES", value_name = "MINUTES")]
    token_minutes: Option<f64>,
    /// Requests a second for each key and each session [default: 100].
    #[arg(long, env = "LINCHPIN_RATE_PER_SECOND", value_name = "COUNT")]
    rate_per_second: Option<u32>,
    /// Requests a key or session may send at once [default: 200].
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
    /// Address for Prometheus metrics at /metrics [default: none].
    #[arg(long, env = "LINCHPIN_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<SocketAddr>,
    /// Days for which events of the audit log are kept [default: 400].
    #[arg(long, env = "LINCHPIN_AUDIT_DAYS", value_name = "DAYS")]
    audit_days: Option<u32>,
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
    /// Where the service writes backups on a schedule: a folder, or s3://BUCKET/PREFIX with the S3 settings above
    /// [default: none].
    #[arg(long, env = "LINCHPIN_BACKUP_TO", value_name = "PLACE")]
    pub(super) backup_to: Option<String>,
    /// Hours between two backups, 0.01 to 720 [default: 24].
    #[arg(long, env = "LINCHPIN_BACKUP_HOURS", value_name = "HOURS")]
    backup_hours: Option<f64>,
    /// Backups to keep. With a new good one, the oldest are removed [default: 14].
    #[arg(long, env = "LINCHPIN_BACKUP_KEEP", value_name = "COUNT")]
    backup_keep: Option<u32>,
    /// Days for which a backup is kept, 1 to 60. The newest is never removed [default: 30].
    #[arg(long, env = "LINCHPIN_BACKUP_DAYS", value_name = "DAYS")]
    backup_days: Option<u32>,
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
    /// Seconds that a client has, after it connects or gets a response, to send the whole head of its next request. Must
    /// be longer than the proxy's timeout [default: 75].
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
    /// Seconds that a start waits for a database that is away; 0 means that it fails at once [default: 60].
    #[arg(long, env = "LINCHPIN_DATABASE_WAIT_SECONDS", value_name = "SECONDS")]
    database_wait_seconds: Option<u64>,
    /// Log filter: off, error, warn, info, debug or trace, optionally for a single target, as in info,link_server=debug
    /// [default: info].
    #[arg(long, env = "LINCHPIN_LOG", value_name = "FILTER")]
    log: Option<String>,
}

/// Calls a macro with the name of every setting that can be absent.
macro_rules! with_each_setting {
    ($then:ident) => {
        $then! {
            data_dir keys_dir master_key_command database_url listen public_url api_url sdk_url hosted_url
            site_host_target files_url console_url smtp_url mail_from mail_abuse mails_per_tenant
            mails_per_recipient allowed_hosts webhook_allow trusted_proxies token_minutes rate_per_second
            rate_burst tenant_rate_per_second tenant_rate_burst metrics_listen audit_days long_polls
            resend_seconds files_dir s3_bucket s3_endpoint s3_region s3_access_key_id s3_secret_access_key
            backup_to backup_hours backup_keep backup_days upload_files upload_megabytes document_sandbox
            connector max_connections max_connections_per_network idle_seconds write_seconds security_contact
            drain_seconds database_wait_seconds log
        }
    };
}

impl SettingsInput {
    /// Fills absent settings from the file.
    fn or(self, file: Self) -> Self {
        macro_rules! merge {
            ($($name:ident)*) => {
                Self {
                    config: self.config,
                    ephemeral: self.ephemeral || file.ephemeral,
                    accept_lost_keys: self.accept_lost_keys || file.accept_lost_keys,
                    $($name: self.$name.or(file.$name),)*
                }
            };
        }
        with_each_setting!(merge)
    }

    /// Returns the names of the settings that differ. A value that equals the default differs from an absent one.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        macro_rules! compare {
            ($($name:ident)*) => {
                [
                    ("config", self.config == other.config),
                    ("ephemeral", self.ephemeral == other.ephemeral),
                    ("accept_lost_keys", self.accept_lost_keys == other.accept_lost_keys),
                    $((stringify!($name), is_same(self.$name.as_ref(), other.$name.as_ref())),)*
                ]
            };
        }
        let compared = with_each_setting!(compare).into_iter();
        compared.filter(|(_, is_same)| !is_same).map(|(name, _)| name.replace('_', "-")).collect()
    }
}

fn is_same<T: Same>(one: Option<&T>, other: Option<&T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Equality, also of secrets, which do not implement `PartialEq`.
trait Same {
    fn is_same(&self, other: &Self) -> bool;
}

macro_rules! same_if_equal {
    ($($kind:ty),*) => {
        $(impl Same for $kind {
            fn is_same(&self, other: &Self) -> bool {
                self == other
            }
        })*
    };
}

same_if_equal!(PathBuf, SocketAddr, String, Vec<String>, f64, u32, u64, SandboxPolicy, Vec<ConnectorInput>);

impl Same for SecretString {
    fn is_same(&self, other: &Self) -> bool {
        self.expose_secret() == other.expose_secret()
    }
}

impl Same for DatabaseUrl {
    fn is_same(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}
